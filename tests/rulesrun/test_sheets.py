"""Tables of the players: what they have by seat, who said what in an auction, the score from round to round; and suits in colour."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from rich.text import Text

import rulesrun
from rulesrun.api import Game, Match
from rulesrun.repl.cards import faces_of
from rulesrun.repl.layout import with_red_suits
from rulesrun.repl.seats import Column, scored_variables, seat_rows
from rulesrun.repl.sheets import exchange, exchange_lines, sheet, sheet_lines
from rulesrun.repl.table import Table
from tests.rulesrun.table_games import sit_down, write

ROUNDS = """
game "Rounds" for 3 players

{visibility}var total[player] = 0
var pot = 0

rule setup(): pot := 1

rule game():
    repeat 3: round()

rule round():
    for p in players: say(p)
    total[seats.first] += pot
    total[seats.last] -= 1

rule say(p: player):
    p chooses "what to say":
        "Raise": pot += 1
        "Stay"
        "Say something that is far too long for a column"

scoring(p):
    "Points": total[p]

define winners() = highest(p in players by total[p])
"""


def rounds(folder: Path, visibility: str = "") -> Match:
    text = ROUNDS.format(visibility=f"{visibility} " if visibility else "")
    return rulesrun.load(write(folder, f"rounds{visibility}", text)).start(3, 1)


def plain(lines: list[Text] | None) -> list[str] | None:
    return None if lines is None else [line.plain.rstrip() for line in lines]


def answers(match: Match, width: int = 80) -> list[str] | None:
    """The exchange that is going on, as the one who is asked sees it."""
    state = match.state
    start = exchange(state.code.program, match.events, state.site)
    if start is None or match.player is None:
        return None
    return plain(exchange_lines(state.code.program, match.events[start:], match.player, match.player, state.live, width))


def played(name: str, players: int, choices: int, seed: int = 4) -> Match:
    match = rulesrun.load(name).start(players, seed)
    rng = Random(1)
    for _ in range(choices):
        match.choose(rng.randrange(match.option_count))
    return match


def drawn(match: Match, seat: int | None) -> list[str]:
    program = match.state.code.program
    return [line.plain for line in Table(program, faces_of(program), match.game.name, {}).draw(match.view(seat), 80)]


def table(match: Match, seat: int | None) -> list[str]:
    """What is in the frame."""
    return [line[2:-2].rstrip() for line in drawn(match, seat)[1:-1]]


# ── by seat ──


def test_numbers_stand_on_the_right_and_words_on_the_left() -> None:
    columns = [Column("gold", (Text("7"), Text("12"))), Column("played", (Text("–"), Text("10♣")))]
    rows = seat_rows([Text("P1 you"), Text("P2")], columns, 40)
    assert plain(rows) == ["        gold  played", "P1 you     7  –", "P2        12  10♣"]
    assert seat_rows([Text("P1 you"), Text("P2")], columns, 18) is None


def test_the_trick_on_the_table_stands_by_seat_and_the_hand_in_suits() -> None:
    match = rulesrun.load("draghjarter").start(4, 4)
    for _ in range(3):
        match.choose(0)
    lines = table(match, match.player)
    head = lines[0].split()
    assert head[:2] == ["hand", "played"]
    cards = [row.split()[2] for row in lines[1:5]]
    assert sum(card != "–" for card in cards) == 3 and all(card[-1] in "♣♦♥♠–" for card in cards)
    hand = lines[-1].removeprefix("    hand").strip()
    assert [{card[-1] for card in suit.split("  ")} for suit in hand.split("   ")] == [{s} for s in "♣♦♥♠" if s in hand]


def test_a_score_that_is_a_variable_is_told_once() -> None:
    match = played("draw_bridge", 2, 3)
    program = match.state.code.program
    families = scored_variables(program, match.view(0))
    assert {info.name for info in program.variables if info.family in families} == {"total", "games_won"}
    head = table(match, 0)
    assert not any("total" in line or "games won" in line for line in head) and any("points" in line for line in head)


def test_points_that_are_not_the_score_are_told_once_somebody_has_some() -> None:
    match = rulesrun.load("draw_bridge", options={"best_of": 3}).start(2, 4)
    match.choose(0)

    def labels() -> list[str]:
        return next(line.split() for line in table(match, 0) if "tricks won" in line)

    assert labels() == ["hand", "played", "tricks", "won", "games"]
    total = next(n for n, info in enumerate(match.state.code.program.variables) if info.name == "total")
    match.state.vars[total] = 90
    assert labels() == ["hand", "played", "tricks", "won", "total", "games"]


def test_a_module_that_has_no_part_in_the_game_yet_says_nothing() -> None:
    before = " ".join(drawn(played("draw_bridge", 2, 1), 0))
    assert "tricks played 0" in before and "first half" in before
    assert not any(word in before for word in ("level", "denomination", "stakes", "passes"))
    match = played("draw_bridge", 2, 26)
    match.choose("2 ♣")
    after = " ".join(drawn(match, 0))
    assert "level 2" in after and "denomination ♣" in after and "stakes 1" in after


def test_cards_of_several_words_are_not_set_in_columns() -> None:
    lines = table(played("dread_draw", 2, 8), 0)
    assert any(line.startswith("    row ") for line in lines)


# ── an exchange ──


def test_an_auction_is_a_table_by_seat() -> None:
    match = played("draw_bridge", 2, 26)
    caller = match.player
    assert caller is not None and answers(match) is None
    match.choose("1 ♠")
    assert answers(match) is None  # one call is told as ever
    match.choose("Double")
    match.choose("2 ♣")
    other = 2 - caller
    assert answers(match) == [f"    P{caller + 1}   P{other}", "    1 ♠  Double", "    2 ♣  ?"]


def test_an_exchange_goes_on_over_rounds_and_is_cut_if_it_is_long(folder: Path) -> None:
    match = rounds(folder)
    match.choose("Raise")
    match.choose("Stay")
    assert answers(match) == ["    P1     P2    P3", "    Raise  Stay  ?"]
    match.choose("Stay")
    assert answers(match) is None  # a new round


def test_long_answers_are_told_as_ever(folder: Path) -> None:
    match = rounds(folder)
    match.choose("Raise")
    match.choose(2)
    assert answers(match) is None


def test_where_cards_move_there_is_more_to_tell_than_answers() -> None:
    match = rulesrun.load("dead_mans_draw").start(2, 1)
    rng = Random(1)
    while not match.finished:
        assert answers(match) is None
        match.choose(rng.randrange(match.option_count))


def test_the_one_who_bids_reads_the_auction_above_the_question() -> None:
    game = rulesrun.load("draw_bridge")
    session, desk = sit_down(game, ["1"] * 13 + ["1 ♠"], seed=4)
    session.play()
    asked = desk.text[desk.text.index("1 ♠") :].rpartition("P1, a call?")[0].splitlines()
    assert [line.strip() for line in asked if line][-3:] == ["P1   P2", "1 ♠  6 ♣", "?"]
    assert not any(line.startswith("  P2: 6 ♣") for line in asked)


# ── the score ──


def test_the_score_after_each_round(folder: Path) -> None:
    match = rounds(folder)
    program = match.state.code.program
    for _ in range(7):
        match.choose("Raise")
    rows = sheet(program, match.events)
    assert [(row.phase, row.scores) for row in rows] == [("round 1", (4, 0, -1)), ("round 2", (11, 0, -2))]
    names = {0: "you", 1: "random", 2: "random"}
    assert plain(sheet_lines(rows, names, 80)) == [
        "           P1 you  P2 random  P3 random",
        "  round 1       4          0         -1",
        "  round 2      11          0         -2",
    ]
    assert plain(sheet_lines(rows, names, 32)) == ["           P1  P2  P3", "  round 1   4   0  -1", "  round 2  11   0  -2"]
    assert plain(sheet_lines(rows, names, 80, most=1)) == [
        "           P1 you  P2 random  P3 random",
        "  …",
        "  round 2      11          0         -2",
    ]
    while not match.finished:
        match.choose("Stay")
    assert sheet(program, match.events)[-1].scores == (11 + 8, 0, -3)


@pytest.mark.parametrize("visibility", ["private", "hidden"])
def test_a_score_that_not_everybody_knows_has_no_sheet(folder: Path, visibility: str) -> None:
    match = rounds(folder, visibility)
    while not match.finished:
        match.choose("Raise")
    assert sheet(match.state.code.program, match.events) == []


def test_the_sheet_stands_between_the_rounds_and_is_the_score() -> None:
    game = rulesrun.load("draghjarter")
    session, desk = sit_down(game, ["1"] * 15 + [":score"], players=5, seed=4)
    session.play()
    before, heading, after = desk.text.partition("── round 2 ──")
    assert heading
    sheet_ = [line.split() for line in before.splitlines() if line][-2:]
    assert sheet_[0] == ["P1", "P2", "P3", "P4", "P5"] or sheet_[0][::2] == ["P1", "P2", "P3", "P4", "P5"]
    assert sheet_[1][:2] == ["round", "1"] and sum(map(int, sheet_[1][2:])) == 26
    assert after.count("  round 1 ") == 1


# ── suits ──


def test_hearts_and_diamonds_are_red_and_the_signs_are_enough_without() -> None:
    line = with_red_suits(Text("10♥  Q♠  2♦ 3 ♥"))
    assert [line.plain[span.start : span.end] for span in line.spans if span.style == "red"] == ["10♥", "2♦", "♥"]
    out = StringIO()
    Console(file=out, no_color=True, force_terminal=True, width=40).print(line)
    assert out.getvalue() == "10♥  Q♠  2♦ 3 ♥\n"


def test_only_cards_that_fall_into_groups_are_set_in_groups() -> None:
    def groups(game: Game) -> list[int | None]:
        return list(faces_of(game.start(None, 1).state.code.program).groups)

    assert groups(rulesrun.load("draghjarter")) == [1]  # by suit, not by rank
    assert groups(rulesrun.load("dread_draw")) == [None]
