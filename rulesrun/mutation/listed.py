"""Mutants that are known to change nothing anybody could notice: a list beside the game, `mutants/GAME.txt`, each with the reason.

# a remark
turn | comparison | n < 5 -> n <= 5
    n is never 5 here
"""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define

from dsl.source import Source
from rulesrun.locate import NotFound, read


@define
class Listed:
    """`reasons` by the id of the mutant. `path` is where the list is, or would be."""

    path: Path
    reasons: dict[str, str] = Factory(dict)


def listed_beside(source: Source) -> Listed:
    """The list of a game; empty if there is none. Raises `NotFound` if it cannot be read or a mutant has no reason."""
    game = Path(source.path)
    path = game.parent / "mutants" / f"{source.id}.txt"
    return Listed(path, parse(read(path, str(path)).text, str(path)) if path.exists() else {})


def parse(text: str, path: str) -> dict[str, str]:
    """Raises `NotFound` for a line that is neither a mutant nor a reason."""
    reasons: dict[str, str] = {}
    last: str | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            last = line.strip()
            if last.count(" | ") < 2 or " -> " not in last:
                raise NotFound(
                    f"{path}:{number}: this is no mutant: `where | operator | was -> becomes`, as `rulesrun mutate` prints it"
                )
            reasons[last] = ""
        elif last is None:
            raise NotFound(f"{path}:{number}: a reason stands under the mutant it is for")
        else:
            reasons[last] = f"{reasons[last]} {line.strip()}".strip()
    for mutant, reason in reasons.items():
        if not reason:
            raise NotFound(f"{path}: `{mutant}` has no reason: say under it, indented, why nobody could notice it")
    return reasons
