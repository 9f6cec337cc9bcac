"""Boards in play: tables made once for each board, and the lines and groups on them. Walks are in `interpreter/walks.py`.

Sets of spaces are bit masks, the lowest bit the first space. Whatever never changes – neighbours, straight lines, distances and
paths on the empty board – is a table, made when it is first needed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from attrs import define, field

from interpreter.faults import RuleError
from interpreter.paths import Paths
from interpreter.program import BoardInfo

if TYPE_CHECKING:
    from interpreter.state import State

Line = tuple[int, ...]
OPPOSITE = {
    "up": "down", "left": "right", "up_left": "down_right", "up_right": "down_left",
    "down": "up", "right": "left", "down_right": "up_left", "down_left": "up_right",
}  # fmt: skip
LARGEST_TABLE = 4_000_000
"""spaces in a table that is kept"""
LONGEST_SEARCH = "a search that is too wide?"


@define(eq=False)
class Ground:
    """A board as tables. `out` are the spaces one step away as masks, `near` are the neighbours as masks, by steps in either direction; `bits` each space with its bit, `axes` the longest straight lines."""

    neighbours: tuple[Line, ...]
    out: tuple[int, ...]
    near: tuple[int, ...]
    bits: tuple[tuple[int, int], ...]
    axes: tuple[Line, ...]
    ways: tuple[tuple[int | None, ...], ...] = ()
    """of each direction where a step leads"""
    paths: Paths = field(init=False)
    _rays: dict[int, tuple[Line, ...]] = field(factory=dict, init=False)
    _lines: dict[int, tuple[tuple[int, Line], ...]] = field(factory=dict, init=False)
    _distances: dict[int, tuple[int | None, ...]] = field(factory=dict, init=False)
    _places: list[dict[int, int]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.paths = Paths(self.out)

    @classmethod
    def of(cls, board: BoardInfo) -> Ground:
        near = [mask_of(found) for found in board.neighbours]
        out = tuple(near)
        for here, found in enumerate(board.neighbours):
            for there in found:
                near[there] |= 1 << here
        bits = tuple((space, 1 << space) for space in range(len(board.spaces)))
        return cls(board.neighbours, out, tuple(near), bits, axes(board), tuple(ways for _, ways in board.ways))

    def rays(self, space: int) -> tuple[Line, ...]:
        """For each direction in which there is a step, the spaces that lie that way, the nearest first."""
        found = self._rays.get(space)
        if found is None:
            made = []
            for ways in self.ways:
                ray = []
                here = ways[space]
                while here is not None:
                    ray.append(here)
                    here = ways[here]
                if ray:
                    made.append(tuple(ray))
            if len(self._rays) * (sum(map(len, made)) + 8) > LARGEST_TABLE:
                self._rays.clear()
            found = self._rays[space] = tuple(made)
        return found

    def lines(self, length: int) -> tuple[tuple[int, Line], ...]:
        """All straight lines of so many spaces, each with its mask. Raises `RuleError` where they would fill the memory."""
        found = self._lines.get(length)
        if found is None:
            cut: list[Line]
            if length == 1:
                cut = [(space,) for space, _ in self.bits]
            else:
                starts = [(axis, at) for axis in self.axes for at in range(len(axis) - length + 1)] if length > 1 else []
                if len(starts) * length > LARGEST_TABLE:
                    raise RuleError(
                        "CG1004", f"there are too many lines of {length} spaces", "on so large a board, ask for the longest ones"
                    )
                cut = [axis[at : at + length] for axis, at in starts]
            if sum(len(table) * size for size, table in self._lines.items()) > LARGEST_TABLE:
                self._lines.clear()
            found = self._lines[length] = tuple((mask_of(line), line) for line in sorted(cut, key=lambda line: line[:2]))
        return found

    def distances(self, state: State, start: int) -> tuple[int | None, ...]:
        """Steps from a space to each other one on the empty board, None where there is no way."""
        found = self._distances.get(start)
        if found is None:
            spend(state, len(self.neighbours))
            far: list[int | None] = [None] * len(self.neighbours)
            far[start] = steps = 0
            edge = [start]
            while edge:
                steps += 1
                beyond = []
                for here in edge:
                    for space in self.neighbours[here]:
                        if far[space] is None:
                            far[space] = steps
                            beyond.append(space)
                edge = beyond
            if len(self._distances) * len(far) > LARGEST_TABLE:
                self._distances.clear()
            found = self._distances[start] = tuple(far)
        return found

    def between(self, start: int, end: int) -> Line:
        """The spaces between two in one straight line, the first beside `start`."""
        if not self._places:  # of each space, its place on each line it is on
            self._places.extend({} for _ in self.bits)
            for number, axis in enumerate(self.axes):
                for place, space in enumerate(axis):
                    self._places[space][number] = place
        there = self._places[end]
        for number, i in self._places[start].items():
            j = there.get(number)
            if j is not None and i != j:
                axis = self.axes[number]
                return axis[i + 1 : j] if i < j else axis[j + 1 : i][::-1]
        return ()


def spend(state: State, steps: int) -> None:
    """Count what a search costs against the budget."""
    state.steps -= steps
    if state.steps < 0:
        raise RuleError("CG1002", "the rules went on too long without asking anybody", LONGEST_SEARCH)


def mask_of(spaces: Collection[int]) -> int:
    return sum(1 << space for space in spaces)


def axes(board: BoardInfo) -> tuple[Line, ...]:
    """The longest straight lines, of two spaces or more, each in one direction only: from the space that comes first."""
    ways = dict(board.ways)
    found: list[Line] = []
    for name in ("right", "down", "down_right", "down_left", "left", "up", "up_left", "up_right"):
        back = OPPOSITE[name]
        if name not in ways or (back in ways and name in ("left", "up", "up_left", "up_right")):
            continue
        entered = {there for there in ways[name] if there is not None}
        for start in range(len(board.spaces)):
            if start not in entered and ways[name][start] is not None:
                line = [start]
                while (there := ways[name][line[-1]]) is not None:
                    line.append(there)
                found.append(tuple(line))
    return tuple(found)


# ── lines and groups ──


def any_line(ground: Ground, length: int, spaces: int) -> bool:
    """Is there a straight line of so many of these spaces (a mask)?"""
    for mask, _ in ground.lines(length):  # noqa: SIM110 (half the time of `any`)
        if mask & spaces == mask:
            return True
    return False


def lines(ground: Ground, length: int, spaces: int) -> tuple[Line, ...]:
    """The straight lines of so many of these spaces (a mask)."""
    return tuple([line for mask, line in ground.lines(length) if mask & spaces == mask])


def longest_lines(ground: Ground, spaces: int) -> tuple[Line, ...]:
    """The straight lines, of two or more of these spaces, that cannot be made longer; in board order."""
    found: list[Line] = []
    for axis in ground.axes:
        line: list[int] = []
        for space in axis:
            if spaces >> space & 1:
                line.append(space)
                continue
            if len(line) > 1:
                found.append(tuple(line))
            line = []
        if len(line) > 1:
            found.append(tuple(line))
    return tuple(sorted(found, key=lambda line: line[:2]))


def groups(ground: Ground, spaces: int) -> tuple[Line, ...]:
    """These spaces (a mask) in groups that hang together by steps, one-way steps taken as joining both ends."""
    near = ground.near
    found: list[Line] = []
    while spaces:
        group = edge = spaces & -spaces
        while edge:
            beyond = 0
            while edge:
                bit = edge & -edge
                edge ^= bit
                beyond |= near[bit.bit_length() - 1]
            edge = beyond & spaces & ~group
            group |= edge
        spaces &= ~group
        found.append(tuple([i for i in range(group.bit_length()) if group >> i & 1]))
    return tuple(found)
