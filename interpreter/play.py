"""Playing: start, then answer one decision after another.

    lower → compile → start → choose, choose, … → finished

`run` is the whole machine: it runs blocks of the frame on top until somebody must be asked or nothing is left to do.
"""

from __future__ import annotations

import re
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, TypeVar

from attrs import evolve

from dsl import model
from interpreter import ground, noted, offers, runtime, walks
from interpreter import state as states
from interpreter.chance import seeded, shuffle
from interpreter.compile import FILE_NAME, Code
from interpreter.faults import Call, Fault, PropertyBroken, RuleError, Unwind
from interpreter.lower import Lowering
from interpreter.offers import recompute
from interpreter.program import UNSET, Program
from interpreter.state import CLOSING, FINISHED, PLAYING, SETUP, STEPS_BETWEEN_DECISIONS, Observer, State

GAME_OVER = -1
Made = TypeVar("Made")
SCRAMBLED = 0x9E3779B97F4A7C15
"""makes the seed of a second stream"""
RULES_RUN_IN = {
    FILE_NAME, runtime.__file__, ground.__file__, walks.__file__, offers.__file__, noted.__file__, states.__file__,
}  # fmt: skip
"""files whose errors are the rules' own: compiled code, and what it calls with the rules' values"""


class Rules:
    """A checked game with its programs and code, made when first needed and kept. `budget`: steps between two decisions, None for
    the usual number."""

    def __init__(self, game: model.Game, budget: int | None = None) -> None:
        self.game = game
        self.budget = budget
        self._lowerings: dict[int, Lowering] = {}
        self._codes: dict[tuple[int, bool], Code] = {}
        self._for_tests: Rules | None = None

    @property
    def for_tests(self) -> Rules:
        """The same rules with what belongs to testing: they play in the same way, and can be judged."""
        if self.game.tested:
            return self
        if self._for_tests is None:
            self._for_tests = Rules(self.game.for_tests(), self.budget)
        return self._for_tests

    def lowering(self, players: int) -> Lowering:
        """Raises ValueError if the game is not for so many."""
        if players not in self.game.players:
            raise ValueError(f"{self.game.name} is for {_counts(self.game.players)} players, not {players}")
        if players not in self._lowerings:
            self._lowerings[players] = self._made(lambda: Lowering(self.game, players))
        return self._lowerings[players]

    def program(self, players: int) -> Program:
        return self.lowering(players).program

    def code(self, players: int, observed: bool = False) -> Code:
        """The compiled program; `observed` code tells the state's observer what happens. Raises ValueError on a wrong count."""
        key = (players, observed)
        if key not in self._codes:
            program = self.program(players)
            self._codes[key] = self._made(lambda: Code(program, observed, self.budget))
        return self._codes[key]

    def codes(self) -> Iterator[Code]:
        """All code that was made so far."""
        yield from self._codes.values()

    def _made(self, make: Callable[[], Made]) -> Made:
        """Raises Fault if the rules are too deep to be made into code."""
        try:
            return make()
        except (RecursionError, MemoryError):
            hint = "cut long chains of calls and of cases in pieces"
            raise Fault("CG1001", "the rules are nested too deeply", self.game.span, hint=hint) from None


def _counts(players: tuple[int, ...]) -> str:
    if len(players) > 1 and players == tuple(range(players[0], players[-1] + 1)):
        return f"{players[0]} to {players[-1]}"
    return " or ".join(str(n) for n in players)


# ── starting ──


def new_state(code: Code, seed: int, *, script: Iterable[Any] | None = None, observer: Observer | None = None) -> State:
    """A game before its `setup`: cards in the zones of their tables, variables at their first values."""
    if code.blank is None:
        code.blank = blank_state(code)
    state = code.blank.copy()
    state.rng = seeded(seed)
    state.observer = observer
    if script is not None:
        state.script = deque(script)
    if code.program.blind or code.observed:
        scramble(state, seed)
    return state


