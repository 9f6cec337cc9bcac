"""The drawing of a board: its spaces with what stands on them, called by the names one types.

A map is drawn as its file has it, letters for the columns and numbers for the rows at the edges; named spaces are listed. What can be
chosen now has a mark before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from attrs import define, frozen
from rich.cells import cell_len
from rich.text import Text

from dsl import types
from dsl.types import Type
from interpreter.program import BoardInfo, Program, Site, VarInfo
from interpreter.state import DECLINE
from interpreter.texts import plain, words
from interpreter.views import VariableView, View
from rulesrun.repl.layout import flow

CHOOSABLE = "›"
BLANK = " "
WALL = "▒"
FREE = "·"
LINES = {"-": "───", "|": " │ ", "+": "─┼─", "/": " ╱ ", "\\": " ╲ "}
COLOURS = ("cyan", "yellow", "magenta", "green", "red", "blue")
MOST_NAMES = 400
"""so many different pieces get marks of their own"""


@frozen
class Piece:
    """What stands on a space: one, or `count` of them."""

    name: str
    count: int | None = None


Pieces = dict[int, list[Piece]]
"""by space, what stands there"""
Chosen = Collection[tuple[int, int]]
"""boards with spaces that can be chosen"""


# ── what stands where ──


def pieces_on(program: Program, view: View, board: int, card: Callable[[int], str]) -> Pieces:
    """What stands where: cards in zones by space, and whatever a variable says is in a space."""
    wanted = program.boards[board].id
    pieces: Pieces = {}
    for zone in view.zones:
        info = program.zones[zone.zone]
        for of, index in zip(info.index_types, info.indexes, strict=True):
            if _is_of(of, wanted) and zone.size:
                seen = [Piece(card(design)) for design in zone.cards if design is not None]
                unseen = zone.size - len(seen)
                pieces.setdefault(index, []).extend([*seen, *([Piece("face down", unseen)] if unseen else [])])
    for variable in view.variables:
        info_ = program.variables[variable.variable]
        if _is_of(info_.type, wanted) and isinstance(variable.value, int):
            pieces.setdefault(variable.value, []).append(Piece(_indexes(program, info_, wanted) or words(info_.name)))
        for of, index in zip(info_.index_types, info_.indexes, strict=True):
            if _is_of(of, wanted):
                pieces.setdefault(index, []).extend(_told(program, info_, variable, wanted))
    return {space: found for space, found in pieces.items() if found}


def _is_of(of: Type, board: str) -> bool:
    of = of.of if isinstance(of, types.Optional) else of
    return isinstance(of, types.SpaceType) and of.id == board


def _indexes(program: Program, info: VarInfo, board: str) -> str:
    """The indexes of a variable without the space, as people read them."""
    pairs = zip(info.index_types, info.indexes, strict=True)
    return " ".join(plain(program, of, index) for of, index in pairs if not _is_of(of, board))


def _told(program: Program, info: VarInfo, variable: VariableView, board: str) -> list[Piece]:
    """What a variable of a space says is there."""
    value = variable.value
    of = info.type.of if isinstance(info.type, types.Optional) else info.type
    if value is None or value is False or (of == types.NUMBER and value == 0) or isinstance(of, types.SpaceType):
        return []
    rest = _indexes(program, info, board)
    if of == types.NUMBER and isinstance(value, int):
        return [Piece(rest or words(info.name), value)]
    if of == types.FLAG:
        return [Piece(f"{rest} {words(info.name)}".strip())]
    return [Piece(f"{rest} {variable.text}".strip())]


def choosable(program: Program, site: Site, options: Iterable[Any]) -> set[tuple[int, int]]:
    """The spaces that an answer leads to: of each option the last space in it."""
    numbers = {board.id: number for number, board in enumerate(program.boards)}
    found: set[tuple[int, int]] = set()
    for value in options:
        if value is DECLINE or not numbers:
            continue
        if site.kind == "menu":
            of, values = site.lines[value[0]].types, value[1]
        elif site.kind == "pick":
            of = site.lines[0].types
            values = value if len(of) > 1 else (value,)
        elif site.kind == "several" and site.element_type is not None:
            of, values = (site.element_type,), (value,)
        else:
            continue
        spaces = [(numbers[kind.id], space) for kind, space in zip(of, values, strict=True) if isinstance(kind, types.SpaceType)]
        found.update(spaces[-1:])
    return found


# ── marks ──


def marks(names: Sequence[str]) -> dict[str, str]:
    """One or two letters for each piece, unlike those of the others."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        letters = [sign for sign in name if sign.isalnum()] or [name.strip()[:1] or "?"]
        tries = [letters[0]] if len(letters) == 1 else [letters[0] + letter for letter in letters[1:]]
        tries += [letters[0] + sign for sign in "23456789"]
        chosen[name] = next((mark for mark in tries if mark not in taken), letters[0])
        taken.add(chosen[name])
    return chosen


