"""A second opinion: checked expressions evaluated as they stand, straight from the tree, with nothing made quicker.

Slow and plain on purpose. Faults are `Wrong`. Boards and abilities of cards are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import define, fields

from dsl import model, types
from interpreter.lower.layout import Layout
from interpreter.program import UNSET
from interpreter.state import LARGEST, SMALLEST, State

Names = dict[int, Any]
"""values of the locals, by identity"""


class Wrong(Exception):
    """The expression has no value."""


@define
class Reference:
    layout: Layout
    state: State
    sooner: bool = False
    """ask the conditions of a query as soon as what they speak of is bound, before the sources of later binders: then a fault of
    these may not be met"""

    # ── parts of the state ──

    def zone(self, family: model.Zone, indexes: list[int]) -> list[int]:
        """Numbers of the zones with these indexes, or with these first indexes."""
        found = self.layout.zone_families[family]
        first = found.base + sum(i * stride for i, stride in zip(indexes, found.strides, strict=False))
        return [first + offset for offset in found.offsets(len(indexes))]

    def cards(self, zone: int) -> tuple[int, ...]:
        cards = self.state.zones[zone]
        return tuple(cards[::-1] if self.layout.zones[zone].shape == "pile" else cards)

    def attribute(self, card: int, column: int) -> Any:
        return self.layout.designs[self.state.faces[card]].values[column]

    def order(self, player: int) -> list[int]:
        live = self.state.live
        return [p for p in live if p >= player] + [p for p in live if p < player]

    # ── evaluation ──

    def value(self, e: model.Expr, names: Names) -> Any:
        found = getattr(self, f"_{type(e).__name__.lower()}")(e, names)
        if isinstance(found, int) and not isinstance(found, bool) and not SMALLEST <= found <= LARGEST:
            raise Wrong("too large")
        return found

    def values(self, es: tuple[model.Expr, ...], names: Names) -> list[Any]:
        return [self.value(e, names) for e in es]

    def _literal(self, e: model.Literal, names: Names) -> Any:
        return e.value

    def _localref(self, e: model.LocalRef, names: Names) -> Any:
        return names[id(e.local)]

    def _optionref(self, e: model.OptionRef, names: Names) -> Any:
        return e.option.value

    def _varref(self, e: model.VarRef, names: Names) -> Any:
        family = self.layout.variable_families[e.variable]
        number = family.base + sum(i * s for i, s in zip(self.values(e.indexes, names), family.strides, strict=True))
        found = self.state.vars[number]
        if found is UNSET:
            raise Wrong("unset")
        return found

    def _varfamily(self, e: model.VarFamily, names: Names) -> Any:
        family = self.layout.variable_families[e.variable]
        given = self.values(e.indexes, names)
        first = family.base + sum(i * s for i, s in zip(given, family.strides, strict=False))
        return tuple(self.state.vars[first + offset] for offset in family.offsets(len(given)))

    def _zoneref(self, e: model.ZoneRef, names: Names) -> Any:
        return self.zone(e.zone, self.values(e.indexes, names))[0]

    def _zonefamily(self, e: model.ZoneFamily, names: Names) -> Any:
        return tuple(card for zone in self.zone(e.zone, self.values(e.indexes, names)) for card in self.cards(zone))

    def _cardsin(self, e: model.CardsIn, names: Names) -> Any:
        return self.cards(self.value(e.zone, names))

    def _allcards(self, e: model.AllCards, names: Names) -> Any:
        return tuple(self.state.in_play[self.layout.card_type_numbers[e.card_type.id]])

    def _members(self, e: model.Members, names: Names) -> Any:
        return tuple(range(len(e.kind.members)))

    def _widen(self, e: model.Widen, names: Names) -> Any:
        return self.wider(self.value(e.value, names), e.offset)

    def wider(self, value: Any, offset: int) -> Any:
        if value is None:
            return None
        return tuple(self.wider(v, offset) for v in value) if isinstance(value, tuple) else value + offset

    def _attribute(self, e: model.Attribute, names: Names) -> Any:
        return self.attribute(self.value(e.of, names), e.column)

    def _property(self, e: model.Property, names: Names) -> Any:
        of = e.of.type
        value = self.value(e.of, names)
        if isinstance(of, types.ZoneType):
            shape = self.layout.zones[value].shape
            value = self.cards(value)
            if e.name == "size":
                return len(value)
            name = {"top": "first", "bottom": "last"}[e.name] if shape == "pile" and e.name in ("top", "bottom") else e.name
            return self.end(value, name)
        if isinstance(of, types.ListType):
            return len(value) if e.name == "size" else self.end(value, e.name)
        if isinstance(of, types.CardType):
            zone = self.state.where[value]
            if e.name == "name":
                return self.layout.designs[self.state.faces[value]].name
            if e.name == "owner" and self.layout.zones[zone].owner is None:
                raise Wrong("nobody")
            return {"zone": zone, "owner": self.layout.zones[zone].owner, "position": self.cards(zone).index(value) + 1}[e.name]
        if of == types.PLAYER:
            others = [p for p in self.order(value) if p != value] or [value]
            return others[0] if e.name == "left" else others[-1]
        assert e.name == "order"
        return value + 1

    def end(self, values: tuple[Any, ...], name: str) -> Any:
        if not values:
            raise Wrong("nothing")
        return values[0] if name == "first" else values[-1]

    def _binary(self, e: model.Binary, names: Names) -> Any:
        left = self.value(e.left, names)
        if e.op == "and":
            return left and self.value(e.right, names)
        if e.op == "or":
            return left or self.value(e.right, names)
        right = self.value(e.right, names)
        if e.op in ("/", "mod") and right == 0:
            raise Wrong("zero")
        if None in (left, right):
            raise Wrong("none")
        return {
            "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left // right,
            "mod": lambda: left - right * (left // right), "<": lambda: left < right, "<=": lambda: left <= right,
            ">": lambda: left > right, ">=": lambda: left >= right,
        }[e.op]()  # fmt: skip

    def _not(self, e: model.Not, names: Names) -> Any:
        return not self.value(e.value, names)

    def _negate(self, e: model.Negate, names: Names) -> Any:
        return -self.value(e.value, names)

    def _is(self, e: model.Is, names: Names) -> Any:
        left = self.value(e.left, names)
        if e.how == "design":
            assert isinstance(e.right, model.Literal)
            return left is not None and self.named(left) == e.right.value
        right = self.value(e.right, names)
        if e.designs:
            left = [self.named(card) for card in left]
        return (
            Counter(left) == Counter(right) if e.how == "bag" else list(left) == list(right) if e.how == "list" else left == right
        )

    def named(self, card: int) -> str:
        return self.layout.designs[self.state.faces[card]].name

    def _isin(self, e: model.IsIn, names: Names) -> Any:
        left = self.value(e.left, names)
        if e.designs and left is not None:
            left = self.named(left)
        return left in self.value(e.right, names)

    def _isempty(self, e: model.IsEmpty, names: Names) -> Any:
        value = self.value(e.value, names)
        return not (self.state.zones[value] if isinstance(e.value.type, types.ZoneType) else value)

    def _choice(self, e: model.Choice, names: Names) -> Any:
        return self.value(e.value if self.value(e.condition, names) else e.otherwise, names)

    def _letin(self, e: model.LetIn, names: Names) -> Any:
        return self.value(e.body, {**names, id(e.local): self.value(e.value, names)})

    def _numbers(self, e: model.Numbers, names: Names) -> Any:
        return tuple(range(self.value(e.low, names), self.value(e.high, names) + 1))

    def _items(self, e: model.Items, names: Names) -> Any:
        return tuple(self.values(e.items, names))

    def _itemof(self, e: model.ItemOf, names: Names) -> Any:
        values, number = self.value(e.of, names), self.value(e.number, names)
        if isinstance(e.of.type, types.ZoneType):
            values = self.cards(values)
        if not 1 <= number <= len(values):
            raise Wrong("no such element")
        return values[number - 1]

    # ── loops ──

    def turns(self, binders: model.Binders, names: Names) -> Iterator[Names]:
        """The names of each combination for which the condition holds."""

        conditions = conjuncts(binders.where) if self.sooner else [binders.where]
        later = [{id(binding.local) for binding in binders.bindings[number:]} for number in range(len(binders.bindings) + 1)]

        def further(number: int, so_far: Names, open_: list[model.Expr | None]) -> Iterator[Names]:
            while open_ and (number == len(binders.bindings) or (self.sooner and not mentions(open_[0], later[number]))):
                if open_[0] is not None and not self.value(open_[0], so_far):
                    return
                open_ = open_[1:]
            if number == len(binders.bindings):
                yield so_far
                return
            binding = binders.bindings[number]
            for value in self.value(binding.source, so_far):
                yield from further(number + 1, {**so_far, id(binding.local): value}, open_)

        return further(0, names, conditions)

    def _query(self, e: model.Query, names: Names) -> Any:
        if e.how == "any":
            return any(True for _ in self.turns(e.binders, names))
        found = list(self.turns(e.binders, names))
        if e.how == "count":
            return len(found)
        if e.how in ("lowest", "highest"):
            local = e.binders.bindings[0].local
            keyed = [(tuple(self.values(e.keys, turn)), turn[id(local)]) for turn in found]
            if not keyed:
                return ()
            best = (min if e.how == "lowest" else max)(key for key, _ in keyed)
            return tuple(value for key, value in keyed if key == best)
        assert e.value is not None
        return self.folded(e.how, tuple(self.value(e.value, turn) for turn in found))

    def _fold(self, e: model.Fold, names: Names) -> Any:
        return self.folded(e.how, self.value(e.list, names))

    def folded(self, how: str, values: tuple[Any, ...]) -> Any:
        if how == "list":
            return values
        if how == "sum":
            return sum(values)
        if not values:
            raise Wrong("nothing")
        return max(values) if how == "max" else min(values)

    # ── calls ──

    def _calldefine(self, e: model.CallDefine, names: Names) -> Any:
        attached = [a for a in self.layout.game.attachments if a.target is e.define]
        chain = sorted(attached, key=lambda a: (a.rank, a.order), reverse=True)
        return self.chain(e.define, chain, self.values(e.arguments, names))

    def chain(self, of: model.Define, chain: list[model.Attachment], arguments: list[Any]) -> Any:
        if not chain:
            assert of.value is not None
            return self.value(of.value, {id(p): value for p, value in zip(of.params, arguments, strict=True)})
        first, rest = chain[0], chain[1:]
        names: Names = {id(None): (of, rest, arguments)}
        fits = True
        for pattern, value in zip(first.patterns, arguments, strict=True):
            if isinstance(pattern, model.Bind):
                names[id(pattern.local)] = value
            elif isinstance(pattern, model.Match):
                fits = fits and self.value(pattern.value, names) == value
        if not fits or (first.where is not None and not self.value(first.where, names)):
            return self.chain(of, rest, arguments)
        assert first.value is not None
        return self.value(first.value, names)

    def _proceed(self, e: model.Proceed, names: Names) -> Any:
        of, rest, arguments = names[id(None)]
        return self.chain(of, rest, arguments if e.arguments is None else self.values(e.arguments, names))

    def _builtin(self, e: model.Builtin, names: Names) -> Any:
        given = self.values(e.arguments, names)
        if e.name == "players":
            return self.state.live
        if e.name == "seats":
            return tuple(range(self.layout.players))
        if e.name == "turn_order":
            return tuple(self.order(given[0]))
        assert e.name == "others"
        return tuple(p for p in self.order(given[0]) if p != given[0])


def conjuncts(condition: model.Expr | None) -> list[model.Expr | None]:
    if isinstance(condition, model.Binary) and condition.op == "and":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return [condition]


def mentions(part: object, locals_: set[int]) -> bool:
    """Is one of these locals (by identity) read somewhere in an expression?"""
    if isinstance(part, model.LocalRef):
        return id(part.local) in locals_
    if isinstance(part, tuple):
        return any(mentions(inner, locals_) for inner in part)
    if isinstance(part, model.Expr | model.Binders | model.Binding):
        return any(
            mentions(getattr(part, field.name), locals_) for field in fields(type(part)) if field.name not in ("span", "type")
        )
    return False
