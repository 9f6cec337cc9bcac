"""The modules of the standard library, by the small games beside this file: each uses a module and tests what is in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import rulesrun
from dsl import ast, parse
from dsl.diagnostics import Report
from dsl.render import render
from dsl.source import Source
from rulesrun.checking import check_file
from rulesrun.locate import Library, files_in, shipped
from rulesrun.testing import run_tests

GAMES = sorted(Path(__file__).parent.glob("*.cardgame"))
MODULES = files_in(shipped("stdlib"))


@cache
def read(path: Path) -> ast.File:
    file = parse.read(Source(path.name, path.read_text(encoding="utf-8")), Report())
    assert file is not None
    return file


def uses(path: Path) -> set[str]:
    return {item.module.id for item in read(path).items if isinstance(item, ast.Use)}


def called(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", [*MODULES, *GAMES], ids=called)
def test_nothing_is_found_in_it(path: Path) -> None:
    library = Library()
    assert [render(finding) for finding in check_file(library, library.open(path))] == []


@pytest.mark.parametrize("path", GAMES, ids=called)
def test_its_tests_pass(path: Path) -> None:
    library = Library()
    source = library.open(path)
    outcomes = list(run_tests(source, library))
    assert outcomes
    assert [f"{o.test}\n{render(o.failure)}" for o in outcomes if o.failure is not None] == []


@pytest.mark.parametrize("path", GAMES, ids=called)
def test_it_plays_as_every_game_must(path: Path) -> None:
    rulesrun.check_game(path)


@pytest.mark.parametrize("path", MODULES, ids=called)
def test_everything_in_a_module_is_explained(path: Path) -> None:
    file = read(path)
    named = [i for i in file.items if isinstance(i, ast.Define | ast.Rule | ast.Var | ast.Zone | ast.Kind)]
    assert file.doc and [item.name.id for item in named if not item.doc] == []


@pytest.mark.parametrize("path", MODULES, ids=called)
def test_everything_in_a_module_is_tested(path: Path) -> None:
    """Each define and rule is named in the tests of a game that uses the module."""
    names = {item.name.id for item in read(path).items if isinstance(item, ast.Define | ast.Rule)}
    texts = [game.read_text(encoding="utf-8") for game in GAMES if path.stem in uses(game)]
    assert texts, f"no game in tests/stdlib uses {path.stem}"
    tested = {word for text in texts for word in re.findall(r"\w+", text.partition("\ntest ")[2])}
    assert names - tested == set()
