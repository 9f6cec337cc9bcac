"""The grammar as tables: made by Lark at the first call, kept in a cache folder if the caller names one.

Reading the tables back takes a few milliseconds, and Lark is then not even imported. A cache that is missing, foreign, damaged or cannot be
written is never an error: the tables are made anew.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Container
from pathlib import Path
from typing import Any

from attrs import frozen

FORMAT = 1
CACHE_FILE = "grammar.tables"
STARTS = ["start", "expr"]
OPEN_TERMINALS = frozenset(("NAME", "NUMBER", "STRING", "COMMENT"))


@frozen
class Production:
    """One alternative of a rule of the grammar, and what becomes of its symbols.

    `parts` names, in order, the symbols that are kept, by index; None is an optional one left out. Those in `spliced` are lists whose
    elements are taken in. With `single`, one part alone stands for the whole."""

    name: str
    origin: str
    size: int
    parts: tuple[int | None, ...]
    spliced: frozenset[int]
    single: bool


@frozen
class Grammar:
    """The parser's tables, and which terminals a word or a sign can be.

    A row of `states` says what to do for each symbol: a number from 0 is the next state, a negative one means that the production
    `-1 - number` is complete."""

    states: tuple[dict[str, int], ...]
    productions: tuple[Production, ...]
    starts: dict[str, int]
    ends: dict[str, int]
    fixed: dict[str, tuple[str, ...]]
    reserved: frozenset[str]

    def terminal(self, kind: str, text: str, row: Container[str], following: str) -> str:
        """What a token is, where the parser can take the symbols in `row`: a keyword if it can take that one, else a name."""
        if kind != "WORD" and kind != "sign":
            return kind
        candidates = self.fixed.get(text)
        if candidates is None:
            return "NAME" if kind == "WORD" else "wrong"
        free = kind == "WORD" and text not in self.reserved
        for candidate in candidates:
            if candidate in row and not (free and "NAME" in row and following != "of"):
                return candidate
        return "NAME" if free else candidates[0]

    def accepts(self, stack: list[int], terminal: str, end: int) -> bool:
        """Whether the parser could take a terminal, after the reductions it asks for."""
        stack = stack.copy()
        while terminal != "$END" or stack[-1] != end:
            action = self.states[stack[-1]].get(terminal)
            if action is None:
                return False
            if action >= 0:
                return True
            production = self.productions[-1 - action]
            if production.size:
                del stack[-production.size :]
            stack.append(self.states[stack[-1]][production.origin])
        return True


_made: Grammar | None = None


def grammar(cache_folder: str | None = None) -> Grammar:
    """The grammar, made or read at the first call in a process; the folder counts only then."""
    global _made
    if _made is None:
        _made = load(cache_folder)
    return _made


def load(cache_folder: str | None) -> Grammar:
    """The grammar from a cache folder or, if that does not work, made anew and written there if that can be done."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    made = None if cache_folder is None else _read(cache_folder, text)
    if made is None:
        made = make(text)
        if cache_folder is not None:
            _write(cache_folder, text, made)
    return made


# ── making the tables ──


def make(text: str) -> Grammar:
    """The tables for a grammar in Lark's notation."""
    from lark import Lark

    lark = Lark(text, parser="lalr", lexer="basic", start=STARTS, maybe_placeholders=True)
    confs = {start: lark.parse_interactive(start=start).parser_state.parse_conf for start in STARTS}
    table = confs[STARTS[0]].states
    order = [
        confs[start].start_state for start in STARTS
    ]  # Lark numbers states anew each time; here they are numbered as they are met
    number = {state: n for n, state in enumerate(order)}
    rules: dict[Any, int] = {}
    states: list[dict[str, int]] = []
    for state in order:
        row: dict[str, int] = {}
        for symbol, (_, argument) in sorted(table[state].items()):
            if isinstance(argument, int):
                if argument not in number:
                    number[argument] = len(order)
                    order.append(argument)
                row[symbol] = number[argument]
            else:
                row[symbol] = -1 - rules.setdefault(argument, len(rules))
        states.append(row)
    fixed: dict[str, tuple[str, ...]] = {}
    for terminal in lark.terminals:
        if terminal.name not in OPEN_TERMINALS and not terminal.name.startswith("_"):
            for written in _texts(terminal.pattern.to_regexp()):
                fixed[written] = (*fixed.get(written, ()), terminal.name)
    name = re.compile(lark.get_terminal("NAME").pattern.to_regexp())
    reserved = frozenset(word for word in fixed if word.isidentifier() and not name.fullmatch(word))
    return Grammar(
        states=tuple(states),
        productions=tuple(_production(rule) for rule in rules),
        starts={start: number[conf.start_state] for start, conf in confs.items()},
        ends={start: number[conf.end_state] for start, conf in confs.items()},
        fixed=fixed,
        reserved=reserved,
    )


def _production(rule: Any) -> Production:
    """Lark's rules for what is kept: no anonymous signs and words, None for an optional part left out, `_rules` taken in."""
    left_out = [0] * (len(rule.expansion) + 1)
    if rule.options.empty_indices:
        left_out = [len(ones) for ones in "".join("1" if empty else "0" for empty in rule.options.empty_indices).split("0")]
    parts: list[int | None] = []
    spliced = set()
    for index, symbol in enumerate(rule.expansion):
        parts += [None] * left_out[index]
        if not (symbol.is_term and symbol.filter_out):
            parts.append(index)
            if not symbol.is_term and symbol.name.startswith("_"):
                spliced.add(index)
    parts += [None] * left_out[-1]
    name = rule.alias or rule.options.template_source or rule.origin.name
    single = bool(rule.options.expand1 and not rule.alias)
    return Production(str(name), str(rule.origin.name), len(rule.expansion), tuple(parts), frozenset(spliced), single)


def _texts(regexp: str) -> list[str]:
    """The words or signs a fixed terminal stands for."""
    inner = regexp[3:-1] if regexp.startswith("(?:") else regexp
    return [re.sub(r"\\(.)", r"\1", part) for part in inner.split("|")]


# ── keeping them ──


def _stamp(text: str, content: str) -> str:
    """The first line of a cache file: which grammar its tables are for, and a sum over them."""
    return f"tables {FORMAT} {zlib.crc32(text.encode()):08x} {zlib.crc32(content.encode()):08x}"


def _read(folder: str, text: str) -> Grammar | None:
    try:
        with open(os.path.join(folder, CACHE_FILE), encoding="utf-8") as file:
            stamp, _, content = file.read().partition("\n")
        if stamp != _stamp(text, content):
            return None
        states, productions, starts, ends, fixed, reserved = json.loads(content)
        return Grammar(
            states=tuple(states),
            productions=tuple(
                Production(n, o, size, tuple(parts), frozenset(sp), one) for n, o, size, parts, sp, one in productions
            ),
            starts=starts,
            ends=ends,
            fixed={word: tuple(terminals) for word, terminals in fixed.items()},
            reserved=frozenset(reserved),
        )
    except (OSError, ValueError, TypeError):
        return None


def _write(folder: str, text: str, made: Grammar) -> None:
    productions = [(p.name, p.origin, p.size, p.parts, sorted(p.spliced), p.single) for p in made.productions]
    content = json.dumps(
        [made.states, productions, made.starts, made.ends, made.fixed, sorted(made.reserved)], separators=(",", ":")
    )
    try:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, CACHE_FILE)
        part = f"{path}.{os.getpid()}"
        with open(part, "w", encoding="utf-8") as file:
            file.write(f"{_stamp(text, content)}\n{content}")
        os.replace(part, path)
    except (OSError, ValueError):
        return
