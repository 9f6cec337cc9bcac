"""Statements in English: each a sentence, with what is done under a condition or a choice below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from typing import Any

from attrs import Factory, define

from dsl import model, types
from rulesrun.rulebook.naming import is_agent, is_player, sort_of, unwrapped, var_name
from rulesrun.rulebook.values import Words
from rulesrun.rulebook.words import Noun, capital, counted, humanised, listed, plural, sentence

Link = Callable[[model.Rule], str]
"""The name of a rule as it is shown in a sentence."""


@define
class Step:
    """A sentence, and the steps below it."""

    text: str
    below: list[Step] = Factory(list)


@define
class Teller:
    """Tells blocks in the words of one rule."""

    words: Words
    link: Link
    rule: model.Rule | None = None
    known: set[int] = Factory(set)
    """names that have been given a value"""

    def block(self, block: model.Block | None) -> list[Step]:
        if block is None:
            return []
        steps: list[Step] = []
        for statement in block.statements:
            steps += self.step(statement)
        return steps

    def under(self, lead: str, block: model.Block | None, nothing: str = "nothing happens") -> Step:
        """`If …:` with what follows, on the same line if it is one simple sentence."""
        steps = self.block(block)
        if not steps:
            return Step(f"{lead} {nothing}.")
        if len(steps) == 1 and not steps[0].below:
            return Step(f"{lead} {small(steps[0].text)}")
        return Step(lead, steps)

    def step(self, statement: model.Statement) -> list[Step]:
        made = self._step(statement)
        return made if isinstance(made, list) else [made]

    @singledispatchmethod
    def _step(self, statement: Any) -> Step | list[Step]:
        raise TypeError(f"no words for {type(statement).__name__}")

    # ── values that change ──

    @_step.register
    def _(self, s: model.SetLocal) -> Step:
        local = s.local
        noun = self.words.names.of(local)
        if unwrapped(local.type) == types.FLAG:
            return Step(sentence(f"remember whether {self.words.clause(s.value)} (*{humanised(local.name)}*)"))
        if id(local) in self.known:
            return Step(self.changed(noun, s.value, lambda e: isinstance(e, model.LocalRef) and e.local is local))
        self.known.add(id(local))
        return Step(sentence(introduced(local, noun, self.words.text(s.value))))

    @_step.register
    def _(self, s: model.SetVar) -> Step:
        target = model.VarRef(variable=s.variable, indexes=s.indexes, type=s.variable.type, span=s.span)
        name = humanised(s.variable.name)
        noun = self.words.noun(target) if s.variable.type != types.FLAG else self.words._noun(target)
        if s.variable.type == types.FLAG:
            return Step(self.flag(target, s.value, name))
        if isinstance(s.value, model.Literal) and s.value.value is None:
            if s.indexes and not is_player(s.indexes[-1].type):
                return Step(sentence(f"there is no {var_name(s.variable)} {self.words.at(s.indexes[-1])} any more"))
            if not s.indexes and is_agent(s.variable.name):
                return Step(sentence(f"there is no {name} now"))
            if not s.indexes:
                word = "nobody" if is_player(s.variable.type) else f"no {sort_of(s.variable.type)}"
                return Step(sentence(f"{word} is remembered as *{name}* now"))
            return Step(sentence(f"{noun} {noun.be} now {'nobody' if is_player(s.variable.type) else 'none'}"))
        if is_player(s.variable.type) and not s.indexes and not isinstance(s.value, model.Choice):
            who = self.words.noun(s.value)
            if not is_agent(s.variable.name):
                return Step(sentence(f"remember as *{name}*: {who}"))
            return Step(sentence(f"{who} {'are' if who.you else 'is'} now the {name}"))
        return Step(self.changed(noun, s.value, lambda e: e == target))

    def flag(self, target: model.VarRef, value: model.Expr, name: str) -> str:
        if isinstance(value, model.Literal):
            if target.indexes and is_player(target.indexes[0].type) and len(target.indexes) == 1:
                who = self.words.noun(target.indexes[0])
                return sentence(f"{who} {who.be} {'now' if value.value else 'no longer'} *{name}*")
            where = "".join(f" {self.words.at(index)}" for index in target.indexes)
            return sentence(f"*{name}*{where} {'holds from now on' if value.value else 'does not hold now'}")
        return sentence(f"from now on *{name}* holds or not, as this is now true or not: {self.words.clause(value)}")

    def changed(self, noun: Noun, value: model.Expr, is_target: Callable[[model.Expr], bool]) -> str:
        """`x := x + n` as adding, anything else as a new value."""
        if isinstance(value, model.Binary) and value.op in ("+", "-") and is_target(value.left):
            amount = self.words.text(value.right)
            if value.op == "+":
                return sentence(f"add {amount} to {noun}")
            return sentence(f"take {amount} from {noun}")
        return sentence(f"{noun} {noun.be} now {self.words.text(value)}")

    # ── rules ──

    @_step.register
    def _(self, s: model.CallRule) -> Step:
        told = self.call(s.rule, s.arguments)
        return Step(sentence(told + self.result(s.into)))

    def result(self, into: model.Local | model.VarRef | None) -> str:
        if into is None:
            return ""
        noun = self.words.names.of(into) if isinstance(into, model.Local) else self.words.noun(into)
        if isinstance(into, model.Local):
            self.known.add(id(into))
        return f"; {noun} {noun.be} now what that results in"

    def call(self, rule: model.Rule, arguments: Sequence[model.Expr]) -> str:
        """“player Q does *Take damage* with the amount”, “do *Refill*”."""
        who = next((a for p, a in zip(rule.params, arguments, strict=False) if p.type == types.PLAYER), None)
        others = [self.argument(p, a) for p, a in zip(rule.params, arguments, strict=False) if a is not who]
        tail = f", with {listed(others)}" if others else ""
        if who is None:
            return f"do {self.link(rule)}{tail}"
        noun = self.words.noun(who)
        if rule.name == "turn":
            return f"{noun} {noun.verb('takes')} a turn: {self.link(rule)}{tail}"
        return f"{'' if noun.you else f'{noun} '}{noun.verb('does')} {self.link(rule)}{tail}".strip()

    def argument(self, param: model.Local, value: model.Expr) -> str:
        text = self.words.text(value)
        name = humanised(param.name)
        if len(param.name) <= 2 or text == f"the {name}" or unwrapped(param.type) != types.NUMBER:
            return text
        return f"{text} as the {name}"

    @_step.register
    def _(self, s: model.ProceedStatement) -> Step:
        what = "do what is done otherwise"
        if s.arguments:
            params = self.rule.params if self.rule is not None else []
            told = [self.argument(p, a) for p, a in zip(params, s.arguments, strict=False) if not self.same(p, a)]
            what += f", but with {listed(told)}" if told else ""
        return Step(sentence(what + self.result(s.into)))

    def same(self, param: model.Local, value: model.Expr) -> bool:
        return isinstance(value, model.LocalRef) and self.words.names.of(value.local) == self.words.names.of(param)

    @_step.register
    def _(self, s: model.Return) -> Step:
        return Step(sentence(f"this results in {self.words.text(s.value)}"))

    @_step.register
    def _(self, s: model.End) -> Step:
        if s.rule.name == "game":
            return Step("The game is over at once.")
        if s.rule.name == "turn":
            return Step("The turn is over at once.")
        if s.rule is self.rule:
            return Step("Stop here.")
        return Step(sentence(f"{self.link(s.rule)} is over at once"))

    # ── cards ──

    @_step.register
    def _(self, s: model.Move) -> Step:
        to = self.destination(s.to, s.under)
        back = " one after the other" if isinstance(s.cards.type, types.ListType) and s.under else ""
        return Step(sentence(f"put {self.cards(s.cards)} {to}{back}"))

    def cards(self, expr: model.Expr) -> str:
        if isinstance(expr, model.CardsIn):
            return f"all cards in {self.words.text(expr.zone)}"
        if isinstance(expr, model.ZoneFamily):
            return f"all cards in {self.words.text(expr)}"
        return self.words.text(expr)

    def destination(self, zone: model.Expr, under: bool = False) -> str:
        text = self.words.text(zone)
        if under:
            return f"under {text}"
        shape, by = (zone.zone.shape, zone.zone.by is not None) if isinstance(zone, model.ZoneRef) else ("set", False)
        if shape == "pile":
            return f"{'onto' if by else 'on top of'} {text}"
        return f"at the right end of {text}" if shape == "row" and not by else f"into {text}"

    @_step.register
    def _(self, s: model.Deal) -> Step:
        source, count = self.words.place(s.source), s.count
        if s.binders is None:
            return Step(sentence(self.taken(count, source, self.destination(s.to))))
        binding = s.binders.bindings[0]
        each = self.words.described(s.binders, article_word="each")
        place = self.words.text(s.to).replace(self.words.names.of(binding.local).possessive, "his own", 1)
        onto = "into" if not isinstance(s.to, model.ZoneRef) or s.to.zone.shape == "set" else "onto"
        if count is None:
            return Step(sentence(f"deal all cards from {source}, one at a time, round and round to {each}, {onto} {place}"))
        amount = self.amount(count)
        way = ", one at a time, round and round" if amount != "1 card" else ""
        return Step(sentence(f"deal {each} {amount} from {source}{way}, {onto} {place}"))

    def amount(self, count: model.Expr) -> str:
        if isinstance(count, model.Literal) and isinstance(count.value, int):
            return counted(count.value, "card")
        text = self.words.text(count)
        return f"{text} cards" if len(text) <= 2 or isinstance(count, model.OptionRef) else f"this many cards ({text})"

    def taken(self, count: model.Expr | None, source: str, to: str) -> str:
        if count is None:
            return f"take all cards of {source} and put them {to}"
        if isinstance(count, model.Literal) and count.value == 1:
            return f"take the top card of {source}, if there is one, and put it {to}"
        if isinstance(count, model.Literal | model.OptionRef):
            return f"take the top {self.amount(count)} of {source}, or as many as there are, and put them {to}"
        return f"take from the top of {source} {self.amount(count)}, or as many as there are, and put them {to}"

    @_step.register
    def _(self, s: model.Shuffle) -> Step:
        return Step(sentence(f"shuffle {self.words.place(s.zone)}"))

    @_step.register
    def _(self, s: model.Reveal) -> Step:
        return Step(sentence(f"show {self.cards(s.cards)} to everybody"))

    @_step.register
    def _(self, s: model.Show) -> Step:
        to = self.words.noun(s.to)
        if to.you:
            return Step(sentence(f"look at {self.cards(s.cards)}; nobody else may"))
        return Step(sentence(f"only {to} {to.verb('looks')} at {self.cards(s.cards)}"))

    @_step.register
    def _(self, s: model.Roll) -> Step:
        dice = s.dice
        return Step(sentence("roll the die" if dice.count == 1 else f"roll the {dice.count} dice"))

    @_step.register
    def _(self, s: model.Eliminate) -> Step:
        who = self.words.noun(s.player)
        return Step(sentence(f"{who} {who.be} out of the game"))

    # ── order ──

    @_step.register
    def _(self, s: model.If) -> list[Step]:
        constant = self.constant(s.condition)
        steps = [self.under(f"If {self.words.clause(s.condition)}:" if constant is None else constant, s.body)]
        rest = s.otherwise
        while rest is not None:
            only = rest.statements[0] if len(rest.statements) == 1 else None
            if isinstance(only, model.If):
                steps.append(self.under(f"Otherwise, if {self.words.clause(only.condition)}:", only.body))
                rest = only.otherwise
            else:
                steps.append(self.under("Otherwise:", rest))
                rest = None
        return steps

    def constant(self, condition: model.Expr) -> str | None:
        return "Always:" if isinstance(condition, model.Literal) and condition.value is True else None

    @_step.register
    def _(self, s: model.While) -> Step:
        if self.constant(s.condition):
            return self.under("Again and again:", s.body)
        return self.under(f"As long as {self.words.clause(s.condition)}:", s.body)

    @_step.register
    def _(self, s: model.For) -> Step:
        return self.under(f"For {self.words.described(s.binders, article_word='each')}:", s.body)

    @_step.register
    def _(self, s: model.Repeat) -> Step:
        count = self.words.text(s.count)
        return self.under(f"{capital(count)} times:", s.body)

    # ── choices ──

    @_step.register
    def _(self, s: model.MayDo) -> list[Step]:
        who = self.words.noun(s.subject)
        label = self.words.label(s.label)
        steps = [self.under(f"{capital(str(who))} may say “{label}”. Then:", s.body)]
        if s.otherwise is not None:
            steps.append(self.under("If not:", s.otherwise))
        return steps

    @_step.register
    def _(self, s: model.Choose) -> list[Step]:
        subject = s.subject
        if isinstance(subject, model.ByChance):
            return self.by_chance(s)
        lead = ""
        if isinstance(subject, model.EachPlayer):
            each, place = self.words.range(model.Binding(local=subject.local, source=subject.source), False)
            who = Noun(f"each {each}{place}")
            lead = "in secret and all at the same time, "
        else:
            who = self.words.noun(subject)
        verb = "may choose" if s.optional else who.verb("chooses")
        prompt = f" {self.prompt(s.prompt)}" if s.prompt is not None else ""
        if isinstance(s.what, model.Menu):
            return self.menu(s, f"{lead}{who} {verb}{prompt or ' what to do'}")
        return self.picked(s, f"{lead}{who} {verb}{prompt}{':' if prompt else ''} {self.what(s.what)}", bool(lead))

    def prompt(self, prompt: model.Template) -> str:
        return self.words.label(prompt)

    def what(self, what: model.PickOne | model.PickSeveral) -> str:
        """What may be chosen: “a card in your hand”, “up to 3 of the cards in your hand”."""
        if isinstance(what, model.PickOne):
            return listed([self.words.described(what.binders, article_word="a")])
        if isinstance(what.most, model.Literal) and what.least == what.most:
            number = str(what.most.value)
        elif what.least == what.most:
            number = self.words.text(what.most)
        elif isinstance(what.least, model.Literal) and what.least.value == 0:
            number = f"up to {self.words.text(what.most)}"
        else:
            number = f"{self.words.text(what.least)} to {self.words.text(what.most)}"
        source = what.source
        sort = plural(sort_of(source.type.of)) if isinstance(source.type, types.ListType) else "things"
        inside = isinstance(source, model.CardsIn | model.ZoneFamily)
        where = f"cards in {self.words.place(source)}" if inside else f"{sort} of {self.words.text(source)}"
        many = number if len(number.split()) < 4 and not number.startswith("the ") else f"this many ({number})"
        told = f"{many} {where} (**{self.words.names.of(what.local).text.removeprefix('the ')}**)"
        return told if number.startswith("up to ") else f"{told}, or as many as there are"

    def picked(self, s: model.Choose, told: str, together: bool) -> list[Step]:
        steps = self.block(s.body)
        end = " When all have chosen, in the order of seats:" if together else ""
        if not steps:
            first = Step(sentence(told))
        elif together:
            first = Step(sentence(told) + end, steps)
        elif len(steps) == 1 and not steps[0].below:
            first = Step(f"{sentence(told)} {steps[0].text}")
        else:
            first = Step(f"{sentence(told)} Then:", steps)
        if s.otherwise is None:
            return [first]
        return [first, self.under("If that is declined:" if s.optional else "If there is none:", s.otherwise)]

    def by_chance(self, s: model.Choose) -> list[Step]:
        if isinstance(s.what, model.Menu):
            return self.menu(s, "chance decides between these, each as likely as the others")
        return self.picked(s, f"pick at random {self.what(s.what)}", False)

    def menu(self, s: model.Choose, told: str) -> list[Step]:
        assert isinstance(s.what, model.Menu)
        lines = []
        for line in s.what.lines:
            lead = f"“{self.words.label(line.label)}”"
            if line.binders is not None and len(line.label.parts) == 1 and isinstance(line.label.parts[0], model.LocalRef):
                lead = self.words.described(line.binders, article_word="a")
            elif line.binders is not None:
                lead += f", for {self.words.described(line.binders, article_word='any')}"
            if line.condition is not None:
                lead += f" – possible if {self.words.clause(line.condition)}"
            lines.append(self.under(f"{lead}:", line.body))
        made = [Step(f"{capital(told)}:", lines)]
        if s.otherwise is not None:
            made.append(self.under("If nothing of that is possible:" if not s.optional else "If that is declined:", s.otherwise))
        return made


def introduced(local: model.Local, noun: Noun, value: str) -> str:
    """What a name stands for, where it is used for the first time."""
    name = noun.text.removeprefix("the ")
    if local.mutable:
        return f"the **{name}** {noun.be} at first {value}"
    return f"let the **{name}** be {value}" if noun.text != name else f"let **{name}** be {value}"


def small(text: str) -> str:
    """A sentence that goes on after a colon."""
    first = text.split(" ", 1)[0].rstrip(":,.")
    return text if first == "I" or first[:1] in "“*[" else text[:1].lower() + text[1:]
