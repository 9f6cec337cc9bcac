"""What attaches to what, in which order (the precedence of the language reference), and the code of each attachment."""

from __future__ import annotations

from attrs import Factory, define

from dsl import model, types
from interpreter.lower.expressions import Expressions
from interpreter.lower.layout import Layout
from interpreter.lower.scope import Scope
from interpreter.program import AttachmentInfo, Chain, CodeInfo

CARDS_RANK = 1.5
"""cards stand between the game file (1) and the `when` blocks (2)"""


@define
class Attachments:
    """Numbers the game's attachments and puts them in order for a target."""

    layout: Layout
    never: set[model.Attachment] = Factory(set)
    """those that an option has switched off"""

    @property
    def all(self) -> list[model.Attachment]:
        return self.layout.game.attachments

    def of(self, target: object) -> list[model.Attachment]:
        return [a for a in self.all if a.target is target and a not in self.never]

    def instead(self, attachments: list[model.Attachment]) -> tuple[model.Attachment | None, ...]:
        """The `instead of`s outermost first, the group carried by cards as None."""
        plain = [a for a in attachments if a.when == "instead" and a.carriers is None]
        plain.sort(key=lambda a: (a.rank, a.order), reverse=True)
        ordered: list[model.Attachment | None] = list(plain)
        if any(a.when == "instead" and a.carriers is not None for a in attachments):
            place = sum(1 for a in plain if a.rank[0] > CARDS_RANK)
            ordered.insert(place, None)
        return tuple(ordered)

    def around(self, attachments: list[model.Attachment], when: str) -> list[model.Attachment]:
        """The `before`s or `after`s that stand in no card, in order."""
        plain = [a for a in attachments if a.when == when and a.carriers is None]
        return sorted(plain, key=lambda a: (a.rank, a.order))

    def carried(self, attachments: list[model.Attachment], when: str, optional: bool) -> tuple[int, ...]:
        """Numbers of those carried by cards."""
        return tuple(
            number
            for number, a in enumerate(self.all)
            if a.when == when and a.carriers is not None and a.optional is optional and a in attachments
        )

    def chain(self, attachments: list[model.Attachment]) -> Chain:
        """Of a rule or define with these attachments."""
        numbers = {a: i for i, a in enumerate(self.all)}
        chain = Chain(instead=tuple(None if a is None else numbers[a] for a in self.instead(attachments)))
        for when in ("instead", "before", "after"):
            mandatory = self.carried(attachments, when, optional=False)
            optional = self.carried(attachments, when, optional=True)
            if mandatory:
                chain.cards[when] = mandatory
            if optional:
                chain.cards[f"{when} optional"] = optional
        return chain


def attachment_scope(attachment: model.Attachment, params: list[model.Local] | tuple[types.Type | None, ...]) -> Scope:
    """The locals of an attachment: the target's arguments, the card and its owner; names the head binds are the arguments."""
    scope = Scope()
    for param in params:
        if isinstance(param, model.Local):
            scope.hidden(param.type, param.name)
        else:
            scope.hidden(param)
    scope.proceed = tuple(range(scope.count))
    if attachment.carriers is not None:
        card_type = attachment.self_card.type if attachment.self_card is not None else None
        card = scope.hidden(card_type, "self")
        owner = scope.hidden(types.PLAYER, "owner")
        if attachment.when == "instead":  # the rest of its group, for `proceed`
            scope.hidden()
            scope.hidden()
        if attachment.self_card is not None:
            scope.numbers[attachment.self_card] = card
        if attachment.owner_player is not None:
            scope.numbers[attachment.owner_player] = owner
    for number, pattern in enumerate(attachment.patterns):
        if isinstance(pattern, model.Bind):
            scope.numbers[pattern.local] = number
    return scope


def describe(attachment: model.Attachment, target: int, scope: Scope, code: CodeInfo, expressions: Expressions) -> AttachmentInfo:
    """The attachment without its body, which is lowered later into `code`."""
    layout = expressions.layout
    arguments = len(attachment.patterns)
    place = layout.place(attachment.span)
    info = AttachmentInfo(
        attachment.when, target, isinstance(attachment.target, model.Define), attachment.text, code, None,
        optional=attachment.optional, arguments=arguments, place=place,
    )  # fmt: skip
    nodes = tuple(("local", place, number) for number in range(arguments))
    info.condition = expressions.head(attachment, nodes, scope)
    info.condition_locals = scope.count
    if attachment.carriers is not None:
        info.carriers = frozenset(layout.design_numbers[d] for d in attachment.carriers)
        if attachment.zones is not None:
            families = [layout.zone_families[zone] for zone in attachment.zones]
            info.zones = frozenset(n for f in families for n in range(f.base, f.base + f.size))
        info.needs_owner = attachment.owner_player is not None or attachment.optional
        for number, pattern in enumerate(attachment.patterns):
            if isinstance(pattern, model.Match) and isinstance(pattern.value, model.LocalRef):
                if pattern.value.local is attachment.self_card and info.self_argument is None:
                    info.self_argument = number
                if pattern.value.local is attachment.owner_player and info.owner_argument is None:
                    info.owner_argument = number
    return info
