"""What was found in a random game, for people: what is wrong and with which values, the choices that lead there, the position, and how to
see it again."""

from __future__ import annotations

import re
import shlex
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from attrs import evolve, frozen

from dsl import types
from dsl.render import render, visible
from dsl.source import Span
from dsl.types import Type
from interpreter import decisions, play
from interpreter.faults import Fault
from interpreter.judging import Inspector
from interpreter.program import UNSET, VarInfo
from interpreter.state import DECLINE, SETUP, State
from interpreter.texts import player_name, show_value, text, variable_name, zone_name
from rulesrun.api import Game, Match, option_text
from rulesrun.testing.endless import explore
from rulesrun.testing.hunting import Found
from rulesrun.testing.trials import Tester, Trouble

MAP_SPACE = re.compile(r"[a-z]+[0-9]+")
DECISIONS = r"\bdecisions\b"
LAST_CHOICES = 6
"""of a game without end are told"""
MOST_SHOWN = 12
"""cards of one zone; of more only the number is told"""


@frozen
class Told:
    """The parts of a finding as lines of text."""

    title: str
    reasons: tuple[str, ...]
    choices: tuple[str, ...]
    position: tuple[str, ...]
    before_last: bool
    """the position is the one before the last choice, in which the rules stopped"""
    test: tuple[str, ...]
    command: str


def told(game: Game, path: str, found: Found, fails: Callable[[Sequence[str], Trouble], bool] = lambda *_: True) -> Told:
    """All there is to say of something found. `path`: how the file is named on the command line; `fails`: whether the lines of a test go wrong in
    this way, for there are games that no test can tell: two lines of a menu that read alike."""
    trouble = found.trouble
    if trouble.key[0] == "endless":
        return told_endless(game, found)
    steps, match = replayed(game, found)
    made = [f"{player_name(step.player)} {_said(step)}" for step in steps]
    test = tuple(test_block(game, found, steps, match))
    return Told(
        f"{trouble.title} ({_after(len(steps))}, {found.play.players} players, seed {found.play.seed})",
        tuple(reasons(found.trouble)),
        tuple(made),
        () if match is None else tuple(position(match.state)),
        match is not None and len(match.choices) < len(steps),
        test if test and fails(test, trouble) else (),
        command(game, path, found),
    )


def told_endless(game: Game, found: Found) -> Told:
    """What is known of a game without end: how far it went, the last choices and where that led."""
    one = found.play
    tester = Tester(game.compiled)
    state = play.start(game.compiled.code(one.players), one.seed)
    last: deque[Step] = deque(maxlen=LAST_CHOICES)
    for index in one.choices:
        last.append(step_of(state, index))
        play.choose(state, index)
    positions = explore(tester, one).positions
    reason = (
        "it may end, or not: too many positions can be reached for all to be tried"
        if positions is None
        else f"it cannot end, whatever is chosen: all {positions} positions that can be reached were tried"
    )
    made = tuple(f"{player_name(step.player)} {_said(step)}" for step in last)
    title = f"{found.trouble.title} ({one.players} players, seed {one.seed})"
    return Told(title, (reason,), made, tuple(position(state)), False, (), "")


def lines(one: Told) -> Iterator[str]:
    yield one.title
    yield from (f"  {line}" for line in one.reasons)
    if one.choices:
        yield "  what was chosen:" if one.command else "  what was chosen last:"
        yield from (f"    {number}. {choice}" for number, choice in enumerate(one.choices, 1))
    if one.position:
        yield "  what lies where before the last choice:" if one.before_last else "  what lies where then:"
    yield from (f"    {line}" for line in one.position)
    if one.test:
        yield "  as a test:"
        yield from (f"    {line}" for line in one.test)
    if one.command:
        yield "  to see it again:"
        yield f"    {one.command}"


def _after(count: int) -> str:
    return "before any choice" if not count else "after 1 choice" if count == 1 else f"after {count} choices"


# ── what is wrong ──


def reasons(trouble: Trouble) -> Iterator[str]:
    """Where it stands in the rules, and with which values it is so."""
    if trouble.broken is not None:
        span = trouble.broken.span
        condition = " ".join(trouble.broken.condition.text.split())
        yield f"{span.source.path}:{span.line}: {condition}"
        if trouble.broken.values:
            yield trouble.broken.values
    elif trouble.fault is not None:
        yield from render(trouble.fault).splitlines()


# ── the choices ──


@frozen
class Step:
    """One choice: `label` None for declining; `answers` as a test writes them."""

    player: int
    label: str | None
    answers: tuple[str, ...]
    setup: bool
    """made while the setup was running"""
    goes_on: bool = False
    """a choice of several that is not complete with it"""


def replayed(game: Game, found: Found) -> tuple[list[Step], Match | None]:
    """The choices, and the match as far as it goes, None if it cannot begin; the last choice is not made if the rules stop there."""
    try:
        match = game.start(found.play.players, found.play.seed)
    except Fault:
        return [], None
    match.watch()
    steps: list[Step] = []
    for index in found.play.choices:
        steps.append(step_of(match.state, index))
        try:
            match.choose(index)
        except Fault:
            break
        if decisions.picked_so_far(match.state):
            steps[-1] = evolve(steps[-1], goes_on=True)
    return steps, match


def step_of(state: State, index: int) -> Step:
    """What this option is called."""
    program = state.code.program
    site = program.sites[state.site]
    options = state.options or ()
    value = options[index]
    setup = state.phase == SETUP
    if value is DECLINE:
        return Step(state.asked, None, (), setup)
    label = state.code.texts.plain_label(state, state.site, value)
    answers: tuple[str, ...] = (quoted(label),)
    kinds = site.lines[0].types if site.kind == "pick" and site.lines else ()
    if len(kinds) > 1:
        answers = tuple(written(state, of, part) for of, part in zip(kinds, value, strict=True))
    return Step(state.asked, label, answers, setup)


