"""The formatter: every rules file of the project and a thousand badly laid out ones; and what the layout is."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from disorder import disordered

from dsl import ast
from dsl.diagnostics import Report
from dsl.format import Altered, formatted
from dsl.parse import read
from dsl.source import Source

ROOT = Path(__file__).parents[2]
FILES = sorted(p for p in ROOT.rglob("*.cardgame") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts))
SHIPPED = sorted(path for folder in ("games", "stdlib", "examples") for path in (ROOT / folder).rglob("*.cardgame"))
PROGRAMS = 1000


def tree(text: str) -> ast.File | None:
    return read(Source("test", text), Report())


def layout(text: str) -> str:
    result = formatted(Source("test", text), Report())
    assert result is not None
    return result


def comments(file: ast.File) -> list[str]:
    return [comment.text for comment in file.comments]


READABLE = [path for path in FILES if tree(path.read_text("utf-8")) is not None]


@pytest.mark.parametrize("path", READABLE, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_says_the_same_in_its_layout(path: Path) -> None:
    before = tree(path.read_text("utf-8"))
    text = layout(path.read_text("utf-8"))
    after = tree(text)
    assert before is not None and after is not None
    assert after == before
    assert comments(after) == comments(before)
    assert layout(text) == text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_shipped_is_laid_out(path: Path) -> None:
    text = path.read_text("utf-8")
    assert layout(text) == text, f"rulesrun fmt {path.relative_to(ROOT)}"


def parts(path: Path) -> tuple[str, list[str]]:
    """The first line of a file, and its declarations as texts, each with its comments."""
    text = path.read_text("utf-8")
    file = tree(text)
    assert file is not None
    starts = [item.span.start for item in file.items]
    cuts = [text.rfind("\n\n", 0, start) + 2 for start in starts]
    cuts = sorted({cut for cut in cuts if cut >= 2})
    return text.split("\n", 1)[0] + "\n", [text[a:b] for a, b in pairwise([*cuts, len(text)])]


@cache
def programs() -> list[tuple[int, str]]:
    """Small programs made of declarations of the project's files, each with the seed that makes it."""
    wholes = [whole for path in READABLE if (whole := parts(path))[1]]
    made = []
    for seed in range(PROGRAMS):
        random = Random(seed)
        header, items = random.choice(wholes)
        at = random.randrange(len(items))
        made.append((seed, header + "\n" + "".join(items[at : at + random.randint(1, 6)])))
    return made


@pytest.mark.parametrize("share", range(10))
def test_however_a_program_is_laid_out_it_stays_what_it_is(share: int) -> None:
    for seed, text in programs()[share::10]:
        original = tree(text)
        assert original is not None, seed
        messy = disordered(text, Random(seed), remarks=True)
        before = tree(messy)
        assert before == original, f"seed {seed}: the disorder itself changed the program\n{messy}"
        result = layout(messy)
        after = tree(result)
        assert after is not None and after == original, seed
        assert comments(after) == comments(before), seed
        assert layout(result) == result, seed


def test_there_is_one_layout_for_the_same_lines() -> None:
    for seed, text in programs()[:200]:
        assert layout(disordered(text, Random(seed), remarks=False)) == layout(text), seed


def test_a_file_with_errors_is_reported_and_not_laid_out() -> None:
    report = Report()
    assert formatted(Source("test", 'game "A" for 2 players\nrule x(:\n'), report) is None
    assert [d.code for d in report] == ["CG0106"]


