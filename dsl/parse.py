"""Text to syntax tree: `read` does it all for one file.

A text without mistakes is read by Lark alone. Only one that Lark cannot read is read a second time, to say what is wrong with it:
`dsl/lexer.py` cuts and mends it, `dsl/recovery.py` parses it and goes on after errors.
"""

from __future__ import annotations

from lark import TextSlice, Token, Tree

from dsl import ast
from dsl.build import Builder
from dsl.diagnostics import Report
from dsl.docs import Docs, attach
from dsl.grammar import grammar
from dsl.layout import Outline, end_of, start_of
from dsl.lexer import MAX_CHARACTERS, scan, scan_expression
from dsl.recovery import recover
from dsl.source import Source, Span
from dsl.syntax_errors import sift

__all__ = ["grammar", "parse", "read", "read_expression"]

BYTE_ORDER_MARK = "\ufeff"
MAX_DEPTH = 120


def read(source: Source, report: Report) -> ast.File | None:
    """The syntax tree of a file; None if it has errors, all of which are in the report."""
    found = Report()
    tree, outline = _file(source, found)
    docs = attach(outline, source, found)
    file = None if tree is None or found.errors else Builder(source, found, docs, _hole).file(tree, _comments(outline, source))
    for finding in sift(found.found, outline):
        report.add(finding)
    return None if found.errors else file


def read_expression(source: Source, report: Report) -> ast.Expr | None:
    """The syntax tree of a text that is one expression; None if it has errors."""
    before = len(report.errors)
    expression = _hole(source, report, 0, len(source.text))
    return None if len(report.errors) > before else expression


def parse(source: Source, report: Report) -> Tree[Token] | None:
    """The tree of a file, just as the grammar has it; None if it has errors."""
    found = Report()
    tree, outline = _file(source, found)
    for finding in sift(found.found, outline):
        report.add(finding)
    return None if found.errors else tree


def _file(source: Source, report: Report) -> tuple[Tree[Token] | None, Outline]:
    """The tree of a file, None if it cannot be read, and its outline."""
    parser, tree = grammar(), None
    if len(source.text) <= MAX_CHARACTERS:
        text = source.text + "\n"  # so that the last line ends, too
        read = parser.parse(TextSlice(text, int(text.startswith(BYTE_ORDER_MARK)), len(text)), "start")
        if read is not None:
            tree, outline = read
    if tree is None:
        tokens = scan(source, report)
        tree, outline = recover(tokens, parser, "start", source, report), tokens.outline
    return None if tree is None or _too_deep(tree, source, report) else tree, outline


def _hole(source: Source, report: Report, start: int, end: int) -> ast.Expr | None:
    """The expression in a hole of a text, or alone."""
    parser, inside = grammar(), source.text[start:end]  # cut out: Lark counts the lines before a slice
    blanks = len(inside) - len(inside.lstrip(" "))
    read = parser.parse(TextSlice(inside, blanks, len(inside)), "expr")
    if read is not None:
        tree: Tree[Token] | None = _moved(read[0], start)
    else:
        tree = recover(scan_expression(source, report, start, end), parser, "expr", source, report)
    return None if tree is None or _too_deep(tree, source, report) else Builder(source, report, Docs(), _hole).expression(tree)


def _moved(tree: Tree[Token], by: int) -> Tree[Token]:
    """A tree that was read from a piece of a text, moved to where the piece stands."""
    for node in tree.iter_subtrees():
        if not node.meta.empty:
            node.meta.start_pos += by
            node.meta.end_pos += by
        for child in node.children:
            if isinstance(child, Token):
                child.start_pos, child.end_pos = start_of(child) + by, end_of(child) + by
    return tree


def _comments(outline: Outline, source: Source) -> tuple[ast.Comment, ...]:
    return tuple(ast.Comment(span=Span(source, r.start, r.end), text=r.text.rstrip(), alone=r.alone) for r in outline.remarks)


def _too_deep(tree: Tree[Token], source: Source, report: Report) -> bool:
    """Whether a tree is deeper than the passes after this one, which call themselves, can bear."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return False
    span = Span(source, level[0].meta.start_pos, level[0].meta.end_pos)
    hint = "give a part of it a name with `let` or `define`"
    report.error("CG0128", "this is nested too deeply, or too long a chain", span, hint=hint)
    return True
