"""A long run of the fuzzer: `make soak MINUTES=60`, or `python tests/soak.py --minutes 60 --seed 1`.

In turn, for as long as told: generated programs and broken real files (read, format, check, play, save, resume), changes that may
change nothing, the commands, and the generic suite over all games, variants and examples. What fails is made shorter and written to a folder,
and the run goes on; a failure at the same place is only counted. Ends with a summary, and with 1 if something failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, process_time

from attrs import Factory, define
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dsl.source import Source  # noqa: E402
from interpreter.faults import Fault  # noqa: E402
from rulesrun import suite  # noqa: E402
from rulesrun.api import load  # noqa: E402
from rulesrun.locate import Library, files_in  # noqa: E402
from rulesrun.strategies import Program, mutated, programs  # noqa: E402
from tests.fuzz.commands import commands_end_well  # noqa: E402
from tests.fuzz.jobs import GAMES, REAL, game_changed, program_changed  # noqa: E402
from tests.fuzz.metamorphic import CHANGES  # noqa: E402
from tests.fuzz.properties import Tally, holds_of_program, holds_of_text  # noqa: E402
from tests.fuzz.shrinking import shortened  # noqa: E402

PLAYABLE = [path for folder in ("games", "examples") for path in files_in(ROOT / folder)]
EXAMPLES = 10
"""of a strategy, in one turn"""
SHRINKING = 60
"""seconds to make one failure shorter"""
SLOW = 60
"""seconds of the processor that one example may take"""
HANGS = 1800
"""seconds after which the run is given up: something hangs"""
OWN = ("dsl", "interpreter", "rulesrun", "fuzz")

Key = tuple[str, str, int]


def place_of(problem: BaseException) -> Key:
    """The sort of a failure, and the place in our own code."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if any(f"/{part}/" in frame.filename.replace("\\", "/") for part in OWN)]
    last = (own or frames)[-1]
    return type(problem).__name__, Path(last.filename).name, last.lineno or 0


