"""Searches over boards: where walks of so many steps lead, of any number of steps, and how far it is.

Sets of spaces are bit masks, the lowest bit the first space. A walk of an exact number of steps enters no space twice, which makes it
the only hard question here. Short ones are looked up among the simple paths of the empty board (`interpreter/paths.py`), and
those twice as long put together from two halves that share no space; what is longer, or has too many paths to keep them, is
searched depth first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from interpreter.faults import RuleError
from interpreter.ground import Ground, Line, spend
from interpreter.paths import SHORT

if TYPE_CHECKING:
    from interpreter.state import State

LOOK_AGAIN = 48
"""nodes of a search after which it asks which ends are missing"""
PATHS_IN_A_STEP = 8
"""paths looked at that count as one step of the budget; making them costs about as much again"""


# ── exactly so many steps ──


def reach(
    state: State, ground: Ground, start: int | None, steps: int, numbers: Sequence[int] | None, only_last: bool, price: int,
    allowed: Callable[[int, int], bool] | None,
) -> Line:  # fmt: skip
    """Ends of simple walks of exactly `steps` steps from `start`, in board order. `numbers` are the step numbers the condition is
    asked with; with `only_last` it cares for them only so far as the last step differs from the others. Asking it once costs
    `price` steps of the budget."""
    if start is None or steps < 0:
        return ()
    if steps == 0:
        return (start,)
    values = range(1, steps + 1) if numbers is None else numbers
    if steps >= len(ground.neighbours) or steps > len(values):  # a simple walk is no longer
        return ()
    return slots_of(_exactly(state, ground, start, values[:steps], only_last, price, allowed))


def _exactly(
    state: State, ground: Ground, start: int, values: Sequence[int], only_last: bool, price: int,
    allowed: Callable[[int, int], bool] | None,
) -> int:  # fmt: skip
    """The ends as a mask.

    First, step by step, where walks that may come back get to: the condition is asked once for each space and step (or kind of
    step). Some walk that never comes back must then be found to each space of the last step."""
    steps = len(values)
    kinds = [0] * (steps - 1) + [1] if only_last else list(range(steps))
    asked = [0] * (kinds[-1] + 1 if steps > 1 else 2)
    good = asked[:]
    layers = [1 << start]
    left: list[int] = []  # where one step leads from each layer, whatever the condition says
    for step in range(steps):
        layer = layers[-1]
        if step > 1 and not layers[-3] & ~layer:  # where one was two steps ago, one can mostly be again
            spaces = left[-2] | after(ground.out, layer & ~layers[-3])
        else:
            spaces = after(ground.out, layer)
        left.append(spaces)
        spaces &= ~layers[0]
        if allowed is not None:
            kind = kinds[step]
            new = spaces & ~asked[kind]
            asked[kind] |= new
            spend(state, price * new.bit_count())
            value = values[step]
            while new:
                bit = new & -new
                new ^= bit
                if allowed(bit.bit_length() - 1, value):
                    good[kind] |= bit
            spaces &= good[kind]
        if not spaces:
            return 0
        layers.append(spaces)
    if steps == 1:
        return layers[1]
    ends = None
    if only_last:
        blocked = layers[0] | (asked[0] & ~good[0])
        if steps <= SHORT:
            ends = _looked_up(state, ground, start, layers, blocked)
        elif steps <= 2 * SHORT:
            ends = _joined(state, ground, start, layers, blocked)
    return _searched(state, ground, start, layers) if ends is None else ends


def _looked_up(state: State, ground: Ground, start: int, layers: list[int], blocked: int) -> int | None:
    """Those of the last layer to which a path leads that passes no blocked space; None if the paths are too many to be kept."""
    fan = ground.paths.fan(start, len(layers) - 1)
    if fan is None:
        return None
    spend(state, fan.size // PATHS_IN_A_STEP)
    possible, ends = layers[-1], 0
    for end, passes in fan.ends:
        if end & possible:
            for passed in passes:
                if not passed & blocked:
                    ends |= end
                    break
    return ends


def _joined(state: State, ground: Ground, start: int, layers: list[int], blocked: int) -> int | None:
    """The same for paths of two halves: one from the start to some space in the middle, and one from there that avoids it."""
    steps = len(layers) - 1
    half = steps // 2
    first = ground.paths.fan(start, half)
    if first is None:
        return None
    spend(state, first.size // PATHS_IN_A_STEP)
    missing = layers[-1]
    for middle, passes in first.ends:
        free = [passed for passed in passes if not passed & blocked] if middle & layers[half] else []
        if free:
            second = ground.paths.fan(middle.bit_length() - 1, steps - half)
            if second is None:
                return None
            work = second.size
            for end, beyond in second.ends:
                if end & missing:
                    work += len(free) * len(beyond)
                    if _fit(free, beyond, blocked, end):
                        missing ^= end
            spend(state, work // PATHS_IN_A_STEP)
            if not missing:
                break
    return layers[-1] & ~missing


def _fit(first: Sequence[int], second: Sequence[int], blocked: int, end: int) -> bool:
    """Do two halves of a path share no space? The second ones may be blocked; their end must not be passed by the first."""
    for half in second:
        if not half & blocked:
            half |= end
            for other in first:
                if not half & other:
                    return True
    return False


def _searched(state: State, ground: Ground, start: int, layers: list[int]) -> int:
    """The same, depth first over masks of the spaces entered, as long as some end is not found yet, and only where one can still
    be reached; the last step takes all its spaces at once, and no pair of place and walked mask is searched twice."""
    out, steps = ground.out, len(layers) - 1
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
            spend(state, LOOK_AGAIN)
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


# ── other walks ──


def reach_several(
    state: State, ground: Ground, starts: Sequence[int], lengths: Sequence[int], numbers: Sequence[int] | None,
    allowed: Callable[[int, int], bool] | None,
) -> Line:  # fmt: skip
    """Ends of simple walks of any of these lengths from any of these spaces, in board order."""
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
        spend(state, cost)
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
        spend(state, len(edge))
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
    spend(state, len(tried))
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
        spend(state, len(edge))
        edge = beyond
    return None
