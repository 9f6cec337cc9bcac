"""What must hold of every game and variant in the project. A file added to `games/`, `examples/` or `benchmarks/` is found by itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import rulesrun
from dsl.render import render
from rulesrun.api import load_source
from rulesrun.checking import check_file
from rulesrun.locate import Library, files_in
from rulesrun.suite import whole_suite
from rulesrun.testing import is_module, run_tests

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for folder in ("games", "examples", "benchmarks", "stdlib") for path in files_in(ROOT / folder)]
PLAYED = [path for path in FILES if path.parent.name != "stdlib"]


def called(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def loaded(path: Path) -> rulesrun.Game:
    return rulesrun.load(path)


def counts() -> list[tuple[Path, int]]:
    return [(path, players) for path in PLAYED if not is_module(Library().open(path)) for players in loaded(path).players]


@pytest.mark.parametrize("path", FILES, ids=called)
def test_nothing_is_found_in_it(path: Path) -> None:
    library = Library()
    assert [render(finding) for finding in check_file(library, library.open(path))] == []


@pytest.mark.parametrize("path", PLAYED, ids=called)
def test_its_tests_pass(path: Path) -> None:
    library = Library()
    source = library.open(path)
    outcomes = run_tests(source, library, load_source(source, library, [], {}))
    assert [f"{o.test}\n{render(o.failure)}" for o in outcomes if o.failure is not None] == []


@pytest.mark.parametrize("path, players", counts(), ids=lambda value: called(value) if isinstance(value, Path) else str(value))
def test_it_plays_as_every_game_must(path: Path, players: int) -> None:
    for seed in (1, 2):
        whole_suite(loaded(path), players, seed, every=17)
