"""Tests with a table of `cases`: one test for each row, with the cells in place of the names of the columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import attrs
from attrs import evolve, frozen

from dsl import ast
from dsl.diagnostics import Label, Report
from dsl.walk_ast import nodes

NAMING = frozenset(("span", "name", "function"))
"""fields in which a name is not a value"""
Tree = TypeVar("Tree")


@frozen(eq=False)
class Case:
    """One run of a test; of a test without a table, `number` is 0 and `row` None."""

    test: ast.Test
    number: int = 0
    row: ast.Row | None = None


def cases_of(test: ast.Test, report: Report) -> list[Case]:
    """All runs of a test, in the order of its table; those with a mistake in their row are left out."""
    table = test.cases
    if table is None:
        return [Case(test)]
    _check_columns(table, test, report)
    found: list[Case] = []
    for number, row in enumerate(table.rows, 1):
        if len(row.cells) != len(table.columns):
            count = len(row.cells)
            title = f"this row has {count} {'cell' if count == 1 else 'cells'}, and the table {len(table.columns)} columns"
            header = table.columns[0].span.to(table.columns[-1].span)
            report.error("CG0810", title, row.span, others=(Label(header, "the columns"),))
            continue
        cells = {column.id: cell for column, cell in zip(table.columns, row.cells, strict=True)}
        found.append(Case(evolve(test, lines=_replaced(test.lines, cells), cases=None), number, row))
    return found


def _check_columns(table: ast.CaseTable, test: ast.Test, report: Report) -> None:
    read = {node.id for node in nodes(*test.lines) if isinstance(node, ast.Name)}
    seen: dict[str, ast.Name] = {}
    for column in table.columns:
        first = seen.setdefault(column.id, column)
        if first is not column:
            report.error(
                "CG0810", f"two columns are called `{column.id}`", column.span, others=(Label(first.span, "the other one"),)
            )
        elif column.id not in read:
            hint = "leave the column out, or use its name in the lines below"
            report.error("CG0810", f"nothing in this test reads `{column.id}`", column.span, hint=hint)
    for node in nodes(*test.lines):
        if isinstance(node, ast.Range) and node.name.id in seen:
            report.error(
                "CG0202",
                f"`{node.name.id}` already means something here",
                node.name.span,
                "used again",
                others=(Label(seen[node.name.id].span, "a column of the cases"),),
                hint="an inner name never hides an outer one: take another name",
            )


@cache
def _fields(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls) if field.name not in NAMING)


def _replaced(tree: Tree, cells: Mapping[str, ast.Expr]) -> Tree:
    """A tree with the cells for the names that stand as values in it; what has none of them stays as it is."""
    made: object = tree
    if isinstance(tree, tuple):
        made = tuple(_replaced(part, cells) for part in tree)
    elif isinstance(tree, ast.Name):
        made = cells.get(tree.id, tree)
    elif isinstance(tree, ast.Node):
        cls: type = type(tree)
        parts = {name: getattr(tree, name) for name in _fields(cls)}
        changed = {name: new for name, old in parts.items() if (new := _replaced(old, cells)) is not old}
        made = evolve(tree, **changed) if changed else tree
    if isinstance(made, tuple) and isinstance(tree, tuple) and all(new is old for new, old in zip(made, tree, strict=True)):
        return tree
    return made  # type: ignore[return-value]
