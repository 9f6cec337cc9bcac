"""Python syntax trees, made by hand: short names for what the compiler builds.

The line number of every node is its place in the rules plus one, so a traceback through compiled code tells where in the
rules something went wrong, at no cost while nothing does.
"""

from __future__ import annotations

import ast
from typing import Any

PyExpr = ast.expr
PyStmt = ast.stmt
Loops = list[tuple[str | PyExpr, PyExpr, list[PyExpr]]]
"""of a comprehension: targets, sources, filters"""


class Builder:
    """Makes nodes at the current place, `at`."""

    def __init__(self) -> None:
        self.at = 0

    def _place(self, node: Any) -> Any:
        node.lineno = node.end_lineno = self.at + 1
        node.col_offset = node.end_col_offset = 0
        return node

    def const(self, value: Any) -> PyExpr:
        return self._place(ast.Constant(value))  # type: ignore[no-any-return]

    def name(self, name: str) -> PyExpr:
        return self._place(ast.Name(name, ast.Load()))  # type: ignore[no-any-return]

    def target(self, name: str) -> PyExpr:
        return self._place(ast.Name(name, ast.Store()))  # type: ignore[no-any-return]

    def attribute(self, of: PyExpr, name: str) -> PyExpr:
        return self._place(ast.Attribute(of, name, ast.Load()))  # type: ignore[no-any-return]

    def item(self, of: PyExpr, index: PyExpr, *, store: bool = False) -> PyExpr:
        return self._place(ast.Subscript(of, index, ast.Store() if store else ast.Load()))  # type: ignore[no-any-return]

    def slice(self, of: PyExpr, low: PyExpr | None, high: PyExpr | None, step: PyExpr | None = None) -> PyExpr:
        return self.item(of, self._place(ast.Slice(low, high, step)))

    def call(self, function: str | PyExpr, *arguments: PyExpr) -> PyExpr:
        callee = self.name(function) if isinstance(function, str) else function
        return self._place(ast.Call(callee, list(arguments), []))  # type: ignore[no-any-return]

    def method(self, of: str, name: str, *arguments: PyExpr) -> PyExpr:
        return self.call(self.attribute(self.name(of), name), *arguments)

    def tuple_(self, items: list[PyExpr]) -> PyExpr:
        return self._place(ast.Tuple(items, ast.Load()))  # type: ignore[no-any-return]

    def store_tuple(self, targets: list[PyExpr]) -> PyExpr:
        return self._place(ast.Tuple(targets, ast.Store()))  # type: ignore[no-any-return]

    def list_(self, items: list[PyExpr]) -> PyExpr:
        return self._place(ast.List(items, ast.Load()))  # type: ignore[no-any-return]

    def binary(self, op: ast.operator, left: PyExpr, right: PyExpr) -> PyExpr:
        return self._place(ast.BinOp(left, op, right))  # type: ignore[no-any-return]

    def compare(self, op: ast.cmpop, left: PyExpr, right: PyExpr) -> PyExpr:
        return self._place(ast.Compare(left, [op], [right]))  # type: ignore[no-any-return]

    def both(self, op: ast.boolop, left: PyExpr, right: PyExpr) -> PyExpr:
        return self._place(ast.BoolOp(op, [left, right]))  # type: ignore[no-any-return]

    def either(self, left: PyExpr, right: PyExpr) -> PyExpr:
        """The left if there is something in it, else the right."""
        return self.both(ast.Or(), left, right)

    def negated(self, value: PyExpr) -> PyExpr:
        return self._place(ast.UnaryOp(ast.Not(), value))  # type: ignore[no-any-return]

    def minus(self, value: PyExpr) -> PyExpr:
        return self._place(ast.UnaryOp(ast.USub(), value))  # type: ignore[no-any-return]

    def choice(self, condition: PyExpr, value: PyExpr, otherwise: PyExpr) -> PyExpr:
        return self._place(ast.IfExp(condition, value, otherwise))  # type: ignore[no-any-return]

    def lambda_(self, parameters: list[str], value: PyExpr) -> PyExpr:
        return self._place(ast.Lambda(self._arguments(parameters), value))  # type: ignore[no-any-return]

    def comprehension(self, value: PyExpr, loops: Loops, condition: PyExpr | None) -> PyExpr:
        return self._place(ast.ListComp(value, self._loops(loops, condition)))  # type: ignore[no-any-return]

    def generator(self, value: PyExpr, loops: Loops, condition: PyExpr | None) -> PyExpr:
        return self._place(ast.GeneratorExp(value, self._loops(loops, condition)))  # type: ignore[no-any-return]

    def _loops(self, loops: Loops, condition: PyExpr | None) -> list[ast.comprehension]:
        made = [
            ast.comprehension(self.target(target) if isinstance(target, str) else target, source, filters[:], 0)
            for target, source, filters in loops
        ]
        if condition is not None:
            made[-1].ifs.append(condition)
        return made

    # ── statements ──

    def assign(self, target: PyExpr, value: PyExpr) -> PyStmt:
        return self._place(ast.Assign([target], value))  # type: ignore[no-any-return]

    def run(self, value: PyExpr) -> PyStmt:
        return self._place(ast.Expr(value))  # type: ignore[no-any-return]

    def returns(self, value: PyExpr | None = None) -> PyStmt:
        return self._place(ast.Return(value))  # type: ignore[no-any-return]

    def when(self, condition: PyExpr, body: list[PyStmt], otherwise: list[PyStmt] | None = None) -> PyStmt:
        return self._place(ast.If(condition, body or [self._place(ast.Pass())], otherwise or []))  # type: ignore[no-any-return]

    def loop(self, condition: PyExpr, body: list[PyStmt]) -> PyStmt:
        return self._place(ast.While(condition, body or [self._place(ast.Pass())], []))  # type: ignore[no-any-return]

    def each(self, target: PyExpr, source: PyExpr, body: list[PyStmt]) -> PyStmt:
        return self._place(ast.For(target, source, body or [self._place(ast.Pass())], []))  # type: ignore[no-any-return]

    def raises(self, error: PyExpr) -> PyStmt:
        return self._place(ast.Raise(error, None))  # type: ignore[no-any-return]

    def guarded(self, body: list[PyStmt], error: str, handler: list[PyStmt]) -> PyStmt:
        caught = self._place(ast.ExceptHandler(self.name(error), f"_{error.lower()}", handler))
        return self._place(ast.Try(body, [caught], [], []))  # type: ignore[no-any-return]

    def define(self, name: str, parameters: list[str], body: list[PyStmt]) -> PyStmt:
        return self._place(  # type: ignore[no-any-return]
            ast.FunctionDef(name, self._arguments(parameters), body or [self._place(ast.Pass())], [], None)
        )

    def _arguments(self, parameters: list[str]) -> ast.arguments:
        return ast.arguments([], [self._place(ast.arg(p, None)) for p in parameters], None, [], [], None, [])
