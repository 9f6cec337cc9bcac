"""Hypothesis strategies: what a test of rules wants to be given.

    from rulesrun.strategies import plays, positions, state_machine

`plays(game)` are games that have been played, `positions(game)` moments at which somebody is asked, and `state_machine(game)` is a
`RuleBasedStateMachine`; `programs()` are rules files, and `mutated(text)` broken ones. This package imports Hypothesis;
`import rulesrun` does not.
"""

from rulesrun.strategies.machine import GameMachine, state_machine
from rulesrun.strategies.plays import plays, positions
from rulesrun.strategies.programs import Program, mutated, programs

__all__ = ["GameMachine", "Program", "mutated", "plays", "positions", "programs", "state_machine"]
