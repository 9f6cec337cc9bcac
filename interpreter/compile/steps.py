"""Code that may stop: a body as blocks, each a Python function `b{pc}(S, f)` that runs to the next stop.

A block ends by setting the frame's `pc` and returning: to go on elsewhere, to wait for a rule it called (whose frame now lies on
top), or for an answer (`S.options` is set, and it returns True). Only what contains a stop is cut up; all else is straight code.
"""

from __future__ import annotations

import ast

from interpreter.compile.expressions import Function
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.compile.statements import Statements
from interpreter.lower.asking import blocks_of
from interpreter.program import CodeInfo, Node, Program, Site


class Steps(Statements):
    """Cuts bodies into blocks. `new_pc` gives numbers to blocks; `written` collects the functions."""

    def __init__(self, program: Program, observed: bool) -> None:
        super().__init__(program, observed)
        self.written: list[PyStmt] = []
        self.pcs: list[tuple[CodeInfo, int, int]] = []
        """of each block its code, the rule whose own body it is (-1 if of none), and its place"""
        self.heads: set[int] = set()
        """blocks that begin a turn of a loop"""
        self.resumes: set[int] = set()
        """blocks entered with an answer, a result or a call"""
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
        self.resumes.add(first)
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

    def straighten(self) -> None:
        """Blocks entered with an answer, a result or a call go straight on to the next turn of a loop, which saves a round through the
        machine. Heads themselves always return to it, so calls never pile up."""
        for function in self.written:
            if isinstance(function, ast.FunctionDef) and function.name[0] == "b" and function.name[1:].isdigit():
                pc = int(function.name[1:])
                if pc in self.resumes and pc not in self.heads:
                    function.body = self._straightened(function.body)

    def _straightened(self, body: list[PyStmt]) -> list[PyStmt]:
        made: list[PyStmt] = []
        for statement in body:
            if isinstance(statement, ast.If):
                statement.body = self._straightened(statement.body)
                statement.orelse = self._straightened(statement.orelse)
            made.append(statement)
            target = only_goes_on(made[-2:])
            if target is not None:
                head = end_of(target, self.aliases)
                if head in self.heads:
                    self.at = statement.lineno - 1
                    made[-2:] = [self.returns(self.call(f"b{head}", self.name("S"), self.name("f")))]
        return made

    def start(self, pc: int) -> None:
        """End the block being written (it has gone somewhere) and begin this one."""
        self.jump(pc)
        self.close()
        self.open(pc)

    def call_and_wait(self, call: PyExpr) -> None:
        """Call something that may put frames on the stack, and go on in a new block when they are gone."""
        after = self.new_pc()
        self.resumes.add(after)
        self.out += [
            self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(after)),
            self.run(call),
            self.returns(),
        ]
        self.dead = True
        self.start(after)

    # ── statements that stop ──

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
        self.heads.add(head)
        self.start(head)
        self.out += [self.run(self.method("S", "tick")), self.when(self.negated(self.expr(condition)), self.go(after))]
        self.sequence(body)
        self.jump(head)
        self.start(after)

    def step_repeat(self, count: Node, body: tuple[Node, ...], hidden: int) -> None:
        head, after = self.new_pc(), self.new_pc()
        self.heads.add(head)
        self.out.append(self.assign(self.local_target(hidden), self.expr(count)))
        self.start(head)
        left = self.local(hidden)
        self.out += [
            self.run(self.method("S", "tick")),
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
        elements = self.call("tuple", self.elements(binders, condition, cells))
        head, after = self.new_pc(), self.new_pc()
        self.heads.add(head)
        self.out += [self.assign(self.local_target(list_), elements), self.assign(self.local_target(place), self.const(0))]
        self.start(head)
        self.next_of(list_, place, after)
        element = self.name("_element")
        if len(binders) == 1:
            self.out.append(self.assign(self.local_target(binders[0][0]), element))
        else:
            self.out.append(self.assign(self.store_tuple([self.local_target(n) for n, _ in binders]), element))
        self.sequence(body)
        self.jump(head)
        self.start(after)

    def next_of(self, list_: int, place: int, after: int) -> None:
        """`_element` becomes the next of the list, or we go on after the loop."""
        self.out += [
            self.assign(self.target("_i"), self.local(place)),
            self.when(self.compare(ast.GtE(), self.name("_i"), self.call("len", self.local(list_))), self.go(after)),
            self.assign(self.local_target(place), self.binary(ast.Add(), self.name("_i"), self.const(1))),
            self.assign(self.target("_element"), self.item(self.local(list_), self.name("_i"))),
        ]

    # ── choices ──

    def write_options(self, site: Site) -> None:
        """`o{site}(S, f, p)`: the options of a choice, as often as asked, from the frame."""
        outer = self.function
        self.function = Function(framed=True)
        if site.kind == "several":
            h = site.hidden
            value = self.call(
                "several_options", self.name("S"), self.const(site.number), self.name("p"), *map(self.local, (h + 3, h + 4, h + 5))
            )
        else:
            value = self.options(site)
            if not site.plain:
                value = self.call("offered", self.name("S"), self.const(site.number), self.name("p"), value)
            if site.optional:
                value = self.call("with_decline", value)
        self.written.append(self.define(f"o{site.number}", ["S", "f", "p"], [*self.prologue(), self.returns(value)]))
        self.function = outer

    def ask(self, site: Site, player: PyExpr, resume: int, nothing: int) -> None:
        """Ask, going on at `resume` with the answer; at `nothing` if there is nothing to choose."""
        self.resumes.add(resume)
        if self.observed:
            call = self.call(
                "ask", self.name("S"), self.name("f"), self.const(site.number), player, self.const(resume), self.const(nothing)
            )
            self.out.append(self.returns(call))
        else:  # the same, written out
            p, options = self.name("_p"), self.name("_options")
            asking = [
                self.assign(self.target("_options"), self.call(f"o{site.number}", self.name("S"), self.name("f"), p)),
                self.when(options, [
                    self.assign(self.item(self.name("f"), self.const(0), store=True), self.const(resume)),
                    self.assign(self.state_target("options"), options),
                    self.assign(self.state_target("asked"), p),
                    self.assign(self.state_target("site"), self.const(site.number)),
                    self.returns(self.const(True)),
                ]),
            ]  # fmt: skip
            live = self.attribute(self.name("S"), "live")
            self.out += [
                self.assign(self.target("_p"), player),
                self.when(self.compare(ast.In(), p, live), asking),
                *self.go(nothing),
            ]
        self.dead = True

    def state_target(self, name: str) -> PyExpr:
        return self._place(ast.Attribute(self.name("S"), name, ast.Store()))  # type: ignore[no-any-return]

    def step_choose(
        self, number: int, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], otherwise: tuple[Node, ...] | None
    ) -> None:
        site = self.program.sites[number]
        if site.subject is not None or site.each is not None:
            self.write_options(site)
        nothing, after = self.new_pc(), self.new_pc()
        if site.each is not None:
            self._each(site, body, lines, nothing, after)
        elif site.subject is None:
            self._by_chance(site, body, lines, nothing, after)
        else:
            resume = self.new_pc()
            if site.kind == "several":
                self._ask_several(site, self.expr(site.subject), resume, nothing)
            else:
                self.ask(site, self.expr(site.subject), resume, nothing)
                self.close()
                self.open(resume)
            self._chosen(site, body, lines, nothing, after)
        self.start(nothing)
        self.sequence(otherwise)
        self.start(after)

    def _chosen(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], nothing: int, after: int
    ) -> None:
        """What follows an answer: `S.answer` is a value, or the choice was declined."""
        answer = self.attribute(self.name("S"), "answer")
        asked = self.attribute(self.name("S"), "asked")
        if site.optional and site.kind != "several":
            self.out.append(self.when(self.compare(ast.Is(), answer, self.name("DECLINE")), self.go(nothing)))
        self._run_chosen(site, answer, asked, body, lines, after)

    def _run_chosen(
        self,
        site: Site,
        answer: PyExpr,
        player: PyExpr,
        body: tuple[Node, ...] | None,
        lines: tuple[tuple[Node, ...], ...],
        after: int,
    ) -> None:
        who = site.hidden
        if self.observed:
            self.out.append(self.assign(self.local_target(who), player))
        done = self.note("done", self.const(site.number), self.local(who))
        if site.kind != "menu":
            self.out += self.bind(site, answer)
            self.sequence(body)
            if not self.dead:
                self.out += done
            self.jump(after)
            return
        self.out.append(self.assign(self.target("_answer"), answer))
        starts = [self.new_pc() for _ in lines]
        for number, pc in enumerate(starts):
            test = self.compare(ast.Eq(), self.item(self.name("_answer"), self.const(0)), self.const(number))
            values = self.item(self.name("_answer"), self.const(1))
            self.out.append(self.when(test, self.bind(site, values, number) + self.go(pc)))
        self.out.append(self.returns())
        self.dead = True
        for line, pc in zip(lines, starts, strict=True):
            self.close()
            self.open(pc)
            self.sequence(line)
            if not self.dead:
                self.out += done
            self.jump(after)

    def _ask_several(self, site: Site, player: PyExpr, resume: int, nothing: int) -> None:
        """Picks one after another; afterwards `S.answer` is the tuple of them."""
        assert site.several is not None
        h = site.hidden
        self.out += [self.assign(self.local_target(h + 1), player)]
        self.out += self._candidates(site)
        self.out.append(self.when(self.negated(self.local(h + 3)), self.go(nothing)))
        turn, taken = self.new_pc(), self.new_pc()
        self.start(turn)
        self.ask(site, self.local(h + 1), taken, resume)
        self.close()
        self.open(taken)
        self.out += [self.run(self.call("take_pick", self.name("S"), self.name("f"), self.const(h + 5)))]
        declined = self.compare(ast.Is(), self.attribute(self.name("S"), "answer"), self.name("DECLINE"))
        self.out.append(self.when(declined, self.go(resume)))
        self.jump(turn)
        self.close()
        self.open(resume)
        self.out.append(self.assign(self.state_target("answer"), self.local(h + 4)))
        if site.optional:  # nothing was taken: declined
            nothing_taken = self.negated(self.attribute(self.name("S"), "answer"))
            self.out.append(self.when(nothing_taken, self.go(nothing)))

    def _candidates(self, site: Site) -> list[PyStmt]:
        """What can be picked, nothing picked yet, and how many may be."""
        assert site.several is not None
        h = site.hidden
        least, most, _, source = site.several
        low: PyExpr = self.expr(least)
        limits = self.call("limits", low, self.expr(most), self.call("len", self.local(h + 3)), self.const(site.optional))
        return [
            self.assign(self.local_target(h + 3), self.call("tuple", self.source(source))),
            self.assign(self.local_target(h + 4), self.const(())),
            self.assign(self.local_target(h + 5), limits),
        ]

    def _by_chance(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], nothing: int, after: int
    ) -> None:
        self.out.append(self.assign(self.target("_values"), self.options(site)))
        self.out.append(self.when(self.negated(self.name("_values")), self.go(nothing)))
        if site.kind == "several":
            assert site.several is not None
            pick = self.call(
                "pick_several", self.name("S"), self.const(site.number), self.name("_values"), *self.many(site.several[:2])
            )
        else:
            pick = self.call("pick_one", self.name("S"), self.const(site.number), self.name("_values"))
        self.out.append(self.assign(self.target("_picked"), pick))
        self._run_chosen(site, self.name("_picked"), self.const(None), body, lines, after)

    def _each(
        self, site: Site, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], nothing: int, after: int
    ) -> None:
        """Everybody answers in turn, the answers kept in the frame; then the blocks run in seat order."""
        assert site.each is not None
        h = site.hidden
        each, source = site.each
        players, place, answers = h, h + 1, h + 2
        self.out += [
            self.assign(self.local_target(players), self.call("asked_together", self.name("S"), self.source(source))),
            self.assign(self.local_target(place), self.const(0)),
            self.assign(self.local_target(answers), self.const(())),
        ]
        ask, answered, given, run, next_ = (self.new_pc() for _ in range(5))
        self.start(ask)
        self.out += [
            self.assign(self.target("_i"), self.local(place)),
            self.when(self.compare(ast.GtE(), self.name("_i"), self.call("len", self.local(players))), self.go(run)),
            self.assign(self.local_target(each), self.item(self.local(players), self.name("_i"))),
        ]
        if site.kind == "several":
            self.out += self._candidates(site)
            turn, taken = self.new_pc(), self.new_pc()
            self.start(turn)
            self.ask(site, self.local(each), taken, answered)
            self.close()
            self.open(taken)
            self.out += [self.run(self.call("take_pick", self.name("S"), self.name("f"), self.const(h + 5)))]
            declined = self.compare(ast.Is(), self.attribute(self.name("S"), "answer"), self.name("DECLINE"))
            self.out.append(self.when(declined, self.go(answered)))
            self.jump(turn)
            self.close()
            self.open(answered)
            self.out.append(self.assign(self.state_target("answer"), self.local(h + 4)))
            self.jump(given)
        else:
            self.ask(site, self.local(each), given, answered)
            self.close()
            self.open(answered)  # nothing to choose
            self.out.append(self.assign(self.state_target("answer"), self.const(None)))
            self.jump(given)
        self.start(given)
        answer = self.tuple_([self.attribute(self.name("S"), "answer")])
        self.out += [
            self.assign(self.local_target(answers), self.binary(ast.Add(), self.local(answers), answer)),
            self.assign(self.local_target(place), self.binary(ast.Add(), self.local(place), self.const(1))),
        ]
        self.jump(ask)
        self.start(run)
        self.out += [self.run(self.call("reveal_answers", self.name("S"), self.name("f"), self.const(site.number), self.const(h)))]
        self.start(next_)
        self.next_of(answers, place, after)
        self.out.append(self.assign(self.local_target(each), self.item(self.local(players), self.name("_i"))))
        element = self.name("_element")
        self.out.append(self.when(self.call("no_answer", self.name("S"), element, self.local(each)), self.go(next_)))
        self.out += self.note("choose", self.local(each), self.const(site.number), element, self.const(False))
        self._run_each(site, element, each, body, lines, next_)

    def _run_each(
        self, site: Site, answer: PyExpr, each: int, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], next_: int
    ) -> None:
        done = self.note("done", self.const(site.number), self.local(each))
        if site.kind != "menu":
            self.out += self.bind(site, answer)
            self.sequence(body)
            if not self.dead:
                self.out += done
            self.jump(next_)
            return
        starts = [self.new_pc() for _ in lines]
        for number, pc in enumerate(starts):
            test = self.compare(ast.Eq(), self.item(answer, self.const(0)), self.const(number))
            self.out.append(self.when(test, self.bind(site, self.item(answer, self.const(1)), number) + self.go(pc)))
        self.out.append(self.returns())
        self.dead = True
        for line, pc in zip(lines, starts, strict=True):
            self.close()
            self.open(pc)
            self.sequence(line)
            if not self.dead:
                self.out += done
            self.jump(next_)

    # ── around a body ──

    def step_body(self, number: int) -> None:
        assert self.code is not None
        self.call_and_wait(self.call(f"body{number}", self.name("S"), *self.arguments(self.code)))
        self.out.append(self.assign(self.local_target(self.code.params), self.result()))

    def do_body(self, number: int) -> list[PyStmt]:
        assert self.code is not None
        value = self.call(f"body{number}", self.name("S"), *self.arguments(self.code))
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


def only_goes_on(body: list[PyStmt]) -> int | None:
    """The block that these statements do nothing but go on at."""
    if len(body) == 2 and isinstance(body[0], ast.Assign) and isinstance(body[1], ast.Return):
        target, value = body[0].targets[0], body[0].value
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and isinstance(value, ast.Constant):
            return value.value if target.slice.value == 0 and isinstance(value.value, int) else None
    return None


def end_of(pc: int, aliases: dict[int, int]) -> int:
    """Where a block goes on in the end, through blocks that do nothing else (a ring of them is left to run out of steps)."""
    seen = {pc}
    while pc in aliases and aliases[pc] not in seen:
        pc = aliases[pc]
        seen.add(pc)
    return pc
