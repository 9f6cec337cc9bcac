"""What makes two states of one program the same: content, not history.

Slots are names for physical cards and mean nothing by themselves, so they are replaced by what they stand for: a card is its
design and its place. Equal cards of one set may stand for one another; which of them a variable means matters only against
other variables, so such cards are numbered in the order in which they are met."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dsl.types import CardType, ListType, Optional, Type
from interpreter.program import Program

if TYPE_CHECKING:
    from interpreter.state import State

OUT_OF_PLAY = -1


def is_unordered(program: Program, zone: int) -> bool:
    """A set: what counts is its content, not the order of arrival."""
    return program.zones[zone].shape == "set"


def holds_cards(type: Type | None) -> bool:
    """Whether values of this type are or contain cards; a hidden local without a type counts as plain data."""
    while isinstance(type, ListType | Optional):
        type = type.of
    return isinstance(type, CardType)


class Names:
    """Names of the slots of one state by what they stand for: (design, zone, place)."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.met: dict[int, tuple[int, int, int]] = {}
        self.counts: dict[tuple[int, int], int] = {}

    def of(self, slot: int) -> tuple[int, int, int]:
        name = self.met.get(slot)
        if name is None:
            state = self.state
            design, zone = state.faces[slot], state.where[slot]
            if zone != OUT_OF_PLAY and not is_unordered(state.code.program, zone):
                place = state.zones[zone].index(slot)
            else:
                place = self.counts.get((design, zone), 0)
                self.counts[design, zone] = place + 1
            name = self.met[slot] = (design, zone, place)
        return name

    def value(self, type: Type | None, value: Any) -> Hashable:
        """A value with the cards in it named."""
        if type is None or value is None or not holds_cards(type):
            return frozen(value)
        if isinstance(type, Optional):
            return self.value(type.of, value)
        if isinstance(type, ListType):
            return tuple(self.value(type.of, item) for item in value) if isinstance(value, Sequence) else frozen(value)
        return self.of(value) if type_is_slot(value) else frozen(value)


def type_is_slot(value: object) -> bool:
    """A local of a card type that has not been given a value yet holds something else than a slot."""
    return isinstance(value, int) and not isinstance(value, bool)


def frozen(value: Any) -> Hashable:
    """Plain data as something that can be compared and hashed; numbers and flags are kept apart."""
    if isinstance(value, bool):
        return ("flag", value)
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted(((frozen(key), frozen(item)) for key, item in value.items()), key=repr))
    if isinstance(value, set | frozenset):
        return tuple(sorted((frozen(item) for item in value), key=repr))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(frozen(item) for item in value)
    hash(value)
    result: Hashable = value
    return result


def canonical(state: State) -> Hashable:
    """Zones by design, variables, who is in the game, frames, generator, phase, the decision, and what the players know."""
    program = state.code.program
    faces = state.faces
    zones = tuple(
        tuple(sorted(faces[slot] for slot in cards)) if is_unordered(program, number) else tuple(faces[slot] for slot in cards)
        for number, cards in enumerate(state.zones)
    )
    names = Names(state)
    variables = tuple(names.value(info.type, value) for info, value in zip(program.variables, state.vars, strict=True))
    frames = []
    for frame in state.stack:
        pc = frame[0]
        types = state.code.frame_types(pc)
        typed = [names.value(type, value) for type, value in zip(types, frame[1:], strict=False)]
        frames.append((pc, *typed, *(frozen(value) for value in frame[1 + len(types) :])))
    asked = (state.asked, state.site) if state.options is not None else None
    script = frozen(state.script) if state.script else ()
    knowledge = getattr(state.observer, "knowledge", None)
    known = knowledge.canonical(state) if knowledge is not None else None
    return (
        zones, variables, tuple(frames), state.live, state.rng, state.phase, state.reason, asked, script, known,
    )  # fmt: skip
