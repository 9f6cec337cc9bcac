"""Names, `family[index]` and `thing.property`."""

from __future__ import annotations

from attrs import evolve

from dsl import ast, model, suggest, types
from dsl.check import spaces
from dsl.check.elaborate import Want, a, as_written, check, expr, form, guard_hint, is_unknown, narrowed, unknown
from dsl.check.scope import TEST_PLAYERS, Member, Scope, Symbol
from dsl.diagnostics import Label
from dsl.types import FLAG, NUMBER, PLAYER, TEXT, UNKNOWN, ListType, Optional, Type

VALUES = ("variable", "zone", "option", "kind", "member", "card type", "board", "dice", "built-in word")
"""The sorts of symbols that may stand as values."""

# what a property gives, by what it is asked of
OF_CARD = ("name", "zone", "owner", "position")
OF_PLAYER: dict[str, Type] = {"left": PLAYER, "right": PLAYER, "name": TEXT}
OF_MEMBER: dict[str, Type] = {"order": NUMBER, "name": TEXT}
OF_LIST = ("first", "last", "size")
OF_SHAPE = {"pile": ("top", "bottom", "size"), "row": ("first", "last", "size"), "set": ("size",)}
OF_PLACE = ("top", "bottom", "first", "last", "size")


@form(ast.Name)
def name(node: ast.Name, scope: Scope, hint: Type | None) -> model.Expr:
    if node.id in scope.values:
        scope.used.add(node.id)
        return evolve(scope.values[node.id], span=node.span)
    local = scope.local(node.id)
    if local is not None:
        scope.note(local)
        return narrowed(model.LocalRef(type=local.type, span=node.span, local=local), scope)
    if scope.frame.in_test:
        known = _test_word(node, scope)
        if known is not None:
            return known
    members = scope.names.members(node.id)
    if members:
        return member(node, members, scope, hint)
    symbol = scope.names.find(node.id)
    space = spaces.named(node.id, node.span, scope, hint) if symbol is None else None
    if space is not None:
        return space
    if symbol is None or (symbol.sort not in VALUES and symbol.sort not in ("define", "rule", "timing", "type")):
        _nothing(node, scope, hint)
        return unknown(node.span)
    return of_symbol(node, symbol, scope)


def _nothing(node: ast.Name, scope: Scope, hint: Type | None) -> None:
    """Say that a name means nothing, in the words of what is wanted there."""
    wanted = hint.of if isinstance(hint, Optional) else hint
    if isinstance(wanted, types.KindType) and node.id[0].isupper() and wanted.id in scope.cx.kinds:
        _no_member(node, scope.cx.kinds[wanted.id], scope)
    elif wanted == TEXT:
        label = f'a text stands in quotes: `"{node.id}"`'
        scope.cx.report.error("CG0203", f"there is nothing called `{node.id}` here", node.span, label)
    else:
        scope.unknown(node.id, node.span, "name", (*VALUES, "define"))


def of_symbol(node: ast.Name, symbol: Symbol, scope: Scope) -> model.Expr:
    """A declared name as a value."""
    target = symbol.target
    span = node.span
    match target:
        case model.Variable() | model.Zone():
            return _family(node, target, [], scope)
        case model.Option():
            return model.OptionRef(type=target.type, span=span, option=target)
        case model.Dice():
            return model.DiceRef(type=ListType(NUMBER), span=span, dice=target)
        case model.Kind():
            return model.Members(type=ListType(target.type), span=span, kind=target)
        case model.CardType():
            return model.AllCards(type=ListType(target.type), span=span, card_type=target)
        case model.Board():
            return model.Spaces(type=ListType(target.type), span=span, board=target)
        case model.Define() | model.Rule():
            return _not_called(node, symbol, scope)
    if node.id in ("players", "seats"):
        return model.Builtin(type=ListType(PLAYER), span=span, name=node.id)
    if node.id == "active":
        return narrowed(model.Builtin(type=Optional(PLAYER), span=span, name="active"), scope)
    if symbol.sort == "built-in word":
        shape = f"{node.id}(x in …)" if node.id not in ("turn_order", "others", "score", "same") else f"{node.id}(…)"
        scope.cx.report.error("CG0205", f"`{node.id}` is no value by itself", span, f"write `{shape}`")
    else:
        label = "write `players` for all of them" if target == PLAYER else ""
        scope.cx.report.error("CG0205", f"`{node.id}` is {symbol.a_sort}, not a value", span, label, others=symbol.place)
    return unknown(span)


