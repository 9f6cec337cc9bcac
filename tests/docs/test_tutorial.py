"""The tutorial: each step is a game that checks, passes its tests and plays; what is shown of it is in it; every command works.

A piece of a step's file stands between `~~~cardgame` and `~~~`, under the name of the file (`01_one_card.cardgame`). Commands stand in
blocks of the language `sh`; those with their output, `console`, are played by `test_sessions.py`.
"""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

import rulesrun
from rulesrun.checking import check_file
from rulesrun.cli import run
from rulesrun.locate import Library
from rulesrun.testing import run_tests

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
FOLDER = ROOT / "examples" / "tutorial"
STEPS = sorted(FOLDER.glob("[0-9]*.cardgame"))
SECTION = re.compile(r"^## (?=\d+\. |From |Where )", re.MULTILINE)
PIECE = re.compile(r"^~~~cardgame\n(.*?)^~~~$", re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def lines(text: str) -> str:
    """A text without what only lines columns up."""
    return "".join(re.sub(r"(?<=\S) +", " ", line) + "\n" for line in text.splitlines() if line.strip())


def pieces() -> list[tuple[str, str]]:
    """Each piece of a file with the file it is from."""
    found, name = [], ""
    for section in SECTION.split(TEXT):
        named = re.match(r"[^\n]*\n+`(\d\d_\w+\.cardgame)` – ", section)
        name = named[1] if named else name
        found += [(name, piece) for piece in PIECE.findall(section)]
    return found


def test_there_are_ten_steps_and_each_has_a_section() -> None:
    assert [step.name[:2] for step in STEPS] == [f"{n:02}" for n in range(1, 11)]
    assert re.findall(r"^`(\d\d_\w+\.cardgame)` – ", TEXT, re.MULTILINE) == [step.name for step in STEPS]


@pytest.mark.parametrize("name, piece", [pytest.param(*p, id=f"{p[0]}-{i}") for i, p in enumerate(pieces())])
def test_what_is_shown_is_in_the_file(name: str, piece: str) -> None:
    name = "09_an_option.cardgame" if piece.startswith('test "rescue') else name
    assert lines(piece) in lines((FOLDER / name).read_text("utf-8"))


def test_the_first_step_is_shown_whole() -> None:
    name, piece = pieces()[0]
    assert lines(piece) == lines((FOLDER / name).read_text("utf-8"))


def test_the_finished_game_is_the_ninth_step() -> None:
    assert (FOLDER / "pearls.cardgame").read_text("utf-8") == STEPS[8].read_text("utf-8")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.stem)
def test_a_step_checks_passes_and_plays(step: Path) -> None:
    library = Library()
    source = library.open(step)
    assert check_file(library, source) == []
    game = rulesrun.load(str(step))
    assert all(outcome.passed for outcome in run_tests(source, library))
    for players in game.players:
        assert game.playout(players, seed=7).result is not None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    program, *arguments = shlex.split(command)
    assert program == "rulesrun"
    assert run(arguments) == 0
