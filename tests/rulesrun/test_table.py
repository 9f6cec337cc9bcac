"""The drawing of the table: any game, any width, nothing hidden in it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulesrun
from rulesrun.api import Game, Match
from rulesrun.locate import shipped_games
from rulesrun.repl.board import board_lines, choosable, marks, pieces_on
from rulesrun.repl.cards import faces_of
from rulesrun.repl.table import Table
from tests.rulesrun.table_games import write

WIDTHS = (20, 40, 60, 80, 100, 140)


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


@pytest.mark.parametrize(
    "name",
    ["dread_draw", "dead_mans_draw", "draghjarter", "draw_bridge", "dead_end_drive", "backgammon", "hex", "nine_mens_morris"],
)
def test_every_line_has_the_width_and_every_player_is_there(name: str) -> None:
    game = rulesrun.load(name)
    match = middle(game, max(game.players), 25)
    for width in WIDTHS:
        lines = draw(match, 0, width)
        if width >= 60:
            assert {rulesrun_width(line) for line in lines} == {width}
        text = "\n".join(lines)
        assert game.name in text
        assert all(f"P{seat + 1} random" in text for seat in range(match.players))


@pytest.mark.parametrize("name", shipped_games())
def test_every_game_can_be_drawn_before_anything_has_happened(name: str) -> None:
    game = rulesrun.load(name)
    assert game.name in "\n".join(draw(game.start(seed=1), 0, 80))


def test_what_has_no_value_yet_is_not_shown(tmp_path: Path) -> None:
    match = rulesrun.load(write(tmp_path, "unset", UNSET)).start(2, 1)
    assert draw(match, None, 40) == [
        "╭─ Unset ──────────────────────────────╮",
        "│   P1 random                          │",
        "│   P2 random                          │",
        "╰──────────────────────────────────────╯",
    ]


UNSET = """game "Unset" for 2 players

dice die: 2 of 1..6
var trump: Side

kind Side: Left, Right

rule setup():
    seats.first chooses s in Side: trump := s

rule game():
    roll die
    if sum(die) > 6 and trump is Left: end game

define winners() = players
"""


@pytest.mark.parametrize("name", ["dread_draw", "dead_mans_draw", "draghjarter", "draw_bridge", "pig"])
def test_a_narrow_screen_is_wide_enough_without_a_board(name: str) -> None:
    game = rulesrun.load(name)
    for choices in (0, 25):
        for width in (20, 30, 40):
            assert max(map(rulesrun_width, draw(middle(game, min(game.players), choices), 0, width))) <= width


def rulesrun_width(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line)


def test_the_table_at_the_start_of_a_duel(duel: Game) -> None:
    match = duel.start(2, 1)
    assert draw(match, 0, 60) == [
        "╭─ Duel ────────────────────────────────────────── deck 4 ─╮",
        "│              hand  points                                │",
        "│ ▶ P1 random     3       0                                │",
        "│   P2 random     3       0                                │",
        "│     hand  Page 1  2 × Squire 2                           │",
        "╰─────────────────────────────────────────── Knight force ─╯",
    ]


def test_somebody_who_only_watches_sees_no_hand(duel: Game) -> None:
    text = "\n".join(draw(duel.start(2, 1), None, 80))
    assert "P1 random     3       0" in text
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
    match = rulesrun.load("dead_end_drive").start(3, 3)
    lines = draw(match, 0, 80)
    chairs = "".join(line for line in lines if line.startswith(("│  11 ", "│  10 ", "│   9 ")))
    names = ("Pa", "Pi", "Hi", "Du", "Po", "Sp", "Cl", "Be", "Ch", "Lu", "Ma", "Sm")
    assert sum(mark in chairs for mark in names) == 12
    assert any("Pi Pierre" in line for line in lines)
    assert any(line.startswith("│      b  c  d  e ") for line in lines)


def board(name: str, *answers: str, width: int = 80) -> list[str]:
    """The drawing of a game's board after some answers, with marks at what can be chosen."""
    match = rulesrun.load(name).start(2, 1)
    for answer in answers:
        assert match.decision is not None
        match.choose(answer)
    program = match.state.code.program
    chosen = choosable(program, program.sites[match.state.site], match.state.options or ())
    pieces = pieces_on(program, match.view(match.player), 0, lambda design: program.designs[design].name)
    return [line.plain.rstrip() for line in board_lines(program, 0, pieces, width, chosen)]


