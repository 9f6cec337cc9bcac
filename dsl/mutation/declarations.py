"""Mutations of whole declarations: what is left out, what happens at another time, what others may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from dsl import model
from dsl.mutation.operators import LEFT_OUT, tests_none
from dsl.rewrite import Place, name_of
from dsl.source import Span

VISIBILITY = {"hidden": ("open",), "private": ("open",), "open": ("hidden",), "top open": ("hidden", "open")}
OTHER_TIME = {"before": "after", "after": "before"}


@frozen
class Edit:
    """A change of a declaration: what stands where, of whom (`where`), and how the text would read."""

    where: str
    span: Span
    becomes: str
    puts: tuple[tuple[Place, Any], ...]
    covered: bool
    """only where it applies can it make a difference"""


Declared = Callable[[model.Game], Iterator[Edit]]
DECLARATIONS: dict[str, Declared] = {}
"""by the name of the operator; the first line of each one's docstring says what it does"""


def operator(name: str) -> Callable[[Declared], Declared]:
    def register(function: Declared) -> Declared:
        DECLARATIONS[name] = function
        return function

    return register


def field(owner: Any, name: str, span: Span) -> Place:
    return Place("declaration", name, span, owner, name)


@operator("attachment")
def attachment_left_out(game: model.Game) -> Iterator[Edit]:
    """something attached, or an ability of a card, is left out"""
    for key, some in by_text(game).items():
        rest = [one for one in game.attachments if place_of(one) != key]
        puts = ((field(game, "attachments", some[0].span), rest),)
        yield Edit(name_of(some[0]), head_of(some[0]), LEFT_OUT, puts, not some[0].optional)


@operator("guard")
def guard_left_out(game: model.Game) -> Iterator[Edit]:
    """the `where` of something attached is left out"""
    for some in by_text(game).values():
        where = some[0].where
        if where is not None and not tests_none(where):
            puts = tuple((field(one, "where", one.span), None) for one in some)
            yield Edit(name_of(some[0]), where.span, LEFT_OUT, puts, False)


@operator("time")
def other_time(game: model.Game) -> Iterator[Edit]:
    """`before` becomes `after`, and back (not of an event, which does nothing in between)"""
    for some in by_text(game).values():
        target = some[0].target
        event = isinstance(target, model.Rule) and target.body is None
        if some[0].when in OTHER_TIME and not some[0].optional and not event:
            new = OTHER_TIME[some[0].when]
            puts = tuple((field(one, "when", one.span), new) for one in some)
            head = head_of(some[0])
            yield Edit(name_of(some[0]), head, head.text.replace(some[0].when, new, 1), puts, False)


@operator("owner may")
def must_be_used(game: model.Game) -> Iterator[Edit]:
    """an ability that its owner may use happens always"""
    for some in by_text(game).values():
        if some[0].optional:
            puts = tuple((field(one, "optional", one.span), False) for one in some)
            yield Edit(name_of(some[0]), head_of(some[0]), "always", puts, False)


@operator("ending")
def ending_left_out(game: model.Game) -> Iterator[Edit]:
    """an ending is left out"""
    for one in game.endings:
        puts = ((field(game, "endings", one.span), [other for other in game.endings if other is not one]),)
        yield Edit(f"ending {one.name}", line_of(one.span), LEFT_OUT, puts, False)


@operator("score line")
def line_left_out(game: model.Game) -> Iterator[Edit]:
    """a line of the score is left out, or counts always"""
    for scoring in game.scoring:
        for line in scoring.lines:
            name = f'scoring "{line.label}"'
            rest = [other for other in scoring.lines if other is not line]
            yield Edit(name, line.span, LEFT_OUT, ((field(scoring, "lines", line.span), rest),), False)
            if line.condition is not None and not tests_none(line.condition):
                always = [evolve(other, condition=None) if other is line else other for other in scoring.lines]
                yield Edit(name, line.condition.span, LEFT_OUT, ((field(scoring, "lines", line.span), always),), False)


@operator("visibility")
def visibility(game: model.Game) -> Iterator[Edit]:
    """what is hidden or private becomes open, what is open becomes hidden"""
    zones: list[model.Zone | model.Variable] = [*game.zones, *game.variables]
    for one in zones:
        sort = "zone" if isinstance(one, model.Zone) else "var"
        for new in VISIBILITY[one.visibility]:
            if sort == "var" and one.visibility == "open":
                continue  # a plain variable says nothing of who knows it
            line = line_of(one.span)
            before, colon, after = line.text.rpartition(f"{one.visibility} ")
            becomes = f"{before}{new} {after}" if colon else new
            yield Edit(f"{sort} {one.name}", line, becomes, ((field(one, "visibility", one.span), new),), False)


@operator("sorting")
def sorting(game: model.Game) -> Iterator[Edit]:
    """the `by` of a zone is left out"""
    for zone in game.zones:
        if zone.by is not None:
            line = line_of(zone.span)
            becomes = line.text.replace(f" by {zone.by.name}", "", 1)
            yield Edit(f"zone {zone.name}", line, becomes, ((field(zone, "by", zone.span), None),), False)


def by_text(game: model.Game) -> dict[tuple[str, int, int], list[model.Attachment]]:
    """The attachments by where they stand; a row of a table that is made for many cards makes many of one text."""
    found: dict[tuple[str, int, int], list[model.Attachment]] = {}
    for attachment in game.attachments:
        found.setdefault(place_of(attachment), []).append(attachment)
    return found


def place_of(attachment: model.Attachment) -> tuple[str, int, int]:
    return (attachment.span.source.path, attachment.span.start, attachment.span.end)


def head_of(attachment: model.Attachment) -> Span:
    """The line that says what it is attached to."""
    span = attachment.span
    return Span(span.source, span.start, span.start + len(head_line(span)))


def line_of(span: Span) -> Span:
    """The whole line, without indentation and remark."""
    source = span.source
    line = source.line(span.line)
    text = line.split(" #", 1)[0].rstrip()
    start = source.line_starts[span.line - 1] + len(text) - len(text.lstrip())
    return Span(source, start, start + len(text.lstrip()))


def head_line(span: Span) -> str:
    return span.text.split("\n", 1)[0]
