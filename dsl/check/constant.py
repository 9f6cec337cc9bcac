"""Values that must be known before play, and values written back as expressions."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast, model, types, walk
from dsl.check.scope import Context
from dsl.constants import ConstantFault, Environment, NotConstant
from dsl.source import Span
from dsl.types import Type


class Failed(Exception):
    """A constant has no value; the error is reported."""


def constant(expr: model.Expr, env: Environment, cx: Context, what: str) -> object:
    """The value; `what` names it for the error ("a card's attribute"). Raises `Failed` after reporting."""
    if expr.type == types.UNKNOWN:
        raise Failed
    try:
        return cx.evaluator.value(expr, env)
    except NotConstant as problem:
        if not any(d.span == problem.span for d in cx.report.errors):
            cx.report.error(
                "CG0414",
                f"{what} must be known before the game starts",
                problem.span,
                "this depends on the play, or something is attached to it",
            )
        raise Failed from None
    except ConstantFault as fault:
        cx.report.error("CG0414", f"{what} has no value: {fault.text}", fault.span)
        raise Failed from None


def written(value: object, type_: Type, span: Span, cx: Context) -> model.Expr:
    """A constant as an expression."""
    if isinstance(type_, types.ListType) and isinstance(value, tuple):
        return model.Items(type=type_, span=span, items=tuple(written(v, type_.of, span, cx) for v in value))
    if isinstance(type_, types.SpaceType) and isinstance(value, int) and type_.id in cx.boards:
        board = cx.boards[type_.id]
        space = board.spaces[value]
        column, row = (model.Literal(type=types.NUMBER, span=span, value=n) for n in (space.column, space.row))
        return model.SpaceAt(type=type_, span=span, board=board, column=column, row=row)
    return model.Literal(type=type_, span=span, value=value)


def options_read(*exprs: model.Expr | model.Binders | None) -> Iterator[model.Option]:
    """The options that constants depend on, also through defines."""
    seen: set[int] = set()
    waiting: list[object] = [e for e in exprs if e is not None]
    while waiting:
        for node in walk.nodes(waiting.pop()):
            if isinstance(node, model.OptionRef) and id(node.option) not in seen:
                seen.add(id(node.option))
                yield node.option
            elif isinstance(node, model.CallDefine) and id(node.define) not in seen:
                seen.add(id(node.define))
                waiting.append(node.define.value)


def other_values(option: model.Option, cx: Context) -> list[object]:
    """The values an option might have instead, if they are few enough to try."""
    if option.allowed is not None:
        found = list(option.allowed)
    elif option.type == types.FLAG:
        found = [False, True]
    elif isinstance(option.type, types.KindType) and option.type.id in cx.kinds:
        found = list(range(len(cx.kinds[option.type.id].members)))
    else:
        found = []
    return [v for v in found if v != option.value][:40]


def plain_text(node: ast.Text | None) -> str:
    """A text that may not have holes; its literal parts if it has."""
    return "" if node is None else "".join(part for part in node.parts if isinstance(part, str))
