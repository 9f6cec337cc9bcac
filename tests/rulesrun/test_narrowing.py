"""A combination of a piece and a place: the piece alone shows where it can go."""

from __future__ import annotations

from attrs import evolve

import rulesrun
from rulesrun.repl.board import choosable
from rulesrun.repl.cards import faces_of
from rulesrun.repl.question import Question, part_of, question_of
from tests.rulesrun.table_games import sit_down


def asked() -> tuple[rulesrun.Match, Question]:
    """13 Dead End Drive, when a pawn and where it goes is asked for."""
    match = rulesrun.load("dead_end_drive").start(3, 11)
    while match.decision is not None and match.decision.prompt != "a pawn and where it goes":
        match.choose(0)
    assert match.decision is not None
    return match, question_of(match.state, match.decision, faces_of(match.state.code.program))


def test_the_beginning_of_one_piece_means_its_choices() -> None:
    _, question = asked()
    part = part_of(question, "dusty")
    assert part is not None and {item.group for item in part.items} == {"Dusty"}
    assert part_of(question, "DU") == part
    assert [item.choice.sign for item in part.items] == [
        i.choice.sign for i in question.items if i.choice.label.startswith("Dusty")
    ]


def test_two_pieces_that_begin_so_or_a_whole_choice_are_no_part() -> None:
    _, question = asked()
    assert part_of(question, "P") is None  # Parker, Pierre, Poopsie
    assert part_of(question, question.items[0].choice.label) is None
    assert part_of(question, "1") is None and part_of(question, "") is None and part_of(question, "Nobody") is None


def test_one_piece_alone_needs_no_narrowing() -> None:
    _, question = asked()
    part = part_of(question, "Dusty")
    assert part is not None
    assert part_of(part, "Dusty") is None
    assert part_of(evolve(question, items=part.items[:1]), "Dusty") is None


def test_the_board_is_drawn_again_with_the_marks_of_that_piece() -> None:
    match, _ = asked()
    program = match.state.code.program
    seed, choices = match.seed, list(match.choices)
    again = rulesrun.load("dead_end_drive").start(3, seed)
    for choice in choices:
        again.choose(choice)
    session, desk = sit_down(again.game, ["dusty"], players=3, humans=(0, 1, 2), seed=seed)
    session.match = again
    session.play()
    shown = desk.text.rpartition("> dusty")[2]
    options = [again.state.options[n] for n, text in enumerate(labels(again)) if text.startswith("Dusty")]  # type: ignore[index]
    marked = choosable(program, program.sites[again.state.site], options)
    picture = shown.partition("can be chosen")[0]
    assert picture.count("›") - 1 == len(marked)
    assert all(f" {program.boards[0].names[space]}" in shown for _, space in marked)
    assert again.choices == choices


def labels(match: rulesrun.Match) -> list[str]:
    assert match.decision is not None
    return [option.text for option in match.decision.options]


def test_new_marks_are_shown_though_nothing_has_moved() -> None:
    session, desk = sit_down(rulesrun.load("dead_end_drive"), ["5"], players=3, humans=(0, 1, 2), seed=11)
    session.play()
    before, _, after = desk.text.partition("the die to use first?")
    assert "› can be chosen" not in before and "› can be chosen" in after
