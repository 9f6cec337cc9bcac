"""Taking back and doing again at the table, over any number of answers, and who may."""

from __future__ import annotations

import pytest

from rulesrun.api import Game
from tests.rulesrun.table_games import ScriptedDesk, sit_down

TABLE_TOP = "╭─"


def last_screen(desk: ScriptedDesk, before: str) -> str:
    """The last table and question shown before this answer."""
    text = desk.text[: desk.text.rindex(before)]
    return text[text.rindex(TABLE_TOP) :]


def test_several_answers_are_taken_back_and_given_again(dread: Game) -> None:
    session, desk = sit_down(dread, ["1", "1", "1", "1", ":undo 3", ":redo 3", ":quit"], players=3)
    session.play()
    fourth = last_screen(desk, "> :undo 3")
    again = last_screen(desk, "> :quit")
    assert again == fourth
    assert "Done again." in desk.text
    second = last_screen(desk, "> :redo 3")
    assert second != fourth
    assert second in desk.text[: desk.text.index("> :undo 3")]


def test_one_goes_to_any_question_and_back_to_the_end(dread: Game) -> None:
    plain, _ = sit_down(dread, ["1"] * 300, players=3)
    plain.play()
    answers = [*["1"] * 14, ":goto 1", ":goto 12", ":goto", ":redo 100", ":goto 15", *["1"] * 270]
    session, desk = sit_down(dread, answers, players=3)
    session.play()
    assert session.match == plain.match
    listed = desk.text[desk.text.index("> :goto\n") :].split("> ")[1].split("\n\n")[0]
    assert [line[:6] for line in listed.splitlines()][-4:] == ["▶  12 ", "   13 ", "   14 ", "   15 "]
    assert "You have taken back only 3 answers." in desk.text


def test_after_the_end_the_game_is_taken_back_and_ended_again(duel: Game) -> None:
    session, desk = sit_down(duel, ["1", "1", "1", ":undo 2", ":redo 2", ":undo", ":redo"])
    session.play()
    assert session.match.finished
    assert desk.text.count("wins.") == 3


def test_another_answer_ends_what_can_be_done_again(duel: Game) -> None:
    session, desk = sit_down(duel, ["1", ":undo", "2", ":redo", ":goto", ":quit"])
    session.play()
    assert "There is nothing to do again" in desk.text
    assert "    1  a knight to send: Squire\n▶   2  a knight to send\n" in desk.text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (":undo 5", "You have given only 1 answer so far."),
        (":undo x", "`x` is no number: `:undo 3` takes three answers back."),
        (":redo", "There is nothing to do again"),
        (":goto 9", "You have no question number 9"),
        (":goto 2", "That is where you are."),
    ],
)
def test_what_cannot_be_is_said(duel: Game, typed: str, said: str) -> None:
    session, desk = sit_down(duel, ["1", typed, ":quit"])
    session.play()
    assert said in desk.text
    assert len(session.past.behind) == 1


def test_what_was_learnt_meanwhile_is_said(dread: Game) -> None:
    """The cards that were drawn since are named, so that nobody forgets that he knows them."""
    session, desk = sit_down(dread, ["1", "1", ":undo 2", ":quit"], players=3)
    session.play()
    between = " ".join(desk.text[: desk.text.index("> :undo")].split())
    said = " ".join(desk.text[desk.text.index("Taken back.") :].split("╭")[0].split())
    start, _, names = said.partition(": ")
    assert start == "Taken back. You know now what you did not know then"
    for name in names.removesuffix(".").removesuffix(" …").split(", "):
        assert f"{name} is revealed" in between or name == "chance"


def test_picks_that_fail_do_not_break_what_can_be_done_again(picks: Game) -> None:
    session, desk = sit_down(picks, ["1 2", ":undo", "2 2", ":redo", ":quit"])
    session.play()
    assert "cannot be chosen so many times" in desk.text
    assert desk.text.count("Done again.") == 1
    assert session.match.finished


def test_with_several_people_a_look_at_the_past_shows_only_ones_own(secret: Game) -> None:
    session, desk = sit_down(secret, ["1", "1", ":goto", ":goto 2", ":undo 2", ":quit"], humans=(0, 1))
    session.play()
    listed = desk.text[desk.text.index("> :goto\n") :].split("> ")[1].split("\n\n")[0]
    assert listed.count("a note to say") == 2
    assert "   2  " not in listed
    assert "You have no question number 2" in desk.text
    assert "cannot be taken back: somebody else has answered since" in " ".join(desk.text.split())
    assert len(session.match.choices) == 2
