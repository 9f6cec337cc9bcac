"""What is wrong in the rules becomes a `Fault` with a code, the place in the text, and the rules that were running."""

from __future__ import annotations

import pytest

from interpreter import scenario
from interpreter.faults import Fault
from interpreter.play import choose, options_again, scores, start, winners
from interpreter.state import State
from tests.interpreter.written import NOTHING_ELSE, written

TABLE = """
kind Suit: Clubs, Hearts
card Card(value: number)
zone pack:         open pile of Card
zone row[player]:  open row of Card
zone bag:          open set of Card
cards Card in pack:
    name  value  copies
    "A"   1      2
dice pair: 2 of 1..6
board Grid:
    map:
        ".."
        ".."
    legend:
        sign
        "."
    steps orthogonal
var n = 0
var zero = 0
var who: player? = none
var some: Card? = none
var late: number
var xs: list of number = []
define inverse(x: number) = 10 / x
define set_late() -> number = 1
rule remember():
    who := players.first
    some := pack.top
rule forget():
    who := none
    some := none
"""

WRONG = {
    "the top of nothing": ("n := bag_top()", "define bag_top() = row[players.first].first.value", "CG1016", "row[players.first].first"),
    "the bottom of nothing": ("forget()\n    n := pack.bottom.value", "before forget(): move pack to bag", "CG1016", "pack.bottom"),
    "the last of an empty list": ("n := xs.last", "", "CG1016", "xs.last"),
    "an element that is not there": ("n := [1, 2][n + 3]", "", "CG1016", "[1, 2][n + 3]"),
    "the greatest of nothing": ("n := max(c.value for c in bag)", "", "CG1016", "max(c.value for c in bag)"),
    "the least of an empty list": ("n := min(xs)", "", "CG1016", "min(xs)"),
    "the best of nothing": ("n := highest(c in bag by c.value).first.value", "", "CG1016", "highest(c in bag by c.value).first"),
    "division by zero": ("n := inverse(zero)", "", "CG1014", "10 / x"),
    "mod zero": ("n := 7 mod zero", "", "CG1014", "7 mod zero"),
    "too large": ("n := 9223372036854775807\n    n += 1", "", "CG1003", "n += 1"),
    "too large inside": ("if 4000000000 * big() > 0: n := 1", "define big() = 4000000000", "CG1003", "4000000000 * big()"),
    "nobody owns it": ("if pack.top.owner is players.first: n := 1", "", "CG1016", "pack.top.owner"),
    "dice not rolled": ("n := sum(pair)", "", "CG1015", "pair"),
    "dice not rolled, compared": ("if pair is [1, 2]: n := 1", "", "CG1015", "pair"),
    "unset": ("n := late", "", "CG1015", "late"),
    "unset, only compared": ("if late is 3: n := 1", "", "CG1015", "late"),
    "none again, in arithmetic": (
        "remember()\n    if who is not none:\n        forget()\n        row_size(who)", "rule row_size(p: player): n := row[p].size",
        "CG1017", "row[p]",
    ),
    "none again, moved": (
        "remember()\n    if some is not none:\n        forget()\n        move some to bag", "", "CG1017", "move some to bag",
    ),
    "none again, its attribute": (
        "remember()\n    if some is not none:\n        forget()\n        n := some.value", "", "CG1017", "some.value",
    ),
    "no such space": ("for s in Grid where s is Grid[2][n]: n := 1", "", "CG1009", "Grid[2][n]"),
    "a range too long": ("for i in 1..1000000: n := i", "", "CG1004", "1..1000000"),
    "ended where it does not run": ("bust()", "rule bust(): end turn\nrule turn(p: player): bust()", "CG1013", "end turn"),
}  # fmt: skip


def setup_with(body: str, more: str) -> str:
    return f"{TABLE}{more}\nrule setup():\n    {body}\n    late := 1\n" + (
        "rule game(): turn(players.first)\ndefine winners() = players\n" if "rule turn" in more else NOTHING_ELSE
    )


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("observed", [False, True], ids=["fast", "watched"])
def test_faults_say_where(name: str, observed: bool) -> None:
    body, more, code, text = WRONG[name]
    rules = written(setup_with(body, more))
    with pytest.raises(Fault) as caught:
        start(rules.code(2, observed), 1)
    fault = caught.value
    assert (fault.code, fault.span.text) == (code, text)
    assert fault.stack[0].name == "setup"
    assert fault.diagnostic.code == code


