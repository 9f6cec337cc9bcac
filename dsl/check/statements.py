"""Blocks and statements, and what is known to be there as they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from dsl import ast, model, types
from dsl.check.calls import arguments, callee, proceed_arguments
from dsl.check.elaborate import (
    Want,
    a,
    as_list,
    as_written,
    check,
    expr,
    facts,
    fit,
    is_unknown,
    mismatch,
    path,
    ungrouped,
    unknown,
)
from dsl.check.operators import template
from dsl.check.queries import binders, condition, item_type, source
from dsl.check.scope import Path, Scope
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import FLAG, NONE, NUMBER, PLAYER, UNKNOWN, ListType, Optional, Type

Handler = Callable[[Any, Scope], "Done"]
HANDLERS: dict[type, Handler] = {}


@attrs.frozen
class Done:
    """What a statement became, and whether nothing after it is reached (`end`, `return`)."""

    statements: tuple[model.Statement, ...] = ()
    leaves: bool = False


def handles(*nodes: type) -> Callable[[Handler], Handler]:
    def register(function: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(nodes, function))
        return function

    return register


def block(node: ast.Block, scope: Scope) -> tuple[model.Block, bool]:
    """The statements, and whether the block leaves. `scope` is the block's own: at its end it knows what holds there."""
    made: list[model.Statement] = []
    leaves = False
    for statement in node.statements:
        done = HANDLERS[type(statement)](statement, scope)
        made += done.statements
        leaves = leaves or done.leaves
    return model.Block(statements=tuple(made)), leaves


# ── what is known after branches ──


def _merge(scope: Scope, ends: list[tuple[Scope, bool]]) -> bool:
    """After branches: what all those know that go on. True if none does."""
    going_on = [inner.facts for inner, leaves in ends if not leaves]
    if not going_on:
        return True
    known = going_on[0]
    for other in going_on[1:]:
        known &= other
    scope.facts = known
    return False


def _forget(scope: Scope, what: object) -> None:
    """A variable or local was assigned: what was known of it and of what it indexes is known no longer."""
    scope.facts = frozenset(p for p in scope.facts if not _mentions(p, what))


def _mentions(where: Path, what: object) -> bool:
    return any(part is what or (isinstance(part, tuple) and _mentions(part, what)) for part in where)


def _forget_assigned(node: ast.Block, scope: Scope) -> None:
    """Before a loop: its body may run again after what it assigns."""
    names = set(_assigned(node))
    if not names:
        return

    def touched(where: Path) -> bool:
        return any(
            touched(part) if isinstance(part, tuple) else isinstance(part, model.Local | model.Variable) and part.name in names
            for part in where
        )

    scope.facts = frozenset(p for p in scope.facts if not touched(p))


def _assigned(node: ast.Block) -> Iterator[str]:
    for statement in node.statements:
        if isinstance(statement, ast.Assign):
            base = statement.target
            while isinstance(base, ast.Index | ast.Property | ast.Group):
                base = base.value if isinstance(base, ast.Group) else base.of
            if isinstance(base, ast.Name):
                yield base.id
        for inner in _blocks(statement):
            yield from _assigned(inner)


def _blocks(statement: ast.Statement) -> Iterator[ast.Block]:
    match statement:
        case ast.If(branches=branches, otherwise=otherwise):
            yield from (body for _, body in branches)
            if otherwise is not None:
                yield otherwise
        case ast.While(body=body) | ast.For(body=body) | ast.Repeat(body=body):
            yield body
        case ast.MayDo(body=body, otherwise=otherwise):
            yield body
            if otherwise is not None:
                yield otherwise
        case ast.Choose(what=what, body=body, otherwise=otherwise):
            if isinstance(what, ast.Menu):
                yield from (line.body for line in what.lines if line.body is not None)
            if body is not None:
                yield body
            if otherwise is not None:
                yield otherwise


# ── values with names ──


def _rule_called(node: ast.Expr, scope: Scope) -> model.Rule | ast.Proceed | None:
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

    called = _rule_called(node.value, scope)
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


