"""Plays a game at the keyboard in processes that are killed at random moments, and looks at what is left of it.

    python -m tests.rulesrun.killing GAME FOLDER MOMENTS EACH

prints a line of JSON for each process. Of every EACH games one is resumed and played to its end. It is a program of its own, so that only a small process without threads is forked."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rulesrun import kept, saves
from rulesrun.api import Game, Match, load
from rulesrun.repl.opening import new_session, resumed
from rulesrun.repl.session import Session
from tests.rulesrun.table_games import ScriptedDesk

SEED = 15


class Reporting(ScriptedDesk):
    """Always takes the first option. Before each answer it reports how many choices have been made."""

    def __init__(self, report: Callable[[int], None]) -> None:
        super().__init__([])
        self.report = report
        self.session: Session | None = None

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        assert self.session is not None
        if self.session.past.behind:
            self.report(len(self.session.match.choices))
        if self.session.match.finished:
            raise EOFError
        return "1"


def play(game: Game, report: Callable[[int], None]) -> Match:
    desk = Reporting(report)
    session = new_session(game, game.players[0], (0,), (), SEED, desk)
    desk.session = session
    session.play()
    return session.match


def killed(game: Game, after: float) -> tuple[int, bool]:
    """Play in another process and kill it; how many choices it had reported, and whether it was still playing."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        play(game, lambda made: os.write(writer, bytes([made])) and None)
        os._exit(0)
    os.close(writer)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    reported = b""
    while part := os.read(reader, 1000):
        reported += part
    os.close(reader)
    return (reported[-1] if reported else 0), os.WIFSIGNALED(status)


def main(name: str, folder: Path, moments: int, each: int) -> None:
    game = load(name)
    os.environ["RULESRUN_DATA"] = str(folder / "whole")
    begun = time.perf_counter()
    whole = play(game, lambda made: None)
    lasts = min(0.5, time.perf_counter() - begun)
    numbers = random.Random(name)
    moment = tries = 0
    while moment < moments and tries < 4 * moments:
        tries += 1
        os.environ["RULESRUN_DATA"] = str(folder / str(tries))
        made, alive = killed(game, numbers.random() * lasts)
        if not alive:  # it was over before: this machine is quicker now than it was
            lasts *= 0.95
            continue
        moment += 1
        found = kept.left_last(game.id, over=True)
        files = len(list((folder / str(tries)).glob("left/*.json")))
        line = {"made": made, "files": files, "kept": 0, "same": True, "depth": 0, "resumed": False}
        if found is not None:
            path, save = found
            line["kept"] = len(save.choices)
            line["same"] = [taken.index for taken in save.choices] == whole.choices[: len(save.choices)]
            if moment % each == 0:
                desk = Reporting(lambda made: None)
                session = resumed(path, desk)
                desk.session = session
                line["depth"] = len(session.match.why())
                session.play()
                line["resumed"] = session.match == whole and saves.read(path).finished
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
