"""What depends on one card's design only is a table; what depends on more, or cannot be computed for every design, is not."""

from __future__ import annotations

import pytest

from dsl import pipeline
from dsl.source import Source
from interpreter.compile.designs import by_design
from interpreter.play import Rules, start
from interpreter.program import Node, Program
from tests.interpreter.games import Corpus

GAME = """game "Tables" for 2 players

kind Suit: Clubs, Hearts

card Card(suit: Suit, n: number, twin: number)
card Chip(n: number)

zone deck: open pile of Card
zone bank: open pile of Chip

var best: Card? = none
var trump: Suit = Hearts

cards Card in deck:
    name       suit  n  twin
    "{s} {i}"  s     i  i - 2    for s in Suit, i in 1..3

cards Chip in bank:
    name    n
    "Chip"  7

define points(c: Card) =
    13          when c is "Clubs 3"
    c.n * 2     when c.suit is Hearts
    0           otherwise
define trumps(c: Card) = c.suit is trump
define share(c: Card) = 6 / c.twin
define both(c: Card, d: Card) = c.n + d.n
define chips(c: Chip) = c.n + 1

rule setup(): end setup
rule game(): end game
define winners() = players
"""


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules(pipeline.load(Source("tables.cardgame", GAME.replace("i - 2", "i")), Corpus()))


def value(program: Program, name: str) -> Node:
    found = next(info.code.value for info in program.defines if info.name == name)
    assert found is not None
    return found


def test_cases_become_a_table(rules: Rules) -> None:
    program = rules.program(2)
    table = by_design(program, value(program, "points"))
    assert table == (("local", 0, 0), (0, 0, 13, 2, 4, 6, None))
    assert by_design(program, value(program, "chips")) == (("local", 0, 0), (None,) * 6 + (8,))


@pytest.mark.parametrize("name", ["trumps", "both", "winners"])
def test_what_depends_on_more_is_no_table(rules: Rules, name: str) -> None:
    program = rules.program(2)
    assert by_design(program, value(program, name)) is None


def test_what_faults_for_a_design_is_no_table() -> None:
    text = GAME.replace('"{s} {i}"  s     i  i - 2', '"{s} {i}"  s     i  0')
    program = Rules(pipeline.load(Source("tables.cardgame", text), Corpus())).program(2)
    assert by_design(program, value(program, "share")) is None


def test_an_attribute_alone_is_a_table_already(rules: Rules) -> None:
    program = rules.program(2)
    assert by_design(program, ("attr", 0, ("local", 0, 0), 1)) is None
    assert by_design(program, ("in_designs", 0, ("local", 0, 0), (3,))) is None


def test_the_table_is_what_the_rules_say(rules: Rules) -> None:
    state = start(rules.code(2), 1)
    program = state.code.program
    number = next(i for i, info in enumerate(program.defines) if info.name == "points")
    assert [state.code.names[f"d{number}"](state, card) for card in range(6)] == [0, 0, 13, 2, 4, 6]
