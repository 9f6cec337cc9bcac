"""Steps of a board: by patterns, along lines drawn on the map, by links and by rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import Factory, define

from dsl import ast, model, suggest
from dsl.constants import ConstantFault, Evaluator, NotConstant, World
from dsl.diagnostics import Label, Report
from dsl.maps import BLANK, LINE_SIGNS, PATTERNS, signs, vectors
from dsl.source import Span

MOST_PAIRS = 4_000_000

RuleSteps = Callable[[ast.StepsRule], tuple[model.Local, model.Local, model.Expr] | None]


@define
class Steps:
    """Fills `ways` and `neighbours` of a board whose spaces are known; `spans` are the places of the spaces in the text."""

    written: ast.Board
    board: model.Board
    rule_steps: RuleSteps
    report: Report
    world: World
    spans: list[Span]
    found: list[set[int]] = Factory(list)
    """of each space where one step leads; a rule may lead one way only"""

    def build(self, *, sound: bool) -> None:
        """Rules are tried on a `sound` board only."""
        before = len(self.report.errors)
        self.found = [set() for _ in self.board.spaces]
        self.board.ways = {name: [None] * len(self.board.spaces) for name in self.board.directions}
        self._fitting()
        for line in self.written.steps:
            if isinstance(line, ast.StepsPattern) and self.board.named is None:
                self._pattern(line)
            elif isinstance(line, ast.StepsAlong) and self.board.named is None:
                self._along(line)
        for link in self.written.links:
            self._link(link)
        for ways in self.board.ways.values():
            for here, there in enumerate(ways):
                if there is not None:
                    self.found[here].add(there)
        if sound and len(self.report.errors) == before:
            for line in self.written.steps:
                if isinstance(line, ast.StepsRule):
                    self._rule(line)
        self.board.neighbours = [tuple(sorted(found)) for found in self.found]
        if sound and len(self.report.errors) == before and self.board.spaces and (self.written.steps or self.written.links):
            self._connected()

    def _fitting(self) -> None:
        """Lines that make no sense together."""
        hexagonal = [x for x in self.written.steps if isinstance(x, ast.StepsPattern) and x.pattern == "hexagonal"]
        for line in self.written.steps:
            if isinstance(line, ast.StepsRule):
                continue
            if self.board.named is not None:
                self.report.error(
                    "CG0713",
                    "named spaces lie in no direction from each other",
                    line.span,
                    "this is for maps",
                    hint="join them by `links:` or by `steps from a to b where …`",
                )
            elif isinstance(line, ast.StepsAlong):
                self._line_signs(line)
            elif hexagonal and line.pattern in ("orthogonal", "diagonal", "up", "down"):
                self.report.error(
                    "CG0713",
                    f"a hexagonal map has no `{line.pattern}` steps",
                    line.span,
                    others=(Label(hexagonal[0].span, "hexagonal"),),
                    hint="`steps hexagonal` joins all six neighbours",
                )

    def _line_signs(self, line: ast.StepsAlong) -> None:
        if self.written.walls is not None:
            self.report.error(
                "CG0713", "lines and walls do not go together", line.span, others=(Label(self.written.walls.span, "walls"),)
            )
        for sign, span in signs(line.signs):
            if sign not in LINE_SIGNS:
                self.report.error(
                    "CG0713", f"the sign `{sign}` draws no line", span, "a line is drawn with `-`, `|`, `/`, `\\` and `+`"
                )

    # ── patterns and lines ──

    def _pattern(self, line: ast.StepsPattern) -> None:
        moves = vectors(self.board)
        for name in PATTERNS[line.pattern]:
            dx, dy = moves.get(name, (0, 0))
            for here, space in enumerate(self.board.spaces):
                there = self.board.grid.get((space.column + dx, space.row + dy))
                if there is not None and there != here and not self._walled(space, dx, dy):
                    self.board.ways[name][here] = there

    def _walled(self, space: model.Space, dx: int, dy: int) -> bool:
        """Does a wall stand in the way of a step?"""
        if not self.board.spread:
            return False
        x, y = 2 * space.column + dx, 2 * space.row + dy
        row = self.board.picture[y]
        return x < len(row) and row[x] != BLANK

    def _along(self, line: ast.StepsAlong) -> None:
        listed = {sign for sign, _ in signs(line.signs)}
        moves = vectors(self.board)
        used: set[tuple[int, int]] = set()
        for name in self.board.directions:
            dx, dy = moves.get(name, (0, 0))
            for here, space in enumerate(self.board.spaces):
                x, y = space.column + dx, space.row + dy
                passed = []
                while (sign := self._sign(x, y)) in listed and name in LINE_SIGNS.get(sign, ()):
                    passed.append((x, y))
                    x, y = x + dx, y + dy
                there = self.board.grid.get((x, y))
                if passed and there is not None:
                    self.board.ways[name][here] = there
                    used.update(passed)
        for y, text in enumerate(self.written.rows):
            for x, (sign, span) in enumerate(signs(text)):
                if sign in listed and sign in LINE_SIGNS and (x, y) not in used and (x, y) not in self.board.grid:
                    self.report.error(
                        "CG0714", "this line joins no two spaces", span, f"followed {_ways_of(sign)}, it leads nowhere"
                    )
                    return

    def _sign(self, x: int, y: int) -> str:
        picture = self.board.picture
        if 0 <= y < len(picture) and 0 <= x < len(picture[y]) and (x, y) not in self.board.grid:
            return picture[y][x]
        return ""

    # ── links and rules ──

    def _link(self, link: ast.Link) -> None:
        start = self._named(link.start)
        for end in link.ends:
            there = self._named(end)
            if start is None or there is None:
                continue
            if start == there:
                self.report.error("CG0715", "a space is not linked with itself", end.span)
                continue
            self.found[start].add(there)
            self.found[there].add(start)

    def _named(self, name: ast.Name) -> int | None:
        names = self.board.named or ()
        if name.id in names:
            return self.board.grid.get((names.index(name.id), 0))
        guess = suggest.closest(name.id, list(names))
        label = "" if guess is None else f"did you mean `{guess}`?"
        self.report.error("CG0715", f"`{self.board.name}` has no space `{name.id}`", name.span, label)
        return None

    def _rule(self, line: ast.StepsRule) -> None:
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
                    self.found[a].update(b for b in spaces if a != b and evaluator.truth(where, {start: a, end: b}))
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


def _ways_of(sign: str) -> str:
    return {"-": "to the left and right", "|": "up and down", "+": "up, down, left and right"}.get(sign, "slanting")


def _only_about(where: model.Expr, start: model.Local) -> list[model.Expr]:
    """The conditions joined by `and` that name no local but `start`: they need not be tried with every end."""
    if isinstance(where, model.Binary) and where.op == "and":
        return _only_about(where.left, start) + _only_about(where.right, start)
    simple = isinstance(where, model.Attribute) and isinstance(where.of, model.LocalRef) and where.of.local is start
    return [where] if simple else []


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
