"""The edit that mends a finding, where there is no doubt what to write: for editors and other programs.

It is read from what the finding says at its place: a name of the right kind, or a word of the language instead of a foreign one."""

from __future__ import annotations

import re

from attrs import frozen

from dsl.diagnostics import Diagnostic
from dsl.source import Span

NEAREST = re.compile(r"did you mean `\.?([^`]+)`\?")
INSTEAD = re.compile(r"write `([^`]+)`")
HERE = re.compile(r"write `([^`]+)` here")
FOR_FOREIGN = ("CG0114", "CG0115", "CG0116", "CG0117", "CG0118", "CG0123", "CG0124", "CG0132", "CG0205", "CG0403")
"""findings whose place is a sign or word of another language, with ours in the label"""
WORDS = re.compile(r"[a-z]+( [a-z]+)?|[:<>=.\[\], 0-9]+")
"""what may be put there: words and signs of the language, numbers; no names"""


@frozen
class Fix:
    """Put `text` where `span` is."""

    span: Span
    text: str


def fix_of(finding: Diagnostic) -> Fix | None:
    """The edit that mends it, or None if a person has to decide."""
    span, written = finding.span, finding.span.text
    found = NEAREST.fullmatch(finding.label)
    if found:
        return Fix(span, f'"{found[1]}"' if written[:1] == '"' else found[1])
    found = HERE.fullmatch(finding.label)
    if found and finding.code == "CG0119":
        return Fix(Span(span.source, span.end, span.end), found[1])
    found = INSTEAD.fullmatch(finding.label)
    if found is None or finding.code not in FOR_FOREIGN or not WORDS.fullmatch(found[1]):
        return None
    following = re.compile(r" +if\b").match(span.source.text, span.end)
    if found[1] == "otherwise if" and written == "else" and following is not None:
        span = Span(span.source, span.start, following.end())
    return Fix(span, found[1])