@pytest.mark.parametrize("wrong", ['game "A" for 3 players\n', 'game "A" for 2 players\n', "nothing\n"])
def test_a_layout_that_says_something_else_is_never_handed_out(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.format.lay_out", lambda file: wrong)
    with pytest.raises(Altered):
        formatted(Source("test", 'game "A" for 2 players  # a remark\n'), Report())


# ── what the layout is ──


def becomes(before: str, after: str) -> None:
    header = 'game "A" for 2 players\n\n'
    assert layout(header + dedent(before).lstrip("\n")) == header + dedent(after).lstrip("\n")


def stays(text: str) -> None:
    becomes(text, text)


def test_blocks_are_indented_by_four() -> None:
    becomes(
        """
        rule a(p: player):
          if yes:
               b()
          otherwise:
           c()
        """,
        """
        rule a(p: player):
            if yes:
                b()
            otherwise:
                c()
        """,
    )


def test_gaps_around_signs() -> None:
    becomes(
        """
        define a( p:player , n : number )=f( p )+ hand [ p ] . size*-1 - ( n+2 )/3 when n<- 2 and not( n is 1 )otherwise [ 1 ,2 ] [ 1 ]
        rule b( ):x[ y ]:=1 .. 2
        """,
        """
        define a(p: player, n: number) = f(p) + hand[p].size * -1 - (n + 2) / 3 when n < -2 and not (n is 1) otherwise [1, 2][1]
        rule b(): x[y] := 1..2
        """,
    )


def test_tables_are_lined_up_by_column() -> None:
    becomes(
        """
        cards Beast in deck:
            name strength copies
            "Wolf" 10 -1
                played "Howl": howl()
            "{n}" n  1   for n in 1..3
            "Bear" [1,
               2] 3
        """,
        """
        cards Beast in deck:
            name      strength  copies
            "Wolf"    10        -1
                played "Howl": howl()
            "{n}"     n         1       for n in 1..3
            "Bear" [1,
                    2] 3
        """,
    )


def test_legends_and_tables_of_spaces_are_lined_up() -> None:
    becomes(
        """
        board Field(wet: flag):
            map:
                "..~"
            legend:
                mark wet
                "." no
                "~" yes
        """,
        """
        board Field(wet: flag):
            map:
                "..~"
            legend:
                mark  wet
                "."   no
                "~"   yes
        """,
    )


def test_cases_are_lined_up() -> None:
    becomes(
        """
        define a(n: number) =
            let m = n
            1 when n is 1
            m + 1   when n > 1
            0 otherwise
        """,
        """
        define a(n: number) =
            let m = n
            1        when n is 1
            m + 1    when n > 1
            0        otherwise
        """,
    )


def test_neighbours_of_one_sort_are_lined_up_at_the_colon() -> None:
    becomes(
        """
        zone deck: hidden pile of Beast
        zone discard: open pile of Beast

        ## The cards in a hand.
        zone hand[player]: private set of Beast
        option a = 1: "A"
        option bcd: number = 1 in 1..2: "B"
        scoring(p):
            "Beasts": 1
            "Many beasts" when yes: 2
        """,
        """
        zone deck:         hidden pile of Beast
        zone discard:      open pile of Beast

        ## The cards in a hand.
        zone hand[player]: private set of Beast
        option a = 1:                   "A"
        option bcd: number = 1 in 1..2: "B"
        scoring(p):
            "Beasts":               1
            "Many beasts" when yes: 2
        """,
    )


def test_an_equals_sign_is_lined_up_where_the_author_began_with_it() -> None:
    stays(
        """
        var a = 1
        var bcd = 2
        define e() = 1
        define fg() = 2
        """
    )
    becomes(
        """
        var a   = 1
        var longer = 2

        var b = 3
        """,
        """
        var a      = 1
        var longer = 2

        var b = 3
        """,
    )


def test_blank_lines_are_kept_up_to_one() -> None:
    becomes(
        """


        rule a()


        # about b


        rule b():

            c()


            d()


        """,
        """
        rule a()

        # about b

        rule b():

            c()

            d()
        """,
    )


def test_comments_stay_in_their_block_and_line_up() -> None:
    becomes(
        """
        rule a():   # first
           # before b
           b()  # short
           longer_name() # long
           # the end of a
        # about d
        ## What d is for.
        rule d()
        """,
        """
        rule a():  # first
            # before b
            b()            # short
            longer_name()  # long
            # the end of a
        # about d
        ## What d is for.
        rule d()
        """,
    )


def test_lines_inside_brackets_line_up_with_what_follows_the_bracket() -> None:
    becomes(
        """
        define a() = f(1,
          2, [3,
          4])
        define b() = f(
        1,  # one
              2
          )
        """,
        """
        define a() = f(1,
                       2, [3,
                           4])
        define b() = f(
            1,  # one
            2
        )
        """,
    )


def test_wide_signs_count_by_the_room_they_take() -> None:
    becomes(
        """
        cards Beast in deck:
            name n
            "狼" 1
            "Bear" 2
        """,
        """
        cards Beast in deck:
            name      n
            "狼"      1
            "Bear"    2
        """,
    )
