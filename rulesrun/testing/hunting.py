"""Random games at every number of players, until something goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from concurrent.futures import ProcessPoolExecutor
from random import Random

from attrs import Factory, define, frozen

from dsl.source import Source, Span
from interpreter import play
from interpreter.program import Program
from rulesrun.api import Game, Match
from rulesrun.compositions import Compositions, is_tests
from rulesrun.locate import Library
from rulesrun.simulate import game_seed
from rulesrun.suite import Broken, check_secrets
from rulesrun.testing.trials import Offers, Play, Tester, Trial, Trouble

LOOKS = 6
"""places of one game for each number of players at which is tried whether secrets are kept"""
PLENTY = 30_000
"""decisions of the games played for what is to happen sometimes"""
MOST_MORE = 1_000
"""games of them for each number of players"""
DEALS = 3
"""how often cards are dealt anew for it"""


@frozen
class Found:
    trouble: Trouble
    play: Play


@define
class Hunt:
    """What many random games came to; `found` None: nothing is wrong. `met`: the `sometimes` properties that were true in one of them, by
    number; `seen`: the places of the questions that were asked, and of the menu lines that were offered."""

    games: int = 0
    decisions: int = 0
    found: Found | None = None
    met: set[int] = Factory(set)
    seen: set[Span] = Factory(set)

    def count(self, trial: Trial) -> None:
        """One more game."""
        self.games += 1
        self.decisions += len(trial.play.choices)
        self.met |= trial.met
        if trial.trouble is not None:
            self.found = Found(trial.trouble, trial.play)

    def add(self, other: Hunt) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.found = self.found or other.found
        self.met |= other.met
        self.seen |= other.seen


def hunt(
    game: Game,
    games: int,
    seed: int,
    step: Callable[[], object] = lambda: None,
    counts: tuple[int, ...] = (),
    part: range | None = None,
) -> Hunt:
    """So many random games for each number of players (or for `counts`; of them only a `part`), and a few looks at their secrets."""
    offers = Offers()
    tester = Tester(game.for_tests.compiled, look=offers.note)
    done = Hunt()
    for players in counts or game.players:
        for number in range(games) if part is None else part:
            trial = tester.at_random(players, game_seed(seed, number))
            done.count(trial)
            if done.found is None and number == 0:
                done.found = leak(game, trial.play)
            if done.found is not None:
                return done
            step()
    done.seen = offers.seen
    return done


def go_on(game: Game, done: Hunt, games: int, seed: int) -> None:
    """What is to happen `sometimes` is given more games, beyond those already played for each number of players, until it has happened or
    there have been plenty."""
    tester = Tester(game.for_tests.compiled)
    wanted = {number for number, one in enumerate(game.rules.properties) if one.kind == "sometimes"}
    left = PLENTY
    for number in range(games, games + MOST_MORE):
        for players in game.players:
            if left <= 0 or wanted <= done.met or done.found is not None:
                return
            trial = tester.at_random(players, game_seed(seed, number))
            done.count(trial)
            left -= 1 + len(trial.play.choices)


def hunt_together(source: Source, library: Library, game: Game, games: int, seed: int, jobs: int) -> Hunt:
    """The same in several processes."""
    done = Hunt()
    with ProcessPoolExecutor(jobs) as pool:
        for players in game.players:
            parts = [range(job, games, jobs) for job in range(jobs)]
            for part in pool.map(_part, [(source, library, games, seed, players, part) for part in parts]):
                done.add(part)
            if done.found is not None:
                break
    return done


def _part(work: tuple[Source, Library, int, int, int, range]) -> Hunt:
    source, library, games, seed, players, part = work
    return hunt(game_of(source, library), games, seed, counts=(players,), part=part)


def game_of(source: Source, library: Library) -> Game:
    """The game of a file with all that belongs to its tests. Raises `RulesError`."""
    return game_from(Compositions.of(source, library), {})


def named(name: str, variants: tuple[str, ...], options: Mapping[str, object]) -> Game:
    """The game that a name or path means, with what belongs to its tests. Raises `RulesError`, `NotFound`."""
    library = Library()
    compositions = Compositions.of(library.find_game(name), library)
    compositions.variants = [*compositions.variants, *(library.find_variant(compositions.base, variant) for variant in variants)]
    return game_from(compositions, options)


def game_from(compositions: Compositions, options: Mapping[str, object]) -> Game:
    """The game of compositions that are there already: its files are not read again. Raises `RulesError`."""
    rules = compositions.game(options)
    variants = tuple(source for source in compositions.variants if not is_tests(source))
    return Game(rules, play.Rules(rules), compositions.base, variant_sources=variants)


# ── secrets ──


def leak(game: Game, one: Play) -> Found | None:
    """Whether somebody was shown what he may not know, at some places of this game."""
    return first_leak(game, one, {len(one.choices) * look // LOOKS for look in range(LOOKS)})


def first_leak(game: Game, one: Play, places: Container[int], key: tuple[object, ...] | None = None) -> Found | None:
    """The earliest of these decisions at which somebody is told too much; with the `key` of a trouble, whoever that is about."""
    match = game.start(one.players, one.seed)
    for made, index in enumerate(one.choices):
        trouble = leaks(match) if made in places else None
        if trouble is not None and key in (None, trouble.key):
            return Found(trouble, Play(one.players, one.seed, one.choices[:made]))
        match.choose(index)
    return None


def leaks(match: Match) -> Trouble | None:
    for seat in range(match.players):
        for deal in range(DEALS):
            try:
                check_secrets(match, seat, Random(deal))
            except Broken as broken:
                return Trouble(("secret", seat), broken.what)
    return None


# ── what nobody ever could choose ──


def never_offered(program: Program, seen: set[Span]) -> list[Span]:
    """Places of menu lines and choices of a program that are not among those seen; chance is never asked."""
    asked = [site for site in program.sites if site.subject is not None or site.each is not None or site.kind == "abilities"]
    places = [program.places[line.place] for site in asked if site.kind == "menu" for line in site.lines]
    places += [program.places[site.lines[0].place if site.lines else site.place] for site in asked if site.kind != "menu"]
    return sorted(set(places) - seen, key=lambda span: (span.source.path, span.start))
