"""Coverage: what is told of rules that have run, in part or not at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulesrun import cli
from rulesrun.coverage.measuring import Coverage, measure
from rulesrun.coverage.report import as_json, margin, summary, together
from rulesrun.locate import Library

ORCHARD = """\
game "Orchard" for 2 players

option double = no: "Plums count twice"
option spare = no:  "A row to spare"

card Crop(value: number)

zone stock:       open pile of Crop
zone shed:        open pile of Crop
zone row[player]: open row of Crop

var turns = 0

cards Crop in stock:
    name       value
    "Apple"    1
    "Pear"     2
        always "Pears are heavy":
            after play(self, _): turns += 10
    "Grape"    1

cards Crop in shed:
    name        value
    "Quince"    3

rule setup():
    turns := 0
rule game():
    while stock is not empty: turn(seats.first)

rule turn(p: player):
    p chooses "what to do":
        "Play" when stock is not empty:
            play(stock.top, p)
        "Wait" when turns < 5:
            turns += 1
        "Sleep" when turns > 1000

rule play(c: Crop, p: player):
    if c.value > 1: move c to row[p]
    otherwise: move c to row[p]
    p may "Rest": turns += 1
    if turns > 3000: rest()

rule rest():
    for c in shed: move c to stock

rule idle(): turns := 0

after play(_, p) where turns < 100: turns += 1
instead of worth(c) where c.value > 5 = 0

when double:
    instead of worth(_) = proceed * 2

when spare:
    after setup(): turns := 1

define worth(c: Crop) -> number =
    0          when c.value > 10
    c.value    otherwise

define winners() = players

scoring(p):
    "Row" when row[p] is not empty: sum(worth(c) for c in row[p])
    "Nothing" when turns > 5000:    1

ending over when stock is empty: "No more"
ending never when turns > 4000: "Too many turns"

invariant "turns go on": turns >= 0

property "rest is rare" after rest():         turns > 3000
property "turns stay small" after play(_, _): turns < 100

test rule play_top(p: player): play(stock.top, p)

test "an apple is played":
    given stock = ["Apple", ...]
    when play_top(P1)
    when P1 declines
    expect score(P1) is 1

test "a plum counts twice":
    given option double = yes
    given row[P1] = ["Pear"]
    expect score(P1) is 4

test "the stock runs out":
    given stock = ["Apple"]
    when play("Apple", P1)
    expect finished
