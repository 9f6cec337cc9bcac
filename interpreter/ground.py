"""Boards in play: tables made once for each board, and the searches over them.

Sets of spaces are bit masks, the lowest bit the first space. Whatever never changes – neighbours, straight lines, distances on the
empty board – is a table, made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from interpreter.faults import RuleError
from interpreter.program import BoardInfo

if TYPE_CHECKING:
    from interpreter.state import State

Line = tuple[int, ...]
OPPOSITE = {
    "up": "down", "left": "right", "up_left": "down_right", "up_right": "down_left",
    "down": "up", "right": "left", "down_right": "up_left", "down_left": "up_right",
}  # fmt: skip
LOOK_AGAIN = 48
"""nodes of a search after which it asks which ends are missing"""
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
    _rays: dict[int, tuple[Line, ...]] = field(factory=dict, init=False)
    _lines: dict[int, tuple[tuple[int, Line], ...]] = field(factory=dict, init=False)
    _distances: dict[int, tuple[int | None, ...]] = field(factory=dict, init=False)
    _places: list[dict[int, int]] = field(factory=list, init=False)

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
            _spend(state, len(self.neighbours))
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


# ── walks ──


def reach(
    state: State, ground: Ground, start: int | None, steps: int, numbers: Sequence[int] | None, only_last: bool,
    allowed: Callable[[int, int], bool] | None,
) -> Line:  # fmt: skip
    """Ends of simple walks of exactly `steps` steps from `start`, in board order. `numbers` are the step numbers the condition is
    asked with; with `only_last` it cares for them only so far as the last step differs from the others."""
    if start is None or steps < 0:
        return ()
    if steps == 0:
        return (start,)
    values = range(1, steps + 1) if numbers is None else numbers
    if steps >= len(ground.neighbours) or steps > len(values):  # a simple walk is no longer
        return ()
    return slots_of(_exactly(state, ground, start, values[:steps], only_last, allowed))


def _exactly(
    state: State, ground: Ground, start: int, values: Sequence[int], only_last: bool, allowed: Callable[[int, int], bool] | None
) -> int:
    """The ends as a mask.

    First, step by step, where walks that may come back get to: the condition is asked once for each space and step (or kind of
    step). Then depth first over masks of the spaces entered, as long as some end of such a walk is not found yet, and only
    where one can still be reached; the last step takes all its spaces at once, and no pair of place and walked mask is searched
    twice."""
    out = ground.out
    steps = len(values)
    kinds = [0] * (steps - 1) + [1] if only_last else list(range(steps))
    asked = [0] * (kinds[-1] + 1 if steps > 1 else 2)
    good = asked[:]
    layers = [1 << start]
    for step in range(steps):
        spaces = after(out, layers[-1]) & ~layers[0]
        if allowed is not None:
            kind = kinds[step]
            new = spaces & ~asked[kind]
            asked[kind] |= new
            while new:
                bit = new & -new
                new ^= bit
                if allowed(bit.bit_length() - 1, values[step]):
                    good[kind] |= bit
            spaces &= good[kind]
        if not spaces:
            return 0
        layers.append(spaces)
    if steps == 1:
        return layers[1]
    possible = layers[-1]
    useful = before(out, layers, possible)
    ends = found = nodes = 0
    seen: set[tuple[int, int]] = set()
    stack = [(start, layers[0], 1)]
    while stack:
        here, walked, step = stack.pop()
        nodes += 1
        spaces = out[here] & useful[step] & ~walked
        if step == steps:
            ends |= spaces
            if ends == possible:
                break
            continue
        while spaces:
            bit = spaces & -spaces
            spaces ^= bit
            key = (bit, walked | bit)
            if key not in seen:
                seen.add(key)
                stack.append((bit.bit_length() - 1, walked | bit, step + 1))
        if not nodes % LOOK_AGAIN:
            _spend(state, LOOK_AGAIN)
            if ends != found:  # look only for those that are missing
                found = ends
                useful = before(out, layers, possible & ~ends)
    return ends


def after(out: Line, spaces: int) -> int:
    """The spaces one step from these."""
    found = 0
    while spaces:
        bit = spaces & -spaces
        spaces ^= bit
        found |= out[bit.bit_length() - 1]
    return found


def before(out: Line, layers: list[int], wanted: int) -> list[int]:
    """Of each layer the spaces from which a wanted one of the last can be reached, one layer a step."""
    useful = [wanted]
    for layer in layers[-2::-1]:
        kept = 0
        while layer:
            bit = layer & -layer
            layer ^= bit
            if out[bit.bit_length() - 1] & wanted:
                kept |= bit
        useful.append(kept)
        wanted = kept
    return useful[::-1]


def slots_of(mask: int) -> Line:
    """The numbers of the bits of a mask, lowest first."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return tuple(found)


