"""Blocks: how a body that may stop is cut up.

A block is a Python function `b{pc}(S, f)` that runs to the next stop. It ends by setting the frame's `pc` and returning: to go on
elsewhere, to wait for a rule it called (whose frame now lies on top), or for an answer (`S.options` is set, and it returns
True). Only what contains a stop is cut up; all else is straight code.
"""

from __future__ import annotations

import ast

from interpreter.compile.costs import Costs
from interpreter.compile.expressions import Function
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.compile.statements import Statements
from interpreter.compile.straight import Straightener, goes_to
from interpreter.lower.asking import blocks_of
from interpreter.program import CodeInfo, Node, Program


class Blocks(Statements):
    """Gives blocks their numbers and writes them; `written` collects the functions."""

    def __init__(self, program: Program, observed: bool, costs: Costs | None = None) -> None:
        super().__init__(program, observed, costs)
        self.written: list[PyStmt] = []
        self.pcs: list[tuple[CodeInfo, int, int]] = []
        """of each block its code, the rule whose own body it is (-1 if of none), and its place"""
        self.aliases: dict[int, int] = {}
        """blocks that do nothing but go on at another"""
        self.code: CodeInfo | None = None
        self.pc = -1
        self.out: list[PyStmt] = []
        self.dead = False
        self.target_rule = -1
        """the rule whose chain is being written"""

    # ── blocks ──

    def new_pc(self) -> int:
        assert self.code is not None
        self.pcs.append((self.code, self.rule, self.at))
        return len(self.pcs) - 1

    def framed_body(self, code: CodeInfo, nodes: tuple[Node, ...], rule: int, result: PyExpr | None = None) -> int:
        """Write a body as blocks; returns the first one's number. `result`: what the body gives if it runs out."""
        self.code, self.rule = code, rule
        proceed = self.function.proceed
        self.function = Function(framed=True, proceed=proceed)
        first = self.new_pc()
        self.open(first)
        self.sequence(nodes)
        if not self.dead:
            self.out += self.leave(result)
        self.close()
        return first

    def open(self, pc: int) -> None:
        self.pc, self.out, self.dead = pc, [], False

    def close(self) -> None:
        body = self.prologue() + self.out
        target = only_goes_on(self.out)
        if target is not None:
            self.aliases[self.pc] = target
        self.written.append(self.define(f"b{self.pc}", ["S", "f"], body))
        self.function.used.clear()

    def go(self, pc: int) -> list[PyStmt]:
        """Go on at another block."""
        return [self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(pc)), self.returns()]

    def jump(self, pc: int) -> None:
        if not self.dead:
            self.out += self.go(pc)
            self.dead = True

    def straighten(self, entries: dict[str, int]) -> None:
        """Let blocks go straight on to others. `entries`: the first blocks of rules, by the name of the function that calls one."""
        found = {
            int(function.name[1:]): function
            for function in self.written
            if isinstance(function, ast.FunctionDef) and function.name[0] == "b" and function.name[1:].isdigit()
        }
        ends = {pc: end_of(pc, self.aliases) for pc in self.aliases}
        Straightener(found, ends, entries).run_all()

    def start(self, pc: int) -> None:
        """End the block being written (it has gone somewhere) and begin this one."""
        self.jump(pc)
        self.close()
        self.open(pc)

    def call_and_wait(self, call: PyExpr) -> None:
        """Call something that may put frames on the stack, and go on in a new block when they are gone."""
        after = self.new_pc()
        self.out += [
            self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(after)),
            self.run(call),
            self.returns(),
        ]
        self.dead = True
        self.start(after)

    def next_of(self, list_: int, place: int, after: int) -> None:
        """`_element` becomes the next of the list, or we go on after the loop."""
        self.out += [
            self.assign(self.target("_i"), self.local(place)),
            self.when(self.compare(ast.GtE(), self.name("_i"), self.call("len", self.local(list_))), self.go(after)),
            self.assign(self.local_target(place), self.binary(ast.Add(), self.name("_i"), self.const(1))),
            self.assign(self.target("_element"), self.item(self.local(list_), self.name("_i"))),
        ]

    # ── what stops ──

    def stops(self, node: Node) -> bool:
        op = node[0]
        if op == "call_rule":
            return self.program.rules[node[2]].framed
        if op == "proceed_rule":
            return True
        if op == "choose":
            site = self.program.sites[node[2]]
            if site.subject is not None or site.each is not None:
                return True
        if op in ("abilities",):
            return True
        if op == "attached":
            return self.program.attachments[node[2]].framed
        if op == "attached_cards":
            numbers = self.program.rules[node[2]].chain.cards[node[3]]
            return any(self.program.attachments[a].framed for a in numbers)
        if op == "body":
            return self.body_framed(node[2])
        return any(self.stops(inner) for block in blocks_of(node) for inner in block or ())

    def body_framed(self, rule: int) -> bool:
        return self.program.rules[rule].body_framed

    def attachment(self, number: int) -> str:
        """The function that runs an attachment of the rule whose chain is being written."""
        return f"a{number}_{self.target_rule}"

    def sequence(self, nodes: tuple[Node, ...] | None) -> None:
        for node in nodes or ():
            if self.dead:
                return
            outer, self.at = self.at, node[1]
            if self.stops(node):
                getattr(self, f"step_{node[0]}")(*node[2:])
            else:
                self.out += getattr(self, f"do_{node[0]}")(*node[2:])
                self.dead = node[0] in ("return", "end")
            self.at = outer

    def result(self) -> PyExpr:
        return self.attribute(self.name("S"), "result")


def only_goes_on(body: list[PyStmt]) -> int | None:
    """The block that these statements do nothing but go on at."""
    return goes_to(body[0]) if len(body) == 2 and isinstance(body[1], ast.Return) else None


def end_of(pc: int, aliases: dict[int, int]) -> int:
    """Where a block goes on in the end, through blocks that do nothing else (a ring of them is left to run out of steps)."""
    seen = {pc}
    while pc in aliases and aliases[pc] not in seen:
        pc = aliases[pc]
        seen.add(pc)
    return pc
