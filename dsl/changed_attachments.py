"""`change` and `remove` of one attachment, which is named by what it attaches to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import Factory, define, evolve

from dsl import ast
from dsl.composition import Changed, Placed
from dsl.diagnostics import Label, Report
from dsl.precedence import Author, Entry, Precedence, Touch
from dsl.source import Span


@define(eq=False)
class Hanging:
    """An attachment of a file (not of a card); `placed` is None when it is removed."""

    entry: Entry
    item: ast.Attachment
    placed: Placed | None
    touch: Touch | None = None


@define
class Attachments:
    """All attachments of a composition that stand at the top of files. `means` says whether a bare name has a meaning in a file: if not,
    it binds. `place_of` gives where a rule or define is declared."""

    visible: Mapping[str, tuple[ast.File, ...]]
    precedence: Precedence
    report: Report
    means: Callable[[ast.File, str], bool]
    place_of: Callable[[ast.File, str], Span | None]
    all: list[Hanging] = Factory(list)
    changes: list[Changed] = Factory(list)

    def place(self, entry: Entry, item: ast.Attachment) -> None:
        author = entry.author
        placed = Placed(item, author.file, author.file, author.rank, entry.order, given=entry.given)
        self.all.append(Hanging(entry, item, placed))
        if not author.base:
            old = self.place_of(author.file, item.head.name.id)
            self.changes.append(Changed("attach", "attachment", headline(item), item, item.span, old, author.file, author.blocks))

    def placed(self) -> list[Placed]:
        return [hanging.placed for hanging in self.all if hanging.placed is not None]

    def change(self, entry: Entry, change: ast.Change, item: ast.Attachment) -> None:
        hanging = self._find(entry.author, item, item.text, item.where, "change")
        if hanging is None or not self._may(entry.author, hanging, item.head.span, removing=False):
            return
        old = hanging.placed.item if hanging.placed is not None else hanging.item
        assert isinstance(old, ast.Attachment)
        new = evolve(item, text=item.text or old.text, doc=item.doc or change.doc or old.doc)
        hanging.placed = Placed(new, hanging.entry.author.file, entry.author.file, hanging.entry.author.rank, hanging.entry.order)
        self._note("change", entry.author, hanging, item, change.span, old.span)

    def remove(self, entry: Entry, item: ast.RemoveAttachment) -> None:
        hanging = self._find(entry.author, item, item.text, item.where, "remove")
        if hanging is not None and self._may(entry.author, hanging, item.head.span, removing=True):
            hanging.placed = None
            self._note("remove", entry.author, hanging, item, item.span, hanging.item.span)

    def _note(self, what: str, author: Author, hanging: Hanging, item: ast.Item, new: Span, old: Span) -> None:
        hanging.touch = Touch(author, new, removed=what == "remove")
        self.changes.append(Changed(what, "attachment", headline(hanging.item), item, new, old, author.file, author.blocks))

    def _may(self, author: Author, hanging: Hanging, span: Span, *, removing: bool) -> bool:
        what = f"`{headline(hanging.item)}`"
        if hanging.touch is None and author.same_place(hanging.entry.author):
            self.precedence.refuse_own(span, what, hanging.entry, hanging.item.head.span)
            return False
        return self.precedence.may(author, hanging.touch, what, span, removing=removing)

    # ── which one is meant ──

    def _find(
        self, author: Author, item: ast.Attachment | ast.RemoveAttachment, text: ast.Text | None, where: ast.Expr | None, verb: str
    ) -> Hanging | None:
        seen = {file.source.path for file in self.visible[author.file.source.path]}
        near = [
            h
            for h in self.all
            if h.item.when == item.when and h.item.head.name == item.head.name and h.entry.author.file.source.path in seen
        ]
        fitting = [h for h in near if self._same_head(h, item.head, author.file)]
        # somebody else's comes first: who adds one like it does not mean his own
        found = [h for h in fitting if not author.same_place(h.entry.author)] or fitting
        if len(found) > 1 or verb == "remove":
            if text is not None:
                found = [h for h in found if h.item.text == text] or ([] if verb == "remove" else found)
            if where is not None:
                found = [h for h in found if h.item.where == where] or ([] if verb == "remove" else found)
        if len(found) == 1:
            return found[0]
        if found:
            self.report.error(
                "CG0625",
                f"there are {len(found)} attachments `{headline(item)}`",
                item.head.span,
                "which one is meant?",
                others=tuple(Label(h.item.span, "one of them") for h in found[:3]),
                hint="its text or its guard says which: add them as they are written there",
            )
            return None
        self._missing(author, item, near, fitting, verb)
        return None

    def _missing(
        self,
        author: Author,
        item: ast.Attachment | ast.RemoveAttachment,
        near: list[Hanging],
        fitting: list[Hanging],
        verb: str,
    ) -> None:
        name = item.head.name
        others: tuple[Label, ...] = tuple(Label(h.item.head.span, "there is this one") for h in near[:3])
        hint = None
        label = ""
        if fitting:
            label = "another text or guard is written there"
        elif not near:
            place = self.place_of(author.file, name.id)
            others = (Label(place, f"`{name.id}`, to which none is attached like that"),) if place is not None else ()
            other_way = next((h for h in self.all if h.item.head.name == name), None)
            if other_way is not None:
                others = (Label(other_way.item.span, "there is this one"),)
            else:
                hint = "what a card does is taken away by `remove ability`, or replaced by `change cards`"
        self.report.error("CG0624", f"there is no `{headline(item)}` to {verb}", item.head.span, label, others=others, hint=hint)

    def _same_head(self, hanging: Hanging, head: ast.Head, file: ast.File) -> bool:
        mine, theirs = head.patterns, hanging.item.head.patterns
        home = hanging.entry.author.file
        return len(mine) == len(theirs) and all(
            (self._binds(a, file) and self._binds(b, home)) or a == b for a, b in zip(mine, theirs, strict=True)
        )

    def _binds(self, pattern: ast.Expr, file: ast.File) -> bool:
        return isinstance(pattern, ast.Name) and not self.means(file, pattern.id)


def headline(item: ast.Attachment | ast.RemoveAttachment) -> str:
    """`after play(c, _)` as it is written."""
    when = "instead of" if item.when == "instead" else item.when
    return f"{when} {item.head.span.text}"
