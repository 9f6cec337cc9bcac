"""Everything inside checked expressions and statements, without descending into the declarations they mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import attrs

from dsl import model

_INSIDE = (
    model.Expr,
    model.Statement,
    model.Block,
    model.Binders,
    model.Binding,
    model.EachPlayer,
    model.ByChance,
    model.PickOne,
    model.PickSeveral,
    model.Menu,
    model.MenuLine,
    model.Bind,
    model.Match,
    model.MatchZone,
    model.Ignore,
    model.Answer,
    model.ScoreLine,
)


def is_node(thing: object) -> bool:
    """Is it part of a tree, with parts of its own?"""
    return isinstance(thing, _INSIDE)


@cache
def fields(cls: type) -> tuple[str, ...]:
    """The fields of a node that may hold others."""
    return tuple(f.name for f in attrs.fields(cls) if f.name not in ("span", "type"))


def nodes(*roots: object) -> Iterator[object]:
    """All nodes of the trees, the roots included, each before what is inside it; in text order."""
    waiting: list[object] = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple | list):
            waiting.extend(reversed(node))
        elif isinstance(node, _INSIDE):
            yield node
            cls: type = type(node)
            waiting.extend(getattr(node, name) for name in reversed(fields(cls)))


def parts(node: object) -> Iterator[object]:
    """The nodes right inside a node, in text order; nothing for what is no node."""
    if isinstance(node, _INSIDE):
        cls: type = type(node)
        waiting: list[object] = [getattr(node, name) for name in reversed(fields(cls))]
        while waiting:
            part = waiting.pop()
            if isinstance(part, tuple | list):
                waiting.extend(reversed(part))
            elif isinstance(part, _INSIDE):
                yield part


def statements(blocks: Iterable[model.Block | None]) -> Iterator[model.Statement]:
    """All statements in some blocks, nested ones too."""
    for node in nodes(*blocks):
        if isinstance(node, model.Statement):
            yield node
