"""Choosing among cards one does not see: the options and their order tell nothing of the faces."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from interpreter.play import choose, options_again, start
from tests.interpreter.written import written

GAME = """
card Card(value: number)
zone pack:         hidden pile of Card
zone heap:         hidden set of Card
zone hand[player]: private set of Card
zone lid:          top open pile of Card
zone seen:         open row of Card
cards Card in pack:
    name   value  copies
    "{i}"  i      2       for i in 1..3
rule setup():
    FROM
rule game():
    players.first chooses WHAT
    players.first chooses i in 1..2: end game
define winners() = players
"""
PLACES = {
    "a hidden set": ("move pack to heap", "c in heap: move c to seen"),
    "a hidden pile": ("shuffle pack", "c in pack: move c to seen"),
    "another's hand": ("shuffle pack\n    move pack to hand[players.last]", "c in hand[players.last]: move c to seen"),
    "another's hand, several": ("shuffle pack\n    move pack to hand[players.last]", "2 cs in hand[players.last]: move cs to seen"),
    "another's hand, in a menu": (
        "shuffle pack\n    move pack to hand[players.last]", ':\n        "{c}" for c in hand[players.last]: move c to seen',
    ),
    "a hidden set, after something that may be there twice": ("move pack to heap", "n in [1, 1], c in heap: move c to seen"),
    "a list made of a hidden set": ("move pack to heap", "c in [d for d in heap]: move c to seen"),
}  # fmt: skip


def made(name: str) -> str:
    before, what = PLACES[name]
    return GAME.replace("FROM", before).replace("chooses WHAT", f"chooses{what}" if what.startswith(":") else f"chooses {what}")


def slot(option: object) -> int:
    """The card of an option."""
    while isinstance(option, tuple):
        option = option[-1]
    assert isinstance(option, int)
    return option


@pytest.mark.parametrize("name", PLACES)
def test_each_option_is_as_likely_each_card(name: str) -> None:
    code = written(made(name)).code(2)
    for place in (0, 2, 5):
        faces: Counter[int] = Counter()
        for seed in range(900):
            state = start(code, seed)
            assert state.options is not None and len(state.options) == 6
            faces[state.faces[slot(state.options[place])]] += 1
        assert sum((n - 300) ** 2 / 300 for n in faces.values()) < 16  # two degrees of freedom


@pytest.mark.parametrize("name", PLACES)
def test_dealing_the_faces_anew_leaves_the_options(name: str) -> None:
    state = start(written(made(name)).code(2), 5)
    rng = random.Random(1)
    before = tuple(state.options or ())
    for _ in range(20):
        other = state.copy()
        rng.shuffle(other.faces)
        for number, cards in enumerate(other.zones):
            if other.code.program.zones[number].shape == "set":
                cards.sort(key=other.faces.__getitem__)
        assert tuple(options_again(other)) == before


def test_the_open_top_card_is_offered_first_of_its_pile_and_can_be_told() -> None:
    code = written(GAME.replace("FROM", "shuffle pack\n    move pack to lid").replace("WHAT", "c in lid: move c to seen")).code(2)
    state = start(code, 3)
    assert state.options is not None and state.options[0] == state.zones[4][-1]
    assert len(state.options) == 6


def test_own_cards_come_in_order_and_equal_ones_are_one() -> None:
    code = written(
        GAME.replace("FROM", "shuffle pack\n    move pack to hand[players.first]").replace(
            "WHAT", "c in hand[players.first]: move c to seen"
        )
    ).code(2)
    state = start(code, 3)
    assert state.options is not None
    assert [state.faces[card] for card in state.options] == [0, 1, 2]
    choose(state, 1)
    assert [state.faces[card] for card in state.zones[5]] == [1]
