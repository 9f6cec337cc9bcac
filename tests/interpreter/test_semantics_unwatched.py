"""The `test` blocks of `semantics/` again, in code that nobody watches: what bots and simulations play is made quicker in other ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dsl.render import render
from interpreter import scenario
from interpreter.compile import Code
from interpreter.play import Rules
from interpreter.program import Program
from interpreter.state import State
from rulesrun.locate import Library
from rulesrun.testing import run_tests

FILES = sorted((Path(__file__).parent / "semantics").glob("*.cardgame"))


class Blind:
    """An observer that takes no notice."""

    log: tuple[()] = ()

    @classmethod
    def of(cls, program: Program) -> Blind:
        return cls()

    def look(self, state: State) -> None:
        pass

    def note(self, state: State, kind: str, *data: Any) -> None:
        pass


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_reference_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []
    watched = Rules.code

    def unwatched(rules: Rules, players: int, observed: bool = False) -> Code:
        made.append(observed)
        return watched(rules, players, False)

    monkeypatch.setattr(Rules, "code", unwatched)
    monkeypatch.setattr(scenario, "Witness", Blind)
    library = Library()
    source = library.open(path)
    outcomes = list(run_tests(source, library))
    assert outcomes and any(made)
    assert [f"{o.test}\n{render(o.failure)}" for o in outcomes if o.failure is not None] == []