def _not_called(node: ast.Name, symbol: Symbol, scope: Scope) -> model.Expr:
    target = symbol.target
    if isinstance(target, model.Define):
        inside = ", ".join(p.name for p in target.params)
        scope.cx.report.error(
            "CG0205",
            f"`{node.id}` is a define: it is called with brackets",
            node.span,
            f"write `{node.id}({inside})`",
            others=symbol.place,
        )
    else:
        scope.cx.report.error(
            "CG0205",
            f"`{node.id}` is a rule, not a value",
            node.span,
            others=symbol.place,
            hint="a rule does something; what has a value is a `define`",
        )
    return unknown(node.span)


def _test_word(node: ast.Name, scope: Scope) -> model.Expr | None:
    frame, report = scope.frame, scope.cx.report
    if node.id in TEST_PLAYERS:
        seat = int(node.id[1:])
        if seat > frame.seats:
            report.error(
                "CG0801",
                f"there is no player {node.id} here",
                node.span,
                f"as few as {frame.seats} can play" if frame.anywhere else f"{frame.seats} play in this test",
                hint="give the player as a parameter, or write `p in players`"
                if frame.anywhere
                else f"say how many play at the top of the test: `given {seat} players`",
            )
            return unknown(node.span)
        return model.Literal(type=PLAYER, span=node.span, value=seat - 1)
    if node.id == "decisions":
        if frame.decisions is not None:
            return model.LocalRef(type=NUMBER, span=node.span, local=frame.decisions)
        label = "known only in properties of whole games: `after game()`, `eventually`, `never`, `sometimes`"
        report.error("CG0203", "the number of `decisions` is not known here", node.span, label)
        return unknown(node.span)
    if node.id == "finished":
        return model.Builtin(type=FLAG, span=node.span, name="finished")
    if node.id == "result":
        if frame.last_result is None:
            report.error(
                "CG0803",
                "there is no result here",
                node.span,
                "no rule with a result was started before this line",
                hint="`result` is what the last `when rule(…)` returned",
            )
            return unknown(node.span)
        return model.Builtin(type=frame.last_result, span=node.span, name="result")
    return None


# ── members of kinds ──


def member(node: ast.Name, found: list[Symbol], scope: Scope, hint: Type | None) -> model.Expr:
    """A member's name; the type wanted decides between kinds that share it."""
    wanted = hint.of if isinstance(hint, Optional) else hint
    meanings = [s.target for s in found if isinstance(s.target, Member)]
    if isinstance(wanted, types.KindType):
        everything = [s.target for s in scope.names.symbols.get(node.id, ()) if isinstance(s.target, Member)]
        for meaning in everything:
            if meaning.kind.type == wanted:
                return _literal(node, meaning)
        fitting = [m for m in meanings if wanted.id in scope.cx.kinds and m.kind.id in scope.cx.kinds[wanted.id].taken]
        if len(fitting) == 1:
            return _literal(node, fitting[0])
    if len(meanings) > 1:
        kinds = [m.kind.name for m in meanings]
        scope.cx.report.error(
            "CG0204",
            f"`{node.id}` may mean several things here",
            node.span,
            "a member of " + " and of ".join(kinds),
            others=tuple(Label(s.span, f"`{node.id}` of {s.target.kind.name}") for s in found if isinstance(s.target, Member)),
            hint="say which: " + " or ".join(f"`{k}.{node.id}`" for k in kinds),
        )
        return unknown(node.span)
    return _literal(node, meanings[0])


