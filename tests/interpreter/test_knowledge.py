"""What players know, against all the worlds they must think possible."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.knowledge import Knowledge, keeps_places, may_look, slots_of
from interpreter.program import Program
from interpreter.state import State
from tests.interpreter.tables import carry, state_of, table

ZONES = [
    ("deck", "hidden", "pile", False),
    ("hand", "private", "set", True),
    ("board", "open", "row", False),
    ("heap", "hidden", "set", False),
    ("front", "top open", "pile", False),
    ("shelf", "private", "row", True),
]
DECK, HAND1, HAND2, BOARD, HEAP, FRONT, SHELF1, SHELF2 = range(8)
PUBLIC = 2


def small() -> Program:
    return table("ABBCC", ZONES)


class Worlds:
    """All ways the faces may lie for one viewer, kept by brute force."""

    def __init__(self, state: State, viewer: int) -> None:
        self.state, self.viewer = state, viewer
        self.worlds = set(permutations(state.faces))
        self.told: set[int] = set()
        for zone in range(len(state.zones)):
            self.look(zone)

    def info(self, zone: int):  # type: ignore[no-untyped-def]
        return self.state.code.program.zones[zone]

    def see(self, slot: int) -> None:
        face = self.state.faces[slot]
        self.worlds = {world for world in self.worlds if world[slot] == face}

    def look(self, zone: int) -> None:
        cards = self.state.zones[zone]
        if may_look(self.info(zone), self.viewer):
            for slot in cards:
                self.see(slot)
        elif self.info(zone).visibility == "top open" and cards:
            self.see(cards[-1])

    def mix(self, slots: list[int]) -> None:
        self.told -= set(slots)
        mixed = set()
        for world in self.worlds:
            for order in set(permutations([world[slot] for slot in slots])):
                new = list(world)
                for slot, face in zip(slots, order, strict=True):
                    new[slot] = face
                mixed.add(tuple(new))
        self.worlds = mixed

    def moved(self, card: int, origin: int, target: int) -> None:
        self.told.discard(card)
        info = self.info(origin)
        if origin != target and not keeps_places(info) and not may_look(info, self.viewer):
            self.mix([*self.state.zones[origin], card])
        self.look(target)
        self.look(origin)

    def shuffled(self, zone: int) -> None:
        if not may_look(self.info(zone), self.viewer):
            self.mix(self.state.zones[zone])
        self.look(zone)

    def shown(self, card: int) -> None:
        info = self.info(self.state.where[card])
        if not keeps_places(info) and not may_look(info, self.viewer) and card not in self.told:
            self.mix([slot for slot in self.state.zones[self.state.where[card]] if slot not in self.told])
            self.told.add(card)
        self.see(card)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_claims_hold_in_every_world_he_must_think_possible(data: st.DataObject) -> None:
    state = state_of(small())
    knowledge = Knowledge.of(state)
    worlds = [Worlds(state, viewer) for viewer in range(3)]
    for _ in range(data.draw(st.integers(1, 15))):
        what = data.draw(st.sampled_from(["move", "move", "move", "shuffle", "reveal", "show"]))
        zone = data.draw(st.sampled_from([z for z in range(8) if state.zones[z]]))
        if what == "shuffle":
            state.zones[zone][:] = data.draw(st.permutations(state.zones[zone]))
            knowledge.shuffled(state, zone)
            for world in worlds:
                world.shuffled(zone)
        else:
            card = data.draw(st.sampled_from(state.zones[zone]))
            if what == "move":
                target = data.draw(st.integers(0, 7))
                carry(state, card, target)
                knowledge.moved(state, card, zone, target)
                for world in worlds:
                    world.moved(card, zone, target)
            elif what == "reveal":
                knowledge.revealed(state, card)
                for world in worlds:
                    world.shown(card)
            else:
                viewer = data.draw(st.integers(0, 1))
                knowledge.shown(state, card, (viewer,))
                worlds[viewer].shown(card)
        for viewer, world in enumerate(worlds):
            assert tuple(state.faces) in world.worlds
            for slot in slots_of(knowledge.known[viewer]):
                assert {faces[slot] for faces in world.worlds} == {state.faces[slot]}
            for cards, among in knowledge.groups[viewer]:
                assert all(Counter(faces[s] for s in slots_of(cards)) >= Counter(among) for faces in world.worlds)
            assert set(slots_of(knowledge.told[viewer])) == world.told
            seen = [s for z in range(8) for s in state.zones[z] if may_look(state.code.program.zones[z], viewer)]
            assert all(knowledge.knows(viewer, slot) for slot in seen)


def test_a_card_given_away_is_known_until_an_unseen_departure_could_have_been_it() -> None:
    state = state_of(table("ABCDE", ZONES), {HAND1: [0, 1], HAND2: [2, 3], DECK: [4]})
    knowledge = Knowledge.of(state)
    knowledge.moved(state, 0, carry(state, 0, HAND2), HAND2)
    assert knowledge.knows(0, 0) and knowledge.somewhere(state, 0, HAND2) == (0,)
    assert not knowledge.knows(PUBLIC, 0) and not knowledge.can_point_at(state, 0, 0)
    knowledge.moved(state, 3, carry(state, 3, DECK), DECK)
    assert not knowledge.knows(0, 0) and knowledge.somewhere(state, 0, HAND2) == ()
    knowledge.moved(state, 3, carry(state, 3, HAND1), HAND1)  # it was not the one
    assert knowledge.somewhere(state, 0, HAND2) == (0,)


def test_a_shuffle_keeps_the_set_and_forgets_the_places() -> None:
    state = state_of(table("ABCDE", ZONES), {BOARD: [0, 1], DECK: [2, 3, 4]})
    knowledge = Knowledge.of(state)
    for card in (0, 1):
        knowledge.moved(state, card, carry(state, card, DECK), DECK)
    assert knowledge.knows(PUBLIC, 0) and knowledge.can_point_at(state, PUBLIC, 1)
    state.zones[DECK].reverse()
    knowledge.shuffled(state, DECK)
    assert not knowledge.knows(0, 0)
    assert knowledge.somewhere(state, 0, DECK) == knowledge.somewhere(state, PUBLIC, DECK) == (0, 1)
    knowledge.moved(state, 0, carry(state, 0, HAND1), HAND1)
    assert knowledge.somewhere(state, 0, DECK) == (1,)
    assert knowledge.somewhere(state, 1, DECK) == ()  # one of the two may be gone
    assert knowledge.groups[1] == ((0b11111, (0, 1)),)


def test_a_whole_set_seen_before_is_known_in_any_order() -> None:
    state = state_of(table("ABB", ZONES), {BOARD: [0, 1, 2]})
    knowledge = Knowledge.of(state)
    for card in (0, 1, 2):
        knowledge.moved(state, card, carry(state, card, HEAP), HEAP)
    knowledge.moved(state, 1, carry(state, 1, BOARD), BOARD)
    assert knowledge.somewhere(state, 0, HEAP) == (0, 1)
    knowledge.moved(state, 0, carry(state, 0, BOARD), BOARD)
    assert knowledge.knows(0, 2)  # the last one is all that is left


def test_the_new_top_of_an_open_pile_is_seen() -> None:
    state = state_of(table("ABC", ZONES), {FRONT: [0, 1, 2]})
    knowledge = Knowledge.of(state)
    assert knowledge.knows(1, 2) and not knowledge.knows(1, 1)
    knowledge.moved(state, 2, carry(state, 2, HAND1), HAND1)
    assert knowledge.knows(1, 1) and knowledge.knows(1, 2)


def test_cards_shown_in_a_set_are_told_apart_while_they_lie_shown() -> None:
    state = state_of(table("ABCD", ZONES), {HEAP: [0, 1, 2, 3]})
    knowledge = Knowledge.of(state)
    knowledge.revealed(state, 1)
    knowledge.revealed(state, 3)
    assert knowledge.can_point_at(state, 0, 1) and knowledge.can_point_at(state, PUBLIC, 3)
    knowledge.put_back(0b1010)
    assert not knowledge.can_point_at(state, 0, 1) and knowledge.somewhere(state, 0, HEAP) == (1, 3)


def test_copies_are_independent_and_equal() -> None:
    state = state_of(table("ABC", ZONES), {DECK: [0, 1, 2]})
    knowledge = Knowledge.of(state)
    other = knowledge.copy()
    assert knowledge.canonical(state) == other.canonical(state)
    other.revealed(state, 1)
    assert knowledge.canonical(state) != other.canonical(state) and not knowledge.knows(0, 1)