@define
class Soak:
    """The run: what was done, and what failed, by its place."""

    folder: Path
    tally: Tally = Factory(Tally)
    failures: dict[Key, int] = Factory(dict)

    def example(
        self, job: Callable[[Tally], object], what: str, shown: Callable[[], str], shorter: Callable[[Key], str] | None
    ) -> None:
        """One example; a failure is written down, and so is one that takes long."""
        faulthandler.dump_traceback_later(HANGS, exit=True)
        start = process_time()
        try:
            job(self.tally)
            if process_time() - start > SLOW:
                self.note(("Slow", what, 0), f"{process_time() - start:.0f} seconds", shown())
        except Exception as problem:  # whatever it is, it is what we look for
            key = place_of(problem)
            text = "".join(traceback.format_exception(problem))
            found = shorter(key) if shorter and key not in self.failures else shown()
            self.note(key, text, found)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def note(self, key: Key, why: str, found: str) -> None:
        number = self.failures[key] = self.failures.get(key, 0) + 1
        if number == 1:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{len(self.failures):03}_{key[0]}_{key[1]}_{key[2]}.txt"
            path.write_text(f"{found}\n\n{why}", encoding="utf-8")
            print(f"FAILED: {key[0]} at {key[1]}:{key[2]}; see {path}", flush=True)

    # ── the jobs ──

    def generated(self, number: int, job: Callable[[Program, int, Tally], object], name: str, varied: bool) -> None:
        @seed(number)
        @settings(
            max_examples=EXAMPLES, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
        )
        @given(programs(variants=varied), st.integers(0, 10**6))
        def run(program: Program, play: int) -> None:
            def shorter(key: Key) -> str:
                return str(shortened(program, lambda p: fails_at(lambda: job(p, play, Tally()), key), SHRINKING))

            self.example(lambda tally: job(program, play, tally), name, lambda: f"seed {play}\n{program}", shorter)

        run()

    def programs(self, number: int) -> None:
        self.generated(number, holds_of_program, "a program", True)

    def commands(self, number: int) -> None:
        def job(program: Program, _: int, tally: Tally) -> None:
            with TemporaryDirectory() as folder:
                commands_end_well(program, Path(folder), tally)

        self.generated(number, job, "the commands", True)

    def changed_programs(self, number: int) -> None:
        name = list(CHANGES)[number % len(CHANGES)]
        self.generated(number, lambda program, play, tally: program_changed(program, name, play, tally), name, False)

    def mutants(self, number: int) -> None:
        library = Library()

        @seed(number)
        @settings(
            max_examples=EXAMPLES, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
        )
        @given(st.sampled_from(REAL), st.integers(0, 10**6), st.data())
        def run(path: Path, play: int, data: st.DataObject) -> None:
            source = library.open(path)
            text = data.draw(mutated(source.text))
            broken = Source(source.path, text)
            self.example(lambda tally: holds_of_text(broken, library, play, tally), path.name, lambda: f"{path}\n{text}", None)

        run()

    def changed_games(self, number: int) -> None:
        path, name = Random(number).choice(GAMES), list(CHANGES)[number % len(CHANGES)]
        self.example(lambda tally: game_changed(path, name, number, tally), name, lambda: f"{path}, {name}, seed {number}", None)

    def suites(self, number: int) -> None:
        """One check of the suite on one game, and so on: all of them would take many minutes on a long one."""
        path = PLAYABLE[number % len(PLAYABLE)]
        check = list(suite.CHECKS)[number // len(PLAYABLE) % len(suite.CHECKS)]
        what = f"{path}, {check}, seed {number}"
        self.example(lambda tally: checked_game(path, check, number, tally), check, lambda: what, None)

    def run(self, minutes: float, first: int) -> None:
        end = monotonic() + minutes * 60
        told, number = monotonic(), first
        jobs = [self.programs, self.mutants, self.changed_programs, self.changed_games, self.suites, self.commands]
        while monotonic() < end:
            for job in jobs:
                if monotonic() < end:
                    job(number)
            number += 1
            if monotonic() - told > 60:
                told = monotonic()
                print(f"{(end - told) / 60:.0f} minutes to go: {self.summary()}", flush=True)

    def summary(self) -> str:
        return ", ".join(f"{number} {what}" for what, number in sorted(self.tally.counts.items()))


def fails_at(job: Callable[[], object], key: Key) -> bool:
    try:
        job()
    except Exception as problem:
        return place_of(problem) == key
    return False


def checked_game(path: Path, check: str, number: int, tally: Tally) -> None:
    """A check of the generic suite on a game, variant or example, at one number of players. Here a fault is a failure."""
    game = load(path)
    players = game.players[number % len(game.players)]
    try:
        suite.run_check(check, game, players, number)
    except Fault as fault:
        raise AssertionError(f"{path}, {players} players, seed {fault.seed}, choices {fault.choices}: {fault.title}") from fault
    tally.add("checks of real games")


def main() -> int:
    parser = argparse.ArgumentParser(description="A long run of the fuzzer and of the generic suite.")
    parser.add_argument("--minutes", type=float, default=60, help="how long (60)")
    parser.add_argument("--seed", type=int, default=1, help="where to begin (1)")
    parser.add_argument("--out", type=Path, default=Path("soak"), help="the folder for what fails (soak)")
    given_ = parser.parse_args()
    soak = Soak(given_.out.resolve())
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1)  # `kill -USR1` shows where it is
    start = monotonic()
    try:
        soak.run(given_.minutes, given_.seed)
    except KeyboardInterrupt:
        print("stopped")
    print(f"\n{(monotonic() - start) / 60:.1f} minutes from seed {given_.seed}")
    for what, number in sorted(soak.tally.counts.items()):
        print(f"  {number:>9}  {what}")
    for (sort, where, line), number in soak.failures.items():
        print(f"  FAILED {number} times: {sort} at {where}:{line}")
    print("nothing failed" if not soak.failures else f"{len(soak.failures)} failures: see {given_.out}/")
    return 1 if soak.failures else 0


if __name__ == "__main__":
    sys.exit(main())
