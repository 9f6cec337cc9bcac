"""Blocks that go straight on to the next, without a round through the machine.

`f[0] = 7; return` asks the machine to run block 7. Where that cannot lead back to the same block, block 7 is written out in place, if
it is short, or called: so the answer to a question runs on to the next question as one function. Calls never pile up, since
whatever goes round goes round through the machine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from attrs import Factory, define

from interpreter.compile.expressions import ALIASES
from interpreter.compile.python import Builder, PyStmt

SHORT_BLOCK = 60
"""statements of a block that is written out in place"""
LONGEST_BLOCK = 300
"""statements of a block with all that is written out in it"""
DEEPEST = 12
"""blocks that may call each other in a row"""


@define
class Straightener(Builder):
    """Works on the functions `b{pc}` in place. `ends`: where a block goes on in the end, through those that do nothing else;
    `entries`: the first block of a rule, by the function that puts its frame on the stack."""

    functions: dict[int, ast.FunctionDef]
    ends: dict[int, int]
    entries: dict[str, int]
    at: int = 0
    _refused: set[tuple[int, int]] = Factory(set)
    _depths: dict[int, int] = Factory(dict)
    _sizes: dict[int, int] = Factory(dict)

    def run_all(self) -> None:
        """Every block, those it goes on to before it: a depth-first search, in which a way back to a block under way is refused."""
        under_way: set[int] = set()
        for root in sorted(self.functions):
            if root in self._depths:
                continue
            under_way.add(root)
            open_: list[tuple[int, Iterator[int]]] = [(root, self._targets(root))]
            while open_:
                pc, targets = open_[-1]
                target = next(targets, None)
                if target is None:
                    open_.pop()
                    under_way.discard(pc)
                    self._straighten(pc)
                elif target in under_way:
                    self._refused.add((pc, target))
                elif target not in self._depths:
                    under_way.add(target)
                    open_.append((target, self._targets(target)))

    def _targets(self, pc: int) -> Iterator[int]:
        return iter(list(self._found(self.functions[pc].body)))

    def _found(self, body: list[PyStmt]) -> Iterator[int]:
        for statement in body:
            if isinstance(statement, ast.If):
                yield from self._found(statement.body)
                yield from self._found(statement.orelse)
        target = self._next(body)
        if target is not None:
            yield target

    def _next(self, body: list[PyStmt]) -> int | None:
        """The block at which these statements go on in the end, theirs or that of a rule they call."""
        if len(body) < 2 or not _is_return(body[-1]):
            return None
        target = goes_to(body[-2])
        if target is not None:
            target = self.ends.get(target, target)
        elif len(body) > 2 and goes_to(body[-3]) is not None:
            target = self.entries.get(_called(body[-2]))
        return target if target in self.functions else None

    def _straighten(self, pc: int) -> None:
        self._depths[pc] = 0
        function = self.functions[pc]
        function.body = self._straightened(pc, function.body)
        self._sizes[pc] = size(function.body)

    def _straightened(self, pc: int, body: list[PyStmt]) -> list[PyStmt]:
        made: list[PyStmt] = []
        for statement in body:
            if isinstance(statement, ast.If):
                statement.body = self._straightened(pc, statement.body)
                statement.orelse = self._straightened(pc, statement.orelse)
            made.append(statement)
        target = self._next(body)
        if target is None or (pc, target) in self._refused:
            return made
        self.at = body[-1].lineno - 1
        calls = goes_to(body[-2]) is None
        if not calls and self._sizes[target] <= SHORT_BLOCK and size(made) + self._sizes[target] <= LONGEST_BLOCK:
            self._depths[pc] = max(self._depths[pc], self._depths[target])
            fetched = {name(statement) for statement in self.functions[pc].body} - {""}
            written = [statement for statement in self.functions[target].body if name(statement) not in fetched]
            return [*made[:-2], *written] if isinstance(written[-1], ast.Return) else [*made[:-2], *written, self.returns()]
        if self._depths[target] < DEEPEST:
            self._depths[pc] = max(self._depths[pc], self._depths[target] + 1)
            frame = self.item(self.attribute(self.name("S"), "stack"), self.minus(self.const(1))) if calls else self.name("f")
            last = self.returns(self.call(f"b{target}", self.name("S"), frame))
            return [*made[: -1 if calls else -2], last]
        return made


def _is_return(statement: PyStmt) -> bool:
    return isinstance(statement, ast.Return) and statement.value is None


def _called(statement: PyStmt) -> str:
    """The name of the function a statement calls."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Name):
        return statement.value.func.id
    return ""


def name(statement: PyStmt) -> str:
    """The letter that a block fetches for what it uses often, as in `Z = S.zones`."""
    if (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Attribute)
        and isinstance(statement.targets[0], ast.Name)
    ):
        of = statement.value.value
        letter = statement.targets[0].id
        return letter if letter in ALIASES and isinstance(of, ast.Name) and of.id == "S" else ""
    return ""


def goes_to(statement: PyStmt) -> int | None:
    """The block that `f[0] = …` names."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
        target, value = statement.targets[0], statement.value.value
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == 0:
            return value if isinstance(value, int) and isinstance(target.value, ast.Name) and target.value.id == "f" else None
    return None


def size(body: list[PyStmt]) -> int:
    """Statements, nested ones too."""
    return sum(1 + (size(s.body) + size(s.orelse) if isinstance(s, ast.If) else 0) for s in body)