def blank_state(code: Code) -> State:
    """What every game of these rules is before it has a seed."""
    program = code.program
    state = State.__new__(State)
    state.code = code
    state.zones = [cards[:] for cards in program.start]
    state.where = [0] * len(program.slots)
    for number, cards in enumerate(state.zones):
        for card in cards:
            state.where[card] = number
    state.faces = program.slots[:]
    state.vars = program.initial[:]
    state.live = program.seats
    state.stack = []
    state.rng = 0
    state.options = None
    state.asked = state.site = -1
    state.answer = None
    state.phase = SETUP
    state.reason = -1
    state.result = None
    state.steps = code.budget or STEPS_BETWEEN_DECISIONS
    state.observer = None
    state.script = None
    state.in_play = program.cards_of
    state.used = None
    state.called = False
    return state


def scramble(state: State, seed: int) -> None:
    """Give the faces of each card type to its slots at random, so that a slot tells nothing of its face; the cards lie as before.

    Needed where somebody may choose among cards he does not see, which are offered in order of slot, and in games that are
    watched, since what a bot is shown of a game has slots in it. Drawn from a stream of its own: it changes nothing else."""
    rng = seeded(seed ^ SCRAMBLED)
    in_play = []
    for slots in state.code.program.cards_of:
        given = list(slots)
        rng = shuffle(rng, given)
        other = dict(zip(slots, given, strict=True))
        in_play.append(tuple(given))  # still in table order
        for slot in slots:
            state.faces[other[slot]] = state.code.program.slots[slot]
        for cards in state.zones:
            cards[:] = [other.get(card, card) for card in cards]
    for number, cards in enumerate(state.zones):
        for card in cards:
            state.where[card] = number
    state.in_play = tuple(in_play)


def start(code: Code, seed: int, *, script: Iterable[Any] | None = None, observer: Observer | None = None) -> State:
    """A game at its first decision (or over, if nobody is ever asked). Raises Fault."""
    state = new_state(code, seed, script=script, observer=observer)
    if observer is not None:
        observer.note(state, "start")
    guard(state, begin)
    return state


def begin(state: State) -> None:
    """Compute first values, then call `setup`."""
    code = state.code
    for number, (variable, _) in enumerate(code.program.initial_code):
        state.vars[variable] = code.names[f"n{number}"](state)
    try:
        code.names[f"r{code.program.setup}"](state)
    except Unwind as unwind:
        unwound(state, unwind)
    run(state)


FUNCTIONS = re.compile(r"(b|body|a|d)([0-9]+)(_D?[0-9]*)?$")
"""names of compiled functions that are a block, the body of a rule, an attachment, a define"""

RULE_ERRORS = (
    RuleError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError,
)  # fmt: skip
"""what may be raised by compiled rules that are wrong"""


def choose(state: State, index: int) -> None:
    """Answer the open decision and play on to the next. Raises ValueError if there is no such option, Fault if the rules fail."""
    options = state.options
    if options is None or not 0 <= index < len(options):
        raise ValueError(f"there is no option {index}: there are {len(options or ())}")
    state.answer = options[index]
    state.options = None
    state.steps = state.code.budget or STEPS_BETWEEN_DECISIONS
    if state.observer is not None:
        sealed = state.code.program.sites[state.site].each is not None
        state.observer.note(state, "choose", state.asked, state.site, state.answer, sealed)
    try:
        run(state)
    except RULE_ERRORS as error:
        raise fault(state, error) from error


def play_out(state: State, randoms: Sequence[Callable[[], float]], most: int = 1_000_000) -> int:
    """Answer at random until the game is over; returns the number of decisions. `randoms` give numbers in [0, 1), one for each
    seat.

    Raises Fault, also if the game is not over after about `most` decisions."""
    decisions = 0
    if state.options is not None:
        state.answer = state.options[int(randoms[state.asked]() * len(state.options))]
        state.options = None
        state.steps = state.code.budget or STEPS_BETWEEN_DECISIONS
        try:
            decisions = 1 + run(state, randoms, most)
        except RULE_ERRORS as error:
            raise fault(state, error) from error
    return decisions


def guard(state: State, what: Any, *arguments: Any) -> Any:
    """Run something of the rules, with the whole budget; whatever goes wrong in them becomes a Fault."""
    state.steps = state.code.budget or STEPS_BETWEEN_DECISIONS
    try:
        return what(state, *arguments)
    except RULE_ERRORS as error:
        raise fault(state, error) from error


