"""Filters of queries and choices made quicker: what does not depend on the element is asked once.

`c in hand[p] where playable(p, c)` reads as a question for each card; written out, its first questions are about the trick, not
about the card. They move in front of the loop, if they cannot fault, since an empty hand would never have asked them.
"""

from __future__ import annotations

import math

from dsl.types import Optional
from interpreter.compile.bounds import may_overflow
from interpreter.program import UNSET, Node, Program

TRUE = ("const", -1, True)
FALSE = ("const", -1, False)
COMPARED = {"eq", "ne", "and", "or", "not", "choice"}
"""operations that cannot fault, whatever they are given"""
SIDES = {"eq", "ne", "lt", "le", "gt", "ge"}
"""comparisons of two values"""
READ = {
    "lt", "le", "gt", "ge", "add", "sub", "mul", "in_designs", "attr", "space_attr", "card_name", "empty_zone", "empty_list", "cards", "size", "length",
}  # fmt: skip
"""operations that fault only where they are given `none`"""


def mentions(node: object, locals_: set[int]) -> bool:
    """Does an expression use one of these locals, or one of these cells?"""
    if not isinstance(node, tuple):
        return False
    if len(node) >= 3 and node[0] in ("local", "once") and isinstance(node[2], int) and node[2] in locals_:
        return True
    return any(mentions(part, locals_) for part in node)


def safe(program: Program, node: Node) -> bool:
    """Can this be computed, where the types are right, without fear of a fault: sooner than the text says, or in vain?"""
    op = node[0]
    if op == "query":
        how, binders, condition, _, _, _ = node[2:]
        wanted = [source for _, source in binders] + ([] if condition is None else [condition])
        return how in ("any", "count") and all(safe(program, part) for part in wanted)
    if op == "var" and starts_without(program, node):
        return False
    if op in ("const", "local", "players", "seats"):
        return True
    if op in ("var", "zone", "family", "empty_family"):
        return all(sure(program, index) for index, _, _ in node[3])
    if op in COMPARED:
        return all(safe(program, part) for part in node[2:])
    return (
        op in READ
        and not may_overflow(program, node)
        and all(sure(program, part) for part in node[2:] if isinstance(part, tuple) and part and isinstance(part[0], str))
    )


def sure(program: Program, node: Node) -> bool:
    """Safe, and never `none` where the types say that it is not. (A variable that was tested may have become `none` since.)"""
    return safe(program, node) and not (node[0] == "var" and isinstance(program.variables[node[2]].type, Optional))


def starts_without(program: Program, node: Node) -> bool:
    """Has this variable no value at the start: must `setup` set it, or are these dice that were not rolled?"""
    first, indexes = node[2], node[3]
    values = program.initial[first : first + math.prod(size for _, _, size in indexes)]
    optional = isinstance(program.variables[first].type, Optional)
    return any(value is UNSET or (value is None and not optional) for value in values)


def is_true(condition: Node | None) -> bool:
    """No filter, or one that lets everything pass."""
    return condition is None or (condition[0] == "const" and condition[2] is True)


def is_false(condition: Node | None) -> bool:
    """A filter that lets nothing pass."""
    return condition is not None and condition[0] == "const" and condition[2] is False


def without_cells(node: Node) -> Node:
    """An expression as it was before its parts were kept in cells."""
    if node[0] == "once":
        return without_cells(node[3])
    return tuple(without_cells(part) if isinstance(part, tuple) and part and isinstance(part[0], str) else part for part in node)


def alike(left: object, right: object, renamed: dict[int, int]) -> bool:
    """Are two expressions the same, the locals of the left called as `renamed` says, wherever they stand?"""
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return left == right
    if len(left) != len(right):
        return False
    if left and isinstance(left[0], str) and len(left) > 1 and left[0] == right[0]:
        if left[0] == "local":
            return bool(renamed.get(left[2], left[2]) == right[2])
        return all(alike(a, b, renamed) for a, b in zip(left[2:], right[2:], strict=True))
    return all(alike(a, b, renamed) for a, b in zip(left, right, strict=True))


def asks_for_any_of(test: Node, binder: tuple[int, Node], condition: Node) -> bool:
    """Is the test whether the filter lets anything pass?"""
    if test[0] != "query" or test[2] != "any" or len(test[3]) != 1 or test[4] is None:
        return False
    number, source = test[3][0]
    return alike(source, binder[1], {}) and alike(without_cells(test[4]), without_cells(condition), {number: binder[0]})


