"""Text to syntax tree: the parser that goes on after an error, and `read`, which does it all for one file.

The parser is fed token by token. Before each line of code its stacks are kept; a line with an error is
taken out by going back to them, so that one run reports many errors and none of them follows from another.
"""

from __future__ import annotations

from attrs import Factory, define

from dsl import ast
from dsl.build import Builder
from dsl.diagnostics import Report
from dsl.docs import Docs, attach
from dsl.grammar import grammar
from dsl.lexer import Tokens, scan, scan_expression
from dsl.machine import Machine, Stacks
from dsl.place import Place
from dsl.source import Source, Span
from dsl.syntax_errors import MAX_ERRORS, explain, sift
from dsl.tokens import Branch, Token
from dsl.words import DECLARERS, LAYOUT

__all__ = ["grammar", "parse", "read", "read_expression"]

MAX_DEPTH = 120
MAX_STACK = 1000
MAX_RECOVERIES = 200


def read(source: Source, report: Report) -> ast.File | None:
    """The syntax tree of a file; None if it has errors, all of which are in the report."""
    found = Report()
    tokens = scan(source, found)
    docs = attach(tokens, source, found)
    tree = _parse(tokens, "start", source, found)
    file = None if tree is None or found.errors else Builder(source, found, docs, _hole).file(tree, _comments(tokens, source))
    for finding in sift(found.found, tokens):
        report.add(finding)
    return None if found.errors else file


def read_expression(source: Source, report: Report) -> ast.Expr | None:
    """The syntax tree of a text that is one expression; None if it has errors."""
    before = len(report.errors)
    expression = _expression(source, report, 0, len(source.text))
    return None if len(report.errors) > before else expression


def parse(source: Source, report: Report) -> Branch | None:
    """The tree of a file, just as the grammar has it; None if it has errors."""
    found = Report()
    tokens = scan(source, found)
    tree = _parse(tokens, "start", source, found)
    for finding in sift(found.found, tokens):
        report.add(finding)
    return None if found.errors else tree


def _expression(source: Source, report: Report, start: int, end: int) -> ast.Expr | None:
    tokens = scan_expression(source, report, start, end)
    tree = _parse(tokens, "expr", source, report)
    return None if tree is None else Builder(source, report, Docs(), _hole).expression(tree)


def _hole(source: Source, report: Report, start: int, end: int) -> ast.Expr | None:
    """The expression in a hole of a text."""
    return _expression(source, report, start, end)


def _comments(tokens: Tokens, source: Source) -> tuple[ast.Comment, ...]:
    return tuple(ast.Comment(span=Span(source, r.start, r.end), text=r.text.rstrip(), alone=r.alone) for r in tokens.remarks)


def _parse(tokens: Tokens, start: str, source: Source, report: Report) -> Branch | None:
    tree = _Driver(source, report, tokens, Machine(grammar(), start)).run()
    return None if tree is None or _too_deep(tree, source, report) else tree


