"""Text to syntax tree: the parser that goes on after an error, and `read`, which does it all for one file.

The parser is Lark's LALR(1) machine fed token by token. Before each line of code its stacks are kept; a line with an error is
taken out by going back to them, so that one run reports many errors and none of them follows from another.
"""

from __future__ import annotations

from typing import Any

from attrs import Factory, define
from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from dsl import ast
from dsl.build import Builder
from dsl.diagnostics import Report
from dsl.docs import Docs, attach
from dsl.grammar import Grammar, grammar
from dsl.lexer import Tokens, scan, scan_expression
from dsl.source import Source, Span
from dsl.syntax_errors import Place, explain

__all__ = ["grammar", "parse", "read", "read_expression"]

MAX_ERRORS = 20
MAX_DEPTH = 120
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT"))


def read(source: Source, report: Report) -> ast.File | None:
    """The syntax tree of a file; None if it has errors, all of which are in the report."""
    before = len(report.errors)
    tokens = scan(source, report)
    docs = attach(tokens, source, report)
    tree = _parse(tokens, "start", source, report)
    if tree is None or len(report.errors) > before:
        return None
    file = Builder(source, report, docs, _hole).file(tree, _comments(tokens, source))
    return None if len(report.errors) > before else file


def read_expression(source: Source, report: Report) -> ast.Expr | None:
    """The syntax tree of a text that is one expression; None if it has errors."""
    before = len(report.errors)
    expression = _expression(source, report, 0, len(source.text))
    return None if len(report.errors) > before else expression


def parse(source: Source, report: Report) -> Tree[Token] | None:
    """The tree of a file, just as the grammar has it; None if it has errors."""
    before = len(report.errors)
    tree = _parse(scan(source, report), "start", source, report)
    return None if len(report.errors) > before else tree


def _expression(source: Source, report: Report, start: int, end: int) -> ast.Expr | None:
    tokens = scan_expression(source, report, start, end)
    tree = _parse(tokens, "expr", source, report)
    return None if tree is None else Builder(source, report, Docs(), _hole).expression(tree)


def _hole(source: Source, report: Report, start: int, end: int) -> ast.Expr | None:
    """The expression in a hole of a text."""
    return _expression(source, report, start, end)


def _comments(tokens: Tokens, source: Source) -> tuple[ast.Comment, ...]:
    return tuple(ast.Comment(span=Span(source, r.start, r.end), text=r.text.rstrip(), alone=r.alone) for r in tokens.remarks)


def _parse(tokens: Tokens, start: str, source: Source, report: Report) -> Tree[Token] | None:
    tree = _Driver(source, report, grammar(), tokens, start).run()
    return None if tree is None or _too_deep(tree, source, report) else tree


def _too_deep(tree: Tree[Token], source: Source, report: Report) -> bool:
    """Whether a tree is deeper than the passes after this one, which call themselves, can bear."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return False
    span = Span(source, level[0].meta.start_pos, level[0].meta.end_pos)
    report.error(
        "CG0128", "this is nested too deeply, or too long a chain", span, hint="give a part of it a name with `let` or `define`"
    )
    return True


# ── the parser that goes on ──

Stacks = tuple[list[Any], list[Any]]


@define
class _Level:
    """A block being read: the parser's stacks before its current line and the line before, and whether a line was taken out."""

    now: Stacks
    before: Stacks
    damaged: bool = False


# A line that opens a block and has an error: what is read in its stead, so that the block itself can be read.
STAND_INS: dict[str, tuple[str, ...]] = {
    "if": ("if yes :",),
    "while": ("while yes :",),
    "repeat": ("repeat yes :",),
    "for": ("for x in x :",),
    "otherwise": ("otherwise :", "otherwise if yes :"),
    "rule": ("rule x ( ) :",),
    "define": ("define x ( ) =",),
    "before": ("before x ( ) :",),
    "after": ("after x ( ) :",),
    "instead": ("instead of x ( ) :", "instead of x ( ) ="),
    "scoring": ("scoring ( x ) :",),
    "test": ('test "" :',),
    "when": ("when yes :",),
    "cards": ("cards x in x :",),
    "board": ("board x :",),
    "map": ("map :",),
    "legend": ("legend :",),
    "always": ('always "" :',),
}
ANY_STAND_IN = ('"" :', "x chooses :", "x chooses x in x :", 'x may "" :', 'x "" :')

