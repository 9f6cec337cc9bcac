"""One rules file in all the compositions its tests run under, each made once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import Factory, define, frozen

from dsl import ast, model, parse, pipeline
from dsl.composition import Composition
from dsl.diagnostics import Report
from dsl.grammar import grammar
from dsl.source import Source
from dsl.uses import Reader
from rulesrun.api import base_of
from rulesrun.locate import Library, cache_folder, header_words


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
    """what lies over the base: a variant, or files of tests"""
    only_own: bool = False
    """only the tests of this very file are wanted"""

    reader: Reader = Factory(lambda self: Reader(self.library, Report()), takes_self=True)

    @property
    def varies(self) -> bool:
        """Is the file a variant?"""
        return self.source is not self.base and not self.only_own

    @staticmethod
    def of(source: Source, library: Library) -> Compositions:
        """Raises `RulesError` if the file cannot be read."""
        grammar(cache_folder())
        base, variants = base_of(source, library)
        only_own = is_tests(source)
        if not variants:
            variants = library.tests_beside(base)
        return Compositions(source, library, base, variants, only_own)

    def game(self, options: Mapping[str, object]) -> model.Game:
        """A game that nobody else uses, with what belongs to its tests. Raises `RulesError`."""
        made = pipeline.load(self.base, self.library, self.variants, options, self.reader.report, reader=self.reader)
        return made.for_tests()

    def composed(self, options: Mapping[str, object]) -> Composition:
        """The game before it is checked. Raises `RulesError`."""
        return pipeline.composed(self.base, self.library, self.variants, options, self.reader)

    def own_tests(self, rules: model.Game, of_base: bool = False) -> list[model.Test]:
        """Those that are run when this file is tested: of a file of tests only its own; of a variant those of its base only if they are
        wanted, since it may well change what they expect."""
        others = of_base if self.varies else not self.only_own
        return [test for test in rules.tests if others or test.span.source.path == self.source.path]

    def tested(self, of_base: bool = False) -> Iterator[Composed]:
        """The game as it is, then under the options of its tests, each with its tests (see `own_tests`). Raises `RulesError`."""
        first = self.game({})
        by_options: dict[str, tuple[Mapping[str, object], list[model.Test]]] = {key_of({}): ({}, [])}
        for test in self.own_tests(first, of_base):
            by_options.setdefault(key_of(test.options), (test.options, []))[1].append(test)
        for options, tests in by_options.values():
            rules = self.game(options) if options else first
            yield Composed(options, rules, [same_test(rules, test) for test in tests])


def is_tests(source: Source) -> bool:
    """Is this a file of tests?"""
    if header_words(source.text)[:1] != ["tests"]:
        return False  # the whole file need not be read for that
    file = parse.read(source, Report())
    return file is not None and isinstance(file.header, ast.TestsHeader)


def key_of(options: Mapping[str, object]) -> str:
    return repr(sorted(options.items()))


def same_test(rules: model.Game, test: model.Test) -> model.Test:
    """The test in another composition of its game, where its lines have been checked."""
    place = (test.span.source.id, test.span.start, test.case)
    return next(other for other in rules.tests if (other.span.source.id, other.span.start, other.case) == place)
