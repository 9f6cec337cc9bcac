"""How large a number may become: which operations need no check against 64 bits.

Adding the sizes of two hands never leaves 64 bits, doubling a variable might. Only where it might is the result checked.
"""

from __future__ import annotations

from interpreter.program import Node, Program
from interpreter.state import LARGEST

FULL = LARGEST + 1
"""more than this in either direction no checked number can be"""
MOST_ELEMENTS = 1 << 32
"""of any list, zone or count"""
COUNTS = {"size", "length", "card_position", "order", "distance"}


def largest(program: Program, node: Node) -> int:
    """The greatest distance from 0 this number may have, once it is checked."""
    return min(unchecked(program, node), FULL)


def unchecked(program: Program, node: Node) -> int:
    """The same before the check of its own operation."""
    op = node[0]
    if op == "const":
        return abs(node[2]) if isinstance(node[2], int) else FULL
    if op in COUNTS or (op == "query" and node[2] == "count"):
        return MOST_ELEMENTS
    if op in ("attr", "space_attr"):
        return max((abs(value) for value in program.tables[node[3]] if isinstance(value, int)), default=0)
    if op in ("add", "sub"):
        return largest(program, node[2]) + largest(program, node[3])
    if op == "mul":
        return largest(program, node[2]) * largest(program, node[3])
    if op in ("div", "neg"):
        return largest(program, node[2])
    if op == "mod":
        return largest(program, node[3])
    if op == "choice":
        return max(largest(program, node[3]), largest(program, node[4]))
    if op == "query" and node[2] in ("sum", "max", "min"):
        return largest(program, node[5]) * (MOST_ELEMENTS if node[2] == "sum" else 1)
    return FULL


def may_overflow(program: Program, node: Node) -> bool:
    """Could this operation, its operands being numbers of 64 bits, give a larger one?"""
    op = node[0]
    if op in ("add", "sub", "mul"):
        return unchecked(program, node) > LARGEST
    if op in ("div", "neg"):  # of the lowest number, by -1
        positive = op == "div" and node[3][0] == "const" and isinstance(node[3][2], int) and node[3][2] > 0
        return not positive and largest(program, node[2]) > LARGEST
    if op == "fold":
        return bool(node[2] == "sum")
    return op == "query" and node[2] == "sum" and unchecked(program, node) > LARGEST
