"""What the formatter lines up: tables, neighbouring declarations of one sort, and the `when` of cases.

Everything is a grid: rows of cells that begin at known places. A row that goes on over several lines takes no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs
from attrs import frozen

from dsl import ast
from dsl.format_lines import CLOSING, OPENING, Line, Piece, wide
from dsl.source import Source
from dsl.walk_ast import nodes

WIDE_GAP = 4  # after the names of cards, and before the `when` of cases
CELL_GAP = 2
SIGN_GAP = 1

WITH_COLON = (ast.Zone, ast.Option, ast.Timing, ast.Dice, ast.ScoreLine)
WITH_EQUALS = (ast.Var, ast.Define)


@frozen
class Place:
    """A piece, by its line and its place in it."""

    line: int
    at: int


def line_up(lines: list[Line], file: ast.File) -> None:
    """Widen the gaps so that columns begin below each other. The gaps are settled otherwise."""
    columns = _Columns.of(lines, file.source)
    for node in nodes(file):
        match node:
            case ast.Value(plain=False):
                columns.cases(node)
            case ast.File(items=parts) | ast.WhenBlock(items=parts) | ast.Scoring(lines=parts):
                columns.neighbours(parts)
            case _:
                columns.table(node)


@frozen
class _Columns:
    lines: list[Line]
    places: dict[int, Place]
    source: Source

    @classmethod
    def of(cls, lines: list[Line], source: Source) -> _Columns:
        places = {piece.start: Place(n, at) for n, line in enumerate(lines) for at, piece in enumerate(line.pieces)}
        return cls(lines, places, source)

    def grid(self, rows: Sequence[Sequence[Place]], gaps: Sequence[int]) -> None:
        """Line up cells that begin at these places, with at least these gaps between columns."""
        whole = [row for row in rows if len({place.line for place in row}) == 1]
        for column, gap in enumerate(gaps):
            widths = [(row, self.width(row, column)) for row in whole if len(row) > column]
            widest = max((width for _, width in widths), default=0)
            for row, width in widths:
                if len(row) > column + 1:
                    self.piece(row[column + 1]).gap = widest - width + gap

    def width(self, row: Sequence[Place], column: int) -> int:
        end = row[column + 1].at if len(row) > column + 1 else None
        return wide(self.lines[row[column].line].pieces[row[column].at : end])

    def piece(self, place: Place) -> Piece:
        return self.lines[place.line].pieces[place.at]

    # ── tables ──

    def table(self, node: ast.Node) -> None:
        """The header and the rows of a table, if the node is one: whatever has `columns`, wherever it keeps its rows."""
        names = getattr(node, "columns", ())
        if not names:
            return
        values = [getattr(node, field.name) for field in attrs.fields(type(node))]
        rows = [part for value in values if isinstance(value, tuple) for part in value if isinstance(part, ast.Row)]
        cut = [[self.places[name.span.start] for name in names], *map(self.cells, rows)]
        first = WIDE_GAP if isinstance(node, ast.Cards) else CELL_GAP
        self.grid(cut, [first, *[CELL_GAP] * max(map(len, cut))])

    def cells(self, row: ast.Row) -> list[Place]:
        """Where the cells of a row begin; its binders, with the `for` before them, are the last."""
        cells = [self.places[cell.span.start] for cell in row.cells]
        if row.binders is not None:
            binders = self.places[row.binders.span.start]
            cells.append(Place(binders.line, binders.at - 1))
        return cells

    # ── cases ──

    def cases(self, value: ast.Value) -> None:
        """`value when condition`: the `when` and the `otherwise` of all cases."""
        rows = []
        for case in value.cases:
            start = self.places[case.span.start]
            pieces = self.lines[start.line].pieces
            rows += [[start, Place(start.line, at)] for at, p in enumerate(pieces) if p.start >= case.value.span.end][:1]
        self.grid(rows, [WIDE_GAP])

    # ── declarations ──

    def neighbours(self, items: tuple[ast.Node, ...]) -> None:
        """Runs of declarations of one sort, each on one line: what follows `:`, and what else the author began to line up."""
        for run in self.runs(items, WITH_COLON):
            self.grid([row for item in run if (row := self.at_sign(item, ":", 1))], [SIGN_GAP])
        for run in self.runs(items, WITH_EQUALS):
            for block in self.unbroken(run):
                self.grid(self.begun([row for item in block if (row := self.at_sign(item, "=", 0))]), [SIGN_GAP])
        for run in self.runs(items, (ast.Ending,)):
            for block in self.unbroken(run):
                starts = [self.places[item.span.start] for item in block]
                self.grid(self.begun([[start, Place(start.line, start.at + 2)] for start in starts]), [SIGN_GAP])

    def begun(self, rows: list[list[Place]]) -> list[list[Place]]:
        """The rows if one of them is lined up already, or was meant to be; else none."""
        return rows if any(self.source.text[self.piece(row[1]).start - 2].isspace() for row in rows) else []

    def runs(self, items: tuple[ast.Node, ...], sorts: tuple[type[ast.Node], ...]) -> Iterator[list[ast.Node]]:
        """Successive items of one of these sorts, as long as they stand on one line each."""
        run: list[ast.Node] = []
        for item in items:
            fits = isinstance(item, sorts) and "\n" not in item.span.text.rstrip()
            if run and not (fits and type(item) is type(run[0])):
                yield run
                run = []
            if fits:
                run.append(item)
        if run:
            yield run

    def unbroken(self, run: list[ast.Node]) -> Iterator[list[ast.Node]]:
        """The parts of a run whose lines follow each other immediately."""
        block: list[ast.Node] = []
        for item in run:
            if block and self.places[item.span.start].line != self.places[block[-1].span.start].line + 1:
                yield block
                block = []
            block.append(item)
        if block:
            yield block

    def at_sign(self, item: ast.Node, sign: str, beyond: int) -> list[Place]:
        """Where a declaration begins, and where its column does: at the last `:` of an option, at the first sign of any other.

        Empty if there is none outside of brackets."""
        start = self.places[item.span.start]
        found, depth = [], 0
        for at, piece in enumerate(self.lines[start.line].pieces):
            depth += (piece.text in OPENING) - (piece.text in CLOSING)
            if not depth and piece.text == sign:
                found.append(Place(start.line, at + beyond))
        if not found:
            return []
        return [start, found[-1 if isinstance(item, ast.Option) else 0]]