def reach_several(
    state: State, ground: Ground, starts: Sequence[int], lengths: Sequence[int], numbers: Sequence[int] | None,
    allowed: Callable[[int, int], bool] | None,
) -> Line:  # fmt: skip
    """The same for walks of any of these lengths from any of these spaces."""
    wanted = sorted({length for length in lengths if length >= 0})
    ends: set[int] = set()
    if wanted and wanted[0] == 0:
        ends.update(starts)
        wanted = wanted[1:]
    if wanted:
        every = wanted[-1] == len(wanted)  # 1 … n: the shortest walks are enough
        for start in starts:
            if every and numbers is None:
                ends |= _within(state, ground, start, wanted[-1], allowed)
            else:
                ends |= _ends(state, ground, start, wanted, numbers, allowed)
    return tuple(sorted(ends))


def _ends(
    state: State, ground: Ground, start: int, lengths: Sequence[int], numbers: Sequence[int] | None,
    allowed: Callable[[int, int], bool] | None,
) -> set[int]:  # fmt: skip
    """Ends of simple walks of these lengths (in order, none of them 0).

    The condition is asked once for each space and step number. A walk is a depth-first search over a bit mask of the spaces
    entered; what remains reachable does not depend on more than (space, mask), so no pair is searched twice."""
    neighbours = ground.neighbours
    longest = min(lengths[-1], len(neighbours) - 1)  # a simple walk is no longer
    step_values = list(numbers) if numbers is not None else list(range(1, longest + 1))
    longest = min(longest, len(step_values))
    memo: dict[tuple[int, int], bool] = {}
    ends: set[int] = set()
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[int, int, int]] = [(start, 1 << start, 0)] if longest >= lengths[0] else []
    cost = 1 + max(map(len, neighbours), default=0) // 8
    while stack:
        here, mask, step = stack.pop()
        value = step_values[step]
        step += 1
        wanted = step in lengths
        for space in neighbours[here]:
            bit = 1 << space
            if mask & bit:
                continue
            key = (space, value)
            good = memo.get(key)
            if good is None:
                good = memo[key] = allowed is None or bool(allowed(space, value))
            if not good:
                continue
            if wanted:
                ends.add(space)
            if step < longest and (space, mask | bit) not in seen:
                seen.add((space, mask | bit))
                stack.append((space, mask | bit, step))
        _spend(state, cost)
    return ends


def _within(state: State, ground: Ground, start: int, steps: int, allowed: Callable[[int, int], bool] | None) -> set[int]:
    """Where at most so many steps, and at least one, lead: the start is not entered again."""
    tried = {start}
    ends: set[int] = set()
    edge = [start]
    for step in range(1, min(steps, len(ground.neighbours)) + 1):
        beyond = []
        for here in edge:
            for space in ground.neighbours[here]:
                if space not in tried:
                    tried.add(space)
                    if allowed is None or allowed(space, step):
                        beyond.append(space)
        _spend(state, len(edge))
        if not beyond:
            break
        ends.update(beyond)
        edge = beyond
    return ends


def reach_all(state: State, ground: Ground, starts: Sequence[int], allowed: Callable[[int], bool] | None) -> Line:
    """Where any number of steps leads, none included."""
    found = set(starts)
    tried = set(starts)
    waiting = list(starts)
    while waiting:
        for space in ground.neighbours[waiting.pop()]:
            if space not in tried:
                tried.add(space)
                if allowed is None or allowed(space):
                    found.add(space)
                    waiting.append(space)
    _spend(state, len(tried))
    return tuple(sorted(found))


def distance(state: State, ground: Ground, start: int, end: int, allowed: Callable[[int], bool] | None) -> int:
    """Steps of the shortest walk."""
    far = ground.distances(state, start)[end] if allowed is None else _walked(state, ground, start, end, allowed)
    if far is None:
        raise RuleError("CG1019", "no walk leads from the one space to the other", "ask `reach` first whether there is one")
    return far


def _walked(state: State, ground: Ground, start: int, end: int, allowed: Callable[[int], bool]) -> int | None:
    if start == end:
        return 0
    tried = {start}
    edge = [start]
    steps = 0
    while edge:
        steps += 1
        beyond = []
        for here in edge:
            for space in ground.neighbours[here]:
                if space not in tried:
                    tried.add(space)
                    if allowed(space):
                        if space == end:
                            return steps
                        beyond.append(space)
        _spend(state, len(edge))
        edge = beyond
    return None


def _spend(state: State, steps: int) -> None:
    state.steps -= steps
    if state.steps < 0:
        raise RuleError("CG1002", "the rules went on too long without asking anybody", LONGEST_SEARCH)


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
