"""Statements that stop, as blocks: calls of rules that may ask, loops around them, and what runs around a rule's body."""

from __future__ import annotations

import ast

from interpreter.compile.choices import Choices
from interpreter.compile.filters import is_true
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.program import Node


class Steps(Choices):
    """Writes every statement that can stop."""

    def step_call_rule(self, number: int, arguments: tuple[Node, ...], into: Node | None) -> None:
        self.call_and_wait(self.call(f"r{number}", self.name("S"), *self.many(arguments)))
        if into is not None:
            self.out += self.store(into, self.result())

    def step_proceed_rule(self, arguments: tuple[Node, ...], into: Node | None) -> None:
        assert self.function.proceed is not None
        self.call_and_wait(self.function.proceed(self.many(arguments)))
        if into is not None:
            self.out += self.store(into, self.result())

    def step_if(self, condition: Node, body: tuple[Node, ...], otherwise: tuple[Node, ...] | None) -> None:
        other, after = self.new_pc(), self.new_pc()
        self.out.append(self.when(self.negated(self.expr(condition)), self.go(other)))
        self.sequence(body)
        self.jump(after)
        self.start(other)
        self.sequence(otherwise)
        self.start(after)

    def step_while(self, condition: Node, body: tuple[Node, ...]) -> None:
        head, after = self.new_pc(), self.new_pc()
        self.start(head)
        self.out += [*self.turn(body, condition), self.when(self.negated(self.expr(condition)), self.go(after))]
        self.sequence(body)
        self.jump(head)
        self.start(after)

    def step_repeat(self, count: Node, body: tuple[Node, ...], hidden: int) -> None:
        head, after = self.new_pc(), self.new_pc()
        self.out.append(self.assign(self.local_target(hidden), self.expr(count)))
        self.start(head)
        left = self.local(hidden)
        self.out += [
            *self.turn(body),
            self.when(self.compare(ast.LtE(), left, self.const(0)), self.go(after)),
            self.assign(self.local_target(hidden), self.binary(ast.Sub(), left, self.const(1))),
        ]
        self.sequence(body)
        self.jump(head)
        self.start(after)

    def step_for(
        self, binders: tuple[tuple[int, Node], ...], condition: Node | None, cells: tuple[int, ...], body: tuple[Node, ...],
        list_: int, place: int,
    ) -> None:  # fmt: skip
        elements = self.call("tuple", self.name("_elements"))
        if len(binders) == 1 and not is_true(condition):
            self.out += self.gathered("_elements", binders[0], condition, cells)
        else:
            elements = self.call("tuple", self.elements(binders, condition, cells))
        head, after = self.new_pc(), self.new_pc()
        self.out += [self.assign(self.local_target(list_), elements), self.assign(self.local_target(place), self.const(0))]
        self.start(head)
        self.next_of(list_, place, after)
        element = self.name("_element")
        if len(binders) == 1:
            self.out.append(self.assign(self.local_target(binders[0][0]), element))
        else:
            self.out.append(self.assign(self.store_tuple([self.local_target(n) for n, _ in binders]), element))
        self.out += self.weight(body)
        self.sequence(body)
        self.jump(head)
        self.start(after)

    # ── around a body ──

    def step_body(self, number: int) -> None:
        assert self.code is not None
        self.call_and_wait(self.call(f"body{number}", self.name("S"), *self.arguments(self.code)))
        self.out.append(self.assign(self.local_target(self.code.params), self.result()))

    def do_body(self, number: int) -> list[PyStmt]:
        assert self.code is not None
        name = f"body{number}_" if self.program.rules[number].framed else f"body{number}"  # the one that returns its result
        value = self.call(name, self.name("S"), *self.arguments(self.code))
        return [self.assign(self.local_target(self.code.params), value)]

    def step_attached(self, number: int) -> None:
        assert self.code is not None
        info = self.program.attachments[number]
        if info.condition is not None:
            after = self.new_pc()
            test = self.call(f"c{number}", self.name("S"), *self.arguments(self.code))
            self.out.append(self.when(self.negated(test), self.go(after)))
            self.call_and_wait(self.call(self.attachment(number), self.name("S"), *self.arguments(self.code)))
            self.start(after)
        else:
            self.call_and_wait(self.call(self.attachment(number), self.name("S"), *self.arguments(self.code)))

    def do_attached(self, number: int) -> list[PyStmt]:
        assert self.code is not None
        info = self.program.attachments[number]
        run = self.run(self.call(self.attachment(number), self.name("S"), *self.arguments(self.code)))
        if info.condition is None:
            return [run]
        return [self.when(self.call(f"c{number}", self.name("S"), *self.arguments(self.code)), [run])]

    def group(self, number: int, when: str) -> PyExpr:
        return self.name(f"G{number}_{when.replace(' ', '_')}")

    def _found(self, number: int, when: str) -> PyExpr:
        assert self.code is not None
        return self.call("found", self.name("S"), self.group(number, when), self.tuple_(self.arguments(self.code)))

    def step_attached_cards(self, number: int, when: str, list_: int, place: int) -> None:
        assert self.code is not None
        head, after = self.new_pc(), self.new_pc()
        self.out += [
            self.assign(self.local_target(list_), self._found(number, when)),
            self.assign(self.local_target(place), self.const(0)),
        ]
        self.start(head)
        self.next_of(list_, place, after)
        self.out += [
            self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(head)),
            self.run(
                self.call(
                    "run_carried",
                    self.name("S"),
                    self.group(number, when),
                    self.name("_element"),
                    self.tuple_(self.arguments(self.code)),
                )
            ),
            self.returns(),
        ]
        self.dead = True
        self.start(after)

    def do_attached_cards(self, number: int, when: str, list_: int, place: int) -> list[PyStmt]:
        assert self.code is not None
        run = self.call(
            "run_carried", self.name("S"), self.group(number, when), self.name("_element"), self.tuple_(self.arguments(self.code))
        )
        return [self.each(self.target("_element"), self._found(number, when), [self.run(run)])]

    def step_abilities(self, number: int, site: int, when: str, players: int, used: int) -> None:
        """One menu for each player of what he may use now, until he has enough."""
        assert self.code is not None
        head, taken, after = self.new_pc(), self.new_pc(), self.new_pc()
        arguments = self.tuple_(self.arguments(self.code))
        group = self.group(number, f"{when} optional")
        self.out += [
            self.assign(self.local_target(players), self.call("ability_order", self.name("S"))),
            self.assign(self.local_target(used), self.const(())),
        ]
        self.start(head)
        ask = self.call(
            "ask_abilities", self.name("S"), self.name("f"), self.const(site), group, arguments,
            self.const(players + 1), self.const(used + 1), self.const(taken), self.const(after),
        )  # fmt: skip
        self.out.append(self.returns(ask))
        self.dead = True
        self.close()
        self.open(taken)
        self.out += [
            self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(head)),
            self.run(
                self.call(
                    "use_ability", self.name("S"), self.name("f"), group, arguments, self.const(players + 1), self.const(used + 1)
                )
            ),
            self.returns(),
        ]
        self.dead = True
        self.start(after)
