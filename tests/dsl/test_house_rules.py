"""Presets, and what variants do beyond declarations: kinds, single attachments, abilities, how many play."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
from shelf import Shelf

from dsl import ast, model, pipeline
from dsl.compose import Composition, compose
from dsl.diagnostics import Report, RulesError
from dsl.fingerprint import fingerprint

GAME = """
game "Base" for 2..4 players
kind Suit: Clubs "♣", Hearts "♥", Spades "♠"
kind Bid: Suit, Pass
option size = 5 in 1..10: "How many"
option harsh = no: "Harsh rules"
option trump: Suit = Hearts: "The trump"
card Thing(suit: Suit)
card Worker()
zone heap: hidden pile of Thing
zone staff: open set of Worker
cards Thing in heap:
    name       suit
    "A {s}"    s     for s in Suit
cards Worker in staff:
    name       copies
    "Porter"   2
        while in staff "Carries": after take(_): shuffle heap
        while in staff "Sings": after give(_, _): shuffle heap
    "Cook"     1
var taken = 0
define value(n: number) = n
instead of value(n) where n > 2 = proceed + 1
instead of value(n) where n > 5 "Big ones" = proceed + 10
rule take(n: number):
    taken += n
rule give(n: number, s: Suit):
    taken -= n
before take(n) where harsh: taken += 1
after take(_): taken += 100
after give(n, Hearts): taken += n
after give(n, (trump)) "trump": taken += n
preset "Quick game": "Short and harsh"
    size = 2
    harsh = yes
preset "All hearts": "As it was"
    trump = Hearts
