"""Loading and checking whole files: in every composition, with findings in order, and never a traceback."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from shelf import Shelf

from dsl import pipeline
from dsl.diagnostics import Report, RulesError
from dsl.source import Source

GAME = """
game "G" for 2..3 players
option harsh = no: "x"
option size = 3 in 1..9: "x"
option mood: Mood = Calm: "x"
kind Mood: Calm, Angry
card Thing(worth: number)
zone heap: hidden pile of Thing
cards Thing in heap:
    name   worth
    "Cup"  1
rule setup():
    shuffle heap
rule game():
    turn(players.first)
rule turn(p: player):
    shuffle heap
define value() = 1
define winners() = players
"""
GAMES, CORPUS = (Path(__file__).parents[2] / folder for folder in ("games", "tests/corpus/games"))
STDLIB = CORPUS.parent.parent.parent / "stdlib"


def check(text: str, name: str = "game", **more: str) -> Report:
    shelf = Shelf(**{"game": GAME.lstrip() + dedent(text) if name == "game" else GAME, **more})
    report = pipeline.check(shelf[name], shelf)
    shelf.expect_marked(report)
    return report


# ── every composition ──


def test_blocks_are_checked_though_not_in_force() -> None:
    report = check("when harsh:  #? CG0203\n    after turn(_): nothing()  #! CG0203\n")
    assert any(label.text == "with this block in force" for label in report.found[0].others)


def test_nested_blocks_and_those_with_numbers_and_members_are_checked() -> None:
    check("when harsh:\n    when size > 7:\n        after turn(_): nothing()  #! CG0203\n")
    check("when mood is Angry and size * 2 > 10:\n    after turn(_): nothing()  #! CG0203\n")


def test_what_is_declared_in_a_block_is_missing_without_it() -> None:
    check("when not harsh:  #? CG0203\n    rule extra()\nafter turn(_): extra()  #! CG0203\n")


def test_two_blocks_together() -> None:
    check(
        """
        when harsh:
            change define value() = 2  #? CG0612
        when size > 5:
            change define value() = 3  #! CG0612
        """
    )
    check("when harsh:\n    change define value() = 2\nwhen not harsh:\n    change define value() = 3\n")


def test_a_block_that_is_never_in_force() -> None:
    check("when harsh and not harsh:  #! CG0911\n    after turn(_): shuffle heap\n")


def test_options_in_a_block_that_is_off_do_not_stop_the_check() -> None:
    check('when harsh:\n    option more = no: "x"\n    when more:\n        after turn(_): nothing()  #! CG0203\n')


def test_tests_are_checked_under_their_options() -> None:
    check(
        """
        test "harsh":
            given option harsh = yes
            expect no_such_thing  #! CG0203
        """
    )


def test_tests_in_a_block_run_under_its_options() -> None:
    text = """
        when mood is Angry and harsh:
            rule extra()
            test "angry":
                when extra()
    """
    check(text)
    check(text.replace("when extra()", "when extras()  #! CG0203"))
    shelf = Shelf(game=GAME.lstrip() + dedent(text))
    game = pipeline.load(shelf["game"], shelf)
    [test] = game.tests
    assert test.options == {"harsh": True, "mood": "Angry"} and test.lines == ()
    again = pipeline.load(shelf["game"], shelf, options=test.options)
    assert len(again.tests[0].lines) == 1


def test_a_variant_is_checked_over_its_base() -> None:
    check("", "v", v='variant "V" of game\nafter turn(_): nothing()  #! CG0203\n')
    check("", "v", v='variant "V" of game\nwhen harsh:\n    after turn(_): nothing()  #! CG0203\n')
    check("", "v", v='variant "V" of other  #! CG0645\n')


def test_a_module_is_checked_alone() -> None:
    check("", "tools", tools='module "T"\ndefine f(n: number) = n\nrule r(): nothing()  #! CG0203\n')


def test_warnings_are_only_about_the_file_itself_and_errors_about_all() -> None:
    shelf = Shelf(game=GAME.lstrip() + "use tools\n", tools='module "T"\nrule r(p: player)\nafter r(p): end r\n')
    assert {d.code[:5] for d in pipeline.check(shelf["game"], shelf)} == {"CG092"}  # of the rule in the module nothing is said
    assert [d.code for d in pipeline.check(shelf["tools"], shelf)] == ["CG0902"]
    shelf = Shelf(game=GAME.lstrip() + "use tools\n", tools='module "T"\nrule r(): nothing()\n')
    assert [d.code for d in pipeline.check(shelf["game"], shelf)] == ["CG0203"]


def test_findings_come_in_the_order_of_the_text() -> None:
    report = check("after turn(p): shuffle heap  #! CG0902\nafter turn(_): nothing()  #! CG0203\n".replace("  #! CG0902", ""))
    assert [d.code for d in report] == ["CG0203"]
    report = check("when harsh:\n    after turn(p): shuffle heap  #! CG0902\nafter turn(q): shuffle heap  #! CG0902\n")
    assert [d.span.line for d in report] == sorted(d.span.line for d in report)


# ── loading ──


def test_load_gives_rules_or_raises() -> None:
    shelf = Shelf(game=GAME, v='variant "V" of game\nchange option size = 4\n')
    game = pipeline.load(shelf["game"], shelf, [shelf["v"]], {"harsh": "yes"})
    assert game.variants == ("v",)
    assert {option.name: option.value for option in game.options} == {"harsh": True, "size": 4, "mood": 0}
    with pytest.raises(RulesError) as caught:
        pipeline.load(shelf["game"], shelf, options={"hrash": True})
    assert [d.code for d in caught.value.diagnostics] == ["CG0633"]
    with pytest.raises(RulesError):
        pipeline.load(shelf["v"], shelf)


def test_warnings_of_a_load_are_in_its_report() -> None:
    shelf, report = Shelf(game=GAME + "after turn(p): shuffle heap\n"), Report()
    pipeline.load(shelf["game"], shelf, report=report)
    assert [d.code for d in report] == ["CG0902"]


class Folder:
    """A lookup among the games, the corpus and the library."""

    def _read(self, name: str) -> Source | None:
        for folder in (GAMES, CORPUS, STDLIB):
            path = folder / f"{name}.cardgame"
            if path.exists():
                return Source(path.name, path.read_text("utf-8"))
        return None

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self._read(name)

    def module(self, name: str, asking: Source | None) -> Source | None:
        return self._read(name)

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return None


@pytest.mark.parametrize(
    "path", [path for folder in (GAMES, CORPUS, STDLIB) for path in sorted(folder.glob("*.cardgame"))], ids=lambda path: path.stem
)
def test_the_corpus_has_no_findings(path: Path) -> None:
    folder = Folder()
    source = folder._read(path.stem)
    assert source is not None
    assert list(pipeline.check(source, folder)) == []


# ── whatever is broken ──


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "game",
        'game "G"',
        'game "G" for 2 players\nuse game',
        'game "G" for 2 players\nwhen ' + "(" * 3000 + "yes" + ")" * 3000 + ":\n    use x",
        'game "G" for 2 players\nwhen ' + " or ".join(["harsh"] * 4000) + ":\n    rule x()",
        'game "G" for 2 players\noption o = ' + "-" * 3000 + '1: "x"',
        'game "G" for 2 players\ndefine f() = ' + " + ".join(["1"] * 4000),
        'module "M"\nuse m',
        'variant "V" of v',
    ],
)
def test_no_text_gives_a_traceback(text: str) -> None:
    shelf = Shelf(game=text, m=text, v=text, x=text)
    for name in ("game", "m", "v"):
        assert pipeline.check(shelf[name], shelf).errors
