"""Expressions of checked rules to nodes of the program."""

from __future__ import annotations

from functools import singledispatchmethod

from dsl import model, types
from dsl.types import Type
from interpreter.lower.fold import fold
from interpreter.lower.layout import Family, Layout
from interpreter.lower.scope import Query, Scope
from interpreter.program import Node

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "mod": "mod", "and": "and", "or": "or"}
COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
LOOPS = {"query", "reach", "reach_several", "reach_all", "distance", "lines", "any_line", "groups"}
COSTLY = LOOPS | {"call", "family", "fold", "score"}
"""worth computing only once"""
PLAIN_TEXTS = {"const", "card_name", "member_name", "player_name"}
"""operations that give a text that mentions no card"""
INLINE_SIZE = 150
"""defines up to this many nodes are written out where a query calls them"""
SHORT_SIZE = 25
"""… and up to this many wherever they are called"""
FORMS_FOR_A_NODE = 4
"""what is written out may be made of so many times more forms, the rest of which folds away; no more are looked at"""


def family_index(family: Family, indexes: tuple[Node, ...]) -> tuple[tuple[Node, int, int], ...]:
    return tuple((index, stride, size) for index, stride, size in zip(indexes, family.strides, family.sizes, strict=False))


def size_of(node: object) -> int:
    """Nodes in an expression."""
    if isinstance(node, tuple):
        return 1 + sum(size_of(part) for part in node if isinstance(part, tuple))
    return 0


def mentions(node: object, locals_: set[int]) -> bool:
    """Does the expression use one of these locals?"""
    if isinstance(node, tuple):
        if len(node) == 3 and node[0] == "local" and node[2] in locals_:
            return True
        return any(mentions(part, locals_) for part in node)
    return False


def costs(node: object) -> bool:
    """Is it worth computing only once: does it loop or call?"""
    if isinstance(node, tuple):
        if node and node[0] in COSTLY:
            return True
        return any(costs(part) for part in node)
    return False


def is_simple(node: Node) -> bool:
    """Is it about as cheap to read again as a name?"""
    if node[0] in ("eq", "ne"):
        return is_simple(node[2]) and is_simple(node[3])
    return node[0] in ("local", "const") or (node[0] == "var" and not node[3])


