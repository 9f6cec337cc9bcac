"""Statement nodes to Python statements, where nothing in them stops: straight code on the state.

The same class writes both forms of code. In a *direct* function locals are Python variables and `return` returns; in a
*framed* one locals are in the frame `f` and leaving means taking the frame off the stack.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from interpreter.compile.costs import MUCH, Costs, steps
from interpreter.compile.filters import asks_for_any_of, is_false, is_true, mentions, safe, unswitched
from interpreter.compile.python import PyExpr, PyStmt
from interpreter.compile.spaces import SpaceQueries
from interpreter.lower.asking import statements
from interpreter.program import CodeInfo, Node, Program, Site
from interpreter.state import CLOSING, PLAYING

FIRST_SET_ASIDE = 1 << 20
"""numbers from which on locals are values set aside before a loop"""
SHORT = 12
"""statements of a rule that is written out where it is called"""


class Statements(SpaceQueries):
    """Writes blocks of statements; `observed` code tells the observer what happened."""

    def __init__(self, program: Program, observed: bool, costs: Costs | None = None) -> None:
        super().__init__(program, costs)
        self.observed = observed
        self.rule = -1
        """the rule whose own body is written, -1 for an attachment"""

    def note(self, kind: str, *data: PyExpr) -> list[PyStmt]:
        if not self.observed:
            return []
        return [self.run(self.call("note", self.name("S"), self.const(kind), *data))]

    def block(self, nodes: tuple[Node, ...] | None) -> list[PyStmt]:
        made: list[PyStmt] = []
        for node in nodes or ():
            outer, self.at = self.at, node[1]
            made += getattr(self, f"do_{node[0]}")(*node[2:])
            self.at = outer
        return made

    def do_mark(self, number: int) -> list[PyStmt]:
        return [self.run(self.call("HIT", self.const(number)))]

    # ── locals, variables, calls ──

    def do_set(self, number: int, value: Node) -> list[PyStmt]:
        return [self.assign(self.local_target(number), self.expr(value))]

    def do_set_var(self, base: int, indexes: tuple[tuple[Node, int, int], ...], value: Node) -> list[PyStmt]:
        return self.set_variable(base, indexes, self.expr(value))

    def set_variable(self, base: int, indexes: tuple[tuple[Node, int, int], ...], value: PyExpr) -> list[PyStmt]:
        number = self.number(base, indexes)
        if self.observed:
            return [self.run(self.call("set_variable", self.name("S"), number, value))]
        return [self.assign(self.item(self.alias("V"), number, store=True), value)]

    def store(self, into: Node | None, value: PyExpr) -> list[PyStmt]:
        """Put the result of a call where it goes."""
        if into is None:
            return [self.run(value)]
        if into[0] == "local":
            return [self.assign(self.local_target(into[1]), value)]
        return self.set_variable(into[1], into[2], value)

    def do_call_rule(self, number: int, arguments: tuple[Node, ...], into: Node | None) -> list[PyStmt]:
        if into is None and self.given is None and self.short(number) and all(a[0] in ("local", "const") for a in arguments):
            outer, self.rule = self.rule, number
            self.given = arguments
            made = self.block(self.program.rules[number].code.body)
            self.given, self.rule = None, outer
            return made
        return self.store(into, self.call(f"r{number}", self.name("S"), *self.many(arguments)))

    def short(self, number: int) -> bool:
        """Can the rule be written out in place of a call: one step, nothing attached, no locals of its own, a few statements?"""
        rule = self.program.rules[number]
        if rule.framed or rule.chain.instead or rule.around is not None or rule.judged or rule.code.locals > rule.code.params:
            return False
        if self.costs.block(rule.code.body) > MUCH // 2:  # it counts itself when it is entered
            return False
        kinds = [node[0] for node in statements(rule.code.body)]
        return 0 < len(kinds) <= SHORT and not {"return", "end", "choose", "call_rule"} & set(kinds)

    def do_proceed_rule(self, arguments: tuple[Node, ...], into: Node | None) -> list[PyStmt]:
        assert self.function.proceed is not None
        return self.store(into, self.function.proceed(self.many(arguments)))

    # ── cards ──

    def do_move(self, cards: Node, zone: Node, under: bool, many: bool) -> list[PyStmt]:
        made = self.source(cards) if cards[0] == "family" else self.expr(cards)
        target = self.expr(zone)
        if cards[0] == "family" and not cards[5] and not cards[3] and not under and not self.observed and zone[0] == "zone":
            info, of = self.program.zones[zone[2]], self.program.zones[cards[2]]
            if info.shape != "set" and info.by is None and info.family != of.family:
                return [self.run(self.method("S", "put_family", self.const(cards[2]), self.const(len(cards[4])), target))]
        if self.observed or (under and many):
            return [self.run(self.call("move_many" if many else "move_one", self.name("S"), made, target, self.const(under)))]
        method = "put_all" if many else "put_under" if under else "put"
        if method == "put" and zone[0] == "zone":  # the shape is known
            info = self.program.zones[zone[2]]
            if info.by is None:
                method = "put_in_set" if info.shape == "set" else "put_last"
        return [self.run(self.method("S", method, made, target))]

    def do_deal(
        self, count: Node | None, source: Node, target: Node, binders: tuple[tuple[int, Node], ...], condition: Node | None,
        cells: tuple[int, ...],
    ) -> list[PyStmt]:  # fmt: skip
        number = self.const(None) if count is None else self.expr(count)
        pile = self.expr(source)
        if binders:
            loops = self.loops(binders, cells, (condition, target))
            test = self.filters(binders, condition, loops)
            targets = self.comprehension(self.expr(target), loops, test)
            self.end_loops(binders, cells)
        else:
            targets = self.tuple_([self.expr(target)])
        if self.observed:
            return [self.run(self.call("deal_noted", self.name("S"), number, pile, targets))]
        return [self.run(self.method("S", "deal_round", number, pile, targets))]

    def do_shuffle(self, zone: Node) -> list[PyStmt]:
        if self.observed:
            return [self.run(self.call("shuffle_noted", self.name("S"), self.expr(zone)))]
        return [self.run(self.method("S", "shuffle", self.expr(zone)))]

    def do_reveal(self, cards: Node, many: bool) -> list[PyStmt]:
        made = self.expr(cards)
        if not self.observed:
            return [self.run(made)] if not many and cards[0] != "local" else []
        return [self.run(self.call("reveal_noted", self.name("S"), made if many else self.tuple_([made])))]

    def do_show(self, cards: Node, many: bool, players: Node, several: bool) -> list[PyStmt]:
        made, to = self.expr(cards), self.expr(players)
        if not self.observed:
            return [self.run(self.tuple_([made, to]))]
        shown = made if many else self.tuple_([made])
        return [self.run(self.call("show_noted", self.name("S"), shown, to if several else self.tuple_([to])))]

    def do_roll(self, number: int | None, dice: Node | None) -> list[PyStmt]:
        which = self.const(number) if number is not None else self.expr(dice) if dice is not None else self.const(0)
        if self.observed:
            return [self.run(self.call("roll_noted", self.name("S"), which))]
        return [self.run(self.method("S", "roll", which))]

    def do_eliminate(self, player: Node) -> list[PyStmt]:
        if not self.observed:
            return [self.run(self.method("S", "eliminate", self.expr(player)))]
        return [self.run(self.call("eliminate_noted", self.name("S"), self.expr(player)))]

    # ── flow ──

    def do_judge(self, endings: tuple[int, ...]) -> list[PyStmt]:
        playing = self.compare_phase()
        return [self.when(playing, [self.judged(number, []) for number in endings])]

    def compare_phase(self) -> PyExpr:
        return self.compare(ast.Eq(), self.attribute(self.name("S"), "phase"), self.const(PLAYING))

    def judged(self, number: int, arguments: list[PyExpr]) -> PyStmt:
        """End the game if an ending is true; of a property of the game being tested, say that it is broken."""
        ending = self.program.endings[number]
        condition = self.call(f"e{number}", self.name("S"), *arguments)
        if ending.is_property:
            told = self.call("PropertyBroken", self.const(number), self.const(ending.text), self.tuple_(arguments))
            return self.when(condition, [self.raises(told)])
        return self.when(condition, [self.raises(self.call("Unwind", self.const(-1), self.const(number)))])

    def judged_after(self, numbers: Sequence[int], arguments: Callable[[], list[PyExpr]]) -> list[PyStmt]:
        """What is judged when a call is over: endings only while the game is played, properties always."""
        endings = [number for number in numbers if not self.program.endings[number].is_property]
        made = [self.when(self.compare_phase(), [self.judged(number, arguments()) for number in endings])] if endings else []
        return made + [self.judged(number, arguments()) for number in numbers if number not in endings]

    def do_if(self, condition: Node, body: tuple[Node, ...], otherwise: tuple[Node, ...] | None) -> list[PyStmt]:
        return [self.when(self.expr(condition), self.block(body), self.block(otherwise))]

    def turn(self, body: tuple[Node, ...] | None, condition: Node | None = None) -> list[PyStmt]:
        """Count a turn of a loop."""
        return self.spend(steps(self.costs.block(body) + self.costs.value(condition)) + 1)

    def spend(self, count: int) -> list[PyStmt]:
        """Count so many steps: `State.spend` written out."""
        left = self.attribute(self.name("S"), "steps")
        return [
            self.assign(self.state_target("steps"), self.binary(ast.Sub(), left, self.const(count))),
            self.when(self.compare(ast.Lt(), left, self.const(0)), [self.run(self.method("S", "spend", self.const(0)))]),
        ]

    def weight(self, body: tuple[Node, ...] | None) -> list[PyStmt]:
        """Count what a turn of a loop costs, where the turn itself is counted by the machine."""
        return self.entered(self.costs.block(body), MUCH // 4)

    def entered(self, cost: int, much: int = MUCH) -> list[PyStmt]:
        """At the start of a function: count what it costs, if that is much."""
        return self.spend(steps(cost)) if cost > much else []

    def do_while(self, condition: Node, body: tuple[Node, ...]) -> list[PyStmt]:
        return [self.loop(self.expr(condition), [*self.turn(body, condition), *self.block(body)])]

    def do_repeat(self, count: Node, body: tuple[Node, ...], hidden: int) -> list[PyStmt]:
        return [self.each(self.target("_"), self.call("range", self.expr(count)), [*self.turn(body), *self.block(body)])]

    def do_for(
        self, binders: tuple[tuple[int, Node], ...], condition: Node | None, cells: tuple[int, ...], body: tuple[Node, ...],
        list_: int, place: int,
    ) -> list[PyStmt]:  # fmt: skip
        elements = self.elements(binders, condition, cells)
        turn = [*self.turn(body), *self.block(body)]
        if len(binders) == 1:
            return [self.each(self.local_target(binders[0][0]), elements, turn)]
        targets = self.store_tuple([self.local_target(number) for number, _ in binders])
        return [self.each(targets, elements, turn)]

    def elements(
        self, binders: tuple[tuple[int, Node], ...], condition: Node | None, cells: tuple[int, ...], *, single: bool = True
    ) -> PyExpr:
        """The values a loop runs over, all computed before its first turn: a new sequence."""
        one = single and len(binders) == 1
        if is_true(condition):
            condition = None
        if is_false(condition):
            return self.const(())
        if one and condition is None:
            source = binders[0][1]
            made = self.source(source)
            return self.call("tuple", made) if source[0] in ("cards", "family", "range") else made
        cut = unswitched(self.program, condition, {number for number, _ in binders} | set(cells))
        if cut is not None:
            test, first, other = cut
            if test[0] == "not":
                test, first, other = test[2], other, first
            if one and asks_for_any_of(test, binders[0], first):  # those, if there are any
                return self.either(
                    self.elements(binders, first, cells, single=single), self.elements(binders, other, cells, single=single)
                )
            return self.choice(
                self.expr(test),
                self.elements(binders, first, cells, single=single),
                self.elements(binders, other, cells, single=single),
            )
        cells = tuple(cell for cell in cells if mentions((condition, binders), {cell}))
        loops = self.loops(binders, cells, condition)
        filter_ = self.filters(binders, condition, loops)
        names = [self.local(number) for number, _ in binders]
        made = self.comprehension(names[0] if one else self.tuple_(names), loops, filter_)
        self.end_loops(binders, cells)
        return made

    def gathered(self, into: str, binder: tuple[int, Node], condition: Node | None, cells: tuple[int, ...]) -> list[PyStmt]:
        """`elements` of one binder as statements that put them into a variable: loops are quicker than comprehensions."""
        binders = (binder,)
        if is_true(condition) or is_false(condition):
            return [self.assign(self.target(into), self.elements(binders, condition, cells))]
        cut = unswitched(self.program, condition, {binder[0]} | set(cells))
        if cut is not None:
            test, first, other = cut
            if test[0] == "not":
                test, first, other = test[2], other, first
            if asks_for_any_of(test, binder, first):
                none = self.negated(self.name(into))
                return [*self.gathered(into, binder, first, cells), self.when(none, self.gathered(into, binder, other, cells))]
            return [
                self.when(self.expr(test), self.gathered(into, binder, first, cells), self.gathered(into, binder, other, cells))
            ]
        if condition is None or any(mentions((condition, binders), {cell}) for cell in cells):
            return [self.assign(self.target(into), self.elements(binders, condition, cells))]
        made: list[PyStmt] = []
        condition = self._set_aside(condition, binder[0], made)
        (loop,) = self.loops(binders, (), condition)
        append = self.run(self.call(self.attribute(self.name(into), "append"), self.local(binder[0])))
        body = [self.when(self.expr(condition), [append])]
        self.end_loops(binders, ())
        made += [self.assign(self.target(into), self.list_([])), self.each(self.target(f"v{binder[0]}"), loop[1], body)]
        for number in range(FIRST_SET_ASIDE, FIRST_SET_ASIDE + len(made)):
            self.function.inner.pop(number, None)
        return made

    def _set_aside(self, node: Node, bound: int, made: list[PyStmt]) -> Node:
        """The condition of a loop, the variables in it that are the same in every turn read before it."""
        if node[0] == "var" and not mentions(node, {bound}) and safe(self.program, node):
            number = FIRST_SET_ASIDE + len(made)
            value = self.expr(node)
            self.function.inner[number] = 1
            made.append(self.assign(self.target(f"v{number}"), value))
            return ("local", node[1], number)
        if node[0] == "query":
            return node
        return tuple(
            self._set_aside(part, bound, made) if isinstance(part, tuple) and part and isinstance(part[0], str) else part
            for part in node
        )

    def leave(self, value: PyExpr | None) -> list[PyStmt]:
        """Complete the body with this result."""
        if not self.function.framed:
            return [self.returns(value)]
        return [
            self.assign(self.state_target("result"), value if value is not None else self.const(None)),
            *([self.phase_is(CLOSING)] if self.rule == self.program.main else []),
            self.run(self.call(self.attribute(self.attribute(self.name("S"), "stack"), "pop"))),
            self.returns(),
        ]

    def phase_is(self, phase: int) -> PyStmt:
        return self.assign(self.state_target("phase"), self.const(phase))

    def state_target(self, name: str) -> PyExpr:
        return self._place(ast.Attribute(self.name("S"), name, ast.Store()))  # type: ignore[no-any-return]

    def do_return(self, value: Node) -> list[PyStmt]:
        return self.leave(self.expr(value))

    def do_end(self, number: int) -> list[PyStmt]:
        if number == self.rule:
            return self.leave(None)
        return [self.raises(self.call("Unwind", self.const(number)))]

    # ── choices by chance (a person's choice stops: see `steps.py`) ──

    def options(self, site: Site) -> PyExpr:
        """The values to choose from, as Python sees them here; empty if there are none."""
        if site.kind == "several":
            assert site.several is not None
            return self.source(site.several[3])
        if site.kind == "pick":
            line = site.lines[0]
            return self.elements(line.binders, line.condition, line.cells)
        if site.kind == "may":
            return self.tuple_([self.const(True)])
        return self.call("menu", self.tuple_([self._menu_line(i, site) for i in range(len(site.lines))]))

    def _menu_line(self, number: int, site: Site) -> PyExpr:
        line = site.lines[number]
        if line.binders:
            values = self.elements(line.binders, line.condition, line.cells, single=False)
            return self.call("menu_line", self.const(number), values)
        one = self.constant(((number, ()),))
        if line.condition is None:
            return one
        return self.choice(self.expr(line.condition), one, self.const(()))

    def bind(self, site: Site, value: PyExpr, line: int = 0) -> list[PyStmt]:
        """Give the chosen value its names."""
        if site.kind == "several":
            assert site.several is not None
            return [self.assign(self.local_target(site.several[2]), value)]
        if site.kind == "may":
            return []
        binders = site.lines[line].binders
        if not binders:
            return []
        if len(binders) == 1 and site.kind == "pick":
            return [self.assign(self.local_target(binders[0][0]), value)]
        return [self.assign(self.store_tuple([self.local_target(number) for number, _ in binders]), value)]

    def do_choose(
        self, number: int, body: tuple[Node, ...] | None, lines: tuple[tuple[Node, ...], ...], otherwise: tuple[Node, ...] | None
    ) -> list[PyStmt]:
        site = self.program.sites[number]
        assert site.subject is None and site.each is None
        values, picked = self.target("_values"), self.name("_picked")
        made: list[PyStmt] = [self.assign(values, self.options(site))]
        if site.kind == "several":
            assert site.several is not None
            pick = self.call("pick_several", self.name("S"), self.const(number), self.name("_values"), *self.many(site.several[:2]))
        else:
            pick = self.call("pick_one", self.name("S"), self.const(number), self.name("_values"))
        chosen: list[PyStmt] = [self.assign(self.target("_picked"), pick)]
        if site.kind == "menu":
            chosen += self._menu_blocks(site, picked, [self.block(line) for line in lines])
        else:
            chosen += self.bind(site, picked) + self.block(body)
        return [*made, self.when(self.name("_values"), chosen, self.block(otherwise))]

    def _menu_blocks(self, site: Site, picked: PyExpr, blocks: list[list[PyStmt]]) -> list[PyStmt]:
        made: list[PyStmt] = []
        for number in reversed(range(len(blocks))):
            values = self.item(self.name("_picked"), self.const(1))
            inner = self.bind(site, values, number) + blocks[number]
            test = self.compare(ast.Eq(), self.item(self.name("_picked"), self.const(0)), self.const(number))
            made = [self.when(test, inner, made)]
        return made

    # ── around a body ──

    def arguments(self, code: CodeInfo) -> list[PyExpr]:
        return [self.local(number) for number in range(code.params)]
