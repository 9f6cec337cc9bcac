"""How a game at the keyboard begins: with fresh cards, from a file, or where it was left."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click
from attrs import frozen

from rulesrun import kept
from rulesrun.api import Game, base_of, new_seed
from rulesrun.bots import by_seat
from rulesrun.locate import Library
from rulesrun.repl.console import Desk, TerminalDesk, open_desk
from rulesrun.repl.past import Recorder
from rulesrun.repl.session import Session, Switch
from rulesrun.repl.watching import Watcher
from rulesrun.saves import Replay, Save, SaveError, game_of, read, replay


@frozen
class Seating:
    """What a person asked for: how many play, how many of them are people, where the first of them sits (from 1), which bots."""

    players: int | None = None
    humans: int | None = None
    seat: int | None = None
    bots: tuple[str, ...] = ()


Again = Callable[[Library], Game]
"""reads the rules anew"""


def play_game(game: Game, seating: Seating, seed: int | None, again: Again | None = None) -> int:
    """A new game at this process's terminal or pipe, or the one that was left, if that is wanted; returns the exit code. With `again`
    the rules are watched. Raises `click.UsageError`, `Fault`."""
    players, humans = seats(game, seating)
    if again is not None and not humans:
        raise click.UsageError("--watch is for a person, and nobody plays (--humans 0).")
    desk = open_desk()
    session = offer(desk, game) if humans and seed is None and seating == Seating() else None
    if session is None:
        session = new_session(game, players, humans, seating.bots, new_seed() if seed is None else seed, desk)
    return sit(session, again)


def play_saved(wanted: str, game: str | None, seating: Seating, watched: bool = False) -> int:
    """Go on with a saved game. Raises `SaveError`, `NotFound`, `RulesError`, `Fault`, `click.UsageError`."""
    path = kept.find(wanted, None if game is None else game_id(game))
    again: Again | None = (lambda library: game_of(read(path), path, game, library)) if watched else None
    return sit(resumed(path, open_desk(), game, seating), again)


def game_id(game: str) -> str:
    """The id of the game that a name or path means. Raises `NotFound`, `RulesError`."""
    library = Library()
    return base_of(library.find_game(game), library)[0].id


def sit(session: Session, again: Again | None = None) -> int:
    """Play it, and whatever game is loaded from there."""
    if again is not None:
        session.watcher = Watcher(again)
        session.watcher.note(session.match.game.paths)
        if isinstance(session.desk, TerminalDesk):
            session.desk.changed = session.watcher.changed
    while True:
        try:
            return session.play() if session.humans else session.watch()
        except Switch as switch:
            session = switch.session


def new_session(game: Game, players: int, humans: tuple[int, ...], bots: tuple[str, ...], seed: int, desk: Desk) -> Session:
    """Raises `NotFound` for a bot that is none, `Fault`."""
    seated = by_seat(bots, players)
    return Session(game.start(players, seed), desk, humans, {seat: seated[seat] for seat in range(players) if seat not in humans})


def seats(game: Game, seating: Seating) -> tuple[int, tuple[int, ...]]:
    """How many play, and the seats of people. Raises `click.UsageError`."""
    humans = 1 if seating.humans is None else seating.humans
    wanted = seating.players
    if wanted is None and humans > game.usual_players:
        wanted = humans
    try:
        players = game.check_players(wanted)
    except ValueError as problem:
        raise click.UsageError(f"{problem}.") from None
    return players, people(players, humans, seating)


def people(players: int, humans: int, seating: Seating) -> tuple[int, ...]:
    """The seats of people at a table. Raises `click.UsageError`."""
    if humans > players:
        raise click.UsageError(f"{humans} people cannot sit at a table for {players}.")
    if len(seating.bots) > max(1, players - humans):
        raise click.UsageError(f"there are {players - humans} seats for bots, but --bot names {len(seating.bots)}.")
    first = (seating.seat or 1) - 1
    if first >= players:
        raise click.UsageError(f"there is no seat {seating.seat}: {players} play.")
    if seating.seat is not None and not humans:
        raise click.UsageError("--seat is for a person, and nobody plays (--humans 0).")
    return tuple(sorted((first + i) % players for i in range(humans)))


# ── saved games ──


def resumed(path: Path, desk: Desk, game: str | None = None, seating: Seating | None = None) -> Session:
    """A session at the point where a file has it; what has changed since is said. `game`: the rules, by name or path.

    Raises `SaveError`, `NotFound`, `RulesError`, `click.UsageError`."""
    save = read(path)
    humans, bots = table_of(save, seating or Seating())
    recorder = Recorder(humans)
    replayed = replay(save, game_of(save, path, game), shown=str(path), before=recorder)
    session = Session(replayed.match, desk, humans, bots)
    session.past, session.told = recorder.past, recorder.told
    if replayed.stopped is not None:
        session.past.behind = [t for t in session.past.behind if t.choices < len(replayed.match.choices)]
    elif path.parent == kept.data_folder() / "left":
        session.autosave = kept.Autosave(path)
    session.welcome = [f"{session.match.game.title}: the saved game goes on after {made(replayed)}.", *changes(replayed, humans)]
    return session


def table_of(save: Save, seating: Seating) -> tuple[tuple[int, ...], Mapping[int, str]]:
    """The seats of people and the bots at the others: as in the save, or as asked for if it does not say. Raises `click.UsageError`."""
    if save.seats is not None:
        if seating != Seating():
            raise click.UsageError("the saved game says who sits where: --humans, --seat and --bot are for new games.")
        humans = tuple(seat for seat, bot in enumerate(save.seats) if bot is None)
        bots = {seat: bot for seat, bot in enumerate(save.seats) if bot is not None}
        by_seat(tuple(bots.values()), save.players)
        return humans, bots
    humans = people(save.players, 1 if seating.humans is None else seating.humans, seating)
    seated = by_seat(seating.bots, save.players)
    return humans, {seat: seated[seat] for seat in range(save.players) if seat not in humans}


def made(replayed: Replay) -> str:
    count = len(replayed.match.choices)
    return "1 choice" if count == 1 else f"{count} choices"


def changes(replayed: Replay, humans: tuple[int, ...]) -> list[str]:
    """What people at the table should know about rules that are not the same any more."""
    if replayed.stopped is not None:
        stopped = replayed.stopped.told(humans[0] if len(humans) == 1 else None)
        return [f"{replayed.told}: {stopped}. The game goes on from there."]
    if replayed.changed:
        return [f"{replayed.told}; all choices are still possible."]
    return []


def offer(desk: Desk, game: Game) -> Session | None:
    """Offer to go on with the game that was left; None if there is none, or it is not wanted."""
    try:
        left = kept.left_last(game.id)
    except SaveError:
        return None
    if left is None or not same_game(left[1], game):
        return None
    path, save = left
    if not desk.live:
        print(f"You have left a game of {game.name} {ago(path)}: `:load {kept.LAST}` goes on with it.\n", flush=True)
        return None
    asked = f"You have left a game of {game.name} {ago(path)}, after {len(save.choices)} choices. Go on with it (Enter; `n` for a new one)? "
    answer = desk.ask(asked, list).strip().casefold()
    if answer not in ("", "y", "yes"):
        return None
    try:
        return resumed(path, desk)
    except SaveError as problem:
        print(f"That is not possible. {problem}", flush=True)
        return None


def same_game(save: Save, game: Game) -> bool:
    """It was played with the same variants and options."""
    return [v.id for v in save.variants] == list(game.variants) and all(
        game.options.get(name, value) == value for name, value in save.options.items()
    )


def ago(path: Path) -> str:
    """When a file was written, in words."""
    minutes = int(max(0, time.time() - path.stat().st_mtime) // 60)
    if minutes < 2:
        return "just now"
    if minutes < 120:
        return f"{minutes} minutes ago"
    if minutes < 48 * 60:
        return f"{minutes // 60} hours ago"
    return f"{minutes // (24 * 60)} days ago"