# ── the machine ──


def run(state: State, randoms: Sequence[Callable[[], float]] | None = None, most: int = 0) -> int:
    """Run until somebody is asked or the game is over.

    With `randoms`, whoever is asked answers at random, until the game is over or `most` decisions were made (a fault). Returns
    the number of decisions answered here."""
    blocks = state.code.blocks
    stack = state.stack
    decisions = before = 0
    budget = state.code.budget or STEPS_BETWEEN_DECISIONS
    rounds = repeat(None, budget)
    while True:
        try:
            for _ in rounds:
                if stack:
                    frame = stack[-1]
                    while blocks[frame[0]](state, frame):  # somebody is asked
                        if randoms is None:
                            return 0
                        if decisions >= most:
                            raise RuleError("CG1018", f"the game is not over after {most} decisions", "does it ever end?")
                        decisions += 1
                        options: Any = state.options
                        state.answer = options[int(randoms[state.asked]() * len(options))]
                        state.steps = budget
                        frame = stack[-1]
                elif not advance(state):
                    state.options = None
                    return decisions
        except Unwind as unwind:
            unwound(state, unwind)
            continue
        if decisions == before:
            state.steps = 0
            state.tick()  # raises
        before = decisions
        rounds = repeat(None, budget)


def advance(state: State) -> bool:
    """Nothing is left on the stack: the setup is done, or the game. False if there is nothing more to run."""
    if state.called:
        return False
    if state.phase == SETUP:
        state.phase = PLAYING
        if state.observer is not None:
            state.observer.note(state, "play")
        for number, ending in enumerate(state.code.program.endings):
            if ending.immediate and state.code.names[f"e{number}"](state):
                state.reason = number
                finish(state)
                return False
        state.code.names[f"r{state.code.program.main}"](state)
        return True
    if state.phase in (PLAYING, CLOSING):
        finish(state)
    return False


def finish(state: State) -> None:
    state.phase = FINISHED
    if state.observer is not None:
        state.observer.note(state, "end", state.reason)


def unwound(state: State, unwind: Unwind) -> None:
    """Drop the frames above the innermost running body of the rule, and that body too: it is complete.

    Calls that endings are judged after are over when their frame goes; one that is true then ends the game instead."""
    code = state.code
    stack = state.stack
    rule = unwind.rule
    if rule == GAME_OVER:
        state.reason = unwind.reason
        rule = code.program.main
    rule_of = code.rule_of
    if not any(rule_of[frame[0]] == rule for frame in stack):
        if unwind.rule != GAME_OVER and not state.called:
            name = code.program.rules[rule].name
            nothing = RuleError("CG1013", f"`end {name}`, but no {name} is running")
            raise nothing.with_traceback(unwind.__traceback__)  # it happened at the `end`
        stack.clear()  # a call made from outside ends
        if unwind.rule == GAME_OVER:
            finish(state)
        return
    while stack:
        frame = stack.pop()
        pc = frame[0]
        if rule_of[pc] == rule:
            state.result = None
            if rule == code.program.main:
                state.phase = CLOSING
            return
        judged = code.judged_pcs.get(pc)
        if judged is not None and rule != code.program.main and state.phase == PLAYING:
            info = code.program.rules[judged]
            for ending in info.judged:
                arguments = frame[1 : info.code.params + 1]
                if code.names[f"e{ending}"](state, *arguments):
                    if code.program.endings[ending].is_property:
                        raise PropertyBroken(ending, code.program.endings[ending].text, tuple(arguments))
                    unwound(state, Unwind(GAME_OVER, ending))
                    return


# ── what has come of it ──


def winners(state: State) -> tuple[int, ...]:
    """The seats that won, once the game is over."""
    found: Any = guard(state, state.code.names[f"d{state.code.program.winners}"])
    return tuple(dict.fromkeys(found))


def scores(state: State) -> list[int] | None:
    """Each seat's score now, None if the game has no scoring."""
    if not state.code.program.scoring:
        return None
    return [guard(state, state.code.names["score"], seat) for seat in state.code.program.seats]


