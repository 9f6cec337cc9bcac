"""Measures what people wait for: decisions a second in random play, copies, loading, start-up. Run by `make bench`; what the figures
mean is in `README.md` here.

Speed of play is given as a ratio to a hand-written Python class that plays the same game (`hearts_by_hand.py`), measured in
turns with it in the same run: numbers from different machines, or different days, cannot be compared otherwise. Nobody has
written Dread Draw by hand, so it is held against Hearts too, though its decisions have more to work out.

Hearts is measured twice: `hearts_bare.cardgame` says all its rules itself, `hearts_library.cardgame` is made of the modules of the
standard library. The latter is also compared with OpenSpiel's Hearts in C++, driven from Python as a bot or a learner would
(development extra). All deal, play and score: shuffling is counted on every side.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import boards
import hearts_by_hand

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import rulesrun  # noqa: E402  (from this checkout)
from interpreter import play  # noqa: E402

ROUNDS = 5
SECONDS = 1.0


def rate(play: Callable[[], int]) -> float:
    """How many of what `play` counts go into a second of this process's time."""
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        done += play()
    return done / spent


def by_hand() -> int:
    hearts_by_hand.playout(hearts_by_hand.Hearts())
    return 52


def by_openspiel(by_the_book: bool) -> Callable[[], int] | None:
    """A function that plays the same rules in OpenSpiel, None if it is not installed.

    By the book: as the examples of OpenSpiel do, chance drawn by NumPy from the outcomes and their probabilities. Otherwise as
    quickly as Python can drive it: chance is treated like a player, since all its outcomes are equally likely."""
    try:
        import numpy
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hearts", {"pass_cards": False, "qs_breaks_hearts": False})

    def drawn(state: pyspiel.State) -> int:
        if by_the_book and state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            return int(numpy.random.choice(actions, p=probabilities))
        legal = state.legal_actions()
        return legal[int(random.random() * len(legal))]

    def deal() -> int:
        state = game.new_initial_state()
        state.apply_action(0)  # nothing is passed: else chance would say where to, whatever the parameter says
        while not state.is_terminal():
            state.apply_action(drawn(state))
        state.returns()
        return 52

    return deal


def dealing(game: rulesrun.Game, players: int) -> Callable[[], int]:
    """A function that plays one random game as the others do: one generator for all seats, and no record of it but the scores."""
    code = game.compiled.code(players)
    randoms = [random.random] * players
    seeds = count(1)

    def deal() -> int:
        state = play.start(code, next(seeds))
        decisions = play.play_out(state, randoms)
        play.scores(state)
        return decisions

    return deal


def playing(game: rulesrun.Game, players: int) -> Callable[[], int]:
    """A function that plays one random game and tells how many decisions it had."""
    seeds = count(1)
    return lambda: game.playout(players, next(seeds)).decisions


def copying(game: rulesrun.Game, players: int, decisions: int) -> Callable[[], int]:
    """A function that copies a game some decisions old a hundred times."""
    match = game.start(players=players, seed=3)
    rng = random.Random(3)
    for _ in range(decisions):
        match.choose(rng.randrange(match.option_count))

    def copies() -> int:
        for _ in range(100):
            match.copy()
        return 100

    return copies


def cloning() -> Callable[[], int]:
    deal = hearts_by_hand.Hearts()
    for _ in range(24):
        deal.apply(random.choice(deal.legal()))

    def clones() -> int:
        for _ in range(100):
            deal.clone()
        return 100

    return clones


def compare(name: str, ours: Callable[[], int], theirs: Callable[[], int], unit: str, whose: str = "by hand") -> None:
    """Alternating rounds, so that a busy moment of the machine hurts both."""
    pairs = [(rate(ours), rate(theirs)) for _ in range(ROUNDS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    low, high = min(a / b for a, b in pairs), max(a / b for a, b in pairs)
    print(f"{name:36}{mine:12,.0f} {unit} {whose:>9} {other:12,.0f}   ratio {ratio:.2f} ({low:.2f} to {high:.2f})")


def process(code: str, environment: dict[str, str]) -> float:
    """The milliseconds of processor time that a fresh Python takes for this, its own start and end included."""
    watched = f"import atexit, time; atexit.register(lambda: print(time.process_time()))\n{code}"
    command = [sys.executable, "-c", watched]
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True, cwd=HERE.parent)
    return float(done.stdout.splitlines()[-1]) * 1000


def start_up() -> None:
    """Whole processes: the best of some, each after one that left its bytecode and the parser's tables behind."""
    tasks = {
        "Python itself": "pass",
        "rulesrun --help": "from rulesrun.cli import main; main(['--help'])",
        "load dread_draw": "import rulesrun; rulesrun.load('dread_draw')",
        "load hearts_bare": f"import rulesrun; rulesrun.load({str(HERE / 'hearts_bare.cardgame')!r})",
    }
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": str(Path(home) / "cache"), "LOCALAPPDATA": home}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(home) / "bytecode")  # kept, as an installed package keeps it
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        first = process(tasks["load dread_draw"], environment)
        print(f"{'load dread_draw, nothing cached':36}{first:9.0f} ms")
        for name, code in tasks.items():
            best = min(process(code, environment) for _ in range(1 + ROUNDS))
            print(f"{name:36}{best:9.0f} ms")


def main() -> None:
    random.seed(7)
    print(f"Python {sys.version.split()[0]}, one core, median of {ROUNDS} rounds\n")
    hearts = rulesrun.load(str(HERE / "hearts_bare.cardgame"))
    library = rulesrun.load(str(HERE / "hearts_library.cardgame"))
    dread = rulesrun.load("dread_draw")
    compare("Hearts, random play", playing(hearts, 4), by_hand, "decisions/s")
    compare("Hearts, deals alone", dealing(hearts, 4), by_hand, "decisions/s")
    compare("Hearts on the library, deals alone", dealing(library, 4), by_hand, "decisions/s")
    for by_the_book in (True, False):
        openspiel = by_openspiel(by_the_book)
        if openspiel is None:
            print("OpenSpiel is not installed: pip install 'rulesrun[dev]'")
            break
        how = "by its book" if by_the_book else "at its best"
        compare(f"… against OpenSpiel {how}", dealing(library, 4), openspiel, "decisions/s", "OpenSpiel")
    compare("Dread Draw, random play", playing(dread, 4), by_hand, "decisions/s")
    compare("Hearts, copies in the middle", copying(hearts, 4, 24), cloning(), "copies/s   ")
    compare("Dread Draw, copies in the middle", copying(dread, 4, 24), cloning(), "copies/s   ")
    print()
    boards.main()
    print()
    start_up()


if __name__ == "__main__":
    main()
