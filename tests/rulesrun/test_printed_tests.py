"""The test and the command that `rulesrun test` prints of a game that went wrong: they go wrong in the same way."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesrun
from rulesrun.cli import run
from rulesrun.testing.shrinking import shrink
from rulesrun.testing.trials import Play, Tester, Trial

Run = Callable[..., tuple[int, str]]

GAME = """\
game "Odd" for 2 players

kind Fruit: Apple "red apple", Plum

board Track:
    map:
        "..."
    steps right

card Bid(value: number)

zone deck:         hidden pile of Bid
zone hand[player]: private row of Bid
zone out:          open pile of Bid

cards Bid in deck:
    name     value
    "{n}"    n      for n in 1..12

var made = 0
var on = Track[1]
var fruit: Fruit = Plum

rule setup():
    shuffle deck
    deal 4 from deck to hand[p] for p in players
    SETUP

rule game():
    for p in players:
        GAME

define winners() = [p for p in players where made < 99 / out.size]
"""

ODD = {
    "a fault in setup": ("move out.top to deck", "made := 1", "", "CG10"),
    "a fault after the end": ("made := 1", "made += 1", "", "CG1014"),
    "a fault in a score": (
        "made := 1",
        'p chooses "c" c in hand[p]: move c to out',
        'scoring(p):\n    "x": 1 / (out.size - 2)',
        "CG1014",
    ),
    "a fault in a property at the end": (
        "made := 1",
        'p chooses "c" c in hand[p]: move c to out',
        'property "x" after game(): 1 / (decisions - 2) < 9',
        "CG1014",
    ),
    "choices in setup": (
        'seats.first chooses "first" c in hand[seats.first]: move c to out',
        'p chooses "c" c in hand[p]: move c to out',
        'invariant "x": out.size < 3',
        "“x” does not hold",
    ),
    "one choice of several after another": (
        "made := 1",
        'p chooses "two" 2 cs in hand[p]: move cs to out\n        p chooses "more" 0..2 ds in hand[p]: move ds to out',
        'invariant "x": out.size < 4',
        "“x” does not hold",
    ),
    "the same choice of several again": (
        "made := 1",
        'repeat 2:\n            p chooses "c" 1..2 cs in hand[p]: move cs to out\n        made += out.size',
        'invariant "x": made < 2',
        "“x” does not hold",
    ),
    "in the middle of a choice of several": (
        "made := 1",
        'p chooses "all" 4 cs in hand[p]: move cs to out',
        'property "x": never decisions > 2',
        "“x” does not hold",
    ),
    "names that are no values": (
        "made := 0",
        'p chooses "what" f in Fruit, s in Track:\n            fruit := f\n            on := s\n        made += 1',
        'invariant "x": made is 0',
        "“x” does not hold",
    ),
    "a card by its place": (
        "made := 1",
        'p chooses "whose" q in others(p), c in hand[q]: move c to out',
        'invariant "x": out.size < 2',
        "“x” does not hold",
    ),
}


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str]:
        code = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return call


def odd(tmp_path: Path, setup: str, game: str, more: str) -> Path:
    path = tmp_path / "odd.cardgame"
    path.write_text(f"{GAME.replace('SETUP', setup).replace('GAME', game)}\n{more}\n", "utf-8")
    return path


def printed(out: str) -> list[str]:
    """The lines of the test."""
    found = re.search(r"  as a test:\n((?:    .*\n)+)", out)
    assert found is not None, out
    return [line[4:] for line in found[1].splitlines()]


@pytest.mark.parametrize(("setup", "game", "more", "says"), ODD.values(), ids=list(ODD))
def test_what_is_printed_goes_wrong_alike(command: Run, tmp_path: Path, setup: str, game: str, more: str, says: str) -> None:
    path = odd(tmp_path, setup, game, more)
    code, out = command("test", path, "--seed", 1, "--games", 5)
    assert code == 1 and says in out, out
    again = re.search(r"  to see it again:\n    rulesrun (.*)\n", out)
    assert again is not None
    path.write_text(path.read_text("utf-8") + "\n" + "\n".join(printed(out)) + "\n", "utf-8")
    code, failed = command("test", path, "--games", 0)
    assert code == 1 and says in failed, failed
    code, shown = command(*shlex.split(again[1]))
    assert code == 1 and "fault of rulesrun" not in shown, shown


def test_no_test_is_printed_that_would_not_fail(command: Run, tmp_path: Path) -> None:
    menu = 'p chooses "which":\n            "Go": made += 0\n            "Go": made += 1'
    code, out = command("test", odd(tmp_path, "made := 0", menu, 'invariant "x": made is 0'), "--seed", 1)
    assert code == 1 and "as a test" not in out and "to see it again" in out


def test_a_number_is_no_place_in_a_list(command: Run, tmp_path: Path) -> None:
    choose = 'p chooses "where" s in Track: on := s'
    test = 'test "by number":\n    when game()\n    when P1 chooses 1\n    expect on is Track[1]\n    when P2 chooses Track[3]\n    expect on is Track[3]'
    code, out = command("test", odd(tmp_path, "made := 0", choose, test), "--games", 0)
    assert code == 0, out


def test_a_game_that_cannot_begin_does_not_end_the_command(command: Run, tmp_path: Path) -> None:
    first = odd(tmp_path, "move out.top to deck", "made := 1", "")
    second = first.with_name("second.cardgame")
    second.write_text(GAME.replace("SETUP", "made := 0").replace("GAME", "move hand[p] to out"), "utf-8")
    code, out = command("test", first, second, "--games", 1)
    assert code == 1 and "second.cardgame\n" in out and "1 random games" in out, out


def test_a_report_that_cannot_be_written_is_said(command: Run, tmp_path: Path) -> None:
    path = odd(tmp_path, "made := 0", "move hand[p] to out", "")
    code, out = command("test", path, "--games", 0, "--junit", tmp_path / "no" / "such.xml")
    assert code == 2 and "such.xml cannot be written: No such file or directory" in out


def test_with_coverage_the_data_stand_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = odd(tmp_path, "made := 0", "move hand[p] to out", "")
    assert run(["test", str(path), "--games", "1", "--format", "json", "--coverage"]) == 0
    captured = capsys.readouterr()
    assert captured.out.rstrip().endswith("}") and "Rule coverage" in captured.err


def test_a_loop_of_links_is_said(command: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.cardgame").symlink_to(tmp_path / "loop.cardgame")
    code, out = command("test", tmp_path / "loop.cardgame")
    assert code == 2 and "cannot be opened" in out


@pytest.mark.parametrize("wrong", [["--to", "4"], ["--game", "odd"]])
def test_replay_refuses_what_makes_no_sense(command: Run, tmp_path: Path, wrong: list[str]) -> None:
    path = odd(tmp_path, "made := 0", 'p chooses "c" c in hand[p]: move c to out', "")
    assert command("replay", path, "--choices", "0", *wrong)[0] == 2


def test_a_report_may_go_to_a_pipe(command: Run, tmp_path: Path) -> None:
    path, pipe = odd(tmp_path, "made := 0", "move hand[p] to out", ""), tmp_path / "pipe"
    os.mkfifo(pipe)
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)) as reader:
        assert command("test", path, "--games", 0, "--junit", pipe)[0] == 0
        assert "<testsuites>" in reader.read()
    assert pipe.is_fifo()


def test_a_long_game_is_not_played_again_for_every_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = 'repeat 100:\n            p chooses "how many" n in 1..3: made += n'
    game = rulesrun.load(odd(tmp_path, "made := 0", choose, 'invariant "x": made < 300')).for_tests
    tester = Tester(game.compiled)
    found = tester.at_random(2, 1)
    played = 0
    again = Tester.again

    def counted(self: Tester, one: Play) -> Trial:
        nonlocal played
        played += len(one.choices)
        return again(self, one)

    monkeypatch.setattr(Tester, "again", counted)
    assert found.trouble is not None
    shrink(tester, found.play, found.trouble, budget=1000)
    assert played < 2000