def _too_deep(tree: Branch, source: Source, report: Report) -> bool:
    """Whether a tree is deeper than the passes after this one, which call themselves, can bear."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [part for branch in level for part in branch.parts if isinstance(part, Branch)]
        if not level:
            return False
    _report_depth(source, report, level[0].start, level[0].end)
    return True


def _report_depth(source: Source, report: Report, start: int, end: int) -> None:
    hint = "give a part of it a name with `let` or `define`"
    report.error("CG0128", "this is nested too deeply, or too long a chain", Span(source, start, end), hint=hint)


# ── the parser that goes on ──


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
    "spaces": ("spaces :",),
    "links": ("links :",),
    "always": ('always "" :',),
}
ANY_STAND_IN = ('"" :', "x chooses :", "x chooses x in x :", 'x may "" :', 'x "" :')

HEADERS = frozenset(("game", "module", "variant"))

# Words whose line needs another line before it.
CONTINUING = frozenset(("otherwise", "map", "legend", "blocked", "walls", "spaces", "links", "steps"))


@define
class _Driver:
    source: Source
    report: Report
    tokens: Tokens
    machine: Machine
    kinds: list[str] = Factory(list)
    items: list[Token] = Factory(list)
    levels: list[_Level] = Factory(list)
    line_at: int = 0
    errors: int = 0
    recoveries: int = 0

    def run(self) -> Branch | None:
        """Read all tokens; the tree, or None after an error."""
        self.items = self.tokens.items
        last = self.items[-1] if self.items else Token("_NL", "", 0, 1)
        self.items.append(Token("$END", "", last.end, last.line))
        self.kinds = [token.type for token in self.items]
        self.levels = [self.level()]
        fresh = True  # at the start of a line
        at = 0
        while at < len(self.items):
            kind = self.kinds[at]
            if kind == "taken out":
                at += 1
                continue
            if fresh and kind not in LAYOUT:
                level = self.levels[-1]
                level.before, level.now = level.now, self.machine.keep()
                self.line_at = at
                fresh = False
            token = self.items[at]
            following = self.items[at + 1] if at + 1 < len(self.items) else ""
            token.type = self.machine.grammar.terminal(kind, token, self.machine.row, following)
            if not self.machine.take(token):
                self.recoveries += 1
                if self.errors >= MAX_ERRORS or self.recoveries > MAX_RECOVERIES:
                    return None
                at = self.recover(at)
                fresh = True
                continue
            if len(self.machine.states) > MAX_STACK:
                if token.line not in self.tokens.broken:
                    _report_depth(self.source, self.report, token.start, token.end)
                return None
            if kind in LAYOUT:
                fresh = True
                if kind == "_INDENT":
                    self.levels.append(self.level())
                elif kind == "_DEDENT":
                    self.levels.pop()
            at += 1
        tree = self.machine.tree if self.machine.values else None
        return tree if isinstance(tree, Branch) and not self.errors else None

    def level(self) -> _Level:
        return _Level(self.machine.keep(), self.machine.keep())

    # ── after an error ──

    def recover(self, at: int) -> int:
        """Report the error at a token and get ready to go on; the index of the token to go on with."""
        kind, level, accepts = self.kinds[at], self.levels[-1], self.machine.accepts()
        self.tell(at, accepts)
        self.errors = max(self.errors, 1)
        if kind == "$END" or self.machine.start != "start":
            return len(self.items)
        if accepts == {"_INDENT"}:
            return self.block_missing(at)
        if kind == "_INDENT":
            return self.block_too_many(at)
        if kind == "_DEDENT":
            return self.give_up_block(at)
        self.machine.put_back(level.now)
        level.damaged = True
        if "header" in self.machine.row:
            return self.header_missing(at)
        if "header_row" in self.machine.row:
            return self.give_up_block(self.end_of_block(at))
        line_end = self.line_end(at)
        if self.kinds[line_end] == "$END":
            return line_end
        if self.kinds[line_end + 1] != "_INDENT":
            return line_end + 1
        if self.stand_in(line_end + 2):
            return line_end + 1
        return self.end_of_block(line_end + 2) + 1

    def tell(self, at: int, accepts: frozenset[str]) -> None:
        """Report the error, unless it follows from an earlier one."""
        level = self.levels[-1]
        first, last = self.items[min(self.line_at, at)].line, self.items[at].line
        if any(line in self.tokens.broken for line in range(first, last + 1)):
            return
        follows = self.kinds[at] == "_DEDENT" or (at == self.line_at and self.items[at] in CONTINUING)
        if level.damaged and follows and accepts != {"_INDENT"}:
            return
        self.errors += 1
        place = Place(
            self.source,
            self.machine.grammar,
            self.items,
            self.kinds,
            at,
            min(self.line_at, at),
            accepts,
            self.machine.start == "start",
        )
        self.report.add(explain(place))

    def header_missing(self, at: int) -> int:
        """A wrong first line, or none: as if there were one."""
        first = self.items[self.line_at]
        self.read_wording('module ""', first)
        return self.line_at if first in DECLARERS - HEADERS else self.line_end(at) + 1

    def block_missing(self, at: int) -> int:
        """A line that opens a block, and none follows: take the line out."""
        level = self.levels[-1]
        if self.kinds[at] not in LAYOUT:
            level.now = level.before
        self.machine.put_back(level.now)
        level.damaged = True
        return at

    def block_too_many(self, at: int) -> int:
        """An indentation where none belongs: read its lines as if they were not indented, or in the block they were meant for."""
        level = self.levels[-1]
        if self.items[at - 1].type == "_NL" and self.kinds[self.line_at] in ("WORD", "STRING"):
            kept = self.machine.keep()
            self.machine.put_back(level.now)
            if self.stand_in(at + 1):
                level.damaged = True
                return at
            self.machine.put_back(kept)
        end = self.end_of_block(at + 1)
        self.kinds[at] = "taken out"
        if end < len(self.kinds):
            self.kinds[end] = "taken out"
        return at

    def give_up_block(self, dedent: int) -> int:
        """A block that cannot be finished: take out the line that opened it, with all of it."""
        if len(self.levels) == 1:
            self.machine.put_back(self.levels[0].now)
            return dedent + 1
        self.levels.pop()
        level = self.levels[-1]
        level.damaged = True
        self.machine.put_back(level.now)
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
        kept = self.machine.keep()
        first = str(self.items[self.line_at])
        signs = (":", "=")
        sign = str(self.items[inside - 3])  # before the end of the line and the indentation
        for wording in (*STAND_INS.get(first, ()), *ANY_STAND_IN):
            if (sign in signs and not wording.endswith(sign)) or (sign not in signs and first == "instead"):
                continue
            self.machine.put_back(kept)
            if self.reads(wording, inside):
                return True
        self.machine.put_back(kept)
        return False

    def reads(self, wording: str, inside: int) -> bool:
        """Try to read a stand-in; the first token inside its block is only looked at."""
        here = self.items[self.line_at]
        if not self.read_wording(wording, here):
            return False
        opened = self.machine.keep()
        if not self.machine.take(Token("_INDENT", "", here.start, here.line)):
            return False
        terminal = self.machine.grammar.terminal(self.kinds[inside], self.items[inside], self.machine.row, "")
        fits = self.machine.fits(terminal)
        self.machine.put_back(opened)
        return fits

    def read_wording(self, wording: str, here: Token) -> bool:
        """Read a line that is not there; False if it does not fit."""
        for text in wording.split():
            kind = "STRING" if text[0] == '"' else "WORD" if text.isalpha() else "sign"
            name = self.machine.grammar.terminal(kind, text, self.machine.row, "")
            if not self.machine.take(Token(name, text, here.start, here.line)):
                return False
        return self.machine.take(Token("_NL", "", here.start, here.line))
