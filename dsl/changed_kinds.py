"""`change kind`: the members a kind has after it, and members that are gone but still used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from dsl import ast
from dsl.composition import Placed
from dsl.conditions import Kinds
from dsl.diagnostics import Label, Report
from dsl.source import Span
from dsl.walk_ast import nodes


@frozen(eq=False)
class KindChange:
    """A kind before and after; `gone` are the members of its own that it has lost."""

    old: ast.Kind
    new: ast.Kind
    home: ast.File
    gone: tuple[str, ...]


def changed_kind(old: ast.Kind, home: ast.File, change: ast.ChangedKind, doc: str | None, report: Report) -> KindChange | None:
    """The kind with its new members; None after an error. `...` stands for those that are not named; who is named again keeps
    his text."""
    texts = {member.name.id: member.display for member in old.members}
    named: dict[str, ast.Member] = {}
    rest: ast.Rest | None = None
    for member in change.members:
        first: ast.Node | None = rest if isinstance(member, ast.Rest) else named.get(member.name.id)
        if first is not None:
            what = "`...`" if isinstance(member, ast.Rest) else f"`{member.name.id}`"
            report.error("CG0626", f"{what} stands here twice", member.span, others=(Label(first.span, "here already"),))
            return None
        if isinstance(member, ast.Rest):
            rest = member
        else:
            named[member.name.id] = evolve(member, display=member.display or texts.get(member.name.id))
    others = [member for member in old.members if member.name.id not in named]
    members: list[ast.Member] = []
    for member in change.members:
        members += others if isinstance(member, ast.Rest) else [named[member.name.id]]
    gone = () if rest is not None else tuple(member.name.id for member in others)
    new = ast.Kind(span=change.span, doc=doc or old.doc, name=change.name, members=tuple(members))
    return KindChange(old, new, home, gone)


def still_used(
    change: KindChange, items: Iterable[Placed], kinds: Kinds, visible: Mapping[str, tuple[ast.File, ...]]
) -> dict[str, Span]:
    """Where lost members are used all the same: the first place of each."""
    found: dict[str, Span] = {}
    for placed in items:
        if isinstance(placed.item, ast.Kind) and placed.item.name.id == change.new.name.id:
            continue
        if all(seen.source.path != change.home.source.path for seen in visible[placed.file.source.path]):
            continue
        properties = set()
        for node in nodes(placed.item):
            if isinstance(node, ast.Property):  # an attribute of that name is something else; `Kind.Member` is not
                if not (isinstance(node.of, ast.Name) and node.of.id == change.new.name.id):
                    properties.add(id(node.name))
            elif (
                isinstance(node, ast.Name)
                and node.id in change.gone
                and node.id not in found
                and id(node) not in properties
                and not kinds.member(node.id, placed.file, None)
            ):
                found[node.id] = node.span
    return found
