"""Where questions are asked: a terminal with completion and history, or plain lines on a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import define

from rulesrun.terminal import Console

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

LOOK_UP = 0.4
"""seconds between two looks at what may change meanwhile"""


class Changed(Exception):
    """Something has changed while an answer was waited for."""


class Desk(Protocol):
    """What a session needs: something to print on, and somebody to ask.

    `ask` raises EOFError when nobody will answer any more, KeyboardInterrupt, and `Changed` where `changed` becomes true while
    it waits (a pipe looks up only when a line has come)."""

    console: Console

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str: ...

    def wipe(self) -> None:
        """Leave nothing of what was printed on the screen, if it is one."""
        ...

    @property
    def live(self) -> bool:
        """Somebody sits at a screen: it has a height, and can be wiped."""
        ...


@define
class PipeDesk:
    """Lines are read from standard input; what was read is repeated, so that the output reads like a session."""

    console: Console
    live: bool = False

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print(flush=True)
            raise EOFError
        line = line.rstrip("\r\n")
        if not sys.stdin.isatty():
            print(line, flush=True)
        return line

    def wipe(self) -> None:
        pass


@define
class TerminalDesk:
    console: Console
    session: PromptSession[str]
    live: bool = True
    changed: Callable[[], bool] | None = None

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        if self.changed is None:
            return self.session.prompt(prompt, completer=completer(words))
        app = self.session.app
        changed = self.changed

        def look_up(_: object) -> None:
            if changed() and app.is_running and app.future is not None and not app.future.done():
                app.exit(exception=Changed())

        app.before_render += look_up
        try:
            return self.session.prompt(prompt, completer=completer(words), refresh_interval=LOOK_UP)
        finally:
            app.before_render -= look_up

    def wipe(self) -> None:
        self.console.clear()
        self.console.file.write("\x1b[3J")  # what has scrolled away too
        self.console.file.flush()


def completer(words: Callable[[], Sequence[str]]) -> Any:
    """Offers what can be typed, wherever it begins with (or has a word that begins with) what has been typed."""
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            typed = document.text_before_cursor.lstrip()
            for word in words():
                if fits(word, typed):
                    yield Completion(word, start_position=-len(typed))

    return Words()


def fits(word: str, typed: str) -> bool:
    low, wanted = word.casefold(), typed.casefold()
    return low.startswith(wanted) or (bool(wanted) and f" {wanted}" in low)


def open_desk() -> Desk:
    """The desk this process has."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    console = Console()
    if sys.stdin.isatty() and sys.stdout.isatty() and not console.is_dumb_terminal:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        return TerminalDesk(console, PromptSession(history=InMemoryHistory(), complete_while_typing=False))
    return PipeDesk(console)
