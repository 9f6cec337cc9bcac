"""Warnings: what is allowed and is probably not meant."""

from __future__ import annotations

from dsl import model, walk
from dsl.choosers import check_choosers
from dsl.diagnostics import Label, Report
from dsl.endless import find_endless
from dsl.guards import check_guards
from dsl.model import Attachment, Game
from dsl.source import Span


def lint(game: Game, report: Report) -> None:
    """Look through a game that has no errors."""
    for attachment in game.attachments:
        _replaces_blindly(attachment, report)
    _unused_in_heads(game, report)
    for invariant in game.invariants:
        _bare_count(invariant, report)
    for body in [*(rule.body for rule in game.rules), *(attachment.body for attachment in game.attachments)]:
        _tells_secrets(body, report)
    check_guards(game, report)
    find_endless(game, report)
    check_choosers(game, report)


def _replaces_blindly(attachment: Attachment, report: Report) -> None:
    """`instead of` outside a card with neither `where` nor `proceed`."""
    outside = attachment.when == "instead" and attachment.carriers is None and attachment.where is None
    if not outside or any(isinstance(p, model.Match | model.MatchZone) for p in attachment.patterns):
        return
    inside = walk.nodes(attachment.body, attachment.value)
    if any(isinstance(node, model.Proceed | model.ProceedStatement) for node in inside):
        return
    target = attachment.target
    if isinstance(target, model.BuiltinEvent):
        return
    word = "define" if isinstance(target, model.Define) else "rule"
    report.warn(
        "CG0901",
        f"this replaces `{target.name}` always, and what hangs on it no longer happens",
        attachment.span,
        "neither `where` nor `proceed`",
        hint=f"to give `{target.name}` another text, write `change {word} {target.name}(…)`: what is attached to it then stays",
    )


def _unused_in_heads(game: Game, report: Report) -> None:
    """Names bound in a head that nothing uses; the head of a timing, or of an ability on many cards, counts once for all."""
    bound: dict[Span, str] = {}
    used: set[Span] = set()
    heads: list[tuple[tuple[model.Pattern, ...], list[object]]] = [
        (a.patterns, [a.where, a.body, a.value]) for a in game.attachments
    ]
    heads += [(ending.patterns, [ending.condition]) for ending in game.endings]
    for patterns, parts in heads:
        locals_ = {id(node.local) for node in walk.nodes(parts, patterns) if isinstance(node, model.LocalRef)}
        for pattern in patterns:
            if isinstance(pattern, model.Bind):
                bound[pattern.local.span] = pattern.local.name
                used |= {pattern.local.span} if id(pattern.local) in locals_ else set()
    for span, name in bound.items():
        if span not in used:
            report.warn("CG0902", f"`{name}` is not used", span, "write `_`")


def _bare_count(invariant: model.Invariant, report: Report) -> None:
    """`count(…) is 52`: every variant that adds a card breaks it."""
    value = invariant.value
    if not isinstance(value, model.Is):
        return
    sides = (value.left, value.right)
    counted = any(
        (isinstance(s, model.Query) and s.how == "count") or (isinstance(s, model.Property) and s.name == "size") for s in sides
    )
    if counted and any(isinstance(side, model.Literal) for side in sides):
        report.warn(
            "CG0903",
            "a number that a variant may change",
            invariant.span,
            hint="a variant that adds or removes a card breaks this; compare with what the file declares, or say what must never be",
        )


# ── what all may see, set from what nobody may see ──


def _tells_secrets(body: model.Block | None, report: Report) -> None:
    """A plain variable set from the faces in a hidden zone or from a hidden variable, with nothing revealed before."""
    for block in walk.nodes(body):
        if not isinstance(block, model.Block):
            continue
        for statement in block.statements:
            if isinstance(statement, model.Reveal):
                break
            if not isinstance(statement, model.SetVar) or statement.variable.visibility != "open":
                continue
            secret = _secret(statement.value)
            if secret is not None:
                name, place = secret
                report.warn(
                    "CG0906",
                    f"everybody sees `{statement.variable.name}`, and nobody may see what is in `{name.name}`",
                    place.span,
                    "this gives it away",
                    others=(Label(name.span, f"`{name.name}` is hidden"), Label(statement.variable.span, "all know this one")),
                    hint=f"write `hidden var {statement.variable.name}`, or `reveal` the card first",
                )


def _secret(value: model.Expr) -> tuple[model.Declared, model.Expr] | None:
    """The hidden thing whose face or value the expression depends on, with the place."""
    drawn: dict[int, model.Declared] = {}
    for node in walk.nodes(value):
        if isinstance(node, model.VarRef | model.VarFamily) and node.variable.visibility == "hidden":
            return node.variable, node
        if isinstance(node, model.Binding):
            zone = _hidden_zone(node.source, drawn)
            if zone is not None:
                drawn[id(node.local)] = zone
    for node in walk.nodes(value):
        match node:
            case model.Attribute(of=card) | model.Property(of=card, name="name") | model.Is(left=card, how="design"):
                zone = _hidden_zone(card, drawn)
            case model.IsIn(left=card, designs=True):
                zone = _hidden_zone(card, drawn)
            case _:
                continue
        if zone is not None:
            return zone, node
    return None


def _hidden_zone(cards: model.Expr, drawn: dict[int, model.Declared]) -> model.Declared | None:
    """The hidden zone that an expression takes its cards from."""
    match cards:
        case model.ZoneRef(zone=zone) | model.ZoneFamily(zone=zone):
            return zone if zone.visibility == "hidden" else None
        case model.CardsIn(zone=inner):
            return _hidden_zone(inner, drawn)
        case model.Property(of=inner, name="top" | "bottom" | "first" | "last") | model.ItemOf(of=inner):
            return _hidden_zone(inner, drawn)
        case model.LocalRef(local=local):
            return drawn.get(id(local))
        case model.Query(how="list" | "lowest" | "highest", value=value, binders=binders):
            return _hidden_zone(binders.bindings[0].source if value is None else value, drawn)
    return None
