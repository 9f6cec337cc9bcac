"""What pytest collects from a rules file: its tests, random play at each number of players, and if wanted the checks of every game.

A failure is shown as everywhere else, with the line of the rules; no Python is to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from dsl import ast, model, parse
from dsl.diagnostics import Diagnostic, Report, RulesError
from dsl.grammar import grammar
from dsl.render import render, visible
from dsl.source import Source
from interpreter import play, scenario
from interpreter.faults import Fault
from interpreter.story import tell
from rulesrun.api import Game
from rulesrun.compositions import Compositions, key_of, same_test
from rulesrun.locate import Library, NotFound, cache_folder, shown
from rulesrun.pytest_plugin import number_of
from rulesrun.reporting import coloured
from rulesrun.simulate import game_seed
from rulesrun.suite import Broken, check_game, checked_game

LAST_LINES = 6
"""of the story of a game that went wrong are told"""


class TestFailed(Exception):
    """A `test` block does not hold."""

    __test__ = False

    def __init__(self, failure: Diagnostic) -> None:
        super().__init__(failure.title)
        self.failure = failure


class RulesFile(pytest.File):
    """A game, a variant or a file of tests. Modules have nothing to collect: they are tested in the games that use them."""

    source: Source
    compositions: Compositions

    def collect(self) -> Iterable[RulesItem]:
        grammar(cache_folder())
        library = Library()
        self.source = library.open(self.path, shown(self.path))
        report = Report()
        file = parse.read(self.source, report)
        report.raise_errors()
        if file is None or isinstance(file.header, ast.ModuleHeader):
            return
        self.compositions = compositions_of(file, library)
        self._rules: dict[str, play.Rules] = {}
        game = self.rules({}).game
        for test in self.compositions.own_tests(game):
            yield RulesTest.of(self, test, game)
        if number_of(self.config, "cardgame_games"):
            for players in game.players:
                yield RandomPlay.of(self, "random play", players)
        if self.config.getini("cardgame_suite") and not isinstance(file.header, ast.TestsHeader):
            for players in game.players:
                yield EveryCheck.of(self, "every check", players)

    def rules(self, options: Mapping[str, object]) -> play.Rules:
        """The rules under these options, made when the first test asks. Raises `RulesError`."""
        key = key_of(options)
        if key not in self._rules:
            self._rules[key] = play.Rules(self.compositions.game(options))
        return self._rules[key]

    @property
    def game(self) -> Game:
        made, of = self.rules({}), self.compositions
        return Game(made.game, made, of.base, (), tuple(of.variants), of.library.paths)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        told = in_words(excinfo.value, wants_colours(self.config))
        return super().repr_failure(excinfo) if told is None else told


def compositions_of(file: ast.File, library: Library) -> Compositions:
    """Each file with its own tests: those of a file of tests are collected there, not with its game. Raises `RulesError`."""
    made = Compositions.of(file.source, library)
    if not isinstance(file.header, ast.VariantHeader):
        made.only_own = True
    return made


class RulesItem(pytest.Item):
    """Something to be run. `players` sit down: the keyword `3-players` selects it with -k."""

    parent: RulesFile
    players: int
    line: int
    where: Path

    def __init__(self, *, players: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.players, self.line, self.where = players, 1, self.path
        self.extra_keyword_matches.add(f"{players}-players")
        self.add_marker(pytest.mark.cardgame(players=players))

    @classmethod
    def of(cls, file: RulesFile, what: Any, players: Any) -> RulesItem:
        item: RulesItem = cls.from_parent(file, name=f"{what} [{players} players]", players=players)
        return item

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.where, self.line - 1, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        told = in_words(excinfo.value, wants_colours(self.config))
        return super().repr_failure(excinfo, style) if told is None else told


class RulesTest(RulesItem):
    """A `test` block; its name is that of the block."""

    test: model.Test

    @classmethod
    def of(cls, file: RulesFile, what: model.Test, players: model.Game) -> RulesTest:
        seated = next((line.count for line in what.lines if isinstance(line, model.GivenPlayers)), players.players[0])
        item: RulesTest = cls.from_parent(file, name=visible(what.title), players=seated)
        item.test = what
        item.line = (what.row or what.span).line
        if what.span.source.id != file.source.id:
            item.where = Path(what.span.source.path)
        return item

    def runtest(self) -> None:
        rules = self.parent.rules(self.test.options)
        outcome = scenario.run(rules, same_test(rules.game, self.test))
        if outcome.failure is not None:
            raise TestFailed(outcome.failure)


class RandomPlay(RulesItem):
    """Random games: they end, no card is lost, the invariants hold."""

    def runtest(self) -> None:
        seed = number_of(self.config, "cardgame_seed")
        for number in range(number_of(self.config, "cardgame_games")):
            checked_game(self.parent.game, self.players, game_seed(seed, number))


class EveryCheck(RulesItem):
    """All that must be true of every game."""

    def runtest(self) -> None:
        seed = number_of(self.config, "cardgame_seed")
        check_game(self.parent.game, players=self.players, seeds=[game_seed(seed, 0)])


# ── failures ──


def wants_colours(config: pytest.Config) -> bool:
    return bool(config.get_terminal_writer().hasmarkup)


def in_words(problem: BaseException, colours: bool) -> str | None:
    """An error of rules as it is shown everywhere; None if it is something else."""
    match problem:
        case TestFailed():
            parts = [render(problem.failure)]
        case RulesError():
            parts = [render(finding) for finding in problem.diagnostics]
        case Fault():
            parts = [render(problem.diagnostic), *led_there(problem.seed, problem.choices)]
        case Broken():
            parts = list(broken_in_words(problem))
        case NotFound():
            parts = [str(problem)]
        case _:
            return None
    text = "\n\n".join(parts)
    return coloured(text) if colours else text


def broken_in_words(problem: Broken) -> Iterable[str]:
    """What does not hold, the invariant or property if it is one, what happened last, and the choices."""
    match = problem.match
    yield f"{visible(problem.what)} ({match.players} players)"
    rules = match.game.rules
    conditions: list[model.Invariant | model.GameProperty] = [*rules.invariants, *rules.properties]
    for condition in conditions:
        if f'"{condition.text}"' in problem.what:
            yield f"  {condition.span.source.path}:{condition.span.line}: {condition.value.span.text}"
    lines = [line.text for line in tell(match.state.code.program, match.events, None) if line.text]
    yield "\n".join([*["  …"] * (len(lines) > LAST_LINES), *(f"  {visible(line)}" for line in lines[-LAST_LINES:])])
    yield from led_there(problem.seed, problem.choices)


def led_there(seed: int | None, choices: tuple[int, ...]) -> list[str]:
    if seed is None:
        return []
    return [f"seed {seed}, " + (f"choices {' '.join(map(str, choices))}" if choices else "before any choice")]
