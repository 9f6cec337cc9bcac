"""Who runs whom: rules, what is attached to them, and the events that verbs raise."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define

from dsl import model, walk
from dsl.model import BUILTIN_EVENTS, Attachment, BuiltinEvent, Define, Game, Rule

Callee = Rule | BuiltinEvent
Unit = Rule | Attachment
"""A body of statements: a rule's own, or that of an attachment."""

VERBS: dict[type[model.Statement], str] = {
    model.Move: "move",
    model.Deal: "move",
    model.Shuffle: "shuffle",
    model.Reveal: "reveal",
    model.Roll: "roll",
    model.Eliminate: "eliminate",
}


@define(eq=False)
class CallGraph:
    """`attached` lists what hangs on each rule, define or event; `runs` what the statements of a unit call; both in text order."""

    attached: dict[int, list[Attachment]] = Factory(dict)
    runs: dict[int, list[Callee]] = Factory(dict)
    scoring: list[model.ScoreLine] = Factory(list)
    bodies: list[Unit] = Factory(list)
    """all units of the game"""

    def on(self, target: Rule | Define | BuiltinEvent) -> list[Attachment]:
        return self.attached.get(id(target), [])

    def units(self, callee: Callee) -> list[Unit]:
        """What may run when this is called: the attachments, and the rule's own body."""
        own: list[Unit] = [callee] if isinstance(callee, Rule) else []
        return [*self.on(callee), *own]

    def below(self, starts: Iterable[Unit]) -> set[int]:
        """The ids of the units that run while these do, themselves included."""
        waiting = list(starts)
        found = {id(unit) for unit in waiting}
        while waiting:
            for callee in self.runs.get(id(waiting.pop()), []):
                for unit in self.units(callee):
                    if id(unit) not in found:
                        found.add(id(unit))
                        waiting.append(unit)
        return found

    def called(self, callees: Iterable[Callee]) -> set[int]:
        """The ids of the units that run when these are called."""
        return self.below([unit for callee in callees for unit in self.units(callee)])

    def defines_in(self, *parts: object) -> list[tuple[Define, model.Expr]]:
        """The defines that expressions call, each with a place; those of the scoring where `score` is asked."""
        found: list[tuple[Define, model.Expr]] = []
        scored = False
        waiting: list[object] = [*parts]
        while waiting:
            for node in walk.nodes(waiting.pop(0)):
                if isinstance(node, model.CallDefine):
                    found.append((node.define, node))
                elif isinstance(node, model.Builtin) and node.name == "score" and not scored:
                    scored = True
                    waiting += self.scoring
        return found


def build(game: Game) -> CallGraph:
    """The graph of a game, attachments of cards included."""
    graph = CallGraph(scoring=[line for scoring in game.scoring for line in scoring.lines])
    graph.bodies += [*game.rules, *(a for a in game.attachments if not isinstance(a.target, Define))]
    for attachment in game.attachments:
        graph.attached.setdefault(id(attachment.target), []).append(attachment)
    for rule in game.rules:
        graph.runs[id(rule)] = callees(rule.body, rule)
    for attachment in game.attachments:
        target = attachment.target
        if not isinstance(target, Define):
            graph.runs[id(attachment)] = callees(attachment.body, target)
    return graph


def callees(body: model.Block | None, target: Callee | None = None) -> list[Callee]:
    """What some statements call; `target` is what `proceed` runs."""
    found: list[Callee] = []
    for statement in walk.statements([body]):
        match statement:
            case model.CallRule(rule=rule):
                found.append(rule)
            case model.ProceedStatement() if target is not None:
                found.append(target)
            case _ if type(statement) in VERBS:
                found.append(BUILTIN_EVENTS[VERBS[type(statement)]])
    return found
