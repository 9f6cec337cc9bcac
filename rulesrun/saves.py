"""Games kept in files: written whole or not at all, read with suspicion, played again choice by choice.

A save is JSON, described in `docs/embedding.md`. What counts in it are the seed and the choices: resuming plays them again, and
each must be there as it was, asked of the same seat. The fingerprint of the rules tells whether they are the same; if they
have been changed since, the game is resumed as far as the choices still exist.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from dsl.diagnostics import RulesError
from dsl.render import visible
from dsl.source import Source
from interpreter.faults import Fault
from interpreter.texts import player_name
from rulesrun.api import Game, Match, Taken, base_of, counts_text, load_source
from rulesrun.locate import SUFFIX, Library, NotFound, shipped
from rulesrun.reporting import wishes_of

FORMAT = "rulesrun save"
VERSION = 1
LARGEST_SAVE = 32 << 20
FINGERPRINT = re.compile("[0-9a-f]{64}")
DEEPEST_VALUE = 4
"""lists in lists that a chance script may hold"""


class SaveError(Exception):
    """A game that cannot be saved, or a file that is no save one can go on from. The message is one line for a person."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class RulesChanged(SaveError):
    """The rules are not those of the save any more, and one of its choices does not exist in them. `match` is the game as far as
    it goes, `stopped` the choice."""

    def __init__(self, message: str, match: Match, stopped: Stopped) -> None:
        super().__init__(message)
        self.match = match
        self.stopped = stopped


@frozen
class Named:
    """A rules file: its id, and where it lay if it is none of those shipped."""

    id: str
    path: str | None


@frozen
class Save:
    """What is in a file. `seats`: by seat the bot that plays it, or None for a person; None altogether if nobody said."""

    game: Named
    name: str
    variants: tuple[Named, ...]
    options: Mapping[str, bool | int | str]
    players: int
    seed: int
    chance: tuple[tuple[Any, ...], ...] | None
    seats: tuple[str | None, ...] | None
    rules: str
    finished: bool
    choices: tuple[Taken, ...]


@frozen
class Stopped:
    """The first choice of a save that does not exist any more: its number from 1, what was chosen, why it cannot be."""

    number: int
    taken: Taken
    why: str

    def __str__(self) -> str:
        return f"choice {self.number} ({player_name(self.taken.player)}: {self.taken.key}) {self.why}"

    def told(self, seat: int | None) -> str:
        """For a player, who must not learn what somebody else has chosen."""
        if self.taken.player == seat:
            return str(self)
        return f"choice {self.number} (of {player_name(self.taken.player)}) {self.why}"


@frozen
class Replay:
    """A save played again. `changed`: the rules are not the same any more. `stopped`: where it had to stop for that. `gone`: options
    that the rules do not have any more."""

    match: Match
    changed: bool
    stopped: Stopped | None
    gone: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """That the rules have been changed, if so; beginning of a sentence."""
        if not self.changed:
            return ""
        gone = f" (there is no option {' or '.join(f'`{name}`' for name in self.gone)} any more)" if self.gone else ""
        return f"The rules have been changed since{gone}"


# ── what people call ──


def resume(path: str | PathLike[str], game: Game | None = None) -> Match:
    """The match in a file, at the decision where it was saved. `game`: the rules, if they are not to be looked for where they were.

    Raises `SaveError` for a file that is no save, or a damaged one; `RulesChanged`, a kind of it, if the rules have been changed
    so that a choice does not exist any more (its `match` is the game up to there); `NotFound` and `RulesError` for the rules."""
    save = read(path)
    replayed = replay(save, game_of(save, path) if game is None else game, shown=str(path))
    if replayed.stopped is not None:
        message = f"{path}: the rules have been changed since: {replayed.stopped}"
        raise RulesChanged(message, replayed.match, replayed.stopped)
    return replayed.match


def save_match(match: Match, path: str | PathLike[str], seats: Sequence[str | None] | None = None) -> None:
    """Write a match. Raises `SaveError`."""
    write(save_of(match, seats), path)


# ── a match as a save ──