class Expressions:
    """Lowers expressions in a scope; `layout` gives the numbers, `defines` those of the defines."""

    def __init__(self, layout: Layout, inline: bool = True) -> None:
        self.layout = layout
        self.inline = inline
        self.defines = {define: i for i, define in enumerate(layout.game.defines)}
        self.chains: dict[model.Define, list[model.Attachment | None]] = {}
        """of each define the `instead` chain, outermost first; None for the group carried by cards"""
        self.too_big: dict[model.Define, int] = {}
        """defines that have more nodes than this"""
        self.room: int | None = None
        """while a define is written out: how many more forms may be lowered for it"""

    # ── entry ──

    def lower(self, expr: model.Expr, scope: Scope) -> Node:
        return self._lower(expr, scope)

    def value(self, expr: model.Expr, scope: Scope) -> Node:
        """Like `lower`; a place where its cards are meant stays a place (for zones, `CardsIn` says so)."""
        return self._lower(expr, scope)

    def many(self, exprs: tuple[model.Expr, ...], scope: Scope) -> tuple[Node, ...]:
        return tuple(self._lower(expr, scope) for expr in exprs)

    def place(self, expr: model.Expr) -> int:
        return self.layout.place(expr.span)

    # ── each kind of expression ──

    def _lower(self, e: model.Expr, s: Scope) -> Node:
        if self.room is not None:
            self.room -= 1
            if self.room < 0:
                raise TooBig
        return fold(FORMS.dispatch(type(e))(self, e, s))

    @singledispatchmethod
    def _form(self, e: model.Expr, s: Scope) -> Node:
        raise TypeError(f"no lowering for {type(e).__name__}")

    @_form.register
    def _(self, e: model.Literal, s: Scope) -> Node:
        return ("const", self.place(e), e.value)

    @_form.register
    def _(self, e: model.LocalRef, s: Scope) -> Node:
        inlined = s.inlined.get(e.local)
        if inlined is not None:
            return inlined
        return ("local", self.place(e), s.numbers[e.local])

    @_form.register
    def _(self, e: model.OptionRef, s: Scope) -> Node:
        return ("const", self.place(e), e.option.value)

    @_form.register
    def _(self, e: model.VarRef, s: Scope) -> Node:
        family = self.layout.variable_families[e.variable]
        return ("var", self.place(e), family.base, family_index(family, self.many(e.indexes, s)))

    @_form.register
    def _(self, e: model.VarFamily, s: Scope) -> Node:
        family = self.layout.variable_families[e.variable]
        offsets = family.offsets(len(e.indexes))
        return ("vars", self.place(e), family.base, family_index(family, self.many(e.indexes, s)), offsets)

    @_form.register
    def _(self, e: model.DiceRef, s: Scope) -> Node:
        return ("var", self.place(e), self.layout.variable_families[e.dice].base, ())

    @_form.register
    def _(self, e: model.ZoneRef, s: Scope) -> Node:
        family = self.layout.zone_families[e.zone]
        return ("zone", self.place(e), family.base, family_index(family, self.many(e.indexes, s)))

    def family(self, e: model.ZoneFamily, s: Scope) -> tuple[int, tuple[tuple[Node, int, int], ...], tuple[int, ...]]:
        family = self.layout.zone_families[e.zone]
        return family.base, family_index(family, self.many(e.indexes, s)), family.offsets(len(e.indexes))

    @_form.register
    def _(self, e: model.ZoneFamily, s: Scope) -> Node:
        return ("family", self.place(e), *self.family(e, s), e.zone.shape == "pile")

    @_form.register
    def _(self, e: model.CardsIn, s: Scope) -> Node:
        zone = e.zone
        reversed_: bool | None = zone.zone.shape == "pile" if isinstance(zone, model.ZoneRef) else None
        return ("cards", self.place(e), self._lower(zone, s), reversed_)

    @_form.register
    def _(self, e: model.AllCards, s: Scope) -> Node:
        return ("all_cards", self.place(e), self.layout.card_type_numbers[e.card_type.id])

    @_form.register
    def _(self, e: model.Members, s: Scope) -> Node:
        return ("const", self.place(e), tuple(range(len(e.kind.members))))

    @_form.register
    def _(self, e: model.Spaces, s: Scope) -> Node:
        return ("const", self.place(e), tuple(range(len(e.board.spaces))))

    @_form.register
    def _(self, e: model.SpaceAt, s: Scope) -> Node:
        board = self.layout.board_numbers[e.board.id]
        return ("space_at", self.place(e), board, self._lower(e.column, s), self._lower(e.row, s))

    @_form.register
    def _(self, e: model.Widen, s: Scope) -> Node:
        if e.offset == 0:
            return self._lower(e.value, s)
        depth = 2 if isinstance(e.type, types.ListType) else 1 if isinstance(e.type, types.Optional) else 0
        return ("widen", self.place(e), self._lower(e.value, s), e.offset, depth)

    @_form.register
    def _(self, e: model.CardNamed, s: Scope) -> Node:
        designs = tuple(
            number for design, number in self.layout.design_numbers.items()
            if design.name == e.design and self.layout.designs[number].card_type == self.layout.card_type_numbers[e.card_type.id]
        )  # fmt: skip
        return ("card_named", self.place(e), designs, e.design)

    @_form.register
    def _(self, e: model.Attribute, s: Scope) -> Node:
        of = strip(e.of.type)
        if isinstance(of, types.CardType):
            return ("attr", self.place(e), self._lower(e.of, s), self.layout.card_tables[of.id, e.column])
        assert isinstance(of, types.SpaceType)
        return ("space_attr", self.place(e), self._lower(e.of, s), self.layout.space_tables[of.id, e.column])

    @_form.register
    def _(self, e: model.Property, s: Scope) -> Node:
        of = strip(e.of.type)
        place = self.place(e)
        inner = e.of
        if isinstance(of, types.ListType):
            if isinstance(inner, model.CardsIn) and e.name == "size":
                return ("size", place, self._lower(inner.zone, s))
            if isinstance(inner, model.Builtin) and inner.name == "seats":  # known now
                seats = self.layout.players
                return ("const", place, {"first": 0, "last": seats - 1, "size": seats}[e.name])
            op = {"first": "first", "last": "last", "size": "length"}[e.name]
            if op == "first" and isinstance(inner, model.Query) and inner.how in ("lowest", "highest"):
                query = self._lower(inner, s)
                return (query[0], place, f"first {inner.how}", *query[3:])
            return (op, place, self._lower(inner, s))
        value = self._lower(inner, s)
        if isinstance(of, types.ZoneType):
            op = {"top": "top", "bottom": "bottom", "first": "bottom", "last": "top", "size": "size"}[e.name]
            if e.name in ("first", "last") and not (isinstance(inner, model.ZoneRef) and inner.zone.shape != "pile"):
                return (e.name, place, ("cards", place, value, None))
            return (op, place, value)
        if isinstance(of, types.CardType):
            return (f"card_{e.name}", place, value)
        if isinstance(of, types.KindType):
            if e.name == "order":
                return ("order", place, value)
            return ("member_name", place, value, self.layout.kind_numbers[of.id])
        if isinstance(of, types.SpaceType):
            if e.name == "rays":
                return ("rays", place, self.layout.board_numbers[of.id], value)
            return ("space_attr", place, value, self.layout.space_table(of.id, e.name))
        if e.name == "name":
            return ("player_name", place, value)
        if self.layout.all_stay:
            step = 1 if e.name == "left" else -1
            return ("item", place, ("const", place, tuple((p + step) % len(self.seats) for p in self.seats)), value)
        return (e.name, place, value)  # left, right

    @_form.register
    def _(self, e: model.Binary, s: Scope) -> Node:
        left, right = self._lower(e.left, s), self._lower(e.right, s)
        if e.op == "+" and isinstance(e.type, types.ListType):
            return ("join", self.place(e), left, right)
        return (ARITHMETIC.get(e.op) or COMPARISONS[e.op], self.place(e), left, right)

    @_form.register
    def _(self, e: model.Not, s: Scope) -> Node:
        return ("not", self.place(e), self._lower(e.value, s))

    @_form.register
    def _(self, e: model.Negate, s: Scope) -> Node:
        return ("neg", self.place(e), self._lower(e.value, s))

    @_form.register
    def _(self, e: model.Is, s: Scope) -> Node:
        place = self.place(e)
        left = self._lower(e.left, s)
        if e.how == "design":
            assert isinstance(e.right, model.Literal)
            named: Node = ("in_designs", place, left, self._named(str(e.right.value), e.left.type))
            return self._if_any(e.left, left, named)
        if e.designs:
            return ("same_designs", place, left, self._lower(e.right, s), e.how == "bag")
        right = self._lower(e.right, s)
        if e.how == "same":
            texts = strip(e.left.type) == types.TEXT and not (left[0] in PLAIN_TEXTS and right[0] in PLAIN_TEXTS)
            return ("same_text" if texts else "eq", place, left, right)
        return ("same_list" if e.how == "list" else "same_bag", place, left, right)

    def _if_any(self, e: model.Expr, node: Node, test: Node) -> Node:
        """The test, false for `none`."""
        if isinstance(e.type, types.Optional):
            return ("and", test[1], ("ne", test[1], node, ("const", test[1], None)), test)
        return test

    def _named(self, name: str, of: Type) -> tuple[int, ...]:
        """Numbers of the designs of that name."""
        card = strip(of)
        wanted = self.layout.card_type_numbers[card.id] if isinstance(card, types.CardType) else None
        return tuple(i for i, d in enumerate(self.layout.designs) if d.name == name and wanted in (None, d.card_type))

    @_form.register
    def _(self, e: model.IsIn, s: Scope) -> Node:
        place = self.place(e)
        left = self._lower(e.left, s)
        right = e.right
        if e.designs:
            if isinstance(right, model.Items) and all(isinstance(item, model.Literal) for item in right.items):
                names = [str(item.value) for item in right.items if isinstance(item, model.Literal)]
                numbers = {number for name in names for number in self._named(name, e.left.type)}
                return self._if_any(e.left, left, ("in_designs", place, left, tuple(sorted(numbers))))
            return ("in_list", place, ("card_name", place, left), self._lower(right, s))
        if isinstance(right, model.CardsIn):
            return ("in_zone", place, left, self._lower(right.zone, s))
        if isinstance(right, model.ZoneFamily):
            return ("in_family", place, left, *self.family(right, s))
        return ("in_list", place, left, self._lower(right, s))

    @_form.register
    def _(self, e: model.IsEmpty, s: Scope) -> Node:
        value = e.value
        if isinstance(value, model.CardsIn):
            value = value.zone
        if isinstance(value, model.ZoneFamily):
            return ("empty_family", self.place(e), *self.family(value, s))
        if isinstance(value.type, types.ZoneType):
            return ("empty_zone", self.place(e), self._lower(value, s))
        inner = self._lower(value, s)
        if inner[0] == "lines" and inner[3] is not None:  # that there is one is found sooner than all of them
            return ("not", self.place(e), ("any_line", *inner[1:]))
        return ("empty_list", self.place(e), inner)

    @_form.register
    def _(self, e: model.Choice, s: Scope) -> Node:
        condition = self._lower(e.condition, s)
        if condition[0] == "const":  # an option decides: the other value is not needed
            return self._lower(e.value if condition[2] else e.otherwise, s)
        return ("choice", self.place(e), condition, self._lower(e.value, s), self._lower(e.otherwise, s))

    @_form.register
    def _(self, e: model.Marked, s: Scope) -> Node:
        return ("mark", self.place(e), e.number, self._lower(e.value, s))

    @_form.register
    def _(self, e: model.Judged, s: Scope) -> Node:
        return ("judged", self.place(e), e.yes, e.no, self._lower(e.value, s))

    @_form.register
    def _(self, e: model.LetIn, s: Scope) -> Node:
        value = self._lower(e.value, s)
        number = s.add(e.local)
        for query in s.open_queries:  # it is bound anew for every element
            query.bound.add(number)
        return ("let", self.place(e), number, value, self._lower(e.body, s))

    @_form.register
    def _(self, e: model.Numbers, s: Scope) -> Node:
        return ("range", self.place(e), self._lower(e.low, s), self._lower(e.high, s))

    @_form.register
    def _(self, e: model.ItemOf, s: Scope) -> Node:
        of, number = self._lower(e.of, s), self._lower(e.number, s)
        if of[0] == "seats":
            of = ("const", of[1], tuple(range(self.layout.players)))
        if of[0] == "const" and number[0] == "const" and 1 <= number[2] <= len(of[2]):
            return ("const", self.place(e), of[2][number[2] - 1])
        return ("nth", self.place(e), of, number)

    @_form.register
    def _(self, e: model.Items, s: Scope) -> Node:
        items = self.many(e.items, s)
        if all(item[0] == "const" for item in items):
            return ("const", self.place(e), tuple(item[2] for item in items))
        return ("list", self.place(e), items)

    @_form.register
    def _(self, e: model.Query, s: Scope) -> Node:
        binders, condition, cells, value, keys = self.binders(e.binders, s, e.value, e.keys)
        return ("query", self.place(e), e.how, binders, condition, value, keys, cells)

    def binders(
        self, binders: model.Binders, s: Scope, value: model.Expr | None = None, keys: tuple[model.Expr, ...] = ()
    ) -> tuple[tuple[tuple[int, Node], ...], Node | None, tuple[int, ...], Node | None, tuple[Node, ...]]:
        """The sources, the condition, the cells of what need be computed once only, the value and the keys of a loop."""
        query = Query()
        lowered: list[tuple[int, Node]] = []
        for binding in binders.bindings:
            if lowered:
                s.open_queries.append(query)
                source = self._once(binding.source, s)
                s.open_queries.pop()
            else:
                source = self._lower(binding.source, s)
            number = s.add(binding.local)
            query.bound.add(number)
            lowered.append((number, source))
        s.open_queries.append(query)
        condition = None if binders.where is None else self._once(binders.where, s)
        lowered_value = None if value is None else self._once(value, s)
        lowered_keys = tuple(self._once(key, s) for key in keys)
        s.open_queries.pop()
        return tuple(lowered), condition, tuple(query.cells), lowered_value, lowered_keys

    def _once(self, e: model.Expr, s: Scope) -> Node:
        """An expression inside a query, with its parts that do not depend on the element kept in cells."""
        return self._hoist(self._lower(e, s), s)

    def _hoist(self, node: Node, s: Scope) -> Node:
        query = s.open_queries[-1]
        if not isinstance(node, tuple) or not node or not isinstance(node[0], str) or not costs(node):
            return node
        if node[0] in COSTLY and not mentions(node, query.bound):
            cell = s.hidden()
            query.cells.append(cell)
            return ("once", node[1], cell, node)
        if node[0] in LOOPS:  # its own parts were hoisted already
            return node
        return tuple(self._hoist_part(part, s) for part in node)

    def _hoist_part(self, part: object, s: Scope) -> object:
        if isinstance(part, tuple):
            if part and isinstance(part[0], str):
                return self._hoist(part, s)
            return tuple(self._hoist_part(inner, s) for inner in part)
        return part

    @_form.register
    def _(self, e: model.Fold, s: Scope) -> Node:
        return ("fold", self.place(e), e.how, self._lower(e.list, s))

    @_form.register
    def _(self, e: model.Reach, s: Scope) -> Node:
        start = self._lower(e.start, s)
        steps = None if e.steps is None else self._lower(e.steps, s)
        source = None if e.step_source is None else self._lower(e.step_source, s)
        bound = (e.space,) if e.step is None else (e.space, e.step)
        numbers, condition, cells = self._over_spaces(e.where, s, *bound)
        board = self.layout.board_numbers[e.board.id]
        place = self.place(e)
        step = numbers[1] if len(numbers) > 1 else None
        many = isinstance(e.start.type, types.ListType)
        if e.steps is not None and steps is not None and not many and not isinstance(e.steps.type, types.ListType):
            return ("reach", place, board, start, steps, numbers[0], step, source, condition, cells)
        starts: Node = start if many else ("as_list", place, start)
        if steps is None or e.steps is None:
            return ("reach_all", place, board, starts, numbers[0], condition, cells)
        lengths: Node = steps if isinstance(e.steps.type, types.ListType) else ("list", place, (steps,))
        return ("reach_several", place, board, starts, lengths, numbers[0], step, source, condition, cells)

    def _over_spaces(
        self, where: model.Expr | None, s: Scope, *bound: model.Local
    ) -> tuple[tuple[int, ...], Node | None, tuple[int, ...]]:
        """The locals of a query over a board, its condition, and the cells of what is computed once."""
        query = Query()
        numbers = tuple(s.add(local) for local in bound)
        query.bound.update(numbers)
        s.open_queries.append(query)
        condition = None if where is None else self._once(where, s)
        s.open_queries.pop()
        return numbers, condition, tuple(query.cells)

    @_form.register
    def _(self, e: model.Distance, s: Scope) -> Node:
        start, end = self._lower(e.start, s), self._lower(e.end, s)
        numbers, condition, cells = self._over_spaces(e.where, s, *(() if e.space is None else (e.space,)))
        space = numbers[0] if numbers else None
        return ("distance", self.place(e), self.layout.board_numbers[e.board.id], start, end, space, condition, cells)

    @_form.register
    def _(self, e: model.Between, s: Scope) -> Node:
        return ("between", self.place(e), self.layout.board_numbers[e.board.id], self._lower(e.start, s), self._lower(e.end, s))

    @_form.register
    def _(self, e: model.SpaceSets, s: Scope) -> Node:
        length = None if e.length is None else self._lower(e.length, s)
        (space,), condition, cells = self._over_spaces(e.where, s, e.space)
        board = self.layout.board_numbers[e.board.id]
        if e.how == "groups":
            return ("groups", self.place(e), board, space, condition, cells)
        return ("lines", self.place(e), board, length, space, condition, cells)

    @_form.register
    def _(self, e: model.CallDefine, s: Scope) -> Node:
        arguments = self.many(e.arguments, s)
        if self.inline and self.chains.get(e.define) is not None:
            written = self._written_out(e.define, arguments, s, INLINE_SIZE if s.open_queries else SHORT_SIZE)
            if written is not None:
                return written
        return ("call", self.place(e), self.defines[e.define], arguments)

    def _written_out(self, define: model.Define, arguments: tuple[Node, ...], s: Scope, most: int) -> Node | None:
        """The define's value in place of a call, so that in a query what does not depend on the element can be found.

        Only where the arguments are simple, what attaches to it stands in no card, and the result is small."""
        if None in self.chains[define] or most <= self.too_big.get(define, 0):
            return None
        before, rest, inlined = s.count, s.rest, dict(s.inlined)
        outer = self.room
        room = self.room = FORMS_FOR_A_NODE * most if outer is None else min(outer, FORMS_FOR_A_NODE * most)
        try:
            written = self._chain_value(define, tuple(a for a in self.chains[define] if a is not None), arguments, s)
            if size_of(written) <= most:
                return written
            self.too_big[define] = max(most, self.too_big.get(define, 0))
        except TooBig:
            pass  # then it stays a call
        finally:
            s.rest, s.inlined = rest, inlined
            self.room = None if outer is None else outer - (room - max(0, self.room))
        s.forget(before)
        return None

    def _chain_value(
        self, define: model.Define, chain: tuple[model.Attachment, ...], arguments: tuple[Node, ...], s: Scope
    ) -> Node:
        if not all(is_simple(argument) for argument in arguments):
            raise TooBig
        if not chain:
            assert define.value is not None
            s.inlined.update(zip(define.params, arguments, strict=True))
            return self._lower(define.value, s)
        attachment, rest = chain[0], chain[1:]
        assert attachment.value is not None
        for pattern, argument in zip(attachment.patterns, arguments, strict=True):
            if isinstance(pattern, model.Bind):
                s.inlined[pattern.local] = argument
        condition = self.head(attachment, arguments, s)
        outer, s.rest = s.rest, (define, rest, arguments)
        value = self._lower(attachment.value, s)
        s.rest = outer
        if condition is None:
            return value
        other = self._chain_value(define, rest, arguments, s)
        return fold(("choice", self.layout.place(attachment.span), condition, value, other))

    def never_applies(self, attachment: model.Attachment, scope: Scope) -> bool:
        """Do the options say that its guard never holds?"""
        if attachment.where is None:
            return False
        guard = self._lower(attachment.where, scope)
        return guard[0] == "const" and guard[2] is False

    def head(self, attachment: model.Attachment, arguments: tuple[Node, ...], s: Scope) -> Node | None:
        """The condition under which it applies to a call with these arguments; None if always."""
        tests: list[Node] = []
        for pattern, argument in zip(attachment.patterns, arguments, strict=True):
            test = self.pattern(pattern, argument, attachment.span, s)
            if test is not None:
                tests.append(test)
        if attachment.where is not None:
            tests.append(self._lower(attachment.where, s))
        condition: Node | None = None
        for test in tests:
            condition = test if condition is None else fold(("and", test[1], condition, test))
        if condition is not None and condition[0] == "const" and condition[2] is True:
            return None
        return condition

    def pattern(self, pattern: model.Pattern, argument: Node, span: object, s: Scope) -> Node | None:
        if isinstance(pattern, model.Match):
            return ("eq", self.place(pattern.value), argument, self._lower(pattern.value, s))
        if isinstance(pattern, model.MatchZone):
            family = self.layout.zone_families[pattern.zone]
            indexes = family_index(family, self.many(pattern.indexes, s))
            place = argument[1]
            return ("zone_is", place, argument, family.base, indexes, family.offsets(len(pattern.indexes)))
        return None

    @_form.register
    def _(self, e: model.Proceed, s: Scope) -> Node:
        if s.rest is not None:
            define, rest, arguments = s.rest
            if e.arguments is not None:
                arguments = self.many(e.arguments, s)
            outer, s.rest = s.rest, None
            value = self._chain_value(define, rest, arguments, s)
            s.rest = outer
            return value
        assert s.proceed is not None
        place = self.place(e)
        if e.arguments is None:
            return ("proceed", place, tuple(("local", place, number) for number in s.proceed))
        return ("proceed", place, self.many(e.arguments, s))

    @_form.register
    def _(self, e: model.Builtin, s: Scope) -> Node:
        place, arguments = self.place(e), self.many(e.arguments, s)
        if e.name == "seats" or (e.name == "players" and self.layout.all_stay):
            return ("const", place, self.seats)
        if e.name in ("turn_order", "others") and self.layout.all_stay:
            first = 0 if e.name == "turn_order" else 1
            orders = tuple((self.seats[p:] + self.seats[:p])[first:] for p in self.seats)
            return ("item", place, ("const", place, orders), *arguments)
        return (e.name, place, *arguments)

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(self.layout.players))

    @_form.register
    def _(self, e: model.Template, s: Scope) -> Node:
        parts = tuple(part if isinstance(part, str) else (part.type, self._lower(part, s)) for part in e.parts)
        return ("text", self.place(e), parts)


FORMS = Expressions.__dict__["_form"].dispatcher
"""asked directly: a call of a `singledispatchmethod` makes a method anew, which takes longer than most lowering"""


class TooBig(Exception):
    """A define cannot be written out in place."""


def strip(of: Type) -> Type:
    """The type without `?`."""
    return of.of if isinstance(of, types.Optional) else of
