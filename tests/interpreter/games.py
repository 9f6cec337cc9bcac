"""The drafts of all games, loaded once for each set of options."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dsl import pipeline
from dsl.source import Source
from interpreter.play import Rules

ROOT = Path(__file__).parents[2]


class Corpus:
    """Looks sources up in the corpus and the standard library."""

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self._read(ROOT / "tests" / "corpus" / "games" / f"{name}.cardgame")

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
