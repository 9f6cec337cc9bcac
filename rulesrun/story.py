"""The log as a story: events become sentences, and what follows from one choice stands in one paragraph.

A card that is revealed and then moved is one clause, a heap of moves one move, a variable of everybody one remark. What a
viewer could not see is not in it: only the events' own sight is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import Factory, define, field, frozen

from dsl import types
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
    and_list,
    seats_text,
)
from interpreter.program import Program
from interpreter.texts import UNSEEN_CARD, Mention, Parts, player_name, plain, text, words, zone_name

HEADING, PARAGRAPH, NEWS = "heading", "paragraph", "news"


@frozen
class Passage:
    """A piece of the story. `style`: a heading (a round begins), a paragraph (somebody did something), news (somebody is out, the
    end). `who` did it, None if nobody."""

    text: str
    style: str
    who: int | None = None


@define
class Teller:
    """Tells events to one viewer (a seat, or the number of players for somebody who only watches)."""

    program: Program
    viewer: int
    card_name: Callable[[int], str]
    """of a design"""
    _done: list[Passage] = Factory(list)
    _opening: str = ""
    _who: int | None = None
    _clauses: list[str] = Factory(list)
    _heap: list[Moved] = Factory(list)
    _changes: list[Changed] = Factory(list)
    _last: Event | None = field(default=None, init=False)

    def tell(self, events: Iterable[Event]) -> list[Passage]:
        self._done = []
        for event in events:
            self._take(event)
        self._close()
        return self._done

    # ── one event ──

    def _take(self, event: Event) -> None:
        if not isinstance(event, Moved):
            self._close_heap()
        if not isinstance(event, Changed):
            self._close_changes()
        match event:
            case Moved():
                if self._heap and not self._same_heap(self._heap[-1], event):
                    self._close_heap()
                self._heap.append(event)
            case Changed():
                if event.seen >> self.viewer & 1:
                    self._changes.append(event)
            case Started() | Left():
                return
            case SetUp():
                self._close()
            case Entered():
                self._entered(event)
            case Choice():
                self._choice(event)
            case Used():
                self._used(event)
            case Revealed():
                if event.news or not self._just_named(event.card):
                    self._clauses.append(f"{self._name(event.card)} is revealed")
            case Showed():
                self._showed(event)
            case Shuffled():
                self._clauses.append(f"{zone_name(self.program, event.zone)} is shuffled")
            case Rolled():
                numbers = " and ".join(map(str, event.values))
                self._clauses.append(f"the {words(self.program.dice[event.dice].name)} shows {numbers}")
            case Picked():
                self._clauses.append(f"by chance {self._read(event.label)}")
            case Eliminated():
                self._close()
                self._done.append(Passage(f"{player_name(event.player)} is out of the game.", NEWS, event.player))
            case Ended():
                self._close()
                self._done.append(Passage(sentence(event.tell(self.program, self.viewer)), NEWS))
        self._last = event

    def _entered(self, event: Entered) -> None:
        if event.turn:
            self._close()
            player = event.arguments[0] if event.arguments else None
            if isinstance(player, int):
                self._opening, self._who = f"{player_name(player)}'s turn", player
        elif event.phase:
            self._close()
            self._done.append(Passage(f"{words(self.program.rules[event.rule].name)} {event.times}", HEADING))

    def _choice(self, event: Choice) -> None:
        label = self._read(event.label)
        who = player_name(event.player)
        if isinstance(event, Answered):
            self._close()
            self._opening, self._who = who, event.player
            own = event.player == self.viewer
            self._clauses.append(f"{label or 'nothing'} (the others do not know yet)" if own else "has chosen")
            self._close()
            return
        if isinstance(event, Declined) and event.kind in ("abilities", "several"):
            return
        if event.kind == "abilities":
            self._clauses.append(f"{who} uses {label}")
            return
        prompt = self._read(event.prompt)
        if isinstance(event, Declined):
            said = f"declines {label}" if event.kind == "may" else f"{prompt}: none" if prompt else "chooses nothing"
        else:
            said = f"{prompt}: {label}" if prompt and event.kind in ("pick", "several") else label
        if self._opening == f"{who}'s turn" and not self._clauses:
            self._opening = who
        elif self._who != event.player or not self._opening or isinstance(self._last, Entered):
            self._close()
            self._opening, self._who = who, event.player
        self._clauses.append(said)

    def _used(self, event: Used) -> None:
        last = self._last
        if isinstance(last, Choice) and last.kind == "abilities":
            return  # the choice has said it
        if event.card is None:
            if event.text:
                self._close()
                self._done.append(Passage(sentence(event.text), NEWS))
            return
        whose = "" if event.owner is None else f"{player_name(event.owner)}'s "
        name = self._name(event.card)
        self._clauses.append(f"{whose}{'card' if whose and name == UNSEEN_CARD else name}: {event.text}")

    def _showed(self, event: Showed) -> None:
        look = "look at" if len(event.players) > 1 else "looks at"
        where = f" ({zone_name(self.program, event.zone)})" if event.zone >= 0 else ""
        self._clauses.append(f"{seats_text(event.players)} {look} {self._name(event.card)}{where}")

    # ── moves ──

    def _same_heap(self, before: Moved, now: Moved) -> bool:
        """The same way for another card; or cards dealt round and round from one place."""
        if before.origin != now.origin or before.under != now.under:
            return False
        a, b = self.program.zones[before.target], self.program.zones[now.target]
        return before.target == now.target or (before.card.slot != now.card.slot and a.family == b.family and a.owner != b.owner)

    def _close_heap(self) -> None:
        heap, self._heap = self._heap, []
        if not heap:
            return
        targets = list(dict.fromkeys(move.target for move in heap))
        if len(targets) > 1:
            counts = {sum(move.target == target for move in heap) for target in targets}
            number = counts.pop() if len(counts) == 1 else None
            owners = [self.program.zones[target].owner for target in targets]
            each = f"{_cards(number)} each" if number else "cards"
            seats = tuple(owner for owner in owners if owner is not None)
            where = words(self.program.zones[targets[0]].name)
            all_of_them = "everybody" if len(seats) == self.program.players else seats_text(seats)
            self._clauses.append(f"{each} from {self._place(heap[0].origin)} to the {where} of {all_of_them}")
            return
        named = [self._name(move.card) for move in heap]
        unseen = sum(name == UNSEEN_CARD for name in named)
        seen = [name for name in named if name != UNSEEN_CARD]
        what = and_list([*grouped(seen), *([_cards(unseen)] if unseen else [])])
        way = f"{'under' if heap[0].under else '→'} {self._place(heap[0].target)}"
        if len(heap) == 1 and self._clauses and self._just_named(heap[0].card):
            self._clauses[-1] += f" {way}"
            return
        came = self._from(heap[0])
        self._clauses.append(f"{what}{came} {way}")

    def _from(self, move: Moved) -> str:
        if move.origin < 0:
            return ""
        return f" from {self._place(move.origin)}"

    def _place(self, zone: int) -> str:
        return "the box" if zone < 0 else zone_name(self.program, zone)

    def _just_named(self, card: Sight) -> bool:
        """The last clause ends with this card's name, so "→ discard" can follow."""
        name = self._name(card)
        return bool(self._clauses) and name != UNSEEN_CARD and (
            self._clauses[-1].endswith(name) or self._clauses[-1].endswith(f"{name} is revealed")
        )

    # ── variables ──

    def _close_changes(self) -> None:
        changes, self._changes = self._changes, []
        groups: list[list[Changed]] = []
        for change in changes:
            value = self._read(change.value)
            for group in groups:
                if self._family(group[0]) == self._family(change) and self._read(group[0].value) == value:
                    group.append(change)
                    break
            else:
                groups.append([change])
        for group in groups:
            self._clauses.append(self._change(group))

    def _family(self, change: Changed) -> int:
        return self.program.variables[change.variable].family

    def _change(self, group: Sequence[Changed]) -> str:
        info = self.program.variables[group[0].variable]
        name = words(info.name)
        value = self._read(group[0].value)
        indexes = [
            plain(self.program, index_type, index)
            for change in group
            for index_type, index in zip(info.index_types, self.program.variables[change.variable].indexes, strict=True)
        ]
        owners = ""
        if indexes:
            size = sum(other.family == info.family for other in self.program.variables)
            owners = "all" if len(group) == size > 1 else and_list(indexes)
        if info.type == types.FLAG:
            is_so = name if value == "yes" else f"not {name}"
            return f"{owners}: {is_so}" if owners else is_so
        return f"{name} of {owners}: {value}" if owners else f"{name}: {value}"

    # ── words ──

    def _name(self, card: Sight) -> str:
        return self.card_name(card.design) if card.by(self.viewer) else UNSEEN_CARD

    def _read(self, parts: SeenParts) -> str:
        return read_as(parts, self.viewer, self.card_name)

    def _close(self) -> None:
        self._close_heap()
        self._close_changes()
        if self._clauses:
            body = "; ".join(self._clauses)
            said = f"{self._opening}: {body}" if self._opening else body
            self._done.append(Passage(sentence(said), PARAGRAPH, self._who))
        self._opening, self._who, self._clauses = "", None, []


def read_as(parts: SeenParts, viewer: int, card_name: Callable[[int], str]) -> str:
    """A kept text as a viewer reads it, cards called what `card_name` says."""
    sights = [part for part in parts if isinstance(part, Sight)]
    numbers = iter(range(len(sights)))
    mentions: Parts = tuple(part if isinstance(part, str) else Mention(next(numbers)) for part in parts)
    return text(mentions, lambda i: sights[i].by(viewer), lambda i: card_name(sights[i].design))


def grouped(names: Sequence[str]) -> list[str]:
    """Equal names together: `2 × Ferryman`."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [name if n == 1 else f"{n} × {name}" for name, n in counts.items()]


def sentence(said: str) -> str:
    said = said.strip()
    stop = "" if said.endswith((".", "!", "?", ":", "…")) else "."
    return said[:1].upper() + said[1:] + stop


def _cards(n: int | None) -> str:
    return UNSEEN_CARD if n == 1 else f"{n} cards"