def save_of(match: Match, seats: Sequence[str | None] | None = None) -> Save:
    """Raises `SaveError` if something in it cannot be in a file."""
    game = match.game
    if seats is not None and len(seats) != match.players:
        raise SaveError(f"{match.players} play, but {len(seats)} seats are named")
    options: dict[str, Any] = game.options
    return Save(
        game=named(game.source),
        name=game.name,
        variants=tuple(named(source) for source in game.variant_sources),
        options=options,
        players=match.players,
        seed=match.seed,
        chance=None if not match.chance else tuple(_event(match, *event) for event in match.chance),
        seats=None if seats is None else tuple(seats),
        rules=game.fingerprint,
        finished=match.finished,
        choices=match.history,
    )


def named(source: Source) -> Named:
    path = Path(source.path).resolve()
    return Named(source.id, None if path.is_relative_to(shipped("games").resolve()) else str(path))


def _event(match: Match, kind: str, value: Any) -> tuple[Any, ...]:
    """An event of a chance script as `Game.start` takes it. Raises `SaveError`."""
    try:
        kept = _plain(value)
    except ValueError:
        raise SaveError(f"the chance script has {value!r} in it, which a file cannot keep") from None
    roll, _, number = kind.partition(" ")
    return (kind, kept) if not number else (roll, match.game.rules.dice[int(number)].name, kept)


def _plain(value: Any, depth: int = 0) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple | range) and depth <= DEEPEST_VALUE:
        return tuple(_plain(item, depth + 1) for item in value)
    raise ValueError


# ── writing ──


def write(save: Save, path: str | PathLike[str]) -> None:
    """Put a save where it is wanted in one step: whatever happens meanwhile, there is either the old file or the new one.

    Raises `SaveError`."""
    target = Path(os.path.realpath(path))
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(text_of(save).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
        temporary = None
        _sync_folder(target.parent)
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise SaveError(f"{path}: cannot be written ({why[:1].lower()}{why[1:]})") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _sync_folder(folder: Path) -> None:
    """That the file has its name is on the disk too, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def text_of(save: Save) -> str:
    """The file: a line for every field, and one for every choice."""
    fields = data_of(save)
    choices = fields.pop("choices")
    lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in choices)
    lines.append('  "choices": [' + (f"\n{rows}\n  " if rows else "") + "]")
    lines.append(f'  "check": "{check_sum({**fields, "choices": choices})}"')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def data_of(save: Save) -> dict[str, Any]:
    fields = asdict(save, recurse=False)
    fields["game"], fields["variants"] = asdict(save.game), [asdict(variant) for variant in save.variants]
    fields["options"] = dict(save.options)
    fields["choices"] = [[taken.player, taken.index, taken.key] for taken in save.choices]
    return {"format": FORMAT, "version": VERSION, **fields}


def check_sum(fields: Mapping[str, Any]) -> str:
    """Of everything in a save but itself: tells damage, and changes by hand."""
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# ── reading ──


def read(path: str | PathLike[str]) -> Save:
    """What is in a file, checked in itself. Raises `SaveError`."""
    shown = str(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_SAVE + 1)
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise SaveError(f"{shown}: cannot be opened ({why[:1].lower()}{why[1:]})") from None
    if len(data) > LARGEST_SAVE:
        raise SaveError(f"{shown}: this is too large to be a saved game")
    return parse(data, shown)


def parse(data: bytes, shown: str) -> Save:
    """As `read`, from the bytes."""
    try:
        fields = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once_each, parse_constant=_refuse, parse_float=_refuse)
        if isinstance(fields, dict):
            json.dumps(fields, ensure_ascii=False).encode("utf-8")  # a text may hold what is no character
    except json.JSONDecodeError as problem:
        if not data.strip():
            raise SaveError(f"{shown}: the file is empty") from None
        if FORMAT.encode() not in data[:100]:
            raise SaveError(f"{shown}: this is not a saved game") from None
        raise SaveError(f"{shown}: the saved game is cut short or damaged (line {problem.lineno})") from None
    except UnicodeError:
        raise SaveError(f"{shown}: this is not a saved game, or a damaged one (not text in UTF-8)") from None
    except (ValueError, RecursionError):
        raise SaveError(f"{shown}: this is not a saved game, or a damaged one") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise SaveError(f"{shown}: this is not a saved game")
    if type(fields.get("version")) is int and fields["version"] > VERSION:
        raise SaveError(f"{shown}: a newer rulesrun has saved this: its format is not {VERSION}, but a later one")
    try:
        return _save(fields)
    except _Wrong as problem:
        raise SaveError(f"{shown}: the saved game is damaged: {problem}") from None


class _Wrong(Exception):
    """A field is not what it must be; the message says which."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} has no place in a save")


