"""Small board games against OpenSpiel: along the same random play the same player is asked, he has the same options, and the game
ends at the same time with the same result.

A game of OpenSpiel is played at random first. Then ours is played along it, its chance scripted with OpenSpiel's outcomes; at each
of our decisions the labels of our options must be exactly those that OpenSpiel's legal actions are called by the adapter. One of its
actions may be several of our decisions (both dice of a turn), or none (where nobody is asked, since there is nothing to choose).

Where our rules differ on purpose, the adapter says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import field, frozen

import rulesrun

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is part of the `dev` extra")

GAMES = 300
"""of each"""
CHUNKS = 6
Labels = tuple[str, ...]


@frozen
class Adapter:
    """`ours` and `theirs`: the two games. `labels(state, action)`: what our options are called that together are this action.
    `chance(state, outcome)`: what the script of our game has for this outcome."""

    ours: str
    theirs: str
    labels: Callable[[Any, int], Labels]
    chance: Callable[[Any, int], list[tuple[Any, ...]]] = field(default=lambda state, outcome: [])
    options: dict[str, Any] = field(factory=dict)


@frozen
class Step:
    """A decision of OpenSpiel: whose, every legal action as our labels, and the one taken."""

    player: int
    legal: frozenset[Labels]
    taken: Labels


@frozen
class Record:
    steps: tuple[Step, ...]
    chance: tuple[tuple[Any, ...], ...]
    returns: tuple[float, ...]


# ── the adapters ──


def space(columns: int, rows: int, number: int) -> str:
    """The name of a space that OpenSpiel numbers from the top left, row after row."""
    return f"{'abcdefgh'[number % columns]}{rows - number // columns}"


def tic_tac_toe(state: Any, action: int) -> Labels:
    return (space(3, 3, action),)


def connect_four(state: Any, action: int) -> Labels:
    """OpenSpiel names the column, we the place where the disc comes to lie."""
    column = [row[action] for row in str(state).split("\n")[:6]]
    return (f"{'abcdefg'[action]}{1 + sum(sign != '.' for sign in column)}",)


def breakthrough(state: Any, action: int) -> Labels:
    """On purpose: ours begins at the bottom, as the rules have it, OpenSpiel's at the top. So the board is upside down."""
    start_column, start_row, column, row = state.action_to_string(action)[:4]
    return (f"{start_column}{9 - int(start_row)} {column}{9 - int(row)}",)


def hexes(state: Any, action: int) -> Labels:
    """Both count columns by letters; our rows are numbered from the bottom."""
    name = state.action_to_string(action)
    return (f"{name[0]}{6 - int(name[1])}",)


POINTS = [
    "a7",
    "d7",
    "g7",
    "b6",
    "d6",
    "f6",
    "c5",
    "d5",
    "e5",
    "a4",
    "b4",
    "c4",
    "e4",
    "f4",
    "g4",
    "c3",
    "d3",
    "e3",
    "b2",
    "d2",
    "f2",
    "a1",
    "d1",
    "g1",
]
"""of the Nine Men's Morris board, as OpenSpiel numbers them"""


def nine_mens_morris(state: Any, action: int) -> Labels:
    """`Point 3` is a man put down or taken, `Move 3 -> 4` one moved."""
    return (" ".join(POINTS[int(word)] for word in state.action_to_string(action).split() if word.isdigit()),)


def pig(state: Any, action: int) -> Labels:
    """OpenSpiel's `stop` is our `Hold`."""
    return ("Roll" if action == 0 else "Hold",)


def pig_rolls(state: Any, outcome: int) -> list[tuple[Any, ...]]:
    return [("roll", "die", [outcome + 1])]


BAR, PASS = 100, -1
"""how OpenSpiel numbers the bar, and no move; the points from 0, as the second player sees them"""


def backgammon(state: Any, action: int) -> Labels:
    """One action is the use of two dice, in this order; of a double there are two actions. Our points are as the first player sees
    them."""
    player = state.current_player()

    def point(k: int) -> str:
        return str(k if player == 0 else 25 - k)

    made: list[str] = []
    for move in state.spiel_move_to_checker_moves(player, action):
        if move.pos == PASS:
            continue
        k, n = move.pos + 1 if player else 24 - move.pos, move.num  # how far it is to go
        k = 25 if move.pos == BAR else k
        start = "bar" if move.pos == BAR else point(k)
        made.append(f"{start}/{point(k - n)}" if k > n else f"{start}/off ({n})")
    return tuple(made)


