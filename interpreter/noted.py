"""The same operations as in `state.py`, telling the observer: what observed code calls instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.state import State


def note(state: State, kind: str, *data: Any) -> None:
    if state.observer is not None:
        state.observer.note(state, kind, *data)


def set_variable(state: State, number: int, value: Any) -> None:
    old = state.vars[number]
    state.vars[number] = value
    if old != value:
        note(state, "set", number, old, value)


def move_one(state: State, card: int, zone: int, under: bool) -> None:
    source = state.where[card]
    if under:
        state.put_under(card, zone)
    else:
        state.put(card, zone)
    note(state, "move", card, source, zone, under)


def move_many(state: State, cards: Sequence[int], zone: int, under: bool) -> None:
    for card in cards:
        move_one(state, card, zone, under)


def deal_noted(state: State, count: int | None, source: int, targets: Sequence[int]) -> None:
    pile = state.zones[source]
    if not targets:
        return
    total = len(pile) if count is None else max(0, min(len(pile), count * len(targets)))
    for i in range(total):
        move_one(state, pile[-1], targets[i % len(targets)], False)


def shuffle_noted(state: State, zone: int) -> None:
    state.shuffle(zone)
    note(state, "shuffle", zone)


def reveal_noted(state: State, cards: Sequence[int]) -> None:
    for card in cards:
        note(state, "reveal", card)


def show_noted(state: State, cards: Sequence[int], players: tuple[int, ...]) -> None:
    for card in cards:
        note(state, "show", card, tuple(players))


def roll_noted(state: State, dice: int) -> None:
    state.roll(dice)
    note(state, "roll", dice, state.vars[state.code.program.dice[dice].variable])


def eliminate_noted(state: State, player: int) -> None:
    state.eliminate(player)
    note(state, "eliminate", player)
