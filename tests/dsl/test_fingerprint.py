"""The fingerprint of rules: what changes it and what does not."""

from __future__ import annotations

import random
import re

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.fingerprint import fingerprint
from dsl.source import Source
from rulesrun.api import load
from rulesrun.locate import Library

NAMES = ["dread_draw", "dead_mans_draw", "draghjarter", "draw_bridge"]
RULES = """
game "Pairs" for 2..3 players

## Take cards.

option hand_size = 3 in 1..5: "Cards in a hand"
option fast = no: "A fast game"

card Stone(weight: number)

zone bag:          hidden pile of Stone
zone hand[player]: private set of Stone

cards Stone in bag:
    name     weight  copies
    "Flint"  1       4
    "Slate"  2       4

rule setup():
    shuffle bag
    deal hand_size from bag to hand[p] for p in players

rule game():
    for p in players:
        p chooses "a stone" c in hand[p]: take(c)

rule take(c: Stone): move c to bag

before take(c) where c.weight > 1: shuffle bag

when fast:
    after take(c): shuffle bag

define winners() = players

test "one":
    expect hand_size is 3
"""


def of(text: str, **options: object) -> str:
    return fingerprint(pipeline.load(Source("pairs.cardgame", text), Library(), (), options))


BLOCKS = re.compile(r"^(?:test|when) (?:.*\n)(?:(?: .*)?\n)*", re.MULTILINE)
TESTS = re.compile(r'^test "(?:.*\n)(?:(?: .*)?\n)*', re.MULTILINE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Take cards.", "## Take other cards."),
        ("    shuffle bag\n", "    shuffle bag      # so that nobody knows\n"),
        ('card Stone(weight: number)', '# a remark\n\ncard Stone( weight : number )'),
        ("expect hand_size is 3", "expect hand_size is 3 and not fast"),
        ('test "one"', 'test "another"'),
        ("rule take(c: Stone): move c to bag", "rule take(c: Stone):\n    move c to bag"),
        ("before take(c)", 'test "two":\n    expect not fast\n\nbefore take(c)'),
    ],
)  # fmt: skip
def test_remarks_layout_and_tests_do_not_count(old: str, new: str) -> None:
    assert old in RULES
    assert of(RULES.replace(old, new, 1)) == of(RULES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Flint"  1', '"Flint"  2'),
        ('"Flint"', '"Quartz"'),
        ("1       4", "1       5"),
        ("weight > 1", "weight >= 1"),
        ("before take(c) where", "after take(c) where"),
        ("private set", "open set"),
        ("hand_size = 3", "hand_size = 4"),
        ("in 1..5", "in 1..4"),
        ("2..3 players", "2..4 players"),
        ('"a stone"', '"one stone"'),
        ("where c.weight > 1", ""),
        ("= players", "= [players.first]"),
        ("    shuffle bag\n    deal", "    deal"),
    ],
)
def test_any_change_of_a_rule_counts(old: str, new: str) -> None:
    assert old in RULES
    assert of(RULES.replace(old, new, 1)) != of(RULES)


def test_options_count() -> None:
    plain = of(RULES)
    assert of(RULES, fast=True) != plain
    assert of(RULES, hand_size=4) != plain
    assert of(RULES, hand_size=3, fast="no") == plain


def test_a_block_that_is_not_in_force_does_not_count() -> None:
    changed = RULES.replace("after take(c): shuffle bag", "before take(c): shuffle bag")
    assert of(changed) == of(RULES)
    assert of(changed, fast=True) != of(RULES, fast=True)


def test_the_base_has_the_same_before_and_after_a_variant() -> None:
    base, brutal, again = (fingerprint(load("dread_draw", variants=names).rules) for names in ([], ["brutal"], []))
    assert base == again
    assert brutal != base


@pytest.mark.parametrize("name", NAMES)
def test_every_number_in_a_shipped_game_counts(name: str) -> None:
    """A number changed anywhere but in a remark, a test or a block not in force gives another fingerprint."""
    library = Library()
    source = library.find_game(name)
    plain = fingerprint(pipeline.load(source, library))
    text = "\n".join(line for line in TESTS.sub("", source.text).split("\n") if not line.lstrip().startswith("#"))
    assert fingerprint(pipeline.load(Source(source.path, text), library)) == plain
    blocks = [block.span() for block in BLOCKS.finditer(text)]
    places = [m.start() for m in re.finditer(r"(?<![\w\"#.])[1-9](?![\w.])", text)]
    places = [place for place in places if not any(start <= place < end for start, end in blocks)]
    seen = {plain}
    for place in random.Random(1).sample(places, 6):
        changed = Source(source.path, f"{text[:place]}{int(text[place]) - 1}{text[place + 1 :]}")
        try:
            rules = pipeline.load(changed, library)
        except RulesError:
            continue
        line = text.count("\n", 0, place)
        assert fingerprint(rules) not in seen, text.split("\n")[line]
        seen.add(fingerprint(rules))
    assert len(seen) > 1
