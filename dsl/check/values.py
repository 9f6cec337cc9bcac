"""What stands after `=`: `let` lines, then one value or cases."""

from __future__ import annotations

from dsl import ast, model
from dsl.check.assignments import bound_value
from dsl.check.elaborate import Want, check, facts, is_unknown, join_all, unknown
from dsl.check.scope import Scope
from dsl.types import FLAG, NONE, Type


def value(node: ast.Value, scope: Scope, want: Want | None, what: str) -> model.Expr:
    """The whole value; `what` names whose it is, for messages. Without `want`, its type is whatever its cases have."""
    lets: list[tuple[model.Local, model.Expr]] = []
    inner = scope.inner()
    for written in node.lets:
        bound = bound_value(written.value, inner, None, written.name.span)
        lets.append((inner.declare(written.name, bound.type), bound))
    result = _cases(node, inner, want, what)
    for local, bound in reversed(lets):
        result = model.LetIn(type=result.type, span=node.span, local=local, value=bound, body=result)
    return result


def _cases(node: ast.Value, scope: Scope, want: Want | None, what: str) -> model.Expr:
    if not _well_formed(node, scope, what):
        return unknown(node.span)
    conditions: list[model.Expr] = []
    places: list[tuple[ast.Expr, Scope]] = []
    so_far = scope.inner()
    for case in node.cases:
        if case.condition is None:
            places.append((case.value, so_far.inner()))
            break
        condition = check(case.condition, so_far, Want(FLAG, "`when` wants a condition"))
        yes, no = facts(condition)
        places.append((case.value, so_far.inner(yes)))
        conditions.append(condition)
        so_far = so_far.inner(no)
    if want is not None and not is_unknown(want.type):
        values = [check(written, inside, want) for written, inside in places]
        type_: Type = want.type
    elif len(places) == 1:
        type_, values = join_all(places, None, scope.cx, "values")
    else:
        type_, values = join_all(places, None, scope.cx, "cases")
    if type_ == NONE:
        scope.cx.report.error(
            "CG0306",
            f"what {what} is cannot be told",
            node.span,
            "`none` of what?",
            hint="write its type: `define f() -> player? = none`",
        )
        return unknown(node.span)
    result = values[-1]
    for condition, chosen in zip(reversed(conditions), reversed(values[:-1]), strict=True):
        result = model.Choice(type=type_, span=chosen.span, value=chosen, condition=condition, otherwise=result)
    return unknown(node.span) if is_unknown(type_) else result


def _well_formed(node: ast.Value, scope: Scope, what: str) -> bool:
    """Cases end with `otherwise`, once."""
    report = scope.cx.report
    for position, case in enumerate(node.cases):
        last = position == len(node.cases) - 1
        if case.condition is None and not last:
            report.error(
                "CG0415", "nothing after `otherwise` is ever reached", node.cases[position + 1].span, hint="put `otherwise` last"
            )
            return False
        if case.condition is not None and last:
            report.error(
                "CG0415",
                f"{what} has no value if none of these holds",
                case.span,
                "the last case",
                hint="add a last line `VALUE otherwise`",
            )
            return False
    return bool(node.cases)


def flag(node: ast.Value, scope: Scope, why: str, what: str) -> model.Expr:
    """A value that is yes or no."""
    return value(node, scope, Want(FLAG, why), what)
