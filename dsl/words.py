"""What the grammar's terminals are called when one speaks to a person, and the form of each line as an example."""

from __future__ import annotations

from collections.abc import Mapping, Set

NAMES: dict[str, str] = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotation marks",
    "_NL": "the end of the line",
    "_INDENT": "indented lines",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
    "SHAPE": "`pile`, `row` or `set`",
    "PATTERN": "a pattern like `orthogonal`",
    "VERB": "`shuffle`, `reveal`, `roll` or `eliminate`",
    "REMOVABLE": "`scoring`, `ending`, `invariant`, `property`, `test` or `preset`",
    "HOW_OFTEN": "`eventually`, `never` or `sometimes`",
    "ASSIGN": "`:=`, `+=` or `-=`",
    "COMPARE": "`<`, `<=`, `>` or `>=`",
}
"""Terminals that are not one fixed word or sign; every other is shown as it is written."""

OPERATORS = frozenset(("AND", "OR", "PLUS", "MINUS", "TIMES", "DIVIDE", "MOD", "SPAN", "COMPARE", "IS", "DOT", "LSQB", "LPAR"))
VALUES = frozenset(("NAME", "NUMBER", "STRING", "YES", "NO", "NONE", "PROCEED", "LPAR", "LSQB", "MINUS", "NOT"))
AFTER_A_NAME = frozenset(("DOT", "LSQB", "LPAR"))

FORMS: dict[str, str] = {
    "game": 'game "My Game" for 2..6 players',
    "module": 'module "My Deck"',
    "variant": 'variant "Short" of my_game',
    "use": "use my_deck",
    "kind": "kind Colour: Red, Green, Blue",
    "card": "card Beast(strength: number, colour: Colour)",
    "cards": "cards Beast in deck:",
    "zone": "zone hand[player]: private set of Beast",
    "var": "var starter: player",
    "hidden": "hidden var secret = 0",
    "private": "private var bid[player] = 0",
    "option": 'option hand_size = 5 in 1..10: "Cards dealt to each player"',
    "dice": "dice pair: 2 of 1..6",
    "board": "board Field(water: flag):",
    "steps": "steps orthogonal",
    "blocked": 'blocked: "#"',
    "walls": 'walls: "|-"',
    "timing": "timing played: owner may, after play(self, owner)",
    "define": "define total(p: player) = sum(c.strength for c in row[p])",
    "rule": "rule take_damage(p: player, amount: number):",
    "before": "before turn(p) where row[p] is empty: refill()",
    "after": "after turn(p): refill()",
    "instead": "instead of take_damage(p, amount): proceed(p, amount + 1)",
    "scoring": "scoring(p):",
    "ending": 'ending alone when players.size is 1: "Only one is left"',
    "invariant": 'invariant "nobody has two": not any(p in players where hand[p].size > 1)',
    "property": 'property "a turn puts a card down" after turn(p): row[p] is not empty',
    "tests": "tests of my_game",
    "test": 'test "the first card succeeds":',
    "change": "change option hand_size = 6",
    "remove": "remove ending alone",
    "preset": 'preset "First game": "Without the hard cards"',
    "if": "if hand[p] is empty: refill()",
    "otherwise": "otherwise: refill()",
    "while": "while hand[p] is not empty: play(p)",
    "for": "for c in hand[p] where c.strength > 3: play(c)",
    "repeat": "repeat 3: draw(p)",
    "let": "let amount = hand[p].size",
    "move": "move c to discard",
    "deal": "deal 5 from deck to hand[p] for p in players",
    "shuffle": "shuffle deck",
    "reveal": "reveal deck.top",
    "roll": "roll pair",
    "eliminate": "eliminate p",
    "show": "show deck.top to p",
    "return": "return winner",
    "end": "end turn",
    "chance": "chance chooses p in players: starter := p",
    "each": 'each p in players chooses "a card" c in hand[p]: play(c)',
    "chooses": 'p chooses "a card" c in hand[p]: play(c)',
    "choose": "p may choose c in hand[p]: play(c)",
    "may": 'p may "Draw a card": draw(p)',
    "given": "given 3 players",
    "when": "when strict_rules: after turn(p): refill()",
    "expect": "expect hand[P1].size is 5",
    "always": 'always "Rises twice": instead of rises(self, p) = yes',
}
"""For the word a line begins with (or, for choices, contains): a line as it should be."""

# ── sorts of words ──

