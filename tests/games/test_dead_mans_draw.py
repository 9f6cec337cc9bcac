"""Dead Man's Draw: every rule fact has a test, every card and option a test that needs it, and a bust leaves nothing behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import rulesrun
from dsl import ast, parse
from dsl.diagnostics import Report
from dsl.source import Source
from interpreter import scenario
from rulesrun.api import Game, Match, load_source
from rulesrun.compositions import same_test
from rulesrun.locate import Library
from rulesrun.simulate import game_seed
from rulesrun.suite import random_game
from rulesrun.testing import run_tests

NAME = "dead_mans_draw"
OPTIONS = [
    {},
    {"traits": "yes"},
    {"variant": "random"},
    {"traits": "yes", "variant": "random"},
    {"traits": "yes", "variant": "strange_lands", "mermaid_ability": "yes"},
    {"traits": "yes", "variant": "bottom_feeder", "misfire": "also", "cannon_optional": "yes", "hard_stop": "yes"},
    {"traits": "yes", "variant": "thieves_island", "safe_choices": "yes", "misfire": "if_targeted", "discard_faceup": "yes"},
]


@cache
def source() -> Source:
    return Library().find_game(NAME)


@cache
def file() -> ast.File:
    report = Report()
    found = parse.read(source(), report)
    assert found is not None and not report.errors
    return found


def named(table: str) -> Iterator[tuple[str, ast.Row]]:
    """The rows of a table, by the names of their cards."""
    for item in file().items:
        if isinstance(item, ast.Cards) and item.card.id == table:
            for row in item.rows:
                yield row.cells[0].span.text.strip('"'), row


def all_names() -> list[str]:
    return [item.name.span.text.strip('"') for item in file().items if isinstance(item, ast.Test)]


def own_tests(what: str) -> set[str]:
    """The tests whose names say that they are about this: `Parry: …`, `29. Parry: …`, `option traits: …`."""
    return {name for name in all_names() if re.match(rf"(\d+\. )?{re.escape(what)}(:| )", name)}


def failing(text: str, wanted: set[str]) -> set[str]:
    """Which of these tests fail under another text of the rules."""
    changed, library = Source(f"games/{NAME}.cardgame", text), Library()
    game = load_source(changed, library, [], {})
    assert wanted <= {test.name for test in game.rules.tests}
    composed = {"{}": game}
    failed = set()
    for test in game.rules.tests:
        if test.name in wanted:
            key = repr(sorted(test.options.items())) if test.options else "{}"
            if key not in composed:
                composed[key] = load_source(changed, library, [], test.options)
            outcome = scenario.run(composed[key].compiled, same_test(composed[key].rules, test))
            if not outcome.passed:
                failed.add(test.name)
    return failed


def cut(text: str, start: int, end: int) -> str:
    """The text without the lines from one place to another, which keep their numbers."""
    start = text.rindex("\n", 0, start) + 1
    return text[:start] + "\n" * text.count("\n", start, end) + text[end:]


# ── nothing is missing ──


def test_every_rule_fact_has_its_test() -> None:
    numbers = {int(name.split(".")[0]) for name in all_names() if re.match(r"\d+\. ", name)}
    assert numbers == set(range(1, 33))


def test_there_are_eighteen_traits_and_seven_variant_cards() -> None:
    assert len(list(named("Trait"))) == 18
    assert len(list(named("Variant"))) == 7
    assert all(row.abilities for table in ("Trait", "Variant") for _, row in named(table))


def test_the_tests_pass() -> None:
    library = Library()
    outcomes = run_tests(source(), library)
    assert [outcome.test for outcome in outcomes if not outcome.passed] == []


@pytest.mark.parametrize("card", [name for table in ("Trait", "Variant") for name, _ in named(table)])
def test_without_the_effect_of_a_card_a_test_of_its_own_fails(card: str) -> None:
    """The card keeps its name and loses what it does."""
    row = next(row for table in ("Trait", "Variant") for name, row in named(table) if name == card)
    text = cut(source().text, row.abilities[0].span.start, row.abilities[-1].span.end)
    assert failing(text, own_tests(card))


@pytest.mark.parametrize("option", [item.name.id for item in file().items if isinstance(item, ast.Option)])
def test_without_an_option_a_test_of_its_own_fails(option: str) -> None:
    """The tests of the option are run with the option as it is by default."""
    text = re.sub(rf"(?m)^    given option {option} = .*$", "", source().text)
    assert text != source().text
    assert failing(text, own_tests(f"option {option}"))


# ── play ──


@cache
def game_of(number: int) -> Game:
    return rulesrun.load(NAME, options=OPTIONS[number])


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_random_games_end_and_all_sixty_cards_are_there(number: int) -> None:
    game = game_of(number)
    loot = {n for n, design in enumerate(game.start(2, 0).state.code.design_names) if re.fullmatch(r"[A-Z][a-z]+ \d", design)}
    assert len(loot) == 62
    for players in (2, 3, 4):
        for seed in range(5):
            for match in random_game(game, players, game_seed(seed, number)):
                state = match.state
                box = next(i for i, zone in enumerate(state.code.program.zones) if zone.name == "box")
                cards = [face for zone, slots in enumerate(state.zones) if zone != box for face in (state.faces[s] for s in slots)]
                assert sum(face in loot for face in cards) == 60
            assert match.result is not None and match.result.winners


WATCHED = """
variant "Watched" of dead_mans_draw

