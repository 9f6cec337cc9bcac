"""The decision that is open: for the one who chooses, everything; for the others, that it is open, and a masked prompt.

An option's key and text never carry a face its chooser cannot see: such a card is offered by the place where it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl.source import Span
from dsl.types import Basic, CardType, ListType, Named, Optional, Type
from interpreter.knowledge import Knowledge, keeps_places, may_look
from interpreter.observer import cards_of, label_of, prompt_of
from interpreter.program import LineInfo, Program, Site
from interpreter.state import DECLINE
from interpreter.texts import Mention, Parts, player_name, text, words, zone_name

if TYPE_CHECKING:
    from interpreter.state import State

DECLINES = {"may": "no", "abilities": "no more", "several": "enough"}
DECLINE_OF_OTHERS = "none"


@frozen
class Option:
    """One thing that may be chosen. `key` is unique in the decision and stays the same while what it stands for does."""

    index: int
    key: str
    text: str


@frozen
class Decision:
    """For the chooser. `kind`: pick, several (one after another; `picked` so far), menu, may, abilities.

    `place` is where the rules ask, `rule` the rule it stands in."""

    player: int
    kind: str
    prompt: str
    options: tuple[Option, ...]
    picked: tuple[str, ...]
    sealed: bool
    """others learn the answer only when everybody has answered"""
    rule: str
    place: Span


@frozen
class Pending:
    """For everybody else: somebody is asked."""

    player: int
    kind: str
    prompt: str


def knowledge_of(state: State) -> Knowledge:
    """What the players know: kept by the state's observer; without one, what they can see now."""
    kept = getattr(state.observer, "knowledge", None)
    return kept if isinstance(kept, Knowledge) else Knowledge.of(state)


def decision(state: State) -> Decision | None:
    """The open decision with all its options, as the one who chooses sees it; None if the game is over."""
    if state.options is None:
        return None
    program = state.code.program
    site = program.sites[state.site]
    reads = Reader(state, knowledge_of(state), state.asked)
    prompt = reads.text(question(state, site))
    options = tuple(Option(i, label, label) for i, label in enumerate(reads.labels(site)))
    picked = tuple(reads.text((Mention(slot),)) for slot in picked_so_far(state)) if isinstance(site.element_type, CardType) else ()
    place = program.places[site.place]
    return Decision(state.asked, site.kind, prompt, options, picked, site.each is not None, site.rule, place)


def pending(state: State, viewer: int) -> Pending | None:
    """What a viewer who is not asked (a seat, or the number of players for the public) knows of the open decision."""
    if state.options is None:
        return None
    program = state.code.program
    site = program.sites[state.site]
    knowledge = knowledge_of(state)
    names = program.designs
    prompt = text(
        question(state, site),
        lambda slot: knowledge.can_point_at(state, viewer, slot),
        lambda slot: names[state.faces[slot]].name,
    )
    return Pending(state.asked, site.kind, prompt)


def question(state: State, site: Site) -> Parts:
    """The prompt as the rules have it, or in general words where they have none."""
    prompt = prompt_of(state, site)
    if prompt:
        return prompt
    if site.kind == "may":
        return label_of(state, site, True)
    if site.kind == "abilities":
        return ("an ability to use",)
    if site.kind == "menu":
        return ("what to do",)
    if site.kind == "several":
        return (f"{noun(site.element_type)} to choose" if site.element_type is not None else "what to choose",)
    return (" and ".join(noun(type) for type in site.lines[0].types),)


def noun(type: Type) -> str:
    """A value of this type in general: "a card", "a player"."""
    while isinstance(type, Optional | ListType):
        type = type.of
    if isinstance(type, CardType):
        return "a card"
    name = type.name if isinstance(type, Basic | Named) else str(type)
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {words(name)}"


def picked_so_far(state: State) -> tuple[Any, ...]:
    """In an open choice of several, the values taken already. Right after a pick it is empty if the choice was complete with it."""
    if state.options is None:
        return ()
    site = state.code.program.sites[state.site]
    return tuple(state.stack[-1][1 + site.hidden + 4]) if site.kind == "several" else ()


class Reader:
    """Writes labels as one player may read them, each unlike the others."""

    def __init__(self, state: State, knowledge: Knowledge, viewer: int) -> None:
        self.state, self.knowledge, self.viewer = state, knowledge, viewer
        self.program: Program = state.code.program

    def text(self, parts: Parts) -> str:
        """The text, with cards he cannot name called by their place."""
        return "".join(part if isinstance(part, str) else self.card(part.slot) for part in parts)

    def card(self, slot: int) -> str:
        if self.knowledge.can_point_at(self.state, self.viewer, slot):
            return self.program.designs[self.state.faces[slot]].name
        return f"card {self.position(slot)} of {self.home(slot)}"

    def home(self, slot: int) -> str:
        zone = self.state.where[slot]
        return zone_name(self.program, zone) if zone >= 0 else "the box"

    def position(self, slot: int) -> int:
        """From 1: the place on a pile (from the top) or in a row; in a set he cannot look into a number for the card."""
        zone = self.state.where[slot]
        cards = self.state.zones[zone] if zone >= 0 else [slot]
        info = self.program.zones[zone]
        if not keeps_places(info) and not may_look(info, self.viewer):
            return sorted(cards).index(slot) + 1
        place = cards.index(slot)
        return len(cards) - place if info.shape == "pile" else place + 1

    def labels(self, site: Site) -> list[str]:
        """The text of each option. Options that read alike are told apart by zone, then place, then line of the menu."""
        state = self.state
        values = list(state.options or ())
        base: list[str] = []
        for value in values:
            if value is DECLINE:
                base.append(DECLINES.get(site.kind, DECLINE_OF_OTHERS))
            else:
                base.append(self.text(label_of(state, site, value)))
        slots = [cards_of(site, value) for value in values]
        with_zone = self._distinguish(base, base, slots, lambda cards: ", ".join(self.home(slot) for slot in cards))
        with_place = self._distinguish(
            with_zone, base, slots, lambda cards: ", ".join(f"{self.home(s)} {self.position(s)}" for s in cards)
        )
        return self._numbered(with_place)

    @staticmethod
    def _distinguish(
        labels: list[str], plain: list[str], slots: list[tuple[int, ...]], more: Callable[[tuple[int, ...]], str]
    ) -> list[str]:
        """What reads alike is told by the plain label, and more of its cards."""
        counts = Counter(labels)
        return [
            f"{short} ({more(cards)})" if counts[label] > 1 and cards else label
            for label, short, cards in zip(labels, plain, slots, strict=True)
        ]

    @staticmethod
    def _numbered(labels: list[str]) -> list[str]:
        counts = Counter(labels)
        used = set(labels)
        result: list[str] = []
        times: Counter[str] = Counter()
        for label in labels:
            times[label] += 1
            made = label
            number = times[label]
            while counts[label] > 1 and number > 1 and (made == label or made in used):
                made = f"{label} [{number}]"
                number += 1
            used.add(made)
            result.append(made)
        return result


__all__ = ["Decision", "LineInfo", "Option", "Pending", "decision", "pending", "player_name"]
