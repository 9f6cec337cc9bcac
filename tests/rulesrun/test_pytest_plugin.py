"""The pytest plugin, in small projects made for it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

import pytest

from tests.rulesrun.table_games import DUEL

pytest_plugins = ["pytester"]

Run = Callable[..., pytest.RunResult]

TWO_WAYS = """
test "with three a card each is enough":
    given 3 players
    given hand[P1] = ["Baron"]
    given hand[P2] = ["Page"]
    given hand[P3] = ["Page"]
    when turn(P1)
    when P1 chooses "Baron"
    when P2 chooses "Page"
    when P3 chooses "Page"
    expect total[P1] is 1
"""
WRONG = '\ntest "everybody begins with a point":\n    expect total[P1] is 1\n'
LOUD = '\ninvariant "nobody ever has a point": not any(p in players where total[p] > 0)\n'
CASES = """
tests of duel

test "a goal is a number":
    cases:
        n
        2
        3
    expect goal is n

test "nobody has a point":
    expect total[P1] is 0

property "everybody scores" after game(): not any(p in players where total[p] is 0)
"""
VARIANT = """
variant "Long Duel" of duel

change option goal = 3

test "it is longer":
    expect goal is 3
"""


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """pytest with the plugin, which an environment made before it existed does not know of."""
    known = any(found.name == "rulesrun" for found in entry_points(group="pytest11"))
    plugin = [] if known else ["-p", "rulesrun.pytest_plugin"]
    return lambda *args: pytester.runpytest(*plugin, "-p", "no:cacheprovider", *args)


@pytest.fixture
def write(pytester: pytest.Pytester) -> Callable[[str, str], None]:
    def put(name: str, text: str) -> None:
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")

    return put


Write = Callable[[str, str], None]


# ── collecting ──


def test_each_test_and_each_number_of_players_is_an_item(run: Run, write: Write) -> None:
    write("games/duel.cardgame", DUEL + TWO_WAYS)
    shown = run("--collect-only", "-q")
    assert [line for line in shown.outlines if "::" in line] == [
        "games/duel.cardgame::the higher one takes a point",
        "games/duel.cardgame::with other options",
        "games/duel.cardgame::with three a card each is enough",
        "games/duel.cardgame::random play [2 players]",
        "games/duel.cardgame::random play [3 players]",
    ]
    run().assert_outcomes(passed=5)


def test_one_can_be_run_by_its_name(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL)
    run("duel.cardgame::with other options").assert_outcomes(passed=1)
    run("-k", "higher and point").assert_outcomes(passed=1, deselected=3)


def test_by_number_of_players(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL + TWO_WAYS)
    shown = run("--collect-only", "-q", "-k", "3-players")
    assert [line.partition("::")[2] for line in shown.outlines if "::" in line] == [
        "with three a card each is enough",
        "random play [3 players]",
    ]
    run("-k", "2-players").assert_outcomes(passed=3, deselected=2)


def test_by_marker_rules_files_apart_from_python(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL)
    write("test_it.py", "def test_nothing(): pass\n")
    run("-m", "cardgame", "--strict-markers").assert_outcomes(passed=4, deselected=1)
    run("-m", "not cardgame").assert_outcomes(passed=1, deselected=4)


def test_a_variant_has_its_own_tests_and_a_module_none(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL.replace('kind Side: Heads, Tails "the tails"', "use sides"))
    write("sides.cardgame", 'module "Sides"\n\nkind Side: Heads, Tails "the tails"\n')
    write("variants/duel/long.cardgame", VARIANT)
    shown = run("--collect-only", "-q")
    assert [line for line in shown.outlines if "::" in line and "duel.cardgame" not in line] == [
        "variants/duel/long.cardgame::it is longer",
        "variants/duel/long.cardgame::random play [2 players]",
        "variants/duel/long.cardgame::random play [3 players]",
    ]
    run("variants", "sides.cardgame").assert_outcomes(passed=3)


def test_a_file_of_tests_and_each_case_of_a_test(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL)
    write("duel_tests.cardgame", CASES)
    shown = run("duel_tests.cardgame", "-v")
    shown.assert_outcomes(passed=3, failed=2)
    shown.stdout.fnmatch_lines(
        [
            "duel_tests.cardgame::a goal is a number (1) PASSED*",
            "duel_tests.cardgame::a goal is a number (2) FAILED*",
            "duel_tests.cardgame::random play ?3 players? FAILED*",
            "error CG0820: *",
            'the property "everybody scores" does not hold (3 players)',
            "  duel_tests.cardgame:*: not any(p in players where total?p? is 0)",
        ]
    )
    assert ".py:" not in str(shown.stdout)


def test_which_files_are_collected_is_configured(run: Run, write: Write, pytester: pytest.Pytester) -> None:
    write("games/duel.cardgame", DUEL)
    write("old/duel.cardgame", "no game at all")
    pytester.makeini('[pytest]\ncardgame_files = "games/*.cardgame"\ncardgame_games = 0\n')
    run().assert_outcomes(passed=2)
    assert run("old/duel.cardgame").ret is pytest.ExitCode.INTERRUPTED  # named, it is collected


def test_the_generic_suite_is_an_item_if_wanted(run: Run, write: Write, pytester: pytest.Pytester) -> None:
    write("duel.cardgame", DUEL)
    pytester.makeini("[pytest]\ncardgame_suite = true\n")
    run("-k", "every and check").assert_outcomes(passed=2, deselected=4)


def test_numbers_that_are_none_are_refused(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL)
    refused = run("--cardgame-games", "many")
    assert refused.ret is pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*ERROR: cardgame_games: 'many' is no whole number"])


@pytest.mark.parametrize("workers", ["2"])
def test_under_xdist(run: Run, write: Write, workers: str) -> None:
    pytest.importorskip("xdist")
    write("duel.cardgame", DUEL + TWO_WAYS)
    run("-n", workers).assert_outcomes(passed=5)


# ── failures ──


def test_a_failure_is_shown_with_the_line_of_the_rules(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL + WRONG)
    shown = run("-k", "everybody")
    shown.assert_outcomes(failed=1, deselected=4)
    number = (DUEL.lstrip("\n") + WRONG).splitlines().index("    expect total[P1] is 1") + 1
    shown.stdout.fnmatch_lines(
        ["*everybody begins with a point*", "error CG0820: *", f" * duel.cardgame:{number}:*", "*expect total?P1? is 1"]
    )
    assert "Traceback" not in str(shown.stdout) and ".py:" not in str(shown.stdout)


def test_an_invariant_that_breaks_in_random_play(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL + LOUD)
    shown = run("-k", "random", "--cardgame-seed", "5")
    shown.assert_outcomes(failed=2, deselected=2)
    shown.stdout.fnmatch_lines(
        [
            'the invariant "nobody ever has a point" does not hold (2 players)',
            "  duel.cardgame:*: not any(p in players where total?p? > 0)",
            "seed *, choices *",
        ]
    )
    assert ".py:" not in str(shown.stdout)


def test_a_file_with_mistakes_is_a_collection_error_in_words(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL.replace("move arena to deck", "move arena to dock"))
    shown = run()
    shown.assert_outcomes(errors=1)
    shown.stdout.fnmatch_lines(["error CG0203: *", "*move arena to dock*"])
    assert "Traceback" not in str(shown.stdout) and ".py:" not in str(shown.stdout)


def test_rules_that_stop_a_test_in_python_are_told_too(run: Run, write: Write) -> None:
    write("duel.cardgame", DUEL.replace("let best = max(c.force for c in arena)", "let best = hand[leader].size / 0"))
    write(
        "test_it.py",
        """
        import pytest

        @pytest.mark.cardgame("duel.cardgame", players=2)
        def test_first_options(match):
            match.choose(0)
            match.choose(0)
        """.replace("\n        ", "\n"),
    )
    shown = run("test_it.py")
    shown.assert_outcomes(failed=1)
    shown.stdout.fnmatch_lines(["*- rules -*", "error CG1014: *", "seed 0, choices 0 0"])


# ── fixtures ──


def test_the_fixtures(run: Run, write: Write) -> None:
    write("rules/duel.cardgame", DUEL)
    write(
        "tests/test_it.py",
        """
        import pytest

        pytestmark = pytest.mark.cardgame("rules/duel.cardgame", options={"goal": 1})

        def test_game(cardgame):
            assert cardgame.options["goal"] == 1 and cardgame.players == (2, 3)

        def test_match(match):
            assert (match.players, match.seed, match.choices) == (3, 0, [])

        @pytest.mark.cardgame(players=2, seed=7)
        def test_other_match(match, cardgame):
            assert (match.players, match.seed) == (2, 7) and match.game is cardgame

        @pytest.mark.cardgame(options={"goal": 4}, chance=[("shuffle", ["Baron", "Baron"])])
        def test_other_options(match):
            assert match.game.options["goal"] == 4
            assert [option.text for option in match.decision.options].count("Baron") == 1

        def test_factory(load_cardgame, cardgame):
            assert load_cardgame("rules/duel.cardgame", options={"goal": 1}) is cardgame
            assert load_cardgame("tic_tac_toe").id == "tic_tac_toe"
        """.replace("\n        ", "\n"),
    )
    run("tests", "--strict-markers").assert_outcomes(passed=5)


def test_a_test_that_is_not_marked_is_told_how(run: Run, write: Write) -> None:
    write("test_it.py", "def test_it(match): pass\n")
    run().stdout.fnmatch_lines(['*which game? mark the test*pytest.mark.cardgame("my.cardgame")*'])


def test_a_marker_with_a_word_that_means_nothing(run: Run, write: Write) -> None:
    write("test_it.py", 'import pytest\n\n@pytest.mark.cardgame("tic_tac_toe", player=2)\ndef test_it(match): pass\n')
    run().stdout.fnmatch_lines(["*the marker `cardgame` is written cardgame(game, [*], variants, options*"])


# ── others ──


def test_a_project_without_rules_files_does_not_notice_it(write: Write, pytester: pytest.Pytester) -> None:
    """Nothing of rulesrun but the plugin is loaded, and nothing that it needs."""
    write(
        "test_it.py",
        """
import sys

def test_nothing_is_loaded():
    heavy = {"lark", "click", "rich", "dsl", "interpreter", "rulesrun.api", "rulesrun.suite", "rulesrun.pytest_items", "rulesrun.strategies"}
    assert heavy & set(sys.modules) == set()
    assert "hypothesis" not in sys.modules
""",
    )
    plugin = ["-p", "rulesrun.pytest_plugin"]
    shown = pytester.runpytest_subprocess(
        "-p", "no:rulesrun", "-p", "no:hypothesispytest", "-p", "no:xdist", "-p", "no:cacheprovider", *plugin
    )
    shown.assert_outcomes(passed=1)


def test_it_can_be_left_out(write: Write, pytester: pytest.Pytester) -> None:
    write("duel.cardgame", DUEL)
    assert pytester.runpytest("-p", "no:rulesrun", "-p", "no:cacheprovider").ret is pytest.ExitCode.NO_TESTS_COLLECTED
