"""Literals, lists, arithmetic, comparisons and conditional values."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.comparisons import order
from dsl.check.elaborate import (
    Want,
    a,
    as_list,
    as_written,
    check,
    expr,
    facts,
    fit,
    form,
    is_unknown,
    is_weak,
    join_all,
    mismatch,
    unknown,
)
from dsl.check.scope import Scope
from dsl.types import FLAG, NONE, NUMBER, TEXT, UNKNOWN, ListType, Optional, Type

# ── literals ──


@form(ast.Number)
def number(node: ast.Number, scope: Scope, hint: Type | None) -> model.Expr:
    return model.Literal(type=NUMBER, span=node.span, value=node.value)


@form(ast.Flag)
def flag(node: ast.Flag, scope: Scope, hint: Type | None) -> model.Expr:
    return model.Literal(type=FLAG, span=node.span, value=node.value)


@form(ast.NoneValue)
def none(node: ast.NoneValue, scope: Scope, hint: Type | None) -> model.Expr:
    return model.Literal(type=hint if isinstance(hint, Optional) else NONE, span=node.span, value=None)


@form(ast.Group)
def group(node: ast.Group, scope: Scope, hint: Type | None) -> model.Expr:
    return expr(node.value, scope, hint)


@form(ast.Text)
def text(node: ast.Text, scope: Scope, hint: Type | None) -> model.Expr:
    """A text, or the card of that name where a card is wanted."""
    wanted = hint.of if isinstance(hint, Optional) else hint
    if isinstance(wanted, types.CardType) and wanted.id in scope.cx.card_types:
        if node.plain is None:
            scope.cx.report.error("CG0208", "the name of a card cannot have holes here", node.span, f"{a(wanted)} is wanted")
            return unknown(node.span)
        card = scope.cx.card_types[wanted.id]
        scope.cx.quoted.append((card, node.plain, node.span))
        return model.CardNamed(type=wanted, span=node.span, design=node.plain, card_type=card)
    if node.plain is not None:
        return model.Literal(type=TEXT, span=node.span, value=node.plain)
    return template(node, scope)


def template(node: ast.Text, scope: Scope) -> model.Template:
    """A text as pieces and what fills its holes."""
    parts: list[str | model.Expr] = []
    for part in node.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        found = expr(part, scope)
        parts.append(as_list(found) or found)
    return model.Template(type=TEXT, span=node.span, parts=tuple(parts))


@form(ast.ListValue)
def list_value(node: ast.ListValue, scope: Scope, hint: Type | None) -> model.Expr:
    wanted = hint.of if isinstance(hint, Optional) else hint
    item_hint = wanted.of if isinstance(wanted, ListType | types.ZoneType) else None
    rest = False
    items: list[ast.Expr] = []
    for position, item in enumerate(node.items):
        if not isinstance(item, ast.Rest):
            items.append(item)
            continue
        rest = True
        if not scope.frame.in_test or position != len(node.items) - 1:
            scope.cx.report.error(
                "CG0805", "`...` stands at the end of a list in `given ZONE = […]`, for the cards that stay below", item.span
            )
            return unknown(node.span)
    if not items:
        if item_hint is not None:
            return model.Items(type=ListType(item_hint), span=node.span, items=(), rest=rest)
        if wanted is None or is_unknown(wanted):
            if wanted is None:
                scope.cx.report.error(
                    "CG0306",
                    "what this list holds cannot be told",
                    node.span,
                    "it is empty",
                    hint="say it: `var x: list of number = []`; in a define, `define f() -> list of number = []`",
                )
        else:
            scope.cx.report.error("CG0301", f"{a(wanted)} is needed here, not a list", node.span, "this is a list")
        return unknown(node.span)
    type_, values = join_all([(item, scope) for item in items], item_hint, scope.cx, "items of a list")
    if type_ == NONE:
        scope.cx.report.error("CG0306", "what this list holds cannot be told", node.span, "there is only `none` in it")
    if is_unknown(type_) or type_ == NONE:
        return unknown(node.span)
    return model.Items(type=ListType(type_), span=node.span, items=tuple(values), rest=rest)


# ── arithmetic and logic ──


@form(ast.Unary)
def unary(node: ast.Unary, scope: Scope, hint: Type | None) -> model.Expr:
    if node.op == "not":
        return model.Not(type=FLAG, span=node.span, value=check(node.operand, scope, Want(FLAG, "`not` wants yes or no")))
    value = check(node.operand, scope, Want(NUMBER, "`-` wants a number"))
    if isinstance(value, model.Literal) and isinstance(value.value, int) and not is_unknown(value.type):
        return model.Literal(type=NUMBER, span=node.span, value=-value.value)
    return model.Negate(type=NUMBER, span=node.span, value=value)


@form(ast.Binary)
def binary(node: ast.Binary, scope: Scope, hint: Type | None) -> model.Expr:
    match node.op:
        case "and" | "or":
            return _logic(node, scope)
        case "..":
            low = check(node.left, scope, Want(NUMBER, "`..` stands between numbers"))
            high = check(node.right, scope, Want(NUMBER, "`..` stands between numbers"))
            return model.Numbers(type=ListType(NUMBER), span=node.span, low=low, high=high)
        case "+":
            return _add(node, scope, hint)
        case "<" | "<=" | ">" | ">=":
            return order(node, scope)
    left = check(node.left, scope, Want(NUMBER, f"`{node.op}` wants numbers"))
    right = check(node.right, scope, Want(NUMBER, f"`{node.op}` wants numbers"))
    return model.Binary(type=NUMBER, span=node.span, op=node.op, left=left, right=right)


def _logic(node: ast.Binary, scope: Scope) -> model.Expr:
    want = Want(FLAG, f"`{node.op}` stands between conditions")
    left = check(node.left, scope, want)
    yes, no = facts(left)
    inner = scope.inner(yes if node.op == "and" else no)
    found = expr(node.right, inner, FLAG)
    right = fit(scope.cx, found, FLAG)
    if right is None:
        if isinstance(node.left, ast.Is) and not isinstance(found.type, ListType | types.ZoneType):
            subject = as_written(node.left.left)
            one, other = (as_written(n) for n in (node.left.right, node.right))
            negated = node.left.negated
            scope.cx.report.error(
                "CG0304",
                f"`{node.op}` stands between conditions, and this is {a(found.type)}",
                node.right.span,
                f"this is {a(found.type)}",
                hint=f"write `{subject} is {'not ' if negated else ''}in [{one}, {other}]`",
            )
        else:
            mismatch(scope, node.right, found, want)
        right = unknown(node.right.span)
    return model.Binary(type=FLAG, span=node.span, op=node.op, left=left, right=right)


def _add(node: ast.Binary, scope: Scope, hint: Type | None) -> model.Expr:
    """Numbers, or two lists."""
    list_hint = hint if isinstance(hint, ListType) else None
    weak_left = is_weak(node.left, scope) and not is_weak(node.right, scope)
    first, second = (node.right, node.left) if weak_left else (node.left, node.right)
    one = expr(first, scope, hint)
    if is_unknown(one.type):
        expr(second, scope, hint)
        return unknown(node.span)
    if isinstance(one.type, ListType | types.ZoneType):
        one = as_list(one) or one
        other = expr(second, scope, list_hint or one.type)
        other_list = as_list(other)
        if other_list is None:
            if other.type == NUMBER:
                mismatch(scope, first, one, Want(NUMBER, "`+` joins a list with a list only"))
            else:
                mismatch(scope, second, other, Want(one.type, "a list is joined with a list", first.span))
            return unknown(node.span)
        if is_unknown(other_list.type) or is_unknown(one.type):
            return unknown(node.span)
        for target in (one.type, other_list.type):
            fitted = fit(scope.cx, one, target), fit(scope.cx, other_list, target)
            if fitted[0] is not None and fitted[1] is not None:
                left, right = (fitted[1], fitted[0]) if weak_left else (fitted[0], fitted[1])
                return model.Binary(type=target, span=node.span, op="+", left=left, right=right)
        mismatch(scope, second, other_list, Want(one.type, "a list is joined with a list of the same", first.span))
        return unknown(node.span)
    if one.type == TEXT:
        scope.cx.report.error("CG0301", "texts are not added", node.span, hint='write them in one: `"{a} and {b}"`')
        return unknown(node.span)
    number_ = fit(scope.cx, one, NUMBER)
    if number_ is None:
        mismatch(scope, first, one, Want(NUMBER, "`+` wants numbers or lists"))
        number_ = unknown(first.span)
    other = check(second, scope, Want(NUMBER, "`+` wants numbers or lists"))
    left, right = (other, number_) if weak_left else (number_, other)
    return model.Binary(type=NUMBER, span=node.span, op="+", left=left, right=right)


@form(ast.Conditional)
def conditional(node: ast.Conditional, scope: Scope, hint: Type | None) -> model.Expr:
    condition = check(node.condition, scope, Want(FLAG, "`when` wants a condition"))
    yes, no = facts(condition)
    type_, (value, other) = join_all(
        [(node.value, scope.inner(yes)), (node.otherwise, scope.inner(no))], hint, scope.cx, "two values"
    )
    if type_ == UNKNOWN:
        return unknown(node.span)
    return model.Choice(type=type_, span=node.span, value=value, condition=condition, otherwise=other)
