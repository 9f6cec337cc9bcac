"""Expression nodes of a program to Python expressions.

In compiled code `S` is the state; `Z`, `F`, `W`, `V` are its zones, faces, places of cards and variables, fetched at the
start of a function that uses them. Tables and helpers are globals of the compiled module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from attrs import Factory, define

from dsl.types import ListType
from interpreter.compile.bounds import may_overflow
from interpreter.compile.costs import Costs, steps
from interpreter.compile.designs import by_design
from interpreter.compile.filters import by_loop, held_by_any, is_true, mentions, starts_without, unswitched
from interpreter.compile.python import Builder, Loops, PyExpr, PyStmt
from interpreter.program import Node, Program

FEW_ZONES = 6
"""zones of a family that are asked one by one whether they are empty"""
ALIASES = {"Z": "zones", "F": "faces", "W": "where", "V": "vars"}
BINARY: dict[str, type[ast.operator]] = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.FloorDiv, "mod": ast.Mod}
COMPARE: dict[str, type[ast.cmpop]] = {
    "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE, "eq": ast.Eq, "ne": ast.NotEq,
}  # fmt: skip
NUMBERS = {*BINARY, "neg", "fold", "query"}
HELPERS = {
    "card_position": "card_position", "left": "left", "right": "right", "turn_order": "turn_order", "others": "others",
    "sees": "sees", "same_text": "same_text",
}  # fmt: skip


@define
class Function:
    """The function being written: how its locals are reached, and which aliases it uses."""

    framed: bool
    """locals live in the frame `f` (else they are Python variables)"""
    used: set[str] = Factory(set)
    inner: dict[int, int] = Factory(dict)
    """locals bound by the queries around, which are Python variables always"""
    proceed: Callable[[list[PyExpr]], PyExpr] | None = None
    """makes the call that `proceed` in a value is"""


class Expressions(Builder):
    """Compiles expressions; `constants` collects the values too big to write in the code."""

    def __init__(self, program: Program, costs: Costs | None = None) -> None:
        super().__init__()
        self.program = program
        self.costs = Costs(program) if costs is None else costs
        self.function = Function(framed=False)
        self.constants: list[object] = []
        self.unrolled = frozenset(dice.variable for dice in program.dice)
        """the variables of dice, which may have no numbers at any time"""
        self.early = False
        """may this code run before `setup` has set the variables without a first value?"""
        self.given: tuple[Node, ...] | None = None
        """while a rule is written out in place of its call: the arguments"""
        self._constant_numbers: dict[object, int] = {}

    # ── names ──

    def alias(self, letter: str) -> PyExpr:
        self.function.used.add(letter)
        return self.name(letter)

    def prologue(self) -> list[PyStmt]:
        """Fetches the aliases the function uses."""
        return [
            self.assign(self.target(letter), self.attribute(self.name("S"), ALIASES[letter]))
            for letter in sorted(self.function.used)
        ]

    def local(self, number: int) -> PyExpr:
        if self.given is not None:  # a parameter of a rule written out in place
            given, self.given = self.given, None
            made = self.expr(given[number])
            self.given = given
            return made
        if self.function.framed and number not in self.function.inner:
            return self.item(self.name("f"), self.const(number + 1))
        return self.name(f"v{number}")

    def local_target(self, number: int) -> PyExpr:
        if self.function.framed and number not in self.function.inner:
            return self.item(self.name("f"), self.const(number + 1), store=True)
        return self.target(f"v{number}")

    def constant(self, value: object) -> PyExpr:
        """Small values are written out, others kept beside the code."""
        if value is None or isinstance(value, bool | int | str):
            return self.const(value)
        if isinstance(value, tuple) and len(value) <= 12 and all(v is None or isinstance(v, bool | int | str) for v in value):
            return self.const(value)
        key = (tuple(map(type, value)), value) if isinstance(value, tuple) else id(value)
        try:
            number = self._constant_numbers.setdefault(key, len(self.constants))
        except TypeError:  # a list in it
            number = len(self.constants)
        if number == len(self.constants):
            self.constants.append(value)
        return self.name(f"K{number}")

    # ── expressions ──

    def expr(self, node: Node) -> PyExpr:
        outer, self.at = self.at, node[1]
        method = getattr(self, f"_{node[0]}", None)
        table = by_design(self.program, node)
        if table is not None:
            card, values = table
            made = self.item(self.constant(values), self.item(self.alias("F"), self.expr((card[0], node[1], *card[2:]))))
            self.at = outer
            return made
        if method is not None:
            made = method(*node[2:])
        elif node[0] in BINARY:
            made = self.binary(BINARY[node[0]](), self.expr(node[2]), self.expr(node[3]))
        elif node[0] in COMPARE:
            made = self._compared(node[0], node[2], node[3])
        else:
            made = self.call(HELPERS[node[0]], self.name("S"), *(self.expr(part) for part in node[2:]))
        if node[0] in NUMBERS and may_overflow(self.program, node):
            made = self.call("fits", made)
        self.at = outer
        return made

    def many(self, nodes: tuple[Node, ...]) -> list[PyExpr]:
        return [self.expr(node) for node in nodes]

    def _compared(self, op: str, left: Node, right: Node) -> PyExpr:
        if right[0] == "const" and right[2] is None and op in ("eq", "ne"):
            return self.compare(ast.Is() if op == "eq" else ast.IsNot(), self.expr(left), self.const(None))
        return self.compare(COMPARE[op](), self.expr(left), self.expr(right))

    def _const(self, value: object) -> PyExpr:
        return self.constant(value)

    def _local(self, number: int) -> PyExpr:
        return self.local(number)

    def number(self, base: int, indexes: tuple[tuple[Node, int, int], ...]) -> PyExpr:
        """base + index * stride + …"""
        fixed = base
        made: PyExpr | None = None
        for index, stride, _ in indexes:
            if index[0] == "const" and isinstance(index[2], int):
                fixed += index[2] * stride
                continue
            term = self.expr(index)
            if stride != 1:
                term = self.binary(ast.Mult(), term, self.const(stride))
            made = term if made is None else self.binary(ast.Add(), made, term)
        if made is None:
            return self.const(fixed)
        return made if fixed == 0 else self.binary(ast.Add(), made, self.const(fixed))

    def _var(self, base: int, indexes: tuple[tuple[Node, int, int], ...]) -> PyExpr:
        made = self.item(self.alias("V"), self.number(base, indexes))
        if (self.early or base in self.unrolled) and starts_without(self.program, ("var", 0, base, indexes)):
            made = self.call("given", made)
        return made

    def _vars(self, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...]) -> PyExpr:
        if not indexes:
            return self.call("tuple", self.slice(self.alias("V"), self.const(base), self.const(base + len(offsets))))
        return self.call("group", self.alias("V"), self.number(base, indexes), self.constant(offsets))

    def _zone(self, base: int, indexes: tuple[tuple[Node, int, int], ...]) -> PyExpr:
        return self.number(base, indexes)

    def _cards(self, zone: Node, reversed_: bool | None) -> PyExpr:
        return self.call("tuple", self.cards(zone, reversed_))

    def cards(self, zone: Node, reversed_: bool | None) -> PyExpr:
        """The cards of a zone for reading at once: perhaps the zone's own list."""
        if reversed_ is None:
            return self.call("cards_in", self.name("S"), self.expr(zone))
        cards = self.item(self.alias("Z"), self.expr(zone))
        return self.slice(cards, None, None, self.minus(self.const(1))) if reversed_ else cards

    def _family(self, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...], reversed_: bool) -> PyExpr:
        return self.call("tuple", self.family(base, indexes, offsets, reversed_))

    def family(self, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...], reversed_: bool) -> PyExpr:
        """The cards of many zones, for going through them at once."""
        if indexes:
            return self.call("family", self.alias("Z"), self.number(base, indexes), self.constant(offsets), self.const(reversed_))
        zones = self.slice(self.alias("Z"), self.const(base), self.const(base + len(offsets)))
        cards = self.name("_zone")
        if reversed_:
            cards = self.slice(cards, None, None, self.minus(self.const(1)))
        return self.comprehension(self.name("_card"), [("_zone", zones, []), ("_card", cards, [])], None)

    def _all_cards(self, card_type: int) -> PyExpr:
        return self.item(self.attribute(self.name("S"), "in_play"), self.const(card_type))

    def _space_at(self, board: int, column: Node, row: Node) -> PyExpr:
        return self.call("space_at", self.name(f"GRID{board}"), self.expr(column), self.expr(row))

    def _players(self) -> PyExpr:
        return self.attribute(self.name("S"), "live")

    def _seats(self) -> PyExpr:
        return self.const(self.program.seats)

    def _active(self) -> PyExpr:
        return self.call("active", self.name("S"))

    def _attr(self, card: Node, table: int) -> PyExpr:
        return self.item(self.name(f"T{table}"), self.item(self.alias("F"), self.expr(card)))

    def _space_attr(self, space: Node, table: int) -> PyExpr:
        return self.item(self.name(f"T{table}"), self.expr(space))

    def _top(self, zone: Node) -> PyExpr:
        return self.item(self.item(self.alias("Z"), self.expr(zone)), self.minus(self.const(1)))

    def _bottom(self, zone: Node) -> PyExpr:
        return self.item(self.item(self.alias("Z"), self.expr(zone)), self.const(0))

    def _size(self, zone: Node) -> PyExpr:
        return self.call("len", self.item(self.alias("Z"), self.expr(zone)))

    def _length(self, list_: Node) -> PyExpr:
        return self.call("len", self.source(list_))

    def _first(self, list_: Node) -> PyExpr:
        return self.item(self.source(list_), self.const(0))

    def _last(self, list_: Node) -> PyExpr:
        return self.item(self.source(list_), self.minus(self.const(1)))

    def _item(self, list_: Node, index: Node) -> PyExpr:
        return self.item(self.source(list_), self.expr(index))

    def _nth(self, list_: Node, number: Node) -> PyExpr:
        return self.call("nth", self.source(list_), self.expr(number))

    def _card_name(self, card: Node) -> PyExpr:
        return self.item(self.name("NAMES"), self.item(self.alias("F"), self.expr(card)))

    def _card_zone(self, card: Node) -> PyExpr:
        return self.item(self.alias("W"), self.expr(card))

    def _card_owner(self, card: Node) -> PyExpr:
        return self.item(self.name("OWNER"), self.item(self.alias("W"), self.expr(card)))

    def _player_name(self, player: Node) -> PyExpr:
        return self.call("player_name", self.expr(player))

    def _member_name(self, member: Node, kind: int) -> PyExpr:
        return self.item(self.name(f"MEMBERS{kind}"), self.expr(member))

    def _order(self, member: Node) -> PyExpr:
        return self.binary(ast.Add(), self.expr(member), self.const(1))

    def _neg(self, value: Node) -> PyExpr:
        return self.minus(self.expr(value))

    def _join(self, left: Node, right: Node) -> PyExpr:
        return self.method("S", "join", self.expr(left), self.expr(right))

    def _and(self, left: Node, right: Node) -> PyExpr:
        return self.both(ast.And(), self.expr(left), self.expr(right))

    def _or(self, left: Node, right: Node) -> PyExpr:
        return self.both(ast.Or(), self.expr(left), self.expr(right))

    def _not(self, value: Node) -> PyExpr:
        return self.negated(self.expr(value))

    def _mark(self, number: int, value: Node) -> PyExpr:
        return self.either(self.call("HIT", self.const(number)), self.expr(value))  # `HIT` gives None

    def _judged(self, yes: int, no: int, value: Node) -> PyExpr:
        hit = [self.call("HIT", self.const(number)) for number in (yes, no)]
        held = self.either(hit[0], self.const(True)), self.either(hit[1], self.const(False))
        return self.choice(self.expr(value), *held)

    def _widen(self, value: Node, offset: int, depth: int) -> PyExpr:
        if depth == 0:
            return self.binary(ast.Add(), self.expr(value), self.const(offset))
        return self.call("widen", self.expr(value), self.const(offset))

    def _in_designs(self, card: Node, designs: tuple[int, ...]) -> PyExpr:
        face = self.item(self.alias("F"), self.expr(card))
        if len(designs) == 1:
            return self.compare(ast.Eq(), face, self.const(designs[0]))
        return self.compare(ast.In(), face, self.constant(designs))

    def _same_list(self, left: Node, right: Node) -> PyExpr:
        return self.compare(ast.Eq(), self.gone_through(left, exact=True), self.gone_through(right, exact=True))

    def _same_bag(self, left: Node, right: Node) -> PyExpr:
        return self.call("same_bag", self.gone_through(left, slowly=True), self.gone_through(right, slowly=True))

    def _same_designs(self, cards: Node, names: Node, bag: bool) -> PyExpr:
        return self.call(
            "same_designs", self.name("S"), self.gone_through(cards, slowly=True), self.gone_through(names), self.const(bag)
        )

    def _in_list(self, value: Node, list_: Node) -> PyExpr:
        return self.compare(ast.In(), self.expr(value), self.gone_through(list_))

    def _in_zone(self, card: Node, zone: Node) -> PyExpr:
        return self.compare(ast.Eq(), self.item(self.alias("W"), self.expr(card)), self.expr(zone))

    def _in_family(self, card: Node, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...]) -> PyExpr:
        return self._zone_among(self.item(self.alias("W"), self.expr(card)), base, indexes, offsets)

    def _zone_is(self, zone: Node, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...]) -> PyExpr:
        return self._zone_among(self.expr(zone), base, indexes, offsets)

    def _zone_among(self, zone: PyExpr, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...]) -> PyExpr:
        number = self.number(base, indexes)
        if len(offsets) == 1:
            return self.compare(ast.Eq(), zone, number)
        if not indexes:  # the members of a whole family lie one after another
            return self.compare(ast.In(), zone, self.constant(range(base, base + len(offsets))))
        return self.compare(ast.In(), self.binary(ast.Sub(), zone, number), self.constant(offsets))

    def _empty_zone(self, zone: Node) -> PyExpr:
        return self.negated(self.item(self.alias("Z"), self.expr(zone)))

    def _empty_list(self, list_: Node) -> PyExpr:
        return self.negated(self.source(list_))

    def _empty_family(self, base: int, indexes: tuple[tuple[Node, int, int], ...], offsets: tuple[int, ...]) -> PyExpr:
        if not indexes and len(offsets) <= FEW_ZONES:
            made = self.item(self.alias("Z"), self.const(base))
            for offset in offsets[1:]:
                made = self.either(made, self.item(self.alias("Z"), self.const(base + offset)))
            return self.negated(made)
        if not indexes:
            zones = self.slice(self.alias("Z"), self.const(base), self.const(base + len(offsets)))
            return self.negated(self.call("any", zones))
        return self.negated(
            self.call("any", self.call("group", self.alias("Z"), self.number(base, indexes), self.constant(offsets)))
        )

    def _choice(self, condition: Node, value: Node, otherwise: Node) -> PyExpr:
        return self.choice(self.expr(condition), self.expr(value), self.expr(otherwise))

    def _let(self, number: int, value: Node, body: Node) -> PyExpr:
        bound = self.expr(value)
        self.function.inner[number] = self.function.inner.get(number, 0) + 1
        inner = self.lambda_([f"v{number}"], self.expr(body))
        self._unbind(number)
        return self.call(inner, bound)

    def _unbind(self, number: int) -> None:
        self.function.inner[number] -= 1
        if not self.function.inner[number]:
            del self.function.inner[number]

    def _range(self, low: Node, high: Node) -> PyExpr:
        return self.call("tuple", self.method("S", "numbers", self.expr(low), self.expr(high)))

    def _list(self, items: tuple[Node, ...]) -> PyExpr:
        return self.tuple_(self.many(items))

    def source(self, node: Node) -> PyExpr:
        """Something to go through once, at once: need not be a tuple."""
        if node[0] == "cards":
            outer, self.at = self.at, node[1]
            made = self.cards(node[2], node[3])
            self.at = outer
            return made
        if node[0] == "family":
            outer, self.at = self.at, node[1]
            made = self.family(*node[2:])
            self.at = outer
            return made
        if node[0] == "range":
            outer, self.at = self.at, node[1]
            made = self.method("S", "numbers", self.expr(node[2]), self.expr(node[3]))
            self.at = outer
            return made
        if node[0] == "query" and node[2] == "list":
            outer, self.at = self.at, node[1]
            made = self._looped(*node[2:], as_tuple=False)
            self.at = outer
            return made
        return self.expr(node)

    def gone_through(self, node: Node, *, exact: bool = False, slowly: bool = False) -> PyExpr:
        """A list, where one operation goes through it: counted if it may be long. `exact`: a tuple, not just something to read."""
        made = self.expr(node) if exact else self.source(node)
        if self.costs.most(node) is not None:
            return made
        return self.method("S", "long", made, self.const(2 if slowly else 6))

    # ── queries ──

    def loops(self, binders: tuple[tuple[int, Node], ...], cells: tuple[int, ...], inside: object) -> Loops:
        """The loops of a query; its locals stay bound until `end_loops`."""
        loops: Loops = []
        for cell in cells:
            self._bind(cell)
            loops.append((f"v{cell}", self.tuple_([self.list_([])]), []))
        for i, (number, source) in enumerate(binders):
            made = self.source(source)
            if self.costs.counted(binders, inside, i):
                made = self.counted(made, steps(self.costs.turn(binders, inside, i)), source[0] == "range")
            self._bind(number)
            loops.append((f"v{number}", made, []))
        return loops

    def filters(self, binders: tuple[tuple[int, Node], ...], condition: Node | None, loops: Loops) -> PyExpr | None:
        """The filter of the innermost loop; what can be asked in an outer one is added there."""
        early, rest = by_loop(self.program, condition, binders)
        for (_, _, filters), test in zip(loops[-len(binders) :], early, strict=True):
            if test is not None:
                filters.append(self.expr(test))
        return None if rest is None or is_true(rest) else self.expr(rest)

    def counted(self, values: PyExpr, more: int, is_range: bool = False) -> PyExpr:
        """The values, each turn over them counted (a range has counted one for each), and so many steps more."""
        if is_range:
            return values if not more else self.method("S", "charge_more", values, self.const(more))
        if not more:
            return self.method("S", "charge", values)
        return self.method("S", "charge_more", values, self.const(more + 1))

    def end_loops(self, binders: tuple[tuple[int, Node], ...], cells: tuple[int, ...]) -> None:
        for number in (*cells, *(number for number, _ in binders)):
            self._unbind(number)

    def _bind(self, number: int) -> None:
        self.function.inner[number] = self.function.inner.get(number, 0) + 1

    def _query(self, *parts: object) -> PyExpr:
        return self._looped(*parts, as_tuple=True)  # type: ignore[arg-type]

    def _looped(
        self, how: str, binders: tuple[tuple[int, Node], ...], condition: Node | None, value: Node | None,
        keys: tuple[Node, ...], cells: tuple[int, ...], *, as_tuple: bool,
    ) -> PyExpr:  # fmt: skip
        if how == "any" and condition is not None:
            held = held_by_any(binders, condition)
            if held is not None:
                base, count, wanted = held
                values = self.slice(self.alias("V"), self.const(base), self.const(base + count))
                return self.compare(ast.In(), self.expr(wanted), values)
        cut = unswitched(self.program, condition, {number for number, _ in binders} | set(cells))
        if cut is not None:
            test, first, other = cut
            if test[0] == "const":
                return self._looped(how, binders, first if test[2] else other, value, keys, cells, as_tuple=as_tuple)
            return self.choice(
                self.expr(test),
                self._looped(how, binders, first, value, keys, cells, as_tuple=as_tuple),
                self._looped(how, binders, other, value, keys, cells, as_tuple=as_tuple),
            )
        cells = tuple(cell for cell in cells if mentions((condition, value, keys, binders), {cell}))
        loops = self.loops(binders, cells, (condition, value, keys))
        test_made = self.filters(binders, condition, loops)
        if how == "count":
            made = self.call("len", self.comprehension(self.const(1), loops, test_made))
        elif how == "any":
            made = self.call("any", self.generator(self.const(True), loops, test_made))
        elif how in ("first lowest", "first highest"):
            key = self.expr(keys[0]) if len(keys) == 1 else self.tuple_(self.many(keys))
            number = binders[0][0]
            if len(loops) == 1:
                elements = loops[0][1] if test_made is None else self.comprehension(self.local(number), loops, test_made)
                made = self.call(how.replace(" ", "_"), elements, self.lambda_([f"v{number}"], key))
            else:
                made = self.item(
                    self.call(how[6:], self.comprehension(self.tuple_([key, self.local(number)]), loops, test_made)), self.const(0)
                )
        elif how in ("lowest", "highest"):
            key = self.expr(keys[0]) if len(keys) == 1 else self.tuple_(self.many(keys))
            element = self.local(binders[0][0])
            made = self.call(how, self.comprehension(self.tuple_([key, element]), loops, test_made))
        else:
            assert value is not None
            made = self.comprehension(self.expr(value), loops, test_made)
            if how != "list":
                made = self.call(how, made)
            elif as_tuple:
                made = self.call("tuple", made)
                if len(binders) > 1:
                    made = self.call("not_too_long", made)
        self.end_loops(binders, cells)
        return made

    def _once(self, cell: int, value: Node) -> PyExpr:
        kept = self.item(self.local(cell), self.const(0))
        first = self.call("keep", self.local(cell), self.expr(value))
        return self.choice(self.local(cell), kept, first)

    def _fold(self, how: str, list_: Node) -> PyExpr:
        return self.call(how, self.gone_through(list_))

    # ── calls ──

    def _call(self, number: int, arguments: tuple[Node, ...]) -> PyExpr:
        return self.call(f"d{number}", self.name("S"), *self.many(arguments))

    def _proceed(self, arguments: tuple[Node, ...]) -> PyExpr:
        assert self.function.proceed is not None
        return self.function.proceed(self.many(arguments))

    def _score(self, player: Node) -> PyExpr:
        return self.call("score", self.name("S"), self.expr(player))

    def _card_named(self, designs: tuple[int, ...], name: str) -> PyExpr:
        return self.call("card_named", self.name("S"), self.constant(designs), self.const(name))

    def _result(self) -> PyExpr:
        return self.attribute(self.name("S"), "result")

    def _finished(self) -> PyExpr:
        return self.compare(ast.Eq(), self.attribute(self.name("S"), "phase"), self.const(2))

    def _text(self, parts: tuple[object, ...]) -> PyExpr:
        """Pieces for `interpreter/texts.py` to show: texts, and values with their types."""
        pieces: list[PyExpr] = []
        for part in parts:
            if isinstance(part, str):
                pieces.append(self.const(part))
            else:
                of: object
                value: Node
                of, value = part  # type: ignore[misc]
                shown = self.expr(value)
                if isinstance(of, ListType):
                    shown = self.method("S", "charge", shown)
                pieces.append(self.call("show_value", self.name("PROGRAM"), self.constant(of), shown))
        return self.call("join_parts", *pieces)
