"""The grammar as tables: made once, kept in a cache folder if the caller names one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from attrs import define, field
from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_parser_state import ParserState

STARTS = ["start", "expr"]
OPEN_TERMINALS = frozenset(("NAME", "NUMBER", "STRING", "COMMENT"))


class FedByHand(Lexer):
    """Stands where Lark wants a lexer: the tokens come from `dsl/lexer.py` and are fed one by one."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Any:
        raise AssertionError("tokens are fed by hand")


@define
class Grammar:
    """The parser's tables, and which terminals a word or a sign can be."""

    lark: Lark
    fixed: dict[str, list[str]] = field(init=False, factory=dict)
    reserved: frozenset[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        for terminal in self.lark.terminals:
            if terminal.name not in OPEN_TERMINALS and not terminal.name.startswith("_"):
                for text in _texts(terminal.pattern.to_regexp()):
                    self.fixed.setdefault(text, []).append(terminal.name)
        name = re.compile(self.lark.get_terminal("NAME").pattern.to_regexp())
        self.reserved = frozenset(word for word in self.fixed if word.isidentifier() and not name.fullmatch(word))

    def parser(self, start: str) -> ParserState[Any]:
        """A parser that has read nothing yet."""
        return self.lark.parse_interactive(start=start).parser_state

    def terminal(self, kind: str, text: str, row: Any, following: str) -> str:
        """What a token is, where the parser can take the terminals in `row`: a keyword if it can take that one, else a name."""
        if kind not in ("WORD", "sign"):
            return kind
        candidates = self.fixed.get(text)
        if candidates is None:
            return "NAME" if kind == "WORD" else "wrong"
        free = kind == "WORD" and text not in self.reserved
        for candidate in candidates:
            if candidate in row and not (free and "NAME" in row and following != "of"):
                return candidate
        return "NAME" if free else candidates[0]


def _texts(regexp: str) -> list[str]:
    """The words or signs a fixed terminal stands for."""
    inner = regexp[3:-1] if regexp.startswith("(?:") else regexp
    return [re.sub(r"\\(.)", r"\1", part) for part in inner.split("|")]


_made: Grammar | None = None


def grammar(cache_folder: str | None = None) -> Grammar:
    """The grammar, made at the first call in a process. The tables are kept in the folder given there and read back from it;
    if that does not work, for whatever reason, they are made anew."""
    global _made
    if _made is None:
        _made = Grammar(build_tables(cache_folder))
    return _made


def build_tables(cache_folder: str | None) -> Lark:
    """Make the tables or read them from the cache."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    cache: bool | str = False
    if cache_folder is not None and _usable(cache_folder):
        cache = os.path.join(cache_folder, "grammar.tables")
    return Lark(
        text,
        parser="lalr",
        lexer=FedByHand,
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=True,
        cache=cache,
    )


def _usable(folder: str) -> bool:
    try:
        os.makedirs(folder, exist_ok=True)
    except (OSError, ValueError):
        return False
    return os.path.isdir(folder)
