"""The queries over boards, on random maps, against what their words say taken at face value."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter import ground, walks
from interpreter.ground import Ground
from interpreter.program import BoardInfo

SQUARE = {
    "up_left": (-1, -1), "up": (0, -1), "up_right": (1, -1), "left": (-1, 0),
    "right": (1, 0), "down_left": (-1, 1), "down": (0, 1), "down_right": (1, 1),
}  # fmt: skip
HEXAGON = {"up_left": (0, -1), "up_right": (1, -1), "left": (-1, 0), "right": (1, 0), "down_left": (-1, 1), "down_right": (0, 1)}
SETS = (("up", "left", "right", "down"), tuple(SQUARE), ("right",), ("up_left", "up_right", "down_left", "down_right"))
SEEDS = range(60)


def board(random: Random) -> BoardInfo:
    """A map with holes and walls, of squares or hexagons, its steps of some directions."""
    vectors = random.choice((SQUARE, SQUARE, HEXAGON))
    directions = tuple(HEXAGON) if vectors is HEXAGON else random.choice(SETS)
    width, height = random.randint(1, 6), random.randint(1, 5)
    cells = [(x, y) for y in range(height) for x in range(width) if random.random() < 0.85] or [(0, 0)]
    number = {cell: i for i, cell in enumerate(cells)}
    ways: dict[str, list[int | None]] = {}
    walls = {frozenset(random.sample(range(len(cells)), 2)) for _ in range(4)} if len(cells) > 1 else set()
    for name in directions:
        dx, dy = vectors[name]
        ends = [number.get((x + dx, y + dy)) for x, y in cells]
        ways[name] = [None if frozenset((here, there)) in walls else there for here, there in enumerate(ends)]
    neighbours = [{found[here] for found in ways.values()} - {None} for here in range(len(cells))]
    if len(cells) > 2 and random.random() < 0.4:  # a passage that leads one way
        here, there = random.sample(range(len(cells)), 2)
        neighbours[here].add(there)
    sorted_ = tuple(tuple(sorted(s for s in found if s is not None)) for found in neighbours)
    spaces = tuple((x, y, ".") for x, y in cells)
    names = tuple(str(i) for i in range(len(cells)))
    told = tuple((name, tuple(found)) for name, found in ways.items())
    return BoardInfo("B", "g.B", width, height, spaces, names, (), ((),) * len(cells), sorted_, told)


def case(seed: int) -> tuple[Random, BoardInfo, Ground, Any, set[int]]:
    """A board, its tables, and some of its spaces."""
    random = Random(seed)
    info = board(random)
    some = {space for space in range(len(info.spaces)) if random.random() < 0.7}
    return random, info, Ground.of(info), SimpleNamespace(steps=10**9), some


def simple_walks(info: BoardInfo, start: int, steps: int, allowed: Callable[[int, int], bool]) -> set[int]:
    """The ends of all simple walks of so many steps."""
    ends: set[int] = set()

    def go(here: int, seen: frozenset[int], step: int) -> None:
        if step == steps:
            ends.add(here)
            return
        for space in info.neighbours[here]:
            if space not in seen and allowed(space, step + 1):
                go(space, seen | {space}, step + 1)

    go(start, frozenset([start]), 0)
    return ends


@pytest.mark.parametrize("seed", SEEDS)
def test_walks_of_several_lengths(seed: int) -> None:
    random, info, tables, state, some = case(seed)
    starts = random.sample(range(len(info.spaces)), min(2, len(info.spaces)))
    for lengths in ([1, 2, 3], [0, 1, 2], [2, 4], [0], [3], [-1, 2], []):
        for counted in (False, True):
            numbers = list(range(1, 5)) if counted else None

            def allowed(space: int, step: int, counted: bool = counted) -> bool:
                return space in some and (not counted or (space + step) % 4 != 0)

            found = walks.reach_several(state, tables, starts, lengths, numbers, allowed)
            wanted = set().union(*(simple_walks(info, start, n, allowed) for start in starts for n in lengths if n >= 0), set())
            assert found == tuple(sorted(wanted)), (starts, lengths, counted)


@pytest.mark.parametrize("seed", SEEDS)
def test_walks_of_any_length_and_the_shortest(seed: int) -> None:
    random, info, tables, state, some = case(seed)
    start, other = (random.randrange(len(info.spaces)) for _ in range(2))
    most = len(info.spaces)
    for allowed in (None, some.__contains__):

        def judged(space: int, step: int, allowed: Any = allowed) -> bool:
            return allowed is None or allowed(space)

        by_length = [walks_or_shorter(info, start, n, judged) for n in range(most + 1)]
        everywhere = set().union(*by_length)
        assert walks.reach_all(state, tables, [start], allowed) == tuple(sorted(everywhere))
        if other in everywhere:
            shortest = next(n for n, ends in enumerate(by_length) if other in ends)
            assert walks.distance(state, tables, start, other, allowed) == shortest
        else:
            with pytest.raises(ground.RuleError):
                walks.distance(state, tables, start, other, allowed)


def walks_or_shorter(info: BoardInfo, start: int, steps: int, allowed: Callable[[int, int], bool]) -> set[int]:
    """Where at most so many steps lead, found ring by ring."""
    found = {start}
    for step in range(1, steps + 1):
        found |= {space for here in found for space in info.neighbours[here] if allowed(space, step)}
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_rays_and_what_is_between(seed: int) -> None:
    _, info, tables, _, _ = case(seed)
    ways = dict(info.ways)
    both = {name for name in ways if ground.OPPOSITE[name] in ways}
    for start in range(len(info.spaces)):
        made = []
        for found in ways.values():
            ray, here = [], found[start]
            while here is not None:
                ray.append(here)
                here = found[here]
            if ray:
                made.append(tuple(ray))
        assert tables.rays(start) == tuple(made)
        for end in range(len(info.spaces)):
            straight = {ray[: ray.index(end)] for ray in made if end in ray}
            if both == set(ways):
                assert {tables.between(start, end)} == (straight or {()})
            elif straight:
                assert tables.between(start, end) in straight


def straight_lines(info: BoardInfo, some: set[int], length: int) -> set[frozenset[int]]:
    """Every line of that many of these spaces, as sets, so that each is there once."""
    found = set()
    for way in dict(info.ways).values():
        for start in some:
            line, here = [start], way[start]
            while here is not None and here in some and len(line) < length:
                line.append(here)
                here = way[here]
            if len(line) == length:
                found.add(frozenset(line))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_lines(seed: int) -> None:
    _, info, tables, _, some = case(seed)
    mask = ground.mask_of(some)
    for length in (1, 2, 3, 4):
        wanted = straight_lines(info, some, length)
        found = ground.lines(tables, length, mask)
        assert len(found) == len(wanted) and {frozenset(line) for line in found} == wanted
        assert list(found) == sorted(found, key=lambda line: line[0])
        assert ground.any_line(tables, length, mask) == bool(wanted)
    every = {length: straight_lines(info, some, length) for length in range(2, 9)}
    longest = {
        line for length, lines in every.items() for line in lines if not any(line < more for more in every.get(length + 1, ()))
    }
    found = ground.longest_lines(tables, mask)
    assert len(found) == len(longest) and {frozenset(line) for line in found} == longest


@pytest.mark.parametrize("seed", SEEDS)
def test_groups(seed: int) -> None:
    _, info, tables, _, some = case(seed)
    left, wanted = set(some), []
    joined = {here: {*info.neighbours[here], *(b for b in some if here in info.neighbours[b])} for here in some}
    while left:
        group = {min(left)}
        while more := {there for here in group for there in joined[here] if there in some} - group:
            group |= more
        wanted.append(tuple(sorted(group)))
        left -= group
    assert list(ground.groups(tables, ground.mask_of(some))) == wanted
