"""Prints findings and faults. Their text comes from `dsl/render.py`; colours are added here, where somebody looks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import IO

import click

from dsl.diagnostics import Diagnostic, RulesError, Severity
from dsl.render import render, visible
from interpreter.faults import Fault

HEAD = re.compile(r"^(error|warning)( CG\d+:? ?)(.*)$")
FRAME = re.compile(r"^( *\d* *[│┌└])(.*)$")
MARKS = re.compile(r"^( *)([\^]+|-+)(.*)$")

WISHES = ("CG0633", "CG0636", "CG0651")
"""findings about what a person asked for (an option, its value, a preset), not about a file"""


def wishes_of(problem: RulesError) -> list[str]:
    """A line for each thing that was asked for and cannot be; none if a file is wrong too."""
    errors = [finding for finding in problem.diagnostics if finding.severity is Severity.ERROR]
    if any(finding.code not in WISHES for finding in errors):
        return []
    return [visible(finding.title + (f" ({finding.hint})" if finding.hint else "")) for finding in errors]


def wants_colour(stream: IO[str]) -> bool:
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb" and stream.isatty()


def print_diagnostics(findings: Iterable[Diagnostic], stream: IO[str]) -> None:
    for finding in findings:
        text = render(finding)
        print(coloured(text) if wants_colour(stream) else text, file=stream, end="\n\n")


def print_fault(fault: Fault, stream: IO[str]) -> None:
    print_diagnostics([fault.diagnostic], stream)
    if fault.seed is not None:
        made = (
            f" after {len(fault.choices)} choice{'s' * (len(fault.choices) > 1)}: {' '.join(map(str, fault.choices))}"
            if fault.choices
            else " before any choice"
        )
        print(f"The rules stopped the game with seed {fault.seed}{made}", file=stream)


def coloured(text: str) -> str:
    return "\n".join(_coloured_line(line) for line in text.split("\n"))


def _coloured_line(line: str) -> str:
    head = HEAD.match(line)
    if head:
        colour = "red" if head[1] == "error" else "yellow"
        return click.style(head[1] + head[2], fg=colour, bold=True) + click.style(head[3], bold=True)
    framed = FRAME.match(line)
    if not framed:
        return line
    marks = MARKS.match(framed[2])
    rest = framed[2]
    if framed[1].strip(" │").isdigit():
        from rulesrun.highlight import ansi

        rest = ansi(rest)
    elif marks:
        rest = marks[1] + click.style(marks[2] + marks[3], fg="red" if "^" in marks[2] else "cyan")
    return click.style(framed[1], fg="blue") + rest