def written_type(node: ast.Type, scope: Scope) -> Type:
    """The type that is written there."""
    match node:
        case ast.ListType(of=of):
            inner = written_type(of, scope)
            return UNKNOWN if is_unknown(inner) else ListType(inner)
        case ast.ZoneType(of=of):
            symbol = scope.names.find(of.id, "card type")
            if symbol is not None and isinstance(symbol.target, model.CardType):
                return types.ZoneType(symbol.target.type)
            scope.unknown(of.id, of.span, "card type", ("card type",), locals_too=False)
            return UNKNOWN
        case ast.NamedType(name=name, optional=optional):
            found = named_type(name, scope)
            if optional and not is_unknown(found):
                return Optional(found)
            return found


def named_type(name: ast.Name, scope: Scope) -> Type:
    """The type of a name; an error if it is none."""
    symbol = scope.names.find(name.id, "type", "kind", "card type", "board")
    if symbol is None:
        scope.unknown(name.id, name.span, "type", ("type", "kind", "card type", "board"), locals_too=False)
        return UNKNOWN
    target = symbol.target
    if isinstance(target, Type):
        return target
    if isinstance(target, model.Kind | model.CardType | model.Board):
        return target.type
    return UNKNOWN


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
    called = _rule_called(node.value, scope)
    if called is not None and node.op == ":=":

        def into(result: Type) -> model.Local | model.VarRef | None:
            if not is_unknown(result) and not is_unknown(type_) and result != type_ and type_ != Optional(result):
                mismatch(scope, node.value, model.Literal(type=result, span=node.value.span, value=None), here)
            return place.local if isinstance(place, model.LocalRef) else attrs.evolve(place, type=type_)

        made = _call_into(node.value, called, scope, into)
        _forget(scope, owner)
        return Done(made)
    value = check(node.value, scope, here) if node.op == ":=" else _changed(node, place, type_, scope)
    _forget(scope, owner)
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


# ── cards ──


def cards(node: ast.Expr, scope: Scope, verb: str) -> model.Expr:
    """A card, or a list of cards: a zone and a family read as theirs."""
    found = expr(node, scope)
    if isinstance(found.type, types.CardType) or is_unknown(found.type):
        return found
    listed = as_list(found)
    if listed is not None and isinstance(listed.type, ListType) and isinstance(listed.type.of, types.CardType):
        return listed
    if isinstance(found.type, Optional) and isinstance(found.type.of, types.CardType):
        mismatch(scope, node, found, Want(found.type.of))
        return unknown(node.span)
    advice = None
    if isinstance(node, ast.Text):
        advice = f"a card is found where it lies: `for c in ZONE where c is {node.span.text}: {verb} c …`"
    scope.cx.report.error(
        "CG0301", f"`{verb}` wants cards, not {a(found.type)}", node.span, f"this is {a(found.type)}", hint=advice
    )
    return unknown(node.span)


def place(node: ast.Expr, scope: Scope, verb: str) -> model.Expr:
    """A single zone, as a place."""
    base = node
    while isinstance(base, ast.Index):
        base = base.of
    if isinstance(base, ast.Name) and not scope.knows(base.id):
        scope.unknown(base.id, base.span, "zone", ("zone",))
        return unknown(node.span)
    found = expr(node, scope)
    if isinstance(found.type, types.ZoneType) or is_unknown(found.type):
        return found
    text = as_written(node)
    if isinstance(found, model.ZoneFamily):
        missing = found.zone.indexes[len(found.indexes) :]
        scope.cx.report.error(
            "CG0315",
            f"`{text}` is a family of zones; one of them is needed",
            node.span,
            f"write `{text}{''.join(f'[{m}]' for m in missing)}`",
            others=(Label(found.zone.span, "the family"),),
        )
    else:
        scope.cx.report.error("CG0315", f"`{verb}` wants a zone here, not {a(found.type)}", node.span, f"this is {a(found.type)}")
    return unknown(node.span)


def _same_cards(what: model.Expr, to: model.Expr, node: ast.Expr, scope: Scope) -> None:
    have = what.type.of if isinstance(what.type, ListType | types.ZoneType) else what.type
    if isinstance(have, types.CardType) and isinstance(to.type, types.ZoneType) and have != to.type.of:
        others = (Label(to.zone.span, f"it holds {to.type.of.name} cards"),) if isinstance(to, model.ZoneRef) else ()
        scope.cx.report.error(
            "CG0316",
            f"this zone holds {to.type.of.name} cards, not {have.name}",
            node.span,
            f"for {to.type.of.name} cards",
            others=others,
        )


