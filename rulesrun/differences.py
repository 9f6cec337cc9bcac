"""`rulesrun diff`: what variants change, declaration by declaration, in the words of the files, and what they override."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

if TYPE_CHECKING:
    from dsl import ast, model
    from dsl.composition import Changed, Composition
    from dsl.source import Span
    from rulesrun.api import Game
    from rulesrun.locate import Library


@frozen
class Passage:
    """A piece of a file, without the indentation it has there."""

    path: str
    line: int
    text: str

    @property
    def lines(self) -> list[tuple[int, str]]:
        return list(enumerate(self.text.split("\n"), self.line))


@frozen
class Cell:
    """A column of a card that is changed."""

    column: str
    old: str | None
    new: str


@frozen
class Difference:
    """One thing that a variant does. `what`: add, attach, change or remove. `old` is what it changes or removes, or the declaration to
    which it attaches; `condition` the options under which it holds; `over` the attachments it now stands before, each with the card
    that carries it, if one does; `replaces`: an `instead of` that never proceeds."""

    what: str
    sort: str
    name: str
    new: Passage
    old: Passage | None
    condition: str | None = None
    cells: tuple[Cell, ...] = ()
    over: tuple[tuple[Passage, str | None], ...] = ()
    replaces: bool = False


# ── finding ──


def differences(game: Game, library: Library, options: Mapping[str, object] | None = None) -> list[Difference]:
    """What the variants of a loaded game do, file by file in the order of the text."""
    from dsl.compose import compose
    from dsl.diagnostics import Report

    composition = compose(game.source, list(game.variant_sources), dict(options or {}), library, Report())
    assert composition is not None, "it has been loaded"
    variants = {source.path for source in game.variant_sources}
    found = [difference(c, composition, game.rules) for c in composition.changes if c.file.source.path in variants]
    return [*how_many_play(composition), *found]


def difference(change: Changed, composition: Composition, rules: model.Game) -> Difference:
    return Difference(
        change.what,
        change.sort,
        cards_of_row(change, rules) or change.name,
        passage(change.new),
        None if change.old is None else passage(change.old),
        " and ".join(block.condition.span.text for block in change.blocks) or None,
        tuple(cells(change, composition)),
        *overridden(change, rules),
    )


def cards_of_row(change: Changed, rules: model.Game) -> str:
    """The cards that a changed row makes, if its name has holes in it."""
    if change.sort not in ("card", "ability") or "{" not in change.name:
        return ""
    rows = (change.new, change.old)
    names = [design.name for card in rules.card_types for design in card.designs if design.span in rows]
    if len(names) < 4:
        return ", ".join(names)
    return f"{names[0]} … {names[-1]} ({len(names)} cards)"


def how_many_play(composition: Composition) -> Iterator[Difference]:
    from dsl import ast

    for file in composition.files:
        if isinstance(file.header, ast.VariantHeader) and file.header.players is not None:
            new, old = file.header, composition.game.header
            yield Difference("change", "players", "how many can play", passage(new.span), passage(old.span))


def cells(change: Changed, composition: Composition) -> Iterator[Cell]:
    """The columns of a changed card, as they were and as they are."""
    from dsl import ast

    if change.sort != "card" or not isinstance(change.item, ast.Cards):
        return
    new = next(row for row in change.item.rows if row.span == change.new)
    old = old_cells(change, composition)
    for column, cell in zip(change.item.columns, new.cells, strict=True):
        if column.id != "name":
            yield Cell(column.id, old.get(column.id, "1" if column.id == "copies" else None), cell.span.text)


def old_cells(change: Changed, composition: Composition) -> dict[str, str]:
    from dsl.uses import items_of

    for file in composition.files:
        for item in items_of(file.items):
            for row in getattr(item, "rows", ()):
                if getattr(row, "cells", None) is not None and row.span == change.old:
                    columns: tuple[ast.Name, ...] = getattr(item, "columns", ())
                    return {c.id: cell.span.text for c, cell in zip(columns, row.cells, strict=True)}
    return {}


def overridden(change: Changed, rules: model.Game) -> tuple[tuple[tuple[Passage, str | None], ...], bool]:
    """The attachments over which a new `instead of` has the first word, and whether it replaces all of them for good."""
    from dsl import ast
    from dsl.walk_ast import nodes

    mine = next((a for a in rules.attachments if a.span == change.new and a.carriers is None), None)
    if change.what != "attach" or mine is None or mine.when != "instead":
        return (), False
    under = [a for a in rules.attachments if a.target is mine.target and a is not mine and a.when == "instead"]
    under = [a for a in under if (a.rank, a.order) < (mine.rank, mine.order) or (a.carriers is not None and mine.rank[0] >= 2)]
    places = {(a.span.source.path, a.span.start): (passage(a.span), carrier(a)) for a in under}
    proceeds = any(isinstance(node, ast.Proceed) for node in nodes(change.item))
    return tuple(places.values()), not proceeds


def carrier(attachment: model.Attachment) -> str | None:
    names = dict.fromkeys(design.name for design in attachment.carriers or ())
    return None if not names else next(iter(names)) if len(names) == 1 else f"{next(iter(names))} and others"


def passage(span: Span) -> Passage:
    """The text of a span with its later lines moved left as far as the first."""
    first, *more = span.text.split("\n")
    indent = span.column - 1
    return Passage(
        span.source.path, span.line, "\n".join([first, *(line[min(indent, len(line) - len(line.lstrip())) :] for line in more)])
    )


# ── showing ──


def as_data(found: Sequence[Difference]) -> list[dict[str, Any]]:
    """As it stands in the JSON."""
    return [
        {
            "what": d.what,
            "sort": d.sort,
            "name": d.name.strip('"'),
            "condition": d.condition,
            "new": _data(d.new),
            "old": None if d.old is None else _data(d.old),
            "cells": [{"column": c.column, "old": c.old, "new": c.new} for c in d.cells],
            "over": [{**_data(place), "card": card} for place, card in d.over],
        }
        for d in found
    ]


def _data(place: Passage) -> dict[str, object]:
    return {"path": place.path, "line": place.line, "text": place.text}


def shown(found: Difference) -> Iterator[tuple[str, str]]:
    """A difference as lines: a sign for the margin (a space, `-`, `+`, or `=` for the heading), and the text."""
    yield "=", heading(found)
    if found.sort == "test":
        return
    if found.cells:
        for cell in found.cells:
            gone = ": it is not in the game" if cell.column == "copies" and cell.new == "0" else ""
            change = f"{cell.old} → {cell.new}" if cell.old != cell.new else f"{cell.new}, as before"
            yield " ", f"      {cell.column}  {change}{gone}"
        if "\n" in found.new.text:
            yield from _compared(_below(found.old), _below(found.new))
    elif found.what == "change" and found.old is not None:
        yield from _compared(found.old.lines, [(n, text.removeprefix("change ")) for n, text in found.new.lines])
    elif found.what == "remove":
        yield from (("-", _numbered(*line)) for line in (found.old or found.new).lines)
    else:
        yield from (("+", _numbered(*line)) for line in found.new.lines)
    if found.what == "attach" and found.old is not None:
        yield " ", _numbered(*found.old.lines[0]) + (" …" if len(found.old.lines) > 1 else "")
    for place, card in found.over:
        yield " ", _numbered(*place.lines[0]) + (" …" if len(place.lines) > 1 else "") + (f"   ({card})" if card else "")


def heading(found: Difference) -> str:
    condition = f", when {found.condition}" if found.condition else ""
    if found.what == "attach":
        what = "to a built-in event" if found.old is None else f"to the {found.old.text.split()[0]} `{_called(found.old.text)}`"
        around = ""
        if found.name.startswith("instead"):
            around = ", replaces it" if found.replaces else ", goes around it"
            around += f", and has the first word over {len(found.over)} other{'s' * (len(found.over) > 1)}" if found.over else ""
        return f"{found.name}: attached {what}{around}{condition}"
    done = {"add": "new", "change": "changed", "remove": "removed"}[found.what]
    if found.sort in ("players", "attachment"):
        return f"{found.name}: {done}{condition}"
    if found.sort == "ability":
        return f"an ability of {found.name}: {done}{condition}"
    if found.sort == "scoring":
        return f"{found.name} in the scoring: {done}{condition}"
    return f"{found.sort} {found.name}: {done}{condition}"


def _called(text: str) -> str:
    return text.split("(")[0].split()[-1]


def _below(place: Passage | None) -> list[tuple[int, str]]:
    """The lines under the first: the abilities of a card."""
    return [] if place is None else place.lines[1:]


def _numbered(number: int, text: str) -> str:
    return f"{number:>5}  {text}".rstrip()


def _compared(old: list[tuple[int, str]], new: list[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    before, after = ([" ".join(text.split()) for _, text in lines] for lines in (old, new))  # columns may be set anew
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from ((" ", _numbered(*line)) for line in new[c:d])
        else:
            yield from (("-", _numbered(*line)) for line in old[a:b])
            yield from (("+", _numbered(*line)) for line in new[c:d])


WIDTH = 100
COLOURS: dict[str, dict[str, Any]] = {"=": {"bold": True}, "-": {"fg": "red"}, "+": {"fg": "green"}, " ": {"dim": True}}


def print_differences(game: Game, found: Sequence[Difference]) -> None:
    """Print them, file by file, with what each file says about itself."""
    import sys

    from dsl import parse
    from dsl.diagnostics import Report
    from dsl.render import visible
    from rulesrun.reporting import wants_colour

    colour = wants_colour(sys.stdout)
    for source in game.variant_sources:
        file = parse.read(source, Report())
        click.echo(f"{game.source.path} ← {source.path}")
        if file is not None and file.doc:
            for paragraph in file.doc.split("\n\n"):
                click.echo("\n" + fill(visible(paragraph), WIDTH))
        mine = [d for d in found if d.new.path == source.path]
        for before, one in zip([None, *mine], mine, strict=False):
            if before is None or (before.sort, one.sort) != ("test", "test"):
                click.echo()
            for sign, text in shown(one):
                line = visible(text) if sign == "=" else f"{sign} {visible(text)}".rstrip()
                click.echo(click.style(line, **COLOURS[sign]) if colour else line)
        if not mine:
            click.echo("\nIt changes nothing.")
        click.echo()
