"""Boards: from rows of signs to spaces and the steps between them."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from dsl import ast, model
from dsl.constants import World
from dsl.diagnostics import Label, Report
from dsl.maps import BLANK, outline, signs, space_name
from dsl.source import Span
from dsl.steps import RuleSteps, Steps

MOST_SPACES = 10_000

CellValue = Callable[[ast.Expr, model.Column], object]
Legend = dict[str, tuple[Span, tuple[object, ...]]]
"""of each sign its place and the values of the attributes, in their order"""


def build_board(
    written: ast.Board, board: model.Board, rule_steps: RuleSteps, cell_value: CellValue, report: Report, world: World | None = None
) -> None:
    """Fill the board from the text; `board.attributes` are there already.

    Call it when the board's type can be resolved. `cell_value(cell, column)` gives a cell of the legend as a run-time value, or
    None after reporting an error itself. `rule_steps(line)` gives the two locals (typed as spaces of this board) and the
    condition of a `steps from a to b where C`, or None after an error; it is called when all spaces are there, so that C may
    speak of them. `world` holds the kinds (and other boards) C may use; this board is added to it.

    Errors: rows of different length, signs in no list, signs listed twice or never used, columns that do not fit the
    attributes, lines that lead nowhere, links with what is not there, conditions that are not constant. Warnings: spaces from
    which or to which no step leads, a board in several parts."""
    outline(written, board)
    _Builder(written, board, rule_steps, cell_value, report, world or World()).build()


@define
class _Builder:
    written: ast.Board
    board: model.Board
    rule_steps: RuleSteps
    cell_value: CellValue
    report: Report
    world: World
    spans: list[Span] = field(factory=list)
    """of each space its sign"""

    def build(self) -> None:
        before = len(self.report.errors)
        if self.written.spaces:
            self._named()
        else:
            self._map()
        self.world.boards[self.board.id] = self.board
        sound = len(self.report.errors) == before
        Steps(self.written, self.board, self.rule_steps, self.report, self.world, self.spans).build(sound=sound)

    def _map(self) -> None:
        legend = self._legend()
        blocked = self._blocked(legend)
        walls = self._walls(legend, blocked)
        drawn = {sign for line in self.written.steps if isinstance(line, ast.StepsAlong) for sign, _ in signs(line.signs)}
        self._spaces(legend, blocked, walls, drawn)
        self._unused(legend, blocked, walls)

    def _named(self) -> None:
        """Spaces from a table of their names."""
        columns = self.written.columns
        if columns and columns[0].id != "name":
            self.report.error("CG0707", "the first column of `spaces` is the name", columns[0].span, "write `name`")
        order = self._columns([column.id for column in columns])
        places: dict[str, Span] = {}
        for row in self.written.spaces:
            values = self._values(row, order, "this space")
            name = row.cells[0]
            if not isinstance(name, ast.Name):
                self.report.error(
                    "CG0705", "a space of a table begins with its name", name.span, "written like the member of a kind: `Old_Mill`"
                )
                continue
            if name.id in places:
                label = Label(places[name.id], "here already")
                self.report.error("CG0706", f"the space `{name.id}` is there twice", name.span, others=(label,))
                continue
            if len(places) >= MOST_SPACES:
                self.report.error("CG0708", f"a board has at most {MOST_SPACES} spaces", name.span)
                return
            places[name.id] = name.span
            self._add(len(self.board.spaces), 0, "", values, name.span)

    def _add(self, column: int, row: int, sign: str, values: tuple[object, ...], span: Span) -> None:
        number = len(self.board.spaces)
        name = space_name(self.board, column, row, number + 1)
        self.board.grid[column, row] = number
        self.board.spaces.append(model.Space(column, row, sign, values, name))
        self.spans.append(span)

    def _values(self, row: ast.Row, order: list[int | None], what: str) -> tuple[object, ...]:
        """The attributes from the cells of a row."""
        if len(row.cells) != len(self.written.columns):
            self.report.error(
                "CG0704",
                f"{what} has {len(row.cells)} cells, and there are {len(self.written.columns)} columns",
                row.span,
                others=self._header_label(),
            )
            return (None,) * len(order)
        return tuple(
            self.cell_value(row.cells[at], column) if at is not None else None
            for at, column in zip(order, self.board.attributes, strict=True)
        )

    # ── signs ──

    def _legend(self) -> Legend:
        if not self.written.columns:
            if not self.board.attributes:
                return {".": (self.written.name.span, ())}
            self.report.error(
                "CG0707",
                f"`{self.board.name}` has attributes and no legend",
                self.written.name.span,
                others=self._attributes_label(),
                hint="`legend:` says for each sign what the attributes of such a space are",
            )
            return {}
        order = self._columns([column.id for column in self.written.columns])
        legend: Legend = {}
        for row in self.written.legend:
            listed = row.cells[0] if row.cells else None
            if not isinstance(listed, ast.Text) or not listed.plain:
                self.report.error("CG0705", "a line of the legend begins with its signs", row.span, hint='in quotes, like `".:+"`')
                continue
            values = self._values(row, order, "this line of the legend")
            for sign, span in signs(listed):
                if sign in legend:
                    self.report.error(
                        "CG0706",
                        f"the sign `{sign}` is in the legend twice",
                        span,
                        others=(Label(legend[sign][0], "here already"),),
                    )
                else:
                    legend[sign] = span, values
        return legend

    def _columns(self, names: list[str]) -> list[int | None]:
        """In which cell of a row the value of each attribute stands."""
        for i, column in enumerate(self.written.columns[1:], 1):
            if column.id not in [a.name for a in self.board.attributes]:
                self.report.error(
                    "CG0707", f"`{self.board.name}` has no attribute `{column.id}`", column.span, others=self._attributes_label()
                )
            elif column.id in names[1:i]:
                self.report.error("CG0707", f"the column `{column.id}` is there twice", column.span)
        order: list[int | None] = []
        for attribute in self.board.attributes:
            at = names.index(attribute.name, 1) if attribute.name in names[1:] else None
            if at is None:
                where = (
                    self.written.columns[0].span.to(self.written.columns[-1].span) if self.written.columns else self.written.span
                )
                self.report.error(
                    "CG0707",
                    f"the legend has no column `{attribute.name}`",
                    where,
                    others=(Label(attribute.span, "the attribute"),),
                )
            order.append(at)
        return order

    def _header_label(self) -> tuple[Label, ...]:
        columns = self.written.columns
        return (Label(columns[0].span.to(columns[-1].span), "the columns"),) if columns else ()

    def _attributes_label(self) -> tuple[Label, ...]:
        params = self.written.attributes
        return (Label(params[0].span.to(params[-1].span), "its attributes"),) if params else ()

    def _blocked(self, legend: Legend) -> dict[str, Span]:
        return self._listed(self.written.blocked, "blocked", {sign: span for sign, (span, _) in legend.items()}, "in the legend")

    def _walls(self, legend: Legend, blocked: dict[str, Span]) -> dict[str, Span]:
        taken = {sign: span for sign, (span, _) in legend.items()} | blocked
        walls = self._listed(self.written.walls, "a wall", taken, "blocked or in the legend")
        if BLANK in walls:
            self.report.error(
                "CG0703", "a blank is no wall", walls[BLANK], "where a blank stands between two spaces, the way is free"
            )
        return walls

    def _listed(self, text: ast.Text | None, what: str, taken: dict[str, Span], where: str) -> dict[str, Span]:
        """The signs of a line, each with its place; they may not be in another list too."""
        listed: dict[str, Span] = {}
        for sign, span in [] if text is None else signs(text):
            if sign in taken:
                label = Label(taken[sign], f"{where} here")
                self.report.error("CG0703", f"the sign `{sign}` is both {what} and {where}", span, others=(label,))
            elif sign in listed:
                self.report.error(
                    "CG0706", f"the sign `{sign}` is there twice", span, others=(Label(listed[sign], "here already"),)
                )
            listed.setdefault(sign, span)
        return listed

    def _spaces(self, legend: Legend, blocked: dict[str, Span], walls: dict[str, Span], drawn: set[str]) -> None:
        before = len(self.report.errors)
        rows = [signs(row) for row in self.written.rows]
        width = len(rows[0]) if rows else 0
        unknown: set[tuple[str, bool]] = set()
        every = 2 if self.board.spread else 1
        if every == 2 and rows and not (width % 2 and len(rows) % 2):
            self._wrong_size(width, len(rows))
        for y, (row, text) in enumerate(zip(rows, self.written.rows, strict=True)):
            if text.plain is None:
                self.report.error("CG0701", "a row of a map is signs only", text.span, "write `{{` for a brace")
                continue
            if len(row) != width:
                self.report.error(
                    "CG0701",
                    f"this row has {len(row)} signs, the first one {width}",
                    text.span,
                    others=(Label(self.written.rows[0].span, f"{width} signs"),),
                )
            for x, (sign, span) in enumerate(row):
                between = bool(x % every or y % every)
                if not between and sign in legend:
                    if len(self.board.spaces) >= MOST_SPACES:
                        self.report.error("CG0708", f"a board has at most {MOST_SPACES} spaces", text.span)
                        return
                    self._add(x // every, y // every, sign, legend[sign][1], span)
                elif between:
                    known = sign == BLANK or sign in walls
                    if not known and (sign, between) not in unknown:
                        unknown.add((sign, between))
                        self._not_between(sign, span)
                elif sign not in blocked and sign not in drawn and (sign, between) not in unknown:
                    unknown.add((sign, between))
                    self._unknown(sign, span, sign in walls)
        if not self.board.spaces and len(self.report.errors) == before:
            self.report.error("CG0708", f"the board `{self.board.name}` has no spaces", self.written.name.span)

    def _unknown(self, sign: str, span: Span, is_wall: bool) -> None:
        if is_wall:
            self.report.error(
                "CG0702",
                f"the wall `{sign}` stands where a space must be",
                span,
                "with `walls` every second sign of every second row is a space",
                hint="what is no space and no wall is listed under `blocked`",
            )
            return
        hint = f'a wall is listed under `blocked: "{sign}"`, a space in the legend'
        if not self.written.columns:
            hint = f'without a `legend` only `.` is a space; what is none is listed under `blocked: "{sign}"`'
        self.report.error("CG0702", f"the sign `{sign}` is neither in the legend nor blocked", span, hint=hint)

    def _not_between(self, sign: str, span: Span) -> None:
        self.report.error(
            "CG0702",
            f"the sign `{sign}` stands between spaces, and is no wall",
            span,
            "with `walls` only every second sign of every second row is a space",
            hint=f'between them stands a blank, or a wall: `walls: "{sign}"`',
        )

    def _wrong_size(self, width: int, height: int) -> None:
        self.report.error(
            "CG0712",
            f"a map with walls has an odd number of columns and of rows, not {width} and {height}",
            self.written.rows[0].span.to(self.written.rows[-1].span),
            "the outermost are spaces",
            hint="between any two spaces stands one more sign, between any two rows one more row",
        )

    def _unused(self, legend: Legend, blocked: dict[str, Span], walls: dict[str, Span]) -> None:
        used = {sign for row in self.written.rows for sign, _ in signs(row)}
        for sign, (span, _) in legend.items():
            if sign not in used and self.written.columns:
                self.report.error("CG0709", f"the sign `{sign}` is not on the map", span, "remove it from the legend, or draw it")
        for sign, span in (blocked | walls).items():
            if sign not in used and sign not in legend and sign != BLANK:
                what = "blocked sign" if sign in blocked else "wall"
                self.report.warn("CG0909", f"the {what} `{sign}` is not on the map", span)
