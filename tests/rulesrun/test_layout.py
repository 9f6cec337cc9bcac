"""Lines that fit a width."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from rulesrun.repl.layout import broken, flow, grid, wrap

WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "S"]), min_size=1, max_size=30)


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_pieces_stay_whole_where_they_can() -> None:
    assert plain(flow(["alpha", "beta", "gamma"], 12)) == ["alpha  beta", "gamma"]
    assert plain(flow(["one", "two"], 80, between=" › ")) == ["one › two"]


def test_a_sign_between_pieces_stays_at_the_end_of_the_line() -> None:
    assert plain(flow(["aaaa", "bbbb", "cccc"], 14, between=" › ")) == ["aaaa › bbbb ›", "cccc"]


def test_words_too_long_are_cut() -> None:
    assert plain(broken(Text("abcdefgh"), 3, 4)) == ["abc", "defg", "h"]
    assert plain(wrap("one two three", 7)) == ["one two", "three"]


@given(st.lists(WORDS, max_size=12), st.integers(12, 60), st.integers(0, 6), st.integers(0, 6))
def test_no_line_is_wider_than_asked(words: list[str], width: int, first: int, rest: int) -> None:
    lines = flow(words, width, first=first, rest=rest)
    for i, line in enumerate(lines):
        assert line.cell_len <= width - (first if i == 0 else rest)


@given(st.lists(WORDS, max_size=12), st.integers(12, 60))
def test_nothing_is_lost(words: list[str], width: int) -> None:
    joined = "".join("".join(line.plain.split()) for line in flow(words, width))
    assert joined == "".join("".join(word.split()) for word in words)


@given(st.lists(WORDS, min_size=1, max_size=30), st.integers(20, 100))
def test_columns_hold_every_piece_once(words: list[str], width: int) -> None:
    lines = grid([Text(word) for word in words], width)
    text = " ".join(line.plain for line in lines)
    assert all(word in text for word in words)
    if max(Text(word).cell_len for word in words) <= width:
        assert max(line.cell_len for line in lines) <= width
