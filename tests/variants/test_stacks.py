"""Variants, presets and options in any combination: they play, or there is a finding; and the base stays what it is."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from dsl import pipeline
from dsl.codes import CODES
from dsl.diagnostics import Report, RulesError
from dsl.fingerprint import fingerprint
from dsl.model import Game as Rules
from dsl.uses import Reader
from interpreter import play
from interpreter.faults import Fault
from rulesrun.api import TOO_LONG, load_source
from rulesrun.locate import Library, variants_of
from rulesrun.suite import misplaced
from rulesrun.varying import options_of_game, presets_of_game

GAMES = ("dead_mans_draw", "dread_draw", "draghjarter", "draw_bridge")
CHUNKS, CHUNK = 10, 30
LONG_ENOUGH = 2_000
"""decisions; bidding at random a match of Draw Bridge takes far more"""


class Files:
    """A game and its variants, each read once for all tests, so that nothing that composing does to them could go unseen."""

    def __init__(self, name: str) -> None:
        self.library = Library()
        self.base = self.library.find_game(name)
        self.variants = {v: self.library.find_variant(self.base, v) for v in variants_of(self.base)}
        self.reader = Reader(self.library, Report())
        game = load_source(self.base, self.library, [], {})
        self.options = options_of_game(game)
        self.presets = [preset.name for preset in presets_of_game(game)]

    def load(self, variants: list[str], options: dict[str, object], preset: str | None = None) -> Rules:
        sources = [self.variants[variant] for variant in variants]
        return pipeline.load(self.base, self.library, sources, options, None, preset, self.reader)


files = cache(Files)


def stack(random: Random) -> tuple[str, list[str], dict[str, object], str | None]:
    """A game, variants in some order, options that mostly may be, and perhaps a preset."""
    game = random.choice(GAMES)
    known = files(game)
    variants = random.sample(
        sorted(known.variants), random.choice((0, 1, 1, 2, 2, 3, len(known.variants))) % (len(known.variants) + 1)
    )
    options: dict[str, object] = {}
    for offer in random.sample(known.options, random.randint(0, min(3, len(known.options)))):
        options[offer.name] = random.choice(offer.values) if offer.values else str(random.randint(-2, 120))
    if random.random() < 0.1:
        options[random.choice(("no_such_option", known.options[0].name))] = random.choice(("17", "yes", "Nobody", ""))
    preset = random.choice([*known.presets, "no such preset"]) if random.random() < 0.3 else None
    return game, variants, options, preset


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_any_stack_plays_or_has_a_finding(chunk: int) -> None:
    played = 0
    for number in range(CHUNK):
        random = Random(f"{chunk}/{number}")
        game, variants, options, preset = stack(random)
        try:
            rules = files(game).load(variants, options, preset)
        except RulesError as refused:
            assert refused.diagnostics and all(finding.code in CODES for finding in refused.diagnostics)
            continue
        assert rules.variants == tuple(variants)
        players = random.choice(rules.players)
        state = play.start(play.Rules(rules).code(players, False), chunk)
        try:
            play.play_out(state, [random.random] * players, LONG_ENOUGH)
        except Fault as long:
            assert long.code == TOO_LONG, (game, variants, options, preset)
        else:
            assert misplaced(state) is None
            assert set(play.winners(state)) <= set(range(players))
        played += 1
    assert played >= CHUNK // 3


@pytest.mark.parametrize("game", GAMES)
def test_the_base_stays_what_it_is(game: str) -> None:
    known = files(game)
    before = fingerprint(known.load([], {}))
    prints = {before}
    for variant in known.variants:
        varied = fingerprint(known.load([variant], {}))
        assert varied not in prints, variant
        prints.add(varied)
        assert fingerprint(known.load([], {})) == before
    assert fingerprint(load_source(known.base, Library(), [], {}).rules) == before


def test_the_order_of_variants_counts_and_is_kept() -> None:
    known = files("dread_draw")
    one, other = known.load(["double_damage", "brutal"], {}), known.load(["brutal", "double_damage"], {})
    assert (one.variants, other.variants) == (("double_damage", "brutal"), ("brutal", "double_damage"))
