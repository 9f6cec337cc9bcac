"""The drawing of the table: any game, any width, nothing hidden in it."""

from __future__ import annotations

from random import Random

import pytest

import rulesrun
from rulesrun.api import Game, Match
from rulesrun.repl.board import marks
from rulesrun.repl.cards import faces_of
from rulesrun.repl.table import Table
from tests.rulesrun.table_games import GAMES

WIDTHS = (60, 80, 100, 140)


def draw(match: Match, seat: int | None, width: int) -> list[str]:
    program = match.state.code.program
    table = Table(program, faces_of(program), match.game.name, dict.fromkeys(range(match.players), "random"))
    return [line.plain for line in table.draw(match.view(seat), width)]


def middle(game: Game, players: int, choices: int) -> Match:
    match = game.start(players, 3)
    rng = Random(1)
    while not match.finished and len(match.choices) < choices:
        match.choose(rng.randrange(match.option_count))
    return match


@pytest.mark.parametrize("name", ["dread_draw", "dead_mans_draw", "draghjarter", "draw_bridge", "dead_end_drive"])
def test_every_line_has_the_width_and_every_player_is_there(name: str) -> None:
    game = rulesrun.load(GAMES / "dead_end_drive.cardgame" if name == "dead_end_drive" else name)
    match = middle(game, max(game.players), 25)
    for width in WIDTHS:
        lines = draw(match, 0, width)
        assert {rulesrun_width(line) for line in lines} == {width}
        text = "\n".join(lines)
        assert game.name in text
        assert all(f"P{seat + 1} random" in text for seat in range(match.players))


def rulesrun_width(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line)


def test_the_table_at_the_start_of_a_duel(duel: Game) -> None:
    match = duel.start(2, 1)
    assert draw(match, 0, 60) == [
        "╭─ Duel ────────────────────────────────────────── deck 4 ─╮",
        "│ ▶ P1 random  total 0 · points 0                          │",
        "│     hand  Page 1  2 × Squire 2                           │",
        "│   P2 random  hand 3 · total 0 · points 0                 │",
        "╰─────────────────────────────────────────── Knight force ─╯",
    ]


def test_somebody_who_only_watches_sees_no_hand(duel: Game) -> None:
    text = "\n".join(draw(duel.start(2, 1), None, 80))
    assert "hand 3" in text
    assert not any(name in text for name in ("Page", "Squire", "Baron"))


def test_figures_are_what_the_name_does_not_tell() -> None:
    program = rulesrun.load("dread_draw").start(2, 1).state.code.program
    faces = faces_of(program)
    assert {face.short for face in faces.by_design} >= {"Ferryman 4/1", "Last Lantern 10/0"}
    assert faces.legends == {"Omen": "strength/damage"}
    program = rulesrun.load("draghjarter").start(4, 1).state.code.program
    assert "Q♠" in {face.short for face in faces_of(program).by_design}
    assert faces_of(program).legends == {}


def test_pieces_on_a_board_are_marked_unlike() -> None:
    names = ["Parker", "Pierre", "Parson", "Pa", "Lulu"]
    found = marks(names)
    assert len(set(found.values())) == len(names)
    assert found["Parker"] == "Pa"


def test_a_board_shows_what_stands_where() -> None:
    match = rulesrun.load(GAMES / "dead_end_drive.cardgame").start(3, 3)
    lines = draw(match, 0, 80)
    row = next(line for line in lines if line.startswith("│  9  "))
    assert sum(mark in row for mark in ("Pi", "Pa", "Sp", "Hi", "Sm")) == 5
    assert any("Pi Pierre" in line for line in lines)
