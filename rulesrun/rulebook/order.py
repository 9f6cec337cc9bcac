"""In which order a rulebook tells rules and values: each where it is first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import Factory, define

from dsl import model, walk


@define
class Order:
    """`told` are the rules in the order in which play comes to them; `with_rule` the values each is the first to use."""

    game: model.Game
    told: list[model.Rule] = Factory(list)
    with_rule: dict[int, list[model.Define]] = Factory(dict)
    seen: set[int] = Factory(set)

    def rules(self, *starts: model.Rule | None) -> list[model.Rule]:
        """The rules that these need and nobody has needed before, themselves first."""
        found: list[model.Rule] = []
        if self.game.winners is not None:
            self.seen.add(id(self.game.winners))
        waiting = [rule for rule in starts if rule is not None]
        while waiting:
            rule = waiting.pop(0)
            if id(rule) in self.seen:
                continue
            self.seen.add(id(rule))
            found.append(rule)
            roots = [rule.body, *self.parts(rule)]
            self.with_rule[id(rule)] = self.defines(roots)
            called = list(rules_in(roots))
            for value in self.with_rule[id(rule)]:
                called += [a.target for a in self.hanging(value) if isinstance(a.target, model.Rule)]
            waiting = called + waiting
        self.told += found
        return found

    def parts(self, target: object) -> list[object]:
        parts: list[object] = []
        for attachment in self.hanging(target):
            parts += [attachment.where, attachment.body, attachment.value]
        return parts

    def hanging(self, target: object) -> list[model.Attachment]:
        """What hangs on a rule or a value, cards' abilities apart."""
        return [a for a in self.game.attachments if a.target is target and a.carriers is None]

    def defines(self, roots: Iterable[object]) -> list[model.Define]:
        """The values that these mention, and those that they need, each once and the first time only."""
        found: list[model.Define] = []
        waiting = list(defines_in(roots))
        while waiting:
            value = waiting.pop(0)
            if id(value) in self.seen:
                continue
            self.seen.add(id(value))
            found.append(value)
            waiting = [*defines_in([value.value, *self.parts(value)]), *waiting]
        return found


def rules_in(roots: Iterable[object]) -> Iterator[model.Rule]:
    for node in walk.nodes(*roots):
        if isinstance(node, model.CallRule):
            yield node.rule


def defines_in(roots: Iterable[object]) -> Iterator[model.Define]:
    for node in walk.nodes(*roots):
        if isinstance(node, model.CallDefine):
            yield node.define
