"""Mutations: checked rules with one thing changed, to see whether the tests notice.

`operators` changes nodes of bodies and values, `declarations` whole declarations. A mutant is found in one composition of a game and can be
made in every other that has the same text. What the tests of tests are, invariants, are not changed, nor are the tables of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from attrs import evolve, frozen

from dsl import model, rewrite, walk
from dsl.mutation.declarations import DECLARATIONS, line_of
from dsl.mutation.operators import OPERATORS, Around, Change
from dsl.source import Span

MOST_NAMED = 100
"""letters of a text in an id"""

Key = tuple[str, int, int, str]
Step = tuple[str, int | None]


@frozen
class Mutant:
    """One change. `span` is the text that changes, `becomes` what it would be; `where` the rule, define … it stands in.

    `number` tells changes apart that read alike, from 1. `needs`: it can make a difference
    only where this text runs; None if it might anywhere."""

    operator: str
    where: str
    span: Span
    becomes: str
    needs: Span | None
    number: int = 1

    @property
    def key(self) -> Key:
        """The same in every composition of the game."""
        return (self.operator, self.span.start, self.span.end, self.becomes)

    @property
    def was(self) -> str:
        return one_line(self.span.text)

    @property
    def id(self) -> str:
        """The same as long as the text of the change and what it stands in stay the same, on whatever line."""
        number = f" #{self.number}" if self.number > 1 else ""
        return f"{self.where} | {self.operator} | {self.was} -> {one_line(self.becomes)}{number}"


def one_line(text: str) -> str:
    """A text on one line; of a long one the beginning."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_NAMED else line[: MOST_NAMED - 1].rstrip() + "…"


def mutants(game: model.Game, path: str) -> list[Mutant]:
    """Every mutant of what stands in the file with this path, in text order."""
    found: dict[Key, Mutant] = {}
    for place in changeable(game, path):
        for _, node, around in nodes(place, game):
            for name, changes in OPERATORS.items():
                for change in changes(node, around):
                    span = changed_text(change, node)
                    key = (name, span.start, span.end, change.becomes)
                    found.setdefault(key, Mutant(name, name_for(place, span), span, change.becomes, span))
    for name, edits in DECLARATIONS.items():
        for edit in edits(game):
            if edit.span.source.path == path:
                key = (name, edit.span.start, edit.span.end, edit.becomes)
                needs = edit.span if edit.covered else None
                found.setdefault(key, Mutant(name, edit.where, edit.span, edit.becomes, needs))
    return numbered(found.values())


def changeable(game: model.Game, path: str) -> Iterator[rewrite.Place]:
    """The places of a file whose trees are changed."""
    asked = rewrite.asked_in_play(game)
    for place in rewrite.places(game):
        if place.span.source.path != path or place.sort in ("invariant", "property"):
            continue
        if place.sort != "define" or place.owner in asked:
            yield place


def name_for(place: rewrite.Place, span: Span) -> str:
    """What the changed text stands in: the place, or for the head and guard of abilities the timing they come from."""
    if place.sort in ("head", "guard") and not place.span.start <= span.start < place.span.end:
        return one_line(line_of(span).text.split(":", 1)[0])
    return place.name


def changed_text(change: Change, node: Any) -> Span:
    span: Span = node.span if change.span is None else change.span
    return span


def numbered(found: Iterable[Mutant]) -> list[Mutant]:
    """In text order, with numbers where the ids would be the same."""
    seen: Counter[str] = Counter()
    made: list[Mutant] = []
    for mutant in sorted(found, key=lambda mutant: (mutant.span.start, mutant.span.end)):
        one = evolve(mutant, number=1)
        seen[one.id] += 1
        made.append(evolve(one, number=seen[one.id]))
    return made


def mutated(game: model.Game, mutant: Mutant) -> AbstractContextManager[None] | None:
    """While the context is open the game is changed so; None if this composition has not got the text."""
    changes = list(_changes(game, mutant))
    return rewrite.put_in(changes) if changes else None


def _changes(game: model.Game, mutant: Mutant) -> Iterator[tuple[rewrite.Place, Any]]:
    """What to put where. The same text may stand in several places: in abilities of one timing or row, or twice in `x += 1`."""
    path = mutant.span.source.path
    if mutant.operator in DECLARATIONS:
        for edit in DECLARATIONS[mutant.operator](game):
            if edit.span.source.path == path and (edit.span.start, edit.span.end, edit.becomes) == mutant.key[1:]:
                yield from edit.puts
        return
    changes = OPERATORS[mutant.operator]
    for place in changeable(game, path):
        tree = place.tree
        for steps, node, around in list(nodes(place, game)):
            for change in changes(node, around):
                span = changed_text(change, node)
                if (span.start, span.end, change.becomes) == mutant.key[1:]:
                    tree = replaced(tree, steps, change.node)
        if tree is not place.tree:
            yield place, tree


# ── trees ──


def nodes(place: rewrite.Place, game: model.Game) -> Iterator[tuple[tuple[Step, ...], Any, Around]]:
    """Every node of what a place holds, with the way to it from the root."""
    has_result = isinstance(place.owner, model.Rule) and place.owner.result is not None
    waiting: list[tuple[tuple[Step, ...], Any, tuple[Any, ...]]] = []

    def put(steps: tuple[Step, ...], name: str, held: Any, parents: tuple[Any, ...]) -> None:
        if isinstance(held, tuple):
            for number, part in enumerate(held):
                if walk.is_node(part):
                    waiting.append(((*steps, (name, number)), part, parents))
        elif walk.is_node(held):
            waiting.append(((*steps, (name, None)), held, parents))

    put((), "", place.tree, ())
    while waiting:
        steps, node, parents = waiting.pop()
        yield steps, node, Around(parents, has_result, game.players == (2,))
        cls: type = type(node)
        for name in walk.fields(cls):
            put(steps, name, getattr(node, name), (*parents, node))


def replaced(tree: Any, steps: tuple[Step, ...], node: Any) -> Any:
    """The tree with another node at the end of this way."""
    if not steps:
        return node
    (name, number), rest = steps[0], steps[1:]
    held = tree if not name else getattr(tree, name)
    inner = replaced(held if number is None else held[number], rest, node)
    new = inner if number is None else (*held[:number], inner, *held[number + 1 :])
    return new if not name else evolve(tree, **{name: new})
