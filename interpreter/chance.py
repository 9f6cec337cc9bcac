"""The one source of chance: PCG32 (M. E. O'Neill, 2014, pcg_xsh_rr_64_32) in integer arithmetic any machine repeats exactly.

The whole generator is one 64-bit number, kept in the state, so a copy of a game has its own future."""

from __future__ import annotations

from functools import cache

MASK64 = (1 << 64) - 1
MASK32 = (1 << 32) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407


def seeded(seed: int) -> int:
    """The generator's first state for a seed (any integer; its lowest 64 bits count)."""
    state = (INCREMENT + (seed & MASK64)) & MASK64
    return (state * MULTIPLIER + INCREMENT) & MASK64


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number from 0 to n - 1, all equally likely (1 <= n < 2**32).

    Lemire's multiplication with rejection ("Fast random integer generation in an interval", 2019)."""
    while True:
        old = state
        state = (old * MULTIPLIER + INCREMENT) & MASK64
        mixed = (((old >> 18) ^ old) >> 27) & MASK32
        turn = old >> 59
        product = (((mixed >> turn) | (mixed << (-turn & 31))) & MASK32) * n
        low = product & MASK32
        if low >= n or low >= (MASK32 + 1 - n) % n:
            return state, product >> 32


@cache
def batches(n: int) -> tuple[tuple[int, range], ...]:
    """How a shuffle of n things draws: for each draw its bound, and the sizes whose product that is."""
    made: list[tuple[int, range]] = []
    while n > 1:
        product, last = n, n - 1
        while last > 1 and product * last <= MASK32:
            product *= last
            last -= 1
        made.append((product, range(n, last, -1)))
        n = last
    return tuple(made)


def shuffle(state: int, items: list[int]) -> int:
    """Shuffle in place (Fisher and Yates, from the end); returns the next state.

    One draw serves several swaps: a number below n * (n - 1) * … splits into numbers below n, below n - 1, …, all equally likely
    (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation", 2024)."""
    for product, sizes in batches(len(items)):
        state, number = below(state, product)
        for n in sizes:
            j = number % n
            number //= n
            items[n - 1], items[j] = items[j], items[n - 1]
    return state
