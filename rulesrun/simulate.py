"""`rulesrun simulate`: bots play many games, and somebody counts.

Each game has its own seed, made from the seed of the run and its number, and can be played again with it alone."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import Factory, define

from rulesrun.bots import by_seat

if TYPE_CHECKING:
    from rulesrun.api import Game, Playout


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a run."""
    digest = hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")


@define
class Tally:
    """What many games came to. A shared win counts for each winner in part."""

    players: int
    games: int = 0
    finished: int = 0
    no_winner: int = 0
    wins: list[Fraction] = Factory(list)
    shared: int = 0
    decisions: list[int] = Factory(list)
    scores: list[list[int]] = Factory(list)
    reasons: Counter[str] = Factory(Counter)

    def __attrs_post_init__(self) -> None:
        self.wins = [Fraction()] * self.players

    def add(self, playout: Playout) -> None:
        self.games += 1
        self.decisions.append(playout.decisions)
        result = playout.result
        if result is None:
            return
        self.finished += 1
        if not result.winners:
            self.no_winner += 1
        self.shared += len(result.winners) > 1
        for seat in result.winners:
            self.wins[seat] += Fraction(1, len(result.winners))
        if result.scores is not None:
            self.scores.append(list(result.scores))
        if result.reason:
            self.reasons[result.reason] += 1


def simulate(
    game: Game, players: int, games: int, bots: Sequence[str], seed: int, step: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Play, and return the figures as they stand in the JSON. `step` is called after each game. Raises `Fault`."""
    names = by_seat(bots, players)
    game.compiled.code(players, False)  # what is made once for all games is not measured
    tally = Tally(players)
    began = perf_counter()
    for number in range(games):
        tally.add(game.playout(players, game_seed(seed, number), names))
        step()
    return figures(game, names, seed, tally, perf_counter() - began)


def figures(game: Game, bots: Sequence[str], seed: int, tally: Tally, seconds: float) -> dict[str, Any]:
    total = sum(tally.decisions)
    result: dict[str, Any] = {
        "game": game.id,
        "variants": list(game.variants),
        "options": game.options,
        "rules": game.fingerprint,
        "players": tally.players,
        "bots": list(bots),
        "seed": seed,
        "games": tally.games,
        "finished": tally.finished,
        "no_winner": tally.no_winner,
        "shared": tally.shared,
        "wins": [float(share) for share in tally.wins],
        "decisions": {
            "mean": round(total / tally.games, 3) if tally.games else 0,
            "min": min(tally.decisions, default=0),
            "max": max(tally.decisions, default=0),
        },
        "endings": dict(tally.reasons.most_common()),
        "seconds": round(seconds, 3),
        "decisions_per_second": round(total / seconds) if seconds > 0 else 0,
    }
    if tally.scores:
        result["scores"] = [_spread([row[seat] for row in tally.scores]) for seat in range(tally.players)]
    return result


def _spread(values: list[int]) -> dict[str, float]:
    return {"mean": round(sum(values) / len(values), 3), "min": min(values), "max": max(values)}


def simulate_command(game: Game, players: int | None, games: int, bots: Sequence[str], seed: int | None, form: str) -> int:
    """Print the figures; 1 if a game did not come to an end."""
    import click

    from rulesrun.api import new_seed

    try:
        count = game.check_players(players)
    except ValueError as problem:
        raise click.UsageError(f"{problem}.") from None
    if len(bots) not in (0, 1, count):
        raise click.UsageError(f"--bots names {len(bots)} for {count} players: name one for all, or one for each.")
    used = new_seed() if seed is None else seed
    with progress(games) as step:
        result = simulate(game, count, games, bots, used, step)
    if form == "json":
        print(json.dumps(result, indent=2, ensure_ascii=False))
    else:
        print_table(game, result)
    return 0 if result["finished"] == result["games"] else 1


def progress(games: int) -> Any:
    """A bar on standard error while somebody watches; otherwise nothing."""
    if not sys.stderr.isatty():
        return nullcontext(lambda: None)
    return _Bar(games)


class _Bar:
    def __init__(self, games: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from rulesrun.terminal import Console

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.progress.add_task("playing", total=games)

    def __enter__(self) -> Callable[[], object]:
        self.progress.start()
        return lambda: self.progress.advance(self.task)

    def __exit__(self, *raised: object) -> None:
        self.progress.stop()


def print_table(game: Game, result: dict[str, Any]) -> None:
    from rich.table import Table

    from dsl.render import visible
    from rulesrun.terminal import Console

    console = Console()
    console.print(f"{visible(game.title)}: {result['games']} games, {result['players']} players, seed {result['seed']}")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("seat")
    table.add_column("played by")
    table.add_column("wins", justify="right")
    table.add_column("", justify="right")
    if "scores" in result:
        table.add_column("score", justify="right")
        table.add_column("from … to", justify="right")
    for seat, won in enumerate(result["wins"]):
        share = f"{100 * won / result['finished']:.1f} %" if result["finished"] else ""
        row = [f"P{seat + 1}", result["bots"][seat], f"{won:.2f}".rstrip("0").rstrip("."), share]
        if "scores" in result:
            score = result["scores"][seat]
            row += [f"{score['mean']:.1f}", f"{score['min']} … {score['max']}"]
        table.add_row(*row)
    console.print(table)
    if result["no_winner"]:
        console.print(f"without a winner: {result['no_winner']}")
    if result["shared"]:
        console.print(f"shared wins: {result['shared']} (counted in parts)")
    for reason, times in result["endings"].items():
        console.print(f"{times} × {visible(reason)}")
    decisions = result["decisions"]
    console.print(f"decisions a game: {decisions['mean']:.1f} (from {decisions['min']} to {decisions['max']})")
    if result["finished"] != result["games"]:
        console.print(f"given up as endless: {result['games'] - result['finished']}")
    console.print(f"{result['seconds']:.1f} seconds, {result['decisions_per_second']:,} decisions a second".replace(",", " "))
