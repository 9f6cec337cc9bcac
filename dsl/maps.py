"""What the text of a board says before anything in it is worked out: its size, the names of its spaces, its directions."""

from __future__ import annotations

import re

from dsl import ast, model
from dsl.source import Span

SQUARE = {
    "up": (0, -1), "left": (-1, 0), "right": (1, 0), "down": (0, 1),
    "up_left": (-1, -1), "up_right": (1, -1), "down_left": (-1, 1), "down_right": (1, 1),
}  # fmt: skip
HEXAGON = {"up_left": (0, -1), "up_right": (1, -1), "left": (-1, 0), "right": (1, 0), "down_left": (-1, 1), "down_right": (0, 1)}
"""each row of a hexagonal map stands half a space further to the right than the row above"""
OPPOSITE = {
    "up": "down", "left": "right", "up_left": "down_right", "up_right": "down_left",
    "down": "up", "right": "left", "down_right": "up_left", "down_left": "up_right",
}  # fmt: skip
ORTHOGONAL = ("up", "left", "right", "down")
DIAGONAL = ("up_left", "up_right", "down_left", "down_right")
PATTERNS = {
    "orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "hexagonal": tuple(HEXAGON), **{name: (name,) for name in ORTHOGONAL},
}  # fmt: skip
LINE_SIGNS = {
    "-": ("left", "right"),
    "|": ("up", "down"),
    "/": ("up_right", "down_left"),
    "\\": ("up_left", "down_right"),
    "+": ORTHOGONAL,
}
"""of each sign that draws a line, the directions it is followed in"""
BLANK = " "

_ON_A_MAP = re.compile(r"([a-z]{1,3})([1-9][0-9]{0,4})")


def outline(written: ast.Board, board: model.Board) -> None:
    """Fill in what other declarations may ask of a board whose spaces are not known yet."""
    board.directions = directions(written)
    board.hexagonal = any(isinstance(line, ast.StepsPattern) and line.pattern == "hexagonal" for line in written.steps)
    if written.spaces:
        named = [row.cells[0].id for row in written.spaces if row.cells and isinstance(row.cells[0], ast.Name)]
        board.named = tuple(dict.fromkeys(named))
        board.size = len(board.named), 1
        return
    board.spread = written.walls is not None
    board.drawn = "".join(sign for line in written.steps if isinstance(line, ast.StepsAlong) for sign, _ in signs(line.signs))
    board.picture = tuple("".join(sign for sign, _ in signs(row)) for row in written.rows)
    width = len(board.picture[0]) if board.picture else 0
    height = len(board.picture)
    board.size = ((width + 1) // 2, (height + 1) // 2) if board.spread else (width, height)


def directions(written: ast.Board) -> tuple[str, ...]:
    """The directions that the steps of a board have, in reading order."""
    found: set[str] = set()
    for line in written.steps:
        if isinstance(line, ast.StepsPattern):
            found.update(PATTERNS[line.pattern])
        elif isinstance(line, ast.StepsAlong):
            for sign, _ in signs(line.signs):
                found.update(LINE_SIGNS.get(sign, ()))
    return tuple(
        name for name in ("up_left", "up", "up_right", "left", "right", "down_left", "down", "down_right") if name in found
    )


def vectors(board: model.Board) -> dict[str, tuple[int, int]]:
    """How columns and rows change in each direction."""
    return HEXAGON if board.hexagonal else SQUARE


def space_name(board: model.Board, column: int, row: int, number: int) -> str:
    """What the space is called: by letter and number on a map, by its place from 1 on a track."""
    if board.named is not None:
        return board.named[column].replace("_", " ")
    columns, rows = board.size
    if columns == 1 or rows == 1:
        return str(number)
    return f"{letters(column)}{rows - row}"


def place_named(board: model.Board, name: str) -> tuple[int, int] | None:
    """Column and row of the space of that name; None if no space of such a board has it. There may be no space there."""
    if board.named is not None:
        return (board.named.index(name), 0) if name in board.named else None
    columns, rows = board.size
    found = _ON_A_MAP.fullmatch(name)
    if found is None or columns == 1 or rows == 1:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("a") + 1
    place = column - 1, rows - int(found[2])
    return place if place[0] < columns and place[1] >= 0 else None


def letters(column: int) -> str:
    """a, b, … z, aa, ab, …"""
    made = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        made = chr(ord("a") + rest) + made
    return made


def signs(text: ast.Text) -> list[tuple[str, Span]]:
    """The signs of a text without holes, each with its place (escapes are two characters in the source)."""
    found: list[tuple[str, Span]] = []
    span = text.span
    raw = span.source.text[span.start + 1 : span.end - 1]
    at = 0
    while at < len(raw):
        length = 2 if raw[at] == "\\" or raw[at : at + 2] == "{{" else 1
        sign = raw[at + 1] if length == 2 and at + 1 < len(raw) else raw[at]
        found.append((sign, type(span)(span.source, span.start + 1 + at, span.start + 1 + at + length)))
        at += length
    return found
