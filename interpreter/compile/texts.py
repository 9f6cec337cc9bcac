"""Prompts and labels: what a decision says, compiled when somebody first looks."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from dsl.types import Type
from interpreter.compile.costs import Costs
from interpreter.compile.expressions import Function
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.compile.spaces import SpaceQueries
from interpreter.faults import RuleError
from interpreter.program import Node, Program, Site
from interpreter.state import DECLINE, STEPS_BETWEEN_DECISIONS, State
from interpreter.texts import Parts, join_parts, joined, show_value, text


class Texts:
    """Functions for the texts of a program's sites: `prompt(state, site)` and `label(state, site, value)`."""

    def __init__(self, program: Program, costs: Costs, names: dict[str, Any], file_name: str) -> None:
        self.program = program
        writer = _Writer(program, costs)
        for site in program.sites:
            writer.write(site)
        self.names = dict(names)
        self.names.update(join_parts=_label)
        for number, value in enumerate(writer.constants):
            self.names[f"K{number}"] = value
        exec(compile(ast.Module(writer.written, []), file_name, "exec"), self.names)

    def prompt(self, state: State, site: int) -> Parts | None:
        """What the open decision asks, None if the rules give no words for it."""
        return self._written(f"prompt{site}", state) if f"prompt{site}" in self.names else None

    def label(self, state: State, site_number: int, value: Any) -> Parts:
        """What an option says. Evaluated where the decision is open, on the frame that asks."""
        site = self.program.sites[site_number]
        if value is DECLINE:
            return ("no more",) if site.kind in ("abilities", "several") else ("no",)
        if site.kind == "abilities":
            return (self.program.attachments[value[0]].text,)
        if site.kind == "may":
            return self._written(f"label{site_number}_0", state)
        if site.kind == "menu":
            return self._written(f"label{site_number}_{value[0]}", state, *value[1])
        types = self._types(site)
        values = value if len(types) > 1 else (value,)
        parts: list[Any] = []
        for of, part in zip(types, values, strict=True):
            if parts:
                parts.append(" ")
            parts += show_value(self.program, of, part)
        return joined(parts)

    def _written(self, name: str, state: State, *values: Any) -> Parts:
        state.steps = STEPS_BETWEEN_DECISIONS  # each look has its own budget
        parts: Parts = self.names[name](state, state.stack[-1] if state.stack else [], *values)
        return parts

    def _types(self, site: Site) -> tuple[Type, ...]:
        if site.kind == "several":
            assert site.element_type is not None
            return (site.element_type,)
        return site.lines[0].types

    def plain_label(self, state: State, site: int, value: Any) -> str:
        """The label with every card named: for the referee, tests and scripts."""
        names = self.program.designs
        return text(self.label(state, site, value), lambda _: True, lambda slot: names[state.faces[slot]].name)

    def match(self, state: State, site_number: int, values: Sequence[Any], wanted: Any) -> int:
        """Which of the values somebody means: the value itself, its label, or the name of a card in it.

        Raises `RuleError` if it is none of them; of equal ones the first is meant."""
        if isinstance(wanted, str):
            labels = [self.plain_label(state, site_number, value) for value in values]
            for index, label in enumerate(labels):
                if label == wanted:
                    return index
            raise RuleError("CG1011", f"`{wanted}` cannot be chosen here", f"there are: {', '.join(labels) or 'none'}")
        for index, value in enumerate(values):
            if value == wanted or (isinstance(value, tuple) and len(value) == 2 and value[1] == (wanted,)):
                return index
        shown = ", ".join(self.plain_label(state, site_number, value) for value in values)
        raise RuleError("CG1011", f"`{wanted}` cannot be chosen here", f"there are: {shown or 'none'}")


def _label(*pieces: str | Parts) -> Parts:
    """A label is made of parts even if it mentions no card."""
    text = join_parts(*pieces)
    return (text,) if isinstance(text, str) else text


class _Writer(SpaceQueries):
    def __init__(self, program: Program, costs: Costs) -> None:
        super().__init__(program, costs)
        self.written: list[PyStmt] = []

    def write(self, site: Site) -> None:
        self.at = site.place
        if site.prompt is not None:
            self._function(f"prompt{site.number}", (), site.prompt)
        for number, line in enumerate(site.lines):
            if line.label is not None:
                self._function(f"label{site.number}_{number}", tuple(local for local, _ in line.binders), line.label)

    def _function(self, name: str, bound: tuple[int, ...], value: Node) -> None:
        self.function = Function(framed=True, inner=dict.fromkeys(bound, 1))
        made: PyExpr = self.expr(value)
        parameters = ["S", "f", *(f"v{number}" for number in bound)]
        self.written.append(self.define(name, parameters, [*self.prologue(), self.returns(made)]))
