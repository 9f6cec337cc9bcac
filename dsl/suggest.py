"""Did you mean …: the nearest of some names to one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name most like `name`, or None if none is near enough to be worth a guess."""
    best, best_score = None, 0.0
    for candidate in dict.fromkeys(names):
        if candidate == name or abs(len(candidate) - len(name)) > 3 + len(name) // 2:
            continue
        score = _likeness(name, candidate)
        if score > best_score:
            best, best_score = candidate, score
    return best if best_score >= 0.7 else None


def did_you_mean(name: str, names: Iterable[str]) -> str | None:
    """`did you mean …?` as a label or hint, or None."""
    guess = closest(name, names)
    return None if guess is None else f"did you mean `{guess}`?"


def _likeness(a: str, b: str) -> float:
    if a.casefold() == b.casefold():
        return 0.99
    if sorted(a) == sorted(b) and len(a) > 2:
        return 0.95
    return SequenceMatcher(None, a.casefold(), b.casefold(), autojunk=False).ratio()
