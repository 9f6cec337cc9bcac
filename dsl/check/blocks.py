"""Blocks: how their statements are looked at one after another, and what is known to be there as they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from dsl import ast, model
from dsl.check.scope import Path, Scope

Handler = Callable[[Any, Scope], "Done"]
HANDLERS: dict[type, Handler] = {}


@attrs.frozen
class Done:
    """What a statement became, and whether nothing after it is reached (`end`, `return`)."""

    statements: tuple[model.Statement, ...] = ()
    leaves: bool = False


def handles(*nodes: type) -> Callable[[Handler], Handler]:
    def register(function: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(nodes, function))
        return function

    return register


def block(node: ast.Block, scope: Scope) -> tuple[model.Block, bool]:
    """The statements, and whether the block leaves. `scope` is the block's own: at its end it knows what holds there."""
    made: list[model.Statement] = []
    leaves = False
    for statement in node.statements:
        done = HANDLERS[type(statement)](statement, scope)
        made += done.statements
        leaves = leaves or done.leaves
    return model.Block(statements=tuple(made)), leaves


# ── what is known after branches ──


def merge(scope: Scope, ends: list[tuple[Scope, bool]]) -> bool:
    """After branches: what all those know that go on. True if none does."""
    going_on = [inner.facts for inner, leaves in ends if not leaves]
    if not going_on:
        return True
    known = going_on[0]
    for other in going_on[1:]:
        known &= other
    scope.facts = known
    return False


def forget(scope: Scope, what: object) -> None:
    """A variable or local was assigned: what was known of it and of what it indexes is known no longer."""
    scope.facts = frozenset(p for p in scope.facts if not _mentions(p, what))


def _mentions(where: Path, what: object) -> bool:
    return any(part is what or (isinstance(part, tuple) and _mentions(part, what)) for part in where)


def forget_assigned(node: ast.Block, scope: Scope) -> None:
    """Before a loop: its body may run again after what it assigns."""
    names = set(_assigned(node))
    if not names:
        return

    def touched(where: Path) -> bool:
        return any(
            touched(part) if isinstance(part, tuple) else isinstance(part, model.Local | model.Variable) and part.name in names
            for part in where
        )

    scope.facts = frozenset(p for p in scope.facts if not touched(p))


def _assigned(node: ast.Block) -> Iterator[str]:
    for statement in node.statements:
        if isinstance(statement, ast.Assign):
            base = statement.target
            while isinstance(base, ast.Index | ast.Property | ast.Group):
                base = base.value if isinstance(base, ast.Group) else base.of
            if isinstance(base, ast.Name):
                yield base.id
        for inner in _blocks(statement):
            yield from _assigned(inner)


def _blocks(statement: ast.Statement) -> Iterator[ast.Block]:
    match statement:
        case ast.If(branches=branches, otherwise=otherwise):
            yield from (body for _, body in branches)
            if otherwise is not None:
                yield otherwise
        case ast.While(body=body) | ast.For(body=body) | ast.Repeat(body=body):
            yield body
        case ast.MayDo(body=body, otherwise=otherwise):
            yield body
            if otherwise is not None:
                yield otherwise
        case ast.Choose(what=what, body=body, otherwise=otherwise):
            if isinstance(what, ast.Menu):
                yield from (line.body for line in what.lines if line.body is not None)
            if body is not None:
                yield body
            if otherwise is not None:
                yield otherwise
