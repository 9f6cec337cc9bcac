"""Running the tests of a game on its mutants: those tests that run the changed text, then a few random games.

Nothing is judged by the clock: what goes on for ever runs out of steps, or makes more decisions than such a game ever did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from attrs import Factory, define, frozen

from dsl import mutation
from dsl.diagnostics import Diagnostic
from dsl.mutation import Mutant
from dsl.source import Source, Span
from interpreter import scenario
from interpreter.coverage import Item, Key, marked
from interpreter.play import Rules
from interpreter.state import STEPS_BETWEEN_DECISIONS, State
from rulesrun.compositions import Composed, Compositions
from rulesrun.locate import Library
from rulesrun.simulate import game_seed
from rulesrun.testing.trials import Tester

TIMES_AS_LONG = 5
"""as the longest game without a change: then a game is taken to be endless"""
AT_LEAST = 200
"""decisions that any game may take"""
TIMES_AS_MANY = 20
"""steps between two decisions as anything took without a change: then a loop is taken to be endless"""
STEPS_AT_LEAST = 50_000
"""that anything may take"""


@frozen
class Verdict:
    """`killed_by`: the test that failed, or what went wrong in a random game; None: it survived. `tests` were run on it."""

    killed_by: str | None
    tests: int = 0
    covered: bool = True
    """does a test run the changed text?"""


@frozen(eq=False)
class Ran:
    """A test without any change: in which composition (by its number), and what it has run."""

    composition: int
    test: int
    hits: frozenset[Key]


class NotGreen(Exception):
    """A test or a random game goes wrong before anything is changed. `failure` is the place in the rules, if it has one."""

    def __init__(self, what: str, failure: Diagnostic | None) -> None:
        super().__init__(what)
        self.failure = failure


@define
class Bench:
    """Everything that is made once for all mutants of a file."""

    source: Source
    compositions: list[Composed]
    games: int
    seed: int
    ran: list[Ran] = Factory(list)
    regions: dict[tuple[int, int], set[Key]] = Factory(dict)
    """stretches of the file, and the marks one of which is met whenever the text runs"""
    mutants: list[Mutant] = Factory(list)
    longest: int = 0
    """decisions of the longest random game without a change"""
    most_steps: int = 0
    """between two decisions without a change"""

    @staticmethod
    def of(source: Source, library: Library, games: int, seed: int) -> Bench:
        """Raises `RulesError` if the rules cannot be used, `NotGreen` if a test or a random game goes wrong without a change."""
        bench = Bench(source, list(Compositions.of(source, library).tested()), games, seed)
        bench.mutants = mutants_of(bench.compositions, source.path)
        for number, composed in enumerate(bench.compositions):
            bench._run_tests(number, composed)
        tester = Tester(Rules(bench.compositions[0].rules), look=bench._count)
        for players, seed_ in bench._games():
            trial = tester.at_random(players, seed_)
            if trial.trouble is not None:
                raise NotGreen(f"a random game goes wrong ({trial.trouble.title})", trial.trouble.fault)
            bench.longest = max(bench.longest, len(trial.play.choices))
        return bench

    def _run_tests(self, number: int, composed: Composed) -> None:
        rules = marked(composed.rules)
        for item in rules.items:
            self._note(item)
        for place, test in enumerate(composed.tests):
            outcome = scenario.run(rules.rules, test, look=self._count)
            if outcome.failure is not None:
                raise NotGreen("a test fails", outcome.failure)
            self.ran.append(Ran(number, place, frozenset(rules.hits())))
        rules.restore()

    def _note(self, item: Item) -> None:
        for span in (item.extent, item.judged):
            if span is not None and span.source.path == self.source.path:
                self.regions.setdefault((span.start, span.end), set()).add(item.key)

    def _count(self, state: State) -> None:
        self.most_steps = max(self.most_steps, STEPS_BETWEEN_DECISIONS - state.steps)

    def _games(self) -> Iterator[tuple[int, int]]:
        """Players and seed of each random game; the numbers of players take turns."""
        counts = self.compositions[0].rules.players
        for number in range(self.games):
            yield counts[number % len(counts)], game_seed(self.seed, number)

    # ── which tests ──

    def tests_for(self, mutant: Mutant) -> list[Ran]:
        """Those that may notice, those that run little first."""
        marks = None if mutant.needs is None else self.marks_around(mutant.needs)
        ran = [one for one in self.ran if marks is None or marks & one.hits]
        return sorted(ran, key=lambda one: len(one.hits))

    def marks_around(self, span: Span) -> set[Key] | None:
        """The marks one of which is met if this text runs; None if nobody can tell."""
        around = [(end - start, start, end) for start, end in self.regions if start <= span.start and span.end <= end]
        if not around:
            return None
        _, start, end = min(around)
        return self.regions[start, end]

    # ── on a mutant ──

    def judge(self, mutant: Mutant) -> Verdict:
        """Does anything notice?"""
        tests = self.tests_for(mutant)
        changed: dict[int, Rules | None] = {}
        count = 0
        budget = max(STEPS_AT_LEAST, self.most_steps * TIMES_AS_MANY)
        with ExitStack() as undone:

            def rules_of(number: int) -> Rules | None:
                """A composition with the change, None if it has not got the text."""
                if number not in changed:
                    game = self.compositions[number].rules
                    change = mutation.mutated(game, mutant)
                    changed[number] = None if change is None else Rules(game, budget)
                    if change is not None:
                        undone.enter_context(change)
                return changed[number]

            for ran in tests:
                rules = rules_of(ran.composition)
                if rules is None:
                    continue
                count += 1
                test = self.compositions[ran.composition].tests[ran.test]
                if not scenario.run(rules, test).passed:
                    return Verdict(f'test "{test.name}"', count)
            rules = rules_of(0) if self.games else None
            if rules is not None:
                tester = Tester(rules, max(AT_LEAST, self.longest * TIMES_AS_LONG))
                for players, seed in self._games():
                    trouble = tester.at_random(players, seed).trouble
                    if trouble is not None:
                        return Verdict(f"a random game: {trouble.title}", count, bool(tests))
        return Verdict(None, count, bool(tests))


def mutants_of(compositions: Iterable[Composed], path: str) -> list[Mutant]:
    """The mutants of a file in any of its compositions."""
    found: dict[mutation.Key, Mutant] = {}
    for composed in compositions:
        for mutant in mutation.mutants(composed.rules, path):
            found.setdefault(mutant.key, mutant)
    return mutation.numbered(found.values())
