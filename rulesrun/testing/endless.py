"""A game that does not end: can it end at all?"""

from __future__ import annotations

from attrs import frozen

from interpreter import play
from interpreter.faults import Fault
from rulesrun.testing.trials import Play, Tester

MOST_POSITIONS = 5_000


@frozen
class Endless:
    """`positions`: so many can be reached, and in none of them the game is over; None if there are more than can be tried, or one in which
    it is."""

    positions: int | None


def explore(tester: Tester, one: Play) -> Endless:
    """Try every choice from the start of this game; positions are the same if play goes on in the same way from them."""
    try:
        start = play.start(tester.rules.code(one.players), one.seed)
    except Fault:
        return Endless(None)
    seen = {start.canonical()}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state.options is None or len(seen) > MOST_POSITIONS:
            return Endless(None)
        for index in range(len(state.options)):
            after = state.copy()
            try:
                play.choose(after, index)
            except Fault:
                return Endless(None)
            place = after.canonical()
            if place not in seen:
                seen.add(place)
                waiting.append(after)
    return Endless(len(seen))
