"""`rulesrun explain`: the page about the code of a finding, from `docs/errors/`, for the terminal."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from dsl.codes import CODES
from dsl.suggest import closest
from rulesrun.locate import NotFound, shipped
from rulesrun.reporting import wants_colour

WIDEST = 100
FENCE = re.compile(r"```(\w*) ?[^\n]*\n(.*?)```", re.DOTALL)
CODE_SPAN = re.compile(r"`([^`]+)`")


def print_code(code: str) -> int:
    """Print what is known of a code. Raises `NotFound` for one that does not exist."""
    wanted = code.upper()
    if wanted not in CODES:
        near = closest(wanted, CODES)
        raise NotFound(f"there is no code `{code}`" + (f": did you mean `{near}`?" if near else ": they look like CG0203"))
    width = min(WIDEST, shutil.get_terminal_size().columns)
    for line in shown(page(wanted), width, wants_colour(sys.stdout)):
        print(line)
    return 0


def page(code: str) -> str:
    """The text of a page, in Markdown."""
    folder = shipped("errors")
    path = (folder if folder.is_dir() else Path(__file__).resolve().parent.parent / "docs" / "errors") / f"{code}.md"
    return path.read_text(encoding="utf-8")


def shown(text: str, width: int, colour: bool) -> Iterator[str]:
    """A page line by line: its title, paragraphs as wide as the screen, samples indented."""
    title, _, rest = text.partition("\n")
    title = title.removeprefix("# ")
    yield click.style(title, bold=True) if colour else title
    at = 0
    for fence in FENCE.finditer(rest):
        yield from paragraphs(rest[at : fence.start()], width, colour)
        yield ""
        yield from textwrap.indent(sample(fence[2], fence[1], colour), "    ").splitlines()
        at = fence.end()
    yield from paragraphs(rest[at:], width, colour)


def sample(code: str, language: str, colour: bool) -> str:
    if not colour or language != "cardgame":
        return code.rstrip()
    from rulesrun.highlight import ansi

    return ansi(code.rstrip())


def paragraphs(text: str, width: int, colour: bool) -> Iterator[str]:
    for part in filter(None, (part.strip() for part in text.split("\n\n"))):
        yield ""
        heading = {"Wrong:": "red", "Right:": "green"}.get(part) if colour else None
        for line in textwrap.wrap(part, width, break_on_hyphens=False, break_long_words=False):
            if heading:
                yield click.style(line, fg=heading, bold=True)
            else:
                yield CODE_SPAN.sub(lambda span: click.style(span[1], fg="cyan") if colour else span[0], line)
