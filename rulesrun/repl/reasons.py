"""Why the game asks this, why something cannot be chosen, and which rules run."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from attrs import define
from rich.text import Text

from dsl.source import Span
from interpreter.texts import words
from interpreter.trace import Tracer
from rulesrun.highlight import ansi
from rulesrun.repl.layout import broken
from rulesrun.shelf import first_sentence

if TYPE_CHECKING:
    from rulesrun.repl.session import Session

MOST_TRACED = 60
"""lines shown after one choice"""


def place_text(span: Span) -> str:
    return f"{span.source.path}:{span.line}"


def why(session: Session) -> None:
    """The rules that run, outermost first: each with its place, what stands there, and what the rulebook says of it."""
    steps = session.match.why()
    if not steps:
        session.say("No rule runs: the game is over.")
        return
    if session.match.decision is not None:
        session.say("You are asked because these rules run, each in the one before:")
    for depth, step in enumerate(steps):
        indent = "  " * (depth + 1)
        head = Text(indent) + Text(words(step.name), "bold") + Text(f"  {place_text(step.span)}", "dim")
        session.print(*broken(head, session.width, session.width))
        if step.doc:
            rows = broken(Text(first_sentence(step.doc)), session.width - len(indent) - 2, session.width - len(indent) - 2)
            session.print(*(Text(indent + "  ") + row for row in rows))
    line = steps[-1].span.source.line(steps[-1].span.line).strip()
    session.print(*broken(Text("  " * (len(steps) + 1)) + Text.from_ansi(ansi(line)), session.width, session.width))


def why_not(session: Session, wanted: str) -> None:
    """Why this cannot be chosen now, and where the rules say so."""
    if not wanted:
        session.say("Say what: `:why-not grave digger`.")
        return
    answer = session.match.why_not(wanted)
    session.say(answer.text)
    spans = [span for span in (answer.span, answer.by_span) if span is not None]
    for place in dict.fromkeys(map(place_text, spans)):
        session.print(Text(f"  {place}", "dim"))


@define
class Trace:
    """What `:trace` has switched on."""

    on: bool = False

    def around(self, session: Session) -> AbstractContextManager[Tracer | None]:
        """Watch the rules during a choice."""
        if not self.on:
            return nullcontext()
        session.match.view(None)  # watched from now on: the code does not change any more
        return Tracer(session.match.state.code, MOST_TRACED)

    def show(self, session: Session, tracer: Tracer | None) -> None:
        """What ran in it, as the lines of the file."""
        if tracer is None or not tracer.ran:
            return
        column = max(len(place_text(ran.span)) for ran in tracer.ran)
        least = min(ran.depth for ran in tracer.ran)
        for ran in tracer.ran:
            line = Text(f"  {place_text(ran.span).ljust(column)}  ", "dim") + Text("  " * (ran.depth - least) + ran.text, "cyan")
            session.print(line if line.cell_len <= session.width else line[: session.width - 1] + Text("…", "dim"))
        if tracer.more:
            session.print(Text(f"  … {tracer.more} more lines ran", "dim"))


def switch_trace(session: Session, wanted: str) -> None:
    on = {"on": True, "off": False, "": not session.trace.on}.get(wanted.casefold())
    if on is None:
        session.say("`:trace on` or `:trace off`.")
    elif on and len(session.humans) > 1:
        session.say("With several people at the table the rules are not shown as they run: they tell what others hold.")
    else:
        session.trace.on = on
        session.say(
            "The rules are shown as they run, also those that work on what you may not see: a help for writing rules."
            if on
            else "The rules are not shown any more."
        )


__all__ = ["Trace", "switch_trace", "why", "why_not"]
