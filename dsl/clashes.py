"""One flat space of names: nothing a file declares may have the name of something else it sees."""

from __future__ import annotations

from attrs import define, frozen

from dsl import ast
from dsl.composition import Placed
from dsl.diagnostics import Label, Report
from dsl.precedence import Author, Entry
from dsl.source import Span
from dsl.variation import Named, Texted, Variation, text_of

BUILT_IN = frozenset(
    {"number", "flag", "text", "player", "players", "seats", "turn_order", "others", "active", "score", "same"}
    | {"count", "any", "sum", "max", "min", "lowest", "highest", "reach", "sees", "result", "finished", "decisions"}
)


@frozen(eq=False)
class _Declared:
    name: str
    span: Span
    placed: Placed
    author: Author
    member: bool


@define
class Clashes:
    """Looks through what each file sees. An error for each two declarations of one name, with both places."""

    visible: dict[str, tuple[ast.File, ...]]
    report: Report

    def check(self, files: list[ast.File], variation: Variation) -> None:
        declared = self._declared(variation)
        done: set[tuple[int, int]] = set()
        places = {file.source.path: n for n, file in enumerate(files)}
        for file in files:
            seen: dict[str, _Declared] = {}
            for source in sorted(self.visible[file.source.path], key=lambda seen: places[seen.source.path]):
                for new in declared.get(source.source.path, []):
                    old = seen.setdefault(new.name, new)
                    if old is new or (old.member and new.member and old.placed is not new.placed):
                        continue
                    if (id(old), id(new)) not in done:
                        done.add((id(old), id(new)))
                        self._clash(file, old, new)
        self._texts(variation)

    def _declared(self, variation: Variation) -> dict[str, list[_Declared]]:
        """What each file declares, members of kinds included."""
        kinds: dict[str, set[str]] = {}
        targets = [t for t in variation.named if t.placed is not None]
        for target in targets:
            if isinstance(target.entry.item, ast.Kind):
                kinds.setdefault(target.entry.author.file.source.path, set()).add(target.entry.item.name.id)
        found: dict[str, list[_Declared]] = {}
        for target in targets:
            entry, placed = target.entry, target.placed
            item = placed.item if placed is not None else entry.item  # a changed kind has other members
            assert isinstance(item, Named) and placed is not None
            home = entry.author.file
            author = target.touch.author if target.touch is not None else entry.author  # who has brought its members in
            names = found.setdefault(home.source.path, [])
            names.append(_Declared(item.name.id, item.name.span, placed, entry.author, False))
            if item.name.id in BUILT_IN:
                self.report.error("CG0252", f"`{item.name.id}` is built in", item.name.span, "choose another name")
            if isinstance(item, ast.Kind):
                taken = {name for seen in self.visible[home.source.path] for name in kinds.get(seen.source.path, ())}
                for member in item.members:
                    if member.name.id in BUILT_IN:
                        self.report.error("CG0252", f"`{member.name.id}` is built in", member.name.span, "choose another name")
                    if member.name.id not in taken:
                        names.append(_Declared(member.name.id, member.name.span, placed, author, True))
        for names in found.values():  # a member that a variant has brought in comes after all that the file declares
            names.sort(key=lambda declared: not declared.author.base)
        return found

    def _clash(self, file: ast.File, old: _Declared, new: _Declared) -> None:
        name = new.name
        other = (Label(old.span, "the other one"),)
        if old.author.same_place(new.author):
            self.report.error(
                "CG0250", f"`{name}` is declared twice", new.span, "declared again here", others=(Label(old.span, "declared here"),)
            )
        elif old.author.file is not file and new.author.file is not file and old.author.file is not new.author.file:
            uses = [item for item in file.items if isinstance(item, ast.Use) and item.module.id == new.author.file.source.id]
            self.report.error(
                "CG0608",
                f"both `{old.author.file.source.id}` and `{new.author.file.source.id}`, which are seen here, declare `{name}`",
                uses[0].span if uses else new.span,
                others=(*other, Label(new.span, f"`{new.author.file.source.id}` declares it here")),
                hint="use only one of the two, or give one of the two another name",
            )
        elif new.author.base and not new.author.blocks:
            whose = f"the module `{old.author.file.source.id}`"
            self.report.error(
                "CG0607",
                f"{whose} declares `{name}` already",
                new.span,
                others=other,
                hint=_hint(new, "choose another name"),
            )
        else:
            whose = old.author.described if old.author.base or not old.author.blocks else "another `when` block"
            self.report.error(
                "CG0607", f"{whose} declares `{name}` already", new.span, others=other, hint=_hint(new, "choose another name")
            )

    def _texts(self, variation: Variation) -> None:
        """Tests, invariants and properties of one place are told apart by their text."""
        seen: dict[tuple[str, type, str], Entry] = {}
        for target in variation.texts:
            item = target.entry.item
            assert isinstance(item, Texted)
            text = text_of(item)
            key = (target.entry.author.file.source.path, type(item), text.span.text)
            old = seen.setdefault(key, target.entry)
            if old is not target.entry and old.author.same_place(target.entry.author):
                assert isinstance(old.item, Texted)
                word = {ast.Test: "tests", ast.Invariant: "invariants", ast.GameProperty: "properties"}[type(item)]
                self.report.error(
                    "CG0251",
                    f"two {word} are called {text.span.text}",
                    text.span,
                    others=(Label(text_of(old.item).span, "the other one"),),
                )


def _hint(new: _Declared, fallback: str) -> str:
    words = {
        ast.Zone: "zone",
        ast.Option: "option",
        ast.Define: "define",
        ast.Rule: "rule",
        ast.Ending: "ending",
        ast.Timing: "timing",
    }
    word = words.get(type(new.placed.item))
    if new.member or word is None:
        return fallback
    return f"to replace it, write `change {word} {new.name}`; for something new, {fallback}"
