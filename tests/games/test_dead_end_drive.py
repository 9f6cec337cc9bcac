"""13 Dead End Drive: a bluff looks like a card that does not fit, and whatever happens one player alone inherits."""

from __future__ import annotations

from random import Random

import pytest

import rulesrun
from interpreter import play
from interpreter.observer import Witness
from interpreter.state import PLAYING, State
from interpreter.story import tell
from interpreter.views import view


def after_keeping(drawn: str) -> State:
    """P1 draws this card at the chandelier and keeps it."""
    game = rulesrun.load("dead_end_drive")
    code = game.compiled.code(3, observed=True)
    program = code.program
    state = play.new_state(code, 1, observer=Witness.of(program))
    state.called, state.phase = True, PLAYING
    people = dict(zip([name for name, _ in program.kinds[1].members], range(12), strict=True))
    at = next(i for i, info in enumerate(program.variables) if info.name == "at")
    state.vars[at + people["Clay"]] = 0
    state.vars[at + people["Lulu"]] = 1
    deck = next(i for i, info in enumerate(program.zones) if info.name == "trap_deck")
    top = next(card for card in state.zones[deck] if program.designs[state.faces[card]].name == drawn)
    state.zones[deck].remove(top)
    state.zones[deck].append(top)
    assert isinstance(state.observer, Witness)
    state.observer.look(state)
    rule = next(i for i, info in enumerate(program.rules) if info.name == "draw_trap")
    chandelier = [name for name, _ in program.kinds[0].members].index("Chandelier")
    code.names[f"r{rule}"](state, people["Clay"], chandelier, 0)
    play.run(state)
    assert state.options is not None
    labels = [code.texts.plain_label(state, state.site, value) for value in state.options]
    assert len(labels) == (2 if drawn == "Wild" else 1)
    play.choose(state, labels.index("Keep it"))
    return state


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_bluff_looks_like_a_card_that_does_not_fit(viewer: int | None) -> None:
    bluff, honest = after_keeping("Wild"), after_keeping("Bookcase")
    assert view(bluff, viewer) == view(honest, viewer)
    for state in (bluff, honest):
        assert isinstance(state.observer, Witness)
    told = [
        [line.text for line in tell(state.code.program, state.observer.log, viewer)]  # type: ignore[union-attr]
        for state in (bluff, honest)
    ]
    assert told[0] == told[1]
    assert any("Keep it" in line for line in told[0])


def test_the_one_who_keeps_it_sees_what_it_is() -> None:
    assert view(after_keeping("Wild"), 0) != view(after_keeping("Bookcase"), 0)


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
