"""Running a rules file with marks in it: its tests under their options, then random games."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define

from dsl import ast, model, pipeline
from dsl.source import Source
from interpreter import scenario
from interpreter.coverage import Item, Key, Marked, marked, short
from rulesrun.compositions import Compositions, key_of
from rulesrun.locate import Library
from rulesrun.simulate import game_seed
from rulesrun.testing.trials import Tester

UNMARKED_AFTER = (1, 4, 16, 64)
"""games after which the marks met so far are taken out"""


@define
class Coverage:
    """What there is to run in a file and in those it needs, in all its compositions, and what of it was run."""

    source: Source
    items: dict[Key, Item] = Factory(dict)
    done: set[Key] = Factory(set)
    sources: dict[str, Source] = Factory(dict)
    tests: int = 0
    games: int = 0
    seed: int = 0

    def add(self, items: Iterable[Item]) -> None:
        for item in items:
            if item.span.source.text:
                self.items.setdefault(item.key, item)
                self.sources.setdefault(item.span.source.path, item.span.source)

    def of_file(self, path: str) -> list[Item]:
        """What there is in one file, in text order."""
        found = [item for item in self.items.values() if item.span.source.path == path]
        return sorted(found, key=lambda item: (item.span.start, item.span.end, item.missed))

    def paths(self) -> list[str]:
        """The files, the one that was asked about first."""
        own = self.source.path
        return [own, *sorted(path for path in self.sources if path != own)]

    def percent(self) -> float:
        """How much of the file that was asked about has run, in percent; 100 if there is nothing in it."""
        items = self.of_file(self.source.path)
        return 100 * sum(item.key in self.done for item in items) / len(items) if items else 100.0


def measure(source: Source, library: Library, games: int, seed: int) -> Coverage:
    """Run the tests of a file, then random games at each number of players. Raises `RulesError` if its rules cannot be used.

    Whether a test fails is not told here; a game in which something goes wrong stops there, and has run what it has run."""
    coverage = Coverage(source, seed=seed)
    compositions = Compositions.of(source, library)
    known: set[str] = set()
    for composed in compositions.tested():
        known.add(key_of(composed.options))
        rules = marked(composed.rules)
        coverage.add([*rules.items, *rules.designs.values()])
        for test in composed.tests:
            scenario.run(rules.rules, test, look=rules.look)
        coverage.tests += len(composed.tests)
        coverage.done |= rules.hits()
        note_options(coverage, composed.rules)
        coverage.done |= {block_item(block).key for block in compositions.composed(composed.options).blocks}
        if not composed.options:
            play_at_random(coverage, rules, composed.rules.players, games, seed)
    for block, values in pipeline.ways(source, library):
        coverage.add([block_item(block)])
        if key_of(values) not in known:
            known.add(key_of(values))
            rules = marked(compositions.game(values))
            coverage.add([*rules.items, *rules.designs.values()])
    return coverage


def block_item(block: ast.WhenBlock) -> Item:
    return Item("block", block.condition.span, f"`when {short(block.condition.span)}`", "never in force")


def note_options(coverage: Coverage, rules: model.Game) -> None:
    for option in rules.options:
        item = Item("option", option.span, f"option {option.name}", "never other than it is by default")
        coverage.add([item])
        if option.value != option.default:
            coverage.done.add(item.key)


def play_at_random(coverage: Coverage, rules: Marked, counts: Iterable[int], games: int, seed: int) -> None:
    """Random games; the marks that were met are taken out now and then, so that it goes on quickly."""
    for number in range(games):
        if all(item.key in coverage.done for item in (*rules.items, *rules.designs.values())):
            return  # nothing is left to be found
        for players in counts:
            coverage.games += 1
            Tester(rules.rules, look=rules.look).at_random(players, game_seed(seed, number))
        coverage.done |= rules.hits()
        if number + 1 in UNMARKED_AFTER:
            rules = rules.without(coverage.done)
