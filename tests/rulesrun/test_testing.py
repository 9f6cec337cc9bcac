"""`rulesrun test`: cases, refusals, what is seen and heard, helpers, files of tests, variants, and results as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulesrun.cli import run

Run = Callable[..., tuple[int, str]]

GAME = """\
game "Farm" for 2..3 players

kind Fruit: Apple, Plum

card Crop(fruit: Fruit, value: number)

zone stock:        hidden pile of Crop
zone hand[player]: private set of Crop
zone row[player]:  open row of Crop

private var wish[player] = 0

cards Crop in stock:
    name         fruit  value
    "{f} {v}"    f      v      for f in Fruit, v in 1..6

rule setup():
    shuffle stock
    deal 2 from stock to hand[p] for p in players

rule game():
    while hand is not empty:
        for p in players: turn(p)

rule turn(p: player):
    wish[p] := hand[p].size
    p chooses "a crop" c in hand[p] where fits(c, p): play(c, p)
    otherwise:
        if hand[p].size > 0: move all hand[p] to row[p]

rule play(c: Crop, p: player):
    move c to row[p]

define fits(c: Crop, p: player) = row[p] is empty or c.value > row[p].last.value
define total(p: player) = sum(c.value for c in row[p])
define winners() = highest(p in players by total(p))
"""
GAME = GAME.replace("        if hand[p].size > 0: move all hand[p] to row[p]", "        for c in hand[p]: move c to row[p]")

TESTS = """\
tests of farm

test define rich(p: player) = total(p) > 5

test rule give(p: player, f: Fruit):
    for c in stock where c.fruit is f and c.value > 4: move c to row[p]

property "a turn puts something down" after turn(p): row[p] is not empty
property "it is over soon" after game(): decisions <= 6
property "somebody gets rich": sometimes any(p in players where rich(p))
property "all put something down": eventually not any(p in players where row[p] is empty)

test "what a row is worth":
    cases:
        fruits                  points
        ["Plum 4"]              4
        ["Apple 1", "Plum 4"]   5
        []                      0
    given row[P1] = fruits
    expect total(P1) is points

test "help":
    when give(P2, Plum)
    expect rich(P2) and not rich(P1)

test "what is seen, heard and refused":
    given hand[P1] = ["Apple 3", "Plum 6"]
    given hand[P2] = ["Apple 1"]
    given row[P1] = ["Plum 4"]
    when turn(P1)
    expect P1 cannot choose "Apple 3" because "is not more than 4"
    expect P1 cannot choose "Apple 1"
    expect P2 sees hand[P1] as [hidden, hidden]
    expect P1 sees hand[P1] as ["Plum 6", "Apple 3"]
    expect P1 sees hand[P1] as ["Plum 6", ...]
    expect P2 sees hand[P1] as hidden
    expect P2 sees row[P1] as ["Plum 4"]
    expect P1 sees wish[P1] as 2
    expect P2 sees wish[P1] as hidden
    when P1 chooses "Plum 6"
    expect P2 hears "Plum 6"
    expect P2 does not hear "Apple 3"

test "luck":
    given chance from seed 4
    when setup()
    when game()
    when P1 chooses hand[P1].size
