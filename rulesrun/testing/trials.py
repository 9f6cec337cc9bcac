"""One game of rules that are being tested, with everything that judges it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from attrs import Factory, define, frozen

from dsl.diagnostics import Diagnostic
from dsl.source import Span
from interpreter import play
from interpreter.faults import Fault
from interpreter.judging import Broken, Judge, asks_who_knows, broken_after
from interpreter.observer import Witness
from interpreter.play import Rules
from interpreter.program import Program
from interpreter.state import State
from rulesrun.bots import stream
from rulesrun.suite import misplaced

LONGEST = 50_000
"""decisions of a game that is being tested"""
Chooser = Callable[[State], int | None]
"""answers a decision with the number of an option; None stops the game there"""


@frozen
class Play:
    """A game up to some decision: how it began, and the options chosen, by their numbers."""

    players: int
    seed: int
    choices: tuple[int, ...] = ()


@frozen
class Trouble:
    """What went wrong. `key` is the same if the same goes wrong in another game."""

    key: tuple[object, ...]
    title: str
    span: Span | None = None
    broken: Broken | None = None
    fault: Diagnostic | None = None


@frozen
class Trial:
    """A game as far as it went; `met` are the properties that have been true in it (see `Judge`)."""

    play: Play
    trouble: Trouble | None
    over: bool
    met: frozenset[int] = frozenset()


@define
class Offers:
    """Which questions were asked, and which lines of menus offered, by the places of their text."""

    seen: set[Span] = Factory(set)
    _program: Program | None = None
    _known: set[tuple[int, int]] = Factory(set)
    """numbers of sites and lines in this program that have been noted: looking up their places every time would take long"""

    def note(self, state: State) -> None:
        if state.options is None:
            return
        program = state.code.program
        if program is not self._program:
            self._program = program
            self._known.clear()
        site = program.sites[state.site]
        menu = site.kind == "menu"
        for option in state.options:
            line = option[0] if menu and isinstance(option, tuple) else 0
            if (state.site, line) not in self._known:
                self._known.add((state.site, line))
                self.seen.add(program.places[site.lines[line].place if site.lines else site.place])


@define
class Tester:
    """Plays games of one set of rules, those `for_tests`. Whatever plays random games that are judged does it here: `rulesrun test`, its
    coverage, and mutation."""

    __test__: ClassVar[bool] = False  # for pytest: the name does not say so
    rules: Rules
    longest: int = LONGEST
    """decisions after which a game is taken to have no end"""
    look: Callable[[State], object] | None = None
    """is shown the state at every decision and at the end, before it is judged"""
    watches: bool = Factory(lambda self: asks_who_knows(self.rules.game), takes_self=True)
    """games must be watched to be judged: found out once, not for each game"""

    def at_random(self, players: int, seed: int, most: int | None = None) -> Trial:
        """A game in which everybody chooses at random; `most`: it stops after so many decisions."""
        numbers = [stream(seed, seat).random for seat in range(players)]
        left = iter(range(self.longest if most is None else most))

        def choose(state: State) -> int | None:
            return None if next(left, None) is None else int(numbers[state.asked]() * len(state.options or ()))

        return self.run(players, seed, choose, endless=most is None)

    def again(self, one: Play) -> Trial:
        """The same choices once more; one that is not offered is the last that is. It stops where they end."""
        left = iter(one.choices)

        def choose(state: State) -> int | None:
            wanted = next(left, None)
            return None if wanted is None else min(wanted, len(state.options or ()) - 1)

        return self.run(one.players, one.seed, choose)

    def run(self, players: int, seed: int, choose: Chooser, endless: bool = False) -> Trial:
        """A game until something goes wrong, it is over, or nothing more is chosen (which is wrong if it is `endless` then)."""
        judge = Judge(self.rules, watches=self.watches)
        choices: list[int] = []
        state: State | None = None
        over = False
        try:
            code = self.rules.code(players, judge.watches)
            state = play.start(code, seed, observer=Witness.of(code.program) if judge.watches else None)
            while True:
                if self.look is not None:
                    self.look(state)
                trouble = self._judged(state, judge, choices)
                if trouble is not None or state.options is None:
                    over = state.options is None
                    break
                index = choose(state)
                if index is None:
                    trouble = Trouble(("endless",), f"the game has not ended after {len(choices)} decisions") if endless else None
                    break
                choices.append(index)
                play.choose(state, index)
        except Fault as fault:
            trouble = self._of_fault(state, fault)
        return Trial(Play(players, seed, tuple(choices)), trouble, over, frozenset(judge.met))

    def _judged(self, state: State, judge: Judge, choices: Sequence[int]) -> Trouble | None:
        wrong = misplaced(state)
        if wrong is not None:
            return Trouble(("lost card",), f"a card is lost: {wrong}")
        broken = judge.look(state, len(choices))
        if broken is not None:
            return _of_broken(broken)
        if state.options is None:
            winners = play.winners(state)
            if any(not 0 <= seat < state.code.program.players for seat in winners):
                return Trouble(("winners",), "somebody has won who does not play")
            play.scores(state)
        return None

    def _of_fault(self, state: State | None, fault: Fault) -> Trouble:
        broken = None if state is None else broken_after(self.rules, state, fault)
        if broken is not None:
            return _of_broken(broken)
        return Trouble((fault.code, fault.span.source.path, fault.span.start), fault.title, fault.span, fault=fault.diagnostic)


def _of_broken(broken: Broken) -> Trouble:
    return Trouble((broken.sort, broken.text), broken.title, broken.span, broken)
