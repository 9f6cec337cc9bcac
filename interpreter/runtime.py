"""What compiled rules call: reading the state, comparing, finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import Factory, define

from interpreter.faults import RuleError
from interpreter.program import UNSET
from interpreter.texts import Parts, text

if TYPE_CHECKING:
    from interpreter.state import State


@define
class Named:
    """The slots that quoted names have meant in a test: in its `given`s, and in this line of it."""

    placed: set[int] = Factory(set)
    line: set[int] = Factory(set)
    giving: bool = False
    """this line is a `given`"""


Cell = list[Any]


def keep(cell: Cell, value: Any) -> Any:
    """Put a value into an empty cell, so that a query computes it once."""
    cell.append(value)
    return value


def given(value: Any) -> Any:
    """The value of a variable that `setup` should have set by now, of dice that should have been rolled."""
    if value is UNSET:
        raise RuleError(
            "CG1015", "a variable is used that has no value yet", "give it one in `setup`; dice have numbers once they are rolled"
        )
    return value


def group(values: list[Any], base: int, offsets: tuple[int, ...]) -> tuple[Any, ...]:
    """The members of a family: variables, or the cards of zones."""
    return tuple([values[base + offset] for offset in offsets])


def family(zones: list[list[int]], base: int, offsets: tuple[int, ...], from_the_top: bool) -> tuple[int, ...]:
    """The cards of many zones, zone after zone."""
    if from_the_top:
        return tuple([card for offset in offsets for card in reversed(zones[base + offset])])
    return tuple([card for offset in offsets for card in zones[base + offset]])


def nth(values: Sequence[Any], number: int) -> Any:
    """Element `number` of a list, from 1."""
    if not 1 <= number <= len(values):
        raise RuleError("CG1016", f"the list has no element {number}: it has {len(values)}", "ask for its `.size` first")
    return values[number - 1]


def cards_in(state: State, zone: int) -> list[int]:
    """The cards of a zone whose shape is known only now."""
    cards = state.zones[zone]
    return cards[::-1] if state.code.program.zones[zone].shape == "pile" else cards


def lowest(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """The elements with the lowest key, in order."""
    if not pairs:
        return ()
    least = min([key for key, _ in pairs])
    return tuple([element for key, element in pairs if key == least])


def highest(pairs: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """The elements with the highest key, in order."""
    if not pairs:
        return ()
    most = max([key for key, _ in pairs])
    return tuple([element for key, element in pairs if key == most])


def first_lowest(elements: Sequence[Any], key: Callable[[Any], Any]) -> Any:
    """The first of those with the lowest key; ValueError if there are none."""
    return min(elements, key=key)


def first_highest(elements: Sequence[Any], key: Callable[[Any], Any]) -> Any:
    """The first of those with the highest key; ValueError if there are none."""
    return max(elements, key=key)


def widen(value: Any, offset: int) -> Any:
    """Members of a kind, perhaps none or a list of them, as members of a bigger kind."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple([widen(v, offset) for v in value])
    return value + offset


def same_bag(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Equal in any order."""
    return len(left) == len(right) and Counter(left) == Counter(right)


def same_text(state: State, left: str | Parts | None, right: str | Parts | None) -> bool:
    """Do two texts read alike, the cards in them by their names?"""
    if isinstance(left, str | None) and isinstance(right, str | None):
        return left == right
    names = state.code.design_names
    shown = [
        part if isinstance(part, str | None) else text(part, lambda _: True, lambda slot: names[state.faces[slot]])
        for part in (left, right)
    ]
    return shown[0] == shown[1]


def same_designs(state: State, cards: Sequence[int], names: Sequence[str], bag: bool) -> bool:
    """Are these cards the ones named?"""
    shown = [state.code.design_names[state.faces[card]] for card in cards]
    return Counter(shown) == Counter(names) if bag else shown == list(names)


# ── players ──


def turn_order(state: State, player: int) -> tuple[int, ...]:
    """The live seats from this one on, or from the next if he is out."""
    live = state.live
    for i, p in enumerate(live):
        if p >= player:
            return live[i:] + live[:i]
    return live


def others(state: State, player: int) -> tuple[int, ...]:
    """The live seats but this one, from his left."""
    return tuple([p for p in turn_order(state, player) if p != player])


def left(state: State, player: int) -> int:
    """The next live seat."""
    live = state.live
    if not live:
        raise RuleError("CG1005", "nobody is left in the game")
    for p in live:
        if p > player:
            return p
    return live[0]


def right(state: State, player: int) -> int:
    """The live seat before."""
    live = state.live
    if not live:
        raise RuleError("CG1005", "nobody is left in the game")
    for p in reversed(live):
        if p < player:
            return p
    return live[-1]


def active(state: State) -> int | None:
    """Whose turn runs: the first argument of the innermost running `turn`, None where none runs."""
    turn_of = state.code.turn_of
    for frame in reversed(state.stack):
        if turn_of[frame[0]]:
            player: int = frame[1]
            return player
    return None


def player_name(player: int) -> str:
    return f"P{player + 1}"


# ── cards ──


def card_position(state: State, card: int) -> int:
    """1 is the top of a pile, the left of a row."""
    zone = state.where[card]
    if zone < 0:
        raise RuleError("CG1006", "the card is in no zone")
    cards = state.zones[zone]
    place = cards.index(card)
    return len(cards) - place if state.code.program.zones[zone].shape == "pile" else place + 1


def card_named(state: State, designs: tuple[int, ...], name: str) -> int:
    """Any copy not yet meant in this line. A `given` takes rather one that none before it has placed; else it is rather one in
    play."""
    used = state.used if state.used is not None else Named()
    where = state.where
    free = [card for card, face in enumerate(state.faces) if face in designs and card not in used.line]
    if not free:
        raise RuleError("CG1007", f"there is no further card `{name}`")
    if used.giving:
        card = min(free, key=lambda c: (c in used.placed, where[c] < 0))
    else:
        card = min(free, key=lambda c: (where[c] < 0, c in used.placed))
    used.line.add(card)
    return card


def sees(state: State, player: int, card: int) -> bool:
    """In tests: does the player know this card's face?"""
    observer: Any = state.observer
    if observer is None:
        raise RuleError("CG1008", "nobody watches this game, so nobody knows who sees what")
    known: bool = observer.sees(state, player, card)
    return known


# ── boards ──


def as_list(value: Any) -> tuple[Any, ...]:
    """A list of one thing, or of none."""
    return () if value is None else (value,)


def space_at(grid: dict[tuple[int, int], int], column: int, row: int) -> int:
    space = grid.get((column, row))
    if space is None:
        raise RuleError("CG1009", f"the board has no space in column {column} of row {row}")
    return space
