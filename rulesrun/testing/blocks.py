"""The `test` blocks of a file, in the compositions whose options they give."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast, parse
from dsl.diagnostics import Report
from dsl.source import Source
from interpreter import scenario
from interpreter.play import Rules
from interpreter.scenario import Outcome
from rulesrun.compositions import Compositions
from rulesrun.locate import Library


def is_module(source: Source) -> bool:
    file = parse.read(source, Report())
    return file is not None and isinstance(file.header, ast.ModuleHeader)


def run_tests(source: Source, library: Library) -> Iterator[Outcome]:
    """How the tests of a file went: of a game also those in files of tests beside it, of a variant only its own. Raises `RulesError` if the
    rules cannot be used."""
    yield from outcomes_of(Compositions.of(source, library))


def outcomes_of(compositions: Compositions) -> Iterator[Outcome]:
    for composed in compositions.tested():
        rules = Rules(composed.rules)
        for test in composed.tests:
            yield scenario.run(rules, test)


def overridden(source: Source) -> list[str]:
    """Names of the tests that a variant changes or removes."""
    file = parse.read(source, Report())
    found: list[str] = []
    for item in () if file is None else file.items:
        if isinstance(item, ast.Change) and isinstance(item.item, ast.Test):
            found.append(item.item.name.plain or "")
        elif isinstance(item, ast.Remove) and item.what == "test" and isinstance(item.name, ast.Text):
            found.append(item.name.plain or "")
    return found