def _save(fields: dict[str, Any]) -> Save:
    """Every field by hand: right type, right size, nothing missing, nothing else. Raises `_Wrong`."""
    wanted = {"format", "version", *(field.name for field in Save.__attrs_attrs__), "check"}
    for name in sorted(wanted ^ set(fields)):
        raise _Wrong(f"`{name}` is missing" if name in wanted else f"`{name[:40]}` does not belong in it")
    kept = {name: value for name, value in fields.items() if name != "check"}
    if fields["check"] != check_sum(kept):
        raise _Wrong("its check sum is wrong, so something in it was changed")
    _must(type(fields["version"]) is int and fields["version"] == VERSION, "version")
    players = fields["players"]
    _must(type(players) is int and players > 0, "players")
    _must(type(fields["seed"]) is int, "seed")
    _must(type(fields["finished"]) is bool, "finished")
    _must(_is_text(fields["name"]), "name")
    _must(isinstance(fields["rules"], str) and FINGERPRINT.fullmatch(fields["rules"]) is not None, "rules")
    _must(isinstance(fields["variants"], list), "variants")
    options = fields["options"]
    _must(isinstance(options, dict) and all(type(value) in (bool, int, str) for value in options.values()), "options")
    return Save(
        game=_named(fields["game"], "game"),
        name=fields["name"],
        variants=tuple(_named(variant, "variants") for variant in fields["variants"]),
        options=options,
        players=players,
        seed=fields["seed"],
        chance=_chance(fields["chance"]),
        seats=_seats(fields["seats"], players),
        rules=fields["rules"],
        finished=fields["finished"],
        choices=_choices(fields["choices"], players),
    )


def _must(right: bool, name: str) -> None:
    if not right:
        raise _Wrong(f"`{name}` is not what it must be")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _named(value: Any, name: str) -> Named:
    _must(isinstance(value, dict) and set(value) == {"id", "path"}, name)
    _must(_is_text(value["id"]) and (value["path"] is None or _is_text(value["path"])), name)
    return Named(value["id"], value["path"])


def _chance(value: Any) -> tuple[tuple[Any, ...], ...] | None:
    if value is None:
        return None
    _must(isinstance(value, list) and all(isinstance(e, list) and len(e) > 1 and _is_text(e[0]) for e in value), "chance")
    try:
        made: tuple[tuple[Any, ...], ...] = tuple(_plain(entry) for entry in value)
    except ValueError:
        raise _Wrong("`chance` is not what it must be") from None
    return made


def _seats(value: Any, players: int) -> tuple[str | None, ...] | None:
    if value is None:
        return None
    _must(isinstance(value, list) and len(value) == players and all(e is None or _is_text(e) for e in value), "seats")
    return tuple(value)


def _choices(value: Any, players: int) -> tuple[Taken, ...]:
    _must(isinstance(value, list), "choices")
    made = []
    for number, row in enumerate(value):
        right = isinstance(row, list) and len(row) == 3 and type(row[0]) is int and type(row[1]) is int and isinstance(row[2], str)
        if not right or not 0 <= row[0] < players or row[1] < 0:
            raise _Wrong(f"choice {number + 1} is not what it must be")
        made.append(Taken(*row))
    return tuple(made)


# ── playing again ──


def game_of(save: Save, path: str | PathLike[str], wanted: str | None = None, library: Library | None = None) -> Game:
    """The game a save is of: `wanted` (a name or a path), or that it names, with its variants and options.

    Raises `SaveError` if the game wanted is another one, `NotFound`, `RulesError`."""
    library = library or Library()
    base, own = base_of(_source(save, Path(path), library) if wanted is None else library.find_game(wanted), library)
    if base.id != save.game.id:
        raise SaveError(f"{path}: this is a saved game of {save.name} ({save.game.id}), not of {base.id}")
    names = [variant.id for variant in save.variants]
    for source in own:
        if source.id not in names:
            raise SaveError(f"{path}: this game was played without the variant {source.id}")
    paths = {source.id: source.path for source in own}
    variants = [paths.get(variant.id) or _variant(variant) for variant in save.variants]
    try:
        return load_source(base, library, variants, save.options)
    except RulesError as found:
        problem = found
        plain = _without_options(base, library, variants)
        known = {name: value for name, value in save.options.items() if plain is not None and name in plain.options}
        if plain is None or known == save.options:
            raise _cannot_be(problem, path) or problem from None
        try:
            return load_source(base, library, variants, known)
        except RulesError as still:
            problem = still
        raise _cannot_be(problem, path) or problem from None


