"""Branches of Lark's tree to the nodes of `dsl.ast` for values and types; `dsl/build.py` goes on with what is made of them.

What the grammar cannot say is checked here: numbers too large, and the holes of texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from attrs import frozen
from lark import Token, Tree

from dsl import ast
from dsl.diagnostics import Report
from dsl.docs import Docs
from dsl.layout import end_of, start_of
from dsl.source import Source, Span

ELSEWHERE = {"true": "yes", "false": "no", "null": "none", "nil": "none"}
MAX_NUMBER = 2**63 - 1
Branch = Tree[Token]
Part = Branch | Token | None  # None: an optional part that is not there
Hole = Callable[[Source, Report, int, int], ast.Expr | None]

TEXT_PIECE = re.compile(r"(?P<literal>[^{\\]+)|(?P<brace>\{\{)|(?P<hole>\{[^{}]*\})|(?P<escape>\\.)|(?P<open>\{)", re.DOTALL)


@frozen
class Values:
    """Builds texts, numbers, expressions and types; `hole` reads the expression between two offsets."""

    source: Source
    report: Report
    docs: Docs
    hole: Hole

    def expression(self, tree: Branch) -> ast.Expr:
        return cast(ast.Expr, self.build(tree))

    def build(self, tree: Part) -> Any:
        """The node for a tree or, for a token, its name or text; None for what is not there."""
        if tree is None:
            return None
        if isinstance(tree, Token):
            return self.leaf(tree)
        return getattr(self, "build_" + tree.data)(tree, *tree.children)

    def leaf(self, token: Token) -> Any:
        if token.type == "STRING":
            return self.string(token)
        if token.type == "NUMBER":
            return self.digits(token)
        return ast.Name(span=self.token_span(token), id=str(token))

    def all(self, children: Sequence[Part]) -> tuple[Any, ...]:
        return tuple(self.build(child) for child in children if child is not None)

    def span(self, tree: Branch) -> Span:
        return Span(self.source, tree.meta.start_pos, tree.meta.end_pos)

    def token_span(self, token: Token) -> Span:
        return Span(self.source, start_of(token), end_of(token))

    def doc(self, tree: Branch) -> str | None:
        return self.docs.declarations.get(tree.meta.start_pos)

    # ── texts and numbers ──

    def string(self, token: Token) -> ast.Text:
        parts: list[str | ast.Expr] = []
        literal = ""
        begin = start_of(token) + 1
        for piece in TEXT_PIECE.finditer(token[1:-1]):
            text, start, end = piece.group(), begin + piece.start(), begin + piece.end()
            match piece.lastgroup:
                case "literal":
                    literal += text
                case "brace":
                    literal += "{"
                case "escape":
                    literal += text[1]
                    if text[1] not in '"\\':
                        title = f"`{text}` means nothing in a text"
                        self.report.error("CG0109", title, Span(self.source, start, end), hint='only `\\"` and `\\\\` do')
                case "hole":
                    expression = self.filled(start, end)
                    if expression is not None:
                        if literal:
                            parts.append(literal)
                        parts.append(expression)
                        literal = ""
                case _:
                    span = Span(self.source, start, end)
                    hint = "an expression stands between `{` and `}`; write `{{` for a brace"
                    self.report.error("CG0110", "this `{` is not closed", span, "a `}` is missing", hint=hint)
        if literal or not parts:
            parts.append(literal)
        return ast.Text(span=self.token_span(token), parts=tuple(parts))

    def filled(self, start: int, end: int) -> ast.Expr | None:
        inside = self.source.text[start + 1 : end - 1]
        span = Span(self.source, start, end)
        if not inside.strip():
            hint = "an expression stands between `{` and `}`; write `{{` for a brace"
            self.report.error("CG0110", "nothing stands between `{` and `}`", span, hint=hint)
            return None
        if "\\" in inside:
            hint = "give the value a name with `let` or `define`, and write that name"
            self.report.error("CG0110", "a text cannot stand inside a text", span, hint=hint)
            return None
        return self.hole(self.source, self.report, start + 1, end - 1)

    def digits(self, token: Token, span: Span | None = None) -> ast.Number:
        significant = token.lstrip("0")
        value = int(significant or "0") if len(significant) < 20 else MAX_NUMBER + 1
        if value > MAX_NUMBER:
            title = "this number is too large"
            self.report.error("CG0111", title, self.token_span(token), f"{MAX_NUMBER:,} is the largest there is".replace(",", " "))
        return ast.Number(span=span or self.token_span(token), value=value)

    # ── expressions ──

    def build_binders(self, tree: Branch, *children: Part) -> ast.Binders:
        *ranges, where = children
        return ast.Binders(span=self.span(tree), ranges=self.all(ranges), where=self.build(where))

    def build_range(self, tree: Branch, name: Token, source: Part) -> ast.Range:
        return ast.Range(span=self.span(tree), name=self.leaf(name), source=self.build(source))

    def build_conditional(self, tree: Branch, value: Part, condition: Part, other: Part) -> ast.Conditional:
        return ast.Conditional(
            span=self.span(tree), value=self.build(value), condition=self.build(condition), otherwise=self.build(other)
        )

    def build_binary(self, tree: Branch, left: Part, op: Token, right: Part) -> ast.Binary:
        return ast.Binary(
            span=self.span(tree), op=str(op), left=self.build(left), right=self.build(right), op_span=self.token_span(op)
        )

    def build_not_(self, tree: Branch, operand: Part) -> ast.Unary:
        return ast.Unary(span=self.span(tree), op="not", operand=self.build(operand))

    def build_negate(self, tree: Branch, operand: Part) -> ast.Unary:
        return ast.Unary(span=self.span(tree), op="-", operand=self.build(operand))

    def build_negative(self, tree: Branch, digits: Token) -> ast.Unary:
        return ast.Unary(span=self.span(tree), op="-", operand=self.digits(digits))

    def build_is_(self, tree: Branch, left: Part, right: Part) -> ast.Is:
        return ast.Is(span=self.span(tree), left=self.build(left), right=self.build(right), negated=tree.data == "is_not")

    build_is_not = build_is_

    def build_is_in(self, tree: Branch, left: Part, right: Part) -> ast.IsIn:
        return ast.IsIn(span=self.span(tree), left=self.build(left), right=self.build(right), negated=tree.data == "is_not_in")

    build_is_not_in = build_is_in

    def build_is_empty(self, tree: Branch, operand: Part) -> ast.IsEmpty:
        return ast.IsEmpty(span=self.span(tree), operand=self.build(operand), negated=tree.data == "is_not_empty")

    build_is_not_empty = build_is_empty

    def build_property(self, tree: Branch, of: Part, name: Token) -> ast.Property:
        return ast.Property(span=self.span(tree), of=self.build(of), name=self.leaf(name))

    def build_index(self, tree: Branch, of: Part, index: Part) -> ast.Index:
        return ast.Index(span=self.span(tree), of=self.build(of), index=self.build(index))

    def build_call(self, tree: Branch, function: Part, given: Branch | None) -> ast.Call:
        span, called = self.span(tree), self.build(function)
        if given is None:
            return ast.Call(span=span, function=called, arguments=())
        if given.data == "mapped":
            value, binders = given.children
            return ast.Call(span=span, function=called, arguments=(self.build(value),), each=self.build(binders))
        listed, where, keys = given.children
        return ast.Call(
            span=span,
            function=called,
            arguments=self.all(cast(Branch, listed).children),
            where=self.build(where),
            by=() if keys is None else self.all(cast(Branch, keys).children),
        )

    def build_group(self, tree: Branch, value: Part) -> ast.Group:
        return ast.Group(span=self.span(tree), value=self.build(value))

    def build_name(self, tree: Branch, name: Token) -> ast.Name:
        wanted = ELSEWHERE.get(name)
        if wanted is not None:
            self.report.error("CG0123", f"`{name}` is not a word of the language", self.token_span(name), f"write `{wanted}`")
        return cast(ast.Name, self.leaf(name))

    def build_number(self, tree: Branch, digits: Token) -> ast.Number:
        return self.digits(digits)

    def build_text(self, tree: Branch, text: Token) -> ast.Text:
        return self.string(text)

    def build_yes(self, tree: Branch) -> ast.Flag:
        return ast.Flag(span=self.span(tree), value=True)

    def build_no(self, tree: Branch) -> ast.Flag:
        return ast.Flag(span=self.span(tree), value=False)

    def build_none_(self, tree: Branch) -> ast.NoneValue:
        return ast.NoneValue(span=self.span(tree))

    def build_proceed(self, tree: Branch) -> ast.Proceed:
        return ast.Proceed(span=self.span(tree))

    def build_rest(self, tree: Branch) -> ast.Rest:
        return ast.Rest(span=self.span(tree))

    def build_list(self, tree: Branch, *items: Part) -> ast.ListValue:
        return ast.ListValue(span=self.span(tree), items=self.all(items))

    def build_comprehension(self, tree: Branch, value: Part, binders: Part) -> ast.Comprehension:
        return ast.Comprehension(span=self.span(tree), value=self.build(value), binders=self.build(binders))

    # ── types ──

    def build_named_type(self, tree: Branch, name: Token) -> ast.NamedType:
        return ast.NamedType(span=self.span(tree), name=self.leaf(name))

    def build_optional_type(self, tree: Branch, name: Token) -> ast.NamedType:
        return ast.NamedType(span=self.span(tree), name=self.leaf(name), optional=True)

    def build_list_type(self, tree: Branch, of: Branch) -> ast.ListType:
        return ast.ListType(span=self.span(tree), of=self.build(of))

    def build_zone_type(self, tree: Branch, of: Token) -> ast.ZoneType:
        return ast.ZoneType(span=self.span(tree), of=self.leaf(of))

    def build_param(self, tree: Branch, name: Token, type_: Branch) -> ast.Param:
        return ast.Param(span=self.span(tree), name=self.leaf(name), type=self.build(type_))
