"""Heads (what an attachment is about, and when) and the attachments made of them.

In a head a new bare name binds the argument, `_` ignores it, and everything else matches it: `self`, `owner`, members of
kinds, literals, `(name)`, `hand[owner]`.
"""

from __future__ import annotations

from attrs import Factory, define

from dsl import ast, model, types
from dsl.check.blocks import block
from dsl.check.comparisons import design_name
from dsl.check.elaborate import Want, a, expr, fit, is_unknown, mismatch, ungrouped
from dsl.check.queries import condition
from dsl.check.scope import CARRIED, Context, Frame, Scope
from dsl.check.values import value
from dsl.composition import Rank
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import FLAG, PLAYER, UNKNOWN, Type

Target = model.Rule | model.Define | model.BuiltinEvent
PARAMETERS = {
    "move": ("the card", "from", "to"),
    "shuffle": ("the zone",),
    "reveal": ("the card",),
    "roll": ("the dice",),
    "eliminate": ("the player",),
}


@define
class HeadMade:
    """A checked head: `also` are conditions of it that the patterns cannot say (the design of a card)."""

    target: Target
    patterns: tuple[model.Pattern, ...]
    also: list[model.Expr] = Factory(list)
    bound: list[model.Local] = Factory(list)


def head(node: ast.Head, when: str, scope: Scope) -> HeadMade | None:
    """Look at a head; its binders are known in `scope` from here on. None after an error."""
    target = _target(node, when, scope)
    if target is None:
        return None
    params = _parameters(node, target, scope)
    if params is None:
        return None
    made = HeadMade(target, ())
    patterns = [_pattern(written, type_, made, scope) for written, type_ in zip(node.patterns, params, strict=True)]
    if any(p is None for p in patterns):
        return None
    made.patterns = tuple(p for p in patterns if p is not None)
    return made


def _target(node: ast.Head, when: str, scope: Scope) -> Target | None:
    name = node.name.id
    if name in model.BUILTIN_EVENTS:
        return model.BUILTIN_EVENTS[name]
    symbol = scope.names.find(name, "rule", "define")
    if symbol is None:
        other = scope.names.find(name)
        if other is None:
            scope.unknown(name, node.name.span, "rule or define", ("rule", "define"), locals_too=False)
        else:
            scope.cx.report.error(
                "CG0418",
                f"nothing can be attached to {other.a_sort}",
                node.name.span,
                "only to rules and defines",
                others=other.place,
            )
        return None
    if not scope.may_use(symbol, node.name.span):
        return None
    target = symbol.target
    if isinstance(target, model.Define) and when != "instead":
        scope.cx.report.error(
            "CG0418",
            f"`{name}` is a define: nothing happens {when} it",
            node.name.span,
            "it is only worked out",
            others=symbol.place,
            hint=f"to change its value: `instead of {name}(…) = proceed + 1`",
        )
        return None
    return target if isinstance(target, model.Rule | model.Define) else None


def _parameters(node: ast.Head, target: Target, scope: Scope) -> list[Want] | None:
    """The types of the arguments; None after an error in their number."""
    if isinstance(target, model.BuiltinEvent):
        words = PARAMETERS[target.name]
        if len(node.patterns) != len(words):
            shown = ", ".join("_" for _ in words)
            scope.cx.report.error(
                "CG0417",
                f"`{target.name}` has {_count(len(words))} here: {', '.join(words)}",
                node.span,
                f"write `{target.name}({shown})`, `_` for what does not matter",
            )
            return None
        return _of_event(node, target, scope)
    if len(node.patterns) != len(target.params):
        inside = ", ".join(f"{p.name}: {p.type}" for p in target.params)
        shown = ", ".join("_" for _ in target.params)
        scope.cx.report.error(
            "CG0417",
            f"`{target.name}` has {_count(len(target.params))}, not {len(node.patterns)}",
            node.span,
            f"write `{target.name}({shown})`, `_` for what does not matter",
            others=(Label(target.span, f"declared as `{target.name}({inside})`"),),
        )
        return None
    return [Want(p.type, f"`{p.name}` is {a(p.type)}", p.span) for p in target.params]


