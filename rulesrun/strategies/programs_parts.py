"""Random defines and rules, what attaches to them, and tables of cards with abilities."""

from __future__ import annotations

import re

from rulesrun.strategies.programs_draws import Callee, Local, Place
from rulesrun.strategies.programs_rules import Lines, indented, suite
from rulesrun.strategies.programs_things import Things
from rulesrun.strategies.programs_values import EVERYTHING, OR

PLAIN = re.compile(r"x\d+")
"""a name that binds"""


class Parts(Things):
    """Writes what is made of things: what happens with them."""

    named_here: list[str]
    """the attachments of this file that have a text"""
    shared = False
    """in a module: the game may declare more"""

    # ── defines ──

    def param_types(self) -> list[str]:
        boards = [board.name for board in self.world.boards]
        cards = list(self.world.cards)
        return [
            "number", "player", *cards, *self.world.kinds, *boards, "flag", "text",
            *(f"list of {card}" for card in cards), "list of player", *(f"zone of {place.card}" for place in self.world.zones[:1]),
        ]  # fmt: skip

    def params(self, most: int = 3) -> tuple[tuple[str, str], ...]:
        types = self.param_types()
        return tuple((self.fresh("x"), self.of(types)) for _ in self.some(most))

    def define(self) -> Lines:
        results = ["number", "flag", "player", *self.world.kinds, self.any_list()]
        result = self.of(results)
        params = self.params(2)
        callee = Callee(self.fresh("define"), params, result, level=1 + len(self.world.defines))
        lines = self.defined("define", callee)
        self.world.defines.append(callee)
        return lines

    def defined(self, head: str, callee: Callee) -> Lines:
        """The text of a define, also of a changed one."""
        assert callee.result is not None
        self.level = callee.level
        self.locals = [Local(name, type) for name, type in callee.params]
        listed = ", ".join(f"{name}: {type}" for name, type in callee.params)
        lines = self.valued(f"{head} {callee.name}({listed}) -> {callee.result} =", callee.result)
        self.locals = []
        self.level = EVERYTHING
        return lines

    def valued(self, head: str, type: str) -> Lines:
        """A value after `=`: an expression, or lets and cases."""
        if self.below(3) < 2:
            return [f"{head} {self.value(type, 3)}"]
        mark = len(self.locals)
        lines: Lines = []
        for _ in self.some(2):
            of = self.of(["number", "flag", "player", *self.world.kinds])
            lines.append(f"let {self.bound_after('x', of, lambda of=of: self.value(of, 2))}")  # type: ignore[misc]
        if self.below(2):
            for _ in self.some(2, 1):
                lines.append(f"{self.value(type, 1, OR)}    when {self.value('flag', 2, OR)}")
            lines.append(f"{self.value(type, 1, OR)}    otherwise")
        else:
            lines.append(self.value(type, 2))
        del self.locals[mark:]
        return [head, *indented(lines)]

    def instead_of_define(self, callee: Callee, owner: str | None = None) -> Lines:
        assert callee.result is not None
        mark, level = len(self.locals), self.level
        self.level = callee.level
        head = self.head(callee, owner)
        where = f" where {self.value('flag', 1)}" if self.below(2) else ""
        text = f' "Instead {self.fresh("text")}"' if self.one_in(4) else ""
        self.proceeds = (callee.result, len(callee.params))
        lines = self.valued(f"instead of {head}{where}{text} =", callee.result)
        self.proceeds = None
        self.level = level
        del self.locals[mark:]
        return lines

    # ── rules ──

    def rule_declared(self) -> Lines:
        params = self.params(3)
        result = self.of([None, None, None, "number", "player"])
        event = result is None and self.one_in(6)
        callee = Callee(self.fresh("rule"), params, result, acts=True, level=1 + len(self.world.rules))
        empty = [f"rule {callee.name}({', '.join(f'{n}: {t}' for n, t in params)})"]
        lines = empty if event else self.ruled("rule", callee)
        self.world.rules.append(callee)
        return lines

    def ruled(self, head: str, callee: Callee, first: Lines | None = None) -> Lines:
        """The text of a rule, also of a changed one."""
        self.locals = [Local(name, type) for name, type in callee.params]
        self.rule_level, self.scores = callee.level, True
        self.rule = callee.name if callee.result is None else None
        self.played = callee.name == "turn"
        body = (first or []) + self.block(2)
        self.played = False
        if callee.result is not None:
            body.append(f"return {self.value(callee.result, 1)}")
        result = f" -> {callee.result}" if callee.result else ""
        listed = ", ".join(f"{name}: {type}" for name, type in callee.params)
        self.rule_level, self.scores, self.rule, self.locals = EVERYTHING, False, None, []
        return suite(f"{head} {callee.name}({listed}){result}:", body)

    def attached_block(self, level: int) -> Lines:
        before = self.rule_level, self.scores
        self.rule_level, self.scores = level, True
        lines = self.block(1)
        self.rule_level, self.scores = before
        return lines

    def attachment(self, callee: Callee, owner: str | None = None, carried: bool = False, named: bool = False) -> Lines:
        """What happens before, after or instead of a rule; with `named` a variant may take it away if it has a text."""
        mark = len(self.locals)
        when = self.of(["after", "before", "instead of"])
        head = self.head(callee, owner, carried)
        where = f" where {self.value('flag', 1)}" if self.below(2) or when == "instead of" else ""
        text = f' "Text {self.fresh("text")}"' if self.one_in(3) else ""
        if text and named:
            taken = ", ".join("_" if PLAIN.fullmatch(part) else part for part in head[head.index("(") + 1 : -1].split(", "))
            self.named_here.append(f"{when} {callee.name}({taken}){text}")
        self.played = callee.name == "turn"
        lines = self.attached_block(callee.level)
        self.played = False
        if when == "instead of" and callee.result is None:
            lines = [*lines, "proceed"] if self.below(3) else ["proceed", *lines]
        elif when == "instead of":
            assert callee.result is not None
            lines = [f"let {self.bind('x', callee.result)} = proceed", *lines]
            lines.append(f"return {self.of([self.locals[-1].name, self.value(callee.result, 1)])}")
        del self.locals[mark:]
        return suite(f"{when} {head}{where}{text}:", lines)

    def place_pattern(self, place: Place) -> str:
        """A zone in a head."""
        if not place.indexes:
            return f"({place.name})"
        return place.name + "".join(f"[{self.value(index, 1)}]" for index in place.indexes)

    def attachment_of_event(self) -> Lines:
        """Attached to something built in; it does nothing that would set it off again."""
        mark = len(self.locals)
        place = self.of(self.world.zones)
        to = self.place_pattern(place)
        moved = self.bind("x", place.card)
        events = [
            (f"move({moved}, _, {to})", "after"),
            (f"move({self.of(['_', moved])}, {to}, _)", "before"),
            ("move(_, _, _)", "after"),
            (f"reveal({self.bind('x', place.card) if len(self.world.cards) == 1 and not self.shared else '_'})", "after"),
            (f"eliminate({self.bind('x', 'player')})", "before"),
            ("shuffle(_)", "after"),
        ]
        if self.world.dice:
            events.append((f"roll({self.of(['_', f'({self.world.dice[0]})'])})", "after"))
        head, when = self.of(events)
        used = [local for local in self.locals[mark:] if re.search(rf"\b{local.name}\b", head)]
        self.locals[mark:] = used
        self.quiet = True
        where = f" where {self.value('flag', 1)}" if self.below(2) else ""
        lines = suite(f"{when} {head}{where}:", self.attached_block(0))
        self.quiet = False
        del self.locals[mark:]
        return lines

    # ── cards ──

    def table(self, card: str, zone: str) -> Lines:
        """The designs of a card type: some made one by one, some for all members of a kind."""
        attributes = self.world.cards[card]
        copies = self.below(2) == 1
        columns = ["name", *(name for name, _ in attributes), *(["copies"] if copies else [])]
        lines = ["  ".join(columns)]
        for _ in self.some(4, 1):
            lines += self.grouped(lambda: self.row(card, copies))
        return [f"cards {card} in {zone}:", *indented(lines)]

    def row(self, card: str, copies: bool) -> Lines:
        name = self.fresh(f"{card} ")
        label, made = name, ""
        generated: str | None = None
        if self.world.kinds and self.one_in(3):
            generated = self.of(list(self.world.kinds))
            made = f"  for x in {generated}"
            label = f"{name} {{x}}"
        elif self.one_in(4):
            generated = "number"
            made = f"  for x in 1..{self.of(['2', '3'])}"
            label = f"{name} {{x}}"
            self.world.designs[card].append(f"{name} 1")
        else:
            self.world.designs[card].append(name)
        self.world.rows[card].append(label)
        cells = [f'"{label}"', *(self.cell(type, generated) for _, type in self.world.cards[card])]
        if copies:
            cells.append(self.of(["1", "2", "3"]))
        return ["  ".join(cells) + made, *indented(self.abilities(card, label))]

    def cell(self, type: str, generated: str | None) -> str:
        if type == generated:
            return "x"
        if type == "number?":
            return self.of(["none", "3"])
        if type.startswith("list of "):
            of = type.removeprefix("list of ")
            return f"[{', '.join(self.cell(of, generated) for _ in self.some(2))}]"
        if type in self.world.kinds:
            return self.of(self.world.kinds[type])
        return {"number": self.of(["1", "2", "-1", "7"]), "flag": self.of(["no", "yes"]), "text": self.of(['"word"', '"Wörter"'])}[
            type
        ]

    # ── abilities ──

    def abilities(self, card: str, row: str) -> Lines:
        lines: Lines = []
        for _ in self.some(2):
            if self.below(2):
                lines += self.grouped(lambda: self.ability(card, row))
        return lines

    def ability(self, card: str, row: str) -> Lines:
        mark = len(self.locals)
        fitting = [name for name, (of, _, _) in self.world.timings.items() if of == card]
        name = f"Ability {self.fresh('ability')}"
        text = f'"{name}"'
        if fitting and self.below(2):
            timing = self.of(fitting)
            _, owner, level = self.world.timings[timing]
            self.carry(card, owner)
            lines = suite(f"{timing} {text}:", self.attached_block(level))
        else:
            lines = self.standing(card, text)
        del self.locals[mark:]
        if lines:
            self.world.carried.append((name, row))
        return lines

    def carry(self, card: str, owner: str | None) -> None:
        """`self` and `owner` are names now."""
        self.locals.append(Local("self", card))
        if owner is not None:
            self.locals.append(Local("owner", owner))

    def standing(self, card: str, text: str) -> Lines:
        places = [place for place in self.world.zones if place.card == card]
        place = self.of(places)
        owner = "player" if "player" in place.indexes else None
        self.carry(card, owner)
        heads = [rule for rule in self.world.rules if rule.acts]
        about_self = [rule for rule in heads if any(type == card for _, type in rule.params)]
        if not heads:
            return []
        if about_self and self.below(2):
            self.locals[:] = [local for local in self.locals if local.name != "owner"]
            return suite(f"always {text}:", self.attachment(self.of(about_self), carried=True))
        return [f"while in {place.name} {text}:", *indented(self.attachment(self.of(heads), owner=owner))]

    def timing(self, card: str) -> Lines:
        rules = [rule for rule in self.world.rules if rule.acts and any(type == card for _, type in rule.params)]
        places = [place for place in self.world.zones if place.card == card and "player" in place.indexes]
        if not rules:
            return []
        rule = self.of(rules)
        name = self.fresh("timing")
        owner = "player" if places and self.below(2) else None
        parts = []
        if owner:
            parts.append(f"while in {self.of(places).name}")
            if self.below(2):
                parts.append("owner may")
        mark = len(self.locals)
        self.carry(card, owner)
        patterns = ["self" if type == card else "_" for _, type in rule.params]
        parts.append(f"{self.of(['after', 'before'])} {rule.name}({', '.join(patterns)})")
        where = f" where {self.value('flag', 1)}" if self.one_in(3) else ""
        del self.locals[mark:]
        self.world.timings[name] = (card, owner, rule.level)
        return [f"timing {name}: {', '.join(parts)}{where}"]
