"""What files, options and variants make together."""

from __future__ import annotations

from typing import Any

import pytest
from shelf import Shelf

from dsl import ast
from dsl.compose import Composition, compose
from dsl.diagnostics import Report

GAME = """
    game "Base" for 2..4 players

    use tools

    option size = 5 in 1..10: "How many"
    option harsh = no: "Harsh rules"
    option mood: Mood = Calm: "The mood"
    option steps = 3 in [1, 3, 5]: "Steps"

    kind Mood: Calm, Angry "!!"
    card Thing(worth: number, made: flag)
    zone heap: hidden pile of Thing

    cards Thing in heap:
        name     worth  made
        "Cup"    1      no
        "Jug"    size   yes
            always "old": after move(self, _, _): done()

    define value(c: Thing) -> number = c.worth
    rule done()

    scoring(p):
        "Cups": 1
        "Jugs": 2

    ending over when no: "Over"
    invariant "all": yes

    when harsh:
        change option size = 2
        zone extra: open set of Thing
        change define value(c: Thing) -> number = 2 * c.worth

    test "a":
        expect yes
"""
TOOLS = """
    module "Tools"
    use deep
    define helper(n: number) = n
"""
DEEP = """
    module "Deep"
    var depth = 1
"""


def composed(shelf: Shelf, *variants: str, **options: Any) -> Composition:
    report = Report()
    composition = compose(shelf["game"], [shelf[name] for name in variants], options, shelf, report)
    assert list(report) == []
    assert composition is not None
    return composition


def shelf(**more: str) -> Shelf:
    return Shelf(**{"game": GAME, "tools": TOOLS, "deep": DEEP, **more})


def item(composition: Composition, name: str) -> Any:
    for placed in composition.items:
        found = getattr(placed.item, "name", None)
        if isinstance(found, ast.Name) and found.id == name:
            return placed
    return None


def numbers(composition: Composition, column: str) -> dict[str, Any]:
    """A column of the table of things, by the names of the rows."""
    [table] = [placed for placed in composition.items if isinstance(placed.item, ast.Cards)]
    at = [c.id for c in table.item.columns].index(column)
    return {row.row.cells[0].plain: getattr(row.row.cells[at], "value", row.row.cells[at]) for row in table.rows}


def labels(composition: Composition) -> list[str]:
    return [line.label.plain for p in composition.items if isinstance(p.item, ast.Scoring) for line in p.item.lines]


# ── files ──


def test_modules_come_before_what_uses_them_and_variants_last() -> None:
    composition = composed(shelf(loud='variant "Loud" of game\nuse deep'), "loud")
    assert [f.source.id for f in composition.files] == ["deep", "tools", "game", "loud"]
    seen = {path: [f.source.id for f in files] for path, files in composition.visible.items()}
    assert seen["tools.cardgame"] == ["tools", "deep"]
    assert seen["game.cardgame"] == ["game", "tools"], "not what the module uses"
    assert seen["loud.cardgame"] == ["loud", "deep", "game", "tools"], "a variant sees what its base sees"
    assert (composition.name, composition.id, composition.variants) == ("Base", "game", ("loud",))


def test_ranks_and_order() -> None:
    composition = composed(shelf(loud='variant "Loud" of game\nvar noise = 1\nwhen harsh:\n    var more = 2'), "loud", harsh=True)
    ranks = {name: item(composition, name).rank for name in ("depth", "helper", "value", "extra", "noise", "more")}
    assert ranks == {"depth": (0, 0), "helper": (0, 1), "value": (1, 0), "extra": (2, 0), "noise": (3, 0), "more": (3, 0)}
    orders = [placed.order for placed in composition.items]
    assert orders == sorted(orders)
    assert item(composition, "value").file.source.id == "game"


def test_a_module_is_composed_alone() -> None:
    both = shelf()
    report = Report()
    composition = compose(both["tools"], [], {}, both, report)
    assert composition is not None and composition.players is None and isinstance(composition.game.header, ast.ModuleHeader)
    assert not report.found


# ── options ──


def test_options_have_their_defaults_and_ranges() -> None:
    options = composed(shelf()).options
    assert {name: (o.value, o.type_name) for name, o in options.items()} == {
        "size": (5, "number"),
        "harsh": (False, "flag"),
        "mood": ("Calm", "Mood"),
        "steps": (3, "number"),
    }
    assert options["size"].allowed == tuple(range(1, 11))
    assert options["steps"].allowed == (1, 3, 5)
    assert options["harsh"].allowed is None


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("size", 6, 6),
        ("size", "6", 6),
        ("harsh", True, True),
        ("harsh", "yes", True),
        ("harsh", "no", False),
        ("mood", "Angry", "Angry"),
        ("mood", "angry", "Angry"),
        ("mood", "!!", "Angry"),
    ],
)
def test_the_caller_sets_options_with_values_or_words(name: str, given: object, value: object) -> None:
    option = composed(shelf(), **{name: given}).options[name]
    assert option.value == value and type(option.value) is type(value)
    assert option.default != value or given == "no"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"sise": 5}, "CG0633"),
        ({"size": 11}, "CG0636"),
        ({"size": 0}, "CG0636"),
        ({"size": True}, "CG0636"),
        ({"size": "many"}, "CG0636"),
        ({"size": "9" * 5000}, "CG0636"),
        ({"steps": 2}, "CG0636"),
        ({"harsh": 1}, "CG0636"),
        ({"harsh": "maybe"}, "CG0636"),
        ({"mood": "Bored"}, "CG0636"),
        ({"mood": 0}, "CG0636"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], code: str) -> None:
    both, report = shelf(), Report()
    compose(both["game"], [], options, both, report)
    assert [d.code for d in report] == [code]


