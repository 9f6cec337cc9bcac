"""What must hold of every game: each file in `games/` goes through the suite, at every number of players, and so do variants and examples.

Adding a file is enough."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

import rulesrun
from rulesrun import suite
from rulesrun.api import Game
from rulesrun.checking import check_file
from rulesrun.locate import Library, files_in, shipped
from rulesrun.strategies import state_machine
from rulesrun.testing import run_tests

FILES = [path for path in files_in(shipped("games")) if path.parent.name == "games"]
VARIANTS = [path for path in files_in(shipped("games")) if "variants" in path.parts]
EXAMPLES = files_in(Path(__file__).parent.parent.parent / "examples")
SEED = 1
A_LITTLE = settings(
    max_examples=5, stateful_step_count=10, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
PLACES = 12
"""in a game with a variant at which the costly checks are made"""


@cache
def load(path: Path) -> Game:
    return rulesrun.load(path)


def cases() -> list[object]:
    return [
        pytest.param(path, players, name, id=f"{path.stem}-{players}-{name.replace(' ', '_')}")
        for path in FILES
        for players in load(path).players
        for name in suite.CHECKS
    ]


@pytest.mark.parametrize(("path", "players", "check"), cases())
def test_suite(path: Path, players: int, check: str) -> None:
    suite.run_check(check, load(path), players, SEED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_state_machine(path: Path) -> None:
    run_state_machine_as_test(state_machine(load(path)), settings=A_LITTLE)


def ends() -> list[object]:
    """Each variant and each example with the fewest and the most players: what is between, its base has been through."""
    return [
        pytest.param(path, players, id=f"{path.stem}-{players}")
        for path in (*VARIANTS, *EXAMPLES)
        for players in sorted({load(path).players[0], load(path).players[-1]})
    ]


@pytest.mark.parametrize(("path", "players"), ends())
def test_suite_of_variants_and_examples(path: Path, players: int) -> None:
    game = load(path)
    length = game.playout(players, SEED).decisions
    rulesrun.check_game(game, players=players, seeds=[SEED], every=max(suite.EVERY, length // PLACES))


@pytest.mark.parametrize("path", [*FILES, *VARIANTS, *EXAMPLES], ids=lambda path: path.stem)
def test_the_file_has_no_mistakes_and_its_tests_pass(path: Path) -> None:
    library = Library()
    source = library.open(path)
    assert check_file(library, source) == []
    failed = [outcome for outcome in run_tests(source, library) if not outcome.passed]
    assert failed == []
