"""A rules file as lines of tokens, for the formatter: no keywords, no meaning, only what stands where and how deep.

It is used on files that have been read without an error, so brackets pair and indentation is in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define

from dsl.docs import is_rulebook_text
from dsl.render import columns
from dsl.source import Source

PIECE = re.compile(
    r"""
      (?P<blank>[ \t]+)
    | (?P<break>\r?\n)
    | (?P<word>\w+)
    | (?P<text>"(?:[^"\\\r\n]|\\[^\r\n])*")
    | (?P<comment>\#[^\r\n]*)
    | (?P<sign>:=|\+=|-=|<=|>=|->|\.\.\.|\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING, CLOSING = "([", ")]"


@define(eq=False)
class Piece:
    """A word, text or sign; `gap` is how many blanks go before it, which the formatter decides."""

    text: str
    start: int
    gap: int = 0


@define(eq=False)
class Line:
    """A line of the file: its pieces and its comment, of which one may be missing; both are only in a blank line.

    `column` is where it began, `depth` in how many blocks it is; `opened` are the brackets open where it begins."""

    pieces: list[Piece]
    comment: str | None
    column: int
    opened: int = 0
    depth: int = 0

    @property
    def blank(self) -> bool:
        return not self.pieces and self.comment is None

    @property
    def first(self) -> bool:
        """Whether a declaration, statement or row begins here."""
        return bool(self.pieces) and not self.opened


def wide(pieces: list[Piece]) -> int:
    """How many columns some pieces of one line take, without the gap before the first."""
    return sum(columns_of(piece.text) + (piece.gap if at else 0) for at, piece in enumerate(pieces))


def columns_of(text: str) -> int:
    return sum(map(columns, text))


def cut(source: Source) -> list[Line]:
    """The lines of a file, each knowing how deep it is; blank lines at the end are left out."""
    lines = list(_lines(source.text))
    _measure(lines)
    while lines and lines[-1].blank:
        lines.pop()
    return lines


def _lines(text: str) -> Iterator[Line]:
    line = Line([], None, 0)
    open_brackets = 0
    for match in PIECE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        kind, piece = match.lastgroup or "sign", match.group()
        if kind == "break":
            yield line
            line = Line([], None, 0, open_brackets)
        elif kind == "blank":
            if not line.pieces:
                line.column += len(piece)
        elif kind == "comment":
            line.comment = piece.rstrip()
        else:
            line.pieces.append(Piece(piece, match.start()))
            open_brackets += (piece in OPENING) - (piece in CLOSING)
    yield line


def _measure(lines: list[Line]) -> None:
    """How deep each line is; a comment on a line of its own belongs to the block whose lines begin where it does."""
    indents = [0]
    waiting: list[Line] = []
    for line in lines:
        if not line.pieces and not line.opened:
            if line.comment is not None:
                waiting.append(line)
        elif line.first:
            before = list(indents)
            if line.column > indents[-1]:
                indents.append(line.column)
            while line.column < indents[-1]:
                indents.pop()
            line.depth = len(indents) - 1
            _place_comments(waiting, before, line.depth)
            waiting = []
        else:
            line.depth = len(indents) - 1
    _place_comments(waiting, indents, 0)


def _place_comments(comments: list[Line], indents: list[int], depth: int) -> None:
    """Comments before a line of a depth, after a line in the blocks with these indentations."""
    for line in comments:
        assert line.comment is not None
        line.depth = depth
        if not is_rulebook_text(line.comment):
            line.depth += sum(line.column >= indent for indent in indents[depth + 1 :])
