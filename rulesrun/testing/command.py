"""`rulesrun test`: the tests of rules files, then random games that their invariants and properties judge."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from dsl import model
from dsl.diagnostics import Diagnostic, RulesError
from dsl.render import concise, render, visible
from dsl.source import Source, Span
from interpreter.play import Rules
from interpreter.scenario import run
from rulesrun.api import Game, counts_text
from rulesrun.checking import wanted_files
from rulesrun.compositions import Compositions
from rulesrun.locate import SUFFIX, Library, NotFound, game_tested
from rulesrun.reporting import coloured, print_diagnostics, wants_colour
from rulesrun.simulate import progress
from rulesrun.testing.blocks import fails_alike, is_module, overridden
from rulesrun.testing.hunting import Found, Hunt, first_leak, game_from, go_on, hunt, hunt_together, never_offered
from rulesrun.testing.reports import Tested, to_json, write_junit
from rulesrun.testing.shrinking import shrink
from rulesrun.testing.telling import lines, told
from rulesrun.testing.trials import Offers, Tester, Trouble

MOST_NEVER = 8
"""choices that were never offered are named"""


def test_paths(paths: tuple[str, ...], games: int, seed: int, jobs: int = 1, form: str = "text", junit: str | None = None) -> int:
    """Test each file; 1 if something is wrong, 2 if a file cannot be opened, else 0. Raises `click.UsageError` if the JUnit file cannot be written."""
    worst = 0
    tested: list[Tested] = []
    talk = form == "text"
    for library, path, name in without_doubles(wanted_files(paths)):
        try:
            source = library.open(path, name) if isinstance(path, Path) else path
            one = Tested(source.path)
            tested.append(one)
            try:
                _File(source, library, games, seed, jobs, talk).test(one)
            except RulesError as problem:
                one.broken, one.passed = "\n".join(map(concise, problem.diagnostics)), False
                if talk:
                    print_diagnostics(problem.diagnostics, sys.stdout)
                    print(f"{source.path}: cannot be tested before this is mended\n")
            worst = max(worst, 0 if one.passed else 1)
        except NotFound as problem:
            click.echo(f"rulesrun: {problem}", err=True)
            tested.append(Tested(str(name or path), broken=str(problem), passed=False))
            worst = 2
        except RulesError as problem:  # it is no text
            if talk:
                print_diagnostics(problem.diagnostics, sys.stdout)
            tested.append(Tested(str(name or path), broken="\n".join(map(concise, problem.diagnostics)), passed=False))
            worst = max(worst, 1)
    if form == "json":
        print(to_json(tested, seed))
    if junit is not None:
        try:
            write_junit(tested, Path(junit))
        except OSError as problem:
            raise click.UsageError(f"{junit} cannot be written: {problem.strerror or problem}.") from None
    return worst


def without_doubles(wanted: list[tuple[Library, Path | Source, str | None]]) -> list[tuple[Library, Path | Source, str | None]]:
    """A file of tests is tested with its game, if that is among them."""
    beside = {key for _, path, _ in wanted if isinstance(path, Path) and (key := resolved(path)) is not None}

    def comes_with_its_game(path: Path) -> bool:
        game = game_tested(path)
        return game is not None and resolved(path.parent / f"{game}{SUFFIX}") in beside

    return [one for one in wanted if not (isinstance(one[1], Path) and comes_with_its_game(one[1]))]


def resolved(path: Path) -> Path | None:
    """None for a loop of links, a NUL: whoever opens it says what is wrong."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def summary(count: int, failed: int, own: int | None) -> str:
    """How many tests there were; `own`: of a variant, how many are not those of its base."""
    if failed:
        return f"\n  {failed} of {count} tests failed"
    if not count:
        return "  no tests in it"
    whose = "" if own is None else f": {own} of its own, {count - own} of its base"
    return f"  {count} {'test' if count == 1 else 'tests'} passed{whose}"


def shortest(game: Game, found: Found) -> Found:
    """The same trouble after as few choices as can be found; a game without end stays as it is."""
    kind, play = found.trouble.key[0], found.play
    if kind == "endless":
        return found
    if kind == "secret":
        earlier = first_leak(game, play, range(len(play.choices)), found.trouble.key)
        return found if earlier is None else Found(found.trouble, earlier.play)
    tester = Tester(game.compiled)
    play = shrink(tester, play, found.trouble)
    return Found(tester.again(play).trouble or found.trouble, play)


