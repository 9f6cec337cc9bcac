"""The lists of changes that nobody could notice, beside the games: they name changes that there are, and not too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.compositions import Compositions
from rulesrun.locate import Library
from rulesrun.mutation.bench import mutants_of
from rulesrun.mutation.listed import listed_beside

LISTS = sorted((Path(__file__).parents[2] / "games" / "mutants").glob("*.txt"))
MOST = 10
"""percent of all changes"""


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_what_is_listed_can_be_changed(path: Path) -> None:
    library = Library()
    source = library.open(path.parent.parent / f"{path.stem}.cardgame")
    ids = [mutant.id for mutant in mutants_of(Compositions.of(source, library).tested(), source.path)]
    reasons = listed_beside(source).reasons
    assert reasons and set(reasons) <= set(ids)
    assert 100 * len(reasons) <= MOST * len(ids)
