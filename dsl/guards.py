"""A warning about cards taken from the top, the bottom or an end of a place that nobody has asked whether it is empty.

Visible is a guard if any condition on the way there reads the place, if cards have just been put there, or if an invariant speaks of the
place. The way begins in `game`, an ending or the score, and leads through rules, defines and what is attached to them. So the warning comes
only where nothing at all was asked: it would be useless if right rules had to be rewritten to please it.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define

from dsl import model, walk
from dsl.callgraph import VERBS
from dsl.diagnostics import Label, Report
from dsl.model import BUILTIN_EVENTS, Attachment, Define, Game, Rule, Zone

ENDS = frozenset(("top", "bottom", "first", "last"))

Zones = frozenset[int]
NONE: Zones = frozenset()


@define
class _Unit:
    """What a body or a value does without a guard of its own: takes cards, and calls others; with what it has asked before."""

    taken: list[tuple[model.Property, Zone, Zones]] = Factory(list)
    calls: list[tuple[int, Zones]] = Factory(list)


def check_guards(game: Game, report: Report) -> None:
    """Look through a game that has no errors."""
    guards = _Guards(game)
    guards.build()
    warned: set[int] = set()
    zones = {id(zone): zone for unit in guards.units.values() for _, zone, _ in unit.taken}
    for key, zone in zones.items():
        for unit in guards.reached(key):
            for place, taken_from, asked in unit.taken:
                if taken_from is zone and key not in asked and place.span.start not in warned:
                    warned.add(place.span.start)
                    report.warn(
                        "CG0912",
                        f"`{place.of.span.text}` may be empty here",
                        place.span,
                        f"then there is no .{place.name}, and the game stops",
                        hint=f"ask first: `if {place.of.span.text} is not empty: …`; or, if it never is, say so in an invariant",
                        others=(Label(zone.span, "nothing on the way there asks about it"),),
                    )


@define
class _Guards:
    game: Game
    units: dict[int, _Unit] = Factory(dict)
    attached: dict[int, list[Attachment]] = Factory(dict)
    _read: dict[int, Zones] = Factory(dict)
    _filled: dict[int, Zones] = Factory(dict)
    target: Rule | Define | model.BuiltinEvent | None = None
    """of the attachment that is being looked through"""
    settled: dict[int, Zones] = Factory(dict)
    """what the values of locals have read, by local"""

    def build(self) -> None:
        for attachment in self.game.attachments:
            self.attached.setdefault(id(attachment.target), []).append(attachment)
        for rule in self.game.rules:
            self.block(self.unit(rule), rule.body, NONE)
        for define_ in self.game.defines:
            self.value(self.unit(define_), define_.value, NONE)
        for attachment in self.game.attachments:
            self.target = attachment.target
            unit = self.unit(attachment)
            self.value(unit, attachment.where, NONE)
            asked = self.reads(attachment.where, attachment.patterns)
            self.block(unit, attachment.body, asked)
            self.value(unit, attachment.value, asked)
            self.target = None

    def unit(self, owner: object) -> _Unit:
        return self.units.setdefault(id(owner), _Unit())

    def reached(self, zone: int) -> list[_Unit]:
        """The units to which a way leads on which nothing asks about a zone. What `setup` finds is known."""
        start = _Unit()
        for ending in self.game.endings:
            self.value(start, ending.condition, NONE)
        for line in (line for scoring in self.game.scoring for line in scoring.lines):
            self.value(start, line.condition, NONE)
            self.value(start, line.value, self.reads(line.condition))
        for first in (self.game.main, self.game.winners):
            if first is not None:
                start.calls += [(key, NONE) for key in self.called(first)]
        if zone in self.reads([invariant.value for invariant in self.game.invariants]):
            return []
        found = [start]
        seen: set[int] = set()
        waiting = list(start.calls)
        while waiting:
            key, asked = waiting.pop()
            if zone in asked or key in seen or key not in self.units:
                continue
            seen.add(key)
            found.append(self.units[key])
            waiting += self.units[key].calls
        return found

    # ── what may run, and what it asks and does ──

    def called(self, callee: Rule | Define | model.BuiltinEvent) -> list[int]:
        """The units that may run when this is called."""
        return [id(callee), *(id(attachment) for attachment in self.attached.get(id(callee), []))]

    def reads(self, *parts: object) -> Zones:
        """The zones that an expression asks about, also through the defines it calls and the locals it uses."""
        found: set[int] = set()
        for node in walk.nodes(*parts):
            match node:
                case model.ZoneRef(zone=zone) | model.ZoneFamily(zone=zone) | model.MatchZone(zone=zone):
                    found.add(id(zone))
                case model.CallDefine(define=callee):
                    found |= self.read_by(callee)
                case model.Proceed() if self.target is not None:
                    found |= self.read_by(self.target)
                case model.LocalRef(local=local):
                    found |= self.settled.get(id(local), NONE)
        return frozenset(found)

    def read_by(self, callee: Define | Rule | model.BuiltinEvent) -> Zones:
        """The zones that a define reads, with what is attached to it."""
        if not isinstance(callee, Define):
            return NONE
        if id(callee) not in self._read:
            self._read[id(callee)] = NONE
            values = [attachment.value for attachment in self.attached.get(id(callee), [])]
            self._read[id(callee)] = self.reads(callee.value, values)
        return self._read[id(callee)]

    def filled_by(self, callee: Rule | model.BuiltinEvent) -> Zones:
        """The zones that a rule puts cards into or asks about, whatever it calls included."""
        if id(callee) not in self._filled:
            self._filled[id(callee)] = NONE
            bodies = [callee.body] if isinstance(callee, Rule) else []
            attachments = self.attached.get(id(callee), [])
            asked = self.reads([attachment.where for attachment in attachments])
            self._filled[id(callee)] = asked | self.filled_in(*bodies, *(attachment.body for attachment in attachments))
        return self._filled[id(callee)]

    def filled_in(self, *bodies: object) -> Zones:
        """The same of some statements."""
        found: set[int] = set()
        for node in walk.nodes(*bodies):
            match node:
                case model.Move(to=to) | model.Deal(to=to):
                    found |= self.reads(to)
                case model.If(condition=condition) | model.While(condition=condition):
                    found |= self.reads(condition)
                case model.CallRule(rule=rule):
                    found |= self.filled_by(rule)
                case model.ProceedStatement() if self.target is not None and not isinstance(self.target, Define):
                    found |= self.filled_by(self.target)
        return frozenset(found)

    # ── expressions ──

    def value(self, unit: _Unit, value: object, asked: Zones) -> None:
        """Note what an expression takes and calls, where so much has been asked before."""
        match value:
            case None:
                return
            case model.Binary(op="and" | "or", left=left, right=right):
                self.value(unit, left, asked)
                self.value(unit, right, asked | self.reads(left))
            case model.Choice(value=chosen, condition=condition, otherwise=otherwise):
                self.value(unit, condition, asked)
                asked |= self.reads(condition)
                self.value(unit, chosen, asked)
                self.value(unit, otherwise, asked)
            case model.LetIn(local=local, value=given, body=body):
                self.value(unit, given, asked)
                self.settled[id(local)] = self.reads(given)
                self.value(unit, body, asked)
            case model.Query(binders=binders, value=each, keys=keys):
                asked = self.binders(unit, binders, asked)
                self.value(unit, each, asked)
                for key in keys:
                    self.value(unit, key, asked)
            case model.Property(of=model.ZoneRef(zone=zone) as place, name=name) if name in ENDS:
                unit.taken.append((value, zone, asked))
                self.inside(unit, place, asked)
            case model.CallDefine(define=callee):
                unit.calls += [(key, asked) for key in self.called(callee)]
                self.inside(unit, value, asked)
            case model.Proceed() if self.target is not None:
                unit.calls += [(key, asked) for key in self.called(self.target)]
                self.inside(unit, value, asked)
            case _:
                self.inside(unit, value, asked)

    def inside(self, unit: _Unit, value: object, asked: Zones) -> None:
        for part in walk.parts(value):
            self.value(unit, part, asked)

    def binders(self, unit: _Unit, binders: model.Binders | None, asked: Zones) -> Zones:
        """What has been asked where the elements are used: what they come from, and the condition."""
        if binders is None:
            return asked
        for binding in binders.bindings:
            self.value(unit, binding.source, asked)
            asked |= self.reads(binding.source)
            self.settled[id(binding.local)] = self.reads(binding.source)
        self.value(unit, binders.where, asked)
        return asked | self.reads(binders.where)

    # ── statements ──

    def block(self, unit: _Unit, block: model.Block | None, asked: Zones) -> None:
        for statement in () if block is None else block.statements:
            asked = self.statement(unit, statement, asked)

    def statement(self, unit: _Unit, statement: model.Statement, asked: Zones) -> Zones:
        """Note what a statement takes and calls; what has been asked after it."""
        match statement:
            case model.If(condition=condition, body=body, otherwise=otherwise):
                self.value(unit, condition, asked)
                asked |= self.reads(condition)
                self.block(unit, body, asked)
                self.block(unit, otherwise, asked)
            case model.While(condition=condition, body=body) | model.Repeat(count=condition, body=body):
                self.value(unit, condition, asked)
                asked |= self.reads(condition)
                self.block(unit, body, asked)
            case model.For(binders=binders, body=body):
                self.block(unit, body, self.binders(unit, binders, asked))
            case model.Choose():
                self.choice(unit, statement, asked)
            case model.MayDo(subject=subject, label=label, body=body, otherwise=otherwise):
                self.values(unit, (subject, label), asked)
                self.block(unit, body, asked)
                self.block(unit, otherwise, asked)
            case _:
                self.simple(unit, statement, asked)
        return asked | self.filled_in(statement)

    def simple(self, unit: _Unit, statement: model.Statement, asked: Zones) -> None:
        """A statement without a block."""
        inner = self.binders(unit, statement.binders, asked) if isinstance(statement, model.Deal) else asked
        self.values(unit, (part for part in walk.parts(statement) if not isinstance(part, model.Binders)), inner)
        match statement:
            case model.SetLocal(local=local, value=value):
                self.settled[id(local)] = self.reads(value)
            case model.CallRule(rule=rule):
                unit.calls += [(key, asked) for key in self.called(rule)]
            case model.ProceedStatement() if self.target is not None:
                unit.calls += [(key, asked) for key in self.called(self.target)]
        event = VERBS.get(type(statement))
        if event is not None:
            unit.calls += [(key, asked) for key in self.called(BUILTIN_EVENTS[event])]

    def choice(self, unit: _Unit, choice: model.Choose, asked: Zones) -> None:
        self.value(unit, choice.subject.source if isinstance(choice.subject, model.EachPlayer) else choice.subject, asked)
        self.value(unit, choice.prompt, asked)
        match choice.what:
            case model.PickOne(binders=binders):
                self.block(unit, choice.body, self.binders(unit, binders, asked))
            case model.PickSeveral(least=least, most=most, source=source, local=local):
                self.values(unit, (least, most, source), asked)
                self.settled[id(local)] = self.reads(source)
                self.block(unit, choice.body, asked | self.reads(source))
            case model.Menu(lines=lines):
                for line in lines:
                    here = self.binders(unit, line.binders, asked)
                    self.value(unit, line.condition, here)
                    here |= self.reads(line.condition)
                    self.value(unit, line.label, here)
                    self.block(unit, line.body, here)
        self.block(unit, choice.otherwise, asked)

    def values(self, unit: _Unit, values: Iterable[object], asked: Zones) -> None:
        for value in values:
            self.value(unit, value, asked)
