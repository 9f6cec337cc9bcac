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
    "PATTERN": "`orthogonal` or `diagonal`",
    "VERB": "`shuffle`, `reveal`, `roll` or `eliminate`",
    "REMOVABLE": "`scoring`, `ending`, `invariant` or `test`",
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
    "timing": "timing played: owner may, after play(self, owner)",
    "define": "define total(p: player) = sum(c.strength for c in row[p])",
    "rule": "rule take_damage(p: player, amount: number):",
    "before": "before turn(p) where row[p] is empty: refill()",
    "after": "after turn(p): refill()",
    "instead": "instead of take_damage(p, amount): proceed(p, amount + 1)",
    "scoring": "scoring(p):",
    "ending": 'ending alone when players.size is 1: "Only one is left"',
    "invariant": 'invariant "nobody has two": not any(p in players where hand[p].size > 1)',
    "test": 'test "the first card succeeds":',
    "change": "change option hand_size = 6",
    "remove": "remove ending alone",
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
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
