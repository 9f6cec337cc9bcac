"""`reach` finds just the ends of simple walks: compared with a search that knows no shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace

import pytest

from interpreter import ground, paths, walks

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
@pytest.mark.parametrize("kept", [paths.BYTES, 4000, 0], ids=["all paths kept", "some", "none"])
def test_exact_walks(seed: int, only_last: bool, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "BYTES", kept)
    random = Random(seed)
    compared = 0
    while compared < 40:
        neighbours = holey_grid(random)
        if len(neighbours) < 2:
            continue
        steps, start = random.randint(1, 13), random.randrange(len(neighbours))
        blocked = {space for space in range(len(neighbours)) if random.random() < 0.15}
        door = random.randrange(len(neighbours))

        def allowed(space: int, step: int, blocked=blocked, door=door, steps=steps) -> bool:  # type: ignore[no-untyped-def]
            if only_last:
                return space not in blocked and (space != door or step == steps)
            return space not in blocked and (space * 7 + step) % 5 != 0

        out = tuple(ground.mask_of(found) for found in neighbours)
        board = ground.Ground(tuple(neighbours), out, out, (), ())
        state = SimpleNamespace(steps=10**9)
        found = walks.reach(state, board, start, steps, None, only_last, 1, allowed)  # type: ignore[arg-type]
        assert found == walked(neighbours, start, steps, allowed)
        compared += 1


def test_simple_paths_by_their_ends() -> None:
    """A square with one diagonal: 0–1–2–3–0 and 0–2."""
    found = paths.Paths((0b1110, 0b0101, 0b1011, 0b0101))
    two = found.fan(0, 2)
    assert two is not None
    assert {(end, frozenset(passes)) for end, passes in two.ends} == {
        (0b0010, frozenset({0b0100})),
        (0b0100, frozenset({0b0010, 0b1000})),
        (0b1000, frozenset({0b0100})),
    }
    assert two.size == 4
    three = found.fan(0, 3)
    assert three is not None and dict(three.ends) == {0b0010: (0b1100,), 0b1000: (0b0110,)}
    four = found.fan(0, 4)
    assert four is not None and four.ends == ()


def test_the_same_search_always_costs_the_same() -> None:
    board = ground.Ground((near := ((1, 2), (0, 2, 3), (0, 1, 3), (1, 2))), out := tuple(map(ground.mask_of, near)), out, (), ())
    costs = []
    for _ in range(2):
        state = SimpleNamespace(steps=10**6)
        assert walks.reach(state, board, 0, 3, None, True, 2, lambda space, _: space != 4) == (1, 2, 3)  # type: ignore[arg-type]
        costs.append(10**6 - state.steps)
    assert costs[0] == costs[1] > 0
