"""What people get wrong, and what they are told: each mistake of `tests/mistakes/mistakes.txt`, made in the game beside it.

An entry begins with `# what it is`. Lines with `-` are those of the game, lines with `+` what a person wrote instead (`→` is a tab), and the line
with `=` is what the message must say of the mend. One error is found, on one of these lines, or on the one that `@` names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from dsl import pipeline
from dsl.diagnostics import Diagnostic
from dsl.fixes import fix_of
from dsl.render import render
from dsl.source import Source

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "mistakes"
GAME = (FOLDER / "market.cardgame").read_text("utf-8")


class Library:
    """The modules that ship with the language."""

    def game(self, name: str, asking: Source | None) -> Source | None:
        return None

    def module(self, name: str, asking: Source | None) -> Source | None:
        path = ROOT / "stdlib" / f"{name}.cardgame"
        return Source(path.name, path.read_text(encoding="utf-8")) if path.exists() else None

    def modules(self, asking: Source | None) -> list[str]:
        return [path.stem for path in (ROOT / "stdlib").glob("*.cardgame")]

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return None


@frozen
class Mistake:
    group: str
    title: str
    right: str
    wrong: str
    mend: str
    elsewhere: int | None

    @property
    def line(self) -> int:
        """Where it is found: where it was made, or else in the line that the entry says."""
        return self.elsewhere or GAME.count("\n", 0, GAME.index(self.right)) + 1

    @property
    def source(self) -> Source:
        return Source("market.cardgame", GAME.replace(self.right, self.wrong))


def entries() -> list[Mistake]:
    found = []
    group = ""
    for part in re.split(r"\n\n(?=#)", (FOLDER / "mistakes.txt").read_text("utf-8").strip()):
        lines = part.split("\n")
        if lines[0].startswith("## "):
            group = lines[0].removeprefix("## ")
            continue
        texts = {sign: [line[2:] for line in lines if line[:1] == sign] for sign in "-+=@"}
        right, wrong = ("".join(f"{line}\n" for line in texts[sign]) for sign in "-+")
        elsewhere = int(texts["@"][0]) if texts["@"] else None
        found.append(Mistake(group, lines[0].removeprefix("# "), right, wrong.replace("→", "\t"), texts["="][0], elsewhere))
    return found


MISTAKES = entries()


def told(mistake: Mistake) -> list[Diagnostic]:
    return pipeline.check(mistake.source, Library()).errors


def test_the_game_itself_is_right() -> None:
    assert list(pipeline.check(Source("market.cardgame", GAME), Library())) == []


def test_there_are_many_and_each_is_another() -> None:
    assert len({mistake.wrong for mistake in MISTAKES}) == len({mistake.title for mistake in MISTAKES}) == len(MISTAKES) >= 60
    assert all(GAME.count(mistake.right) == 1 for mistake in MISTAKES), [m.title for m in MISTAKES if GAME.count(m.right) != 1]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.title)
def test_the_message_names_the_place_and_the_mend(mistake: Mistake) -> None:
    [finding] = told(mistake)
    assert mistake.line <= finding.span.line <= mistake.line + mistake.wrong.count("\n") - 1
    assert mistake.mend in f"{finding.title}\n{finding.label}\n{finding.hint}"


def test_where_a_fix_is_offered_it_mends_the_mistake() -> None:
    fixed = {}
    for mistake in MISTAKES:
        [finding] = told(mistake)
        fix = fix_of(finding)
        if fix is not None:
            text = mistake.source.text
            mended = Source("market.cardgame", text[: fix.span.start] + fix.text + text[fix.span.end :])
            fixed[mistake.title] = pipeline.check(mended, Library()).errors
    assert {title: errors for title, errors in fixed.items() if errors} == {}
    assert len(fixed) > 35


def test_the_table_of_mistakes(golden: Callable[[str, str], None]) -> None:
    """It reads well from top to bottom, or a message needs mending."""
    parts: list[str] = []
    group = ""
    for mistake in MISTAKES:
        if mistake.group != group:
            group = mistake.group
            parts.append(f"════ {group}\n")
        shown = [line for finding in told(mistake) for line in render(finding).split("\n")]
        kept = [line for line in shown if line.strip(" │") and not re.match(r" *[┌└]", line)]
        parts.append(f"── {mistake.title}\n\n" + "\n".join(kept) + "\n")
    golden("mistakes.txt", "\n".join(parts))