def _literal(node: ast.Node, meaning: Member) -> model.Expr:
    return model.Literal(type=meaning.kind.type, span=node.span, value=meaning.order)


# ── families ──


@form(ast.Index)
def index(node: ast.Index, scope: Scope, hint: Type | None) -> model.Expr:
    indexes: list[ast.Expr] = []
    base: ast.Expr = node
    while isinstance(base, ast.Index):
        indexes.insert(0, base.index)
        base = base.of
    if isinstance(base, ast.Name) and scope.local(base.id) is None and base.id not in scope.values:
        symbol = scope.names.find(base.id, "variable", "zone", "board")
        if symbol is not None and isinstance(symbol.target, model.Variable | model.Zone):
            return _family_or_item(node, base, symbol.target, indexes, scope)
        if symbol is not None and isinstance(symbol.target, model.Board) and len(indexes) == 2:
            return spaces.index(node, symbol.target, indexes, scope)
        if scope.names.find(base.id) is None:
            scope.unknown(base.id, base.span, "zone or variable", ("variable", "zone", "board"), locals_too=False)
            return unknown(node.span)
    found = expr(base, scope)
    if not is_unknown(found.type) and not isinstance(found.type, ListType | types.ZoneType):
        scope.cx.report.error(
            "CG0311", f"{a(found.type)} has no index", node.span, "families of zones and variables have one, and lists"
        )
        return unknown(node.span)
    return _items_of(node, found, indexes, scope)


def _family_or_item(
    node: ast.Index, name: ast.Name, target: model.Variable | model.Zone, indexes: list[ast.Expr], scope: Scope
) -> model.Expr:
    """A member of a family; with one index more an element of the list it holds, or a card of the zone it is."""
    own = len(target.indexes)
    if len(indexes) > own and (isinstance(target, model.Zone) or isinstance(target.type, ListType)):
        found = _family(name, target, indexes[:own], scope)
        return _items_of(node, found, indexes[own:], scope)
    return evolve(_family(name, target, indexes, scope), span=node.span)


def _items_of(node: ast.Index, found: model.Expr, indexes: list[ast.Expr], scope: Scope) -> model.Expr:
    """`list[n]`, and `list[n][m]` of a list of lists."""
    for written in indexes:
        if isinstance(found.type, types.ZoneType):
            found = model.CardsIn(type=ListType(found.type.of), span=found.span, zone=found)
        place = check(written, scope, Want(NUMBER, "the place in a list is a number, from 1"))
        if is_unknown(found.type) or is_unknown(place.type):
            return unknown(node.span)
        if not isinstance(found.type, ListType):
            scope.cx.report.error("CG0311", f"{a(found.type)} has no index", written.span, "one too many")
            return unknown(node.span)
        if isinstance(place, model.Literal) and isinstance(place.value, int) and place.value < 1:
            scope.cx.report.error("CG0311", "places in a list are counted from 1", written.span, "there is no such place")
            return unknown(node.span)
        found = model.ItemOf(type=found.type.of, span=node.span, of=found, number=place)
    return evolve(found, span=node.span)


