"""Warnings: what is allowed and is probably not meant."""

from __future__ import annotations

from dsl import model, walk
from dsl.composition import Composition
from dsl.diagnostics import Report
from dsl.model import Attachment, Game


def lint(composition: Composition, game: Game, report: Report) -> None:
    """Look through a game that has no errors."""
    for attachment in game.attachments:
        _replaces_blindly(attachment, report)
        _unused_binders(attachment, report)
    for ending in game.endings:
        _unused_in(ending.patterns, [ending.condition], report)
    for invariant in game.invariants:
        _bare_count(invariant, report)


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


def _unused_binders(attachment: Attachment, report: Report) -> None:
    _unused_in(attachment.patterns, [attachment.where, attachment.body, attachment.value], report)


def _unused_in(patterns: tuple[model.Pattern, ...], parts: list[object], report: Report) -> None:
    """A name bound in a head that nothing uses."""
    used = {id(node.local) for node in walk.nodes(parts, patterns) if isinstance(node, model.LocalRef)}
    for pattern in patterns:
        if isinstance(pattern, model.Bind) and id(pattern.local) not in used:
            name = pattern.local.name
            report.warn("CG0902", f"`{name}` is not used", pattern.local.span, "write `_`")


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
