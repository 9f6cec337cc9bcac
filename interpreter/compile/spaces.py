"""Queries over boards: walks, lines, groups.

The condition of a walk becomes a function that is called when a space is tried; that of lines and groups is judged for all spaces
at once, which gives a bit mask."""

from __future__ import annotations

import ast

from interpreter.compile.costs import steps
from interpreter.compile.expressions import Expressions
from interpreter.compile.filters import alike, mentions, unswitched
from interpreter.compile.python import Loops, PyExpr
from interpreter.program import Node


def only_asks_for_the_last(condition: Node | None, step: int, steps: Node) -> bool:
    """Does a condition use the number of the step only to ask whether it is the last?"""
    if not isinstance(condition, tuple) or not mentions(condition, {step}):
        return True
    if condition[0] in ("eq", "ne") and len(condition) == 4:
        for one, other in (condition[2:], condition[:1:-1]):
            if one[0] == "local" and one[2] == step and alike(other, steps, {}) and not mentions(other, {step}):
                return True
    if len(condition) >= 3 and condition[0] == "local":
        return False
    return all(only_asks_for_the_last(part, step, steps) for part in condition if isinstance(part, tuple))


class SpaceQueries(Expressions):
    """Compiles them."""

    def _ground(self, board: int) -> PyExpr:
        return self.name(f"GROUND{board}")

    def _as_list(self, value: Node) -> PyExpr:
        return self.call("as_list", self.expr(value))

    def _reach(
        self, board: int, start: Node, steps: Node, space: int, step: int | None, source: Node | None,
        condition: Node | None, cells: tuple[int, ...],
    ) -> PyExpr:  # fmt: skip
        arguments = [self.name("S"), self._ground(board), self.expr(start), self.expr(steps)]
        arguments.append(self.const(None) if source is None else self.source(source))
        arguments.append(self.const(step is None or only_asks_for_the_last(condition, step, steps)))
        arguments.append(self.const(self.price(condition)))
        return self._walk("reach", arguments, space, ("_step" if step is None else step,), condition, cells, counted=True)

    def _reach_several(
        self, board: int, starts: Node, lengths: Node, space: int, step: int | None, source: Node | None,
        condition: Node | None, cells: tuple[int, ...],
    ) -> PyExpr:  # fmt: skip
        arguments = [self.name("S"), self._ground(board), self.source(starts), self.source(lengths)]
        arguments.append(self.const(None) if source is None else self.source(source))
        return self._walk("reach_several", arguments, space, ("_step" if step is None else step,), condition, cells)

    def _reach_all(self, board: int, starts: Node, space: int, condition: Node | None, cells: tuple[int, ...]) -> PyExpr:
        arguments = [self.name("S"), self._ground(board), self.source(starts)]
        return self._walk("reach_all", arguments, space, (), condition, cells)

    def _distance(
        self, board: int, start: Node, end: Node, space: int | None, condition: Node | None, cells: tuple[int, ...]
    ) -> PyExpr:
        arguments = [self.name("S"), self._ground(board), self.expr(start), self.expr(end)]
        return self._walk("distance", arguments, space, (), condition, cells)

    def _walk(
        self, function: str, arguments: list[PyExpr], space: int | None, more: tuple[int | str, ...], condition: Node | None,
        cells: tuple[int, ...], counted: bool = False,
    ) -> PyExpr:  # fmt: skip
        """A call whose last argument judges a space, and perhaps the number of the step. `counted`: what this costs is counted by
        what is called."""
        bound = [number for number in (space, *more) if isinstance(number, int)]
        for number in (*cells, *bound):
            self._bind(number)
        parameters = [f"v{number}" if isinstance(number, int) else number for number in (space, *more) if number is not None]
        test = self.const(None)
        if condition is not None:
            test = self.lambda_(parameters, self.expr(condition) if counted else self.weighed(condition))
        for number in (*bound, *cells):
            self._unbind(number)
        made = self.call(function, *arguments, test)
        return self._with_cells(made, cells)

    def price(self, condition: Node | None) -> int:
        """What asking it once costs, in steps of the budget."""
        return steps(self.costs.value(condition))

    def weighed(self, condition: Node) -> PyExpr:
        """A condition that counts what it costs, if that is much."""
        more = self.price(condition)
        made = self.expr(condition)
        return self.both(ast.And(), self.method("S", "spend", self.const(more)), made) if more else made

    def _with_cells(self, made: PyExpr, cells: tuple[int, ...]) -> PyExpr:
        if not cells:
            return made
        return self.call(self.lambda_([f"v{cell}" for cell in cells], made), *(self.list_([]) for _ in cells))

    def _rays(self, board: int, space: Node) -> PyExpr:
        return self.call(self.attribute(self._ground(board), "rays"), self.expr(space))

    def _between(self, board: int, start: Node, end: Node) -> PyExpr:
        return self.call(self.attribute(self._ground(board), "between"), self.expr(start), self.expr(end))

    # ── lines and groups ──

    def _lines(self, board: int, length: Node | None, space: int, condition: Node | None, cells: tuple[int, ...]) -> PyExpr:
        spaces = self._mask(board, space, condition, cells)
        if length is None:
            return self.call("longest_lines", self._ground(board), spaces)
        return self.call("lines", self._ground(board), self.expr(length), spaces)

    def _any_line(self, board: int, length: Node, space: int, condition: Node | None, cells: tuple[int, ...]) -> PyExpr:
        return self.call("any_line", self._ground(board), self.expr(length), self._mask(board, space, condition, cells))

    def _groups(self, board: int, space: int, condition: Node | None, cells: tuple[int, ...]) -> PyExpr:
        return self.call("groups", self._ground(board), self._mask(board, space, condition, cells))

    def _mask(self, board: int, space: int, condition: Node | None, cells: tuple[int, ...]) -> PyExpr:
        """The spaces that fulfil the condition, as bits."""
        if condition is None:
            return self.const((1 << len(self.program.boards[board].spaces)) - 1)
        cut = unswitched(self.program, condition, {space, *cells})
        if cut is not None:
            test, first, other = cut
            return self.choice(self.expr(test), self._mask(board, space, first, cells), self._mask(board, space, other, cells))
        bits = self.name(f"BITS{board}")
        if self.costs.masks(condition):
            bits = self.counted(bits, steps(self.costs.value(condition)))
        loops: Loops = []
        for cell in cells:
            self._bind(cell)
            loops.append((f"v{cell}", self.tuple_([self.list_([])]), []))
        self._bind(space)
        loops.append((self.store_tuple([self.target(f"v{space}"), self.target("_bit")]), bits, []))
        made = self.call("sum", self.comprehension(self.name("_bit"), loops, self.expr(condition)))
        for number in (space, *cells):
            self._unbind(number)
        return made
