"""Signatures and values of declarations: types, zones, variables, options, dice, boards, defines and rules."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, define, fields, has

from dsl import ast, model, types
from dsl.boards import build_board
from dsl.check import constant, spaces
from dsl.check.assignments import bound_value
from dsl.check.blocks import block
from dsl.check.constant import Failed
from dsl.check.elaborate import Want, a, as_list, check, expr, is_unknown, mismatch
from dsl.check.names import OF_CARD
from dsl.check.scope import MOST_PLAYERS, MOST_SLOTS, Context, Frame, Scope, file_scope
from dsl.check.type_names import named_type, written_type
from dsl.check.values import value
from dsl.composition import OptionValue, Placed
from dsl.diagnostics import Label, Report
from dsl.source import Span
from dsl.types import FLAG, NUMBER, PLAYER, TEXT, UNKNOWN, ListType, Optional, Type


@define(eq=False)
class Declarations:
    """The declarations of a game with the objects made of them; the passes run in the order of the methods."""

    cx: Context
    shells: dict[int, model.Declared]
    untyped: dict[int, tuple[Placed, model.Declared]] = Factory(dict)
    """by identity, defines and variables whose type must be found"""

    def each(self, *sorts: type) -> Iterator[tuple[Placed, model.Declared]]:
        """The placed items of some sorts with their objects, in text order."""
        for placed in self.cx.composition.items:
            if isinstance(placed.item, sorts) and id(placed.item) in self.shells:
                yield placed, self.shells[id(placed.item)]

    # ── signatures ──

    def signatures(self) -> None:
        """Everything whose type is written."""
        for placed, made in self.each(ast.Card, ast.Board):
            assert isinstance(placed.item, ast.Card | ast.Board) and isinstance(made, model.CardType | model.Board)
            made.attributes = self._attributes(placed.item, placed)
        for placed, made in self.each(ast.Zone):
            assert isinstance(placed.item, ast.Zone) and isinstance(made, model.Zone)
            self._zone(placed.item, made, file_scope(self.cx, placed.file))
        for placed, made in self.each(ast.Option):
            assert isinstance(placed.item, ast.Option) and isinstance(made, model.Option)
            self._option(placed.item, made)
        for placed, made in self.each(ast.Var):
            assert isinstance(placed.item, ast.Var) and isinstance(made, model.Variable)
            self._variable(placed.item, made, placed)
        for placed, made in self.each(ast.Define, ast.Rule):
            assert isinstance(placed.item, ast.Define | ast.Rule) and isinstance(made, model.Define | model.Rule)
            self._signature(placed.item, made, placed)

    def _attributes(self, item: ast.Card | ast.Board, placed: Placed) -> list[model.Column]:
        scope = file_scope(self.cx, placed.file)
        taken = (*OF_CARD, "copies") if isinstance(item, ast.Card) else spaces.KEPT
        columns: list[model.Column] = []
        for param in item.attributes:
            type_ = written_type(param.type, scope)
            if any(c.name == param.name.id for c in columns):
                first = next(c.span for c in columns if c.name == param.name.id)
                self.cx.report.error(
                    "CG0404",
                    f"`{param.name.id}` is there twice",
                    param.name.span,
                    "the second one",
                    others=(Label(first, "the first one"),),
                )
                continue
            if param.name.id in taken:
                what = "every card has that already" if isinstance(item, ast.Card) else "every space has that already"
                if param.name.id == "copies":
                    what = "a column of that name says how many there are of a card"
                self.cx.report.error("CG0404", f"an attribute cannot be called `{param.name.id}`", param.name.span, what)
            bad = _within_lists(type_)
            if bad == PLAYER or isinstance(bad, types.CardType | types.ZoneType):
                self.cx.report.error(
                    "CG0426",
                    f"an attribute cannot be {a(bad)}",
                    param.type.span,
                    "this is not known before play",
                    hint="what changes in play is kept in a variable: `var v[…]: …`",
                )
                type_ = UNKNOWN
            columns.append(model.Column(param.name.id, type_, param.name.span))
        return columns

    # ── zones and families ──

    def _zone(self, item: ast.Zone, zone: model.Zone, scope: Scope) -> None:
        zone.visibility, zone.shape = item.visibility, item.shape
        zone.indexes = self._indexes(item.indexes, scope)
        symbol = scope.names.find(item.of.id, "card type")
        if symbol is None or not isinstance(symbol.target, model.CardType):
            scope.unknown(item.of.id, item.of.span, "card type", ("card type",), locals_too=False)
        else:
            zone.of = symbol.target
        self._private(item.visibility, zone, item.name.span)
        if item.by is not None and zone.of is not None:
            self._sorted_by(item.by, zone, zone.of)

    def _sorted_by(self, by: ast.Name, zone: model.Zone, card: model.CardType) -> None:
        column = next((c for c in card.attributes if c.name == by.id), None)
        if column is None:
            known = ", ".join(f"`{c.name}`" for c in card.attributes) or "none"
            self.cx.report.error(
                "CG0407",
                f"{card.name} cards have no `{by.id}`",
                by.span,
                f"its attributes: {known}",
                others=(Label(card.span, f"the card type {card.name}"),),
            )
        elif column.type != NUMBER and not isinstance(column.type, types.KindType) and not is_unknown(column.type):
            self.cx.report.error(
                "CG0407",
                f"cards cannot be sorted by `{by.id}`",
                by.span,
                f"it is {a(column.type)}; numbers and members of a kind have an order",
                others=(Label(column.span, "declared here"),),
            )
        zone.by = column

    def _private(self, visibility: str | None, made: model.Zone | model.Variable, span: Span) -> None:
        if visibility == "private" and PLAYER not in made.indexes and UNKNOWN not in made.indexes:
            self.cx.report.error(
                "CG0406",
                "whose is it? `private` means that one player sees it",
                span,
                "there is no `[player]`",
                hint=f"write `{made.name}[player]`, or `hidden` for what nobody sees",
            )
            made.indexes.append(PLAYER)  # as is probably meant: what follows from this is not reported too

    def _indexes(self, names: tuple[ast.Name, ...], scope: Scope) -> list[Type]:
        found: list[Type] = []
        for name in names:
            type_ = named_type(name, scope)
            if not is_unknown(type_) and type_ != PLAYER and not isinstance(type_, types.KindType | types.SpaceType):
                self.cx.report.error(
                    "CG0405",
                    f"`{name.id}` cannot be an index",
                    name.span,
                    "there is no end of them" if type_ in (NUMBER, TEXT) else "an index is `player`, a kind or a board",
                    hint="declare a kind for what tells them apart: `kind Pile: Left, Right`",
                )
                type_ = UNKNOWN
            found.append(type_)
        return found

    def _variable(self, item: ast.Var, made: model.Variable, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file)
        made.indexes = self._indexes(item.indexes, scope)
        made.visibility = item.visibility or "open"
        self._private(item.visibility, made, item.name.span)
        if item.type is not None:
            made.type = written_type(item.type, scope)
            if isinstance(made.type, types.ZoneType):
                self.cx.report.error("CG0405", "a variable cannot hold a place", item.type.span, "zones are not moved about")
                made.type = UNKNOWN
        elif item.value is None:
            self.cx.report.error(
                "CG0306",
                f"what `{made.name}` holds cannot be told",
                item.name.span,
                "it has neither a type nor a value",
                hint=f"write `var {made.name}: player`",
            )
        else:
            self.untyped[id(made)] = (placed, made)

    def _variable_value(self, item: ast.Var, made: model.Variable, placed: Placed) -> None:
        if item.value is None:
            return
        scope = file_scope(self.cx, placed.file)
        if item.type is not None:
            made.value = check(item.value, scope, Want(made.type, f"`{made.name}` is {a(made.type)}", item.name.span))
        else:
            made.value = bound_value(item.value, scope, None, item.name.span)
            made.type = made.value.type

    # ── options and dice ──

    def _option(self, item: ast.Option, made: model.Option) -> None:
        state = self.cx.composition.options.get(item.name.id)
        if state is None:
            return
        made.type = self._option_type(state)
        made.value, made.default = (self._option_value(v, made.type) for v in (state.value, state.default))
        if state.allowed is not None:
            made.allowed = tuple(self._option_value(v, made.type) for v in state.allowed)
        made.text = constant.plain_text(state.decl.text)

    def _option_type(self, state: OptionValue) -> Type:
        if state.kind is None:
            return types.BASIC_TYPES.get(state.type_name, UNKNOWN)
        shell = self.shells.get(id(state.kind))
        if isinstance(shell, model.Kind):
            return shell.type
        symbol = self.cx.names_of(state.home).find(state.type_name, "kind")
        return symbol.target.type if symbol is not None and isinstance(symbol.target, model.Kind) else UNKNOWN

    def _option_value(self, plain: object, type_: Type) -> object:
        """A value of the composition as a run-time value: a member as its order."""
        if isinstance(type_, types.KindType):
            names = [name for name, _ in self.cx.kinds[type_.id].members]
            return names.index(plain) if plain in names else 0
        return plain

    def _dice(self, item: ast.Dice, made: model.Dice, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file)
        count = check(item.count, scope, Want(NUMBER, "how many dice"))
        faces = check(item.faces, scope, Want(ListType(NUMBER), "the faces of a die"))
        try:
            many = constant.constant(count, {}, self.cx, "the number of dice")
            shown = constant.constant(faces, {}, self.cx, "the faces of a die")
        except Failed:
            return
        if not isinstance(many, int) or not 1 <= many <= 100:
            self.cx.report.error("CG0423", "there are 1 to 100 dice", item.count.span, f"this is {many}")
            return
        if not isinstance(shown, tuple) or not 1 <= len(shown) <= 1000:
            self.cx.report.error("CG0423", "a die has 1 to 1000 faces", item.faces.span, hint="write `1..6`, or a list of numbers")
            return
        made.count, made.faces = many, tuple(n for n in shown if isinstance(n, int))

    # ── defines and rules ──

    def _signature(self, item: ast.Define | ast.Rule, made: model.Define | model.Rule, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file).inner()
        made.params = [scope.declare(p.name, written_type(p.type, scope), what="parameter") for p in item.params]
        result = None if item.result is None else written_type(item.result, scope)
        if isinstance(made, model.Rule):
            made.result = result
            if isinstance(item, ast.Rule) and item.body is None and item.result is not None:
                self.cx.report.error(
                    "CG0424",
                    "a rule without a body has no result",
                    item.result.span,
                    "nothing returns it",
                    hint=f"give it a body: `rule {made.name}(…) -> {item.result.span.text}:`; a value is better a `define`",
                )
                made.result = None
        elif result is not None:
            made.result = result
            if isinstance(result, types.ZoneType):
                self.cx.report.error("CG0405", "a define has no place as its value", item.result.span if item.result else item.span)
        else:
            self.untyped[id(made)] = (placed, made)

    def _body_scope(self, made: model.Define | model.Rule, placed: Placed, frame: Frame) -> Scope:
        scope = file_scope(self.cx, placed.file, frame).inner()
        scope.locals = {p.name: p for p in made.params}
        return scope

    def _frame(self, item: ast.Define | ast.Rule) -> Frame:
        """Helpers of tests know the words of tests, and the players that are there however few play."""
        if not item.for_tests:
            return Frame()
        return Frame(in_test=True, anywhere=True, seats=fewest_players(self.cx))

    def _define_value(self, item: ast.Define, made: model.Define, placed: Placed) -> None:
        scope = self._body_scope(made, placed, self._frame(item))
        want = None
        if item.result is not None:
            want = Want(made.result, f"`{made.name}` is declared as {made.result}", item.result.span)
        made.value = value(item.value, scope, want, f"`{made.name}`")
        if want is None:
            made.result = made.value.type

    def infer(self) -> None:
        """Find the types nobody wrote, of what others need first. A circle is an error; one of its types stays unknown."""
        for start in [made for _, made in self.untyped.values()]:
            if id(start) not in self.untyped:
                continue
            path = [(start, iter(self._needs(start)))]
            while path:
                current, needs = path[-1]
                needed, name = next(((n, at) for n, at in needs if id(n) in self.untyped), (None, None))
                if needed is None or name is None:
                    path.pop()
                    self._settle(current)
                elif any(needed is one for one, _ in path):
                    self._circle(needed, name)
                    del self.untyped[id(needed)]
                else:
                    path.append((needed, iter(self._needs(needed))))

    def _circle(self, needed: model.Declared, name: ast.Name) -> None:
        self.cx.report.error(
            "CG0550",
            f"`{needed.name}` needs its own value to be worked out",
            name.span,
            "this leads back to it",
            others=(Label(needed.span, "declared here"),),
            hint="a define never calls itself, not even through others",
        )

    def _settle(self, made: model.Declared) -> None:
        """Find one type, if it is still wanted."""
        placed, _ = self.untyped.pop(id(made), (None, None))
        if placed is None:
            return
        if isinstance(placed.item, ast.Define) and isinstance(made, model.Define):
            self._define_value(placed.item, made, placed)
        elif isinstance(placed.item, ast.Var) and isinstance(made, model.Variable):
            self._variable_value(placed.item, made, placed)

    def _needs(self, made: model.Declared) -> list[tuple[model.Declared, ast.Name]]:
        """The defines and variables whose names stand in the text of a declaration."""
        placed, _ = self.untyped[id(made)]
        names = self.cx.names_of(placed.file)
        found: dict[str, tuple[model.Declared, ast.Name]] = {}
        assert isinstance(placed.item, ast.Define | ast.Var)
        for name in _names_in(placed.item.value):
            symbol = names.find(name.id, "define", "variable")
            if symbol is not None and isinstance(symbol.target, model.Declared):
                found.setdefault(name.id, (symbol.target, name))
        return list(found.values())

    def values(self) -> None:
        """The values of the other defines, on which tables and boards may depend, and the dice."""
        for placed, made in self.each(ast.Define):
            if isinstance(placed.item, ast.Define) and isinstance(made, model.Define) and made.value is None:
                self._define_value(placed.item, made, placed)
        for placed, made in self.each(ast.Dice):
            assert isinstance(placed.item, ast.Dice) and isinstance(made, model.Dice)
            self._dice(placed.item, made, placed)

    def bodies(self) -> None:
        """First values of variables and bodies of rules."""
        for placed, made in self.each(ast.Var, ast.Rule):
            item = placed.item
            if isinstance(item, ast.Var) and isinstance(made, model.Variable) and made.value is None:
                self._variable_value(item, made, placed)
            elif isinstance(item, ast.Rule) and isinstance(made, model.Rule) and item.body is not None:
                frame = self._frame(item)
                frame.rule, frame.returns = made, made.result
                made.body, _ = block(item.body, self._body_scope(made, placed, frame))

    # ── boards ──

    def boards(self) -> None:
        """Spaces and steps; boards may speak of those before them."""
        for placed, made in self.each(ast.Board):
            assert isinstance(placed.item, ast.Board) and isinstance(made, model.Board)
            cells = _Cells(self.cx, placed, made)
            build_board(placed.item, made, cells.rule_steps, cells.value, self.cx.report, self.cx.evaluator.world)

    # ── limits ──

    def slots(self) -> None:
        """Families must not be endless."""
        for _placed, made in self.each(ast.Zone, ast.Var):
            assert isinstance(made, model.Zone | model.Variable)
            size = 1
            for index in made.indexes:
                size *= max(1, self._size(index))
            self.cx.slots += size
            if self.cx.slots > MOST_SLOTS:
                self.cx.report.error(
                    "CG0413",
                    "this family is too large" if size > MOST_SLOTS // 2 else "there are too many zones and variables",
                    made.span,
                    f"it has {size} members; a game has at most {MOST_SLOTS} zones and variables",
                )
                return

    def _size(self, index: Type) -> int:
        if isinstance(index, types.KindType):
            return len(self.cx.kinds[index.id].members)
        if isinstance(index, types.SpaceType):
            return len(self.cx.boards[index.id].spaces)
        return max(self.cx.game.players, default=MOST_PLAYERS)


def _within_lists(type_: Type) -> Type:
    while isinstance(type_, ListType | Optional):
        type_ = type_.of
    return type_


def _names_in(node: object) -> Iterator[ast.Name]:
    """All names that stand as values in a piece of syntax: not what follows a dot."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name):
            yield one
        elif isinstance(one, ast.Property):
            waiting.append(one.of)
        elif isinstance(one, tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, ast.Node) and has(type(one)):
            waiting.extend(reversed([getattr(one, f.name) for f in fields(type(one)) if f.name != "span"]))


