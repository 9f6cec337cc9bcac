"""Mutations of rules: what each operator changes, and that changed games can be played."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dsl import model, mutation, pipeline
from dsl.mutation.declarations import DECLARATIONS
from dsl.mutation.operators import OPERATORS
from dsl.source import Source
from interpreter.play import Rules
from tests.interpreter.games import NAMES, Corpus, rules_of

MILLS = Path(__file__).parents[1] / "corpus" / "mutation" / "mills.cardgame"
SAMPLED = 12
"""mutants of each game that are lowered"""


def mills() -> model.Game:
    return pipeline.load(Source("mills.cardgame", MILLS.read_text(encoding="utf-8")), Corpus())


GAME = mills()
MUTANTS = {mutant.id: mutant for mutant in mutation.mutants(GAME, "mills.cardgame")}

EXPECTED = {
    "comparison": ["game | comparison | days < 3 -> days <= 3", "before grind | comparison | c.weight > 4 -> c.weight >= 4"],
    "equality": [
        "after grind | equality | c.weight is in [1, 2] -> c.weight is not in [1, 2]",
        "idle | equality | cart[p] is empty -> cart[p] is not empty",
        "idle | equality | heaviest() is seats.first -> heaviest() is not seats.first",
    ],
    "negation": [
        "game | negation | loft[p] is not empty -> loft[p] is empty",
        "turn | negation | not idle(p) -> idle(p)",
    ],
    "number": ["game | number | 3 -> 4", "game | number | 3 -> 2", "turn | number | 0 -> 1", "days | number | 0 -> 1"],
    "flag": ["idle | flag | yes -> no"],
    "arithmetic": [
        "game | arithmetic | days += 1 -> days -= 1",
        "turn | arithmetic | c.weight mod 2 -> c.weight / 2",
        'scoring "Weight" | arithmetic | max(c.weight for c in cart[p]) * 2 -> max(c.weight for c in cart[p]) + 2',
    ],
    "logic": ["turn | logic | days > 2 and not idle(p) -> days > 2 or not idle(p)"],
    "order": [
        "heaviest | order | highest(p in players by sum(c.weight for c in cart[p]), loads[p])"
        " -> lowest(p in players by sum(c.weight for c in cart[p]), loads[p])",
        "heaviest | order | highest(p in players by sum(c.weight for c in cart[p]), loads[p])"
        " -> highest(p in players by sum(c.weight for c in cart[p]))",
        'scoring "Weight" | order | max(c.weight for c in cart[p]) -> min(c.weight for c in cart[p])',
    ],
    "end": ["turn | end | yard.top -> yard.bottom", "idle | end | seats.first -> seats.last"],
    "neighbour": ["turn | neighbour | p.left -> p.right", "turn | neighbour | p.left -> p"],
    "player": ["turn | player | p -> p.left", 'Oats, "Take one more" | player | owner -> owner.left'],
    "case": ["idle | case | cart[p] is empty -> yes", "idle | case | cart[p] is empty -> no"],
    "filter": ["game | filter | loft[p] is not empty -> (left out)", "turn | filter | c.weight mod 2 is 0 -> (left out)"],
    "condition": ["game | condition | days < 3 -> no", "turn | condition | days > 2 and not idle(p) -> yes"],
    "statement": ["setup | statement | shuffle yard -> (left out)", "turn | statement | end turn -> (left out)"],
    "amount": ["turn | amount | loads[p] -> loads[p] + 1"],
    "under": [
        "turn | under | move c under yard -> move c to yard",
        "grind | under | move c to cart[p] -> move c under cart[p]",
    ],
    "may": [
        'turn | may | p may choose "what to store" c in loft[p] where c.weight mod 2 is 0: move c under yard'
        ' -> p chooses "what to store" c in loft[p] where c.weight mod 2 is 0: move c under yard'
    ],
    "option": ['turn | option | "Rest" -> (left out)', "turn | option | yard is not empty -> (left out)"],
    "otherwise": ["turn | otherwise | end turn -> (left out)"],
    "head": ["after grind | head | market -> _", "timing ground | head | owner -> _"],
    "attachment": [
        "before grind | attachment | before grind(c, p) where c.weight > 4: loads[p] += 1 -> (left out)",
        'Oats, "Take one more" | attachment | ground "Take one more": deal 1 from yard to cart[owner] -> (left out)',
    ],
    "guard": ["before grind | guard | c.weight > 4 -> (left out)"],
    "time": [
        "before grind | time | before grind(c, p) where c.weight > 4: loads[p] += 1"
        " -> after grind(c, p) where c.weight > 4: loads[p] += 1"
    ],
    "owner may": ['Oats, "Take one more" | owner may | ground "Take one more": deal 1 from yard to cart[owner] -> always'],
    "ending": ['ending full | ending | ending full when yard is empty: "The yard is empty" -> (left out)'],
    "score line": ['scoring "Weight" | score line | cart[p].size > 1 -> (left out)'],
    "visibility": [
        "zone yard | visibility | zone yard: hidden pile of Sack -> zone yard: open pile of Sack",
        "zone loft | visibility | zone loft[player]: private set of Sack -> zone loft[player]: open set of Sack",
    ],
    "sorting": ["zone barn | sorting | zone barn: open pile of Sack by weight -> zone barn: open pile of Sack"],
}


def test_every_operator_has_an_example() -> None:
    assert set(EXPECTED) == {*OPERATORS, *DECLARATIONS}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_operator_changes(name: str) -> None:
    found = {" ".join(id_.split()) for id_, mutant in MUTANTS.items() if mutant.operator == name}
    assert set(EXPECTED[name]) <= found


@pytest.mark.parametrize("id_", MUTANTS)
def test_a_mutant_is_another_program_and_goes_away(id_: str) -> None:
    before = program(GAME)
    change = mutation.mutated(GAME, MUTANTS[id_])
    assert change is not None
    with change:
        assert program(GAME) != before
    assert program(GAME) == before


def program(game: model.Game) -> object:
    """What tells a program from another: its rules, values, zones and what attaches."""
    made = Rules(game.for_tests()).program(3)
    zones = [(zone.visibility, zone.by) for zone in made.zones]
    rules = [(rule.code.body, rule.chain, rule.around and rule.around.body) for rule in made.rules]
    sites = [(site.lines, site.optional, site.subject) for site in made.sites]
    attached = [(info.when, info.condition, info.code.body, info.code.value, info.optional) for info in made.attachments]
    values = [info.code.value for info in made.defines]
    others = (made.initial, [line.code.value for line in made.scoring], [line.condition for line in made.scoring])
    return zones, rules, sites, attached, values, others, [ending.code.value for ending in made.endings]


def test_ids_tell_mutants_apart() -> None:
    found = mutation.mutants(GAME, "mills.cardgame")
    assert len({mutant.id for mutant in found}) == len(found)
    assert len({mutant.key for mutant in found}) == len(found)


def test_ids_do_not_depend_on_lines() -> None:
    text = MILLS.read_text(encoding="utf-8")
    moved = pipeline.load(Source("mills.cardgame", text.replace("rule turn", "# a remark\n\nrule turn")), Corpus())
    assert [mutant.id for mutant in mutation.mutants(moved, "mills.cardgame")] == list(MUTANTS)


def test_what_tests_and_judges_is_not_changed() -> None:
    more = """
