"""What checking finds: the files of `tests/errors/` say in remarks which findings they have; a golden file shows how they look."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.check import check
from dsl.codes import CODES
from dsl.compose import compose
from dsl.diagnostics import Report
from dsl.render import render
from dsl.source import Source

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "errors"
FILES = sorted(FOLDER.glob("*.cardgame"))
CHECKING = [*(ROOT / "dsl" / "check").glob("*.py"), ROOT / "dsl" / "boards.py", ROOT / "dsl" / "steps.py"]
EXPECTATION = re.compile(r"(CG\d{4}) (\d+)")


class Library:
    """The modules that ship with the language."""

    def game(self, name: str, asking: Source | None) -> Source | None:
        return None

    def module(self, name: str, asking: Source | None) -> Source | None:
        path = ROOT / "stdlib" / f"{name}.cardgame"
        return Source(path.name, path.read_text(encoding="utf-8")) if path.exists() else None

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return None


def findings(path: Path) -> Report:
    report = Report()
    composition = compose(Source(path.name, path.read_text(encoding="utf-8")), [], {}, Library(), report)
    assert composition is not None
    assert check(composition, report) is None
    return report


def expected(path: Path) -> list[tuple[int, int, str]]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        _, mark, marks = line.partition("#! ")
        found += [(number, int(column), code) for code, column in EXPECTATION.findall(marks) if mark]
    return sorted(found)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_findings_are_those_the_file_says(path: Path) -> None:
    assert sorted((d.span.line, d.span.column, d.code) for d in findings(path)) == expected(path)


def test_every_code_of_the_checker_has_a_file() -> None:
    shown = {code for path in FILES for _, _, code in expected(path)}
    written = {code for path in CHECKING for code in re.findall(r'"(CG\d{4})"', path.read_text())}
    assert written <= set(CODES)
    assert written - shown == set()


def test_findings_come_in_the_order_of_the_text() -> None:
    found = [d.span.start for d in findings(FOLDER / "types.cardgame")]
    assert found == sorted(found)


def test_how_they_look(golden: Callable[[str, str], None]) -> None:
    parts = []
    for path in FILES:
        parts.append(f"════ {path.name}\n\n" + "\n\n".join(render(d) for d in findings(path)) + "\n")
    golden("check_errors.txt", "\n".join(parts))
