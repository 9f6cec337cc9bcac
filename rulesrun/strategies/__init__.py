"""Hypothesis strategies: what a test of rules wants to be given.

    from rulesrun.strategies import plays, positions, state_machine

`plays(game)` are games that have been played, `positions(game)` moments at which somebody is asked, and `state_machine(game)` is a
`RuleBasedStateMachine`. This package imports Hypothesis; `import rulesrun` does not.
"""

from rulesrun.strategies.machine import GameMachine, state_machine
from rulesrun.strategies.plays import plays, positions

__all__ = ["GameMachine", "plays", "positions", "state_machine"]
