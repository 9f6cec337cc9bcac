"""Binders (`name in source, … where condition`) and the queries made of them."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.elaborate import Want, a, as_list, as_written, check, expr, facts, fit, form, is_unknown, mismatch, unknown
from dsl.check.scope import Scope
from dsl.types import FLAG, NUMBER, UNKNOWN, ListType, Optional, Type

SHAPES = {
    "count": "count(x in SOURCE where CONDITION)",
    "any": "any(x in SOURCE where CONDITION)",
    "sum": "sum(VALUE for x in SOURCE)",
    "max": "max(VALUE for x in SOURCE)",
    "min": "min(VALUE for x in SOURCE)",
    "lowest": "lowest(x in SOURCE by VALUE)",
    "highest": "highest(x in SOURCE by VALUE)",
    "reach": "reach(start, steps, s in BOARD where CONDITION)",
    "distance": "distance(start, end, s in BOARD where CONDITION)",
    "between": "between(start, end)",
    "lines": "lines(number, s in BOARD where CONDITION)",
    "groups": "groups(s in BOARD where CONDITION)",
}


def source(node: ast.Expr, scope: Scope) -> model.Expr:
    """What a binder runs over, as a list."""
    found = expr(node, scope)
    listed = as_list(found)
    if listed is not None:
        return listed
    text = as_written(node)
    hint = None
    if found.type == NUMBER:
        hint = f"write `1..{text}` for the numbers from 1"
    elif isinstance(found.type, Optional):
        hint = f"test it for none, or write `[{text}]`"
    elif not isinstance(found.type, Optional):
        hint = f"`in` stands before a list, a zone, a kind, a card type or a board; for one thing write `[{text}]`"
    scope.cx.report.error(
        "CG0312", f"there is nothing to go through in {a(found.type)}", node.span, f"this is {a(found.type)}", hint=hint
    )
    return unknown(node.span)


def item_type(listed: model.Expr) -> Type:
    return listed.type.of if isinstance(listed.type, ListType) else UNKNOWN


def ranges(written: tuple[ast.Range, ...], scope: Scope) -> tuple[model.Binding, ...]:
    """Bind the names in the scope, one after another."""
    bindings = []
    for one in written:
        listed = source(one.source, scope)
        local = scope.declare(one.name, item_type(listed))
        bindings.append(model.Binding(local=local, source=listed))
    return tuple(bindings)


def binders(node: ast.Binders, scope: Scope) -> model.Binders:
    """Bind the names in the scope given (an inner one), and let it know what the condition says."""
    bindings = ranges(node.ranges, scope)
    where = condition(node.where, scope)
    return model.Binders(bindings=bindings, where=where)


def condition(node: ast.Expr | None, scope: Scope, word: str = "where") -> model.Expr | None:
    """A condition after `where` or `when`; what it says holds in the scope from here on."""
    if node is None:
        return None
    found = check(node, scope, Want(FLAG, f"`{word}` wants a condition"))
    scope.facts |= facts(found)[0]
    return found


@form(ast.Comprehension)
def comprehension(node: ast.Comprehension, scope: Scope, hint: Type | None) -> model.Expr:
    inner = scope.inner()
    bound = binders(node.binders, inner)
    wanted = hint.of if isinstance(hint, Optional) else hint
    item_hint = wanted.of if isinstance(wanted, ListType | types.ZoneType) else None
    value = expr(node.value, inner, item_hint)
    if isinstance(value.type, types.ZoneType):
        value = as_list(value) or value
    if item_hint is not None:
        value = fit(scope.cx, value, item_hint) or value
    if value.type == types.NONE:
        scope.cx.report.error("CG0306", "what this list holds cannot be told", node.value.span, "this is only ever `none`")
        return unknown(node.span)
    if is_unknown(value.type):
        return unknown(node.span)
    return model.Query(type=ListType(value.type), span=node.span, how="list", binders=bound, value=value)


def query(name: str, node: ast.Call, scope: Scope, hint: Type | None) -> model.Expr:
    """One of `count`, `any`, `sum`, `max`, `min`, `lowest`, `highest`."""
    if name in ("sum", "max", "min"):
        return _fold(name, node, scope, hint)
    ranged = tuple(arg for arg in node.arguments if isinstance(arg, ast.Range))
    if node.each is not None or len(ranged) != len(node.arguments) or not ranged:
        advice = None
        if len(node.arguments) == 1 and not ranged and node.each is None:
            text = as_written(node.arguments[0])
            advice = f"write `{text}.size`" if name == "count" else f"write `{text} is not empty`" if name == "any" else None
        return wrong_shape(name, node, scope, advice)
    inner = scope.inner()
    bindings = ranges(ranged, inner)
    where = condition(node.where, inner)
    bound = model.Binders(bindings=bindings, where=where)
    if name in ("count", "any"):
        if node.by:
            scope.cx.report.error("CG0313", f"`by` has no meaning in `{name}`", node.by[0].span, f"write `{SHAPES[name]}`")
            return unknown(node.span)
        return model.Query(type=NUMBER if name == "count" else FLAG, span=node.span, how=name, binders=bound)
    if len(ranged) != 1:
        scope.cx.report.error(
            "CG0313", f"`{name}` looks for one thing", ranged[1].span, "a second binder", hint=f"write `{SHAPES[name]}`"
        )
        return unknown(node.span)
    if not node.by:
        scope.cx.report.error(
            "CG0313",
            f"`{name}` must know by what",
            node.span,
            hint=f"write `{SHAPES[name]}`; for the {name} number itself there is `{'max' if name == 'highest' else 'min'}(VALUE for x in …)`",
        )
        return unknown(node.span)
    keys = tuple(_key(key, inner) for key in node.by)
    if is_unknown(bindings[0].local.type):
        return unknown(node.span)
    return model.Query(type=ListType(bindings[0].local.type), span=node.span, how=name, binders=bound, keys=keys)


def _key(node: ast.Expr, scope: Scope) -> model.Expr:
    """What is compared: a number or a member of a kind."""
    found = expr(node, scope)
    if isinstance(found.type, types.KindType) or found.type == NUMBER or is_unknown(found.type):
        return found
    inner = found.type.of if isinstance(found.type, Optional) else found.type
    if isinstance(found.type, Optional) and (inner == NUMBER or isinstance(inner, types.KindType)):
        mismatch(scope, node, found, Want(inner))
    else:
        scope.cx.report.error(
            "CG0305", f"only numbers and members of a kind are ordered, not {a(found.type)}", node.span, f"this is {a(found.type)}"
        )
    return unknown(node.span)


def wrong_shape(name: str, node: ast.Call, scope: Scope, advice: str | None = None) -> model.Expr:
    """Say how a query is written."""
    shape = f"write `{SHAPES[name]}`"
    label, hint = (shape, None) if advice is None else (advice, f"its form: `{SHAPES[name]}`")
    scope.cx.report.error("CG0313", f"`{name}` is written another way", node.span, label, hint=hint)
    return unknown(node.span)


def _fold(name: str, node: ast.Call, scope: Scope, hint: Type | None) -> model.Expr:
    """`sum(e for …)` and its like, and of a list as it is."""
    if node.each is not None:
        inner = scope.inner()
        bound = binders(node.each, inner)
        written = node.arguments[0]
        if isinstance(written, ast.Range):
            return wrong_shape(name, node, scope)
        value = _key(written, inner) if name != "sum" else check(written, inner, Want(NUMBER, "`sum` adds numbers"))
        if is_unknown(value.type):
            return unknown(node.span)
        return model.Query(type=value.type, span=node.span, how=name, binders=bound, value=value)
    if len(node.arguments) != 1 or isinstance(node.arguments[0], ast.Range) or node.where is not None or node.by:
        advice = None
        plain = [arg for arg in node.arguments if not isinstance(arg, ast.Range)]
        if len(plain) == len(node.arguments) > 1:
            advice = f"of several values: `{name}([{', '.join(as_written(p) for p in plain)}])`"
        elif node.arguments and isinstance(node.arguments[0], ast.Range) and name != "sum":
            advice = f"for the thing that has the {'most' if name == 'max' else 'least'}: `{'highest' if name == 'max' else 'lowest'}(x in … by …)`"
        return wrong_shape(name, node, scope, advice)
    written = node.arguments[0]
    found = expr(written, scope)
    listed = as_list(found)
    if listed is None:
        return wrong_shape(name, node, scope)
    if is_unknown(listed.type):
        return unknown(node.span)
    item = item_type(listed)
    if item != NUMBER and (name == "sum" or not isinstance(item, types.KindType)):
        text = as_written(written)
        scope.cx.report.error(
            "CG0301",
            f"`{name}` wants a list of numbers, not {a(listed.type)}",
            written.span,
            f"this is {a(listed.type)}",
            hint=f"say of what: `{name}(x.… for x in {text})`",
        )
        return unknown(node.span)
    return model.Fold(type=item, span=node.span, how=name, list=listed)
