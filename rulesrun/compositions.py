"""One rules file in all the compositions its tests run under, each made once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import Factory, define, frozen

from dsl import model, pipeline
from dsl.composition import Composition
from dsl.diagnostics import Report
from dsl.grammar import grammar
from dsl.source import Source
from dsl.uses import Reader
from rulesrun.api import base_of
from rulesrun.locate import Library, cache_folder


@frozen(eq=False)
class Composed:
    """A game under some options, with the tests that run under them."""

    options: Mapping[str, object]
    rules: model.Game
    tests: list[model.Test]


@define
class Compositions:
    """Makes games of a file; files are read once. `source` may be a game or a variant, which is then laid over its base."""

    source: Source
    library: Library
    base: Source
    variants: list[Source]
    reader: Reader = Factory(lambda self: Reader(self.library, Report()), takes_self=True)

    @staticmethod
    def of(source: Source, library: Library) -> Compositions:
        """Raises `RulesError` if the file cannot be read."""
        grammar(cache_folder())
        base, variants = base_of(source, library)
        return Compositions(source, library, base, variants)

    def game(self, options: Mapping[str, object]) -> model.Game:
        """A game that nobody else uses, with what belongs to its tests. Raises `RulesError`."""
        made = pipeline.load(self.base, self.library, self.variants, options, self.reader.report, reader=self.reader)
        return made.for_tests()

    def composed(self, options: Mapping[str, object]) -> Composition:
        """The game before it is checked. Raises `RulesError`."""
        return pipeline.composed(self.base, self.library, self.variants, options, self.reader)

    def own_tests(self, rules: model.Game) -> list[model.Test]:
        """Those that are run when this file is tested."""
        return [test for test in rules.tests if not self.variants or test.span.source.id == self.source.id]

    def tested(self) -> Iterator[Composed]:
        """The game as it is, then under the options of its tests, each with its tests: those of the file, not those of a variant's
        base. Raises `RulesError`."""
        first = self.game({})
        by_options: dict[str, tuple[Mapping[str, object], list[model.Test]]] = {key_of({}): ({}, [])}
        for test in self.own_tests(first):
            by_options.setdefault(key_of(test.options), (test.options, []))[1].append(test)
        for options, tests in by_options.values():
            rules = self.game(options) if options else first
            yield Composed(options, rules, [same_test(rules, test) for test in tests])


def key_of(options: Mapping[str, object]) -> str:
    return repr(sorted(options.items()))


def same_test(rules: model.Game, test: model.Test) -> model.Test:
    """The test in another composition of its game, where its lines have been checked."""
    place = (test.span.source.id, test.span.start, test.case)
    return next(other for other in rules.tests if (other.span.source.id, other.span.start, other.case) == place)
