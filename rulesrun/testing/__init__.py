"""Testing rules: the `test` blocks of a file, then random games that its invariants and properties judge.

blocks      the test blocks, each in the composition whose options it gives
trials      one game with its judges: what went wrong in it, if anything
hunting     many random games
shrinking   from a game that went wrong to the shortest play that goes wrong in the same way
telling     what was found, for people: position, choices, values, and a `test` block that shows it again
reports     the same as JSON and as JUnit XML
command     `rulesrun test`
"""

from rulesrun.testing.blocks import is_module, run_tests
from rulesrun.testing.hunting import hunt
from rulesrun.testing.shrinking import shrink
from rulesrun.testing.trials import Play, Tester, Trouble

__all__ = ["Play", "Tester", "Trouble", "hunt", "is_module", "run_tests", "shrink"]
