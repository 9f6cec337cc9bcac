"""Order, equality and membership."""

from __future__ import annotations

from dsl import ast, model, types
from dsl.check.elaborate import (
    Want,
    a,
    as_list,
    as_written,
    column_of,
    expr,
    fit,
    form,
    is_unknown,
    is_weak,
    mismatch,
    ungrouped,
    unknown,
)
from dsl.check.scope import Scope
from dsl.diagnostics import Label
from dsl.types import FLAG, NONE, NUMBER, TEXT, ListType, Optional, Type


def order(node: ast.Binary, scope: Scope) -> model.Expr:
    """`<` and its like: on numbers, and on members of one kind."""
    left, right = _pair(node.left, node.right, scope)
    done = model.Binary(type=FLAG, span=node.span, op=node.op, left=left, right=right)
    if is_unknown(left.type) or is_unknown(right.type):
        return done
    for written, value in ((node.left, left), (node.right, right)):
        if isinstance(value.type, Optional):
            mismatch(scope, written, value, Want(value.type.of, f"`{node.op}` compares what is there"))
            return unknown(node.span)
        if not isinstance(value.type, types.KindType) and value.type != NUMBER:
            text_ = as_written(written)
            many = isinstance(value.type, ListType | types.ZoneType)
            hint = f"write `{text_}.size`" if many else None
            if isinstance(value.type, types.CardType):
                hint = f"compare something of it: `{text_}.{_some_attribute(scope, value.type)}`"
            scope.cx.report.error(
                "CG0305",
                f"`{node.op}` compares numbers and members of a kind, not {a(value.type)}",
                written.span,
                f"this is {a(value.type)}",
                hint=hint,
            )
            return unknown(node.span)
    if left.type != right.type:
        _unlike(node, left, right, scope)
        return unknown(node.span)
    return done


def _some_attribute(scope: Scope, type_: types.CardType) -> str:
    card = scope.cx.card_types.get(type_.id)
    ordered = [c.name for c in card.attributes if c.type == NUMBER or isinstance(c.type, types.KindType)] if card else []
    return ordered[0] if ordered else "position"


def _unlike(node: ast.Binary | ast.Is, left: model.Expr, right: model.Expr, scope: Scope) -> None:
    scope.cx.report.error(
        "CG0303",
        f"{a(left.type)} cannot be compared with {a(right.type)}",
        node.span,
        "",
        others=(Label(left.span, f"this is {a(left.type)}"), Label(right.span, f"this is {a(right.type)}")),
    )


# ── equality ──


