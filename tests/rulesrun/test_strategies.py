"""Plays, positions and the state machine: what they reach, and to what a planted hole shrinks."""

from __future__ import annotations

import re
import sys
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

import rulesrun
from rulesrun.api import Game, Match
from rulesrun.strategies import plays, positions, state_machine
from rulesrun.suite import Broken
from tests.rulesrun.table_games import write

FEW = settings(max_examples=40, deadline=None, database=None, derandomize=True)
MANY = settings(
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    report_multiple_bugs=False,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)

LOCK = """
game "Lock" for 2..3 players

## Turn a wheel, again and again. It counts how often Left came right after Right.

kind Way: Left, Middle, Right

var last: Way = Middle
var clicks = 0
var turns = 0

rule setup()
rule game():
    while turns < 16: turn(seats.first)

rule turn(p: player):
    p chooses "which way" w in Way:
        if w is Left and last is Right: clicks += 1
        last := w
        turns += 1

ending open when clicks is 9: "It springs open"

define winners() = players
"""

ENDLESS = """
game "Endless" for 2 players

kind Way: Left, Right

var last: Way = Left

rule setup()
rule game():
    while last is in Way:
        for p in players: turn(p)

rule turn(p: player):
    p chooses "which way" w in Way: last := w

define winners() = players
"""

LEDGER = """
game "Ledger" for 2 players

card Coin(value: number)
zone bank: open pile of Coin
zone purse[player]: private set of Coin
cards Coin in bank:
    name    value
    "{n}"   n      for n in 1..6

rule setup(): shuffle bank
rule game():
    while bank is not empty:
        for p in players where bank is not empty: turn(p)

rule turn(p: player):
    p may "Take {bank.top}": move bank.top to purse[p]

define winners() = players
"""


SHORT = LOCK.replace("turns < 16", "turns < 6")


@pytest.fixture(scope="module")
def short(folder: Path) -> Game:
    return rulesrun.load(write(folder, "short", SHORT))


@pytest.fixture(scope="module")
def lock(folder: Path) -> Game:
    return rulesrun.load(write(folder, "lock", LOCK))


def clicks(match: Match) -> int:
    return sum(later == 0 and before == 2 for before, later in zip(match.choices, match.choices[1:], strict=False))


# ── what they are ──


def test_plays_reach_the_end_and_stop_before(duel: Game) -> None:
    seen: set[tuple[bool, int]] = set()

    @settings(FEW, max_examples=600)
    @given(plays(duel))
    def look(match: Match) -> None:
        seen.add((match.finished, match.players))
        again = duel.start(match.players, match.seed)
        for index in match.choices:
            again.choose(index)
        assert again == match

    look()
    assert seen == {(True, 2), (True, 3), (False, 2), (False, 3)}


def test_finished_plays_are_finished_however_few_choices_are_drawn(duel: Game) -> None:
    @FEW
    @given(st.integers(0, 5).flatmap(lambda most: plays(duel, 3, max_choices=most, finished=True)))
    def look(match: Match) -> None:
        assert match.finished and match.players == 3

    look()


def test_positions_are_anywhere_in_a_long_game_and_somebody_is_asked() -> None:
    game = rulesrun.load("draghjarter")
    lengths: list[int] = []

    @settings(FEW, max_examples=60)
    @given(positions(game, 3, max_choices=30))
    def look(match: Match) -> None:
        assert not match.finished and match.decision is not None
        lengths.append(len(match.choices))

    look()
    assert min(lengths) < 30 and max(lengths) > 300


def test_a_long_game_is_not_too_much_for_hypothesis() -> None:
    """No health check fails, though Draw Bridge takes thousands of choices."""
    game = rulesrun.load("draw_bridge")
    lengths: list[int] = []

    @settings(max_examples=15, deadline=None, database=None, derandomize=True)
    @given(plays(game, finished=True))
    def look(match: Match) -> None:
        lengths.append(len(match.choices))

    look()
    assert max(lengths) > 1000


def test_wrong_numbers_are_said_at_once(duel: Game) -> None:
    for strategy in (plays, positions):
        with pytest.raises(ValueError, match="Duel is for 2 or 3 players, not 7"):
            strategy(duel, 7)
        with pytest.raises(ValueError, match="at least one"):
            strategy(duel, [])
        with pytest.raises(ValueError, match="less than nothing"):
            strategy(duel, max_choices=-1)
    with pytest.raises(ValueError, match="not 1"):
        state_machine(duel, [2, 1])


# ── shrinking ──


@pytest.mark.parametrize(
    ("wanted", "choices"),
    [
        (lambda match: True, []),
        (lambda match: len(match.choices) >= 13, [0] * 13),
        (lambda match: clicks(match) >= 1, [2, 0]),
        (lambda match: clicks(match) >= 3, [2, 0, 2, 0, 2, 0]),
        (lambda match: "1, 2, 1" in str(match.choices), [1, 2, 1]),
    ],
    ids=["any", "long", "one click", "three clicks", "in order"],
)
def test_a_play_shrinks_to_the_shortest(lock: Game, wanted: Callable[[Match], bool], choices: list[int]) -> None:
    match = find(plays(lock), wanted, settings=MANY)
    assert (match.players, match.seed, match.choices) == (2, 0, choices)