def _count(n: int) -> str:
    return "no parameters" if n == 0 else "one parameter" if n == 1 else f"{n} parameters"


def _of_event(node: ast.Head, target: model.BuiltinEvent, scope: Scope) -> list[Want]:
    """For what the verbs do: the card type is that of `self`, of the zones named, or the only one there is."""
    if target.name == "eliminate":
        return [Want(PLAYER)]
    if target.name == "roll":
        return [Want(UNKNOWN)]
    card = _card_type(node, scope)
    if card is None:
        return [Want(UNKNOWN) for _ in PARAMETERS[target.name]]
    place = Want(types.ZoneType(card), f"the zones hold {card.name} cards")
    return {"move": [Want(card), place, place], "shuffle": [place], "reveal": [Want(card)]}[target.name]


def _card_type(node: ast.Head, scope: Scope) -> types.CardType | None:
    for written in node.patterns:
        if isinstance(written, ast.Name) and written.id == "self":
            local = scope.local("self")
            if local is not None and isinstance(local.type, types.CardType):
                return local.type
        zone = _zone_named(written, scope)
        if zone is not None and zone.of is not None:
            return zone.of.type
    every = scope.cx.game.card_types
    return every[0].type if len(every) == 1 else None


def _zone_named(written: ast.Expr, scope: Scope) -> model.Zone | None:
    while isinstance(written, ast.Group | ast.Index):
        written = written.value if isinstance(written, ast.Group) else written.of
    if isinstance(written, ast.Name) and scope.local(written.id) is None:
        symbol = scope.names.find(written.id, "zone")
        if symbol is not None and isinstance(symbol.target, model.Zone):
            return symbol.target
    return None


# ── patterns ──


def _pattern(written: ast.Expr, want: Want, made: HeadMade, scope: Scope) -> model.Pattern | None:
    if isinstance(written, ast.Name):
        return _bare_name(written, want, made, scope)
    inner = ungrouped(written)
    if isinstance(made.target, model.BuiltinEvent):
        if made.target.name == "roll":
            return _dice(inner, scope)
        zone = _zone_named(inner, scope)
        if zone is not None and isinstance(inner, ast.Name | ast.Index):
            return _match_zone(inner, zone, want, scope)
    wanted = want.type.of if isinstance(want.type, types.Optional) else want.type
    if isinstance(inner, ast.Text) and isinstance(wanted, types.CardType):
        return _match_design(inner, wanted, want.type, made, scope)
    return _match(inner, want, scope)


def _match(written: ast.Expr, want: Want, scope: Scope) -> model.Match | None:
    """A value to be equal to; it may be none, then nothing matches."""
    found = expr(written, scope, want.type)
    fitting = fit(scope.cx, found, want.type)
    if fitting is None and not isinstance(want.type, types.Optional):
        fitting = fit(scope.cx, found, types.Optional(want.type))
    if fitting is None:
        mismatch(scope, written, found, want)
        return None
    return None if is_unknown(fitting.type) else model.Match(fitting)


