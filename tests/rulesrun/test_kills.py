"""A process that is killed at any moment leaves every choice that was completed, in a file that is whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rulesrun.table_games import LUCK, write

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked")
@pytest.mark.parametrize(("name", "moments", "each"), [("luck", 180, 6), ("dread_draw", 20, 3)])
def test_nothing_is_lost_or_broken_by_a_kill(name: str, moments: int, each: int, tmp_path: Path) -> None:
    game = str(write(tmp_path, "luck", LUCK)) if name == "luck" else name
    run = [sys.executable, "-m", "tests.rulesrun.killing", game, str(tmp_path / "data"), str(moments), str(each)]
    result = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    kills = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(kills) == moments
    for kill in kills:
        assert kill["kept"] >= kill["made"], "a completed choice is lost"
        assert kill["files"] == (1 if kill["kept"] else 0)
        assert kill["same"], "what was kept is not what was played"
    again = [kill for number, kill in enumerate(kills, 1) if number % each == 0 and kill["kept"]]
    assert all(kill["resumed"] for kill in again), "the resumed game is not the uninterrupted one"
    assert max(kill["depth"] for kill in again) > 1, "some were killed in the middle of nested choices"
    assert len({kill["kept"] for kill in kills}) > 5
