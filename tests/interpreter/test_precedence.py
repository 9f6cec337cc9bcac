"""Who has the first word: modules, the game, its cards, its `when` blocks, variants."""

from __future__ import annotations

import pytest

from tests.interpreter.written import failures, written

ONE = """module "One"

var trace: list of number = []

rule event(n: number)
define level(n: number) = n

before event(_): trace += [101]
after event(_): trace += [102]
instead of event(_) where loud:
    trace += [103]
    proceed
instead of level(_) = proceed * 10 + 1

var loud = no
"""

TWO = """module "Two"

use one

before event(_): trace += [201]
after event(_): trace += [202]
instead of event(_) where loud:
    trace += [203]
    proceed
instead of level(_) = proceed * 10 + 2
"""

GAME = """
use one
use two

option block = yes: "The block"

card Charm(mark: number)
zone chest:        open pile of Charm
zone worn[player]: open row of Charm
zone lying:        open row of Charm

cards Charm in chest:
    name  mark  copies
    "A"   501   1
        while in worn or lying "all": before event(_): trace += [self.mark]
        while in worn or lying "all": after event(_): trace += [self.mark + 1]
        while in worn or lying "all":
            instead of event(_):
                trace += [self.mark + 2]
                proceed
        while in worn or lying "all":
            instead of level(_) = proceed * 10 + 5
    "B"   601   1
        while in worn or lying "all": before event(_): trace += [self.mark]
        while in worn or lying "all": after event(_): trace += [self.mark + 1]
        while in worn or lying "all":
            instead of event(_):
                trace += [self.mark + 2]
                proceed
        while in worn or lying "all":
            instead of level(_) = proceed * 10 + 6

before event(_): trace += [301]
after event(_): trace += [302]
instead of event(_):
    trace += [303]
    proceed
instead of level(_) = proceed * 10 + 3

when block:
    before event(_): trace += [401]
    after event(_): trace += [402]
    instead of event(_):
        trace += [403]
        proceed
    instead of level(_) = proceed * 10 + 4

rule setup(): trace := []
rule turn(p: player): event(0)
rule game(): turn(players.last)
define winners() = players

test "alone":
    given loud = yes
    when event(0)
    expect trace is [403, 303, 203, 103, 101, 201, 301, 401, 102, 202, 302, 402]
    expect level(0) is 1234

test "cards of players":
    given 2 players
    given worn[P1] = ["A"]
    given worn[P2] = ["B"]
    when turn(P2)
    expect trace is [403, 503, 603, 303, 101, 201, 301, 401, 601, 501, 102, 202, 302, 402, 602, 502]
    expect level(0) is 123564

test "an ownerless card":
    given 2 players
    given worn[P1] = ["A"]
    given lying = ["B"]
    when turn(P1)
    expect trace is [403, 503, 603, 303, 101, 201, 301, 401, 501, 601, 102, 202, 302, 402, 502, 602]
    expect level(0) is 123654
"""

FIRST = """variant "First" of small

before event(_): trace += [701]
after event(_): trace += [702]
instead of event(_):
    trace += [703]
    proceed
instead of level(_) = proceed * 10 + 7
remove test "alone"
remove test "cards of players"
remove test "an ownerless card"

test "with the first variant":
    when event(0)
    expect trace is [703, 403, 303, 101, 201, 301, 401, 701, 102, 202, 302, 402, 702]
    expect level(0) is 12347
"""

SECOND = """variant "Second" of small

before event(_): trace += [801]
after event(_): trace += [802]
instead of event(_):
    trace += [803]
    proceed
instead of level(_) = proceed * 10 + 8

test "with both variants":
    when event(0)
    expect trace is [803, 703, 403, 303, 101, 201, 301, 401, 701, 801, 102, 202, 302, 402, 702, 802]
    expect level(0) is 123478
"""


@pytest.mark.parametrize("variants", [(), (FIRST,)], ids=["the game", "with a variant"])
def test_order_of_what_is_attached(variants: tuple[str, ...]) -> None:
    rules = written(GAME, variants=variants, one=ONE, two=TWO)
    assert len(rules.game.tests) == (1 if variants else 3)
    assert failures(rules) == []


def test_the_variant_named_last_is_outermost() -> None:
    rules = written(GAME, variants=(FIRST, SECOND), one=ONE, two=TWO)
    failed = [failure.split(":")[0] for failure in failures(rules)]
    assert failed == ["with the first variant"]  # which knows nothing of the second


def test_without_the_block() -> None:
    text = GAME.replace("option block = yes", "option block = no").replace("403, ", "").replace(", 402", "").replace(", 401", "")
    text = text.replace("is 1234\n", "is 123\n").replace("is 123564", "is 12356").replace("is 123654", "is 12365")
    assert failures(written(text, one=ONE, two=TWO)) == []
