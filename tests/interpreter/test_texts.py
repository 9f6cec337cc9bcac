"""Values and mentions as people read them."""

from __future__ import annotations

import pytest

from dsl.types import TEXT, Optional, Type, ZoneType
from interpreter.texts import Mention, Parts, listed, mentioned, show_value, text, zone_name
from tests.interpreter.tables import BOARD, CARD, FLAG, NUMBER, PLAYER, SUIT, ListType, table

PROGRAM = table("AB", [("draw_deck", "hidden", "pile", False), ("row", "open", "row", True)])


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        (NUMBER, -3, ("-3",)),
        (FLAG, True, ("yes",)),
        (FLAG, False, ("no",)),
        (TEXT, "so", ("so",)),
        (PLAYER, 1, ("P2",)),
        (SUIT, 1, ("♠",)),
        (BOARD, 1, ("2",)),
        (CARD, 1, (Mention(1),)),
        (Optional(CARD), None, ("none",)),
        (Optional(CARD), 0, (Mention(0),)),
        (ZoneType(CARD), 2, ("P2's row",)),
        (ListType(SUIT), (0, 1), ("♥, ♠",)),
        (ListType(CARD), (1, 0), (Mention(1), ", ", Mention(0))),
        (ListType(NUMBER), (), ("nothing",)),
    ],
)
def test_values(type: Type, value: object, shown: Parts) -> None:
    assert show_value(PROGRAM, type, value) == shown


def test_zones_have_names() -> None:
    assert [zone_name(PROGRAM, zone) for zone in range(3)] == ["draw deck", "P1's row", "P2's row"]


def test_unseen_cards_are_masked_and_counted() -> None:
    parts = ("take ", *listed([(Mention(i),) for i in range(4)]), "!")
    names = "abcd".__getitem__
    assert mentioned(parts) == (0, 1, 2, 3)
    assert text(parts, lambda slot: True, names) == "take a, b, c, d!"
    assert text(parts, lambda slot: False, names) == "take 4 cards!"
    assert text(parts, lambda slot: slot == 1, names) == "take a card, b, 2 cards!"
    assert text(("Play ", Mention(0)), lambda slot: False, names) == "Play a card"
    assert text((Mention(0), ", ", Mention(1), ", and"), lambda slot: False, names) == "2 cards, and"
