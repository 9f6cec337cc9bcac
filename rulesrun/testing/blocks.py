"""The `test` blocks of a file, in the compositions whose options they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import ast, parse
from dsl.diagnostics import Diagnostic, Report, RulesError
from dsl.source import Source
from interpreter import scenario
from interpreter.play import Rules
from interpreter.scenario import Outcome
from rulesrun.compositions import Compositions, same_test
from rulesrun.locate import Library, header_words
from rulesrun.testing.trials import Trouble


def is_module(source: Source) -> bool:
    if header_words(source.text)[:1] != ["module"]:
        return False
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


def fails_alike(source: Source, library: Library, lines: Sequence[str], trouble: Trouble) -> bool:
    """Does a test of these lines, at the end of this file, go wrong in this way?"""
    longer = Source(source.path, source.text + "\n".join(("", "", *lines, "")))
    try:
        compositions = Compositions.of(longer, library)
        rules = compositions.game({})
        test = next(t for t in rules.tests if t.span.source.path == source.path and t.span.start >= len(source.text))
        if test.options:
            rules = compositions.game(test.options)
        failure = scenario.run(Rules(rules), same_test(rules, test)).failure
    except RulesError:
        return False
    return failure is not None and same_trouble(failure, trouble)


def same_trouble(failure: Diagnostic, trouble: Trouble) -> bool:
    """Is this failure of a test what went wrong in a game?"""
    expected = "expect" in failure.span.source.line(failure.span.line)  # there stands the condition of a property
    if trouble.fault is not None:
        return failure.code == trouble.fault.code and (expected or failure.title == trouble.fault.title)
    if trouble.broken is not None and trouble.broken.kind in ("end", "eventually"):
        return expected
    return failure.title == trouble.title


def overridden(source: Source) -> list[str]:
    """Names of the tests that a variant changes or removes."""
    if header_words(source.text)[:1] != ["variant"]:
        return []
    file = parse.read(source, Report())
    found: list[str] = []
    for item in () if file is None else file.items:
        if isinstance(item, ast.Change) and isinstance(item.item, ast.Test):
            found.append(item.item.name.plain or "")
        elif isinstance(item, ast.Remove) and item.what == "test" and isinstance(item.name, ast.Text):
            found.append(item.name.plain or "")
    return found