def _bare_name(written: ast.Name, want: Want, made: HeadMade, scope: Scope) -> model.Pattern | None:
    name = written.id
    report = scope.cx.report
    if name == "_":
        return model.Ignore()
    local = scope.local(name)
    if (name in CARRIED and local is not None) or name in scope.values or scope.names.members(name):
        return _match(written, want, scope)
    if name in CARRIED:
        report.error("CG0207", f"`{name}` is known only in a card's abilities and in timings", written.span, "no card carries this")
        return None
    if local is not None:
        report.error(
            "CG0416",
            f"`{name}` is bound already",
            written.span,
            others=(Label(local.span, "here"),),
            hint=f"write `({name})` to match the same value again",
        )
        return None
    symbol = scope.names.find(name)
    if symbol is not None:
        advice = (
            f"write `({name})` to match it"
            if symbol.sort in ("zone", "variable", "option", "dice", "define")
            else "take another name"
        )
        report.error(
            "CG0416",
            f"`{name}` is already {symbol.a_sort}",
            written.span,
            "a bare name here binds the value",
            others=symbol.place,
            hint=advice,
        )
        return None
    if name[0].isupper():
        scope.unknown(name, written.span, "member of a kind", ("member",), locals_too=False)
        return None
    type_ = want.type
    if type_ == UNKNOWN and isinstance(made.target, model.BuiltinEvent):
        if made.target.name == "roll":
            report.error(
                "CG0416", "dice have no name of their own here", written.span, "write `_`, or the dice in brackets: `(pair)`"
            )
            return None
        report.error(
            "CG0306",
            "what cards this is about cannot be told",
            written.span,
            "there are several card types",
            hint="name one of the zones, such as `after move(c, _, (discard))`, or write `_`",
        )
    new = scope.declare(written, type_, what="binder")
    made.bound.append(new)
    return model.Bind(new)


def _dice(inner: ast.Expr, scope: Scope) -> model.Pattern | None:
    found = expr(inner, scope)
    if isinstance(found, model.DiceRef):
        return model.Match(found)
    if not is_unknown(found.type):
        scope.cx.report.error("CG0301", "`roll` is about dice", inner.span, f"this is {a(found.type)}")
    return None


def _match_zone(inner: ast.Name | ast.Index, zone: model.Zone, want: Want, scope: Scope) -> model.Pattern | None:
    index: ast.Expr = inner
    while isinstance(index, ast.Index):
        if isinstance(index.index, ast.Name) and not scope.knows(index.index.id):
            scope.cx.report.error(
                "CG0416",
                f"there is no `{index.index.id}` to match here",
                index.index.span,
                "an index matches, it does not bind",
                hint=f"write `({zone.name})` for any of them; whose it is, the card tells: `c.owner`",
            )
            return None
        index = index.of
    found = expr(inner, scope)
    if is_unknown(found.type):
        return None
    if not isinstance(want.type, types.ZoneType):
        if want.type != UNKNOWN:
            scope.cx.report.error("CG0301", f"{a(want.type)} is needed here, not a zone", inner.span, "this is a zone")
        return None
    assert isinstance(found, model.ZoneRef | model.ZoneFamily)
    if zone.of is not None and want.type.of != zone.of.type:
        scope.cx.report.error(
            "CG0316",
            f"`{zone.name}` never holds {want.type.of.name} cards",
            inner.span,
            f"it holds {zone.of.name} cards",
            others=(Label(zone.span, "declared here"),),
        )
        return None
    return model.MatchZone(zone, found.indexes)


def _match_design(text: ast.Text, card: types.CardType, type_: Type, made: HeadMade, scope: Scope) -> model.Pattern:
    """A quoted name matches every card of that name."""
    local = model.Local("card", type_, text.span)
    this = model.LocalRef(type=type_, span=text.span, local=local)
    made.also.append(model.Is(type=FLAG, span=text.span, left=this, right=design_name(text, card, scope), how="design"))
    return model.Bind(local)


def guard(made: HeadMade, written: ast.Expr | None, scope: Scope) -> model.Expr | None:
    """The `where` together with what the head itself asks."""
    found = condition(written, scope)
    for other in reversed(made.also):
        found = other if found is None else model.Binary(type=FLAG, span=other.span, op="and", left=other, right=found)
    return found


# ── attachments ──


@define
class Carrier:
    """The cards that carry an ability: their type, the designs, and the zones it works in (None: anywhere)."""

    card: model.CardType
    designs: tuple[model.Design, ...]
    zones: tuple[model.Zone, ...] | None
    text: str
    self_card: model.Local
    owner: model.Local


