"""Variants that cannot be: each file of `wrong/` says in a remark which error it has. All errors name both files, with their lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.codes import CODES
from dsl.diagnostics import Diagnostic, RulesError
from dsl.render import render
from dsl.source import Source
from rulesrun.api import load_source
from rulesrun.locate import Library

FOLDER = Path(__file__).parent / "wrong"
BASE = "harvest"
FINE = "bigger"
"""not wrong by itself: what another collides with"""
WRONG = sorted(path.stem for path in FOLDER.glob("*.cardgame") if path.stem not in (BASE, FINE))
MARK = re.compile(r"#! (CG\d{4})")


def source(name: str) -> Source:
    return Source(f"{name}.cardgame", (FOLDER / f"{name}.cardgame").read_text(encoding="utf-8"))


class Shelf(Library):
    """The files of the folder, without their folder, so that the golden file does not depend on it."""

    def find_variant(self, base: Source, name: str) -> Source:
        return source(name)


def error_of(name: str) -> Diagnostic:
    """The one error of the base with a wrong variant, and where it collides, with another."""
    variants = [FINE, name] if name == "smaller" else [name]
    with pytest.raises(RulesError) as raised:
        load_source(source(BASE), Shelf(), variants, {})
    [error] = [finding for finding in raised.value.diagnostics if finding.severity.name == "ERROR"]
    return error


@pytest.mark.parametrize("name", WRONG)
def test_the_error_is_that_of_the_file_and_names_both_files(name: str) -> None:
    error = error_of(name)
    [(line, code)] = [(n, m[1]) for n, text in enumerate(source(name).text.split("\n"), 1) if (m := MARK.search(text))]
    assert (error.code, error.span.source.id, error.span.line) == (code, name, line)
    elsewhere = [other.span for other in error.others if other.span.source.id != name]
    assert elsewhere
    text = render(error)
    assert f"{name}.cardgame:{line}:" in text
    assert any(f"{span.source.path}:{span.line}" in text for span in elsewhere), text


def test_each_has_an_error_of_its_own() -> None:
    codes = [error_of(name).code for name in WRONG]
    assert len(set(codes)) == len(codes) >= 12
    assert set(codes) <= set(CODES)


def test_how_they_look(golden: Callable[[str, str], None]) -> None:
    golden("wrong_variants.txt", "\n\n".join(f"════ {name}\n\n{render(error_of(name))}" for name in WRONG) + "\n")
