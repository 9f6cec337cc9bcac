import pytest

from dsl.suggest import closest, did_you_mean


@pytest.mark.parametrize(
    ("written", "meant"),
    [("discrad", "discard"), ("Discard", "discard"), ("hands", "hand"), ("draw_dek", "draw_deck"), ("lief", "life")],
)
def test_a_slip_of_the_pen_is_recognised(written: str, meant: str) -> None:
    names = ["discard", "draw_deck", "hand", "life", "reserves"]
    assert closest(written, names) == meant
    assert did_you_mean(written, names) == f"did you mean `{meant}`?"


@pytest.mark.parametrize("written", ["zebra", "x", "completely_different"])
def test_what_is_like_nothing_gets_no_guess(written: str) -> None:
    assert closest(written, ["discard", "draw_deck", "hand", "y"]) is None


def test_a_name_is_not_suggested_for_itself_and_nothing_from_nothing() -> None:
    assert closest("hand", ["hand"]) is None
    assert closest("hand", []) is None
