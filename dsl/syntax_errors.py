"""What the parser could not read, in the words of the language."""

from __future__ import annotations

from attrs import define
from lark import Token

from dsl.diagnostics import Report
from dsl.grammar import Grammar
from dsl.source import Source, Span


@define
class Place:
    """Where the parser stopped: the token at `at`, in the line that begins at `line_at`; `accepts` could come instead."""

    source: Source
    report: Report
    grammar: Grammar
    items: list[Token]
    kinds: list[str]
    at: int
    line_at: int
    accepts: set[str]


def explain(place: Place) -> None:
    """Report the error."""
    token = place.items[place.at]
    span = Span(place.source, token.start_pos or 0, token.end_pos or 0)
    place.report.error("CG0100", f"`{token}` does not fit here", span, " or ".join(sorted(place.accepts)))
