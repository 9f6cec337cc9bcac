"""Playing while the rules are being written: when a file of theirs changes, the game goes on with the new rules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import Factory, define

from dsl.diagnostics import RulesError
from rulesrun.api import Game
from rulesrun.kept import Autosave
from rulesrun.locate import Library, NotFound
from rulesrun.repl.past import Recorder
from rulesrun.repl.session import Session
from rulesrun.reporting import print_diagnostics
from rulesrun.saves import SaveError, replay, save_of

Stamp = tuple[int, int]


@define
class Watcher:
    """Knows the files of the rules as they were when they were last read. `load` reads them anew."""

    load: Callable[[Library], Game]
    stamps: dict[Path, Stamp] = Factory(dict)

    def note(self, paths: Iterable[Path]) -> None:
        for path in paths:
            stamp = stamp_of(path)
            if stamp is not None:
                self.stamps[path] = stamp

    def changed(self) -> bool:
        """Has a file been written since? One that is missing is being written just now."""
        return any(stamp_of(path) not in (None, stamp) for path, stamp in self.stamps.items())

    def reread(self, session: Session) -> Session | None:
        """The same game with the rules as they are now, as far as its choices exist in them; None, after saying why, if the old
        rules must do."""
        library = Library()
        self.note(self.stamps)
        try:
            game = self.load(library)
            self.note(library.paths)
            recorder = Recorder(session.humans)
            replayed = replay(save_of(session.match), game, shown="the game", before=recorder)
        except RulesError as problem:
            self.note(library.paths)
            session.say("The rules were written anew, but cannot be read. The game goes on with the old ones.")
            print_diagnostics(problem.diagnostics, sys.stdout)
            return None
        except (NotFound, SaveError) as problem:
            session.say(f"The rules were written anew, but the game cannot go on with them: {problem}")
            return None
        new = Session(replayed.match, session.desk, session.humans, session.bots)
        new.past, new.told, new.trace, new.watcher = recorder.past, recorder.told, session.trace, self
        new.autosave = session.autosave
        if replayed.stopped is not None:
            new.autosave = Autosave()
            count = len(replayed.match.choices)
            new.welcome = [f"The rules were written anew: {replayed.stopped}. The game goes on after {count} choices."]
            new.past.behind = [turning for turning in new.past.behind if turning.choices < count]
        elif replayed.changed:
            new.welcome = ["The rules were written anew, and the game goes on with them."]
        else:
            new.welcome = ["The rules were written anew; nothing in them has changed."]
        return new


def stamp_of(path: Path) -> Stamp | None:
    """When a file was written, and how long it is; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