@pytest.mark.parametrize("what", ["let x = sum(pair)", "if pair is [1, 2]: n := 1", "if pair is empty: n := 1"])
@pytest.mark.parametrize("observed", [False, True], ids=["fast", "watched"])
def test_dice_that_were_never_rolled_are_a_fault_after_setup_too(what: str, observed: bool) -> None:
    rules = written(
        f"{TABLE}\nrule setup(): late := 1\nrule turn(p: player):\n    {what}\nrule game(): turn(players.first)\ndefine winners() = players\n"
    )
    with pytest.raises(Fault) as caught:
        start(rules.code(2, observed), 1)
    assert (caught.value.code, caught.value.span.text) == ("CG1015", "pair")


ASKING = (
    TABLE
    + """
rule setup(): late := 1

rule game():
    turn(players.last)

rule turn(p: player):
    p chooses x in 0..3:
        step(x, p)

rule step(x: number, p: player):
    if x is 0: deal_out(x)
    if x is 1: wrong(x)
    p chooses y in 1..2: n := inverse(x - y)

instead of step(x, p) where x is 3 "Three":
    proceed(2, p)

before wrong(x): n := inverse(x - 1)
rule wrong(x: number): n := x

rule deal_out(x: number):
    let y = x / x
    n := y

scoring(p):
    "Worth": inverse(n)

define winners() = players where_none()
"""
).replace("players where_none()", "[p for p in players where inverse(n) > 0]")


def asked(*answers: int) -> State:
    state = start(written(ASKING).code(2), 1)
    for answer in answers:
        choose(state, answer)
    return state


@pytest.mark.parametrize(
    ("answers", "place", "stack"),
    [
        ((0,), "x / x", ["game", "turn", "step", "deal_out"]),
        ((1,), "10 / x", ["game", "turn", "step", "before wrong", "inverse"]),
        ((2, 1), "10 / x", ["game", "turn", "step", "inverse"]),
        ((3, 1), "10 / x", ["game", "turn", "Three", "step", "inverse"]),
    ],
)
def test_the_rules_that_were_running(answers: tuple[int, ...], place: str, stack: list[str]) -> None:
    state = asked(*answers[:-1])
    with pytest.raises(Fault) as caught:
        choose(state, answers[-1])
    assert caught.value.code == "CG1014" and caught.value.span.text == place
    names = [call.name for call in caught.value.stack]
    assert [name for name in names if name != "inverse"] == [name for name in stack if name != "inverse"]
    assert [call.span.text for call in caught.value.stack][:2] == ["turn(players.last)", "step(x, p)"]


def test_looking_at_a_game_may_fault_too_and_changes_nothing() -> None:
    state = asked()
    before = state.canonical()
    for look in (scores, winners):
        with pytest.raises(Fault):
            look(state)
    assert state.canonical() == before
    assert tuple(options_again(state)) == tuple(state.options or ())


def test_a_wrong_answer_is_refused_and_changes_nothing() -> None:
    state = asked()
    before = state.canonical()
    for index in (-1, 4, 99):
        with pytest.raises(ValueError, match="no option"):
            choose(state, index)
    assert state.canonical() == before


def test_a_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match="not 7"):
        written(ASKING).code(7)


def test_a_test_that_asks_for_an_unset_variable_fails_with_its_place() -> None:
    rules = written(f'{TABLE}{NOTHING_ELSE}rule setup(): late := 1\n\ntest "late":\n    expect late is 3\n')
    (test,) = rules.game.tests
    failure = scenario.run(rules, test).failure
    assert failure is not None and (failure.code, failure.span.text) == ("CG1015", "late")


def test_a_choice_that_can_be_declined_fails_the_test_that_says_otherwise() -> None:
    rules = written(
        f"{NOTHING_ELSE}rule setup()\nrule ask(p: player):\n    p may choose n in 1..2: end ask\n\n"
        'test "bound":\n    when ask(P1)\n    expect P1 cannot decline\n'
    )
    (test,) = rules.game.tests
    failure = scenario.run(rules, test).failure
    assert failure is not None and (failure.title, failure.span.text) == ("P1 can decline here", "expect P1 cannot decline")
