"""What `docs/testing.md` shows of a game that goes wrong is what the tool prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesrun.cli import run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "testing.md").read_text("utf-8")
GAME = re.compile(r"^```cardgame\n(game \"Bank\".*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^```text\n(the invariant .*?)^```$", re.MULTILINE | re.DOTALL)
FORGOTTEN = " where coins[q] > 0"


def test_the_hole_of_the_page_is_found_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game, shown = GAME.search(PAGE), SHOWN.search(PAGE)
    assert game is not None and shown is not None and FORGOTTEN in game[1]
    monkeypatch.chdir(tmp_path)
    Path("bank.cardgame").write_text(game[1], "utf-8")
    assert run(["test", "bank.cardgame", "--seed", "1"]) == 0
    Path("bank.cardgame").write_text(game[1].replace(FORGOTTEN, ""), "utf-8")
    capsys.readouterr()
    assert run(["test", "bank.cardgame", "--seed", "1"]) == 1
    assert capsys.readouterr().out.endswith(shown[1])