HEADERS = ("game", "module", "variant", "tests")
"""the words a file begins with"""
DECLARERS = frozenset((
    *HEADERS, "use", "kind", "card", "cards", "zone", "hidden", "private", "var", "option", "dice", "board",
    "timing", "define", "rule", "before", "after", "instead", "scoring", "ending", "invariant", "property", "test", "when", "change", "remove",
    "preset",
))  # fmt: skip
STATEMENTS = frozenset((
    "if", "otherwise", "while", "for", "repeat", "let", "move", "deal", "shuffle", "reveal", "roll", "eliminate", "show", "return",
    "end", "chance", "each",
))  # fmt: skip
NAMING = frozenset((
    "use", "kind", "card", "cards", "zone", "var", "option", "dice", "board", "timing", "define", "rule", "ending", "let", "for", ".",
))  # fmt: skip
CHOOSING = frozenset(("chooses", "choose", "may"))
TESTING = frozenset(("given", "expect"))
CONNECTIVES = frozenset((
    "to", "under", "from", "in", "is", "of", "where", "when", "otherwise", "and", "or", "for", "chooses", "may", "choose", "empty",
))  # fmt: skip
LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT", "taken out"))
ONE_LINE = frozenset(("zone", "var", "option", "dice", "timing", "ending", "kind"))
BLOCKS = {"cards": "a row", "legend": "a row", "define": "a value", "spaces": "a row", "links": "a line", "board": "a `map`"}
TABLES = frozenset(("cards", "legend", "spaces"))
ELSE = frozenset(("else", "elif", "elseif", "elsif", "elsewhen"))
FOREIGN_DECLARERS = {
    "def": "`define` for a value, `rule` for what is done",
    "fn": "`define` for a value, `rule` for what is done",
    "fun": "`define` for a value, `rule` for what is done",
    "func": "`define` for a value, `rule` for what is done",
    "function": "`define` for a value, `rule` for what is done",
    "procedure": "`rule`",
    "sub": "`rule`",
    "event": "`rule` without a body",
    "action": "`rule`",
    "import": "`use`",
    "include": "`use`",
    "require": "`use`",
    "enum": "`kind`",
    "type": "`kind`",
    "class": "`card` or `kind`",
    "struct": "`card`",
    "const": "`option` or `define`",
    "let": "`var` for what changes, `define` for what is worked out",
    "deck": "`zone`",
    "setup": "`rule setup():`",
    "players": 'the first line: `game "My Game" for 2..4 players`',
    "trigger": "`after` or `before`",
    "on": "`after` or `before`",
    "instead_of": "`instead of`",
    "replace": "`change` or `instead of`",
    "override": "`change` or `instead of`",
    "delete": "`remove`",
    "score": "`scoring(p):`",
    "winners": "`define winners() = …`",
}
FOREIGN_TYPES = {
    "bool": "flag",
    "boolean": "flag",
    "int": "number",
    "integer": "number",
    "float": "number",
    "str": "text",
    "string": "text",
}
SIGNS_FOR_WORDS = {
    "==": ("CG0114", "`==` is not a sign of the language", "write `is`"),
    "===": ("CG0114", "`===` is not a sign of the language", "write `is`"),
    "!=": ("CG0115", "`!=` is not a sign of the language", "write `is not`"),
    "!==": ("CG0115", "`!==` is not a sign of the language", "write `is not`"),
    "<>": ("CG0115", "`<>` is not a sign of the language", "write `is not`"),
    "&&": ("CG0116", "`&&` is not a sign of the language", "write `and`"),
    "&": ("CG0116", "`&` is not a sign of the language", "write `and`"),
    "||": ("CG0116", "`||` is not a sign of the language", "write `or`"),
    "|": ("CG0116", "`|` is not a sign of the language", "write `or`"),
    "!": ("CG0116", "`!` is not a sign of the language", "write `not`"),
    "%": ("CG0100", "`%` is not a sign of the language", "write `mod` for what a division leaves"),
    "=>": ("CG0100", "`=>` is not a sign of the language", "write `>=` to compare, `->` before the type of a result"),
    "*=": ("CG0124", "`*=` is not a sign of the language", "write `x := x * 2`"),
    "/=": ("CG0124", "`/=` is not a sign of the language", "write `x := x / 2`"),
    "%=": ("CG0124", "`%=` is not a sign of the language", "write `x := x mod 2`"),
    ";": ("CG0131", "`;` is not a sign of the language", "write one statement on a line"),
    "{": ("CG0100", "`{` stands only in texts", "a block begins with `:` and is indented"),
    "}": ("CG0100", "`}` stands only in texts", "a block ends where its indentation ends"),
}


# ── what could come next ──


def name(terminal: str, texts: Mapping[str, tuple[str, ...]]) -> str:
    """What a terminal is called; `texts` are the words and signs with the terminals they can be."""
    known = NAMES.get(terminal)
    if known is not None:
        return known
    return next(f"`{text}`" for text, terminals in texts.items() if terminal in terminals)


def listing(accepts: Set[str], texts: Mapping[str, tuple[str, ...]]) -> str:
    """What could come next, in few words: values together, operators only if there is nothing else; empty if it is too much."""
    left = set(accepts)
    parts: list[str] = []
    if left >= {"NAME", "NUMBER", "LPAR"}:
        left -= VALUES
        parts.append("a value")
    elif "PLUS" in left:
        left -= OPERATORS
        if left - {"WHEN"}:
            left.discard("WHEN")
        if not left:
            parts.append("an operator")
    elif left >= AFTER_A_NAME and left - AFTER_A_NAME:
        left -= AFTER_A_NAME
    if left - {"SPAN"}:
        left.discard("SPAN")
    parts += sorted(name(terminal, texts) for terminal in left)
    if not parts or len(parts) > 6:
        return ""
    if len(parts) > 1:
        parts = [word for part in parts for word in part.replace(" or ", ", ").split(", ")]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
