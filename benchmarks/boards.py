"""Random games a second of the board games, on one core, each beside the number that was aimed at. Run by `make bench`.

A game begins with its setup and ends with its winners; nobody watches, so no texts, views or logs are made."""

from __future__ import annotations

import statistics
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rulesrun

ROUNDS = 3
SECONDS = 1.0
GAMES: tuple[tuple[str, int, int | None], ...] = (
    ("tic_tac_toe", 2, 5000),
    ("connect_four", 2, 1000),
    ("breakthrough", 2, 150),
    ("pig", 2, None),
    ("hex", 2, None),
    ("nine_mens_morris", 2, None),
    ("royal_game_of_ur", 2, None),
    ("backgammon", 2, None),
    ("dead_end_drive", 4, 3),
)
"""players, and the games a second aimed at"""


def games_a_second(game: rulesrun.Game, players: int) -> tuple[float, float]:
    """The median of some rounds; and how many decisions a game has."""
    seeds = count(1)
    game.playout(players, 0)
    rates, decisions, played = [], 0, 0
    for _ in range(ROUNDS):
        start, games = time.process_time(), 0
        while (spent := time.process_time() - start) < SECONDS:
            decisions += game.playout(players, next(seeds)).decisions
            games += 1
        rates.append(games / spent)
        played += games
    return statistics.median(rates), decisions / played


def main() -> None:
    print(f"{'Random games, one core':36}{'games/s':>12}{'aim':>9}{'decisions a game':>20}")
    for name, players, aim in GAMES:
        game = rulesrun.load(name)
        rate, length = games_a_second(game, players)
        label = f"{game.name}, {players} players"
        print(f"{label:36}{rate:12,.{1 if rate < 10 else 0}f}{'' if aim is None else f'{aim:,}':>9}{length:20,.0f}")


if __name__ == "__main__":
    main()
