"""The generator against an independent PCG32 and known numbers; shuffles and picks are fair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from interpreter import chance
from interpreter.chance import below, seeded, shuffle
from interpreter.play import choose, start
from tests.interpreter.written import written


def pcg32(state: int, sequence: int) -> Iterator[int]:
    """pcg32_srandom and pcg32_random of the C library, with 32-bit arithmetic done step by step."""
    increment = (sequence << 1 | 1) % 2**64
    current = 0
    current = (current * 6364136223846793005 + increment) % 2**64
    current = (current + state) % 2**64
    current = (current * 6364136223846793005 + increment) % 2**64
    while True:
        old = current
        current = (old * 6364136223846793005 + increment) % 2**64
        shifted = ((old >> 18) ^ old) >> 27
        bits = [(shifted >> i) & 1 for i in range(32)]
        turn = old >> 59
        yield sum(bits[(i + turn) % 32] << i for i in range(32))


def test_the_independent_generator_gives_the_numbers_of_the_reference_implementation() -> None:
    """`pcg32-demo`, seed 42, sequence 54, round 1."""
    numbers = pcg32(42, 54)
    assert [next(numbers) for _ in range(6)] == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
def test_the_generator_is_pcg32(seed: int) -> None:
    numbers = pcg32(seed, chance.INCREMENT >> 1)
    state = seeded(seed)
    for _ in range(200):
        state, found = below(state, 2**32 - 1)  # almost the whole range: the high word of the product is the number or one less
        wanted = next(numbers)
        assert found == (wanted * (2**32 - 1)) >> 32


def lemire(numbers: Iterator[int], n: int) -> int:
    """A number below n without bias."""
    while True:
        product = next(numbers) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


@pytest.mark.parametrize("n", [1, 2, 3, 6, 52, 1000, 2**31 + 1, 2**32 - 1])
def test_bounded_numbers(n: int) -> None:
    numbers = pcg32(7, chance.INCREMENT >> 1)
    state = seeded(7)
    for _ in range(300):
        state, found = below(state, n)
        assert found == lemire(numbers, n)


def test_negative_and_large_seeds_count_by_their_lowest_64_bits() -> None:
    assert seeded(-1) == seeded(2**64 - 1) and seeded(2**64 + 5) == seeded(5) and seeded(5) != seeded(6)


def chi_square(counts: Counter[object], cells: int) -> float:
    """How far from fair, in standard deviations (positive: too uneven)."""
    expected = sum(counts.values()) / cells
    value = sum((counts[key] - expected) ** 2 / expected for key in counts) + (cells - len(counts)) * expected
    return (value - (cells - 1)) / math.sqrt(2 * (cells - 1))


def test_all_orders_of_five_are_equally_likely() -> None:
    counts: Counter[object] = Counter()
    state = seeded(2024)
    for _ in range(24_000):
        items = list(range(5))
        state = shuffle(state, items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(5)))
    assert abs(chi_square(counts, 120)) < 4


@pytest.mark.parametrize("size", [13, 52, 104])
def test_every_card_is_equally_likely_in_every_place(size: int) -> None:
    places = sorted({0, 1, 2, size // 2, size - 2, size - 1})
    counts: dict[int, Counter[object]] = {place: Counter() for place in places}
    state = seeded(size)
    for _ in range(3_000):
        items = list(range(size))
        state = shuffle(state, items)
        for place in places:
            counts[place][items[place] % 13] += 1
    assert [place for place in places if abs(chi_square(counts[place], 13)) >= 4] == []


def test_neighbours_are_as_often_in_order_as_not() -> None:
    """Several swaps share one draw: what is drawn for one must not tell anything of the next."""
    state = seeded(99)
    pairs: Counter[object] = Counter()
    for _ in range(20_000):
        items = list(range(4))
        state = shuffle(state, items)
        pairs[items[2], items[3]] += 1
    assert abs(chi_square(pairs, 12)) < 4


PICKS = """
card Card()
zone pack: open pile of Card
zone one:  open pile of Card
zone two:  open row of Card
cards Card in pack:
    name
    "{i}"  for i in 1..5
dice pair: 2 of [1, 2, 3]
var sum_of = 0
rule setup():
    chance chooses c in pack: move c to one
    chance chooses 2 cs in pack: move cs to two
    chance chooses:
        "A" : sum_of := 1
        "B {i}" for i in 2..4: sum_of := i
    roll pair
    sum_of := sum_of * 100 + pair.first * 10 + pair.last
rule game():
    players.first chooses i in 1..1: end game
define winners() = players
"""


def test_picks_and_dice_are_fair() -> None:
    code = written(PICKS).code(2)
    picked: Counter[object] = Counter()
    pairs: Counter[object] = Counter()
    lines: Counter[object] = Counter()
    rolls: Counter[object] = Counter()
    for seed in range(4_000):
        state = start(code, seed)
        names = [[code.design_names[state.faces[card]] for card in zone] for zone in state.zones]
        picked[names[1][0]] += 1
        pairs[tuple(names[2])] += 1
        (score,) = [value for value in state.vars if isinstance(value, int)]
        lines[score // 100] += 1
        rolls[score % 100] += 1
    assert abs(chi_square(picked, 5)) < 4
    assert abs(chi_square(pairs, 20)) < 4
    assert abs(chi_square(lines, 4)) < 4
    assert abs(chi_square(rolls, 9)) < 4


def test_sets_are_not_shuffled_and_draw_nothing() -> None:
    code = written("""
card Card(n: number)
zone heap: open pile of Card
zone bag:  open set of Card
cards Card in heap:
    name   n
    "{i}"  i  for i in 1..9
rule setup(): move heap to bag
rule game():
    players.first chooses i in 1..1: end game
define winners() = players
""").code(2)
    state = start(code, 1)
    assert state.rng == seeded(1) and state.zones[1] == sorted(state.zones[1], key=state.faces.__getitem__)
    choose(state, 0)
    assert state.options is None
