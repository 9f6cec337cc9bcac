"""What only the text of the files says: the rulebook texts of attachments, timings and `when` blocks, and which options a block asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import Factory, define

from dsl import ast, parse, walk_ast
from dsl.diagnostics import Report
from dsl.source import Source


@define
class Remarks:
    """`docs` by the place where a declaration begins; `blocks`: the `when` blocks with the options their conditions read."""

    docs: dict[tuple[str, int], str] = Factory(dict)
    timings: dict[str, str] = Factory(dict)
    blocks: list[tuple[frozenset[str], ast.WhenBlock]] = Factory(list)
    modules: list[tuple[str, str]] = Factory(list)
    variants: dict[str, tuple[str, str]] = Factory(dict)
    """by the path: what a variant is called, and what it says of itself"""


def read(sources: Iterable[Source]) -> Remarks:
    remarks = Remarks()
    for source in sources:
        file = parse.read(source, Report())
        if file is None:
            continue
        name = source.id if isinstance(file.header, ast.TestsHeader) else file.header.name.plain or source.id
        if isinstance(file.header, ast.ModuleHeader) and file.doc:
            remarks.modules.append((name, file.doc.split("\n\n")[0]))
        if isinstance(file.header, ast.VariantHeader):
            remarks.variants[source.path] = (name, file.doc or "")
        for item in items(file.items):
            if item.doc:
                remarks.docs[source.path, item.span.start] = item.doc
            if isinstance(item, ast.Timing):
                remarks.timings[item.name.id] = item.doc or ""
            if isinstance(item, ast.WhenBlock):
                names = frozenset(node.id for node in walk_ast.nodes(item.condition) if isinstance(node, ast.Name))
                remarks.blocks.append((names, item))
    return remarks


def items(found: Iterable[ast.Item]) -> Iterator[ast.Item]:
    """Declarations, also those inside `when` and behind `change`."""
    for item in found:
        yield item
        if isinstance(item, ast.WhenBlock):
            yield from items(item.items)
