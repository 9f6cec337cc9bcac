"""Small games written in a test."""

from __future__ import annotations

import random

from dsl import pipeline
from dsl.source import Source
from interpreter.play import Rules, choose
from interpreter.scenario import run
from interpreter.state import State
from tests.interpreter.games import Corpus

NOTHING_ELSE = """
rule game(): end game
define winners() = players
"""


class Shelf(Corpus):
    """Finds modules and variants among the texts of a test too."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def module(self, name: str, asking: Source | None) -> Source | None:
        return self._own(name) or super().module(name, asking)

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self._own(name) or super().game(name, asking)

    def _own(self, name: str) -> Source | None:
        return Source(f"{name}.cardgame", self.files[name]) if name in self.files else None


def written(text: str, *, variants: tuple[str, ...] = (), **files: str) -> Rules:
    """The rules of a game for 2..3 players, its first line left out; `files` are modules, `variants` texts of variants."""
    source = Source("small.cardgame", text if text.startswith("game ") else f'game "Small" for 2..3 players\n\n{text}')
    sources = [Source(f"variant{i}.cardgame", text) for i, text in enumerate(variants)]
    return Rules(pipeline.load(source, Shelf({"small": source.text, **files}), sources))


def failures(rules: Rules) -> list[str]:
    """The tests of a game that fail."""
    return [f"{test.name}: {o.failure.title}" for test in rules.game.tests if (o := run(rules, test)).failure is not None]


def play_randomly(state: State, seed: int, most: int) -> list[int]:
    """Answer at most so many decisions at random; returns the answers."""
    rng = random.Random(seed)
    made: list[int] = []
    while state.options is not None and len(made) < most:
        made.append(rng.randrange(len(state.options)))
        choose(state, made[-1])
    return made


def replay(state: State, answers: list[int]) -> State:
    for answer in answers:
        choose(state, answer)
    return state