def test_every_member_of_a_kind_is_seen_and_short_names_need_no_legend() -> None:
    assert board("tic_tac_toe", "b2", "c3") == ["    a  b  c", " 3  ·  ·  O", " 2  ·  X  ·", " 1  ·  ·  ·"]


def test_what_can_be_chosen_is_marked_where_that_says_something() -> None:
    lines = board("connect_four", "a1", "a2")
    assert lines[4:] == [
        " 3 ›·  ·  ·  ·  ·  ·  ·",
        " 2  Re ·  ·  ·  ·  ·  ·",
        " 1  Ye›· ›· ›· ›· ›· ›·",
        "Ye Yellow  Re Red  › can be chosen",
    ]


def test_hexagons_are_drawn_slanting() -> None:
    lines = board("hex", "c3")
    assert lines[:4] == ["    a   b   c   d   e", " 5  ·   ·   ·   ·   ·", "   4  ·   ·   ·   ·   ·", "     3  ·   ·   Re  ·   ·"]


def test_lines_that_join_spaces_are_drawn() -> None:
    lines = board("nine_mens_morris", "a7")
    assert lines[:5] == [
        "    a  b  c  d  e  f  g",
        " 7  Wh───────·────────·",
        " 6  │  ·─────·─────·  │",
        " 5  │  │  ·──·──·  │  │",
        " 4  ·──·──·     ·──·──·",
    ]


def test_a_track_has_numbers_and_how_many_stand_there() -> None:
    lines = board("backgammon")
    assert lines[0].split() == [str(n) for n in range(1, 25)]
    assert lines[1].split()[0] == "B2" and "W5" in lines[1]
    assert max(map(len, lines)) <= 76


WALLS = """
game "Walls" for 2 players

board Cellar:
    map:
        ". .|. ."
        "    -  "
        ". . . ."
    walls: "|-"
    steps orthogonal

board Village:
    spaces:
        name
        Well
        Old_Orchard
        Mill
    links:
        Well: Old_Orchard, Mill

var at[player]: Cellar = a1
var home[player]: Village = Well
var marked[Cellar] = no

rule setup(): marked[d2] := yes

rule game():
    while yes:
        for p in players: turn(p)

rule turn(p: player):
    p chooses "where to go" s in at[p].neighbours: at[p] := s
    p chooses "where to live" v in home[p].neighbours: home[p] := v

define winners() = players
"""


def test_walls_are_drawn_and_named_spaces_listed(folder: Path) -> None:
    match = rulesrun.load(write(folder, "walls", WALLS)).start(2, 1)
    lines = [line[2:-2].rstrip() for line in draw(match, 0, 80)]
    assert lines[1:7] == [
        "     a   b   c   d",
        " 2   ·   · │ ·   ma",
        "            ───",
        " 1   2!  ·   ·   ·",
        "ma marked  a1: P1, P2",
        "Well: P1, P2 · Old Orchard · Mill",
    ]


def test_the_signs_of_a_map_are_explained_as_far_as_its_legend_does() -> None:
    match = rulesrun.load("dead_end_drive").start(3, 3)
    lines = [line[2:-2].strip() for line in draw(match, 0, 100)]
    assert "1 Chandelier  2 Statue  3 Bookcase  4 Fireplace  5 Stairs  X door  c chair  p passage" in lines
    assert "1 Chandelier" not in "\n".join(board("hex"))
