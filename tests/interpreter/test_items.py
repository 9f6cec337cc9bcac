"""`list[n]`: an element of a list, or a card of a zone, by its place."""

from __future__ import annotations

import pytest

from dsl import pipeline
from dsl.diagnostics import Diagnostic
from dsl.source import Source
from interpreter import scenario
from interpreter.play import Rules
from interpreter.scenario import Outcome
from tests.interpreter.games import Corpus

GAME = """game "Places" for 2..4 players

card Card(n: number)

zone deck:        open pile of Card
zone row[player]: open row of Card

var notes: list of number = [4, 5, 6]

cards Card in deck:
    name    n
    "C{i}"  i    for i in 1..9

define opposite(p: player) = turn_order(p)[players.size / 2 + 1]
define third(n: number) = [n, n + 1, n + 2][3]

rule setup():
    deal 2 from deck to row[p] for p in players

rule game(): end game
define winners() = players

test "a list":
    given 4 players
    expect opposite(P2) is P4 and third(7) is 9 and notes[1] is 4 and notes[3] is 6

test "a zone":
    given 2 players
    when setup()
    expect deck[1] is deck.top and deck[deck.size] is deck.bottom
    expect row[P1][1] is row[P1].first and row[P1][2] is "C3" and row[P1][2].position is 2 and row[P1][2].n is 3

test "beyond":
    given 2 players
    expect notes[4] is 4

test "before":
    given 2 players
    expect notes[third(0) - 2] is 4
"""


def outcome(name: str) -> Outcome:
    game = pipeline.load(Source("places.cardgame", GAME), Corpus())
    return scenario.run(Rules(game), next(test for test in game.tests if test.name == name))


@pytest.mark.parametrize("name", ["a list", "a zone"])
def test_places_are_counted_from_one_and_from_the_top(name: str) -> None:
    assert outcome(name).passed


@pytest.mark.parametrize(("name", "place"), [("beyond", 4), ("before", 0)])
def test_a_place_that_is_not_there_is_a_fault(name: str, place: int) -> None:
    failure = outcome(name).failure
    assert isinstance(failure, Diagnostic)
    assert (failure.code, failure.title) == ("CG1016", f"the list has no element {place}: it has 3")
