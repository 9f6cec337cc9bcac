"""What hangs on rules and values – abilities of cards, triggers, house rules – in English: when it works, and what it does."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from dsl import model, types
from rulesrun.rulebook.naming import Naming, is_player, naming, sort_of, zone_name
from rulesrun.rulebook.steps import Link, Step, Teller
from rulesrun.rulebook.values import Words
from rulesrun.rulebook.words import Noun, article, capital, escaped, listed, sentence

THIS_CARD = Noun("this card")
EVENTS = {"shuffle": "is shuffled", "reveal": "is shown to everybody", "roll": "are rolled", "eliminate": "is out of the game"}


@define
class Hanging:
    """One attachment, told. `moment`: when it works; `text`: what the author says it does; `steps`: exactly what."""

    moment: str
    text: str
    steps: list[Step]

    def step(self) -> Step:
        lead = capital(self.moment)
        if self.text:
            lead = f"{lead} – *{escaped(self.text)}*" if lead else f"*{escaped(self.text)}*"
        if not lead:
            return self.steps[0] if len(self.steps) == 1 else Step("Then:", self.steps)
        if len(self.steps) == 1 and not self.steps[0].below:
            return Step(f"{lead}: {self.steps[0].text[:1].lower() + self.steps[0].text[1:]}")
        return Step(lead + ":", self.steps) if self.steps else Step(sentence(lead))


def names_of(attachment: model.Attachment) -> Naming:
    """The owner of a card is “you”; where no card carries it, its first player is."""
    fixed: dict[int, Noun] = {}
    you = attachment.owner_player
    if attachment.self_card is not None:
        fixed[id(attachment.self_card)] = THIS_CARD
    bound = [p.local for p in attachment.patterns if isinstance(p, model.Bind)]
    if you is None and attachment.carriers is None:
        you = next((local for local in bound if local.type == types.PLAYER and len(local.name) <= 2), None)
    return naming(bound, attachment.where, attachment.body, attachment.value, you=you, fixed=fixed)


def told(attachment: model.Attachment, game: model.Game, link: Link, inside: bool = False) -> Hanging:
    """`inside`: it is told where its target is, which therefore is not named again."""
    target = attachment.target
    words = Words(game, names_of(attachment))
    rule = target if isinstance(target, model.Rule) else None
    teller = Teller(words, link, rule)
    if rule is not None:
        by_param(words.names, rule.params, attachment.patterns)
    moment = when(attachment, words, link, inside)
    steps = [value_step(attachment, target, words)] if isinstance(target, model.Define) else teller.block(attachment.body)
    return Hanging(moment, attachment.text, steps or [Step("Nothing happens.")])


def by_param(names: Naming, params: Iterable[model.Local], patterns: Iterable[model.Pattern]) -> None:
    """What a rule calls a thing is what is bound in its place, so that `proceed(p, n - 1)` tells only what is different."""
    for param, pattern in zip(params, patterns, strict=False):
        if isinstance(pattern, model.Bind):
            names.phrases[id(param)] = names.of(pattern.local)
        elif isinstance(pattern, model.Match) and isinstance(pattern.value, model.LocalRef):
            names.phrases[id(param)] = names.of(pattern.value.local)


def value_step(attachment: model.Attachment, target: model.Define, words: Words) -> Step:
    """How a value changes, or when a condition holds."""
    value = attachment.value
    assert value is not None, "an attachment of a define has a value"
    call = words.call_of(target, attachment.patterns)
    if target.result == types.FLAG:
        holds = words.clause(call)
        if isinstance(value, model.Literal):
            return Step(sentence(f"{holds}: {'always' if value.value else 'never'}"))
        if isinstance(value, model.Binary) and isinstance(value.left, model.Proceed):
            if value.op == "or":
                return Step(sentence(f"{holds} also if {words.clause(value.right)}"))
            return Step(sentence(f"{holds} only if, besides, {words.clause(value.right)}"))
        if isinstance(value, model.Choice | model.LetIn):
            return Step(sentence(f"whether {holds} is told like this: {words.clause(value)}"))
        return Step(sentence(f"{holds} exactly if {words.clause(value)}"))
    noun = words.noun(call)
    if isinstance(value, model.Binary) and isinstance(value.left, model.Proceed) and value.op in ("+", "-"):
        return Step(sentence(f"{noun} {noun.be} {'higher' if value.op == '+' else 'lower'} by {words.text(value.right)}"))
    return Step(sentence(f"{noun} {noun.be} {words.text(value)}"))


def when(attachment: model.Attachment, words: Words, link: Link, inside: bool) -> str:
    """“after *Take damage*, by you, if …”"""
    target = attachment.target
    lead = {"before": "before", "after": "after", "instead": "instead of"}[attachment.when]
    if isinstance(target, model.BuiltinEvent):
        moment = f"{lead} {builtin(attachment, target, words)}"
        if attachment.when == "instead":
            moment = f"where {builtin(attachment, target, words)}, instead"
    elif isinstance(target, model.Define):
        moment = ""
    else:
        name = "this" if inside else link(target)
        doing = about(target.params, attachment.patterns, words)
        moment = f"{lead} {name}" + (f" {doing}" if doing else "")
        if target is words.game.main and attachment.when == "after":
            moment = "when the game is over"
    if attachment.zones is not None and attachment.carriers is not None:
        places = listed([f"{'your ' if zone.indexes else 'the '}{zone_name(zone)}" for zone in attachment.zones], "or")
        moment = f"while this card is in {places}" + (f", {moment}" if moment else "")
    if attachment.where is not None:
        moment += f"{', ' if moment else ''}if {words.clause(attachment.where)}"
    return moment


def about(params: Iterable[model.Local], patterns: Iterable[model.Pattern], words: Words) -> str:
    """With which arguments: “by you”, “with a card C for which …”; nothing for those that do not matter."""
    told_so = []
    for param, pattern in zip(params, patterns, strict=False):
        preposition = "by" if is_player(param.type) else "with"
        if isinstance(pattern, model.Match):
            told_so.append(f"{preposition} {words.text(pattern.value)}")
        elif isinstance(pattern, model.Bind):
            noun = words.names.of(pattern.local)
            if noun.you or len(pattern.local.name) > 2:
                told_so.append(f"{preposition} {noun if noun.you else article(noun.text.removeprefix('the '))}")
            else:
                sort = sort_of(param.type)
                text = noun.text
                told_so.append(f"{preposition} {article(sort) if text.startswith(('the ', 'that ')) else text}")
    return " ".join(told_so)


def builtin(attachment: model.Attachment, event: model.BuiltinEvent, words: Words) -> str:
    """“a card comes from your hand into the discard”"""
    things = [one(pattern, words) for pattern in attachment.patterns]
    subject = things[0] if things and things[0] else "a card" if event.name in ("move", "reveal") else "something"
    if event.name != "move":
        if event.name == "roll":
            subject = "the dice"
        if event.name == "eliminate" and subject == "something":
            subject = "a player"
        verb = EVENTS[event.name]
        return f"{subject} {verb.replace('is ', 'are ', 1) if subject == 'you' else verb}"
    source = f" out of {things[1]}" if len(things) > 1 and things[1] else ""
    target = f" into {things[2]}" if len(things) > 2 and things[2] else ""
    return f"{subject} {'comes' if target else 'goes'}{source}{target}"


def one(pattern: model.Pattern, words: Words) -> str:
    if isinstance(pattern, model.Ignore):
        return ""
    if isinstance(pattern, model.Bind):
        noun = words.names.of(pattern.local)
        if noun.text.startswith("the "):
            return article(noun.text.removeprefix("the "))
        return noun.text
    if isinstance(pattern, model.Match):
        return words.text(pattern.value)
    return words.member(zone_name(pattern.zone), pattern.indexes).text
