"""Where things stand in a rules file: sources and spans."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from attrs import field, frozen


@frozen(slots=False)
class Source:
    """One rules file: its text, the path to show for it, and its id (the file's name without folder and suffix)."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def id(self) -> str:
        return self.path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".cardgame")

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin; the first is 0."""
        return [0, *(i + 1 for i, sign in enumerate(self.text) if sign == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its line break; empty past the end."""
        starts = self.line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


@frozen
class Span:
    """A stretch of a source: offsets in characters, the end exclusive."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.path}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """From here to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("<built in>", ""), 0, 0)
