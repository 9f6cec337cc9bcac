"""The locals of one body: which number each has."""

from __future__ import annotations

from attrs import Factory, define

from dsl import model
from dsl.types import Type
from interpreter.program import Node


@define
class Scope:
    """Numbers the locals of a rule, an attachment or a value, parameters first; hidden ones have no name."""

    numbers: dict[model.Local, int] = Factory(dict)
    names: list[str] = Factory(list)
    types: list[Type | None] = Factory(list)
    inlined: dict[model.Local, Node] = Factory(dict)
    """locals that stand for an expression: parameters of a define written out in place"""
    open_queries: list[Query] = Factory(list)
    """the queries around the expression being lowered, innermost last"""
    proceed: tuple[int, ...] | None = None
    """in an attachment: the numbers of its target's arguments"""

    def add(self, local: model.Local) -> int:
        number = self.hidden(local.type, local.name)
        self.numbers[local] = number
        return number

    def hidden(self, of: Type | None = None, name: str = "") -> int:
        self.names.append(name)
        self.types.append(of)
        return len(self.names) - 1

    rest: tuple[model.Define, tuple[model.Attachment, ...], tuple[Node, ...]] | None = None
    """in an attachment written out in place: what `proceed` goes on with"""

    def forget(self, count: int) -> None:
        """Drop the locals added after there were `count`."""
        del self.names[count:], self.types[count:]

    @property
    def count(self) -> int:
        return len(self.names)


@define
class Query:
    """A query being lowered: the locals it binds, and the cells for what need be computed only once in it."""

    bound: set[int] = Factory(set)
    cells: list[int] = Factory(list)