"""


def covered(folder: Path, text: str, games: int = 0) -> Coverage:
    path = folder / "orchard.cardgame"
    path.write_text(text, encoding="utf-8")
    library = Library()
    return measure(library.open(path, "orchard.cardgame"), library, games, seed=1)


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Coverage:
    """By the tests alone."""
    return covered(tmp_path_factory.mktemp("tested"), ORCHARD)


def missed(coverage: Coverage) -> set[tuple[str, str, str]]:
    return {(item.sort, item.what, item.missed) for item in coverage.of_file("orchard.cardgame") if item.key not in coverage.done}


def line_of(text: str) -> int:
    return ORCHARD[: ORCHARD.index(text)].count("\n") + 1


NEVER = [
    ("rule", "rule turn", "never ran"),
    ("rule", "rule rest", "never ran"),
    ("rule", "rule idle", "never ran"),
    ("branch", "`if c.value > 1`", "never true"),
    ("branch", "`if turns > 3000`", "never true"),
    ("branch", "`while stock is not empty`", "never entered"),
    ("branch", "`for c in shed: move c to stock`", "never entered"),
    ("branch", 'option "Wait"', "never chosen"),
    ("branch", 'option "Wait" when `turns < 5`', "never offered"),
    ("branch", 'option "Wait" when `turns < 5`', "always offered"),
    ("branch", 'option "Sleep" when `turns > 1000`', "never offered"),
    ("branch", '`may "Rest"`', "never taken"),
    ("branch", "`where turns < 100`", "never false"),
    ("branch", "`where c.value > 5`", "never true"),
    ("branch", "`when c.value > 10`", "never true"),
    ("attachment", "instead of worth", "never applied"),
    ("attachment", "after setup", "never applied"),
    ("ability", 'Pear, "Pears are heavy"', "never applied"),
    ("score", 'scoring "Nothing"', "never counted"),
    ("ending", "ending never", "never came"),
    ("property", 'property "rest is rare"', "never judged"),
    ("option", "option spare", "never other than it is by default"),
    ("block", "`when spare`", "never in force"),
    ("design", 'card "Quince"', "never moved"),
]


@pytest.mark.parametrize("what", NEVER, ids=lambda what: f"{what[1]} {what[2]}")
def test_what_has_not_run_is_missed(tested: Coverage, what: tuple[str, str, str]) -> None:
    assert what in missed(tested)


RAN = [
    ("rule", "rule play", "never ran"),
    ("branch", "`if c.value > 1`", "its `otherwise` never ran"),
    ("branch", "`if turns > 3000`", "never false"),
    ("branch", '`may "Rest"`', "never declined"),
    ("branch", "`where turns < 100`", "never true"),
    ("branch", "`otherwise` of `when c.value > 10`", "never asked"),
    ("define", "define worth", "never asked"),
    ("score", 'scoring "Row"', "never counted"),
    ("ending", "ending over", "never came"),
    ("invariant", 'invariant "turns go on"', "never judged"),
    ("property", 'property "turns stay small"', "never judged"),
    ("option", "option double", "never other than it is by default"),
    ("block", "`when double`", "never in force"),
    ("design", 'card "Apple"', "never moved"),
    ("design", 'card "Pear"', "never moved"),
]


@pytest.mark.parametrize("what", RAN, ids=lambda what: f"{what[1]} {what[2]}")
def test_what_has_run_is_not_missed(tested: Coverage, what: tuple[str, str, str]) -> None:
    items = {(item.sort, item.what, item.missed) for item in tested.of_file("orchard.cardgame")}
    assert what in items - missed(tested)


def test_random_games_run_what_tests_do_not(tested: Coverage, tmp_path: Path) -> None:
    played = covered(tmp_path, ORCHARD, games=10)
    found = missed(tested) - missed(played)
    assert ("rule", "rule turn", "never ran") in found
    assert ("ability", 'Pear, "Pears are heavy"', "never applied") in found
    assert ("branch", 'option "Wait" when `turns < 5`', "always offered") in found
    assert ("rule", "rule idle", "never ran") in missed(played)
    assert missed(played) <= missed(tested)


def test_helpers_of_tests_are_not_counted(tested: Coverage) -> None:
    assert not any("play_top" in item.what for item in tested.items.values())


def test_lines_have_marks(tested: Coverage) -> None:
    marks = margin(tested, tested.source)
    assert marks[line_of("rule play(") - 1] == "✓"
    assert marks[line_of("rule turn(") - 1] == "✗"
    assert marks[line_of("            play(stock.top") - 1] == "✗"
    assert marks[line_of("    if c.value > 1") - 1] == "~"
    assert marks[line_of("zone stock") - 1] == " "


def test_the_percentage_counts_the_file_that_is_asked_about(tested: Coverage) -> None:
    items = tested.of_file("orchard.cardgame")
    assert tested.percent() == 100 * (len(items) - len(missed(tested))) / len(items)


def test_the_summary_names_lines(tested: Coverage) -> None:
    assert f"    {line_of('rule idle'):>5}  rule idle: never ran" in summary(tested)


def test_data_says_the_same(tested: Coverage) -> None:
    (file,) = as_json(tested)["files"]
    assert file["all"] - file["done"] == len(file["missed"]) == len(missed(tested))
    assert {(one["sort"], one["what"], one["missed"]) for one in file["missed"]} == missed(tested)


def test_modules_have_their_own_part(tmp_path: Path) -> None:
    (tmp_path / "larder.cardgame").write_text(
        'module "Larder"\n\nvar jars = 0\n\nrule fill(): jars += 1\n\nrule empty_all(): jars := 0\n', encoding="utf-8"
    )
    (tmp_path / "orchard.cardgame").write_text(
        'game "Jars" for 2 players\n\nuse larder\n\nrule setup(): fill()\nrule game(): fill()\n\ndefine winners() = players\n',
        encoding="utf-8",
    )
    library = Library()
    coverage = measure(library.open(tmp_path / "orchard.cardgame"), library, 1, seed=1)
    own, module = coverage.paths()
    assert (own.rsplit("/", 1)[-1], module.rsplit("/", 1)[-1]) == ("orchard.cardgame", "larder.cardgame")
    assert coverage.percent() == 100
    assert [item.what for item in coverage.of_file(module) if item.key not in coverage.done] == ["rule empty_all"]


def test_what_several_files_share_is_summed_up(tmp_path: Path) -> None:
    (tmp_path / "larder.cardgame").write_text(
        'module "Larder"\n\nvar jars = 0\n\nrule fill(): jars += 1\n\nrule empty_all(): jars := 0\n\nrule idle(): jars := 1\n',
        "utf-8",
    )
    library = Library()
    coverages = []
    for name, rule in (("one", "fill"), ("two", "empty_all")):
        text = (
            f'game "G" for 2 players\n\nuse larder\n\nrule setup(): {rule}()\nrule game(): {rule}()\n\ndefine winners() = players\n'
        )
        (tmp_path / f"{name}.cardgame").write_text(text, "utf-8")
        coverages.append(measure(library.open(tmp_path / f"{name}.cardgame"), library, 1, seed=1))
    lines = [line.strip() for line in together(coverages)]
    assert lines[3].split() == ["by", "2", "files", "2", "of", "3", "66", "%"]
    assert [line for line in lines if "never" in line] == ["9  rule idle: never ran"]
    assert together(coverages[:1]) == []


# ── at the command line ──


def run(*args: str) -> int:
    return cli.run(["test", "--games", "0", "--seed", "1", *args])


@pytest.fixture
def orchard(tmp_path: Path) -> str:
    path = tmp_path / "orchard.cardgame"
    path.write_text(ORCHARD, encoding="utf-8")
    return str(path)


def test_too_little_is_a_finding(orchard: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(orchard, "--min-coverage", "90") == 1
    assert "less than the 90 % that are wanted" in capsys.readouterr().out
    assert run(orchard, "--min-coverage", "10") == 0


def test_a_page_stands_alone(orchard: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(orchard, "--html", str(tmp_path / "page.html")) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=\"(?!#)", page) and "<script" not in page
    assert f'<span class="l missed" id="f1-{line_of("rule idle")}">' in page
    assert "rule idle: never ran" in page


def test_a_page_that_cannot_be_written_is_said(orchard: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(orchard, "--html", str(tmp_path / "missing" / "page.html")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_data_can_be_written(orchard: str, tmp_path: Path) -> None:
    assert run(orchard, "--coverage-json", str(tmp_path / "data.json")) == 0
    (data,) = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))
    assert data["tests"] == 3 and data["games"] == 0


def test_marks_stand_before_lines(orchard: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(orchard, "--coverage", "--marks") == 0
    assert f"  ✗ {line_of('rule idle'):>5}  rule idle(): turns := 0" in capsys.readouterr().out
