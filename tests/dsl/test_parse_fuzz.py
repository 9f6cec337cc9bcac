"""Whatever the text, reading it gives a tree or errors with valid places, and nothing is ever raised; both ways to read it agree."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from two_ways import agree

from dsl.codes import CODES
from dsl.diagnostics import Report
from dsl.parse import read
from dsl.render import as_json, concise, render
from dsl.source import Source

ROOT = Path(__file__).parents[2]
TEXTS = [
    p.read_text(encoding="utf-8") for folder in ("tests/corpus", "stdlib") for p in sorted((ROOT / folder).rglob("*.cardgame"))
]
PIECES = [":", "=", ":=", "is", "(", ")", "[", "]", '"', "{", "}", "\\", "#", "##", "\n", "\n    ", "\n  ", "\t", " ", "otherwise", "if",
          "when", "x", "1", "99999999999999999999", "..", "...", ",", "-", "rule", "define", "cards", "é", "你", "\x00", "\r", "\u2028",
          "\ufeff", "chooses", "test", "map:", "for", "in", "end", "//", "->", "?", "💀", "\x1b[31m"]  # fmt: skip


def read_safely(text: str) -> None:
    source, report = Source("t.cardgame", text), Report()
    file = read(source, report)
    assert (file is None) == bool(report.errors)
    assert agree(text)
    for d in report:
        assert d.code in CODES
        assert 0 <= d.span.start <= d.span.end <= len(text)
        for other in d.others:
            assert 0 <= other.span.start <= other.span.end <= len(text)
        shown = render(d)
        assert all(c.isprintable() or c == "\n" for c in shown)
        assert "\n" not in concise(d)
        assert as_json(d)["location"]["row"] >= 1


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_files_cut_after_any_line(number: int) -> None:
    lines = TEXTS[number].splitlines(keepends=True)
    step = 1 if len(lines) < 120 else 9
    for end in range(number % step, len(lines), step):
        read_safely("".join(lines[:end]))


@pytest.mark.parametrize("seed", range(60))
def test_files_with_random_changes(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice(TEXTS)
    start = rng.randrange(len(text))
    text = text[:200] + text[start : start + 3000]
    for _ in range(rng.randrange(1, 30)):
        at = rng.randrange(len(text))
        match rng.randrange(4):
            case 0:
                text = text[:at] + text[at + rng.randrange(1, 20) :]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + rng.choice(PIECES) + text[at + 1 :]
            case _:
                other = rng.randrange(len(text))
                text = text[:at] + text[other : other + 60] + text[at:]
    read_safely(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_random_pieces(pieces: list[str]) -> None:
    read_safely('module "M"\nrule r():\n    ' + " ".join(pieces))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_random_text(text: str) -> None:
    read_safely(text)


@pytest.mark.parametrize("end", ["\r", " \r", "\n\r", "\r\r", " # x\r"])
def test_half_a_line_break_at_the_end(end: str) -> None:
    read_safely('module "M"\nrule r()' + end)
    read_safely('module "M"\nrule r():\n    rule' + end)