"""
TESTS = TESTS[: TESTS.index('test "luck"')]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str]:
        code = run([str(arg) for arg in args])
        return code, capsys.readouterr().out

    return call


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    (tmp_path / "farm.cardgame").write_text(GAME, "utf-8")
    (tmp_path / "farm_tests.cardgame").write_text(TESTS, "utf-8")
    return tmp_path / "farm.cardgame"


def test_a_file_of_tests_is_found_beside_the_game(command: Run, farm: Path) -> None:
    code, out = command("test", farm, "--seed", 1)
    assert (code, out.count("5 tests passed"), out.count("4 properties held")) == (0, 1, 1), out


def test_what_was_never_true_has_not_held(command: Run, farm: Path) -> None:
    tests = farm.with_name("farm_tests.cardgame")
    tests.write_text(TESTS + '\nproperty "a hundred": sometimes any(p in players where total(p) > 100)\n', "utf-8")
    code, out = command("test", farm, "--seed", 1)
    assert (code, out.count("4 properties held"), out.count("“a hundred” was never true")) == (1, 1, 1), out


def test_in_a_folder_it_is_not_tested_twice(command: Run, farm: Path) -> None:
    code, out = command("test", farm.parent, "--games", 0)
    assert (code, out.count("tests passed")) == (0, 1)


def test_remarks_may_stand_before_what_a_file_is(command: Run, farm: Path) -> None:
    tests = farm.with_name("farm_tests.cardgame")
    tests.write_text("# Tests of the farm.\n" + TESTS, "utf-8")
    for what in (farm, farm.parent, tests):
        code, out = command("test", what, "--games", 0)
        assert (code, out.count("5 tests passed")) == (0, 1), out
    variant = farm.with_name("twice.cardgame")
    variant.write_text(
        '# Harder.\nvariant "Twice" of farm\nchange define total(p: player) = 2 * sum(c.value for c in row[p])\n', "utf-8"
    )
    assert command("check", variant)[0] == 0


def test_it_can_be_tested_and_checked_by_itself(command: Run, farm: Path) -> None:
    tests = farm.with_name("farm_tests.cardgame")
    assert command("check", tests)[0] == 0
    code, out = command("test", tests, "--games", 0)
    assert code == 0 and "5 tests passed" in out


WRONG = [
    ("expect total(P1) is points", "expect total(P1) is points + 1", "in this case"),
    ("because \"is not more than 4\"", "because \"it is raining\"", "another reason than “it is raining”"),
    ("cannot choose \"Apple 1\"", "cannot choose \"Plum 6\"", "P1 can choose `Plum 6`"),
    ("P2 sees hand[P1] as hidden", "P2 sees hand[P1] as [\"Plum 6\", hidden]", "P2 sees `hand[P1]` as [hidden, hidden]"),
    ("P1 sees hand[P1] as [\"Plum 6\", \"Apple 3\"]", "P1 sees hand[P1] as [\"Plum 6\"]", "P1 sees `hand[P1]` as ["),
    ("P1 sees wish[P1] as 2", "P1 sees wish[P1] as 3", "P1 sees `wish[P1]` as 2"),
    ("P1 sees wish[P1] as 2", "P1 sees wish[P1] as hidden", "P1 sees `wish[P1]` as 2"),
    ("P2 sees wish[P1] as hidden", "P2 sees wish[P1] as 2", "P2 does not know `wish[P1]`"),
    ("P2 hears \"Plum 6\"", "P2 hears \"Apple 3\"", "P2 does not hear “Apple 3”"),
    ("not hear \"Apple 3\"", "not hear \"plum 6\"", "P2 hears “plum 6”"),
    ("row[p] is not empty", "row[p].size > 2", "the property “a turn puts something down” does not hold"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says"), WRONG, ids=[new for _, new, _ in WRONG])
def test_what_is_not_so_fails_and_is_told(command: Run, farm: Path, old: str, new: str, says: str) -> None:
    assert old in TESTS
    farm.with_name("farm_tests.cardgame").write_text(TESTS.replace(old, new, 1), "utf-8")
    code, out = command("test", farm, "--games", 0)
    assert code == 1
    assert says in out


def test_a_property_is_never_a_fault_in_play(command: Run, farm: Path) -> None:
    text = GAME + '\nproperty "impossible" after turn(p): row[p].size > 9\ninvariant "neither": stock.size > 99\n'
    farm.write_text(text, "utf-8")
    code, _ = command("simulate", farm, "--games", 5, "--seed", 1)
    assert code == 0
    assert command("test", farm, "--seed", 1)[0] == 1


def test_the_result_as_data(command: Run, farm: Path, tmp_path: Path) -> None:
    farm.with_name("farm_tests.cardgame").write_text(TESTS.replace("decisions <= 6", "decisions <= 3"), "utf-8")
    code, out = command("test", farm, "--seed", 1, "--format", "json", "--junit", tmp_path / "junit.xml")
    data = json.loads(out)
    file = data["files"][0]
    assert (code, data["passed"], file["passed"]) == (1, False, False)
    assert [test["passed"] for test in file["tests"]] == [True] * 5
    found = file["random"]["found"]
    assert found["what"] == "the property “it is over soon” does not hold" and found["values"] == "`decisions` is 4"
    assert len(found["choices"]) == 4 and found["command"].startswith("rulesrun replay ") and found["test"].startswith("test ")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("6", "1", "0")
    assert [case.get("name") for case in suite if len(case)] == ["random games"]


def test_a_file_that_cannot_be_opened_is_among_the_results(command: Run, tmp_path: Path) -> None:
    code, out = command("test", tmp_path / "none.cardgame", "--format", "json", "--junit", tmp_path / "junit.xml")
    data = json.loads(out)
    assert (code, data["passed"], len(data["files"])) == (2, False, 1)
    assert "cannot be opened" in data["files"][0]["error"]
    assert ElementTree.parse(tmp_path / "junit.xml").getroot()[0].get("errors") == "1"


def test_several_processes_find_the_same(command: Run, farm: Path) -> None:
    one, two = (command("test", farm, "--seed", 5, "--jobs", jobs) for jobs in (1, 2))
    assert one == two


def test_a_variant_runs_the_tests_of_its_base_and_tells_which_no_longer_apply(command: Run, farm: Path, tmp_path: Path) -> None:
    base = (
        GAME
        + '\ntest "plums":\n    given row[P1] = ["Plum 4"]\n    expect total(P1) is 4\n\ntest "none":\n    expect total(P1) is 0\n'
    )
    farm.write_text(base, "utf-8")
    farm.with_name("farm_tests.cardgame").unlink()
    variant = tmp_path / "twice.cardgame"
    variant.write_text('variant "Twice" of farm\n\nchange define total(p: player) = 2 * sum(c.value for c in row[p])\n', "utf-8")
    code, out = command("test", variant, "--games", 0)
    assert code == 0
    assert "1 test passed: 0 of its own, 1 of its base" in out
    assert (
        "1 of its base no longer applies:\n    plums\n      farm.cardgame, line 40: this does not hold: `total(P1) is 4`\n" in out
    )
    variant.write_text(
        variant.read_text("utf-8") + '\nchange test "plums":\n    given row[P1] = ["Plum 4"]\n    expect total(P1) is 8\n', "utf-8"
    )
    code, out = command("test", variant, "--games", 0)
    assert code == 0
    assert "2 tests passed: 1 of its own, 1 of its base" in out


DECLINING = """\
game "Declining" for 2 players

