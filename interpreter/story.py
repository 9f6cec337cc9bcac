"""The log as a story: what happened, told to one viewer in lines, one for each choice with what came of it.

Told so that somebody who looks up from the table knows what he has missed: choices by their label; cards that go the same way
together; a card that is revealed and goes somewhere in one breath; variables by what they have become in the end, unless that
only repeats the choice. What nobody could see is counted, and what changes nothing is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import Factory, define, frozen

from dsl.types import FLAG, Basic, ListType, Optional, Type
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
    SetUp,
    Showed,
    Shuffled,
    Sight,
    Started,
    Used,
    and_list,
    named,
    read,
    seats_text,
)
from interpreter.knowledge import may_look
from interpreter.program import Program
from interpreter.texts import plain, player_name, variable_name, words, zone_name

MANY = 8
"""more cards than this are counted where their names are no news"""


@frozen
class Line:
    """`kind`: start, phase (a rule the main rule calls), turn, choice, answer (sealed), rules (what follows without a choice), end.

    `head` says who did what; `effects` what came of it, a sentence each; `text` is all of it."""

    kind: str
    player: int | None
    head: str
    effects: tuple[str, ...]

    @property
    def text(self) -> str:
        parts = ([self.head] if self.head else []) + list(self.effects)
        return " ".join(f"{part[0].upper()}{part[1:]}." if part[-1] not in ".!?:" else part for part in parts if part)


@define
class Entry:
    """The events of one line: what heads it and what follows."""

    kind: str
    player: int | None
    heads: list[Event]
    body: list[Event] = Factory(list)


def tell(program: Program, events: Sequence[Event], viewer: int | None) -> list[Line]:
    """The story of these events (any stretch of a log) for a seat, or with None for the public."""
    who = program.players if viewer is None else viewer
    lines: list[Line] = []
    for entry in entries(events):
        line = Teller(program, who, entry).line()
        if line is None:
            continue
        if lines and bare_turn(lines[-1]):
            own = line.kind == "choice" and line.player == lines[-1].player
            if own or line.kind in ("turn", "phase", "end"):
                lines.pop()  # it begins with its player's choice, or nothing happened in it
        lines.append(line)
    if lines and bare_turn(lines[-1]):
        lines.pop()  # what it brings is still to come
    return lines


def bare_turn(line: Line) -> bool:
    return line.kind == "turn" and not line.effects


def entries(events: Sequence[Event]) -> Iterator[Entry]:
    """Cut the log where somebody chose, and where turns and phases begin and end."""
    entry = Entry("rules", None, [])
    for event in events:
        if isinstance(event, Choice):
            first = entry.heads[0] if entry.heads else None
            if event.kind == "several" and not entry.body and isinstance(first, Choice) and same_question(first, event):
                entry.heads.append(event)
                continue
            yield entry
            entry = Entry("answer" if isinstance(event, Answered) else "choice", event.player, [event])
        elif isinstance(event, Entered):
            if event.turn or event.phase:
                yield entry
                player = event.arguments[0] if event.turn and event.arguments else None
                entry = Entry("turn" if event.turn else "phase", player if isinstance(player, int) else None, [event])
        elif isinstance(event, Left | Over):
            yield entry
            entry = Entry("rules", None, [])
        elif isinstance(event, Started | SetUp | Ended):
            yield entry
            kind = "end" if isinstance(event, Ended) else "start" if isinstance(event, Started) else "rules"
            entry = Entry(kind, None, [event])
        else:
            entry.body.append(event)
    yield entry


def same_question(first: Choice, event: Choice) -> bool:
    """Successive picks of one choice of several."""
    sealed = isinstance(first, Answered)
    return (first.site, first.player, sealed) == (event.site, event.player, isinstance(event, Answered))


@define
class Way:
    """Cards that went the same way: from one owner's zones of a family to another's."""

    moves: list[Moved]

    @property
    def origins(self) -> list[int]:
        return list(dict.fromkeys(move.origin for move in self.moves))

    @property
    def targets(self) -> list[int]:
        return list(dict.fromkeys(move.target for move in self.moves))


class Teller:
    """Tells one entry to one viewer."""

    def __init__(self, program: Program, viewer: int, entry: Entry) -> None:
        self.program, self.viewer, self.entry = program, viewer, entry

    def line(self) -> Line | None:
        entry = self.entry
        head = self.head()
        sentences = [*self.happenings(), *self.changes()]
        arrow = ""
        if sentences and sentences[0].startswith(" → "):
            arrow = sentences.pop(0)
        if not head and not sentences:
            return None
        return Line(entry.kind, entry.player, head + arrow, tuple(sentences))

    # ── what heads the line ──

    def head(self) -> str:
        heads = self.entry.heads
        if not heads:
            return ""
        first = heads[0]
        if isinstance(first, Started):
            return "setting up" if self.entry.body else ""
        if len(heads) > 1 or (isinstance(first, Choice) and first.kind == "several" and first.slots):
            return self._several([event for event in heads if isinstance(event, Choice)])
        if isinstance(first, Declined) and first.kind == "several":
            return first.tell(self.program, self.viewer).replace(": enough", ": none")
        return first.tell(self.program, self.viewer)

    def _several(self, picks: list[Choice]) -> str:
        """Picked one after another, told as one."""
        first = picks[0]
        sealed = isinstance(first, Answered)
        if sealed and first.player != self.viewer:
            return first.tell(self.program, self.viewer)
        taken = [pick for pick in picks if isinstance(pick, Chose) or (isinstance(pick, Answered) and not pick.declined)]
        names = [part for pick in taken for part in pick.label if isinstance(part, Sight)]
        prompt = f", {read(self.program, first.prompt, self.viewer)}" if first.prompt else ""
        if names and len(names) == sum(len(pick.slots) for pick in taken):
            told = self.cards(names)
        else:
            told = and_list([read(self.program, pick.label, self.viewer) for pick in taken])
        return f"{player_name(first.player)}{prompt}: {told}{' (sealed)' if sealed else ''}"

    @property
    def chooser(self) -> int | None:
        return self.entry.player if self.entry.kind == "choice" else None

    @property
    def chosen(self) -> set[int]:
        """The cards chosen in the head (not those whose ability is used)."""
        return {slot for head in self.entry.heads if isinstance(head, Chose) and head.kind != "abilities" for slot in head.slots}

    # ── what came of it ──

    def happenings(self) -> list[str]:
        """Sentences for everything but variables, in order."""
        events = [event for event in self.entry.body if not isinstance(event, Changed) and self.matters(event)]
        sentences: list[str] = []
        i = 0
        while i < len(events):
            event = events[i]
            run = [event]
            while i + len(run) < len(events) and self.together(event, events[i + len(run)]):
                run.append(events[i + len(run)])
            i += len(run)
            if isinstance(event, Moved):
                sentences += self.moves([move for move in run if isinstance(move, Moved)], first=not sentences)
            elif isinstance(event, Revealed):
                cards = [one.card for one in run if isinstance(one, Revealed)]
                moved: list[Moved] = []
                while i < len(events) and len(moved) < len(cards):
                    following = events[i]
                    if not isinstance(following, Moved) or following.card.slot != cards[len(moved)].slot:
                        break
                    moved.append(following)
                    i += 1
                sentences.append(self.revealed(cards, moved))
                if len(moved) not in (0, len(cards)) or len({move.target for move in moved}) > 1:
                    sentences += self.moves(moved, first=False)
            elif isinstance(event, Shuffled):
                zones = [one.zone for one in run if isinstance(one, Shuffled)]
                sentences.append(self.shuffled(list(dict.fromkeys(zones))))
            elif isinstance(event, Showed):
                sentences.append(self.showed([one for one in run if isinstance(one, Showed)]))
            elif isinstance(event, Eliminated):
                out = [one.player for one in run if isinstance(one, Eliminated)]
                sentences.append(f"{seats_text(out)} {'is' if len(out) == 1 else 'are'} out of the game")
            else:
                sentences.append(event.tell(self.program, self.viewer))
        return [sentence for sentence in sentences if sentence]

    def matters(self, event: Event) -> bool:
        """Leave out what taught nobody anything, what a choice has said already, and rules that only go by."""
        if isinstance(event, Revealed | Showed):
            return event.news
        if isinstance(event, Entered):
            return False
        if isinstance(event, Used):
            return bool(event.text) and not any(
                isinstance(head, Chose)
                and head.kind == "abilities"
                and head.value == (event.attachment, event.card and event.card.slot)
                for head in self.entry.heads
            )
        if isinstance(event, Moved):
            return event.origin != event.target or event.under or self.program.zones[event.target].shape != "set"
        if isinstance(event, Picked):
            return not self.repeated(event)
        return True

    def repeated(self, picked: Picked) -> bool:
        """Does what follows tell what chance picked?"""
        if picked.slots:
            told = {event.card.slot for event in self.entry.body if isinstance(event, Moved | Revealed)}
            return set(picked.slots) <= told
        return any(
            isinstance(event, Changed) and event.new == picked.value and self.worth_telling(event) for event in self.entry.body
        )

    @staticmethod
    def together(first: Event, event: Event) -> bool:
        if isinstance(first, Showed):
            return isinstance(event, Showed) and event.players == first.players
        return type(event) is type(first) and isinstance(event, Moved | Revealed | Shuffled | Eliminated)

    # ── cards ──

    def moves(self, moves: list[Moved], *, first: bool) -> list[str]:
        """Sentences for a run of moves. The way of the cards just chosen is an arrow behind the choice."""
        sentences: list[str] = []
        ways = self.ways(moves)
        chosen = self.chosen
        if first and chosen and {move.card.slot for move in ways[0].moves} == chosen and len(ways[0].targets) == 1:
            way = ways.pop(0)
            sentences.append(f" → {'under ' if way.moves[0].under else ''}{self.place(way.targets, self.chooser)}")
        for deal in self.deals(ways):
            sentences.append(self.dealt(deal) if len(deal) > 1 else self.way(deal[0]))
        return sentences

    def ways(self, moves: list[Moved]) -> list[Way]:
        """Moves with the same families and owners at both ends, in order of the first; a card that goes on is told where it
        ends up unless somebody saw something new on the way."""
        zones = self.program.zones
        ways: dict[object, Way] = {}
        for move in moves:
            origin = (-1, None) if move.origin < 0 else (zones[move.origin].family, zones[move.origin].owner)
            gathered = move.origin >= 0 and zones[move.origin].owner is not None and self.gathers(moves, move)
            target = zones[move.target]
            key = (origin[0] if gathered else origin, target.family, target.owner, move.under)
            ways.setdefault(key, Way([])).moves.append(move)
        return list(ways.values())

    def gathers(self, moves: list[Moved], move: Moved) -> bool:
        """Cards of several owners go to one place: they are told together."""
        zones = self.program.zones
        family = zones[move.origin].family
        same = [m for m in moves if m.origin >= 0 and zones[m.origin].family == family and m.target == move.target]
        return len({m.origin for m in same}) > 1

    def deals(self, ways: list[Way]) -> Iterator[list[Way]]:
        """Ways from one place to the same family of several owners, with equally many cards the viewer cannot see, together."""
        zones = self.program.zones
        open_: list[Way] = []

        def alike(way: Way) -> bool:
            if not open_:
                return False
            a, b = open_[0], way
            return (
                a.origins == b.origins
                and zones[a.targets[0]].family == zones[b.targets[0]].family
                and len(a.moves) == len(b.moves)
                and a.moves[0].under == b.moves[0].under
            )

        for way in ways:
            dealable = (
                len(way.targets) == 1 and zones[way.targets[0]].owner is not None and not any(self.sees(m) for m in way.moves)
            )
            if dealable and alike(way):
                open_.append(way)
                continue
            if open_:
                yield open_
            open_ = []
            if dealable:
                open_ = [way]
            else:
                yield [way]
        if open_:
            yield open_

    def sees(self, move: Moved) -> bool:
        return move.card.by(self.viewer)

    def way(self, way: Way) -> str:
        cards = [move.card for move in way.moves]
        if len(way.targets) == 1 and self.program.zones[way.targets[0]].shape == "set":
            cards.sort(key=lambda card: card.design)
        what = f"{self.cards(cards, self.is_news(way))} {'goes' if len(cards) == 1 else 'go'}"
        under = way.moves[0].under
        if way.origins == way.targets:
            pile = self.program.zones[way.targets[0]].shape == "pile"
            return f"{what} {'under' if under else 'on top of' if pile else 'to the end of'} {self.place(way.targets)}"
        origin = f" from {self.place(way.origins)}" if way.origins != [-1] else ""
        owners = {self.program.zones[zone].owner if zone >= 0 else None for zone in way.origins}
        whose = owners.pop() if len(owners) == 1 else None
        return f"{what}{origin} {'under' if under else 'to'} {self.place(way.targets, whose)}"

    def shuffled(self, zones: list[int]) -> str:
        several = len(zones) > 1 and len({self.program.zones[zone].family for zone in zones}) > 1
        return f"{self.place(zones)} {'are' if several else 'is'} shuffled"

    def is_news(self, way: Way) -> bool:
        """Does he see here for the first time what the cards are?"""
        zones = self.program.zones
        seen_before = all(origin >= 0 and may_look(zones[origin], self.viewer) for origin in way.origins)
        return not seen_before and all(may_look(zones[target], self.viewer) for target in way.targets)

    def dealt(self, ways: list[Way]) -> str:
        """A deal: equally many unseen cards for several players."""
        owners = [self.program.zones[way.targets[0]].owner for way in ways]
        number = len(ways[0].moves)
        what = "1 card each goes" if number == 1 else f"{number} cards each go"
        family = words(self.program.zones[ways[0].targets[0]].name)
        players = and_list([player_name(owner) for owner in owners if owner is not None])
        return f"{what} from {self.place(ways[0].origins)} to the {family} of {players}"

    def revealed(self, cards: list[Sight], moved: list[Moved]) -> str:
        verb = "is" if len(cards) == 1 else "are"
        sentence = f"{self.cards(cards, True)} {verb} revealed"
        targets = list(dict.fromkeys(move.target for move in moved))
        if len(moved) == len(cards) and len(targets) == 1:
            under = "under " if moved[0].under else "to "
            sentence += f" and {'goes' if len(cards) == 1 else 'go'} {under}{self.place(targets)}"
        return sentence

    def showed(self, shown: list[Showed]) -> str:
        players = shown[0].players
        look = "look at" if len(players) > 1 else "looks at"
        zones = list(dict.fromkeys(event.zone for event in shown))
        if len(zones) > 1 and all(event.card.by(self.viewer) for event in shown):
            names = and_list([f"{named(self.program, event.card, self.viewer)} in {self.place([event.zone])}" for event in shown])
            return f"{seats_text(players)} {look} {names}"
        where = f" in {self.place(zones)}" if zones != [-1] else ""
        return f"{seats_text(players)} {look} {self.cards([event.card for event in shown], True)}{where}"

    def cards(self, cards: Sequence[Sight], news: bool = False) -> str:
        """Names as far as he sees them, and how many others; a lot that he knew already is only counted."""
        names = [self.program.designs[card.design].name for card in cards if card.by(self.viewer)]
        unseen = len(cards) - len(names)
        if len(names) > MANY and not news:
            names, unseen = [], len(cards)
        if unseen:
            more = " more" if names else ""
            names.append(f"{unseen}{more} cards" if unseen > 1 else f"1{more} card" if names else "a card")
        return and_list(names)

    def place(self, zones: Sequence[int], whose: int | None = None) -> str:
        """A zone, or several of one family by what they share. The owner is not named if he is `whose` line it is."""
        infos = [self.program.zones[zone] for zone in zones if zone >= 0]
        if not infos:
            return "the box"
        owners = {info.owner for info in infos}
        owner = infos[0].owner if len(owners) == 1 else None
        prefix = f"{player_name(owner)}'s " if owner is not None else ""
        if len(infos) == 1:
            name = zone_name(self.program, zones[0])
        elif len({info.family for info in infos}) == 1:
            name = f"{prefix}{words(infos[0].name)}"
            if owner is None and None not in owners:
                name = (
                    f"{words(infos[0].name)}"
                    if len(owners) == self.program.players
                    else f"the {words(infos[0].name)} of {seats_text(sorted(o for o in owners if o is not None))}"
                )
        else:
            name = and_list([zone_name(self.program, zone) for zone in zones])
        if whose is not None and owner == whose and name.startswith(prefix):
            name = name[len(prefix) :]
        return name

    # ── variables ──

    def changes(self) -> list[str]:
        """What variables have become by the end of the line, families together."""
        last: dict[int, Changed] = {}
        first: dict[int, Changed] = {}
        for event in self.entry.body:
            if isinstance(event, Changed):
                first.setdefault(event.variable, event)
                last[event.variable] = event
        families: dict[int, list[Changed]] = {}
        for number, event in last.items():
            if first[number].old != event.new and self.worth_telling(event) and not self.says_again(event):
                families.setdefault(self.program.variables[number].family, []).append(event)
        return [self.family(events, first) for events in families.values()]

    def worth_telling(self, event: Changed) -> bool:
        """A variable the viewer may see that holds one plain thing. Lists, and single variables that are cleared, are the rules'
        own notes."""
        info = self.program.variables[event.variable]
        cleared = event.new is None and not info.indexes
        return bool(event.seen >> self.viewer & 1) and not isinstance(bare(info.type), ListType) and not cleared

    def says_again(self, event: Changed) -> bool:
        """Is it just what was chosen, or who chose?"""
        type = bare(self.program.variables[event.variable].type)
        if type == FLAG:
            return False
        for head in self.entry.heads:
            if isinstance(head, Chose) and (type, event.new) in self.chosen_values(head):
                return True
        return isinstance(type, Basic) and type.name == "player" and event.new is not None and event.new == self.chooser

    def chosen_values(self, head: Chose) -> list[tuple[Type, object]]:
        from interpreter.observer import bound_values

        return [(bare(type), value) for type, value in bound_values(self.program.sites[head.site], head.value)]

    def family(self, events: list[Changed], first: dict[int, Changed]) -> str:
        """ "first trick: yes", "total: P1 26 (+20), P2 4", "P3 no longer in round"."""
        program = self.program
        info = program.variables[events[0].variable]
        values = {self.value(event, first[event.variable]) for event in events}
        indexes = [self.index(event) for event in events]
        if bare(info.type) == FLAG and info.indexes and len(values) == 1:
            lost = "no longer " if events[0].old else "not "
            return f"{and_list(indexes)} {'' if events[0].new else lost}{words(info.name)}"
        if len(events) == 1:
            return f"{variable_name(program, events[0].variable)}: {values.pop()}"
        if len(values) == 1:
            return f"{words(info.name)}: {values.pop()} for {and_list(indexes)}"
        each = [f"{index} {self.value(event, first[event.variable])}" for index, event in zip(indexes, events, strict=True)]
        return f"{words(info.name)}: {', '.join(each)}"

    def index(self, event: Changed) -> str:
        info = self.program.variables[event.variable]
        return " ".join(plain(self.program, type, value) for type, value in zip(info.index_types, info.indexes, strict=True))

    def value(self, event: Changed, first: Changed) -> str:
        shown = read(self.program, event.value, self.viewer)
        old, new = first.old, event.new
        info = self.program.variables[event.variable]
        if info.owner is not None and type(old) is int and type(new) is int and old != 0 and bare(info.type) == Basic("number"):
            return f"{shown} ({new - old:+d})"
        return shown


def bare(type: Type) -> Type:
    while isinstance(type, Optional):
        type = type.of
    return type


__all__ = ["Line", "Rolled", "tell"]
