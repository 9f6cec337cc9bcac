"""What code may run before `setup` has set every variable: only there is it worth asking whether one has a value.

(Dice are another matter: they may be read before any throw, long after `setup`.)"""

from __future__ import annotations

from attrs import Factory, define

from interpreter.lower.asking import attached_to, statements
from interpreter.program import Node, Program


@define
class EarlyCode:
    """What may run before the game begins: `setup`, what it calls and what attaches to that."""

    program: Program
    rules: set[int] = Factory(set)
    attachments: set[int] = Factory(set)
    defines: set[int] = Factory(set)

    @staticmethod
    def of(program: Program) -> EarlyCode:
        found = EarlyCode(program)
        waiting: list[tuple[set[int], int]] = [(found.rules, program.setup)]
        while waiting:
            kind, number = waiting.pop()
            if number in kind:
                continue
            kind.add(number)
            if kind is found.rules:
                rule = program.rules[number]
                waiting += [(found.attachments, a) for a in attached_to(program, rule)]
                waiting += found.used_in(rule.code.body)
            elif kind is found.attachments:
                info = program.attachments[number]
                waiting += found.used((info.condition, info.code.value)) + found.used_in(info.code.body)
            else:
                chain = program.defines[number].chain
                waiting += found.used(program.defines[number].code.value)
                waiting += [
                    (found.attachments, a) for numbers in (chain.instead, *chain.cards.values()) for a in numbers if a is not None
                ]
        return found

    def used(self, values: object) -> list[tuple[set[int], int]]:
        """The defines that values call."""
        return [(self.defines, number) for number in called_defines(values)]

    def used_in(self, body: tuple[Node, ...]) -> list[tuple[set[int], int]]:
        """The rules and defines that a body calls."""
        found = self.used(body)
        for node in statements(body):
            if node[0] == "call_rule":
                found.append((self.rules, node[2]))
            if node[0] == "choose":
                site = self.program.sites[node[2]]
                lines = tuple((line.label, line.binders, line.condition) for line in site.lines)
                found += self.used((site.prompt, site.subject, site.each, site.several, lines))
        return found


def called_defines(node: object) -> set[int]:
    """The defines an expression calls."""
    if not isinstance(node, tuple):
        return set()
    found = {node[2]} if len(node) == 4 and node[0] == "call" and isinstance(node[2], int) else set()
    for part in node:
        found |= called_defines(part)
    return found
