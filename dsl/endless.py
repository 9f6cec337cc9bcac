"""Warnings about rules that call themselves, directly or round some others, on every path: nothing in them ever stops that.

Only what is beyond doubt is told: calls that no condition, choice or loop stands around, in bodies where nothing before the call can
leave a rule or end the game.
"""

from __future__ import annotations

from attrs import Factory, define

from dsl import callgraph, model, walk
from dsl.callgraph import Callee, CallGraph, Unit
from dsl.diagnostics import Label, Report
from dsl.source import Span
from dsl.types import CardType


def find_endless(game: model.Game, report: Report) -> None:
    """Warn once for each circle."""
    graph = callgraph.build(game)
    search = _Search(graph, bool(game.endings))
    told: set[frozenset[int]] = set()
    starts: list[Callee] = [*game.rules, *model.BUILTIN_EVENTS.values()]
    for start in starts:
        circle = search.circle(start)
        members = frozenset(id(callee) for callee, _ in circle)
        if circle and members not in told:
            told.add(members)
            _tell(circle, report)


def _tell(circle: list[tuple[Callee, Span]], report: Report) -> None:
    names = [callee.name for callee, _ in circle]
    span = circle[-1][1]
    others = tuple(Label(at, f"and `{callee.name}` always runs from here") for callee, at in circle[:-1][::-1])
    again = names[-1]
    several = " and ".join(f"`{name}`" for name in names)
    title = f"`{again}` runs itself again and again" if len(names) == 1 else f"{several} run each other again and again"
    report.warn(
        "CG0913",
        title,
        span,
        f"this is always reached, and `{again}` begins anew",
        others=others,
        hint="let it run under an `if`; to do something many times write `while …:` or `repeat 3:`",
    )


@define(eq=False)
class _Search:
    """`may_stop`: the game has endings, which may stop it wherever something changes."""

    graph: CallGraph
    may_stop: bool
    _always: dict[int, list[tuple[Callee, Span]]] = Factory(dict)
    _leaving: dict[int, bool] = Factory(dict)

    def circle(self, start: Callee) -> list[tuple[Callee, Span]]:
        """The shortest way from a rule or event back to it: what is run, and where; empty if there is none."""
        ways: dict[int, list[tuple[Callee, Span]]] = {id(start): []}
        waiting: list[Callee] = [start]
        while waiting:
            callee = waiting.pop(0)
            for following, span in self.always(callee):
                way = [*ways[id(callee)], (following, span)]
                if following is start:
                    return way
                if id(following) not in ways:
                    ways[id(following)] = way
                    waiting.append(following)
        return []

    def always(self, callee: Callee) -> list[tuple[Callee, Span]]:
        """What runs whenever this does."""
        if id(callee) not in self._always:
            attached = self.graph.on(callee)
            units: list[Unit] = []
            if not any(a.when == "instead" for a in attached):
                units = [a for a in attached if _unguarded(a)]
                units += [callee] if isinstance(callee, model.Rule) else []
            self._always[id(callee)] = [call for unit in units for call in self.calls(unit)]
        return self._always[id(callee)]

    def calls(self, unit: Unit) -> list[tuple[Callee, Span]]:
        """What the body of a unit runs on every path, up to where it may be left."""
        found: list[tuple[Callee, Span]] = []
        for statement in [] if unit.body is None else unit.body.statements:
            callee = _runs(statement)
            if callee is not None:
                found.append((callee, statement.span))
            if self.may_leave(statement):
                break
        return found

    def may_leave(self, statement: model.Statement) -> bool:
        """Can what follows be passed over, or the game be over?"""
        if any(isinstance(inner, model.Return | model.End) for inner in walk.statements([model.Block(statements=(statement,))])):
            return True
        if self.may_stop and not isinstance(statement, model.CallRule):
            return True
        callees = callgraph.callees(model.Block(statements=(statement,)))
        return any(self.leaves(callee) for callee in callees)

    def leaves(self, callee: Callee) -> bool:
        """Does anything that runs in a call `end` a rule, or change something where an ending may see it?"""
        if id(callee) not in self._leaving:
            below = self.graph.called([callee])
            units = [unit for unit in self.graph.bodies if id(unit) in below]
            inside = [s for unit in units for s in walk.statements([unit.body])]
            self._leaving[id(callee)] = any(
                isinstance(s, model.End) or (self.may_stop and not isinstance(s, model.CallRule)) for s in inside
            )
        return self._leaving[id(callee)]


def _unguarded(attachment: model.Attachment) -> bool:
    return (
        attachment.when in ("before", "after")
        and attachment.carriers is None
        and attachment.where is None
        and all(isinstance(pattern, model.Bind | model.Ignore) for pattern in attachment.patterns)
    )


def _runs(statement: model.Statement) -> Callee | None:
    """The rule or event that a statement runs for certain."""
    match statement:
        case model.CallRule(rule=rule):
            return rule
        case model.Shuffle() | model.Roll():
            return model.BUILTIN_EVENTS[callgraph.VERBS[type(statement)]]
        case model.Move(cards=cards) if isinstance(cards.type, CardType):
            return model.BUILTIN_EVENTS["move"]
    return None
