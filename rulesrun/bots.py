"""Who plays the seats nobody sits in.

A bot is given what its seat may know, never the match. Each has a stream of random numbers of its own, so the cards of a game
do not depend on who plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from rulesrun.locate import NotFound

if TYPE_CHECKING:
    from interpreter.state import State
    from rulesrun.api import Decision, Information


class Bot(Protocol):
    """`choose` answers a decision of its seat with the number of an option. `information` is asked for only if it is used."""

    def choose(self, decision: Decision, information: Callable[[], Information]) -> int: ...


@frozen
class RandomBot:
    """Picks any option, all equally likely."""

    random: Random

    def choose(self, decision: Decision, information: Callable[[], Information]) -> int:
        return self.pick(len(decision.options))

    def pick(self, options: int) -> int:
        return int(self.random.random() * options)


def finish(state: State, option: int, random: Random) -> tuple[int, ...]:
    """Who wins if this option is taken in a state that a bot thinks possible, and everybody then plays at random. The state is left
    as it was. Raises `Fault`."""
    from interpreter import play

    trial = state.copy()
    play.choose(trial, option)
    play.play_out(trial, [random.random] * trial.code.program.players)
    return play.winners(trial)


BOTS: dict[str, Callable[[Random], Bot]] = {"random": RandomBot}
"""What can be named with `--bot`: a maker of bots by its name."""

USUAL = "random"


def stream(seed: int, seat: int) -> Random:
    """The random numbers of one seat in one game."""
    return Random(f"{seed}/{seat}")


def shared_stream(seed: int) -> Random:
    """The random numbers of all seats in a game that only random bots play: one stream takes less to make than one for each."""
    return Random(~seed)


def make_bot(name: str, seed: int, seat: int) -> Bot:
    """Raises `NotFound` for a name that is none."""
    return maker(name)(stream(seed, seat))


def seated(name: str, seed: int, seat: int, made: int) -> Bot:
    """A bot for one decision, the one after so many choices: it draws the same whether the game was played in one go, taken back to
    this point or resumed from a file. Raises `NotFound` for a name that is none."""
    return maker(name)(Random(f"{seed}/{seat}/{made}"))


def maker(name: str) -> Callable[[Random], Bot]:
    if name not in BOTS:
        from dsl.suggest import closest

        near = closest(name, BOTS)
        raise NotFound(f"there is no bot `{name}`: " + (f"did you mean `{near}`?" if near else f"the bots are {', '.join(BOTS)}"))
    return BOTS[name]


def by_seat(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Who plays which seat: one name is for all, several go round."""
    wanted = [name for name in names if name] or [USUAL]
    for name in wanted:
        maker(name)
    return tuple(wanted[seat % len(wanted)] for seat in range(players))
