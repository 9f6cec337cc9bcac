"""Evaluating expressions that do not depend on play."""

from __future__ import annotations

from typing import Any

import pytest

from dsl import model
from dsl.constants import ConstantFault, NotConstant, World, display, evaluate
from dsl.source import NOWHERE
from dsl.types import FLAG, NONE, NUMBER, PLAYER, TEXT, KindType, ListType, Optional, SpaceType, Type

HERE: dict[str, Any] = {"span": NOWHERE}
SUIT = model.Kind("Suit", "g.Suit", NOWHERE, members=[("Clubs", "♣"), ("Spades", "♠")])
BOARD = model.Board(
    "B",
    "g.B",
    NOWHERE,
    spaces=[model.Space(0, 0, ".", (7,), "a2"), model.Space(2, 1, ".", (8,), "c1")],
    grid={(0, 0): 0, (2, 1): 1},
)
WORLD = World({"g.Suit": SUIT}, {"g.B": BOARD})


def lit(value: object, type_: Type | None = None) -> model.Expr:
    kinds: dict[type, Type] = {bool: FLAG, int: NUMBER, str: TEXT, type(None): NONE}
    return model.Literal(type=type_ or kinds[type(value)], value=value, **HERE)


def op(sign: str, left: object, right: object, type_: Type = NUMBER) -> model.Expr:
    one, two = (x if isinstance(x, model.Expr) else lit(x) for x in (left, right))
    return model.Binary(type=type_, op=sign, left=one, right=two, **HERE)


def numbers(low: int, high: int) -> model.Expr:
    return model.Numbers(type=ListType(NUMBER), low=lit(low), high=lit(high), **HERE)


def value(expr: model.Expr, env: dict[model.Local, object] | None = None) -> object:
    return evaluate(expr, env or {}, WORLD)


@pytest.mark.parametrize(
    ("sign", "left", "right", "result"),
    [
        ("+", 2, 3, 5),
        ("-", 2, 3, -1),
        ("*", 2, 3, 6),
        ("/", 7, 2, 3),
        ("/", -7, 2, -4),
        ("mod", -7, 2, 1),
        ("<", 2, 3, True),
        (">=", 2, 3, False),
        ("and", True, False, False),
        ("or", False, True, True),
    ],
)
def test_signs(sign: str, left: object, right: object, result: object) -> None:
    assert value(op(sign, left, right)) == result


def test_and_and_or_stop_early() -> None:
    assert value(op("and", False, op("<", op("/", 1, 0), 1))) is False
    assert value(op("or", True, op("<", op("/", 1, 0), 1))) is True


@pytest.mark.parametrize(
    "expr",
    [op("/", 1, 0), op("mod", 1, 0), op("+", 2**63 - 1, 1), op("*", 2**40, 2**40), numbers(1, 10**12)],
)
def test_faults(expr: model.Expr) -> None:
    with pytest.raises(ConstantFault):
        value(expr)


def test_work_is_bounded() -> None:
    locals_ = [model.Local(f"x{n}", NUMBER, NOWHERE) for n in range(8)]
    binders = model.Binders(bindings=tuple(model.Binding(local=x, source=numbers(1, 100)) for x in locals_), where=None)
    with pytest.raises(ConstantFault):
        value(model.Query(type=NUMBER, how="count", binders=binders, **HERE))
    deep = lit(1)
    for _ in range(5000):
        deep = model.Negate(type=NUMBER, value=deep, **HERE)
    with pytest.raises(ConstantFault):
        value(deep)


def test_recursive_defines_end_in_a_fault() -> None:
    again = model.Define("f", "g.f", NOWHERE, result=NUMBER)
    again.value = model.CallDefine(type=NUMBER, define=again, arguments=(), **HERE)
    with pytest.raises(ConstantFault):
        value(again.value)


def test_defines_take_arguments_and_are_not_constant_with_attachments() -> None:
    n = model.Local("n", NUMBER, NOWHERE)
    twice = model.Define(
        "twice", "g.twice", NOWHERE, params=[n], result=NUMBER, value=op("*", model.LocalRef(type=NUMBER, local=n, **HERE), 2)
    )
    call = model.CallDefine(type=NUMBER, define=twice, arguments=(lit(4),), **HERE)
    assert value(call) == 8
    with pytest.raises(NotConstant):
        evaluate(call, {}, World(attached=frozenset({"g.twice"})))


