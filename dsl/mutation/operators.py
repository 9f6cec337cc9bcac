"""What a mutation changes: one operator for each kind of mistake, on the nodes of checked rules.

An operator is a function of a node and what is around it that gives the changes it can make there. A change keeps the types right, so the changed
game can be played without being checked again; where it could not be checked (what was tested for `none` would not be any more), none is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from dsl import model, types, walk
from dsl.source import Span

LEFT_OUT = "(left out)"


@frozen
class Change:
    """The node put in place of another, and how the text would read. `span` is the text that changes; None: that of the node."""

    node: Any
    becomes: str
    span: Span | None = None


@frozen
class Around:
    """What stands around a node: its parents, the nearest last; the rule or define it is in has a result or not."""

    parents: tuple[Any, ...]
    has_result: bool = False
    two_seats: bool = False
    """the game is for two players only: left and right are the same"""

    @property
    def parent(self) -> Any:
        return self.parents[-1] if self.parents else None


Operator = Callable[[Any, Around], Iterator[Change]]
OPERATORS: dict[str, Operator] = {}
"""by name; the first line of each one's docstring says what it does"""


def operator(name: str) -> Callable[[Operator], Operator]:
    def register(function: Operator) -> Operator:
        OPERATORS[name] = function
        return function

    return register


# ── texts ──


def between(node: model.Binary | model.Is | model.IsIn, old: str, new: str) -> str:
    """The text of an operation with another sign between its sides."""
    span = node.span
    start, end = node.left.span.end - span.start, node.right.span.start - span.start
    if not 0 <= start <= end <= len(span.text):
        return f"{span.text} with {new}"
    sign = span.text[start:end].replace(old, new, 1)
    return span.text[:start] + sign + span.text[end:]


def tests_none(condition: object) -> bool:
    """Is something compared with `none`: would what follows not check without it?"""
    return any(
        isinstance(node, model.Is)
        and any(isinstance(side, model.Literal) and side.value is None for side in (node.left, node.right))
        for node in walk.nodes(condition)
    )


def flag(value: bool, span: Span) -> model.Literal:
    return model.Literal(value=value, type=types.FLAG, span=span)


# ── values ──

BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "mod": "/"}
ENDS = {"top": "bottom", "bottom": "top", "first": "last", "last": "first"}
SIDES = {"left": "right", "right": "left"}
BEST = {"highest": "lowest", "lowest": "highest", "max": "min", "min": "max"}


@operator("comparison")
def comparison(node: Any, around: Around) -> Iterator[Change]:
    """`<` becomes `<=`, `>` becomes `>=`, and back"""
    if isinstance(node, model.Binary) and node.op in BOUNDARY:
        new = BOUNDARY[node.op]
        yield Change(evolve(node, op=new), between(node, node.op, new))


@operator("equality")
def equality(node: Any, around: Around) -> Iterator[Change]:
    """`is` becomes `is not`, also in `is in` and `is empty`, and back"""
    if isinstance(node, model.Is | model.IsIn | model.IsEmpty) and not tests_none(node):
        if isinstance(around.parent, model.Not):
            return
        text = node.span.text
        yield Change(model.Not(value=node, type=types.FLAG, span=node.span), text.replace(" is ", " is not ", 1))


@operator("negation")
def negation(node: Any, around: Around) -> Iterator[Change]:
    """`not` is left out, also in `is not`"""
    if isinstance(node, model.Not) and not tests_none(node):
        yield Change(node.value, node.span.text.replace("not ", "", 1))


@operator("number")
def number(node: Any, around: Around) -> Iterator[Change]:
    """a number becomes one more, or one less if it is not 0"""
    if isinstance(node, model.Literal) and isinstance(node.value, int) and node.type == types.NUMBER and node.span.text.isdigit():
        for value in (node.value + 1, node.value - 1) if node.value else (1,):
            yield Change(evolve(node, value=value), str(value))


@operator("flag")
def flag_flipped(node: Any, around: Around) -> Iterator[Change]:
    """`yes` becomes `no`, and back"""
    if isinstance(node, model.Literal) and isinstance(node.value, bool) and node.span.text in ("yes", "no"):
        yield Change(evolve(node, value=not node.value), "no" if node.value else "yes")


