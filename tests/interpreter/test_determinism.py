"""The same seed and answers give the same game: played again, from copies, in code that is watched and in code that is not."""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter.play import choose, options_again, scores, start, winners
from interpreter.state import State
from tests.interpreter.games import NAMES, rules_of
from tests.interpreter.written import play_randomly, replay

CASES = [(name, players) for name in NAMES for players in rules_of(name).game.players]
DECISIONS = 40


class Silent:
    """An observer that remembers nothing but how many things it was told."""

    def __init__(self) -> None:
        self.told = 0

    def note(self, state: State, kind: str, *data: Any) -> None:
        self.told += 1


def position(state: State) -> tuple[Any, ...]:
    """What `==` compares, but of the frames only where each has come to: watched code keeps more in them."""
    zones, variables, _, *rest = state.canonical()  # type: ignore[misc]
    return zones, variables, [frame[0] for frame in state.stack], *rest


def outcome(state: State) -> tuple[Any, ...]:
    return state.phase, state.reason, winners(state) if state.options is None else None, scores(state)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_watched_and_unwatched_code_play_the_same_game(name: str, players: int) -> None:
    rules = rules_of(name)
    observer = Silent()
    fast = start(rules.code(players), 7)
    watched = start(rules.code(players, observed=True), 7, observer=observer)
    rng = random.Random(3)
    for _ in range(DECISIONS):
        assert position(fast) == position(watched)
        assert (fast.asked, fast.site, len(fast.options or ())) == (watched.asked, watched.site, len(watched.options or ()))
        if fast.options is None:
            break
        answer = rng.randrange(len(fast.options))
        choose(fast, answer)
        choose(watched, answer)
    assert observer.told > 0
    assert outcome(fast) == outcome(watched)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_game_is_repeated_by_its_seed_and_answers(name: str, players: int) -> None:
    code = rules_of(name).code(players)
    state = start(code, 11)
    answers = play_randomly(state, 1, DECISIONS)
    again = replay(start(code, 11), answers)
    assert state == again
    assert outcome(state) == outcome(again)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_copy_goes_its_own_way_and_comes_out_the_same(name: str, players: int) -> None:
    """At every decision, however deep in the rules: play goes on from a copy, and what was copied does not change."""
    state = start(rules_of(name).code(players), 5)
    rng = random.Random(9)
    for turn in range(DECISIONS):
        if state.options is None:
            break
        copy = state.copy()
        assert tuple(options_again(copy)) == tuple(copy.options or ())
        if turn % 8 == 0:
            before = state.canonical()
            one, other = state.copy(), state.copy()
            answers = play_randomly(one, turn, 12)
            assert state.canonical() == before
            assert replay(other, answers) == one
        answer = rng.randrange(len(state.options))
        choose(copy, answer)
        choose(state, answer)
        assert copy == state
        state = copy


def test_other_seeds_give_other_games() -> None:
    code = rules_of("dread_draw").code(3)
    assert len({start(code, seed).canonical() for seed in range(20)}) == 20
