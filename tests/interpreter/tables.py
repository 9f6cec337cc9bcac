"""Small tables laid by hand: programs and states for tests of what watches a game, without any rules running."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from attrs import define

from dsl.source import Source, Span
from dsl.types import FLAG, NUMBER, PLAYER, CardType, KindType, ListType, SpaceType, Type
from interpreter.program import BoardInfo, CardTypeInfo, DesignInfo, FamilyInfo, KindInfo, Program, VarInfo, ZoneInfo
from interpreter.state import PLAYING, State

SPAN = Span(Source("table.cardgame", ""), 0, 0)
CARD = CardType("table.Card", "Card")
SUIT = KindType("table.Suit", "Suit")
BOARD = SpaceType("table.Floor", "Floor")


@define(eq=False)
class HandCode:
    """Stands for compiled code where only the tables and the types of the locals are looked at."""

    program: Program
    types: tuple[Type | None, ...] = ()

    def frame_types(self, pc: int) -> tuple[Type | None, ...]:
        return self.types


def table(
    faces: str, zones: Sequence[tuple[str, str, str, bool]], players: int = 2, variables: Sequence[tuple[str, Type, str]] = ()
) -> Program:
    """A program with one design for each different letter of `faces` and one slot for each letter, all in the first zone.

    A zone is (name, visibility, shape, whether there is one for each player); a variable (name, type, visibility)."""
    names = sorted(set(faces))
    infos: list[ZoneInfo] = []
    families: list[FamilyInfo] = []
    for number, (name, visibility, shape, each) in enumerate(zones):
        index_types = (PLAYER,) if each else ()
        size = players if each else 1
        families.append(FamilyInfo(name, len(infos), size, (size,) if each else (), visibility, shape, index_types, None, SPAN))
        for player in range(size):
            indexes, owner = ((player,), player) if each else ((), None)
            infos.append(ZoneInfo(number, name, indexes, index_types, owner, visibility, shape, 0, None))
    slots = [names.index(letter) for letter in faces]
    return Program(
        name="Table",
        players=players,
        places=[SPAN],
        zones=infos,
        families=families,
        variables=[VarInfo(i, name, (), (), None, seen, type) for i, (name, type, seen) in enumerate(variables)],
        initial=[None for _ in variables],
        initial_code=[],
        card_types=[CardTypeInfo("Card", CARD.id, (("suit", SUIT),), tuple(range(len(faces))))],
        designs=[DesignInfo(name, 0, (0,), ()) for name in names],
        slots=slots,
        start=[list(range(len(faces)))] + [[] for _ in infos[1:]],
        kinds=[KindInfo("Suit", SUIT.id, (("Hearts", "♥"), ("Spades", "♠")))],
        boards=[BoardInfo("Floor", BOARD.id, 2, 1, ((0, 0, "."), (1, 0, ".")), ("1", "2"), (), ((), ()), ((1,), (0,)), ())],
        dice=[],
        tables=[],
        rules=[],
        defines=[],
        attachments=[],
        sites=[],
        endings=[],
        scoring=[],
        invariants=[],
        setup=0,
        main=0,
        turn=None,
        winners=0,
        options=(),
        cards_of=(tuple(range(len(faces))),),
    )


def state_of(program: Program, contents: dict[int, Sequence[int]] | None = None, types: tuple[Type | None, ...] = ()) -> State:
    """A running state with the cards as the program starts, or as `contents` (zone → slots) says."""
    state = State.__new__(State)
    code: Any = HandCode(program, types)
    state.code = code
    zones = program.start if contents is None else [list(contents.get(zone, ())) for zone in range(len(program.zones))]
    state.zones = [list(cards) for cards in zones]
    state.where = [-1] * len(program.slots)
    for zone, cards in enumerate(state.zones):
        for slot in cards:
            state.where[slot] = zone
    state.faces = list(program.slots)
    state.vars = list(program.initial)
    state.live = program.seats
    state.stack = []
    state.rng = 1
    state.options = None
    state.asked = -1
    state.site = -1
    state.answer = None
    state.phase = PLAYING
    state.reason = -1
    state.result = None
    state.steps = 0
    state.observer = None
    state.script = None
    state.in_play = (tuple(range(len(program.slots))),)
    state.used = None
    return state


def carry(state: State, slot: int, target: int) -> int:
    """Move a card to the end of a zone; returns the zone it came from."""
    origin = state.where[slot]
    state.zones[origin].remove(slot)
    state.zones[target].append(slot)
    state.where[slot] = target
    return origin


__all__ = ["BOARD", "CARD", "FLAG", "NUMBER", "PLAYER", "SUIT", "ListType", "SimpleNamespace", "carry", "state_of", "table"]
