"""The formatter: the same rules in the one layout there is.

It goes by the author's lines, and sets what is in them anew: indentation by four, gaps, columns, blank lines up to one. Text is
never taken from the tree, so nothing can be lost; and before a result is handed out it is read again, and must say the same with the same
comments.
"""

from __future__ import annotations

from attrs import frozen

from dsl import ast
from dsl.diagnostics import Report
from dsl.format_columns import CELL_GAP, line_up
from dsl.format_gaps import set_gaps
from dsl.format_lines import CLOSING, OPENING, Line, columns_of, cut, wide
from dsl.parse import read
from dsl.source import Source
from dsl.walk_ast import nodes

STEP = 4


class Altered(Exception):
    """The formatter would have changed what a file says: a fault in it. Nothing is handed out."""


def formatted(source: Source, report: Report) -> str | None:
    """A file in its layout; None if it cannot be read, and the errors are in the report. Raises `Altered`."""
    file = read(source, report)
    if file is None:
        return None
    text = lay_out(file)
    if text != source.text:
        again = read(Source(source.path, text), Report())
        if again is None or again != file or _comments(again) != _comments(file):
            raise Altered(source.path)
    return text


def lay_out(file: ast.File) -> str:
    """The text of a file in its layout."""
    lines = cut(file.source)
    set_gaps(lines, {node.span.start for node in nodes(file)})
    line_up(lines, file)
    texts = _with_comments(lines, _indented(lines))
    return "".join(f"{text}\n" for text in _few_blanks(texts))


def _comments(file: ast.File) -> list[tuple[str, bool]]:
    return [(comment.text, comment.alone) for comment in file.comments]


# ── indentation ──


@frozen
class _Bracket:
    """An open bracket: the column of what follows it, and of its line; `last` if nothing follows it on its line."""

    inside: int
    line: int
    last: bool

    def column(self, closes: bool) -> int:
        """Where a line inside it begins."""
        if self.last:
            return self.line if closes else self.line + STEP
        return self.inside - closes


def _indented(lines: list[Line]) -> list[str]:
    """Each line without its comment, from the left margin; a line inside brackets lines up with what follows the bracket."""
    texts = []
    brackets: list[_Bracket] = []
    for line in lines:
        indent = line.depth * STEP
        if brackets:
            indent = brackets[-1].column(bool(line.pieces) and line.pieces[0].text in CLOSING)
        column = indent
        for at, piece in enumerate(line.pieces):
            column += wide([piece]) + (piece.gap if at else 0)
            if piece.text in OPENING:
                brackets.append(_Bracket(column, indent, at == len(line.pieces) - 1))
            elif piece.text in CLOSING:
                brackets.pop()
        code = "".join(" " * (piece.gap if at else 0) + piece.text for at, piece in enumerate(line.pieces))
        texts.append("" if line.blank else " " * indent + code)
    return texts


# ── comments and blank lines ──


def _with_comments(lines: list[Line], texts: list[str]) -> list[str]:
    """Comments at the ends of successive lines of one block begin in one column."""
    done: list[str] = []
    block: list[int] = []
    for n, (line, text) in enumerate(zip(lines, texts, strict=True)):
        if block and not (line.pieces and line.depth == lines[block[0]].depth):
            _finish(block, lines, done)
            block = []
        if line.pieces:
            block.append(n)
        done.append(text if line.pieces or line.comment is None else text + line.comment)
    _finish(block, lines, done)
    return done


def _finish(block: list[int], lines: list[Line], done: list[str]) -> None:
    commented = [n for n in block if lines[n].comment is not None]
    if commented:
        column = max(columns_of(done[n]) for n in commented) + CELL_GAP
        for n in commented:
            done[n] += " " * (column - columns_of(done[n])) + (lines[n].comment or "")


def _few_blanks(texts: list[str]) -> list[str]:
    """At most one blank line in a place, and none at the beginning."""
    return [text for before, text in zip(["", *texts], texts, strict=False) if text or before]
