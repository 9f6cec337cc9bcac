"""What one player knows at a decision, and states that might be the true one for all he knows.

A player's bot gets this and never the state: its view, the log as told to him, his own decision if it is his, and `sample`."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import define

from interpreter.decisions import Decision, decision, knowledge_of
from interpreter.events import Event
from interpreter.faults import Fault, RuleError
from interpreter.knowledge import Knowledge, slots_of
from interpreter.play import options_again
from interpreter.state import DECLINE, by_card
from interpreter.story import Line, tell
from interpreter.views import View, view

if TYPE_CHECKING:
    from interpreter.state import State

TRIES = 60
"""deals tried before going over to a walk from the true one"""
WALK = 200
"""exchanges tried in such a walk"""


@define(eq=False)
class Remembered:
    """An observer that watches no more: what the players knew at one moment."""

    knowledge: Knowledge
    log: list[Event]

    def note(self, state: State, kind: str, *data: Any) -> None:
        """Nothing happens in a state that is only looked at."""


class InformationState:
    """What a seat knows now. It keeps a copy of the state to itself; whatever it hands out depends only on what the player knows.

    Not dealt anew are values he may not see: hidden variables, those private to others, and sealed answers of several values
    that are not cards. In a sample they are as they are."""

    def __init__(self, state: State, player: int) -> None:
        self.player = player
        self._state = state.copy()
        self._knowledge = knowledge_of(state).copy()
        self._state.observer = Remembered(self._knowledge, list(getattr(state.observer, "log", ())))

    @cached_property
    def view(self) -> View:
        """What he sees."""
        return view(self._state, self.player)

    @cached_property
    def decision(self) -> Decision | None:
        """What he is asked, None if somebody else is or the game is over."""
        return decision(self._state) if self._state.options is not None and self._state.asked == self.player else None

    @cached_property
    def log(self) -> tuple[Line, ...]:
        """What has happened, as far as he could see it."""
        observer = self._state.observer
        assert isinstance(observer, Remembered)
        return tuple(tell(self._state.code.program, observer.log, self.player))

    def sample(self, rng: random.Random) -> State:
        """A state he must think possible: the hidden faces dealt anew among the cards whose faces he does not know, the same
        decision with the same options if it is his, its own future chance, nobody watching.

        A deal in which the decision could not be asked as it is is dealt again. Where hardly any deal fits, cards are
        exchanged two by two, starting from the true deal, so long as it stays possible."""
        for _ in range(TRIES):
            new = self._copy(rng)
            deal(new, self._knowledge, self.player, rng)
            if self._fits(new):
                return new
        return self._walk(rng)

    def _copy(self, rng: random.Random) -> State:
        new = self._state.copy()
        new.rng = rng.getrandbits(64)
        new.script = None
        return new

    def _fits(self, new: State) -> bool:
        """Put sorted zones in order and work the options out again; is it still the same decision?"""
        old = self._state
        if not put_in_order(new):
            return False
        if old.options is None:
            return True
        try:
            reseal(new, self.player)
            options = options_again(new)
        except (Fault, RuleError):
            return False
        if new.asked == self.player:
            if tuple(options) != tuple(old.options):
                return False
        elif not any(option is not DECLINE for option in options):
            return False
        new.options = options
        return True

    def _walk(self, rng: random.Random) -> State:
        new = self._copy(rng)
        hidden = hidden_slots(new, self._knowledge, self.player)
        pairs = [slots for slots in hidden.values() if len(slots) > 1]
        for _ in range(WALK if pairs else 0):
            a, b = rng.sample(rng.choice(pairs), 2)
            trial = self._copy(rng)
            trial.faces = new.faces[:]
            trial.faces[a], trial.faces[b] = trial.faces[b], trial.faces[a]
            if trial.faces[a] != trial.faces[b] and possible(trial, self._knowledge, self.player) and self._fits(trial):
                new = trial
        if not self._fits(new):
            new.options = self._state.options
        return new


def hidden_slots(state: State, knowledge: Knowledge, viewer: int) -> dict[int, list[int]]:
    """By card type the cards in play whose faces the viewer cannot name."""
    program = state.code.program
    known = knowledge.known[viewer]
    hidden: dict[int, list[int]] = defaultdict(list)
    for slot, zone in enumerate(state.where):
        if zone >= 0 and not known >> slot & 1:
            hidden[program.designs[state.faces[slot]].card_type].append(slot)
    return hidden


def deal(state: State, knowledge: Knowledge, viewer: int, rng: random.Random) -> None:
    """Deal the faces anew among the cards the viewer does not know, in agreement with all he has seen."""
    groups = knowledge.groups[viewer]
    for slots in hidden_slots(state, knowledge, viewer).values():
        pool = Counter(state.faces[slot] for slot in slots)
        free = set(slots)
        for cards, faces in groups:
            places = [slot for slot in slots_of(cards) if slot in free]
            if not places:
                continue
            for slot, face in zip(rng.sample(places, len(faces)), faces, strict=True):
                state.faces[slot] = face
                free.discard(slot)
            pool.subtract(faces)
        rest = list(pool.elements())
        rng.shuffle(rest)
        for slot, face in zip(sorted(free), rest, strict=True):
            state.faces[slot] = face


def possible(state: State, knowledge: Knowledge, viewer: int) -> bool:
    """Do the faces agree with what he knows of groups?"""
    return all(
        Counter(state.faces[slot] for slot in slots_of(cards)) >= Counter(faces) for cards, faces in knowledge.groups[viewer]
    )


def reseal(state: State, viewer: int) -> None:
    """Pick the sealed answers of the others anew, at random from what they could answer. Raises Fault or RuleError.

    (Answers of several cards are left: of hidden cards the faces have been dealt anew.)"""
    site = state.code.program.sites[state.site]
    if site.each is None or site.kind == "several":
        return
    frame = state.stack[-1]
    each, hidden = site.each[0], site.hidden
    players, answers = frame[hidden + 1], list(frame[hidden + 3])
    for i, player in enumerate(players[: len(answers)]):
        if player != viewer:
            other = frame[:]
            other[each + 1] = player
            options = state.code.options_of[site.number](state, other, player)
            answers[i] = options[state.below(len(options))] if options else None
    frame[hidden + 3] = tuple(answers)


def put_in_order(state: State) -> bool:
    """Sets, sorted zones and lists of all cards in order of the new faces; false if an open top card would not be on top any
    more."""
    program = state.code.program
    state.in_play = tuple(tuple(sorted(slots, key=state.faces.__getitem__)) for slots in state.in_play)
    for number, cards in enumerate(state.zones):
        key = state.code.order_of[number]
        if key is None or len(cards) < 2:
            continue
        top = cards[-1]
        if key is by_card:
            cards.sort(key=state.faces.__getitem__)
        else:
            loose = cards[:]
            cards.clear()
            for slot in loose:
                key(state, cards, slot)
        if program.zones[number].visibility == "top open" and cards[-1] != top:
            return False
    return True
