"""A random game of each shipped game, written down: `pytest tests/games/test_playthroughs.py --update-golden` writes them anew.

Whoever changes rules, labels, log or views looks at the difference: it is what players will notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulesrun
from rulesrun.locate import shipped
from tests.conftest import GOLDEN
from tests.games.playthrough import playthrough

GAMES = sorted(shipped("games").glob("*.cardgame"))
SEED = 5
PLAYERS = 3
LARGEST = 1_500_000
"""bytes of all of them together"""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_it_is_played_as_written(path: Path, golden: Callable[[str, str], None]) -> None:
    game = rulesrun.load(path)
    players = PLAYERS if PLAYERS in game.players else game.players[0]
    golden(f"playthroughs/{path.stem}.txt", playthrough(game, players, SEED))


def test_they_are_of_these_games_and_of_a_size_one_can_read() -> None:
    written = sorted((GOLDEN / "playthroughs").glob("*"))
    assert [path.stem for path in written] == [path.stem for path in GAMES]
    assert sum(path.stat().st_size for path in written) < LARGEST
