"""Judging a game that is being tested: the invariants and properties of its rules, and the values that break a condition.

What holds `after` a rule is judged by the compiled rules themselves, which raise a `Fault` (see `broken_after`); the rest is asked here
wherever somebody must decide, and at the end.
"""

from __future__ import annotations

import ast as py
from collections.abc import Mapping
from typing import Any

from attrs import Factory, define, evolve, frozen

from dsl import model, types, walk
from dsl.source import Span
from interpreter import play
from interpreter.compile import FILE_NAME
from interpreter.compile.module import Module
from interpreter.faults import Fault
from interpreter.program import CodeInfo
from interpreter.state import FINISHED, State
from interpreter.texts import show_value, text

BROKEN = "CG1020"
"""the code of the fault of a property that is judged after a rule"""


@frozen
class Broken:
    """An invariant or property that does not hold. `kind`: of a property (see `GameProperty`), else `always`. `values`: of the parts of its condition, as an author would write them."""

    sort: str
    kind: str
    text: str
    span: Span
    condition: Span
    values: str | None = None

    @property
    def title(self) -> str:
        return f"the {self.sort} “{self.text}” does not hold"


@define
class Inspector:
    """Evaluates conditions of a game's tests in a state. Raises `Fault` where the rules cannot say."""

    rules: play.Rules
    state: State

    def value(self, expr: model.Expr, locals_: Mapping[model.Local, Any] | None = None) -> Any:
        given = locals_ or {}
        program = self.state.code.program
        code: CodeInfo = self.rules.lowering(program.players).value_code("test", expr, list(given))
        module = Module(program, observed=True, costs=self.state.code.costs)
        module.early = True
        module.write_value("value", code)
        names = self.state.code.names_for(module)
        exec(compile(py.Module(module.written, []), FILE_NAME, "exec"), names)
        return play.guard(self.state, names["value"], *given.values())

    def shown(self, of: types.Type, value: object) -> str:
        """A value as the author would write it."""
        names = self.state.code.design_names
        faces = self.state.faces
        return text(show_value(self.state.code.program, of, value), lambda _: True, lambda slot: names[faces[slot]])

    def because(self, condition: model.Expr, locals_: Mapping[model.Local, Any] | None = None) -> str | None:
        """The values that make a condition false."""
        if isinstance(condition, model.Binary) and condition.op == "and":
            left_holds = self.value(condition.left, locals_)
            return self.because(condition.right if left_holds else condition.left, locals_)
        if isinstance(condition, model.Is | model.Binary | model.IsIn) and not (
            isinstance(condition, model.Binary) and condition.op == "or"
        ):
            plain = model.Literal | model.Items | model.CardNamed | model.ZoneRef
            sides = [side for side in (condition.left, condition.right) if not isinstance(side, plain)]
            return " and ".join(self._told(side, locals_) for side in sides) or None
        if isinstance(condition, model.Not) and isinstance(condition.value, model.IsEmpty):
            condition = condition.value
        if isinstance(condition, model.Not) and isinstance(condition.value, model.Query) and condition.value.how == "any":
            return self._first_of(condition.value, locals_)
        if isinstance(condition, model.IsEmpty):
            value = condition.value
            if isinstance(value.type, types.ZoneType):
                value = model.CardsIn(type=types.ListType(value.type.of), span=value.span, zone=value)
            return self._told(value, locals_)
        return None

    def _first_of(self, query: model.Query, locals_: Mapping[model.Local, Any] | None) -> str:
        """For which elements an `any` is true: the first it meets."""
        told = []
        for binding in query.binders.bindings:
            local = binding.local
            element = model.LocalRef(type=local.type, span=local.span, local=local)
            every = evolve(query, how="list", type=types.ListType(local.type), value=element)
            told.append(f"`{local.name}` is {self.shown(local.type, self.value(every, locals_)[0])}")
        return " and ".join(told)

    def _told(self, part: model.Expr, locals_: Mapping[model.Local, Any] | None) -> str:
        return f"`{' '.join(part.span.text.split())}` is {self.shown(part.type, self.value(part, locals_))}"


@define
class Judge:
    """Follows one game: `look` at every decision and at the end. `rules` are those `for_tests`."""

    rules: play.Rules
    met: set[int] = Factory(set)
    """numbers of the `eventually` and `sometimes` properties that have been true"""
    watches: bool = Factory(lambda self: asks_who_knows(self.rules.game), takes_self=True)
    """it asks who knows what: games must be watched"""

    @classmethod
    def of_a_moment(cls, rules: play.Rules) -> Judge:
        """One that has not followed the game, and so does not know what has been."""
        eventually = {number for number, one in enumerate(rules.game.properties) if one.kind in ("eventually", "sometimes")}
        return cls(rules, eventually)

    def look(self, state: State, decisions: int) -> Broken | None:
        """What is broken now, None if nothing. Raises `Fault` if a condition cannot be told."""
        game, names = self.rules.game, state.code.names
        over = state.phase == FINISHED
        for number in play.broken_invariants(state):
            invariant = game.invariants[number]
            return self._broken(state, "invariant", "always", invariant.text, invariant.span, invariant.value, {})
        for number, one in enumerate(game.properties):
            if one.kind == "after" or (one.kind == "end" and not over) or number in self.met:
                continue
            true = play.guard(state, names[f"p{number}"], decisions)
            if one.kind in ("eventually", "sometimes"):
                if true:
                    self.met.add(number)
                elif over and one.kind == "eventually":
                    return Broken("property", one.kind, one.text, one.span, one.value.span)
            elif true is (one.kind == "never"):
                assert one.decisions is not None
                return self._broken(state, "property", one.kind, one.text, one.span, one.value, {one.decisions: decisions})
        return None

    def _broken(
        self, state: State, sort: str, kind: str, words: str, span: Span, condition: model.Expr, locals_: Mapping[model.Local, Any]
    ) -> Broken:
        values = Inspector(self.rules, state).because(condition, locals_)
        return Broken(sort, kind, words, span, condition.span, values)


def broken_after(rules: play.Rules, state: State, fault: Fault) -> Broken | None:
    """What a fault of the rules being tested was, if it was a property judged after a rule; `state` is as the fault left it."""
    if fault.code != BROKEN or fault.broken is None:
        return None
    number, arguments = fault.broken
    one = [prop for prop in rules.game.properties if prop.kind == "after"][number - len(rules.game.endings)]
    locals_ = {
        pattern.local: argument
        for pattern, argument in zip(one.patterns, arguments, strict=True)
        if isinstance(pattern, model.Bind)
    }
    return Broken("property", one.kind, one.text, one.span, one.value.span, Inspector(rules, state).because(one.value, locals_))


def asks_who_knows(game: model.Game) -> bool:
    """Do invariants or properties ask who knows a card? Then games must be watched to be judged."""
    helpers = [helper.value if isinstance(helper, model.Define) else helper.body for helper in game.helpers]
    roots = [*(i.value for i in game.invariants), *(p.value for p in game.properties), *helpers]
    return any(isinstance(node, model.Builtin) and node.name == "sees" for node in walk.nodes(*roots))
