"""Abilities of cards: what the lines under a row of a table attach, and the timings they name."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from dsl import ast, model, suggest, types
from dsl.check import attachments, constant
from dsl.check.attachments import Carrier, Place
from dsl.check.blocks import block
from dsl.check.constant import Failed
from dsl.check.elaborate import check, ungrouped
from dsl.check.scope import Context, Frame, Scope, file_scope
from dsl.check.tables import Made, Table
from dsl.composition import Placed
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.types import PLAYER, TEXT


def attached(table: Table, cx: Context) -> Iterator[model.Attachment]:
    """The attachments of a table's cards."""
    for made in table.rows:
        for ability in made.row.row.abilities:
            yield from _Ability(cx, table, made, ability).attachments()


@define(eq=False)
class _Ability:
    """One ability of a row; it is looked at once for all designs of the row, or for each if it names a binder of the row."""

    cx: Context
    table: Table
    made: Made
    ability: ast.Ability

    def attachments(self) -> Iterator[model.Attachment]:
        designs = self.made.designs
        if not designs:
            if self.made.row.row.binders is None:
                list(self._once((), {}))
            return
        first = self.made.environments[0]
        used: set[object] = set()
        found = list(self._once(tuple(designs), first, used))
        if not any(name in used for name in first):
            yield from found
            return
        for design, env in zip(designs, self.made.environments, strict=True):
            yield from self._once((design,), env)

    def _scope(self, values: dict[str, model.Expr], used: set[object]) -> Scope:
        scope = file_scope(self.cx, self.made.row.abilities_file, Frame())
        scope.values = values
        scope.used = used
        return scope

    def _once(
        self, designs: tuple[model.Design, ...], values: dict[str, model.Expr], used: set[object] | None = None
    ) -> Iterator[model.Attachment]:
        scope = self._scope(values, set() if used is None else used)
        ability = self.ability
        text = self._text(ability.text, scope)
        if isinstance(ability, ast.TimedAbility):
            attachment = self._timed(ability, designs, text, scope)
            word = ability.timing.id
            if attachment is not None:
                yield attachment
        else:
            word = "always" if ability.zones is None else "while in " + " or ".join(z.id for z in ability.zones)
            zones = _zones(ability.zones, self.table.card, scope)
            for node in ability.attachments:
                carrier = self._carrier(designs, zones, text, node.span)
                if zones is None and not _dispatches(node.head):
                    self.cx.report.error(
                        "CG0419",
                        "which card is this about?",
                        node.head.span,
                        "`self` is not among the arguments",
                        hint="write `while in ZONE` instead of `always`, or name `self` in the head",
                    )
                    continue
                place = Place(self.table.placed.rank, self.cx.next_order())
                made = attachments.attach(node, scope, place, carrier)
                if made is not None:
                    yield made
        for design in designs:
            if f"{word}: {text}" not in design.texts:
                design.texts = (*design.texts, f"{word}: {text}")

    def _text(self, node: ast.Text, scope: Scope) -> str:
        if node.plain is not None:
            return node.plain
        try:
            value = constant.constant(check(node, scope, TEXT), {}, self.cx, "what an ability says")
        except Failed:
            return ""
        return str(value)

    def _carrier(self, designs: tuple[model.Design, ...], zones: tuple[model.Zone, ...] | None, text: str, span: Span) -> Carrier:
        card = self.table.card
        return Carrier(card, designs, zones, text, model.Local("self", card.type, span), model.Local("owner", PLAYER, span))

    def _timed(
        self, ability: ast.TimedAbility, designs: tuple[model.Design, ...], text: str, scope: Scope
    ) -> model.Attachment | None:
        symbol = scope.names.find(ability.timing.id, "timing")
        if symbol is None or not isinstance(symbol.target, Placed):
            self._no_timing(ability.timing, scope)
            return None
        placed = symbol.target
        timing = placed.item
        assert isinstance(timing, ast.Timing)
        if self._other_cards(timing, ability.timing, placed):
            return None
        outside = file_scope(self.cx, placed.file, Frame())
        outside.used = scope.used
        zones = _zones(timing.zones, self.table.card, outside, ability.timing.span)
        carrier = self._carrier(designs, zones, text, ability.span)
        around = attachments.carrier_scope(outside, carrier)
        made = attachments.head(timing.head, timing.when, around)
        if made is None or not timing_ok(timing, self.cx):
            return None
        where = attachments.guard(made, timing.where, around)
        inner = attachments.carrier_scope(scope, carrier)
        inner.facts |= around.facts
        free = [b for b in made.bound if scope.names.find(b.name) is None and b.name not in scope.values]
        inner.locals |= {b.name: b for b in free}
        body, _ = block(ability.body, inner)
        attachment = model.Attachment(
            timing.when,
            made.target,
            made.patterns,
            where,
            text,
            body,
            None,
            ability.span,
            self.table.placed.rank,
            self.cx.next_order(),
            optional=timing.owner is not None,
        )
        return attachments.finish(attachment, carrier, inner)

    def _other_cards(self, timing: ast.Timing, used: ast.Name, placed: Placed) -> bool:
        """Whether `self` in the timing's head is a card of another type; then say so at the ability."""
        card = _self_type(timing, placed, self.cx)
        if card is None or card == self.table.card.type:
            return False
        self.cx.report.error(
            "CG0421",
            f"`{used.id}` is about {card.name} cards, not {self.table.card.name}",
            used.span,
            others=(Label(timing.head.span, f"`self` is a {card.name} here"),),
        )
        return True

    def _no_timing(self, name: ast.Name, scope: Scope) -> None:
        known = [*scope.names.of("timing"), "always", "while"]
        guess = suggest.closest(name.id, known)
        symbol = scope.names.find(guess, "timing") if guess is not None else None
        self.cx.report.error(
            "CG0203",
            f"there is no timing `{name.id}`",
            name.span,
            f"did you mean `{guess}`?" if guess is not None else "",
            others=symbol.place if symbol is not None else (),
            hint=None if guess is not None else f"declare it: `timing {name.id}: owner may, after RULE(self, owner)`",
        )