rule setup(): shuffle heap
rule game(): take(value(size))
define winners() = players
"""


def shelf_of(*variants: str, game: str = GAME) -> Shelf:
    headed = [
        text if text.lstrip().startswith("variant") else f'variant "V{n}" of game\n' + dedent(text)
        for n, text in enumerate(variants)
    ]
    return Shelf(game=game, **{f"v{n}": text for n, text in enumerate(headed)})


def composed(*variants: str, game: str = GAME, preset: str | None = None, **options: Any) -> Composition:
    shelf, report = shelf_of(*variants, game=game), Report()
    sources = [shelf[name] for name in shelf.sources if name != "game"]
    found = compose(shelf["game"], sources, options, shelf, report, preset=preset)
    assert list(report) == []
    assert found is not None
    return found


def refused(*variants: str, game: str = GAME, preset: str | None = None, **options: Any) -> None:
    """Just what is marked is found, with the places marked."""
    shelf, report = shelf_of(*variants, game=game), Report()
    sources = [shelf[name] for name in shelf.sources if name != "game"]
    compose(shelf["game"], sources, options, shelf, report, preset=preset)
    shelf.expect_marked(report)


def loaded(*variants: str, **options: Any) -> model.Game:
    shelf = shelf_of(*variants)
    return pipeline.load(shelf["game"], shelf, [shelf[name] for name in shelf.sources if name != "game"], options)


def attached(composition: Composition) -> list[str]:
    return [p.item.span.text.split(":")[0].split(" =")[0] for p in composition.items if isinstance(p.item, ast.Attachment)]


def values(composition: Composition) -> dict[str, object]:
    return {name: option.value for name, option in composition.options.items()}


# ── presets ──


@pytest.mark.parametrize("name", ["Quick game", "quick GAME", "quick_game", " Quick  game "])
def test_a_preset_sets_its_options_and_leaves_the_others(name: str) -> None:
    assert values(composed(preset=name)) == {"size": 2, "harsh": True, "trump": "Hearts"}


def test_an_option_that_is_set_counts_more_than_the_preset() -> None:
    assert values(composed(preset="Quick game", size=7)) == {"size": 7, "harsh": True, "trump": "Hearts"}


def test_a_preset_counts_more_than_a_variant_and_a_when_block() -> None:
    changed = "change option size = 9\nwhen harsh:\n    change option size = 8"
    assert values(composed(changed, preset="Quick game"))["size"] == 2
    assert values(composed(changed, harsh=True))["size"] == 8


def test_all_presets_are_told_with_their_values() -> None:
    found = composed('preset "Of mine": "More"\n    size = 9\nremove preset "All hearts"').presets
    assert [(p.name, p.text, dict(p.values)) for p in found] == [
        ("Quick game", "Short and harsh", {"size": 2, "harsh": True}),
        ("Of mine", "More", {"size": 9}),
    ]
    assert loaded().presets[1].values == (("trump", "Hearts"),)


def test_a_preset_that_is_changed_keeps_what_is_not_written() -> None:
    found = composed('change preset "Quick game":\n    harsh = no\n    trump = Hearts').presets
    assert [(p.name, p.text, list(p.values.items())) for p in found] == [
        ("Quick game", "Short and harsh", [("size", 2), ("harsh", False), ("trump", "Hearts")]),
        ("All hearts", "As it was", [("trump", "Hearts")]),
    ]
    [_, hearts] = composed('## New.\nchange preset "All hearts": "As it is"').presets
    assert (hearts.text, hearts.doc, dict(hearts.values)) == ("As it is", "New.", {"trump": "Hearts"})


def test_a_preset_that_is_changed_sets_what_it_says_then() -> None:
    changed = composed('change preset "Quick game":\n    size = 3', preset="Quick game")
    assert values(changed) == {"size": 3, "harsh": True, "trump": "Hearts"}


def test_a_preset_that_no_longer_fits_can_be_mended() -> None:
    found = composed('change option size = 7 in 7..9\nchange preset "Quick game":\n    size = 7', preset="Quick game")
    assert values(found)["size"] == 7


def test_what_variants_do_to_presets_is_told() -> None:
    told = composed('change preset "Quick game": "Harsh"\nremove preset "All hearts"\npreset "Of mine": "More"').changes
    assert [(c.what, c.sort, c.name, c.old is None) for c in told] == [
        ("change", "preset", '"Quick game"', False),
        ("remove", "preset", '"All hearts"', False),
        ("add", "preset", '"Of mine"', True),
    ]


def test_two_variants_do_not_vary_the_same_preset() -> None:
    refused('change preset "Quick game": "A"  #? CG0612', 'change preset "Quick game": "B"  #! CG0612')
    refused('remove preset "Quick game"  #? CG0612', 'change preset "Quick game": "B"  #! CG0612')
    refused('remove preset "Quick game"  #? CG0612', 'remove preset "Quick game"  #! CG0612')


def test_presets_do_not_count_as_rules() -> None:
    assert fingerprint(loaded('preset "Of mine": "More"\n    size = 9')) == fingerprint(loaded())


def test_a_preset_that_does_not_exist_is_guessed() -> None:
    shelf, report = shelf_of(), Report()
    compose(shelf["game"], [], {}, shelf, report, preset="quik game")
    assert [(d.code, d.title, d.hint) for d in report] == [
        ("CG0651", 'there is no preset "quik game"', "did you mean `Quick game`?")
    ]


@pytest.mark.parametrize(
    "text",
    [
        'preset "A": "b"\n    sise = 2  #! CG0652',
        'preset "A": "b"\n    size = 11  #! CG0653',
        'preset "A": "b"\n    size = yes  #! CG0653',
        'preset "A": "b"\n    trump = Nobody  #! CG0653',
        'preset "A": "b"\n    size = size  #! CG0653',
        'preset "A": "b"\n    size = 1  #? CG0654\n    size = 2  #! CG0654',
        'preset "quick_Game": "b"  #! CG0654',
        'preset "{size}": "b"  #! CG0650',
        'preset "A": "{size}"  #! CG0650',
        'remove preset "Quik game"  #! CG0611',
        'change preset "Quik game": "b"  #! CG0611',
        'change preset "Quick game":\n    sise = 2  #! CG0652',
        'change preset "Quick game":\n    size = 11  #! CG0653',
        'change preset "Quick game":\n    size = 1  #? CG0654\n    size = 2  #! CG0654',
        'change preset "Quick game": "{size}"  #! CG0650',
        'preset "A": "b"  #? CG0614\nchange preset "A": "c"  #! CG0614',
        'when harsh:  #? CG0650\n    preset "A": "b"  #! CG0650',
        'when harsh:  #? CG0650\n    change preset "Quick game": "b"  #! CG0650',
        "change option size = 1 in 1..1",
    ],
)
def test_presets_that_cannot_be(text: str) -> None:
    game = GAME
    if "1..1" in text:  # the range that no longer fits is in the variant, the value in the game
        game = GAME.replace("    size = 2", "    size = 2  #! CG0653")
        text += "  #? CG0653"
    refused(text, game=game)


def test_a_module_has_no_presets() -> None:
    shelf, report = Shelf(game='game "G" for 2 players\nuse m', m='module "M"\npreset "A": "b"  #! CG0650'), Report()
    compose(shelf["game"], [], {}, shelf, report)
    shelf.expect_marked(report)


# ── kinds ──


def members(game: model.Game, name: str = "Suit") -> list[tuple[str, str]]:
    return next(kind.members for kind in game.kinds if kind.name == name)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('..., Stars "★"', [("Clubs", "♣"), ("Hearts", "♥"), ("Spades", "♠"), ("Stars", "★")]),
        ("Spades, ...", [("Spades", "♠"), ("Clubs", "♣"), ("Hearts", "♥")]),
        ('Hearts "h", Clubs, Spades', [("Hearts", "h"), ("Clubs", "♣"), ("Spades", "♠")]),
        ("Hearts, ..., Clubs, Moons", [("Hearts", "♥"), ("Spades", "♠"), ("Clubs", "♣"), ("Moons", "Moons")]),
        ("Hearts", [("Hearts", "♥")]),
    ],
)
def test_a_kind_is_changed(written: str, expected: list[tuple[str, str]]) -> None:
    game = loaded(f"change kind Suit: {written}")
    assert members(game) == expected
    assert members(game, "Bid") == [*expected, ("Pass", "Pass")]
    assert [d.name for t in game.card_types for d in t.designs if t.name == "Thing"] == [f"A {text}" for _, text in expected]


def test_new_members_have_a_meaning_in_the_variant_at_once() -> None:
    game = loaded('change kind Suit: ..., Stars "★"\nchange option trump = Stars\ndefine best() = Stars')
    assert next(option.value for option in game.options if option.name == "trump") == 3


@pytest.mark.parametrize(
    "text",
    [
        "change kind Suit: ..., Clubs, ...  #! CG0626 #? CG0626",
        "change kind Suit: Clubs, Hearts, Clubs  #! CG0626 #? CG0626",
        "change kind Suite: ..., Stars  #! CG0611",
        "change kind size: Stars  #! CG0615",
        "change kind Suit: ..., taken  #! CG0607",
        "when harsh is no:\n    change kind Suit: ..., Stars  #! CG0628",
    ],
)
def test_changes_of_kinds_that_cannot_be(text: str) -> None:
    refused(text)


def test_a_member_that_is_used_cannot_go() -> None:
    game = GAME.replace("after give(n, Hearts): taken += n", "after give(n, Hearts): taken += n  #? CG0627")
    game = game.replace("option trump: Suit = Hearts:", "option trump: Suit = Clubs:").replace(
        "    trump = Hearts", "    trump = Clubs"
    )
    refused("change kind Suit: Clubs, Spades  #! CG0627", game=game)


def test_the_option_that_has_the_member_says_so() -> None:
    game = GAME.replace('= Hearts: "The trump"', '= Hearts: "The trump"  #! CG0634')
    game = game.replace("    trump = Hearts", "").replace("after give(n, Hearts): taken += n", "")
    refused("change kind Suit: Clubs, Spades  #? CG0634", game=game)


# ── attachments ──


def test_one_attachment_is_removed_by_its_head() -> None:
    left = attached(composed("remove after take(_)\nremove before take(x)\nremove after give(_, Hearts)"))
    assert left == [
        "instead of value(n) where n > 2",
        'instead of value(n) where n > 5 "Big ones"',
        'after give(n, (trump)) "trump"',
    ]


def test_a_text_or_a_guard_tells_which() -> None:
    left = attached(composed('remove instead of value(n) "Big ones"'))
    assert "instead of value(n) where n > 2" in left and len(left) == 5
    left = attached(composed("remove instead of value(n) where n > 2"))
    assert 'instead of value(n) where n > 5 "Big ones"' in left and len(left) == 5


def test_a_changed_attachment_keeps_its_text_and_place() -> None:
    found = composed("change instead of value(n) where n > 5 = proceed + 20\nchange after give(a, (trump)): taken += 2 * a")
    items = [p for p in found.items if isinstance(p.item, ast.Attachment)]
    before = [p for p in composed().items if isinstance(p.item, ast.Attachment)]
    assert [(p.rank, p.order, p.item.text) for p in items] == [(p.rank, p.order, p.item.text) for p in before]
    assert items[1].item.value.span.text == "proceed + 20" and items[1].file.source.id == "v0"
    assert items[5].item.body.span.text == "taken += 2 * a"


def test_ones_own_attachment_is_not_meant() -> None:
    left = attached(composed("after take(_): taken += 7\nremove after take(_)"))
    assert left.count("after take(_)") == 1


@pytest.mark.parametrize(
    "text",
    [
        "remove after take(Hearts)  #! CG0624",
        "remove before give(_, _)  #! CG0624",
        "remove after nothing(_)  #! CG0624",
        "remove instead of value(n)  #! CG0625",
        'remove after take(_) "no such text"  #! CG0624',
        "change after give(n, Spades): taken += 1  #! CG0624",
        "after take(n) where n is 9: taken += n  #? CG0614\nremove after take(_) where n is 9  #! CG0624",
        'remove ability "Carries" of "Portier"  #! CG0618',
        'remove ability "Carries" of "Cook"  #! CG0629',
        'remove ability "Caries" of "Porter"  #! CG0629',
    ],
)
def test_removals_that_cannot_be(text: str) -> None:
    refused(text.replace("  #? CG0614", ""))


def test_two_variants_may_not_vary_one_attachment() -> None:
    refused("change after take(_): taken += 1  #? CG0612", "remove after take(_)  #! CG0612")
    refused(
        'remove ability "Sings" of "Porter"  #? CG0612',
        'change cards Worker:\n    name\n    "Porter"\n        while in staff "Hums": after take(_): shuffle heap  #! CG0612',
    )
    refused('remove ability "Sings" of "Porter"  #? CG0612', 'remove ability "Sings" of "Porter"  #! CG0612')


def test_abilities_are_removed_one_by_one() -> None:
    def abilities(*variants: str) -> list[str]:
        cards = next(p for p in composed(*variants).items if isinstance(p.item, ast.Cards) and p.item.card.id == "Worker")
        return [ability.text.plain or "" for row in cards.rows for ability in row.row.abilities]

    assert abilities('remove ability "Sings" of "Porter"') == ["Carries"]
    assert abilities('remove ability "Sings" of "Porter"', 'remove ability "Carries" of "Porter"') == []


# ── how many play ──


def test_a_variant_says_how_many_can_play() -> None:
    assert loaded('variant "V" of game for 3..7 players').players == (3, 4, 5, 6, 7)
    assert loaded('variant "V" of game for [2, 8] players', "remove after take(_)").players == (2, 8)


def test_two_variants_may_not_say_different_numbers() -> None:
    refused('variant "V" of game for 3 players  #? CG0612', 'variant "W" of game for 4 players  #! CG0612')
    composed('variant "V" of game for 3 players', 'variant "W" of game for 3 players')


def test_more_than_can_play_is_refused_with_both_places() -> None:
    shelf = shelf_of('variant "V" of game for 2..99 players  #! CG0403')
    with pytest.raises(RulesError) as raised:
        pipeline.load(shelf["game"], shelf, [shelf["v0"]])
    [finding] = raised.value.diagnostics
    assert (finding.code, finding.span.source.id, finding.others[0].span.source.id) == ("CG0403", "v0", "game")


# ── what is told of it ──


def test_what_a_variant_does_is_told() -> None:
    variant = """
    change option size = 6
    change rule take(n: number):
        taken += 2 * n
    define more() = 1
    after take(_): taken += more()
    remove before take(_)
    remove ability "Sings" of "Porter"
    change cards Worker:
        name     copies
        "Cook"   3
    """
    told = [(c.what, c.sort, c.name, None if c.old is None else c.old.text.splitlines()[0]) for c in composed(variant).changes]
    assert told == [
        ("change", "option", "size", 'option size = 5 in 1..10: "How many"'),
        ("change", "rule", "take", "rule take(n: number):"),
        ("add", "define", "more", None),
        ("attach", "attachment", "after take(_)", "rule take(n: number):"),
        ("remove", "attachment", "before take(n)", "before take(n) where harsh: taken += 1"),
        ("remove", "ability", '"Porter"', 'while in staff "Sings": after give(_, _): shuffle heap'),
        ("change", "card", '"Cook"', '"Cook"     1'),
    ]


def test_composing_leaves_the_base_as_it_is() -> None:
    shelf = shelf_of('change kind Suit: ..., Stars\nchange after take(_): taken += 1\nremove preset "All hearts"')
    prints = [fingerprint(pipeline.load(shelf["game"], shelf, variants)) for variants in ([], [shelf["v0"]], [])]
    assert prints[0] == prints[2] != prints[1]


def test_what_is_wrong_under_a_preset_only_is_found_with_its_place() -> None:
    game = GAME + "dice pair: size - 2 of 1..6\n"
    shelf = shelf_of(game=game)
    [error] = [d for d in pipeline.check(shelf["game"], shelf) if d.severity.name == "ERROR"]
    assert error.span.text == "size - 2"
    assert [(other.span.text, other.text) for other in error.others][-1] == ('"Quick game"', "under this preset")
