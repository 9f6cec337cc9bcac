"""Warnings: the files of `tests/lints/` say in remarks which they get; a golden file shows how they look."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from shelf import Shelf

from dsl import pipeline
from dsl.codes import CODES
from dsl.diagnostics import Report, Severity
from dsl.render import render

FOLDER = Path(__file__).parents[1] / "lints"
FILES = sorted(FOLDER.glob("*.cardgame"))
EXPECTATION = re.compile(r"#! (CG\d{4}) (\d+)")


def findings(path: Path) -> Report:
    shelf = Shelf(**{path.stem: path.read_text("utf-8")})
    return pipeline.check(shelf[path.stem], shelf)


def expected(path: Path) -> list[tuple[int, int, str]]:
    lines = enumerate(path.read_text("utf-8").split("\n"), 1)
    return sorted((number, int(column), code) for number, line in lines for code, column in EXPECTATION.findall(line))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_warnings_are_those_the_file_says(path: Path) -> None:
    found = findings(path)
    assert sorted((d.span.line, d.span.column, d.code) for d in found) == expected(path)
    assert {d.severity for d in found} == {Severity.WARNING}


def test_every_warning_is_shown() -> None:
    shown = {code for path in FILES for *_, code in expected(path)}
    assert shown == {code for code in CODES if code.startswith("CG09")}


def test_how_they_look(golden: Callable[[str, str], None]) -> None:
    golden(
        "lints.txt", "\n\n".join(f"════ {path.name}\n\n" + "\n\n".join(render(d) for d in findings(path)) for path in FILES) + "\n"
    )
