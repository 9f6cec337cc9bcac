"""The first pass: an object for every declaration, and the names every file sees."""

from __future__ import annotations

from dsl import ast, model
from dsl.check.scope import BUILT_IN, CARRIED, TEST_PLAYERS, Context, Member, Names, Symbol
from dsl.composition import Placed
from dsl.diagnostics import Label
from dsl.maps import outline

Shell = model.Declared
SORTS: dict[type, str] = {
    ast.Kind: "kind",
    ast.Card: "card type",
    ast.Zone: "zone",
    ast.Var: "variable",
    ast.Option: "option",
    ast.Dice: "dice",
    ast.Board: "board",
    ast.Define: "define",
    ast.Rule: "rule",
    ast.Timing: "timing",
}


def collect(cx: Context) -> dict[int, Shell]:
    """Fill `cx.game`, `cx.own` and `cx.names`. Gives the object of each placed item, by the item's identity."""
    shells: dict[int, Shell] = {}
    kinds: list[tuple[Placed, model.Kind]] = []
    for file in cx.composition.files:
        cx.own[file.source.path] = {}
    for placed in cx.composition.items:
        item = placed.item
        if not isinstance(item, tuple(SORTS)):
            continue
        assert isinstance(
            item, ast.Kind | ast.Card | ast.Zone | ast.Var | ast.Option | ast.Dice | ast.Board | ast.Define | ast.Rule | ast.Timing
        )
        shell = _shell(item, placed, cx)
        if shell is not None:
            shells[id(item)] = shell
        if isinstance(shell, model.Kind):
            kinds.append((placed, shell))
        target: object = placed if shell is None else shell
        _free(item.name, cx)
        symbol = Symbol(SORTS[type(item)], item.name.id, item.name.span, target, placed.home)
        cx.own[placed.home.source.path].setdefault(item.name.id, []).append(symbol)
    _members(kinds, cx)
    for file in cx.composition.files:
        seen: dict[str, tuple[Symbol, ...]] = dict(BUILT_IN)
        for other in cx.composition.visible.get(file.source.path, (file,)):
            for name, symbols in cx.own.get(other.source.path, {}).items():
                seen[name] = (*seen.get(name, ()), *symbols)
        cx.names[file.source.path] = Names(file, seen)
    return shells


def _free(name: ast.Name, cx: Context) -> None:
    """No declaration takes a word that means something in cards or in tests."""
    if name.id in CARRIED or name.id == "_":
        cx.report.error(
            "CG0202", f"`{name.id}` already means something", name.span, "a word of the language", hint="take another name"
        )
    elif name.id in TEST_PLAYERS:
        cx.report.error("CG0202", f"`{name.id}` is a player in tests", name.span, hint="take another name")


def _shell(item: ast.Item, placed: Placed, cx: Context) -> Shell | None:
    """The empty object of a declaration, entered in the game."""
    assert isinstance(
        item, ast.Kind | ast.Card | ast.Zone | ast.Var | ast.Option | ast.Dice | ast.Board | ast.Define | ast.Rule | ast.Timing
    )
    name, span = item.name.id, item.name.span
    id_ = f"{placed.home.source.id}.{name}"
    game = cx.game
    match item:
        case ast.Kind():
            kind = model.Kind(name, id_, span, doc=item.doc)
            game.kinds.append(kind)
            cx.kinds[id_] = kind
            return kind
        case ast.Card():
            card = model.CardType(name, id_, span, doc=item.doc)
            game.card_types.append(card)
            cx.card_types[id_] = card
            return card
        case ast.Board():
            board = model.Board(name, id_, span, doc=item.doc)
            outline(item, board)
            game.boards.append(board)
            cx.boards[id_] = board
            return board
        case ast.Zone():
            zone = model.Zone(name, id_, span, doc=item.doc)
            game.zones.append(zone)
            return zone
        case ast.Var():
            variable = model.Variable(name, id_, span, doc=item.doc)
            game.variables.append(variable)
            return variable
        case ast.Option():
            option = model.Option(name, id_, span, doc=item.doc)
            game.options.append(option)
            return option
        case ast.Dice():
            dice = model.Dice(name, id_, span, doc=item.doc)
            game.dice.append(dice)
            return dice
        case ast.Define():
            define = model.Define(name, id_, span, doc=item.doc, for_tests=item.for_tests)
            (game.helpers if item.for_tests else game.defines).append(define)
            return define
        case ast.Rule():
            rule = model.Rule(name, id_, span, doc=item.doc, for_tests=item.for_tests)
            (game.helpers if item.for_tests else game.rules).append(rule)
            return rule
        case ast.Timing():
            return None


