"""What code may run before `setup` has set every variable: only there is it worth asking whether one has a value."""

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
        found.add_rule(program.setup)
        return found

    def add_rule(self, number: int) -> None:
        if number in self.rules:
            return
        self.rules.add(number)
        rule = self.program.rules[number]
        for attachment in attached_to(self.program, rule):
            self.add_attachment(attachment)
        self.add_body(rule.code.body)

    def add_attachment(self, number: int) -> None:
        if number not in self.attachments:
            self.attachments.add(number)
            info = self.program.attachments[number]
            self.add_values((info.condition, info.code.value))
            self.add_body(info.code.body)

    def add_body(self, body: tuple[Node, ...]) -> None:
        for node in statements(body):
            if node[0] == "call_rule":
                self.add_rule(node[2])
            if node[0] == "choose":
                site = self.program.sites[node[2]]
                lines = [(line.label, line.binders, line.condition) for line in site.lines]
                self.add_values((site.prompt, site.subject, site.each, site.several, lines))
        self.add_values(body)

    def add_values(self, values: object) -> None:
        for number in called_defines(values):
            if number not in self.defines:
                self.defines.add(number)
                info = self.program.defines[number]
                self.add_values(info.code.value)
                for attachment in (a for numbers in (info.chain.instead, *info.chain.cards.values()) for a in numbers):
                    if attachment is not None:
                        self.add_attachment(attachment)


def called_defines(node: object) -> set[int]:
    """The defines an expression calls."""
    if not isinstance(node, tuple | list):
        return set()
    found = {node[2]} if len(node) == 4 and node[0] == "call" and isinstance(node[2], int) else set()
    for part in node:
        found |= called_defines(part)
    return found
