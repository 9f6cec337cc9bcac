"""Card and board games as readable rules files.

    import rulesrun
    game = rulesrun.load("dread_draw", options={"life_cards": 6})
    match = game.start(players=4, seed=7)
    while (decision := match.decision) is not None:
        match.choose(decision.options[0])
    match.result.winners

Seats are numbered from 0 in Python; in texts they are P1, P2 and so on. What is imported here is loaded when it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # for type checkers, as in `typing`, which would be most of what is loaded here

if TYPE_CHECKING:
    from dsl.diagnostics import RulesError as RulesError
    from interpreter.faults import Fault as Fault
    from rulesrun.api import Decision as Decision
    from rulesrun.api import Game as Game
    from rulesrun.api import Match as Match
    from rulesrun.api import Option as Option
    from rulesrun.api import Result as Result
    from rulesrun.api import load as load
    from rulesrun.locate import NotFound as NotFound
    from rulesrun.saves import RulesChanged as RulesChanged
    from rulesrun.saves import SaveError as SaveError
    from rulesrun.saves import resume as resume
    from rulesrun.suite import Broken as Broken
    from rulesrun.suite import check_game as check_game

_HOMES = {
    "RulesError": "dsl.diagnostics",
    "Fault": "interpreter.faults",
    "Decision": "rulesrun.api",
    "Game": "rulesrun.api",
    "Match": "rulesrun.api",
    "Option": "rulesrun.api",
    "Result": "rulesrun.api",
    "load": "rulesrun.api",
    "NotFound": "rulesrun.locate",
    "RulesChanged": "rulesrun.saves",
    "SaveError": "rulesrun.saves",
    "resume": "rulesrun.saves",
    "Broken": "rulesrun.suite",
    "check_game": "rulesrun.suite",
}

__all__ = [
    "Broken", "Decision", "Fault", "Game", "Match", "NotFound", "Option", "Result", "RulesChanged", "RulesError", "SaveError", "check_game", "load",
    "resume",
]  # fmt: skip


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
