"""A deal of Hearts in the language against the same deal written by hand in Python: every decision, every score.

`benchmarks/hearts_by_hand.py` itself was compared with OpenSpiel's Hearts, move by move, over 1,500 deals."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import rulesrun

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def by_hand() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hearts_by_hand", BENCHMARKS / "hearts_by_hand.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HEARTS = by_hand()
NUMBER = {name: number for number, name in enumerate(HEARTS.NAMES)}


def dealt(match: rulesrun.Match) -> list[int]:
    """The deck that gives these hands when it is dealt one by one from the first seat."""
    names = [design.name for design in match.state.code.program.designs]
    hands = {
        zone.owner: [NUMBER[names[card]] for card in zone.cards if card is not None]
        for seat in range(4)
        for zone in match.view(seat).zones
        if zone.family == "hand" and zone.owner == seat
    }
    return [hands[seat][round_] for round_ in range(13) for seat in range(4)]


@pytest.mark.parametrize("seed", range(60))
def test_the_same_moves_are_legal_and_the_scores_agree(seed: int) -> None:
    match = rulesrun.load(BENCHMARKS / "hearts_bare.cardgame").start(players=4, seed=seed)
    theirs = HEARTS.Hearts(dealt(match))
    rng = Random(seed)
    while (decision := match.decision) is not None:
        assert decision.player == theirs.turn
        assert sorted(option.text for option in decision.options) == sorted(HEARTS.NAMES[card] for card in theirs.legal())
        option = rng.choice(decision.options)
        match.choose(option)
        theirs.apply(NUMBER[option.text])
    assert theirs.is_over()
    assert match.result is not None
    assert match.result.scores == tuple(theirs.scores())
    assert set(match.result.winners) == {seat for seat in range(4) if theirs.scores()[seat] == min(theirs.scores())}


def test_shooting_the_moon_is_among_what_random_play_reaches() -> None:
    game = rulesrun.load(BENCHMARKS / "hearts_bare.cardgame")
    scores = [game.playout(4, seed).result.scores for seed in range(300)]
    assert all(sum(points) in (26, 78) for points in scores)
