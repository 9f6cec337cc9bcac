"""Hypothesis strategies for rules files: well-typed programs, and real files that are broken.

    from rulesrun.strategies import mutated, programs

    @given(programs())
    def test_programs_load(program): program.load()

What is drawn covers most of the language (the modules `programs_*` say how), and nearly all of it checks without errors. It
ends soon in play, or faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, frozen
from hypothesis import strategies as st

from dsl import pipeline
from dsl.diagnostics import Report
from dsl.source import Source
from interpreter import play
from rulesrun.api import Game
from rulesrun.locate import SUFFIX
from rulesrun.strategies.programs_draws import World
from rulesrun.strategies.programs_files import GAME, MODULE, VARIANT, Files

T = TypeVar("T")


@frozen
class Program:
    """Rules files that belong together: the texts by their ids. `game` is always there."""

    texts: Mapping[str, str]

    @property
    def source(self) -> Source:
        """The file of the game."""
        return self.file(GAME)

    @property
    def sources(self) -> list[Source]:
        return [self.file(name) for name in self.texts]

    @property
    def has_variant(self) -> bool:
        return VARIANT in self.texts

    def file(self, name: str) -> Source:
        return Source(name + SUFFIX, self.texts[name])

    def changed(self, name: str, text: str) -> Program:
        """With another text of one file."""
        return Program({**self.texts, name: text})

    # what composing asks: see `dsl.composition.Lookup`

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self._named(name, "game")

    def module(self, name: str, asking: Source | None) -> Source | None:
        return self._named(name, "module")

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return self._named(name, "variant")

    def _named(self, name: str, what: str) -> Source | None:
        return self.file(name) if name in self.texts and self.texts[name].startswith(what) else None

    @property
    def paths(self) -> tuple[Path, ...]:
        """It lies in no files."""
        return ()

    def check(self) -> Report:
        """All findings about all files."""
        found = Report()
        for source in self.sources:
            for finding in pipeline.check(source, self):
                found.add(finding)
        return found

    def load(self, *, varied: bool = False, options: Mapping[str, object] | None = None) -> Game:
        """The game, with its variant if `varied`. Raises `RulesError`."""
        report = Report()
        variants = [self.file(VARIANT)] if varied else []
        rules = pipeline.load(self.source, self, variants, options or {}, report)
        return Game(rules, play.Rules(rules), self.source, tuple(report), tuple(variants))

    def __str__(self) -> str:
        return "\n".join(f"──── {name}{SUFFIX} ────\n{text}" for name, text in self.texts.items())

    __repr__ = __str__


def written(files: Files, *, modules: bool = True, variants: bool = True) -> Program:
    """A program made of what `files` draws."""
    texts: dict[str, str] = {}
    module = modules and files.one_in(4)
    if module:
        texts[MODULE] = files.grouped(files.module)
    texts = {GAME: files.game(module), **texts}
    if variants and files.one_in(2):
        texts[VARIANT] = files.grouped(files.variant)
    return Program(texts)


@cache
def _below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


@define
class Drawn:
    """Numbers that Hypothesis draws."""

    draw: st.DrawFn

    def below(self, n: int) -> int:
        return self.draw(_below(n))

    def grouped(self, make: Callable[[], T]) -> T:
        made: T = self.draw(_group(self, make))
        return made


@st.composite
def _group(draw: st.DrawFn, drawn: Drawn, make: Callable[[], Any]) -> Any:
    outside, drawn.draw = drawn.draw, draw
    try:
        return make()
    finally:
        drawn.draw = outside


@st.composite
def programs(draw: st.DrawFn, *, modules: bool = True, variants: bool = True) -> Program:
    """Well-typed programs: a game, at times with a module that it uses and a variant. Few have an error that only checking finds.

    They shrink to few declarations with few lines."""
    return written(Files(Drawn(draw), World()), modules=modules, variants=variants)


# ── real files, broken ──

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|\n[ ]*|[ ]+|\w+|:=|\+=|-=|<=|>=|->|\.\.\.|\.\.|.')
ODD = ['"', "{", "}", "(", ")", "[", "]", "\\", "#", "##", "\t", "\r", "\x00", "\ufeff", "\u2028", "é", "你", "💀", ":=", "==", "...",
       "99999999999999999999", "none", "proceed", "otherwise", "self", "owner", "-", "\n", "\n    "]  # fmt: skip


def tokens(text: str) -> list[str]:
    """A text cut into names, numbers, signs, quoted texts, remarks, gaps, and line breaks with the indentation after them."""
    return TOKEN.findall(text)


@st.composite
def mutated(draw: st.DrawFn, text: str, *, most: int = 6) -> str:
    """A rules file with up to `most` tokens or lines left out, doubled, exchanged, indented otherwise, or replaced by odd ones."""
    pieces = tokens(text)
    for _ in range(draw(st.integers(1, most))):
        if len(pieces) < 2:
            return text
        at = draw(st.integers(0, len(pieces) - 1))
        match draw(st.integers(0, 7)):
            case 0:
                del pieces[at]
            case 1:
                pieces.insert(at, pieces[at])
            case 2:
                other = draw(st.integers(0, len(pieces) - 1))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at] = draw(st.sampled_from(ODD))
            case 4:
                pieces[at] = pieces[draw(st.integers(0, len(pieces) - 1))]
            case 5 | 6 as form:
                pieces = _lines_changed(pieces, at, doubled=form == 5)
            case _:
                breaks = [number for number, piece in enumerate(pieces) if piece.startswith("\n")]
                if breaks:
                    pieces[breaks[at % len(breaks)]] = "\n" + " " * draw(st.integers(0, 12))
    return "".join(pieces)


def _lines_changed(pieces: list[str], at: int, *, doubled: bool) -> list[str]:
    """The line in which a token stands, twice or not at all."""
    lines = "".join(pieces).split("\n")
    number = "".join(pieces[:at]).count("\n")
    lines[number : number + 1] = [lines[number]] * 2 if doubled else []
    return tokens("\n".join(lines))
