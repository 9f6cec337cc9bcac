"""Where a person's games are kept: those saved by name, and the one left last of each game.

Everything lies in the user's data folder, or in the folder that RULESRUN_DATA names. A folder that cannot be written is harmless:
the game goes on, and is not kept."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import define, field

from rulesrun.api import Match
from rulesrun.saves import Save, SaveError, read, save_of, write

SUFFIX = ".json"
LAST = "last"
"""the name of the game left last"""
KEPT = 20
"""of each game so many that were left are kept, the newest ones"""
STALE = 24 * 3600
"""seconds after which what a killed process has left half-written is swept away"""
NAME = re.compile(r"[\w][\w .-]{0,79}")


def data_folder() -> Path:
    """The folder, whether it is there or not. Raises `SaveError` if the system knows none."""
    wanted = os.environ.get("RULESRUN_DATA")
    if wanted:
        return Path(wanted)
    import platformdirs

    try:
        return platformdirs.user_data_path("rulesrun")
    except (OSError, RuntimeError) as problem:
        raise SaveError(f"there is no folder to keep games in ({problem})") from None


def is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith(SUFFIX)


def place_of(name: str) -> Path:
    """The file that a name of a saved game means; a path gets the suffix if it has none. Raises `SaveError` for what can be no name."""
    if is_path(name):
        try:
            path = Path(name).expanduser()
        except RuntimeError:
            raise SaveError(f"{name}: nobody of this name has a folder here") from None
        if not path.name:
            raise SaveError(f"{name}: this is a folder; add a name for the file")
        return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
    if not NAME.fullmatch(name) or name == LAST:
        raise SaveError(f"`{name}` cannot be the name of a saved game: letters, digits, blanks and -_. make one")
    return data_folder() / "saves" / (name + SUFFIX)


def find(name: str, game: str | None = None, *, over: bool = False) -> Path:
    """The file to load: a path, a saved name, or `last`: the game left last (of this one, if it is said; also one that is over, if
    that is wanted). Raises `SaveError`."""
    if name == LAST:
        found = left_last(game, over=over)
        if found is None:
            raise SaveError(f"there is no {'' if over else 'unfinished '}game{'' if game is None else f' of {game}'} that was left")
        return found[0]
    if is_path(name) and Path(name).exists():
        return Path(name)
    path = place_of(name)
    if not is_path(name) and not path.is_file():
        names = saved_names()
        raise SaveError(f"there is no saved game `{name}`: " + (f"there are {', '.join(names)}" if names else "none was saved yet"))
    return path


def saved_names() -> list[str]:
    return sorted(path.stem for path in _files(data_folder() / "saves"))


def left_last(game: str | None = None, *, over: bool = False) -> tuple[Path, Save] | None:
    """The newest game that was left, if it is not over (or `over` does not mind). Files that cannot be read do not count."""
    for path in sorted(_files(_autosaves()), key=_when, reverse=True):
        if game is not None and not path.name.startswith(f"{game}-"):
            continue
        try:
            save = read(path)
        except SaveError:
            continue
        if game is None or save.game.id == game:
            return None if save.finished and not over else (path, save)
    return None


def in_the_way(match: Match, path: Path) -> Save | None:
    """The saved game of another match that a file would be written over. Raises `SaveError` if something else than a save is there."""
    if not path.exists():
        return None
    if path.is_dir():
        raise SaveError(f"{path}: this is a folder")
    try:
        there = read(path)
    except SaveError:
        raise SaveError(f"{path}: this is something else than a saved game, and stays as it is") from None
    return None if same_match(there, match) else there


def same_match(save: Save, match: Match) -> bool:
    """It is a save of this match, earlier or later."""
    return (save.seed, save.game.id, save.players) == (match.seed, match.game.id, match.players)


def keep_as(match: Match, name: str, seats: Sequence[str | None]) -> Path:
    """Save under a name or at a path, over another saved game too (see `in_the_way`). Raises `SaveError`."""
    path = place_of(name)
    in_the_way(match, path)
    if not is_path(name):
        _make(path.parent)
    write(save_of(match, seats), path)
    return path


def free_name(match: Match) -> str:
    """A name for a match whose person gave none: that of the game, with a number if another match has it."""
    number = 1
    while True:
        name = match.game.id if number == 1 else f"{match.game.id}-{number}"
        name = name if NAME.fullmatch(name) and name != LAST else f"game-{number}"
        path = place_of(name)
        try:
            there = read(path)
        except SaveError:
            if not path.exists():
                return name
        else:
            if same_match(there, match):
                return name
        number += 1


@define
class Autosave:
    """Keeps one match as it goes on. `path` is chosen when there is something to keep; `trouble` says why it cannot be kept."""

    path: Path | None = None
    trouble: str | None = None
    _written: list[int] | None = field(default=None)

    def keep(self, match: Match, seats: Sequence[str | None]) -> None:
        """On the disk when this returns, unless there is trouble."""
        if match.choices == self._written or (not match.choices and self.path is None):
            return
        try:
            if self.path is None:
                folder = _autosaves()
                _make(folder)
                _sweep(folder, match.game.id)
                self.path = _unused(folder, f"{match.game.id}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
            write(save_of(match, seats), self.path)
            self._written = list(match.choices)
            self.trouble = None
        except SaveError as problem:
            self.trouble = str(problem)


def _unused(folder: Path, name: str) -> Path:
    """A file that is not there yet; no other process takes this name, since its number is in it."""
    path = folder / (name + SUFFIX)
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}{SUFFIX}"
    return path


def _autosaves() -> Path:
    return data_folder() / "left"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SaveError(f"{folder}: cannot be made ({(problem.strerror or str(problem)).lower()})") from None


def _files(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (path for path in folder.glob("*" + SUFFIX) if not path.name.startswith("."))


def _when(path: Path) -> tuple[int, str]:
    """When it was written, as far as one can find out."""
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


def _sweep(folder: Path, game: str) -> None:
    """Old games and what was left half-written go."""
    old = sorted((path for path in _files(folder) if path.name.startswith(f"{game}-")), key=_when, reverse=True)[KEPT - 1 :]
    with suppress(OSError):
        now = time.time_ns()
        old += [path for path in folder.glob(".*.tmp") if now - _when(path)[0] > STALE * 1_000_000_000]
    for path in old:
        with suppress(OSError):
            path.unlink()
