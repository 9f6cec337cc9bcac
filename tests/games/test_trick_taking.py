"""Hearts on the library against OpenSpiel's Hearts and against a hand-written class, move by move; and what must be true of every
deal of the shipped trick-taking games, whatever is played."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import rulesrun

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
LIBRARY = BENCHMARKS / "hearts_library.cardgame"

OPTIONS = {
    "pass_three": "pass_cards",
    "no_points_first_trick": "no_pts_on_first_trick",
    "any_club": "can_lead_any_club",
    "must_break": "must_break_hearts",
    "queen_breaks": "qs_breaks_hearts",
    "hearts_for_queen": "can_lead_hearts_instead_of_qs",
    "jack_of_diamonds": "jd_bonus",
    "no_tricks_bonus": "avoid_all_tricks_bonus",
}
"""ours and OpenSpiel's"""
DIRECTIONS = {
    "the card to play": 0,
    "3 cards to pass to the left": 1,
    "3 cards to pass across": 2,
    "3 cards to pass to the right": 3,
}
"""the first question, and how OpenSpiel numbers where cards are passed"""
DEALS = 400


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@cache
def hearts(options: tuple[bool, ...] = ()) -> rulesrun.Game:
    chosen = dict(zip(OPTIONS, options, strict=False))
    return rulesrun.load(LIBRARY, options={name: "yes" if value else "no" for name, value in chosen.items()})


def number(card: str) -> int:
    """A card as OpenSpiel counts them: 2♣ 2♦ 2♥ 2♠ 3♣ …"""
    return ("23456789".find(card[0]) if card[0] in "23456789" else 8 + "1JQKA".index(card[0])) * 4 + "♣♦♥♠".index(card[-1])


def hands(match: rulesrun.Match) -> list[list[str]]:
    """What everybody holds, by name."""
    found: list[list[str]] = []
    for seat in range(match.players):
        zone = next(zone for zone in match.view(seat).zones if zone.family == "hand" and zone.owner == seat)
        names = match.state.code.design_names
        found.append([names[card] for card in zone.cards if card is not None])
    return found


def dealt(held: list[list[str]]) -> Iterator[str]:
    """The cards in an order that gives these hands, one by one from the first seat."""
    for round_ in range(13):
        for seat in range(4):
            yield held[seat][round_]


# ── OpenSpiel ──


def openspiel() -> Any:
    if sys.platform == "win32":
        pytest.skip("OpenSpiel has no wheel for Windows")
    import pyspiel

    return pyspiel


def test_the_same_moves_are_legal_and_the_returns_agree_with_openspiel() -> None:
    pyspiel = openspiel()
    rng = Random(2)
    moons = 0
    for seed in range(DEALS):
        if seed % 10 == 0:
            options = tuple(rng.random() < 0.5 for _ in OPTIONS)
            parameters = dict(zip(OPTIONS.values(), options, strict=True))
        match = hearts(options).start(players=4, seed=seed)
        theirs = pyspiel.load_game("hearts", parameters).new_initial_state()
        assert match.decision is not None and match.decision.prompt is not None
        theirs.apply_action(DIRECTIONS[match.decision.prompt])
        for card in dealt(hands(match)):
            theirs.apply_action(number(card))
        bold = seed % 4 == 0  # plays high, so that somebody may take everything
        while (decision := match.decision) is not None:
            assert decision.player == theirs.current_player()
            assert sorted(number(option.text) for option in decision.options) == sorted(theirs.legal_actions())
            option = (
                max(decision.options, key=lambda o: number(o.text))
                if bold and decision.player == 0
                else rng.choice(decision.options)
            )
            match.choose(option)
            theirs.apply_action(number(option.text))
        assert theirs.is_terminal()
        assert match.result is not None and match.result.scores is not None
        assert [26 - score for score in match.result.scores] == theirs.returns()
        moons += min(match.result.scores) <= 0 and max(match.result.scores) >= 26 and sum(match.result.scores) > 40
    assert moons > 0


# ── the hand-written class ──


