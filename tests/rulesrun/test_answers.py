"""What a typed answer means."""

from __future__ import annotations

import pytest

from rulesrun.repl.choices import Choice, Misunderstood, signs, understand, understand_several
from rulesrun.repl.console import fits

LABELS = ["The draw deck", "Storm Effigy", "Storm Bell", "King of Hearts", "K♦", "Put it back", "Lulu (8,5)"]
CHOICES = [Choice(label, sign=sign) for label, sign in zip(LABELS, signs(LABELS), strict=True)]
HAND = [Choice(label, sign=str(i + 1)) for i, label in enumerate(["6♠", "10♠", "Q♠", "2♥", "A♣"])]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1", 0), ("7", 6), ("the draw deck", 0), ("THE DRAW", 0), ("draw", 0), ("dr de", 0), ("storm e", 1), ("bell", 2),
        ("king of hearts", 3), ("king", 3), ("k♦", 4), ("p", 5), ("put  it", 5), ("lulu", 6), ("8,5", 6), ("effigy", 1),
    ],
)  # fmt: skip
def test_a_choice_is_meant_by_number_beginning_or_words(typed: str, expected: int) -> None:
    assert understand(typed, CHOICES) == expected


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("storm", "`storm` could be 2 Storm Effigy, 3 Storm Bell. Type more of it, or its number."),
        ("9", "There is no 9 here: type a number from 1 to 7."),
        ("0", "There is no 0 here: type a number from 1 to 7."),
    ],
)
def test_what_is_not_clear_is_said_so(typed: str, said: str) -> None:
    assert understand(typed, CHOICES) == Misunderstood(said)


def test_a_mistyped_label_gets_a_suggestion() -> None:
    answer = understand("strom effigy", CHOICES)
    assert isinstance(answer, Misunderstood)
    assert "Did you mean `storm effigy`?" in answer.text


def test_other_names_of_a_choice_count_too() -> None:
    choices = [Choice("Gain 1 life", ("Red Midwife", "yes"), sign="1"), Choice("no more", sign="2")]
    assert [understand(typed, choices) for typed in ("midwife", "y", "no")] == [0, 0, 1]


def test_numbers_to_choose_from_are_their_own_signs() -> None:
    assert signs(["4", "3"]) == ["4", "3"]
    assert signs(["4", "4"]) == ["1", "2"]
    assert signs(["Pass", "7", "Double", "2"]) == ["1", "7", "3", "2"]
    choices = [Choice("6", sign="6"), Choice("2", sign="2")]
    assert understand("2", choices) == 1
    assert understand("1", choices) == Misunderstood("There is no 1 here: type 2 or 6.")


def test_a_number_is_never_a_part_of_a_name() -> None:
    choices = [Choice("Plum 12", sign="1"), Choice("Pear 10", sign="2")]
    assert understand("0", choices) == Misunderstood("There is no 0 here: type 1 or 2.")
    assert understand("12", choices) == Misunderstood("There is no 12 here: type 1 or 2.")
    assert understand("pl 12", choices) == 0


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2 5", [1, 4]),
        ("2,5", [1, 4]),
        ("2, 5", [1, 4]),
        ("10♠, 2♥", [1, 3]),
        ("q♠, 1 2", [2, 0, 1]),
        ("3", [2]),
        ("2 2", [1, 1]),
        ("q 10♠ 2", [2, 1, 1]),
        ("q♠ 2", [2, 1]),
    ],
)
def test_several_are_meant_in_one_line(typed: str, expected: list[int]) -> None:
    assert understand_several(typed, HAND, 0, 3) == expected


@pytest.mark.parametrize("typed", ["none", "0", "-", "nothing"])
def test_none_of_several_is_said_in_words(typed: str) -> None:
    assert understand_several(typed, HAND, 0, 3) == []


@pytest.mark.parametrize(("typed", "least", "most"), [("1 2 3 4", 0, 3), ("1", 3, 3), ("1 9", 0, 3), ("none", 1, 3)])
def test_too_many_too_few_or_unknown_ones_are_refused(typed: str, least: int, most: int) -> None:
    assert isinstance(understand_several(typed, HAND, least, most), Misunderstood)


def test_completion_fits_the_beginning_of_any_word() -> None:
    assert fits("The draw deck", "dra") and fits("The draw deck", "the") and not fits("The draw deck", "raw")