class _File:
    """The tests of one file. `talk`: what happens is printed."""

    def __init__(self, source: Source, library: Library, games: int, seed: int, jobs: int, talk: bool) -> None:
        self.source, self.library, self.games, self.seed, self.jobs, self.talk = source, library, games, seed, jobs, talk
        self.offers = Offers()

    def say(self, text: str = "") -> None:
        if self.talk:
            print(text)

    def test(self, one: Tested) -> None:
        """Raises `RulesError` if its rules cannot be used."""
        if is_module(self.source):
            self.say(f"{self.source.path}: a module; it is tested in the games that use it")
            return
        self.say(self.source.path)
        compositions = Compositions.of(self.source, self.library)
        self.run_blocks(one, compositions)
        if self.games:
            self.play(one, game_from(compositions, {}))

    # ── test blocks ──

    def run_blocks(self, one: Tested, compositions: Compositions) -> None:
        for composed in compositions.tested(of_base=True):
            rules = Rules(composed.rules)
            for test in composed.tests:
                one.outcomes.append(run(rules, test, look=self.offers.note))
        why: dict[str, Diagnostic] = {}
        if compositions.varies:
            why = {o.test: o.failure for o in one.outcomes if o.failure is not None and o.span.source.path != self.source.path}
            one.overridden = [o.test for o in one.outcomes if not o.passed and o.span.source.path != self.source.path]
            one.outcomes = [o for o in one.outcomes if o.passed or o.span.source.path == self.source.path]
        failed = [outcome for outcome in one.outcomes if not outcome.passed]
        one.passed = not failed
        for outcome in failed:
            assert outcome.failure is not None
            self.say()
            self.show_failure(outcome.test, outcome.failure)
        own = sum(outcome.span.source.path == self.source.path for outcome in one.outcomes)
        self.say(summary(len(one.outcomes), len(failed), own if compositions.varies else None))
        gone = [*overridden(self.source), *one.overridden]
        if gone:
            self.say(f"  {len(gone)} of its base no longer {'applies' if len(gone) == 1 else 'apply'}:")
        for name in gone:
            self.say(f"    {visible(name)}")
            if name in why:
                span = why[name].span
                self.say(f"      {Path(span.source.path).name}, line {span.line}: {visible(why[name].title)}")
        if why:
            self.say('    if that is meant, `remove test "…"` or `change test "…":` in the variant says so')

    def show_failure(self, name: str, failure: Diagnostic) -> None:
        title, text = f'test "{visible(name)}" failed', render(failure)
        colours = self.talk and wants_colour(sys.stdout)
        self.say(click.style(title, bold=True) if colours else title)
        self.say(coloured(text) if colours else text)

    # ── random games ──

    def play(self, one: Tested, game: Game) -> None:
        if self.jobs > 1:
            done = hunt_together(self.source, self.library, game, self.games, self.seed, self.jobs)
        else:
            with progress(self.games * len(game.players)) as step:
                done = hunt(game, self.games, self.seed, step)
        go_on(game, done, self.games, self.seed)
        one.hunt = done
        if done.found is not None:
            one.passed = False
            done.found = shortest(game, done.found)
            one.told = told(game, self.source.path, done.found, self.fails)
            self.say()
            for line in lines(one.told):
                self.say(line)
            return
        never_true = [p for n, p in enumerate(game.rules.properties) if p.kind == "sometimes" and n not in done.met]
        self.told_games(done, game.rules, len(never_true))
        for prop in never_true:
            one.passed = False
            one.never.append(prop.text)
            self.say(
                f"  the property “{prop.text}” was never true: {prop.span.source.path}:{prop.span.line}: {prop.value.span.text}"
            )
        seen = done.seen | self.offers.seen
        never = [span for players in game.players for span in never_offered(game.compiled.program(players), seen)]
        self.told_never(sorted(set(never), key=lambda span: (span.source.path, span.start)))

    def fails(self, lines: Sequence[str], trouble: Trouble) -> bool:
        """Does a test of these lines go wrong in this way?"""
        return fails_alike(self.source, self.library, lines, trouble)

    def told_games(self, done: Hunt, rules: model.Game, never_true: int) -> None:
        properties = len(rules.properties) - never_true
        judged = [(len(rules.invariants), "invariant", "invariants"), (properties, "property", "properties")]
        held = " and ".join(f"{count} {one if count == 1 else many}" for count, one, many in judged if count)
        least = "at least " if done.games > self.games * len(rules.players) else ""
        each = f"{least}{self.games} each for {counts_text(rules.players)} players"
        games = f"{done.games} random games ({each}), {done.decisions} decisions"
        self.say(f"  {games}{f', {held} held' if held else ''}; seed {self.seed}")

    def told_never(self, never: list[Span]) -> None:
        """Choices of the file that nobody was ever offered."""
        own = [span for span in never if span.source.path == self.source.path]
        if own:
            self.say(f"  never offered in these games and tests: {len(own)} {'choice' if len(own) == 1 else 'choices'}")
        for span in own[:MOST_NEVER]:
            first = span.text.splitlines()[0] if span.text else ""
            self.say(f"    {span.source.path}:{span.line}: {visible(' '.join(first.split()))}")
        if len(own) > MOST_NEVER:
            self.say(f"    … and {len(own) - MOST_NEVER} more: see `rulesrun test --coverage`")
