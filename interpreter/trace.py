"""Which lines of the rules run: compiled code carries the places of the text as its line numbers, so Python's own tracing tells.

For those who write rules. It tells more than a player may know."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from attrs import Factory, define, frozen

from dsl.source import Span
from interpreter.compile import FILE_NAME, Code
from interpreter.play import FUNCTIONS
from interpreter.state import State


@frozen
class Ran:
    """A line of the rules text that ran: where it is, and how deep in rules that call each other."""

    depth: int
    span: Span

    @property
    def text(self) -> str:
        """The line as it stands in the file."""
        return self.span.source.line(self.span.line).strip()


@define
class Tracer:
    """`with tracer: play.choose(…)` adds to `ran` what runs meanwhile, up to `most` lines; `more` counts those after. Defines are
    left out: they do nothing."""

    code: Code
    most: int = 1_000
    ran: list[Ran] = Factory(list)
    more: int = 0
    _heads: set[Span] = Factory(lambda self: heads_of(self.code), takes_self=True)
    _before: Callable[..., Any] | None = None
    _last: Ran | None = None

    def __enter__(self) -> Tracer:
        self._before = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        sys.settrace(self._before)

    def _called(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != FILE_NAME:
            return None
        function = FUNCTIONS.match(frame.f_code.co_name)
        if function is None or function[1] == "d":
            return None
        state = frame.f_locals.get("S")
        depth = len(state.stack) if isinstance(state, State) else 0
        outer = frame.f_back
        while outer is not None and outer.f_code.co_filename == FILE_NAME:
            depth += outer.f_code.co_name.startswith(("body", "a"))
            outer = outer.f_back

        def line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            if event == "line":
                self._ran(depth, self.code.place(max(0, frame.f_lineno - 1)))
            return line

        return line

    def _ran(self, depth: int, span: Span) -> None:
        last, self._last = self._last, Ran(depth, span)
        if last is not None and (last.span.source.path, last.span.line) == (span.source.path, span.line):
            return
        if span in self._heads and last is not None and last.depth >= depth:
            return  # back from what a rule has called: only its beginning tells something
        if len(self.ran) < self.most:
            self.ran.append(Ran(depth, span))
        else:
            self.more += 1


def heads_of(code: Code) -> set[Span]:
    """The places at which rules begin."""
    return {code.place(rule.code.place) for rule in code.program.rules}
