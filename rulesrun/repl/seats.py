"""What belongs to the players as a table: a row for each seat, a column for each thing that they all have."""

from __future__ import annotations

from collections.abc import Container, Sequence

from attrs import frozen
from rich.cells import cell_len
from rich.text import Text

from dsl import types
from interpreter.program import Program, ScoreLineInfo
from interpreter.texts import plain, words
from interpreter.views import View
from rulesrun.repl.layout import styled

GAP = 2


@frozen
class Column:
    """`cells` are by seat; an empty one is left blank."""

    label: str
    cells: tuple[Text, ...]

    @property
    def width(self) -> int:
        return max(cell_len(self.label), *(cell.cell_len for cell in self.cells))

    @property
    def of_numbers(self) -> bool:
        numbers = [cell.plain.lstrip("-").isdigit() for cell in self.cells]
        return any(numbers) and all(number or cell.cell_len <= 1 for number, cell in zip(numbers, self.cells, strict=True))

    def set(self, text: Text) -> Text:
        """Numbers stand on the right, words on the left."""
        room = Text(" " * (self.width - text.cell_len))
        return room + text if self.of_numbers else text + room


def seat_rows(heads: Sequence[Text], columns: Sequence[Column], width: int) -> list[Text] | None:
    """The labels, then a row for each seat; None if the columns do not fit."""
    first = max(head.cell_len for head in heads)
    if not columns or first + sum(GAP + column.width for column in columns) > width:
        return None
    rows = [Text(" " * first), *(head + Text(" " * (first - head.cell_len)) for head in heads)]
    for column in columns:
        cells = [styled(column.label, "dim"), *column.cells]
        rows = [row + Text(" " * GAP) + column.set(cell) for row, cell in zip(rows, cells, strict=True)]
    for row in rows:
        row.rstrip()
    return rows


def variable_of(line: ScoreLineInfo) -> int | None:
    """The variable of the first seat, if the line of a scoring says nothing but what each player's variable is."""
    value = line.code.value
    if value is None or value[0] != "var" or len(value[3]) != 1:
        return None
    index, step, _ = value[3][0]
    return int(value[2]) if index[0] == "local" and index[2] == 0 and step == 1 else None


def never_counts(line: ScoreLineInfo) -> bool:
    """Under the options of this game."""
    return line.condition is not None and line.condition.value is not None and line.condition.value[::2] == ("const", False)


def scored_variables(program: Program, view: View) -> set[int]:
    """The families of variables that need not be told: the score says the same, or would say it under other options and nothing has
    happened to them."""
    counting = [line for line in program.scoring if not never_counts(line)]
    first = [variable_of(line) for line in counting] if len(counting) == 1 else []
    told = {program.variables[number].family for number in first if number is not None}
    changed = {program.variables[v.variable].family for v in view.variables if v.value != program.initial[v.variable]}
    idle = [variable_of(line) for line in program.scoring if never_counts(line)]
    return told | {program.variables[number].family for number in idle if number is not None} - changed


def told_variables(program: Program, view: View, owner: int | None, begun: Container[str]) -> list[tuple[int, str, str]]:
    """What the variables of a player, or with None those of all, say: their numbers, names and values; a flag by its name alone. What is
    not set says nothing, nor what belongs to a board, nor a module that is not among those that have begun to count."""
    shown = []
    for variable in view.variables:
        info = program.variables[variable.variable]
        of = info.type
        while isinstance(of, types.Optional):
            of = of.of
        if variable.owner != owner or variable.value is None or isinstance(of, types.ListType | types.SpaceType):
            continue
        if info.module and info.module not in begun:
            continue
        if any(isinstance(kind, types.SpaceType) for kind in info.index_types) or (of == types.FLAG and not variable.value):
            continue
        rest = [
            plain(program, kind, index) for kind, index in zip(info.index_types, info.indexes, strict=True) if kind != types.PLAYER
        ]
        name = " ".join([words(info.name), *rest])
        shown.append((variable.variable, name, "" if of == types.FLAG else variable.text))
    return shown