@define
class Place:
    """Where an attachment stands: its rank and its number there."""

    rank: Rank
    order: int


def carrier_scope(scope: Scope, carrier: Carrier) -> Scope:
    """The scope of an ability: `self` and `owner` are known."""
    inner = scope.inner()
    inner.locals = {"self": carrier.self_card, "owner": carrier.owner}
    return inner


def attach(node: ast.Attachment, scope: Scope, place: Place, carrier: Carrier | None) -> model.Attachment | None:
    """An attachment outside a card, or one line of a standing ability."""
    inner = scope.inner() if carrier is None else carrier_scope(scope, carrier)
    made = head(node.head, node.when, inner)
    if made is None:
        return None
    where = guard(made, node.where, inner)
    body: model.Block | None = None
    result: model.Expr | None = None
    inner = _within(made.target, node.when, inner)
    if not _right_sign(node, made.target, scope):
        return None
    if node.body is not None:
        body, _ = block(node.body, inner)
    elif node.value is not None and isinstance(made.target, model.Define):
        want = Want(made.target.result, f"`{made.target.name}` is {a(made.target.result)}", made.target.span)
        result = value(node.value, inner, want, f"`{made.target.name}`")
    text = node.text.plain or "" if node.text is not None else carrier.text if carrier is not None else ""
    attachment = model.Attachment(
        node.when, made.target, made.patterns, where, text, body, result, node.span, place.rank, place.order
    )
    return finish(attachment, carrier, inner)


def finish(attachment: model.Attachment, carrier: Carrier | None, scope: Scope) -> model.Attachment:
    """Note who carries it, and say so if the owner is asked for where there is none."""
    if carrier is None:
        return attachment
    attachment.carriers = carrier.designs
    attachment.zones = carrier.zones
    attachment.self_card = carrier.self_card
    if carrier.owner in scope.used or attachment.optional:
        attachment.owner_player = carrier.owner
        owner_exists(scope.cx, carrier, attachment.span)
    return attachment


def owner_exists(cx: Context, carrier: Carrier, span: Span) -> None:
    """`owner` is the player of the zone: the zones must have one."""
    if carrier.zones == ():
        return
    zones = carrier.zones or [z for z in cx.game.zones if z.of is carrier.card]
    without = [z for z in zones if PLAYER not in z.indexes and UNKNOWN not in z.indexes]
    if without and (carrier.zones is not None or len(without) == len(list(zones))):
        zone = without[0]
        cx.report.error(
            "CG0420",
            "nobody owns the card there",
            span,
            f"`owner` is the player of its zone, and `{zone.name}` belongs to no player",
            others=(Label(zone.span, "no `[player]` here"),),
        )


def _right_sign(node: ast.Attachment, target: Target, scope: Scope) -> bool:
    name = target.name
    if isinstance(target, model.Define) and node.value is None:
        scope.cx.report.error(
            "CG0418",
            f"`{name}` is a define: it has another value, written with `=`",
            node.head.span,
            others=(Label(target.span, "the define"),),
            hint=f"write `instead of {name}(…) = …`",
        )
        return False
    if not isinstance(target, model.Define) and node.value is not None:
        others = (Label(target.span, "the rule"),) if isinstance(target, model.Rule) else ()
        scope.cx.report.error(
            "CG0418",
            f"`{name}` is a rule: what happens instead is written after `:`",
            node.head.span,
            others=others,
            hint=f"write `instead of {name}(…): …`",
        )
        return False
    return True


def _within(target: Target, when: str, scope: Scope) -> Scope:
    """The scope of the body: what `proceed` and `return` mean there."""
    instead = when == "instead"
    rule = target if isinstance(target, model.Rule) and instead else None
    inner = scope.inner()
    inner.frame = Frame(
        rule=rule,
        returns=None if rule is None else rule.result,
        proceeds=target if instead else None,
        seats=scope.frame.seats,
    )
    return inner
