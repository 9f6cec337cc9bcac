"""The two ways to read a text: as one without mistakes, and as one with mistakes. They must not differ where there are none."""

from __future__ import annotations

from lark import TextSlice, Token, Tree

from dsl.diagnostics import Report
from dsl.grammar import grammar
from dsl.layout import Outline
from dsl.lexer import scan
from dsl.recovery import recover
from dsl.source import Source


def plainly(text: str) -> tuple[Tree[Token], Outline] | None:
    return grammar().parse(TextSlice(text + "\n", int(text.startswith("\ufeff")), len(text) + 1), "start")


def tolerantly(text: str) -> tuple[Tree[Token] | None, Outline, Report]:
    source, report = Source("t", text), Report()
    tokens = scan(source, report)
    tree = recover(tokens, grammar(), "start", source, report)
    return tree, tokens.outline, report


def same(one: object, other: object) -> bool:
    """Whether trees are the same, places and all."""
    if isinstance(one, Tree) and isinstance(other, Tree):
        return (
            one.data == other.data
            and len(one.children) == len(other.children)
            and all(getattr(one.meta, at, None) == getattr(other.meta, at, None) for at in ("start_pos", "end_pos"))
            and all(map(same, one.children, other.children))
        )
    return one == other and all(getattr(one, at, None) == getattr(other, at, None) for at in ("type", "start_pos", "end_pos"))


def agree(text: str) -> bool:
    """Whether a text that is read plainly is read tolerantly to the same end, without a finding."""
    plain = plainly(text)
    tree, outline, report = tolerantly(text)
    return plain is None or (report.found == [] and same(plain[0], tree) and plain[1] == outline)
