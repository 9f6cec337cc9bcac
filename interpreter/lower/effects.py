"""What expressions read and statements write, so that an ending is judged just where it may have become true."""

from __future__ import annotations

from attrs import Factory, define, evolve

from dsl import model
from interpreter.lower.layout import Layout
from interpreter.program import DefineInfo, EndingInfo, Node


@define
class Reads:
    """`zones` and `variables` by the first number of their family."""

    zones: set[int] = Factory(set)
    variables: set[int] = Factory(set)
    roster: bool = False


WHERE_CARDS_ARE = {"card_zone", "card_owner", "card_position", "all_cards"}
ZONE_READERS = {"cards", "top", "bottom", "size", "empty_zone", "in_zone"}
ROSTER_READERS = {"players", "left", "right", "others", "turn_order"}


class Effects:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.all_zones = frozenset(family.base for family in layout.families)
        self.defines: list[DefineInfo] = []
        self.define_parts: list[list[Node]] = []
        """of each define: its value and all that attaches to it"""
        self.scoring: list[Node] = []
        self.endings: list[EndingInfo] = []
        self._of_define: dict[int, Reads] = {}

    def reads(self, node: object, into: Reads | None = None) -> Reads:
        """Everything an expression depends on, through the defines it calls."""
        found = Reads() if into is None else into
        if not isinstance(node, tuple) or not node:
            return found
        op = node[0]
        if not isinstance(op, str) or len(node) < 2 or not isinstance(node[1], int):
            for part in node:
                self.reads(part, found)
            return found
        if op in ("var", "vars"):
            found.variables.add(node[2])
        elif op in ("family", "empty_family"):
            found.zones.add(node[2])
        elif op == "in_family":
            found.zones.add(node[3])
        elif op in ZONE_READERS:
            zone = node[3] if op == "in_zone" else node[2]
            if zone[0] == "zone":
                found.zones.add(zone[2])
            else:
                found.zones |= self.all_zones
        elif op in WHERE_CARDS_ARE:
            found.zones |= self.all_zones
        elif op in ROSTER_READERS:
            found.roster = True
        elif op == "call":
            self._add(found, self._define(node[2]))
        elif op == "score":
            for line in self.scoring:
                self.reads(line, found)
        for part in node[2:]:
            if isinstance(part, tuple):
                self.reads(part, found)
        return found

    def _define(self, number: int) -> Reads:
        known = self._of_define.get(number)
        if known is None:
            known = self._of_define[number] = Reads()  # a define never calls itself, but `proceed` may seem to
            for part in self.define_parts[number]:
                self.reads(part, known)
        return known

    @staticmethod
    def _add(found: Reads, more: Reads) -> None:
        found.zones |= more.zones
        found.variables |= more.variables
        found.roster = found.roster or more.roster

    def ending(self, info: EndingInfo, nodes: list[Node]) -> EndingInfo:
        """The ending with what it reads."""
        found = Reads()
        for node in nodes:
            self.reads(node, found)
        return evolve(info, zones=frozenset(found.zones), variables=frozenset(found.variables), roster=found.roster)

    def judged(self, zones: frozenset[int], variables: frozenset[int], roster: bool) -> tuple[int, ...]:
        """The endings, in text order, that may have become true by a change of these."""
        return tuple(
            number
            for number, ending in enumerate(self.endings)
            if ending.immediate and (ending.zones & zones or ending.variables & variables or (roster and ending.roster))
        )

    def written_by_move(self, card_type: int, sources: tuple[model.Zone, ...] | None, target: model.Zone | None) -> frozenset[int]:
        """The zone families a move of such cards may change."""
        of_type = {info.family for info in self.layout.zones if info.card_type == card_type}
        every = frozenset(self.layout.families[number].base for number in of_type)
        if sources is None or target is None:
            return every
        return frozenset(self.layout.zone_families[zone].base for zone in (*sources, target))
