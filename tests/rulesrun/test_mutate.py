"""`rulesrun mutate`: what tests and random games notice, and what is told of the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesrun import cli
from rulesrun.locate import Library
from rulesrun.mutation.bench import Bench, Verdict

COUNTING = """\
game "Counting" for 2 players

option fast = no: "Counts by two"

card Bead()

zone bowl:           open pile of Bead
zone string[player]: open row of Bead

var taken = 0
var turns = 0

cards Bead in bowl:
    name      copies
    "Bead"    6

rule setup()

rule game():
    while bowl is not empty: turn(seats.first)

rule turn(p: player):
    turns := turns + 1
    p chooses "what to do":
        "Take": take(p)

rule take(p: player):
    if bowl is not empty: move bowl.top to string[p]
    taken += 1

rule wait_for(n: number):
    while taken < n: taken += 1

rule forgotten(): taken := 7

when fast:
    after take(_): taken += 2

define winners() = players

invariant "not too many": taken <= 7

test "a bead is taken":
    given 2 players
    when take(P1)
    expect string[P1].size is 1 and taken is 1

test "counting goes on":
    when wait_for(3)
    expect taken is 3

test "fast is fast":
    given option fast = yes
    when take(P1)
    expect taken is 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counting.cardgame"
    path.write_text(COUNTING, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    path = tmp_path_factory.mktemp("mutate") / "counting.cardgame"
    path.write_text(COUNTING, encoding="utf-8")
    library = Library()
    bench = Bench.of(library.open(path), library, games=2, seed=1)
    return {mutant.id: bench.judge(mutant) for mutant in bench.mutants}


def test_a_test_notices(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["take | statement | taken += 1 -> (left out)"]
    assert verdict.killed_by is not None and verdict.killed_by.startswith("test ")


def test_an_endless_loop_is_noticed(verdicts: dict[str, Verdict]) -> None:
    assert verdicts["wait_for | arithmetic | taken += 1 -> taken -= 1"].killed_by == 'test "counting goes on"'


def test_a_mutant_of_a_block_runs_the_tests_under_its_options(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["after take | number | 2 -> 3"]
    assert verdict.killed_by == 'test "fast is fast"'


def test_only_tests_that_run_the_text_are_run(verdicts: dict[str, Verdict]) -> None:
    assert verdicts["forgotten | number | 7 -> 8"] == Verdict(None, 0, covered=False)
    assert verdicts["wait_for | comparison | taken < n -> taken <= n"].tests == 1


def test_a_random_game_notices_an_endless_one(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["game | negation | bowl is not empty -> bowl is empty"]
    assert verdict.killed_by is None  # it is over at once, and nothing says that it should not
    verdict = verdicts["turn | statement | take(p) -> (left out)"]
    assert verdict.killed_by is not None and verdict.killed_by.startswith("a random game: the game has not ended")


def test_a_random_game_notices_a_broken_invariant(verdicts: dict[str, Verdict]) -> None:
    assert verdicts["taken | number | 0 -> 1"].killed_by is not None
    assert verdicts["turn | number | 1 -> 2"].killed_by is None


# ── at the command line ──

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(file: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: str) -> tuple[int, str, str]:
        code = cli.run(["mutate", str(file), "--seed", "1", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def survivors(out: str) -> list[str]:
    return [one["id"] for one in json.loads(out)["mutants"] if one["killed_by"] is None]


def write_list(file: Path, text: str) -> None:
    (file.parent / "mutants").mkdir()
    (file.parent / "mutants" / "counting.txt").write_text(text, encoding="utf-8")


def test_survivors_are_told_by_line(run: Run, file: Path) -> None:
    code, out, _ = run("--only", "forgotten")
    assert code == 0
    line = COUNTING[: COUNTING.index("rule forgotten")].count("\n") + 1
    assert f":{line}  forgotten | number | 7 -> 8   (no test runs it)" in out
    assert "mutants (of " in out and "0 killed (0.0 %)" in out


def test_what_changes_nothing_is_listed(run: Run, file: Path) -> None:
    write_list(file, "# known\nforgotten | number | 7 -> 8\n    nobody calls\n    it\n")
    code, out, _ = run("--only", "forgotten", "--format", "json")
    data = json.loads(out)
    assert code == 0
    assert [(one["id"], one["reason"]) for one in data["listed"]] == [("forgotten | number | 7 -> 8", "nobody calls it")]
    assert "forgotten | number | 7 -> 8" not in survivors(out)


def test_a_list_that_is_wrong_is_a_finding(run: Run, file: Path) -> None:
    write_list(file, "take | statement | taken += 1 -> (left out)\n    it does not matter\nnowhere | number | 1 -> 2\n    gone\n")
    code, out, _ = run("--tests-only", "--recheck")
    assert code == 1
    assert 'listed, but test "a bead is taken" notices it: take | statement | taken += 1 -> (left out)' in out
    assert "listed, but there is no such mutant: nowhere | number | 1 -> 2" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forgotten | number | 7 -> 8\n", "has no reason"),
        ("    a reason\n", "counting.txt:1: a reason stands under"),
        ("forgotten\n    why\n", "counting.txt:1: this is no mutant"),
    ],
)
def test_a_list_that_cannot_be_read_is_told(run: Run, file: Path, text: str, message: str) -> None:
    write_list(file, text)
    code, _, err = run("--only", "forgotten")
    assert code == 2 and message in err


def test_too_few_noticed_is_a_finding(run: Run) -> None:
    assert run("--only", "take", "--tests-only", "--min-score", "100")[0] == 1
    assert run("--only", "take", "--tests-only", "--min-score", "10")[0] == 0


def test_kinds_and_samples_can_be_chosen(run: Run) -> None:
    _, out, _ = run("--operator", "comparison", "--list")
    assert out.endswith("1 mutants\n") or "comparison" in out
    assert all("  comparison: " in line for line in out.splitlines()[:-1])
    _, out, _ = run("--sample", "5", "--list")
    assert out.splitlines()[-1] == "5 mutants"
    code, _, err = run("--operator", "magic")
    assert code == 2 and "there is no kind of change `magic`" in err


def test_several_processes_say_the_same(run: Run) -> None:
    alone = json.loads(run("--only", "take", "--format", "json")[1])
    together = json.loads(run("--only", "take", "--format", "json", "--jobs", "2")[1])
    assert alone["mutants"] == together["mutants"]


def test_a_test_that_fails_without_a_change_is_told_first(run: Run, file: Path) -> None:
    file.write_text(COUNTING.replace("expect taken is 3", "expect taken is 4", 1), encoding="utf-8")
    code, _, err = run()
    assert code == 1 and "a test fails already without any change" in err and "this does not hold" in err


def test_a_random_game_that_goes_wrong_without_a_change_is_told_first(run: Run, file: Path) -> None:
    file.write_text(COUNTING.replace("taken <= 7", "taken <= 5"), encoding="utf-8")
    code, _, err = run()
    assert code == 1 and "the invariant “not too many” does not hold" in err and "already without any change" in err


def test_every_kind_of_change_is_explained(run: Run) -> None:
    _, out, _ = run("--kinds")
    assert "comparison    `<` becomes `<=`" in out and "visibility" in out
    assert all(line[14:].strip() for line in out.splitlines())


def test_the_documentation_lists_the_kinds(run: Run) -> None:
    page = (Path(__file__).parents[2] / "docs" / "testing.md").read_text(encoding="utf-8")
    _, out, _ = run("--kinds")
    for line in out.splitlines():
        name, _, what = line.partition("  ")
        assert f"| {name} | {what.strip()} |" in page


def test_an_ending_is_tried_by_the_tests_in_which_it_came(tmp_path: Path) -> None:
    path = tmp_path / "counting.cardgame"
    ending = 'ending enough when taken >= 3: "Enough"\n\ntest "three are enough":\n    when wait_for(3)\n    expect finished\n'
    path.write_text(COUNTING.replace("invariant", ending + "\ninvariant", 1), encoding="utf-8")
    library = Library()
    bench = Bench.of(library.open(path), library, games=0, seed=1)
    (mutant,) = (one for one in bench.mutants if one.id == "ending enough | comparison | taken >= 3 -> taken > 3")
    assert bench.judge(mutant).killed_by == 'test "three are enough"'
