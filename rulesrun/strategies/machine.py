"""A state machine over any game for Hypothesis: it chooses, takes back, copies, saves and looks, in any order.

What it finds shrinks to the fewest steps. Add rules and invariants of your own in a subclass; `self.match` is the match as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, ClassVar

from attrs import frozen
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulesrun.api import Game, Match
from rulesrun.strategies.plays import SEEDS, positions
from rulesrun.suite import Broken, check_cards, check_copy, check_invariants, check_options, check_save, check_secrets, check_undo


def state_machine(game: Game, players: int | Iterable[int] | None = None) -> type[GameMachine]:
    """A class whose `TestCase` plays `game` and checks it at every step:

        TestPearls = rulesrun.strategies.state_machine(rulesrun.load("pearls.cardgame")).TestCase

    `players`: a number, several, or with None all the game is for. Raises `ValueError` for a wrong one."""
    named = "".join(word.capitalize() for word in game.id.split("_"))
    return type(f"{named}Machine", (GameMachine,), {"starts": positions(game.for_tests, players), "__doc__": GameMachine.__doc__})


def _asked(machine: GameMachine) -> bool:
    return not machine.match.finished


OPTIONS = st.runner().flatmap(lambda machine: st.integers(0, machine.match.option_count - 1))
"""the number of an option of the open decision"""
SEATS = st.runner().flatmap(lambda machine: st.integers(0, machine.match.players - 1))


class GameMachine(RuleBasedStateMachine):
    """Plays a game, beginning anywhere in it. What should be is found by playing its choices again from the start. A step fails with `Broken`, or with
    `Fault` if the rules cannot go on."""

    starts: ClassVar[st.SearchStrategy[Match]]

    match: Match
    """as it stands"""

    @initialize(match=st.runner().flatmap(lambda machine: machine.starts))
    def start(self, match: Match) -> None:
        self.match = match
        self._undone: list[int] = []
        self._faces: list[int] | None = None

    # ── steps ──

    @precondition(_asked)
    @rule(option=OPTIONS)
    def choose(self, option: int) -> None:
        """Take an option of the open decision, by its number."""
        note(_Said(self.match, option))
        self.match.choose(option)
        self._undone.clear()

    @precondition(lambda self: self.match.choices)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        """Take back some choices: everything is as it was."""
        made = len(self.match.choices)
        count = data.draw(st.integers(1, made), "choices taken back")
        self._undone = [*self.match.choices[made - count :], *self._undone]
        self.match.undo(count)
        self._as_if_played("taking back", count)

    @precondition(lambda self: self._undone)
    @rule()
    def redo(self) -> None:
        """Make a choice again that was taken back."""
        del self._undone[0]
        self.match.redo()
        self._as_if_played("making again", 1)

    def _as_if_played(self, what: str, count: int) -> None:
        again = self.match.game.start(self.match.players, self.match.seed, self.match.chance)
        for index in self.match.choices:
            again.choose(index)
        if self.match != again or self.match.decision != again.decision:
            raise Broken(f"{what} {'a choice' if count == 1 else f'{count} choices'} leads to another state", self.match)

    @rule()
    def copy(self) -> None:
        """Play a copy on, which must not touch the match; then go on with another copy."""
        check_copy(self.match)
        self.match = self.match.copy()

    @rule()
    def save_and_resume(self) -> None:
        """Go on with the match as a file has it."""
        self.match = check_save(self.match)
        self._undone.clear()

    @precondition(_asked)
    @rule(option=OPTIONS)
    def try_out(self, option: int) -> None:
        """Choose and take back: nothing has happened."""
        check_undo(self.match.copy(), option)

    @precondition(_asked)
    @rule()
    def answer_in_every_way(self) -> None:
        """What is listed is accepted, anything else is refused."""
        check_options(self.match)

    @precondition(_asked)
    @rule(seat=SEATS, deal=SEEDS)
    def look(self, seat: int, deal: int) -> None:
        """A seat is shown the same if what it may not know is dealt anew."""
        check_secrets(self.match, seat, Random(deal))

    # ── always ──

    @invariant()
    def cards_are_conserved(self) -> None:
        self._faces = check_cards(self.match, self._faces)

    @invariant()
    def invariants_of_the_rules_hold(self) -> None:
        check_invariants(self.match)


@frozen
class _Said:
    """A step in words; put together only if somebody reads it."""

    match: Match
    option: int

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        decision = self.match.copy().decision
        assert decision is not None
        printer.text(f"# P{decision.player + 1}, {decision.prompt}: {decision.options[self.option].text}")
