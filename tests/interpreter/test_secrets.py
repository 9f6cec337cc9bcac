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
from tests.interpreter.games import rules_of

GAMES: list[tuple[str, int, tuple[tuple[str, str], ...]]] = [
    ("dread_draw", 3, ()),
    ("draghjarter", 4, ()),
    ("draghjarter", 3, (("passing", "yes"), ("double_first", "yes"))),
    ("draw_bridge", 2, ()),
    ("draw_bridge", 2, (("stock_top_visible", "yes"), ("drawn_aside", "yes"))),
    ("dead_mans_draw", 3, (("traits", "yes"), ("variant", "Random"))),
    ("dead_mans_draw", 2, (("mermaid_ability", "yes"), ("cannon_optional", "yes"))),
    ("dead_end_drive", 3, ()),
    ("dead_end_drive", 2, (("trap_draw_optional", "yes"),)),
]


def watched(name: str, players: int, options: tuple[tuple[str, str], ...], seed: int) -> tuple[State, Witness]:
    code = rules_of(name, options).code(players, observed=True)
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


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), skip=st.integers(0, 200), data=st.data())
def test_views_prompts_and_log_are_the_same_in_every_possible_state(
    name: str, players: int, options: tuple[tuple[str, str], ...], seed: int, skip: int, data: st.DataObject
) -> None:
    state, witness = watched(name, players, options, seed)
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


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_samples_play_on_and_differ(name: str, players: int, options: tuple[tuple[str, str], ...]) -> None:
    state, _ = watched(name, players, options, 11)
    rng = random.Random(5)
    different = 0
    for turn in range(60):
        if state.options is None:
            break
        if turn % 10 == 0:
            for player in range(players):
                sample = InformationState(state, player).sample(rng)
                different += sample.faces != state.faces
                assert sample.observer is None and tuple(options_again(sample)) == tuple(sample.options or ())
                for _ in range(10):
                    if sample.options is None:
                        break
                    choose(sample, rng.randrange(len(sample.options)))
        choose(state, rng.randrange(len(state.options)))
    assert different > 0


@pytest.mark.parametrize(("name", "players", "options"), [game for game in GAMES if game[0] in ("draghjarter", "draw_bridge")])
@pytest.mark.parametrize("seed", range(4))
def test_what_the_viewer_does_not_see_does_not_change_what_he_is_told(
    name: str, players: int, options: tuple[tuple[str, str], ...], seed: int
) -> None:
    """Two games that differ in two hidden faces, played alike card by card: equal to him until he sees one of the two."""
    state, witness = watched(name, players, options, seed)
    rng = random.Random(seed)
    compared = 0
    for _ in range(40):
        for _ in range(rng.randrange(4)):
            if state.options is not None:
                choose(state, rng.randrange(len(state.options)))
        if state.options is None:
            break
        viewer = rng.randrange(players)
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
    state, _ = watched("dead_mans_draw", 3, (("traits", "yes"),), 3)
    rng = random.Random(1)
    assert state.asked == 0
    choose(state, 0)
    choose(state, 1)
    assert state.asked == 2 and state.code.program.sites[state.site].each is not None
    stacks = {repr(InformationState(state, 2).sample(rng).stack) for _ in range(30)}
    assert len(stacks) == 4  # two players, each with two traits to choose from
    own = {repr(InformationState(state, 0).sample(rng).stack) for _ in range(30)}
    assert len(own) == 2
