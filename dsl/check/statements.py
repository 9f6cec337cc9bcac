"""Calls of rules, leaving them, branches and loops."""

from __future__ import annotations

from dsl import ast, model
from dsl.check.assignments import rule_called
from dsl.check.blocks import Done, block, forget_assigned, handles, merge
from dsl.check.calls import arguments, callee, proceed_arguments
from dsl.check.elaborate import (
    Want,
    a,
    as_written,
    check,
    expr,
    facts,
    is_unknown,
    ungrouped,
)
from dsl.check.queries import binders
from dsl.check.scope import Scope
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import FLAG, NUMBER

# ── calls ──


@handles(ast.CallStatement)
def call_statement(node: ast.CallStatement, scope: Scope) -> Done:
    written = ungrouped(node.call)
    function = written.function if isinstance(written, ast.Call) else written
    if isinstance(function, ast.Proceed):
        assert isinstance(written, ast.Call | ast.Proceed)
        return _proceed_statement(written, scope)
    if isinstance(written, ast.Call) and isinstance(function, ast.Name):
        return _call_rule(written, function, scope)
    found = expr(written, scope)
    if not is_unknown(found.type):
        scope.cx.report.error("CG0505", "this does nothing", written.span, f"it is {a(found.type)}, and nobody uses it")
    return Done()


def _call_rule(node: ast.Call, function: ast.Name, scope: Scope) -> Done:
    symbol = scope.names.find(function.id, "rule") if scope.local(function.id) is None else None
    if symbol is None or not isinstance(symbol.target, model.Rule):
        other = scope.names.find(function.id)
        if other is not None and (other.sort in ("define", "built-in word")) and scope.local(function.id) is None:
            scope.cx.report.error(
                "CG0505",
                f"`{function.id}` only works something out: on a line of its own it does nothing",
                node.span,
                others=other.place,
                hint=f"use its value: `let x = {function.id}(…)`",
            )
        else:
            callee(function, scope, "rule")
        return Done()
    rule = symbol.target
    values = arguments(node, rule.params, rule, scope)
    return Done() if values is None else Done((model.CallRule(span=node.span, rule=rule, arguments=values),))


def _proceed_statement(node: ast.Call | ast.Proceed, scope: Scope) -> Done:
    target = scope.frame.proceeds
    if target is None or isinstance(target, model.Define):
        advice = "`proceed` stands in `instead of …`: it goes on with what is replaced"
        scope.cx.report.error("CG0317", "there is nothing to proceed with", node.span, hint=advice)
        return Done()
    if isinstance(target, model.BuiltinEvent):
        if isinstance(node, ast.Call):
            scope.cx.report.error(
                "CG0317", f"a `{target.name}` goes on as it is", node.span, "write `proceed`", hint="or do something else instead"
            )
            return Done()
        return Done((model.ProceedStatement(span=node.span, arguments=None),))
    values = proceed_arguments(node, target.params, target, scope)
    if isinstance(node, ast.Call) and values is None:
        return Done()
    return Done((model.ProceedStatement(span=node.span, arguments=values),))


# ── leaving ──


@handles(ast.Return)
def return_(node: ast.Return, scope: Scope) -> Done:
    frame = scope.frame
    if frame.returns is None:
        found = expr(node.value, scope)
        if not is_unknown(found.type):
            others: tuple[Label, ...] = ()
            hint = "only a rule with `->` returns something, and what stands instead of it"
            if frame.rule is not None:
                others = (Label(frame.rule.span, "it has no `->`"),)
                name = frame.rule.name
                hint = f"give it one: `rule {name}(…) -> {found.type}:`; to leave it early, write `end {name}`"
            scope.cx.report.error("CG0503", "nothing is returned here", node.span, "there is no result", others=others, hint=hint)
        return Done(leaves=True)
    if rule_called(node.value, scope) is not None:
        text = as_written(node.value)
        scope.cx.report.error(
            "CG0309", "a rule cannot be called inside a value", node.value.span, hint=f"first `let x = {text}`, then `return x`"
        )
        return Done(leaves=True)
    value = check(
        node.value, scope, Want(frame.returns, f"the rule returns {a(frame.returns)}", frame.rule.span if frame.rule else None)
    )
    return Done((model.Return(span=node.span, value=value),), leaves=True)


@handles(ast.End)
def end(node: ast.End, scope: Scope) -> Done:
    symbol = scope.names.find(node.rule.id, "rule")
    if symbol is None or not isinstance(symbol.target, model.Rule):
        other = scope.names.find(node.rule.id)
        if other is None:
            scope.unknown(node.rule.id, node.rule.span, "rule", ("rule",), locals_too=False)
        else:
            scope.cx.report.error(
                "CG0504", f"`{node.rule.id}` is {other.a_sort}: only a rule ends", node.rule.span, others=other.place
            )
        return Done(leaves=True)
    rule = symbol.target
    if rule.result is not None:
        scope.cx.report.error(
            "CG0504",
            f"`{rule.name}` has a result, so it cannot be ended",
            node.rule.span,
            "who called it waits for a value",
            others=symbol.place,
            hint="write `return` with a value",
        )
    return Done((model.End(span=node.span, rule=rule),), leaves=True)


# ── branches and loops ──


@handles(ast.If)
def if_(node: ast.If, scope: Scope) -> Done:
    ends: list[tuple[Scope, bool]] = []
    parts: list[tuple[model.Expr, model.Block, Span]] = []
    rest = scope.inner()
    for written, body in node.branches:
        test = check(written, rest, Want(FLAG, "`if` wants a condition"))
        yes, no = facts(test)
        inner = scope.inner(rest.facts | yes)
        made, leaves = block(body, inner)
        ends.append((inner, leaves))
        parts.append((test, made, written.span))
        rest.facts |= no
    otherwise: model.Block | None = None
    if node.otherwise is not None:
        inner = scope.inner(rest.facts)
        otherwise, leaves = block(node.otherwise, inner)
        ends.append((inner, leaves))
    else:
        ends.append((rest, False))
    for test, made, span in reversed(parts):
        statement = model.If(span=node.span if test is parts[0][0] else span, condition=test, body=made, otherwise=otherwise)
        otherwise = model.Block(statements=(statement,))
    leaves = merge(scope, ends)
    assert otherwise is not None
    return Done(otherwise.statements, leaves)


@handles(ast.While)
def while_(node: ast.While, scope: Scope) -> Done:
    forget_assigned(node.body, scope)
    test = check(node.condition, scope, Want(FLAG, "`while` wants a condition"))
    yes, no = facts(test)
    made, _ = block(node.body, scope.inner(yes))
    scope.facts |= no
    return Done((model.While(span=node.span, condition=test, body=made),))


@handles(ast.For)
def for_(node: ast.For, scope: Scope) -> Done:
    inner = scope.inner()
    bound = binders(node.binders, inner)
    forget_assigned(node.body, inner)
    made, _ = block(node.body, inner)
    forget_assigned(node.body, scope)
    return Done((model.For(span=node.span, binders=bound, body=made),))


@handles(ast.Repeat)
def repeat(node: ast.Repeat, scope: Scope) -> Done:
    count = check(node.count, scope, Want(NUMBER, "how many times"))
    forget_assigned(node.body, scope)
    made, _ = block(node.body, scope.inner())
    return Done((model.Repeat(span=node.span, count=count, body=made),))
