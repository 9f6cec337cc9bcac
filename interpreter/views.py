"""What one player, or somebody who only watches, can see of a game now: plain data in which nothing hidden is left.

Two states that differ only in faces the viewer cannot tell apart have equal views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl.types import CardType, ListType, Optional, Type
from interpreter.decisions import Pending, knowledge_of, pending
from interpreter.faults import Fault
from interpreter.knowledge import Knowledge, in_sight, keeps_places, may_look, may_read
from interpreter.play import score_lines
from interpreter.program import UNSET, Program, ScoreLineInfo, VarInfo
from interpreter.runtime import active
from interpreter.state import FINISHED
from interpreter.texts import plain, show_value, text, variable_name, words, zone_name

if TYPE_CHECKING:
    from interpreter.state import State


@frozen
class ZoneView:
    """One zone. `cards` has a design number or None for each card: piles from the top, rows from the left; in a set the viewer
    cannot look into, the faces he knows first, in card order. `also`: faces he knows to be among the cards shown as None
    (after a shuffle). `in_sight`: he sees every face."""

    zone: int
    family: str
    name: str
    indexes: tuple[int, ...]
    owner: int | None
    visibility: str
    shape: str
    size: int
    in_sight: bool
    cards: tuple[int | None, ...]
    also: tuple[int, ...]


@frozen
class VariableView:
    """One variable he may know. `value`: as in the rules, but a card is its design number, None if he cannot name it."""

    variable: int
    family: str
    name: str
    indexes: tuple[int, ...]
    owner: int | None
    value: object
    text: str


@frozen
class DiceView:
    name: str
    values: tuple[int, ...] | None
    """None before the first roll"""


@frozen
class ScoreView:
    """A player's score, line by line, as far as anybody can work it out. `total` is None if a line is missing, or if the scoring
    does not work at this moment."""

    player: int
    lines: tuple[tuple[str, int], ...]
    total: int | None


@frozen
class View:
    """`player` is the seat that looks, None for the public."""

    player: int | None
    seats: int
    live: tuple[int, ...]
    active: int | None
    finished: bool
    reason: str | None
    """of the ending, None while the game runs or if it simply ran out"""
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]
    dice: tuple[DiceView, ...]
    scores: tuple[ScoreView, ...]
    pending: Pending | None
    """who is asked"""


def view(state: State, player: int | None) -> View:
    """What a seat (from 0), or with None the public, sees now."""
    program = state.code.program
    viewer = program.players if player is None else player
    knowledge = knowledge_of(state)
    finished = state.phase == FINISHED
    reason = program.endings[state.reason].text if finished and state.reason >= 0 else None
    dice_variables = {dice.variable for dice in program.dice}
    return View(
        player,
        program.players,
        state.live,
        None if finished else active(state),
        finished,
        reason,
        tuple(zone_view(state, knowledge, viewer, zone) for zone in range(len(program.zones))),
        tuple(
            variable_view(state, knowledge, viewer, number, info)
            for number, info in enumerate(program.variables)
            if number not in dice_variables and may_read(info, viewer)
        ),
        tuple(
            DiceView(words(dice.name), None if thrown is UNSET else thrown)
            for dice in program.dice
            for thrown in [state.vars[dice.variable]]
        ),
        scores(state),
        pending(state, viewer),
    )


def zone_view(state: State, knowledge: Knowledge, viewer: int, zone: int) -> ZoneView:
    program = state.code.program
    info = program.zones[zone]
    sees_all = may_look(info, viewer)
    slots = state.zones[zone]
    ordered = slots[::-1] if info.shape == "pile" else slots
    also: tuple[int, ...] = ()
    cards: list[int | None]
    if sees_all or keeps_places(info):
        known = [sees_all or in_sight(state, viewer, slot) or knowledge.knows(viewer, slot) for slot in ordered]
        cards = [state.faces[slot] if seen else None for slot, seen in zip(ordered, known, strict=True)]
        if not sees_all:
            also = knowledge.somewhere(state, viewer, zone)
    else:
        faces = [*knowledge.somewhere(state, viewer, zone)]
        top = [state.faces[slot] for slot in ordered[:1] if in_sight(state, viewer, slot)]
        faces = top + faces
        cards = [*faces, *([None] * (len(slots) - len(faces)))]
    return ZoneView(
        zone, words(info.name), zone_name(program, zone), info.indexes, info.owner, info.visibility, info.shape, len(slots),
        sees_all, tuple(cards), also,
    )  # fmt: skip


def variable_view(state: State, knowledge: Knowledge, viewer: int, number: int, info: VarInfo) -> VariableView:
    program = state.code.program
    value = state.vars[number]
    if value is UNSET:
        shown, seen_value = "unset", None
    else:
        shown = text(
            show_value(program, info.type, value),
            lambda slot: knowledge.can_point_at(state, viewer, slot),
            lambda slot: program.designs[state.faces[slot]].name,
        )
        seen_value = faces_only(state, knowledge, viewer, info.type, value)
    name = variable_name(program, number)
    return VariableView(number, words(info.name), name, info.indexes, info.owner, seen_value, shown)


def faces_only(state: State, knowledge: Knowledge, viewer: int, type: Type, value: Any) -> object:
    """The value with the cards in it replaced by their faces, where he could point at them."""
    if value is None:
        return None
    if isinstance(type, Optional):
        return faces_only(state, knowledge, viewer, type.of, value)
    if isinstance(type, ListType) and isinstance(value, Sequence):
        return tuple(faces_only(state, knowledge, viewer, type.of, item) for item in value)
    if isinstance(type, CardType):
        return state.faces[value] if knowledge.can_point_at(state, viewer, value) else None
    result: object = value
    return result


def scored_in_the_open(program: Program, line: ScoreLineInfo) -> bool:
    """Does this line depend only on what everybody sees?"""
    return all(program.zones[zone].visibility == "open" for zone in line.zones) and all(
        program.variables[variable].visibility == "open" for variable in line.variables
    )


def scores(state: State) -> tuple[ScoreView, ...]:
    """The lines of everybody's score that depend only on what everybody sees; once the game is over, all."""
    program = state.code.program
    if not program.scoring:
        return ()
    over = state.phase == FINISHED
    secret = set() if over else {line.label for line in program.scoring if not scored_in_the_open(program, line)}
    result: list[ScoreView] = []
    for player in program.seats:
        if len(secret) == len({line.label for line in program.scoring}):
            continue
        try:
            lines = tuple((label, value) for label, value in score_lines(state, player) if label not in secret)
        except Fault:  # scoring need only work when it counts
            result.append(ScoreView(player, (), None))
            continue
        result.append(ScoreView(player, lines, None if secret else sum(value for _, value in lines)))
    return tuple(result)


__all__ = ["DiceView", "ScoreView", "VariableView", "View", "ZoneView", "plain", "view"]
