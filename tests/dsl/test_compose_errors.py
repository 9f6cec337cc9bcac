"""What cannot be composed: each error with its code and all its places."""

from __future__ import annotations

from textwrap import dedent

import pytest
from shelf import Shelf

from dsl.compose import compose
from dsl.diagnostics import Report

GAME = """
game "Base" for 2..4 players
use tools
option size = 5 in 1..10: "How many"
option harsh = no: "Harsh rules"
kind Mood: Calm, Angry
card Thing(worth: number)
zone heap: hidden pile of Thing
cards Thing in heap:
    name    worth
    "Cup"   1
    "Jug"   2
    "{m}"   3  for m in Mood
define value(c: Thing) -> number = c.worth
rule done(n: number)
scoring(p):
    "Cups": 1
ending over when no: "Over"
timing soon: after done(owner)
invariant "all": yes
when harsh:
    change option size = 2
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
define far(n: number) = n
"""


def check(*variants: str, game: str = GAME, tools: str = TOOLS, deep: str = DEEP, **options: object) -> None:
    """Compose the game with the variants (texts), and look whether just what is marked is found."""
    texts = {f"v{n}": f'variant "V{n}" of game\n' + dedent(text) for n, text in enumerate(variants)}
    shelf, report = Shelf(game=game, tools=tools, deep=deep, **texts), Report()
    compose(shelf["game"], [shelf[name] for name in texts], options, shelf, report)
    shelf.expect_marked(report)


# ── files ──


@pytest.mark.parametrize(
    ("game", "tools", "deep"),
    [
        ('game "G" for 2 players\nuse nothing  #! CG0601', TOOLS, DEEP),
        ('game "G" for 2 players\nuse tools\nuse tools  #! CG0603', TOOLS, DEEP),
        ('game "G" for 2 players\nuse game  #! CG0604', TOOLS, DEEP),
        ('game "G" for 2 players\nuse tools', 'module "T"\nuse deep  #? CG0604', 'module "D"\nuse tools  #! CG0604'),
        ('game "G" for 2 players\nuse tools', 'module "T"\nuse tools  #! CG0604', DEEP),
        ('game "G" for 2 players\nuse tools  #! CG0605', 'game "T" for 2 players  #? CG0605', DEEP),
        ('game "G" for 2 players\nuse tools  #! CG0605', 'variant "T" of game  #? CG0605', DEEP),
        ('game "G" for 2 players\nwhen yes:\n    use tools  #! CG0602', TOOLS, DEEP),
        ('variant "G" of other  #! CG0641', TOOLS, DEEP),
    ],
)
def test_files_that_do_not_belong(game: str, tools: str, deep: str) -> None:
    check(game=game, tools=tools, deep=deep)


@pytest.mark.parametrize(
    ("variants", "code"),
    [(["tools"], "CG0642"), (["other"], "CG0643"), (["fine", "fine"], "CG0644"), (["game2"], "CG0642")],
)
def test_variants_that_do_not_belong(variants: list[str], code: str) -> None:
    shelf = Shelf(
        game=GAME, tools=TOOLS, deep=DEEP, other='variant "O" of gane', fine='variant "F" of game', game2='game "H" for 2 players'
    )
    report = Report()
    assert compose(shelf["game"], [shelf[name] for name in variants], {}, shelf, report) is None
    assert [d.code for d in report] == [code]


def test_two_files_of_one_name() -> None:
    shelf, report = Shelf(game='game "G" for 2 players\nuse tools  #! CG0606', tools='module "T"'), Report()
    tools = shelf.sources["tools"]
    shelf.sources["tools"] = type(tools)("library/game.cardgame", tools.text)
    compose(shelf["game"], [], {}, shelf, report)
    shelf.expect_marked(report)


def test_a_broken_file_stops_the_composition() -> None:
    shelf, report = Shelf(game='game "G" for 2 players\nuse tools', tools='module "T"\ndefine = ='), Report()
    assert compose(shelf["game"], [], {}, shelf, report) is None
    assert {d.span.source.path for d in report} == {"tools.cardgame"}


# ── names ──


def test_a_variant_must_say_change() -> None:
    check(
        """
        zone heap: open set of Thing  #! CG0607
        define helper(n: number) = 2  #! CG0607
        rule Calm()  #! CG0607
        kind Colour: red, done  #! CG0607
        """,
        game=GAME.replace("rule done(n: number)", "rule done(n: number)  #? CG0607")
        .replace("zone heap: hidden pile of Thing", "zone heap: hidden pile of Thing  #? CG0607")
        .replace("Calm, Angry", "Calm, Angry  #? CG0607"),
        tools=TOOLS.replace("= n", "= n  #? CG0607"),
    )


