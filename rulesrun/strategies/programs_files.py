"""Whole random files: a game, perhaps a module that it uses, perhaps a variant of it."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.strategies.programs_draws import Callee, Local, Numbers, World
from rulesrun.strategies.programs_parts import Parts
from rulesrun.strategies.programs_rules import Lines, indented, suite

GAME, MODULE, VARIANT = "small", "helper", "changed"
"""the ids of the files"""
REMARKS = ["# a remark", "#### four signs", "## Rulebook text.", "## It says {what} it is.\n# and a remark"]


class Files(Parts):
    """Writes files."""

    def __init__(self, numbers: Numbers, world: World) -> None:
        super().__init__(numbers, world)
        self.extra = []
        self.named_here = []
        self.players = 2
        self.text: Lines = []
        self.endings: list[str] = []
        self.invariants: list[str] = []
        self.presets: list[str] = []
        self.score_lines: list[str] = []
        self.changed: set[str] = set()

    # ── putting together ──

    def add(self, lines: Lines) -> None:
        """A declaration, perhaps with remarks before it."""
        if not lines:
            return
        if self.one_in(12):
            self.text.append(self.of(REMARKS))
        self.text += [*lines, ""]
        self.text += self.extra
        self.extra = []

    def declare(self, most: int, make: Callable[[], Lines], least: int = 0) -> None:
        for _ in self.some(most, least):
            self.grouped(lambda: self.add(make()))

    def taken(self, first: str) -> str:
        text = "\n".join([first, "", *self.text]).rstrip("\n") + "\n"
        self.text = []
        return text

    # ── parts that all files have ──

    def things(self, least: int = 0) -> None:
        """Kinds, cards and where they lie, variables."""
        self.declare(2, self.kind)
        self.declare(2, self.card, least)

    def places(self, cards: list[str]) -> dict[str, str]:
        """Zones for the cards; the first of each is where its table lies."""
        homes = {}
        for card in cards:
            self.add(self.zone_of(card, home=True))
            homes[card] = self.world.zones[-1].name
        if cards:
            self.declare(4, lambda: self.zone_of(self.of(cards)))
        return homes

    def tables(self, homes: dict[str, str]) -> None:
        for card, zone in homes.items():
            self.add(self.table(card, zone))

    def attachments(self) -> None:
        def on_define() -> Lines:
            callee = self.of(self.world.defines)
            return self.instead_of_define(callee)

        if self.world.defines:
            self.declare(2, on_define)
        if self.world.rules:
            self.declare(3, lambda: self.attachment(self.of(self.world.rules), named=True))
        if self.world.zones:
            self.declare(2, self.attachment_of_event)

    # ── a module ──

    def module(self) -> str:
        self.shared = True
        self.things(1)
        homes = self.places(list(self.world.cards))
        self.declare(2, self.variable)
        self.declare(2, self.define)
        self.declare(2, self.rule_declared)
        self.tables(homes)
        self.attachments()
        self.shared = False
        return self.taken('module "A helper"')

    # ── a game ──

    def game(self, uses: bool) -> str:
        players, self.players = self.of([("2", 2), ("2..3", 2), ("1..2", 2), ("[2, 4]", 4), ("3", 3)])
        if uses:
            self.add([f"use {MODULE}"])
        own = set(self.world.cards)
        self.declare(2, self.kind)
        self.declare(1, self.board)
        self.declare(2, self.card, least=0 if own else 1)
        homes = self.places([card for card in self.world.cards if card not in own] or list(own)[:1])
        self.declare(4, self.variable)
        self.declare(2, self.option)
        self.declare(1, self.dice)
        self.declare(3, self.define)
        self.declare(4, self.rule_declared)
        self.declare(2, lambda: self.timing(self.of(list(self.world.cards))))
        self.tables({card: zone for card, zone in homes.items() if card not in own})
        self.fixed()
        self.attachments()
        self.declare(1, self.scoring)
        self.declare(2, self.ending)
        self.declare(2, self.invariant)
        self.declare(1, self.property_of_games)
        if self.world.options:
            self.declare(1, self.preset)
            self.declare(2, self.when_block)
        self.declare(2, self.test)
        self.world.named = self.named_here
        self.named_here = []
        return self.taken(f'game "Small" for {players} players')

    def fixed(self) -> None:
        """What every game has, and its turns."""
        unset = self.below(6) == 5
        if unset:
            self.add(["var starter: player"])
        piles = [place.name for place in self.world.zones if not place.indexes and place.shape == "pile"]
        shuffles = [f"shuffle {name}" for name in piles if self.often()]
        first = (
            (["starter := players.first"] if unset else [])
            + shuffles
            + [f"roll {name}" for name in self.world.dice if self.often()]
        )
        turn = Callee("turn", ((self.fresh("x"), "player"),), None, acts=True, level=1_000)
        setup = Callee("setup", (), None, acts=True, level=1_001 if self.one_in(8) else 1_000)
        self.add(self.grouped(lambda: self.ruled("rule", turn)))
        self.world.rules.append(turn)
        self.add(self.grouped(lambda: self.ruled("rule", setup, first)))
        rounds = self.of(["2", "3", "5"])
        order = self.of(["players", "turn_order(players.last)", "seats"])
        body = suite(f"repeat {rounds}:", suite(f"for x in {order}:", ["turn(x)"]))
        if self.one_in(4):
            body = ["var x9 = players.first", *suite(f"repeat {rounds}:", ["turn(x9)", "x9 := x9.left"])]
        self.add(["rule game():", *indented(body)])
        self.add(self.grouped(self.winners))

    def winners(self) -> Lines:
        self.scores = True
        text = self.value("list of player", 2)
        self.scores = False
        return [f"define winners() -> list of player = {text}"]

    def scoring(self) -> Lines:
        self.locals = [Local("x", "player")]
        lines = self.score_line_texts()
        self.locals = []
        self.world.scored = True
        return ["scoring(x):", *indented(lines)]

    def score_line_texts(self) -> Lines:
        lines: Lines = []
        for _ in self.some(3, 1):
            label = self.fresh("Points ")
            self.score_lines.append(label)
            when = f" when {self.value('flag', 1, 1)}" if self.one_in(3) else ""
            lines.append(f'"{label}"{when}: {self.value("number", 2)}')
        return lines

    def ending(self) -> Lines:
        name = self.fresh("ending")
        self.endings.append(name)
        mark = len(self.locals)
        after = f" after {self.head(self.of(self.world.rules))}" if self.world.rules and self.below(2) else ""
        condition = self.value("flag", 2)
        del self.locals[mark:]
        return [f'ending {name}{after} when {condition}: "Over by {name}"']

    def invariant(self) -> Lines:
        text = self.fresh("Invariant ")
        self.invariants.append(text)
        return self.valued(f'invariant "{text}":', "flag")

    def preset(self) -> Lines:
        name = self.fresh("Preset ")
        self.presets.append(name)
        return [f'preset "{name}": "How it may be"', *indented(self.settings())]

    def settings(self) -> Lines:
        return [f"{name} = {self.option_value(type)}" for name, type in self.world.options.items() if self.often()]

    def change_preset(self) -> Lines:
        name = self.fresh_target(self.presets)
        settings = self.settings()
        return [f'change preset "{name}": "How it may be now"', *indented(settings)] if name and settings else []

    def option_value(self, type: str) -> str:
        if type in self.world.kinds:
            return self.of(self.world.kinds[type])
        return {"number": self.of(["1", "2"]), "flag": self.of(["yes", "no"])}[type]

    # ── tests ──

    def test(self) -> Lines:
        lines: Lines = [f"given {self.players} players"] if self.below(2) else []
        if self.world.options and self.below(2):
            name, type = self.of(list(self.world.options.items()))
            lines.append(f"given option {name} = {self.option_value(type)}")
        if self.world.dice and self.below(2):
            lines.append(f"given {self.world.dice[0]} rolls 1, 1")
        if self.below(2):
            lines += [f"given {name} = {self.first_value(type)}" for name, indexes, type in self.plain_variables() if not indexes]
        for _ in self.some(2):
            rules = [rule for rule in self.world.rules if not any(type.startswith("zone of ") for _, type in rule.params)]
            rule = self.of(rules)
            lines.append(f"when {rule.name}({', '.join(self.value(type, 0) for _, type in rule.params)})")
            if self.below(2):
                lines.append(self.of(["when P1 declines", 'when P1 chooses "Line 1"', "expect P1 chooses among [1, 2]"]))
        lines.append(self.expectation())
        if self.one_in(4):
            lines.insert(0, "given chance from seed 42")
        return [f'test "{self.fresh("Test ")}":', *indented(self.cases(lines))]

    def expectation(self) -> str:
        place = self.zone(self.of(self.world.zones))
        return self.of(
            [
                f"expect {self.value('flag', 2)}",
                'expect P1 cannot choose 1 because "not"',
                f"expect P1 sees {place} as [hidden, ...]",
                "expect P1 cannot decline",
                'expect P1 hears "shuffled"',
                'expect P1 does not hear "nothing"',
            ]
        )

    def cases(self, lines: Lines) -> Lines:
        """Now and then with a table of cases, which the last line reads."""
        if not self.one_in(4):
            return lines
        number, flag = self.fresh("x"), self.fresh("x")
        table = indented([f"{number}  {flag}", "1  yes", "2  no"])
        return ["cases:", *table, *lines, f"expect {flag} or {number} > 1"]

    def property_of_games(self) -> Lines:
        text = self.fresh("Property ")
        mark = len(self.locals)
        if self.below(2):
            lines = [f'property "{text}": {self.of(["never", "eventually", "sometimes"])} {self.value("flag", 1)}']
        else:
            lines = [f'property "{text}" after {self.head(self.of(self.world.rules))}: {self.value("flag", 1)}']
        del self.locals[mark:]
        return lines

    def plain_variables(self) -> list[tuple[str, tuple[str, ...], str]]:
        return [(holder.name, holder.indexes, holder.type) for holder in self.world.variables]

    # ── what changes ──

    def when_block(self) -> Lines:
        name, type = self.of(list(self.world.options.items()))
        condition = {"flag": name, "number": f"{name} > 1"}.get(type, f"{name} is {self.world.kinds.get(type, ('',))[-1]}")
        if self.one_in(4):
            condition = f"not ({condition})"
        outside, self.text = self.text, []
        named = len(self.named_here)
        rules = len(self.world.rules)
        self.changes(2, inside=True)
        del self.world.rules[rules:]
        del self.named_here[named:]
        lines, self.text = [line for line in self.text if line], outside
        return [f"when {condition}:", *indented([part for line in lines for part in line.split("\n")])] if lines else []

    def changes(self, most: int, inside: bool) -> None:
        """Changes, removals and additions, each of another thing. `inside`: of the file itself."""
        for _ in self.some(most, 1):
            self.grouped(lambda: self.add(self.a_change(inside)))

    def a_change(self, inside: bool) -> Lines:
        makes: list[Callable[[], Lines]] = [
            lambda: self.attachment(self.of(self.world.rules)),
            self.change_define, self.change_rule, self.change_zone, self.change_cards, self.remove_something, self.change_ending,
            self.new_rule, self.change_scoring,
        ]  # fmt: skip
        if not inside:
            makes += [
                self.change_preset,
                self.remove_attachment,
                self.remove_ability,
                self.change_kind,
                self.change_option,
                self.variable,
                self.new_define,
            ]
        return self.of(makes)()

    def new_rule(self) -> Lines:
        lines = self.rule_declared()
        self.changed.add(self.world.rules[-1].name)
        return lines

    def new_define(self) -> Lines:
        lines = self.define()
        self.changed.add(self.world.defines[-1].name)
        return lines

    def fresh_target(self, names: list[str]) -> str | None:
        """Something that has not been changed yet."""
        names = [name for name in names if name not in self.changed]
        if not names:
            return None
        name = self.of(names)
        self.changed.add(name)
        return name

    def change_define(self) -> Lines:
        name = self.fresh_target([define.name for define in self.world.defines])
        return self.defined("change define", self.callee(self.world.defines, name)) if name else []

    def change_rule(self) -> Lines:
        name = self.fresh_target([rule.name for rule in self.world.rules if rule.name != "turn"])
        return self.ruled("change rule", self.callee(self.world.rules, name)) if name else []

    @staticmethod
    def callee(callees: list[Callee], name: str) -> Callee:
        return next(callee for callee in callees if callee.name == name)

    def change_zone(self) -> Lines:
        name = self.fresh_target([place.name for place in self.world.zones])
        if name is None:
            return []
        place = next(place for place in self.world.zones if place.name == name)
        visible = ["open", "hidden"] + (["private"] if "player" in place.indexes else [])
        indexes = "".join(f"[{index}]" for index in place.indexes)
        return [f"change zone {name}{indexes}: {self.of(visible)} {place.shape} of {place.card}"]

    def change_cards(self) -> Lines:
        card = self.fresh_target([card for card in self.world.cards if self.world.rows[card]])
        if card is None:
            return []
        rows = [f'"{row}"  {self.of(["2", "0", "1"])}' for row in self.world.rows[card] if self.often()]
        return [f"change cards {card}:", *indented(["name  copies", *rows])] if rows else []

    def change_ending(self) -> Lines:
        name = self.fresh_target(self.endings)
        return [f'change ending {name} when {self.value("flag", 2)}: "Another end"'] if name else []

    def change_scoring(self) -> Lines:
        label = self.fresh_target(self.score_lines)
        if label is None:
            return []
        self.locals = [Local("x", "player")]
        lines = [f'"{label}": {self.value("number", 1)}', *self.score_line_texts()]
        self.locals = []
        self.changed.update(self.score_lines)
        return ["change scoring(x):", *indented(lines)]

    def remove_something(self) -> Lines:
        ending = self.fresh_target(self.endings)
        if ending is not None and self.below(2):
            return [f"remove ending {ending}"]
        invariant = self.fresh_target(self.invariants)
        return [f'remove invariant "{invariant}"'] if invariant else []

    def remove_attachment(self) -> Lines:
        name = self.fresh_target(self.world.named)
        return [f"remove {name}"] if name else []

    def remove_ability(self) -> Lines:
        name = self.fresh_target([text for text, _ in self.world.carried])
        return [f'remove ability "{name}" of "{dict(self.world.carried)[name]}"'] if name else []

    def change_kind(self) -> Lines:
        name = self.fresh_target([kind for kind in self.world.kinds if kind not in self.world.within])
        return self.grown(name)

    def grown(self, name: str | None) -> Lines:
        if name is None:
            return []
        new = self.fresh("Member")
        return [f"change kind {name}: {self.of([f'..., {new}', f'{new}, ...'])}"]

    def change_option(self) -> Lines:
        name = self.fresh_target(list(self.world.options))
        return [f"change option {name} = {self.option_value(self.world.options[name])}"] if name else []

    # ── a variant ──

    def variant(self) -> str:
        self.changed = {"turn", "setup", "winners", *self.changed}
        self.changes(8, inside=False)
        self.attachments()
        return self.taken(f'variant "Changed" of {GAME}')