var watched_busts = 0

instead of bust(c, p):
    watched_busts += 1
    proceed

after turn(p):
    p chooses "whether to go on":
        "Go on"
"""


@cache
def watched(number: int) -> Game:
    """The game stops after every turn, also after one that a bust has ended."""
    library = Library()
    path = "variants/dead_mans_draw/watched.cardgame"
    return load_source(source(), Shelf(library, Source(path, WATCHED)), ["watched"], OPTIONS[number])


class Shelf(Library):
    """The library, and a variant that is in no file."""

    def __init__(self, library: Library, variant: Source) -> None:
        super().__init__()
        self.extra = variant

    def find_variant(self, base: Source, name: str) -> Source:
        return self.extra if name == self.extra.id else super().find_variant(base, name)


def value(match: Match, name: str) -> object:
    names = [variable.name for variable in match.state.code.program.variables]
    return match.state.vars[names.index(name)]


def cards_in(match: Match, zone: str) -> list[int]:
    return [
        card
        for info, cards in zip(match.state.code.program.zones, match.state.zones, strict=True)
        if info.name == zone
        for card in cards
    ]


def put_a_bust_on_top(match: Match) -> bool:
    """Bring a card that will bust to the top of the draw pile, if there is one: as good a shuffle as any."""
    state, names = match.state, match.state.code.design_names
    part = 1 if any(names[state.faces[c]] == "Strange Lands" for c in cards_in(match, "in_force")) else 0
    there = {names[state.faces[card]].split()[part] for card in cards_in(match, "play_area")}
    pile = next(slots for info, slots in zip(state.code.program.zones, state.zones, strict=True) if info.name == "draw_pile")
    bad = [card for card in pile if names[state.faces[card]].split()[part] in there]
    if bad:
        pile.remove(bad[0])
        pile.append(bad[0])
    return bool(bad)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_bust_leaves_no_frame_no_card_in_the_play_area_and_no_debt(data: st.DataObject) -> None:
    game = watched(data.draw(st.integers(0, len(OPTIONS) - 1), label="options"))
    match = game.start(data.draw(st.integers(2, 4), label="players"), data.draw(st.integers(0, 2**20), label="seed"))
    resting: int | None = None
    for _ in range(data.draw(st.integers(0, 80), label="choices")):
        if match.finished:
            return
        match.choose(data.draw(st.integers(0, match.option_count - 1), label="choice"))
    for _ in range(400):
        if match.finished:
            return
        before = value(match, "watched_busts")
        decision = match.decision
        assert decision is not None
        texts = [option.text for option in decision.options]
        if texts == ["Go on"]:
            resting = rest_is_clean(match, resting)
        if "Draw" in texts and put_a_bust_on_top(match):
            match.choose(texts.index("Draw"))
        else:
            match.choose(data.draw(st.integers(0, len(texts) - 1), label="choice"))
        if value(match, "watched_busts") != before and not match.finished:
            assert [option.text for option in match.decision.options] == ["Go on"]  # type: ignore[union-attr]
            rest_is_clean(match, resting)
            event("a bust")
            return


def rest_is_clean(match: Match, resting: int | None) -> int:
    """Between turns: no card lies there, nothing is owed, and no more is running than between any two turns."""
    state = match.state
    assert cards_in(match, "play_area") == []
    assert value(match, "kraken_debt") == 0
    assert resting is None or len(state.stack) == resting
    return len(state.stack)
