"""`rulesrun test`: the `test` blocks of rules files, and their invariants under random play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from attrs import define, frozen

from dsl import ast, parse
from dsl.diagnostics import Diagnostic, Report, RulesError
from dsl.render import render, visible
from dsl.source import Source
from dsl.uses import Reader
from interpreter import play, scenario
from interpreter.faults import Fault
from interpreter.judging import Judge
from interpreter.scenario import Outcome
from interpreter.story import tell
from rulesrun.api import LONGEST_GAME, Game, Match, base_of, counts_text, load_source, new_seed
from rulesrun.bots import stream
from rulesrun.checking import wanted_files
from rulesrun.compositions import same_test
from rulesrun.locate import Library, NotFound
from rulesrun.reporting import coloured, print_diagnostics, print_fault, wants_colour
from rulesrun.simulate import game_seed, progress
from rulesrun.suite import misplaced

LAST_CHOICES = 6
"""of a game that went wrong are told"""


def test_paths(paths: tuple[str, ...], games: int, seed: int | None) -> int:
    """Test each file; 1 if something is wrong, 2 if a file cannot be opened, else 0."""
    used = new_seed() if seed is None else seed
    worst = 0
    for library, path, name in wanted_files(paths):
        try:
            source = library.open(path, name) if isinstance(path, Path) else path
            worst = max(worst, test_file(source, library, games, used))
        except NotFound as problem:
            click.echo(f"rulesrun: {problem}", err=True)
            worst = 2
        except RulesError as problem:
            print_diagnostics(problem.diagnostics, sys.stdout)
            print(f"{path if isinstance(path, Path) else path.path}: cannot be tested before this is mended\n")
            worst = max(worst, 1)
    return worst


def test_file(source: Source, library: Library, games: int, seed: int) -> int:
    """Test one file and print how it went. Raises `RulesError` if its rules cannot be used."""
    if is_module(source):
        print(f"{source.path}: a module; it is tested in the games that use it")
        return 0
    print(source.path)
    game = load_source(source, library, [], {})
    outcomes = list(run_tests(source, library, game))
    failed = [outcome for outcome in outcomes if not outcome.passed]
    for outcome in failed:
        assert outcome.failure is not None
        print()
        print_failure(f'test "{visible(outcome.test)}" failed', outcome.failure)
    if failed:
        print(f"\n  {len(failed)} of {len(outcomes)} tests failed")
    elif outcomes:
        print(f"  {len(outcomes)} {'test' if len(outcomes) == 1 else 'tests'} passed")
    else:
        print("  no tests in it")
    found = games > 0 and play_at_random(game, games, seed)
    return 1 if failed or found else 0


def is_module(source: Source) -> bool:
    file = parse.read(source, Report())
    return file is not None and isinstance(file.header, ast.ModuleHeader)


# ── test blocks ──


def run_tests(source: Source, library: Library, game: Game) -> Iterator[Outcome]:
    """The tests of a file, each in the game composed with the options it gives. Those of a variant's base are not run again: a
    variant may well break them."""
    _, variants = base_of(source, library)
    composed: dict[str, Game] = {}
    reader = Reader(library, Report())
    for test in game.rules.tests:
        if variants and test.span.source.id != source.id:
            continue
        rules = game
        if test.options:
            key = repr(sorted(test.options.items()))
            if key not in composed:
                composed[key] = load_source(source, library, [], test.options, reader=reader)
            rules = composed[key]
        yield scenario.run(rules.compiled, same_test(rules.rules, test))


def print_failure(title: str, failure: Diagnostic) -> None:
    text = render(failure)
    print(click.style(title, bold=True) if wants_colour(sys.stdout) else title)
    print(coloured(text) if wants_colour(sys.stdout) else text)


# ── random play ──


@frozen
class Found:
    """Something that went wrong in random play: `what`, in which match."""

    what: str
    match: Match


@define
class Counted:
    games: int = 0
    decisions: int = 0


def play_at_random(game: Game, games: int, seed: int) -> bool:
    """Random games at every number of players, until something goes wrong: that is printed. Did it?"""
    counted = Counted()
    try:
        with progress(games * len(game.players)) as step:
            found = first_found(game, games, seed, counted, step)
    except Fault as fault:
        print()
        print_fault(fault, sys.stdout)
        return True
    if found is not None:
        print_found(game, found)
        return True
    invariants = len(game.rules.invariants)
    held = f", {invariants} {'invariant' if invariants == 1 else 'invariants'} held" if invariants else ""
    each = f"{games} each for {counts_text(game.players)} players"
    print(f"  {counted.games} random games ({each}), {counted.decisions} decisions{held}; seed {seed}")
    return False


def first_found(game: Game, games: int, seed: int, counted: Counted, step: Callable[[], object]) -> Found | None:
    for players in game.players:
        for number in range(games):
            found = play_one(game, players, game_seed(seed, number), counted)
            if found is not None:
                return found
            step()
    return None


def play_one(game: Game, players: int, seed: int, counted: Counted) -> Found | None:
    """One random game, its invariants judged wherever somebody is asked and at the end. Raises `Fault`."""
    judge = Judge(game.for_tests.compiled)
    match = game.for_tests.start(players, seed)
    numbers = [stream(seed, seat).random for seat in range(players)]
    counted.games += 1
    while True:
        wrong = misplaced(match.state)
        if wrong is not None:
            return Found(f"a card is lost: {wrong}", match)
        broken = judge.look(match.state, len(match.choices))
        if broken is not None:
            return Found(f'the {broken.sort} "{broken.text}" does not hold', match)
        if match.finished:
            play.winners(match.state)
            return None
        if len(match.choices) >= LONGEST_GAME:
            return Found(f"the game has not ended after {LONGEST_GAME} decisions", match)
        assert match.player is not None
        match.choose(int(numbers[match.player]() * match.option_count))
        counted.decisions += 1


def print_found(game: Game, found: Found) -> None:
    """What is wrong, where it stands in the rules, and what led there."""
    match = found.match
    print()
    invariant = next((i for i in game.rules.invariants if f'"{i.text}"' in found.what), None)
    print(f"{visible(found.what)} after {len(match.choices)} choices ({match.players} players, seed {match.seed})")
    if invariant is not None:
        print(f"  {invariant.span.source.path}:{invariant.span.line}: {invariant.value.span.text}")
    program = match.state.code.program
    lines = [line for line in tell(program, match.events, None) if line.text]
    if len(lines) > LAST_CHOICES:
        print("  …")
    for line in lines[-LAST_CHOICES:]:
        print(f"  {visible(line.text)}")
