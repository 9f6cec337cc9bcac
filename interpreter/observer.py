"""The witness of a match: told of everything, it keeps who knows what and the log of what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, evolve

from dsl.types import NUMBER, CardType, ListType, Optional, Type
from interpreter.events import (
    Answered,
    Changed,
    Choice,
    Chose,
    Declined,
    Eliminated,
    Ended,
    Entered,
    Event,
    Left,
    Moved,
    Over,
    Picked,
    Revealed,
    Rolled,
    SeenParts,
    SetUp,
    Showed,
    Shuffled,
    Sight,
    Started,
    Used,
    kept,
)
from interpreter.knowledge import Knowledge, in_sight, may_read
from interpreter.play import guard
from interpreter.program import UNSET, Program, Site
from interpreter.state import DECLINE, Frame
from interpreter.texts import Mention, Parts, listed, show_value

if TYPE_CHECKING:
    from interpreter.state import State


@define(eq=False)
class Unsettled:
    """A choice whose block still runs: in the end more may be seen of what was chosen. `frame`: where it runs, at `depth`."""

    event: int
    site: int
    player: int
    depth: int
    frame: Frame


@define(eq=False)
class Witness:
    """The observer of one match: `state.observer = Witness.of(state.code.program)` before the rules start (or `Witness.joining`
    for a game under way). Copied together with the state it watches: `witness.copy(copied_state)`."""

    program: Program
    knowledge: Knowledge
    log: list[Event] = Factory(list)
    _unsettled: list[Unsettled] = Factory(list)
    _sealed: dict[tuple[int, int], list[tuple[Parts, Parts]]] = Factory(dict)
    """by site and player the prompts and labels of sealed answers"""
    _running: list[tuple[int, int]] = Factory(list)
    """rules that may ask and that have begun, each with the depth of its frame"""
    _times: dict[int, int] = Factory(dict)
    _laid_open: list[tuple[int, int]] = Factory(list)
    """cards that lie shown, as bits, each with the depth of the frame that showed them"""
    _head: tuple[int, Frame] | None = None
    """where the last choice was asked: depth and frame"""

    @classmethod
    def of(cls, program: Program) -> Witness:
        """For a game that begins: nobody knows anything."""
        return cls(program, Knowledge.blank(program))

    @classmethod
    def joining(cls, state: State) -> Witness:
        """For a game under way: everybody knows what he can see now."""
        return cls(state.code.program, Knowledge.of(state))

    def copy(self, state: State) -> Witness:
        """A witness that knows the same, for an independent copy of the state (made at a decision, or when the game is over)."""
        unsettled = [evolve(one, frame=state.stack[one.depth]) for one in self._unsettled if one.depth < len(state.stack)]
        sealed = {key: labels[:] for key, labels in self._sealed.items()}
        head = self._head
        if head is not None:
            head = (head[0], state.stack[head[0]]) if head[0] < len(state.stack) else None
        return Witness(
            self.program, self.knowledge.copy(), self.log[:], unsettled, sealed, self._running[:], dict(self._times),
            self._laid_open[:], head,
        )  # fmt: skip

    def look(self, state: State) -> None:
        """The cards were laid by hand (a test): everybody sees what lies open to him now, and knows nothing else."""
        self.knowledge = Knowledge.of(state)

    def sees(self, state: State, player: int, card: int) -> bool:
        """Does this player know the face of this card?"""
        return in_sight(state, player, card) or self.knowledge.knows(player, card)

    # ── notes ──

    def note(self, state: State, kind: str, *data: Any) -> None:
        depth = len(state.stack)
        while self._running and self._running[-1][1] >= depth:
            self._leave()
        while self._laid_open and self._laid_open[-1][1] >= depth:
            self.knowledge.put_back(self._laid_open.pop()[0])
        if self._unsettled:  # what happens from now on is no part of a block that was cut short
            self._unsettled = [one for one in self._unsettled if runs(state, one.depth, one.frame)]
        if self._head is not None and not runs(state, *self._head):
            self._head = None
            self.log.append(Over())
        getattr(self, f"_note_{kind}")(state, *data)

    def _note_start(self, state: State) -> None:
        self.knowledge = Knowledge.of(state)
        self.log.append(Started())

    def _note_play(self, state: State) -> None:
        self.log.append(SetUp())

    def _note_end(self, state: State, reason: int) -> None:
        self._settle(state, lambda one: True)
        self.log.append(Ended(reason))

    def _note_ask(self, state: State) -> None:
        self._settle(state, lambda one: False)

    def _note_move(self, state: State, card: int, origin: int, target: int, under: bool) -> None:
        self.knowledge.moved(state, card, origin, target)
        sight = self._known(state, card)
        self.log.append(Moved(sight, origin, target, under))
        self._follow(sight)

    def _note_shuffle(self, state: State, zone: int) -> None:
        self.knowledge.shuffled(state, zone)
        self.log.append(Shuffled(zone))

    def _note_reveal(self, state: State, card: int) -> None:
        before = self._known(state, card).seen
        self.knowledge.revealed(state, card)
        self._laid_open.append((1 << card, len(state.stack) - 1))
        sight = self._known(state, card)
        self.log.append(Revealed(sight, state.where[card], sight.seen != before))
        self._follow(sight)

    def _note_show(self, state: State, card: int, players: Sequence[int]) -> None:
        before = self._known(state, card).seen
        self.knowledge.shown(state, card, players)
        self._laid_open.append((1 << card, len(state.stack) - 1))
        sight = self._known(state, card)
        self.log.append(Showed(sight, state.where[card], tuple(players), sight.seen != before))
        self._follow(sight)

    def _note_roll(self, state: State, dice: int, values: Sequence[int]) -> None:
        self.log.append(Rolled(dice, tuple(values)))

    def _note_set(self, state: State, variable: int, old: object, new: object) -> None:
        info = self.program.variables[variable]
        seen = sum(1 << viewer for viewer in self._viewers if may_read(info, viewer))
        self.log.append(Changed(variable, old, new, self._value(state, info.type, old), self._value(state, info.type, new), seen))

    def _note_eliminate(self, state: State, player: int) -> None:
        self.log.append(Eliminated(player))

    def _note_chance(self, state: State, site: int, value: object) -> None:
        info = self.program.sites[site]
        label = value_parts(self.program, info, value)
        self.log.append(Picked(site, self._kept(state, label), value, cards_of(info, value)))

    def _note_ability(self, state: State, attachment: int, card: int | None, owner: int | None) -> None:
        text = self.program.attachments[attachment].text
        self.log.append(Used(attachment, text, None if card is None else self._pointed(state, card), owner))

    def _note_enter(self, state: State, rule: int, arguments: Sequence[object]) -> None:
        phase = self._below_main()
        self._running.append((rule, len(state.stack)))
        self._times[rule] = times = self._times.get(rule, 0) + 1
        self.log.append(Entered(rule, tuple(arguments), rule == self.program.turn, phase, times))

    def _below_main(self) -> bool:
        return len(self._running) == 1 and self._running[0][0] == self.program.main

    def _leave(self) -> None:
        """The innermost running rule is over: its frame is gone."""
        rule, _ = self._running.pop()
        if rule == self.program.turn or self._below_main():
            self.log.append(Left(rule, rule == self.program.turn, self._below_main()))

    # ── choices ──

    def _note_choose(self, state: State, player: int, site: int, value: object, sealed: bool) -> None:
        info = self.program.sites[site]
        slots = cards_of(info, value)
        declined = value is DECLINE or value == ()
        if sealed:
            prompt, label = self._asked_as(state, site, value)
            self._sealed.setdefault((site, player), []).append((prompt, label))
            self._head = None
            own = [self._kept(state, parts, 1 << player) for parts in (prompt, label)]
            self.log.append(Answered(player, site, info.kind, own[0], own[1], value, slots, declined))
            return
        answers = self._unsealed(site, player, len(value) if isinstance(value, tuple) and info.kind == "several" else 1)
        if answers:
            prompt, label = answers[0][0], listed([answer for _, answer in answers if answer])
        else:
            prompt, label = self._asked_as(state, site, value)
        self._head = (len(state.stack) - 1, state.stack[-1])
        if not declined and info.kind != "abilities":
            self._unsettled.append(Unsettled(len(self.log), site, player, len(state.stack) - 1, state.stack[-1]))
        what = Declined if declined else Chose
        self.log.append(what(player, site, info.kind, self._kept(state, prompt), self._kept(state, label), value, slots))

    def _unsealed(self, site: int, player: int, picks: int) -> list[tuple[Parts, Parts]]:
        """What a player has answered in secret, so many picks of it; what is left he has answered when he was asked once more."""
        kept = self._sealed.get((site, player), [])
        count = made = 0
        while count < len(kept) and made < picks:
            made += bool(kept[count][1])
            count += 1
        if count < len(kept) and not kept[count][1]:
            count += 1  # that it was enough
        answers = kept[:count]
        del kept[:count]
        return answers

    def _note_done(self, state: State, site: int, player: int | None) -> None:
        self._settle(state, lambda one: one.site == site and one.player == player)

    def _asked_as(self, state: State, site: int, value: object) -> tuple[Parts, Parts]:
        """Prompt and label of an answer, as the rules say them now. Raises Fault."""
        info = self.program.sites[site]
        return prompt_of(state, info), label_of(state, info, value)

    def _settle(self, state: State, over: Callable[[Unsettled], bool]) -> None:
        """Take up what can be seen now of choices under way, and be done with those that are over."""
        for one in self._unsettled:
            event = self.log[one.event]
            assert isinstance(event, Choice)
            label = tuple(self._more(state, part) for part in event.label)
            if label != event.label:
                self.log[one.event] = evolve(event, label=label)
        self._unsettled = [one for one in self._unsettled if not over(one)]

    def _more(self, state: State, part: str | Sight) -> str | Sight:
        if isinstance(part, str):
            return part
        seen = part.seen | self._pointed(state, part.slot).seen
        return part if seen == part.seen else Sight(part.slot, part.design, seen)

    def _follow(self, sight: Sight) -> None:
        """A card whose choice is under way was moved or shown: who knows it by that knows what was chosen."""
        for one in self._unsettled:
            event = self.log[one.event]
            assert isinstance(event, Choice)
            if any(
                isinstance(part, Sight) and part.slot == sight.slot and part.seen != part.seen | sight.seen for part in event.label
            ):
                label = tuple(
                    Sight(part.slot, part.design, part.seen | sight.seen)
                    if isinstance(part, Sight) and part.slot == sight.slot
                    else part
                    for part in event.label
                )
                self.log[one.event] = evolve(event, label=label)

    # ── who sees what ──

    @property
    def _viewers(self) -> Iterable[int]:
        return range(len(self.knowledge.known))

    def _known(self, state: State, card: int) -> Sight:
        """A card that something visibly happened to: whoever knows its face knows which it was."""
        return Sight(card, state.faces[card], sum(1 << viewer for viewer in self._viewers if self.knowledge.knows(viewer, card)))

    def _pointed(self, state: State, card: int) -> Sight:
        """A card that is only spoken of: named for those who could point at it."""
        seen = sum(1 << viewer for viewer in self._viewers if self.knowledge.can_point_at(state, viewer, card))
        return Sight(card, state.faces[card], seen)

    def _kept(self, state: State, parts: Parts, viewers: int = -1) -> SeenParts:
        """A text to keep, its cards named for those (of these viewers) who could point at them."""
        return kept(parts, state.faces, lambda slot: self._pointed(state, slot).seen & viewers)

    def _value(self, state: State, type: Type, value: object) -> SeenParts:
        if value is UNSET:
            return ("unset",)
        return self._kept(state, show_value(self.program, type, value))


def prompt_of(state: State, site: Site) -> Parts:
    """What the rules say when they ask here; empty if nothing. Raises Fault."""
    parts: Parts | None = guard(state, lambda state: state.code.texts.prompt(state, site.number))
    return parts or ()


def label_of(state: State, site: Site, value: object) -> Parts:
    """What an option says, with the card before an ability; of declining `may`, what is declined. Raises Fault."""
    if value is DECLINE:
        if site.kind != "may":
            return ()
        value = True
    if site.kind == "several" and isinstance(value, tuple):  # all that were picked
        return listed([label_of(state, site, item) for item in value])
    label: Parts = guard(state, lambda state: state.code.texts.label(state, site.number, value))
    if site.kind == "abilities" and isinstance(value, tuple):
        return (Mention(value[1]), ": ", *label)
    return label


def runs(state: State, depth: int, frame: Frame) -> bool:
    """Is this frame still there?"""
    return depth < len(state.stack) and state.stack[depth] is frame


def bound_values(site: Site, value: object) -> list[tuple[Type, object]]:
    """The values an option binds, each with its type."""
    if value is DECLINE or site.kind == "may":
        return []
    if site.kind == "abilities":
        return []
    if site.kind == "several":
        type = site.element_type or NUMBER
        return [(type, item) for item in value] if isinstance(value, tuple) else [(type, value)]
    if site.kind == "menu":
        assert isinstance(value, tuple)
        return list(zip(site.lines[value[0]].types, value[1], strict=True))
    types = site.lines[0].types
    values = value if len(types) > 1 and isinstance(value, tuple) else (value,)
    return list(zip(types, values, strict=True))


def value_parts(program: Program, site: Site, value: object) -> Parts:
    """What was picked, by its values; a line of a menu that binds nothing by what its label says in any case."""
    bound = bound_values(site, value)
    if not bound and site.kind == "menu" and isinstance(value, tuple):
        label = site.lines[value[0]].label
        pieces = label[2] if label is not None and label[0] == "text" else (label[2],) if label is not None else ()
        return tuple(piece for piece in pieces if isinstance(piece, str))
    return listed([show_value(program, type, item) for type, item in bound])


def cards_of(site: Site, value: object) -> tuple[int, ...]:
    """The cards among the values of an option; the card whose ability it is."""
    if site.kind == "abilities" and isinstance(value, tuple):
        return () if value[1] is None else (value[1],)
    slots: list[int] = []
    for type, item in bound_values(site, value):
        _collect(type, item, slots)
    return tuple(slots)


def _collect(type: Type, value: object, slots: list[int]) -> None:
    if isinstance(type, Optional) and value is not None:
        _collect(type.of, value, slots)
    elif isinstance(type, ListType) and isinstance(value, tuple):
        for item in value:
            _collect(type.of, item, slots)
    elif isinstance(type, CardType) and isinstance(value, int):
        slots.append(value)