def by_loop(
    program: Program, condition: Node | None, binders: tuple[tuple[int, Node], ...]
) -> tuple[list[Node | None], Node | None]:
    """A filter over several binders as filters of the outer loops, and what is left for the innermost.

    Questions keep their order; one that asks nothing of the inner binders is asked before these are gone through at all."""
    early: list[Node | None] = [None] * len(binders)
    if condition is None or len(binders) < 2:
        return early, condition
    questions = operands("and", condition)
    at = 0
    while questions and safe(program, questions[0]):
        last = max((i for i, (number, _) in enumerate(binders) if mentions(questions[0], {number})), default=0)
        at = max(at, last)
        if at == len(binders) - 1:
            break
        early[at] = joined(early[at], questions.pop(0))
    rest = None
    for question in questions:
        rest = joined(rest, question)
    return early, rest


def joined(left: Node | None, right: Node) -> Node:
    """Both conditions."""
    return right if left is None else ("and", right[1], left, right)


def unswitched(program: Program, condition: Node | None, bound: set[int]) -> tuple[Node, Node, Node] | None:
    """A filter with a question that does not depend on the element, as that question and the filters for yes and no.

    So `playable(p, c)` becomes one simple filter for a lead and another for a follow, and not a question asked for each card."""
    if condition is None:
        return None
    if condition[0] == "choice":
        test = without_cells(condition[2])
        return (test, condition[3], condition[4]) if _free(program, test, bound) else None
    if condition[0] not in ("and", "or"):
        return _cases_of_side(program, condition, bound)
    parts = operands(condition[0], condition)
    for number, part in enumerate(parts):
        test = without_cells(part)
        if _free(program, test, bound):
            rest = rejoined(condition[0], condition[1], parts[:number] + parts[number + 1 :])
            return (test, rest, FALSE) if condition[0] == "and" else (test, TRUE, rest)
        cut = _cases_of_side(program, part, bound)
        if cut is not None:
            test, *cases = cut
            first, other = (
                decided(rejoined(condition[0], condition[1], [*parts[:number], case, *parts[number + 1 :]]), test, holds)
                for case, holds in zip(cases, (True, False), strict=True)
            )
            return test, first, other
        if not safe(program, test):  # it would be asked later than the text says
            return None
    return None


def _cases_of_side(program: Program, condition: Node, bound: set[int]) -> tuple[Node, Node, Node] | None:
    """`man[s] is colour(p)`, where the cases of `colour` ask only for `p`: a comparison for each case."""
    if condition[0] not in SIDES:
        return None
    for at in (2, 3):
        side = condition[at]
        if side[0] == "choice" and side[3][0] == side[4][0] == "const" and _free(program, without_cells(side[2]), bound):
            first, other = ((*condition[:at], case, *condition[at + 1 :]) for case in side[3:])
            return without_cells(side[2]), first, other
    return None


def decided(node: Node, test: Node, holds: bool) -> Node:
    """An expression where it is known whether the test holds: the cases that ask it again are chosen."""
    if node[0] == "choice" and alike(without_cells(node[2]), test, {}):
        return decided(node[3 if holds else 4], test, holds)
    return tuple(
        decided(part, test, holds) if isinstance(part, tuple) and part and isinstance(part[0], str) else part for part in node
    )


def _free(program: Program, test: Node, bound: set[int]) -> bool:
    """May this be asked once, in front of the loop?"""
    return not mentions(test, bound) and safe(program, test)


def operands(op: str, node: Node) -> list[Node]:
    """The parts of a condition joined by `and`, or by `or`, in order."""
    return operands(op, node[2]) + operands(op, node[3]) if node[0] == op else [node]


def rejoined(op: str, place: int, parts: list[Node]) -> Node:
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = (op, place, part, made)
    return made


def held_by_any(binders: tuple[tuple[int, Node], ...], condition: Node) -> tuple[int, int, Node] | None:
    """`any(i in Kind where family[i] is x)` over the whole of a family of variables: its first number, its size, and x."""
    if len(binders) != 1 or condition[0] != "eq":
        return None
    number, source = binders[0]
    if source[0] != "const" or not isinstance(source[2], tuple):
        return None
    for one, other in ((condition[2], condition[3]), (condition[3], condition[2])):
        if one[0] == "var" and len(one[3]) == 1 and not mentions(other, {number}):
            index, stride, size = one[3][0]
            if index[0] == "local" and index[2] == number and stride == 1 and source[2] == tuple(range(size)):
                return one[2], size, other
    return None