@operator("arithmetic")
def arithmetic(node: Any, around: Around) -> Iterator[Change]:
    """`+` becomes `-`, `-` `+`, `*` `+`, `/` `*`, `mod` `/`; also in `+=` and `-=`"""
    if isinstance(node, model.Binary) and node.op in ARITHMETIC and node.type == types.NUMBER:
        new = ARITHMETIC[node.op]
        yield Change(evolve(node, op=new), between(node, node.op, new))


@operator("logic")
def logic(node: Any, around: Around) -> Iterator[Change]:
    """`and` becomes `or`, and back"""
    if isinstance(node, model.Binary) and node.op in ("and", "or") and not tests_none(node):
        new = "or" if node.op == "and" else "and"
        yield Change(evolve(node, op=new), between(node, node.op, new))


@operator("order")
def order(node: Any, around: Around) -> Iterator[Change]:
    """`highest` becomes `lowest`, `max` `min`, and back; a second key is left out"""
    if isinstance(node, model.Query | model.Fold) and node.how in BEST:
        new = BEST[node.how]
        yield Change(evolve(node, how=new), node.span.text.replace(node.how, new, 1))
        if isinstance(node, model.Query) and len(node.keys) > 1:
            last = node.keys[-1].span
            text = node.span.text
            without = text[: node.keys[-2].span.end - node.span.start] + text[last.end - node.span.start :]
            yield Change(evolve(node, keys=node.keys[:-1]), without)


@operator("end")
def end(node: Any, around: Around) -> Iterator[Change]:
    """`.top` becomes `.bottom`, `.first` `.last`, and back"""
    if isinstance(node, model.Property) and node.name in ENDS and not isinstance(node.of.type, types.Optional):
        new = ENDS[node.name]
        yield Change(evolve(node, name=new), f"{node.of.span.text}.{new}")


@operator("neighbour")
def neighbour(node: Any, around: Around) -> Iterator[Change]:
    """`.left` becomes `.right`, and back; or it is left out: the player himself"""
    if isinstance(node, model.Property) and node.name in SIDES and node.of.type == types.PLAYER:
        new = SIDES[node.name]
        if not around.two_seats:
            yield Change(evolve(node, name=new), f"{node.of.span.text}.{new}")
        yield Change(node.of, node.of.span.text)


@operator("player")
def player(node: Any, around: Around) -> Iterator[Change]:
    """a player named as an argument, in an index, or as who chooses, becomes the one on his left"""
    if not isinstance(node, model.LocalRef) or node.type != types.PLAYER or node.span.text != node.local.name:
        return
    if isinstance(around.parent, model.CallRule | model.ZoneRef | model.VarRef | model.SetVar | model.Choose | model.MayDo):
        left = model.Property(of=node, name="left", type=types.PLAYER, span=node.span)
        yield Change(left, f"{node.local.name}.left")


@operator("case")
def case(node: Any, around: Around) -> Iterator[Change]:
    """a case of a value always holds, or never"""
    if isinstance(node, model.Choice) and not tests_none(node.condition):
        for value in (True, False):
            changed = evolve(node, condition=flag(value, node.condition.span))
            yield Change(changed, "yes" if value else "no", node.condition.span)


@operator("filter")
def filtered(node: Any, around: Around) -> Iterator[Change]:
    """the `where` of a query, a loop or a choice is left out"""
    if isinstance(node, model.Binders) and node.where is not None and not tests_none(node.where):
        yield Change(evolve(node, where=None), LEFT_OUT, node.where.span)
    if isinstance(node, model.Reach | model.Distance | model.SpaceSets) and node.where is not None and not tests_none(node.where):
        yield Change(evolve(node, where=None), LEFT_OUT, node.where.span)


# ── statements ──


@operator("condition")
def condition(node: Any, around: Around) -> Iterator[Change]:
    """an `if` is always true, or never; a `while` is never entered"""
    if isinstance(node, model.If | model.While) and not tests_none(node.condition):
        for value in (True, False) if isinstance(node, model.If) else (False,):
            changed = evolve(node, condition=flag(value, node.condition.span))
            yield Change(changed, "yes" if value else "no", node.condition.span)