@pytest.mark.parametrize(
    ("how", "result"),
    [("count", 2), ("any", True), ("list", (9, 16)), ("sum", 25), ("max", 16), ("min", 9), ("lowest", (3,)), ("highest", (4,))],
)
def test_queries(how: str, result: object) -> None:
    x = model.Local("x", NUMBER, NOWHERE)
    ref = model.LocalRef(type=NUMBER, local=x, **HERE)
    binders = model.Binders(bindings=(model.Binding(local=x, source=numbers(1, 4)),), where=op(">", ref, 2))
    mapped = op("*", ref, ref) if how in ("list", "sum", "max", "min") else None
    keys = (ref,) if how in ("lowest", "highest") else ()
    assert value(model.Query(type=NUMBER, how=how, binders=binders, value=mapped, keys=keys, **HERE)) == result


def test_later_sources_use_earlier_names() -> None:
    x, y = model.Local("x", NUMBER, NOWHERE), model.Local("y", NUMBER, NOWHERE)
    inner = model.Numbers(type=ListType(NUMBER), low=lit(1), high=model.LocalRef(type=NUMBER, local=x, **HERE), **HERE)
    binders = model.Binders(
        bindings=(model.Binding(local=x, source=numbers(1, 3)), model.Binding(local=y, source=inner)), where=None
    )
    assert value(model.Query(type=NUMBER, how="count", binders=binders, **HERE)) == 6


def test_kinds_boards_lists() -> None:
    suit = SUIT.type
    assert value(model.Members(type=ListType(suit), kind=SUIT, **HERE)) == (0, 1)
    assert value(model.Property(type=NUMBER, of=lit(1, suit), name="order", **HERE)) == 2
    assert value(model.Property(type=TEXT, of=lit(1, suit), name="name", **HERE)) == "♠"
    assert value(model.Widen(type=suit, value=lit(1, suit), offset=3, **HERE)) == 4
    at = model.SpaceAt(type=BOARD.type, board=BOARD, column=lit(2), row=lit(1), **HERE)
    assert value(at) == 1
    assert value(model.Attribute(type=NUMBER, of=at, column=0, **HERE)) == 8
    assert value(model.Property(type=NUMBER, of=at, name="row", **HERE)) == 1
    with pytest.raises(ConstantFault):
        value(model.SpaceAt(type=BOARD.type, board=BOARD, column=lit(1), row=lit(1), **HERE))
    items = model.Items(type=ListType(NUMBER), items=(lit(1), lit(2)), **HERE)
    back = model.Items(type=ListType(NUMBER), items=(lit(2), lit(1)), **HERE)
    assert value(model.Is(type=FLAG, left=items, right=back, how="bag", **HERE)) is True
    assert value(model.Is(type=FLAG, left=items, right=back, how="list", **HERE)) is False
    assert value(model.IsIn(type=FLAG, left=lit(2), right=items, **HERE)) is True
    assert value(op("+", items, back, ListType(NUMBER))) == (1, 2, 2, 1)
    assert value(model.Fold(type=NUMBER, how="sum", list=items, **HERE)) == 3
    empty = model.Items(type=ListType(NUMBER), items=(), **HERE)
    with pytest.raises(ConstantFault):
        value(model.Property(type=NUMBER, of=empty, name="first", **HERE))
    with pytest.raises(ConstantFault):
        value(model.Fold(type=NUMBER, how="max", list=empty, **HERE))


def test_what_depends_on_play_is_not_constant() -> None:
    zone = model.Zone("z", "g.z", NOWHERE)
    for expr in (
        model.CardsIn(type=ListType(NUMBER), zone=model.ZoneRef(type=NUMBER, zone=zone, indexes=(), **HERE), **HERE),
        model.Builtin(type=ListType(PLAYER), name="players", **HERE),
        model.LocalRef(type=NUMBER, local=model.Local("x", NUMBER, NOWHERE), **HERE),
    ):
        with pytest.raises(NotConstant):
            value(expr)


@pytest.mark.parametrize(
    ("shown", "type_", "text"),
    [
        (3, NUMBER, "3"),
        (True, FLAG, "yes"),
        ("x", TEXT, "x"),
        (0, PLAYER, "P1"),
        (1, KindType("g.Suit", "Suit"), "♠"),
        (None, Optional(KindType("g.Suit", "Suit")), "none"),
        ((0, 1), ListType(KindType("g.Suit", "Suit")), "♣, ♠"),
        (1, SpaceType("g.B", "B"), "c1"),
    ],
)
def test_values_are_shown_as_people_read_them(shown: object, type_: Type, text: str) -> None:
    assert display(shown, type_, WORLD) == text


def test_templates() -> None:
    r = model.Local("r", SUIT.type, NOWHERE)
    text = model.Template(type=TEXT, parts=("of ", model.LocalRef(type=SUIT.type, local=r, **HERE)), **HERE)
    assert value(text, {r: 0}) == "of ♣"
