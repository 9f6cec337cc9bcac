"""`test` blocks: given, when, expect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ast, model, types
from dsl.cases import Case, cases_of
from dsl.check import constant
from dsl.check.calls import arguments
from dsl.check.comparisons import design_name
from dsl.check.constant import Failed
from dsl.check.elaborate import Want, a, check, expr, is_unknown, ungrouped
from dsl.check.moves import cards as some_cards
from dsl.check.scope import Context, Frame, Scope, file_scope
from dsl.composition import Placed
from dsl.diagnostics import Label
from dsl.types import FLAG, NUMBER, PLAYER, ListType, Type
from dsl.walk_ast import nodes

Line = Callable[[Any, Scope], "model.Statement | None"]


def tests(placed: Placed, cx: Context) -> list[model.Test]:
    """A test, once for each of its cases."""
    assert isinstance(placed.item, ast.Test)
    scope = file_scope(cx, placed.file, Frame(in_test=True))
    if placed.item.cases is not None:
        for column in placed.item.cases.columns:
            scope.may_declare(column, "column")
    return [_test(case, placed, cx) for case in cases_of(placed.item, cx.report)]


def _test(case: Case, placed: Placed, cx: Context) -> model.Test:
    """Its lines are looked at only if the game has the options it wants, since under others they mean other things."""
    item = case.test
    options = _options(item, placed, cx)
    made = model.Test(constant.plain_text(item.name), item.name.span, item, {}, case=case.number)
    made.row = None if case.row is None else case.row.span
    if options is None:
        return made
    known = cx.composition.options
    made.options = {name: value for name, value in options.items() if name in known and value != known[name].default}
    if any(options.get(name, option.default) != option.value for name, option in known.items()):
        return made
    frame = Frame(in_test=True, seats=min(cx.game.players, default=2))
    scope = file_scope(cx, placed.file, frame)
    lines: list[model.Statement] = []
    for line in item.lines:
        if isinstance(line, ast.GivenOption):
            continue
        found = _LINES[type(line)](line, scope)
        if found is not None:
            lines.append(found)
    made.lines = tuple(lines)
    return made


def _options(item: ast.Test, placed: Placed, cx: Context) -> dict[str, object] | None:
    """The values of options a test gives, as the composition writes them; None after an error."""
    scope = file_scope(cx, placed.file, Frame(in_test=True))
    found: dict[str, object] = dict(placed.given)
    good = True
    for line in item.lines:
        if not isinstance(line, ast.GivenOption):
            continue
        symbol = scope.names.find(line.name.id, "option")
        if symbol is None or not isinstance(symbol.target, model.Option):
            scope.unknown(line.name.id, line.name.span, "option", ("option",), locals_too=False)
            good = False
            continue
        option = symbol.target
        value = check(line.value, scope, Want(option.type, f"`{option.name}` is {a(option.type)}", option.span))
        try:
            given = constant.constant(value, {}, cx, "the value of an option")
        except Failed:
            good = False
            continue
        if option.allowed is not None and given not in option.allowed:
            cx.report.error(
                "CG0804",
                f"`{option.name}` cannot have this value",
                line.value.span,
                "outside its range",
                others=(Label(option.span, "the option"),),
            )
            good = False
            continue
        if isinstance(option.type, types.KindType) and isinstance(given, int):
            given = cx.kinds[option.type.id].members[given][0]
        found[line.name.id] = given
    return found if good else None


# ── given ──


def _players(line: ast.GivenPlayers, scope: Scope) -> model.Statement | None:
    count, allowed = line.count.value, scope.cx.game.players
    if count not in allowed:
        header = scope.cx.composition.players
        scope.cx.report.error(
            "CG0806",
            f"this game is not for {count} players",
            line.count.span,
            "",
            others=() if header is None else (Label(header.span, "so many can play"),),
        )
        return None
    scope.frame.seats = count
    return model.GivenPlayers(span=line.span, count=count)


def _value(line: ast.GivenValue, scope: Scope) -> model.Statement | None:
    place = expr(line.target, scope)
    if is_unknown(place.type):
        expr(line.value, scope, _wanted(place))
        return None
    match place:
        case model.ZoneRef(zone=zone) if isinstance(place.type, types.ZoneType):
            want = Want(ListType(place.type.of), f"`{zone.name}` holds {place.type.of.name} cards", zone.span)
            value = check(line.value, scope, want)
            return None if is_unknown(value.type) else model.GivenZone(span=line.span, zone=place, value=value)
        case model.VarRef(variable=variable):
            here = Want(variable.type, f"`{variable.name}` is {a(variable.type)}", variable.span)
            value = check(line.value, scope, here)
            return (
                None
                if is_unknown(value.type)
                else model.GivenVar(span=line.span, variable=variable, indexes=place.indexes, value=value)
            )
        case model.ZoneFamily() | model.VarFamily():
            declared = place.zone if isinstance(place, model.ZoneFamily) else place.variable
            missing = declared.indexes[len(place.indexes) :]
            scope.cx.report.error(
                "CG0802",
                f"`{line.target.span.text}` is a whole family; one of it is given at a time",
                line.target.span,
                f"write `{line.target.span.text}{''.join('[P1]' if m == PLAYER else f'[{m}]' for m in missing)}`",
                others=(Label(declared.span, "the family"),),
            )
            return None
        case model.OptionRef(option=option):
            hint = f"write `given option {option.name} = …`"
            scope.cx.report.error("CG0802", f"`{option.name}` is an option", line.target.span, hint=hint)
            return None
    scope.cx.report.error("CG0802", "only zones, variables and options can be given", line.target.span, f"this is {a(place.type)}")
    return None


def _wanted(place: model.Expr) -> Type | None:
    return None if is_unknown(place.type) else place.type


def _roll(line: ast.GivenRoll, scope: Scope) -> model.Statement | None:
    found = expr(line.dice, scope)
    values = tuple(check(v, scope, Want(NUMBER, "a die shows a number")) for v in line.values)
    if not isinstance(found, model.DiceRef):
        if not is_unknown(found.type):
            scope.cx.report.error("CG0802", "only dice roll", line.dice.span, f"this is {a(found.type)}")
        return None
    dice = found.dice
    place = (Label(dice.span, "the dice"),)
    if dice.faces and len(values) % dice.count:
        scope.cx.report.error(
            "CG0808",
            f"`{dice.name}` is {dice.count} dice, and these are {len(values)} numbers",
            line.values[0].span.to(line.values[-1].span),
            "one number a die",
            others=place,
        )
        return None
    for written, value in zip(line.values, values, strict=True):
        if isinstance(value, model.Literal) and dice.faces and isinstance(value.value, int) and value.value not in dice.faces:
            scope.cx.report.error("CG0808", f"no die of `{dice.name}` shows {value.value}", written.span, others=place)
            return None
    return model.GivenRoll(span=line.span, dice=dice, values=values)


def _chance(line: ast.GivenChance, scope: Scope) -> model.Statement | None:
    return model.GivenChance(span=line.span, values=tuple(answer(v, scope) for v in line.values))


def answer(node: ast.Expr, scope: Scope) -> model.Answer:
    """An option of a decision, by its label or its value."""
    node = ungrouped(node)
    if isinstance(node, ast.Text) and node.plain is not None:
        return model.Answer(value=node.plain, span=node.span)
    return model.Answer(value=expr(node, scope), span=node.span)


# ── when ──


def _seed(line: ast.GivenSeed, scope: Scope) -> model.Statement | None:
    return model.GivenSeed(span=line.span, seed=line.seed.value)


def _rule(line: ast.WhenRule, scope: Scope) -> model.Statement | None:
    call = ungrouped(line.call)
    name = call.function if isinstance(call, ast.Call) else call
    symbol = scope.names.find(name.id, "rule") if isinstance(name, ast.Name) else None
    if symbol is None or not isinstance(symbol.target, model.Rule):
        other = scope.names.find(name.id) if isinstance(name, ast.Name) else None
        if other is None and isinstance(name, ast.Name):
            scope.unknown(name.id, name.span, "rule", ("rule",), locals_too=False)
        elif other is not None and other.sort == "define":
            text = call.span.text
            scope.cx.report.error(
                "CG0807",
                f"`{other.name}` is a define: nothing happens",
                name.span,
                hint=f"write `expect {text} is …`",
                others=other.place,
            )
        else:
            scope.cx.report.error("CG0807", "`when` starts a rule, or says what somebody chooses", call.span)
        return None
    rule = symbol.target
    scope.frame.last_result = rule.result
    if not isinstance(call, ast.Call):
        scope.cx.report.error("CG0505", "a rule is called with brackets", call.span, f"write `{rule.name}()`", others=symbol.place)
        return None
    values = arguments(call, rule.params, rule, scope)
    return None if values is None else model.WhenRule(span=line.span, rule=rule, arguments=values)


def _chooses(line: ast.WhenChooses, scope: Scope) -> model.Statement | None:
    player = check(line.player, scope, Want(PLAYER, "a player chooses"))
    return model.WhenChooses(span=line.span, player=player, answers=tuple(answer(v, scope) for v in line.values))


def _declines(line: ast.WhenDeclines, scope: Scope) -> model.Statement | None:
    return model.WhenDeclines(span=line.span, player=check(line.player, scope, Want(PLAYER, "a player declines")))


# ── expect ──


def _expect(line: ast.Expect, scope: Scope) -> model.Statement | None:
    rest = next((node for node in nodes(line.condition) if isinstance(node, ast.Rest)), None)
    if rest is not None:
        hint = "expect something of it, such as `stock.top is …` or `stock.size is …`"
        scope.cx.report.error("CG0805", "the whole list is expected here, without `...`", rest.span, hint=hint)
        return None
    return model.Expect(span=line.span, condition=check(line.condition, scope, Want(FLAG, "what is expected is a condition")))


def _among(line: ast.ExpectAmong, scope: Scope) -> model.Statement | None:
    player = check(line.player, scope, Want(PLAYER, "a player chooses"))
    options = ungrouped(line.options)
    if isinstance(options, ast.ListValue):
        rests = [item for item in options.items if isinstance(item, ast.Rest)]
        if rests:
            scope.cx.report.error("CG0805", "the whole list is expected here, without `...`", rests[0].span)
            return None
        answers = tuple(answer(item, scope) for item in options.items if not isinstance(item, ast.Rest))
        return model.ExpectAmong(span=line.span, player=player, answers=answers, options=None)
    found = expr(options, scope)
    if isinstance(found.type, types.ZoneType):
        found = some_cards(options, scope, "expect")
    if not isinstance(found.type, ListType) and not is_unknown(found.type):
        scope.cx.report.error("CG0301", f"a list of options is needed here, not {a(found.type)}", options.span, hint="write `[…]`")
        return None
    return model.ExpectAmong(span=line.span, player=player, answers=None, options=found)


def _refused(line: ast.ExpectRefused, scope: Scope) -> model.Statement | None:
    player = check(line.player, scope, Want(PLAYER, "a player cannot choose"))
    because = None if line.because is None else constant.plain_text(line.because)
    return model.ExpectRefused(span=line.span, player=player, answer=answer(line.value, scope), because=because)


def _bound(line: ast.ExpectBound, scope: Scope) -> model.Statement | None:
    return model.ExpectBound(span=line.span, player=check(line.player, scope, Want(PLAYER, "a player cannot decline")))


def _seen(line: ast.ExpectSeen, scope: Scope) -> model.Statement | None:
    player = check(line.player, scope, Want(PLAYER, "a player sees"))
    place = expr(line.place, scope)
    if is_unknown(place.type):
        return None
    value = ungrouped(line.value)
    unseen = _is_hidden(value)
    if isinstance(place, model.ZoneRef) and isinstance(place.type, types.ZoneType):
        if unseen:
            return model.ExpectSeen(span=line.span, player=player, place=place)
        if not isinstance(value, ast.ListValue):
            hint = 'write `["Queen", hidden, ...]`: `hidden` for what he does not know, `...` for any others'
            scope.cx.report.error("CG0811", "what is seen of a zone is a list of cards", line.value.span, hint=hint)
            return None
        items = value.items
        rest = bool(items) and isinstance(items[-1], ast.Rest)
        cards = tuple(_seen_card(item, place.type.of, scope) for item in (items[:-1] if rest else items))
        return model.ExpectSeen(span=line.span, player=player, place=place, cards=cards, rest=rest)
    if isinstance(place, model.VarRef):
        want = Want(place.variable.type, f"`{place.variable.name}` is {a(place.variable.type)}", place.variable.span)
        return model.ExpectSeen(span=line.span, player=player, place=place, value=None if unseen else check(value, scope, want))
    title = "what somebody sees is a zone or a variable"
    scope.cx.report.error("CG0811", title, line.place.span, f"this is {a(place.type)}")
    return None


def _seen_card(item: ast.Expr | ast.Rest, card: types.CardType, scope: Scope) -> model.Expr | None:
    if isinstance(item, ast.Rest):
        scope.cx.report.error("CG0805", "`...` stands at the end of a list, for the other cards", item.span)
        return None
    item = ungrouped(item)
    if _is_hidden(item):
        return None
    if isinstance(item, ast.Text):
        return design_name(item, card, scope)
    return check(item, scope, Want(card, f"{card.name} cards lie there"))


def _is_hidden(node: ast.Node) -> bool:
    return isinstance(node, ast.Name) and node.id == "hidden"


def _heard(line: ast.ExpectHeard, scope: Scope) -> model.Statement | None:
    player = check(line.player, scope, Want(PLAYER, "a player hears"))
    return model.ExpectHeard(span=line.span, player=player, words=constant.plain_text(line.words), heard=line.heard)


_LINES: dict[type, Line] = {
    ast.GivenSeed: _seed,
    ast.ExpectRefused: _refused,
    ast.ExpectBound: _bound,
    ast.ExpectSeen: _seen,
    ast.ExpectHeard: _heard,
    ast.GivenPlayers: _players,
    ast.GivenValue: _value,
    ast.GivenRoll: _roll,
    ast.GivenChance: _chance,
    ast.WhenRule: _rule,
    ast.WhenChooses: _chooses,
    ast.WhenDeclines: _declines,
    ast.Expect: _expect,
    ast.ExpectAmong: _among,
}
