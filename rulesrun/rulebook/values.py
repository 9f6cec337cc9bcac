"""Values in English, as noun phrases; conditions are in `clauses`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatchmethod
from typing import Any

from attrs import define

from dsl import model, types
from rulesrun.rulebook.clauses import Clauses
from rulesrun.rulebook.naming import (
    ADJECTIVES,
    card_name,
    is_agent,
    is_local,
    is_player,
    sort_of,
    unwrapped,
    var_name,
    zone_name,
)
from rulesrun.rulebook.words import Noun, escaped, humanised, is_plural, listed, plural

EVERYBODY = ("players", "seats")
SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "mod": "modulo"}


@define
class Words(Clauses):
    """Says the values of a game, and by what it is made of, its conditions."""

    def noun(self, expr: model.Expr | None) -> Noun:
        if expr is None:
            return Noun("nothing")
        if unwrapped(expr.type) == types.FLAG and not isinstance(expr, model.Literal | model.LocalRef):
            return Noun(f"whether {self.clause(expr)}")
        return self._noun(expr)

    def noun_of_flag(self, expr: model.Expr) -> Noun:
        return self._noun(expr)

    @singledispatchmethod
    def _noun(self, expr: Any) -> Noun:
        raise TypeError(f"no words for {type(expr).__name__}")

    @_noun.register
    def _(self, expr: model.Literal) -> Noun:
        return Noun(self.plain(expr.value, expr.type))

    def plain(self, value: object, type: types.Type) -> str:
        """A value that is written out."""
        kind = unwrapped(type)
        if value is None:
            return "nobody" if kind == types.PLAYER else "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(kind, types.ListType) and isinstance(value, tuple):
            return listed([self.plain(item, kind.of) for item in value]) or "none"
        if isinstance(kind, types.KindType) and isinstance(value, int):
            return escaped(next(k for k in self.game.kinds if k.id == kind.id).members[value][1])
        if isinstance(kind, types.SpaceType) and isinstance(value, int):
            return escaped(next(b for b in self.game.boards if b.id == kind.id).spaces[value].name or f"space {value + 1}")
        if isinstance(value, str):
            return f"“{escaped(value)}”"
        if kind == types.PLAYER and isinstance(value, int):
            return f"P{value + 1}"
        return str(value)

    @_noun.register
    def _(self, expr: model.LocalRef) -> Noun:
        return self.names.of(expr.local)

    @_noun.register
    def _(self, expr: model.OptionRef) -> Noun:
        option = expr.option
        return Noun(f"{self.plain(option.value, option.type)} (*{humanised(option.name)}*)")

    @_noun.register
    def _(self, expr: model.VarRef) -> Noun:
        name, sort = expr.variable.name, sort_of(expr.type)
        if is_player(expr.type) and not expr.indexes and not is_agent(name):
            return Noun(f"the player remembered as *{humanised(name)}*")
        if name.endswith(ADJECTIVES) and not expr.indexes and unwrapped(expr.type) != types.FLAG:
            return Noun(f"the *{humanised(name)}* {sort}", isinstance(expr.type, types.ListType))
        return self.member(var_name(expr.variable), expr.indexes, isinstance(expr.type, types.ListType))

    @_noun.register
    def _(self, expr: model.VarFamily) -> Noun:
        return self.family(humanised(expr.variable.name), expr.indexes, expr.variable.indexes)

    @_noun.register
    def _(self, expr: model.DiceRef) -> Noun:
        return Noun("the numbers rolled", True) if expr.dice.count > 1 else Noun("the number rolled")

    @_noun.register
    def _(self, expr: model.ZoneRef) -> Noun:
        return self.member(zone_name(expr.zone), expr.indexes)

    @_noun.register
    def _(self, expr: model.ZoneFamily) -> Noun:
        return self.family(zone_name(expr.zone), expr.indexes, expr.zone.indexes)

    def member(self, name: str, indexes: Sequence[model.Expr], many: bool = False) -> Noun:
        """One of a family: “your row”, “player Q’s bank for the suit”."""
        owner = next((index for index in indexes if is_player(index.type)), None)
        others = [self.text(index) for index in indexes if index is not owner]
        rest = "".join(f" {self.at(index)}" for index in indexes if index is not owner)
        many = many or is_plural(name)
        if owner is None:
            return Noun(f"the {name}{rest}", many)
        if len(self.text(owner).split()) > 3:
            return Noun(f"the {name} of {self.text(owner)}{rest}", many)
        whose = self.noun(owner).possessive
        if others and len(others[0].split()) == 1 and others[0][:1].isupper():
            return Noun(f"{whose} {others[0]} {name}{rest.removeprefix(f' {self.at(indexes[1])}')}", many)
        return Noun(f"{whose} {name}{rest}", many)

    def at(self, index: model.Expr) -> str:
        return f"{'on' if isinstance(unwrapped(index.type), types.SpaceType) else 'for'} {self.text(index)}"

    def family(self, name: str, indexes: Sequence[model.Expr], of: Sequence[types.Type]) -> Noun:
        left = of[len(indexes) :]
        whose = self.noun(indexes[0]).possessive if indexes and is_player(indexes[0].type) else "the"
        if any(is_player(t) for t in left):
            return Noun(f"all players’ {name if '*' in name else plural(name)}", True)
        sorts = listed([f"each {sort_of(t)}" for t in left])
        return Noun(f"{whose} {name}" + (f" for {sorts}" if whose == "the" and sorts else ""), is_plural(name))

    @_noun.register
    def _(self, expr: model.CardsIn) -> Noun:
        return Noun(f"the cards in {self.text(expr.zone)}", True)

    @_noun.register
    def _(self, expr: model.AllCards) -> Noun:
        return Noun(f"all {plural(card_name(expr.card_type))}", True)

    @_noun.register
    def _(self, expr: model.Members) -> Noun:
        return Noun(f"every {humanised(expr.kind.name).lower()}")

    @_noun.register
    def _(self, expr: model.Spaces) -> Noun:
        return Noun("the spaces of the board", True)

    @_noun.register
    def _(self, expr: model.SpaceAt) -> Noun:
        column, row = expr.column, expr.row
        if isinstance(column, model.Literal) and isinstance(row, model.Literal):
            found = expr.board.grid.get((column.value, row.value)) if isinstance(column.value, int) else None  # type: ignore[arg-type]
            if found is not None and expr.board.spaces[found].name:
                return Noun(expr.board.spaces[found].name)
        return Noun(f"the space in column {self.text(column)}, row {self.text(row)} (counted from 0)")

    @_noun.register
    def _(self, expr: model.Widen) -> Noun:
        return self.noun(expr.value)

    @_noun.register
    def _(self, expr: model.CardNamed) -> Noun:
        return Noun(f"a {escaped(expr.design)}")

    @_noun.register
    def _(self, expr: model.Attribute) -> Noun:
        name, of = humanised(self.column(expr).name), self.noun(expr.of)
        if len(of.text.split()) > 3:
            return Noun(f"the {name} of {of}", is_plural(name))
        return Noun(f"{of.possessive} {name}", is_plural(name))

    def column(self, expr: model.Attribute) -> model.Column:
        of = unwrapped(expr.of.type)
        things: list[model.CardType | model.Board] = [*self.game.card_types, *self.game.boards]
        return next(thing for thing in things if isinstance(of, types.Named) and thing.id == of.id).attributes[expr.column]

    @_noun.register
    def _(self, expr: model.Property) -> Noun:
        said_so = PROPERTIES.get(expr.name)
        of = expr.of
        if isinstance(of, model.Query) and expr.name == "first":
            return self.first_of(of)
        if isinstance(of, model.Builtin) and of.name == "seats" and expr.name in ("first", "last"):
            return Noun(f"the {expr.name} player at the table")
        if isinstance(of.type, types.ZoneType) and expr.name in ("first", "last", "top", "bottom"):
            return Noun(f"the {expr.name} card of {self.place(of)}")
        if isinstance(of, model.DiceRef) and expr.name in ("first", "last"):
            many = of.dice.count > 1
            return Noun(f"the number on the {expr.name} die" if many else "the number rolled")
        if expr.name == "size":
            return Noun(self.how_many(of))
        if is_player(of.type) and expr.name in ("left", "right"):
            return Noun(f"the player on {self.noun(of).possessive} {expr.name}")
        if said_so is None:
            return Noun(f"{self.noun(of).possessive} {humanised(expr.name)}")
        return Noun(said_so.format(self.text(of)), expr.name == "neighbours")

    def place(self, expr: model.Expr) -> str:
        return self.text(expr.zone if isinstance(expr, model.CardsIn) else expr)

    def how_many(self, expr: model.Expr) -> str:
        if isinstance(expr, model.Builtin) and expr.name in EVERYBODY:
            return "the number of players" + (" still in the game" if expr.name == "players" else "")
        if isinstance(expr.type, types.ZoneType) or isinstance(expr, model.CardsIn | model.ZoneFamily):
            return f"the number of cards in {self.place(expr)}"
        if isinstance(expr, model.Query) and expr.how == "list":
            return self.text(model.Query(how="count", binders=expr.binders, type=types.NUMBER, span=expr.span))
        return f"the number of {self.text(expr)}"

    def first_of(self, query: model.Query) -> Noun:
        if query.how in ("highest", "lowest"):
            return Noun(self.best(query, several=False))
        if query.how == "list" and query.value is not None and self.is_binder(query):
            return Noun(f"the first {self.described(query.binders, article_word='')}")
        return Noun(f"the first of {self.text(query)}")

    def is_binder(self, query: model.Query) -> bool:
        return len(query.binders.bindings) == 1 and is_local(query.value) and query.value.local is query.binders.bindings[0].local

    @_noun.register
    def _(self, expr: model.Binary) -> Noun:
        left, right = self.within(expr.left, expr.op), self.within(expr.right, expr.op)
        if isinstance(expr.type, types.ListType):
            return Noun(f"{left}, together with {right}", True)
        if expr.op == "mod":
            return Noun(f"what is left when {left} is divided by {right}")
        if expr.op == "/":
            return Noun(f"{left} divided by {right}, rounded down")
        if expr.op == "*" and isinstance(expr.left, model.Literal) and expr.left.value == 2:
            return Noun(f"twice {right}")
        if expr.op == "*" and isinstance(expr.right, model.Literal) and expr.right.value == 2:
            return Noun(f"twice {left}")
        return Noun(f"{left} {SIGNS[expr.op]} {right}")

    def within(self, expr: model.Expr, op: str) -> str:
        mixed = isinstance(expr, model.Binary) and (op in "*/" or expr.op not in ("+", "*") or isinstance(expr, model.Choice))
        text = self.text(expr)
        return f"({text})" if mixed or isinstance(expr, model.Choice) else text

    @_noun.register
    def _(self, expr: model.Negate) -> Noun:
        return Noun(f"−{self.text(expr.value)}" if isinstance(expr.value, model.Literal) else f"minus {self.text(expr.value)}")

    @_noun.register
    def _(self, expr: model.Choice) -> Noun:
        return Noun(f"{self.text(expr.value)} if {self.clause(expr.condition)}, otherwise {self.text(expr.otherwise)}")

    @_noun.register
    def _(self, expr: model.LetIn) -> Noun:
        return Noun(f"{self.text(expr.body)} – where {self.names.of(expr.local)} is {self.text(expr.value)}")

    @_noun.register
    def _(self, expr: model.Numbers) -> Noun:
        return Noun(f"the numbers from {self.text(expr.low)} to {self.text(expr.high)}", True)

    @_noun.register
    def _(self, expr: model.ItemOf) -> Noun:
        number = self.text(expr.number)
        if isinstance(expr.of, model.Builtin) and expr.of.name == "turn_order":
            return Noun(f"the player number {number}, counted clockwise from {self.text(expr.of.arguments[0])} as number 1")
        return Noun(f"number {number} of {self.text(expr.of)}")

    @_noun.register
    def _(self, expr: model.Items) -> Noun:
        if not expr.items:
            return Noun("an empty list")
        return Noun(listed([self.text(item) for item in expr.items]), len(expr.items) > 1)

    @_noun.register
    def _(self, expr: model.Query) -> Noun:
        binders = expr.binders
        if expr.how == "count":
            return Noun(f"the number of {self.described(binders, many=True)}")
        if expr.how in ("highest", "lowest"):
            return Noun(self.best(expr, several=True), True)
        if expr.how == "list":
            if self.is_binder(expr):
                return Noun(f"all {self.described(binders, many=True)}", True)
            return Noun(f"{self.text(expr.value)}, for {self.described(binders, article_word='each')}", True)
        start = {"sum": "the sum of", "max": "the highest of", "min": "the lowest of"}[expr.how]
        return Noun(f"{start} {self.text(expr.value)}, for {self.described(binders, article_word='each')}")

    def best(self, query: model.Query, several: bool) -> str:
        """“the player with the highest total”"""
        binding = query.binders.bindings[0]
        keys = []
        for key in query.keys:
            how = query.how
            if isinstance(key, model.Negate):
                key, how = key.value, "lowest" if how == "highest" else "highest"
            keys.append(f"the {how} {self.key_of(key, binding.local)}")
        which = self.described(query.binders, many=several, article_word="")
        tie = "".join(f", if tied {key}" for key in keys[1:])
        order = "" if several else f"; if several tie, the first of them{self.order_of(binding.source)}"
        return f"the {which} with {keys[0]}{tie}{order}"

    def order_of(self, source: model.Expr) -> str:
        if isinstance(source, model.Builtin) and source.name == "turn_order":
            return f" clockwise, beginning with {self.text(source.arguments[0])}"
        if isinstance(source, model.Builtin) and source.name in EVERYBODY:
            return " in the order of seats"
        return ""

    def key_of(self, key: model.Expr, local: model.Local) -> str:
        """“total” of “that player’s total”."""
        text = self.text(key)
        own = self.names.of(local)
        if text.startswith(own.possessive + " "):
            return text[len(own.possessive) + 1 :]
        if text.startswith("the number of"):
            return text.removeprefix("the ")
        return text.removeprefix("the ")

    @_noun.register
    def _(self, expr: model.Fold) -> Noun:
        start = {"sum": "the sum of", "max": "the highest of", "min": "the lowest of"}[expr.how]
        return Noun(f"{start} {self.text(expr.list)}")

    @_noun.register
    def _(self, expr: model.Reach) -> Noun:
        how = "" if expr.steps is None else f" exactly {self.text(expr.steps)} steps"
        if isinstance(expr.steps, model.Numbers):
            how = f" {self.text(expr.steps.low)} to {self.text(expr.steps.high)} steps"
        told = ""
        if expr.where is not None:
            step = "" if expr.step is None else f", entered as step number {self.names.of(expr.step).text.removeprefix('the ')}"
            told = f" (for every space entered – {self.names.of(expr.space)}{step} – this must be true: {self.clause(expr.where)})"
        kept = ", entering no space twice" if expr.steps is not None else ""
        return Noun(
            f"the spaces that can be reached from {self.text(expr.start)} in{how or ' any number of steps'}{kept}{told}", True
        )

    @_noun.register
    def _(self, expr: model.Distance) -> Noun:
        through = "" if expr.where is None else f", over spaces for which {self.clause(expr.where)}"
        return Noun(f"the number of steps of the shortest way from {self.text(expr.start)} to {self.text(expr.end)}{through}")

    @_noun.register
    def _(self, expr: model.Between) -> Noun:
        return Noun(f"the spaces in a straight line between {self.text(expr.start)} and {self.text(expr.end)}", True)

    @_noun.register
    def _(self, expr: model.SpaceSets) -> Noun:
        where = "" if expr.where is None else f" in which for every space ({self.names.of(expr.space)}) {self.clause(expr.where)}"
        if expr.how == "groups":
            return Noun(f"the connected groups of spaces{where}", True)
        long = "the longest straight lines of spaces"
        if expr.length is not None:
            long = f"the straight lines of {self.text(expr.length)} spaces"
        return Noun(f"{long}{where}", True)

    @_noun.register
    def _(self, expr: model.CallDefine) -> Noun:
        name = f"*{humanised(expr.define.name)}*"
        many = isinstance(expr.type, types.ListType) or is_plural(humanised(expr.define.name))
        if not expr.arguments:
            return Noun(f"the {name}", many)
        owner = next((a for a in expr.arguments if is_player(a.type)), expr.arguments[0])
        rest = [self.text(argument) for argument in expr.arguments if argument is not owner]
        tail = f" ({', '.join(rest)})" if rest else ""
        noun = self.noun(owner)
        if len(noun.text.split()) > 3:
            return Noun(f"the {name} of {noun}{tail}", many)
        return Noun(f"{noun.possessive} {name}{tail}", many)

    def call_of(self, define: model.Define, patterns: Sequence[model.Pattern] = ()) -> model.CallDefine:
        """A define with its own parameters, or with what a head binds or matches in their place."""
        arguments: list[model.Expr] = []
        for place, param in enumerate(define.params):
            pattern = patterns[place] if place < len(patterns) else None
            if isinstance(pattern, model.Match):
                arguments.append(pattern.value)
                continue
            local = pattern.local if isinstance(pattern, model.Bind) else param
            arguments.append(model.LocalRef(local=local, type=local.type, span=local.span))
        return model.CallDefine(define=define, arguments=tuple(arguments), type=define.result, span=define.span)

    @_noun.register
    def _(self, expr: model.Proceed) -> Noun:
        if expr.arguments:
            return Noun(f"{self.otherwise} with {listed([self.text(a) for a in expr.arguments])}")
        return Noun(self.otherwise)

    @_noun.register
    def _(self, expr: model.Builtin) -> Noun:
        arguments = [self.noun(argument) for argument in expr.arguments]
        if expr.name == "players":
            return Noun("all players still in the game", True)
        if expr.name == "seats":
            return Noun("everybody at the table")
        if expr.name == "active":
            return Noun("the player whose turn it is")
        if expr.name == "turn_order":
            return Noun(f"all players, clockwise from {arguments[0]}", True)
        if expr.name == "others":
            return Noun(f"the players other than {arguments[0]}", True)
        if expr.name == "score":
            return Noun(f"{arguments[0].possessive} score")
        return Noun(humanised(expr.name) + (f" of {listed([a.text for a in arguments])}" if arguments else ""))

    @_noun.register
    def _(self, expr: model.Template) -> Noun:
        return Noun(self.label(expr))

    def label(self, template: model.Template) -> str:
        """A text with its holes: each as what stands there, in italics."""
        parts = (escaped(part) if isinstance(part, str) else f"‹{self.text(part)}›" for part in template.parts)
        return "".join(parts)


PROPERTIES = {
    "top": "the top one of {}",
    "bottom": "the bottom one of {}",
    "first": "the first of {}",
    "last": "the last of {}",
    "zone": "the place where {} lies",
    "owner": "the player who has {}",
    "position": "the place of {} in its row or pile",
    "name": "the name of {}",
    "order": "the rank of {} in its order",
    "column": "the column of {}",
    "row": "the row of {}",
    "neighbours": "the neighbours of {}",
    "rays": "the straight lines that start beside {}",
    "left": "the space to the left of {}",
    "right": "the space to the right of {}",
    "up": "the space above {}",
    "down": "the space below {}",
    "up_left": "the space up and left of {}",
    "up_right": "the space up and right of {}",
    "down_left": "the space down and left of {}",
    "down_right": "the space down and right of {}",
}