# Words that begin a declaration other than the first line.
DECLARING = frozenset((
    "after", "before", "board", "card", "cards", "change", "define", "dice", "ending", "hidden", "instead", "invariant", "kind",
    "option", "private", "remove", "rule", "scoring", "test", "timing", "use", "var", "when", "zone",
))  # fmt: skip

# Words whose line needs another line before it.
CONTINUING = frozenset(("otherwise", "map", "legend", "blocked", "steps"))


@define
class _Driver:
    source: Source
    report: Report
    grammar: Grammar
    tokens: Tokens
    start: str
    kinds: list[str] = Factory(list)
    items: list[Token] = Factory(list)
    state: Any = None
    levels: list[_Level] = Factory(list)
    shifted: list[Any] = Factory(list)  # the parser's states as they were before the last token, which may be a wrong one
    line_at: int = 0
    errors: int = 0

    def run(self) -> Tree[Token] | None:
        """Read all tokens; the tree, or None after an error."""
        self.items = self.tokens.items
        last = self.items[-1] if self.items else Token("_NL", "", 0, 1, 0, 1, 0, 0)
        end = last.end_pos or 0
        self.items.append(Token("$END", "", end, last.line, 0, last.line, 0, end))
        self.kinds = [token.type for token in self.items]
        self.state = self.grammar.parser(self.start)
        self.levels = [_Level(self.stacks(), self.stacks())]
        result = None
        fresh = True  # at the start of a line
        at = 0
        while at < len(self.items):
            kind = self.kinds[at]
            if kind == "taken out":
                at += 1
                continue
            if fresh and kind not in LAYOUT:
                level = self.levels[-1]
                level.before, level.now = level.now, self.stacks()
                self.line_at = at
                fresh = False
            token = self.items[at]
            try:
                result = self.feed(token, kind, at)
            except UnexpectedToken:
                if self.errors >= MAX_ERRORS:
                    return None
                at = self.recover(at)
                fresh = True
                continue
            if kind in LAYOUT:
                fresh = True
                if kind == "_INDENT":
                    self.levels.append(_Level(self.stacks(), self.stacks()))
                elif kind == "_DEDENT":
                    self.levels.pop()
            at += 1
        return None if self.errors else result

    def feed(self, token: Token, kind: str, at: int) -> Any:
        self.shifted = self.state.state_stack.copy()
        row = self.state.parse_conf.states[self.shifted[-1]]
        following = self.items[at + 1] if at + 1 < len(self.items) else ""
        token.type = self.grammar.terminal(kind, token, row, following)
        return self.state.feed_token(token, kind == "$END")

    def stacks(self) -> Stacks:
        return self.state.state_stack.copy(), self.state.value_stack.copy()

    def restore(self, stacks: Stacks) -> None:
        self.state.state_stack[:] = stacks[0]
        self.state.value_stack[:] = stacks[1]

    def accepts(self) -> set[str]:
        """The terminals that could really come next."""
        states, stack = self.state.parse_conf.states, self.shifted
        return {t for t in states[stack[-1]] if (t.isupper() or t == "$END") and _accepts(states, stack, t)}

    # ── after an error ──

    def recover(self, at: int) -> int:
        """Report the error at a token and get ready to go on; the index of the token to go on with."""
        kind, level, accepts = self.kinds[at], self.levels[-1], self.accepts()
        self.tell(at, accepts)
        self.errors = max(self.errors, 1)
        if kind == "$END" or self.start != "start":
            return len(self.items)
        if accepts == {"_INDENT"}:
            return self.block_missing(at)
        if kind == "_INDENT":
            return self.block_too_many(at)
        if kind == "_DEDENT":
            return self.give_up_block(at)
        self.restore(level.now)
        level.damaged = True
        if "header" in self.state.parse_conf.states[self.state.position]:
            return self.header_missing(at)
        if "header_row" in self.state.parse_conf.states[self.state.position]:
            return self.give_up_block(self.end_of_block(at))
        line_end = self.line_end(at)
        if self.kinds[line_end] == "$END":
            return line_end
        if self.kinds[line_end + 1] != "_INDENT":
            return line_end + 1
        if self.stand_in(line_end + 2):
            return line_end + 1
        return self.end_of_block(line_end + 2) + 1

    def tell(self, at: int, accepts: set[str]) -> None:
        """Report the error, unless it follows from an earlier one."""
        level = self.levels[-1]
        first, last = self.items[min(self.line_at, at)].line or 0, self.items[at].line or 0
        if any(line in self.tokens.broken for line in range(first, last + 1)):
            return
        follows = self.kinds[at] == "_DEDENT" or (at == self.line_at and self.items[at] in CONTINUING)
        if level.damaged and follows and accepts != {"_INDENT"}:
            return
        self.errors += 1
        place = Place(
            self.source, self.grammar, self.items, self.kinds, at, min(self.line_at, at), frozenset(accepts), self.start == "start"
        )
        self.report.add(explain(place))

    def header_missing(self, at: int) -> int:
        """A wrong first line, or none: as if there were one."""
        first = self.items[self.line_at]
        self.read_wording('module ""', first)
        return self.line_at if first in DECLARING else self.line_end(at) + 1

    def block_missing(self, at: int) -> int:
        """A line that opens a block, and none follows: take the line out."""
        level = self.levels[-1]
        if self.kinds[at] not in LAYOUT:
            level.now = level.before
        self.restore(level.now)
        level.damaged = True
        return at

    def block_too_many(self, at: int) -> int:
        """An indentation where none belongs: read its lines as if they were not indented, or in the block they were meant for."""
        level = self.levels[-1]
        if self.items[at - 1].type == "_NL" and self.kinds[self.line_at] in ("WORD", "STRING"):
            kept = self.stacks()
            self.restore(level.now)
            if self.stand_in(at + 1):
                level.damaged = True
                return at
            self.restore(kept)
        end = self.end_of_block(at + 1)
        self.kinds[at] = "taken out"
        if end < len(self.kinds):
            self.kinds[end] = "taken out"
        return at

    def give_up_block(self, dedent: int) -> int:
        """A block that cannot be finished: take out the line that opened it, with all of it."""
        if len(self.levels) == 1:
            self.restore(self.levels[0].now)
            return dedent + 1
        self.levels.pop()
        level = self.levels[-1]
        level.damaged = True
        self.restore(level.now)
        return dedent + 1

    def line_end(self, at: int) -> int:
        while self.kinds[at] not in ("_NL", "$END"):
            at += 1
        return at

    def end_of_block(self, at: int) -> int:
        """The index of the `_DEDENT` that ends the block a token is in, or of the last token."""
        depth = 0
        while at < len(self.kinds) - 1:
            if self.kinds[at] == "_INDENT":
                depth += 1
            elif self.kinds[at] == "_DEDENT":
                if depth == 0:
                    return at
                depth -= 1
            at += 1
        return at

    def stand_in(self, inside: int) -> bool:
        """Read, for the line taken out, one that opens a block into which the token at `inside` fits; False if there is none."""
        kept = self.stacks()
        first = str(self.items[self.line_at])
        for wording in (*STAND_INS.get(first, ()), *ANY_STAND_IN):
            self.restore(kept)
            if self.reads(wording, inside):
                return True
        self.restore(kept)
        return False

    def reads(self, wording: str, inside: int) -> bool:
        """Try to read a stand-in; the first token inside its block is only looked at."""
        here = self.items[self.line_at]
        try:
            self.read_wording(wording, here)
            opened = self.stacks()
            self.state.feed_token(_layout("_INDENT", here))
        except UnexpectedToken:
            return False
        states, stack = self.state.parse_conf.states, self.state.state_stack
        terminal = self.grammar.terminal(self.kinds[inside], self.items[inside], states[stack[-1]], "")
        fits = _accepts(states, stack, terminal)
        self.restore(opened)
        return fits

    def read_wording(self, wording: str, here: Token) -> None:
        """Read a line that is not there."""
        at, line = here.start_pos or 0, here.line
        for text in wording.split():
            kind = "STRING" if text[0] == '"' else "WORD" if text.isalpha() else "sign"
            name = self.grammar.terminal(kind, text, self.state.parse_conf.states[self.state.position], "")
            self.state.feed_token(Token(name, text, at, line, 0, line, 0, at))
        self.state.feed_token(_layout("_NL", here))


def _layout(kind: str, here: Token) -> Token:
    at, line = here.start_pos or 0, here.line
    return Token(kind, "", at, line, 0, line, 0, at)


def _accepts(states: Any, stack: list[Any], terminal: str) -> bool:
    """Whether the parser could take a terminal, after the reductions it asks for."""
    stack = stack.copy()
    while True:
        entry = states[stack[-1]].get(terminal)
        if entry is None:
            return False
        rule = entry[1]
        if not hasattr(rule, "expansion"):
            return True
        if rule.expansion:
            del stack[-len(rule.expansion) :]
        following = states[stack[-1]].get(rule.origin.name)
        if following is None:
            return True
        stack.append(following[1])