@handles(ast.Move)
def move(node: ast.Move, scope: Scope) -> Done:
    what = cards(node.cards, scope, "move")
    to = place(node.to, scope, "move … to")
    _same_cards(what, to, node.to, scope)
    return Done((model.Move(span=node.span, cards=what, to=to, under=node.under),))


@handles(ast.Deal)
def deal(node: ast.Deal, scope: Scope) -> Done:
    count = None if node.count is None else check(node.count, scope, Want(NUMBER, "how many cards to deal"))
    from_ = place(node.source, scope, "deal … from")
    if node.binders is None:
        to = place(node.to, scope, "deal … to")
        _same_cards(from_, to, node.to, scope)
        return Done((model.Deal(span=node.span, count=count, source=from_, to=to, binders=None),))
    inner = scope.inner()
    bound = binders(node.binders, inner)
    to = place(node.to, inner, "deal … to")
    _same_cards(from_, to, node.to, scope)
    for binding in bound.bindings:
        if binding.local not in scope.used:
            scope.cx.report.error(
                "CG0508",
                f"`{binding.local.name}` says nothing of where the cards go",
                binding.local.span,
                "not used in the zone after `to`",
                hint=f"write it there, as in `deal 3 from deck to hand[{binding.local.name}] for {binding.local.name} in players`",
            )
    return Done((model.Deal(span=node.span, count=count, source=from_, to=to, binders=bound),))


@handles(ast.Verb)
def verb(node: ast.Verb, scope: Scope) -> Done:
    match node.verb:
        case "shuffle":
            return Done((model.Shuffle(span=node.span, zone=place(node.operand, scope, "shuffle")),))
        case "reveal":
            return Done((model.Reveal(span=node.span, cards=cards(node.operand, scope, "reveal")),))
        case "eliminate":
            player = check(node.operand, scope, Want(PLAYER, "a player is eliminated"))
            return Done((model.Eliminate(span=node.span, player=player),))
    dice = node.operand
    symbol = scope.names.find(dice.id, "dice") if isinstance(dice, ast.Name) else None
    if symbol is not None and isinstance(symbol.target, model.Dice):
        return Done((model.Roll(span=node.span, dice=symbol.target),))
    if isinstance(dice, ast.Name) and scope.names.find(dice.id) is None:
        scope.unknown(dice.id, dice.span, "dice", ("dice",), locals_too=False)
    else:
        scope.cx.report.error(
            "CG0301", "`roll` wants dice", dice.span, "these are no dice", hint="declare them: `dice pair: 2 of 1..6`"
        )
    return Done()


@handles(ast.Show)
def show(node: ast.Show, scope: Scope) -> Done:
    what = cards(node.cards, scope, "show")
    to = expr(node.to, scope)
    if to.type != PLAYER and to.type != ListType(PLAYER) and not is_unknown(to.type):
        mismatch(scope, node.to, to, Want(PLAYER, "cards are shown to a player or a list of players"))
        return Done()
    return Done((model.Show(span=node.span, cards=what, to=to),))


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
    if _rule_called(node.value, scope) is not None:
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
    leaves = _merge(scope, ends)
    assert otherwise is not None
    return Done(otherwise.statements, leaves)


@handles(ast.While)
def while_(node: ast.While, scope: Scope) -> Done:
    _forget_assigned(node.body, scope)
    test = check(node.condition, scope, Want(FLAG, "`while` wants a condition"))
    yes, no = facts(test)
    made, _ = block(node.body, scope.inner(yes))
    scope.facts |= no
    return Done((model.While(span=node.span, condition=test, body=made),))


@handles(ast.For)
def for_(node: ast.For, scope: Scope) -> Done:
    inner = scope.inner()
    bound = binders(node.binders, inner)
    _forget_assigned(node.body, inner)
    made, _ = block(node.body, inner)
    _forget_assigned(node.body, scope)
    return Done((model.For(span=node.span, binders=bound, body=made),))


@handles(ast.Repeat)
def repeat(node: ast.Repeat, scope: Scope) -> Done:
    count = check(node.count, scope, Want(NUMBER, "how many times"))
    _forget_assigned(node.body, scope)
    made, _ = block(node.body, scope.inner())
    return Done((model.Repeat(span=node.span, count=count, body=made),))


# ── choices ──


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
    leaves = _merge(scope, ends)
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
    leaves = _merge(scope, ends)
    return Done((model.MayDo(span=node.span, subject=subject, label=label, body=body, otherwise=otherwise),), leaves)
