"""Finds rules files by name, and reads them. The one place that knows folders.

A name with a slash or the suffix is a path. Any other is looked for beside the file that names it, then in the current
folder, then among what is shipped; a module beside the file, then in the standard library. Shipped files are found in a
checkout, an editable install and a wheel alike.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import Factory, define

from dsl.diagnostics import Diagnostic, RulesError
from dsl.source import Source, Span
from dsl.suggest import closest

SUFFIX = ".cardgame"
TESTS_SUFFIX = "_tests" + SUFFIX
LARGEST_FILE = 4 << 20


class NotFound(Exception):
    """There is no such file or name, or it cannot be opened. The message is one line for the person who asked."""


def is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith(SUFFIX)


@cache
def shipped(folder: str) -> Path:
    """The folder `games` or `stdlib`: inside the package when installed, beside it in a checkout."""
    here = Path(__file__).resolve().parent
    inside = here / folder
    return inside if inside.is_dir() else here.parent / folder


def shown(path: Path) -> str:
    """A path as people want to read it: from the current folder if it is in there."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError):
        return str(path)


def read(path: Path, show_as: str | None = None) -> Source:
    """A file as a source.

    Raises `NotFound` if it cannot be opened and `RulesError` if it is not text in UTF-8."""
    name = show_as or shown(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE)  # what is longer, the parser refuses
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise NotFound(f"{name}: cannot be opened ({why[:1].lower()}{why[1:]})") from None
    return decoded(name, data)


def decoded(name: str, data: bytes) -> Source:
    """The bytes of a file as a source; what is longer than any rules file may be is cut. Raises `RulesError` if they are not text in UTF-8."""
    data = data[:LARGEST_FILE].removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        if len(data) < LARGEST_FILE or problem.start < len(data) - 3:
            raise RulesError([_not_utf8(name, data, problem.start)]) from None
        text = data[: problem.start].decode("utf-8")
    return Source(name, _plain_lines(text))


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _not_utf8(name: str, data: bytes, start: int) -> Diagnostic:
    before = len(_plain_lines(data[:start].decode("utf-8")))
    source = Source(name, _plain_lines(data.decode("utf-8", "replace")))
    return Diagnostic(
        "CG0140",
        "this is not text in UTF-8",
        Span(source, before, before + 1),
        f"the byte 0x{data[start]:02X} cannot stand here",
        (),
        "save the file as text in UTF-8; most editors offer it as the encoding",
    )


