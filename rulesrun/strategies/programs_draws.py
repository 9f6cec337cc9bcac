"""How a random program is drawn: small numbers from a source, and what has been declared so far.

Everything random is one call of `below(n)`. Where 0 is drawn, the simplest alternative is taken and lists end: so what
Hypothesis makes smaller becomes a shorter program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from attrs import Factory, define, frozen

T = TypeVar("T")


class Numbers(Protocol):
    """A source of random numbers. `grouped` makes something whose draws belong together, and may be left out together."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; 0 is the simplest."""
        ...

    def grouped(self, make: Callable[[], T]) -> T: ...


@frozen
class Place:
    """A zone or family of zones: of which cards, with which indexes (`player`, a kind, a board)."""

    name: str
    indexes: tuple[str, ...]
    card: str
    shape: str
    visibility: str


@frozen
class Holder:
    """A variable or a family of them; `type` as it is written."""

    name: str
    indexes: tuple[str, ...]
    type: str


@frozen
class Callee:
    """A define or a rule: the types of its parameters, and what it gives (a rule perhaps nothing)."""

    name: str
    params: tuple[tuple[str, str], ...]
    result: str | None
    acts: bool = False
    """a rule; with a body, so that it is more than an event"""
    level: int = 0
    """calls only what has a lower level, with everything attached: nothing recurs"""


@frozen
class Ground:
    """A board: the attributes of its spaces, whether it is a map (and the width), and names of spaces."""

    name: str
    attributes: tuple[tuple[str, str], ...]
    width: int | None
    spaces: tuple[str, ...]


@define
class World:
    """What is declared and can be used."""

    kinds: dict[str, tuple[str, ...]] = Factory(dict)
    """the members that are its own: what the others are depends on what is expected"""
    within: dict[str, tuple[str, ...]] = Factory(dict)
    """the kinds that each has taken in"""
    cards: dict[str, tuple[tuple[str, str], ...]] = Factory(dict)
    """the attributes of each card type, with their types"""
    designs: dict[str, list[str]] = Factory(dict)
    """names of designs without holes, for each card type"""
    rows: dict[str, list[str]] = Factory(dict)
    """the rows of each table as they are named"""
    zones: list[Place] = Factory(list)
    variables: list[Holder] = Factory(list)
    options: dict[str, str] = Factory(dict)
    dice: list[str] = Factory(list)
    boards: list[Ground] = Factory(list)
    defines: list[Callee] = Factory(list)
    rules: list[Callee] = Factory(list)
    timings: dict[str, tuple[str, str | None, int]] = Factory(dict)
    """for which card type, the type of the owner where there is one, and the level of the rule"""
    named: list[str] = Factory(list)
    """attachments with a text, as they are named when they are taken away"""
    carried: list[tuple[str, str]] = Factory(list)
    """the texts of abilities, and the row that has each"""
    scored: bool = False

    def board(self, name: str) -> Ground | None:
        return next((board for board in self.boards if board.name == name), None)


@frozen
class Local:
    """A name in a rule or an expression."""

    name: str
    type: str
    changes: bool = False


class Draws:
    """Draws alternatives; knows the names that are visible, and gives new ones."""

    def __init__(self, numbers: Numbers, world: World) -> None:
        self.numbers = numbers
        self.world = world
        self.locals: list[Local] = []
        self.made: dict[str, int] = {}

    def below(self, n: int) -> int:
        return self.numbers.below(n) if n > 1 else 0

    def one_in(self, n: int) -> bool:
        """Seldom yes; no is simpler."""
        return self.below(n) == n - 1

    def often(self) -> bool:
        return self.below(4) > 0

    def of(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def some(self, most: int, least: int = 0) -> Iterator[int]:
        """So many turns, drawn one by one."""
        for number in range(most):
            if number >= least and self.below(5) < 2:
                return
            yield number

    def grouped(self, make: Callable[[], T]) -> T:
        return self.numbers.grouped(make)

    def fresh(self, stem: str) -> str:
        """A name nobody has."""
        number = self.made[stem] = self.made.get(stem, 0) + 1
        return f"{stem}{number}"

    def known(self, type: str) -> list[str]:
        """The locals that can stand where a value of this type is wanted."""
        fitting = {type, *self.world.within.get(type, ())}
        return [local.name for local in self.locals if local.type in fitting]

    def bind(self, stem: str, type: str, changes: bool = False) -> str:
        name = self.fresh(stem)
        self.locals.append(Local(name, type, changes))
        return name


def listed(type: str) -> str | None:
    """What a list holds."""
    return type.removeprefix("list of ") if type.startswith("list of ") else None


def sure(type: str) -> str:
    """The type without `?`."""
    return type.removesuffix("?")
