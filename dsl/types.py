"""The types of values. Named types carry the declaration's unique id (`file.Name`) and the name to show."""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Type:
    def __str__(self) -> str:
        return type(self).__name__


@frozen
class Basic(Type):
    """`number`, `flag`, `text`, `player`; and for the checker only: `none` and `unknown` (an error was already reported)."""

    name: str

    def __str__(self) -> str:
        return self.name


NUMBER = Basic("number")
FLAG = Basic("flag")
TEXT = Basic("text")
PLAYER = Basic("player")
NONE = Basic("none")
UNKNOWN = Basic("unknown")
BASIC_TYPES = {t.name: t for t in (NUMBER, FLAG, TEXT, PLAYER)}


@frozen
class Named(Type):
    id: str
    name: str = field(eq=False)

    def __str__(self) -> str:
        return self.name


@frozen
class KindType(Named):
    """A member of a kind."""


@frozen
class CardType(Named):
    """A card of a card type."""


@frozen
class SpaceType(Named):
    """A space of a board."""


@frozen
class ListType(Type):
    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@frozen
class ZoneType(Type):
    """A place that holds cards of a type."""

    of: CardType

    def __str__(self) -> str:
        return f"zone of {self.of}"


@frozen
class Optional(Type):
    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"
