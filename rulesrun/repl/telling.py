"""Prints the story of a game, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.events import and_list
from interpreter.story import Line, tell
from interpreter.texts import player_name
from rulesrun.repl.layout import flow
from rulesrun.repl.sheets import sheet, sheet_lines

if TYPE_CHECKING:
    from rulesrun.api import Match


def news_lines(match: Match, told: int, until: int, viewer: int | None, names: dict[int, str], width: int) -> list[Text]:
    """What has happened between two events of the log, for a viewer; where a round or the like has changed the score, with the
    score so far."""
    program = match.state.code.program
    shown: list[Text] = []
    rows = sheet(program, match.events)
    for number, row in enumerate(rows, 1):
        if told <= row.at < until:
            shown += story_lines(tell(program, match.events[told : row.at], viewer), width)
            shown += [*([Text()] if shown else []), *sheet_lines(rows[:number], names, width), Text()]
            told = row.at
    lines = tell(program, match.events[told:until], viewer)
    if lines and lines[-1].kind == "turn" and not lines[-1].effects and lines[-1].player == viewer:
        lines.pop()  # the question says so
    return shown + story_lines(lines, width)


def story_lines(lines: Iterable[Line], width: int) -> list[Text]:
    """The lines of a story, set in a width; a round or the like gets a heading."""
    shown: list[Text] = []
    before: Line | None = None
    for line in lines:
        if line.kind == "choice" and not line.effects and line.head.endswith(": no more"):
            continue  # somebody had enough of something: nobody waits for that
        if line == before and line.kind == "answer":
            continue  # of several picks in secret one hears only that they were made
        before = line
        if line.kind == "phase":
            if shown:
                shown.append(Text())
            shown.append(Text(f"── {line.head} ──", "bold"))
            if line.effects:
                shown += _hanging(_sentences(line.effects), width)
            continue
        if line.text:
            style = "bold" if line.kind == "end" else ""
            shown += _hanging(line.text, width, style)
    return shown


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(f"{part[0].upper()}{part[1:]}." if part[-1] not in ".!?:" else part for part in parts if part)


def _hanging(text: str, width: int, style: str = "") -> list[Text]:
    rows = flow((Text(word, style) for word in text.split()), width - 2, between=" ", rest=2)
    return [Text("  " if i == 0 else "    ") + row for i, row in enumerate(rows)]


def seat_text(seat: int, names: dict[int, str]) -> str:
    name = names.get(seat)
    return f"{player_name(seat)} ({name})" if name else player_name(seat)


def result_lines(match: Match, names: dict[int, str]) -> list[Text]:
    """Who won, and the scores if there are some."""
    result = match.result
    assert result is not None
    who = [seat_text(seat, names) for seat in result.winners]
    if not who:
        said = "Nobody wins."
    elif len(who) == 1:
        said = f"{who[0]} wins."
    else:
        said = f"{and_list(who)} share the win."
    lines = [Text(said, "bold")]
    if result.scores is not None:
        lines += score_lines(match, names)
    return lines


def score_lines(match: Match, names: dict[int, str]) -> list[Text]:
    """The scores by seat, line by line, as far as they are open."""
    scores = match.view(None).scores
    labels = list(dict.fromkeys(label for score in scores for label, _ in score.lines))
    total = len(labels) > 1 and all(score.total is not None for score in scores)
    head = ["", *labels, *(["total"] if total else [])]
    rows = [head]
    for score in scores:
        values = dict(score.lines)
        row = [seat_text(score.player, names), *(str(values[label]) if label in values else "–" for label in labels)]
        rows.append([*row, *([str(score.total)] if total else [])])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return [
        Text(
            "  "
            + row[0].ljust(widths[0])
            + "".join(f"  {cell.rjust(width)}" for cell, width in zip(row[1:], widths[1:], strict=True))
        )
        for row in rows
    ]
