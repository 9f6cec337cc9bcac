"""The whole program as one Python module: defines, rules, attachments, endings, scoring."""

from __future__ import annotations

import ast
from collections.abc import Callable

from dsl.types import Optional
from interpreter.compile.costs import MUCH, Costs
from interpreter.compile.early import EarlyCode
from interpreter.compile.expressions import Function
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.compile.steps import Steps
from interpreter.offers import Group
from interpreter.program import AttachmentInfo, CodeInfo, Node, Program, RuleInfo
from interpreter.state import PLAYING

Proceed = Callable[[list[PyExpr]], PyExpr]


class Module(Steps):
    """Writes every function of a program into `written`, and collects the groups of card attachments. `costs`: those of the program, if
    they have been worked out."""

    def __init__(self, program: Program, observed: bool, costs: Costs | None = None) -> None:
        super().__init__(program, observed, costs)
        self.groups: dict[str, Group] = {}
        self.group_rest: dict[str, str | None] = {}
        """of each group the function that goes on after it"""
        self.group_owner: dict[str, str] = {}
        """of each group the end of the names of the functions in it"""
        self.judged_pcs: dict[int, int] = {}
        """blocks that judge endings when a call is over, and the rule called"""
        self.ability_sites: dict[int, tuple[str, int, int, int]] = {}
        self.entries: dict[str, int] = {}
        """the first blocks of rules to which nothing attaches, by the functions that call them"""

    def write(self) -> ast.Module:
        early = None if self.observed else EarlyCode.of(self.program)
        for number in range(len(self.program.defines)):
            self.early = early is None or number in early.defines
            self.write_define(number)
        for number, info in enumerate(self.program.attachments):
            self.early = early is None or number in early.attachments
            self.write_condition(number, info)
        for number, rule in enumerate(self.program.rules):
            self.early = early is None or number in early.rules
            self.write_rule(number, rule)
        self.early = early is None
        for number, ending in enumerate(self.program.endings):
            self.write_value(f"e{number}", ending.code)
        for number, (_, code) in enumerate(self.program.invariants):
            self.write_value(f"i{number}", code)
        for number, claim in self.program.properties.items():
            self.write_value(f"p{number}", claim.code)
        self.early = True
        for number, (_, code) in enumerate(self.program.initial_code):
            self.write_value(f"n{number}", code)
        self.early = early is None
        for number, line in enumerate(self.program.scoring):
            self.write_value(f"s{number}", line.code)
            if line.condition is not None:
                self.write_value(f"sc{number}", line.condition)
        self.write_score()
        if not self.observed:
            self.straighten(self.entries)
        return ast.Module(self.written, [])

    # ── values ──

    def names(self, count: int) -> list[str]:
        return [f"v{number}" for number in range(count)]

    def direct(self, name: str, parameters: list[str], body: list[PyStmt]) -> None:
        """A function from statements made with the present `self.function`."""
        self.written.append(self.define(name, ["S", *parameters], self.prologue() + body))

    def value_body(self, node: Node) -> list[PyStmt]:
        """Statements that return a value: cases become ifs, lets assignments."""
        outer, self.at = self.at, node[1]
        if node[0] == "choice":
            made = [self.when(self.expr(node[2]), self.value_body(node[3])), *self.value_body(node[4])]
        elif node[0] == "let":
            made = [self.assign(self.local_target(node[2]), self.expr(node[3])), *self.value_body(node[4])]
        else:
            made = [self.returns(self.expr(node))]
        self.at = outer
        return made

    def write_value(self, name: str, code: CodeInfo) -> None:
        self.at = code.place
        self.function = Function(framed=False)
        assert code.value is not None
        self.direct(name, self.names(code.params), self.value_body(code.value))

    def write_score(self) -> None:
        self.function = Function(framed=False)
        total: PyExpr = self.const(0)
        for number, line in enumerate(self.program.scoring):
            value = self.call(f"s{number}", self.name("S"), self.name("v0"))
            if line.condition is not None:
                value = self.choice(self.call(f"sc{number}", self.name("S"), self.name("v0")), value, self.const(0))
            total = self.binary(ast.Add(), total, value)
        if len(self.program.scoring) > 1:
            total = self.call("fits", total)
        self.direct("score", ["v0"], [self.returns(total)])

    def write_define(self, number: int) -> None:
        """`d{n}`: the chain of what attaches, then the value; `d{n}_{i}` enters the chain at place i."""
        info = self.program.defines[number]
        params = info.code.params
        arguments = [self.name(name) for name in self.names(params)]
        chain = info.chain.instead

        def entry(place: int) -> str:
            return f"d{number}_{place}" if place else f"d{number}"

        for place, attachment in enumerate(chain):
            self.function = Function(framed=False)
            rest = entry(place + 1)
            if attachment is None:
                self.write_group(f"D{number}_instead", number, info.chain.cards["instead"], "instead", rest, on_define=True)
                entering = self.entered(self.costs.define(number, place))
                entering += self.enter_group(f"D{number}_instead", rest, arguments, info.code)
                self.direct(entry(place), self.names(params), entering)
                continue
            attached = self.program.attachments[attachment]
            self.at = attached.place
            self.function.proceed = lambda given, rest=rest: self.call(rest, self.name("S"), *given)
            assert attached.code.value is not None
            body = self.value_body(attached.code.value)
            if attached.condition is not None:
                test = self.expr(attached.condition)
                body = [self.when(test, body), self.returns(self.call(rest, self.name("S"), *arguments))]
            self.direct(entry(place), self.names(params), self.entered(self.costs.define(number, place)) + body)
        self.at = info.code.place
        self.function = Function(framed=False)
        assert info.code.value is not None
        body = self.entered(self.costs.define(number, len(chain))) + self.value_body(info.code.value)
        self.direct(entry(len(chain)), self.names(params), body)

    def write_condition(self, number: int, info: AttachmentInfo) -> None:
        """`c{a}(S, arguments…, self, owner)`: does it apply?"""
        if info.condition is None:
            return
        self.at = info.place
        self.function = Function(framed=False)
        count = info.arguments + (2 if info.carriers is not None else 0)
        self.direct(f"c{number}", self.names(count), self.value_body(info.condition))

    def write_group(
        self, name: str, owner: int, numbers: tuple[int, ...], when: str, rest: str | None, *, on_define: bool, framed: bool = False
    ) -> None:
        """A group of card attachments, and the functions that run them."""
        self.groups[name] = Group(numbers, when, self.program.attachments, framed=framed)
        self.group_rest[name] = rest
        self.group_owner[name] = f"D{owner}" if on_define else str(owner)
        for number in numbers:
            info = self.program.attachments[number]
            self.at = info.place
            if on_define:
                self.function = Function(framed=False)
                arguments = [f"v{i}" for i in range(info.code.params)]
                self.function.proceed = self.proceed_in_group(name, info)
                assert info.code.value is not None
                self.direct(f"a{number}_D{owner}", arguments, self.value_body(info.code.value))
            else:
                self.write_attachment(number, owner, self.proceed_in_group(name, info) if when == "instead" else None)

    def enter_group(self, name: str, rest: str, arguments: list[PyExpr], code: CodeInfo) -> list[PyStmt]:
        """Find the cards of the group that may apply, if there can be any, and go on with the rest of the chain if there is none."""
        group = self.groups[name]
        go_on = self.returns(self.call(rest, self.name("S"), *arguments))
        look = [
            self.assign(self.target("_found"), self.call("found", self.name("S"), self.name(name), self.tuple_(list(arguments)))),
            self.when(
                self.name("_found"),
                [
                    self.returns(
                        self.call(
                            "instead_carried",
                            self.name("S"),
                            self.name(name),
                            self.name("_found"),
                            self.const(0),
                            self.tuple_(list(arguments)),
                        )
                    )
                ],
            ),
        ]
        if len(group.by_argument) == 1 and not group.by_design:  # all of them name the same argument as `self`
            argument, carried = group.by_argument[0]
            face = self.item(self.alias("F"), arguments[argument])
            carries = self.compare(ast.In(), face, self.constant(tuple(sorted(carried))))
            if isinstance(code.local_types[argument], Optional):
                carries = self.both(ast.And(), self.compare(ast.IsNot(), arguments[argument], self.const(None)), carries)
            return [self.when(carries, look), go_on]
        return [*look, go_on]

    def proceed_in_group(self, name: str, info: AttachmentInfo) -> Proceed:
        """What `proceed` is in an attachment carried by a card: the candidates after it, then the rest of the chain."""
        first = info.arguments + 2

        def proceed(given: list[PyExpr]) -> PyExpr:
            before = self.tuple_([self.local(number) for number in range(info.arguments)])
            return self.call(
                "proceed_carried",
                self.name("S"),
                self.name(name),
                self.local(first),
                self.local(first + 1),
                before,
                self.tuple_(given),
            )

        return proceed

    # ── rules ──

    def write_attachment(self, number: int, rule: int, proceed: Proceed | None) -> None:
        """`a{a}_{rule}`: runs an attachment of a rule, or puts its frame on the stack."""
        info = self.program.attachments[number]
        code = info.code
        self.at = info.place
        self.function = Function(framed=info.framed, proceed=proceed)
        name = f"a{number}_{rule}"
        self.rule = -1
        self.code = code
        if info.framed:
            first = self.framed_body(code, code.body, -1)
            self.written.append(self.push(name, code, first, [self.not_too_deep()]))
            return
        self.direct(name, self.names(code.params), self.block(code.body))

    def not_too_deep(self) -> PyStmt:
        return self.run(self.call("not_too_deep", self.name("S")))

    def push(self, name: str, code: CodeInfo, first: int, before: list[PyStmt] | None = None) -> PyStmt:
        """A function that puts a frame on the stack."""
        parameters = self.names(code.params)
        empty = [self.const(None) for _ in range(code.locals - code.params)]
        frame = self.list_([self.const(first), *(self.name(p) for p in parameters), *empty])
        stack = self.attribute(self.attribute(self.name("S"), "stack"), "append")
        return self.define(name, ["S", *parameters], [*(before or []), self.run(self.call(stack, frame))])

    def write_rule(self, number: int, rule: RuleInfo) -> None:
        """`r{n}` calls the rule: endings judged after it, the `instead` chain, what runs around the body, the body `body{n}`."""
        self.target_rule = number
        self.at = rule.code.place
        params = self.names(rule.code.params)
        arguments = [self.name(p) for p in params]
        self.write_body(number, rule)
        if rule.around is not None:
            self.write_around(number, rule, rule.around)
        chain = rule.chain.instead
        final = f"body{number}" if rule.around is None else f"around{number}"

        def entry(place: int) -> str:
            return f"r{number}" if not place and not rule.judged else f"r{number}_{place}"

        for place, attachment in enumerate(chain):
            rest = entry(place + 1) if place + 1 < len(chain) else final
            if attachment is None:
                group = f"G{number}_instead"
                self.write_group(group, number, rule.chain.cards["instead"], "instead", rest, on_define=False, framed=rule.framed)
                self.function = Function(framed=False)
                entering = self.entered(self.costs.rule(number, place)) + self.enter_group(group, rest, arguments, rule.code)
                self.direct(entry(place), params, entering)
                continue
            attached = self.program.attachments[attachment]
            self.write_attachment(
                attachment,
                number,
                lambda given, rest=rest: self.call(rest, self.name("S"), *given),  # type: ignore[misc]
            )
            self.at = attached.place
            self.function = Function(framed=False)
            body = self.taken_over(attachment, attached, number, rule, arguments)
            if attached.condition is not None:
                test = self.call(f"c{attachment}", self.name("S"), *arguments)
                body = [self.when(test, body), self.returns(self.call(rest, self.name("S"), *arguments))]
            self.direct(entry(place), params, self.entered(self.costs.rule(number, place)) + body)
        self.at = rule.code.place
        if rule.judged:
            self.write_judged(number, rule, entry(0) if chain else final)
        elif not chain:
            self.written.append(self.assign(self.target(f"r{number}"), self.name(final)))

    def taken_over(
        self, number: int, info: AttachmentInfo, rule_number: int, rule: RuleInfo, arguments: list[PyExpr]
    ) -> list[PyStmt]:
        """An `instead of` runs in place of the rule."""
        made: list[PyStmt] = []
        if self.observed and info.text:
            made += self.note("ability", self.const(number), self.const(None), self.const(None))
        call = self.call(f"a{number}_{rule_number}", self.name("S"), *arguments)
        if rule.framed and not info.framed:
            return [*made, self.assign(self.state_target("result"), call), self.returns()]
        return [*made, self.returns(call)]

    def write_body(self, number: int, rule: RuleInfo) -> None:
        code = rule.code
        name = f"body{number}"
        self.code = code
        if rule.body_framed:
            first = self.framed_body(code, code.body, number)
            if not rule.chain.instead and rule.around is None and not rule.judged:
                self.entries[f"r{number}"] = first
            before = self.entered(self.costs.block(code.body), MUCH // 4)
            if rule.recursive:
                before.append(self.not_too_deep())
            self.function = Function(framed=False)
            if number == self.program.main:
                before.append(self.phase_is(PLAYING))
            before += self.note("enter", self.const(number), self.tuple_([self.name(p) for p in self.names(code.params)]))
            self.written.append(self.push(name, code, first, before))
            return
        self.rule = number
        self.function = Function(framed=False)
        body = self.entered(self.costs.block(code.body), MUCH // 2) + self.block(code.body)
        if not rule.framed:
            self.direct(name, self.names(code.params), body)
            return
        self.direct(f"{name}_", self.names(code.params), body)  # a step, called where a frame might have been
        value = self.call(f"{name}_", self.name("S"), *(self.name(p) for p in self.names(code.params)))
        self.function = Function(framed=False)
        self.direct(name, self.names(code.params), [self.assign(self.state_target("result"), value)])

    def write_around(self, number: int, rule: RuleInfo, around: CodeInfo) -> None:
        for kind, numbers in rule.chain.cards.items():
            if kind != "instead":
                self.write_group(f"G{number}_{kind.replace(' ', '_')}", number, numbers, kind, None, on_define=False)
        for node in around.body:
            if node[0] == "attached":
                self.write_attachment(node[2], number, None)
            if node[0] == "abilities":
                group = f"G{number}_{node[4]}_optional"
                self.ability_sites[node[3]] = (group, around.params, node[5] + 1, node[6] + 1)
        self.at = around.place
        self.code, self.rule = around, -1
        entered = self.entered(self.costs.around(number), MUCH // 2)
        if any(self.stops(node) for node in around.body):
            self.function = Function(framed=True)
            first = self.framed_body(around, around.body, -1, result=self.item(self.name("f"), self.const(around.params + 1)))
            self.written.append(self.push(f"around{number}", around, first, entered))
            return
        self.function = Function(framed=False)
        body = entered + self.block(around.body)
        result = self.local(around.params)
        if rule.framed:
            self.direct(f"around{number}", self.names(around.params), [*body, self.assign(self.state_target("result"), result)])
        else:
            self.direct(f"around{number}", self.names(around.params), [*body, self.returns(result)])

    def write_judged(self, number: int, rule: RuleInfo, inner: str) -> None:
        """A rule after which endings are judged, however the call ends."""
        params = self.names(rule.code.params)
        arguments = [self.name(p) for p in params]
        self.function = Function(framed=False)
        if not rule.framed:
            judge = self.judged_after(rule.judged, lambda: list(arguments))
            call = self.call(inner, self.name("S"), *arguments)
            game = self.tuple_([self.const(-1), self.const(self.program.main)])
            goes_on = self.compare(ast.NotIn(), self.attribute(self.name("_unwind"), "rule"), game)
            guarded = self.guarded(
                [self.assign(self.target("_value"), call)], "Unwind",
                [self.when(goes_on, judge), self._place(ast.Raise(None, None))],
            )  # fmt: skip
            self.direct(f"r{number}", params, [guarded, *judge, self.returns(self.name("_value"))])
            return
        outer = CodeInfo(rule.name, rule.code.place, rule.code.params, rule.code.params)
        self.code, self.rule = outer, -1
        pc = self.new_pc()
        self.judged_pcs[pc] = number
        self.function = Function(framed=True)
        self.open(pc)
        locals_ = self.arguments(outer)
        self.out += [
            self.run(self.call(self.attribute(self.attribute(self.name("S"), "stack"), "pop"))),
            *self.judged_after(rule.judged, lambda: locals_),
        ]
        self.close()
        frame = self.list_([self.const(pc), *arguments])
        push = self.call(self.attribute(self.attribute(self.name("S"), "stack"), "append"), frame)
        self.function = Function(framed=False)
        self.direct(f"r{number}", params, [self.run(push), self.run(self.call(inner, self.name("S"), *arguments))])