@define(eq=False)
class _Cells:
    """How a board's legend and its steps are read."""

    cx: Context
    placed: Placed
    board: model.Board

    def value(self, cell: ast.Expr, column: model.Column) -> object:
        scope = file_scope(self.cx, self.placed.file)
        found = check(cell, scope, Want(column.type, f"`{column.name}` is {a(column.type)}", column.span))
        try:
            return constant.constant(found, {}, self.cx, f"the attribute `{column.name}`")
        except Failed:
            return None

    def rule_steps(self, line: ast.StepsRule) -> tuple[model.Local, model.Local, model.Expr] | None:
        scope = file_scope(self.cx, self.placed.file).inner()
        start = scope.declare(line.start, self.board.type)
        end = scope.declare(line.end, self.board.type)
        where = check(line.where, scope, Want(FLAG, "`where` wants a condition"))
        return None if is_unknown(where.type) else (start, end, where)


# ── how many play ──


def _base_header(cx: Context, written: ast.Expr) -> tuple[Label, ...]:
    """The first line of the game, if it is a variant that says how many play."""
    game = cx.composition.game
    return (Label(game.header.span, "the game"),) if written.span.source.path != game.source.path else ()


def fewest_players(cx: Context) -> int:
    """How many play at least, as far as it can be told already; what is wrong with the first line is reported elsewhere."""
    report, cx.report = cx.report, Report()
    try:
        return players(cx)[0]
    finally:
        cx.report = report


