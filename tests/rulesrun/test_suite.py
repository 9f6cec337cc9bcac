"""The suite finds what it looks for: games that break a property, made by meddling with a match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

import rulesrun
from interpreter.state import State
from interpreter.views import View
from rulesrun import saves, suite
from rulesrun.api import Game, Match
from rulesrun.suite import Broken
from tests.rulesrun.table_games import DUEL, write


def test_the_suite_passes_on_a_right_game(duel: Game, picks: Game, secret: Game) -> None:
    for game in (duel, picks, secret):
        suite.check_game(game, players=2, seeds=range(3), every=1)


def test_it_takes_a_path_a_name_or_a_game(duel: Game, folder: Path) -> None:
    rulesrun.check_game(folder / "duel.cardgame", players=[2], every=20)
    rulesrun.check_game("tic_tac_toe", every=20)
    with pytest.raises(ValueError, match="Duel is for 2 or 3 players, not 5"):
        rulesrun.check_game(duel, players=[2, 5])
    with pytest.raises(ValueError, match="at least one"):
        rulesrun.check_game(duel, players=())


def test_an_invariant_that_does_not_hold_is_found_at_once(folder: Path) -> None:
    game = rulesrun.load(write(folder, "bold", DUEL.replace("total[p] > 10", "total[p] > 0")))
    with pytest.raises(Broken, match='the invariant "nobody has more than ten points" does not hold') as broken:
        rulesrun.check_game(game)
    match = game.start(broken.value.players, broken.value.seed)
    for index in broken.value.choices[:-1]:
        match.choose(index)
    suite.check_invariants(match)
    match.choose(broken.value.choices[-1])
    with pytest.raises(Broken):
        suite.check_invariants(match)


def test_a_card_in_two_places_is_found(duel: Game) -> None:
    state = duel.start(2, 1).state.copy()
    assert suite.misplaced(state) is None
    card = state.zones[0][0]
    state.zones[1].append(card)
    assert suite.misplaced(state) == f"card {card} is in two places: zones 0 and 1"


def test_a_card_that_is_nowhere_is_found(duel: Game) -> None:
    state = duel.start(2, 1).state.copy()
    card = state.zones[0].pop()
    assert suite.misplaced(state) == f"card {card} is said to be in zone 0, but is not there"


def meddle(monkeypatch: pytest.MonkeyPatch, after: Callable[[Match], None]) -> None:
    """Let something go wrong after every choice."""
    choose = Match.choose

    def meddled(self: Match, answer: object) -> None:
        choose(self, answer)  # type: ignore[arg-type]
        after(self)

    monkeypatch.setattr(Match, "choose", meddled)


def test_a_lost_card_breaks_conservation(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    meddle(monkeypatch, lambda match: match.state.zones[0].clear())
    with pytest.raises(Broken, match="is not there"):
        suite.cards_are_conserved(duel, 2, 1)


def test_a_changed_face_breaks_conservation(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(match: Match) -> None:
        match.state.faces[0] = (match.state.faces[0] + 1) % 3

    meddle(monkeypatch, change)
    with pytest.raises(Broken, match="faces of the cards"):
        suite.cards_are_conserved(duel, 2, 1)


def test_a_view_that_shows_too_much_is_a_leak(secret: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter import views

    honest = views.zone_view

    def telling(state: State, knowledge: object, viewer: int, zone: int) -> object:
        from attrs import evolve

        shown = honest(state, knowledge, viewer, zone)  # type: ignore[arg-type]
        slots = state.zones[zone]
        return evolve(shown, cards=tuple(state.faces[slot] for slot in slots))

    monkeypatch.setattr(views, "zone_view", telling)
    with pytest.raises(Broken, match="tells what he may not know"):
        for seed in range(5):
            suite.secrets_are_kept(secret, 2, seed)


def test_an_undo_that_forgets_something_is_found(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Match.undo

    def forgetful(self: Match, count: int = 1) -> None:
        undo(self, count)
        self.state.rng ^= 1

    monkeypatch.setattr(Match, "undo", forgetful)
    with pytest.raises(Broken, match="leaves another state"):
        suite.undo_takes_back(duel, 2, 1)


def test_what_is_broken_says_how_to_get_there(duel: Game) -> None:
    match = duel.start(2, 1)
    match.choose(0)
    broken = Broken("something is wrong", match)
    assert (broken.players, broken.seed, broken.choices) == (2, 1, (0,))
    assert str(broken) == "duel, 2 players, seed 1, after 1 choices: something is wrong"


def test_the_difference_of_two_views_is_named(secret: Game) -> None:
    match = secret.start(2, 1)
    mine: View = match.view(0)
    assert "P1's hand" in suite.difference(mine, match.view(1))


def test_a_save_that_forgets_is_found(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    save_of = saves.save_of
    monkeypatch.setattr(saves, "save_of", lambda match: evolve(save_of(match), choices=match.history[:-1]))
    with pytest.raises(Broken, match="is not the same"):
        suite.saves_resume(duel, 2, 1)


def test_a_save_that_cannot_be_resumed_is_found(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    save_of = saves.save_of
    monkeypatch.setattr(saves, "save_of", lambda match: evolve(save_of(match), seed=match.seed + 3))
    with pytest.raises(Broken, match=r"choice \d+ .*though the rules are the same"):
        suite.saves_resume(duel, 2, 1)