property "somebody goes to the market" after grind(_, _): market is not none
test define rye(p: player) = cart[p].size < 3
test rule sow(p: player): move yard.top to cart[p]
"""
    game = pipeline.load(Source("mills.cardgame", MILLS.read_text(encoding="utf-8") + more), Corpus())
    assert [mutant.id for mutant in mutation.mutants(game.for_tests(), "mills.cardgame")] == list(MUTANTS)


def test_what_would_not_check_is_not_made() -> None:
    assert not any("p is not none" in mutant.was for mutant in MUTANTS.values())


def test_the_text_of_a_sum_changes_once() -> None:
    assert sum(mutant.operator == "player" and mutant.where == "before grind" for mutant in MUTANTS.values()) == 1


def test_with_two_players_left_is_right() -> None:
    game = rules_of("draw_bridge").game
    assert not any(
        mutant.operator == "neighbour" and mutant.becomes.endswith(".right")
        for mutant in mutation.mutants(game, "games/draw_bridge.cardgame")
    )


@pytest.mark.parametrize("name", NAMES)
def test_mutants_of_every_game_lower(name: str) -> None:
    game = rules_of(name).game
    found = mutation.mutants(game, game.span.source.path)
    chosen = Random(name).sample(found, min(SAMPLED, len(found)))
    for mutant in chosen:
        change = mutation.mutated(game, mutant)
        assert change is not None
        with change:
            Rules(game).code(game.players[0])
