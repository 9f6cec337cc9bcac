"""What is done with cards, zones, dice and players: move, deal, shuffle, reveal, show, roll, eliminate."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.blocks import Done, handles
from dsl.check.elaborate import (
    Want,
    a,
    as_list,
    as_written,
    check,
    expr,
    is_unknown,
    mismatch,
    unknown,
)
from dsl.check.queries import binders
from dsl.check.scope import Scope
from dsl.diagnostics import Label
from dsl.types import NUMBER, PLAYER, ListType, Optional


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
        indexes = [
            next((local.name for local in scope.all_locals() if local.type == m), "p" if m == PLAYER else str(m)) for m in missing
        ]
        known = any(local.type == PLAYER for local in scope.all_locals())
        wanted = f"{text}{''.join(f'[{index}]' for index in indexes)}"
        scope.cx.report.error(
            "CG0315",
            f"`{text}` is a family of zones; one of them is needed",
            node.span,
            f"write `{wanted}`",
            others=(Label(found.zone.span, "the family"),),
            hint=f"to everybody in turn: `… to {wanted} for p in players`"
            if verb == "deal … to" and PLAYER in missing and not known
            else None,
        )
    else:
        hint = None
        if found.type == PLAYER:
            zones = [zone for zone in scope.cx.game.zones if zone.indexes == [PLAYER] and scope.names.find(zone.name, "zone")]
            names = list(dict.fromkeys(f"`{zone.name}[{text}]`" for zone in zones))[:3]
            hint = "write which place of his, such as " + " or ".join(names) if names else None
        scope.cx.report.error(
            "CG0315", f"`{verb}` wants a zone here, not {a(found.type)}", node.span, f"this is {a(found.type)}", hint=hint
        )
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