var worth = 0

rule setup(): end setup

rule game():
    for p in players: turn(p)

rule turn(p: player):
    p may choose n in 1..2: worth := n
    otherwise: worth := 9

define winners() = players

invariant "little": worth < 5

test "nothing is taken":
    when turn(P1)
    when P1 declines
"""


def test_invariants_are_judged_where_somebody_declines(command: Run, tmp_path: Path) -> None:
    (tmp_path / "declining.cardgame").write_text(DECLINING, "utf-8")
    code, out = command("test", tmp_path / "declining.cardgame", "--games", 0)
    assert (code, out.count("the invariant “little” does not hold")) == (1, 1)


def test_for_whom_a_broken_condition_is_so(command: Run, farm: Path) -> None:
    farm.write_text(GAME + '\ninvariant "no six": not any(p in players, c in row[p] where c.value is 6)\n', "utf-8")
    farm.with_name("farm_tests.cardgame").unlink()
    code, out = command("test", farm, "--seed", 1)
    assert code == 1
    assert "`p` is P" in out and " and `c` is " in out


def test_what_happens_sometimes_is_given_more_games(command: Run, farm: Path) -> None:
    """One game of two is not enough to see whether something is rare or never."""
    farm.with_name("farm_tests.cardgame").unlink()
    rare = '\nproperty "a full hand of plums": sometimes any(p in players where row[p].size is 2 and total(p) > 10)\n'
    farm.write_text(GAME + rare, "utf-8")
    assert command("test", farm, "--games", 1, "--seed", 1)[0] == 0
    farm.write_text(GAME + rare.replace("total(p) > 10", "total(p) > 12"), "utf-8")
    assert command("test", farm, "--games", 1, "--seed", 1)[0] == 1
