"""Statements of checked rules to nodes of the program."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Any

from attrs import define

from dsl import model, types
from interpreter.lower.effects import Effects
from interpreter.lower.events import Events
from interpreter.lower.expressions import Expressions, family_index, strip
from interpreter.lower.scope import Scope
from interpreter.program import LineInfo, Node, Site

HIDDEN_OF_CHOICE = 6
"""hidden locals a choice may need: players, place among them, answers, candidates, picked, most"""


@define
class Body:
    """What a statement needs to know of the body it stands in: its locals, and the rule it belongs to (for messages)."""

    scope: Scope
    rule: str


class Statements:
    """Lowers statements; makes the sites, and the events some statements need."""

    def __init__(self, expressions: Expressions, effects: Effects, events: Events, rules: dict[model.Rule, int]) -> None:
        self.expressions = expressions
        self.layout = expressions.layout
        self.effects = effects
        self.events = events
        self.rules = rules
        self.sites: list[Site] = []
        self.asked: list[tuple[model.Choose | model.MayDo | None, Scope]] = []
        """of each site the choice it was made of, and the locals around it; None for the abilities of cards"""
        self.blind = False
        """somebody may choose among cards he does not see"""

    def block(self, block: model.Block | None, body: Body) -> tuple[Node, ...] | None:
        if block is None:
            return None
        nodes: list[Node] = []
        for statement in block.statements:
            nodes.extend(self._lower(statement, body))
        return tuple(nodes)

    # ── helpers ──

    def _expr(self, expr: model.Expr, body: Body) -> Node:
        return self.expressions.lower(expr, body.scope)

    def _judged(
        self, nodes: list[Node], place: int, zones: frozenset[int], variables: frozenset[int], roster: bool = False
    ) -> list[Node]:
        """The nodes, and after them the endings that read what they changed."""
        endings = self.effects.judged(zones, variables, roster)
        if endings:
            nodes.append(("judge", place, endings))
        return nodes

    def _judged_into(self, nodes: list[Node], place: int, into: model.Local | model.VarRef | None) -> list[Node]:
        if isinstance(into, model.VarRef):
            return self._judged(nodes, place, frozenset(), frozenset([self.layout.variable_families[into.variable].base]))
        return nodes

    def _into(self, into: model.Local | model.VarRef | None, place: int, body: Body) -> Node | None:
        if into is None:
            return None
        if isinstance(into, model.Local):
            if into not in body.scope.numbers:
                body.scope.add(into)
            return ("local", body.scope.numbers[into])
        family = self.layout.variable_families[into.variable]
        indexes = self.expressions.many(into.indexes, body.scope)
        return ("set_var", family.base, family_index(family, indexes))

    # ── each kind of statement ──

    @singledispatchmethod
    def _lower(self, st: model.Statement, body: Body) -> list[Node]:
        raise TypeError(f"no lowering for {type(st).__name__}")

    @_lower.register
    def _(self, st: model.Mark, body: Body) -> list[Node]:
        return [("mark", self.layout.place(st.span), st.number)]

    @_lower.register
    def _(self, st: model.SetLocal, body: Body) -> list[Node]:
        value = self._expr(st.value, body)
        number = body.scope.numbers.get(st.local)
        if number is None:
            number = body.scope.add(st.local)
        return [("set", self.layout.place(st.span), number, value)]

    @_lower.register
    def _(self, st: model.SetVar, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        family = self.layout.variable_families[st.variable]
        indexes = family_index(family, self.expressions.many(st.indexes, body.scope))
        nodes: list[Node] = [("set_var", place, family.base, indexes, self._expr(st.value, body))]
        return self._judged(nodes, place, frozenset(), frozenset([family.base]))

    @_lower.register
    def _(self, st: model.CallRule, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        arguments = self.expressions.many(st.arguments, body.scope)
        into = self._into(st.into, place, body)
        nodes: list[Node] = [("call_rule", place, self.rules[st.rule], arguments, into)]
        return self._judged_into(nodes, place, st.into)

    @_lower.register
    def _(self, st: model.ProceedStatement, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        assert body.scope.proceed is not None
        if st.arguments is None:
            arguments: tuple[Node, ...] = tuple(("local", place, number) for number in body.scope.proceed)
        else:
            arguments = self.expressions.many(st.arguments, body.scope)
        nodes: list[Node] = [("proceed_rule", place, arguments, self._into(st.into, place, body))]
        return self._judged_into(nodes, place, st.into)

    @_lower.register
    def _(self, st: model.Move, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        scope = body.scope
        many = isinstance(strip(st.cards.type), types.ListType)
        card_type = self.layout.card_type_numbers[card_of(st.cards.type).id]
        cards, zone = self._expr(st.cards, body), self._expr(st.to, body)
        target = st.to.zone if isinstance(st.to, model.ZoneRef) else None
        sources = source_families(st.cards)
        event = self.events.move(card_type, sources, target, under=st.under)
        judges: list[Node] = []
        if event is None:
            judges = self._judged([], place, self.effects.written_by_move(card_type, sources, target), frozenset())
            if not many or not judges:
                return [("move", place, cards, zone, st.under, many), *judges]
        if not many:
            card = scope.hidden(st.cards.type)
            return [("set", place, card, cards), self._moved(place, event, card, zone, st.under)]
        # One card at a time, since something attaches to the moves or an ending is judged after each.
        target_zone, card = scope.hidden(), scope.hidden(card_of(st.cards.type))
        moved = self._moved(place, event, card, ("local", place, target_zone), st.under)
        loop = self._for(place, ((card, cards),), None, (), (moved, *judges), body)
        return [("set", place, target_zone, zone), loop]

    @staticmethod
    def _moved(place: int, event: int | None, card: int, zone: Node, under: bool) -> Node:
        """The move of one card, as an event if there is one."""
        moving: Node = ("local", place, card)
        if event is None:
            return ("move", place, moving, zone, under, False)
        return ("call_rule", place, event, (moving, ("card_zone", place, moving), zone), None)

    def _for(
        self, place: int, binders: tuple[tuple[int, Node], ...], condition: Node | None, cells: tuple[int, ...],
        block: tuple[Node, ...], body: Body,
    ) -> Node:  # fmt: skip
        of = body.scope.types[binders[0][0]] if len(binders) == 1 else None
        list_ = body.scope.hidden(None if of is None else types.ListType(of))
        return ("for", place, binders, condition, cells, block, list_, body.scope.hidden())

    @_lower.register
    def _(self, st: model.Deal, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        scope = body.scope
        count = None if st.count is None else self._expr(st.count, body)
        source = self._expr(st.source, body)
        of = strip(st.source.type)
        assert isinstance(of, types.ZoneType)
        card_type = self.layout.card_type_numbers[of.of.id]
        if st.binders is None:
            binders: tuple[tuple[int, Node], ...] = ()
            condition: Node | None = None
            cells: tuple[int, ...] = ()
            value = self._expr(st.to, body)
        else:
            binders, condition, cells, lowered, _ = self.expressions.binders(st.binders, scope, st.to)
            assert lowered is not None
            value = lowered
        target = st.to.zone if isinstance(st.to, model.ZoneRef) else None
        sources = (st.source.zone,) if isinstance(st.source, model.ZoneRef) else None
        event = self.events.move(card_type, sources, target, under=False)
        judges: list[Node] = []
        if event is None:
            judges = self._judged([], place, self.effects.written_by_move(card_type, sources, target), frozenset())
            if not judges:
                return [("deal", place, count, source, value, binders, condition, cells)]
        # One card at a time, since something attaches to the moves or an ending is judged after each.
        from_zone, targets, number, card = scope.hidden(), scope.hidden(), scope.hidden(), scope.hidden(of.of)
        target_list: Node = (
            ("list", place, (value,)) if not binders else ("query", place, "list", binders, condition, value, (), cells)
        )
        size: Node = ("size", place, ("local", place, from_zone))
        turns: Node = ("local", place, targets)
        total = size
        if count is not None:
            wanted: Node = ("mul", place, count, ("length", place, turns))
            total = ("choice", place, ("lt", place, wanted, size), wanted, size)
        zone: Node = ("item", place, turns, ("mod", place, ("local", place, number), ("length", place, turns)))
        top: Node = ("set", place, card, ("top", place, ("local", place, from_zone)))
        moved = self._moved(place, event, card, zone, False)
        # What attaches may have taken cards from the pile.
        there: Node = ("if", place, ("gt", place, size, ("const", place, 0)), (top, moved, *judges), None)
        numbers: Node = ("range", place, ("const", place, 0), ("sub", place, total, ("const", place, 1)))
        loop = self._for(place, ((number, numbers),), None, (), (there,), body)
        some: Node = ("gt", place, ("length", place, turns), ("const", place, 0))
        return [("set", place, from_zone, source), ("set", place, targets, target_list), ("if", place, some, (loop,), None)]

    @_lower.register
    def _(self, st: model.Shuffle, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        zone = self._expr(st.zone, body)
        event = self.events.plain("shuffle", st.zone.zone if isinstance(st.zone, model.ZoneRef) else None)
        if event is not None:
            return [("call_rule", place, event, (zone,), None)]
        families = frozenset([self.layout.zone_families[st.zone.zone].base]) if isinstance(st.zone, model.ZoneRef) else None
        return self._judged(
            [("shuffle", place, zone)], place, self.effects.all_zones if families is None else families, frozenset()
        )

    @_lower.register
    def _(self, st: model.Reveal, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        many = isinstance(strip(st.cards.type), types.ListType)
        cards = self._expr(st.cards, body)
        event = self.events.reveal(self.layout.card_type_numbers[card_of(st.cards.type).id])
        if event is None:
            return [("reveal", place, cards, many)]
        if not many:
            return [("call_rule", place, event, (cards,), None)]
        card = body.scope.hidden(card_of(st.cards.type))
        call: Node = ("call_rule", place, event, (("local", place, card),), None)
        return [self._for(place, ((card, cards),), None, (), (call,), body)]

    @_lower.register
    def _(self, st: model.Show, body: Body) -> list[Node]:
        many = isinstance(strip(st.cards.type), types.ListType)
        several = isinstance(strip(st.to.type), types.ListType)
        return [("show", self.layout.place(st.span), self._expr(st.cards, body), many, self._expr(st.to, body), several)]

    @_lower.register
    def _(self, st: model.Roll, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        number = self.layout.game.dice.index(st.dice)
        event = self.events.plain("roll", None)
        if event is not None:
            return [("call_rule", place, event, (("const", place, number),), None)]
        variable = self.layout.variable_families[st.dice].base
        return self._judged([("roll", place, number, None)], place, frozenset(), frozenset([variable]))

    @_lower.register
    def _(self, st: model.Eliminate, body: Body) -> list[Node]:
        place = self.layout.place(st.span)
        player = self._expr(st.player, body)
        event = self.events.plain("eliminate", None)
        if event is not None:
            return [("call_rule", place, event, (player,), None)]
        return self._judged([("eliminate", place, player)], place, frozenset(), frozenset(), roster=True)

    @_lower.register
    def _(self, st: model.If, body: Body) -> list[Node]:
        place = self.layout.place(st.condition.span)
        condition = self._expr(st.condition, body)
        first, other = self.block(st.body, body), self.block(st.otherwise, body)
        if condition[0] == "const":  # an option decides
            return list((first if condition[2] else other) or ())
        return [("if", place, condition, first, other)]

    @_lower.register
    def _(self, st: model.While, body: Body) -> list[Node]:
        place = self.layout.place(st.condition.span)
        return [("while", place, self._expr(st.condition, body), self.block(st.body, body))]

    @_lower.register
    def _(self, st: model.For, body: Body) -> list[Node]:
        binders, condition, cells, _, _ = self.expressions.binders(st.binders, body.scope)
        return [self._for(self.layout.place(st.span), binders, condition, cells, self.block(st.body, body) or (), body)]

    @_lower.register
    def _(self, st: model.Repeat, body: Body) -> list[Node]:
        count = self._expr(st.count, body)
        hidden = body.scope.hidden()
        return [("repeat", self.layout.place(st.span), count, self.block(st.body, body), hidden)]

    @_lower.register
    def _(self, st: model.Return, body: Body) -> list[Node]:
        return [("return", self.layout.place(st.span), self._expr(st.value, body))]

    @_lower.register
    def _(self, st: model.End, body: Body) -> list[Node]:
        return [("end", self.layout.place(st.span), self.rules[st.rule])]

    # ── choices ──

    def _site(self, kind: str, st: model.Choose | model.MayDo, body: Body, **more: Any) -> Site:
        site = Site(len(self.sites), kind, self.layout.place(st.span), body.rule, **more)
        site.hidden = body.scope.count
        for _ in range(HIDDEN_OF_CHOICE):
            body.scope.hidden()
        self.sites.append(site)
        self.asked.append((st, body.scope))
        return site

    @_lower.register
    def _(self, st: model.MayDo, body: Body) -> list[Node]:
        label = self._expr(st.label, body)
        line = LineInfo(label, (), None, (), self.layout.place(st.label.span))
        site = self._site("may", st, body, subject=self._expr(st.subject, body), optional=True, lines=(line,))
        node = ("choose", self.layout.place(st.span), site.number, self.block(st.body, body), (), self.block(st.otherwise, body))
        return [node]

    @_lower.register
    def _(self, st: model.Choose, body: Body) -> list[Node]:
        scope = body.scope
        place = self.layout.place(st.span)
        subject: Node | None = None
        each: tuple[int, Node] | None = None
        if isinstance(st.subject, model.EachPlayer):
            source = self._expr(st.subject.source, body)
            each = (scope.add(st.subject.local), source)
        elif isinstance(st.subject, model.Expr):
            subject = self._expr(st.subject, body)
        site = self._site("pick", st, body, subject=subject, each=each, optional=st.optional)
        site.prompt = None if st.prompt is None else self._expr(st.prompt, body)
        blocks: list[tuple[Node, ...] | None] = []
        what = st.what
        if isinstance(what, model.PickSeveral):
            site.kind = "several"
            least, most, source = (self._expr(e, body) for e in (what.least, what.most, what.source))
            site.several = (least, most, scope.add(what.local), source)
            of = strip(what.source.type)
            site.element_type = of.of if isinstance(of, types.ListType | types.ZoneType) else None
            site.plain = self._plain(what.source, st.subject)
            if site.element_type is not None:  # what can be picked, what was, and in a sealed choice the answers
                listed = types.ListType(site.element_type)
                scope.types[site.hidden + 3] = scope.types[site.hidden + 4] = listed
                scope.types[site.hidden + 2] = types.ListType(listed)
        elif isinstance(what, model.PickOne):
            site.lines = (self._line(None, what.binders, None, place, body),)
            if len(what.binders.bindings) == 1:
                scope.types[site.hidden + 2] = types.ListType(types.Optional(what.binders.bindings[0].local.type))
            site.plain = self._all_plain(what.binders.bindings, st.subject)
        else:
            site.kind = "menu"
            lines: list[LineInfo] = []
            for line in what.lines:
                line_place = self.layout.place(line.span)
                lines.append(self._line(line.label, line.binders, line.condition, line_place, body))
                blocks.append(self.block(line.body, body) or ())
            site.lines = tuple(lines)
            bindings = [binding for line in what.lines if line.binders for binding in line.binders.bindings]
            site.plain = self._all_plain(bindings, st.subject)
        return [("choose", place, site.number, self.block(st.body, body), tuple(blocks), self.block(st.otherwise, body))]

    def _line(
        self, label: model.Template | None, binders: model.Binders | None, condition: model.Expr | None, place: int, body: Body
    ) -> LineInfo:
        lowered: tuple[tuple[int, Node], ...] = ()
        test: Node | None = None
        cells: tuple[int, ...] = ()
        kinds: tuple[types.Type, ...] = ()
        if binders is not None:
            lowered, test, cells, _, _ = self.expressions.binders(binders, body.scope)
            kinds = tuple(binding.local.type for binding in binders.bindings)
        elif condition is not None:
            test = self._expr(condition, body)
        return LineInfo(None if label is None else self._expr(label, body), lowered, test, cells, place, kinds)

    def _all_plain(self, bindings: Iterable[model.Binding], subject: model.Expr | model.EachPlayer | model.ByChance) -> bool:
        """Each is looked at: one after the first that is not plain may be of cards nobody sees."""
        return all([self._plain(binding.source, subject) for binding in bindings])  # noqa: C419 (all of them)

    def _plain(self, source: model.Expr, subject: model.Expr | model.EachPlayer | model.ByChance) -> bool:
        """Are the values of this source all unlike, and if they are cards, seen by the one who chooses?"""
        if isinstance(subject, model.ByChance):
            return True
        of = strip(source.type)
        element = strip(of.of) if isinstance(of, types.ListType | types.ZoneType) else of
        if not isinstance(element, types.CardType):
            return isinstance(source, model.Members | model.Spaces | model.Numbers | model.Builtin)
        if not self._seen(source, subject):
            self.blind = True
            return False
        number = self.layout.card_type_numbers[element.id]
        names = [d.name for d in self.layout.designs if d.card_type == number]
        return len(self.layout.card_types[number].slots) == len(names) == len(set(names))

    def _seen(self, source: model.Expr, subject: model.Expr | model.EachPlayer) -> bool:
        """Does the chooser certainly see all these cards where they lie?"""
        if isinstance(source, model.Query) and source.how == "list" and len(source.binders.bindings) == 1:
            binding = source.binders.bindings[0]
            value = source.value
            return isinstance(value, model.LocalRef) and value.local is binding.local and self._seen(binding.source, subject)
        place = source.zone if isinstance(source, model.CardsIn) else source
        if not isinstance(place, model.ZoneRef | model.ZoneFamily):
            return False
        zone = place.zone
        if zone.visibility == "open":
            return True
        if zone.visibility != "private" or not isinstance(place, model.ZoneRef):
            return False
        owner = place.indexes[zone.indexes.index(types.PLAYER)]
        if isinstance(subject, model.EachPlayer):
            return isinstance(owner, model.LocalRef) and owner.local is subject.local
        return owner == subject


def card_of(of: types.Type) -> types.CardType:
    """The card type of a card, a list of cards or a zone."""
    of = strip(of)
    while isinstance(of, types.ListType | types.ZoneType):
        of = strip(of.of)
    assert isinstance(of, types.CardType)
    return of


def source_families(cards: model.Expr) -> tuple[model.Zone, ...] | None:
    """The zone families these cards certainly come from, None if that cannot be told from the text."""
    if isinstance(cards, model.CardsIn) and isinstance(cards.zone, model.ZoneRef):
        return (cards.zone.zone,)
    if isinstance(cards, model.ZoneFamily):
        return (cards.zone,)
    if isinstance(cards, model.Property) and isinstance(cards.of, model.ZoneRef):
        return (cards.of.zone,)
    return None