def _family(node: ast.Name, target: model.Variable | model.Zone, indexes: list[ast.Expr], scope: Scope) -> model.Expr:
    """A zone or a variable with as many indexes as were written."""
    place = (Label(target.span, f"`{target.name}` is declared here"),)
    if len(indexes) > len(target.indexes):
        extra = indexes[len(target.indexes)]
        many = "no index" if not target.indexes else "one index" if len(target.indexes) == 1 else f"{len(target.indexes)} indexes"
        hint = None
        if not target.indexes and expr(extra, scope).type == types.PLAYER:
            hint = f"to have one for each player declare it as `{target.name}[player]`"
        scope.cx.report.error("CG0311", f"`{target.name}` has {many}", extra.span, "one too many", others=place, hint=hint)
        return unknown(node.span)
    values = []
    for written, wanted in zip(indexes, target.indexes, strict=False):
        values.append(check(written, scope, Want(wanted, f"`{target.name}` is indexed by {wanted}", target.span)))
    complete = len(values) == len(target.indexes)
    if any(is_unknown(v.type) for v in values):
        return unknown(node.span)
    given = tuple(values)
    if isinstance(target, model.Zone):
        if target.of is None:
            return unknown(node.span)
        if complete:
            return model.ZoneRef(type=types.ZoneType(target.of.type), span=node.span, zone=target, indexes=given)
        return model.ZoneFamily(type=ListType(target.of.type), span=node.span, zone=target, indexes=given)
    if target.type == UNKNOWN:
        return unknown(node.span)
    if complete:
        return narrowed(model.VarRef(type=target.type, span=node.span, variable=target, indexes=given), scope)
    return model.VarFamily(type=ListType(target.type), span=node.span, variable=target, indexes=given)


# ── properties ──


@form(ast.Property)
def property_(node: ast.Property, scope: Scope, hint: Type | None) -> model.Expr:
    if isinstance(node.of, ast.Name) and scope.local(node.of.id) is None:
        symbol = scope.names.find(node.of.id, "kind")
        if symbol is not None and isinstance(symbol.target, model.Kind):
            found = _member_of(node, symbol.target, scope)
            if found is not None:
                return found
        symbol = scope.names.find(node.of.id, "board")
        if symbol is not None and isinstance(symbol.target, model.Board):
            found = spaces.of_board(node, symbol.target, scope)
            if found is not None:
                return found
    of = expr(node.of, scope)
    type_ = of.type
    if is_unknown(type_):
        return unknown(node.span)
    if isinstance(type_, Optional):
        scope.cx.report.error(
            "CG0302",
            f"this may be none, and none has no `.{node.name.id}`",
            node.of.span,
            a(type_),
            hint=guard_hint(node.of, of),
        )
        return unknown(node.span)
    return narrowed(_property(node, of, type_, scope), scope)


def _member_of(node: ast.Property, kind: model.Kind, scope: Scope) -> model.Expr | None:
    """`Kind.Member`, or None if it is a property of the list of members."""
    for order, (member_name, _) in enumerate(kind.members):
        if member_name == node.name.id:
            return model.Literal(type=kind.type, span=node.span, value=order)
    if node.name.id in OF_LIST:
        return None
    _no_member(node.name, kind, scope)
    return unknown(node.span)


def _no_member(name: ast.Name, kind: model.Kind, scope: Scope) -> None:
    guess = suggest.closest(name.id, [m for m, _ in kind.members])
    scope.cx.report.error(
        "CG0203",
        f"{kind.name} has no member `{name.id}`",
        name.span,
        "" if guess is None else f"did you mean `{guess}`?",
        others=(Label(kind.span, f"the kind {kind.name}"),),
    )


