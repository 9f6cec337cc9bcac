"""What must hold of every game: each file in `games/` goes through the suite, at every number of players.

Adding a file to `games/` is enough."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import rulesrun
from rulesrun import suite
from rulesrun.api import Game
from rulesrun.checking import check_file
from rulesrun.locate import Library, files_in, shipped
from rulesrun.testing import run_tests

FILES = [path for path in files_in(shipped("games")) if path.parent.name == "games"]
VARIANTS = [path for path in files_in(shipped("games")) if "variants" in path.parts]
EXAMPLES = files_in(Path(__file__).parent.parent.parent / "examples")
SEED = 1
LONG = 600
"""decisions: in longer games the costly checks are made less often"""


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
    game = load(path)
    length = game.playout(players, SEED).decisions
    run_check(check, game, players, every=7 if length <= LONG else length // 40)


def run_check(check: str, game: Game, players: int, every: int) -> None:
    function = suite.CHECKS[check]
    if check in suite.SAMPLED:
        function(game, players, SEED, every)
    else:
        function(game, players, SEED)


@pytest.mark.parametrize("path", [*FILES, *VARIANTS, *EXAMPLES], ids=lambda path: path.stem)
def test_the_file_has_no_mistakes_and_its_tests_pass(path: Path) -> None:
    library = Library()
    source = library.open(path)
    assert check_file(library, source) == []
    failed = [outcome for outcome in run_tests(source, library, load(path)) if not outcome.passed]
    assert failed == []


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_variant_is_played_to_its_end(path: Path) -> None:
    game = load(path)
    for players in game.players:
        suite.random_play_ends(game, players, SEED)
        suite.cards_are_conserved(game, players, SEED)
