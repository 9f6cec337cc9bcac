"""What the lines of a `test` block expect: a position with somebody asked in it, and whether it is so."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from dsl import model, types
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span
from interpreter.compile import Code
from interpreter.faults import RuleError
from interpreter.judging import Inspector
from interpreter.knowledge import may_read
from interpreter.observer import Witness
from interpreter.play import Rules
from interpreter.program import UNSET, Site
from interpreter.state import DECLINE, State
from interpreter.story import tell
from interpreter.views import zone_view
from interpreter.why import why_not

NOT_OFFERED = "CG1011"


class Failed(Exception):
    """An expectation that does not hold, or a line that cannot be played."""

    def __init__(
        self, title: str, span: Span, hint: str | None = None, notes: tuple[Label, ...] = (), code: str = "CG0820"
    ) -> None:
        super().__init__(title)
        self.diagnostic = Diagnostic(code, title, span, "", notes, hint)


@define
class Position:
    """Where a running test stands. Its expectations raise `Failed` where they do not hold."""

    rules: Rules
    players: int = field(init=False)
    code: Code = field(init=False)
    state: State = field(init=False)
    witness: Witness = field(init=False)
    told: int = field(init=False, default=0)
    """what had happened before the last `when`"""

    def expected(self, line: model.Statement) -> None:
        """One line that begins with `expect`."""
        if isinstance(line, model.Expect):
            self.hold(line.condition)
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

    # ── who is asked ──

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

    # ── expect ──

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
