"""A text with mistakes cut into tokens, lines and blocks, for the parser that goes on after an error.

Signs that are none, texts and brackets that are not closed, tabs and lines that do not line up are reported here, and mended.
What comes out is what Lark's lexer and `dsl/layout.py` make of a text without mistakes, but for one thing: what a word is (keyword or
name) depends on where it stands, so words and signs leave here as `WORD` and `sign`, and whoever feeds the parser decides.
"""

from __future__ import annotations

import re

from attrs import Factory, define
from lark import Token

from dsl.diagnostics import Label, Report
from dsl.layout import MAX_BRACKETS, MAX_INDENTS, Line, Outline, Remark, end_of, line_of, placed, start_of
from dsl.source import Source, Span

MAX_CHARACTERS = 500_000
MAX_FINDINGS = 50
TAB_WIDTH = 4

PIECE = re.compile(
    r"""
      (?P<blank>[ ]+)
    | (?P<line>\r?\n|\r\Z)
    | (?P<WORD>[^\W\d]\w*)
    | (?P<NUMBER>[0-9]+)
    | (?P<STRING>"(?:[^"\\\r\n]|\\[^\r\n])*")
    | (?P<comment>\#[^\r\n]*)
    | (?P<wrong>===?|!==?|<>|=>|&&?|\|\|?|[*/%]=|[!%;{}])
    | (?P<sign>:=|\+=|-=|<=|>=|->|\.\.\.|\.\.|[()\[\],.:=<>+*/?-])
    | (?P<tab>\t+)
    | (?P<unclosed>"[^\r\n]*)
    | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)
JOINED = re.compile(r"[^\W\d]\w*")
CLOSING = {"(": ")", "[": "]"}

# Words that begin a statement or declaration and never stand in an expression, and those that do so before a name or a text:
# a bracket that is open before such a line was forgotten.
FRESH = re.compile(
    r"""[ ]*(?:
      (?:after|before|deal|eliminate|end|if|instead|let|move|option|repeat|return|reveal|roll|show|shuffle|use|var|while)\b
    | (?:board|cards?|change|define|dice|ending|invariant|kind|property|remove|rule|scoring|test|timing|zone)
      [ ]+(?!(?:and|by|for|in|is|mod|not|of|or|otherwise|when|where)\b)[\w"]
    )""",
    re.VERBOSE,
)

_QUOTE = 'texts stand in straight double quotation marks: `"Wolf"`'
_MINUS = "write `-`, the plain minus sign"
RANGE = re.compile(r"(?<=[0-9])\s*[\u2013\u2014]\s*[0-9]")
STRAY = {
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019'", _QUOTE),
    **dict.fromkeys("\u2013\u2014\u2212", _MINUS),
    "`": 'names stand without quotation marks, texts in double ones: `"Wolf"`',
    "\u00d7": "write `*` to multiply",
    "\u00f7": "write `/` to divide; the result is rounded down",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `is not`",
    "\u2192": "write `->`",
    "\u2026": "write `...`, three full stops",
    "\u00a0": "this is a no-break space: write a plain space",
    "\ufeff": "this is an invisible mark: delete it",
    "\u200b": "this is an invisible space: delete it",
    "\r": "this is half of a line break: save the file with plain line breaks",
}


@define
class Tokens:
    """What a file is made of; `broken` are the numbers of lines that already have an error, about which the parser keeps quiet."""

    items: list[Token] = Factory(list)
    outline: Outline = Factory(Outline)
    broken: set[int] = Factory(set)


def scan(source: Source, report: Report) -> Tokens:
    """Cut a file into tokens. Errors are reported and mended as far as can be, so that the parser can go on."""
    scanner = _Scanner(source, report)
    if len(source.text) > MAX_CHARACTERS:
        title = f"the file is too large: {len(source.text):,} characters, where {MAX_CHARACTERS:,} are the most"
        scanner.error("CG0128", title, 0, 0, hint="put parts of it into modules")
        return scanner.tokens
    scanner.file(1 if source.text.startswith("\ufeff") else 0)
    return scanner.tokens


def scan_expression(source: Source, report: Report, start: int, end: int) -> Tokens:
    """Cut one expression, in a hole of a text or alone, into tokens; line breaks in it do not count."""
    scanner = _Scanner(source, report)
    scanner.expression(start, end)
    return scanner.tokens


@define
class _Scanner:
    source: Source
    report: Report
    tokens: Tokens = Factory(Tokens)
    pieces: list[tuple[str, str, int]] = Factory(list)
    brackets: list[Token] = Factory(list)
    hopeless: set[int] = Factory(set)  # where brackets stand that are known never to be closed
    indents: list[int] = Factory(lambda: [0])
    firsts: list[int] = Factory(lambda: [0])  # where each open block begins
    alone: bool = False  # the innermost block has one line so far
    step: int = 0  # how far the first block of the file is indented
    opening: str = ""
    line: int = 1
    last_end: int = 0
    tab_seen: bool = False
    depth_seen: bool = False

    def cut(self, start: int, end: int) -> None:
        self.pieces = [(m.lastgroup or "stray", m.group(), m.start()) for m in PIECE.finditer(self.source.text, start, end)]

    def expression(self, start: int, end: int) -> None:
        self.cut(start, end)
        self.line = self.source.position(start)[0]
        self.last_end = start
        for kind, text, at in self.pieces:
            if kind == "line":
                self.line += 1
            elif kind == "comment":
                self.error("CG0108", "a remark cannot stand here", at, at + len(text), "`#` begins a remark")
            elif kind != "blank":
                self.token(kind, text, at)
        if self.brackets:
            self.tokens.broken.add(self.unclosed_bracket())

    def file(self, start: int) -> None:
        self.cut(start, len(self.source.text))
        at = 0
        while at < len(self.pieces):
            at = self.logical_line(at)
        self.close_blocks(0)

    # ── lines ──

    def logical_line(self, at: int) -> int:
        """One line of code with the lines that continue it inside brackets; from a piece to the piece where the next line begins."""
        items, remarks = self.tokens.items, self.tokens.outline.remarks
        at, indent = self.margin(at)
        begun = False
        alone = True
        resume = None  # where the line goes on that holds the outermost open bracket, should that never be closed
        while at < len(self.pieces):
            kind, text, offset = self.pieces[at]
            at += 1
            if kind == "line":
                self.line += 1
                alone = True
                if not self.brackets:
                    break
                if line_of(self.brackets[0]) == self.line - 1:
                    resume = (at, self.line, len(items), len(remarks))
                if start_of(self.brackets[-1]) in self.hopeless or FRESH.match(self.source.text, offset + len(text)):
                    at = len(self.pieces)
            elif kind == "comment":
                remarks.append(Remark(offset, offset + len(text), self.line, text, alone))
            elif kind == "tab":
                self.tab(offset, text)
            elif kind != "blank":
                alone = False
                if not begun:
                    self.open_block(indent, offset)
                kept = self.token(kind, text, offset)
                if not begun and kept is not None:
                    begun = True
                    if len(self.indents) == 1:
                        self.opening = text
                    self.tokens.outline.lines[self.line] = Line(kept, len(self.indents) - 1, self.opening)
        if self.brackets:
            self.tokens.broken.add(self.unclosed_bracket())
            if resume is not None:
                at, self.line, kept_items, kept_remarks = resume
                del items[kept_items:]
                del remarks[kept_remarks:]
                self.last_end = end_of(items[-1])
                if items[-1] not in (":", "="):
                    at = self.skip_deeper(at, indent)
        if begun:
            self.layout("_NL")
        return at

    def skip_deeper(self, at: int, indent: int) -> int:
        """Step over lines that are indented further than this: they went on with a line whose bracket is not closed."""
        while at < len(self.pieces):
            start, line = at, self.line
            at, deeper = self.margin(at)
            blank = at < len(self.pieces) and self.pieces[at][0] in ("line", "comment")
            if deeper <= indent and not blank:
                self.line = line
                return start
            while at < len(self.pieces) and self.pieces[at][0] != "line":
                at += 1
            at += 1
            self.line += 1
        return at

    def margin(self, at: int) -> tuple[int, int]:
        """Step over the blanks that begin a line; how far they indent it."""
        indent = 0
        while at < len(self.pieces) and self.pieces[at][0] in ("blank", "tab"):
            kind, text, offset = self.pieces[at]
            if kind == "tab":
                self.tab(offset, text)
                indent += TAB_WIDTH * len(text) - indent % TAB_WIDTH
            else:
                indent += len(text)
            at += 1
        return at, indent

    def open_block(self, indent: int, offset: int) -> None:
        """Layout tokens before the first token of a line."""
        if indent > self.indents[-1]:
            if len(self.indents) <= MAX_INDENTS:
                self.step = self.step or indent - self.indents[-1]
                self.indents.append(indent)
                self.firsts.append(offset)
                self.alone = True
                self.layout("_INDENT")
            else:
                self.too_deep(offset, "blocks", "give the inner part a rule of its own")
            return
        first, alone = self.firsts[-1], self.alone
        closed = len(self.indents)
        inner = self.close_blocks(indent)
        self.alone = False
        if indent == self.indents[-1]:
            return
        outer = self.indents[-1]
        if alone and closed - len(self.indents) == 1 and indent - outer == self.step != inner - outer:
            self.error(
                "CG0102",
                "this line does not line up with the lines under it",
                first,
                first + 1,
                f"indented by {inner}, the lines under it by {indent}",
                hint="all lines of a block begin in the same column",
            )
            self.tokens.items.pop()
            self.indents.append(indent)
            self.firsts.append(first)
            return
        self.error(
            "CG0102",
            "this line does not line up with the lines above it",
            offset,
            offset + 1,
            f"indented by {indent}, the lines above by {outer} or {inner}",
            hint="all lines of a block begin in the same column",
        )
        if inner - indent < indent - outer or len(self.indents) == 1:
            self.tokens.items.pop()
            self.indents.append(inner)
            self.firsts.append(first)

    def close_blocks(self, indent: int) -> int:
        """Close the blocks that are indented further than this; the indentation of the last one closed."""
        inner = self.indents[-1]
        while indent < self.indents[-1]:
            inner = self.indents.pop()
            self.firsts.pop()
            self.layout("_DEDENT")
        return inner

    def layout(self, kind: str) -> None:
        line = line_of(self.tokens.items[-1]) if self.tokens.items else 1
        self.tokens.items.append(placed(kind, "", self.last_end, line))

    # ── tokens ──

    def token(self, kind: str, text: str, at: int) -> Token | None:
        """Keep a token; None for what cannot be one, which is reported and makes the line a broken one."""
        end = at + len(text)
        if kind == "stray" or kind == "tab":
            self.stray(kind, text, at)
            return None
        if kind == "unclosed":
            end = at + len(text.rstrip())
            self.error(
                "CG0105", 'this text is not closed: a `"` is missing', at, end, "begins here", hint="a text ends on its own line"
            )
            self.tokens.broken.add(self.line)
            self.brackets.clear()
            kind = "STRING"
        token = placed(kind, self.source.text[at:end], at, self.line)
        if kind == "NUMBER" and (joined := JOINED.match(self.source.text, end)):
            hint = "if a number and a word are meant, write a blank between them"
            self.error("CG0131", "a name begins with a letter", at, joined.end(), hint=hint)
            self.tokens.broken.add(self.line)
        if kind == "sign":
            if text in CLOSING:
                self.brackets.append(token)
                if len(self.brackets) > MAX_BRACKETS:
                    self.too_deep(at, "brackets", "give a part a name with `let` or `define`")
            elif text in (")", "]") and not self.close_bracket(token):
                return None
        self.tokens.items.append(token)
        self.last_end = end
        return token

    def stray(self, kind: str, text: str, at: int) -> None:
        if kind == "tab":
            self.tab(at, text)
            return
        if self.line not in self.tokens.broken:
            hint = STRAY.get(text)
            if hint is _MINUS and RANGE.match(self.source.text, self.last_end):
                hint = "write `..` for a range: `2..4`"
            shown = f"`{text}`" if text.isprintable() and not text.isspace() and text != "`" else f"U+{ord(text):04X}"
            self.error("CG0108", f"the character {shown} means nothing here", at, at + 1, hint=hint)
        self.tokens.broken.add(self.line)

    def close_bracket(self, token: Token) -> bool:
        """Pair a closing bracket with its opening one; False if it is one too many."""
        start, end = start_of(token), end_of(token)
        if self.brackets and CLOSING[self.brackets[-1]] == token:
            self.brackets.pop()
            return True
        told = self.line in self.tokens.broken
        self.tokens.broken.add(self.line)
        if told:
            self.brackets.clear()
            return False
        if not self.brackets:
            self.error("CG0107", f"this `{token}` closes nothing", start, end, "no bracket is open here")
            return False
        innermost = self.brackets[-1]
        opens = start_of(innermost)
        self.tokens.broken.add(line_of(innermost))
        if any(CLOSING[b] == token for b in self.brackets):
            here = Label(Span(self.source, start, end), f"a `{CLOSING[innermost]}` is missing before this")
            self.error("CG0106", f"this `{innermost}` is not closed", opens, opens + 1, others=(here,))
            while CLOSING[self.brackets.pop()] != token:
                pass
            return True
        opened = Label(Span(self.source, opens, opens + 1), "opened here")
        wanted = CLOSING[innermost]
        self.error("CG0107", f"`{token}` cannot close `{innermost}`", start, end, f"write `{wanted}`", others=(opened,))
        self.brackets.pop()
        return False

    def unclosed_bracket(self) -> int:
        """Report the bracket that was left open, forget all that are open, and tell in which line it stands."""
        first, last = self.brackets[0], self.brackets[-1]
        token = last if last.line == first.line else first
        start = start_of(token)
        self.error("CG0106", f"this `{token}` is not closed", start, start + 1, f"a `{CLOSING[token]}` is missing")
        self.hopeless.update(start_of(bracket) for bracket in self.brackets)
        self.brackets.clear()
        return line_of(token)

    def tab(self, at: int, text: str) -> None:
        if not self.tab_seen:
            self.tab_seen = True
            hint = f"write spaces instead, {TAB_WIDTH} for each step; most editors have a command for it"
            self.error("CG0101", "a tab: only spaces may be used", at, at + len(text), hint=hint)

    def too_deep(self, at: int, what: str, hint: str) -> None:
        self.tokens.broken.add(self.line)
        if not self.depth_seen:
            self.depth_seen = True
            self.error("CG0128", f"{what} are nested too deeply", at, at + 1, hint=hint)

    def error(
        self,
        code: str,
        title: str,
        start: int,
        end: int,
        label: str = "",
        *,
        hint: str | None = None,
        others: tuple[Label, ...] = (),
    ) -> None:
        if len(self.report.found) < MAX_FINDINGS:
            self.report.error(code, title, Span(self.source, start, end), label, hint=hint, others=others)