@operator("statement")
def statement(node: Any, around: Around) -> Iterator[Change]:
    """a statement is left out"""
    if not isinstance(node, model.Block):
        return
    for number_, one in enumerate(node.statements):
        if can_be_left_out(one, node.statements[:number_], around):
            rest = node.statements[:number_] + node.statements[number_ + 1 :]
            yield Change(model.Block(statements=rest), LEFT_OUT, one.span)


def can_be_left_out(one: model.Statement, before: tuple[model.Statement, ...], around: Around) -> bool:
    """Would the rest still check?"""
    if isinstance(one, model.SetLocal):  # not the one that makes the name
        return one.local.mutable and any(sign in one.span.text for sign in (":=", "+=", "-="))
    if isinstance(one, model.CallRule | model.ProceedStatement) and one.into is not None:
        return False
    if isinstance(one, model.SetVar) and one.variable.value is None:
        return False
    if isinstance(one, model.Return):
        return False
    if around.has_result and any(isinstance(part, model.Return) for part in walk.nodes(one)):
        return False
    return not (isinstance(one, model.If) and tests_none(one.condition))


@operator("amount")
def amount(node: Any, around: Around) -> Iterator[Change]:
    """a computed number of cards to deal, or of times to repeat, becomes one more"""
    if isinstance(node, model.Deal | model.Repeat) and node.count is not None and not isinstance(node.count, model.Literal):
        one = model.Literal(value=1, type=types.NUMBER, span=node.count.span)
        more = model.Binary(op="+", left=node.count, right=one, type=types.NUMBER, span=node.count.span)
        yield Change(evolve(node, count=more), f"{node.count.span.text} + 1", node.count.span)


@operator("under")
def under(node: Any, around: Around) -> Iterator[Change]:
    """`move … under` becomes `move … to`, and back (to a pile or a row)"""
    if not isinstance(node, model.Move) or not isinstance(node.to, model.ZoneRef):
        return
    if node.to.zone.shape != "set" and node.to.zone.by is None:
        old, new = (" under ", " to ") if node.under else (" to ", " under ")
        yield Change(evolve(node, under=not node.under), node.span.text.replace(old, new, 1))


@operator("may")
def may(node: Any, around: Around) -> Iterator[Change]:
    """`may choose` becomes `chooses`, and back"""
    if isinstance(node, model.Choose) and not isinstance(node.what, model.Menu) and isinstance(node.subject, model.Expr):
        old, new = ("may choose", "chooses") if node.optional else ("chooses", "may choose")
        yield Change(evolve(node, optional=not node.optional), node.span.text.replace(old, new, 1))


@operator("option")
def option(node: Any, around: Around) -> Iterator[Change]:
    """a line of a menu is left out, or its `when` is"""
    if not isinstance(node, model.Menu):
        return
    for number_, line in enumerate(node.lines):
        if len(node.lines) > 1:
            yield Change(model.Menu(lines=node.lines[:number_] + node.lines[number_ + 1 :]), LEFT_OUT, line.label.span)
        if line.condition is not None and not tests_none(line.condition):
            without = evolve(line, condition=None)
            lines = (*node.lines[:number_], without, *node.lines[number_ + 1 :])
            yield Change(model.Menu(lines=lines), LEFT_OUT, line.condition.span)


@operator("otherwise")
def otherwise(node: Any, around: Around) -> Iterator[Change]:
    """the `otherwise` of a choice is left out"""
    if not isinstance(node, model.Choose | model.MayDo) or around.has_result:
        return
    if node.otherwise is not None and node.otherwise.statements:
        first, last = node.otherwise.statements[0].span, node.otherwise.statements[-1].span
        yield Change(evolve(node, otherwise=None), LEFT_OUT, first.to(last))


@operator("head")
def head(node: Any, around: Around) -> Iterator[Change]:
    """a value that an attachment asks for in its head becomes `_`"""
    if isinstance(node, model.Match | model.MatchZone):
        span = node.value.span if isinstance(node, model.Match) else None
        if span is not None and span.text != "self":
            yield Change(model.Ignore(), "_", span)
