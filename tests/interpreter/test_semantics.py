"""The delicate sentences of the reference, as `test` blocks in `semantics/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.render import render
from rulesrun.locate import Library
from rulesrun.testing import run_tests

FILES = sorted((Path(__file__).parent / "semantics").glob("*.cardgame"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_reference_says(path: Path) -> None:
    library = Library()
    source = library.open(path)
    outcomes = list(run_tests(source, library))
    assert outcomes
    assert [f"{o.test}\n{render(o.failure)}" for o in outcomes if o.failure is not None] == []
