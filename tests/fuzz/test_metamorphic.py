"""What may not matter does not: other names, another order, a define written out, unused declarations, remarks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.source import Source
from rulesrun.api import Game, load_source
from rulesrun.locate import Library
from rulesrun.strategies import Program, programs
from tests.fuzz.jobs import GAMES, game_changed, program_changed
from tests.fuzz.metamorphic import CHANGES, trace
from tests.fuzz.properties import Tally


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_real_games(path: Path, name: str) -> None:
    game_changed(path, name, 1, Tally())


@pytest.mark.parametrize("name", CHANGES)
@settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(program=programs(variants=False), seed=st.integers(0, 1000))
def test_generated_programs(name: str, program: Program, seed: int) -> None:
    program_changed(program, name, seed, Tally())


ORDERS = """game "Orders" for 2 players

var ticks = 0

rule setup(): ticks := 1
rule game():
    repeat 2: tick()
    players.first chooses n in 1..ticks: ticks := n
rule tick(): ticks += 1
after tick(): ticks := ticks * 2
after tick(): ticks += 3
define winners() = players
"""


def loaded(text: str) -> Game:
    return load_source(Source("orders.cardgame", text), Library(), [], {})


def test_a_change_that_matters_is_seen() -> None:
    first, second = "after tick(): ticks := ticks * 2\n", "after tick(): ticks += 3\n"
    other = ORDERS.replace(first + second, second + first)
    assert other != ORDERS
    assert trace(loaded(ORDERS), 2, 1, 5) != trace(loaded(other), 2, 1, 5)
    assert trace(loaded(ORDERS), 2, 1, 5) == trace(loaded(ORDERS + "\nvar unusedZz1 = 3\n"), 2, 1, 5)
