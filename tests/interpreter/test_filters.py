"""What a filter asks that does not depend on the element moves in front of the loop; so do the cases of a define that it compares with."""

from __future__ import annotations

import pytest

from interpreter.compile.filters import FALSE, TRUE, decided, unswitched
from interpreter.program import Node, Program
from tests.interpreter.games import rules_of

PLAYER, ELEMENT = 0, 1
"""numbers of the locals"""
FIRST: Node = ("eq", 0, ("local", 0, PLAYER), ("const", 0, 0))
ON_ELEMENT: Node = ("eq", 0, ("local", 0, ELEMENT), ("const", 0, 0))


def cases(test: Node) -> Node:
    return ("choice", 0, test, ("const", 0, 5), ("const", 0, 7))


def compared(with_: Node, op: str = "eq") -> Node:
    return (op, 0, ("local", 0, ELEMENT), with_)


def is_(number: int, op: str = "eq") -> Node:
    return compared(("const", 0, number), op)


@pytest.fixture(scope="module")
def program() -> Program:
    return rules_of("tic_tac_toe").program(2)


@pytest.mark.parametrize("op", ["eq", "ne", "lt"])
def test_cases_that_a_filter_compares_with(program: Program, op: str) -> None:
    assert unswitched(program, compared(cases(FIRST), op), {ELEMENT}) == (FIRST, is_(5, op), is_(7, op))


def test_cases_on_the_left(program: Program) -> None:
    filter_: Node = ("eq", 0, cases(FIRST), ("local", 0, ELEMENT))
    assert unswitched(program, filter_, {ELEMENT}) == (
        FIRST,
        ("eq", 0, ("const", 0, 5), ("local", 0, ELEMENT)),
        ("eq", 0, ("const", 0, 7), ("local", 0, ELEMENT)),
    )


def test_the_same_cases_twice_are_asked_once(program: Program) -> None:
    filter_: Node = ("and", 0, compared(cases(FIRST), "gt"), compared(cases(FIRST), "ne"))
    assert unswitched(program, filter_, {ELEMENT}) == (
        FIRST,
        ("and", 0, is_(5, "gt"), is_(5, "ne")),
        ("and", 0, is_(7, "gt"), is_(7, "ne")),
    )


def test_cases_that_depend_on_the_element_stay(program: Program) -> None:
    assert unswitched(program, compared(cases(ON_ELEMENT)), {ELEMENT}) is None
    assert unswitched(program, ("or", 0, compared(cases(ON_ELEMENT)), is_(3)), {ELEMENT}) is None


def test_what_may_fault_is_not_asked_after_what_stood_behind_it(program: Program) -> None:
    faulty = compared(("div", 0, ("const", 0, 6), ("local", 0, ELEMENT)))
    assert unswitched(program, ("and", 0, faulty, compared(cases(FIRST))), {ELEMENT}) is None


def test_a_question_by_itself(program: Program) -> None:
    assert unswitched(program, ("and", 0, FIRST, is_(3)), {ELEMENT}) == (FIRST, is_(3), FALSE)
    assert unswitched(program, ("or", 0, FIRST, is_(3)), {ELEMENT}) == (FIRST, TRUE, is_(3))


def test_nested_cases_that_are_decided() -> None:
    assert decided(("add", 0, cases(FIRST), cases(ON_ELEMENT)), FIRST, True) == ("add", 0, ("const", 0, 5), cases(ON_ELEMENT))
    assert decided(cases(FIRST), FIRST, False) == ("const", 0, 7)
