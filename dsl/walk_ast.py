"""All nodes of a syntax tree, of any form: for passes to which it does not matter what they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import attrs

from dsl import ast


@cache
def _fields(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls) if field.name not in ("span", "comments"))


def nodes(*roots: object) -> Iterator[ast.Node]:
    """The roots that are nodes and everything in them, each before what is inside it; in text order."""
    waiting: list[object] = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif isinstance(node, ast.Node):
            yield node
            cls: type = type(node)
            waiting.extend(getattr(node, name) for name in reversed(_fields(cls)))
