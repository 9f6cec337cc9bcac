"""`change cards`: rows merged by name into the columns of their tables."""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define, evolve

from dsl import ast
from dsl.composition import Changed, Placed, PlacedRow
from dsl.diagnostics import Label, Report
from dsl.precedence import Author, Entry, Precedence, Touch, shown
from dsl.source import Span
from dsl.suggest import closest, did_you_mean

REMOVED = "removed "
"""marks in the touches of a row that an ability has been taken away"""


@define(eq=False)
class RowState:
    """A row of a table: its cells by column, each with its file, and who changed what of it."""

    row: ast.Row
    cells: dict[str, tuple[ast.Expr, ast.File]]
    abilities_file: ast.File
    touches: dict[str, Touch] = Factory(dict)


@define(eq=False)
class Table:
    """`whole` holds the rows as they are (their cells do not fit the header: reported when the table is checked)."""

    entry: Entry
    columns: list[ast.Name]
    rows: list[RowState | PlacedRow]


@define
class CardTables:
    """All card tables of a composition. `card_type` gives what a name means to a file as a card type (or anything else)."""

    precedence: Precedence
    report: Report
    card_type: Callable[[ast.File, str], object]
    tables: list[Table] = Factory(list)
    changes: list[Changed] = Factory(list)

    def place(self, entry: Entry, item: ast.Cards) -> None:
        author = entry.author
        if not author.base:
            self.changes.append(Changed("add", "cards", item.card.id, item, item.span, None, author.file, author.blocks))
        self.tables.append(Table(entry, list(item.columns), [_row_state(row, item, entry.author.file) for row in item.rows]))

    def placed(self) -> list[Placed]:
        return [_placed_table(table) for table in self.tables]

    def change(self, author: Author, change: ast.Cards) -> None:
        name = change.card.id
        if change.zone is not None:
            self.report.error(
                "CG0619",
                "cards stay in the zone of their table",
                change.zone.span,
                hint=f"write `change cards {name}:`; a new table, for new cards, has no `change`",
            )
            return
        tables = [t for t in self.tables if self._table_card(t) == name and self._sees_card(author.file, t, name)]
        if not tables:
            cards = {self._table_card(t) for t in self.tables}
            self.report.error(
                "CG0617",
                f"there are no cards `{name}` to change",
                change.card.span,
                did_you_mean(name, cards) or "no table makes such cards",
                others=tuple(Label(_header(table), "these cards can be changed") for table in self.tables[:1]),
            )
            return
        columns = [column.id for column in change.columns]
        if not self._columns_fit(change, columns, tables):
            return
        for row in change.rows:
            if len(row.cells) != len(columns):
                self.report.error(
                    "CG0620",
                    f"this row has {len(row.cells)} cells, and there are {len(columns)} columns",
                    row.cells[-1].span if row.cells else row.span,
                    others=(Label(change.columns[0].span.to(change.columns[-1].span), "the columns"),),
                )
                continue
            self._change_row(author, change, dict(zip(columns, row.cells, strict=True)), row, tables)

    def _columns_fit(self, change: ast.Cards, columns: list[str], tables: list[Table]) -> bool:
        known = {"copies", *(column.id for table in tables for column in table.columns)}
        for i, column in enumerate(change.columns):
            if column.id not in known:
                self.report.error(
                    "CG0619",
                    f"these cards have no column `{column.id}`",
                    column.span,
                    did_you_mean(column.id, known) or "",
                    others=(Label(_header(tables[0]), "their columns"),),
                )
                return False
            if column.id in columns[:i]:
                self.report.error("CG0619", f"the column `{column.id}` is there twice", column.span)
                return False
        if "name" not in columns:
            span = change.columns[0].span if change.columns else change.card.span
            self.report.error("CG0619", "a column `name` must say which rows are changed", span)
            return False
        return True

    def _change_row(self, author: Author, change: ast.Cards, cells: dict[str, ast.Expr], row: ast.Row, tables: list[Table]) -> None:
        found = self._row(cells["name"], tables)
        if found is None:
            return
        name = cells["name"]
        table, state = found
        if row.binders is not None and row.binders != state.row.binders:
            self.report.error(
                "CG0618",
                "a change does not alter what a row is made for",
                row.binders.span,
                others=(Label(state.row.span, "the row"),),
                hint="leave out `for …`; its names can be used in the cells all the same",
            )
            return
        parts = [c for c in cells if c != "name"] + (["abilities"] if row.abilities else [])
        for part in parts:
            what = f"the {part} of {shown(name)}" if part != "abilities" else f"what {shown(name)} does"
            span = cells[part].span if part in cells else row.abilities[0].span
            if not self.precedence.may(author, state.touches.get(part), what, span):
                return
        removed = next((state.touches[key] for key in state.touches if key.startswith(REMOVED)), None) if row.abilities else None
        if not self.precedence.may(
            author, removed, f"what {shown(name)} does", row.abilities[0].span if row.abilities else row.span
        ):
            return
        self.changes.append(Changed("change", "card", shown(name), change, row.span, state.row.span, author.file, author.blocks))
        for part in parts:
            if part in cells:
                state.cells[part] = (cells[part], author.file)
                if part not in [c.id for c in table.columns]:
                    table.columns.append(ast.Name(id=part, span=cells[part].span))
            state.touches[part] = Touch(author, cells[part].span if part in cells else row.abilities[0].span)
        if row.abilities:
            state.row = evolve(state.row, abilities=row.abilities)
            state.abilities_file = author.file

    def _row(self, name: ast.Expr, tables: list[Table]) -> tuple[Table, RowState] | None:
        """The row of this name; None after an error."""
        rows = [(t, r) for t in tables for r in t.rows if isinstance(r, RowState) and "name" in r.cells]
        found = [(t, r) for t, r in rows if r.cells["name"][0] == name]
        if len(found) == 1:
            return found[0]
        if found:
            self.report.error(
                "CG0618",
                f"there are two rows {shown(name)}",
                name.span,
                others=tuple(Label(r.cells["name"][0].span, "one of them") for _, r in found[:2]),
                hint="give one of the two another name, so that it can be told which one is changed",
            )
            return None
        names = [shown(r.cells["name"][0]) for _, r in rows]
        generated = next((n for n in names if "{" in n), None)
        hint = did_you_mean(shown(name), names)
        if hint is None and generated is not None:
            hint = f"rows made by `for` are changed together, by their name as written: {generated}"
        nearest = next((r.cells["name"][0].span for _, r in rows if shown(r.cells["name"][0]) == closest(shown(name), names)), None)
        place = Label(nearest, "this row") if nearest is not None else Label(_header(tables[0]), "the rows are below")
        self.report.error(
            "CG0618",
            f"there is no row {shown(name)} to change",
            name.span,
            others=(place,),
            hint=hint or "a new card goes into a table of its own, without `change`",
        )
        return None

    def remove_ability(self, author: Author, remove: ast.RemoveAbility) -> None:
        """Take one ability from a row."""
        tables = [table for table in self.tables if self._sees_card(author.file, table, self._table_card(table))]
        if not tables:
            self.report.error("CG0617", "there are no cards here", remove.card.span, hint="abilities belong to cards")
            return
        found = self._row(remove.card, tables)
        if found is None:
            return
        _, state = found
        abilities = [ability for ability in state.row.abilities if ability.text == remove.text]
        gone = state.touches.get(REMOVED + shown(remove.text))
        if not abilities and gone is None:
            texts = [shown(ability.text) for ability in state.row.abilities]
            self.report.error(
                "CG0629",
                f"{shown(remove.card)} has no ability {shown(remove.text)}",
                remove.text.span,
                did_you_mean(shown(remove.text), texts) or "",
                others=tuple(Label(ability.text.span, "this one it has") for ability in state.row.abilities[:3])
                or (Label(state.row.span, "this card has none"),),
            )
            return
        what = f"the ability {shown(remove.text)}"
        for touch in (gone, state.touches.get("abilities")):
            if not self.precedence.may(author, touch, what, remove.text.span, removing=True):
                return
        old = abilities[0].span if abilities else state.row.span
        self.changes.append(Changed("remove", "ability", shown(remove.card), remove, remove.span, old, author.file, author.blocks))
        state.touches[REMOVED + shown(remove.text)] = Touch(author, remove.text.span, removed=True)
        state.row = evolve(state.row, abilities=tuple(ability for ability in state.row.abilities if ability.text != remove.text))

    def _table_card(self, table: Table) -> str:
        assert isinstance(table.entry.item, ast.Cards)
        return table.entry.item.card.id

    def _sees_card(self, file: ast.File, table: Table, name: str) -> bool:
        """Do the two files mean the same card type by the name?"""
        mine, theirs = self.card_type(file, name), self.card_type(table.entry.author.file, name)
        return mine is not None and mine is theirs


