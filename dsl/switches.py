"""Which options turn a `when` block on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from attrs import define, evolve

from dsl import ast
from dsl.composition import OptionValue, Value
from dsl.conditions import Constants, Kinds, NotConstant

MOST_TRIED = 2_000


@define(eq=False)
class Switch:
    """Looks for option values that turn a `when` block of `file` on or off, with as few changes as possible from `options`."""

    kinds: Kinds
    options: Mapping[str, OptionValue]
    block: ast.WhenBlock
    file: ast.File

    def find(self, on: bool, around: dict[str, Value]) -> tuple[dict[str, Value] | None, bool]:
        """The values (with those around the block), or None; and whether everything was tried."""
        set_around = {name: evolve(self.options[name], value=value) for name, value in around.items() if name in self.options}
        constants = Constants(self.kinds, {**self.options, **set_around})
        try:
            constants.holds(self.block.condition, self.file)
        except NotConstant:
            return None, False
        names = sorted(name for name in constants.read if name not in around)
        domains: list[list[Value]] = []
        complete = True
        for name in names:
            domain, all_of_them = self.domain(self.options[name])
            domains.append(domain)
            complete = complete and all_of_them
        tried = 0
        for values in sorted(_bounded(product(*domains)), key=lambda vs: sum(v != d[0] for v, d in zip(vs, domains, strict=True))):
            tried += 1
            for name, value in zip(names, values, strict=True):
                constants.options[name] = evolve(self.options[name], value=value)
            try:
                if constants.holds(self.block.condition, self.file) is on:
                    changed = {n: v for n, v, d in zip(names, values, domains, strict=True) if v != d[0]}
                    return {**around, **changed}, complete
            except NotConstant:  # such as a division by 0 under these values
                complete = False
        return None, complete and tried < MOST_TRIED

    def domain(self, option: OptionValue) -> tuple[list[Value], bool]:
        """Values worth trying, the one in force first; and whether these are all."""
        if option.kind is not None:
            found = self.kinds.find(option.kind.name.id, option.home)
            every: list[Value] = list(self.kinds.members(*found)) if found is not None else []
            allowed = every if option.allowed is None else [v for v in every if v in option.allowed]
            return _first(option.value, allowed), True
        if isinstance(option.value, bool):
            return _first(option.value, [False, True]), True
        if option.allowed is not None and len(option.allowed) <= 20:
            return _first(option.value, list(option.allowed)), True
        written = literals(self.block.condition)
        near: list[Value] = []
        for literal in written:
            near += [literal - 1, literal, literal + 1] if isinstance(literal, int) else [literal]
        if option.allowed is not None:
            near = [v for v in near if v in option.allowed] + [option.allowed[0], option.allowed[-1]]
        return _first(option.value, [v for v in near if type(v) is type(option.value)]), False


def _bounded(values: Iterator[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
    return [v for v, _ in zip(values, range(MOST_TRIED), strict=False)]


def _first(value: Value, others: Sequence[Value]) -> list[Value]:
    return [value, *(v for v in dict.fromkeys(others) if v != value)]


def literals(expr: object) -> list[int | str]:
    """The numbers and texts written in a condition."""
    match expr:
        case ast.Number(value=value):
            return [value]
        case ast.Text() if expr.plain is not None:
            return [expr.plain]
        case ast.Unary(op="-", operand=ast.Number(value=value)):
            return [-value]
        case ast.Binary(left=left, right=right) | ast.Is(left=left, right=right) | ast.IsIn(left=left, right=right):
            return literals(left) + literals(right)
        case ast.Unary(operand=inner) | ast.Group(value=inner):
            return literals(inner)
        case ast.ListValue(items=items):
            return [found for item in items for found in literals(item)]
        case ast.Conditional(value=value, condition=condition, otherwise=otherwise):
            return literals(value) + literals(condition) + literals(otherwise)
    return []
