"""What is best told as a table of the players: an exchange of answers, as in an auction, and the score from round to round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen
from rich.text import Text

from interpreter.events import Changed, Chose, Entered, Event, Left, Over, read
from interpreter.program import Program
from interpreter.texts import player_name
from rulesrun.repl.layout import styled
from rulesrun.repl.seats import Column, never_counts, seat_rows, variable_of

if TYPE_CHECKING:
    from rulesrun.api import Match

MOST_ROWS = 8
"""of a table are shown, the last ones"""
LONGEST_ANSWER = 12
"""columns"""


# ── answers in turn ──


def exchange(program: Program, events: Sequence[Event], site: int) -> int | None:
    """Where the answers to a question begin that is being put to one player after the other and changes nothing but variables, so
    that no more is to be told than who said what. None if there are fewer than two such answers, or all by one player."""
    start = None
    players = set()
    if program.sites[site].kind != "menu":
        return None
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        if isinstance(event, Chose) and event.site == site:
            start = number
            players.add(event.player)
        elif not (isinstance(event, Changed | Left | Over) or (isinstance(event, Entered) and not event.phase)):
            break
    return start if len(players) > 1 else None


def exchange_lines(
    program: Program, events: Sequence[Event], viewer: int, asked: int, seats: Sequence[int], width: int
) -> list[Text] | None:
    """The answers given, by seat and round; None if they are too long for a table. `seats` are those in the game, in order."""
    given = [(event.player, read(program, event.label, viewer)) for event in events if isinstance(event, Chose)]
    first = seats.index(given[0][0]) if given[0][0] in seats else 0
    order = [*seats[first:], *seats[:first]]
    rounds: list[dict[int, str]] = []
    before = len(order)
    for player, label in [*given, (asked, "?")]:
        if len(label) > LONGEST_ANSWER or player not in order:
            return None
        place = order.index(player)
        if place <= before or not rounds:
            rounds.append({})
        rounds[-1][player] = label
        before = place
    cut = len(rounds) > MOST_ROWS
    rounds = rounds[-MOST_ROWS:]
    columns = [Column(player_name(seat), tuple(Text(answers.get(seat, "")) for answers in rounds)) for seat in order]
    rows = seat_rows([Text("  …" if cut and not i else "  ") for i in range(len(rounds))], columns, width)
    return None if rows is None else [styled(row.plain, "dim") if i == 0 else row for i, row in enumerate(rows)]


def answers_so_far(match: Match, viewer: int, asked: int, seats: Sequence[int], width: int) -> tuple[int | None, list[Text]]:
    """If the question that is open goes round: from which event on, and the answers as a table, with a blank line after it."""
    state = match.state
    program = state.code.program
    start = exchange(program, match.events, state.site)
    if start is None:
        return None, []
    lines = exchange_lines(program, match.events[start:], viewer, asked, seats, width)
    return (None, []) if lines is None else (start, [*lines, Text()])


# ── the score from round to round ──


@frozen
class Row:
    """The score of each seat when a phase was over; `at` is the number of the event that begins the next one."""

    at: int
    phase: str
    scores: tuple[int, ...]


def scored(program: Program) -> list[int] | None:
    """The first seat's variables that make the score, if it is no more than their sum; else None."""
    lines = [line for line in program.scoring if not never_counts(line)]
    numbers = [variable_of(line) for line in lines]
    open_ = all(program.variables[number].visibility == "open" for number in numbers if number is not None)
    always = all(line.condition is None or (line.condition.value or ())[::2] == ("const", True) for line in lines)
    return [number for number in numbers if number is not None] if numbers and open_ and always and None not in numbers else None


def sheet(program: Program, events: Sequence[Event]) -> list[Row]:
    """How the score stood after each phase that changed it."""
    first = scored(program)
    if first is None:
        return []
    return list(_rows(program, events, first))


def _rows(program: Program, events: Sequence[Event], first: list[int]) -> Iterator[Row]:
    values = {number + seat: 0 for number in first for seat in range(program.players)}
    values |= {number: value for number in values if isinstance(value := program.initial[number], int)}
    phase, changed = "", False
    for at, event in enumerate(events):
        if isinstance(event, Changed) and event.variable in values and isinstance(event.new, int):
            values[event.variable] = event.new
            changed = bool(phase)
        elif isinstance(event, Entered) and event.phase:
            if changed:
                yield Row(at, phase, _sums(program, values, first))
            phase, changed = event.tell(program, program.players), False
    if changed:
        yield Row(len(events), phase, _sums(program, values, first))


def _sums(program: Program, values: dict[int, int], first: list[int]) -> tuple[int, ...]:
    return tuple(sum(values[number + seat] for number in first) for seat in range(program.players))


def sheet_lines(rows: Sequence[Row], names: dict[int, str], width: int, most: int = MOST_ROWS) -> list[Text]:
    """The score sheet, a row for each phase; without columns if it is too wide."""
    shown = rows[-most:]
    heads = [Text(f"  {row.phase}") for row in shown]
    seats = range(len(rows[0].scores))
    for label in (lambda seat: f"{player_name(seat)} {names.get(seat, '')}".strip(), player_name):
        columns = [Column(label(seat), tuple(Text(str(row.scores[seat])) for row in shown)) for seat in seats]
        lines = seat_rows(heads, columns, width)
        if lines is not None:
            if len(rows) > most:
                lines.insert(1, Text("  …", "dim"))
            return lines
    return [head + Text("  " + ", ".join(map(str, row.scores))) for head, row in zip(heads, shown, strict=True)]
