"""The parser: Lark over `grammar.lark`, made at the first call, kept in a cache folder if the caller names one.

A cache that is missing, foreign, damaged or cannot be written is never an error: the parser is made anew.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Mapping
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import lark
from attrs import Factory, field, frozen
from lark import Lark, LarkError, TextSlice, Token, Tree
from lark.lexer import PatternStr, TerminalDef

from dsl.layout import Layout, Outline

CACHE_FILE = "grammar.lark.cache"
STARTS = ["start", "expr"]
OPEN_TERMINALS = frozenset(("NAME", "NUMBER", "STRING"))

ALTERNATIVES = re.compile(r"\(\?:(.*)\)")


class Parser(Protocol):
    """A parser in the middle of a text that is fed token by token: what is used here of Lark's `InteractiveParser`."""

    def feed_token(self, token: Token) -> Any:
        """Take the next token; the tree for `$END`. Raises UnexpectedToken, and is of no use after that."""

    def choices(self) -> Mapping[str, object]:
        """The symbols that may come next; some of them only to find after reductions that they do not fit."""

    def accepts(self) -> set[str]:
        """The terminals that could come next."""

    def copy(self, deepcopy_values: bool) -> Parser: ...


@frozen(eq=False)
class Grammar:
    """Lark's parser, and which terminals a word or a sign can be."""

    lark: Lark
    fixed: Mapping[str, tuple[str, ...]]
    reserved: frozenset[str]
    lock: Lock = Factory(Lock)  # the layout knows one text at a time

    def parse(self, text: TextSlice[str], start: str) -> tuple[Tree[Token], Outline] | None:
        """The tree and the outline of a text; None if there is a mistake in it."""
        layout = self.lark.options.postlex
        assert isinstance(layout, Layout)
        with self.lock:
            try:
                return self.lark.parse(text, start=start), layout.outline
            except LarkError:
                return None

    def parser(self, start: str) -> Parser:
        """A parser that has read nothing yet."""
        return self.lark.parse_interactive(start=start)

    def terminal(self, kind: str, text: str, choices: Container[str]) -> str:
        """What a token is, where the parser has these choices: a keyword if that is one of them, else a name.

        Of a token that was cut without regard to the grammar, `kind` says no more than that it is a `WORD` or a `sign`."""
        if kind != "WORD" and kind != "sign":
            return kind
        candidates = self.fixed.get(text)
        if candidates is None:
            return "NAME" if kind == "WORD" else "wrong"
        for candidate in candidates:
            if candidate in choices:
                return candidate
        return candidates[0] if kind == "sign" or text in self.reserved else "NAME"


@frozen
class _Folder:
    """Where the parser may be kept. All are equal: whichever is named first counts for the whole process."""

    path: str | None = field(eq=False)


def grammar(cache_folder: str | None = None) -> Grammar:
    """The grammar, made or read at the first call in a process; the folder counts only then."""
    return _once(_Folder(cache_folder))


@cache
def _once(folder: _Folder) -> Grammar:
    return load(folder.path)


def load(cache_folder: str | None) -> Grammar:
    """The grammar from a cache folder or, if that does not work, made anew and written there if that can be done."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    made = None if cache_folder is None else _read(cache_folder, text)
    if made is None:
        made = make(text)
        if cache_folder is not None:
            _write(cache_folder, text, made)
    return _described(made)


def make(text: str) -> Lark:
    """The parser for a grammar in Lark's notation."""
    return Lark(
        text,
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _described(made: Lark) -> Grammar:
    fixed: dict[str, tuple[str, ...]] = {}
    for terminal in made.terminals:
        if terminal.name not in OPEN_TERMINALS and not terminal.name.startswith("_"):
            for written in _texts(terminal):
                fixed[written] = (*fixed.get(written, ()), terminal.name)
    name = re.compile(made.get_terminal("NAME").pattern.to_regexp())
    return Grammar(made, fixed, frozenset(word for word in fixed if word.isidentifier() and not name.fullmatch(word)))


def _texts(terminal: TerminalDef) -> list[str]:
    """The words or signs a fixed terminal stands for: one, or alternatives `(a|b)`."""
    if isinstance(terminal.pattern, PatternStr):
        return [terminal.pattern.value]
    alternatives = ALTERNATIVES.fullmatch(terminal.pattern.value)
    assert alternatives is not None, f"{terminal.name} is neither a word nor some words"
    return [re.sub(r"\\(.)", r"\1", text) for text in alternatives[1].split("|")]


# ── keeping it ──


def _stamp(text: str, content: bytes) -> bytes:
    """The first line of a cache file: what it was made from and with, and what is in it."""
    return sha256(f"{lark.__version__} {sys.version}\n{text}".encode() + content).hexdigest().encode()


def _read(folder: str, text: str) -> Lark | None:
    try:
        with open(os.path.join(folder, CACHE_FILE), "rb") as file:
            stamp, _, content = file.read().partition(b"\n")
        return Lark.load(BytesIO(content)) if stamp == _stamp(text, content) else None
    except Exception:  # whatever a file that is no file, or a pickle of something else, may raise: it is made anew
        return None


def _write(folder: str, text: str, made: Lark) -> None:
    content = BytesIO()
    made.save(content)
    try:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, CACHE_FILE)
        part = f"{path}.{os.getpid()}"
        with open(part, "wb") as file:
            file.write(_stamp(text, content.getvalue()) + b"\n" + content.getvalue())
        os.replace(part, path)
    except (OSError, ValueError):
        return
