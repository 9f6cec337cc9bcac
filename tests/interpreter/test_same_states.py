"""States in the middle of the rules: equal cards of a set may stand for one another, and sets have no order."""

from __future__ import annotations

import random

import pytest

from interpreter.play import choose, start
from interpreter.state import State
from tests.interpreter.written import play_randomly, written

GAME = """
card Card(value: number)
zone pack:         open pile of Card
zone hand[player]: private set of Card
zone row[player]:  open row of Card
cards Card in pack:
    name   value  copies
    "{i}"  i      4       for i in 1..4
var kept: Card? = none
rule setup():
    shuffle pack
    deal 6 from pack to hand[p] for p in players
rule game():
    for p in players:
        for c in hand[p] where c.value > 1:
            p may "Keep it": kept := c
        p chooses 2 cs in hand[p]: move cs to row[p]
        p chooses d in hand[p]: remember(d, p)
    each p in players chooses 2 cs in hand[p]: move cs to row[p]
    each p in players chooses e in hand[p]: move e to row[p]
rule remember(d: Card, p: player):
    p may "Move it": move d to row[p]
define winners() = players
"""


def swapped(state: State, seed: int) -> State:
    """The same state with equal cards that lie in one set in each other's place, everywhere."""
    other = state.copy()
    rng = random.Random(seed)
    new = list(range(len(state.faces)))
    for number, cards in enumerate(state.zones):
        if state.code.program.zones[number].shape == "set":
            for face in {state.faces[card] for card in cards}:
                alike = [card for card in cards if state.faces[card] == face]
                for card, to in zip(alike, rng.sample(alike, len(alike)), strict=True):
                    new[card] = to

    def renamed(value: object, type: object) -> object:
        if value is None or "Card" not in str(type):
            return value
        return (
            tuple(renamed(v, type) for v in value) if isinstance(value, tuple) else new[value] if isinstance(value, int) else value
        )

    other.zones = [[new[card] for card in cards] for cards in state.zones]
    other.where = [0] * len(new)
    for number, cards in enumerate(other.zones):
        for card in cards:
            other.where[card] = number
    other.vars = [renamed(v, info.type) for v, info in zip(state.vars, state.code.program.variables, strict=True)]
    other.stack = [
        [frame[0], *(renamed(v, t) for v, t in zip(frame[1:], state.code.frame_types(frame[0]), strict=True))]
        for frame in state.stack
    ]
    return other


@pytest.mark.parametrize("seed", range(6))
def test_equal_cards_in_each_others_place(seed: int) -> None:
    state = start(written(GAME).code(2), seed)
    rng = random.Random(seed)
    different = 0
    while state.options is not None:
        other = swapped(state, seed)
        different += other.zones != state.zones
        assert other == state and hash(other) == hash(state)
        choose(state, rng.randrange(len(state.options)))
    assert different > 5


def test_other_cards_in_each_others_place_are_another_state() -> None:
    state = start(written(GAME).code(2), 1)
    play_randomly(state, 2, 5)
    other = state.copy()
    a, b = next((a, b) for a in state.zones[1] for b in state.zones[2] if state.faces[a] != state.faces[b])
    other.put(a, 2)
    other.put(b, 1)
    assert other != state
    other.put(a, 1)
    other.put(b, 2)
    assert other == state and hash(other) == hash(state)


def test_the_order_in_which_cards_came_into_a_set_does_not_count() -> None:
    state = start(written(GAME).code(2), 1)
    other = state.copy()
    for card in random.Random(3).sample(state.zones[1], len(state.zones[1])):
        other.put(card, 1)
    assert other.zones[1] != state.zones[1] and other == state
    for card in reversed(state.zones[0][:]):
        other.put(card, 0)
    assert other != state
