"""Spaces of boards: their names, what one may ask of a space, and the queries over a board."""

from __future__ import annotations

from dsl import ast, model, suggest, types
from dsl.check.elaborate import Want, a, as_written, check, expr, fit, is_unknown, mismatch, unknown
from dsl.check.queries import condition, item_type, source, wrong_shape
from dsl.check.scope import Context, Scope, Symbol
from dsl.diagnostics import Label
from dsl.maps import DIAGONAL, ORTHOGONAL, place_named
from dsl.source import Span
from dsl.types import NUMBER, TEXT, ListType, Optional, Type

OF_MAP: dict[str, Type] = {"column": NUMBER, "row": NUMBER}
OF_SPACE: dict[str, Type] = {"order": NUMBER, "name": TEXT}
KEPT = (*OF_MAP, *OF_SPACE, "neighbours", "rays", *ORTHOGONAL, *DIAGONAL)
"""what every space may have, so that no attribute is called so"""


# ── names ──


def named(name: str, span: Span, scope: Scope, hint: Type | None) -> model.Expr | None:
    """The space that a name means which means nothing else: that of the board wanted, or of the one board that has it. None if
    there is none; an error if there are several."""
    wanted = hint.of if isinstance(hint, Optional) else hint
    found: list[tuple[model.Board, tuple[int, int], Symbol]] = []
    for board_name in scope.names.of("board"):
        symbol = scope.names.find(board_name, "board")
        if symbol is None or not isinstance(symbol.target, model.Board):
            continue
        place = place_named(symbol.target, name)
        if place is None:
            continue
        if symbol.target.type == wanted:
            return at_place(symbol.target, place, span, scope.cx)
        found.append((symbol.target, place, symbol))
    if not found:
        return None
    if len(found) > 1:
        names = [board.name for board, _, _ in found]
        scope.cx.report.error(
            "CG0204",
            f"`{name}` may mean several things here",
            span,
            "a space of " + " and of ".join(names),
            others=tuple(Label(symbol.span, f"the board `{symbol.name}`") for _, _, symbol in found),
            hint="say which: " + " or ".join(f"`{board}.{name}`" for board in names),
        )
        return unknown(span)
    return at_place(found[0][0], found[0][1], span, scope.cx)


def at_place(board: model.Board, place: tuple[int, int], span: Span, cx: Context) -> model.Expr:
    """The space of a column and a row; that there is one is looked at when all boards are read."""
    cx.spaces.append((board, place, span))
    column, row = (model.Literal(type=NUMBER, span=span, value=n) for n in place)
    return model.SpaceAt(type=board.type, span=span, board=board, column=column, row=row)


def of_board(node: ast.Property, board: model.Board, scope: Scope) -> model.Expr | None:
    """`Board.b3`, or None if it is a property of the list of spaces."""
    place = place_named(board, node.name.id)
    if place is not None:
        return at_place(board, place, node.span, scope.cx)
    if node.name.id in ("first", "last", "size"):
        return None
    guess = suggest.closest(node.name.id, list(board.named or ()))
    label = "" if guess is None else f"did you mean `{guess}`?"
    hint = None
    if board.named is None:
        columns, rows = board.size
        track = columns == 1 or rows == 1
        last = "" if not board.size[0] else f"`{board.name}.a1` is at the bottom left"
        hint = f"write `{board.name}[1]` for the first one" if track else last
    scope.cx.report.error(
        "CG0203",
        f"{board.name} has no space `{node.name.id}`",
        node.name.span,
        label,
        others=(Label(board.span, f"the board {board.name}"),),
        hint=hint,
    )
    return unknown(node.span)


def index(node: ast.Index, board: model.Board, indexes: list[ast.Expr], scope: Scope) -> model.Expr:
    """`Board[column][row]`"""
    column, row = (check(i, scope, Want(NUMBER, "columns and rows are numbers, from 0")) for i in indexes)
    if is_unknown(column.type) or is_unknown(row.type):
        return unknown(node.span)
    if isinstance(column, model.Literal) and isinstance(row, model.Literal):
        scope.cx.spaces.append((board, (column.value, row.value), node.span))
    return model.SpaceAt(type=board.type, span=node.span, board=board, column=column, row=row)


