"""Plays and positions of a game for Hypothesis.

Whoever plays is Hypothesis: each choice is drawn by itself, so a failing play shrinks choice by choice, to the fewest players, the lowest seed, the
fewest choices, and the first option wherever it does not matter. A long game would ask for more than Hypothesis can keep; so after `max_choices` of
them one number is drawn, and the rest of the game is played at random from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from random import Random

from hypothesis import reject
from hypothesis import strategies as st

from rulesrun.api import LONGEST_GAME, Game, Match
from rulesrun.suite import Broken, player_counts

MAX_CHOICES = 100
"""drawn one by one; each takes some four of the bytes that Hypothesis has 8192 of for one example"""
SEEDS = st.integers(0, 2**32 - 1)
STOP = (0, 0)
SELDOM = 1 / 400
"""how often a play stops at a choice before the game is over"""


def plays(
    game: Game, players: int | Iterable[int] | None = None, *, max_choices: int = MAX_CHOICES, finished: bool = False
) -> st.SearchStrategy[Match]:
    """Matches of `game` that have been played: most to the end, some not so far. `match.choices` are the choices made.

    `players` says how many sit down: a number, several, or with None all the game is for. A play shrinks to the shortest that will do, in the end
    to a match just begun. With `finished` all are played to the end.

    Raises `ValueError` for a wrong number of players; while drawing `Fault` if the rules cannot go on, `Broken` if a game does not end."""
    counts = player_counts(game, players)
    return _plays(game, counts, _checked(max_choices), finished)


def positions(
    game: Game, players: int | Iterable[int] | None = None, *, max_choices: int = MAX_CHOICES
) -> st.SearchStrategy[Match]:
    """Matches of `game` in which somebody is asked, anywhere from the first decision to the last. They shrink towards the beginning.

    Raises as `plays`. A game that never asks anybody has no positions."""
    counts = player_counts(game, players)
    lengths = {count: game.playout(count, 0).decisions for count in counts}
    return _positions(game, lengths, _checked(max_choices))


def _checked(max_choices: int) -> int:
    if max_choices < 0:
        raise ValueError(f"max_choices is {max_choices}, less than nothing")
    return max_choices


@st.composite
def _plays(draw: st.DrawFn, game: Game, counts: tuple[int, ...], max_choices: int, finished: bool) -> Match:
    match = game.start(draw(st.sampled_from(counts)), draw(SEEDS))
    if draw(_stopped(match, max_choices, None if finished else stopping(SELDOM))):
        return match
    if not match.finished:
        rest = draw(SEEDS)
        if rest or finished:
            _play_on(match, Random(rest), lambda: False)
            if not match.finished:
                raise Broken(f"the game has not ended after {LONGEST_GAME} decisions", match)
    return match


@st.composite
def _positions(draw: st.DrawFn, game: Game, lengths: dict[int, int], max_choices: int) -> Match:
    players = draw(st.sampled_from(sorted(lengths)))
    match = game.start(players, draw(SEEDS))
    if draw(_stopped(match, max_choices, stopping(2 / max(lengths[players], 4)))):
        return match
    if not match.finished:
        made, further = len(match.choices), draw(st.integers(0, max(lengths[players] - max_choices, 0)))
        if further:
            _play_on(match, Random(draw(SEEDS)), lambda: len(match.choices) - made >= further)
    if match.finished:
        if not match.choices:
            reject()
        match.undo()
    return match


def stopping(chance: float) -> st.SearchStrategy[tuple[int, int]]:
    """Draws `STOP`, the simplest, about so often: it means that here is the end. (Of a wide range Hypothesis draws the ends, and
    numbers that stand in somebody's code, far more often than others; so it is two numbers of narrow ranges.)"""
    numbers = st.integers(0, max(2, round(sqrt(1 / chance))) - 1)
    return st.tuples(numbers, numbers)


@st.composite
def _stopped(draw: st.DrawFn, match: Match, most: int, stops: st.SearchStrategy[tuple[int, int]] | None) -> bool:
    """Make choices, up to so many; was it told to stop?"""
    while not match.finished and len(match.choices) < most:
        step = draw(_step(match.option_count, stops))
        if step is None:
            return True
        match.choose(step)
    if match.finished and stops is not None:
        draw(stops)  # means nothing here; but where a choice is left out and the game goes on, it is the end
    return False


@st.composite
def _step(draw: st.DrawFn, options: int, stops: st.SearchStrategy[tuple[int, int]] | None) -> int | None:
    """The number of the option to take next, None to stop: one thing for Hypothesis, so that it leaves out whole steps."""
    if stops is not None and draw(stops) == STOP:
        return None
    return draw(st.integers(0, options - 1)) if options > 1 else 0


def _play_on(match: Match, random: Random, enough: Callable[[], bool]) -> None:
    """Choose at random until the game is over or it is enough."""
    while not match.finished and not enough() and len(match.choices) < LONGEST_GAME:
        match.choose(int(random.random() * match.option_count))