# ── members of kinds ──


def _members(kinds: list[tuple[Placed, model.Kind]], cx: Context) -> None:
    """Fill the kinds, those that are taken in first."""
    waiting = {id(kind): (placed, kind) for placed, kind in kinds}
    for placed, kind in kinds:
        _fill(placed, kind, waiting, [], cx)


def _fill(
    placed: Placed, kind: model.Kind, waiting: dict[int, tuple[Placed, model.Kind]], around: list[model.Kind], cx: Context
) -> None:
    if id(kind) not in waiting:
        return
    del waiting[id(kind)]
    item = placed.item
    assert isinstance(item, ast.Kind)
    own = cx.own[placed.home.source.path]
    seen: dict[str, ast.Member] = {}
    for member in item.members:
        inner = _kind_named(member.name.id, placed, cx)
        if inner is kind or inner in around:
            cx.report.error("CG0425", f"the kind `{kind.name}` would contain itself", member.name.span, "this leads back to it")
            continue
        if inner is not None:
            if id(inner) in waiting:
                if len(around) > 20:
                    cx.report.error("CG0425", "kinds are taken in too deeply", member.name.span)
                    continue
                _fill(*waiting[id(inner)], waiting, [*around, kind], cx)
            _take_in(kind, inner, member, placed, cx)
            continue
        if member.name.id in [name for name, _ in kind.members]:
            first = seen.get(member.name.id)
            cx.report.error(
                "CG0404",
                f"`{member.name.id}` is in the kind `{kind.name}` twice",
                member.name.span,
                "the second one",
                others=() if first is None else (Label(first.name.span, "the first one"),),
            )
            continue
        seen[member.name.id] = member
        _free(member.name, cx)
        symbol = Symbol("member", member.name.id, member.name.span, Member(kind, len(kind.members), False), placed.home)
        own.setdefault(member.name.id, []).append(symbol)
        kind.members.append((member.name.id, _shown(member, cx)))


def _kind_named(name: str, placed: Placed, cx: Context) -> model.Kind | None:
    for file in cx.composition.visible.get(placed.file.source.path, (placed.file,)):
        for symbol in cx.own.get(file.source.path, {}).get(name, ()):
            if isinstance(symbol.target, model.Kind):
                return symbol.target
    return None


def _take_in(kind: model.Kind, inner: model.Kind, member: ast.Member, placed: Placed, cx: Context) -> None:
    own = cx.own[placed.home.source.path]
    twice = [id_ for id_ in (inner.id, *inner.taken) if id_ in kind.taken]
    if twice:
        cx.report.error("CG0404", f"`{kind.name}` takes in `{cx.kinds[twice[0]].name}` twice", member.name.span, "the second time")
        return
    both = [name for name, _ in inner.members if name in [own_name for own_name, _ in kind.members]]
    if both:
        cx.report.error("CG0404", f"`{both[0]}` is in the kind `{kind.name}` twice", member.name.span, f"`{inner.name}` has it too")
        return
    if member.display is not None:
        cx.report.error("CG0404", "a kind that is taken in keeps its own texts", member.display.span, f"`{inner.name}` is a kind")
    offset = len(kind.members)
    kind.taken[inner.id] = offset
    for id_, deeper in inner.taken.items():
        kind.taken.setdefault(id_, offset + deeper)
    for order, (name, shown) in enumerate(inner.members):
        kind.members.append((name, shown))
        symbol = Symbol("member", name, member.name.span, Member(kind, offset + order, True), placed.home)
        own.setdefault(name, []).append(symbol)


def _shown(member: ast.Member, cx: Context) -> str:
    """The text of a member: what is written, or its name with blanks for `_`."""
    if member.display is None:
        return member.name.id.replace("_", " ")
    if member.display.plain is None:
        cx.report.error("CG0414", "the text of a member has no holes", member.display.span)
    return member.display.plain or member.name.id
