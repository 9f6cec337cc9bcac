"""13 Dead End Drive: a bluff looks like a card that does not fit, and whatever happens one player alone inherits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import rulesrun
from interpreter import play
from interpreter.observer import Witness
from interpreter.state import PLAYING, State
from interpreter.story import tell
from interpreter.views import view


def named(state: State, zone: str, owner: int | None = None) -> list[int]:
    program = state.code.program
    return next(state.zones[i] for i, info in enumerate(program.zones) if info.name == zone and info.owner == owner)


def at_the_chandelier(held: str, drawn: str) -> Iterator[tuple[list[str], State]]:
    """P1 has moved Clay onto the trap, holds one card, draws the other and keeps it: his options, and the state, at each question and at
    the end."""
    code = rulesrun.load("dead_end_drive").compiled.code(3, observed=True)
    program = code.program
    state = play.new_state(code, 1, observer=Witness.of(program))
    state.called, state.phase = True, PLAYING
    people = dict(zip([name for name, _ in program.kinds[1].members], range(12), strict=True))
    at = next(i for i, info in enumerate(program.variables) if info.name == "at")
    state.vars[at + people["Clay"]] = 0
    state.vars[at + people["Lulu"]] = 1
    deck, hand = named(state, "trap_deck"), named(state, "trap_hand", 0)
    cards = [card for name in (held, drawn) for card in deck if program.designs[state.faces[card]].name == name]
    mine, top = cards[0], cards[-1]
    deck.remove(mine)
    deck.remove(top)
    deck.append(top)
    hand.append(mine)
    state.where[mine] = next(i for i, zone in enumerate(state.zones) if zone is hand)
    assert isinstance(state.observer, Witness)
    state.observer.look(state)
    rule = next(i for i, info in enumerate(program.rules) if info.name == "spring")
    chandelier = [name for name, _ in program.kinds[0].members].index("Chandelier")
    code.names[f"r{rule}"](state, people["Clay"], chandelier, 0)
    play.run(state)
    for answer in ("Draw a trap card", "Keep it"):
        labels = [code.texts.plain_label(state, state.site, value) for value in state.options or ()]
        yield labels, state
        play.choose(state, labels.index(answer))
    yield [], state


def told(state: State, viewer: int | None) -> list[str]:
    assert isinstance(state.observer, Witness)
    return [line.text for line in tell(state.code.program, state.observer.log, viewer)]


@pytest.mark.parametrize("viewer", [1, 2, None])
@pytest.mark.parametrize(
    ("held", "drawn"), [("Wild", "Wild"), ("Wild", "Bookcase"), ("Bookcase", "Wild"), ("Chandelier", "Stairs")]
)
def test_a_bluff_looks_like_a_card_that_does_not_fit(held: str, drawn: str, viewer: int | None) -> None:
    """Also while he is asked: with a card that fits he has one option more."""
    fits = [name in ("Wild", "Chandelier") for name in (held, drawn)]
    stages = zip(at_the_chandelier(held, drawn), at_the_chandelier("Fireplace", "Statue"), strict=True)
    for number, ((labels, bluff), (others, honest)) in enumerate(stages):
        assert len(labels) - len(others) == (number < 2 and fits[number])
        assert view(bluff, viewer) == view(honest, viewer)
        assert told(bluff, viewer) == told(honest, viewer)
    assert any("Keep it" in line for line in told(bluff, viewer))


def test_the_one_who_keeps_it_sees_what_it_is() -> None:
    *_, (_, wild) = at_the_chandelier("Stairs", "Wild")
    *_, (_, bookcase) = at_the_chandelier("Stairs", "Bookcase")
    assert view(wild, 0) != view(bookcase, 0) and view(wild, 1) == view(bookcase, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_player_alone_inherits(players: int) -> None:
    """Whoever holds the card of the person on the wall, when the game is over."""
    code = rulesrun.load("dead_end_drive").compiled.code(players)
    program = code.program
    portraits = next(n for n, zone in enumerate(program.zones) if zone.name == "portraits")
    for seed in range(3):
        state = play.start(code, seed)
        play.play_out(state, [Random(seed).random] * players)
        heir = program.designs[state.faces[state.zones[portraits][-1]]].name
        holders = [
            zone.owner
            for zone, slots in zip(program.zones, state.zones, strict=True)
            if zone.name in ("clues", "secrets") and any(program.designs[state.faces[slot]].name == heir for slot in slots)
        ]
        assert len(holders) == 1
        assert list(play.winners(state)) == holders
