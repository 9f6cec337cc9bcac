"""How a finding looks: in full with the lines it is about, on one line, or as data for tools. No colours; plain text only.

Rules files are not trusted: characters that a terminal would obey are never shown as they are.
"""

from __future__ import annotations

import textwrap
import unicodedata
from typing import Any

from attrs import Factory, define, frozen

from dsl.diagnostics import Diagnostic
from dsl.fixes import fix_of
from dsl.source import NOWHERE, Source, Span

WIDTH = 100
TAB = 4


@frozen
class Frame:
    """The signs that lines are drawn with."""

    top: str = "┌"
    side: str = "│"
    next: str = "├"
    foot: str = "└"
    cut: str = "…"
    tab: str = "→"


BOXES = Frame()
ASCII = Frame(top="+", side="|", next="|", foot="+", cut="...", tab=">")


def render(found: Diagnostic, frame: Frame = BOXES) -> str:
    """A finding in full, over several lines: title, the line it is about, other places, what to do."""
    head = f"{found.severity} {found.code}: {visible(found.title)}"
    places = [_Mark(found.span, found.label, "^"), *(_Mark(o.span, o.text, "-") for o in found.others if o.span != NOWHERE)]
    if found.span == NOWHERE:
        places = places[1:]
    digits = max((len(str(p.line)) for p in places), default=1)
    drawing = _Drawing(frame, digits)
    drawing.places(places)
    if found.hint:
        drawing.prose(found.hint)
    drawing.lines.append(f"{' ' * digits} {frame.foot} rulesrun explain {found.code}")
    return "\n".join((head, *drawing.lines))


def concise(found: Diagnostic) -> str:
    """A finding on one line: `path:line:col: error CG0203: title`."""
    return f"{visible(str(found.span))}: {found.severity} {found.code}: {visible(found.title)}"


def github(found: Diagnostic) -> str:
    """A finding as a line that GitHub Actions shows beside the code: `::error file=…,line=…,col=…::…`."""
    row, column = found.span.source.position(found.span.start)
    end_row, end_column = found.span.source.position(found.span.end)
    place = {"file": found.span.source.path, "line": row, "endLine": end_row}
    if row == end_row:
        place |= {"col": column, "endColumn": end_column}
    place["title"] = f"{found.code}: {found.title}"
    properties = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in place.items())
    said = "\n".join(filter(None, (found.title, found.label, found.hint)))
    return f"::{found.severity} {properties}::{_escaped(said)}"


def _escaped(text: str, more: str = "") -> str:
    """A text as workflow commands want it: percent signs, line breaks and some more characters by their numbers."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c if c.isprintable() else "\ufffd" for c in text)


def as_json(found: Diagnostic) -> dict[str, Any]:
    """A finding as data; rows and columns begin at 1 and count characters, an end is exclusive. `url` leads to its page from the folder of
    the project; `fix` is an edit that mends it, None if a person has to decide."""
    fix = fix_of(found)
    return {
        "code": found.code,
        "severity": str(found.severity),
        "message": found.title,
        "label": found.label or None,
        "hint": found.hint,
        **_place(found.span),
        "url": f"docs/errors/{found.code}.md",
        "fix": None if fix is None else {"text": fix.text, **_place(fix.span)},
        "related": [{"label": other.text or None, **_place(other.span)} for other in found.others],
    }


def _place(span: Span) -> dict[str, Any]:
    row, column = span.source.position(span.start)
    end_row, end_column = span.source.position(span.end)
    return {
        "filename": span.source.path,
        "location": {"row": row, "column": column},
        "end_location": {"row": end_row, "column": end_column},
    }


def visible(text: str) -> str:
    """A text with nothing in it that a terminal would obey: such characters become `�`, line breaks blanks."""
    return "".join(c if c.isprintable() else " " if c in "\r\n" else "\ufffd" for c in text)


def columns(character: str) -> int:
    """How many columns a character takes on a terminal."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


# ── drawing ──


@frozen
class _Mark:
    """A place to underline, and with what."""

    span: Span
    text: str
    sign: str

    @property
    def line(self) -> int:
        return self.span.line


@define
class _Drawing:
    frame: Frame
    digits: int
    lines: list[str] = Factory(list)

    def places(self, marks: list[_Mark]) -> None:
        """The lines with the marks, the first mark's line first; marks in one line share it."""
        source: Source | None = None
        drawn: set[tuple[str, int]] = set()
        for mark in marks:
            here = (mark.span.source.path, mark.line)
            if here in drawn:
                continue
            drawn.add(here)
            if mark.span.source is not source and (source is None or mark.span.source.path != source.path):
                sign = self.frame.top if source is None else self.frame.next
                self.lines.append(f"{' ' * self.digits} {sign} {visible(str(mark.span))}")
            source = mark.span.source
            self.side("")
            self.code([m for m in marks if (m.span.source.path, m.line) == here])

    def code(self, marks: list[_Mark]) -> None:
        """One line of the source and the marks under it."""
        source, number = marks[0].span.source, marks[0].line
        text = source.line(number)
        start_of_line = source.line_starts[number - 1]
        cells = [self.cell(c) for c in text]
        widths = [TAB if c == "\t" else columns(c) for c in text]

        def edges(mark: _Mark) -> tuple[int, int]:
            start = min(mark.span.start - start_of_line, len(text))
            end = min(mark.span.end - start_of_line, len(text))
            return start, end

        low, high = self.window(widths, *edges(marks[0]))
        before = self.frame.cut if low else ""
        after = self.frame.cut if high < len(text) else ""
        self.lines.append(f"{number:>{self.digits}} {self.frame.side} {before}{''.join(cells[low:high])}{after}".rstrip())
        for mark in marks:
            start, end = edges(mark)
            if start > high or (end < low and low):
                start = end = low if end < low else high
            margin = len(before) + sum(widths[low : max(low, start)])
            length = max(1, sum(widths[max(low, start) : min(high, end)]))
            self.side(f"{' ' * margin}{mark.sign * length} {visible(mark.text)}".rstrip())

    def cell(self, character: str) -> str:
        if character == "\t":
            return self.frame.tab.ljust(TAB)
        return visible(character)

    def window(self, widths: list[int], start: int, end: int) -> tuple[int, int]:
        """Which part of a line to show: all of it, or as much around the mark as there is room for."""
        if sum(widths) <= WIDTH:
            return 0, len(widths)
        end = min(max(end, start + 1), len(widths))
        low, high, room = start, start, WIDTH - 2
        while high < end and room > widths[high]:
            room -= widths[high]
            high += 1
        while room > 2 and (low > 0 or high < len(widths)):
            if low > 0:
                low -= 1
                room -= widths[low]
            if high < len(widths):
                room -= widths[high]
                high += 1
        return low, high

    def prose(self, text: str) -> None:
        """A hint, in as many lines as it needs."""
        self.side("")
        for part in text.split("\n"):
            for n, line in enumerate(textwrap.wrap(visible(part), WIDTH - 6, break_on_hyphens=False) or [""]):
                self.lines.append(f"{' ' * self.digits} {self.frame.side if n else self.frame.next} {line}".rstrip())

    def side(self, text: str) -> None:
        self.lines.append(f"{' ' * self.digits} {self.frame.side} {text}".rstrip())