def test_an_unknown_option_is_guessed() -> None:
    both, report = shelf(), Report()
    compose(both["game"], [], {"sise": 5}, both, report)
    assert "did you mean `size`?" in str(report.found[0].hint)


def test_a_variant_changes_the_value_and_keeps_range_and_sentence() -> None:
    option = composed(shelf(v='variant "V" of game\nchange option size = 7'), "v").options["size"]
    assert (option.value, option.default, option.allowed) == (7, 7, tuple(range(1, 11)))
    assert option.decl.text is not None and option.decl.text.plain == "How many"


def test_a_variant_changes_range_and_sentence_if_it_writes_them() -> None:
    option = composed(shelf(v='variant "V" of game\nchange option size = 12 in 12..13: "A lot"'), "v").options["size"]
    assert (option.value, option.allowed) == (12, (12, 13))
    assert option.decl.text is not None and option.decl.text.plain == "A lot"


def test_the_caller_has_the_last_word_on_an_option() -> None:
    both = shelf(v='variant "V" of game\nchange option size = 7')
    assert composed(both, "v", size=9).options["size"].value == 9
    assert composed(both, size=9, harsh=True).options["size"].value == 9


@pytest.mark.parametrize(
    "declaration",
    [
        'option o = 1 in 2..5: "x"  #! CG0635 #? CG0635',
        'option o = 1 in 1..200000000: "x"  #! CG0634',
        'option o = a + b: "x"  #! CG0634',
        'option o = Nobody: "x"  #! CG0634',
        'option o: number = yes: "x"  #! CG0634',
        'option o: list of number = 1: "x"  #! CG0634',
        'option o = 1 in [1, yes]: "x"  #! CG0634',
        'option o = 1 in 5: "x"  #! CG0634',
        'option o = "{p}": "x"  #! CG0634',
    ],
)
def test_declarations_of_options_that_cannot_be(declaration: str) -> None:
    both, report = Shelf(game='game "G" for 2 players\n' + declaration), Report()
    compose(both["game"], [], {}, both, report)
    both.expect_marked(report)


def test_an_option_that_cannot_be_is_complained_of_once() -> None:
    text = 'game "G" for 2 players\noption o = a: "x"  #! CG0634\nwhen o is 3:\n    var here = 1\n'
    both, report = Shelf(game=text), Report()
    compose(both["game"], [], {"o": 3}, both, report)
    both.expect_marked(report)


# ── when blocks ──


