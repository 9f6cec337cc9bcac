"""The drawing of a board: a grid with its signs, pieces in the spaces, columns and rows numbered at the edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.text import Text

from dsl import types
from interpreter.program import Program
from interpreter.texts import plain, words
from interpreter.views import View
from rulesrun.repl.layout import flow, styled

Pieces = dict[int, list[str]]
"""by space, what stands there"""


def pieces_on(program: Program, view: View, board: int, card: Callable[[int], str]) -> Pieces:
    """What stands where: cards in zones by space, and whatever a variable says is in a space."""
    wanted = program.boards[board].id
    pieces: Pieces = {}
    for zone in view.zones:
        info = program.zones[zone.zone]
        for of, index in zip(info.index_types, info.indexes, strict=True):
            if isinstance(of, types.SpaceType) and of.id == wanted and zone.size:
                names = [card(design) for design in zone.cards if design is not None]
                pieces.setdefault(index, []).extend(names or [f"{zone.size} cards"])
    for variable in view.variables:
        info_ = program.variables[variable.variable]
        of_ = info_.type.of if isinstance(info_.type, types.Optional) else info_.type
        if isinstance(of_, types.SpaceType) and of_.id == wanted and isinstance(variable.value, int):
            names = [plain(program, kind, index) for kind, index in zip(info_.index_types, info_.indexes, strict=True)]
            pieces.setdefault(variable.value, []).append(" ".join(names) or words(info_.name))
        for kind, index in zip(info_.index_types, info_.indexes, strict=True):
            if isinstance(kind, types.SpaceType) and kind.id == wanted and variable.value not in (None, False, 0):
                pieces.setdefault(index, []).append(words(info_.name) if variable.value is True else variable.text)
    return pieces


def marks(names: Sequence[str]) -> dict[str, str]:
    """Two letters for each piece, unlike those of the others."""
    chosen: dict[str, str] = {}
    for name in dict.fromkeys(names):
        letters = [sign for sign in name if sign.isalnum()] or ["?"]
        tries = [(letters[0] + letter) for letter in letters[1:]] + [letters[0] + sign for sign in "23456789"] + [letters[0]]
        free = [mark for mark in tries if mark not in chosen.values()]
        chosen[name] = free[0] if free else letters[0]
    return chosen


def board_lines(program: Program, number: int, pieces: Pieces, width: int) -> list[Text]:
    """The grid, and below it what the letters of the pieces mean."""
    board = program.boards[number]
    spaces = {(column, row): (i, sign) for i, (column, row, sign) in enumerate(board.spaces)}
    named = marks([name for names in pieces.values() for name in names])
    columns = range(min(c for c, _ in spaces), max(c for c, _ in spaces) + 1)
    rows = range(min(r for _, r in spaces), max(r for _, r in spaces) + 1)
    cell = 3 if len(columns) * 3 + 4 <= width else 2
    left = len(str(rows[-1])) + 1
    ruler = "".join(str(column % 10 if cell == 2 else column).ljust(cell) for column in columns)
    lines = [Text(" " * (left + 1) + ruler.rstrip(), "dim")]
    for row in rows:
        line = styled(str(row).rjust(left - 1) + "  ", "dim")
        for column in columns:
            if (column, row) not in spaces:
                line.append("▒" * cell, "dim")
                continue
            space, sign = spaces[column, row]
            here = pieces.get(space, [])
            if here:
                mark = named[here[0]] if len(here) == 1 else f"{len(here)}!"
                line.append(mark.ljust(cell)[:cell], "bold")
            else:
                line.append(("·" if sign == "." else sign).ljust(cell))
        lines.append(line)
    lines += legend(named, pieces, width)
    return lines


def legend(named: dict[str, str], pieces: Pieces, width: int) -> list[Text]:
    words_ = [Text(f"{mark} {name}") for name, mark in named.items() if cell_len(name) > 2]
    return flow(words_, width, between="  ") if words_ else []
