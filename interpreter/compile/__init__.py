"""Programs to Python code objects, built as syntax trees, never as text.

What can stop becomes blocks run by `interpreter/play.py`; what cannot becomes plain functions. `observed` code also tells the
state's observer everything that happens; code without it does nothing but play.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from dsl.source import Span
from dsl.types import Type
from interpreter import ground, noted, offers, runtime, walks
from interpreter.compile.blocks import end_of
from interpreter.compile.module import Module
from interpreter.compile.texts import Texts
from interpreter.faults import PropertyBroken, RuleError, Unwind
from interpreter.program import CodeInfo, Program, ZoneInfo
from interpreter.state import DECLINE, DEEPEST_STACK, State, by_card, fits, not_too_long
from interpreter.texts import join_parts, show_value

FILE_NAME = "<rules>"
"""of compiled code: tells its lines in a traceback from ours"""

SEARCHES: dict[str, Callable[..., Any]] = {
    query.__name__: query
    for query in (
        walks.reach, walks.reach_several, walks.reach_all, walks.distance,
        ground.lines, ground.any_line, ground.longest_lines, ground.groups,
    )
}  # fmt: skip

Insert = Callable[[State, list[int], int], None]


class Code:
    """A compiled program. Shared by all its states; holds nothing of any game being played."""

    def __init__(self, program: Program, observed: bool = False, budget: int | None = None) -> None:
        self.program = program
        self.observed = observed
        self.budget = budget
        """steps between two decisions, None for the usual number"""
        self.blank: State | None = None
        """a game before its setup, made when first needed"""
        self.slots_in_order = program.slots if program.slots == sorted(program.slots) else None
        """the faces of all cards before they are dealt anew, if slots are numbered in the order of designs"""
        self.hits: set[int] = set()
        """numbers of the marks that ran, in any game, where the rules are marked for coverage"""
        self.design_names = tuple(design.name for design in program.designs)
        self.owner_of: tuple[int | None, ...] = (*(zone.owner for zone in program.zones), None)
        self.order_of: tuple[Insert | None, ...] = tuple(_insert(program, zone) for zone in program.zones)
        module = Module(program, observed)
        self.costs = module.costs
        tree = module.write()
        code: CodeType = compile(tree, FILE_NAME, "exec")
        self.names = self._globals(module)
        exec(code, self.names)
        self._link(module)
        self.blocks: list[Callable[[State, list[Any]], bool | None]] = [
            self.names[f"b{end_of(pc, module.aliases)}"] for pc in range(len(module.pcs))
        ]
        self.code_of: tuple[CodeInfo, ...] = tuple(info for info, _, _ in module.pcs)
        self.rule_of: tuple[int, ...] = tuple(rule for _, rule, _ in module.pcs)
        self.place_of: tuple[int, ...] = tuple(place for _, _, place in module.pcs)
        self.turn_of: tuple[bool, ...] = tuple(program.turn is not None and rule == program.turn for rule in self.rule_of)
        self.judged_pcs = module.judged_pcs
        self.options_of: list[Any] = [self.names.get(f"o{site.number}") for site in program.sites]
        self.card_places = tuple(offers.card_places(site) for site in program.sites)
        self.ability_sites = {
            site: (self.names[group], count, players, used) for site, (group, count, players, used) in module.ability_sites.items()
        }
        self._texts: Texts | None = None

    def _globals(self, module: Module) -> dict[str, Any]:
        program = self.program
        names: dict[str, Any] = {
            **{name: getattr(runtime, name) for name in dir(runtime) if not name.startswith("_")},
            **SEARCHES,
            **{name: getattr(offers, name) for name in dir(offers) if not name.startswith("_")},
            **{name: getattr(noted, name) for name in dir(noted) if not name.startswith("_")},
            "Unwind": Unwind, "PropertyBroken": PropertyBroken, "DECLINE": DECLINE, "fits": fits, "not_too_long": not_too_long, "not_too_deep": not_too_deep, "PROGRAM": program,
            "HIT": self.hits.add,
            "OWNER": {number: zone.owner for number, zone in enumerate(program.zones) if zone.owner is not None},
            "NAMES": self.design_names, "show_value": show_value, "join_parts": join_parts,
        }  # fmt: skip
        for number, table in enumerate(program.tables):
            names[f"T{number}"] = table
        for number, kind in enumerate(program.kinds):
            names[f"MEMBERS{number}"] = tuple(shown for _, shown in kind.members)
        for number, board in enumerate(program.boards):
            names[f"GROUND{number}"] = made = ground.Ground.of(board)
            names[f"BITS{number}"] = made.bits
            names[f"GRID{number}"] = {(column, row): i for i, (column, row, _) in enumerate(board.spaces)}
        for number, value in enumerate(module.constants):
            names[f"K{number}"] = value
        names.update(module.groups)
        return names

    def names_for(self, module: Module) -> dict[str, Any]:
        """The globals for something of the same program that is compiled later: the rules' own, with its constants and its tables."""
        return {
            **self.names,
            **{f"K{number}": value for number, value in enumerate(module.constants)},
            **{f"T{number}": table for number, table in enumerate(self.program.tables)},
        }

    def _link(self, module: Module) -> None:
        """Give the groups of card attachments their functions, now that these exist."""
        for name, group in module.groups.items():
            rest = module.group_rest[name]
            group.rest = None if rest is None else self.names[rest]
            for number in group.numbers:
                group.run[number] = self.names[f"a{number}_{module.group_owner[name]}"]
                group.condition[number] = self.names.get(f"c{number}")

    # ── what play asks of the code ──

    def place(self, number: int) -> Span:
        return self.program.places[number]

    def frame_types(self, pc: int) -> tuple[Type | None, ...]:
        """Types of the locals of a frame stopped at this block; None for hidden ones."""
        return self.code_of[pc].local_types

    @property
    def texts(self) -> Texts:
        """Prompts and labels, compiled when somebody looks at them."""
        if self._texts is None:
            self._texts = Texts(self.program, self.costs, self.names, FILE_NAME)
        return self._texts

    def match(self, state: State, site: int, values: Sequence[Any], wanted: Any) -> int:
        """Which of the values a script means: a value, a name or a label. Raises `RuleError` if none or several."""
        return self.texts.match(state, site, values, wanted)


def not_too_deep(state: State) -> None:
    if len(state.stack) > DEEPEST_STACK:
        raise RuleError("CG1001", "rules call each other too deeply", "a rule that calls itself without end?")


def _insert(program: Program, zone: ZoneInfo) -> Insert | None:
    """How a card enters a zone that keeps an order; None where it simply arrives last."""
    if zone.by is not None:
        column, pile, is_set = zone.by, zone.shape == "pile", zone.shape == "set"
        designs = program.designs

        def keep_sorted(state: State, cards: list[int], card: int) -> None:
            faces = state.faces

            def key(slot: int) -> tuple[int, int]:
                value: Any = designs[faces[slot]].values[column]
                return (value if pile else -value, faces[slot] if is_set else 0)

            insort(cards, card, key=key)

        return keep_sorted
    return by_card if zone.shape == "set" else None