def names_of_pieces(program: Program, board: int) -> list[str]:
    """What may ever stand on a board, so that a piece has the same mark all the time."""
    wanted = program.boards[board].id
    names: list[str] = []
    for family in dict.fromkeys(info.family for info in program.variables):
        members = [info for info in program.variables if info.family == family]
        info = members[0]
        of = info.type.of if isinstance(info.type, types.Optional) else info.type
        if _is_of(of, wanted):
            names += [_indexes(program, member, wanted) or words(info.name) for member in members]
        elif any(_is_of(kind, wanted) for kind in info.index_types):
            rest = list(dict.fromkeys(_indexes(program, member, wanted) for member in members))
            if of == types.NUMBER:
                names += [text or words(info.name) for text in rest]
            elif isinstance(of, types.KindType):
                kind = next(kind for kind in program.kinds if kind.id == of.id)
                names += [f"{text} {shown}".strip() for text in rest for _, shown in kind.members]
            elif of == types.PLAYER:
                names += [f"{text} {plain(program, of, seat)}".strip() for text in rest for seat in program.seats]
    for zone in program.families:
        if any(_is_of(kind, wanted) for kind in zone.index_types):
            card_type = program.zones[zone.base].card_type
            names += [design.name for design in program.designs if design.card_type == card_type]
    return list(dict.fromkeys(names))[:MOST_NAMES]


# ── drawing ──


def board_lines(program: Program, number: int, pieces: Pieces, width: int, chosen: Chosen = ()) -> list[Text]:
    """The board, and below it what the letters of the pieces mean."""
    board = program.boards[number]
    spaces = {space for of, space in chosen if of == number}
    if spaces == set(range(len(board.spaces))) - set(pieces):  # every free space: that is plain without marks
        spaces = set()
    if board.named:
        return _listed(board, pieces, width, spaces)
    here = [piece.name for found in pieces.values() for piece in found]
    named = marks([*names_of_pieces(program, number), *here])
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(named)}
    drawing = Drawing(board, pieces, named, colours, spaces, width)
    crowds = {board.names[space]: found for space, found in sorted(pieces.items()) if len(found) > 1}
    standing = {name: mark for name, mark in named.items() if name in here}
    return drawing.lines() + legend(standing, crowds, bool(spaces), width) + flow_or_nothing(signs_told(program, board), width)


def _listed(board: BoardInfo, pieces: Pieces, width: int, chosen: Collection[int]) -> list[Text]:
    """Named spaces, each with what stands there."""
    found = []
    for space, name in enumerate(board.names):
        text = Text(f"{CHOOSABLE if space in chosen else ''}{name}")
        here = [_called(piece) for piece in pieces.get(space, [])]
        if here:
            text = text + Text(": ") + Text(", ".join(here), "bold")
        found.append(text)
    return flow(found, width, between=" · ")


def _called(piece: Piece) -> str:
    return piece.name if piece.count is None else f"{piece.count} {piece.name}"


def legend(named: dict[str, str], crowds: dict[str, list[Piece]], chosen: bool, width: int) -> list[Text]:
    """What the marks mean, and what stands together on one space."""
    told = [Text(f"{mark} {name}") for name, mark in named.items() if cell_len(name) > 2]
    for space, pieces in crowds.items():
        told.append(Text(f"{space}: {', '.join(_called(piece) for piece in pieces)}"))
    told += [Text(f"{CHOOSABLE} can be chosen", "dim")] if chosen else []
    return flow_or_nothing(told, width)


def flow_or_nothing(told: Sequence[Text], width: int) -> list[Text]:
    return flow(told, width, between="  ") if told else []


def signs_told(program: Program, board: BoardInfo) -> list[Text]:
    """What the signs of the map mean, as far as its legend says something of them: `p passage`, `1 Chandelier`."""
    told: dict[str, Text] = {}
    for (_, _, sign), values in zip(board.spaces, board.values, strict=True):
        if sign == FREE or sign == "." or sign in told:
            continue
        meant = [
            words(name) if of == types.FLAG else f"{words(name)} {value}" if of == types.NUMBER else plain(program, of, value)
            for (name, of), value in zip(board.attributes, values, strict=True)
            if value is not None and value is not False
        ]
        if meant:
            told[sign] = Text(f"{sign} {', '.join(meant)}", "dim")
    return [told[sign] for sign in sorted(told)]