# ── properties ──


def properties(board: model.Board) -> dict[str, Type]:
    """What one may ask of a space, attributes apart, with the types."""
    one: Type = board.type
    found = {**OF_SPACE, "neighbours": ListType(one)}
    if board.named is None:
        found |= OF_MAP
    if board.directions:
        found |= {"rays": ListType(ListType(one)), **dict.fromkeys(board.directions, Optional(one))}
    return found


def no_property_hint(board: model.Board, wanted: str) -> str | None:
    """Why a space has not what spaces of other boards have."""
    if wanted not in KEPT:
        return None
    if board.named is not None:
        return "named spaces have no columns, rows or directions: that is for maps"
    if wanted in ORTHOGONAL:
        return (
            "hexagons have `.left`, `.right` and the four slanting directions" if board.hexagonal else "`steps orthogonal` gives it"
        )
    if wanted in DIAGONAL:
        return "`steps diagonal` gives it"
    return "`steps orthogonal`, `steps diagonal` or `steps hexagonal` gives it"


# ── queries ──


def query(name: str, node: ast.Call, scope: Scope) -> model.Expr:
    """One of `reach`, `distance`, `between`, `lines`, `groups`."""
    plain = [arg for arg in node.arguments if not isinstance(arg, ast.Range)]
    ranged = [arg for arg in node.arguments if isinstance(arg, ast.Range)]
    in_order = all(isinstance(arg, ast.Range) for arg in node.arguments[len(plain) :])
    if node.each is not None or node.by or not in_order or (node.where is not None and not ranged):
        return wrong_shape(name, node, scope)
    counts = {
        "reach": ((1, 2), (1, 2)),
        "distance": ((2,), (0, 1)),
        "between": ((2,), (0,)),
        "lines": ((0, 1), (1,)),
        "groups": ((0,), (1,)),
    }
    if len(plain) not in counts[name][0] or len(ranged) not in counts[name][1]:
        return wrong_shape(name, node, scope)
    match name:
        case "reach":
            return _reach(node, plain, ranged, scope)
        case "distance":
            return _distance(node, plain, ranged, scope)
        case "between":
            return _between(node, plain, scope)
    return _sets(name, node, plain, ranged, scope)


def _board(name: str, written: ast.Range, scope: Scope) -> model.Board | None:
    """The board a query goes over; None after an error."""
    spaces = source(written.source, scope)
    if isinstance(spaces, model.Spaces):
        return spaces.board
    if not is_unknown(spaces.type):
        hint = f"write `s in BOARD` and say which spaces count after `where`; this is {a(spaces.type)}"
        scope.cx.report.error("CG0313", f"`{name}` goes over a whole board", written.source.span, "this is no board", hint=hint)
    return None


def _fitting(written: ast.Expr, found: model.Expr, want: Type, why: str, scope: Scope) -> model.Expr | None:
    fitting = fit(scope.cx, found, want)
    if fitting is None:
        mismatch(scope, written, found, Want(want.of if isinstance(want, Optional) else want, why))
    return fitting


def _reach(node: ast.Call, plain: list[ast.Expr], ranged: list[ast.Range], scope: Scope) -> model.Expr:
    """`reach(start, n, s in B, k in 1..n where C)`, `reach(start, 1..n, s in B where C)`, `reach(start, s in B where C)`"""
    where_from = expr(plain[0], scope)
    steps = _steps(plain[1], scope) if len(plain) == 2 else None
    if len(ranged) == 2 and steps is None:
        return wrong_shape("reach", node, scope, "steps are counted only where their number is given")
    inner = scope.inner()
    board = _board("reach", ranged[0], scope)
    if board is None:
        return unknown(node.span)
    space = inner.declare(ranged[0].name, board.type)
    many = isinstance(where_from.type, ListType)
    want = ListType(board.type) if many else Optional(board.type)
    start = _fitting(plain[0], where_from, want, "the walk begins on a space of the board", scope)
    if start is None:
        return unknown(node.span)
    step = step_source = None
    if len(ranged) == 2:
        step_source = source(ranged[1].source, scope)
        if not is_unknown(step_source.type) and item_type(step_source) != NUMBER:
            scope.cx.report.error("CG0313", "the second binder counts the steps", ranged[1].source.span, "write `1..n`")
            return unknown(node.span)
        step = inner.declare(ranged[1].name, NUMBER)
    where = condition(node.where, inner)
    return model.Reach(
        type=ListType(board.type),
        span=node.span,
        board=board,
        start=start,
        steps=steps,
        space=space,
        step=step,
        step_source=step_source,
        where=where,
    )


