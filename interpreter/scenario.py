"""Running the `test` blocks of a rules file: given a position, when this is played, expect that.

A test starts with all cards in the zones of their tables, unshuffled, and nothing running. `when rule(…)` calls a rule there;
what it asks is answered by the lines that follow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from dsl import model
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span
from interpreter import play
from interpreter.decisions import picked_so_far
from interpreter.expectations import Failed, Position
from interpreter.faults import Fault, RuleError, Unwind
from interpreter.observer import Witness
from interpreter.play import Rules
from interpreter.runtime import Named
from interpreter.state import DECLINE, FINISHED, NOWHERE, PLAYING, SETUP, STEPS_BETWEEN_DECISIONS, State


@frozen
class Outcome:
    """`failure` None: passed."""

    test: str
    span: Span
    failure: Diagnostic | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None


def run(rules: Rules, test: model.Test, seed: int = 0, look: Callable[[State], object] | None = None) -> Outcome:
    """Run one test of a game that was composed with the test's options. `look` is shown the state after each line."""
    try:
        _Run(rules.for_tests, test, seed, look).lines()
    except Failed as failed:
        return outcome(test, failed.diagnostic)
    except Fault as fault:
        return outcome(test, fault.diagnostic)
    return outcome(test, None)


def outcome(test: model.Test, failure: Diagnostic | None) -> Outcome:
    """How a test went; of one with cases, which case it was."""
    if failure is not None and test.row is not None:
        failure = evolve(failure, others=(*failure.others, Label(test.row, "in this case")))
    return Outcome(test.title, test.span, failure)


