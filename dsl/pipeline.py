"""From the text of a game to checked rules: read → compose → check → flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl import ast, scenarios
from dsl.check import check as check_rules
from dsl.compose import Composition, compose
from dsl.composition import Lookup, Value
from dsl.diagnostics import Report
from dsl.flow import check_flow
from dsl.lints import lint
from dsl.model import Game
from dsl.source import Source
from dsl.uses import Reader


def load(
    game: Source,
    lookup: Lookup,
    variants: Sequence[Source] = (),
    options: Mapping[str, object] | None = None,
    report: Report | None = None,
    preset: str | None = None,
    reader: Reader | None = None,
) -> Game:
    """The checked rules of a game with variants (the last named on top), a preset and options, ready to be played.

    Raises `RulesError` with all findings if there is an error; warnings are in `report`. `reader` keeps files that have been read."""
    report = Report() if report is None else report
    reader = reader or Reader(lookup, report)
    _, rules = _one(game, variants, options or {}, reader, report, preset)
    report.raise_errors()
    assert rules is not None, "without errors there are rules"
    return rules


def check(source: Source, lookup: Lookup) -> Report:
    """All findings about a file: a game as it is, with each `when` block and each pair of them, and under the options of its
    tests; a variant likewise, over its base; a module by itself. Warnings are about this file only; errors also about those it
    needs."""
    return scenarios.check_all(source, lookup, _one)


def composed(
    game: Source,
    lookup: Lookup,
    variants: Sequence[Source] = (),
    options: Mapping[str, object] | None = None,
    reader: Reader | None = None,
) -> Composition:
    """A game as composing makes it, before it is checked: which `when` blocks are in force. Raises `RulesError`."""
    report = Report()
    composition = compose(game, list(variants), options or {}, lookup, report, reader or Reader(lookup, report))
    report.raise_errors()
    assert composition is not None, "without errors there is a composition"
    return composition


def ways(source: Source, lookup: Lookup) -> list[tuple[ast.WhenBlock, dict[str, Value]]]:
    """Of each `when` block of a file the values of options that turn it on, or off if it is on as it is. Raises `RulesError` for a
    file that cannot be read."""
    return scenarios.ways(source, lookup, _one)


def _one(
    game: Source,
    variants: Sequence[Source],
    options: Mapping[str, object],
    reader: Reader,
    report: Report,
    preset: str | None = None,
) -> tuple[Composition | None, Game | None]:
    """One composition, checked."""
    try:
        composition = compose(game, list(variants), options, reader.lookup, report, reader, preset)
        if composition is None:
            return None, None
        rules = check_rules(composition, report)
        if rules is not None:
            check_flow(rules, report)
            lint(rules, report)
        return composition, rules
    except RecursionError:
        scenarios.too_deep(game, report)
        return None, None
