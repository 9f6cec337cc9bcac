"""`change` and `remove`: the declarations of a composition while they are being varied.

Declarations are entered in the order of precedence of their files (`place`), changes are applied as they come (`change`,
`remove`), and `placed` gives the result. Whatever cannot be applied is an error that shows both places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from attrs import Factory, define, evolve, field, frozen

from dsl import ast
from dsl.composition import Placed, PlacedRow, Rank
from dsl.diagnostics import Label, Report
from dsl.options import Options
from dsl.source import Span
from dsl.suggest import did_you_mean


@frozen(eq=False)
class Author:
    """Where a declaration stands: its file and the `when` blocks around it. `base` unless in a block or a variant."""

    file: ast.File
    rank: Rank
    blocks: tuple[ast.WhenBlock, ...]

    @property
    def base(self) -> bool:
        return self.rank[0] < 2

    def same_place(self, other: Author) -> bool:
        return self.file is other.file and _same(self.blocks, other.blocks)

    def refines(self, other: Author) -> bool:
        """Does this stand in a `when` block inside the place of the other?"""
        return (
            self.file is other.file
            and len(self.blocks) > len(other.blocks)
            and _same(self.blocks[: len(other.blocks)], other.blocks)
        )

    @property
    def described(self) -> str:
        if self.blocks:
            return "a `when` block"
        header = self.file.header
        what = {ast.GameHeader: "the game", ast.ModuleHeader: "the module", ast.VariantHeader: "the variant"}[type(header)]
        return f'{what} "{header.name.plain}"'


def _same(a: tuple[ast.WhenBlock, ...], b: tuple[ast.WhenBlock, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


@frozen(eq=False)
class Entry:
    """A declaration of a file, its place in the composed text, and who wrote it."""

    item: ast.Item
    author: Author
    order: int


@define(eq=False)
class Touch:
    """The last change or removal of something."""

    author: Author
    span: Span
    removed: bool = False


@define(eq=False)
class Target:
    """Something that can be varied: the declaration with its name now."""

    entry: Entry
    placed: Placed | None
    touch: Touch | None = None

    @property
    def span(self) -> Span:
        return name_span(self.entry.item)


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


@define(eq=False)
class Line:
    """A line of the scoring; `item` is the declaration that holds it, for its parameter. `line` is None when it is removed."""

    entry: Entry
    label: ast.Text
    line: ast.ScoreLine | None
    item: ast.Scoring
    file: ast.File
    touch: Touch | None = None


Named = (
    ast.Kind | ast.Card | ast.Zone | ast.Var | ast.Option | ast.Dice | ast.Board | ast.Timing | ast.Define | ast.Rule | ast.Ending
)
Texted = ast.Invariant | ast.Test
_SORTS: dict[type, str] = {
    ast.Kind: "kind",
    ast.Card: "card type",
    ast.Zone: "zone",
    ast.Var: "variable",
    ast.Option: "option",
    ast.Dice: "dice",
    ast.Board: "board",
    ast.Timing: "timing",
    ast.Define: "define",
    ast.Rule: "rule",
    ast.Ending: "ending",
    ast.Invariant: "invariant",
    ast.Test: "test",
}
Key = TypeVar("Key", str, ast.Expr)


def name_span(item: ast.Item) -> Span:
    """The place that names a declaration."""
    match item:
        case ast.Invariant(text=text):
            return text.span
        case ast.Cards(card=card):
            return card.span
        case ast.Use(module=module):
            return module.span
    name = getattr(item, "name", None)
    return name.span if isinstance(name, ast.Name | ast.Text) else item.span


def shown(text: ast.Node) -> str:
    """A node as written."""
    return text.span.text if text.span.text else "this"


@define
class Variation:
    visible: Mapping[str, tuple[ast.File, ...]]
    options: Options
    report: Report
    named: list[Target] = Factory(list)
    texts: list[Target] = Factory(list)
    others: list[Target] = Factory(list)
    tables: list[Table] = Factory(list)
    lines: list[Line] = Factory(list)
    _index: dict[tuple[str, str], Target] = field(factory=dict, repr=False)

    # ── entering ──

    def place(self, entry: Entry) -> None:
        """Enter a plain declaration."""
        item, file = entry.item, entry.author.file
        match item:
            case ast.Cards():
                self.tables.append(Table(entry, list(item.columns), [_row_state(row, item, file) for row in item.rows]))
            case ast.Scoring():
                self._place_scoring(entry, item)
            case ast.Attachment():
                self.others.append(Target(entry, _plain(entry)))
            case ast.Invariant() | ast.Test():
                self.texts.append(Target(entry, _plain(entry)))
            case (
                ast.Kind() | ast.Card() | ast.Zone() | ast.Var() | ast.Option() | ast.Dice() | ast.Board() | ast.Timing()
                | ast.Define() | ast.Rule() | ast.Ending()
            ):  # fmt: skip
                target = Target(entry, _plain(entry))
                self.named.append(target)
                self._index.setdefault((file.source.path, item.name.id), target)
            case _:
                raise AssertionError(f"{type(item).__name__} is resolved before")

    def _place_scoring(self, entry: Entry, item: ast.Scoring) -> None:
        for line in item.lines:
            known = next((old for old in self.lines if old.label == line.label), None)
            if known is not None:
                elsewhere = known.file is not entry.author.file
                self.report.error(
                    "CG0622",
                    f"there are two lines {shown(line.label)} in the scoring",
                    line.label.span,
                    others=(Label(known.label.span, "the other one"),),
                    hint="write `change scoring` to replace a line" if elsewhere else "write one line with several cases",
                )
                continue
            self.lines.append(Line(entry, line.label, line, item, entry.author.file))

    # ── the result ──

    def placed(self) -> list[Placed]:
        """All declarations in force, in text order."""
        result = [t.placed for t in (*self.named, *self.texts, *self.others) if t.placed is not None]
        result += [_placed_table(table) for table in self.tables]
        result += _placed_scoring(self.lines)
        return sorted(result, key=lambda p: p.order)

    # ── changing ──

    def change(self, entry: Entry, change: ast.Change) -> None:
        """Apply a `change`."""
        match change.item:
            case ast.Cards():
                self._change_cards(entry.author, change.item)
            case ast.Scoring():
                self._change_scoring(entry, change.item)
            case _:
                self._change_named(entry.author, change.item, change.doc)

    def _change_named(
        self, author: Author, item: ast.Option | ast.Zone | ast.Define | ast.Rule | ast.Ending | ast.Timing, doc: str | None
    ) -> None:
        target = self._find_named(author, type(item), item.name, "change")
        if target is None:
            return
        what = f"{_SORTS[type(item)]} `{item.name.id}`"
        if not self._may(author, target.touch, what, item.name.span, target, removing=False):
            return
        old = target.placed.item if target.placed is not None else target.entry.item
        new: ast.Item | None = evolve(item, doc=item.doc or doc or getattr(old, "doc", None))
        if isinstance(item, ast.Option):
            new = self.options.change(item, author.file)
        elif isinstance(item, ast.Rule | ast.Define):
            assert isinstance(old, ast.Rule | ast.Define)
            if not self._same_signature(item, old):
                return
        target.touch = Touch(author, item.name.span)
        if new is not None:
            target.placed = Placed(new, target.entry.author.file, author.file, target.entry.author.rank, target.entry.order)

    def _same_signature(self, new: ast.Rule | ast.Define, old: ast.Rule | ast.Define) -> bool:
        types = [p.type for p in new.params], [p.type for p in old.params]
        written = new.result is not None and old.result is not None
        results_differ = new.result != old.result if isinstance(new, ast.Rule) or written else False
        if types[0] == types[1] and not results_differ:
            return True
        sort = _SORTS[type(new)]
        self.report.error(
            "CG0616",
            f"the {sort} `{new.name.id}` is changed into one of another form",
            new.name.span,
            f"what calls it expects `{_signature(old)}`",
            others=(Label(old.name.span, "changed from here"),),
            hint=f"write `change {sort} {_signature(old)}` and then the new text",
        )
        return False

    # ── cards ──

    def _change_cards(self, author: Author, change: ast.Cards) -> None:
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
            self._change_row(author, dict(zip(columns, row.cells, strict=True)), row, tables)

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

    def _change_row(self, author: Author, cells: dict[str, ast.Expr], row: ast.Row, tables: list[Table]) -> None:
        name = cells["name"]
        found = [
            (t, r) for t in tables for r in t.rows if isinstance(r, RowState) and "name" in r.cells and r.cells["name"][0] == name
        ]
        if not found:
            names = [shown(r.cells["name"][0]) for t in tables for r in t.rows if isinstance(r, RowState) and "name" in r.cells]
            generated = next((n for n in names if "{" in n), None)
            hint = did_you_mean(shown(name), names)
            if hint is None and generated is not None:
                hint = f"rows made by `for` are changed together, by their name as written: {generated}"
            self.report.error(
                "CG0618",
                f"there is no row {shown(name)} to change",
                name.span,
                others=(Label(_header(tables[0]), "the rows are below"),),
                hint=hint or "a new card goes into a table of its own, without `change`",
            )
            return
        if len(found) > 1:
            self.report.error(
                "CG0618",
                f"there are two rows {shown(name)}",
                name.span,
                others=tuple(Label(r.cells["name"][0].span, "one of them") for _, r in found[:2]),
                hint="give one of the two another name, so that it can be told which one is changed",
            )
            return
        table, state = found[0]
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
            if not self._may_part(author, state.touches.get(part), what, span):
                return
        for part in parts:
            if part in cells:
                state.cells[part] = (cells[part], author.file)
                if part not in [c.id for c in table.columns]:
                    table.columns.append(ast.Name(id=part, span=cells[part].span))
            state.touches[part] = Touch(author, cells[part].span if part in cells else row.abilities[0].span)
        if row.abilities:
            state.row = evolve(state.row, abilities=row.abilities)
            state.abilities_file = author.file

    def _table_card(self, table: Table) -> str:
        assert isinstance(table.entry.item, ast.Cards)
        return table.entry.item.card.id

    def _sees_card(self, file: ast.File, table: Table, name: str) -> bool:
        """Do the two files mean the same card type by the name?"""
        mine, theirs = self._lookup(file, name), self._lookup(table.entry.author.file, name)
        return mine is not None and mine is theirs

    # ── scoring ──

    def _change_scoring(self, entry: Entry, change: ast.Scoring) -> None:
        author = entry.author
        if not self.lines:
            self.report.error("CG0621", "there is no scoring to change", change.span, hint="write `scoring(p):` without `change`")
            return
        for line in change.lines:
            old = next((known for known in self.lines if known.label == line.label), None)
            if old is None:
                self.lines.append(Line(entry, line.label, line, change, author.file, Touch(author, line.label.span)))
            elif old.touch is None and author.same_place(old.entry.author):
                self._own(line.label.span, f"the line {shown(line.label)}", old.entry, old.label.span)
            elif self._may_part(author, old.touch, f"the line {shown(line.label)} of the scoring", line.label.span):
                old.line, old.item, old.file, old.touch = line, change, author.file, Touch(author, line.label.span)

    # ── removing ──

    def remove(self, entry: Entry, remove: ast.Remove) -> None:
        """Apply a `remove`."""
        author, name, what = entry.author, remove.name, remove.what
        if what == "scoring":
            self._remove_line(author, name)
            return
        if what == "ending":
            if not isinstance(name, ast.Name):
                self.report.error(
                    "CG0623", "an ending is removed by its name", name.span, hint="write `remove ending NAME`, without quotes"
                )
                return
            target = self._find_named(author, ast.Ending, name, "remove")
        else:
            target = self._find_text(author, ast.Invariant if what == "invariant" else ast.Test, what, name)
        if target is not None and self._may(author, target.touch, f"{what} {_quoted(name)}", name.span, target, removing=True):
            target.placed, target.touch = None, Touch(author, name.span, removed=True)

    def _remove_line(self, author: Author, name: ast.Name | ast.Text) -> None:
        old = next((line for line in self.lines if line.label == name), None)
        if old is None:
            labels = [shown(line.label) for line in self.lines]
            self.report.error(
                "CG0611",
                f"there is no line {_quoted(name)} in the scoring to remove",
                name.span,
                did_you_mean(shown(name), labels) or "",
            )
        elif old.touch is None and author.same_place(old.entry.author):
            self._own(name.span, f"the line {_quoted(name)}", old.entry, old.label.span)
        elif self._may_part(author, old.touch, f"the line {_quoted(name)} of the scoring", name.span, removing=True):
            old.line, old.touch = None, Touch(author, name.span, removed=True)

    # ── finding ──

    def _lookup(self, file: ast.File, name: str) -> Target | None:
        for seen in self.visible[file.source.path]:
            found = self._index.get((seen.source.path, name))
            if found is not None:
                return found
        return None

    def _find_named(self, author: Author, sort: type, name: ast.Name, verb: str) -> Target | None:
        word = _SORTS[sort]
        target = self._lookup(author.file, name.id)
        if target is None:
            same = [_named(t).name.id for t in self.named if type(t.entry.item) is sort]
            hidden = next((t for t in self.named if _named(t).name.id == name.id), None)
            hint = None
            if hidden is not None and isinstance(hidden.entry.author.file.header, ast.ModuleHeader):
                hint = f"the module `{hidden.entry.author.file.source.id}` has one: write `use {hidden.entry.author.file.source.id}` to see it"
            self.report.error(
                "CG0611", f"there is no {word} `{name.id}` to {verb}", name.span, did_you_mean(name.id, same) or "", hint=hint
            )
            return None
        if type(target.entry.item) is not sort:
            other = _SORTS[type(target.entry.item)]
            changeable = isinstance(target.entry.item, ast.Option | ast.Zone | ast.Define | ast.Rule | ast.Ending | ast.Timing)
            self.report.error(
                "CG0615",
                f"`{name.id}` is a {other}, not a {word}" if word[0] not in "aeiou" else f"`{name.id}` is a {other}, not an {word}",
                name.span,
                others=(Label(target.span, "declared here"),),
                hint=f"write `change {other} {name.id}`" if changeable and verb == "change" else None,
            )
            return None
        return target

    def _find_text(self, author: Author, sort: type[Texted], word: str, name: ast.Name | ast.Text) -> Target | None:
        seen = {file.source.path for file in self.visible[author.file.source.path]}
        candidates = [t for t in self.texts if type(t.entry.item) is sort and t.entry.author.file.source.path in seen]
        found = [t for t in candidates if _text(t) == name]
        if not found:
            names = [shown(_text(t)) for t in candidates]
            self.report.error(
                "CG0611", f"there is no {word} {_quoted(name)} to remove", name.span, did_you_mean(shown(name), names) or ""
            )
            return None
        return min(found, key=lambda t: t.entry.author.file is author.file)

    # ── may it be varied? ──

    def _may(self, author: Author, touch: Touch | None, what: str, span: Span, target: Target, *, removing: bool) -> bool:
        if touch is None and author.same_place(target.entry.author):
            self._own(span, f"the {what}", target.entry, target.span)
            return False
        return self._may_part(author, touch, f"the {what}", span, removing=removing)

    def _may_part(self, author: Author, touch: Touch | None, what: str, span: Span, *, removing: bool = False) -> bool:
        """May this author vary what was varied before by another?"""
        if touch is None or self._outranks(author, touch.author):
            return True
        before = "removed" if touch.removed else "changed"
        now = "removed" if removing else "changed"
        if author.same_place(touch.author):
            title, hint = f"{what} is {before} and {now} in one place" if before != now else f"{what} is {now} twice", None
        else:
            both = before if before == now else "varied"
            title = f"{what} is {both} by {touch.author.described} and by {author.described}"
            if author.described == touch.author.described:
                title = f"{what} is {both} by two `when` blocks at once"
            hint = "only one of the two can be in force: let the conditions exclude each other, or leave one of them out"
        self.report.error("CG0612", title, span, f"{now} here", others=(Label(touch.span, f"{before} here"),), hint=hint)
        return False

    def _outranks(self, author: Author, other: Author) -> bool:
        if author.base and other.base:
            return other.rank < author.rank and (author.rank[0] == 1 or self._sees(author.file, other.file))
        return (other.base and not author.base) or author.refines(other)

    def _sees(self, file: ast.File, other: ast.File) -> bool:
        return any(seen.source.path == other.source.path for seen in self.visible[file.source.path])

    def _own(self, span: Span, what: str, entry: Entry, declared: Span) -> None:
        self.report.error(
            "CG0614",
            f"{what} is declared in this very place",
            span,
            others=(Label(declared, "declared here"),),
            hint="rewrite the declaration itself; `change` and `remove` are for `when` blocks, variants, and what a module brings",
        )


# ── small helpers ──


def _plain(entry: Entry) -> Placed:
    return Placed(entry.item, entry.author.file, entry.author.file, entry.author.rank, entry.order)


def _named(target: Target) -> Named:
    item = target.entry.item
    assert isinstance(item, Named)
    return item


def _text(target: Target) -> ast.Text:
    item = target.entry.item
    assert isinstance(item, Texted)
    return item.text if isinstance(item, ast.Invariant) else item.name


def _quoted(name: ast.Name | ast.Text) -> str:
    return f"`{name.id}`" if isinstance(name, ast.Name) else shown(name)


def _header(table: Table) -> Span:
    item = table.entry.item
    assert isinstance(item, ast.Cards)
    return item.columns[0].span.to(item.columns[-1].span) if item.columns else item.span


def _signature(item: ast.Rule | ast.Define) -> str:
    params = ", ".join(f"{p.name.id}: {_type(p.type)}" for p in item.params)
    return f"{item.name.id}({params})" + (f" -> {_type(item.result)}" if item.result is not None else "")


def _type(written: ast.Type) -> str:
    match written:
        case ast.NamedType(name=name, optional=optional):
            return name.id + ("?" if optional else "")
        case ast.ListType(of=of):
            return f"list of {_type(of)}"
        case ast.ZoneType(of=name):
            return f"zone of {name.id}"


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


def _placed_scoring(lines: list[Line]) -> list[Placed]:
    """Neighbouring lines of one declaration stay together."""
    result: list[Placed] = []
    group: list[Line] = []
    for line in [*lines, None]:
        if group and (line is None or line.item is not group[0].item or line.entry is not group[0].entry):
            first = group[0]
            item = evolve(first.item, lines=tuple(g.line for g in group if g.line is not None))
            result.append(Placed(item, first.entry.author.file, first.file, first.entry.author.rank, first.entry.order))
            group = []
        if line is not None and line.line is not None:
            group.append(line)
    return result
