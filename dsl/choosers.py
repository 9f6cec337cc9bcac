"""Warnings about choices in which a player picks among the private cards of everybody: most likely an index was forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import model, walk
from dsl.diagnostics import Label, Report
from dsl.types import PLAYER


def check_choosers(game: model.Game, report: Report) -> None:
    """`p chooses c in hand` where `hand[p]` is meant. Silent if the condition asks whose card it is."""
    for statement in walk.statements([*(rule.body for rule in game.rules), *(a.body for a in game.attachments)]):
        if isinstance(statement, model.Choose) and not isinstance(statement.subject, model.ByChance):
            for source, conditions in _sources(statement.what):
                zone = _everybodys(source)
                if zone is not None and not _asks_whose(conditions):
                    _tell(statement, source, zone, report)


def _sources(what: model.PickOne | model.PickSeveral | model.Menu) -> Iterator[tuple[model.Expr, list[object]]]:
    """What is chosen from, each with the conditions on it."""
    match what:
        case model.PickOne(binders=binders):
            for binding in binders.bindings:
                yield binding.source, [binders.where]
        case model.PickSeveral(source=source):
            yield source, [source]
        case model.Menu(lines=lines):
            for line in lines:
                for binding in () if line.binders is None else line.binders.bindings:
                    yield binding.source, [line.condition, line.binders and line.binders.where]


def _everybodys(source: model.Expr) -> model.Zone | None:
    """The private family that a source is all of, over all players."""
    match source:
        case model.CardsIn(zone=inner):
            return _everybodys(inner)
        case model.ZoneFamily(zone=zone, indexes=indexes) if zone.visibility == "private":
            return zone if PLAYER in zone.indexes[len(indexes) :] else None
        case model.Query(how="list", value=None | model.LocalRef(), binders=binders):
            return _everybodys(binders.bindings[0].source)
    return None


def _asks_whose(conditions: list[object]) -> bool:
    return any(isinstance(node, model.Property) and node.name in ("owner", "zone") for node in walk.nodes(conditions))


def _tell(choose: model.Choose, source: model.Expr, zone: model.Zone, report: Report) -> None:
    subject = choose.subject.local if isinstance(choose.subject, model.EachPlayer) else choose.subject
    name = subject.name if isinstance(subject, model.Local) else subject.local.name if isinstance(subject, model.LocalRef) else "p"
    report.warn(
        "CG0914",
        f"`{name}` chooses among the cards of everybody, which only their owners see",
        source.span,
        f"did you mean `{zone.name}[{name}]`?",
        others=(Label(zone.span, "private to each player"),),
        hint=f"if the cards of others are meant, say so: `q in players, c in {zone.name}[q]`",
    )
