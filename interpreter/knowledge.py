"""Who knows which faces: what each player, and somebody who only watches the table, has seen and can still tell.

For one viewer every card is in one of three states:

- *known*: he could point at the card and name it;
- in a *group*: certain faces lie somewhere among certain cards, he cannot tell which is which (after a shuffle, or after a
  card left a set he cannot look into);
- neither: he knows no more than what the game is made of.

He can follow a card as long as he can tell it from the others: on a pile or in a row by its place, anywhere by its face if he
sees it, in a set he cannot look into while it lies shown. He loses track in a shuffle, and when a card leaves a set (or a sorted zone) whose faces he cannot see: any of the
cards there may have been the one. Then all that he knew about them is known of the group only. So nothing is ever claimed that
depends on what he could not see, and nothing that he saw is forgotten sooner than it must be.

Sets of slots are numbers, bit `s` standing for slot `s`: a copy of all knowledge is a copy of two short lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from attrs import define, frozen

from interpreter.program import Program, VarInfo, ZoneInfo

if TYPE_CHECKING:
    from interpreter.state import State

Group = tuple[int, tuple[int, ...]]
"""cards as bits, and the faces (designs, sorted) that are among them"""


def keeps_places(info: ZoneInfo) -> bool:
    """Everybody can tell the cards of this zone apart by their place: a pile or a row that is not kept sorted."""
    return info.shape != "set" and info.by is None


def may_look(info: ZoneInfo, viewer: int) -> bool:
    """Does this viewer see every face in the zone? (A viewer who is no seat sees what is open.)"""
    return info.visibility == "open" or (info.visibility == "private" and info.owner == viewer)


def may_read(info: VarInfo, viewer: int) -> bool:
    """Does this viewer know what the variable is?"""
    return info.visibility == "open" or (info.visibility == "private" and info.owner == viewer)


def in_sight(state: State, viewer: int, slot: int) -> bool:
    """Does the card lie face up for this viewer now?"""
    zone = state.where[slot]
    if zone < 0:
        return False
    info = state.code.program.zones[zone]
    return may_look(info, viewer) or (info.visibility == "top open" and state.zones[zone][-1] == slot)


def bits(slots: Iterable[int]) -> int:
    mask = 0
    for slot in slots:
        mask |= 1 << slot
    return mask


def slots_of(mask: int) -> list[int]:
    """The slots of a mask, lowest first."""
    result = []
    while mask:
        low = mask & -mask
        result.append(low.bit_length() - 1)
        mask ^= low
    return result


@frozen
class Sighting:
    """Who sees into one zone. `lookers` see every face, `blind` are the other viewers."""

    places: bool
    top_open: bool
    lookers: tuple[int, ...]
    blind: tuple[int, ...]

    @classmethod
    def of(cls, info: ZoneInfo, viewers: int) -> Sighting:
        lookers = tuple(viewer for viewer in range(viewers) if may_look(info, viewer))
        blind = tuple(viewer for viewer in range(viewers) if viewer not in lookers)
        return cls(keeps_places(info), info.visibility == "top open", lookers, blind)


@define(eq=False)
class Knowledge:
    """What all viewers know: viewer 0 … are the seats, the last one is the public, who sits nowhere.

    Told of every event just after it happened, it keeps itself up to date."""

    program: Program
    known: list[int]
    """cards each viewer knows"""
    groups: list[tuple[Group, ...]]
    told: list[int]
    """cards that lie shown in a set the viewer cannot look into, so that he can tell which they are"""
    sightings: tuple[Sighting, ...]
    """of each zone"""

    @classmethod
    def blank(cls, program: Program) -> Knowledge:
        """Nobody knows anything."""
        viewers = program.players + 1
        sightings = tuple(Sighting.of(info, viewers) for info in program.zones)
        return cls(program, [0] * viewers, [()] * viewers, [0] * viewers, sightings)

    @classmethod
    def of(cls, state: State) -> Knowledge:
        """What can be seen now, by players who have seen nothing before."""
        new = cls.blank(state.code.program)
        new.look_around(state)
        return new

    @property
    def public(self) -> int:
        """The viewer who is no player."""
        return len(self.known) - 1

    def copy(self) -> Knowledge:
        return Knowledge(self.program, self.known[:], self.groups[:], self.told[:], self.sightings)

    # ── asking ──

    def knows(self, viewer: int, slot: int) -> bool:
        """Can this viewer name the face of this card?"""
        return bool(self.known[viewer] >> slot & 1)

    def can_point_at(self, state: State, viewer: int, slot: int) -> bool:
        """Does he know the face and also which card it is? In a set he cannot look into he may know what is there, not where."""
        if in_sight(state, viewer, slot):
            return True
        if self.told[viewer] >> slot & 1:
            return True
        zone = state.where[slot]
        return self.knows(viewer, slot) and (zone < 0 or keeps_places(self.program.zones[zone]))

    def somewhere(self, state: State, viewer: int, zone: int) -> tuple[int, ...]:
        """Faces the viewer knows to be in the zone without being able to point at the card: designs, sorted."""
        here = bits(state.zones[zone])
        faces: list[int] = []
        for cards, among in self.groups[viewer]:
            if cards & ~here == 0:
                faces.extend(among)
        info = self.program.zones[zone]
        if not keeps_places(info) and not may_look(info, viewer):
            seen = self.known[viewer] & here
            faces.extend(state.faces[slot] for slot in slots_of(seen) if not in_sight(state, viewer, slot))
        return tuple(sorted(faces))

    # ── what happened ──

    def look_around(self, state: State) -> None:
        """Everybody sees what lies open to him."""
        for zone, cards in enumerate(state.zones):
            for viewer in self.sightings[zone].lookers:
                for slot in cards:
                    self.learn(state, viewer, slot)
            self.look_at_top(state, zone)

    def look_at_top(self, state: State, zone: int) -> None:
        if self.sightings[zone].top_open and state.zones[zone]:
            for viewer in range(len(self.known)):
                self.learn(state, viewer, state.zones[zone][-1])

    def moved(self, state: State, card: int, origin: int, target: int) -> None:
        """The card has just gone from `origin` (-1: it was out of play) to `target`."""
        self.put_back(1 << card)
        elsewhere = origin >= 0 and origin != target
        if elsewhere and not self.sightings[origin].places:
            cards = bits(state.zones[origin]) | 1 << card
            for viewer in self.sightings[origin].blind:
                self.lose_track(state, viewer, cards)
        for viewer in self.sightings[target].lookers:
            self.learn(state, viewer, card)
        self.look_at_top(state, target)
        if elsewhere:
            self.look_at_top(state, origin)

    def shuffled(self, state: State, zone: int) -> None:
        """The places in the zone mean nothing any more."""
        cards = bits(state.zones[zone])
        for viewer in self.sightings[zone].blind:
            self.lose_track(state, viewer, cards)
        self.look_at_top(state, zone)

    def shown(self, state: State, card: int, viewers: Iterable[int]) -> None:
        """These viewers have been shown the card."""
        zone = state.where[card]
        for viewer in viewers:
            if in_sight(state, viewer, card):
                continue
            told = self.told[viewer]
            if zone >= 0 and not self.sightings[zone].places and not told >> card & 1:
                self.lose_track(state, viewer, bits(state.zones[zone]) & ~told)
                self.told[viewer] |= 1 << card
            self.learn(state, viewer, card)

    def put_back(self, cards: int) -> None:
        """These cards do not lie shown any more."""
        if any(self.told):
            self.told = [told & ~cards for told in self.told]

    def revealed(self, state: State, card: int) -> None:
        """Everybody has been shown the card."""
        self.shown(state, card, range(len(self.known)))

    # ── one viewer ──

    def learn(self, state: State, viewer: int, slot: int) -> None:
        """He sees the face of a card he can tell from the others."""
        bit = 1 << slot
        if self.known[viewer] & bit:
            return
        groups = self.groups[viewer]
        for group in groups:
            cards, faces = group
            if cards & bit:
                self.groups[viewer] = tuple(other for other in groups if other is not group)
                self._add(viewer, cards ^ bit, _without(faces, state.faces[slot]))
                break
        self.known[viewer] |= bit

    def lose_track(self, state: State, viewer: int, cards: int) -> None:
        """He cannot tell these cards from one another any more."""
        self.told[viewer] &= ~cards
        seen = self.known[viewer] & cards
        touched = [group for group in self.groups[viewer] if group[0] & cards]
        if not seen and not touched:
            return
        faces = [state.faces[slot] for slot in slots_of(seen)]
        self.known[viewer] ^= seen
        for group in touched:
            cards |= group[0]
            faces.extend(group[1])
        self.groups[viewer] = tuple(group for group in self.groups[viewer] if group not in touched)
        self._add(viewer, cards, tuple(sorted(faces)))

    def _add(self, viewer: int, cards: int, faces: tuple[int, ...]) -> None:
        """A group, or what is as good as it: cards that are all known to be alike are simply known."""
        if not faces:
            return
        if len(faces) == cards.bit_count() and faces[0] == faces[-1]:
            self.known[viewer] |= cards
        else:
            self.groups[viewer] = (*self.groups[viewer], (cards, faces))

    # ── comparing ──

    def canonical(self, state: State) -> Hashable:
        """The same for two states in which everybody knows the same; cards are named by design and place."""

        def name(slot: int) -> tuple[int, int, int]:
            zone = state.where[slot]
            ordered = zone >= 0 and self.program.zones[zone].shape != "set"
            return (zone, state.zones[zone].index(slot) if ordered else -1, state.faces[slot])

        return tuple(
            (
                tuple(sorted(name(slot) for slot in slots_of(known))),
                tuple(sorted((tuple(sorted(name(slot) for slot in slots_of(cards))), faces) for cards, faces in groups)),
                tuple(sorted(name(slot) for slot in slots_of(told))),
            )
            for known, groups, told in zip(self.known, self.groups, self.told, strict=True)
        )


def _without(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    left = Counter(faces)
    left[face] -= 1
    return tuple(sorted(left.elements()))
