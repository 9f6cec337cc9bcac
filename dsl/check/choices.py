"""Choices: who chooses, what from, and what follows."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.blocks import Done, block, handles, merge
from dsl.check.elaborate import (
    Want,
    a,
    as_written,
    check,
    expr,
    is_unknown,
    mismatch,
    unknown,
)
from dsl.check.operators import template
from dsl.check.queries import binders, condition, item_type, source
from dsl.check.scope import Scope
from dsl.types import NUMBER, PLAYER, UNKNOWN, ListType, Optional


def _player(node: ast.Expr, scope: Scope, verb_: str) -> model.Expr:
    found = expr(node, scope)
    if found.type == PLAYER or is_unknown(found.type):
        return found
    text = as_written(node)
    if found.type == ListType(PLAYER):
        scope.cx.report.error(
            "CG0506",
            f"one player {verb_}, and these are several",
            node.span,
            "this is a list of players",
            hint=f"all at once: `each p in {text} chooses …`; one after another: `for p in {text}:`",
        )
    elif isinstance(found.type, Optional) and found.type.of == PLAYER:
        mismatch(scope, node, found, Want(PLAYER))
    else:
        scope.cx.report.error("CG0506", f"a player {verb_}, not {a(found.type)}", node.span, f"this is {a(found.type)}")
    return unknown(node.span)


@handles(ast.Choose)
def choose(node: ast.Choose, scope: Scope) -> Done:
    around = scope.inner()
    subject: model.Expr | model.EachPlayer | model.ByChance
    match node.subject:
        case ast.Chance():
            subject = model.ByChance()
            if node.optional:
                scope.cx.report.error("CG0506", "chance never declines", node.subject.span, "write `chance chooses …`")
        case ast.Each(range=range_):
            listed = source(range_.source, scope)
            if item_type(listed) not in (PLAYER, UNKNOWN):
                scope.cx.report.error("CG0506", "players choose", range_.source.span, f"this is {a(listed.type)}")
            subject = model.EachPlayer(local=around.declare(range_.name, PLAYER), source=listed)
        case written:
            subject = _player(written, scope, "chooses")
    prompt = None if node.prompt is None else template(node.prompt, around)
    inner, outside = around.inner(), around.inner()
    ends: list[tuple[Scope, bool]] = []
    body: model.Block | None = None
    what: model.PickOne | model.PickSeveral | model.Menu
    match node.what:
        case ast.Menu(lines=lines):
            what = model.Menu(lines=tuple(_menu_line(line, inner, ends) for line in lines))
        case ast.Pick(binders=picked):
            bound = binders(picked, inner)
            for binding in bound.bindings:
                _listable(binding, scope)
            what = model.PickOne(binders=bound)
        case ast.PickSeveral() as several:
            what = _several(several, inner)
    if node.body is not None:
        body, leaves = block(node.body, inner)
        ends.append((inner, leaves))
    otherwise = None
    if node.otherwise is not None:
        otherwise, leaves = block(node.otherwise, outside)
        ends.append((outside, leaves))
    else:
        ends.append((scope.inner(), False))
    leaves = merge(scope, ends)
    made = model.Choose(
        span=node.span, subject=subject, optional=node.optional, prompt=prompt, what=what, body=body, otherwise=otherwise
    )
    return Done((made,), leaves)


def _listable(binding: model.Binding, scope: Scope) -> None:
    type_ = binding.local.type
    inner = type_.of if isinstance(type_, Optional) else type_
    if isinstance(inner, ListType | types.ZoneType):
        scope.cx.report.error(
            "CG0507",
            "one cannot choose among lists or zones",
            binding.source.span,
            f"each of these is {a(type_)}",
            hint="choose what tells them apart, such as a player or a member of a kind",
        )


def _several(node: ast.PickSeveral, scope: Scope) -> model.PickSeveral:
    least = check(node.least, scope, Want(NUMBER, "how many to choose"))
    most = least if node.most is None else check(node.most, scope, Want(NUMBER, "how many to choose at most"))
    listed = source(node.source, scope)
    local = scope.declare(node.name, listed.type if isinstance(listed.type, ListType) else UNKNOWN)
    one = model.Binding(local=model.Local(local.name, item_type(listed), local.span), source=listed)
    _listable(one, scope)
    if isinstance(least, model.Literal) and isinstance(most, model.Literal):
        low, high = least.value, most.value
        if isinstance(low, int) and isinstance(high, int) and (low > high or high == 0 or low < 0):
            scope.cx.report.error("CG0507", "that many cannot be chosen", node.least.span, f"from {low} to {high}")
    return model.PickSeveral(least=least, most=most, local=local, source=listed)


def _menu_line(node: ast.MenuLine, scope: Scope, ends: list[tuple[Scope, bool]]) -> model.MenuLine:
    inner = scope.inner()
    bound = None if node.binders is None else binders(node.binders, inner)
    test = condition(node.condition, inner, "when")
    label = template(node.label, inner)
    body = None
    leaves = False
    if node.body is not None:
        body, leaves = block(node.body, inner)
    ends.append((inner, leaves))
    return model.MenuLine(label=label, binders=bound, condition=test, body=body, span=node.span)


@handles(ast.MayDo)
def may_do(node: ast.MayDo, scope: Scope) -> Done:
    subject = _player(node.subject, scope, "may do something")
    label = template(node.label, scope)
    inner, outside = scope.inner(), scope.inner()
    body, leaves = block(node.body, inner)
    ends = [(inner, leaves)]
    otherwise = None
    if node.otherwise is not None:
        otherwise, other_leaves = block(node.otherwise, outside)
        ends.append((outside, other_leaves))
    else:
        ends.append((outside, False))
    leaves = merge(scope, ends)
    return Done((model.MayDo(span=node.span, subject=subject, label=label, body=body, otherwise=otherwise),), leaves)