@pytest.mark.parametrize("file", ["hearts_bare", "hearts_library"])
def test_the_same_moves_are_legal_and_the_scores_agree_with_the_class(file: str) -> None:
    theirs = module("hearts_by_hand")
    numbers = {name: number for number, name in enumerate(theirs.NAMES)}
    game = rulesrun.load(BENCHMARKS / f"{file}.cardgame")
    for seed in range(150):
        rng = Random(seed)
        match = game.start(players=4, seed=seed)
        deal = theirs.Hearts([numbers[card] for card in dealt(hands(match))])
        while (decision := match.decision) is not None:
            assert decision.player == deal.turn
            assert sorted(option.text for option in decision.options) == sorted(theirs.NAMES[card] for card in deal.legal())
            option = rng.choice(decision.options)
            match.choose(option)
            deal.apply(numbers[option.text])
        assert deal.is_over()
        assert match.result is not None
        assert match.result.scores == tuple(deal.scores())
        assert set(match.result.winners) == {seat for seat in range(4) if deal.scores()[seat] == min(deal.scores())}


# ── every deal of the shipped games ──


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize(
    "options", [{}, {"even_deal": "yes", "passing": "yes"}, {"double_first": "yes"}], ids=["plain", "even", "double"]
)
def test_every_round_of_draghjarter_has_its_points(players: int, options: dict[str, str]) -> None:
    """All cards in the game are taken, and the points are 26, or 26 for everybody but one."""
    game = rulesrun.load("draghjarter", options=options)
    code = game.compiled.code(players)
    program = code.program
    total = next(number for number, info in enumerate(program.variables) if info.name == "total")
    taken = [number for number, zone in enumerate(program.zones) if zone.name == "taken"]
    left_out = next(number for number, zone in enumerate(program.zones) if zone.name == "left_out")
    rounds = moons = 0
    for seed in range(4):
        match = game.start(players=players, seed=seed)
        rng = Random(seed)
        before = [0] * players
        while not match.finished:
            match.choose(rng.randrange(match.option_count))
            now = match.state.vars[total : total + players]
            if now != before:
                points = [b - a for a, b in zip(before, now, strict=True)]
                moon = sum(points) != 26
                assert not moon or sorted(points) == [0] + [26] * (players - 1)
                rounds += 1
                moons += moon
                before = now
        assert sum(len(match.state.zones[zone]) for zone in taken) == 52 - len(match.state.zones[left_out])
    assert rounds > 20


def test_the_deals_of_draw_bridge() -> None:
    """The declarer alone scores; two hands of thirteen cards go into each half; the dealer calls first."""
    game = rulesrun.load("draw_bridge")
    program = game.compiled.code(2).program
    place = {info.name: number for number, info in reversed(list(enumerate(program.variables)))}
    deals = contracts = 0
    for seed in range(3):
        match = game.start(players=2, seed=seed)
        rng = Random(seed)
        asked_before = None
        while not match.finished:
            decision = match.decision
            assert decision is not None
            state = match.state
            if decision.prompt == "a call" and asked_before != "a call":
                deals += 1
                assert decision.player == state.vars[place["dealer"]]
                assert [len(hand) for hand in hands(match)] == [13, 13]
                assert len(decision.options) == 36
            asked_before = decision.prompt
            totals = state.vars[place["total"] : place["total"] + 2]
            contract = {name: state.vars[place[name]] for name in ("declarer", "level", "denomination", "stakes")}
            match.choose(rng.choice(decision.options))
            gained = [b - a for a, b in zip(totals, match.state.vars[place["total"] : place["total"] + 2], strict=True)]
            if any(gained):
                contracts += 1
                assert contract["declarer"] is not None and gained[1 - contract["declarer"]] == 0
                assert gained[contract["declarer"]] >= 20 * contract["level"] * contract["stakes"]
        assert match.result is not None
        totals = match.state.vars[place["total"] : place["total"] + 2]
        assert max(totals) >= 100 > min(totals)
        assert match.result.winners == (totals.index(max(totals)),)
    assert deals > 20 and contracts > 2