def score_lines(state: State, player: int) -> list[tuple[str, int]]:
    """The parts of a player's score that count now."""
    lines: list[tuple[str, int]] = []
    for number, line in enumerate(state.code.program.scoring):
        if line.condition is None or guard(state, state.code.names[f"sc{number}"], player):
            lines.append((line.label, guard(state, state.code.names[f"s{number}"], player)))
    return lines


def broken_invariants(state: State) -> list[int]:
    """Numbers of the invariants that do not hold now."""
    count = len(state.code.program.invariants)
    return [number for number in range(count) if not guard(state, state.code.names[f"i{number}"])]


def options_again(state: State) -> tuple[Any, ...]:
    """The options of the open decision, computed anew from the state (after its faces were dealt anew, say). Raises Fault."""
    options: tuple[Any, ...] = guard(state, lambda s: recompute(s, s.code.program.sites[s.site]))
    return options


# ── faults ──


def fault(state: State, error: BaseException) -> Fault:
    """The fault behind an error raised in compiled rules. Errors of our own code are raised again as they are."""
    frames = list(traceback.walk_tb(error.__traceback__))
    inside = [frame for frame in frames if frame[0].f_code.co_filename == FILE_NAME]
    ours = not inside or frames[-1][0].f_code.co_filename not in RULES_RUN_IN
    if ours and not isinstance(error, RuleError | RecursionError | MemoryError):
        raise error
    code = state.code
    stack = rule_stack(state, [(frame.f_code.co_name, line) for frame, line in inside])
    if inside:
        place = code.place(max(0, inside[-1][1] - 1))
    else:
        place = stack[-1].span if stack else code.place(code.program.rules[code.program.main].code.place)
    title, number, hint = _explained(error, place.text)
    if isinstance(error, PropertyBroken):
        place = code.place(code.program.endings[error.number].code.place)
    made = Fault(number, title, place, hint=hint, stack=stack)
    made.broken = (error.number, error.arguments) if isinstance(error, PropertyBroken) else None
    return made


def rule_stack(state: State, running: list[tuple[str, int]]) -> tuple[Call, ...]:
    """The rules that run: those with frames, then those that were running in one step (functions of compiled code, each with the
    line it had reached)."""
    code, program = state.code, state.code.program
    calls: list[Call] = []
    for pc, *_ in state.stack:
        info = code.code_of[pc]
        calls.append(Call(info.name, code.place(code.place_of[pc]), body=code.rule_of[pc] >= 0))
    for function, line in running:
        name = FUNCTIONS.match(function)
        if name is None:
            continue
        kind, number = name[1], int(name[2])
        place = code.place(max(0, line - 1))
        if kind == "b":  # the frame on top: it has come this far
            if calls:
                calls[-1] = evolve(calls[-1], span=place)
        elif kind == "body":
            calls.append(Call(program.rules[number].name, place))
        elif kind == "d":
            calls.append(Call(program.defines[number].name, place))
        else:
            calls.append(Call(program.attachments[number].code.name, place))
    return tuple(call for i, call in enumerate(calls) if call.body or i + 1 == len(calls) or call.name != calls[i + 1].name)


def _explained(error: BaseException, text: str) -> tuple[str, str, str | None]:
    """Title, code and hint for an error at this piece of the rules."""
    shown = f"`{text}`" if text and "\n" not in text and len(text) <= 80 else "this"
    if isinstance(error, RuleError):
        return error.title, error.code, error.hint
    if isinstance(error, ZeroDivisionError):
        return f"{shown} divides by zero", "CG1014", "test the divisor first"
    if isinstance(error, RecursionError | MemoryError):
        return "the rules are nested too deeply", "CG1001", None
    if type(UNSET).__name__ in str(error):
        return f"{shown} uses a variable that has no value yet", "CG1015", "give it a value in `setup`"
    if isinstance(error, KeyError):
        return f"{shown} is nobody: the zone the card is in belongs to no player", "CG1016", None
    if isinstance(error, IndexError | ValueError):
        return f"{shown} is nothing: there is no such card or element", "CG1016", "ask first: `when … is not empty`"
    return f"{shown} uses `none` where a value is needed", "CG1017", "ask first: `is not none`"
