"""The pytest plugin: rules files are collected like files of tests, and there are fixtures for games.

Whoever has rulesrun installed has it, in projects without a rules file, too; so nothing is imported here before it is needed.
`-p no:rulesrun` leaves it out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulesrun.api import Game, Match

SUFFIX = ".cardgame"
USUAL_GAMES = "3"
USUAL_SEED = "1"
LOADING = ("variants", "options", "preset")
STARTING = ("players", "seed", "chance")
MARKER = (
    "cardgame(game, *, variants, options, preset, players, seed, chance): the game that the fixture `cardgame` loads, a name or a path, and how `match` starts; "
    "what is collected from a rules file carries it, too"
)

loaded_games: pytest.StashKey[dict[str, Game]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("cardgame_files", "rules files that are collected, as in python_files", type="args", default=["*" + SUFFIX])
    parser.addini(
        "cardgame_games", "random games for each number of players of a collected rules file; 0 for none", default=USUAL_GAMES
    )
    parser.addini("cardgame_seed", "from which the seeds of random games are made", default=USUAL_SEED)
    parser.addini(
        "cardgame_suite", "check what must be true of every game, as rulesrun.check_game does", type="bool", default=False
    )
    group = parser.getgroup("rulesrun", "rules files (*.cardgame)")
    group.addoption("--cardgame-games", metavar="N", help="random games for each number of players, instead of cardgame_games")
    group.addoption("--cardgame-seed", metavar="N", help="from which the seeds of random games are made, instead of cardgame_seed")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    config.stash[loaded_games] = {}
    for name in ("cardgame_games", "cardgame_seed"):
        number_of(config, name)


def number_of(config: pytest.Config, name: str) -> int:
    """A number from the command line or the configuration. Raises `pytest.UsageError`."""
    text = config.getoption(name) or config.getini(name)
    if not str(text).isdecimal():
        raise pytest.UsageError(f"{name}: {text!r} is no whole number")
    return int(text)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != SUFFIX:
        return None
    patterns = parent.config.getini("cardgame_files")
    if not parent.session.isinitpath(file_path) and not any(matches(file_path, pattern) for pattern in patterns):
        return None
    from rulesrun.pytest_items import RulesFile

    return RulesFile.from_parent(parent, path=file_path)


def matches(path: Path, pattern: str) -> bool:
    """Without a slash the pattern is for the name of the file, with one for the end of its path."""
    return path.match(pattern)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """What the rules have to do with the failure of a test in Python: the line, and how to get there."""
    report: Any = yield
    if call.excinfo is not None and report.failed and "dsl.diagnostics" in sys.modules:
        from rulesrun.pytest_items import RulesItem, in_words

        told = None if isinstance(item, RulesItem) else in_words(call.excinfo.value, colours=False)
        if told is not None:
            report.sections.append(("rules", told))
    return report


# ── fixtures ──


@pytest.fixture
def load_cardgame(request: pytest.FixtureRequest) -> Callable[..., Game]:
    """`load_cardgame(game, variants=…, options=…, preset=…)` is a game as `rulesrun.load` has it. A path counts from the file of the test, or else from the
    root of the project. A game is loaded once in a run."""
    kept = request.config.stash[loaded_games]
    folders = (request.path.parent, request.config.rootpath)

    def load(game: str | Path, **wanted: Any) -> Game:
        import rulesrun

        name = str(game)
        for folder in folders:
            if isinstance(game, Path) or name.endswith(SUFFIX) or "/" in name:
                here = folder / name
                if here.is_file():
                    name = str(here)
                    break
        key = repr((name, sorted(wanted.items())))
        if key not in kept:
            kept[key] = rulesrun.load(name, **wanted)
        return kept[key]

    return load


@pytest.fixture
def cardgame(request: pytest.FixtureRequest, load_cardgame: Callable[..., Game]) -> Game:
    """The game that the test, its class or its module is marked with: `@pytest.mark.cardgame("my.cardgame", options={…})`."""
    marked = wishes(request.node)
    if "game" not in marked:
        pytest.fail('which game? mark the test, or in its module: pytestmark = pytest.mark.cardgame("my.cardgame")', pytrace=False)
    return load_cardgame(marked["game"], **{name: marked[name] for name in LOADING if name in marked})


@pytest.fixture
def match(request: pytest.FixtureRequest, cardgame: Game) -> Match:
    """A match of the marked game, just started: `@pytest.mark.cardgame(players=3, seed=7)`. Without a seed it is 0."""
    marked = wishes(request.node)
    return cardgame.start(**{"seed": 0, **{name: marked[name] for name in STARTING if name in marked}})


def wishes(node: Any) -> dict[str, Any]:
    """What the markers say, those that are nearest to the test first."""
    wanted: dict[str, Any] = {}
    for mark in node.iter_markers("cardgame"):
        said = {**({"game": mark.args[0]} if mark.args else {}), **mark.kwargs}
        unknown = [name for name in said if name not in ("game", *LOADING, *STARTING)]
        if unknown or len(mark.args) > 1:
            pytest.fail(f"the marker `cardgame` is written {MARKER.partition(':')[0]}", pytrace=False)
        wanted = {**said, **wanted}
    return wanted
