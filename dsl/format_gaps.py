"""How many blanks stand between two pieces of a line: none or one. What is lined up is `dsl/format_columns.py`.

Where a bracket begins a value, `(a + b)` or `[a, b]`, it stands apart from the word before it; where it follows a name, as in
`f(a)` or `hand[p]`, it does not. Which it is, and which `-` is a sign, is known from where the nodes of the tree begin.
"""

from __future__ import annotations

from collections.abc import Set

from dsl.format_lines import Line, Piece

TIGHT = frozenset((".", ".."))
TIGHT_BEFORE = frozenset((",", ":", ")", "]", "?"))
TIGHT_AFTER = frozenset(("(", "["))


def set_gaps(lines: list[Line], starts: Set[int]) -> None:
    """Decide the gaps inside all lines; `starts` are the offsets at which nodes of the tree begin."""
    for line in lines:
        before: Piece | None = None
        for piece in line.pieces:
            piece.gap = 0 if before is None else _gap(before, piece, starts)
            before = piece


def _gap(before: Piece, piece: Piece, starts: Set[int]) -> int:
    if before.text in TIGHT_AFTER or before.text in TIGHT or _is_sign(before, starts):
        return 0
    if piece.text in TIGHT_BEFORE or piece.text in TIGHT:
        return 0
    if piece.text in TIGHT_AFTER and piece.start not in starts:
        return 0
    return 1


def _is_sign(piece: Piece, starts: Set[int]) -> bool:
    """Whether this is the `-` of a number, not a subtraction."""
    return piece.text == "-" and piece.start in starts
