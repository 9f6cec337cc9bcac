"""Flags in English, as clauses (“your row is empty”), and what is gone through (“cards in your hand whose damage is 0”)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define

from dsl import model, types
from rulesrun.rulebook.naming import Naming, card_name, is_agent, is_player, sort_of, unwrapped, var_name, zone_name
from rulesrun.rulebook.words import Noun, article, escaped, humanised, is_verb, listed, plural, said

COMPARED = {
    "<": ("less than", "at least"),
    "<=": ("at most", "more than"),
    ">": ("more than", "at most"),
    ">=": ("at least", "less than"),
}
PLACEHOLDER = "\x00"


@define
class Clauses:
    """Says the conditions of a game; `names` are those of the rule that is being told. `otherwise` is what `proceed` stands for. The nouns in
    a clause come from `Words`, which is made of this."""

    game: model.Game
    names: Naming
    otherwise: str = "what it would be otherwise"

    # ── what `Words` says ──

    def noun(self, expr: model.Expr | None) -> Noun:
        """A value as a noun phrase."""
        raise NotImplementedError

    def text(self, expr: model.Expr | None) -> str:
        return self.noun(expr).text

    def noun_of_flag(self, expr: model.Expr) -> Noun:
        """A flag that no clause fits, as a noun phrase."""
        raise NotImplementedError

    def place(self, expr: model.Expr) -> str:
        """A zone, where something lies in it."""
        raise NotImplementedError

    def at(self, index: model.Expr) -> str:
        """The index of a variable, with the preposition that fits it."""
        raise NotImplementedError

    def column(self, expr: model.Attribute) -> model.Column:
        raise NotImplementedError

    def is_binder(self, query: model.Query) -> bool:
        """Does the query list what it goes through, as it is?"""
        raise NotImplementedError

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
        return f"{self.noun_of_flag(expr)} is {'not ' if negated else ''}true"

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
        return f"{self.noun_of_flag(expr)} is {'not ' if negated else ''}true"


def conjuncts(expr: model.Expr) -> list[model.Expr]:
    if isinstance(expr, model.Binary) and expr.op == "and":
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


def _binary_flag(words: Clauses, expr: Any, negated: bool) -> str:
    return words.comparison(expr, negated)


def _query_flag(words: Clauses, expr: Any, negated: bool) -> str:
    return words.existence(expr, negated)


CLAUSES: dict[type, Callable[[Clauses, Any, bool], str]] = {
    model.Binary: _binary_flag,
    model.Is: Clauses.equality,
    model.IsIn: Clauses.membership,
    model.IsEmpty: Clauses.emptiness,
    model.Query: _query_flag,
    model.CallDefine: Clauses.relation,
    model.VarRef: Clauses.variable_flag,
    model.OptionRef: Clauses.option_flag,
    model.Attribute: Clauses.attribute_flag,
    model.LocalRef: Clauses.local_flag,
    model.Literal: Clauses.literal_flag,
    model.Choice: Clauses.choice_flag,
    model.LetIn: Clauses.let_flag,
    model.Proceed: Clauses.proceed_flag,
    model.Builtin: Clauses.same_flag,
}