def players(cx: Context) -> tuple[int, ...]:
    """The numbers of players the first line allows."""
    written = cx.composition.players
    anything = tuple(range(1, MOST_PLAYERS + 1))
    if written is None:
        return anything
    if isinstance(written, ast.Binary) and written.op in ("-", "or"):
        left, right = written.left.span.text, written.right.span.text
        title, instead = ("`-` takes one number from another", f"{left}..{right}")
        if written.op == "or":
            title, instead = "`or` stands between conditions", f"[{left}, {right}]"
        hint = "`2..4` is every number from 2 to 4, `[2, 4]` only these two"
        cx.report.error("CG0403", title, written.span, f"write `{instead}`", hint=hint)
        return anything
    scope = file_scope(cx, cx.composition.players_file or cx.composition.game)
    found = expr(written, scope, ListType(NUMBER))
    if is_unknown(found.type):
        return anything
    if found.type == NUMBER:
        found = model.Items(type=ListType(NUMBER), span=found.span, items=(found,))
    listed = as_list(found)
    if listed is None or listed.type != ListType(NUMBER):
        mismatch(scope, written, found, Want(NUMBER, "the number of players: `2`, `2..4` or `[2, 4]`"))
        return anything
    try:
        counts = constant.constant(listed, {}, cx, "the number of players")
    except Failed:
        return anything
    numbers = tuple(sorted({n for n in counts if isinstance(n, int)})) if isinstance(counts, tuple) else ()
    if not numbers or numbers[0] < 1 or numbers[-1] > MOST_PLAYERS:
        cx.report.error(
            "CG0403",
            f"1 to {MOST_PLAYERS} can play",
            written.span,
            "nobody could" if not numbers else f"this is {numbers[0]} to {numbers[-1]}",
            hint="write `2`, `2..4` or `[2, 4]`",
            others=_base_header(cx, written),
        )
        return anything
    return numbers
