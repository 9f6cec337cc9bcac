"""The layout of a rules file: lines, blocks by indentation, remarks.

`Layout` is what Lark's parser is given for it. What the parser has no use for (where remarks stand, where lines of code begin) is kept in
an `Outline`; `dsl/docs.py` finds there to which declaration rulebook text belongs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from attrs import Factory, define, frozen
from lark import LarkError, Token
from lark.indenter import Indenter

MAX_INDENTS = 20
MAX_BRACKETS = 50
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT"))

WORD = re.compile(r"[^\W\d]\w*")
REMARK = re.compile(r"#[^\r\n]*")


@frozen
class Remark:
    """A comment, `#` or `##`; `alone` when nothing precedes it on its line."""

    start: int
    end: int
    line: int
    text: str
    alone: bool


@frozen
class Line:
    """The start of a line of code: its first token, how many blocks it is in, and the first word of the declaration it is part of."""

    token: Token
    depth: int
    opening: str


@define
class Outline:
    """Where the remarks of a file are, and where its lines of code begin: those that go on with a line before, in brackets, do not count."""

    remarks: list[Remark] = Factory(list)
    lines: dict[int, Line] = Factory(dict)


class LayoutError(LarkError):
    """There is a mistake in the layout; `dsl/lexer.py` will say which."""


class Layout(Indenter):
    """Blocks by indentation, and on the side the outline of the text that was read last.

    `_NL`, `_INDENT` and `_DEDENT` take no room: they stand where the token before them ends, so that the span of a tree ends with its
    last visible sign. Empty lines and remarks before the first line of code are no lines."""

    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR", "LSQB"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR", "RSQB"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 1  # Lark asks; a tab is no blank in the grammar

    def __init__(self) -> None:
        super().__init__()
        self.outline = Outline()
        self.last: Token | None = None

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.outline, self.last = Outline(), None
        opening, fresh = "", True
        for token in super().process(stream):  # type: ignore[no-untyped-call]
            if token.type in LAYOUT:
                fresh = True
                if self.last is not None:
                    yield empty(token.type, self.last)
                elif token.type != "_NL":
                    yield token
                continue
            if fresh:
                depth = len(self.indent_level) - 1
                opening = opening if depth else str(token)
                self.outline.lines[token.line] = Line(token, depth, opening)
                fresh = False
                if depth > MAX_INDENTS:
                    raise LayoutError
            elif self.last is not None and self.last.end_pos == token.start_pos and WORD.fullmatch(self.last + token):
                raise LayoutError  # a keyword was cut off a longer word, where no name could stand
            self.last = token
            yield token
            if self.paren_level >= MAX_BRACKETS and token.type in self.OPEN_PAREN_types:
                raise LayoutError

    def handle_NL(self, token: Token) -> Iterator[Token]:
        for found in REMARK.finditer(token):
            start, line = start_of(token) + found.start(), line_of(token) + token.count("\n", 0, found.start())
            alone = found.start() > 0 or self.last is None or line_of(self.last) != line
            self.outline.remarks.append(Remark(start, start + len(found.group()), line, found.group(), alone))
        yield from super().handle_NL(token)


# ── tokens with places: Lark has them optional ──


def start_of(token: Token) -> int:
    """The offset at which a token begins."""
    assert token.start_pos is not None
    return token.start_pos


def end_of(token: Token) -> int:
    """The offset at which a token ends."""
    assert token.end_pos is not None
    return token.end_pos


def line_of(token: Token) -> int:
    """The line a token stands in, from 1."""
    assert token.line is not None
    return token.line


def placed(kind: str, text: str, start: int, line: int) -> Token:
    """A token of one line."""
    return Token(kind, text, start, line, 0, line, 0, start + len(text))


def empty(kind: str, last: Token) -> Token:
    """A token that takes no room, where another one ends."""
    return placed(kind, "", end_of(last), line_of(last))