@define
class _Run(Position):
    test: model.Test
    seed: int
    look: Callable[[State], object] | None = None
    script: list[Any] = field(init=False, factory=list)
    started: bool = field(init=False, default=False)
    decisions: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        counts = [line.count for line in self.test.lines if isinstance(line, model.GivenPlayers)]
        self.players = counts[0] if counts else self.rules.game.players[0]
        self.code = self.rules.code(self.players, observed=True)
        self.witness = Witness.of(self.code.program)
        seeds = [line.seed for line in self.test.lines if isinstance(line, model.GivenSeed)]
        self.state = play.new_state(self.code, seeds[0] if seeds else self.seed, observer=self.witness)
        self.state.used = Named()
        self.state.called = True
        self.state.phase = PLAYING
        for number, (variable, _) in enumerate(self.code.program.initial_code):
            self.state.vars[variable] = self.code.names[f"n{number}"](self.state)

    def lines(self) -> None:
        for line in self.test.lines:
            assert self.state.used is not None
            self.state.used.line.clear()
            self.state.used.giving = isinstance(line, model.GivenZone)
            if isinstance(line, model.GivenPlayers | model.GivenSeed):
                continue
            try:
                self.line(line)
            except RuleError as error:
                raise Failed(error.title, line.span, error.hint, code=error.code) from None
            if self.look is not None:
                self.look(self.state)
        self.nothing_left(self.test.lines[-1].span if self.test.lines else self.test.span)

    def line(self, line: model.Statement) -> None:
        if isinstance(line, model.GivenZone):
            self.given_zone(line)
        elif isinstance(line, model.GivenVar):
            self.state.vars[self.variable(line.variable, line.indexes)] = self.value(line.value)
        elif isinstance(line, model.GivenRoll):
            values = [self.value(value) for value in line.values]
            number, count = self.rules.game.dice.index(line.dice), line.dice.count
            if len(values) % count:
                raise Failed(f"{line.dice.name} are {count} dice: give {count} numbers for each roll", line.span)
            for i in range(0, len(values), count):
                self.script.append((f"roll {number}", tuple(values[i : i + count])))
        elif isinstance(line, model.GivenChance):
            self.script += [("pick", self.answer(answer)) for answer in line.values]
        else:
            self.watch()
            self.played(line)

    def played(self, line: model.Statement) -> None:
        if isinstance(line, model.WhenRule | model.WhenChooses | model.WhenDeclines):
            self.told = len(self.witness.log)
        if isinstance(line, model.WhenRule):
            self.when_rule(line)
        elif isinstance(line, model.WhenChooses):
            self.when_chooses(line)
        elif isinstance(line, model.WhenDeclines):
            self.asked(line.player, line.span)
            assert self.state.options is not None
            if self.state.options[-1] is not DECLINE:
                raise Failed(f"{self.player(self.state.asked)} cannot decline here", line.span, self.offered())
            self.choose(len(self.state.options) - 1, line.span)
        else:
            self.expected(line)

    # ── given ──

    def given_zone(self, line: model.GivenZone) -> None:
        state = self.state
        zone: int = self.value(line.zone)
        rest: list[int] = []
        items = line.value
        if isinstance(items, model.Items):
            cards = [self.value(item) for item in items.items]
            if items.rest:
                rest = [card for card in state.zones[zone] if card not in cards]
        else:
            cards = list(self.value(items))
        assert state.used is not None
        state.used.placed.update(cards)
        pile = self.code.program.zones[zone].shape == "pile"
        for card in state.zones[zone]:
            state.where[card] = NOWHERE
        state.zones[zone].clear()
        wanted = [*rest, *reversed(cards)] if pile else [*cards, *rest]
        for card in wanted:
            state.put(card, zone)
        where = state.where
        state.in_play = tuple(tuple(card for card in slots if where[card] >= 0) for slots in self.code.program.cards_of)
        self.started = False

    def watch(self) -> None:
        """The position is as given: from here on somebody watches who sees what."""
        if not self.started and not self.state.stack:
            self.started = True
            self.witness.look(self.state)

    # ── when ──

    def nothing_left(self, span: Span) -> None:
        if self.state.script:
            kind, value = self.state.script[0]
            raise Failed(f"chance was given `{value}`, but nothing asked for it", span, f"it was to be a {kind.split()[0]}")

    def when_rule(self, line: model.WhenRule) -> None:
        state = self.state
        if state.options is not None:
            asked = self.player(state.asked)
            raise Failed(f"a rule cannot be called while {asked} is asked", line.span, f"answer first: `when {asked} chooses …`")
        self.nothing_left(line.span)
        arguments = [self.value(argument) for argument in line.arguments]
        number = self.rules.game.rules.index(line.rule)
        state.script, self.script = deque(self.script), []
        program = self.code.program
        state.phase = SETUP if number == program.setup else PLAYING
        state.called = number != program.main
        state.steps = self.code.budget or STEPS_BETWEEN_DECISIONS
        state.result = None

        def call(s: State) -> None:
            try:
                value = self.code.names[f"r{number}"](s, *arguments)
            except Unwind as unwind:
                play.unwound(s, unwind)
                value = None
            if not program.rules[number].framed:
                s.result = value
            play.run(s)

        play.guard(state, call)
        self.over(line.span)

    def over(self, span: Span) -> None:
        """After something was played: whatever ran is over or asks; the invariants hold, and what is never to be is not."""
        state = self.state
        if not state.stack and state.phase != FINISHED:
            state.phase = PLAYING
        for number in play.broken_invariants(state):
            invariant = self.rules.game.invariants[number]
            raise Failed(f"the invariant “{invariant.text}” does not hold", span, notes=(Label(invariant.span, "here"),))
        for number, claim in self.code.program.properties.items():
            if claim.kind == "never" and play.guard(state, self.code.names[f"p{number}"], self.decisions):
                declared = self.rules.game.properties[number]
                raise Failed(f"the property “{claim.text}” does not hold", span, notes=(Label(declared.span, "here"),))

    def choose(self, index: int, span: Span) -> None:
        self.decisions += 1
        play.choose(self.state, index)
        self.over(span)

    def when_chooses(self, line: model.WhenChooses) -> None:
        self.asked(line.player, line.span)
        state = self.state
        site = self.code.program.sites[state.site]
        answers = [self.fitting(site, number, answer) for number, answer in enumerate(line.answers)]
        if site.kind == "several":
            for number, (wanted, answer) in enumerate(zip(answers, line.answers, strict=True)):
                if number and not picked_so_far(state):
                    raise Failed("that is more than can be chosen here", answer.span)
                self.choose(self.index(wanted, answer.span), line.span)
            if picked_so_far(state):
                assert state.options is not None
                if state.options[-1] is not DECLINE:
                    raise Failed("that is less than must be chosen here", line.span, self.offered())
                self.choose(len(state.options) - 1, line.span)
        else:
            parts = len(site.lines[0].types) if site.kind == "pick" else 1
            if len(answers) != parts:
                what = "one answer is" if parts == 1 else f"{parts} answers are"
                raise Failed(f"{what} wanted here, not {len(answers)}", line.span, self.offered())
            self.choose(self.index(answers[0] if parts == 1 else tuple(answers), line.span), line.span)

    def index(self, wanted: Any, span: Span) -> int:
        """Which option is meant: by value, label or card name."""
        state = self.state
        options = state.options or ()
        values = [value for value in options if value is not DECLINE]
        if isinstance(wanted, tuple) and any(isinstance(part, str) for part in wanted):
            kinds = self.code.program.sites[state.site].lines[0].types
            parts = zip(kinds, wanted, strict=True)
            wanted = " ".join(part if isinstance(part, str) else self.shown(of, part) for of, part in parts)
        try:
            return self.code.match(state, state.site, values, wanted)
        except RuleError as error:
            of = self.code.program.sites[state.site].lines
            name = wanted
            if not isinstance(wanted, str) and of and of[0].types and not isinstance(wanted, tuple):
                name = self.shown(of[0].types[0], wanted)
            raise Failed(f"{self.player(state.asked)} cannot choose `{name}` now", span, error.hint, code=error.code) from None
