"""Games that the tests of this folder sit down to."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun
from tests.rulesrun.table_games import DUEL, PICKS, SECRET, write


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="session")
def duel(folder: Path) -> rulesrun.Game:
    return rulesrun.load(write(folder, "duel", DUEL))


@pytest.fixture(scope="session")
def picks(folder: Path) -> rulesrun.Game:
    return rulesrun.load(write(folder, "picks", PICKS))


@pytest.fixture(scope="session")
def secret(folder: Path) -> rulesrun.Game:
    return rulesrun.load(write(folder, "secret", SECRET))


@pytest.fixture(scope="session")
def dread() -> rulesrun.Game:
    return rulesrun.load("dread_draw")
