"""What the fuzzer does with one example: the same for pytest and for a long run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

from attrs import field, frozen

from dsl.diagnostics import RulesError
from dsl.source import Source
from rulesrun.api import Game, load_source
from rulesrun.locate import Library, files_in
from rulesrun.strategies import Program
from rulesrun.strategies.programs import written
from rulesrun.strategies.programs_draws import World
from rulesrun.strategies.programs_files import GAME, MODULE, Files
from tests.fuzz.metamorphic import changes_nothing, ids, without_tests
from tests.fuzz.properties import Tally

ROOT = Path(__file__).parent.parent.parent
REAL = [path for folder in ("games", "stdlib", "examples", "tests/interpreter/semantics") for path in files_in(ROOT / folder)]
"""rules files of the project: games, modules, variants, and those that test what happens when"""
GAMES = [path for path in files_in(ROOT / "games") if path.parent.name == "games"]
STEPS = 12
"""decisions for which a changed game is compared"""
T = TypeVar("T")


@frozen
class Seeded:
    """Random numbers without Hypothesis: where a fixed list of programs is wanted."""

    random: Random = field(converter=Random)

    def below(self, n: int) -> int:
        return self.random.randrange(n)

    def grouped(self, make: Callable[[], T]) -> T:
        return make()


def program_of(seed: int) -> Program:
    """The same program for the same number."""
    return written(Files(Seeded(seed), World()))


@cache
def library_names() -> frozenset[str]:
    """All names in the standard library."""
    return frozenset().union(*(ids(path.read_text(encoding="utf-8")) for path in files_in(ROOT / "stdlib")))


def program_changed(program: Program, name: str, seed: int, tally: Tally) -> None:
    """A change that means nothing changes nothing in a generated program."""
    leave = ids(program.texts[MODULE]) if MODULE in program.texts else set()

    def load(text: str) -> Game:
        return program.changed(GAME, text).load()

    try:
        load(program.texts[GAME])
    except RulesError:
        return
    compared(name, program.texts[GAME], load, leave, seed, tally)


def game_changed(path: Path, name: str, seed: int, tally: Tally) -> None:
    """The same of a real game. Its tests are left out: they name cards by texts."""
    library = Library()
    source = library.open(path)

    def load(text: str) -> Game:
        return load_source(Source(source.path, text), library, [], {})

    compared(name, without_tests(source), load, set(library_names()), seed, tally)


def compared(name: str, text: str, load: Callable[[str], Game], leave: set[str], seed: int, tally: Tally) -> None:
    same = changes_nothing(name, text, load, leave, seed, STEPS)
    tally.add("changed files played" if same is not None else "changes that could not be made")
    assert same is not False, f"{name}: it is played in another way"
