"""`change scoring` and `remove scoring`: lines found by their label."""

from __future__ import annotations

from attrs import Factory, define, evolve

from dsl import ast
from dsl.composition import Changed, Placed
from dsl.diagnostics import Label, Report
from dsl.precedence import Author, Entry, Precedence, Touch, shown
from dsl.suggest import did_you_mean


@define(eq=False)
class Line:
    """A line of the scoring; `item` is the declaration that holds it, for its parameter. `line` is None when it is removed."""

    entry: Entry
    label: ast.Text
    line: ast.ScoreLine | None
    item: ast.Scoring
    file: ast.File
    touch: Touch | None = None


@define
class ScoreLines:
    """All lines of the scoring, in their order."""

    precedence: Precedence
    report: Report
    lines: list[Line] = Factory(list)
    changes: list[Changed] = Factory(list)

    def place(self, entry: Entry, item: ast.Scoring) -> None:
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
            if not entry.author.base:
                self._note("add", entry.author, item, line, None)

    def _note(self, what: str, author: Author, by: ast.Item, line: ast.ScoreLine | ast.Remove, old: Line | None) -> None:
        label = line.label if isinstance(line, ast.ScoreLine) else line.name
        span = None if old is None else old.line.span if old.line is not None else old.label.span
        self.changes.append(Changed(what, "scoring", shown(label), by, line.span, span, author.file, author.blocks))

    def placed(self) -> list[Placed]:
        return _placed_scoring(self.lines)

    def change(self, entry: Entry, change: ast.Scoring) -> None:
        author = entry.author
        if not self.lines:
            self.report.error("CG0621", "there is no scoring to change", change.span, hint="write `scoring(p):` without `change`")
            return
        for line in change.lines:
            old = next((known for known in self.lines if known.label == line.label), None)
            if old is None:
                self._note("add", author, entry.item, line, None)
                self.lines.append(Line(entry, line.label, line, change, author.file, Touch(author, line.label.span)))
            elif old.touch is None and author.same_place(old.entry.author):
                self.precedence.refuse_own(line.label.span, f"the line {shown(line.label)}", old.entry, old.label.span)
            elif self.precedence.may(author, old.touch, f"the line {shown(line.label)} of the scoring", line.label.span):
                self._note("change", author, entry.item, line, old)
                old.line, old.item, old.file, old.touch = line, change, author.file, Touch(author, line.label.span)

    def remove(self, author: Author, remove: ast.Remove) -> None:
        name = remove.name
        old = next((line for line in self.lines if line.label == name), None)
        if old is None:
            labels = [shown(line.label) for line in self.lines]
            self.report.error(
                "CG0611",
                f"there is no line {shown(name)} in the scoring to remove",
                name.span,
                did_you_mean(shown(name), labels) or "",
                others=tuple(Label(line.label.span, "there is this one") for line in self.lines[:3]),
            )
        elif old.touch is None and author.same_place(old.entry.author):
            self.precedence.refuse_own(name.span, f"the line {shown(name)}", old.entry, old.label.span)
        elif self.precedence.may(author, old.touch, f"the line {shown(name)} of the scoring", name.span, removing=True):
            self._note("remove", author, remove, remove, old)
            old.line, old.touch = None, Touch(author, name.span, removed=True)


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
