"""The place where the parser stopped, as the recognisers of mistakes see it."""

from __future__ import annotations

from attrs import define
from lark import Token

from dsl.diagnostics import Diagnostic, Label
from dsl.grammar import Grammar
from dsl.layout import end_of, start_of
from dsl.source import Source, Span
from dsl.words import CHOOSING, DECLARERS, FORMS, LAYOUT, STATEMENTS, TESTING, listing


@define
class Place:
    """Where the parser stopped: the token at `at`, in the line that begins at `line_at`; `accepts` could come instead."""

    source: Source
    grammar: Grammar
    items: list[Token]
    kinds: list[str]
    at: int
    line_at: int
    accepts: frozenset[str]
    whole_file: bool

    @property
    def token(self) -> Token:
        return self.items[self.at]

    @property
    def kind(self) -> str:
        return self.kinds[self.at]

    @property
    def first(self) -> str:
        """The first word of the line."""
        return str(self.items[self.line_at]) if self.line_at <= self.at else ""

    @property
    def before(self) -> list[str]:
        """The words and signs of the line up to the token."""
        return [str(token) for token in self.items[self.line_at : self.at]]

    @property
    def last(self) -> str:
        """The word or sign before the token, in its line."""
        return str(self.items[self.at - 1]) if self.at > self.line_at else ""

    @property
    def line_over(self) -> bool:
        """Whether the parser wanted more where the line, or the text, ends."""
        return self.kind in ("_NL", "$END")

    @property
    def written(self) -> str:
        """The line up to the token, as it is written."""
        return self.source.text[start_of(self.items[self.line_at]) : start_of(self.token)].strip()

    @property
    def expected(self) -> str:
        return listing(self.accepts, self.grammar.fixed)

    @property
    def shown(self) -> str:
        if self.kind in ("_NL", "_INDENT", "_DEDENT", "$END"):
            return "the line" if self.kind == "_NL" else "this"
        return "this text" if self.kind == "STRING" else f"`{self.token}`"

    def span(self, token: Token | None = None) -> Span:
        token = self.token if token is None else token
        return Span(self.source, start_of(token), end_of(token))

    def error(
        self,
        code: str,
        title: str,
        label: str = "",
        *,
        span: Span | None = None,
        hint: str | None = None,
        others: tuple[Label, ...] = (),
    ) -> Diagnostic:
        return Diagnostic(code, title, span or self.span(), label, others, hint)

    @property
    def opener(self) -> str:
        """The first word of the line that opened the block this line is in; empty if it is in none."""
        at, depth = self.line_at - 1, 0
        while at >= 0 and depth < 1:
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(self.kinds[at], 0)
            at -= 1
        if depth < 1:
            return ""
        while at > 0 and self.kinds[at - 1] not in LAYOUT:
            at -= 1
        return str(self.items[at])

    def example(self) -> str | None:
        """The form of the line, as a hint; none where the mistake is inside a value."""
        before = self.before
        if sum(word in ("(", "[") for word in before) > sum(word in (")", "]") for word in before) or self.kind == "_DEDENT":
            return None
        if self.first in ("let", "var", "define", "return") and ("=" in before or (len(before) > 1 and self.first == "return")):
            return None
        if self.first in DECLARERS and self.first in FORMS and self.opener != "test":
            return f"for example: `{FORMS[self.first]}`"
        words = [word for word in self.before or [str(self.token)] if word in STATEMENTS or word in CHOOSING or word in TESTING]
        form = next((FORMS[word] for word in reversed(words) if word in FORMS), None)
        if self.opener == "test" and self.first == "when":
            form = 'when P1 chooses "Draw"' if CHOOSING & set(self.before) else "when turn(P1)"
        elif self.opener == "test" and CHOOSING & set(self.before):
            form = 'expect P1 chooses among ["Draw", "Stop"]'
        return None if form is None else f"for example: `{form}`"