@define
class Drawing:
    """A map on a grid of cells. A cell begins with a place for a wall (on maps that have some), then one for the mark of what can be
    chosen; then comes the piece."""

    board: BoardInfo
    pieces: Pieces
    marks: dict[str, str]
    colours: dict[str, str]
    chosen: Collection[int]
    width: int

    def lines(self) -> list[Text]:
        board = self.board
        at = {(column, row): space for space, (column, row, _) in enumerate(board.spaces)}
        columns = range(min(c for c, _ in at), max(c for c, _ in at) + 1)
        rows = range(min(r for _, r in at), max(r for _, r in at) + 1)
        wide = board.spread or board.hexagonal
        track = board.columns == 1 or board.rows == 1
        left = 0 if board.rows == 1 else len(str(board.rows)) + 1
        cell = 4 if wide else 3 if len(columns) * 3 + left + 1 <= self.width else 2
        made = [] if board.columns == 1 else [self._ruler(columns, at, cell, left + bool(left), track)]
        for row in rows:
            shift = (row - rows[0]) * 2 if board.hexagonal else 0
            label = "" if board.rows == 1 else self._label(row, at, track)
            line = Text(" " * shift + label.rjust(left) + " " * bool(left), "dim")
            for column in columns:
                line.append(self._cell(column, row, at, cell))
            made.append(line)
            if board.spread and row != rows[-1]:
                made += self._walls_below(row, columns, left + bool(left))
        return made

    def _ruler(self, columns: range, at: dict[tuple[int, int], int], cell: int, left: int, track: bool) -> Text:
        """The letters of the columns, or on a track the numbers of the spaces."""
        line = " " * left
        for column in columns:
            if track:
                space = next((space for (c, _), space in at.items() if c == column), None)
                name = "" if space is None else self.board.names[space]
            else:
                name = letters(column)
            start = 0 if cell == 2 else 2 if self.board.spread else 1
            line += (" " * start + name[-(cell - start) :] if cell > 2 else name[-1:]).ljust(cell)
        return Text(line.rstrip(), "dim")

    def _label(self, row: int, at: dict[tuple[int, int], int], track: bool) -> str:
        if not track:
            return str(self.board.rows - row)
        space = at.get((0, row))
        return "" if space is None else self.board.names[space]

    def _cell(self, column: int, row: int, at: dict[tuple[int, int], int], cell: int) -> Text:
        space = at.get((column, row))
        text = Text(self._wall_left(column, row)) if self.board.spread else Text()
        if space is None:
            return text + self._no_space(column, row, cell - text.cell_len)
        lead, after = (self._line(space, "left"), self._line(space, "right")) if self.board.drawn else (BLANK, BLANK)
        lead = CHOOSABLE if space in self.chosen else lead
        shown, style = self._shown(space)
        room = cell - text.cell_len
        if cell == 2:
            return Text(shown.ljust(2)[:2], "reverse" if space in self.chosen else style)
        if cell_len(shown) >= room:
            return text + Text(shown[:room], style)
        return text + Text(lead, "bold") + Text(shown, style) + Text(after * (room - 1 - cell_len(shown)))

    def _shown(self, space: int) -> tuple[str, str]:
        """What stands on a space, in at most three letters, and its style."""
        here = self.pieces.get(space, [])
        if not here:
            sign = self.board.spaces[space][2]
            return (FREE if sign == "." else sign), ""
        if len(here) > 1:
            return f"{sum(piece.count or 1 for piece in here)}!", "bold"
        piece = here[0]
        mark = self.marks[piece.name]
        return (mark if piece.count is None else f"{mark[0]}{piece.count}"), f"bold {self.colours[piece.name]}"

    def _line(self, space: int, direction: str) -> str:
        return "─" if dict(self.board.ways).get(direction, ())[space : space + 1] not in ((), (None,)) else BLANK

    def _no_space(self, column: int, row: int, room: int) -> Text:
        picture = self.board.picture
        every = 2 if self.board.spread else 1
        sign = picture[row * every][column * every] if row * every < len(picture) else BLANK
        if sign == BLANK:
            return Text(" " * room)
        if sign in self.board.drawn and sign in LINES:
            return Text(LINES[sign][:room], "dim")
        return Text(WALL * room, "dim")

    # ── walls ──

    def _wall(self, x: int, y: int) -> bool:
        picture = self.board.picture
        return 0 <= y < len(picture) and 0 <= x < len(picture[y]) and picture[y][x] != BLANK

    def _wall_left(self, column: int, row: int) -> str:
        return "│" if self._wall(2 * column - 1, 2 * row) else BLANK

    def _walls_below(self, row: int, columns: range, left: int) -> list[Text]:
        """The walls between a row and the next, on a line of their own if there are any."""
        y = 2 * row + 1
        line = BLANK * left
        for column in columns:
            here, corner = self._wall(2 * column, y), self._wall(2 * column - 1, y)
            line += ("─" if corner or (here and self._wall(2 * column - 2, y)) else BLANK) + ("───" if here else "   ")
        return [Text(line.rstrip())] if line.strip() else []


def letters(column: int) -> str:
    """How a column is called: a, b, … z, aa, ab, …"""
    made = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        made = chr(ord("a") + rest) + made
    return made
