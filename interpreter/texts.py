"""Texts that name cards without showing them: pieces of text and mentions, masked for whoever reads them.

A text made by the rules (a label, a prompt) is a tuple of `Parts`. A card in it stays a `Mention` of its slot until somebody
reads it; only then it becomes its name, or "a card" for a reader who may not see its face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from dsl.types import Basic, CardType, KindType, ListType, Optional, SpaceType, Type, ZoneType
from interpreter.faults import RuleError
from interpreter.program import BoardInfo, KindInfo, Program

UNSEEN_CARD = "a card"
NOTHING = "nothing"
NO_VALUE = "none"
LONGEST_TEXT = 10_000


@frozen
class Mention:
    """A card in a text, by its slot."""

    slot: int


Parts = tuple[str | Mention, ...]


def player_name(player: int) -> str:
    """How the rules call a seat: P1, P2, …"""
    return f"P{player + 1}"


def words(name: str) -> str:
    """A declared name as people read it: `draw_deck` is "draw deck"."""
    return name.replace("_", " ")


def kind_info(program: Program, kind: KindType) -> KindInfo:
    return next(info for info in program.kinds if info.id == kind.id)


def board_info(program: Program, board: SpaceType) -> BoardInfo:
    return next(info for info in program.boards if info.id == board.id)


def show_value(program: Program, type: Type, value: object) -> Parts:
    """A value of the rules as a person reads it; cards are mentioned, not named."""
    if value is None:
        return (NO_VALUE,)
    if isinstance(type, Optional):
        return show_value(program, type.of, value)
    if isinstance(type, ListType):
        assert isinstance(value, Sequence)
        return listed([show_value(program, type.of, item) for item in value])
    if isinstance(type, Basic):
        if isinstance(value, tuple):  # a text that mentions cards
            return value
        if type.name == "flag":
            return ("yes" if value else "no",)
        if type.name == "player":
            assert isinstance(value, int)
            return (player_name(value),)
        return (str(value),)
    assert isinstance(value, int)
    if isinstance(type, CardType):
        return (Mention(value),)
    if isinstance(type, KindType):
        return (kind_info(program, type).members[value][1],)
    if isinstance(type, SpaceType):
        return (board_info(program, type).names[value],)
    if isinstance(type, ZoneType):
        return (zone_name(program, value),)
    return (str(value),)


def listed(items: Sequence[Parts]) -> Parts:
    """Several values, separated by commas."""
    if not items:
        return (NOTHING,)
    parts: list[str | Mention] = list(items[0])
    for item in items[1:]:
        parts.append(", ")
        parts.extend(item)
    return joined(parts)


def joined(parts: Iterable[str | Mention]) -> Parts:
    """The same text with neighbouring pieces put together."""
    result: list[str | Mention] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        elif part != "":
            result.append(part)
    return tuple(result)


def join_parts(*pieces: str | Parts) -> str | Parts:
    """A text as a value of the rules: a plain one, or parts if it mentions cards."""
    parts = joined([part for piece in pieces for part in ((piece,) if isinstance(piece, str) else piece)])
    if sum(len(part) for part in parts if isinstance(part, str)) > LONGEST_TEXT or len(parts) > LONGEST_TEXT:
        raise RuleError("CG1004", f"a text has more than {LONGEST_TEXT} characters")
    return "".join(str(part) for part in parts) if not mentioned(parts) else parts


def plain(program: Program, type: Type, value: object) -> str:
    """A value that cannot hold a card (an index, a die, a player) as a person reads it."""
    return text(show_value(program, type, value), lambda slot: False, str)


def indexed_name(program: Program, name: str, indexes: Sequence[int], types: Sequence[Type]) -> str:
    """A member of a family: "P2's row", "P1's bank (Key)", "at (Lulu)", or just the name if there is no index."""
    owner = ""
    rest: list[str] = []
    for value, type in zip(indexes, types, strict=True):
        shown = plain(program, type, value)
        if not owner and isinstance(type, Basic) and type.name == "player":
            owner = f"{shown}'s "
        else:
            rest.append(shown)
    return f"{owner}{words(name)}" + (f" ({', '.join(rest)})" if rest else "")


def zone_name(program: Program, zone: int) -> str:
    """A concrete zone as people call it: "draw deck", "P2's row", "P1's bank (Key)"."""
    info = program.zones[zone]
    return indexed_name(program, info.name, info.indexes, info.index_types)


def variable_name(program: Program, variable: int) -> str:
    """A concrete variable as people call it: "first trick", "P3's total"."""
    info = program.variables[variable]
    return indexed_name(program, info.name, info.indexes, info.index_types)


def mentioned(parts: Parts) -> tuple[int, ...]:
    """The slots of the cards a text mentions, in order."""
    return tuple(part.slot for part in parts if isinstance(part, Mention))


def text(parts: Parts, sees: Callable[[int], bool], names: Callable[[int], str]) -> str:
    """The text as somebody reads it: `sees` says which slots have a face for him, `names` what that face is called.

    Several unseen cards in a list are counted: "3 cards" instead of "a card, a card, a card"."""
    pieces: list[str] = []
    unseen = 0
    for i, part in enumerate(parts):
        if isinstance(part, Mention):
            if not sees(part.slot):
                unseen += 1
                continue
            _count_unseen(pieces, unseen)
            unseen = 0
            pieces.append(names(part.slot))
        else:
            between = part == ", " and unseen and i + 1 < len(parts)
            if between:
                following = parts[i + 1]
                if isinstance(following, Mention) and not sees(following.slot):
                    continue
            _count_unseen(pieces, unseen)
            unseen = 0
            pieces.append(part)
    _count_unseen(pieces, unseen)
    return "".join(pieces)


def _count_unseen(pieces: list[str], unseen: int) -> None:
    if unseen:
        pieces.append(UNSEEN_CARD if unseen == 1 else f"{unseen} cards")
