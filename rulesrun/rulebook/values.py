"""Expressions in English: values as noun phrases, flags as clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Any

from attrs import define

from dsl import model, types
from rulesrun.rulebook.naming import Naming, is_local, is_player, sort_of, unwrapped
from rulesrun.rulebook.words import Noun, article, escaped, humanised, is_plural, is_verb, listed, plural, said

EVERYBODY = ("players", "seats")
COMPARED = {
    "<": ("less than", "at least"),
    "<=": ("at most", "more than"),
    ">": ("more than", "at most"),
    ">=": ("at least", "less than"),
}
SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "mod": "modulo"}


@define
class Words:
    """Says the values of a game; `names` are those of the rule that is being told. `otherwise` is what `proceed` stands for."""

    game: model.Game
    names: Naming
    otherwise: str = "what it would be otherwise"

    # ── values ──

    def noun(self, expr: model.Expr | None) -> Noun:
        if expr is None:
            return Noun("nothing")
        if unwrapped(expr.type) == types.FLAG and not isinstance(expr, model.Literal | model.LocalRef):
            return Noun(f"whether {self.clause(expr)}")
        return self._noun(expr)

    def text(self, expr: model.Expr | None) -> str:
        return self.noun(expr).text

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

    # ── binders ──

    def described(self, binders: model.Binders, many: bool = False, article_word: str = "a") -> str:
        """“cards in your hand whose damage is 0”; several binders: “combinations of …”."""
        phrases = [self.binding(binding, many, article_word) for binding in binders.bindings]
        where = self.whose(binders.where, [b.local for b in binders.bindings], many) if binders.where is not None else ""
        for binding in binders.bindings:
            self.names.met.add(id(binding.local))
        if len(phrases) == 1:
            return phrases[0] + where
        joined = listed(phrases, "with" if many else "and")
        return joined + where

    def binding(self, binding: model.Binding, many: bool, article_word: str) -> str:
        noun, place = self.range(binding, many)
        if article_word and not many:
            noun = article(noun) if article_word == "a" else f"{article_word} {noun}"
        return f"{noun}{place}"

    def range(self, binding: model.Binding, many: bool) -> tuple[str, str]:
        """What is bound, and out of what: (“card”, “ in your hand”)."""
        sort = sort_of(binding.local.type)
        phrase = self.names.of(binding.local).text
        named = phrase.split()[-1] if phrase.split()[0] not in ("the", "that") else ""
        if phrase.startswith("the ") and phrase[4:] != sort:
            named = f"({phrase})"
        word = plural(sort) if many else sort
        if isinstance(binding.local.type, types.ListType):
            word = f"{'sets' if many else 'set'} of {sort}"
        if sort == "number" and len(phrase) <= 2:
            named = phrase
        word = f"{word} {named}".strip()
        source = binding.source
        if isinstance(source, model.Builtin):
            who = source.arguments[0] if source.arguments else None
            if source.name == "players":
                return word, ""
            if source.name == "seats":
                return word, " at the table"
            if source.name == "others":
                return f"other {word}" if self.noun(who).you else word, "" if self.noun(
                    who
                ).you else f" other than {self.text(who)}"
            if source.name == "turn_order":
                return word, f" (clockwise from {self.text(who)})"
        if isinstance(source, model.AllCards):
            name = card_name(source.card_type)
            return word.replace("cards" if many else "card", plural(name) if many else name, 1), ""
        if isinstance(source, model.Members):
            return word, ""
        if isinstance(source, model.Spaces):
            return word, ""
        if isinstance(source, model.Numbers):
            return word, f" from {self.text(source.low)} to {self.text(source.high)}"
        if isinstance(source, model.CardsIn | model.ZoneFamily):
            return word, f" in {self.place(source)}"
        if isinstance(source, model.Items):
            return word, f" out of {self.text(source)}"
        return word, f" among {self.text(source)}"

    def whose(self, condition: model.Expr, of: Sequence[model.Local], many: bool) -> str:
        """“ whose strength is less than 4”, or “ for which …”."""
        relative = self.relative(condition, of[0], many) if len(of) == 1 else None
        return f" {relative}" if relative is not None else f" for which {self.clause(condition)}"

    def relative(self, condition: model.Expr, local: model.Local, many: bool) -> str | None:
        """“whose row is empty and who are in the round”: if every part of the condition begins with what it is about, and only begins."""
        own = self.names.of(local)
        pronoun = "who" if is_player(local.type) else "that"
        self.names.phrases[id(local)] = Noun(f"{PLACEHOLDER}{pronoun}", many, whose=f"{PLACEHOLDER}whose")
        clauses = [self.clause(part) for part in conjuncts(condition)]
        self.names.phrases[id(local)] = own
        if all(clause.startswith(PLACEHOLDER) and clause.count(PLACEHOLDER) == 1 for clause in clauses):
            return listed([clause.removeprefix(PLACEHOLDER) for clause in clauses])
        return None

    # ── conditions ──

    def clause(self, expr: model.Expr, negated: bool = False) -> str:
        """A flag as a clause: “your row is empty”."""
        if isinstance(expr, model.Not):
            return self.clause(expr.value, not negated)
        if isinstance(expr, model.Binary) and expr.op in ("and", "or"):
            return self.joined(expr, negated)
        told = CLAUSES.get(type(expr))
        if told is not None:
            return told(self, expr, negated)
        return f"{self._noun(expr)} is {'not ' if negated else ''}true"

    def joined(self, expr: model.Binary, negated: bool) -> str:
        word = {"and": "or", "or": "and"}[expr.op] if negated else expr.op
        parts = []
        for side in (expr.left, expr.right):
            text = self.clause(side, negated)
            inner = side.value if isinstance(side, model.Not) else side
            mixed = isinstance(inner, model.Binary) and inner.op in ("and", "or") and inner.op != expr.op
            parts.append(f"({text})" if mixed else text)
        return f"{parts[0]} {word} {parts[1]}"

    def comparison(self, expr: model.Binary, negated: bool) -> str:
        left, right = self.noun(expr.left), self.text(expr.right)
        if unwrapped(expr.left.type) == types.NUMBER:
            words = COMPARED[expr.op][negated]
            return f"{left} {left.be} {words} {right}"
        words = {"<": "below", "<=": "not above", ">": "above", ">=": "not below"}[expr.op]
        if negated:
            words = words.removeprefix("not ") if words.startswith("not ") else f"not {words}"
        return f"{left} {left.be} {words} {right}"

    def equality(self, expr: model.Is, negated: bool) -> str:
        left, right = expr.left, expr.right
        if isinstance(right, model.Literal) and right.value is None:
            return self.absence(left, negated)
        if isinstance(right, model.Literal) and isinstance(right.value, bool):
            return self.clause(left, negated != (not right.value))
        if isinstance(left, model.Query) and left.how == "count" and isinstance(right, model.Literal) and right.value == 0:
            there = self.described(left.binders, article_word="a" if negated else "no")
            return f"there is {there}"
        if isinstance(left, model.Property) and left.name == "owner":
            return said(self.noun(left.of), "belongs", f"to {self.text(right)}", negated)
        if isinstance(left, model.Property) and left.name == "zone":
            return said(self.noun(left.of), "lies", f"in {self.place(right)}", negated)
        if isinstance(left, model.OptionRef) and unwrapped(left.type) != types.NUMBER:
            value = self.text(right)
            return f"the option *{humanised(left.option.name)}* is {'not ' if negated else ''}set to “{value}”"
        subject = self.noun(left)
        what = self.designs(right) if expr.how == "design" or expr.designs else self.noun(right).text
        return f"{subject} {subject.be} {'not ' if negated else ''}{what}"

    def designs(self, right: model.Expr) -> str:
        items = right.items if isinstance(right, model.Items) else (right,)
        names = [
            escaped(str(item.value)) if isinstance(item, model.Literal) and item.value is not None else self.text(item)
            for item in items
        ]
        return listed(names, "or" if len(names) > 1 else "and")

    def absence(self, left: model.Expr, negated: bool) -> str:
        """`x is none`, in the words that fit what `x` is."""
        subject = self.noun(left)
        sort = sort_of(left.type)
        if isinstance(left, model.VarRef) and left.indexes and not is_player(left.indexes[-1].type):
            return f"there is {'a' if negated else 'no'} {var_name(left.variable)} {self.at(left.indexes[-1])}"
        if isinstance(left, model.Attribute):
            name = humanised(self.column(left).name)
            return f"{self.noun(left.of)} {self.noun(left.of).verb('has')} {article(name) if negated else f'no {name}'}"
        if isinstance(left, model.VarRef) and not left.indexes and not is_agent(left.variable.name) and sort != "number":
            who = ("somebody" if negated else "nobody") if sort == "player" else f"{'a' if negated else 'no'} {sort}"
            return f"{who} is remembered as *{humanised(left.variable.name)}*"
        if is_player(left.type) and not isinstance(left, model.VarRef):
            return f"{subject} {subject.be} {'somebody' if negated else 'nobody'}"
        if isinstance(left, model.VarRef | model.Attribute | model.CallDefine | model.Property | model.LocalRef):
            return f"there is {'' if negated else 'no '}{subject}".replace("no the ", "no ").replace("is the ", "is a ")
        return f"{subject} is {'' if negated else 'no '}{sort}"

    def membership(self, expr: model.IsIn, negated: bool) -> str:
        subject, right = self.noun(expr.left), expr.right
        if isinstance(right, model.Builtin) and right.name == "players":
            return f"{subject} {subject.be} {'no longer' if negated else 'still'} in the game"
        if isinstance(right, model.CardsIn | model.ZoneFamily):
            return f"{subject} {subject.be} {'not ' if negated else ''}in {self.place(right)}"
        if expr.designs or (isinstance(right, model.Items) and right.items):
            items = right.items if isinstance(right, model.Items) else ()
            names = self.designs(right) if expr.designs else listed([self.text(item) for item in items], "or")
            return f"{subject} {subject.be} {'neither ' if negated else ''}{names.replace(' or ', ' nor ') if negated else names}"
        return f"{subject} {subject.be} {'not ' if negated else ''}among {self.text(right)}"

    def emptiness(self, expr: model.IsEmpty, negated: bool) -> str:
        value = expr.value
        if isinstance(value, model.Query) and self.is_binder(value):
            there = self.described(value.binders, article_word="a" if negated else "no")
            return f"there is {there}"
        if isinstance(value, model.ZoneFamily) and any(is_player(t) for t in value.zone.indexes[len(value.indexes) :]):
            return f"{'somebody has cards' if negated else 'nobody has cards'} in his {zone_name(value.zone)}"
        if isinstance(value.type, types.ZoneType) or isinstance(value, model.CardsIn | model.ZoneFamily):
            subject = Noun(self.place(value), self.noun(value).plural and not isinstance(value, model.CardsIn))
            return f"{subject} {subject.be} {'not ' if negated else ''}empty"
        return f"there is {'something' if negated else 'nothing'} among {self.text(value)}"

    def existence(self, expr: model.Query, negated: bool) -> str:
        return f"there is {self.described(expr.binders, article_word='no' if negated else 'a')}"

    def relation(self, expr: model.CallDefine, negated: bool) -> str:
        """A define that is a flag: its name as the verb, its first argument as the subject."""
        words = humanised(expr.define.name).split()
        arguments = list(expr.arguments)
        if not arguments:
            if words[0] in ("is", "has") and len(words) > 1:
                return f"it {words[0]} {'not ' if negated else ''}the *{' '.join(words[1:])}*"
            return f"*{' '.join(words)}* is {'not ' if negated else ''}true"
        if is_verb(words[0]):
            verb, rest = words[0], words[1:]
            subject = arguments.pop(0)
        elif len(words) > 1:
            told = listed([self.text(argument) for argument in arguments])
            return f"*{' '.join(words)}* {'does not apply' if negated else 'applies'} to {told}"
        else:
            verb, rest = "is", words
            subject = next((a for a in arguments if not is_player(a.type)), arguments[0])
            arguments.remove(subject)
        things = [self.object_of(a) for a in arguments if not is_player(a.type)]
        given = "" if not rest and verb != "is" else "with "
        tail = f" {given}{listed(things)}" if things else ""
        tail += "".join(f" for {self.text(a)}" for a in arguments if is_player(a.type))
        noun = self.noun(subject)
        if verb in ("is", "has", "may", "can", "must", "was"):
            return said(noun, verb, f"*{' '.join(rest)}*{tail}", negated)
        shown = noun.verb(verb) if not negated else f"{'do' if noun.you or noun.plural else 'does'} not {Noun('', True).verb(verb)}"
        first, last = shown.rsplit(" ", 1) if " " in shown else ("", shown)
        return " ".join(part for part in (str(noun), first, f"*{' '.join([last, *rest])}*{tail}") if part)

    def object_of(self, argument: model.Expr) -> str:
        if unwrapped(argument.type) == types.FLAG:
            return f"({self.text(argument)})"
        return self.text(argument)

    def variable_flag(self, expr: model.VarRef, negated: bool) -> str:
        name = humanised(expr.variable.name)
        if expr.indexes and is_player(expr.indexes[0].type) and len(expr.indexes) == 1:
            return said(self.noun(expr.indexes[0]), "is", f"*{name}*", negated)
        where = "".join(f" {self.at(index)}" for index in expr.indexes)
        return f"*{name}*{where} {'does not hold' if negated else 'holds'}"

    def option_flag(self, expr: model.OptionRef, negated: bool) -> str:
        return f"the option *{humanised(expr.option.name)}* is {'off' if negated else 'on'}"

    def attribute_flag(self, expr: model.Attribute, negated: bool) -> str:
        name = humanised(self.column(expr).name)
        return said(self.noun(expr.of), "is", f"marked *{name}*", negated)

    def local_flag(self, expr: model.LocalRef, negated: bool) -> str:
        name = humanised(expr.local.name)
        return f"*{name}* is {'not ' if negated else ''}true"

    def literal_flag(self, expr: model.Literal, negated: bool) -> str:
        return "always" if bool(expr.value) != negated else "never"

    def choice_flag(self, expr: model.Choice, negated: bool) -> str:
        condition = self.clause(expr.condition)
        return f"(where {condition}) {self.clause(expr.value, negated)}, or (otherwise) {self.clause(expr.otherwise, negated)}"

    def proceed_flag(self, expr: model.Proceed, negated: bool) -> str:
        return "it would not be so otherwise" if negated else "it would be so otherwise"

    def let_flag(self, expr: model.LetIn, negated: bool) -> str:
        return f"{self.clause(expr.body, negated)} – where {self.names.of(expr.local)} is {self.text(expr.value)}"

    def same_flag(self, expr: model.Builtin, negated: bool) -> str:
        if expr.name == "finished":
            return f"the game is {'not ' if negated else ''}over"
        return f"{self._noun(expr)} is {'not ' if negated else ''}true"


def is_agent(name: str) -> bool:
    """Whether a name says what somebody is: `starter`, `dealer`."""
    return name.split("_")[-1].endswith(("er", "or", "ee", "ant", "boss", "king", "man"))


def zone_name(zone: model.Zone) -> str:
    """“draw deck”; what is no noun gets one: “taken pile”."""
    name = humanised(zone.name)
    return f"*{name}* {PLACES[zone.shape]}" if zone.name.endswith(ADJECTIVES) or zone.name.startswith("in_") else name


def var_name(variable: model.Variable) -> str:
    if variable.name == "at":
        return "place"
    name = humanised(variable.name)
    return f"*{name}* {sort_of(variable.type)}" if variable.name.startswith("in_") and variable.type != types.FLAG else name


def card_name(card: model.CardType) -> str:
    name = humanised(card.name)
    return name if name.lower().endswith("card") else f"{name} card"


def conjuncts(expr: model.Expr) -> list[model.Expr]:
    if isinstance(expr, model.Binary) and expr.op == "and":
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


PLACEHOLDER = "\x00"
ADJECTIVES = ("ed", "lost", "ing", "taken", "drawn", "won", "out", "aside", "hidden")
PLACES = {"pile": "pile", "row": "row", "set": "cards"}
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


def _binary_flag(words: Words, expr: Any, negated: bool) -> str:
    return words.comparison(expr, negated)


def _query_flag(words: Words, expr: Any, negated: bool) -> str:
    return words.existence(expr, negated)


CLAUSES: dict[type, Callable[[Words, Any, bool], str]] = {
    model.Binary: _binary_flag,
    model.Is: Words.equality,
    model.IsIn: Words.membership,
    model.IsEmpty: Words.emptiness,
    model.Query: _query_flag,
    model.CallDefine: Words.relation,
    model.VarRef: Words.variable_flag,
    model.OptionRef: Words.option_flag,
    model.Attribute: Words.attribute_flag,
    model.LocalRef: Words.local_flag,
    model.Literal: Words.literal_flag,
    model.Choice: Words.choice_flag,
    model.LetIn: Words.let_flag,
    model.Proceed: Words.proceed_flag,
    model.Builtin: Words.same_flag,
}
