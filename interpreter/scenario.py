"""Running the `test` blocks of a rules file: given a position, when this is played, expect that.

A test starts with all cards in the zones of their tables, unshuffled, and nothing running. `when rule(…)` calls a rule there;
what it asks is answered by the lines that follow.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from dsl import model, types
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span
from interpreter import play
from interpreter.compile import Code
from interpreter.decisions import picked_so_far
from interpreter.faults import Fault, RuleError, Unwind
from interpreter.judging import Inspector
from interpreter.knowledge import may_read
from interpreter.observer import Witness
from interpreter.play import Rules
from interpreter.program import UNSET, Site
from interpreter.runtime import Named
from interpreter.state import DECLINE, FINISHED, NOWHERE, PLAYING, SETUP, STEPS_BETWEEN_DECISIONS, State
from interpreter.story import tell
from interpreter.views import zone_view
from interpreter.why import why_not

NOT_OFFERED = "CG1011"


@frozen
class Outcome:
    """`failure` None: passed."""

    test: str
    span: Span
    failure: Diagnostic | None = None

    @property
    def passed(self) -> bool:
        return self.failure is None


class Failed(Exception):
    """An expectation that does not hold, or a line that cannot be played."""

    def __init__(
        self, title: str, span: Span, hint: str | None = None, notes: tuple[Label, ...] = (), code: str = "CG0820"
    ) -> None:
        super().__init__(title)
        self.diagnostic = Diagnostic(code, title, span, "", notes, hint)


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
class _Run:
    rules: Rules
    test: model.Test
    seed: int
    look: Callable[[State], object] | None = None
    players: int = field(init=False)
    code: Code = field(init=False)
    state: State = field(init=False)
    witness: Witness = field(init=False)
    script: list[Any] = field(init=False, factory=list)
    started: bool = field(init=False, default=False)
    decisions: int = field(init=False, default=0)
    told: int = field(init=False, default=0)
    """what had happened before the last `when`"""

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
        elif isinstance(line, model.Expect):
            self.expect(line)
        elif isinstance(line, model.ExpectAmong):
            self.expect_among(line)
        elif isinstance(line, model.ExpectRefused):
            self.expect_refused(line)
        elif isinstance(line, model.ExpectBound):
            self.expect_bound(line)
        elif isinstance(line, model.ExpectSeen):
            self.expect_seen(line)
        else:
            assert isinstance(line, model.ExpectHeard)
            self.expect_heard(line)

    # ── values ──

    def value(self, expr: model.Expr) -> Any:
        return Inspector(self.rules, self.state).value(expr)

    def variable(self, variable: model.Variable, indexes: tuple[model.Expr, ...]) -> int:
        """The number of one variable of a family."""
        family = self.rules.lowering(self.players).layout.variable_families[variable]
        steps = zip(indexes, family.strides, strict=True)
        return family.base + sum(int(self.value(index)) * stride for index, stride in steps)

    def answer(self, answer: model.Answer) -> Any:
        return answer.value if isinstance(answer.value, str) else self.value(answer.value)

    def fitting(self, site: Site, number: int, answer: model.Answer) -> Any:
        """An answer to this question; a number is the name of what is no number, such as a space of a track."""
        value = self.answer(answer)
        if isinstance(answer.value, str) or answer.value.type != types.NUMBER:
            return value
        if site.kind == "several":
            kinds = [site.element_type]
        elif site.kind == "pick":
            kinds = list(site.lines[0].types[number : number + 1])
        else:
            kinds = [of for line in site.lines for of in line.types]
        numbers = any(of is not None and types.NUMBER in (of, getattr(of, "of", None)) for of in kinds)
        return value if numbers else str(value)

    def player(self, seat: int) -> str:
        return f"P{seat + 1}"

    def shown(self, of: types.Type, value: object) -> str:
        """A value as the author would write it."""
        return Inspector(self.rules, self.state).shown(of, value)

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

    def asked(self, player: model.Expr, span: Span) -> None:
        """Raises `Failed` unless this player is asked now."""
        seat = self.value(player)
        if self.state.options is None:
            raise Failed(f"{self.player(seat)} is not asked: nobody is", span)
        if self.state.asked != seat:
            raise Failed(f"{self.player(self.state.asked)} is asked, not {self.player(seat)}", span, self.offered())

    def labels(self) -> list[str]:
        state = self.state
        options = [value for value in state.options or () if value is not DECLINE]
        return [self.code.texts.plain_label(state, state.site, value) for value in options]

    def offered(self) -> str:
        return f"{self.player(self.state.asked)} can choose: {', '.join(self.labels())}"

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

    # ── expect ──

    def expect(self, line: model.Expect) -> None:
        self.hold(line.condition)

    def hold(self, condition: model.Expr) -> None:
        """Raises `Failed` at the part of a condition that does not hold."""
        if isinstance(condition, model.Binary) and condition.op == "and":
            self.hold(condition.left)
            self.hold(condition.right)
            return
        assert self.state.used is not None
        self.state.used.line.clear()  # each part may name a card anew
        if self.value(condition):
            return
        raise Failed(
            f"this does not hold: `{' '.join(condition.span.text.split())}`",
            condition.span,
            Inspector(self.rules, self.state).because(condition),
        )

    def expect_among(self, line: model.ExpectAmong) -> None:
        self.asked(line.player, line.span)
        state = self.state
        options = [value for value in state.options or () if value is not DECLINE]
        if line.answers is not None:
            wanted = [self.answer(answer) for answer in line.answers]
        else:
            assert line.options is not None
            wanted = list(self.value(line.options))
        left = list(options)
        for want in wanted:
            try:
                left.pop(self.code.match(state, state.site, left, want))
            except RuleError:
                shown = want if isinstance(want, str) else str(want)
                raise Failed(f"{self.player(state.asked)} cannot choose `{shown}`", line.span, self.offered()) from None
        if left:
            more = ", ".join(self.code.texts.plain_label(state, state.site, value) for value in left)
            raise Failed(f"{self.player(state.asked)} can also choose {more}", line.span, self.offered())

    def expect_refused(self, line: model.ExpectRefused) -> None:
        self.asked(line.player, line.span)
        state = self.state
        wanted = self.answer(line.answer)
        options = [value for value in state.options or () if value is not DECLINE]
        name = wanted if isinstance(wanted, str) else line.answer.span.text.strip('"')
        try:
            self.code.match(state, state.site, options, wanted)
        except RuleError as refusal:
            if refusal.code != NOT_OFFERED:
                raise
        else:
            raise Failed(f"{self.player(state.asked)} can choose `{name}`", line.answer.span, self.offered())
        if line.because is not None:
            reason = why_not(self.rules, state, name).text
            if line.because.casefold() not in reason.casefold():
                raise Failed(f"`{name}` is refused for another reason than “{line.because}”", line.span, f"the reason is: {reason}")

    def expect_bound(self, line: model.ExpectBound) -> None:
        self.asked(line.player, line.span)
        options = self.state.options
        if options is not None and options[-1] is DECLINE:
            raise Failed(f"{self.player(self.state.asked)} can decline here", line.span, self.offered())

    def expect_seen(self, line: model.ExpectSeen) -> None:
        viewer = self.value(line.player)
        if isinstance(line.place, model.VarRef):
            self.expect_read(line, line.place, viewer)
            return
        state = self.state
        seen = zone_view(state, self.witness.knowledge, viewer, self.value(line.place))
        names = self.code.design_names
        shown = [None if design is None else names[design] for design in seen.cards]
        if line.cards is None:
            wanted: list[str | None] = [None] * len(shown)
        else:
            wanted = [None if card is None else self.name_of(card) for card in line.cards]
        ordered = seen.shape != "set"
        if not same_cards(shown, wanted, ordered, line.rest):
            cards = ", ".join("hidden" if name is None else f'"{name}"' for name in shown)
            raise Failed(f"{self.player(viewer)} sees `{line.place.span.text}` as [{cards}]", line.span)

    def expect_read(self, line: model.ExpectSeen, place: model.VarRef, viewer: int) -> None:
        state = self.state
        number = self.variable(place.variable, place.indexes)
        info = self.code.program.variables[number]
        value = state.vars[number]
        known = may_read(info, viewer) and (
            not isinstance(info.type, types.CardType) or self.witness.knowledge.can_point_at(state, viewer, value)
        )
        if not known and line.value is not None:
            raise Failed(f"{self.player(viewer)} does not know `{place.span.text}`", line.span)
        if known and (line.value is None or self.value(line.value) != value):
            shown = "unset" if value is UNSET else self.shown(info.type, value)
            raise Failed(f"{self.player(viewer)} sees `{place.span.text}` as {shown}", line.span)

    def name_of(self, card: model.Expr) -> str:
        """The name of a card that is expected."""
        value = self.value(card)
        return value if isinstance(value, str) else self.code.design_names[self.state.faces[value]]

    def expect_heard(self, line: model.ExpectHeard) -> None:
        viewer = self.value(line.player)
        told = " ".join(entry.text for entry in tell(self.code.program, self.witness.log[self.told :], viewer) if entry.text)
        if (line.words.casefold() in told.casefold()) is not line.heard:
            title = f"{self.player(viewer)} {'does not hear' if line.heard else 'hears'} “{line.words}”"
            raise Failed(title, line.span, f"{self.player(viewer)} is told: {told}" if told else "nothing is told")


def same_cards(shown: list[str | None], wanted: list[str | None], ordered: bool, rest: bool) -> bool:
    """Is what is shown as wanted? With `rest`, more may follow; where there is no order, `rest` allows any others."""
    if ordered:
        return (shown[: len(wanted)] if rest else shown) == wanted
    missing, more = Counter(wanted), Counter(shown)
    return missing <= more if rest else missing == more