def _property(node: ast.Property, of: model.Expr, type_: Type, scope: Scope) -> model.Expr:
    """The property of a value whose type is known."""
    wanted = node.name.id

    def give(result: Type) -> model.Expr:
        return model.Property(type=result, span=node.span, of=of, name=wanted)

    match type_:
        case types.CardType() if type_.id in scope.cx.card_types:
            card = scope.cx.card_types[type_.id]
            found = _attribute(node, of, card.attributes)
            if found is not None:
                return found
            results: dict[str, Type] = {"name": TEXT, "zone": types.ZoneType(type_), "owner": PLAYER, "position": NUMBER}
            if wanted in results:
                return give(results[wanted])
            return _no_property(node, scope, f"{card.name} cards have", [c.name for c in card.attributes] + list(OF_CARD), card)
        case types.SpaceType() if type_.id in scope.cx.boards:
            board = scope.cx.boards[type_.id]
            found = _attribute(node, of, board.attributes)
            if found is not None:
                return found
            known = spaces.properties(board)
            if wanted in known:
                return give(known[wanted])
            hint = spaces.no_property_hint(board, wanted)
            names = [] if hint else [c.name for c in board.attributes] + list(known)
            return _no_property(node, scope, f"spaces of {board.name} have", names, board, hint)
        case types.KindType():
            if wanted in OF_MEMBER:
                return give(OF_MEMBER[wanted])
            return _no_property(node, scope, f"{a(type_)} has", list(OF_MEMBER), scope.cx.kinds.get(type_.id))
        case types.ZoneType():
            return _of_zone(node, of, type_, scope)
        case types.ListType():
            if wanted in OF_LIST:
                return give(NUMBER if wanted == "size" else type_.of)
            return _no_property(node, scope, "a list has", list(OF_LIST), None, _list_hint(node))
    if type_ == PLAYER:
        if wanted in OF_PLAYER:
            return give(OF_PLAYER[wanted])
        return _no_property(node, scope, "a player has", list(OF_PLAYER), None, _family_hint(node, scope))
    return _no_property(node, scope, f"{a(type_)} has", [], None)


def _attribute(node: ast.Property, of: model.Expr, columns: list[model.Column]) -> model.Expr | None:
    for number_, column in enumerate(columns):
        if column.name == node.name.id:
            return model.Attribute(type=column.type, span=node.span, of=of, column=number_)
    return None


def _of_zone(node: ast.Property, of: model.Expr, type_: types.ZoneType, scope: Scope) -> model.Expr:
    wanted = node.name.id
    shape = of.zone.shape if isinstance(of, model.ZoneRef) else None
    known = OF_PLACE if shape is None else OF_SHAPE[shape]
    if wanted in known:
        return model.Property(type=NUMBER if wanted == "size" else type_.of, span=node.span, of=of, name=wanted)
    what = "a zone" if shape is None else f"a {shape}"
    advice = None
    if shape == "set" and wanted in OF_PLACE:
        advice = "a set has no order: choose from it, or ask for `lowest(c in … by …).first`"
    elif shape == "pile" and wanted in ("first", "last"):
        advice = f"a pile has `.{'top' if wanted == 'first' else 'bottom'}`"
    elif shape == "row" and wanted in ("top", "bottom"):
        advice = f"a row has `.{'first' if wanted == 'top' else 'last'}`"
    else:
        advice = _list_hint(node)
    declared = of.zone if isinstance(of, model.ZoneRef) else None
    return _no_property(node, scope, f"{what} has", list(known), declared, advice)


def _list_hint(node: ast.Property) -> str | None:
    text = as_written(node.of)
    match node.name.id:
        case "top":
            return f"write `{text}.first`"
        case "bottom":
            return f"write `{text}.last`"
        case "length" | "count" | "len" | "number":
            return f"write `{text}.size`"
        case "empty":
            return f"write `{text} is empty`"
    return f"to ask this of each of them, write `[x.{node.name.id} for x in {text}]`"


def _family_hint(node: ast.Property, scope: Scope) -> str | None:
    """For `p.hand`: it is `hand[p]`."""
    symbol = scope.names.find(node.name.id, "zone", "variable", "define")
    text = as_written(node.of)
    if symbol is None:
        return None
    return f"write `{node.name.id}({text})`" if symbol.sort == "define" else f"write `{node.name.id}[{text}]`"


def _no_property(
    node: ast.Property, scope: Scope, whose: str, known: list[str], declared: model.Declared | None, hint: str | None = None
) -> model.Expr:
    wanted = node.name.id
    guess = suggest.closest(wanted, known)
    if guess is not None:
        label = f"did you mean `.{guess}`?"
    else:
        label = hint or ("there is " + ", ".join(f"`.{k}`" for k in known) if known else "")
    others = (Label(declared.span, "declared here"),) if declared is not None else ()
    scope.cx.report.error("CG0206", f"{whose} no `.{wanted}`", node.name.span, label, others=others)
    return unknown(node.span)