def _steps(written: ast.Expr, scope: Scope) -> model.Expr:
    """A number of steps, or a list of numbers."""
    found = expr(written, scope)
    if is_unknown(found.type) or found.type in (NUMBER, ListType(NUMBER)):
        return found
    mismatch(scope, written, found, Want(NUMBER, "the number of steps, or the numbers: `2` or `1..3`"))
    return unknown(written.span)


def _distance(node: ast.Call, plain: list[ast.Expr], ranged: list[ast.Range], scope: Scope) -> model.Expr:
    """`distance(a, b, s in B where C)`"""
    ends = _two_spaces("distance", plain, scope)
    if ends is None:
        return unknown(node.span)
    board, start, end = ends
    space = where = None
    if ranged:
        inner = scope.inner()
        over = _board("distance", ranged[0], scope)
        if over is None:
            return unknown(node.span)
        if over is not board:
            scope.cx.report.error("CG0313", f"the walk is on {board.name}", ranged[0].source.span, f"write `{board.name}`")
            return unknown(node.span)
        space = inner.declare(ranged[0].name, board.type)
        where = condition(node.where, inner)
    return model.Distance(type=NUMBER, span=node.span, board=board, start=start, end=end, space=space, where=where)


def _between(node: ast.Call, plain: list[ast.Expr], scope: Scope) -> model.Expr:
    """`between(a, b)`"""
    ends = _two_spaces("between", plain, scope)
    if ends is None:
        return unknown(node.span)
    board, start, end = ends
    return model.Between(type=ListType(board.type), span=node.span, board=board, start=start, end=end)


def _two_spaces(name: str, plain: list[ast.Expr], scope: Scope) -> tuple[model.Board, model.Expr, model.Expr] | None:
    """Two spaces of one board; None after an error."""
    first = expr(plain[0], scope)
    of = first.type.of if isinstance(first.type, Optional) else first.type
    if not isinstance(of, types.SpaceType) or of.id not in scope.cx.boards:
        if not is_unknown(first.type):
            scope.cx.report.error(
                "CG0301",
                f"`{name}` is about two spaces, not {a(first.type)}",
                plain[0].span,
                f"`{as_written(plain[0])}` is no space",
            )
        return None
    start = _fitting(plain[0], first, of, f"`{name}` wants a space", scope)
    end = check(plain[1], scope, Want(of, f"`{name}` wants two spaces of one board"))
    if start is None or is_unknown(end.type):
        return None
    return scope.cx.boards[of.id], start, end


def _sets(name: str, node: ast.Call, plain: list[ast.Expr], ranged: list[ast.Range], scope: Scope) -> model.Expr:
    """`lines(k, s in B where C)`, `lines(s in B where C)`, `groups(s in B where C)`"""
    length = check(plain[0], scope, Want(NUMBER, "how many spaces a line has")) if plain else None
    inner = scope.inner()
    board = _board(name, ranged[0], scope)
    if board is None:
        return unknown(node.span)
    if name == "lines" and not board.directions:
        scope.cx.report.error(
            "CG0313",
            f"`{board.name}` has no lines",
            node.span,
            "its steps have no direction",
            others=(Label(board.span, "the board"),),
            hint="`steps orthogonal`, `steps diagonal`, `steps hexagonal` and `steps along` have directions",
        )
        return unknown(node.span)
    space = inner.declare(ranged[0].name, board.type)
    where = condition(node.where, inner)
    kind = ListType(ListType(board.type))
    return model.SpaceSets(type=kind, span=node.span, how=name, board=board, length=length, space=space, where=where)
