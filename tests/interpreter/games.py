"""The games, loaded once for each set of options."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dsl import pipeline
from dsl.source import Source
from dsl.types import FLAG
from interpreter.play import Rules

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "games", ROOT / "tests" / "corpus" / "games")
NAMES = sorted({path.stem for folder in FOLDERS for path in folder.glob("*.cardgame")})


class Corpus:
    """Looks sources up among the games, in the corpus and in the standard library."""

    def game(self, name: str, asking: Source | None) -> Source | None:
        file = f"{name}.cardgame"
        return self._read(ROOT / "games" / file) or self._read(ROOT / "tests" / "corpus" / "games" / file)

    def module(self, name: str, asking: Source | None) -> Source | None:
        return self._read(ROOT / "stdlib" / f"{name}.cardgame")

    def variant(self, base: str, name: str, asking: Source | None) -> Source | None:
        return None

    @staticmethod
    def _read(path: Path) -> Source | None:
        return Source(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) if path.exists() else None


@cache
def rules_of(name: str, options: tuple[tuple[str, str], ...] = ()) -> Rules:
    corpus = Corpus()
    source = corpus.game(name, None)
    assert source is not None
    return Rules(pipeline.load(source, corpus, options=dict(options)))


def other_way_round(name: str) -> tuple[tuple[str, str], ...]:
    """Every yes-or-no option of a game set to the other value, so that what they switch on is played too."""
    options = rules_of(name).game.options
    return tuple((option.name, "no" if option.value else "yes") for option in options if option.type == FLAG)
