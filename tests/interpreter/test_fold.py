"""What is known when a program is made costs nothing in play: options, numbers of players, constants."""

from __future__ import annotations

import ast

import pytest

from dsl import pipeline
from dsl.source import Source
from interpreter.compile.module import Module
from interpreter.lower.fold import fold
from interpreter.play import Rules
from interpreter.program import Node, Program
from interpreter.state import LARGEST
from tests.interpreter.games import Corpus

X: Node = ("local", 0, 1)
Y: Node = ("local", 0, 2)
YES: Node = ("const", 0, True)
NO: Node = ("const", 0, False)


def number(value: int) -> Node:
    return ("const", 0, value)


@pytest.mark.parametrize(
    ("node", "folded"),
    [
        (("and", 0, YES, X), X),
        (("and", 0, NO, X), NO),
        (("and", 0, X, YES), X),
        (("and", 0, X, NO), ("and", 0, X, NO)),  # asking X may fault
        (("or", 0, NO, X), X),
        (("or", 0, YES, X), YES),
        (("not", 0, ("eq", 0, X, Y)), ("ne", 0, X, Y)),
        (("not", 0, ("not", 0, X)), X),
        (("choice", 0, YES, X, Y), X),
        (("choice", 0, X, YES, Y), ("or", 0, X, Y)),
        (("choice", 0, X, NO, Y), ("and", 0, ("not", 0, X), Y)),
        (("choice", 0, X, Y, NO), ("and", 0, X, Y)),
        (("choice", 0, X, Y, YES), ("or", 0, ("not", 0, X), Y)),
        (("eq", 0, number(3), number(4)), NO),
        (("lt", 0, number(3), number(4)), YES),
        (("div", 0, number(-7), number(2)), number(-4)),
        (("div", 0, number(7), number(0)), ("div", 0, number(7), number(0))),
        (("add", 0, number(LARGEST), number(1)), ("add", 0, number(LARGEST), number(1))),
        (("add", 0, ("add", 0, X, number(1)), number(2)), ("add", 0, X, number(3))),
        (("add", 0, ("add", 0, X, number(LARGEST)), number(1)), ("add", 0, ("add", 0, X, number(LARGEST)), number(1))),
        (("add", 0, ("order", 0, X), number(1)), ("add", 0, X, number(2))),
        (("length", 0, ("const", 0, (0, 1, 2))), number(3)),
        (("first", 0, ("const", 0, ())), ("first", 0, ("const", 0, ()))),
    ],
)
def test_a_part_that_is_known_is_not_asked(node: Node, folded: Node) -> None:
    assert fold(node) == folded


GAME = """game "Switches" for 2..3 players

card Card(n: number)
zone deck:         open pile of Card
zone hand[player]: open set of Card
option bold = no:  "Cards over five count twice"
option three = no: "A house rule"
var total[player] = 0

cards Card in deck:
    name    n
    "C{i}"  i    for i in 1..9

rule setup():
    deal 2 from deck to hand[p] for p in players
rule game():
    for p in players: turn(p)
rule turn(p: player):
    p chooses "a card" c in hand[p] where good(c): take(c, p)
rule take(c: Card, p: player):
    move c to deck
    total[p.left] += worth(c)
define good(c: Card) = c.n > 5 when seats.size is 2 otherwise yes
define worth(c: Card) = c.n
define winners() = players
"""
HOUSE_RULES = """
instead of worth(c) where bold and c.n > 5 = proceed * 2
after take(_, p) where bold: total[p] += 1
instead of good(c) where three and c.n > 2 = proceed
"""


def program(rules: str, players: int, **options: str) -> Program:
    return Rules(pipeline.load(Source("switches.cardgame", rules), Corpus(), options=options)).program(players)


def written(rules: str, players: int) -> str:
    return ast.unparse(Module(program(rules, players), observed=False).write())


def attached(of: Program) -> tuple[int, int]:
    """How many `instead of` are in chains, and how many rules have something around them."""
    chains = [info.chain.instead for info in (*of.defines, *of.rules)]
    return sum(map(len, chains)), sum(rule.around is not None for rule in of.rules)


def test_what_an_option_switches_off_is_not_attached() -> None:
    assert attached(program(GAME + HOUSE_RULES, 2)) == attached(program(GAME, 2)) == (0, 0)
    assert attached(program(GAME + HOUSE_RULES, 2, bold="yes")) == (1, 1)
    assert attached(program(GAME + HOUSE_RULES, 2, bold="yes", three="yes")) == (2, 1)


def condition(players: int) -> object:
    """What is asked of each card in the choice, None if nothing."""
    asked = next(line for site in program(GAME, players).sites for line in site.lines).condition
    return None if asked is None or asked[0] == "const" else (asked[0], asked[2][0], asked[3][2])


def test_the_number_of_players_decides_once() -> None:
    assert condition(2) == ("gt", "attr", 5)
    assert condition(3) is None


def test_who_sits_next_is_looked_up_where_nobody_is_ever_eliminated() -> None:
    assert "left(" not in written(GAME, 3)
    assert "left(" in written(GAME + "\nafter turn(p) where total[p] > 9: eliminate p\n", 3)