def backgammon_rolls(state: Any, outcome: int) -> list[tuple[Any, ...]]:
    """The first throw says who begins: with us, the player whose die shows more."""
    said = state.action_to_string(outcome)
    low, high = sorted(int(digit) for digit in said[-3:-1])
    return [("roll", "pair", [high, low] if "X starts" in said else [low, high])]


ADAPTERS = {
    adapter.ours: adapter
    for adapter in (
        Adapter("tic_tac_toe", "tic_tac_toe", tic_tac_toe),
        Adapter("connect_four", "connect_four", connect_four),
        Adapter("breakthrough", "breakthrough", breakthrough),
        Adapter("pig", "pig", pig, pig_rolls),
        Adapter("nine_mens_morris", "nine_mens_morris", nine_mens_morris),
        Adapter("backgammon", "backgammon", backgammon, backgammon_rolls),
        Adapter("hex", "hex(board_size=5)", hexes),
    )
}


# ── playing along ──


@cache
def load(name: str) -> rulesrun.Game:
    return rulesrun.load(name, options=ADAPTERS[name].options)


def record(adapter: Adapter, rng: Random) -> Record:
    """A random game of OpenSpiel."""
    state = pyspiel.load_game(adapter.theirs).new_initial_state()
    steps: list[Step] = []
    chance: list[tuple[Any, ...]] = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            outcome = rng.choices(outcomes, weights)[0]
            chance += adapter.chance(state, outcome)
            state.apply_action(outcome)
            continue
        actions = {action: adapter.labels(state, action) for action in state.legal_actions()}
        taken = rng.choice(list(actions))
        steps.append(Step(state.current_player(), frozenset(actions.values()), actions[taken]))
        state.apply_action(taken)
    return Record(tuple(steps), tuple(chance), tuple(state.returns()))


def options_of(match: rulesrun.Match) -> list[str]:
    """The labels of our options; made without watching the game, which is quicker."""
    state = match.state
    return [state.code.texts.plain_label(state, state.site, value) for value in state.options or ()]


def decisions(step: Step) -> Iterator[tuple[set[str], str]]:
    """Our decisions that together are this step: the labels we must offer, and the one to take."""
    for i, taken in enumerate(step.taken):
        yield {labels[i] for labels in step.legal if labels[:i] == step.taken[:i] and len(labels) > i}, taken


def returns(match: rulesrun.Match) -> tuple[float, ...]:
    """One for the winner, minus one for the other; nothing for both if there is no single winner."""
    assert match.result is not None
    winners = match.result.winners
    if len(winners) != 1:
        return (0.0, 0.0)
    return tuple(1.0 if seat in winners else -1.0 for seat in range(2))


def play_along(adapter: Adapter, recorded: Record) -> None:
    match = load(adapter.ours).start(players=2, seed=1, chance=list(recorded.chance))
    for step in recorded.steps:
        for expected, taken in decisions(step):
            assert match.player == step.player
            options = options_of(match)
            assert len(options) == len(set(options))
            assert set(options) == expected
            match.choose(options.index(taken))
    assert match.finished
    assert returns(match) == recorded.returns


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", ADAPTERS)
def test_the_same_players_options_and_results(name: str, chunk: int) -> None:
    adapter = ADAPTERS[name]
    for number in range(GAMES // CHUNKS):
        play_along(adapter, record(adapter, Random(f"{name} {chunk} {number}")))


def test_a_recorded_game_that_ours_does_not_allow_is_noticed() -> None:
    recorded = record(ADAPTERS["tic_tac_toe"], Random(5))
    other = Step(recorded.steps[0].player, recorded.steps[0].legal | {("d4",)}, recorded.steps[0].taken)
    with pytest.raises(AssertionError):
        play_along(ADAPTERS["tic_tac_toe"], Record((other, *recorded.steps[1:]), (), recorded.returns))
    wrong = tuple(-value for value in recorded.returns)
    if wrong != recorded.returns:
        with pytest.raises(AssertionError):
            play_along(ADAPTERS["tic_tac_toe"], Record(recorded.steps, (), wrong))
