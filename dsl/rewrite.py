"""Checked rules with parts of them put in anew: where the bodies and values of a game are, and how a tree is made again with changes.

Declarations stay the objects they are, so that whatever refers to them still does; only what they hold is exchanged, and can be put
back. `interpreter/coverage.py` puts in marks, `dsl/mutation/` mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
from attrs import frozen

from dsl import model, walk
from dsl.source import Span

JUDGED = (model.Invariant, model.GameProperty)
"""what holds a condition, and is no node itself"""
MOST_NAMED = 40
"""letters of an ability's text by which it is called"""

Change = Callable[[Any], Any]


@frozen(eq=False)
class Place:
    """Something of a game that holds a tree: the attribute `field` of `owner` (or its element `number`). `sort` says what it is:

    rule, define, variable, score, ending, invariant, property, attachment (its body or value), guard and head (of an attachment)."""

    sort: str
    name: str
    """as a person would point to it: `turn`, `before turn`, `ending all`"""
    span: Span
    owner: Any
    field: str
    number: int | None = None

    @property
    def tree(self) -> Any:
        held = getattr(self.owner, self.field)
        return held if self.number is None else held[self.number]

    def put(self, tree: Any) -> None:
        if self.number is None:
            setattr(self.owner, self.field, tree)
        else:
            held = getattr(self.owner, self.field)
            held[self.number] = tree


def places(game: model.Game) -> Iterator[Place]:
    """Every place of a game that holds statements or expressions, but for tests and their helpers; in no order that means anything."""
    for rule in game.rules:
        if rule.body is not None and not rule.for_tests:
            yield Place("rule", rule.name, rule.span, rule, "body")
    for define in game.defines:
        if not define.for_tests:
            yield Place("define", define.name, define.span, define, "value")
    for variable in game.variables:
        if variable.value is not None:
            yield Place("variable", variable.name, variable.span, variable, "value")
    for attachment in game.attachments:
        name = name_of(attachment)
        if attachment.patterns:
            yield Place("head", name, attachment.span, attachment, "patterns")
        if attachment.where is not None:
            yield Place("guard", name, attachment.span, attachment, "where")
        yield Place("attachment", name, attachment.span, attachment, "value" if attachment.body is None else "body")
    for scoring in game.scoring:
        for number, line in enumerate(scoring.lines):
            yield Place("score", f'scoring "{line.label}"', line.span, scoring, "lines", number)
    for ending in game.endings:
        yield Place("ending", f"ending {ending.name}", ending.span, ending, "condition")
        if ending.patterns:
            yield Place("head", f"ending {ending.name}", ending.span, ending, "patterns")
    for number, invariant in enumerate(game.invariants):
        yield Place("invariant", f'invariant "{invariant.text}"', invariant.span, game, "invariants", number)
    for number, wanted in enumerate(game.properties):
        yield Place("property", f'property "{wanted.text}"', wanted.span, game, "properties", number)


def name_of(attachment: model.Attachment) -> str:
    """What an attachment is called: its text, or what it attaches to."""
    word = "instead of" if attachment.when == "instead" else attachment.when
    text = attachment.text if len(attachment.text) <= MOST_NAMED else attachment.text[: MOST_NAMED - 1].rstrip() + "…"
    where = f'"{text}"' if text else f"{word} {attachment.target.name}"
    if attachment.carriers:
        return f"{attachment.carriers[0].name}, {where}"
    return where


def nodes(tree: Any) -> Iterator[object]:
    """All nodes in what a place holds."""
    return walk.nodes(tree.value if isinstance(tree, JUDGED) else tree)


def asked_in_play(game: model.Game) -> set[model.Define]:
    """The defines that can be asked while a game is played or tested. Others only help to write tables of cards."""
    found = {define for define in (game.winners,) if define is not None}
    trees = [place.tree for place in places(game) if place.sort != "define"]
    trees += [line for test in game.tests for line in test.lines]
    waiting: list[Any] = [*trees, *(define.value for define in found)]
    while waiting:
        for node in nodes(waiting.pop()):
            if isinstance(node, model.CallDefine) and node.define not in found:
                found.add(node.define)
                waiting.append(node.define.value)
    return found


def with_parts(node: Any, change: Change) -> Any:
    """The node with what is right inside it changed; the node itself if nothing has changed."""
    if isinstance(node, tuple):
        made = tuple(change(part) for part in node)
        return made if any(new is not old for new, old in zip(made, node, strict=True)) else node
    if isinstance(node, JUDGED):
        value = change(node.value)
        return node if value is node.value else attrs.evolve(node, value=value)
    if not walk.is_node(node):
        return node
    changed = {}
    cls: type = type(node)
    for name in walk.fields(cls):
        part = getattr(node, name)
        if isinstance(part, tuple) or walk.is_node(part):
            new = change(part)
            if new is not part:
                changed[name] = new
    return attrs.evolve(node, **changed) if changed else node


@contextmanager
def put_in(changes: list[tuple[Place, Any]]) -> Iterator[None]:
    """While the `with` block runs the places hold these trees; then what they held before."""
    before = [(place, place.tree) for place, _ in changes]
    try:
        for place, tree in changes:
            place.put(tree)
        yield
    finally:
        for place, tree in before:
            place.put(tree)