def _said(step: Step) -> str:
    return "declines" if step.label is None else f"chooses {visible(step.label)}"


def quoted(label: str) -> str:
    inner = label.replace("\\", "\\\\").replace('"', '\\"').replace("{", "{{")
    return f'"{inner}"'


def written(state: State, of: Type, value: object) -> str:
    """A value as the author of a test writes it."""
    names = state.code.design_names
    shown = text(show_value(state.code.program, of, value), lambda _: True, lambda slot: names[state.faces[slot]])
    if isinstance(of, types.Basic) and of != types.TEXT:
        return shown
    if isinstance(of, types.KindType):
        named = [name for kind in state.code.program.kinds for name, _ in kind.members if name == shown]
        return shown if len(named) == 1 else quoted(shown)
    return shown if value is None or (isinstance(of, types.SpaceType) and MAP_SPACE.fullmatch(shown)) else quoted(shown)


# ── the position ──


def position(state: State) -> Iterator[str]:
    """Everything that is not as it is without a game, hidden or not: zones with cards in them, variables with a value."""
    program = state.code.program
    for number, info in enumerate(program.zones):
        cards = state.zones[number]
        if cards:
            faces = [state.code.design_names[state.faces[card]] for card in (reversed(cards) if info.shape == "pile" else cards)]
            shown = ", ".join(faces) if len(faces) <= MOST_SHOWN else f"{len(faces)} cards, {faces[0]} first"
            yield visible(f"{zone_name(program, number)}: {shown}")
    rolled = {dice.variable for dice in program.dice}
    for number, variable in enumerate(program.variables):
        value = state.vars[number]
        if number not in rolled and value is not UNSET and value != program.initial[number]:
            yield visible(f"{variable_name(program, number)}: {_value(state, variable, value)}")
    asked = decisions.decision(state)
    if asked is not None:
        options = ", ".join(option.text for option in asked.options[:MOST_SHOWN])
        yield visible(
            f"{player_name(asked.player)} is asked: {asked.prompt} ({options}{', …' * (len(asked.options) > MOST_SHOWN)})"
        )


def _value(state: State, info: VarInfo, value: object) -> str:
    names = state.code.design_names
    return text(show_value(state.code.program, info.type, value), lambda _: True, lambda slot: names[state.faces[slot]])


# ── how to see it again ──


def test_block(game: Game, found: Found, steps: list[Step], match: Match | None) -> Iterator[str]:
    """A `test` that fails in the same way. Nothing for what a test cannot see: a game without end, a secret that is told.
    `match`: as far as it goes, see `replayed`."""
    trouble = found.trouble
    if trouble.key[0] in ("endless", "secret", "lost card", "winners"):
        return
    yield f"test {quoted(f'random play: {trouble.title}')}:"
    yield f"    given {found.play.players} players"
    for option in game.rules.options:
        if option.value != option.default:
            value = option_text(game.rules, option)
            yield f"    given option {option.name} = {value if not isinstance(value, str) or option.type != types.TEXT else quoted(value)}"
    yield f"    given chance from seed {found.play.seed}"
    yield "    when setup()"
    together: list[Step] = []
    started = False
    for number, step in enumerate(steps, 1):
        if not started and not step.setup:
            started = True
            yield "    when game()"
        together.append(step)
        if step.goes_on and number < len(steps):
            continue
        answers = [answer for one in together for answer in one.answers]
        if answers:
            yield f"    when {player_name(step.player)} chooses {', '.join(answers)}"
        else:
            yield f"    when {player_name(step.player)} declines"
        together = []
    whole = match is not None and len(match.choices) == len(steps)
    if not started and not (match is not None and whole and match.state.phase == SETUP):
        yield "    when game()"
    if trouble.fault is not None and match is not None and whole:
        yield from (f"    expect {condition}" for condition in asking(game, trouble, match))
    if trouble.broken is not None and trouble.broken.kind in ("end", "eventually"):
        yield f"    expect {with_decisions(trouble.broken.condition, len(steps))}"


def with_decisions(condition: Span, made: int) -> str:
    """A condition of a property for a test, which has no word for the number of decisions."""
    return re.sub(DECISIONS, str(made), " ".join(condition.text.split()))


def asking(game: Game, trouble: Trouble, match: Match) -> Iterator[str]:
    """What a test must ask so that it meets a fault where a property was judged, or the winners or scores wanted."""
    rules, state = game.compiled, match.state
    inspector = Inspector(rules, state)

    def stops(work: Callable[[], object]) -> bool:
        try:
            work()
        except Fault as fault:
            return fault.code == trouble.key[0]
        return False

    for one in rules.game.properties:
        made = {} if one.decisions is None else {one.decisions: len(match.choices)}
        if one.kind in ("end", "eventually", "sometimes") and stops(lambda one=one, made=made: inspector.value(one.value, made)):  # type: ignore[misc]
            yield with_decisions(one.value.span, len(match.choices))
            return
    if state.options is None:
        if stops(lambda: play.winners(state)):
            yield "winners().size >= 0"
        elif stops(lambda: play.scores(state)):
            yield from (f"score({player_name(seat)}) is score({player_name(seat)})" for seat in range(match.players))


def command(game: Game, path: str, found: Found) -> str:
    parts = ["rulesrun", "replay", path, "--players", str(found.play.players), "--seed", str(found.play.seed)]
    for option in game.rules.options:
        if option.value != option.default:
            parts += ["--option", f"{option.name}={option_text(game.rules, option)}"]
    parts += ["--choices", ",".join(map(str, found.play.choices)) or "none"]
    return shlex.join(parts)
