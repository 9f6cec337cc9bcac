"""The rulebook of a game: its chapters, in the order in which somebody needs them who has never seen the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dsl import model, types, walk
from dsl.source import Source
from rulesrun.api import counts_text, option_text
from rulesrun.rulebook import markdown, moments, remarks, things
from rulesrun.rulebook.naming import naming, sort_of, spoken_to
from rulesrun.rulebook.order import Order
from rulesrun.rulebook.steps import Step, Teller, introduced
from rulesrun.rulebook.values import Words
from rulesrun.rulebook.words import article, capital, escaped, humanised, listed, sentence

if TYPE_CHECKING:
    from rulesrun.api import Game

MOST_VALUES = 12


class Book:
    """One rulebook being written. `base` is the same game without variants, where there are any; `others` the rules under other
    values of options."""

    def __init__(
        self,
        rules: model.Game,
        notes: remarks.Remarks,
        base: model.Game | None = None,
        others: Sequence[tuple[model.Option, str, model.Game]] = (),
    ) -> None:
        self.rules, self.notes, self.base, self.others = rules, notes, base, others
        self.mark = things.Marker(notes.variants)
        self.order = Order(rules)

    def text(self) -> str:
        return "\n\n".join(self.chapters()) + "\n"

    def chapters(self) -> list[str]:
        told = self.title()
        told += self.variants()
        told += self.components()
        told += self.set_up()
        told += self.play()
        told += self.cards()
        told += self.end()
        told += self.options()
        return told

    # ── the beginning ──

    def title(self) -> list[str]:
        players = counts_text(self.rules.players)
        told = [f"# {escaped(self.rules.name)}", f"*For {players} players.*", *markdown.prose(self.rules.doc)]
        return told + [f"**{escaped(name)}.** {markdown.prose(doc)[0]}" for name, doc in self.notes.modules if markdown.prose(doc)]

    def variants(self) -> list[str]:
        if not self.notes.variants:
            return []
        told = ["## What the variant changes"]
        for name, doc in self.notes.variants.values():
            told.append(" ".join([f"**{escaped(name)}**.", *markdown.prose(doc)]))
        changes = [f"- {text}" for text in self.changes()]
        told += ["\n".join(changes)] if changes else []
        told.append("What comes from a variant is marked with its name in what follows.")
        return told

    def changes(self) -> Iterable[str]:
        """What is different from the base, thing by thing."""
        if self.base is None:
            return
        if self.base.players != self.rules.players:
            yield f"It is for {counts_text(self.rules.players)} players instead of {counts_text(self.base.players)}."
        before = {option.name: option for option in self.base.options}
        for option in self.rules.options:
            old = before.get(option.name)
            if old is not None and old.value != option.value:
                was, now = option_text(self.base, old), option_text(self.rules, option)
                yield f"The option *{humanised(option.name)}* – {escaped(option.text)} – is {escaped(str(now))} instead of {escaped(str(was))}."
        yield from self.changed_cards(self.base)
        for declared in [*self.rules.rules, *self.rules.defines, *self.rules.zones, *self.rules.endings]:
            if self.mark(declared):
                yield f"*{capital(humanised(declared.name))}* is told below{self.mark(declared)}."
        for attachment in self.rules.attachments:
            if self.mark(attachment) and attachment.carriers is None:
                step = moments.told(attachment, self.rules, self.link).step()
                yield step.text if not step.below else f"{step.text.rstrip(':')} something else is done than before: see below."
        for attachment in self.base.attachments:
            if attachment.carriers is None and self.is_gone(attachment):
                step = moments.told(attachment, self.base, self.link).step()
                yield f"Not any more: {step.text.rstrip(':. ')}."
        yield from self.changed_scores(self.base)
        for ending in self.base.endings:
            if not any(e.name == ending.name for e in self.rules.endings):
                yield f"This end of the game is taken away: {escaped(ending.text)}."

    def is_gone(self, attachment: model.Attachment) -> bool:
        """Is it neither there as it was, nor changed by a variant?"""
        for now in self.rules.attachments:
            same = now.span == attachment.span
            changed = now.rank == attachment.rank and now.when == attachment.when and bool(self.mark(now))
            if same or (changed and now.target.name == attachment.target.name and matched(now) == matched(attachment)):
                return False
        return True

    def changed_cards(self, base: model.Game) -> Iterable[str]:
        """Cards that are changed alike are told together."""
        old = {(t.name, d.name): d for t in base.card_types for d in t.designs}
        added: dict[int, list[str]] = {}
        different: dict[str, list[str]] = {}
        for card in self.rules.card_types:
            for design in card.designs:
                was = old.get((card.name, design.name))
                if was is None:
                    added.setdefault(design.copies, []).append(escaped(design.name))
                elif (was.copies, was.values, was.texts) != (design.copies, design.values, design.texts):
                    how = "; ".join(self.changed_card(card, was, design)) if design.copies else ""
                    different.setdefault(how, []).append(escaped(design.name))
        for copies, names in added.items():
            several = len(names) > 1
            yield f"{'Cards are' if several else 'A card is'} added: {listed(names)} ({copies}{' of each' if several else ''})."
        designs = sum(len(card.designs) for card in self.rules.card_types)
        for how, names in different.items():
            which = f"The cards {listed(names)} are" if len(names) > 1 else f"The card {names[0]} is"
            which = f"All {designs} cards are" if len(names) == designs > 1 else which
            yield f"{which} different: {how}." if how else f"{which} taken out."

    def changed_card(self, card: model.CardType, was: model.Design, now: model.Design) -> Iterable[str]:
        if was.copies != now.copies:
            yield f"{now.copies} {'copy' if now.copies == 1 else 'copies'} instead of {was.copies}"
        for column, old, new in zip(card.attributes, was.values, now.values, strict=True):
            if old != new:
                old_text, new_text = (things.cell(self.rules, value, column.type) for value in (old, new))
                yield f"*{humanised(column.name)}* {new_text} instead of {old_text}"
        for text in was.texts:
            if text not in now.texts:
                yield f"not any more: {things.ability_text(text)}"
        for text in now.texts:
            if text not in was.texts:
                yield f"now: {things.ability_text(text)}"

    def changed_scores(self, base: model.Game) -> Iterable[str]:
        before, after = ({line.label: line for s in rules.scoring for line in s.lines} for rules in (base, self.rules))
        for label in before:
            if label not in after:
                yield f"*{escaped(label)}* does not count any more."
        for label, line in after.items():
            if label not in before:
                yield f"*{escaped(label)}* counts too{self.mark(line)}: see below."
            elif line.span.source.path != before[label].span.source.path:
                yield f"*{escaped(label)}* counts otherwise{self.mark(line)}: see below."

    # ── components ──

    def components(self) -> list[str]:
        told = ["## What there is"]
        for card in self.rules.card_types:
            told += things.deck(self.rules, card)
        told += things.boards(self.rules)
        told += [capital(text) for text in things.dice(self.rules)]
        for heading, part in (
            ("### Kinds of things", things.kinds(self.rules)),
            ("### Where cards lie", things.zones(self.rules, self.mark)),
            ("### What to keep track of", things.variables(self.rules, self.mark)),
        ):
            told += [heading, *part] if part else []
        if self.rules.zones:
            told.append("How many cards lie in a place everybody may always count.")
        return told

    # ── rules ──

    def link(self, rule: model.Rule) -> str:
        name = capital(humanised(rule.name))
        return f"[{name}](#{anchor(name)})"

    def set_up(self) -> list[str]:
        later = Order(self.rules)
        needed = later.rules(self.rules.main, *self.ability_rules())
        mine = [rule for rule in self.order.rules(self.rules.setup) if rule is self.rules.setup or rule not in needed]
        for rule in self.order.told:
            if rule not in mine:
                self.order.seen.discard(id(rule))
        told = ["## Set-up"]
        for rule in mine:
            told += self.rule(rule, rule is not self.rules.setup)
        return told

    def play(self) -> list[str]:
        told = ["## How it is played"]
        told.append(f"{HOW_TO_READ} {OUT_NOTE}" if self.somebody_leaves() else HOW_TO_READ)
        for rule in [*self.order.rules(self.rules.main), *self.order.rules(*self.ability_rules())]:
            told += self.rule(rule, True)
        told += self.whenever()
        return told

    def somebody_leaves(self) -> bool:
        """Whether the rules ever take a player out of the game."""
        blocks = [*(rule.body for rule in self.rules.rules), *(a.body for a in self.rules.attachments)]
        return any(isinstance(step, model.Eliminate) for step in walk.statements(blocks))

    def ability_rules(self) -> list[model.Rule]:
        """Rules that abilities and other attachments need, and events they wait for."""
        from rulesrun.rulebook.order import rules_in

        found = [a.target for a in self.rules.attachments if isinstance(a.target, model.Rule)]
        return [*found, *rules_in([(a.body, a.where) for a in self.rules.attachments])]

    def rule(self, rule: model.Rule, heading: bool) -> list[str]:
        you = spoken_to(rule.params)
        words = Words(self.rules, naming(rule.params, rule.body, you=you))
        teller = Teller(words, self.link, rule)
        told = [f"### {capital(humanised(rule.name))}{self.mark(rule)}"] if heading else []
        told += self.given(rule.params, you, words)
        told += markdown.prose(rule.doc)
        steps = teller.block(rule.body)
        if steps:
            told.append(markdown.steps(steps))
        elif rule.body is None and not self.order.hanging(rule) and not self.waiting(rule):
            told.append("There is nothing to do.")
        elif rule.body is None:
            told.append("By itself this does nothing: it is a moment for which others wait.")
        told += self.hanging(rule)
        for define in self.order.with_rule.get(id(rule), []):
            told += self.define(define)
        return told

    def waiting(self, rule: model.Rule) -> bool:
        return any(a.target is rule for a in self.rules.attachments)

    def given(self, params: Sequence[model.Local], you: model.Local | None, words: Words) -> list[str]:
        """Whom and what a procedure is about."""
        about = []
        for local in params:
            noun = words.names.of(local)
            if local is not you:
                text = f"a number {noun}" if len(noun.text) <= 2 else article(noun.text.removeprefix("the "))
                about.append(noun.text if noun.plural else text)
        if you is not None:
            return [f"*This is about {listed(about)}.*"] if about else []
        return [f"*This is about {listed(about)}.*"] if about else []

    def hanging(self, target: model.Rule | model.Define, afterwards: bool = False) -> list[str]:
        """What else happens there: attachments outside cards. `afterwards`: only what follows the end of the game."""
        steps = []
        for attachment in self.order.hanging(target):
            if (target is self.rules.main and attachment.when == "after") is not afterwards:
                continue
            step = moments.told(attachment, self.rules, self.link, inside=True).step()
            doc = markdown.prose(self.notes.docs.get((attachment.span.source.path, attachment.span.start)))
            if doc:
                step = Step(f"{step.text}{self.mark(attachment)} {' '.join(doc)}" if not step.below else step.text, step.below)
                step.text = step.text if not step.below else f"{' '.join(doc)} {step.text}"
            else:
                step.text += self.mark(attachment)
            steps.append(step)
        return [markdown.steps(steps, numbered=False)] if steps else []

    def whenever(self) -> list[str]:
        """What hangs on moves, rolls and the like."""
        steps = [
            moments.told(a, self.rules, self.link).step()
            for a in self.rules.attachments
            if isinstance(a.target, model.BuiltinEvent) and a.carriers is None
        ]
        return ["### At any time", markdown.steps(steps, numbered=False)] if steps else []

    # ── values ──

    def define(self, define: model.Define) -> list[str]:
        you = spoken_to(define.params)
        names = naming(define.params, define.value, you=you)
        words = Words(self.rules, names)
        name = capital(humanised(define.name))
        doc = "".join(f" {paragraph}" for paragraph in markdown.prose(define.doc))
        lead = f"**{name}**{self.mark(define)}.{doc}"
        told = self.cases(define, words)
        if isinstance(told, str):
            return [f"{lead} {told}", *self.hanging(define)]
        subject = self.subject(define, words)
        whether = f"Whether {subject[:1].lower() + subject[1:]}:" if define.result == types.FLAG else f"{subject}:"
        return [f"{lead} {whether}", markdown.steps(told, numbered=False), *self.hanging(define)]

    def cases(self, define: model.Define, words: Words) -> str | list[Step]:
        """What a value is: a sentence, or its cases."""
        value, lets = define.value, []
        assert value is not None, "a define has a value"
        subject = self.subject(define, words)
        while isinstance(value, model.LetIn):
            noun = words.names.of(value.local)
            if value.local.type == types.FLAG:
                lets.append(Step(sentence(f"remember whether {words.clause(value.value)} (*{humanised(value.local.name)}*)")))
            else:
                lets.append(Step(sentence(introduced(value.local, noun, words.text(value.value)))))
            value = value.body
        flag = define.result == types.FLAG
        if not isinstance(value, model.Choice) and not lets:
            return sentence(self.whole(subject, value, words, flag))
        steps, lets_told = lets, len(lets)
        while isinstance(value, model.Choice):
            steps.append(Step(sentence(f"if {words.clause(value.condition)}: {self.result(value.value, words, flag)}")))
            value = value.otherwise
        if isinstance(define.value, model.Choice) or len(steps) > lets_told:
            steps.append(Step(sentence(f"Otherwise: {self.result(value, words, flag)}")))
        else:
            steps.append(Step(sentence(self.whole(subject, value, words, flag))))
        return steps

    def whole(self, subject: str, value: model.Expr, words: Words, flag: bool) -> str:
        """“Your total is …”, “the card rises for you if …”."""
        if not flag:
            return f"{subject} {'are' if isinstance(value.type, types.ListType) else 'is'} {self.result(value, words, flag)}"
        return f"{subject}{':' if isinstance(value, model.Literal) else ''} {self.result(value, words, flag).removeprefix('yes, ')}"

    def subject(self, define: model.Define, words: Words) -> str:
        """“Your total”, or the condition itself."""
        call = words.call_of(define)
        if define.result == types.FLAG:
            return capital(words.clause(call))
        noun = words.noun(call)
        return f"{capital(noun.text)}"

    def result(self, value: model.Expr, words: Words, flag: bool) -> str:
        if not flag:
            return words.text(value)
        if isinstance(value, model.Literal):
            return "always" if value.value else "never"
        return f"yes, if {words.clause(value)}"

    # ── cards ──

    def cards(self) -> list[str]:
        told = self.moments_of_cards()
        for card in self.rules.card_types:
            designs = [design for design in card.designs if design.copies > 0]
            able = [design for design in designs if self.abilities(design)]
            if not able:
                continue
            told.append(f"### {capital(humanised(card.name))}")
            told += ["\n".join(self.card(design)) for design in able]
        return ["## What the cards do, exactly", OWNER_NOTE, *told] if told else []

    def moments_of_cards(self, of: model.Design | None = None) -> list[str]:
        """The words that stand before abilities; `of`: only those of one card."""
        lines = []
        for name, doc in self.notes.timings.items():
            using = [a for a in self.rules.attachments if self.timing_of(a) == name]
            if not using or (of is not None and not any(text.startswith(f"{name}: ") for text in of.texts)):
                continue
            moment = moments.told(using[0], self.rules, self.link).moment
            free = " You may, you need not." if using[0].optional else ""
            doc_text = " ".join(markdown.prose(doc)) or capital(moment) + "." + free
            lines.append(
                f"- ***{humanised(name)}:*** {doc_text} (Exactly: {moment}.)" if doc else f"- ***{humanised(name)}:*** {doc_text}"
            )
        return ["\n".join(lines)] if lines else []

    def timing_of(self, attachment: model.Attachment) -> str | None:
        for design in attachment.carriers or ():
            for text in design.texts:
                word, _, rest = text.partition(": ")
                if rest == attachment.text:
                    return word
        return None

    def abilities(self, design: model.Design) -> list[model.Attachment]:
        return [a for a in self.rules.attachments if a.carriers is not None and any(d is design for d in a.carriers)]

    def card(self, design: model.Design) -> list[str]:
        """A card: its name, and each ability in the author's words and then exactly."""
        told = [f"**{escaped(design.name)}**{self.mark(design)}", ""]
        for text in design.texts:
            own = [a for a in self.abilities(design) if a.text == text.partition(": ")[2]]
            lead = f"{things.ability_text(text)}."
            steps: list[Step] = []
            for attachment in own:
                hanging = moments.told(attachment, self.rules, self.link)
                if self.timing_of(attachment) in self.notes.timings:
                    steps += hanging.steps
                else:
                    hanging.text = ""
                    steps.append(hanging.step())
            if len(steps) == 1 and not steps[0].below:
                told.append(f"- {lead} — {steps[0].text}")
            else:
                told += markdown.steps([Step(lead, steps)], numbered=False).split("\n")
        return told

    # ── the end ──

    def end(self) -> list[str]:
        told = ["## The end of the game"]
        lines = [self.ending(ending) for ending in self.rules.endings]
        main = self.link(self.rules.main) if self.rules.main is not None else "the game"
        if lines and not endless(self.rules.main):
            lines.append(f"- {main} has been done to its end.")
        if lines:
            told.append(
                "The game ends as soon as one of these is true:" if len(lines) > 1 else "The game ends as soon as this is true:"
            )
            told.append("\n".join(lines))
        elif not endless(self.rules.main):
            told.append(f"The game ends when {main} has been done to its end.")
        if self.rules.main is not None:
            after = self.hanging(self.rules.main, afterwards=True)
            told += ["### When the game is over", *after] if after else []
        told += self.scoring()
        if self.rules.winners is not None and self.rules.winners.value is not None:
            define = self.rules.winners
            self.order.defines([])
            doc = markdown.prose(define.doc)
            words = Words(self.rules, naming([], define.value))
            told += doc
            winners = self.cases(define, words)
            if isinstance(winners, str):
                told.append(f"**The winners**: {sentence(words.text(define.value))}")
            else:
                told += ["**The winners**:", markdown.steps(winners, numbered=False)]
            told += self.hanging(define)
            self.order.seen.add(id(define))
            roots: list[object] = [
                define.value,
                *(e.condition for e in self.rules.endings),
                *(line for s in self.rules.scoring for line in s.lines),
            ]
            roots += [part for a in self.rules.attachments for part in (a.where, a.body, a.value)]
            for needed in self.order.defines(roots):
                told += self.define(needed)
        return told

    def ending(self, ending: model.Ending) -> str:
        bound = [p.local for p in ending.patterns if isinstance(p, model.Bind)]
        words = Words(self.rules, naming(bound, ending.condition))
        assert ending.condition is not None, "an ending has a condition"
        after = ""
        if isinstance(ending.after, model.Rule):
            after = f"judged only when {self.link(ending.after)} is over: "
        elif ending.after is not None:
            after = f"judged after each {ending.after.name}: "
        return f"- **{escaped(ending.text)}**{self.mark(ending)}: {after}{words.clause(ending.condition)}."

    def scoring(self) -> list[str]:
        told = []
        for scoring in self.rules.scoring:
            words = Words(self.rules, naming([scoring.param], *scoring.lines, you=scoring.param))
            lines = []
            for line in scoring.lines:
                condition = "" if line.condition is None else f" (only if {words.clause(line.condition)})"
                lines.append(f"- **{escaped(line.label)}**{condition}: {words.text(line.value)}.{self.mark(line)}")
            told += ["### Scoring", "Your score is the sum of these:" if len(lines) > 1 else "Your score:", "\n".join(lines)]
        return told

    # ── options ──

    def options(self) -> list[str]:
        if not self.rules.options:
            return []
        told = ["## Options", "Before the game you may agree on other values."]
        rows = []
        for option in self.rules.options:
            default, now = self.option_value(option, option.default), self.option_value(option, option.value)
            shown = now if now == default else f"{now} (by itself {default})"
            rows.append((f"*{humanised(option.name)}*", escaped(option.text), shown, self.allowed(option)))
        told.append(markdown.table(["option", "what it is", "value", "possible values"], rows))
        for option, value, rules in self.others:
            told += self.option_changes(option, value, rules)
        if self.rules.presets:
            told += ["### Presets", "A preset sets several options at once."]
            lines = []
            for preset in self.rules.presets:
                values = listed([f"*{humanised(name)}* {self.shown(value)}" for name, value in preset.values])
                lines.append(f"- **{escaped(preset.name)}**: {escaped(preset.text)}{f' ({values})' if values else ''}.")
            told.append("\n".join(lines))
        return told

    def shown(self, value: object) -> str:
        return ("yes" if value else "no") if isinstance(value, bool) else escaped(str(value))

    def option_value(self, option: model.Option, value: object) -> str:
        return Words(self.rules, naming([])).plain(value, option.type)

    def allowed(self, option: model.Option) -> str:
        values = option.allowed
        if option.type == types.FLAG:
            return "yes, no"
        if values is None:
            kind = next((k for k in self.rules.kinds if k.type == option.type), None)
            return ", ".join(escaped(shown) for _, shown in kind.members) if kind is not None else f"any {sort_of(option.type)}"
        if len(values) > 3 and all(isinstance(v, int) for v in values) and list(values) == list(range(values[0], values[-1] + 1)):  # type: ignore[call-overload, operator]
            return f"{values[0]} to {values[-1]}"
        return ", ".join(self.option_value(option, value) for value in values)

    def option_changes(self, option: model.Option, value: str, rules: model.Game) -> list[str]:
        """What a value of an option brings that was not there: the declarations of `when` blocks."""
        other = Book(rules, self.notes)
        known = {place(d) for d in [*self.rules.rules, *self.rules.defines, *self.rules.attachments, *self.rules.zones]}
        docs = [
            text for names, block in self.notes.blocks if option.name in names and block.doc for text in markdown.prose(block.doc)
        ]
        told: list[str] = []
        for zone in rules.zones:
            if place(zone) not in known:
                told.append(f"*{capital(humanised(zone.name))}*: {things.shape(zone)}; faces are seen by {things.sight(zone)}.")
        for attachment in rules.attachments:
            if place(attachment) in known or attachment.carriers is not None:
                continue
            doc = markdown.prose(self.notes.docs.get((attachment.span.source.path, attachment.span.start)))
            told += [*doc, markdown.steps([moments.told(attachment, rules, self.link).step()], numbered=False)]
            if isinstance(attachment.target, model.Define):
                told[-1] = told[-1].replace("- ", f"- *{humanised(attachment.target.name)}*: ", 1)
        for rule in rules.rules:
            if place(rule) not in known:
                told += [text.replace("### ", "#### ", 1) for text in other.rule(rule, True)]
        for define in rules.defines:
            if place(define) not in known:
                told += other.define(define)
        if not told and not docs:
            return []
        return [f"### With *{humanised(option.name)}* {value}: {escaped(option.text)}", *docs, *told]