def test_a_finished_play_shrinks_to_first_options(lock: Game) -> None:
    match = find(plays(lock, finished=True), lambda match: clicks(match) >= 2, settings=MANY)
    assert match.choices == [0] * 12 + [2, 0, 2, 0]


def test_a_play_shrinks_to_the_fewest_players_that_will_do(lock: Game) -> None:
    assert find(plays(lock), lambda match: match.players > 2, settings=MANY).players == 3
    assert find(plays(lock, [3, 2]), lambda match: True, settings=MANY).players == 2


def test_a_position_shrinks_towards_the_beginning(lock: Game) -> None:
    match = find(positions(lock), lambda match: clicks(match) >= 2, settings=MANY)
    assert (match.players, match.seed, match.choices) == (2, 0, [2, 0, 2, 0])


def test_what_is_found_is_printed_so_that_one_can_play_it_again(lock: Game) -> None:
    @settings(MANY, print_blob=False)
    @given(plays(lock))
    def nobody_hears_a_click(match: Match) -> None:
        assert clicks(match) == 0

    with pytest.raises(AssertionError) as failed:
        nobody_hears_a_click()
    assert "match=<lock, 2 players, seed 0, choices [2, 0]>" in "\n".join(failed.value.__notes__)


def test_a_game_that_does_not_end_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["rulesrun.strategies.plays"], "LONGEST_GAME", 500)
    game = rulesrun.load(write(folder, "endless", ENDLESS))

    @settings(MANY, max_examples=20, phases=[Phase.generate])
    @given(plays(game, max_choices=5))
    def look(match: Match) -> None:
        assert not match.finished

    with pytest.raises(Broken, match="the game has not ended after 500 decisions"):
        look()


# ── the state machine ──


def test_the_machine_runs_over_right_games(duel: Game, secret: Game, picks: Game) -> None:
    for game in (duel, secret, picks):
        run_state_machine_as_test(state_machine(game), settings=settings(FEW, max_examples=15))


STEPS = settings(MANY, max_examples=60, stateful_step_count=6)
START = re.compile(r"state.start\(match=<\w+, (\d) players, seed (\d+), choices (\[.*?\])>\)")
OTHER = ("undo", "redo", "copy", "save_and_resume", "try_out", "answer_in_every_way", "look")


@frozen
class Shrunk:
    """To what a failure of a machine shrinks: where it begins with the choices made until it fails, and other steps."""

    players: int
    seed: int
    choices: list[int]
    others: list[str]


def shrunk(machine: type, failure: type[BaseException], match: str) -> Shrunk:
    with pytest.raises(failure, match=match) as failed:
        run_state_machine_as_test(machine, settings=STEPS)
    told = "\n".join(failed.value.__notes__)
    start = START.search(told)
    assert start is not None, told
    chosen = [int(option) for option in re.findall(r"state\.choose\(option=(\d+)\)", told)]
    others = [name for name in re.findall(r"state\.(\w+)\(", told) if name in OTHER]
    return Shrunk(int(start[1]), int(start[2]), literal_eval(start[3]) + chosen, others)


def test_a_broken_invariant_of_the_rules_shrinks_to_the_choices_that_break_it(folder: Path) -> None:
    game = rulesrun.load(write(folder, "silent", SHORT + '\ninvariant "silent": clicks < 2\n'))
    assert shrunk(state_machine(game), Broken, 'the invariant "silent" does not hold') == Shrunk(2, 0, [2, 0, 2, 0], [])


def test_an_invariant_of_ones_own_is_held_too(short: Game) -> None:
    class Machine(state_machine(short, 3)):  # type: ignore[misc]
        @invariant()
        def never_to_the_right(self) -> None:
            assert 2 not in self.match.choices, "to the right"

    assert shrunk(Machine, AssertionError, "to the right") == Shrunk(3, 0, [2], [])


def test_an_undo_that_forgets_is_found(short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Match.undo

    def forgetful(self: Match, count: int = 1) -> None:
        undo(self, count)
        self.state.rng ^= 1

    monkeypatch.setattr(Match, "undo", forgetful)
    found = shrunk(state_machine(short), Broken, "leaves another state|leads to another state")
    assert found in (Shrunk(2, 0, [], ["try_out"]), Shrunk(2, 0, [0], ["undo"]))


def test_a_lost_card_is_found(folder: Path) -> None:
    class Machine(state_machine(rulesrun.load(write(folder, "ledger", LEDGER)))):  # type: ignore[misc]
        @precondition(lambda self: not self.match.finished and len(self.match.choices) == 3)
        @rule()
        def steal(self) -> None:
            self.match.state.zones[0].pop()

    found = shrunk(Machine, Broken, "is not there")
    assert found == Shrunk(2, 0, [0, 0, 0], [])


def test_a_step_says_what_is_chosen(short: Game) -> None:
    class Machine(state_machine(short)):  # type: ignore[misc]
        begun = 0

        @rule()
        def begin(self) -> None:
            self.begun = self.begun or len(self.match.choices) + 1

        @invariant()
        def never_to_the_right_once_it_has_begun(self) -> None:
            assert not self.begun or 2 not in self.match.choices[self.begun - 1 :]

    with pytest.raises(AssertionError) as failed:
        run_state_machine_as_test(Machine, settings=STEPS)
    told = "\n".join(failed.value.__notes__)
    assert told.count("# P1, which way: Right\nstate.choose(option=2)") == 1