def test_the_hint_says_change() -> None:
    shelf, report = Shelf(game=GAME, tools=TOOLS, deep=DEEP, v='variant "V" of game\nrule done(n: number)'), Report()
    compose(shelf["game"], [shelf["v"]], {}, shelf, report)
    assert "write `change rule done`" in str(report.found[0].hint)


def test_names_are_declared_once() -> None:
    check(game=GAME + "var heap = 1  #! CG0250\ndefine far(n: number) = 1\nrule helper()  #! CG0607\n" + "var max = 1  #! CG0252\n")
    check(game=GAME + 'test "a":  #! CG0251\n    expect no\ninvariant "all": no  #! CG0251\n')
    check(game=GAME + 'scoring(p):\n    "Cups": 2  #! CG0622\n')


def test_modules_must_not_declare_the_same() -> None:
    game = 'game "G" for 2 players\nuse tools\nuse deep  #! CG0608'
    check(game=game, tools='module "T"\nvar x = 1  #? CG0608', deep='module "D"\nvar x = 1  #? CG0608')


def test_blocks_clash_only_together() -> None:
    text = """
        when harsh:
            var x = 1
        when size > 5:
            var x = 2
    """
    marked = text.replace("= 1", "= 1  #? CG0607").replace("= 2", "= 2  #! CG0607")
    calm = GAME.replace("change option size = 2", "var unused = 1")
    check(text, game=calm, harsh=True)
    check(text, game=calm, size=7)
    check(marked, game=calm, harsh=True, size=7)


def test_members_of_two_kinds_and_names_of_files_that_do_not_see_each_other_may_be_the_same() -> None:
    check("kind Colour: Calm, Red\nvar far = 1", "var Red = 1")


def test_options_are_told_apart_in_all_files() -> None:
    check(deep='module "D"\noption size = 1: "x"  #? CG0631', game=GAME.replace('"How many"', '"How many"  #! CG0631'))


# ── change and remove ──


@pytest.mark.parametrize(
    "change",
    [
        "change rule dome(n: number)  #! CG0611",
        "change define far(n: number) = 1  #! CG0611",
        "change option sise = 1  #! CG0611",
        "change zone heaps: open set of Thing  #! CG0611",
        "change timing sun: after done(owner)  #! CG0611",
        'change ending other when yes: "x"  #! CG0611',
        "remove ending other  #! CG0611",
        'remove invariant "none"  #! CG0611',
        'remove test "b"  #! CG0611',
        'remove scoring "Jugs"  #! CG0611',
        "remove ending done  #! CG0615",
        'remove ending "over"  #! CG0623',
        "change define done(n: number) = 1  #! CG0615",
        "change rule value(c: Thing)  #! CG0615",
        "change rule heap()  #! CG0615",
        "change option size = 11  #! CG0635",
        "change option size = yes  #! CG0634",
        "change option size: flag = 3  #! CG0634",
    ],
)
def test_changes_of_what_is_not_there(change: str) -> None:
    check(change)


@pytest.mark.parametrize(
    ("change", "guess"),
    [
        ("change rule dome(n: number)", "did you mean `done`?"),
        ("change define far(n: number) = 1", "`use deep`"),
        ("change rule value(c: Thing)", "write `change define value`"),
        ('change cards Thing:\n    name worth\n    "Cap" 1', 'did you mean `"Cup"`?'),
        ('change cards Thing:\n    name worth\n    "Calm" 1', '"{m}"'),
        ('change cards Think:\n    name worth\n    "Cup" 1', "did you mean `Thing`?"),
    ],
)
def test_what_was_meant(change: str, guess: str) -> None:
    shelf, report = Shelf(game=GAME, tools=TOOLS, deep=DEEP, v='variant "V" of game\n' + change), Report()
    compose(shelf["game"], [shelf["v"]], {}, shelf, report)
    [finding] = report
    assert guess in f"{finding.label} {finding.hint}"


@pytest.mark.parametrize(
    "change",
    [
        "change rule done()",
        "change rule done(n: Mood)",
        "change rule done(n: number) -> number",
        "change define value(c: Thing, d: Thing) = 1",
        "change define value(c: Thing) -> flag = yes",
    ],
)
def test_a_changed_rule_keeps_its_signature(change: str) -> None:
    name = "rule done" if "done" in change else "define value"
    line = next(line for line in GAME.splitlines() if line.startswith(name))
    check(change + "  #! CG0616", game=GAME.replace(line, line + "  #? CG0616"))


def test_parameters_may_be_renamed_and_results_left_out() -> None:
    check("change rule done(m: number)\nchange define value(thing: Thing) = 1")