def timing_ok(timing: ast.Timing, cx: Context) -> bool:
    """What a timing must have, whatever card uses it."""
    good = True
    if timing.zones is None and not _dispatches(timing.head):
        cx.report.error(
            "CG0419",
            "which card is this timing about?",
            timing.head.span,
            "`self` is not among the arguments",
            hint=f"write `timing {timing.name.id}: while in ZONE, …`, or name `self` in the head",
        )
        good = False
    if timing.owner is not None and not (isinstance(timing.owner, ast.Name) and timing.owner.id == "owner"):
        cx.report.error("CG0419", "only the owner of the card may use its ability", timing.owner.span, "write `owner may`")
        good = False
    return good


def _dispatches(head: ast.Head) -> bool:
    """Whether one argument is the card itself."""
    for pattern in head.patterns:
        pattern = ungrouped(pattern)
        if isinstance(pattern, ast.Name) and pattern.id == "self":
            return True
    return False


def _zones(
    names: tuple[ast.Name, ...] | None, card: model.CardType, scope: Scope, used_at: Span | None = None
) -> tuple[model.Zone, ...] | None:
    """The zones of `while in`; they must hold the cards that carry the ability."""
    if names is None:
        return None
    found: list[model.Zone] = []
    for name in names:
        symbol = scope.names.find(name.id, "zone")
        if symbol is None or not isinstance(symbol.target, model.Zone):
            scope.unknown(name.id, name.span, "zone", ("zone",), locals_too=False)
            continue
        zone = symbol.target
        if zone.of is not None and zone.of is not card:
            place = (Label(name.span, f"it works while in `{zone.name}`"), *symbol.place) if used_at is not None else symbol.place
            scope.cx.report.error(
                "CG0421",
                f"{card.name} cards are never in `{zone.name}`",
                used_at or name.span,
                f"`{zone.name}` holds {zone.of.name} cards",
                others=place,
            )
            continue
        found.append(zone)
    return tuple(found)


def _self_type(timing: ast.Timing, placed: Placed, cx: Context) -> types.CardType | None:
    """The card type of the parameter for which `self` stands in a timing's head."""
    symbol = cx.names_of(placed.file).find(timing.head.name.id, "rule", "define")
    if symbol is not None and isinstance(symbol.target, model.Rule | model.Define):
        for pattern, param in zip(timing.head.patterns, symbol.target.params, strict=False):
            if isinstance(pattern, ast.Name) and pattern.id == "self" and isinstance(param.type, types.CardType):
                return param.type
    return None


def unused_timing(placed: Placed, cx: Context) -> None:
    """Look at a timing that no card uses: its head must be right all the same."""
    timing = placed.item
    assert isinstance(timing, ast.Timing)
    scope = file_scope(cx, placed.file, Frame())
    card: types.Type = types.UNKNOWN
    for name in timing.zones or ():
        symbol = scope.names.find(name.id, "zone")
        if symbol is None:
            scope.unknown(name.id, name.span, "zone", ("zone",), locals_too=False)
        elif isinstance(symbol.target, model.Zone) and symbol.target.of is not None:
            card = symbol.target.of.type
    card = _self_type(timing, placed, cx) or card
    if card == types.UNKNOWN and len(cx.game.card_types) == 1:
        card = cx.game.card_types[0].type
    inner = scope.inner()
    inner.locals = {
        "self": model.Local("self", card, timing.span),
        "owner": model.Local("owner", PLAYER, timing.span),
    }
    made = attachments.head(timing.head, timing.when, inner)
    if made is not None:
        attachments.guard(made, timing.where, inner)
    timing_ok(timing, cx)
