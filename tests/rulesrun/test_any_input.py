"""Whatever is typed, and however narrow the screen, a game goes on or is left in peace."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from rulesrun.api import Game
from rulesrun.repl.commands import COMMANDS
from tests.rulesrun.table_games import sit_down

TYPED = st.one_of(
    st.sampled_from(["", "1", "2", "3", "1 2", "none", "p", "no", *COMMANDS]),
    st.builds(" ".join, st.tuples(st.sampled_from(sorted(COMMANDS)), st.text(max_size=12))),
    st.text(max_size=20),
)
LINES = st.lists(TYPED, max_size=40)
RELAXED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@RELAXED
@given(LINES, st.integers(60, 140), st.booleans(), st.integers(0, 50))
def test_one_person_types_anything(dread: Game, lines: list[str], width: int, live: bool, seed: int) -> None:
    session, desk = sit_down(dread, lines, players=3, width=width, live=live, seed=seed)
    assert session.play() == 0
    drawn = [line for line in desk.text.split("\n") if line.startswith(("╭", "│", "╰"))]
    assert {cell_len(line) for line in drawn} <= {width}


@RELAXED
@given(LINES, st.integers(0, 50))
def test_several_people_type_anything(picks: Game, lines: list[str], seed: int) -> None:
    session, _ = sit_down(picks, lines, humans=(0, 1), seed=seed)
    assert session.play() == 0
    session, _ = sit_down(picks, lines, humans=(0, 1), seed=seed, live=True)
    assert session.play() == 0
