"""Rules that never end, or grow without bound, end in a fault: with a code, a place and the rules that were running.

The budget is made small here, so that the tests are quick; what is tested is that everything counts against it."""

from __future__ import annotations

import pytest

from interpreter import play
from interpreter.faults import Fault
from interpreter.play import choose, start
from interpreter.state import STEPS_BETWEEN_DECISIONS
from tests.interpreter.written import NOTHING_ELSE, written

BUDGET = 40_000

TABLE = """
var n = 0
var text_of = "ab"
var xs: list of number = []
card Card(value: number)
zone pack: open pile of Card
zone row:  open row of Card
zone bag:  open set of Card
cards Card in pack:
    name  value  copies
    "A"   1      200
    "B"   2      200
        while in bag "Again and again":
            instead of tower(x) = proceed(x) + proceed(x)
            instead of climb():
                proceed
                proceed
board Grid:
    map:
        "......"
        "......"
        "......"
        "......"
        "......"
        "......"
    legend:
        sign
        "."
    steps orthogonal
define tower(x: number) = x
rule climb(): n := n
"""


def defines(levels: int, width: int) -> str:
    """Defines that call so many others, so many levels deep."""
    lines = ["define d0(x: number) = x"]
    lines += [f"define d{i}(x: number) = {' + '.join([f'd{i - 1}(x)'] * width)}" for i in range(1, levels)]
    return "\n".join(lines)


def rules(levels: int, width: int, first: str) -> str:
    lines = [f"rule r0(): {first}"]
    for i in range(1, levels):
        lines += [f"rule r{i}():", *[f"    r{i - 1}()"] * width]
    return "\n".join(lines)


def squared(levels: int, of: str, first: str) -> str:
    """Defines each of which does twice what the one before does."""
    return f"define d0(x: {of}) = {first}\n" + "\n".join(f"define d{i}(x: {of}) = d{i - 1}(d{i - 1}(x))" for i in range(1, levels))


ASKS = "    players.first chooses x in xs where x > 5: n := x"

ENDLESS = {
    "while": ("while yes: n := 1 - n", ""),
    "while, where somebody might be asked": (f"while yes:\n    {ASKS}", ""),
    "repeat": ("repeat 9000000000000: n := 1", ""),
    "repeat, where somebody might be asked": (f"repeat 9000000000000:\n    {ASKS}", ""),
    "for in for": ("for a in 1..900:\n        for b in 1..900:\n            for c in 1..900: n := a + b + c", ""),
    "for over many, asking": (f"for a in 1..900, b in 1..900:\n    {ASKS}", ""),
    "rules that call themselves twice": ("twice(40)", "rule twice(x: number):\n    if x > 0:\n        twice(x - 1)\n        twice(x - 1)"),
    "a tower of rules": ("r11()", rules(12, 20, "n := n")),
    "a tower of rules that may ask": ("r11()", rules(12, 20, "\n" + ASKS)),
    "a tower of defines": ("n := d29(1)", defines(30, 3)),
    "a low, wide tower of defines": ("n := d8(0)", defines(9, 20)),
    "proceeding twice, forty times": ("n := f(0)", "define f(x: number) = x\n" + "instead of f(x) where x >= 0 = proceed + proceed\n" * 40),
    "proceeding twice in rules": (
        "f(0)", "rule f(x: number): n += x\n" + "instead of f(x) where x >= 0:\n    proceed\n    proceed\n" * 40,
    ),
    "cards that proceed twice": ("move pack to bag\n    n := tower(0)", ""),
    "cards that proceed twice, in a rule": ("move pack to bag\n    climb()", ""),
    "ending a rule again and again": ("while yes: cut()", "rule cut(): cut_off()\nrule cut_off(): end cut"),
    "queries in queries": ("n := count(a in 1..3000 where any(b in 1..3000 where count(c in 1..3000 where c < b) is a))", ""),
    "many binders": ("n := count(a in 1..90, b in 1..90, c in 1..90, d in 1..90)", ""),
    "all the cards, three times": ("n := count(a in Card, b in Card, c in Card where a.value + b.value is c.value)", ""),
    "cards in a define": ("n := sum(pairs() for i in 1..100)", "define pairs() = count(a in pack, b in pack where a.value < b.value)"),
    "looking through a long list": ("xs := [i for i in 1..50000]\n    while yes:\n        if 0 is in xs: n := 1", ""),
    "comparing long lists": ("xs := [i for i in 1..50000]\n    while yes:\n        if xs is not [i for i in 1..50000]: n := 1", ""),
    "comparing long lists as bags": ("xs := [i for i in 1..30000]\n    let ys = xs\n    while yes:\n        if not same(xs, ys): n := 1", ""),
    "adding up a long list": ("xs := [i for i in 1..50000]\n    while yes: n := sum(xs)", ""),
    "many simple statements": ("xs := [i for i in 1..50000]\n" + "    n := count(x in xs where x mod 7 is n)\n" * 200, ""),
    "moving everything to and fro": ("while yes:\n        move pack to row\n        move row to pack", ""),
    "moving everything in a rule of one line": (
        "while yes:\n        away()\n        back()", "rule away(): move pack to row\nrule back(): move row to pack",
    ),
    "shuffling": ("while yes: shuffle pack", ""),
    "walks": ("n := reach(Grid[0][0], 30, s in Grid).size", ""),
    "walks with a costly condition": (
        "for i in 1..50: n := reach(Grid[0][0], 6, s in Grid where count(c in Card where c.value > s.row) > 0).size", "",
    ),
}  # fmt: skip

