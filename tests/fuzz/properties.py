"""What must be true of any rules file, generated or broken: the properties of the fuzzer. Each raises `AssertionError`, or whatever broke."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from random import Random

from attrs import Factory, define

from dsl import pipeline
from dsl.codes import CODES
from dsl.composition import Lookup
from dsl.diagnostics import Diagnostic, Report, RulesError
from dsl.format import formatted
from dsl.parse import read
from dsl.render import as_json, concise, render
from dsl.source import Source
from dsl.types import KindType
from interpreter.faults import Fault
from rulesrun import saves, suite
from rulesrun.api import Game, Match, load_source
from rulesrun.compositions import Compositions
from rulesrun.locate import Library
from rulesrun.strategies import Program
from rulesrun.testing.blocks import outcomes_of

STEPS = 50
"""decisions that a game is played"""


@define
class Tally:
    """How often what was done: for the summary of a long run."""

    counts: dict[str, int] = Factory(dict)

    def add(self, what: str, number: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + number


# ── text ──


def can_be_read_and_formatted(source: Source, tally: Tally) -> None:
    """Reading gives a tree or errors with places; formatting changes no word and no remark, and a second time nothing at all."""
    tally.add("files read")
    report = Report()
    file = read(source, report)
    findings_are_sound(report, {source.path: source.text})
    assert (file is None) == bool(report.errors)
    if file is None:
        assert formatted(source, Report()) is None
        return
    text = formatted(source, Report())
    tally.add("files formatted")
    assert text is not None
    again = Source(source.path, text)
    other = read(again, Report())
    assert other == file
    assert [(c.text, c.alone) for c in other.comments] == [(c.text, c.alone) for c in file.comments]
    assert formatted(again, Report()) == text


def findings_are_sound(findings: Iterable[Diagnostic], texts: dict[str, str]) -> None:
    """Every finding has a code that exists, places in its file, and can be shown in every form."""
    for finding in findings:
        assert finding.code in CODES
        for span in (finding.span, *(other.span for other in finding.others)):
            length = len(texts.get(span.source.path, span.source.text))
            assert 0 <= span.start <= span.end <= length, (concise(finding), span.start, span.end)
        assert all(sign.isprintable() or sign == "\n" for sign in render(finding))
        assert "\n" not in concise(finding)
        assert as_json(finding)["location"]["row"] >= 1


def can_be_checked(source: Source, lookup: Lookup, tally: Tally) -> Report:
    """Checking gives findings, whatever the file is."""
    tally.add("files checked")
    report = pipeline.check(source, lookup)
    findings_are_sound(report, {})
    return report


# ── play ──


def can_be_played(game: Game, seed: int, tally: Tally) -> None:
    """At every number of players some steps are played, watched by all; saved and resumed it is the same. A fault is allowed."""
    for players in game.players:
        plays_some_steps(game, players, seed, tally)


def plays_some_steps(game: Game, players: int, seed: int, tally: Tally, steps: int = STEPS) -> None:
    rng = Random(seed)
    try:
        match = game.start(players, seed)
    except Fault as fault:
        is_a_proper_fault(fault, tally)
        return
    tally.add("games played")
    quick = match.copy()
    match.view(None)
    for _ in range(steps):
        if match.finished:
            break
        everything_can_be_seen(match)
        assert suite.misplaced(match.state) is None
        index = rng.randrange(match.option_count)
        tally.add("choices")
        try:
            match.choose(index)
        except Fault as fault:
            is_a_proper_fault(fault, tally)
            try:
                quick.choose(index)
            except Fault as other:
                assert other.code == fault.code and other.span == fault.span
                break
            raise AssertionError("watched play faults, unwatched play does not") from fault
        quick.choose(index)
        assert suite.position(quick.state) == suite.position(match.state)
    try:
        everything_can_be_seen(match)
        _ = match.result
    except Fault as fault:
        is_a_proper_fault(fault, tally)
        return
    is_saved_and_resumed(match, tally)


def is_a_proper_fault(fault: Fault, tally: Tally) -> None:
    tally.add(f"faults {fault.code}")
    assert fault.code in CODES and fault.code.startswith("CG10")
    findings_are_sound([fault.diagnostic], {})


def everything_can_be_seen(match: Match) -> None:
    decision = match.decision
    assert decision is None or len({option.key for option in decision.options}) == match.option_count
    for seat in (None, *range(match.players)):
        match.view(seat)
        assert all(isinstance(line.text, str) for line in match.log(seat))


def is_saved_and_resumed(match: Match, tally: Tally) -> None:
    data = saves.text_of(saves.save_of(match)).encode("utf-8")
    resumed = saves.replay(saves.parse(data, "the save"), match.game).match
    assert resumed == match and resumed.choices == match.choices
    assert resumed.decision == match.decision and resumed.log(None) == match.log(None)
    tally.add("saves resumed")


LOOKED_AT = 8
"""decisions of a game at which the costly checks of the suite are made"""
LONG = 400
"""decisions: longer games are left to `can_be_played`"""


def passes_the_suite(game: Game, seed: int, tally: Tally) -> None:
    """What holds of every game holds of this one, at one number of players, unless its rules fault."""
    players = game.players[seed % len(game.players)]
    try:
        length = sum(1 for _ in islice(suite.random_game(game, players, seed), LONG))
    except Fault as fault:
        is_a_proper_fault(fault, tally)
        return
    if length == LONG:
        tally.add("games too long for the suite")
        return
    for name in suite.CHECKS:
        if name == "invariants hold":
            continue  # nobody has thought about those that are drawn
        try:
            suite.run_check(name, game, players, seed, max(2, length // LOOKED_AT))
        except Fault as fault:
            is_a_proper_fault(fault, tally)
        else:
            tally.add("checks of the suite")


# ── programs ──


def holds_of_program(program: Program, seed: int, tally: Tally) -> bool:
    """All of it for a generated program. Whether it had no errors."""
    tally.add("programs")
    right = True
    for source in program.sources:
        can_be_read_and_formatted(source, tally)
        right &= not can_be_checked(source, program, tally).errors
    if not right:
        tally.add("programs with errors")
        return False
    plain = program.load()
    games = [plain, program.load(varied=True)] if program.has_variant else [plain]
    games += other_way_round(program, plain)
    for game in games:
        can_be_played(game, seed, tally)
        passes_the_suite(game, seed, tally)
        run_the_tests(program.source, program, game, tally)
    return True


def other_way_round(program: Program, game: Game) -> list[Game]:
    """The game with other options, so that its `when` blocks are played; none if these do not go together."""
    values = {option.name: not option.value if isinstance(option.value, bool) else 1 for option in game.rules.options}
    kinds = {kind.id: kind.members[-1][0] for kind in game.rules.kinds}
    values |= {option.name: kinds[option.type.id] for option in game.rules.options if isinstance(option.type, KindType)}
    if not values:
        return []
    try:
        return [program.load(options=values)]
    except RulesError as wrong:
        findings_are_sound(wrong.diagnostics, {})
        return []


def run_the_tests(source: Source, lookup: Lookup, game: Game, tally: Tally) -> None:
    """The `test` blocks of a file pass or fail, and nothing else."""
    try:
        for outcome in outcomes_of(Compositions(source, lookup, source, [])):  # type: ignore[arg-type]
            tally.add("tests run")
            if outcome.failure is not None:
                findings_are_sound([outcome.failure], {})
    except RulesError as wrong:  # with the options of a test
        findings_are_sound(wrong.diagnostics, {})


def holds_of_text(source: Source, library: Library, seed: int, tally: Tally) -> None:
    """All of it for a file that may be wrong in any way."""
    tally.add("mutants")
    can_be_read_and_formatted(source, tally)
    if can_be_checked(source, library, tally).errors:
        return
    tally.add("mutants without errors")
    if source.text.lstrip("\ufeff \n").startswith("module"):
        return
    try:
        game = load_source(source, library, [], {})
    except RulesError:
        return  # a variant's base
    can_be_played(game, seed, tally)
    run_the_tests(source, library, game, tally)
