"""What depends on nothing but the design of one card, as a table by design: `points(c)` costs one look, however many cases it has."""

from __future__ import annotations

from typing import Any

from interpreter.lower.fold import COMPARED, COMPUTED
from interpreter.program import Node, Program
from interpreter.state import LARGEST, SMALLEST


class NotATable(Exception):
    """It depends on more than a design, or cannot be computed for every one."""


def by_design(program: Program, node: Node) -> tuple[Node, tuple[object, ...]] | None:
    """The card, and the value of the expression for each design (None for designs the card cannot have).

    None if it is no such expression, or so short that a table is not quicker."""
    if node[0] in ("const", "local", "var", "attr") or (node[0] == "in_designs" and len(node[3]) == 1):
        return None
    try:
        card = _card(node)
        if card is None:
            return None
        kinds = {program.table_types[table] for table in _tables(node)}
        values = tuple(
            _value(program, node, number) if kinds <= {design.card_type} else None for number, design in enumerate(program.designs)
        )
    except NotATable:
        return None
    return card, values


def _card(node: Node) -> Node | None:
    """The one card the expression is about, None if it is about none."""
    op = node[0]
    if op == "const":
        return None
    if op in ("attr", "in_designs"):
        card: Node = node[2]
        if card[0] == "local" or (card[0] == "var" and not card[3]):
            return (card[0], 0, *card[2:])
        raise NotATable
    if op not in COMPARED and op not in COMPUTED and op not in ("and", "or", "not", "choice", "neg", "order", "in_list"):
        raise NotATable
    found = {_card(part) for part in node[2:]} - {None}
    if len(found) > 1:
        raise NotATable
    return found.pop() if found else None


def _tables(node: object) -> set[int]:
    """The tables of attributes it looks into."""
    if not isinstance(node, tuple):
        return set()
    if node and node[0] == "attr":
        return {node[3]}
    return {table for part in node for table in _tables(part)}


def _value(program: Program, node: Node, design: int) -> Any:
    op = node[0]
    if op == "const":
        return node[2]
    if op == "attr":
        return program.tables[node[3]][design]
    if op == "in_designs":
        return design in node[3]
    if op == "choice":
        return _value(program, node[3] if _value(program, node[2], design) else node[4], design)
    if op in ("and", "or"):
        left = _value(program, node[2], design)
        return left if left is (op == "or") else _value(program, node[3], design)
    parts = [_value(program, part, design) for part in node[2:]]
    if op == "not":
        return not parts[0]
    if op == "eq":
        return parts[0] == parts[1]
    if op == "ne":
        return parts[0] != parts[1]
    if op == "in_list":
        return parts[0] in parts[1]
    if not all(isinstance(part, int) for part in parts) or (op in ("div", "mod") and parts[1] == 0):
        raise NotATable
    if op in COMPARED:
        return COMPARED[op](parts[0], parts[1])
    value = -parts[0] if op == "neg" else parts[0] + 1 if op == "order" else COMPUTED[op](parts[0], parts[1])
    if not SMALLEST <= value <= LARGEST:
        raise NotATable
    return value