@pytest.mark.parametrize(
    "table",
    [
        'change cards Mood:  #! CG0617\n    name  worth\n    "Cup"  1',
        'change cards Thing:\n    name  wroth  #! CG0619\n    "Cup"  1',
        'change cards Thing:\n    name  name  #! CG0619\n    "Cup"  "Cup"',
        "change cards Thing:\n    worth  #! CG0619\n    1",
        'change cards Thing in heap:  #! CG0619\n    name  worth\n    "Cup"  1',
        'change cards Thing:\n    name  worth\n    "Cup"  #! CG0620',
        'change cards Thing:\n    name  worth\n    "Cup"  1  1  #! CG0620',
        'change cards Thing:\n    name  worth\n    "Pot"  1  #! CG0618',
        'change cards Thing:\n    name  worth\n    "{m}"  1  for m in [Calm]  #! CG0618',
        'change cards Thing:\n    name  worth\n    "Cup"  1  #? CG0612\n    "Cup"  2  #! CG0612',
    ],
)
def test_changes_of_cards_that_cannot_be(table: str) -> None:
    check(table)


def test_two_rows_of_one_name_cannot_be_told_apart() -> None:
    again = '    "Cup"   4  #? CG0618\n'
    check(
        'change cards Thing:\n    name  worth\n    "Cup"  1  #! CG0618',
        game=GAME.replace('    "Cup"   1\n', '    "Cup"   1  #? CG0618\n' + again),
    )


def test_there_must_be_a_scoring_to_change() -> None:
    plain = GAME.replace('scoring(p):\n    "Cups": 1\n', "")
    check('change scoring(p):  #! CG0621\n    "Cups": 2', game=plain)


@pytest.mark.parametrize(
    "change",
    [
        "change define value(c: Thing) = 1",
        "change rule done(n: number)",
        "remove ending over",
        'change ending over when yes: "x"',
        'remove invariant "all"',
        'remove scoring "Cups"',
        'change scoring(p):\n    "Cups": 2',
        'change cards Thing:\n    name  worth\n    "Cup"  1',
        "change option size = 3",
        "change zone heap: open set of Thing",
    ],
)
def test_two_variants_may_not_change_the_same(change: str) -> None:
    *first, last = change.split("\n")
    check("\n".join([*first, last + "  #? CG0612"]), "\n".join([*first, last + "  #! CG0612"]))


def test_what_one_variant_removes_another_cannot_change() -> None:
    check("remove ending over  #? CG0612", 'change ending over when yes: "x"  #! CG0612')
    check('change scoring(p):\n    "Cups": 2  #? CG0612', 'remove scoring "Cups"  #! CG0612')


def test_a_variant_and_a_block_conflict_only_while_the_block_is_in_force() -> None:
    check("change option size = 3")
    check("change option size = 3  #? CG0612", game=GAME.replace("= 2", "= 2  #! CG0612"), harsh=True)


def test_changes_of_different_rows_columns_and_lines_do_not_conflict() -> None:
    check(
        'change cards Thing:\n    name  worth\n    "Cup"  1\nchange scoring(p):\n    "A": 1',
        'change cards Thing:\n    name  copies\n    "Cup"  1\nchange scoring(p):\n    "B": 1',
        'change cards Thing:\n    name  worth\n    "Jug"  1\n',
    )


def test_the_same_is_not_changed_twice() -> None:
    check("change option size = 3  #? CG0612\nchange option size = 4  #! CG0612")


def test_one_does_not_change_ones_own() -> None:
    check(game=GAME.replace("rule done(n: number)", "rule done(n: number)  #? CG0614") + "change rule done(n: number)  #! CG0614\n")
    check('ending mine when yes: "x"  #? CG0614\nremove ending mine  #! CG0614')
    check(game=GAME.replace('"Cups": 1', '"Cups": 1  #? CG0614') + 'remove scoring "Cups"  #! CG0614\n')


def test_two_modules_may_not_change_the_same_but_the_game_may_again() -> None:
    game = 'game "G" for 2 players\nuse tools\nuse more\nuse deep\nchange define far(n: number) = 3'
    tools, more = (f'module "{n}"\nuse deep\nchange define far(n: number) = {n}' for n in (1, 2))
    shelf, report = Shelf(game=game, tools=tools + "  #? CG0612", more=more + "  #! CG0612", deep=DEEP), Report()
    compose(shelf["game"], [], {}, shelf, report)
    shelf.expect_marked(report)
    shelf, report = Shelf(game=game, tools=tools, more='module "M"', deep=DEEP), Report()
    compose(shelf["game"], [], {}, shelf, report)
    shelf.expect_marked(report)


def test_changed_options_may_not_have_been_read() -> None:
    check("when size is 5:  #? CG0632\n    when harsh is no:\n        change option size = 3  #! CG0632")
