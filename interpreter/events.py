"""What happened, as typed events: made from the notes of observed play, told to each viewer as far as he could see it.

The notes play makes, each just after the thing has happened (`State.observer.note(state, kind, *data)`):

    start ·                                     play · (setup is over)              end · reason (-1 or the ending)
    move · card, origin, target, under          shuffle · zone                      reveal · card
    show · card, players                        roll · dice, values                 set · variable, old, new
    eliminate · player                          chance · site, value                ask · (a decision is open)
    choose · player, site, value, sealed        done · site, player                 ability · attachment, card, owner
    enter · rule, arguments (before its frame is there; that it is over is seen by the frame being gone)

An event keeps the faces of its cards as they were and, bit by bit, which viewers could tell that it was this card: viewer 0 …
are the seats, the last one is the public. So it can be told at any later time without looking at the game again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from dsl.types import Basic
from interpreter.program import Program
from interpreter.texts import UNSEEN_CARD, Mention, player_name, variable_name, words, zone_name


@frozen
class Sight:
    """A card as the log keeps it: its face then, and who could tell (bit `v` for viewer `v`)."""

    slot: int
    design: int
    seen: int

    def by(self, viewer: int) -> bool:
        return bool(self.seen >> viewer & 1)


SeenParts = tuple[str | Sight, ...]


@frozen
class Event:
    """Something that happened. `tell` says it in a sentence without a full stop, "" if there is nothing to say to this viewer."""

    def tell(self, program: Program, viewer: int) -> str:
        return ""


@frozen
class Started(Event):
    """The cards are in the box; setup begins."""


@frozen
class SetUp(Event):
    """Setup is over; play begins."""


@frozen
class Ended(Event):
    """`reason` numbers the ending, -1 if the game simply ran out."""

    reason: int

    def tell(self, program: Program, viewer: int) -> str:
        why = program.endings[self.reason].text if self.reason >= 0 else ""
        return f"the game is over: {why}" if why else "the game is over"


@frozen
class Moved(Event):
    """A card went from a zone (-1: it was out of play) to another."""

    card: Sight
    origin: int
    target: int
    under: bool

    def tell(self, program: Program, viewer: int) -> str:
        origin = f" from {zone_name(program, self.origin)}" if self.origin >= 0 else ""
        target = f"under {zone_name(program, self.target)}" if self.under else f"to {zone_name(program, self.target)}"
        return f"{named(program, self.card, viewer)} goes{origin} {target}"


@frozen
class Shuffled(Event):
    zone: int

    def tell(self, program: Program, viewer: int) -> str:
        return f"{zone_name(program, self.zone)} is shuffled"


@frozen
class Revealed(Event):
    """A card was shown to all. `news`: somebody learnt something by it."""

    card: Sight
    zone: int
    news: bool

    def tell(self, program: Program, viewer: int) -> str:
        return f"{named(program, self.card, viewer)} is revealed"


@frozen
class Showed(Event):
    """A card was shown to some players; the others see that they look at it."""

    card: Sight
    zone: int
    players: tuple[int, ...]
    news: bool

    def tell(self, program: Program, viewer: int) -> str:
        look = "look at" if len(self.players) > 1 else "looks at"
        where = f" in {zone_name(program, self.zone)}" if self.zone >= 0 else ""
        return f"{seats_text(self.players)} {look} {named(program, self.card, viewer)}{where}"


@frozen
class Rolled(Event):
    dice: int
    values: tuple[int, ...]

    def tell(self, program: Program, viewer: int) -> str:
        return f"{words(program.dice[self.dice].name)}: {', '.join(map(str, self.values))}"


@frozen
class Changed(Event):
    """A variable got another value. `seen`: the viewers who may see it; `value` and `before` as they read it."""

    variable: int
    old: object
    new: object
    before: SeenParts
    value: SeenParts
    seen: int

    def tell(self, program: Program, viewer: int) -> str:
        if not self.seen >> viewer & 1:
            return ""
        return f"{variable_name(program, self.variable)}: {read(program, self.value, viewer)}"


@frozen
class Eliminated(Event):
    player: int

    def tell(self, program: Program, viewer: int) -> str:
        return f"{player_name(self.player)} is out of the game"


@frozen
class Used(Event):
    """An ability, or a rule with a text of its own, takes effect. `card` carries it, `owner` is whose it is."""

    attachment: int
    text: str
    card: Sight | None
    owner: int | None

    def tell(self, program: Program, viewer: int) -> str:
        if self.card is None:
            return self.text
        whose = "" if self.owner is None else f"{player_name(self.owner)}'s "
        name = named(program, self.card, viewer)
        return f"{whose}{name if whose == '' or name != UNSEEN_CARD else 'card'}: {self.text}"


@frozen
class Choice(Event):
    """Common to what somebody decided. `slots`: the cards that were chosen; `value` as among the options."""

    player: int
    site: int
    kind: str
    """pick, several, menu, may, abilities"""
    prompt: SeenParts
    label: SeenParts
    value: object
    slots: tuple[int, ...]

    def tell(self, program: Program, viewer: int) -> str:
        who = player_name(self.player)
        label = read(program, self.label, viewer)
        if self.kind == "abilities":
            return f"{who} uses {label}"
        if self.prompt and self.kind in ("pick", "several"):
            return f"{who}, {read(program, self.prompt, viewer)}: {label}"
        return f"{who}: {label}"


@frozen
class Chose(Choice):
    """A choice takes effect. Cards in it are named for whoever could see them once its block was over."""


@frozen
class Declined(Choice):
    """Somebody chose not to; of several, that it is enough."""

    def tell(self, program: Program, viewer: int) -> str:
        who = player_name(self.player)
        prompt = f", {read(program, self.prompt, viewer)}" if self.prompt else ""
        if self.kind == "may":
            return f"{who} declines: {read(program, self.label, viewer)}"
        if self.kind == "abilities":
            return f"{who}: no more"
        return f"{who}{prompt}: {'enough' if self.kind == 'several' else 'none'}"


@frozen
class Answered(Choice):
    """A sealed answer: the others learn that it was given, not what it is."""

    declined: bool

    def tell(self, program: Program, viewer: int) -> str:
        if viewer != self.player:
            return f"{player_name(self.player)} has chosen"
        if self.declined:
            return f"{player_name(self.player)}: none (sealed)"
        return f"{Choice.tell(self, program, viewer)} (sealed)"


@frozen
class Picked(Event):
    """Chance chose."""

    site: int
    label: SeenParts
    value: object
    slots: tuple[int, ...]

    def tell(self, program: Program, viewer: int) -> str:
        return f"by chance: {read(program, self.label, viewer)}"


@frozen
class Entered(Event):
    """A rule began that may ask: `turn` if it is the rule of that name, `phase` if the main rule itself called it.

    `times`: how often it has begun by now."""

    rule: int
    arguments: tuple[object, ...]
    turn: bool
    phase: bool
    times: int

    def tell(self, program: Program, viewer: int) -> str:
        info = program.rules[self.rule]
        types = info.code.local_types
        if self.turn and types and isinstance(types[0], Basic) and types[0].name == "player":
            player = self.arguments[0]
            assert isinstance(player, int)
            return f"{player_name(player)}'s turn"
        return f"{words(info.name)} {self.times}"


@frozen
class Left(Event):
    """A rule that may ask is over."""

    rule: int
    turn: bool
    phase: bool


@frozen
class Over(Event):
    """The rule that asked the last choice is over: what follows is not its doing."""


def named(program: Program, card: Sight, viewer: int) -> str:
    return program.designs[card.design].name if card.by(viewer) else UNSEEN_CARD


def read(program: Program, parts: SeenParts, viewer: int) -> str:
    """A kept text as this viewer reads it."""
    from interpreter.texts import text

    sights = [part for part in parts if isinstance(part, Sight)]
    numbered: list[str | Mention] = []
    for part in parts:
        numbered.append(part if isinstance(part, str) else Mention(sum(isinstance(p, Mention) for p in numbered)))
    return text(tuple(numbered), lambda i: sights[i].by(viewer), lambda i: program.designs[sights[i].design].name)


def seats_text(players: Sequence[int]) -> str:
    return and_list([player_name(player) for player in players])


def and_list(items: Sequence[str]) -> str:
    """ "A", "A and B", "A, B and C"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def kept(parts: Sequence[str | Mention], faces: Sequence[int], seen: Callable[[int], int]) -> SeenParts:
    """A text to keep: mentions with their faces now and who may read them."""
    return tuple(part if isinstance(part, str) else Sight(part.slot, faces[part.slot], seen(part.slot)) for part in parts)
