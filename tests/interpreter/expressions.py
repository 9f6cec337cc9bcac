"""Random expressions of every type, as text, with random defines and attachments, for a small game."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import Factory, define

GAME = """game "Expressions" for 2..3 players

kind Suit: Clubs, Hearts, Spades
card Card(suit: Suit, value: number, twin: Suit?)

zone deck:                open pile of Card
zone hand[player]:        open row of Card
zone bag[player]:         open set of Card
zone store[player][Suit]: open pile of Card

cards Card in deck:
    name      suit  value  twin
    "{s} {i}"  s    i      none    for s in Suit, i in -1..1
    "Two"      Hearts  2   Clubs
    "Three"    Spades  3   Spades

var n = 2
var total[player] = 0
var by_suit[Suit] = 0
var lead: Suit? = none
var xs: list of number = []
var chosen: Card? = none

define unled() = lead is none
define beaten(s: Suit) = lead is not none and lead > s
define below(limit: number) = chosen is not none and chosen.value < limit

rule setup(): n := 2
rule game(): end game
define winners() = players
"""
NAMES = ('"Clubs 1"', '"Hearts 0"', '"Two"', '"Three"')


@define
class Writer:
    """Writes expressions of a kind: N number, F flag, L list of numbers, C card, Z cards (a zone or a list), P player, S suit.

    `draw(k)` gives a number below k. What it writes uses the names in `names`, and in `calls` the defines it may call."""

    draw: Callable[[int], int]
    names: list[tuple[str, str]] = Factory(list)
    """kind and name"""
    calls: list[tuple[str, str, str]] = Factory(list)
    """what a define gives, its name, the kinds of its parameters"""
    count: int = 0
    proceeds: str = ""
    """what `proceed` gives, in an attachment, and the kinds of its arguments"""

    def one_of(self, *choices: str) -> str:
        return choices[self.draw(len(choices))]

    def fresh(self, kind: str) -> str:
        self.count += 1
        self.names.append((kind, f"v{self.count}"))
        return f"v{self.count}"

    def write(self, kind: str, depth: int) -> str:
        known = [name for k, name in self.names if k == kind]
        if known and self.draw(3) == 0:
            return known[-1 - self.draw(len(known))]
        forms: tuple[str, ...] = (LEAVES if depth <= 0 else FORMS)[kind]
        if depth > 0:
            forms += tuple(self.call(called, kinds) for gives, called, kinds in self.calls if gives == kind)
            if self.proceeds[:1] == kind:
                forms += ("proceed", self.call("proceed", self.proceeds[1:]))
        return self.fill(self.one_of(*forms), depth - 1)

    @staticmethod
    def call(name: str, kinds: str) -> str:
        return f"{name}({', '.join(f'<{kind}>' for kind in kinds)})"

    def fill(self, form: str, depth: int) -> str:
        """The form with `<K>` replaced by an expression of that kind, `<name>` by the name of a card."""
        if form.startswith("!"):  # a query, perhaps its first or last element
            query, _, end = form[1:].partition(".")
            return self.query(*query.split(), depth=depth) + ("." + end if end else "")
        made = ""
        for piece in re.split(r"(<[A-Za-z]+>)", form):
            if piece == "<name>":
                made += self.one_of(*NAMES)
            elif re.fullmatch("<[A-Z]>", piece):
                made += self.write(piece[1], depth)
            else:
                made += piece
        return made

    def query(self, how: str, kind: str = "", source: str = "", *, depth: int) -> str:
        """A query; what it binds is known in it only."""
        outer = len(self.names)
        if how in ("highest", "lowest"):
            elements = self.fill(source, depth)
            name = self.fresh(kind)
            where = f" where {self.condition(name, elements, depth)}" if self.draw(2) else ""
            keys = self.write("N", depth) + (f", {self.write(self.one_of('N', 'S'), depth)}" if self.draw(2) else "")
            made = f"{how}({name} in {elements}{where} by {keys})"
        elif how == "cards":
            elements = self.fill(source, depth)
            name = self.fresh(kind)
            where = f" where {self.condition(name, elements, depth)}" if self.draw(3) else ""
            made = f"[{name} for {name} in {elements}{where}]"
        else:
            binders = self.binders(depth)
            value = self.write("N", depth) + " for " if how not in ("count", "any") else ""
            made = f"[{value}{binders}]" if how == "list" else f"{how}({value}{binders})"
        del self.names[outer:]
        return made

    def binders(self, depth: int) -> str:
        """One or two binders, perhaps with a condition; their names stay known to the rest of the form."""
        made: list[str] = []
        last = source = ""
        for _ in range(1 + (self.draw(3) == 0)):
            kind, source = SOURCES[self.draw(len(SOURCES))]
            source = self.fill(source, depth - 1)
            last = self.fresh(kind)
            made.append(f"{last} in {source}")
        if self.draw(3):
            return ", ".join(made) + " where " + self.condition(last, source, depth)
        return ", ".join(made)

    def condition(self, name: str, source: str, depth: int) -> str:
        """A filter, sometimes of the sort the compiler looks for: what can be asked before the loop, or the best if there are any."""
        kind = self.draw(5)
        if kind == 0 and name:
            self.count += 1
            wanted = self.write("F", depth)
            other = re.sub(rf"\b{name}\b", f"v{self.count + 100_000}", wanted)
            return f"({wanted} when any(v{self.count + 100_000} in {source} where {other}) otherwise {self.write('F', depth)})"
        if kind == 1:
            return f"{self.write('F', depth)} and {self.write('F', depth)}"
        if kind == 2:
            return f"{self.write('F', depth)} or {self.write('F', depth)}"
        if kind == 3:
            return f"({self.write('F', depth)} when {self.write('F', depth)} otherwise {self.write('F', depth)})"
        return self.write("F", depth)


LEAVES: dict[str, tuple[str, ...]] = {
    "N": ("0", "1", "2", "-1", "3", "n", "total[<P>]", "by_suit[<S>]", "deck.size"),
    "F": ("yes", "unled()", "deck is empty", "n is 2", "lead is <S>"),
    "L": ("xs", "[1, 2, 2]", "(1..3)", "(0..n)"),
    "C": ("deck.top", "hand[<P>].first", "Card.last"),
    "Z": ("deck", "hand[<P>]", "bag[<P>]", "hand", "bag", "store[<P>]", "store[<P>][<S>]", "Card", "store"),
    "P": ("players.first", "players.last", "seats.last"),
    "S": ("Clubs", "Hearts", "Spades"),
}
FORMS: dict[str, tuple[str, ...]] = {
    "N": (
        "(<N> + <N>)", "(<N> - <N>)", "(<N> * <N>)", "(<N> / <N>)", "(<N> mod <N>)", "-<N>", "<C>.value", "<Z>.size", "<C>.suit.order",
        "(<N> when <F> otherwise <N>)", "!count", "!sum", "!max", "!min", "sum(<L>)", "max(<L>)",
        "<L>.first", "<L>.size", "<C>.position", "<L>[n]", "<L>[total[<P>]]", "total[<P>]", "by_suit[<S>]",
    ),
    "F": (
        "(<N> < <N>)", "(<N> >= <N>)", "(<N> is <N>)", "(<S> is <S>)", "(<P> is <P>)", "(<C> is <name>)", "(<C>.twin is <S>)", "(lead is <S>)",
        "(<S> < <S>)", "not <F>", "(<F> and <F>)", "(<F> or <F>)", "!any", "(<C> is in <Z>)", "(<C> is not in <Z>)", "(<Z> is empty)",
        "(<N> is in <L>)", "(<N> is in [1, <N>])", "same(<L>, <L>)", "(<L> is <L>)", "(<C> is <C>)", "beaten(<S>)",
        "(chosen is <C>)", "below(<N>)", "(<C> is in [<name>, <name>])", "(<F> when <F> otherwise <F>)",
    ),
    "L": ("!list", "[<N>, <N>]", "(<L> + <L>)", "(<N>..3)", "!lowest N <L>", "xs"),
    "C": ("!cards C <Z>.first", "hand[<P>][n]", "!highest C <Z>.first", "deck.top", "!lowest C <Z>.first"),
    "Z": (
        "!cards C <Z>", "!highest C <Z>", "hand[<P>]", "bag[<P>]", "store[<P>][<S>]", "hand", "Card",
    ),
    "P": ("<P>.left", "<P>.right", "turn_order(<P>).last", "<C>.owner", "players.first", "!highest P players.first"),
    "S": ("<C>.suit", "Clubs", "Spades", "!highest S Suit.last"),
}  # fmt: skip
SOURCES = (
    ("C", "hand[<P>]"), ("C", "deck"), ("C", "bag"), ("C", "Card"), ("C", "<Z>"), ("N", "1..3"), ("N", "<L>"), ("P", "players"),
    ("P", "others(<P>)"), ("P", "turn_order(<P>)"), ("S", "Suit"),
)  # fmt: skip
