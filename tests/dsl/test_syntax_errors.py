"""Syntax errors: the files of `tests/syntax_errors/` say in remarks which errors they have; a golden file shows how they look."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.codes import CODES
from dsl.diagnostics import Report
from dsl.parse import read, read_expression
from dsl.render import render
from dsl.source import Source

FOLDER = Path(__file__).parents[1] / "syntax_errors"
FILES = sorted(FOLDER.glob("*.cardgame"))
EXPECTATION = re.compile(r"#! (CG\d{4}) (?:(\d+):)?(\d+)")


def load(path: Path) -> Source:
    return Source(path.name, path.read_bytes().decode("utf-8"))


def expected(source: Source) -> list[tuple[int, int, str]]:
    found = []
    for number, line in enumerate(source.text.split("\n"), 1):
        found += [(int(row or number), int(column), code) for code, row, column in EXPECTATION.findall(line)]
    return sorted(found)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_errors_are_those_the_file_says(path: Path) -> None:
    source, report = load(path), Report()
    assert read(source, report) is None
    assert sorted((d.span.line, d.span.column, d.code) for d in report) == expected(source)


def test_every_syntax_error_has_a_file() -> None:
    shown = {code for path in FILES for code in EXPECTATION.findall(path.read_text(encoding="utf-8"))}
    bytes_that_are_no_text = "CG0140"  # whoever reads the file reports these
    assert {code for code, *_ in shown} == {code for code in CODES if code.startswith("CG01")} - {bytes_that_are_no_text}


def test_how_they_look(golden: Callable[[str, str], None]) -> None:
    parts = []
    for path in FILES:
        report = Report()
        read(load(path), report)
        parts.append(f"════ {path.name}\n\n" + "\n\n".join(render(d) for d in report) + "\n")
    golden("syntax_errors.txt", "\n".join(parts))


def test_no_message_shows_how_the_grammar_is_written() -> None:
    for path in FILES:
        report = Report()
        read(load(path), report)
        for d in report:
            said = f"{d.title} {d.label} {d.hint}"
            assert not re.search(r"\b(?!OPTION\b)[A-Z_]{3,}\b|_NL|\$END|Token\(", said.replace("U+", "")), said


@pytest.mark.parametrize("text", ["", "1 +", "= 3", "a = b", "f(", "a b", "x: number", "\n\n"])
def test_an_expression_alone_has_one_error(text: str) -> None:
    report = Report()
    assert read_expression(Source("t", text), report) is None
    assert len(report.errors) == 1
