"""Card tables: rows become designs, `for` generates them, and what the cards can do hangs on them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, define

from dsl import ast, model, suggest
from dsl.check import constant, queries
from dsl.check.constant import Failed
from dsl.check.elaborate import Want, a, check
from dsl.check.scope import MOST_CARDS, MOST_DESIGNS, Context, Scope, file_scope
from dsl.composition import Placed, PlacedRow
from dsl.diagnostics import Label
from dsl.types import NUMBER, TEXT

Environment = dict[model.Local, object]


@define(eq=False)
class Made:
    """A row and the designs it made, each with the values its binders had."""

    row: PlacedRow
    designs: list[model.Design]
    environments: list[dict[str, model.Expr]]


@define(eq=False)
class Table:
    """A card table after its rows were read: what the abilities need."""

    placed: Placed
    card: model.CardType
    rows: list[Made] = Factory(list)


def read(placed: Placed, cx: Context) -> Table | None:
    """Make the designs of a table. None if it is no table of known cards in a known zone."""
    item = placed.item
    assert isinstance(item, ast.Cards)
    scope = file_scope(cx, placed.file)
    card = _card_type(item.card, scope)
    zone = _zone(item, card, scope)
    if card is None:
        return None
    columns = _columns(item, card, cx)
    table = Table(placed, card)
    if columns is None or zone is None:
        cx.incomplete.add(card.id)
        return table
    reader = _Reader(cx, item, card, zone, columns)
    for row in placed.rows:
        made = reader.row(row)
        if made is not None:
            table.rows.append(made)
        else:
            cx.incomplete.add(card.id)
    return table


def _card_type(name: ast.Name, scope: Scope) -> model.CardType | None:
    symbol = scope.names.find(name.id, "card type")
    if symbol is None or not isinstance(symbol.target, model.CardType):
        scope.unknown(name.id, name.span, "card type", ("card type",), locals_too=False)
        return None
    return symbol.target


def _zone(item: ast.Cards, card: model.CardType | None, scope: Scope) -> model.Zone | None:
    if item.zone is None:
        scope.cx.report.error("CG0408", "where do these cards begin?", item.card.span, f"write `cards {item.card.id} in ZONE:`")
        return None
    symbol = scope.names.find(item.zone.id, "zone")
    if symbol is None or not isinstance(symbol.target, model.Zone):
        scope.unknown(item.zone.id, item.zone.span, "zone", ("zone",), locals_too=False)
        return None
    zone = symbol.target
    if zone.indexes:
        scope.cx.report.error(
            "CG0315",
            f"`{zone.name}` is a family of zones; cards begin in a single one",
            item.zone.span,
            others=symbol.place,
            hint="put them in a zone without `[…]` and deal them in `setup`",
        )
        return None
    if card is not None and zone.of is not None and zone.of is not card:
        scope.cx.report.error(
            "CG0316",
            f"`{zone.name}` holds {zone.of.name} cards, not {card.name}",
            item.zone.span,
            f"for {zone.of.name} cards",
            others=symbol.place,
        )
        return None
    return zone


def _columns(item: ast.Cards, card: model.CardType, cx: Context) -> dict[str, int] | None:
    """Which cell of a row is what; None after an error."""
    known = ["name", *(c.name for c in card.attributes), "copies"]
    found: dict[str, int] = {}
    good = True
    for position, column in enumerate(item.columns):
        if column.id in found:
            cx.report.error(
                "CG0408",
                f"the column `{column.id}` is there twice",
                column.span,
                others=(Label(item.columns[found[column.id]].span, "here already"),),
            )
            good = False
        elif column.id not in known:
            guess = suggest.closest(column.id, known)
            cx.report.error(
                "CG0408",
                f"{card.name} cards have no `{column.id}`",
                column.span,
                f"did you mean `{guess}`?" if guess else "",
                others=(Label(card.span, f"the card type {card.name}"),),
                hint=None if guess else "columns are " + ", ".join(f"`{k}`" for k in known),
            )
            good = False
        else:
            found[column.id] = position
    missing = [k for k in known if k not in found and k != "copies"]
    if missing and good:
        where = item.columns[0].span.to(item.columns[-1].span) if item.columns else item.card.span
        declared = next((c for c in card.attributes if c.name == missing[0]), None)
        cx.report.error(
            "CG0408",
            f"the column `{missing[0]}` is missing",
            where,
            f"these are the columns; `{missing[0]}` is not among them",
            others=(Label(declared.span, "each card has it"),) if declared is not None else (),
        )
        good = False
    return found if good else None


@define(eq=False)
class _Reader:
    """Reads the rows of one table."""

    cx: Context
    item: ast.Cards
    card: model.CardType
    zone: model.Zone
    columns: dict[str, int]

    def row(self, placed: PlacedRow) -> Made | None:
        row = placed.row
        if len(row.cells) != len(self.item.columns):
            self._wrong_count(row)
            return None
        binders_scope = file_scope(self.cx, placed.binders_file).inner()
        binders = None if row.binders is None else queries.binders(row.binders, binders_scope)
        cells: dict[str, model.Expr] = {}
        for name, position in self.columns.items():
            scope = file_scope(self.cx, placed.files[position])
            scope.locals = binders_scope.locals
            scope.facts = binders_scope.facts
            cells[name] = check(row.cells[position], scope, self._want(name))
        self._other_names(cells["name"], binders)
        made = Made(placed, [], [])
        try:
            for env in self._environments(binders):
                design = self._design(row, cells, env)
                if design is None:
                    break
                made.designs.append(design)
                made.environments.append({b.name: constant.written(v, b.type, b.span, self.cx) for b, v in env.items()})
        except Failed:
            self.cx.incomplete.add(self.card.id)
        self.card.designs += made.designs
        return made

    def _want(self, column: str) -> Want:
        if column == "name":
            return Want(TEXT, "the name of a card is a text in quotes")
        if column == "copies":
            return Want(NUMBER, "`copies` is a number")
        attribute = next(c for c in self.card.attributes if c.name == column)
        return Want(attribute.type, f"`{column}` is {a(attribute.type)}", attribute.span)

    def _wrong_count(self, row: ast.Row) -> None:
        columns = self.item.columns
        have, wanted = len(row.cells), len(columns)
        if have > wanted:
            span, label = row.cells[wanted].span.to(row.cells[-1].span), "too many"
        else:
            span = row.cells[0].span.to(row.cells[-1].span) if row.cells else row.span
            label = f"`{columns[have].id}` is missing" if have + 1 == wanted else f"{wanted - have} are missing"
        self.cx.report.error(
            "CG0409",
            f"this row has {have} cells for {wanted} columns",
            span,
            label,
            others=(Label(columns[0].span.to(columns[-1].span), "the columns"),) if columns else (),
        )

    def _environments(self, binders: model.Binders | None) -> Iterator[Environment]:
        """What the binders stand for, one after another."""
        if binders is None:
            yield {}
            return
        yield from self._nested(binders, 0, {})

    def _nested(self, binders: model.Binders, at: int, env: Environment) -> Iterator[Environment]:
        what = "what a row is generated from"
        if at == len(binders.bindings):
            if binders.where is None or constant.constant(binders.where, env, self.cx, what) is True:
                yield env
            return
        binding = binders.bindings[at]
        items = constant.constant(binding.source, env, self.cx, what)
        for item in items if isinstance(items, tuple) else ():
            yield from self._nested(binders, at + 1, {**env, binding.local: item})

    def _design(self, row: ast.Row, cells: dict[str, model.Expr], env: Environment) -> model.Design | None:
        """One design; None if there are too many. Raises `Failed` if a cell has no value."""
        values = {name: constant.constant(cell, env, self.cx, f"the cell `{name}`") for name, cell in cells.items()}
        name, copies = values["name"], values.get("copies", 1)
        span = row.cells[0].span
        if not isinstance(name, str) or not isinstance(copies, int):
            raise Failed
        if not name.strip():
            self.cx.report.error("CG0411", "a card needs a name", row.cells[self.columns["name"]].span, "this is empty")
            raise Failed
        if copies < 0:
            self.cx.report.error("CG0412", f"there cannot be {copies} copies of a card", row.cells[self.columns["copies"]].span)
            raise Failed
        self._unique(name, row)
        cx = self.cx
        cx.cards += copies
        cx.designs += 1
        if cx.cards > MOST_CARDS or cx.designs > MOST_DESIGNS:
            cx.report.error(
                "CG0413", f"a game has at most {MOST_DESIGNS} different cards and {MOST_CARDS} in all", span, "these are too many"
            )
            return None
        attributes = tuple(values[c.name] for c in self.card.attributes)
        return model.Design(name, attributes, copies, self.zone, row.span)

    def _unique(self, name: str, row: ast.Row) -> None:
        known = self.cx.design_places.setdefault(self.card.id, {})
        span = row.cells[self.columns["name"]].span
        if name not in known:
            known[name] = span
            return
        generated = known[name] is span
        self.cx.report.error(
            "CG0411",
            f'there are two {self.card.name} cards "{name}"',
            span,
            "the `for` makes this name twice" if generated else "the name again",
            others=() if generated else (Label(known[name], "the first one"),),
            hint="put what tells them apart into the name"
            if generated
            else "for more of the same card, write a number under `copies`",
        )

    def _other_names(self, name: model.Expr, binders: model.Binders | None) -> None:
        """The names the row would make under other values of the options it depends on."""
        if binders is None and not isinstance(name, model.Template):
            return
        elsewhere = self.cx.possible_names.setdefault(self.card.id, set())
        quiet = self.cx.aside()
        reader = _Reader(quiet, self.item, self.card, self.zone, self.columns)
        for option in list(constant.options_read(name, binders)):
            now = option.value
            for value in constant.other_values(option, self.cx):
                option.value = value
                try:
                    for env in reader._environments(binders):
                        made = constant.constant(name, env, quiet, "a name")
                        if isinstance(made, str) and len(elsewhere) < MOST_DESIGNS:
                            elsewhere.add(made)
                except Failed:
                    continue
                finally:
                    option.value = now