TOO_LARGE = {
    "a number": ("while yes: n := n * 3 + 1", "", "CG1003", "n * 3"),
    "a number in defines": ("n := d11(3)", squared(12, "number", "x * x"), "CG1003", "x * x"),
    "a list": ("xs := [1]\n    while yes: xs := xs + xs", "", "CG1004", "xs + xs"),
    "a list in defines": ("n := d11([1]).size", squared(12, "list of number", "x + x"), "CG1004", "x + x"),
    "a text": ('while yes: text_of := "{text_of}{text_of}"', "", "CG1004", '"{text_of}{text_of}"'),
    "a range": ("n := count(x in 1..1000000000)", "", "CG1004", "1..1000000000"),
    "rules in rules": ("down(1)", "rule down(x: number): down(x + 1)", "CG1001", None),
    "what comes before, again": ("down()", "rule down(): n := 1\nbefore down(): down()", "CG1001", None),
    "what comes after, again": ("down()", "rule down(): n := 1\nafter down(): down()", "CG1001", None),
    "a replacement that calls what it replaces": ("down()", "rule down(): n := 1\ninstead of down(): down()", "CG1001", None),
    "a long chain of rules": ("r1099()", rules(1100, 1, "n := 1"), "CG1001", None),
}  # fmt: skip


@pytest.fixture(autouse=True)
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "STEPS_BETWEEN_DECISIONS", BUDGET)


def fault_in(body: str, more: str, *, observed: bool = False) -> Fault:
    game = written(f"{TABLE}{more}\nrule setup():\n    {body}\n{NOTHING_ELSE}")
    with pytest.raises(Fault) as caught:
        start(game.code(2, observed), 1)
    return caught.value


@pytest.mark.parametrize("name", ENDLESS)
def test_nothing_goes_on_for_ever(name: str) -> None:
    fault = fault_in(*ENDLESS[name])
    assert fault.code == "CG1002"
    assert fault.stack[0].name == "setup"


@pytest.mark.parametrize("name", ["while", "a tower of defines", "cards that proceed twice, in a rule", "for over many, asking"])
def test_nor_in_watched_code(name: str) -> None:
    assert fault_in(*ENDLESS[name], observed=True).code == "CG1002"


@pytest.mark.parametrize("name", TOO_LARGE)
def test_nothing_grows_for_ever(name: str) -> None:
    body, more, code, place = TOO_LARGE[name]
    fault = fault_in(body, more)
    assert fault.code == code
    assert place is None or fault.span.text == place
    assert fault.stack[0].name == "setup"


def test_an_answer_gives_a_new_budget() -> None:
    game = written(f"{TABLE}\nrule setup(): n := 0\nrule game():\n    while yes:\n        repeat 30000: n := 1 - n\n"
                   "        players.first chooses i in 1..2: n := i\ndefine winners() = players\n")  # fmt: skip
    state = start(game.code(2), 1)
    for _ in range(4):
        choose(state, 0)


def test_looking_has_a_budget_of_its_own() -> None:
    """However often somebody looks, the game goes on as before; and a look cannot take for ever either."""
    game = written(f"{TABLE}\nscoring(p):\n    \"Long\": count(i in 1..30000 where i mod 2 is n)\nrule setup(): n := 0\nrule game():\n"
                   "    players.first chooses \"{count(i in 1..30000)}\" i in 1..2: n := i\ndefine winners() = players\n")  # fmt: skip
    state = start(game.code(2), 1)
    for _ in range(4):
        assert play.scores(state) == [15_000, 15_000]
        assert state.code.texts.prompt(state, state.site) == ("30000",)
    choose(state, 1)
    endless = written(f'{TABLE}\nscoring(p):\n    "Long": count(i in 1..3000, j in 1..3000)\nrule setup(): n := 0\n{NOTHING_ELSE}')
    with pytest.raises(Fault) as caught:
        play.scores(start(endless.code(2), 1))
    assert caught.value.code == "CG1002"


def test_honest_rules_are_far_from_the_budget() -> None:
    game = written(f"{TABLE}\ndefine worth(p: player) = sum(c.value for c in pack) + count(c in pack, d in row where c.value is d.value)\n"
                   "rule setup():\n    shuffle pack\n    deal 40 from pack to row\n    for p in players: n += worth(p)\n"
                   "rule game():\n    players.first chooses c in row where c.value >= max(d.value for d in row): n := c.value\n"
                   "define winners() = players\n")  # fmt: skip
    state = start(game.code(2), 1)
    assert (BUDGET - state.steps) * 30 < STEPS_BETWEEN_DECISIONS
    assert len(state.options or ()) > 5
