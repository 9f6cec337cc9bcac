"""Nobody is shown what he may not know: the leak property, at every decision of random games."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.decisions import decision, pending
from interpreter.information import InformationState, deal, put_in_order
from interpreter.observer import Witness
from interpreter.play import choose, options_again, start
from interpreter.state import State
from interpreter.story import tell
from interpreter.views import view
from tests.interpreter.games import NAMES, other_way_round, rules_of
from tests.interpreter.test_observer import Game

GAMES = [(name, flipped) for name in NAMES for flipped in (False, True)]
"""each game as it is, and with its yes-or-no options the other way round"""
BY_TRICKS = [game for game in GAMES if game[0] in ("draghjarter", "draw_bridge")]
"""games in which hidden faces do not steer the rules"""


def watched(name: str, flipped: bool, seed: int) -> tuple[State, Witness]:
    rules = rules_of(name, other_way_round(name) if flipped else ())
    counts = rules.game.players
    code = rules.code(counts[seed % len(counts)], observed=True)
    witness = Witness.of(code.program)
    return start(code, seed, observer=witness), witness


def same_but_for_secrets(state: State, witness: Witness, viewer: int, rng: random.Random) -> State:
    """A state the viewer cannot tell from this one, with everything he has been told."""
    players = state.code.program.players
    if viewer < players:
        other = InformationState(state, viewer).sample(rng)
    else:
        other = state.copy()
        deal(other, witness.knowledge, viewer, rng)
        assert put_in_order(other)
    other.observer = witness.copy(other)
    return other


def check(state: State, witness: Witness, rng: random.Random) -> None:
    program = state.code.program
    for viewer in range(program.players + 1):
        seat = viewer if viewer < program.players else None
        other = same_but_for_secrets(state, witness, viewer, rng)
        assert view(state, seat) == view(other, seat)
        assert pending(state, viewer) == pending(other, viewer) or viewer == state.asked
        if viewer == state.asked and state.options is not None:
            assert decision(state) == decision(other)
        assert Counter(other.faces) == Counter(state.faces)
        assert [sorted(cards) for cards in other.zones] == [sorted(cards) for cards in state.zones]
        assert other.vars == state.vars
        sealed = state.options is not None and program.sites[state.site].each is not None
        assert sealed or other.stack == state.stack
        assert other.rng != state.rng or viewer == program.players


@pytest.mark.parametrize(("name", "flipped"), GAMES)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), skip=st.integers(0, 200), data=st.data())
def test_views_prompts_and_log_are_the_same_in_every_possible_state(
    name: str, flipped: bool, seed: int, skip: int, data: st.DataObject
) -> None:
    state, witness = watched(name, flipped, seed)
    rng = random.Random(seed)
    for _ in range(skip):
        if state.options is None:
            break
        choose(state, rng.randrange(len(state.options)))
    for _ in range(25):
        check(state, witness, rng)
        if state.options is None:
            break
        choose(state, data.draw(st.integers(0, len(state.options) - 1)))


@pytest.mark.parametrize(("name", "flipped"), GAMES)
def test_samples_play_on_and_differ(name: str, flipped: bool) -> None:
    state, _ = watched(name, flipped, 11)
    rng = random.Random(5)
    different = 0
    for turn in range(60):
        if state.options is None:
            break
        if turn % 10 == 0:
            for player in state.code.program.seats:
                sample = InformationState(state, player).sample(rng)
                different += sample.faces != state.faces
                assert sample.observer is None and tuple(options_again(sample)) == tuple(sample.options or ())
                for _ in range(10):
                    if sample.options is None:
                        break
                    choose(sample, rng.randrange(len(sample.options)))
        choose(state, rng.randrange(len(state.options)))
    hidden = any(zone.visibility != "open" for zone in state.code.program.zones)
    assert (different > 0) is hidden, "what is hidden is dealt anew, and nothing else"


@pytest.mark.parametrize(("name", "flipped"), BY_TRICKS)
@pytest.mark.parametrize("seed", range(4))
def test_what_the_viewer_does_not_see_does_not_change_what_he_is_told(name: str, flipped: bool, seed: int) -> None:
    """Two games that differ in two hidden faces, played alike card by card: equal to him until he sees one of the two."""
    state, witness = watched(name, flipped, seed)
    rng = random.Random(seed)
    compared = 0
    for _ in range(40):
        for _ in range(rng.randrange(4)):
            if state.options is not None:
                choose(state, rng.randrange(len(state.options)))
        if state.options is None:
            break
        viewer = rng.randrange(state.code.program.players)
        grouped = sum(cards for cards, _ in witness.knowledge.groups[viewer])
        known = witness.knowledge.known[viewer]
        hidden = [s for s in range(len(state.faces)) if state.where[s] >= 0 and not (known | grouped) >> s & 1]
        if len(hidden) < 2:
            continue
        one, two = rng.sample(hidden, 2)
        left, right = state.copy(), state.copy()
        left.observer, right.observer = witness.copy(left), witness.copy(right)
        right.faces[one], right.faces[two] = right.faces[two], right.faces[one]
        assert put_in_order(right)
        right.options = options_again(right)
        told = len(witness.log)
        while left.options is not None:
            first, other = left.observer, right.observer
            assert isinstance(first, Witness) and isinstance(other, Witness)
            seen = [w.knowledge.known[viewer] | sum(c for c, _ in w.knowledge.groups[viewer]) for w in (first, other)]
            if (seen[0] | seen[1]) >> one & 1 or (seen[0] | seen[1]) >> two & 1:
                break
            if (left.asked, left.site) != (right.asked, right.site):
                break  # the rules themselves looked at one of the two
            assert view(left, viewer) == view(right, viewer)
            assert tell(left.code.program, first.log[told:], viewer) == tell(left.code.program, other.log[told:], viewer)
            compared += 1
            assert right.options is not None
            both = [value for value in left.options if value in right.options]
            if not both or compared > 3000:
                break
            value = rng.choice(both)
            choose(left, left.options.index(value))
            choose(right, right.options.index(value))
    assert compared > 20


def test_sealed_answers_of_others_are_picked_anew() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    if p is seats.first: bid()\n"
        "\n"
        "rule bid():\n"
        '    each q in players chooses "a bid" n in 1..4: total[q] := n\n'
    )
    game.answer("2", "3")
    rng = random.Random(1)
    assert game.decision.player == 2 and game.decision.sealed
    assert len({repr(InformationState(game.state, 2).sample(rng).stack) for _ in range(200)}) == 16
    assert len({repr(InformationState(game.state, 1).sample(rng).stack) for _ in range(60)}) == 4
