"""`reach` finds just the ends of simple walks: compared with a search that knows no shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace

import pytest

from interpreter import ground

Allowed = Callable[[int, int], bool]


def walked(neighbours: list[tuple[int, ...]], start: int, steps: int, allowed: Allowed) -> tuple[int, ...]:
    """Every simple walk, one after another."""
    ends: set[int] = set()

    def go(here: int, seen: frozenset[int], step: int) -> None:
        if step == steps:
            ends.add(here)
            return
        for space in neighbours[here]:
            if space not in seen and allowed(space, step + 1):
                go(space, seen | {space}, step + 1)

    go(start, frozenset([start]), 0)
    return tuple(sorted(ends))


def holey_grid(random: Random) -> list[tuple[int, ...]]:
    """A small grid with holes, sometimes with a passage that leads one way only."""
    width, height = random.randint(2, 5), random.randint(2, 5)
    cells = [(x, y) for y in range(height) for x in range(width) if random.random() < 0.85]
    number = {cell: i for i, cell in enumerate(cells)}
    near = [tuple(sorted(number[c] for c in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if c in number)) for x, y in cells]
    if len(cells) > 2 and random.random() < 0.3:
        here, there = random.sample(range(len(cells)), 2)
        near[here] = tuple(sorted({*near[here], there}))
    return near


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("only_last", [True, False])
def test_exact_walks(seed: int, only_last: bool) -> None:
    random = Random(seed)
    compared = 0
    while compared < 40:
        neighbours = holey_grid(random)
        if len(neighbours) < 2:
            continue
        steps, start = random.randint(1, 9), random.randrange(len(neighbours))
        blocked = {space for space in range(len(neighbours)) if random.random() < 0.15}
        door = random.randrange(len(neighbours))

        def allowed(space: int, step: int, blocked=blocked, door=door, steps=steps) -> bool:  # type: ignore[no-untyped-def]
            if only_last:
                return space not in blocked and (space != door or step == steps)
            return space not in blocked and (space * 7 + step) % 5 != 0

        out = tuple(ground.mask_of(found) for found in neighbours)
        board = ground.Ground(tuple(neighbours), out, out, (), ())
        state = SimpleNamespace(steps=10**9)
        found = ground.reach(state, board, start, steps, None, only_last, allowed)  # type: ignore[arg-type]
        assert found == walked(neighbours, start, steps, allowed)
        compared += 1
