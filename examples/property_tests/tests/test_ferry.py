"""What must be true of Ferry, however it is played."""

import pytest
from hypothesis import given, settings
from hypothesis.stateful import invariant

import rulesrun
from rulesrun.strategies import plays, positions, state_machine

pytestmark = pytest.mark.cardgame("ferry.cardgame")

GAME = rulesrun.load("ferry.cardgame")
ALL_FREIGHT = 4 * 1 + 4 * 3 + 4 * 5 + 2 * 8


# ── one game, by hand ──


@pytest.mark.cardgame(players=2, seed=3)
def test_the_boat_cannot_sail_empty(match):
    assert all(option.text.startswith("Load ") for option in match.decision.options)


@pytest.mark.cardgame(players=2, options={"room": 15}, chance=[("shuffle", ["Marble", "Timber", "Flour", "Letters"])])
def test_a_bigger_boat_takes_more(match):
    match.choose("Load Marble")
    assert {option.text for option in match.decision.options} == {"Load Timber", "Load Letters", "Sail"}


# ── any game ──


@settings(deadline=None)
@given(plays(GAME, finished=True))
def test_all_freight_arrives(match):
    voyages = sum(taken.key == "Sail" for taken in match.history)
    assert sum(match.result.scores) == ALL_FREIGHT - voyages


@settings(deadline=None)
@given(plays(GAME))
def test_no_card_takes_more_than_two_choices(match):
    assert len(match.choices) <= 2 * len(match.state.faces)


@settings(deadline=None)
@given(positions(GAME))
def test_nobody_sees_what_another_holds(match):
    for seat in range(match.players):
        for zone in match.view(seat).zones:
            if zone.family == "hand" and zone.owner != seat:
                assert set(zone.cards) <= {None}


# ── any order of choosing, taking back, saving, looking ──


class Ferry(state_machine(GAME)):
    @invariant()
    def nobody_holds_more_than_two_cards(self):
        hands = [zone for zone in self.match.view(None).zones if zone.family == "hand"]
        assert all(hand.size <= 2 for hand in hands)


TestFerry = Ferry.TestCase
TestFerry.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
