"""Why: how the game came to ask this, and why something else cannot be chosen now.

`why_not` goes through the conditions of the open choice as the text has them: to the first that fails for what was asked about,
into the defines it calls, and to the card, trait or house rule that decided if one attaches there. It runs the rules' own
expressions on the state; values are told only as far as the one who asks may know them.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from dsl import model, types, walk
from dsl.source import Span
from interpreter import play
from interpreter.compile import FILE_NAME
from interpreter.compile.module import Module
from interpreter.decisions import Reader, knowledge_of
from interpreter.faults import Fault
from interpreter.lower.expressions import strip
from interpreter.offers import NOT_NOW, Candidate, Group, applies, found
from interpreter.program import Site
from interpreter.state import DECLINE, State
from interpreter.texts import player_name, show_value, words

MOST_CANDIDATES = 5_000
COMPARED = {"is": "", "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least "}
"""comparisons in words, after `is not`"""
Environment = dict[model.Local, Any]


@frozen
class Step:
    """One line of how it came to this: a rule or an ability that runs, and where it stands now."""

    name: str
    doc: str | None
    span: Span


@frozen
class Answer:
    """Why something cannot be chosen. `text` is for people; `span` the condition that fails; `by` what decided, if something
    attaches there: the text of an ability or the line of a house rule; `allowed`: it can be chosen."""

    text: str
    span: Span | None = None
    by: str | None = None
    by_span: Span | None = None
    allowed: bool = False


def why(state: State) -> tuple[Step, ...]:
    """The rules that run, outermost first."""
    code = state.code
    docs = {info.code.name: info.doc for info in code.program.rules}
    steps: list[Step] = []
    names = [code.code_of[frame[0]].name for frame in state.stack]
    for depth, (frame, name) in enumerate(zip(state.stack, names, strict=True), 1):
        pc = frame[0]
        if names[depth : depth + 1] != [name] or code.rule_of[pc] >= 0:  # what hangs on a rule is no step of its own
            steps.append(Step(name, docs.get(name), code.place(code.place_of[pc])))
    return tuple(steps)


def why_not(rules: play.Rules, state: State, wanted: str) -> Answer:
    """Why the player who is asked cannot choose this now. `wanted`: a card's name, a label, or how it begins.

    A reason that needs what he may not know names only the condition."""
    if state.options is None:
        return Answer("Nobody is asked: the game is over.")
    site = state.code.program.sites[state.site]
    reader = Reader(state, knowledge_of(state), state.asked)
    for value, label in zip(state.options, reader.labels(site), strict=True):
        if value is not DECLINE and _means(wanted, label):
            return Answer(f"{label} can be chosen now.", allowed=True)
    asker = _Asker(rules, state, reader)
    try:
        return asker.answer(site, wanted)
    except Fault as fault:
        return Answer(f"The rules cannot say: {fault.title}.", fault.span)


def _means(wanted: str, label: str) -> bool:
    return label.casefold().startswith(wanted.strip().casefold()) and bool(wanted.strip())


@define
class _Asker:
    rules: play.Rules
    state: State
    reader: Reader
    _made: dict[tuple[int, tuple[model.Local, ...]], Any] = field(factory=dict)
    _rest: list[tuple[model.Define, tuple[model.Attachment | None, ...], tuple[Candidate, ...] | None, tuple[Any, ...]]] = field(
        factory=list
    )
    """what `proceed` goes on with in the attachments being explained"""

    @property
    def lowering(self) -> Any:
        return self.rules.lowering(self.state.code.program.players)

    # ── evaluating ──

    def value(self, expr: model.Expr, env: Environment) -> Any:
        """An expression of the rules, with these values for the locals; `proceed` is computed first."""
        expr = self._without_proceed(expr, env)
        locals_ = tuple(env)
        key = (id(expr), locals_)
        if key not in self._made:
            code = self.lowering.value_code("why", expr, list(locals_))
            module = Module(self.state.code.program, observed=False, costs=self.state.code.costs)
            module.write_value("value", code)
            names = self.state.code.names_for(module)
            exec(compile(py.Module(module.written, []), FILE_NAME, "exec"), names)
            self._made[key] = (expr, names["value"])  # the expression is kept, so that its id stays its own
        return play.guard(self.state, self._made[key][1], *env.values())

    def _without_proceed(self, expr: model.Expr, env: Environment) -> model.Expr:
        if isinstance(expr, model.Proceed):
            return model.Literal(type=expr.type, span=expr.span, value=self._proceeded(expr, env))
        changes: dict[str, Any] = {}
        for attribute in getattr(type(expr), "__attrs_attrs__", ()):
            old = getattr(expr, attribute.name)
            if isinstance(old, model.Expr):
                new = self._without_proceed(old, env)
                if new is not old:
                    changes[attribute.name] = new
        return evolve(expr, **changes) if changes else expr

    def _proceeded(self, expr: model.Proceed, env: Environment) -> Any:
        definition, chain, candidates, arguments = self._rest[-1]
        if expr.arguments is not None:
            arguments = tuple(self.value(argument, env) for argument in expr.arguments)
        return self._chain_value(definition, chain, candidates, arguments)

    def _chain_value(
        self, definition: model.Define, chain: tuple[model.Attachment | None, ...], candidates: tuple[Candidate, ...] | None,
        arguments: tuple[Any, ...],
    ) -> Any:  # fmt: skip
        part = self._next(definition, chain, candidates, arguments)
        if part is None:
            assert definition.value is not None
            return self.value(definition.value, dict(zip(definition.params, arguments, strict=True)))
        attachment, env, rest = part
        assert attachment.value is not None
        self._rest.append((definition, *rest, arguments))
        value = self.value(attachment.value, env)
        self._rest.pop()
        return value

    def _next(
        self, definition: model.Define, chain: tuple[model.Attachment | None, ...], candidates: tuple[Candidate, ...] | None,
        arguments: tuple[Any, ...],
    ) -> tuple[model.Attachment, Environment, tuple[tuple[model.Attachment | None, ...], tuple[Candidate, ...] | None]] | None:  # fmt: skip
        """The first of the chain that applies, with the values of its names, and what is left of the chain after it."""
        number = self.lowering.expressions.defines[definition]
        while chain:
            first, rest = chain[0], chain[1:]
            if first is None:
                group: Group = self.state.code.names[f"D{number}_instead"]
                cards = found(self.state, group, arguments) if candidates is None else candidates
                for place, candidate in enumerate(cards):
                    owner = applies(self.state, group, candidate, arguments)
                    if owner is not NOT_NOW:
                        attachment = self.rules.game.attachments[candidate[0]]
                        env = self._bound(attachment, arguments)
                        if attachment.self_card is not None:
                            env[attachment.self_card] = candidate[1]
                        if attachment.owner_player is not None:
                            env[attachment.owner_player] = owner
                        return attachment, env, (chain, cards[place + 1 :])
            else:
                condition = self.state.code.names.get(f"c{self.rules.game.attachments.index(first)}")
                if condition is None or condition(self.state, *arguments):
                    return first, self._bound(first, arguments), (rest, None)
            chain, candidates = rest, None
        return None

    @staticmethod
    def _bound(attachment: model.Attachment, arguments: tuple[Any, ...]) -> Environment:
        return {
            pattern.local: argument
            for pattern, argument in zip(attachment.patterns, arguments, strict=True)
            if isinstance(pattern, model.Bind)
        }

    # ── what was asked about ──

    def answer(self, site: Site, wanted: str) -> Answer:
        statement, scope = self.lowering.statements.asked[site.number]
        env = {local: self.state.stack[-1][number + 1] for local, number in scope.numbers.items() if local.name}
        if isinstance(statement, model.Choose):
            for line, binders, condition, at in self._lines(statement):
                for bound in self._candidates(binders, env) if binders is not None else [{}]:
                    label = self._label(site, line, tuple(bound.values()), binders)
                    if label is None or not _means(wanted, label):
                        continue
                    if condition is None:
                        return Answer(f"{label} is not offered twice.", at)
                    return self._failed(label, condition, {**env, **bound})
            names = [design.name for design in self.state.code.program.designs if _means(wanted, design.name)]
            sources = [b.source for _, binders, _, _ in self._lines(statement) if binders is not None for b in binders.bindings]
            if names and sources:
                shown = " or ".join(dict.fromkeys(self._place(source, env) for source in sources))
                return Answer(f"{names[0]} is not in {shown}, as far as you can see.", sources[0].span)
        return Answer(f"“{wanted}” is nothing this choice is about.", self.state.code.place(site.place))

    def _place(self, source: model.Expr, env: Environment) -> str:
        """What is chosen from, in words if it is a zone of a player or of nobody, else as the rules have it."""
        zone = source.zone if isinstance(source, model.CardsIn) else source
        as_written = f"`{_squeezed(source.span.text)}`"
        if not isinstance(zone, model.ZoneRef):
            return as_written
        indexes = zone.indexes
        if not indexes:
            return f"the {words(zone.zone.name)}"
        if [index.type for index in indexes] != [types.PLAYER] or not _locals(indexes) <= set(env):
            return as_written
        owner = self.value(indexes[0], env)
        name = words(zone.zone.name)
        return f"your {name}" if owner == self.state.asked else f"the {name} of {player_name(owner)}"

    def _lines(self, statement: model.Choose) -> Iterator[tuple[int, model.Binders | None, model.Expr | None, Span]]:
        """The lines of a choice: number, what they bind, the condition, the place."""
        what = statement.what
        if isinstance(what, model.PickOne):
            yield 0, evolve(what.binders, where=None), what.binders.where, statement.span
        elif isinstance(what, model.Menu):
            for number, line in enumerate(what.lines):
                where = line.condition if line.binders is None else line.binders.where
                yield number, None if line.binders is None else evolve(line.binders, where=None), where, line.span
        else:
            local = what.local
            element = strip(what.source.type)
            of = element.of if isinstance(element, types.ListType | types.ZoneType) else types.UNKNOWN
            one = model.Local(local.name, of, local.span)
            yield 0, model.Binders(bindings=(model.Binding(local=one, source=what.source),), where=None), None, statement.span

    def _candidates(self, binders: model.Binders, env: Environment) -> Iterator[Environment]:
        """All that could be meant, whether it may be chosen or not."""
        count = 0

        def bind(place: int, bound: Environment) -> Iterator[Environment]:
            nonlocal count
            if place == len(binders.bindings):
                count += 1
                yield bound
                return
            binding = binders.bindings[place]
            for value in self.value(binding.source, {**env, **bound}):
                if count < MOST_CANDIDATES:
                    yield from bind(place + 1, {**bound, binding.local: value})

        yield from bind(0, {})

    def _label(self, site: Site, line: int, values: tuple[Any, ...], binders: model.Binders | None) -> str | None:
        if site.kind == "menu":
            return self.reader.text(self.state.code.texts.label(self.state, site.number, (line, values)))
        if binders is None:
            return None
        return " ".join(self.shown(b.local.type, value) for b, value in zip(binders.bindings, values, strict=True))

    # ── the reason ──

    def _failed(self, label: str, condition: model.Expr, env: Environment) -> Answer:
        if self.value(condition, env):
            return Answer(f"{label} is the same to you as something that is offered.", condition.span)
        text, span, by, by_span = self.reason(condition, env, None)
        decided = "" if by is None else f" ({by})"
        return Answer(f"{label} cannot be chosen now: {text}{decided}.", span, by, by_span)

    def reason(self, e: model.Expr, env: Environment, by: tuple[str, Span] | None) -> tuple[str, Span, str | None, Span | None]:
        """The part of a condition that fails, in words; and the attachment that decided."""
        if isinstance(e, model.Binary) and e.op == "and":
            return self.reason(e.left if not self.value(e.left, env) else e.right, env, by)
        if isinstance(e, model.Binary) and e.op == "or":
            return self.reason(e.right, env, by)
        if isinstance(e, model.Choice):
            taken = self.value(e.condition, env)
            branch = e.value if taken else e.otherwise
            if isinstance(branch, model.Literal):
                return (
                    (f"`{_squeezed(e.condition.span.text)}`" if taken else self.told(e.condition, env)),
                    e.condition.span,
                    *_by(by),
                )
            return self.reason(branch, env, by)
        if isinstance(e, model.LetIn):
            return self.reason(e.body, {**env, e.local: self.value(e.value, env)}, by)
        if isinstance(e, model.CallDefine):
            arguments = tuple(self.value(argument, env) for argument in e.arguments)
            chain = tuple(self.lowering.expressions.chains[e.define])
            return self._chain_reason(e.define, chain, None, arguments, by)
        if isinstance(e, model.Proceed):
            definition, chain, candidates, arguments = self._rest[-1]
            if e.arguments is not None:
                arguments = tuple(self.value(argument, env) for argument in e.arguments)
            return self._chain_reason(definition, chain, candidates, arguments, by)
        return self.told(e, env), e.span, *_by(by)

    def _chain_reason(
        self, definition: model.Define, chain: tuple[model.Attachment | None, ...], candidates: tuple[Candidate, ...] | None,
        arguments: tuple[Any, ...], by: tuple[str, Span] | None,
    ) -> tuple[str, Span, str | None, Span | None]:  # fmt: skip
        part = self._next(definition, chain, candidates, arguments)
        if part is None:
            assert definition.value is not None
            return self.reason(definition.value, dict(zip(definition.params, arguments, strict=True)), by)
        attachment, env, rest = part
        assert attachment.value is not None
        card = env.get(attachment.self_card) if attachment.self_card is not None else None
        decided = attachment.text or f"{attachment.when} of {definition.name}"
        if card is not None:
            decided = f"{self.reader.card(card)}: {decided}"
        self._rest.append((definition, *rest, arguments))
        made = self.reason(attachment.value, env, (decided, attachment.span))
        self._rest.pop()
        return made

    def told(self, e: model.Expr, env: Environment) -> str:
        """A condition that fails, with the values on its sides as far as the asker may know them."""
        text = f"`{_squeezed(e.span.text)}`"
        if isinstance(e, model.Not):
            return f"{text} is not so"
        if isinstance(e, model.Binary | model.Is) and not (isinstance(e, model.Binary) and e.op in ("and", "or")):
            word = e.op if isinstance(e, model.Binary) else "is"
            sides = [self.known(side, env) for side in (e.left, e.right)]
            if word in COMPARED and all(side is not None for side in sides) and not (isinstance(e, model.Is) and e.how == "design"):
                return f"{sides[0]} is not {COMPARED[word]}{sides[1]} ({text})"
        return f"{text} does not hold"

    def known(self, e: model.Expr, env: Environment) -> str | None:
        """A value for the asker, None if he may not know it."""
        node = self.lowering.value_code("why", self._without_proceed(e, env), list(env)).value
        reads = self.lowering.effects.reads(node)
        layout, viewer, program = self.lowering.layout, self.state.asked, self.state.code.program
        for base in reads.zones:
            family = program.families[program.zones[base].family]
            for zone in range(family.base, family.base + family.size):
                for slot in self.state.zones[zone]:
                    if not self.reader.knowledge.can_point_at(self.state, viewer, slot):
                        return None
        for base in reads.variables:
            info = layout.variables[base]
            if info.visibility == "hidden":
                return None
        for local, value in env.items():
            is_card = isinstance(strip(local.type), types.CardType) and value is not None
            if is_card and _uses(e, local) and not self.reader.knowledge.can_point_at(self.state, viewer, value):
                return None
        return self.shown(e.type, self.value(e, env))

    def shown(self, of: types.Type, value: Any) -> str:
        return self.reader.text(show_value(self.state.code.program, of, value))


def _uses(e: object, local: model.Local) -> bool:
    if isinstance(e, model.LocalRef):
        return e.local is local
    if isinstance(e, tuple):
        return any(_uses(part, local) for part in e)
    attributes = getattr(type(e), "__attrs_attrs__", ())
    return isinstance(e, model.Expr | model.Binders | model.Binding) and any(_uses(getattr(e, a.name), local) for a in attributes)


def _by(by: tuple[str, Span] | None) -> tuple[str | None, Span | None]:
    return (None, None) if by is None else by


def _locals(expressions: tuple[model.Expr, ...]) -> set[model.Local]:
    return {node.local for node in walk.nodes(expressions) if isinstance(node, model.LocalRef)}


def _squeezed(text: str) -> str:
    return " ".join(text.split())


__all__ = ["Answer", "Step", "player_name", "why", "why_not"]