def _pair(left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[model.Expr, model.Expr]:
    """Two expressions to compare: what says little is read as the other one wants, the smaller kind is widened."""
    if is_weak(left, scope) and not is_weak(right, scope):
        two = expr(right, scope)
        one = expr(left, scope, _comparable(two.type))
    else:
        one = expr(left, scope)
        two = expr(right, scope, _comparable(one.type))
    if one.type == two.type or is_unknown(one.type) or is_unknown(two.type):
        return one, two
    for plain in (False, True):
        target = two.type.of if plain and isinstance(two.type, Optional) else two.type
        fitted = fit(scope.cx, one, target)
        if fitted is not None:
            return fitted, two
        target = one.type.of if plain and isinstance(one.type, Optional) else one.type
        fitted = fit(scope.cx, two, target)
        if fitted is not None:
            return one, fitted
    return one, two


def _comparable(type_: Type) -> Type | None:
    """The hint for the other side of a comparison: for cards a text stays a text, the name of a design."""
    if isinstance(type_, types.CardType) or (isinstance(type_, Optional) and isinstance(type_.of, types.CardType)):
        return None
    if isinstance(type_, types.ZoneType):
        return ListType(type_.of)
    return None if is_unknown(type_) else type_


def _is_names(node: ast.Expr) -> bool:
    """Whether it is a list of quoted texts, perhaps none."""
    node = ungrouped(node)
    return isinstance(node, ast.ListValue) and bool(node.items) and all(isinstance(item, ast.Text) for item in node.items)


def card_of(type_: Type) -> types.CardType | None:
    """The card type of a card, a card or none, a list of cards or a zone."""
    if isinstance(type_, Optional | ListType | types.ZoneType):
        return card_of(type_.of)
    return type_ if isinstance(type_, types.CardType) else None


@form(ast.Is)
def is_(node: ast.Is, scope: Scope, hint: Type | None) -> model.Expr:
    found = equal(node, node.left, node.right, scope)
    return model.Not(type=FLAG, span=node.span, value=found) if node.negated else found


def equal(node: ast.Is | ast.Call, left: ast.Expr, right: ast.Expr, scope: Scope, how: str | None = None) -> model.Expr:
    """Equality of two things; `how` is given if the order of lists does not count."""
    if _is_names(left) or (isinstance(left, ast.Text) and not isinstance(right, ast.Text)):
        left, right = right, left
    if _is_names(right) and not _is_names(left):
        return _is_cards_named(node, left, right, scope, how)
    if isinstance(right, ast.Text) and not isinstance(left, ast.Text):
        one = expr(left, scope)
        card = card_of(one.type)
        if card is not None:
            return _is_card_named(node, one, left, right, card, scope)
        if is_unknown(one.type):
            return unknown(node.span)
    one, two = _pair(left, right, scope)
    if is_unknown(one.type) or is_unknown(two.type):
        return model.Is(type=FLAG, span=node.span, left=one, right=two, how="same")
    places = isinstance(one.type, types.ZoneType) and isinstance(two.type, types.ZoneType)
    if places and not (isinstance(one, model.ZoneRef) and isinstance(two, model.ZoneRef)) and how is None:
        return model.Is(type=FLAG, span=node.span, left=one, right=two, how="same")
    one_list, two_list = as_list(one), as_list(two)
    if one_list is not None and two_list is not None:
        if fit(scope.cx, one_list, two_list.type) is None and fit(scope.cx, two_list, one_list.type) is None:
            _unlike_any(node, one, two, scope)
            return unknown(node.span)
        bag = how or ("bag" if _is_bag(one) or _is_bag(two) else "list")
        return model.Is(type=FLAG, span=node.span, left=one_list, right=two_list, how=bag)
    if how is not None:
        wrong, which = (left, one) if one_list is None else (right, two)
        scope.cx.report.error("CG0301", f"`same` compares lists, not {a(which.type)}", wrong.span, hint="write `is`")
        return unknown(node.span)
    if one.type == NONE or two.type == NONE:
        thing, written = (two, right) if one.type == NONE else (one, left)
        if thing.type != NONE and not isinstance(thing.type, Optional):
            advice = None
            if isinstance(thing.type, ListType | types.ZoneType):
                advice = f"write `{as_written(written)} is empty`"
            scope.cx.report.error("CG0303", "this is never none", written.span, f"it is {a(thing.type)}", hint=advice)
            return unknown(node.span)
    elif _bare(one.type) != _bare(two.type):
        _unlike_any(node, one, two, scope)
        return unknown(node.span)
    return model.Is(type=FLAG, span=node.span, left=one, right=two, how="same")


def _bare(type_: Type) -> Type:
    return type_.of if isinstance(type_, Optional) else type_


def _unlike_any(node: ast.Is | ast.Call, one: model.Expr, two: model.Expr, scope: Scope) -> None:
    hint = None
    if isinstance(two.type, ListType | types.ZoneType) != isinstance(one.type, ListType | types.ZoneType):
        item, many = (one, two) if isinstance(two.type, ListType | types.ZoneType) else (two, one)
        if _bare(many.type.of if isinstance(many.type, ListType | types.ZoneType) else many.type) == _bare(item.type):
            hint = f"write `{as_written(item)} is in {as_written(many)}`"
    for card, other in ((one, two), (two, one)):
        column = column_of(card, _bare(other.type), scope)
        if column is not None:
            hint = f"say what of it: `{as_written(card)}.{column}`"
    scope.cx.report.error(
        "CG0303",
        f"{a(one.type)} cannot be compared with {a(two.type)}",
        node.span,
        "this is never so",
        others=(Label(one.span, f"this is {a(one.type)}"), Label(two.span, f"this is {a(two.type)}")),
        hint=hint,
    )


def _is_bag(found: model.Expr) -> bool:
    """Whether the order of these cards means nothing: sets, and families read together."""
    if isinstance(found, model.CardsIn):
        return _is_bag(found.zone)
    return isinstance(found, model.ZoneFamily) or (isinstance(found, model.ZoneRef) and found.zone.shape == "set")


def _is_card_named(
    node: ast.Is | ast.Call, card: model.Expr, written: ast.Expr, name: ast.Text, type_: types.CardType, scope: Scope
) -> model.Expr:
    if isinstance(card.type, ListType | types.ZoneType):
        quoted = name.span.text
        scope.cx.report.error(
            "CG0303",
            f"{a(card.type)} cannot be compared with one card",
            node.span,
            hint=f"write `{as_written(written)} is [{quoted}]`",
        )
        return unknown(node.span)
    design = design_name(name, type_, scope)
    return model.Is(type=FLAG, span=node.span, left=card, right=design, how="design")


def design_name(name: ast.Text, type_: types.CardType, scope: Scope) -> model.Expr:
    """A quoted name of a card, as a text that is checked to be one."""
    if name.plain is None:
        scope.cx.report.error("CG0208", "the name of a card cannot have holes here", name.span)
        return unknown(name.span)
    scope.cx.quoted.append((scope.cx.card_types[type_.id], name.plain, name.span))
    return model.Literal(type=TEXT, span=name.span, value=name.plain)


def _design_names(node: ast.Expr, type_: types.CardType, scope: Scope) -> model.Expr:
    node = ungrouped(node)
    assert isinstance(node, ast.ListValue)
    names = [design_name(item, type_, scope) for item in node.items if isinstance(item, ast.Text)]
    return model.Items(type=ListType(TEXT), span=node.span, items=tuple(names))


def _is_cards_named(node: ast.Is | ast.Call, left: ast.Expr, right: ast.Expr, scope: Scope, how: str | None) -> model.Expr:
    cards = expr(left, scope)
    card = card_of(cards.type)
    many = as_list(cards)
    if is_unknown(cards.type):
        return unknown(node.span)
    if card is None or many is None:
        if cards.type == ListType(TEXT):
            return model.Is(type=FLAG, span=node.span, left=cards, right=expr(right, scope), how=how or "list")
        hint = None
        if card is not None:
            hint = f"write `{as_written(left)} is in {as_written(right)}`"
        scope.cx.report.error("CG0303", f"{a(cards.type)} cannot be compared with a list of names", node.span, hint=hint)
        return unknown(node.span)
    names = _design_names(right, card, scope)
    bag = how or ("bag" if _is_bag(cards) else "list")
    return model.Is(type=FLAG, span=node.span, left=many, right=names, how=bag, designs=True)


@form(ast.IsIn)
def is_in(node: ast.IsIn, scope: Scope, hint: Type | None) -> model.Expr:
    found = _is_in(node, scope)
    return model.Not(type=FLAG, span=node.span, value=found) if node.negated else found


def _is_in(node: ast.IsIn, scope: Scope) -> model.Expr:
    if _is_names(node.right) and not isinstance(node.left, ast.Text):
        one = expr(node.left, scope)
        card = card_of(one.type)
        if card is not None and not isinstance(one.type, ListType | types.ZoneType):
            names = _design_names(node.right, card, scope)
            return model.IsIn(type=FLAG, span=node.span, left=one, right=names, designs=True)
    if is_weak(node.left, scope):
        many = expr(node.right, scope)
        card = card_of(many.type)
        in_list = as_list(many)
        if isinstance(node.left, ast.Text) and card is not None and in_list is not None:
            return _name_is_in(node, node.left, in_list, card, scope)
        item = many.type.of if isinstance(many.type, ListType | types.ZoneType) else None
        one = expr(node.left, scope, None if item is None or is_unknown(item) else item)
    else:
        one = expr(node.left, scope)
        many = expr(node.right, scope, None if is_unknown(one.type) else ListType(_bare(one.type)))
    if is_unknown(one.type) or is_unknown(many.type):
        return unknown(node.span)
    in_list = as_list(many)
    if in_list is None or not isinstance(in_list.type, ListType):
        text_ = as_written(node.right)
        scope.cx.report.error(
            "CG0312",
            f"`is in` wants a list, a zone or a kind, not {a(many.type)}",
            node.right.span,
            f"this is {a(many.type)}",
            hint=f"write `is {text_}`, or a list: `is in [{text_}]`",
        )
        return unknown(node.span)
    item = in_list.type.of
    fitted = fit(scope.cx, one, item)
    if fitted is None and isinstance(one.type, Optional):
        inner = model.Literal(type=one.type.of, span=one.span, value=0)
        fitted = one if fit(scope.cx, inner, item) == inner else None
    if fitted is None:
        widened = fit(scope.cx, in_list, ListType(_bare(one.type)))
        if widened is None:
            scope.cx.report.error(
                "CG0303",
                f"{a(one.type)} is never in {a(many.type)}",
                node.span,
                "this is never so",
                others=(Label(one.span, f"this is {a(one.type)}"), Label(many.span, f"this is {a(many.type)}")),
            )
            return unknown(node.span)
        fitted, in_list = one, widened
    return model.IsIn(type=FLAG, span=node.span, left=fitted, right=in_list)


def _name_is_in(node: ast.IsIn, name: ast.Text, cards: model.Expr, card: types.CardType, scope: Scope) -> model.Expr:
    """`"Q♠" is in hand[p]`: any card there has that name."""
    local = model.Local("card", card, name.span)
    this = model.LocalRef(type=card, span=name.span, local=local)
    where = model.Is(type=FLAG, span=node.span, left=this, right=design_name(name, card, scope), how="design")
    binders = model.Binders(bindings=(model.Binding(local=local, source=cards),), where=where)
    return model.Query(type=FLAG, span=node.span, how="any", binders=binders)


@form(ast.IsEmpty)
def is_empty(node: ast.IsEmpty, scope: Scope, hint: Type | None) -> model.Expr:
    value = expr(node.operand, scope)
    if not is_unknown(value.type) and not isinstance(value.type, ListType | types.ZoneType):
        text_ = as_written(node.operand)
        advice = f"write `{text_} is none`" if isinstance(value.type, Optional) else None
        scope.cx.report.error(
            "CG0312",
            f"only zones and lists can be empty, not {a(value.type)}",
            node.operand.span,
            f"this is {a(value.type)}",
            hint=advice,
        )
        return unknown(node.span)
    found = model.IsEmpty(type=FLAG, span=node.span, value=value)
    return model.Not(type=FLAG, span=node.span, value=found) if node.negated else found
