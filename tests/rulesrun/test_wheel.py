"""The wheel, built and installed outside the checkout, plays the games that are in it.

Nothing is downloaded: the wheel is built with what is installed here, and the new environment borrows the packages it depends on."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAME = ["dread_draw", "--humans", "0", "--seed", "7"]

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling, which builds the wheel, is not installed"),
    pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="pip is not installed"),
]


def done(command: list[str | Path], folder: Path, code: int = 0) -> str:
    """What a command prints, run far from the checkout, and how it ends."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    run = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**clean, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == code, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    done([*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, ROOT], folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that has the wheel, and of this one only what the wheel depends on."""
    home = tmp_path_factory.mktemp("installed") / "env"
    venv.create(home)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    done([sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--no-deps", "--no-index", wheel], home)
    packages = Path(done([scripts / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], home).strip())
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")  # what is editable there is not seen
    return scripts


def test_games_and_modules_are_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("games", "stdlib"):
        shipped = {f"rulesrun/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / folder).rglob("*.cardgame")}
        assert shipped and shipped <= names
    assert {f"rulesrun/errors/{path.name}" for path in (ROOT / "docs" / "errors").glob("*.md")} <= names
    assert "dsl/grammar.lark" in names
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


def test_what_runs_is_what_was_installed(scripts: Path, tmp_path: Path) -> None:
    places = done([scripts / "python", "-c", "import rulesrun, dsl, interpreter; print(rulesrun.__file__, dsl.__file__)"], tmp_path)
    assert str(ROOT) not in places
    assert places.count(str(scripts.parent)) == 2


def test_it_plays_as_the_checkout_does(scripts: Path, tmp_path: Path) -> None:
    shown = done([scripts / "rulesrun", *GAME], tmp_path)
    assert "The game is over" in shown
    here = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from rulesrun.cli import main; main(sys.argv[1:])"
    assert shown == done([sys.executable, "-c", here, *GAME], tmp_path)


def test_it_lists_checks_and_tells(scripts: Path, tmp_path: Path) -> None:
    assert "dread_draw" in done([scripts / "rulesrun", "games"], tmp_path)
    assert "move compost to stock" in done([scripts / "rulesrun", "explain", "CG0203"], tmp_path)
    done([scripts / "rulesrun", "new", "my_game"], tmp_path)
    done([scripts / "rulesrun", "check", "my_game.cardgame"], tmp_path)
    done([scripts / "rulesrun", "test", "my_game.cardgame", "--games", "2"], tmp_path)
    assert "## Set-up" in done([scripts / "rulesrun", "rules", "draghjarter"], tmp_path)


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """The project in `examples/`, where it does not belong to this one."""
    keep_out = shutil.ignore_patterns(".*", "__pycache__")
    return shutil.copytree(ROOT / "examples" / "property_tests", tmp_path / "ferry", ignore=keep_out)


def test_a_project_that_has_it_installed_tests_its_own_game(scripts: Path, ferry: Path) -> None:
    """Nothing is configured for it: that rulesrun is installed is enough for pytest to know rules files."""
    shown = done([scripts / "python", "-m", "pytest", "-p", "no:cacheprovider", "-v"], ferry)
    for item in (
        "ferry.cardgame::what is too heavy stays ashore",
        "ferry.cardgame::random play [4 players]",
        "ferry.cardgame::every check [3 players]",
        "tests/test_ferry.py::test_all_freight_arrives",
        "tests/test_ferry.py::TestFerry::runTest",
    ):
        assert f"{item} PASSED" in shown
    assert re.search(r"^=+ 15 passed in ", shown, re.MULTILINE)


def test_its_readme_says_how_it_fails(scripts: Path, ferry: Path) -> None:
    rules = ferry / "ferry.cardgame"
    rules.write_text(rules.read_text("utf-8").replace(" where fits(c)", ""), "utf-8")
    shown = done([scripts / "python", "-m", "pytest", "-p", "no:cacheprovider", "-k", "random and 2-players"], ferry, code=1)
    told = re.findall(r"^```text\n(.*?)^```", (ferry / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(told) == 1 and told[0] in shown