HOW_TO_READ = (
    "Begin with the first of these procedures. Where one names another, do that one to its end and then go on. “You” are the player "
    "whom a procedure is about: who it says does it. A word in italics is explained where it is first needed; where there are several "
    "cases, the first that fits counts. A choice for which there is nothing to choose is skipped."
)
OUT_NOTE = "Whoever is out of the game is passed over, also where it says “each player” or “another player”."
OWNER_NOTE = (
    "“You” are the player before whom the card lies. Where several cards want to change the same thing, a card of an opponent "
    "of the player whose turn it is comes before one of that player’s own; in one place the one on the left, or on top, comes first."
)


def place(declared: Any) -> tuple[str, int]:
    """Where something is declared, which tells whether it is the same in two compositions."""
    return (declared.span.source.path, declared.span.start)


def anchor(heading: str) -> str:
    """How Markdown names the place of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def endless(rule: model.Rule | None) -> bool:
    """Whether a rule never ends by itself."""
    if rule is None or rule.body is None:
        return False
    return any(
        isinstance(s, model.While) and isinstance(s.condition, model.Literal) and s.condition.value is True
        for s in rule.body.statements
    )


def sources(game: Game) -> list[Source]:
    """All files that the rules come from, modules first."""
    rules = game.rules
    declared: list[Any] = [
        *rules.kinds,
        *rules.card_types,
        *rules.zones,
        *rules.variables,
        *rules.rules,
        *rules.defines,
        *rules.attachments,
    ]
    found: dict[str, Source] = {d.span.source.path: d.span.source for d in declared}
    found.setdefault(game.source.path, game.source)
    for source in game.variant_sources:
        found.setdefault(source.path, source)
    return [source for path, source in found.items() if path != "<built in>"]


def matched(attachment: model.Attachment) -> list[model.Expr | None]:
    """What the head of an attachment asks its arguments to be."""
    return [pattern.value if isinstance(pattern, model.Match) else None for pattern in attachment.patterns]
