"""Checking a file in all the ways it can be composed: as it is, with each `when` block, with each two, under each preset, for each
test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from attrs import define, evolve, field, frozen

from dsl import ast
from dsl.composition import Composition, Lookup, PresetValues, Value
from dsl.conditions import Kinds
from dsl.diagnostics import Diagnostic, Label, Report, RulesError, Severity
from dsl.model import Game, Test
from dsl.source import Source, Span
from dsl.switches import Switch
from dsl.unused import find_unused
from dsl.uses import Reader

MOST_PAIRS = 100

One = Callable[[Source, Sequence[Source], Mapping[str, object], Reader, Report], tuple[Composition | None, Game | None]]


def check_all(source: Source, lookup: Lookup, one: One) -> Report:
    """The findings of all scenarios, in the order of the text."""
    report = Report()
    try:
        _check(source, Reader(lookup, report), one, report)
    except RulesError as broken:  # a file that the lookup cannot read
        for finding in broken.diagnostics:
            report.add(finding)
    except RecursionError:
        too_deep(source, report)
    final = Report()
    for finding in sorted(report, key=lambda d: (d.span.source.path != source.path, d.span.source.path, d.span.start)):
        if finding.severity is Severity.ERROR or finding.span.source.path == source.path:
            final.add(finding)
    return final


def ways(source: Source, lookup: Lookup, one: One) -> list[tuple[ast.WhenBlock, dict[str, Value]]]:
    """Of each `when` block of a file that has no errors the values of options that turn it on, or off if it is on as it is.
    Nothing for a module."""
    report = Report()
    reader = Reader(lookup, report)
    file = reader.read(source)
    if file is None or isinstance(file.header, ast.ModuleHeader):
        return []
    base, variants = source, []
    if isinstance(file.header, ast.VariantHeader):
        found = reader.lookup.game(file.header.base.id, source)
        if found is None:
            return []
        base, variants = found, [source]
    run = _Run(base, variants, source, reader, one, report)
    composition, _ = run.run({}, report)
    return [] if composition is None else [(way.block, way.options) for way in run.blocks(file.items, composition, {})]


def too_deep(source: Source, report: Report) -> None:
    report.error("CG0128", "this file is nested too deeply", Span(source, 0, min(1, len(source.text))), hint="give parts a name")


def _check(source: Source, reader: Reader, one: One, report: Report) -> None:
    file = reader.read(source)
    if file is None:
        return
    base, variants = source, []
    if isinstance(file.header, ast.VariantHeader | ast.TestsHeader):
        found = reader.lookup.game(file.header.base.id, source)
        if found is None:
            report.error(
                "CG0645", f"there is no game `{file.header.base.id}`", file.header.base.span, "what builds on it cannot be checked"
            )
            return
        base, variants = found, [source]
    run = _Run(base, variants, source, reader, one, report)
    run.everything(file)
    if not report.errors:
        find_unused(file, report)


@frozen(eq=False)
class _Scenario:
    """Option values under which a block is in force (or, if it is so by default, is not)."""

    block: ast.WhenBlock
    options: dict[str, Value]


@define(eq=False)
class _Run:
    base: Source
    variants: list[Source]
    checked: Source
    reader: Reader
    one: One
    report: Report
    _seen: set[tuple[tuple[str, object], ...]] = field(factory=set)
    _tests: dict[tuple[int, int], Test] = field(factory=dict)

    def everything(self, file: ast.File) -> None:
        composition, game = self.run({}, self.report)
        if composition is None:
            return
        if game is None and self.report.errors:
            return  # the same again under other options would only repeat it
        scenarios = list(self.blocks(file.items, composition, {}))
        for one, two in list(combinations(scenarios, 2))[:MOST_PAIRS]:
            options = {**one.options, **two.options}
            if one.options.items() <= options.items():
                self.noted(options, [one.block, two.block], "with these blocks in force")
        for preset in composition.presets:
            if preset.values:
                self.noted(dict(preset.values), [preset], "under this preset")
        for test in list(self._tests.values()):
            if test.options and test.span.source.path == self.checked.path:
                self.noted(dict(test.options), [test.source], "under the options of this test")

    def run(self, options: Mapping[str, object], report: Report) -> tuple[Composition | None, Game | None]:
        self._seen.add(tuple(sorted(options.items())))
        composition, game = self.one(self.base, self.variants, options, self.reader, report)
        for test in game.tests if game is not None else ():
            self._tests.setdefault((id(test.source), test.case), test)
        return composition, game

    def noted(
        self, options: Mapping[str, object], causes: Sequence[ast.WhenBlock | ast.Test | PresetValues], note: str
    ) -> Composition | None:
        """Run a scenario unless it was run; new findings say what brought it about."""
        if tuple(sorted(options.items())) in self._seen:
            return None
        report = Report()
        composition, _ = self.run(options, report)
        spans = [_place(cause) for cause in causes]
        known = {(d.code, d.span.source.path, d.span.start) for d in self.report}
        for finding in report:
            if (finding.code, finding.span.source.path, finding.span.start) not in known:
                self.report.add(_with_note(finding, spans, note))
        return composition

    def blocks(self, items: Sequence[ast.Item], composition: Composition, around: dict[str, Value]) -> Iterator[_Scenario]:
        """A scenario for each block among the items that can be switched, each checked; nested ones inside the block's own."""
        for block in items:
            if not isinstance(block, ast.WhenBlock):
                continue
            in_force = any(b is block for b in composition.blocks)
            switch = Switch(_kinds(composition), composition.options, block, self.file_of(composition))
            options, complete = switch.find(not in_force, around)
            if options is None:
                if complete and not in_force:
                    self.report.warn(
                        "CG0911", "this block is never in force", block.condition.span, "no values of the options make this true"
                    )
                inner: Composition | None = composition if in_force else None
            else:
                note = "without this block" if in_force else "with this block in force"
                inner = self.noted(options, [block], note)
                yield _Scenario(block, options)
            if in_force:
                yield from self.blocks(block.items, composition, around)
            elif inner is not None:
                yield from self.blocks(block.items, inner, options or around)

    def file_of(self, composition: Composition) -> ast.File:
        return next(file for file in composition.files if file.source.path == self.checked.path)


def _place(cause: ast.WhenBlock | ast.Test | PresetValues) -> Span:
    if isinstance(cause, PresetValues):
        return cause.span
    return cause.condition.span if isinstance(cause, ast.WhenBlock) else cause.name.span


def _with_note(finding: Diagnostic, spans: list[Span], note: str) -> Diagnostic:
    labels = tuple(Label(span, note) for span in spans if span != finding.span)
    return evolve(finding, others=finding.others + labels)


def _kinds(composition: Composition) -> Kinds:
    kinds = Kinds(composition.visible)
    for placed in composition.items:
        if isinstance(placed.item, ast.Kind):
            kinds.declare(placed.item, placed.home)
    return kinds