def _header(table: Table) -> Span:
    item = table.entry.item
    assert isinstance(item, ast.Cards)
    return item.columns[0].span.to(item.columns[-1].span) if item.columns else item.span


def _row_state(row: ast.Row, table: ast.Cards, file: ast.File) -> RowState | PlacedRow:
    if len(row.cells) != len(table.columns):
        return PlacedRow(row, (file,) * len(row.cells), file, file)
    return RowState(row, {c.id: (cell, file) for c, cell in zip(table.columns, row.cells, strict=True)}, file)


def _placed_table(table: Table) -> Placed:
    entry, item = table.entry, table.entry.item
    assert isinstance(item, ast.Cards)
    file = entry.author.file
    rows = []
    for row in table.rows:
        if isinstance(row, PlacedRow) or (not row.touches and len(table.columns) == len(item.columns)):
            rows.append(row if isinstance(row, PlacedRow) else PlacedRow(row.row, (file,) * len(row.row.cells), file, file))
            continue
        cells = [row.cells.get(c.id, (ast.Number(value=1, span=row.row.span), file)) for c in table.columns]
        merged = evolve(row.row, cells=tuple(cell for cell, _ in cells))
        rows.append(PlacedRow(merged, tuple(f for _, f in cells), file, row.abilities_file))
    merged_item = evolve(item, columns=tuple(table.columns), rows=tuple(r.row for r in rows))
    return Placed(merged_item, file, file, entry.author.rank, entry.order, tuple(rows))