@define
class Library:
    """What names mean: the lookup that composing asks. Each file is read once."""

    _sources: dict[Path, Source] = Factory(dict)

    def open(self, path: Path, show_as: str | None = None) -> Source:
        """Raises as `read`."""
        try:
            key = path.resolve()
        except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL: `read` says what is wrong
            return read(path, show_as)
        if key not in self._sources:
            self._sources[key] = read(path, show_as)
        return self._sources[key]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that were read."""
        return tuple(self._sources)

    def _first(self, places: Iterator[Path]) -> Source | None:
        for path in places:
            if path.is_file():
                return self.open(path)
        return None

    def game(self, name: str, asking: Source | None = None) -> Source | None:
        if is_path(name):
            return self._first(iter([_folder(asking) / name]))
        return self._first(self._game_places(name, asking))

    def _game_places(self, name: str, asking: Source | None) -> Iterator[Path]:
        file = name + SUFFIX
        if asking is not None:
            here = _folder(asking)
            yield here / file
            if here.parent.name == "variants":  # variants/BASE/NAME.cardgame: the base is beside `variants`
                yield here.parent.parent / file
        yield Path(file)
        yield Path("games") / file
        yield shipped("games") / file

    def module(self, name: str, asking: Source | None = None) -> Source | None:
        file = name + SUFFIX
        places = [] if asking is None else [_folder(asking) / file]
        return self._first(iter([*places, shipped("stdlib") / file]))

    def modules(self, asking: Source | None = None) -> list[str]:
        """The names of the modules that a file could use: those of the library, and files beside it."""
        beside = (
            [] if asking is None else [path for path in _folder(asking).glob("*" + SUFFIX) if header_of(path)[:1] == ["module"]]
        )
        return sorted({path.name.removesuffix(SUFFIX) for path in [*shipped("stdlib").glob("*" + SUFFIX), *beside]})

    def variant(self, base_id: str, name: str, asking: Source | None = None) -> Source | None:
        if is_path(name):
            return self._first(iter([Path(name)]))
        file = name + SUFFIX
        inside = Path("variants") / base_id / file
        places = [] if asking is None else [_folder(asking) / inside]
        return self._first(iter([*places, inside, Path(file), shipped("games") / inside]))

    def tests_beside(self, base: Source) -> list[Source]:
        """The files of tests in the folder of a game: those called `…_tests.cardgame` whose header names it."""
        return [self.open(path) for path in sorted(_folder(base).glob("*" + TESTS_SUFFIX)) if game_tested(path) == base.id]

    # ── for people ──

    def find_game(self, name: str) -> Source:
        """The rules file a person names. Raises `NotFound` (with the nearest name) and `RulesError` (not UTF-8)."""
        if is_path(name):
            return self.open(Path(name), name)
        found = self.game(name)
        if found is None:
            raise NotFound(_no_such("game", name, [*games_here(), *shipped_games()], "`rulesrun games` lists them"))
        return found

    def find_variant(self, base: Source, name: str) -> Source:
        if is_path(name):
            return self.open(Path(name), name)
        found = self.variant(base.id, name, base)
        if found is None:
            raise NotFound(_no_such(f"variant of {base.id}", name, variants_of(base), "a path to a variant file works too"))
        return found


BEGINNING = 20_000
"""bytes in which a file says what it is"""


def header_words(text: str) -> list[str]:
    """The words of the first line of a rules file that is no remark: what it is, without reading it. None of an empty file."""
    lines = (line.split() for line in text.removeprefix("\ufeff").splitlines())
    return next((words for words in lines if words and not words[0].startswith("#")), [])


def header_of(path: Path) -> list[str]:
    """The same of a file; empty if it cannot be opened."""
    try:
        with path.open("rb") as file:
            return header_words(file.read(BEGINNING).decode("utf-8", "replace"))
    except OSError:
        return []


def game_tested(path: Path) -> str | None:
    """The game that a file of tests is about, by its name; None if it is no file of tests beside its game."""
    words = header_of(path) if path.name.endswith(TESTS_SUFFIX) else []
    return words[2] if words[:2] == ["tests", "of"] and len(words) > 2 else None


def _folder(source: Source | None) -> Path:
    return Path() if source is None else Path(source.path).parent


def _no_such(what: str, name: str, names: list[str], hint: str) -> str:
    near = closest(name, names)
    return f"there is no {what} `{name}`: " + (f"did you mean `{near}`?" if near else hint)


def games_here() -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in Path().glob("*" + SUFFIX))


def shipped_games() -> list[str]:
    """The names of the games that come with the tool."""
    return sorted(path.name.removesuffix(SUFFIX) for path in shipped("games").glob("*" + SUFFIX))


def variants_of(base: Source) -> list[str]:
    """Names of the variants one can reach from a game's file."""
    folders = [_folder(base), Path(), shipped("games")]
    found = (path for folder in folders for path in (folder / "variants" / base.id).glob("*" + SUFFIX))
    return sorted({path.name.removesuffix(SUFFIX) for path in found})


def files_in(path: Path) -> list[Path]:
    """The rules files in a folder, however deep, in order; a file is itself."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.rglob("*" + SUFFIX) if not any(part.startswith(".") for part in p.relative_to(path).parts))


@cache
def cache_folder() -> str | None:
    """Where built parser tables are kept between runs; None if there is no such place."""
    import platformdirs

    try:
        folder = platformdirs.user_cache_path("rulesrun")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return str(folder) if os.access(folder, os.W_OK | os.R_OK) else None
