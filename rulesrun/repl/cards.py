"""What is printed on a card: its name, the figures that the name does not tell, its abilities."""

from __future__ import annotations

import re
from itertools import groupby

from attrs import frozen

from dsl import types
from dsl.render import visible
from interpreter.program import CardTypeInfo, DesignInfo, Program
from interpreter.texts import plain, words


@frozen
class Face:
    """A design as people read it. `figures` are the attributes not in its name ("9/2"); `attributes` all of them, in words."""

    name: str
    card_type: str
    figures: str
    attributes: tuple[tuple[str, str], ...]
    abilities: tuple[str, ...]

    @property
    def short(self) -> str:
        return f"{self.name} {self.figures}" if self.figures else self.name


UNSEEN = Face("a card", "", "", (), ())


@frozen
class Faces:
    """The faces of all designs, by number; `legends` says what the figures mean, for the card types that have some. `groups`: by card
    type, the attribute into whose members its cards fall, as cards do into suits."""

    by_design: tuple[Face, ...]
    legends: dict[str, str]
    groups: tuple[int | None, ...]


def faces_of(program: Program) -> Faces:
    legends: dict[str, str] = {}
    by_type: list[list[int]] = []
    for number, kind in enumerate(program.card_types):
        designs = [design for design in program.designs if design.card_type == number]
        columns = [i for i in range(len(kind.attributes)) if _worth_a_figure(program, kind, designs, i)]
        by_type.append(columns)
        if columns:
            legends[words(kind.name)] = "/".join(words(kind.attributes[i][0]) for i in columns)
    groups = tuple(_group(program, number) for number in range(len(program.card_types)))
    return Faces(tuple(_face(program, design, by_type[design.card_type]) for design in program.designs), legends, groups)


def _group(program: Program, card_type: int) -> int | None:
    """The first attribute by whose members the designs stand together in their table, several to each member."""
    designs = [design for design in program.designs if design.card_type == card_type]
    for column, (_, of) in enumerate(program.card_types[card_type].attributes):
        if isinstance(of, types.KindType):
            runs = [value for value, _ in groupby(design.values[column] for design in designs)]
            if 1 < len(runs) == len(set(runs)) <= len(designs) // 2:
                return column
    return None


def _worth_a_figure(program: Program, kind: CardTypeInfo, designs: list[DesignInfo], column: int) -> bool:
    """Numbers and members of kinds are, unless every name says them already."""
    of = kind.attributes[column][1]
    if of != types.NUMBER and not isinstance(of, types.KindType):
        return False
    return not all(says(design.name, plain(program, of, design.values[column])) for design in designs)


def _face(program: Program, design: DesignInfo, figures: list[int]) -> Face:
    kind = program.card_types[design.card_type]
    shown = [visible(plain(program, of, value)) for (_, of), value in zip(kind.attributes, design.values, strict=True)]
    names = [words(name) for name, _ in kind.attributes]
    return Face(
        visible(design.name),
        words(kind.name),
        "/".join(shown[i] for i in figures),
        tuple(zip(names, shown, strict=True)),
        tuple(map(visible, design.texts)),
    )


def says(name: str, shown: str) -> bool:
    """Does a card's name tell this already: `Mermaid 5` its 5, `Q♠` its queen?"""
    if shown.isdigit():
        return re.search(rf"(?<!\d){shown}(?!\d)", name) is not None
    return shown.casefold() in name.casefold()
