"""Evaluates expressions that do not depend on the state of a game: cells of tables, first values, steps of boards.

Files are untrusted, so every evaluation has a budget of steps, depth and size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from attrs import Factory, define, field

from dsl import model, types
from dsl.source import Span
from dsl.types import Type

LARGEST = 2**63 - 1
SMALLEST = -(2**63)
STEPS = 1_000_000
DEPTH = 120


class NotConstant(Exception):
    """The expression depends on what happens in play; `span` is the part that does."""

    def __init__(self, span: Span) -> None:
        super().__init__(f"{span}: not a constant")
        self.span = span


class ConstantFault(Exception):
    """The expression is constant and has no value; `text` says why."""

    def __init__(self, span: Span, text: str) -> None:
        super().__init__(f"{span}: {text}")
        self.span, self.text = span, text


@define(eq=False)
class World:
    """What constants may be about: kinds and boards by id; `attached` are the defines that something attaches to, whose value
    therefore is not constant."""

    kinds: dict[str, model.Kind] = Factory(dict)
    boards: dict[str, model.Board] = Factory(dict)
    attached: frozenset[str] = frozenset()


Environment = Mapping[model.Local, object]


def evaluate(expr: model.Expr, env: Environment, world: World | None = None, *, steps: int = STEPS) -> object:
    """The run-time value of an expression whose locals are in `env`.

    Raises `NotConstant` if it depends on play and `ConstantFault` if it has no value (division by 0, overflow, nothing to take
    the first of, too much work)."""
    return Evaluator(world or World(), steps).value(expr, env)


def display(value: object, type_: Type, world: World) -> str:
    """A value as a person reads it."""
    match type_:
        case types.Optional(of=of):
            return "none" if value is None else display(value, of, world)
        case types.ListType(of=of) if isinstance(value, tuple):
            return ", ".join(display(item, of, world) for item in value)
        case types.KindType(id=id_) if id_ in world.kinds and isinstance(value, int):
            return world.kinds[id_].members[value][1]
        case types.SpaceType(id=id_) if id_ in world.boards and isinstance(value, int):
            return world.boards[id_].spaces[value].name
        case types.PLAYER if isinstance(value, int):
            return f"P{value + 1}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


@define(eq=False)
class Evaluator:
    """Evaluates within one budget; kept for many evaluations that share it."""

    world: World
    steps: int = STEPS
    _depth: int = field(default=0, init=False)

    def value(self, expr: model.Expr, env: Environment) -> object:
        self.steps -= 1
        self._depth += 1
        try:
            if self.steps < 0 or self._depth > DEPTH:
                raise ConstantFault(expr.span, "this takes too long to work out")
            form = _FORMS.get(type(expr))
            if form is None:
                raise NotConstant(expr.span)
            return form(self, expr, env)
        finally:
            self._depth -= 1

    def number(self, expr: model.Expr, env: Environment) -> int:
        value = self.value(expr, env)
        if not isinstance(value, int):
            raise ConstantFault(expr.span, "there is nothing here" if value is None else "this is not a number")
        return value

    def truth(self, expr: model.Expr, env: Environment) -> bool:
        return self.value(expr, env) is True

    def items(self, expr: model.Expr, env: Environment) -> tuple[object, ...]:
        value = self.value(expr, env)
        if not isinstance(value, tuple):
            raise ConstantFault(expr.span, "this is not a list")
        return value

    def spend(self, amount: int, span: Span) -> None:
        """Take the size of something from the budget."""
        self.steps -= amount
        if self.steps < 0:
            raise ConstantFault(span, "this takes too long to work out")

    def within(self, value: int, span: Span) -> int:
        if not SMALLEST <= value <= LARGEST:
            raise ConstantFault(span, "this number is too big")
        return value

    def loop(self, binders: model.Binders, env: Environment) -> Iterator[dict[model.Local, object]]:
        """The environments of a loop, in order."""
        return self._nested(binders, 0, dict(env))

    def _nested(self, binders: model.Binders, at: int, env: dict[model.Local, object]) -> Iterator[dict[model.Local, object]]:
        if at == len(binders.bindings):
            if binders.where is None or self.truth(binders.where, env):
                yield env
            return
        binding = binders.bindings[at]
        for item in self.items(binding.source, env):
            self.spend(1, binding.source.span)
            yield from self._nested(binders, at + 1, {**env, binding.local: item})

    def kind_of(self, type_: Type) -> model.Kind | None:
        inner = type_.of if isinstance(type_, types.Optional) else type_
        return self.world.kinds.get(inner.id) if isinstance(inner, types.KindType) else None

    def board_of(self, type_: Type) -> model.Board | None:
        inner = type_.of if isinstance(type_, types.Optional) else type_
        return self.world.boards.get(inner.id) if isinstance(inner, types.SpaceType) else None


E = TypeVar("E", bound=model.Expr)
Form = Callable[[Evaluator, E, Environment], object]
_FORMS: dict[type[model.Expr], Callable[..., object]] = {}


def form(cls: type[E]) -> Callable[[Form[E]], Form[E]]:
    """Marks the function that evaluates a class of expressions; the others are not constant."""

    def register(function: Form[E]) -> Form[E]:
        _FORMS[cls] = function
        return function

    return register


@form(model.Literal)
def _literal(ev: Evaluator, expr: model.Literal, env: Environment) -> object:
    return expr.value


@form(model.LocalRef)
def _local(ev: Evaluator, expr: model.LocalRef, env: Environment) -> object:
    if expr.local not in env:
        raise NotConstant(expr.span)
    return env[expr.local]


@form(model.OptionRef)
def _option(ev: Evaluator, expr: model.OptionRef, env: Environment) -> object:
    return expr.option.value


@form(model.Members)
def _members(ev: Evaluator, expr: model.Members, env: Environment) -> object:
    return tuple(range(len(expr.kind.members)))


@form(model.Spaces)
def _spaces(ev: Evaluator, expr: model.Spaces, env: Environment) -> object:
    return tuple(range(len(expr.board.spaces)))


@form(model.SpaceAt)
def _space_at(ev: Evaluator, expr: model.SpaceAt, env: Environment) -> object:
    place = ev.number(expr.column, env), ev.number(expr.row, env)
    if place not in expr.board.grid:
        raise ConstantFault(expr.span, f"`{expr.board.name}` has no space at column {place[0]}, row {place[1]}")
    return expr.board.grid[place]


@form(model.Widen)
def _widen(ev: Evaluator, expr: model.Widen, env: Environment) -> object:
    return _shift(ev.value(expr.value, env), expr.offset)


def _shift(value: object, offset: int) -> object:
    if isinstance(value, tuple):
        return tuple(_shift(item, offset) for item in value)
    return value + offset if isinstance(value, int) else value


@form(model.Attribute)
def _attribute(ev: Evaluator, expr: model.Attribute, env: Environment) -> object:
    board = ev.board_of(expr.of.type)
    if board is None:
        raise NotConstant(expr.span)
    return board.spaces[ev.number(expr.of, env)].values[expr.column]


@form(model.Property)
def _property(ev: Evaluator, expr: model.Property, env: Environment) -> object:
    of = expr.of.type.of if isinstance(expr.of.type, types.Optional) else expr.of.type
    kind, board = ev.kind_of(of), ev.board_of(of)
    if kind is not None:
        order = ev.number(expr.of, env)
        return order + 1 if expr.name == "order" else kind.members[order][1]
    if board is not None:
        return _of_space(board, ev.number(expr.of, env), expr)
    if not isinstance(of, types.ListType):
        raise NotConstant(expr.span)
    items = ev.items(expr.of, env)
    if expr.name == "size":
        return len(items)
    if not items:
        raise ConstantFault(expr.span, f"an empty list has no `.{expr.name}`")
    return items[0] if expr.name == "first" else items[-1]


def _of_space(board: model.Board, number: int, expr: model.Property) -> object:
    space = board.spaces[number]
    match expr.name:
        case "column":
            return space.column
        case "row":
            return space.row
        case "order":
            return number + 1
        case "name":
            return space.name
        case "neighbours" if board.neighbours:
            return board.neighbours[number]
    if expr.name not in board.ways:
        raise NotConstant(expr.span)
    return board.ways[expr.name][number]


@form(model.Binary)
def _binary(ev: Evaluator, expr: model.Binary, env: Environment) -> object:
    if expr.op == "and":
        return ev.truth(expr.left, env) and ev.truth(expr.right, env)
    if expr.op == "or":
        return ev.truth(expr.left, env) or ev.truth(expr.right, env)
    if expr.op == "+" and isinstance(expr.type, types.ListType):
        joined = ev.items(expr.left, env) + ev.items(expr.right, env)
        ev.spend(len(joined), expr.span)
        return joined
    left, right = ev.number(expr.left, env), ev.number(expr.right, env)
    match expr.op:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "+":
            return ev.within(left + right, expr.span)
        case "-":
            return ev.within(left - right, expr.span)
        case "*":
            return ev.within(left * right, expr.span)
    if right == 0:
        raise ConstantFault(expr.right.span, "this divides by 0")
    return ev.within(left // right if expr.op == "/" else left % right, expr.span)


@form(model.Not)
def _not(ev: Evaluator, expr: model.Not, env: Environment) -> object:
    return not ev.truth(expr.value, env)


@form(model.Negate)
def _negate(ev: Evaluator, expr: model.Negate, env: Environment) -> object:
    return ev.within(-ev.number(expr.value, env), expr.span)


@form(model.Is)
def _is(ev: Evaluator, expr: model.Is, env: Environment) -> object:
    if expr.how == "design" or expr.designs:
        raise NotConstant(expr.span)
    if expr.how == "bag":
        left, right = list(ev.items(expr.left, env)), list(ev.items(expr.right, env))
        ev.spend(len(left) * len(right), expr.span)
        for item in right:
            if item not in left:
                return False
            left.remove(item)
        return not left
    return ev.value(expr.left, env) == ev.value(expr.right, env)


@form(model.IsIn)
def _is_in(ev: Evaluator, expr: model.IsIn, env: Environment) -> object:
    if expr.designs:
        raise NotConstant(expr.span)
    items = ev.items(expr.right, env)
    ev.spend(len(items), expr.span)
    return ev.value(expr.left, env) in items


@form(model.IsEmpty)
def _is_empty(ev: Evaluator, expr: model.IsEmpty, env: Environment) -> object:
    return not ev.items(expr.value, env)


@form(model.Choice)
def _choice(ev: Evaluator, expr: model.Choice, env: Environment) -> object:
    return ev.value(expr.value if ev.truth(expr.condition, env) else expr.otherwise, env)


@form(model.LetIn)
def _let(ev: Evaluator, expr: model.LetIn, env: Environment) -> object:
    return ev.value(expr.body, {**env, expr.local: ev.value(expr.value, env)})


@form(model.Numbers)
def _numbers(ev: Evaluator, expr: model.Numbers, env: Environment) -> object:
    low, high = ev.number(expr.low, env), ev.number(expr.high, env)
    ev.spend(max(0, high - low + 1), expr.span)
    return tuple(range(low, high + 1))


@form(model.ItemOf)
def _item_of(ev: Evaluator, expr: model.ItemOf, env: Environment) -> object:
    items, place = ev.items(expr.of, env), ev.number(expr.number, env)
    if not 1 <= place <= len(items):
        raise ConstantFault(expr.span, f"the list has no element {place}: it has {len(items)}")
    return items[place - 1]


@form(model.Items)
def _items(ev: Evaluator, expr: model.Items, env: Environment) -> object:
    return tuple(ev.value(item, env) for item in expr.items)


@form(model.Query)
def _query(ev: Evaluator, expr: model.Query, env: Environment) -> object:
    if expr.how in ("count", "any"):
        found = ev.loop(expr.binders, env)
        return any(True for _ in found) if expr.how == "any" else sum(1 for _ in found)
    if expr.how in ("lowest", "highest"):
        local = expr.binders.bindings[0].local
        keyed = [(tuple(ev.number(key, e) for key in expr.keys), e[local]) for e in ev.loop(expr.binders, env)]
        if not keyed:
            return ()
        best = (min if expr.how == "lowest" else max)(key for key, _ in keyed)
        return tuple(item for key, item in keyed if key == best)
    assert expr.value is not None
    return _fold_values(ev, expr.how, tuple(ev.value(expr.value, e) for e in ev.loop(expr.binders, env)), expr.span)


@form(model.Fold)
def _fold(ev: Evaluator, expr: model.Fold, env: Environment) -> object:
    return _fold_values(ev, expr.how, ev.items(expr.list, env), expr.span)


def _fold_values(ev: Evaluator, how: str, values: tuple[object, ...], span: Span) -> object:
    if how == "list":
        return values
    numbers = [value for value in values if isinstance(value, int)]
    if how == "sum":
        return ev.within(sum(numbers), span)
    if not numbers:
        raise ConstantFault(span, f"there is no {how} of nothing")
    return max(numbers) if how == "max" else min(numbers)


@form(model.CallDefine)
def _call(ev: Evaluator, expr: model.CallDefine, env: Environment) -> object:
    if expr.define.value is None or expr.define.id in ev.world.attached:
        raise NotConstant(expr.span)
    arguments = [ev.value(argument, env) for argument in expr.arguments]
    return ev.value(expr.define.value, dict(zip(expr.define.params, arguments, strict=True)))


@form(model.Template)
def _template(ev: Evaluator, expr: model.Template, env: Environment) -> object:
    parts = [part if isinstance(part, str) else display(ev.value(part, env), part.type, ev.world) for part in expr.parts]
    ev.spend(sum(len(part) for part in parts), expr.span)
    return "".join(parts)
