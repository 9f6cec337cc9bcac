"""Boards: from rows of signs to spaces and the steps between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from dsl import ast, model
from dsl.constants import ConstantFault, Evaluator, NotConstant, World
from dsl.diagnostics import Label, Report
from dsl.source import Span

MOST_SPACES = 10_000
MOST_PAIRS = 4_000_000
PATTERNS = {"orthogonal": ((0, -1), (-1, 0), (1, 0), (0, 1)), "diagonal": ((-1, -1), (1, -1), (-1, 1), (1, 1))}

RuleSteps = Callable[[ast.StepsRule], tuple[model.Local, model.Local, model.Expr] | None]
CellValue = Callable[[ast.Expr, model.Column], object]


def build_board(
    written: ast.Board, board: model.Board, rule_steps: RuleSteps, cell_value: CellValue, report: Report, world: World | None = None
) -> None:
    """Fill `board.spaces`, `grid`, `neighbours` and `size` from the text; `board.attributes` are there already.

    Call it when the board's type can be resolved. `cell_value(cell, column)` gives a cell of the legend as a run-time value, or
    None after reporting an error itself. `rule_steps(line)` gives the two locals (typed as spaces of this board) and the
    condition of a `steps from a to b where C`, or None after an error; it is called when all spaces are there, so that C may
    speak of them. `world` holds the kinds (and other boards) C may use; this board is added to it.

    Errors: rows of different length, signs in no list, signs listed twice or never used, legend columns that do not fit the
    attributes, conditions that are not constant. Warnings: spaces from which or to which no step leads, a board in several parts."""
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
        legend = self._legend()
        blocked = self._blocked(legend)
        self._spaces(legend, blocked)
        self._unused(legend, blocked)
        self.world.boards[self.board.id] = self.board
        self.board.neighbours = [tuple(sorted(found)) for found in self._steps(sound=len(self.report.errors) == before)]
        if len(self.report.errors) == before and self.board.spaces:
            self._connected()

    # ── signs ──

    def _legend(self) -> dict[str, tuple[Span, tuple[object, ...]]]:
        """Of each sign its place and the values of the attributes, in their order."""
        names = [column.id for column in self.written.columns]
        order = self._columns(names)
        legend: dict[str, tuple[Span, tuple[object, ...]]] = {}
        for row in self.written.legend:
            signs = row.cells[0] if row.cells else None
            if not isinstance(signs, ast.Text) or not signs.plain:
                self.report.error("CG0705", "a line of the legend begins with its signs", row.span, hint='in quotes, like `".:+"`')
                continue
            values: tuple[object, ...] = (None,) * len(order)
            if len(row.cells) != len(names):
                self.report.error(
                    "CG0704",
                    f"this line of the legend has {len(row.cells)} cells, and there are {len(names)} columns",
                    row.span,
                    others=self._header_label(),
                )
            else:
                values = tuple(
                    self.cell_value(row.cells[at], column) if at is not None else None
                    for at, column in zip(order, self.board.attributes, strict=True)
                )
            for sign, span in _signs(signs):
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

    def _blocked(self, legend: dict[str, tuple[Span, tuple[object, ...]]]) -> dict[str, Span]:
        blocked: dict[str, Span] = {}
        if self.written.blocked is None:
            return blocked
        for sign, span in _signs(self.written.blocked):
            if sign in legend:
                self.report.error(
                    "CG0703",
                    f"the sign `{sign}` is both blocked and in the legend",
                    span,
                    others=(Label(legend[sign][0], "in the legend here"),),
                )
            elif sign in blocked:
                self.report.error(
                    "CG0706", f"the sign `{sign}` is there twice", span, others=(Label(blocked[sign], "here already"),)
                )
            blocked.setdefault(sign, span)
        return blocked

    def _spaces(self, legend: dict[str, tuple[Span, tuple[object, ...]]], blocked: dict[str, Span]) -> None:
        rows = [_signs(row) for row in self.written.rows]
        width = len(rows[0]) if rows else 0
        unknown: set[str] = set()
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
                if sign in legend:
                    if len(self.board.spaces) >= MOST_SPACES:
                        self.report.error("CG0708", f"a board has at most {MOST_SPACES} spaces", text.span)
                        return
                    self.board.grid[x, y] = len(self.board.spaces)
                    self.board.spaces.append(model.Space(x, y, sign, legend[sign][1]))
                    self.spans.append(span)
                elif sign not in blocked and sign not in unknown:
                    unknown.add(sign)
                    self.report.error(
                        "CG0702",
                        f"the sign `{sign}` is neither in the legend nor blocked",
                        span,
                        hint=f'a wall is listed under `blocked: "{sign}"`, a space in the legend',
                    )
        self.board.size = width, len(rows)
        if not self.board.spaces:
            self.report.error("CG0708", f"the board `{self.board.name}` has no spaces", self.written.name.span)

    def _unused(self, legend: dict[str, tuple[Span, tuple[object, ...]]], blocked: dict[str, Span]) -> None:
        used = {sign for row in self.written.rows for sign, _ in _signs(row)}
        for sign, (span, _) in legend.items():
            if sign not in used:
                self.report.error("CG0709", f"the sign `{sign}` is not on the map", span, "remove it from the legend, or draw it")
        for sign, span in blocked.items():
            if sign not in used and sign not in legend:
                self.report.warn("CG0909", f"the blocked sign `{sign}` is not on the map", span)

    # ── steps ──

    def _steps(self, *, sound: bool) -> list[set[int]]:
        """Of each space where one step leads; a rule may lead one way only. Rules are tried on a `sound` map only."""
        found: list[set[int]] = [set() for _ in self.board.spaces]
        for line in self.written.steps:
            if isinstance(line, ast.StepsPattern):
                for here, space in enumerate(self.board.spaces):
                    for dx, dy in PATTERNS[line.pattern]:
                        there = self.board.grid.get((space.column + dx, space.row + dy))
                        if there is not None:
                            found[here].add(there)
            elif sound:
                self._rule(line, found)
        return found

    def _rule(self, line: ast.StepsRule, found: list[set[int]]) -> None:
        rule = self.rule_steps(line)
        spaces = range(len(self.board.spaces))
        if rule is None:
            return
        if len(spaces) ** 2 > MOST_PAIRS:
            self.report.error("CG0708", "this board is too large for a condition between any two spaces", line.where.span)
            return
        start, end, where = rule
        evaluator = Evaluator(self.world, steps=40 * MOST_PAIRS)
        try:
            guards = _only_about(where, start)
            for a in spaces:
                if all(evaluator.truth(guard, {start: a}) for guard in guards):
                    found[a].update(b for b in spaces if a != b and evaluator.truth(where, {start: a, end: b}))
        except NotConstant as problem:
            self.report.error(
                "CG0710",
                "this depends on the play, and steps are fixed",
                problem.span,
                others=(Label(line.where.span, "the condition"),),
            )
        except ConstantFault as fault:
            self.report.error("CG0711", f"in working out the steps: {fault.text}", fault.span)

    def _connected(self) -> None:
        """Warn of spaces without steps, and of parts of the board that no step joins."""
        part = _parts(self.board.neighbours)
        sizes: dict[int, int] = {}
        for number in part:
            sizes[number] = sizes.get(number, 0) + 1
        largest = max(sizes, key=lambda number: sizes[number])
        for number, size in sizes.items():
            if number == largest:
                continue
            first = part.index(number)
            what = "this space cannot be reached" if size == 1 else f"this part of the board ({size} spaces) cannot be reached"
            self.report.warn("CG0905", what, self.spans[first], "no step leads from here to the rest of the board")


def _only_about(where: model.Expr, start: model.Local) -> list[model.Expr]:
    """The conditions joined by `and` that name no local but `start`: they need not be tried with every end."""
    if isinstance(where, model.Binary) and where.op == "and":
        return _only_about(where.left, start) + _only_about(where.right, start)
    simple = isinstance(where, model.Attribute) and isinstance(where.of, model.LocalRef) and where.of.local is start
    return [where] if simple else []


def _signs(text: ast.Text) -> list[tuple[str, Span]]:
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


def _parts(neighbours: Sequence[tuple[int, ...]]) -> list[int]:
    """Of each space the number of its connected part, one-way steps taken as joining both ends."""
    joined: list[set[int]] = [set(found) for found in neighbours]
    for here, found in enumerate(neighbours):
        for there in found:
            joined[there].add(here)
    part = [-1] * len(neighbours)
    for first in range(len(neighbours)):
        if part[first] >= 0:
            continue
        waiting = [first]
        part[first] = first
        while waiting:
            for there in joined[waiting.pop()]:
                if part[there] < 0:
                    part[there] = first
                    waiting.append(there)
    return part