def test_a_block_is_in_force_by_its_condition() -> None:
    assert item(composed(shelf()), "extra") is None
    harsh = composed(shelf(), harsh=True)
    assert item(harsh, "extra").rank == (2, 0)
    assert harsh.options["size"].value == 2
    assert len(harsh.blocks) == 1


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("size is 5", True),
        ("size is not 5", False),
        ("size > 5 or harsh", False),
        ("size >= 5 and not harsh", True),
        ("mood is Calm", True),
        ("Calm is mood", True),
        ("mood is Mood.Angry", False),
        ("mood < Angry", True),
        ("mood is in [Angry]", False),
        ("mood is not in [Angry]", True),
        ("steps is in 1..3", True),
        ("steps * 2 - 1 is size", True),
        ("(yes when harsh otherwise no)", False),
        ("-size < 0 mod 7", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    both = shelf(v=f'variant "V" of game\nwhen {condition}:\n    var here = 1')
    assert (item(composed(both, "v"), "here") is not None) is holds


@pytest.mark.parametrize(
    "condition",
    [
        "heap is empty",
        "sise is 5",
        "size",
        "size is yes",
        "size is Calm",
        "Calm",
        "harsh < yes",
        "size / 0 is 1",
        "active is none",
        "mood is Clam",
    ],
)
def test_conditions_that_are_none(condition: str) -> None:
    both, report = shelf(v=f'variant "V" of game\nwhen {condition}:  #! CG0640\n    var here = 1'), Report()
    compose(both["game"], [both["v"]], {}, both, report)
    both.expect_marked(report)


def test_blocks_lie_in_blocks() -> None:
    both = shelf(
        v='variant "V" of game\nwhen harsh:\n    var one = 1\n    when size is 2:\n        var two = 2\n    when size is 5:\n        var five = 5'
    )
    composition = composed(both, "v", harsh=True)
    assert item(composition, "one") is not None and item(composition, "two") is not None and item(composition, "five") is None


def test_a_block_may_not_change_an_option_that_was_read() -> None:
    both = shelf(
        v="""
        variant "V" of game
        when steps is 3:  #? CG0632
            var here = 1
            when harsh is no:
                change option steps = 5  #! CG0632
        """
    )
    report = Report()
    compose(both["game"], [both["v"]], {}, both, report)
    both.expect_marked(report)


# ── change and remove ──


def test_changed_declarations_stay_where_they_were_and_see_what_the_changer_sees() -> None:
    both = shelf(v='variant "V" of game\nvar own = 3\n## Better.\nchange define value(c: Thing) -> number = own')
    base, changed = item(composed(both), "value"), item(composed(both, "v"), "value")
    assert (changed.rank, changed.order) == (base.rank, base.order)
    assert changed.home.source.id == "game" and changed.file.source.id == "v"
    assert changed.item.value.cases[0].value == ast.Name(id="own", span=changed.item.span)
    assert changed.item.doc == "Better."


def test_a_game_changes_what_a_module_declares() -> None:
    both = shelf(game=GAME + "\n    change define helper(n: number) = 2 * n\n")
    assert item(composed(both), "helper").file.source.id == "game"


def test_cards_are_changed_by_row_and_column() -> None:
    both = shelf(
        v="""
        variant "V" of game
        var own = 3
        change cards Thing:
            name   worth
            "Cup"  own
        """,
        w="""
        variant "W" of game
        change cards Thing:
            name   made  copies
            "Cup"  yes   4
            "Jug"  yes   0
                    always "new": before move(self, _, _): done()
        """,
    )
    composition = composed(both, "v", "w")
    assert numbers(composition, "copies") == {"Cup": 4, "Jug": 0}
    assert numbers(composition, "made") == {"Cup": True, "Jug": True}
    [table] = [placed for placed in composition.items if isinstance(placed.item, ast.Cards)]
    cup, jug = table.rows
    assert [f.source.id for f in cup.files] == ["game", "v", "w", "w"]
    assert jug.abilities_file.source.id == "w" and cup.abilities_file.source.id == "game"
    assert table.item.columns[-1].id == "copies"


def test_abilities_stay_unless_the_row_has_some() -> None:
    change = 'variant "V" of game\nchange cards Thing:\n    name  worth\n    "Jug"  9\n'
    ability = '        always "x":\n            before move(self, _, _): done()\n'
    kept = composed(shelf(v=change), "v")
    replaced = composed(shelf(v=change + ability), "v")

    def text(composition: Composition) -> str:
        [table] = [placed for placed in composition.items if isinstance(placed.item, ast.Cards)]
        return table.rows[1].row.abilities[0].text.plain

    assert (text(kept), text(replaced)) == ("old", "x")


def test_scoring_is_changed_by_label() -> None:
    both = shelf(
        v='variant "V" of game\nchange scoring(q):\n    "Jugs": 3\n    "Pots": 4\n',
        w='variant "W" of game\nremove scoring "Cups"\n',
    )
    composition = composed(both, "v")
    assert labels(composition) == ["Cups", "Jugs", "Pots"]
    params = [(p.item.param.id, p.file.source.id) for p in composition.items if isinstance(p.item, ast.Scoring)]
    assert params == [("p", "game"), ("q", "v"), ("q", "v")]
    assert labels(composed(both, "v", "w")) == ["Jugs", "Pots"]


def test_endings_invariants_and_tests_are_removed() -> None:
    both = shelf(v='variant "V" of game\nremove ending over\nremove invariant "all"\nremove test "a"\n')
    sorts = {type(placed.item) for placed in composed(both, "v").items}
    assert not sorts & {ast.Ending, ast.Invariant, ast.Test}
    assert {type(placed.item) for placed in composed(both).items} >= {ast.Ending, ast.Invariant, ast.Test}


def test_a_block_may_refine_what_its_own_variant_changes() -> None:
    both = shelf(v='variant "V" of game\nchange option steps = 5\nwhen harsh:\n    change option steps = 1\n')
    assert composed(both, "v").options["steps"].value == 5
    assert composed(both, "v", harsh=True).options["steps"].value == 1


def test_blocks_that_exclude_each_other_may_change_the_same() -> None:
    text = (
        'variant "V" of game\nwhen mood is Calm:\n    change option steps = 5\nwhen mood is Angry:\n    change option steps = 1\n'
    )
    assert composed(shelf(v=text), "v").options["steps"].value == 5
    assert composed(shelf(v=text), "v", mood="Angry").options["steps"].value == 1
