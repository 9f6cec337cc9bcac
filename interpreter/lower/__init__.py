"""Lowering: a checked game to the program for a number of players.

The order of the work: where everything is (`layout`), values (`expressions`), endings and what they read (`effects`), then
rules and attachments (`statements`, `attachments`, `events`), and last which of them may ask (`asking`).
"""

from __future__ import annotations

from attrs import evolve

from dsl import model, types
from interpreter.lower.asking import mark_framed
from interpreter.lower.attachments import Attachments, attachment_scope, describe
from interpreter.lower.effects import Effects
from interpreter.lower.events import Events
from interpreter.lower.expressions import Expressions
from interpreter.lower.layout import Layout
from interpreter.lower.scope import Scope
from interpreter.lower.statements import Body, Statements
from interpreter.program import (
    UNSET,
    AttachmentInfo,
    CodeInfo,
    DefineInfo,
    EndingInfo,
    Node,
    Program,
    PropertyInfo,
    RuleInfo,
    ScoreLineInfo,
    Site,
)


def lower(game: model.Game, players: int) -> Program:
    """The program of a checked game for this number of players (one of `game.players`)."""
    return Lowering(game, players).program


class Lowering:
    """The work of lowering, kept by those who lower more values later (tests do)."""

    def __init__(self, game: model.Game, players: int) -> None:
        self.game = game
        self.layout = Layout(game, players)
        self.expressions = Expressions(self.layout)
        self.attachments = Attachments(self.layout)
        self.attachments.never = {
            a for a in self.attachments.all if self.expressions.never_applies(a, attachment_scope(a, self.params(a)))
        }
        self.effects = Effects(self.layout)
        self.events = Events(self.layout, self.attachments, self.effects)
        self.endings = judged_endings(game)
        self.rules = {rule: i for i, rule in enumerate(game.rules)}
        self.statements = Statements(self.expressions, self.effects, self.events, self.rules)
        self.scopes: dict[model.Attachment, Scope] = {}
        self.infos: list[AttachmentInfo] = []
        self.program = self._program()

    def _program(self) -> Program:
        defines = self.lower_defines()
        self.describe_attachments()
        self.note_reads(defines)
        endings = self.lower_endings()
        self.lower_rules()
        self.lower_attachments()
        self.add_surroundings()
        scoring = self.lower_scoring()
        invariants = [(i.text, self.value_code(i.text, i.value, [])) for i in self.game.invariants if self.game.tested]
        properties = self.lower_properties()
        initial, initial_code = self.lower_initial()
        assert self.game.setup and self.game.main and self.game.winners
        program = Program(
            name=self.game.name,
            players=self.layout.players,
            places=self.layout.places,
            zones=self.layout.zones,
            families=self.layout.families,
            variables=self.layout.variables,
            initial=initial,
            initial_code=initial_code,
            card_types=self.layout.card_types,
            designs=self.layout.designs,
            slots=self.layout.slots,
            start=self.layout.start,
            kinds=self.layout.kinds,
            boards=self.layout.boards,
            dice=self.layout.dice,
            tables=self.layout.tables,
            table_types={table: self.layout.card_type_numbers[id_] for (id_, _), table in self.layout.card_tables.items()},
            rules=self.events.rules,
            defines=defines,
            attachments=self.infos,
            sites=self.statements.sites,
            endings=endings,
            scoring=scoring,
            invariants=invariants,
            properties=properties,
            setup=self.rules[self.game.setup],
            main=self.rules[self.game.main],
            turn=None if self.game.turn is None else self.rules[self.game.turn],
            winners=self.expressions.defines[self.game.winners],
            options=tuple((option.name, option.value) for option in self.game.options),
            cards_of=tuple(card_type.slots for card_type in self.layout.card_types),
            blind=self.statements.blind,
            all_stay=self.layout.all_stay,
        )
        mark_framed(program)
        return program

    # ── values ──

    def value_code(self, name: str, value: model.Expr, params: list[model.Local]) -> CodeInfo:
        scope = Scope()
        for param in params:
            scope.add(param)
        code = CodeInfo(name, self.layout.place(value.span), len(params))
        code.value = self.expressions.lower(value, scope)
        return close(code, scope)

    def lower_defines(self) -> list[DefineInfo]:
        attached = {define: self.attachments.of(define) for define in self.game.defines}
        for define, attachments in attached.items():
            self.expressions.chains[define] = list(self.attachments.instead(attachments))
        infos: list[DefineInfo] = []
        for define in self.game.defines:
            assert define.value is not None
            infos.append(
                DefineInfo(
                    define.name, self.value_code(define.name, define.value, define.params), self.attachments.chain(attached[define])
                )
            )
        return infos

    def note_reads(self, defines: list[DefineInfo]) -> None:
        """Tell `effects` what each define depends on."""
        self.effects.defines = defines
        for number, info in enumerate(defines):
            parts: list[Node] = [info.code.value] if info.code.value is not None else []
            for attachment in self.infos:
                if attachment.on_define and attachment.target == number:
                    parts += [node for node in (attachment.condition, attachment.code.value) if node is not None]
                    if attachment.carriers is not None:  # it works where its card is
                        parts += self.whereabouts(attachment)
            self.effects.define_parts.append(parts)
        for scoring in self.game.scoring:
            for line in scoring.lines:
                for expr in (line.condition, line.value):
                    if expr is not None:
                        code = self.value_code(line.label, expr, [scoring.param])
                        assert code.value is not None
                        self.effects.scoring.append(code.value)

    def whereabouts(self, attachment: AttachmentInfo) -> list[Node]:
        """Reads the zones in which a card's ability works."""
        if attachment.zones is None:
            return [("all_cards", 0, 0)]
        families = {self.layout.families[self.layout.zones[zone].family].base for zone in attachment.zones}
        return [("family", 0, base, (), (), False) for base in sorted(families)]

    def lower_endings(self) -> list[EndingInfo]:
        endings = self.effects.endings
        for number, ending in enumerate(self.endings):
            assert ending.condition is not None
            scope = Scope()
            patterns: list[Node] = []
            place = self.layout.place(ending.span)
            for i, pattern in enumerate(ending.patterns):
                scope.hidden()
                if isinstance(pattern, model.Bind):
                    scope.numbers[pattern.local] = i
            for i, pattern in enumerate(ending.patterns):
                test = self.expressions.pattern(pattern, ("local", place, i), ending.span, scope)
                if test is not None:
                    patterns.append(test)
            code = CodeInfo(ending.name, self.layout.place(ending.condition.span), len(ending.patterns))
            value = self.expressions.lower(ending.condition, scope)
            for test in reversed(patterns):
                value = ("and", place, test, value)
            code.value = value
            info = EndingInfo(ending.name, ending.text, close(code, scope), ending.after is None, frozenset(), frozenset(), False)
            endings.append(evolve(self.effects.ending(info, [value]), is_property=number >= len(self.game.endings)))
            if isinstance(ending.after, model.BuiltinEvent):
                self.events.endings_of_verb[ending.after.name].append(number)
        return endings

    def lower_properties(self) -> dict[int, PropertyInfo]:
        properties = enumerate(self.game.properties if self.game.tested else ())
        return {
            number: PropertyInfo(one.text, one.kind, self.value_code(one.text, one.value, [one.decisions]))
            for number, one in properties
            if one.decisions is not None
        }

    def lower_scoring(self) -> list[ScoreLineInfo]:
        lines: list[ScoreLineInfo] = []
        for scoring in self.game.scoring:
            for line in scoring.lines:
                code = self.value_code(line.label, line.value, [scoring.param])
                condition = None if line.condition is None else self.value_code(line.label, line.condition, [scoring.param])
                reads = self.effects.reads(code.value)
                if condition is not None:
                    self.effects.reads(condition.value, reads)
                lines.append(ScoreLineInfo(line.label, code, condition, frozenset(reads.zones), frozenset(reads.variables)))
        return lines

    def lower_initial(self) -> tuple[list[object], list[tuple[int, CodeInfo]]]:
        """First values of the variables: constants at once, the rest as code that runs before `setup`."""
        initial: list[object] = [UNSET] * len(self.layout.variables)
        code: list[tuple[int, CodeInfo]] = []
        for variable in self.game.variables:
            if variable.value is None:
                continue
            family = self.layout.variable_families[variable]
            value = self.value_code(variable.name, variable.value, [])
            for number in range(family.base, family.base + family.size):
                if value.value is not None and value.value[0] == "const":
                    initial[number] = value.value[2]
                else:
                    code.append((number, value))
        return initial, code

    # ── rules and attachments ──

    @staticmethod
    def params(attachment: model.Attachment) -> list[model.Local] | tuple[None, ...]:
        """The parameters of what it attaches to."""
        target = attachment.target
        return (None,) * len(attachment.patterns) if isinstance(target, model.BuiltinEvent) else target.params

    def describe_attachments(self) -> None:
        """Heads and guards of all attachments, and the whole of those that are values."""
        for attachment in self.attachments.all:
            target = attachment.target
            number = -1
            if not isinstance(target, model.BuiltinEvent):
                number = self.expressions.defines[target] if isinstance(target, model.Define) else self.rules[target]
            scope = attachment_scope(attachment, self.params(attachment))
            self.scopes[attachment] = scope
            name = attachment.text or f"{attachment.when} {target.name}"
            code = CodeInfo(name, self.layout.place(attachment.span), scope.count)
            info = describe(attachment, number, scope, code, self.expressions)
            if attachment.value is not None:
                code.value = self.expressions.lower(attachment.value, scope)
                close(code, scope)
            self.infos.append(info)

    def lower_rules(self) -> None:
        scopes: list[Scope] = []
        for rule in self.game.rules:
            scope = Scope()
            for param in rule.params:
                scope.add(param)
            scopes.append(scope)
            code = CodeInfo(rule.name, self.layout.place(rule.span), len(rule.params))
            attached = self.attachments.of(rule)
            info = RuleInfo(rule.name, code, self.attachments.chain(attached), has_result=rule.result is not None, doc=rule.doc)
            self.events.rules.append(info)
            self.events.attached.append(attached)
            self.events.ended.append([i for i, ending in enumerate(self.endings) if ending.after is rule])
        for rule, scope in zip(self.game.rules, scopes, strict=True):
            info = self.events.rules[self.rules[rule]]
            info.code.body = self.statements.block(rule.body, Body(scope, rule.name)) or ()
            close(info.code, scope)

    def lower_attachments(self) -> None:
        for attachment, info in zip(self.attachments.all, self.infos, strict=True):
            if attachment.body is not None:
                scope = self.scopes[attachment]
                info.code.body = self.statements.block(attachment.body, Body(scope, info.code.name)) or ()
                close(info.code, scope)

    def add_surroundings(self) -> None:
        """Of every rule, what runs around its body (its first hidden local keeps the result), and what is judged after a call."""
        for number, (rule, attached, ended) in enumerate(
            zip(self.events.rules, self.events.attached, self.events.ended, strict=True)
        ):
            place = rule.code.place
            params = rule.code.params
            if any(a.when != "instead" for a in attached):
                scope = Scope()
                for name, of in zip(rule.code.local_names[:params], rule.code.local_types[:params], strict=True):
                    scope.hidden(of, name)
                scope.hidden(None, "result")
                body = (
                    *self._attached(number, rule, attached, "before", place, scope),
                    ("body", place, number),
                    *self._attached(number, rule, attached, "after", place, scope),
                )
                rule.around = close(CodeInfo(rule.name, place, params, body=body), scope)
            rule.judged = tuple(ended)

    def _attached(
        self, number: int, rule: RuleInfo, attached: list[model.Attachment], when: str, place: int, scope: Scope
    ) -> list[Node]:
        numbers = {a: i for i, a in enumerate(self.attachments.all)}
        nodes: list[Node] = [("attached", place, numbers[a]) for a in self.attachments.around(attached, when)]
        if when in rule.chain.cards:
            nodes.append(("attached_cards", place, number, when, scope.hidden(), scope.hidden()))
        if f"{when} optional" in rule.chain.cards:
            site = Site(len(self.statements.sites), "abilities", place, rule.name, optional=True, lines=())
            self.statements.sites.append(site)
            self.statements.asked.append((None, scope))
            nodes.append(("abilities", place, number, site.number, when, scope.hidden(), scope.hidden()))
        return nodes


def judged_endings(game: model.Game) -> list[model.Ending]:
    """The endings and, of rules being tested, after them the properties that are judged after a call, as what must not be true."""
    found = list(game.endings)
    for one in game.properties if game.tested else ():
        if one.kind == "after":
            broken = model.Not(type=types.FLAG, span=one.value.span, value=one.value)
            found.append(
                model.Ending(one.text, one.text, one.span, condition=broken, text=one.text, after=one.after, patterns=one.patterns)
            )
    return found


def close(code: CodeInfo, scope: Scope) -> CodeInfo:
    """Note the locals, once all are known."""
    code.locals = scope.count
    code.local_names = tuple(scope.names)
    code.local_types = tuple(scope.types)
    return code
