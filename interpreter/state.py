"""The running game as data: zones, variables, who is alive, the stack of frames, and the generator.

A frame is a list `[pc, local, local, …]`: `pc` numbers a block of the compiled program. Nothing else holds a running game,
so a state can be copied, compared, hashed and resumed at every decision.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.chance import below, shuffle
from interpreter.faults import RuleError

if TYPE_CHECKING:
    from interpreter.compile import Code
    from interpreter.runtime import Named

SETUP, PLAYING, FINISHED, CLOSING = range(4)
"""of a game; closing: the body of the main rule is over, what hangs on it still runs, and no ending is judged any more"""
NOWHERE = -1
LARGEST = (1 << 63) - 1
SMALLEST = -(1 << 63)
LONGEST_LIST = 100_000
STEPS_BETWEEN_DECISIONS = 1_000_000
"""the most that the shipped games need in random play is 20 thousand (Dead End Drive)"""
DEEPEST_STACK = 2_000

Frame = list[Any]


class Declined:
    """The option of not choosing, always the last one."""

    def __repr__(self) -> str:
        return "declined"

    def __copy__(self) -> Declined:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Declined:
        return self


DECLINE = Declined()


class Observer(Protocol):
    """Told of everything that happens, just after it happened; `kind` and `data` as listed in `interpreter/events.py`."""

    def note(self, state: State, kind: str, *data: Any) -> None: ...


class State:
    """One running game. Made by `interpreter.play.start`; moved on by `interpreter.play.choose`.

    At a decision `options` is the tuple of values to choose from (never empty), `asked` the seat that chooses and `site` the
    place in the rules that asks; `options` is None when the game is over."""

    __slots__ = (
        "answer", "asked", "called", "code", "faces", "in_play", "live", "observer", "options", "phase", "reason", "result",
        "rng", "script", "site", "stack", "steps", "used", "vars", "where", "zones",
    )  # fmt: skip

    code: Code
    zones: list[list[int]]
    """slots of the cards in each zone: piles from the bottom, rows from the left, sets in card order"""
    where: list[int]
    """zone of each slot, NOWHERE if out of play"""
    faces: list[int]
    """design of each slot"""
    vars: list[Any]
    live: tuple[int, ...]
    """seats still in the game, in seat order"""
    stack: list[Frame]
    rng: int
    options: Sequence[Any] | None
    asked: int
    site: int
    answer: Any
    phase: int
    reason: int
    """the ending that ended the game, -1 if it simply ran out"""
    result: Any
    """of the last rule that returned one"""
    steps: int
    """left until the next decision must have come"""
    observer: Observer | None
    script: deque[Any] | None
    """what chance does next (tests, replays by hand); None: the generator alone decides"""
    in_play: tuple[tuple[int, ...], ...]
    """slots of each card type that are in play"""
    called: bool
    """a rule was called from outside (by a test): when it is over, nothing follows"""
    used: Named | None
    """in a test: which cards its quoted names have meant"""

    def copy(self) -> State:
        """An independent copy, without the observer."""
        new = State.__new__(State)
        new.code = self.code
        new.zones = [zone[:] for zone in self.zones]
        new.where = self.where[:]
        new.faces = self.faces[:]
        new.vars = self.vars[:]
        new.live = self.live
        new.stack = [frame[:] for frame in self.stack]
        new.rng = self.rng
        new.options = self.options
        new.asked = self.asked
        new.site = self.site
        new.answer = None
        new.phase = self.phase
        new.reason = self.reason
        new.result = self.result
        new.steps = self.steps
        new.observer = None
        new.script = None if self.script is None else deque(self.script)
        new.in_play = self.in_play
        new.called = self.called
        new.used = None
        return new

    # ── comparing ──

    def canonical(self) -> Hashable:
        """What makes two states the same: contents of the zones by design, variables, frames, roster, generator, phase.

        A card in a variable or a frame counts as its design and place, so that equal copies may stand for one another."""
        from interpreter.canonical import canonical

        return canonical(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.code.program is other.code.program and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash(self.canonical())

    # ── moving cards (called by generated code) ──

    def put(self, card: int, zone: int) -> None:
        """Move a card: on top of a pile, to the end of a row, to its place in a set or a sorted zone."""
        zones = self.zones
        where = self.where
        old = where[card]
        if old >= 0:
            source = zones[old]
            if source[-1] == card:
                source.pop()
            else:
                source.remove(card)
        where[card] = zone
        key = self.code.order_of[zone]
        if key is None:
            zones[zone].append(card)
        else:
            key(self, zones[zone], card)

    def put_last(self, card: int, zone: int) -> None:
        """`put` where the zone is known to keep no order of its own."""
        zones = self.zones
        where = self.where
        old = where[card]
        if old >= 0:
            source = zones[old]
            if source[-1] == card:
                source.pop()
            else:
                source.remove(card)
        where[card] = zone
        zones[zone].append(card)

    def put_in_set(self, card: int, zone: int) -> None:
        """`put` where the zone is known to be a set in card order."""
        zones = self.zones
        where = self.where
        old = where[card]
        if old >= 0:
            source = zones[old]
            if source[-1] == card:
                source.pop()
            else:
                source.remove(card)
        where[card] = zone
        target = zones[zone]
        if target:
            insort(target, card, key=self.faces.__getitem__)
        else:
            target.append(card)

    def put_under(self, card: int, zone: int) -> None:
        """Move a card to the bottom of a pile or the beginning of a row (in a set or a sorted zone its place is its place)."""
        if self.code.order_of[zone] is not None:
            self.put(card, zone)
            return
        old = self.where[card]
        if old >= 0:
            self.zones[old].remove(card)
        self.where[card] = zone
        self.zones[zone].insert(0, card)

    def put_all(self, cards: Sequence[int], zone: int) -> None:
        """Move several cards in order."""
        if self.code.order_of[zone] is not None:
            for card in cards:
                self.put(card, zone)
            return
        zones = self.zones
        where = self.where
        target = zones[zone]
        if len(cards) > 8 and len(set(cards)) == len(cards):
            old = where[cards[0]]
            if old >= 0 and old != zone and len(cards) == len(zones[old]) and all(where[card] == old for card in cards):
                zones[old].clear()  # a whole zone: no need to look for each
                for card in cards:
                    where[card] = zone
                target.extend(cards)
                return
        for card in cards:
            old = where[card]
            if old >= 0:
                zones[old].remove(card)
            where[card] = zone
            target.append(card)

    def put_family(self, first: int, count: int, zone: int) -> None:
        """Move all cards of zones that lie one after another into a zone that keeps no order of its own and is none of them."""
        where = self.where
        target = self.zones[zone]
        for cards in self.zones[first : first + count]:
            if len(cards) == 1:
                card = cards.pop()
                where[card] = zone
                target.append(card)
            elif cards:
                for card in cards:
                    where[card] = zone
                target.extend(cards)
                cards.clear()

    def deal_round(self, count: int | None, source: int, targets: Sequence[int]) -> None:
        """Deal top cards one at a time, round and round, as many as there are; `count` None is all."""
        zones = self.zones
        pile = zones[source]
        n = len(targets)
        if not n:
            return
        total = len(pile) if count is None else max(0, min(len(pile), count * n))
        if not total:
            return
        where = self.where
        order_of = self.code.order_of
        if source in targets or (n > 1 and len(set(targets)) < n):
            for i in range(total):
                self.put(pile[-1], targets[i % n])
            return
        # While no faces were dealt anew slots are in the order of their designs.
        by_face = None if self.faces == self.code.slots_in_order else self.faces.__getitem__
        dealt = pile[: -total - 1 : -1]
        del pile[-total:]
        for i in range(min(n, total)):
            target = targets[i]
            cards = dealt[i::n]
            for card in cards:
                where[card] = target
            key = order_of[target]
            if key is None:
                zones[target].extend(cards)
            elif key is by_card:
                zones[target].extend(cards)
                zones[target].sort(key=by_face)
            else:
                zone = zones[target]
                for card in cards:
                    key(self, zone, card)

    def scripted(self, kind: str) -> Any:
        """What the script says chance does next, None if the generator decides."""
        script = self.script
        if script and script[0][0] == kind:
            return script.popleft()[1]
        return None

    def shuffle(self, zone: int) -> None:
        cards = self.zones[zone]
        if self.script is not None:
            wanted = self.scripted("shuffle")
            if wanted is not None:  # names from the top; the rest is shuffled below
                names = self.code.design_names
                top: list[int] = []
                rest = cards[:]
                for name in wanted:
                    for card in rest:
                        if names[self.faces[card]] == name:
                            top.append(card)
                            rest.remove(card)
                            break
                    else:
                        raise RuleError("CG1012", f"the script wants `{name}`, which is not among the cards shuffled")
                self.rng = shuffle(self.rng, rest)
                cards[:] = rest + top[::-1]
                return
        if self.code.order_of[zone] is None:
            self.rng = shuffle(self.rng, cards)

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1."""
        self.rng, value = below(self.rng, n)
        return value

    def sample(self, values: Sequence[Any], count: int) -> tuple[Any, ...]:
        """`count` different elements at random, in random order (all if there are fewer)."""
        rest = list(values)
        count = max(0, min(count, len(rest)))
        for i in range(count):
            j = i + self.below(len(rest) - i)
            rest[i], rest[j] = rest[j], rest[i]
        return tuple(rest[:count])

    def roll(self, dice: int) -> None:
        info = self.code.program.dice[dice]
        wanted = self.scripted(f"roll {dice}") if self.script is not None else None
        if wanted is not None:
            self.vars[info.variable] = tuple(wanted)
        else:
            self.vars[info.variable] = tuple(info.faces[self.below(len(info.faces))] for _ in range(info.count))

    def eliminate(self, player: int) -> None:
        self.live = tuple(p for p in self.live if p != player)

    # ── bounds ──

    def charge(self, values: Sequence[Any]) -> Sequence[Any]:
        """Count the turns of a loop over these values against the budget."""
        self.steps -= len(values)
        if self.steps < 0:
            raise too_long()
        return values

    def charge_more(self, values: Sequence[Any], each: int) -> Sequence[Any]:
        """The same for turns that count so many steps each."""
        self.steps -= len(values) * each
        if self.steps < 0:
            raise too_long()
        return values

    def long(self, values: Sequence[Any], fast: int) -> Sequence[Any]:
        """Count an operation that goes through a list, 2**fast elements in a step."""
        self.steps -= len(values) >> fast
        return values

    def join(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
        """One list after another, counted against the budget."""
        self.steps -= (len(left) + len(right)) >> 6
        return not_too_long(left + right)

    def numbers(self, low: int, high: int) -> range:
        """`low..high`, counted against the budget."""
        if high - low >= LONGEST_LIST:
            raise RuleError("CG1004", f"the range {low}..{high} is too long", f"at most {LONGEST_LIST} numbers")
        self.steps -= max(0, high - low)
        if self.steps < 0:
            raise too_long()
        return range(low, high + 1)

    def tick(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise too_long()

    def spend(self, steps: int) -> bool:
        """Count so many steps; always true, so that it can stand in a condition."""
        self.steps -= steps
        if self.steps < 0:
            raise too_long()
        return True


def too_long() -> RuleError:
    return RuleError("CG1002", "the rules went on too long without asking anybody", "a loop that does not end?")


def by_card(state: State, zone: list[int], card: int) -> None:
    """Into a set: in card order, ties by arrival."""
    if zone:
        insort(zone, card, key=state.faces.__getitem__)
    else:
        zone.append(card)


def fits(value: int) -> int:
    """A number as it is if it fits 64 bits."""
    if SMALLEST <= value <= LARGEST:
        return value
    raise RuleError("CG1003", "a number is too large", "numbers are whole, from -2^63 to 2^63 - 1")


def not_too_long(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A list as it is if it is not too long."""
    if len(values) > LONGEST_LIST:
        raise RuleError("CG1004", f"a list has more than {LONGEST_LIST} elements")
    return values
