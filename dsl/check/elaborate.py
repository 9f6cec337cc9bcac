"""From a node of the syntax tree to a typed expression, in both directions.

`expr` finds an expression's type, with a hint of what is wanted where the text alone does not say (`[]`, `none`, a quoted
name, a member two kinds have). `check` also makes it fit the type wanted, or says why it does not. Each form of expression
registers its own function with `form`; they are in names, operators, calls and queries.

An expression in which an error was found has the type `unknown`, and nobody complains about it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from dsl import ast, model, types
from dsl.check.scope import Context, Path, Scope
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import FLAG, NONE, NUMBER, PLAYER, TEXT, UNKNOWN, Type

Form = Callable[[Any, Scope, Type | None], model.Expr]
FORMS: dict[type, Form] = {}


def form(*nodes: type) -> Callable[[Form], Form]:
    """Register the function that elaborates these nodes."""

    def register(function: Form) -> Form:
        FORMS.update(dict.fromkeys(nodes, function))
        return function

    return register


@attrs.frozen
class Want:
    """A type that is wanted, why (a clause such as "`take` wants it"), and the declaration that says so."""

    type: Type
    why: str = ""
    span: Span | None = None


def expr(node: ast.Expr, scope: Scope, hint: Type | None = None) -> model.Expr:
    """The typed expression; its type need not be the hint."""
    return FORMS[type(node)](node, scope, hint)


def check(node: ast.Expr, scope: Scope, want: Want | Type) -> model.Expr:
    """The expression made to fit; an error if it cannot."""
    if isinstance(want, Type):
        want = Want(want)
    found = expr(node, scope, want.type)
    fitting = fit(scope.cx, found, want.type)
    if fitting is not None:
        return fitting
    mismatch(scope, node, found, want)
    return unknown(node.span)


def unknown(span: Span) -> model.Expr:
    """Stands where an error was found."""
    return model.Literal(type=UNKNOWN, span=span, value=None)


def number(value: int, span: Span) -> model.Expr:
    return model.Literal(type=NUMBER, span=span, value=value)


def ungrouped(node: ast.Expr) -> ast.Expr:
    """The expression without brackets around it."""
    while isinstance(node, ast.Group):
        node = node.value
    return node


def as_written(node: ast.Node | model.Expr) -> str:
    """The text of something on one line, for hints."""
    return " ".join(node.span.text.split())


# ── making a value fit a type ──


def fit(cx: Context, found: model.Expr, want: Type) -> model.Expr | None:
    """The expression as a value of the type wanted: a zone read as its cards, a member widened. None if it is no such value."""
    have = found.type
    if is_unknown(have) or is_unknown(want) or have == want:
        return found
    if isinstance(want, types.Optional):
        if have == NONE:
            return attrs.evolve(found, type=want)
        if isinstance(have, types.Optional):
            offset = _offset(cx, have.of, want.of)
            return None if offset is None else model.Widen(type=want, span=found.span, value=found, offset=offset)
        return fit(cx, found, want.of)
    if isinstance(want, types.KindType):
        offset = _offset(cx, have, want)
        if offset is None:
            return None
        if isinstance(found, model.Literal) and isinstance(found.value, int):
            return model.Literal(type=want, span=found.span, value=found.value + offset)
        return model.Widen(type=want, span=found.span, value=found, offset=offset)
    if isinstance(want, types.ListType):
        if isinstance(have, types.ZoneType):
            cards = model.CardsIn(type=types.ListType(have.of), span=found.span, zone=found)
            return cards if have.of == want.of else None
        if isinstance(have, types.ListType):
            if want.of == types.Optional(have.of):
                return found
            offset = _offset(cx, have.of, want.of)
            return None if offset is None else model.Widen(type=want, span=found.span, value=found, offset=offset)
    return None


def _offset(cx: Context, have: Type, want: Type) -> int | None:
    if isinstance(have, types.KindType) and isinstance(want, types.KindType) and want.id in cx.kinds:
        return cx.kinds[want.id].taken.get(have.id)
    return None


def is_unknown(type_: Type) -> bool:
    """Whether an error hides somewhere in a type."""
    if isinstance(type_, types.ListType | types.Optional):
        return is_unknown(type_.of)
    return type_ == UNKNOWN


def as_list(found: model.Expr) -> model.Expr | None:
    """A list as it is, a zone as its cards; None if it is neither."""
    if isinstance(found.type, types.ZoneType):
        return model.CardsIn(type=types.ListType(found.type.of), span=found.span, zone=found)
    return found if isinstance(found.type, types.ListType) or is_unknown(found.type) else None


def join(cx: Context, a: Type, b: Type) -> Type | None:
    """The type of what is either an `a` or a `b`; None if there is none."""
    if is_unknown(a) or a == b:
        return b
    if is_unknown(b):
        return a
    if a == NONE or b == NONE:
        other = b if a == NONE else a
        return other if isinstance(other, types.Optional) else types.Optional(other)
    if isinstance(a, types.Optional) or isinstance(b, types.Optional):
        inner = join(cx, a.of if isinstance(a, types.Optional) else a, b.of if isinstance(b, types.Optional) else b)
        return None if inner is None else types.Optional(inner)
    if isinstance(a, types.ZoneType):
        return join(cx, types.ListType(a.of), b)
    if isinstance(b, types.ZoneType):
        return join(cx, a, types.ListType(b.of))
    if isinstance(a, types.ListType) and isinstance(b, types.ListType):
        inner = join(cx, a.of, b.of)
        return None if inner is None else types.ListType(inner)
    if _offset(cx, a, b) is not None:
        return b
    if _offset(cx, b, a) is not None:
        return a
    return None


def join_all(nodes: Sequence[tuple[ast.Expr, Scope]], hint: Type | None, cx: Context, what: str) -> tuple[Type, list[model.Expr]]:
    """Elaborate values that must have one type: cases, items of a list. Those that say little (`[]`, `none`, a quoted text)
    are looked at last, with what the others say. `what` names them in the error: "cases"."""
    done: dict[int, model.Expr] = {}
    joined: Type | None = None
    first: Span | None = None
    order = sorted(range(len(nodes)), key=lambda i: is_weak(*nodes[i]))
    for i in order:
        node, scope = nodes[i]
        found = expr(node, scope, hint if joined is None or hint is not None else joined)
        done[i] = found
        if joined is None:
            joined, first = found.type, node.span
            continue
        both = join(cx, joined, found.type)
        if both is None:
            cx.report.error(
                "CG0314",
                f"the {what} are of different types",
                node.span,
                f"this is {a(found.type)}",
                others=(Label(first, f"this is {a(joined)}"),) if first is not None else (),
                hint=f"all {what} must be of one type",
            )
            return UNKNOWN, [done.get(k, unknown(nodes[k][0].span)) for k in range(len(nodes))]
        joined = both
    result = joined or UNKNOWN
    if isinstance(result, types.ZoneType):
        result = types.ListType(result.of)
    if hint is not None and all(fit(cx, e, hint) is not None for e in done.values()):
        result = hint
    fitted = []
    for i in range(len(nodes)):
        fitting = fit(cx, done[i], result)
        fitted.append(done[i] if fitting is None else fitting)
    return result, fitted


def is_weak(node: ast.Expr, scope: Scope) -> bool:
    """Whether the type of a node may need to be told by others."""
    match node:
        case ast.NoneValue() | ast.Text():
            return True
        case ast.ListValue(items=items):
            return all(not isinstance(item, ast.Rest) and is_weak(item, scope) for item in items)
        case ast.Group(value=value):
            return is_weak(value, scope)
        case ast.Conditional(value=value, otherwise=other):
            return is_weak(value, scope) and is_weak(other, scope)
        case ast.Name(id=id_):
            return scope.local(id_) is None and (len(scope.names.members(id_)) > 1 or not scope.knows(id_))
    return False


# ── what is known not to be none ──


def path(found: model.Expr) -> Path | None:
    """What a test for `none` says something about, if the expression is such a thing."""
    match found:
        case model.LocalRef(local=local):
            return ("local", local)
        case model.OptionRef(option=option):
            return ("option", option)
        case model.Literal(value=value, type=type_):
            return ("literal", type_, value)
        case model.Builtin(name="active"):
            return ("active",)
        case model.VarRef(variable=variable, indexes=indexes):
            inner = [path(i) for i in indexes]
            return None if None in inner else ("variable", variable, *inner)
        case model.ZoneRef(zone=zone, indexes=indexes):
            inner = [path(i) for i in indexes]
            return None if None in inner else ("zone", zone, *inner)
        case model.Attribute(of=of, column=column):
            base = path(of)
            return None if base is None else ("attribute", base, column)
        case model.Property(of=of, name=name):
            base = path(of)
            return None if base is None else ("property", base, name)
        case model.Widen(value=value):
            return path(value)
    return None


def narrowed(found: model.Expr, scope: Scope) -> model.Expr:
    """The same expression, of the type `T` instead of `T?` where it is known not to be none."""
    if isinstance(found.type, types.Optional):
        where = path(found)
        if where is not None and where in scope.facts:
            return attrs.evolve(found, type=found.type.of)
    return found


def facts(condition: model.Expr) -> tuple[frozenset[Path], frozenset[Path]]:
    """What is not none if the condition holds, and if it does not."""
    nothing: frozenset[Path] = frozenset()
    match condition:
        case model.Not(value=value):
            yes, no = facts(value)
            return no, yes
        case model.Binary(op="and", left=left, right=right):
            (yes_a, no_a), (yes_b, no_b) = facts(left), facts(right)
            return yes_a | yes_b, no_a & no_b
        case model.Binary(op="or", left=left, right=right):
            (yes_a, no_a), (yes_b, no_b) = facts(left), facts(right)
            return yes_a & yes_b, no_a | no_b
        case model.Is(left=left, right=right, how="same" | "design"):
            for one, other in ((left, right), (right, left)):
                if isinstance(other, model.Literal) and other.value is None and other.type != UNKNOWN:
                    where = path(one)
                    return nothing, frozenset() if where is None else frozenset((where,))
            tested = {path(one) for one, other in ((left, right), (right, left)) if not isinstance(other.type, types.Optional)}
            return frozenset(p for p in tested if p is not None), nothing
    return nothing, nothing


# ── words for types ──


def a(type_: Type) -> str:
    """A type with its article: `a number`, `a list of Suit`, `a player or none`."""
    match type_:
        case types.Optional(of=of):
            return f"{a(of)} or none"
        case types.CardType():
            return f"a card ({type_.name})"
        case types.KindType():
            return f"{_article(type_.name)} {type_.name}"
        case types.SpaceType():
            return f"a space of {type_.name}"
        case types.ListType(of=of):
            return f"a list of {_many(of)}"
        case types.ZoneType(of=of):
            return f"a zone of {of.name}"
    if type_ == NONE:
        return "none"
    if type_ == FLAG:
        return "a flag (yes or no)"
    return f"a {type_}"


def _many(type_: Type) -> str:
    match type_:
        case types.CardType():
            return f"cards ({type_.name})"
        case types.SpaceType():
            return f"spaces of {type_.name}"
    if type_ in (NUMBER, PLAYER, TEXT, FLAG):
        return f"{type_}s"
    if type_ == UNKNOWN:
        return "something"
    return str(type_)


def _article(name: str) -> str:
    return "an" if name[:1].lower() in "aeiou" else "a"


def mismatch(scope: Scope, node: ast.Expr, found: model.Expr, want: Want) -> None:
    """Say that a value is not of the type wanted."""
    have, wanted = found.type, want.type
    others = () if want.span is None else (Label(want.span, want.why or "declared here"),)
    report = scope.cx.report
    if isinstance(have, types.Optional) and fit(scope.cx, attrs.evolve(found, type=have.of), wanted) is not None:
        report.error(
            "CG0302",
            f"this may be none, but {a(wanted)} is needed",
            node.span,
            f"{a(have)}",
            others=others,
            hint=guard_hint(node, found),
        )
        return
    label = f"this is {a(have)}"
    hint = _advice(node, found, wanted, scope)
    if isinstance(wanted, types.ZoneType) and isinstance(have, types.ListType):
        label = "these are cards; a single place is needed here"
    title = f"{a(wanted)} is needed here, not {a(have)}"
    if want.why and want.span is None:
        label += f"; {want.why}"
    report.error("CG0301", title, node.span, label, others=others, hint=hint)


def column_of(found: model.Expr, wanted: Type, scope: Scope) -> str | None:
    """The first column of a card that has this type."""
    card = scope.cx.card_types.get(found.type.id) if isinstance(found.type, types.CardType) else None
    return next((column.name for column in card.attributes if column.type == wanted), None) if card is not None else None


def guard_hint(node: ast.Expr, found: model.Expr) -> str:
    """How to make sure that something is not none before it is used."""
    text = as_written(node)
    if path(found) is None:
        return f"name it and test it first: `let x = {text}` and then `if x is not none: …`"
    return f"test it first: `if {text} is not none: …`, or in a condition `{text} is not none and …`"


def _advice(node: ast.Expr, found: model.Expr, wanted: Type, scope: Scope) -> str | None:
    have = found.type
    text = as_written(node)
    if wanted == FLAG:
        if isinstance(have, types.Optional):
            return f"write `{text} is not none`"
        if isinstance(have, types.ListType | types.ZoneType):
            return f"write `{text} is not empty`"
        if have == NUMBER and isinstance(node, ast.Number):
            return "write `yes` or `no`"
        if have == NUMBER:
            return f"compare it: `{text} > 0`"
    if isinstance(have, types.ListType | types.ZoneType):
        if have.of == wanted:
            if isinstance(wanted, types.CardType):
                word = "top" if isinstance(found, model.ZoneRef) and found.zone.shape == "pile" else "first"
                return f"choose one of them, or write `{text}.{word}`"
            return f"choose one of them, or write `{text}.first`"
        if wanted == NUMBER:
            return f"write `{text}.size` for how many there are"
    if isinstance(wanted, types.ListType) and have == wanted.of:
        return f"write `[{text}]` for a list of one"
    if isinstance(wanted, types.KindType) and have == NUMBER:
        return f"write one of its members, such as `{wanted.name}.first`"
    if wanted == NUMBER and isinstance(have, types.KindType):
        return f"write `{text}.order` for its place in {have.name}, from 1"
    if isinstance(have, types.CardType) and (column := column_of(found, wanted, scope)) is not None:
        return f"say what of it: `{text}.{column}`"
    if wanted == TEXT:
        return f'write `"{{{text}}}"` for it as a text'
    if isinstance(wanted, types.ZoneType) and isinstance(have, types.ListType) and isinstance(found, model.ZoneFamily):
        missing = found.zone.indexes[len(found.indexes) :]
        return f"say which: `{text}{''.join(f'[{m}]' for m in missing)}`"
    if isinstance(found, model.VarFamily) and found.variable.type == wanted:
        missing = found.variable.indexes[len(found.indexes) :]
        return f"say which: `{text}{''.join(f'[{m}]' for m in missing)}`"
    return None
