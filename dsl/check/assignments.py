"""Names for values (`let`, `var`) and assignment."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from dsl import ast, model, types
from dsl.check.blocks import Done, forget, handles
from dsl.check.calls import arguments, proceed_arguments
from dsl.check.elaborate import (
    Want,
    a,
    as_list,
    as_written,
    check,
    expr,
    fit,
    is_unknown,
    mismatch,
    path,
    ungrouped,
    unknown,
)
from dsl.check.scope import Scope
from dsl.check.type_names import written_type
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import NONE, NUMBER, UNKNOWN, ListType, Optional, Type


def rule_called(node: ast.Expr, scope: Scope) -> model.Rule | ast.Proceed | None:
    """The rule that the whole right side of `let`, `var` or `:=` calls, or its `proceed`."""
    node = ungrouped(node)
    function = node.function if isinstance(node, ast.Call) else node
    if isinstance(function, ast.Proceed):
        return function if isinstance(scope.frame.proceeds, model.Rule | model.BuiltinEvent) else None
    if isinstance(node, ast.Call) and isinstance(function, ast.Name) and scope.local(function.id) is None:
        symbol = scope.names.find(function.id, "rule")
        if symbol is not None and isinstance(symbol.target, model.Rule):
            return symbol.target
    return None


Into = Callable[[Type], "model.Local | model.VarRef | None"]


def _call_into(node: ast.Expr, called: model.Rule | ast.Proceed, scope: Scope, into: Into) -> tuple[model.Statement, ...]:
    """A rule called for its result."""
    node = ungrouped(node)
    target = scope.frame.proceeds if isinstance(called, ast.Proceed) else called
    result = target.result if isinstance(target, model.Rule) else None
    if result is None:
        name = target.name if target is not None else "proceed"
        others = (Label(target.span, "it has no `->`"),) if isinstance(target, model.Rule) else ()
        scope.cx.report.error(
            "CG0309",
            f"`{name}` has no result",
            node.span,
            "there is no value to keep",
            others=others,
            hint="call it on a line of its own, or give it a result: `rule r(…) -> number:` with `return`",
        )
        into(UNKNOWN)
        return ()
    if isinstance(called, ast.Proceed):
        assert isinstance(target, model.Rule) and isinstance(node, ast.Call | ast.Proceed)
        values = proceed_arguments(node, target.params, target, scope)
        return (model.ProceedStatement(span=node.span, arguments=values, into=into(result)),)
    assert isinstance(node, ast.Call)
    given = arguments(node, called.params, called, scope)
    place = into(result)
    return () if given is None else (model.CallRule(span=node.span, rule=called, arguments=given, into=place),)


@handles(ast.Let)
def let(node: ast.Let, scope: Scope) -> Done:
    return _declare(node, None, scope, False)


@handles(ast.LocalVar)
def local_var(node: ast.LocalVar, scope: Scope) -> Done:
    return _declare(node, node.type, scope, True)


def _declare(node: ast.Let | ast.LocalVar, written: ast.Type | None, scope: Scope, mutable: bool) -> Done:
    wanted = written_type(written, scope) if written is not None else None

    def into(type_: Type) -> model.Local:
        local = scope.declare(node.name, wanted or type_, mutable=mutable)
        if wanted is not None and not is_unknown(type_):
            holder = model.LocalRef(type=type_, span=node.value.span, local=local)
            if type_ != wanted and wanted != Optional(type_):
                mismatch(scope, node.value, holder, Want(wanted, f"`{local.name}` is {a(wanted)}", node.name.span))
        return local

    called = rule_called(node.value, scope)
    if called is not None:
        return Done(_call_into(node.value, called, scope, into))
    value = bound_value(node.value, scope, wanted, node.name.span)
    local = scope.declare(node.name, wanted or value.type, mutable=mutable)
    if is_unknown(value.type):
        local.type = wanted or UNKNOWN
    _now_known(scope, model.LocalRef(type=local.type, span=node.name.span, local=local), value)
    return Done((model.SetLocal(span=node.span, local=local, value=value),))


def bound_value(node: ast.Expr, scope: Scope, wanted: Type | None, name: Span) -> model.Expr:
    """The value of a name; its type becomes the name's if none was written."""
    if wanted is not None:
        return check(node, scope, Want(wanted, f"`{name.text}` is {a(wanted)}", name))
    value = expr(node, scope)
    if value.type == NONE:
        scope.cx.report.error(
            "CG0306",
            f"what `{name.text}` holds cannot be told",
            node.span,
            "`none` of what?",
            hint=f"write the type: `var {name.text}: player? = none`",
        )
        return unknown(node.span)
    if isinstance(value, model.Template | model.Literal) and value.type == types.TEXT:
        _doubtful_text(node, value, scope)
    if isinstance(value.type, types.ZoneType):
        return as_list(value) or value
    return value


def _doubtful_text(node: ast.Expr, value: model.Expr, scope: Scope) -> None:
    """A quoted text where nothing says whether a card is meant."""
    name = value.value if isinstance(value, model.Literal) else None
    for card in scope.cx.game.card_types:
        if any(design.name == name for design in card.designs):
            scope.cx.report.warn(
                "CG0904",
                "this is a text, not the card of that name",
                node.span,
                f"a card ({card.name}) has this name",
                hint='where a card is wanted, write its name there; or find it: `[c for c in … where c is "…"].first`',
            )
            return


def _now_known(scope: Scope, place: model.Expr, value: model.Expr) -> None:
    """After an assignment: a place that may be none holds something if the value is something."""
    where = path(place)
    if where is not None and isinstance(place.type, Optional) and not is_unknown(value.type):
        given = value.value if isinstance(value, model.Widen) else value
        if not isinstance(value.type, Optional) or (path(given) in scope.facts):
            scope.facts |= {where}


