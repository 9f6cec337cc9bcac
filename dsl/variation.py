"""`change` and `remove`: the declarations of a composition while they are being varied.

Declarations are entered in the order of precedence of their files (`place`), changes are applied as they come (`change`,
`remove`), and `placed` gives the result. Whatever cannot be applied is an error that shows both places.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, define, evolve, field

from dsl import ast
from dsl.changed_attachments import Attachments
from dsl.changed_cards import CardTables
from dsl.changed_kinds import KindChange
from dsl.changed_scoring import ScoreLines
from dsl.composition import Changed, Placed
from dsl.diagnostics import Label, Report
from dsl.options import Options
from dsl.precedence import Author, Entry, Precedence, Touch, shown
from dsl.source import Span
from dsl.suggest import closest, did_you_mean


@define(eq=False)
class Target:
    """Something that can be varied: the declaration with its name now."""

    entry: Entry
    placed: Placed | None
    touch: Touch | None = None

    @property
    def span(self) -> Span:
        return name_span(self.entry.item)


Named = (
    ast.Kind | ast.Card | ast.Zone | ast.Var | ast.Option | ast.Dice | ast.Board | ast.Timing | ast.Define | ast.Rule | ast.Ending
)
Texted = ast.Invariant | ast.GameProperty | ast.Test
TEXTED: dict[str, type[Texted]] = {"invariant": ast.Invariant, "property": ast.GameProperty, "test": ast.Test}
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
    ast.GameProperty: "property",
    ast.Test: "test",
}


def name_span(item: ast.Item) -> Span:
    """The place that names a declaration."""
    match item:
        case ast.Invariant(text=text) | ast.GameProperty(text=text):
            return text.span
        case ast.Cards(card=card):
            return card.span
        case ast.Use(module=module):
            return module.span
    name = getattr(item, "name", None)
    return name.span if isinstance(name, ast.Name | ast.Text) else item.span


@define
class Variation:
    visible: Mapping[str, tuple[ast.File, ...]]
    options: Options
    report: Report
    named: list[Target] = Factory(list)
    texts: list[Target] = Factory(list)
    kinds: dict[int, ast.Kind] = Factory(dict)
    """by the change: the kind after it"""
    changes: list[Changed] = Factory(list)
    _index: dict[tuple[str, str], Target] = field(factory=dict, repr=False)
    precedence: Precedence = Factory(lambda self: Precedence(self.visible, self.report), takes_self=True)
    tables: CardTables = Factory(lambda self: CardTables(self.precedence, self.report, self._lookup), takes_self=True)
    scoring: ScoreLines = Factory(lambda self: ScoreLines(self.precedence, self.report), takes_self=True)
    attachments: Attachments = Factory(
        lambda self: Attachments(self.visible, self.precedence, self.report, self._means, self._place_of), takes_self=True
    )

    # ── entering ──

    def place(self, entry: Entry) -> None:
        """Enter a plain declaration."""
        item, file = entry.item, entry.author.file
        match item:
            case ast.Cards():
                self.tables.place(entry, item)
            case ast.Scoring():
                self.scoring.place(entry, item)
            case ast.Attachment():
                self.attachments.place(entry, item)
            case ast.Invariant() | ast.GameProperty() | ast.Test():
                self.texts.append(Target(entry, _plain(entry)))
                self._added(entry, shown(text_of(item)))
            case (
                ast.Kind() | ast.Card() | ast.Zone() | ast.Var() | ast.Option() | ast.Dice() | ast.Board() | ast.Timing()
                | ast.Define() | ast.Rule() | ast.Ending()
            ):  # fmt: skip
                target = Target(entry, _plain(entry))
                self.named.append(target)
                self._index.setdefault((file.source.path, item.name.id), target)
                self._added(entry, item.name.id)
            case _:
                raise AssertionError(f"{type(item).__name__} is resolved before")

    def placed(self) -> list[Placed]:
        """All declarations in force, in text order."""
        result = [t.placed for t in (*self.named, *self.texts) if t.placed is not None]
        parts = (result, self.attachments.placed(), self.tables.placed(), self.scoring.placed())
        return sorted((placed for part in parts for placed in part), key=lambda p: p.order)

    def all_changes(self) -> tuple[Changed, ...]:
        """What variants and `when` blocks have done, file by file in the order of the text."""
        parts = (self.changes, self.attachments.changes, self.tables.changes, self.scoring.changes)
        found = [changed for part in parts for changed in part]
        files = list(dict.fromkeys(changed.file.source.path for changed in found))
        return tuple(sorted(found, key=lambda c: (files.index(c.file.source.path), c.new.start)))

    def _added(self, entry: Entry, name: str) -> None:
        author = entry.author
        if not author.base:
            sort = _SORTS[type(entry.item)]
            self.changes.append(Changed("add", sort, name, entry.item, entry.item.span, None, author.file, author.blocks))

    def note_preset(self, entry: Entry, name: ast.Name | ast.Text, old: Span | None) -> None:
        """A preset that is added or, if `old` says where it stands, changed or taken away."""
        if not entry.author.base:
            item, author = entry.item, entry.author
            what = "add" if old is None else "change" if isinstance(item, ast.Change) else "remove"
            self.changes.append(Changed(what, "preset", shown(name), item, item.span, old, author.file, author.blocks))

    def _note(self, what: str, sort: str, name: str, author: Author, by: ast.Item, old: Span) -> None:
        self.changes.append(Changed(what, sort, name, by, by.span, old, author.file, author.blocks))

    # ── changing ──

    def change(self, entry: Entry, change: ast.Change) -> None:
        """Apply a `change`."""
        match change.item:
            case ast.Cards():
                self.tables.change(entry.author, change.item)
            case ast.Scoring():
                self.scoring.change(entry, change.item)
            case ast.Attachment():
                self.attachments.change(entry, change, change.item)
            case ast.ChangedPreset():
                raise AssertionError("presets are varied before")
            case ast.Test():
                self._change_test(entry.author, change, change.item)
            case _:
                self._change_named(entry.author, change, change.item)

    def _change_named(
        self,
        author: Author,
        change: ast.Change,
        item: ast.Option | ast.ChangedKind | ast.Zone | ast.Define | ast.Rule | ast.Ending | ast.Timing,
    ) -> None:
        sort = ast.Kind if isinstance(item, ast.ChangedKind) else type(item)
        target = self._find_named(author, sort, item.name, "change")
        if target is None:
            return
        what = f"{_SORTS[sort]} `{item.name.id}`"
        if not self._may(author, target.touch, what, item.name.span, target, removing=False):
            return
        old = target.placed.item if target.placed is not None else target.entry.item
        new: ast.Item | None
        if isinstance(item, ast.ChangedKind):
            new = self.kinds.get(id(item))
        elif isinstance(item, ast.Option):
            new = self.options.change(item, author.file)
        elif isinstance(item, ast.Rule | ast.Define):
            assert isinstance(old, ast.Rule | ast.Define)
            if not self._same_signature(item, old):
                return
            new = evolve(item, doc=item.doc or change.doc or old.doc)
        else:
            new = evolve(item, doc=item.doc or change.doc or getattr(old, "doc", None))
        target.touch = Touch(author, item.name.span)
        if new is not None:
            target.placed = Placed(new, target.entry.author.file, author.file, target.entry.author.rank, target.entry.order)
            self._note("change", _SORTS[sort], item.name.id, author, change, old.span)

    def _change_test(self, author: Author, change: ast.Change, item: ast.Test) -> None:
        target = self._find_text(author, ast.Test, "test", item.name, "change")
        what = f"test {shown(item.name)}"
        if target is None or not self._may(author, target.touch, what, item.name.span, target, removing=False):
            return
        old = target.placed.item if target.placed is not None else target.entry.item
        target.touch = Touch(author, item.name.span)
        target.placed = Placed(item, author.file, author.file, author.rank, target.entry.order, given=target.entry.given)
        self._note("change", "test", shown(item.name), author, change, old.span)

    def restore(self, change: KindChange, members: tuple[str, ...]) -> None:
        """Put members back that were left out by mistake, so that nothing else is complained of."""
        for target in self.named:
            if target.placed is not None and target.placed.item is change.new:
                kept = tuple(m for m in change.old.members if m.name.id in members)
                target.placed = evolve(target.placed, item=evolve(change.new, members=(*change.new.members, *kept)))

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

    # ── removing ──

    def remove(self, entry: Entry, remove: ast.Remove | ast.RemoveAttachment | ast.RemoveAbility) -> None:
        """Apply a `remove`."""
        author = entry.author
        if isinstance(remove, ast.RemoveAttachment):
            self.attachments.remove(entry, remove)
            return
        if isinstance(remove, ast.RemoveAbility):
            self.tables.remove_ability(author, remove)
            return
        name, what = remove.name, remove.what
        if what == "scoring":
            self.scoring.remove(author, remove)
            return
        if what == "ending":
            if not isinstance(name, ast.Name):
                self.report.error(
                    "CG0623", "an ending is removed by its name", name.span, hint="write `remove ending NAME`, without quotes"
                )
                return
            target = self._find_named(author, ast.Ending, name, "remove")
        else:
            target = self._find_text(author, TEXTED[what], what, name, "remove")
        if target is not None and self._may(author, target.touch, f"{what} {shown(name)}", name.span, target, removing=True):
            target.placed, target.touch = None, Touch(author, name.span, removed=True)
            named = name.id if isinstance(name, ast.Name) else shown(name)
            self._note("remove", what, named, author, remove, target.entry.item.span)

    # ── names ──

    def _means(self, file: ast.File, name: str) -> bool:
        """Has a bare name a meaning in this file?"""
        return (
            name in ("self", "owner")
            or self._lookup(file, name) is not None
            or bool(self.options.constants.kinds.member(name, file, None))
        )

    def _place_of(self, file: ast.File, name: str) -> Span | None:
        target = self._lookup(file, name)
        if target is None:
            return None
        return target.placed.item.span if target.placed is not None else target.span

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
            nearest = next(
                (t.span for t in self.named if type(t.entry.item) is sort and _named(t).name.id == closest(name.id, same)), None
            )
            self.report.error(
                "CG0611",
                f"there is no {word} `{name.id}` to {verb}",
                name.span,
                did_you_mean(name.id, same) or "",
                hint=hint,
                others=self._instead(author, nearest),
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

    def _find_text(self, author: Author, sort: type[Texted], word: str, name: ast.Name | ast.Text, verb: str) -> Target | None:
        seen = {file.source.path for file in self.visible[author.file.source.path]}
        candidates = [t for t in self.texts if type(t.entry.item) is sort and t.entry.author.file.source.path in seen]
        found = [t for t in candidates if _text(t) == name]
        if not found:
            names = [shown(_text(t)) for t in candidates]
            nearest = next((t.span for t in candidates if shown(_text(t)) == closest(shown(name), names)), None)
            self.report.error(
                "CG0611",
                f"there is no {word} {shown(name)} to {verb}",
                name.span,
                did_you_mean(shown(name), names) or "",
                others=self._instead(author, nearest),
            )
            return None
        return min(found, key=lambda t: t.entry.author.file is author.file)

    def _instead(self, author: Author, nearest: Span | None) -> tuple[Label, ...]:
        """Of what is not there: the nearest thing that is, or the file that was looked through."""
        if nearest is not None:
            return (Label(nearest, "declared here"),)
        varied = [
            file
            for file in self.visible[author.file.source.path]
            if isinstance(file.header, ast.GameHeader) and file is not author.file
        ]
        return tuple(Label(file.header.span, "the game") for file in varied[:1])

    # ── may it be varied? ──

    def _may(self, author: Author, touch: Touch | None, what: str, span: Span, target: Target, *, removing: bool) -> bool:
        if touch is None and author.same_place(target.entry.author):
            self.precedence.refuse_own(span, f"the {what}", target.entry, target.span)
            return False
        return self.precedence.may(author, touch, f"the {what}", span, removing=removing)


def _plain(entry: Entry) -> Placed:
    return Placed(entry.item, entry.author.file, entry.author.file, entry.author.rank, entry.order, given=entry.given)


def _named(target: Target) -> Named:
    item = target.entry.item
    assert isinstance(item, Named)
    return item


def _text(target: Target) -> ast.Text:
    item = target.entry.item
    assert isinstance(item, Texted)
    return text_of(item)


def text_of(item: Texted) -> ast.Text:
    """The text that names it."""
    return item.name if isinstance(item, ast.Test) else item.text


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
