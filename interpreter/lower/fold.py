"""Nodes made simpler where a part of them is known when the program is made: an option, a number of players, a constant.

A file's `where queen_breaks`, or `when seats.size is 3`, so costs nothing in play. Only what cannot fault is dropped unasked.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.program import Node
from interpreter.state import LARGEST, SMALLEST

COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}


def fold(node: Node) -> Node:
    """The same value, said more simply. The parts have been folded before."""
    op = node[0]
    if op in ("and", "or"):
        return _joined(node)
    if op == "not":
        return _negated(node)
    if op == "choice":
        condition = node[2]
        return _chosen(node) if condition[0] != "const" else node[3] if condition[2] else node[4]
    if op in COMPARED or op in COMPUTED:
        return _computed(node)
    if op == "length" and node[2][0] == "const":
        return ("const", node[1], len(node[2][2]))
    if op in ("first", "last") and node[2][0] == "const" and node[2][2]:
        return ("const", node[1], node[2][2][0 if op == "first" else -1])
    if op == "order" and node[2][0] == "const":
        return ("const", node[1], node[2][2] + 1)
    if op == "in_list" and node[2][0] == "const" and node[3][0] == "const":
        return ("const", node[1], node[2][2] in node[3][2])
    return node


def _joined(node: Node) -> Node:
    """`and`, `or`: a side that is known decides, or does not matter."""
    op, _, left, right = node
    deciding = op == "or"
    if left[0] == "const":
        return left if left[2] is deciding else right  # type: ignore[no-any-return]
    if right[0] == "const" and right[2] is not deciding:
        return left  # type: ignore[no-any-return]
    return node


def _negated(node: Node) -> Node:
    inner = node[2]
    if inner[0] == "const":
        return ("const", node[1], not inner[2])
    if inner[0] == "eq":
        return ("ne", *inner[1:])
    if inner[0] == "ne":
        return ("eq", *inner[1:])
    return inner[2] if inner[0] == "not" else node


def _chosen(node: Node) -> Node:
    """Cases that only say yes and no are the condition itself, or `and` and `or`."""
    _, place, condition, value, otherwise = node
    if value[0] == "const" and isinstance(value[2], bool):
        return fold(("or", place, condition, otherwise) if value[2] else ("and", place, _not(condition), otherwise))
    if otherwise[0] == "const" and isinstance(otherwise[2], bool):
        return fold(("or", place, _not(condition), value) if otherwise[2] else ("and", place, condition, value))
    return node


def _not(node: Node) -> Node:
    return fold(("not", node[1], node))


def _computed(node: Node) -> Node:
    op, place, left, right = node
    if left[0] != "const" or right[0] != "const":
        return _together(node)
    a, b = left[2], right[2]
    if op in ("eq", "ne"):
        return ("const", place, COMPARED[op](a, b))
    if not isinstance(a, int) or not isinstance(b, int):
        return node
    if op in COMPARED:
        return ("const", place, COMPARED[op](a, b))
    if op in ("div", "mod") and b == 0:
        return node  # a fault in play
    value = COMPUTED[op](a, b)
    return ("const", place, value) if SMALLEST <= value <= LARGEST else node


def _together(node: Node) -> Node:
    """`x + 1 + 1` is `x + 2`: a sum that leaves 64 bits does so either way."""
    op, place, left, right = node
    if op != "add" or right[0] != "const" or right[2] < 0:
        return node
    if left[0] == "order":
        return ("add", place, left[2], ("const", place, right[2] + 1)) if right[2] < LARGEST else node
    if left[0] == "add" and left[3][0] == "const" and 0 <= left[3][2] <= LARGEST - right[2]:
        return ("add", place, left[2], ("const", place, left[3][2] + right[2]))
    return node
