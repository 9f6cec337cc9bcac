"""Who may vary what: of two changes of the same thing, one must stand above the other."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, define, frozen

from dsl import ast
from dsl.composition import Rank, Value
from dsl.diagnostics import Label, Report
from dsl.source import Span


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
        if isinstance(header, ast.TestsHeader):
            return f"the tests of `{header.base.id}`"
        what = {ast.GameHeader: "the game", ast.ModuleHeader: "the module", ast.VariantHeader: "the variant"}[type(header)]
        return f'{what} "{header.name.plain}"'


def _same(a: tuple[ast.WhenBlock, ...], b: tuple[ast.WhenBlock, ...]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


@frozen(eq=False)
class Entry:
    """A declaration of a file, its place in the composed text, and who wrote it; `given`: see `Placed`."""

    item: ast.Item
    author: Author
    order: int
    given: Mapping[str, Value] = Factory(dict)


@define(eq=False)
class Touch:
    """The last change or removal of something."""

    author: Author
    span: Span
    removed: bool = False


@define
class Precedence:
    """Judges changes; `visible` as in a composition."""

    visible: Mapping[str, tuple[ast.File, ...]]
    report: Report

    def may(self, author: Author, touch: Touch | None, what: str, span: Span, *, removing: bool = False) -> bool:
        """May this author vary what was varied before by another?"""
        if touch is None or self.outranks(author, touch.author):
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

    def outranks(self, author: Author, other: Author) -> bool:
        if author.base and other.base:
            return other.rank < author.rank and (author.rank[0] == 1 or self.sees(author.file, other.file))
        return (other.base and not author.base) or author.refines(other)

    def sees(self, file: ast.File, other: ast.File) -> bool:
        return any(seen.source.path == other.source.path for seen in self.visible[file.source.path])

    def refuse_own(self, span: Span, what: str, entry: Entry, declared: Span) -> None:
        self.report.error(
            "CG0614",
            f"{what} is declared in this very place",
            span,
            others=(Label(declared, "declared here"),),
            hint="rewrite the declaration itself; `change` and `remove` are for `when` blocks, variants, and what a module brings",
        )


# ── small helpers ──


def shown(node: ast.Node) -> str:
    """A name or a text as written, for messages."""
    return f"`{node.id}`" if isinstance(node, ast.Name) else node.span.text
