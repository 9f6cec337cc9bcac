"""Definite assignment: variables without a first value are set on every path of `setup`."""

from __future__ import annotations

from attrs import Factory, define

from dsl import model
from dsl.callgraph import CallGraph
from dsl.diagnostics import Label, Report
from dsl.model import Attachment, BuiltinEvent, Game, Rule, Variable

Set = frozenset[int]
"""Ids of the variables that are certainly set."""


def first_values(game: Game, graph: CallGraph, report: Report) -> None:
    """An error for each variable without a value that `setup` may leave unset; of a family, all must be set (in a loop over all
    its indexes)."""
    unset = [v for v in game.variables if v.value is None]
    if not unset or game.main is None:
        return
    certain = _Assigned(graph, frozenset(id(v) for v in unset)).by_setup(game.setup)
    for variable in unset:
        if id(variable) in certain:
            continue
        label = "nothing sets it" if game.setup is None else "a path through `setup` leaves it unset"
        report.error(
            "CG0552",
            f"`{variable.name}` may have no value when the game begins",
            variable.span,
            label,
            others=() if game.setup is None else (Label(game.setup.span, "`setup`"),),
            hint="give it a first value with `=`, or set it on every path of `setup`"
            + (" for all its indexes, in a loop like `for p in players:`" if variable.indexes else ""),
        )


@define(eq=False)
class _Assigned:
    """The greatest solution: a rule that calls itself is taken to set everything while it is looked at, then looked at again."""

    graph: CallGraph
    everything: Set
    of_rule: dict[int, Set] = Factory(dict)
    _asked: dict[int, Rule] = Factory(dict)
    _exits: list[list[Set]] = Factory(list)
    _running: list[Rule | BuiltinEvent] = Factory(list)

    def by_setup(self, setup: Rule | None) -> Set:
        if setup is None:
            return frozenset()
        self.call(setup)
        changed = True
        while changed:
            changed = False
            known = len(self._asked)
            for rule in list(self._asked.values()):
                new = self.whole(rule) & self.of_rule[id(rule)]
                if new != self.of_rule[id(rule)]:
                    self.of_rule[id(rule)] = new
                    changed = True
            changed = changed or len(self._asked) > known
        return self.of_rule[id(setup)]

    def call(self, rule: Rule) -> Set:
        """What a call of the rule certainly sets, as far as it is known."""
        if id(rule) not in self.of_rule:
            self.of_rule[id(rule)] = self.everything
            self._asked[id(rule)] = rule
        return self.of_rule[id(rule)]

    def whole(self, rule: Rule) -> Set:
        """The event with what is always done around it, or what may replace it."""
        event = self.body(rule.body, rule, frozenset())
        for attachment in self.graph.on(rule):
            if attachment.when != "instead" and _always(attachment):
                event |= self.body(attachment.body, rule, frozenset())
        for attachment in self.graph.on(rule):
            if attachment.when == "instead":
                instead = self.body(attachment.body, rule, event)
                event = instead if _always(attachment) else event & instead
        return event

    def body(self, block: model.Block | None, rule: Rule, proceed: Set) -> Set:
        self._exits.append([])
        self._running.append(rule)
        end = self.block(block, frozenset(), proceed)
        for exit_ in self._exits.pop():
            end &= exit_
        self._running.pop()
        return end

    def block(self, block: model.Block | None, before: Set, proceed: Set) -> Set:
        """What is set after the block; everything if it is never left."""
        for statement in block.statements if block is not None else ():
            before = self.statement(statement, before, proceed)
        return before

    def statement(self, statement: model.Statement, before: Set, proceed: Set) -> Set:
        match statement:
            case model.SetVar(variable=variable):
                return self.set(before, variable)
            case model.CallRule(rule=rule, into=into):
                after = before | self.call(rule)
                return self.set(after, into.variable) if isinstance(into, model.VarRef) else after
            case model.ProceedStatement(into=into):
                after = before | proceed
                return self.set(after, into.variable) if isinstance(into, model.VarRef) else after
            case model.Return():
                self._exits[-1].append(before)
                return self.everything
            case model.End(rule=rule):
                if rule is self._running[-1]:
                    self._exits[-1].append(before)
                return self.everything
            case model.If(body=body, otherwise=otherwise):
                return self.block(body, before, proceed) & self.block(otherwise, before, proceed)
            case model.While(condition=condition, body=body):
                after = self.block(body, before, proceed)
                return self.everything if isinstance(condition, model.Literal) and condition.value is True else before & after
            case model.For(binders=binders, body=body):
                after = self.block(body, before, proceed)
                return after if never_empty(binders) else before & after
            case model.Repeat(count=count, body=body):
                after = self.block(body, before, proceed)
                some = isinstance(count, model.Literal) and isinstance(count.value, int) and count.value > 0
                return after if some else before & after
            case model.Choose():
                return self.choose(statement, before, proceed)
            case model.MayDo(body=body, otherwise=otherwise):
                return self.block(body, before, proceed) & self.block(otherwise, before, proceed)
        return before

    def choose(self, choose: model.Choose, before: Set, proceed: Set) -> Set:
        match choose.what:
            case model.Menu(lines=lines):
                asked = any(line.binders is None and line.condition is None for line in lines)
                bodies = [line.body for line in lines]
            case model.PickOne(binders=binders):
                asked, bodies = never_empty(binders), [choose.body]
            case model.PickSeveral(source=source):
                asked, bodies = _never_empty_list(source), [choose.body]
        if isinstance(choose.subject, model.EachPlayer):
            asked = asked and _never_empty_list(choose.subject.source)
        after = self.everything
        for body in bodies:
            after &= self.block(body, before, proceed)
        return after if asked and not choose.optional else after & self.block(choose.otherwise, before, proceed)

    def set(self, before: Set, variable: Variable) -> Set:
        return before | ({id(variable)} & self.everything)


def never_empty(binders: model.Binders) -> bool:
    """Do the binders certainly have a combination?"""
    return binders.where is None and all(_never_empty_list(binding.source) for binding in binders.bindings)


def _never_empty_list(source: model.Expr) -> bool:
    match source:
        case model.Builtin(name="players" | "seats" | "turn_order"):
            return True
        case model.Members(kind=kind):
            return bool(kind.members)
        case model.Spaces(board=board):
            return bool(board.spaces)
        case model.Items(items=items):
            return bool(items)
        case model.Numbers(low=model.Literal(value=int(low)), high=model.Literal(value=int(high))):
            return low <= high
    return False


def _always(attachment: Attachment) -> bool:
    """Does it take part in every call?"""
    plain = all(isinstance(pattern, model.Bind | model.Ignore) for pattern in attachment.patterns)
    return plain and attachment.where is None and attachment.carriers is None and not attachment.optional
