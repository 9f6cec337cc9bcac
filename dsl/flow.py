"""What can be told of the order in which things happen: passes over a checked game.

Defines never recur; a rule with a result gives one on every path; `setup` sets every variable that has no first value;
`end R` stands where R can be running. The call graph counts what is attached, abilities of cards included.
"""

from __future__ import annotations

from attrs import Factory, define

from dsl import assigned, callgraph, model, walk
from dsl.callgraph import CallGraph, Unit
from dsl.diagnostics import Label, Report
from dsl.model import Attachment, Define, Game, Rule
from dsl.source import Span


def check_flow(game: Game, report: Report) -> None:
    """Run all passes; what is wrong goes to `report`."""
    game = game.for_tests()
    graph = callgraph.build(game)
    acyclic(game, graph, report)
    results(game, report)
    ends(game, graph, report)
    assigned.first_values(game, graph, report)


# ── defines never recur ──


def acyclic(game: Game, graph: CallGraph, report: Report) -> None:
    """No define may need its own value; what is attached to a define counts, `proceed` apart."""
    calls = {id(d): graph.defines_in(d.value, [_parts(a) for a in graph.on(d)]) for d in game.defines}
    search = _Cycles(calls)
    for define_ in game.defines:
        cycle = search.from_(define_)
        if cycle is None:
            continue
        first, place = cycle[0]
        names = " → ".join(f"`{d.name}`" for d, _ in (*cycle, cycle[0]))
        others = tuple(Label(call.span, f"and `{d.name}` is asked here") for d, call in cycle[1:])
        report.error(
            "CG0550",
            f"`{first.name}` needs its own value" if len(cycle) == 1 else f"these defines need each other: {names}",
            place.span,
            f"`{first.name}` is asked here",
            others=(Label(first.span, "declared here"), *others),
            hint="a `define` never comes back to itself; let a rule do it step by step, or use `reach` on a board",
        )


def _parts(attachment: Attachment) -> list[object]:
    return [attachment.patterns, attachment.where, attachment.value]


@define(eq=False)
class _Cycles:
    """Depth-first search without recursion; each cycle is found once."""

    calls: dict[int, list[tuple[Define, model.Expr]]]
    _done: set[int] = Factory(set)

    def from_(self, start: Define) -> list[tuple[Define, model.Expr]] | None:
        """A cycle that can be reached: each define on it with the call that leads to it."""
        if id(start) in self._done:
            return None
        path: list[tuple[Define, model.Expr | None]] = [(start, None)]
        open_ids = {id(start)}
        pending = [list(self.calls.get(id(start), []))]
        found: list[tuple[Define, model.Expr]] | None = None
        while pending:
            if not pending[-1]:
                pending.pop()
                gone, _ = path.pop()
                open_ids.discard(id(gone))
                self._done.add(id(gone))
                continue
            callee, call = pending[-1].pop(0)
            if id(callee) in open_ids and found is None:
                at = next(i for i, (d, _) in enumerate(path) if d is callee)
                found = [(callee, call), *((d, c) for d, c in path[at + 1 :] if c is not None)]
            elif id(callee) not in self._done and id(callee) not in open_ids:
                path.append((callee, call))
                open_ids.add(id(callee))
                pending.append(list(self.calls.get(id(callee), [])))
        return found


# ── a result on every path ──


def results(game: Game, report: Report) -> None:
    """A rule with a result, and what replaces it, returns one on every path; and nothing follows where a path has ended."""
    for rule in game.rules:
        if rule.body is not None and rule.result is not None and not closed(rule.body):
            _no_result(rule.name, rule.body, rule.span, rule.span, report)
    for attachment in game.attachments:
        target = attachment.target
        if not isinstance(target, Rule) or target.result is None or attachment.when != "instead" or attachment.body is None:
            continue
        if not closed(attachment.body):
            _no_result(target.name, attachment.body, attachment.span, target.span, report)
    for block in _blocks(game):
        _unreachable(block, report)


def _no_result(name: str, body: model.Block, span: Span, declared: Span, report: Report) -> None:
    last = body.statements[-1] if body.statements else None
    report.error(
        "CG0551",
        f"`{name}` has a result, and not every path gives one",
        last.span if last is not None else span,
        "after this nothing is returned",
        others=(Label(declared, "declared with a result here"),),
        hint=_why_open(last),
    )


def _why_open(last: model.Statement | None) -> str:
    match last:
        case model.If(otherwise=None):
            return "when no condition holds, the rule goes on after the `if`: add `otherwise: return …`, or a `return` below"
        case model.Choose(otherwise=None):
            return "when there is nothing to choose, the block is skipped: add `otherwise: return …`, or a `return` below"
    return "add a `return …` at the end"


def closed(block: model.Block | None) -> bool:
    """Does every path through the block end in a `return`, an `end` or a loop without end?"""
    return block is not None and any(_closes(statement) for statement in block.statements)


def _closes(statement: model.Statement) -> bool:
    match statement:
        case model.Return() | model.End():
            return True
        case model.If(body=body, otherwise=otherwise):
            return closed(body) and closed(otherwise)
        case model.While(condition=model.Literal(value=True)):
            return True
        case model.Choose(what=model.Menu() as menu, otherwise=otherwise) as choose:
            always = not choose.optional and menu_never_empty(menu)
            return all(closed(line.body) for line in menu.lines) and (always or closed(otherwise))
        case model.Choose(body=body, otherwise=otherwise):
            return closed(body) and closed(otherwise)
        case model.MayDo(body=body, otherwise=otherwise):
            return closed(body) and closed(otherwise)
    return False


def menu_never_empty(menu: model.Menu) -> bool:
    """Has the menu a line that is always there?"""
    return any(line.binders is None and line.condition is None for line in menu.lines)


def _blocks(game: Game) -> list[model.Block]:
    roots = [rule.body for rule in game.rules] + [a.body for a in game.attachments]
    return [node for node in walk.nodes(roots) if isinstance(node, model.Block)]


def _unreachable(block: model.Block, report: Report) -> None:
    for before, after in zip(block.statements, block.statements[1:], strict=False):
        if _closes(before):
            report.warn(
                "CG0910",
                "this is never reached",
                after.span,
                others=(Label(before.span, "no path goes on after this"),),
                hint="remove it",
            )
            return


# ── `end R` ──


def ends(game: Game, graph: CallGraph, report: Report) -> None:
    """`end R` is an error where R is never running: not in R's body, nor in anything R's body can run."""
    played = graph.called([rule for rule in (game.setup, game.main) if rule is not None])
    below: dict[int, set[int]] = {}
    for unit in graph.bodies:
        for statement in walk.statements([unit.body]):
            if not isinstance(statement, model.End) or id(unit) not in played:
                continue
            rule = statement.rule
            if id(rule) not in below:
                below[id(rule)] = graph.below([rule])
            if id(unit) not in below[id(rule)]:
                _not_running(unit, rule, statement, report)


def _not_running(unit: Unit, rule: Rule, statement: model.End, report: Report) -> None:
    attached = isinstance(unit, Attachment) and unit.target is rule
    report.error(
        "CG0553",
        f"`{rule.name}` is never running here",
        statement.span,
        "nothing to end",
        others=(Label(rule.span, f"`{rule.name}`, which does not lead here"),),
        hint="what is attached to a rule is not inside it: only what its `proceed` runs is" if attached else None,
    )
