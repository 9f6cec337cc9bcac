"""How findings look: in full, on one line, as data."""

from __future__ import annotations

from dsl.diagnostics import Diagnostic, Label, Severity
from dsl.render import ASCII, as_json, concise, github, render
from dsl.source import NOWHERE, Source, Span

GAME = Source(
    "games/small.cardgame",
    'game "Small" for 2 players\n\nzone discard:          open pile of Beast\n'
    + "\n" * 100
    + "rule r():\n    move hand to discrad\n",
)
MODULE = Source("stdlib/deck.cardgame", 'module "Deck"\nzone discrads: open pile of Beast\n')


def place(source: Source, text: str, end: str | None = None) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text if end is None else source.text[start : source.text.index(end) + len(end)]))


def lines(*parts: str) -> str:
    return "\n".join(parts)


def test_title_line_label_and_another_place() -> None:
    other = Label(place(GAME, "discard"), "a zone of that name holds Beasts too")
    found = Diagnostic("CG0203", "there is no zone `discrad`", place(GAME, "discrad"), "did you mean `discard`?", (other,))
    assert render(found) == lines(
        "error CG0203: there is no zone `discrad`",
        "    ┌ games/small.cardgame:105:18",
        "    │",
        "105 │     move hand to discrad",
        "    │                  ^^^^^^^ did you mean `discard`?",
        "    │",
        "  3 │ zone discard:          open pile of Beast",
        "    │      ------- a zone of that name holds Beasts too",
        "    └ rulesrun explain CG0203",
    )


def test_hints_and_places_in_other_files() -> None:
    others = (Label(place(MODULE, "discrads"), "here"), Label(place(GAME, "hand")), Label(NOWHERE, "built in"))
    found = Diagnostic("CG0901", "odd", place(GAME, "discrad"), "", others, "first line\nsecond line", Severity.WARNING)
    assert render(found) == lines(
        "warning CG0901: odd",
        "    ┌ games/small.cardgame:105:18",
        "    │",
        "105 │     move hand to discrad",
        "    │                  ^^^^^^^",
        "    │          ----",
        "    ├ stdlib/deck.cardgame:2:6",
        "    │",
        "  2 │ zone discrads: open pile of Beast",
        "    │      -------- here",
        "    │",
        "    ├ first line",
        "    ├ second line",
        "    └ rulesrun explain CG0901",
    )


def test_without_signs_for_boxes() -> None:
    source = Source("a.cardgame", "x\ty" + "z" * 200)
    shown = render(Diagnostic("CG0100", "odd", Span(source, 1, 2), "label", hint="hint"), ASCII)
    assert shown.isascii()
    line = shown.splitlines()[3]
    assert line.startswith("1 | x>   yzzz")
    assert line.endswith("zzz...")
    assert [*shown.splitlines()[:3], *shown.splitlines()[4:]] == [
        "error CG0100: odd",
        "  + a.cardgame:1:2",
        "  |",
        "  |  ^^^^ label",
        "  |",
        "  | hint",
        "  + rulesrun explain CG0100",
    ]


def under(text: str, start: int, end: int) -> tuple[str, str]:
    source = Source("a.cardgame", text)
    shown = render(Diagnostic("CG0100", "odd", Span(source, start, end))).splitlines()
    return shown[3], shown[4]


def test_wide_characters_keep_the_mark_in_place() -> None:
    assert under("你好 x", 3, 4) == ("1 │ 你好 x", "  │      ^")
    assert under("a你好b", 1, 3) == ("1 │ a你好b", "  │  ^^^^")
    assert under("e\u0301 x", 3, 4) == ("1 │ e\u0301 x", "  │   ^")


def test_an_empty_place_and_the_end_of_a_line_have_a_mark() -> None:
    assert under("abc\nd", 3, 3) == ("1 │ abc", "  │    ^")
    assert under("", 0, 0) == ("1 │", "  │ ^")
    assert under("abc\n", 4, 4) == ("2 │", "  │ ^")


def test_a_place_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert under("abc def\nghi", 4, 10) == ("1 │ abc def", "  │     ^^^")


def test_a_long_line_is_cut_around_the_mark() -> None:
    line, mark = under("a" * 300 + "HERE" + "b" * 300, 300, 304)
    assert line.startswith("1 │ …aaa")
    assert line.endswith("bbb…")
    assert len(line) <= 110
    assert line[mark.index("^") : mark.index("^") + 4] == "HERE"
    assert mark.count("^") == 4


def test_a_mark_longer_than_the_room_is_cut() -> None:
    line, mark = under("a" * 10 + "b" * 500, 10, 510)
    assert len(line) <= 110
    assert set(line[4:].strip("…")) == {"b"}
    assert len(mark) <= 110


def test_nothing_reaches_the_terminal_that_it_would_obey() -> None:
    source = Source("a\x1b[31m.cardgame", "zone \x1b[31mx\x07\u202e")
    found = Diagnostic("CG0100", "odd \x1b]0;x\x07", Span(source, 5, 6), "label\r\nmore", (), "hint \x9b")
    for shown in (render(found), render(found, ASCII), concise(found)):
        assert all(c.isprintable() or c == "\n" for c in shown)


def test_what_has_no_place_has_a_title_only() -> None:
    assert render(Diagnostic("CG0601", "nothing", NOWHERE)) == "error CG0601: nothing\n  └ rulesrun explain CG0601"


def test_on_one_line() -> None:
    assert concise(Diagnostic("CG0203", "there is\nno zone", place(GAME, "discrad"))) == (
        "games/small.cardgame:105:18: error CG0203: there is no zone"
    )


def test_as_data() -> None:
    found = Diagnostic(
        "CG0203", "no zone", place(GAME, "rule r", "discrad"), "label", (Label(place(MODULE, "module"), ""),), "hint"
    )
    assert as_json(found) == {
        "code": "CG0203",
        "severity": "error",
        "message": "no zone",
        "label": "label",
        "hint": "hint",
        "filename": "games/small.cardgame",
        "location": {"row": 104, "column": 1},
        "end_location": {"row": 105, "column": 25},
        "url": "docs/errors/CG0203.md",
        "fix": None,
        "related": [
            {
                "label": None,
                "filename": "stdlib/deck.cardgame",
                "location": {"row": 1, "column": 1},
                "end_location": {"row": 1, "column": 7},
            }
        ],
    }


def test_a_fix_is_an_edit() -> None:
    found = Diagnostic("CG0203", "no zone", place(GAME, "discrad"), "did you mean `discard`?")
    assert as_json(found)["fix"] == {
        "text": "discard",
        "filename": "games/small.cardgame",
        "location": {"row": 105, "column": 18},
        "end_location": {"row": 105, "column": 25},
    }


def test_for_github_a_finding_is_a_workflow_command() -> None:
    span = place(GAME, "discrad")
    found = Diagnostic("CG0203", "there is no 100%\nzone", span, "here: there", hint="did you mean, perhaps, `discard`?")
    assert github(found) == (
        f"::error file=games/small.cardgame,line={span.line},endLine={span.line},col={span.column},endColumn={span.column + 7},"
        "title=CG0203%3A there is no 100%25%0Azone::there is no 100%25%0Azone%0Ahere: there%0Adid you mean, perhaps, `discard`?"
    )
    lines = Diagnostic("CG0901", "two lines", Span(GAME, 0, len(GAME.text)), severity=Severity.WARNING)
    assert github(lines).startswith("::warning file=games/small.cardgame,line=1,endLine=")
    assert ",col=" not in github(lines)