def _cannot_be(problem: RulesError, path: str | PathLike[str]) -> SaveError | None:
    """The rules are right, but do not allow what the save sets."""
    wishes = wishes_of(problem)
    return SaveError(f"{path}: the rules have been changed since: {'; '.join(wishes)}") if wishes else None


def _without_options(base: Source, library: Library, variants: Sequence[str]) -> Game | None:
    """The rules as they are if nobody sets an option; None if they cannot be read."""
    try:
        return load_source(base, library, variants, {})
    except RulesError:
        return None


def _source(save: Save, path: Path, library: Library) -> Source:
    """The file of the rules: where it was, or beside the save, or wherever a game of this name is."""
    if save.game.path is None:
        return library.open(shipped("games") / (save.game.id + SUFFIX))
    for place in (Path(save.game.path), path.parent / (save.game.id + SUFFIX)):
        if place.is_file():
            return library.open(place)
    found = library.game(save.game.id)
    if found is None:
        raise NotFound(f"{path}: the rules of this game are not at {save.game.path} any more")
    return found


def _variant(variant: Named) -> str:
    return variant.path if variant.path is not None and Path(variant.path).is_file() else variant.id


def replay(
    save: Save, game: Game, *, shown: str = "the save", to: int | None = None, before: Callable[[Match], None] | None = None
) -> Replay:
    """Play a save again, as far as `to` choices; `before` is called before each choice.

    With the rules of the save every choice must be as it was, or it is refused with `SaveError` (`shown` names the file); with
    other rules it goes as far as it can."""
    changed = game.fingerprint != save.rules
    gone = tuple(name for name in save.options if name not in game.options)
    if not changed and any(name in gone or game.options[name] != value for name, value in save.options.items()):
        raise SaveError(f"{shown}: the saved game is damaged: its options are not those of its rules")
    if save.players not in game.players:
        if changed:
            raise SaveError(f"{shown}: {game.name} is for {counts_text(game.players)} players now, and {save.players} played")
        raise SaveError(f"{shown}: the saved game is damaged: it is not for {save.players} players")
    try:
        match = game.start(save.players, save.seed, save.chance)
    except (Fault, ValueError) as problem:
        said = problem.title if isinstance(problem, Fault) else str(problem)
        raise SaveError(f"{shown}: this game cannot be begun: {said}") from None
    stopped = None
    wanted = save.choices if to is None else save.choices[:to]
    for number, taken in enumerate(wanted, 1):
        if before is not None:
            before(match)
        why = _take(match, taken, changed)
        if why is not None:
            stopped = Stopped(number, taken, why)
            break
    if stopped is not None and not changed:
        raise SaveError(f"{shown}: {stopped}, though the rules are the same: another rulesrun has saved this, or it is damaged")
    whole = stopped is None and len(wanted) == len(save.choices)
    if whole and not changed and match.finished != save.finished:
        raise SaveError(f"{shown}: the saved game is damaged: it is {'' if match.finished else 'not '}over after its choices")
    return Replay(match, changed, stopped, gone)


def _take(match: Match, taken: Taken, changed: bool) -> str | None:
    """Make a choice of a save; if that cannot be, why."""
    decision = match.decision
    if decision is None:
        return "comes after the end of the game"
    if decision.player != taken.player:
        return f"cannot be made: {player_name(decision.player)} is asked there"
    option = next((option for option in decision.options if option.key == taken.key), None)
    if option is None:
        return "does not exist there"
    if option.index != taken.index and not changed:
        return "is not at its place among the options"
    try:
        match.choose(option)
    except Fault as fault:
        return f"cannot be made: {fault.title}"
    return None


def with_seats(save: Save, seats: Sequence[str | None]) -> Save:
    """The same game with other people at the table."""
    return evolve(save, seats=tuple(seats))
