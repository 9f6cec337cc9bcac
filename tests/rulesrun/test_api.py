"""Games and matches from Python."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulesrun
from rulesrun import Fault, RulesError
from rulesrun.api import Game, Match, counts_text
from rulesrun.bots import RandomBot
from tests.rulesrun.table_games import DUEL, write


def finish(match: Match) -> Match:
    while match.decision is not None:
        match.choose(0)
    return match


def test_a_game_is_played_as_the_readme_says() -> None:
    game = rulesrun.load("dread_draw", variants=["brutal"], options={"zero_damage_kills": "yes"})
    match = game.start(players=4, seed=7)
    while (decision := match.decision) is not None:
        match.choose(decision.options[0])
    assert match.result is not None
    assert len(match.result.winners) == 1
    assert match.result.scores is None
    assert game.options["zero_damage_kills"] is True


def test_options_of_all_types_are_set_and_shown(folder: Path) -> None:
    path = write(folder, "duel", DUEL)
    assert rulesrun.load(path).options == {"goal": 2, "coin": "Heads"}
    assert rulesrun.load(path, options={"goal": "3", "coin": "Tails"}).options == {"goal": 3, "coin": "Tails"}
    with pytest.raises(RulesError):
        rulesrun.load(path, options={"goal": 77})
    with pytest.raises(RulesError):
        rulesrun.load(path, options={"gaol": 2})


def test_the_file_of_a_variant_loads_its_base_with_it() -> None:
    path = Path(rulesrun.load("dread_draw").source.path).parent / "variants" / "dread_draw" / "brutal.cardgame"
    game = rulesrun.load(path)
    assert game.id == "dread_draw"
    assert len(game.variants) == 1


def test_a_wrong_number_of_players_is_refused(duel: Game) -> None:
    with pytest.raises(ValueError, match="for 2 or 3 players, not 7"):
        duel.start(7)
    assert [counts_text(c) for c in ((2, 3, 4), (2, 4), (3,), (2, 4, 6))] == ["2–4", "2 or 4", "3", "2, 4 or 6"]


def test_an_option_is_chosen_by_itself_its_number_or_its_key(duel: Game) -> None:
    by_itself, by_number, by_key = (duel.start(2, 5) for _ in range(3))
    for match in (by_itself, by_number, by_key):
        assert match.decision is not None
        option = match.decision.options[-1]
        match.choose({id(by_itself): option, id(by_number): option.index, id(by_key): option.key}[id(match)])
    assert by_itself == by_number == by_key


@pytest.mark.parametrize("wrong", [-1, 99, "no such key"])
def test_what_is_not_listed_is_refused_and_changes_nothing(duel: Game, wrong: int | str) -> None:
    match = duel.start(2, 5)
    before = match.copy()
    with pytest.raises(ValueError):
        match.choose(wrong)
    assert match == before
    assert match.choices == []


def test_an_option_of_another_decision_is_refused(secret: Game) -> None:
    match = secret.start(2, 1)
    decision = match.decision
    assert decision is not None
    match.choose(0)
    with pytest.raises(ValueError, match="not among the options now"):
        match.choose(decision.options[-1])


def test_nothing_can_be_chosen_when_the_game_is_over(duel: Game) -> None:
    match = finish(duel.start(2, 5))
    assert match.finished and match.player is None and match.option_count == 0
    with pytest.raises(ValueError, match="the game is over"):
        match.choose(0)


def test_choices_are_taken_back_one_or_many(duel: Game) -> None:
    match = duel.start(3, 5)
    start = match.copy()
    finish(match)
    end = match.copy()
    choices = list(match.choices)
    match.undo(len(choices))
    assert match == start and match.choices == []
    for index in choices:
        match.choose(index)
    assert match == end
    with pytest.raises(ValueError, match="only"):
        match.undo(len(choices) + 1)


def test_a_long_game_is_taken_back_across_kept_states(dread: Game) -> None:
    match = dread.start(4, 3)
    rng = Random(0)
    trail = []
    while not match.finished:
        trail.append(match.copy())
        match.choose(rng.randrange(match.option_count))
    for back in (1, 2, 30, 35):
        match.undo(back)
        assert match == trail[len(match.choices)]


def test_the_view_hides_what_is_hidden(secret: Game) -> None:
    match = secret.start(2, 1)
    hands = {zone.name: zone for zone in match.view(0).zones}
    assert None not in hands["P1's hand"].cards
    assert hands["P2's hand"].cards == (None, None)
    assert all(set(zone.cards) <= {None} for zone in match.view(None).zones)
    with pytest.raises(ValueError, match="no seat 2"):
        match.view(2)


def test_the_log_is_told_to_a_seat(secret: Game) -> None:
    match = secret.start(2, 1)
    names = {match.state.code.program.designs[face].name for slot in match.state.zones[1] for face in [match.state.faces[slot]]}
    own = " ".join(line.text for line in match.log(0))
    other = " ".join(line.text for line in match.log(1))
    assert all(name in own for name in names)
    assert not any(name in other for name in names)


def test_information_can_be_sampled_and_is_not_the_match(secret: Game) -> None:
    match = secret.start(2, 1)
    before = match.copy()
    information = match.information(0)
    sampled = information.sample(Random(4))
    assert sampled.zones == match.state.zones
    assert [sampled.faces[slot] for slot in sampled.zones[1]] == [match.state.faces[slot] for slot in match.state.zones[1]]
    assert match == before


def test_a_seed_is_chosen_if_none_is_given(duel: Game) -> None:
    match = duel.start(2)
    again = duel.start(2, match.seed)
    assert match == again


def test_playouts_repeat_with_their_seed_whoever_plays(dread: Game) -> None:
    assert dread.playout(3, 5) == dread.playout(3, 5, ["random"])
    bots = [RandomBot(Random(i)) for i in range(3)]
    played = dread.playout(3, 5, bots)
    assert played.result is not None and played.decisions > 10
    with pytest.raises(ValueError, match="3 players, but 2 bots"):
        dread.playout(3, 5, bots[:2])


def test_a_fault_of_the_rules_leaves_the_match_where_it_was(tmp_path: Path) -> None:
    text = DUEL.replace("let best = max(c.force for c in arena)", "let best = 1 / (goal - 2)")
    match = rulesrun.load(write(tmp_path, "broken", text)).start(2, 1)
    match.choose(0)
    before = match.copy()
    with pytest.raises(Fault) as raised:
        match.choose(0)
    assert raised.value.seed == 1
    assert raised.value.choices == (0, 0)
    assert match == before and match.choices == [0]


def test_chance_can_be_scripted(duel: Game) -> None:
    match = duel.start(2, 1, chance=[("shuffle", ["Baron", "Page", "Baron"])])
    program = match.state.code.program
    hands = [
        sorted(program.designs[d].name for d in zone.cards if d is not None)
        for seat in (0, 1)
        for zone in match.view(seat).zones
        if zone.owner == seat and zone.size
    ]
    assert hands[0].count("Baron") == 2
    assert "Page" in hands[1]
    assert match != duel.start(2, 1)
    match.choose(0)
    match.undo()
    assert match.view(0) == duel.start(2, 1, chance=[("shuffle", ["Baron", "Page", "Baron"])]).view(0)


@pytest.mark.parametrize("event", [("shuffle", "Baron"), ("roll", "pair", [1, 2]), ("sing",), ("pick",)])
def test_chance_that_makes_no_sense_is_refused(duel: Game, event: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="nothing that chance can bring"):
        duel.start(2, 1, chance=[event])
