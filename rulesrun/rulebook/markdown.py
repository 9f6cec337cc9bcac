"""Markdown: tables, lists of steps, and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulesrun.rulebook.steps import Step
from rulesrun.rulebook.words import escaped, humanised


def prose(text: str | None) -> list[str]:
    """An author's text, paragraph by paragraph."""
    if not text:
        return []
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]
    return [quoted(paragraph) for paragraph in paragraphs if paragraph]


def quoted(text: str) -> str:
    """A text for people. What the author has put between backticks are names or code: names are told as words."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escaped(text)
    return "".join(escaped(piece) if place % 2 == 0 else named(piece) for place, piece in enumerate(pieces))


def named(code: str) -> str:
    name = code.partition("(")[0]
    return f"*{humanised(name)}*" if name.isidentifier() else f"`{code}`"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns in which nothing stands are left out."""
    rows = list(rows)
    used = [place for place in range(len(heads)) if not rows or any(row[place] for row in rows)]
    heads, rows = [heads[place] for place in used], [[row[place] for place in used] for row in rows]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in rows]
    return "\n".join(lines)


def steps(listed: Sequence[Step], numbered: bool = True) -> str:
    return "\n".join(_lines(listed, "", numbered))


def _lines(listed: Sequence[Step], indent: str, numbered: bool) -> list[str]:
    made = []
    for place, step in enumerate(listed, 1):
        mark = f"{place}. " if numbered else "- "
        made.append(f"{indent}{mark}{step.text}")
        made += _lines(step.below, indent + " " * len(mark), False)
    return made
