"""Colours for rules files: a Pygments lexer, for the terminal, for documentation and for whatever else knows Pygments.

Most words of the language are keywords only in their place and names everywhere else, so places matter here: where a line begins, what
follows a `:`. The groups of words are what `editors/` uses too; tests hold them, and the result on every rules file of the project, against
the grammar.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.formatters import TerminalFormatter
from pygments.lexer import RegexLexer, bygroups, include
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Token,
    Whitespace,
)

# ── the words of the grammar, by where they are keywords ──

HEADERS = ("game", "invariant", "module", "preset", "property", "scoring", "test", "variant")
"""at the beginning of a line; a text, or for the scoring a bracket, follows"""
RULES = ("define", "ending", "rule", "timing")
SORTS = ("board", "card", "cards", "kind")
THINGS = ("dice", "option", "use", "zone")
"""at the beginning of a line; a name follows"""
CHANGES = ("change", "remove")
BLOCKS = ("blocked", "cases", "legend", "links", "map", "spaces", "walls")
"""at the beginning of a line; a `:` follows"""
TESTS = ("expect", "given")
RESERVED = (
    "after", "all", "always", "before", "chance", "choose", "chooses", "deal", "each", "eliminate", "end", "for", "from", "if", "instead",
    "let", "may", "move", "of", "option", "otherwise", "proceed", "repeat", "return", "reveal", "roll", "show", "shuffle", "to", "under", "var",
    "when", "where", "while",
)  # fmt: skip
"""everywhere, as are the next two"""
CONDITIONS = ("and", "empty", "in", "is", "not", "or")
CONSTANTS = ("no", "none", "yes")
SIGHT = ("hidden", "open", "private", "top")
SHAPES = ("pile", "row", "set")
STEPS = ("along", "diagonal", "down", "hexagonal", "left", "orthogonal", "right", "up")
WANTED = ("eventually", "never", "sometimes")
"""what a property says, after its `:`"""
IN_PLACE = (
    "ability", "among", "as", "because", "by", "cannot", "decline", "declines", "does", "hear", "hears", "list", "mod", "players", "rolls",
    "seed", "sees", "steps", "tests",
)  # fmt: skip

KEYWORDS = frozenset(
    (
        *HEADERS, *RULES, *SORTS, *THINGS, *CHANGES, *BLOCKS, *TESTS, *RESERVED, *CONDITIONS, *CONSTANTS, *SIGHT, *SHAPES, *STEPS, *WANTED, *IN_PLACE
    )
)  # fmt: skip

# ── names that are built in ──

TYPES = ("flag", "number", "player", "text")
VALUES = ("active", "players", "seats")
FUNCTIONS = (
    "any", "between", "count", "distance", "groups", "highest", "lines", "lowest", "max", "min", "others", "reach", "same", "score",
    "sum", "turn_order",
)  # fmt: skip
CARRIED = ("owner", "self")

NAME = r"[^\W\d]\w*"
START = r"^([ ]*)((?:change|remove)[ ]+)?"


def one_of(*texts: str) -> str:
    """A pattern for any of these words, whole."""
    return rf"(?<![.\w])({'|'.join(sorted(texts))})\b"


def declared(words: tuple[str, ...], name: Any) -> tuple[str, Any]:
    """A line that begins with one of these words and the name it declares."""
    pattern = rf"{START}({'|'.join(words)})([ ]+)({NAME})(?=[ ]*[\[(:=]|[ ]+\w|[ ]*(?:#|$))"
    return pattern, bygroups(Whitespace, Keyword.Declaration, Keyword.Declaration, Whitespace, name)


class CardgameLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Rules of card and board games, as `rulesrun` reads them."""

    name = "Cardgame"
    aliases: ClassVar[list[str]] = ["cardgame"]
    filenames: ClassVar[list[str]] = ["*.cardgame"]
    flags = re.MULTILINE

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (rf"{START}({'|'.join(HEADERS)})(?=[ ]*\(|[ ]+\")", bygroups(Whitespace, Keyword.Declaration, Keyword.Declaration)),
            (
                rf"^(test)([ ]+)(rule|define)([ ]+)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Keyword.Declaration, Whitespace, Name.Function),
            ),
            (r"^(tests)(?=[ ]+of\b)", Keyword.Declaration),
            declared(RULES, Name.Function),
            declared(SORTS, Name.Class),
            declared(THINGS, Name.Variable),
            (rf"^([ ]*)({'|'.join(CHANGES)})(?=[ ]+(?:after|before|instead)\b)", bygroups(Whitespace, Keyword.Declaration)),
            (
                r"^([ ]*)(remove)([ ]+)(ability)(?=[ ]+\")",
                bygroups(Whitespace, Keyword.Declaration, Whitespace, Keyword.Declaration),
            ),
            (r"^([ ]*)(hidden|private)(?=[ ]+var\b)", bygroups(Whitespace, Keyword.Declaration)),
            (rf"^([ ]+)({'|'.join(BLOCKS)})(?=[ ]*:[ ]*(?:\"|#|$))", bygroups(Whitespace, Keyword)),
            (rf"^([ ]+)(steps)([ ]+)({'|'.join(STEPS)})\b", bygroups(Whitespace, Keyword, Whitespace, Keyword)),
            (r"^([ ]+)(steps)(?=[ ]+from\b)", bygroups(Whitespace, Keyword)),
            (rf"^([ ]+)({'|'.join(TESTS)})(?=[ ]+[\w\"(\[-])(?![ ]+(?:chooses|may)\b)", bygroups(Whitespace, Keyword)),
            (rf"^([ ]+)(?!(?:{'|'.join(RESERVED)})\b)([a-z]\w*)(?=[ ]+\")", bygroups(Whitespace, Name.Decorator)),
            (r"^[ ]+", Whitespace),
            (r"\n", Whitespace),
            include("inside"),
        ],
        "inside": [
            (r"[ ]+", Whitespace),
            (r"##(?!#)[^\n]*", String.Doc),
            (r"#[^\n]*", Comment.Single),
            (r'"', String, "text"),
            (
                rf"(:)([ ]*)(?:(top)([ ]+))?({'|'.join(SIGHT[:3])})([ ]+)({'|'.join(SHAPES)})(?=[ ]+of\b)",
                bygroups(Punctuation, Whitespace, Keyword, Whitespace, Keyword, Whitespace, Keyword),
            ),
            (r"(?<![.\w])(list|zone)(?=[ ]+of\b)", Keyword.Type),
            (r"(?<=[\w)\]] )[ ]*(by|mod)(?=[ ]+[\w(\[\"-])", Operator.Word),
            (r"(?<=[\d)\]\"] )[ ]*(players)(?=[ ]*(?:#|$))", Keyword),
            (r"(?<=[\w)\]] )[ ]*(declines)(?=[ ]*(?:#|$))", Keyword),
            (r"(?<=[\w)\]] )[ ]*(rolls|among|sees|as)(?=[ ]+[\w(\[\"-])", Keyword),
            (r"(?<=[\w)\]\"] )[ ]*(because|hears?)(?=[ ]+\")", Keyword),
            (r"(?<=[\w)\]] )[ ]*(does)(?=[ ]+not[ ]+hear\b)", Keyword),
            (r"(?<=[\w)\]] )[ ]*(cannot)(?=[ ]+(?:choose|decline)\b)", Keyword),
            (r"(?<=cannot )(decline)(?=[ ]*(?:#|$))", Keyword),
            (r"(?<=from )(seed)(?=[ ]+\d)", Keyword),
            (rf"(:)([ ]+)({'|'.join(WANTED)})(?=[ ]+[\w(\[\"-])", bygroups(Punctuation, Whitespace, Keyword)),
            (one_of(*CONDITIONS), Operator.Word),
            (one_of(*CONSTANTS), Keyword.Constant),
            (one_of(*RESERVED), Keyword),
            (one_of(*TYPES), Keyword.Type),
            (one_of(*CARRIED), Name.Builtin.Pseudo),
            (one_of(*VALUES), Name.Builtin),
            (rf"{one_of(*FUNCTIONS)}(?=\()", Name.Builtin),
            (rf"(\.)({NAME})", bygroups(Punctuation, Name.Attribute)),
            (rf"{NAME}(?=\()", Name.Function),
            (r"[A-Z]\w*", Name.Class),
            (NAME, Name),
            (r"\d+", Number.Integer),
            (r":=|\+=|-=|<=|>=|->|\.\.\.|\.\.|[=<>+*/-]", Operator),
            (r"[()\[\],.:?]", Punctuation),
            (r".", Text),
        ],
        "text": [
            (r'[^"\\{\n]+', String),
            (r"\\.|\{\{", String.Escape),
            (r"\{", String.Interpol, "hole"),
            (r'"|(?=\n)', String, "#pop"),
        ],
        "hole": [
            (r"\}", String.Interpol, "#pop"),
            (r'(?=["\n])', Text, "#pop"),
            include("inside"),
        ],
    }


# ── on a terminal ──

COLOURS = {
    Token: ("", ""),
    Comment: ("brightblack", "brightblack"),
    String.Doc: ("green", "green"),
    String: ("green", "green"),
    String.Interpol: ("cyan", "cyan"),
    Number: ("cyan", "cyan"),
    Keyword: ("magenta", "magenta"),
    Keyword.Constant: ("cyan", "cyan"),
    Keyword.Type: ("yellow", "yellow"),
    Operator.Word: ("magenta", "magenta"),
    Name.Function: ("blue", "blue"),
    Name.Class: ("yellow", "yellow"),
    Name.Decorator: ("blue", "blue"),
}
"""On a light and on a dark background; only colours that every terminal has."""


def ansi(text: str) -> str:
    """A piece of a rules file with colours for a terminal; the same lines."""
    from io import StringIO

    out = StringIO()
    lexer = CardgameLexer(stripnl=False, ensurenl=False)
    TerminalFormatter(colorscheme=COLOURS).format(lexer.get_tokens(text), out)
    return out.getvalue()
