"""Going on after an error: a text with mistakes, read token by token.

Lark's interactive parser can be copied. A copy is kept from before each line of code; a line with an error is taken out by going back to
it, so that one run reports many errors and none of them follows from another.
"""

from __future__ import annotations

from attrs import Factory, define, field
from lark import Token, Tree, UnexpectedToken

from dsl.diagnostics import Report
from dsl.grammar import Grammar, Parser
from dsl.layout import empty, line_of, placed, start_of
from dsl.lexer import Tokens
from dsl.place import Place
from dsl.source import Source
from dsl.syntax_errors import MAX_ERRORS, explain
from dsl.words import DECLARERS, HEADERS, LAYOUT

MAX_RECOVERIES = 200


def recover(tokens: Tokens, grammar: Grammar, start: str, source: Source, report: Report) -> Tree[Token] | None:
    """Read tokens and report all that does not fit; the tree, or None after an error."""
    return _Driver(source, report, tokens, grammar, start).run()


@define
class _Level:
    """A block being read: the parser before its current line and before the line above, and whether a line was taken out."""

    now: Parser
    before: Parser
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


# Words whose line needs another line before it.
CONTINUING = frozenset(("otherwise", "map", "legend", "blocked", "walls", "spaces", "links", "steps"))


@define
class _Driver:
    source: Source
    report: Report
    tokens: Tokens
    grammar: Grammar
    start: str
    parser: Parser = field(init=False)
    kinds: list[str] = Factory(list)
    items: list[Token] = Factory(list)
    levels: list[_Level] = Factory(list)
    line_at: int = 0
    mark: tuple[Parser, int] = field(init=False)  # the parser before some token from which on all fit, as far as it was fed
    errors: int = 0
    recoveries: int = 0

    def run(self) -> Tree[Token] | None:
        """Read all tokens; the tree, or None after an error."""
        self.items = self.tokens.items
        self.items.append(empty("$END", self.items[-1]) if self.items else placed("$END", "", 0, 1))
        self.kinds = [token.type for token in self.items]
        self.parser = self.grammar.parser(self.start)
        self.levels = [self.level()]
        tree: Tree[Token] | None = None
        fresh = True  # at the start of a line
        at = 0
        while at < len(self.items):
            kind = self.kinds[at]
            if kind == "taken out":
                at += 1
                continue
            if fresh or kind in LAYOUT:
                self.mark = (self.keep(), at)
            if fresh and kind not in LAYOUT:
                level = self.levels[-1]
                level.before, level.now = level.now, self.keep()
                self.line_at = at
                fresh = False
            token = self.items[at]
            token.type = self.grammar.terminal(kind, token, self.parser.choices())
            try:
                tree = self.parser.feed_token(token)
            except UnexpectedToken:
                self.recoveries += 1
                if self.errors >= MAX_ERRORS or self.recoveries > MAX_RECOVERIES:
                    return None
                self.rewind(at)
                at = self.recover(at)
                fresh = True
                continue
            if kind in LAYOUT:
                fresh = True
                if kind == "_INDENT":
                    self.levels.append(self.level())
                elif kind == "_DEDENT":
                    self.levels.pop()
            at += 1
        return None if self.errors else tree

    def level(self) -> _Level:
        return _Level(self.keep(), self.keep())

    def keep(self) -> Parser:
        """The parser as it is, to be put back."""
        return self.parser.copy(deepcopy_values=False)

    def put_back(self, kept: Parser) -> None:
        self.parser = kept.copy(deepcopy_values=False)

    def take(self, token: Token) -> bool:
        """Feed a token that may not fit; False, with the parser as it was, if it does not."""
        kept = self.keep()
        try:
            self.parser.feed_token(token)
        except UnexpectedToken:
            self.parser = kept
            return False
        return True

    def rewind(self, at: int) -> None:
        """Put the parser back to where it was before a token that did not fit: it has gone some way with that one."""
        kept, first = self.mark
        self.put_back(kept)
        for index in range(first, at):
            if self.kinds[index] != "taken out":
                self.parser.feed_token(self.items[index])

    # ── after an error ──

    def recover(self, at: int) -> int:
        """Report the error at a token and get ready to go on; the index of the token to go on with."""
        kind, level, accepts = self.kinds[at], self.levels[-1], frozenset(self.parser.accepts())
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
        self.put_back(level.now)
        level.damaged = True
        if "header" in self.parser.choices():
            return self.header_missing(at)
        if "header_row" in self.parser.choices():
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
        first, last = line_of(self.items[min(self.line_at, at)]), line_of(self.items[at])
        if any(line in self.tokens.broken for line in range(first, last + 1)):
            return
        follows = self.kinds[at] == "_DEDENT" or (at == self.line_at and self.items[at] in CONTINUING)
        if level.damaged and follows and accepts != {"_INDENT"}:
            return
        self.errors += 1
        place = Place(
            self.source,
            self.grammar,
            self.items,
            self.kinds,
            at,
            min(self.line_at, at),
            accepts,
            self.start == "start",
        )
        self.report.add(explain(place))

    def header_missing(self, at: int) -> int:
        """A wrong first line, or none: as if there were one."""
        first = self.items[self.line_at]
        self.read_wording('module ""', first)
        return self.line_at if first in DECLARERS.difference(HEADERS) else self.line_end(at) + 1

    def block_missing(self, at: int) -> int:
        """A line that opens a block, and none follows: take the line out."""
        level = self.levels[-1]
        if self.kinds[at] not in LAYOUT:
            level.now = level.before
        self.put_back(level.now)
        level.damaged = True
        return at

    def block_too_many(self, at: int) -> int:
        """An indentation where none belongs: read its lines as if they were not indented, or in the block they were meant for."""
        level = self.levels[-1]
        if self.items[at - 1].type == "_NL" and self.kinds[self.line_at] in ("WORD", "STRING"):
            kept = self.keep()
            self.put_back(level.now)
            if self.stand_in(at + 1):
                level.damaged = True
                return at
            self.put_back(kept)
        end = self.end_of_block(at + 1)
        self.kinds[at] = "taken out"
        if end < len(self.kinds):
            self.kinds[end] = "taken out"
        return at

    def give_up_block(self, dedent: int) -> int:
        """A block that cannot be finished: take out the line that opened it, with all of it."""
        if len(self.levels) == 1:
            self.put_back(self.levels[0].now)
            return dedent + 1
        self.levels.pop()
        level = self.levels[-1]
        level.damaged = True
        self.put_back(level.now)
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
        kept = self.keep()
        first = str(self.items[self.line_at])
        signs = (":", "=")
        sign = str(self.items[inside - 3])  # before the end of the line and the indentation
        for wording in (*STAND_INS.get(first, ()), *ANY_STAND_IN):
            if (sign in signs and not wording.endswith(sign)) or (sign not in signs and first == "instead"):
                continue
            self.put_back(kept)
            if self.reads(wording, inside):
                return True
        self.put_back(kept)
        return False

    def reads(self, wording: str, inside: int) -> bool:
        """Try to read a stand-in; the first token inside its block is only looked at."""
        here = self.items[self.line_at]
        if not self.read_wording(wording, here):
            return False
        opened = self.keep()
        inner = (("_INDENT", ""), (self.kinds[inside], self.items[inside]))
        fits = all(self.take(self.instead(kind, text, here)) for kind, text in inner)
        self.put_back(opened)
        return fits

    def read_wording(self, wording: str, here: Token) -> bool:
        """Read a line that is not there; False if it does not fit."""
        for text in wording.split():
            kind = "STRING" if text[0] == '"' else "WORD" if text.isalpha() else "sign"
            if not self.take(self.instead(kind, text, here)):
                return False
        return self.take(self.instead("_NL", "", here))

    def instead(self, kind: str, text: str, here: Token) -> Token:
        """A token that is not there, in the place of one that is."""
        return placed(self.grammar.terminal(kind, text, self.parser.choices()), text, start_of(here), line_of(here))
