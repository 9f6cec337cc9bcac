"""Calls: of defines, of what is built in, and of what goes before (`proceed`)."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check import spaces
from dsl.check.comparisons import equal
from dsl.check.elaborate import Want, a, check, expr, form, unknown
from dsl.check.queries import query
from dsl.check.scope import BOARD_QUERIES, BUILT_IN_FUNCTIONS, QUERIES, Scope, Symbol
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import FLAG, NUMBER, PLAYER, UNKNOWN, ListType, Type


@form(ast.Call)
def call(node: ast.Call, scope: Scope, hint: Type | None) -> model.Expr:
    if isinstance(node.function, ast.Proceed):
        return proceed(node, scope)
    if not isinstance(node.function, ast.Name):
        expr(node.function, scope)
        scope.cx.report.error(
            "CG0310", "this cannot be called", node.function.span, "only a define or a rule is called, by its name"
        )
        return unknown(node.span)
    name = node.function.id
    if scope.local(name) is None and name not in scope.values:
        if name in QUERIES:
            return query(name, node, scope, hint)
        if name in BOARD_QUERIES:
            return spaces.query(name, node, scope)
        if name in BUILT_IN_FUNCTIONS or (name == "sees" and scope.frame.in_test):
            return _built_in(name, node, scope)
    symbol = callee(node.function, scope, "define", node.arguments)
    if symbol is None:
        return unknown(node.span)
    if isinstance(symbol.target, model.Rule):
        scope.cx.report.error(
            "CG0309",
            f"`{name}` is a rule: it cannot be called inside a value",
            node.span,
            others=symbol.place,
            hint=f"call it on a line of its own: `let x = {name}(…)`"
            if symbol.target.result
            else f"what has a value is a `define`; `{name}` does something",
        )
        return unknown(node.span)
    define = symbol.target
    assert isinstance(define, model.Define)
    values = arguments(node, define.params, define, scope)
    if values is None or define.result == UNKNOWN:
        return unknown(node.span)
    return model.CallDefine(type=define.result, span=node.span, define=define, arguments=values)


def callee(name: ast.Name, scope: Scope, what: str, arguments_: tuple[ast.Node, ...] = ()) -> Symbol | None:
    """The define or rule of a call with these arguments; an error if there is none."""
    symbol = scope.names.find(name.id, "define", "rule")
    if symbol is not None and scope.local(name.id) is None:
        return symbol if scope.may_use(symbol, name.span) else None
    local = scope.local(name.id)
    other = scope.names.find(name.id)
    if local is not None:
        scope.cx.report.error(
            "CG0310", f"`{name.id}` cannot be called", name.span, "it is a value", others=(Label(local.span, "declared here"),)
        )
    elif other is not None:
        advice = None
        if other.sort in ("zone", "variable", "board"):
            written = ", ".join(argument.span.text for argument in arguments_)
            advice = f"write `{name.id}[{written or '…'}]`"
        elif other.sort == "member":
            advice = "a member has no brackets"
        scope.cx.report.error(
            "CG0310", f"`{name.id}` cannot be called", name.span, f"it is {other.a_sort}", others=other.place, hint=advice
        )
    else:
        wanted = ("rule", "define") if what == "rule" else ("define", "rule", "built-in word")
        scope.unknown(name.id, name.span, "rule" if what == "rule" else "define or rule", wanted, locals_too=False)
    return None


def arguments(
    node: ast.Call, params: list[model.Local], declared: model.Declared | None, scope: Scope, name: str | None = None
) -> tuple[model.Expr, ...] | None:
    """The arguments made to fit the parameters; None after an error in their number or form."""
    label = name or (declared.name if declared is not None else "this")
    others = (Label(declared.span, f"`{declared.name}` is declared here"),) if declared is not None else ()
    if node.each is not None or node.where is not None or node.by or any(isinstance(x, ast.Range) for x in node.arguments):
        scope.cx.report.error(
            "CG0308",
            f"`{label}` is called with plain values",
            node.span,
            "`in`, `where`, `by` and `for` belong to the queries",
            others=others,
            hint=f"a list is one value too: `{label}([x for x in …])`",
        )
        return None
    written = [x for x in node.arguments if not isinstance(x, ast.Range)]
    if len(written) != len(params):
        inside = ", ".join(f"{p.name}: {p.type}" for p in params)
        span = node.span if len(written) < len(params) else written[len(params)].span
        scope.cx.report.error(
            "CG0308",
            f"`{label}` takes {_count(len(params))}, not {len(written)}",
            span,
            "one is missing"
            if len(written) + 1 == len(params)
            else "some are missing"
            if len(written) < len(params)
            else "too many",
            others=others,
            hint=f"it is declared as `{declared.name}({inside})`"
            if declared is not None
            else f"write `{label}({', '.join(p.name for p in params)})`",
        )
        for value in written:
            expr(value, scope)
        return None
    return tuple(check(value, scope, _wanted(param, declared, label)) for value, param in zip(written, params, strict=True))


def _wanted(param: model.Local, declared: model.Declared | None, label: str) -> Want:
    if declared is None:
        return Want(param.type, f"`{label}` wants {a(param.type)}")
    return Want(param.type, f"`{param.name}` is {a(param.type)}", param.span)


def _count(n: int) -> str:
    return "no values" if n == 0 else "one value" if n == 1 else f"{n} values"


def _param(name: str, type_: Type, span: Span) -> model.Local:
    return model.Local(name, type_, span)


def _built_in(name: str, node: ast.Call, scope: Scope) -> model.Expr:
    span = node.span
    match name:
        case "same":
            plain = [x for x in node.arguments if not isinstance(x, ast.Range)]
            if len(plain) != 2 or len(node.arguments) != 2 or node.where is not None or node.by or node.each is not None:
                scope.cx.report.error("CG0308", "`same` takes two lists", span, "write `same(a, b)`: equal in any order")
                return unknown(span)
            return equal(node, plain[0], plain[1], scope, "bag")
        case "sees":
            cards = [c.type for c in scope.cx.game.card_types]
            plain = [x for x in node.arguments if not isinstance(x, ast.Range)]
            if len(plain) != 2 or len(node.arguments) != 2:
                scope.cx.report.error("CG0308", "`sees` takes a player and a card", span, "write `sees(P1, hand[P2].first)`")
                return unknown(span)
            player = check(plain[0], scope, PLAYER)
            card = expr(plain[1], scope, cards[0] if len(cards) == 1 else None)
            if not isinstance(card.type, types.CardType) and card.type != UNKNOWN:
                scope.cx.report.error("CG0301", "`sees` asks about one card", plain[1].span, "this is no card")
                return unknown(span)
            return model.Builtin(type=FLAG, span=span, name="sees", arguments=(player, card))
        case "score":
            if not any(isinstance(p.item, ast.Scoring) for p in scope.cx.composition.items):
                scope.cx.report.error(
                    "CG0209",
                    "there is no score: the game declares no scoring",
                    span,
                    hint='declare it: `scoring(p):` and under it lines such as `"Points": total[p]`',
                )
                return unknown(span)
    values = arguments(node, [_param("player", PLAYER, span)], None, scope, name)
    if values is None:
        return unknown(span)
    return model.Builtin(type=NUMBER if name == "score" else ListType(PLAYER), span=span, name=name, arguments=values)


# ── proceed ──


@form(ast.Proceed)
def bare_proceed(node: ast.Proceed, scope: Scope, hint: Type | None) -> model.Expr:
    return proceed(node, scope)


def proceed(node: ast.Proceed | ast.Call, scope: Scope) -> model.Expr:
    """`proceed` as a value: in `instead of` a define."""
    target = scope.frame.proceeds
    if isinstance(target, model.Define):
        values = proceed_arguments(node, target.params, target, scope)
        if target.result == UNKNOWN:
            return unknown(node.span)
        return model.Proceed(type=target.result, span=node.span, arguments=values)
    if target is None:
        scope.cx.report.error(
            "CG0317",
            "there is nothing to proceed with",
            node.span,
            hint="`proceed` stands in `instead of …`: it goes on with what is replaced",
        )
    else:
        scope.cx.report.error(
            "CG0309",
            "`proceed` goes on with a rule: it cannot stand inside a value",
            node.span,
            hint="write it on a line of its own, or `let x = proceed`",
        )
    return unknown(node.span)


def proceed_arguments(
    node: ast.Proceed | ast.Call, params: list[model.Local], declared: model.Declared | None, scope: Scope
) -> tuple[model.Expr, ...] | None:
    """None for a bare `proceed`: the same arguments."""
    if isinstance(node, ast.Proceed):
        return None
    return arguments(node, params, declared, scope, "proceed")
