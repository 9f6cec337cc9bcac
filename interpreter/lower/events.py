"""Built-in events (move, shuffle, reveal, roll, eliminate) as rules, where something attaches to them.

A statement that nothing can match stays a plain operation. Otherwise it calls an event: a rule made for just the
attachments that can match there, shared by all statements with the same ones.
"""

from __future__ import annotations

from dsl import model, types
from interpreter.lower.attachments import Attachments
from interpreter.lower.effects import Effects
from interpreter.lower.layout import Layout
from interpreter.program import Chain, CodeInfo, Node, RuleInfo

PARAMETERS = {"move": 3, "shuffle": 1, "reveal": 1, "roll": 1, "eliminate": 1}


class Events:
    """Makes the event rules; they are numbered after the game's own rules."""

    def __init__(self, layout: Layout, attachments: Attachments, effects: Effects) -> None:
        self.layout = layout
        self.attachments = attachments
        self.effects = effects
        self.rules: list[RuleInfo] = []
        """the game's rules first (filled by the lowering), then the events"""
        self.attached: list[list[model.Attachment]] = []
        """of each rule what attaches to it"""
        self.ended: list[list[int]] = []
        """of each rule the endings judged after it"""
        self.of_verb = {name: attachments.of(event) for name, event in model.BUILTIN_EVENTS.items()}
        self.endings_of_verb: dict[str, list[int]] = {name: [] for name in PARAMETERS}
        self._made: dict[tuple[object, ...], int] = {}

    def move(self, card_type: int, sources: tuple[model.Zone, ...] | None, target: model.Zone | None, *, under: bool) -> int | None:
        """The event for moves of such cards between these families (None where unknown), None if nothing attaches."""
        matching = [a for a in self.of_verb["move"] if self._may_match(a, card_type, sources, target)]
        return self._event("move", matching, under=under, card_type=card_type)

    def reveal(self, card_type: int) -> int | None:
        matching = [a for a in self.of_verb["reveal"] if self._card_matches(a, card_type)]
        return self._event("reveal", matching)

    def plain(self, verb: str, zone: model.Zone | None) -> int | None:
        matching = [a for a in self.of_verb[verb] if zone is None or self._zone_matches(a.patterns[0], (zone,))]
        return self._event(verb, matching)

    def _event(
        self, verb: str, matching: list[model.Attachment], *, under: bool = False, card_type: int | None = None
    ) -> int | None:
        endings = self.endings_of_verb[verb]
        if not matching and not endings:
            return None
        key = (verb, under, card_type if verb == "move" else None, tuple(id(a) for a in matching))
        if key not in self._made:
            self._made[key] = len(self.rules)
            place = 0 if not matching else self.layout.place(matching[0].span)
            code = CodeInfo(verb, place, PARAMETERS[verb], PARAMETERS[verb], self._body(verb, place, under, card_type))
            code.local_types = (None,) * code.locals
            code.local_names = ("",) * code.locals
            chain = self.attachments.chain(matching) if matching else Chain()
            self.rules.append(RuleInfo(verb, code, chain, verb=verb))
            self.attached.append(matching)
            self.ended.append(endings)
        return self._made[key]

    def _body(self, verb: str, place: int, under: bool, card_type: int | None) -> tuple[Node, ...]:
        def local(number: int) -> Node:
            return ("local", place, number)

        zones: frozenset[int] = frozenset()
        if verb == "move":
            assert card_type is not None
            node: Node = ("move", place, local(0), local(2), under, False)
            zones = self.effects.written_by_move(card_type, None, None)
        elif verb == "reveal":
            node = ("reveal", place, local(0), False)
        elif verb == "roll":
            node = ("roll", place, None, local(0))
        else:
            node = (verb, place, local(0))
            zones = self.effects.all_zones if verb == "shuffle" else frozenset()
        variables = frozenset(info.variable for info in self.layout.dice) if verb == "roll" else frozenset[int]()
        endings = self.effects.judged(zones, variables, roster=verb == "eliminate")
        return (node, ("judge", place, endings)) if endings else (node,)

    # ── what can match ──

    def _may_match(
        self, a: model.Attachment, card_type: int, sources: tuple[model.Zone, ...] | None, target: model.Zone | None
    ) -> bool:
        return (
            self._card_matches(a, card_type)
            and self._zone_matches(a.patterns[1], sources, card_type)
            and self._zone_matches(a.patterns[2], None if target is None else (target,), card_type)
        )

    def _card_matches(self, a: model.Attachment, card_type: int) -> bool:
        pattern = a.patterns[0]
        of: types.Type | None = None
        if isinstance(pattern, model.Match):
            of = pattern.value.type
        elif isinstance(pattern, model.Bind):
            of = pattern.local.type
        if isinstance(of, types.CardType):
            return self.layout.card_type_numbers[of.id] == card_type
        return True

    def _zone_matches(self, pattern: model.Pattern, zones: tuple[model.Zone, ...] | None, card_type: int | None = None) -> bool:
        wanted: model.Zone | None = None
        if isinstance(pattern, model.MatchZone):
            wanted = pattern.zone
        elif isinstance(pattern, model.Match) and isinstance(pattern.value, model.ZoneRef):
            wanted = pattern.value.zone
        if wanted is None:
            return True
        if zones is not None:
            return wanted in zones
        assert wanted.of is not None
        return card_type is None or self.layout.card_type_numbers[wanted.of.id] == card_type
