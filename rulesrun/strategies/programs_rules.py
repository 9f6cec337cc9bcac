"""Random rules: statements, choices, and what attaches to rules and defines."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesrun.strategies.programs_draws import Callee, Local, Place, sure
from rulesrun.strategies.programs_values import EVERYTHING, OR, POSTFIX, SUM, Values

STEP = 4
Lines = list[str]
BLOCK = re.compile(r"^(if|for|while|repeat|otherwise)\b| (may|chooses)\b")
"""what has a block of its own"""
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def indented(lines: Lines) -> Lines:
    return [" " * STEP + line if line else line for line in lines]


def suite(head: str, lines: Lines) -> Lines:
    """A head with its block: a single simple statement stands on the same line."""
    if len(lines) == 1 and not BLOCK.search(TEXT.sub("", lines[0])):
        return [f"{head} {lines[0]}"]
    return [head, *indented(lines)]


class Statements(Values):
    """Writes blocks of statements. `rule` is the name of the rule whose body it is, if it is one; only rules below
    `rule_level` are called."""

    rule: str | None = None
    rule_level = EVERYTHING
    played = False
    """what runs only below `game`"""
    quiet = False
    """attached to a built-in event: nothing that would set it off again"""
    extra: Lines
    """declarations that the statements need besides"""
    loops = 0

    def block(self, depth: int) -> Lines:
        """At least one statement; its names are gone after it."""
        mark = len(self.locals)
        lines: Lines = []
        for _ in self.some(4, 1):
            lines += self.grouped(lambda: self.statement(depth))
        del self.locals[mark:]
        return lines

    def statement(self, depth: int) -> Lines:
        makes: list[Callable[[], Lines]] = [self.note, self.change, self.local]
        if not self.quiet:
            makes += [self.move, self.deal, self.shuffle, self.reveal, self.show, self.roll, self.call_rule, self.call_rule]
        if depth > 0:
            deeper = depth - 1
            makes += [lambda: self.choice(deeper), lambda: self.choice(deeper), lambda: self.if_(deeper)]
            makes += [lambda: self.for_(deeper), lambda: self.repeat(deeper), lambda: self.settled(deeper), self.leave, self.out]
        return self.of(makes)()

    # ── values that change ──

    def note(self) -> Lines:
        holders = [holder for holder in self.world.variables if holder.type == "number"]
        if not holders:
            return [f"let {self.bound_after('x', 'number', lambda: self.value('number', 1))}"]
        return [f"{self.holder(self.of(holders))} {self.of(['+=', '-=', ':='])} {self.value('number', 1)}"]

    def bound_after(self, stem: str, type: str, value: Callable[[], str], changes: bool = False) -> str:
        """`name = value`, where the value does not see the name yet."""
        text = value()
        return f"{self.bind(stem, type, changes)} = {text}"

    def change(self) -> Lines:
        targets = [(self.holder(holder), holder.type) for holder in self.world.variables]
        targets += [(local.name, local.type) for local in self.locals if local.changes]
        if not targets:
            return self.note()
        target, type = self.of(targets)
        return [f"{target} := {self.value(type, 2)}"]

    def local(self) -> Lines:
        type = self.of(["number", "flag", "player", *self.world.kinds, self.any_list()])
        if self.below(2):
            return [f"let {self.bound_after('x', type, lambda: self.value(type, 2))}"]
        text = self.value(type, 2)
        return [f"var {self.bind('x', type, changes=True)}: {type} = {text}"]

    # ── cards ──

    def cards_and_place(self) -> tuple[str, Place]:
        place = self.of(self.world.zones)
        return place.card, place

    def move(self) -> Lines:
        card, place = self.cards_and_place()
        to = f"{self.of(['to', 'to', 'under'])} {self.target(place)}"
        known = self.known(card)
        if known and self.below(3):
            return [f"move {self.of(known)} {to}"]
        ends = [other for other in self.world.zones if other.card == card and other.shape != "set"]
        if ends and self.often():
            other = self.of(ends)
            zone = self.zone(other)
            end = self.of(["top", "bottom"] if other.shape == "pile" else ["first", "last"])
            if self.one_in(20):
                return [f"move {zone}.{end} {to}"]
            return [f"if {zone} is not empty: move {zone}.{end} {to}"]
        return [f"move {self.value(f'list of {card}', 1)} {to}"]

    def target(self, place: Place) -> str:
        """Where cards go: a place, or a parameter that is one."""
        known = self.known(f"zone of {place.card}")
        return self.of(known) if known and self.often() else self.zone(place)

    def deal(self) -> Lines:
        card, place = self.cards_and_place()
        source = self.zone(self.place_of(card))
        count = "all" if self.one_in(6) else self.value("number", 1, SUM)
        if place.indexes[:1] == ("player",) and self.below(2):
            mark = len(self.locals)
            players = self.source("player", 1)
            name = self.bind("x", "player")
            rest = "".join(f"[{self.value(index, 0)}]" for index in place.indexes[1:])
            del self.locals[mark:]
            return [f"deal {count} from {source} to {place.name}[{name}]{rest} for {name} in {players}"]
        return [f"deal {count} from {source} to {self.zone(place)}"]

    def shuffle(self) -> Lines:
        piles = [place for place in self.world.zones if place.shape == "pile"]
        return [f"shuffle {self.zone(self.of(piles))}"] if piles else self.deal()

    def cards(self) -> str:
        card = self.of(list(self.world.cards))
        known = self.known(card)
        return self.of(known) if known and self.often() else self.value(f"list of {card}", 1)

    def reveal(self) -> Lines:
        return [f"reveal {self.cards()}"]

    def show(self) -> Lines:
        return [f"show {self.cards()} to {self.value(self.of(['player', 'list of player']), 1)}"]

    def roll(self) -> Lines:
        return [f"roll {self.of(self.world.dice)}"] if self.world.dice else self.shuffle()

    # ── calls ──

    def callable_rules(self, result: bool | None = None) -> list[Callee]:
        return [
            rule
            for rule in self.world.rules
            if rule.level < self.rule_level and (result is None or (rule.result is not None) is result)
        ]

    def call_rule(self) -> Lines:
        rules = self.callable_rules()
        if not rules:
            return self.note()
        rule = self.of(rules)
        call = self.call(rule, 1)
        if rule.result is None or self.below(2) == 0:
            return [call]
        if self.below(2):
            return [f"let {self.bind('x', rule.result)} = {call}"]
        return [f"var {self.bind('x', rule.result, changes=True)} = {call}"]

    def leave(self) -> Lines:
        """A rule that ends this one from inside itself, or the game."""
        if self.played and self.below(4) == 0:
            return [f"if {self.value('flag', 1)}: end game"]
        if self.rule is None:
            return self.note()
        if self.below(2):
            return [f"if {self.value('flag', 2)}: end {self.rule}"]
        name = self.fresh("leave")
        hidden, self.locals = self.locals, []
        self.extra += ["", f"rule {name}():", *indented([f"if {self.value('flag', 2)}: end {self.rule}"])]
        self.locals = hidden
        return [f"{name}()"]

    def out(self) -> Lines:
        if self.quiet or self.below(3):
            return self.note()
        return [f"if players.size > 1: eliminate {self.value('player', 1)}"]

    # ── one after the other ──

    def if_(self, depth: int) -> Lines:
        lines = suite(f"if {self.value('flag', 2)}:", self.block(depth))
        if self.one_in(4):
            lines += suite(f"otherwise if {self.value('flag', 1)}:", self.block(depth))
        if self.one_in(3):
            lines += suite("otherwise:", self.block(depth))
        return lines

    def settled(self, depth: int) -> Lines:
        """A value that may be none, once it is known not to be."""
        known = {local.name for local in self.locals}
        holders = [h for h in self.world.variables if h.type.endswith("?") and not h.indexes and h.name not in known]
        if not holders:
            return self.if_(depth)
        holder = self.of(holders)
        head = f"if {holder.name} is not none:"
        mark = len(self.locals)
        self.locals.append(Local(holder.name, sure(holder.type)))
        lines = self.block(depth)
        del self.locals[mark:]
        return suite(head, lines)

    def for_(self, depth: int) -> Lines:
        mark = len(self.locals)
        head = f"for {self.binders(1)}:"
        lines = suite(head, self.block(depth))
        del self.locals[mark:]
        return lines

    def repeat(self, depth: int) -> Lines:
        if self.below(2) == 0:
            return suite(f"repeat {self.of(['2', '1', '3'])}:", self.block(depth))
        name = self.bind("x", "number")  # nobody else changes it, so the loop ends
        condition = f"{name} < {self.of(['2', '3'])}"
        if self.below(2):
            condition += f" and {self.value('flag', 1, 3)}"
        return [f"var {name} = 0", *suite(f"while {condition}:", [f"{name} += 1", *self.block(depth)])]

    # ── choices ──

    def prompt(self) -> str:
        return self.of(["", ' "what to do"', f' "a choice of {{{self.value("number", 0)}}}"'])

    def choice(self, depth: int) -> Lines:
        form = self.of([self.one, self.menu, self.maybe, self.several, self.chance, self.sealed])
        return form(depth)

    def otherwise(self, depth: int) -> Lines:
        return suite("otherwise:", self.block(depth)) if self.one_in(3) else []

    def picked(self, head: str, depth: int) -> Lines:
        mark = len(self.locals)
        lines = suite(f"{head} {self.binders(1)}:", self.block(depth))
        del self.locals[mark:]
        return lines

    def one(self, depth: int) -> Lines:
        head = f"{self.value('player', 1, POSTFIX)} {self.of(['chooses', 'may choose'])}{self.prompt()}"
        return self.picked(head, depth) + self.otherwise(depth)

    def several(self, depth: int) -> Lines:
        head = f"{self.value('player', 0, POSTFIX)} {self.of(['chooses', 'may choose'])}{self.prompt()}"
        return self.chosen(head, depth) + self.otherwise(depth)

    def chosen(self, head: str, depth: int) -> Lines:
        mark = len(self.locals)
        count = self.of(["2", "0..2", "1", "(players.size)", "0..3", "1..2"])
        of = self.element()
        source = self.source(of, 1)
        lines = suite(f"{head} {count} {self.bind('x', f'list of {of}')} in {source}:", self.block(depth))
        del self.locals[mark:]
        return lines

    def chance(self, depth: int) -> Lines:
        lines = self.chosen("chance chooses", depth) if self.one_in(3) else self.picked("chance chooses", depth)
        return lines + self.otherwise(depth)

    def sealed(self, depth: int) -> Lines:
        mark = len(self.locals)
        source = self.source("player", 0)
        head = f"each {self.bind('x', 'player')} in {source} {self.of(['chooses', 'may choose'])}{self.prompt()}"
        lines = self.chosen(head, depth) if self.one_in(3) else self.picked(head, depth)
        del self.locals[mark:]
        return lines

    def maybe(self, depth: int) -> Lines:
        head = f'{self.value("player", 1, POSTFIX)} may "Do it {self.fresh("label")}":'
        return suite(head, self.block(depth)) + self.otherwise(depth)

    def menu(self, depth: int) -> Lines:
        lines: Lines = []
        for _ in self.some(3, 1):
            lines += self.grouped(lambda: self.menu_line(depth))
        lines += self.otherwise(depth)
        head = f"{self.value('player', 1, POSTFIX)} {self.of(['chooses', 'may choose'])}{self.prompt()}:"
        return [head, *indented(lines)]

    def menu_line(self, depth: int) -> Lines:
        mark = len(self.locals)
        label = self.fresh("Line ")
        form = self.below(3)
        if form == 0:
            head = f'"{label}"'
        elif form == 1:
            head = f'"{label}" when {self.value("flag", 1, OR)}'
        else:
            binders = self.binders(1)
            head = f'"{label} {{{self.locals[-1].name}}}" for {binders}'
        lines = suite(f"{head}:", self.block(depth)) if self.often() else [head]
        del self.locals[mark:]
        return lines

    # ── heads ──

    def pattern(self, type: str, owner: str | None = None) -> str:
        """What stands for an argument in a head. `owner`: who owns the card that carries the ability, a type or None."""
        forms = ["_", "name"]
        if type == "number":
            forms += ["1", "-2"]
        elif type in self.world.kinds:
            forms.append(self.world.kinds[type][0])
        elif type == "player" and owner == "player":
            forms += ["owner", "owner.left"]
        elif type == "flag":
            forms.append("yes")
        forms += [f"({name})" for name, of in self.world.options.items() if of == type]
        form = self.of(forms)
        if form != "name":
            return form
        return self.bind("x", type)

    def head(self, callee: Callee, owner: str | None = None, carried: bool = False) -> str:
        """`R(a, _, 1)`; with `carried` a card's parameter may be the card itself."""
        patterns = []
        said = False
        for _, type in callee.params:
            if carried and not said and any(local.name == "self" and local.type == type for local in self.locals):
                patterns.append("self")
                said = True
            else:
                patterns.append(self.pattern(type, owner))
        return f"{callee.name}({', '.join(patterns)})"
