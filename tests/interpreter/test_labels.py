"""What options are called that read alike."""

from __future__ import annotations

from pathlib import Path

import rulesrun

GAME = """game "Heap" for 1 players

card Stone(size: number)

zone heap: open pile of Stone
zone row:  open row of Stone
zone kept: open set of Stone

cards Stone in heap:
    name     size  copies
    "Flint"  1     3
    "Slate"  2     2
    "Chalk"  3     1

rule setup(): end setup

rule game():
    move heap.top to row
    players.first chooses "a stone" c in Stone: move c to kept

define winners() = players
"""


def test_zone_and_place_are_told_once(tmp_path: Path) -> None:
    file = tmp_path / "heap.cardgame"
    file.write_text(GAME, "utf-8")
    decision = rulesrun.load(str(file)).start(1, 0).decision
    assert decision is not None
    assert [option.text for option in decision.options] == [
        "Flint (row)",
        "Flint (heap 1)",
        "Flint (heap 2)",
        "Slate (heap 3)",
        "Slate (heap 4)",
        "Chalk",
    ]