# ── assignment ──


@handles(ast.Assign)
def assign(node: ast.Assign, scope: Scope) -> Done:
    target = ungrouped(node.target)
    if isinstance(target, ast.Name):
        local = scope.local(target.id)
        if local is not None:
            if not local.mutable:
                return _not_assignable(
                    target,
                    f"`{local.name}` keeps its value",
                    local.span,
                    scope,
                    f"`var x = {local.name}` makes one that changes",
                )
            return _assign(node, model.LocalRef(type=local.type, span=target.span, local=local), local.type, scope)
    base = target
    while isinstance(base, ast.Index):
        base = base.of
    if not isinstance(base, ast.Name):
        place = expr(target, scope)
        expr(node.value, scope)
        if is_unknown(place.type):
            return Done()
        advice = None
        if isinstance(base, ast.Property):
            advice = "what a card or a space is never changes; keep what does in a variable: `var v[…] = …`"
        return _not_assignable(target, "only variables can be assigned", None, scope, advice)
    symbol = scope.names.find(base.id)
    if symbol is None:
        scope.unknown(base.id, base.span, "variable", ("variable",))
        expr(node.value, scope)
        return Done()
    if not isinstance(symbol.target, model.Variable):
        advice = None
        if symbol.sort == "zone":
            advice = f"cards are moved: `move … to {base.id}`"
        elif symbol.sort == "option":
            advice = "an option is fixed when the game starts"
        elif symbol.sort == "define":
            advice = "a define is worked out, never set"
        expr(node.value, scope)
        return _not_assignable(target, f"`{base.id}` is {symbol.a_sort}, not a variable", symbol.span, scope, advice)
    place = expr(target, scope)
    if isinstance(place, model.VarFamily):
        missing = symbol.target.indexes[len(place.indexes) :]
        scope.cx.report.error(
            "CG0501",
            f"this is a whole family; one of `{base.id}` is needed",
            target.span,
            f"write `{target.span.text}{''.join(f'[{m}]' for m in missing)}`",
            others=(Label(symbol.span, "the family"),),
        )
        expr(node.value, scope)
        return Done()
    if not isinstance(place, model.VarRef):
        expr(node.value, scope)
        return Done()
    return _assign(node, place, symbol.target.type, scope)


def _not_assignable(node: ast.Expr, why: str, span: Span | None, scope: Scope, hint: str | None) -> Done:
    others = () if span is None else (Label(span, "declared here"),)
    scope.cx.report.error("CG0501", why, node.span, "this cannot be assigned", others=others, hint=hint)
    return Done()


def _assign(node: ast.Assign, place: model.LocalRef | model.VarRef, type_: Type, scope: Scope) -> Done:
    owner = place.local if isinstance(place, model.LocalRef) else place.variable
    here = Want(type_, f"`{owner.name}` is {a(type_)}", owner.span)
    called = rule_called(node.value, scope)
    if called is not None and node.op == ":=":

        def into(result: Type) -> model.Local | model.VarRef | None:
            if not is_unknown(result) and not is_unknown(type_) and result != type_ and type_ != Optional(result):
                mismatch(scope, node.value, model.Literal(type=result, span=node.value.span, value=None), here)
            return place.local if isinstance(place, model.LocalRef) else attrs.evolve(place, type=type_)

        made = _call_into(node.value, called, scope, into)
        forget(scope, owner)
        return Done(made)
    value = check(node.value, scope, here) if node.op == ":=" else _changed(node, place, type_, scope)
    forget(scope, owner)
    _now_known(scope, attrs.evolve(place, type=type_), value)
    if isinstance(place, model.LocalRef):
        return Done((model.SetLocal(span=node.span, local=place.local, value=value),))
    return Done((model.SetVar(span=node.span, variable=place.variable, indexes=place.indexes, value=value),))


def _changed(node: ast.Assign, place: model.LocalRef | model.VarRef, type_: Type, scope: Scope) -> model.Expr:
    """`x += e` spelt out."""
    sign = node.op[0]
    if is_unknown(type_):
        expr(node.value, scope)
        return unknown(node.span)
    now: model.Expr = place
    if isinstance(type_, Optional) and path(place) in scope.facts:
        now = attrs.evolve(place, type=type_.of)
    if now.type == NUMBER:
        value = check(node.value, scope, Want(NUMBER, f"`{node.op}` wants a number"))
        return model.Binary(type=NUMBER, span=node.span, op=sign, left=now, right=value)
    if isinstance(now.type, ListType) and sign == "+":
        found = expr(node.value, scope, now.type)
        listed = fit(scope.cx, found, now.type)
        if listed is None:
            text = as_written(node.value)
            single = fit(scope.cx, found, now.type.of) is not None
            if single:
                scope.cx.report.error(
                    "CG0301",
                    "a list is joined with a list",
                    node.value.span,
                    f"this is {a(found.type)}",
                    hint=f"write `+= [{text}]`",
                )
            else:
                mismatch(scope, node.value, found, Want(now.type, "a list is joined with a list of the same"))
            return unknown(node.span)
        return model.Binary(type=now.type, span=node.span, op="+", left=now, right=listed)
    hint = None
    if isinstance(now.type, ListType):
        text = node.target.span.text
        hint = f"write `{text} := [x for x in {text} where …]` to take something out"
    scope.cx.report.error(
        "CG0502",
        f"`{node.op}` works on numbers" + (" and lists" if sign == "+" else ""),
        node.target.span,
        f"this is {a(now.type)}",
        hint=hint,
    )
    expr(node.value, scope)
    return unknown(node.span)
