"""Where everything is: numbers for zones, variables, cards, designs, members and spaces of a game with so many players."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from attrs import define

from dsl import model, types, walk
from dsl.source import Span
from interpreter.program import (
    BoardInfo,
    CardTypeInfo,
    DesignInfo,
    DiceInfo,
    FamilyInfo,
    KindInfo,
    VarInfo,
    ZoneInfo,
)


@define
class Family:
    """Of zones or variables: the number of (i, j, …) is base + i * strides[0] + j * strides[1] + …"""

    base: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def size(self) -> int:
        total = 1
        for size in self.sizes:
            total *= size
        return total

    def offsets(self, given: int) -> tuple[int, ...]:
        """What to add to the number of a group, its first `given` indexes fixed, for each member of the group."""
        rest = [range(0, size * stride, stride) for size, stride in zip(self.sizes[given:], self.strides[given:], strict=True)]
        return tuple(sum(steps) for steps in product(*rest))


class Layout:
    """The tables of a program, filled once from the game; `places` grows while code is lowered."""

    def __init__(self, game: model.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.places: list[Span] = []
        self._place_numbers: dict[tuple[str, int, int], int] = {}
        self.kind_numbers = {kind.id: i for i, kind in enumerate(game.kinds)}
        self.board_numbers = {board.id: i for i, board in enumerate(game.boards)}
        self.card_type_numbers = {card.id: i for i, card in enumerate(game.card_types)}
        self.kinds = [KindInfo(k.name, k.id, tuple(k.members)) for k in game.kinds]
        self.boards = [self._board(board) for board in game.boards]
        self.zone_families: dict[model.Zone, Family] = {}
        self.zones: list[ZoneInfo] = []
        self.families: list[FamilyInfo] = []
        for zone in game.zones:
            self._add_zone(zone)
        self.variable_families: dict[model.Variable | model.Dice, Family] = {}
        self.variables: list[VarInfo] = []
        for variable in game.variables:
            self._add_variable(variable)
        self.dice = [self._add_dice(dice) for dice in game.dice]
        self.tables: list[tuple[object, ...]] = []
        self.card_tables: dict[tuple[str, int], int] = {}
        self.space_tables: dict[tuple[str, int | str], int] = {}
        self.designs: list[DesignInfo] = []
        self.design_numbers: dict[model.Design, int] = {}
        self.slots: list[int] = []
        self.start: list[list[int]] = [[] for _ in self.zones]
        self.card_types: list[CardTypeInfo] = []
        self._add_cards()
        self._add_tables()
        bodies = [rule.body for rule in game.rules] + [attachment.body for attachment in game.attachments]
        self.all_stay = not any(isinstance(statement, model.Eliminate) for statement in walk.statements(bodies))
        """nobody is ever eliminated, so that who is next to whom is known"""

    def place(self, span: Span) -> int:
        key = (span.source.path, span.start, span.end)
        number = self._place_numbers.get(key)
        if number is None:
            number = self._place_numbers[key] = len(self.places)
            self.places.append(span)
        return number

    def size_of(self, index: types.Type) -> int:
        """How many values an index type has."""
        if index == types.PLAYER:
            return self.players
        if isinstance(index, types.KindType):
            return len(self.kinds[self.kind_numbers[index.id]].members)
        assert isinstance(index, types.SpaceType)
        return len(self.boards[self.board_numbers[index.id]].spaces)

    def _family(self, base: int, indexes: list[types.Type]) -> Family:
        sizes = tuple(self.size_of(index) for index in indexes)
        strides: list[int] = []
        stride = 1
        for size in reversed(sizes):
            strides.insert(0, stride)
            stride *= size
        return Family(base, sizes, tuple(strides))

    def _add_zone(self, zone: model.Zone) -> None:
        assert zone.of is not None
        family = self._family(len(self.zones), zone.indexes)
        self.zone_families[zone] = family
        number = len(self.families)
        index_types = tuple(zone.indexes)
        self.families.append(
            FamilyInfo(
                zone.name, family.base, family.size, family.sizes, zone.visibility, zone.shape, index_types, zone.doc, zone.span
            )
        )
        by = None if zone.by is None else zone.of.attributes.index(zone.by)
        for indexes in product(*(range(size) for size in family.sizes)):
            owner = next((i for i, t in zip(indexes, zone.indexes, strict=True) if t == types.PLAYER), None)
            card_type = self.card_type_numbers[zone.of.id]
            self.zones.append(ZoneInfo(number, zone.name, indexes, index_types, owner, zone.visibility, zone.shape, card_type, by))

    def _add_variable(self, variable: model.Variable) -> None:
        family = self._family(len(self.variables), variable.indexes)
        self.variable_families[variable] = family
        number = len(self.variable_families) - 1
        index_types = tuple(variable.indexes)
        source = variable.span.source
        own = source.path == self.game.span.source.path or source.id in self.game.variants
        module = "" if own else source.path
        for indexes in product(*(range(size) for size in family.sizes)):
            owner = next((i for i, t in zip(indexes, variable.indexes, strict=True) if t == types.PLAYER), None)
            self.variables.append(
                VarInfo(number, variable.name, indexes, index_types, owner, variable.visibility, variable.type, module)
            )

    def _add_dice(self, dice: model.Dice) -> DiceInfo:
        number = len(self.variables)
        self.variable_families[dice] = Family(number, (), ())
        self.variables.append(
            VarInfo(len(self.variable_families) - 1, dice.name, (), (), None, "open", types.ListType(types.NUMBER))
        )
        return DiceInfo(dice.name, dice.count, dice.faces, number)

    def _board(self, board: model.Board) -> BoardInfo:
        return BoardInfo(
            board.name,
            board.id,
            *board.size,
            tuple((space.column, space.row, space.sign) for space in board.spaces),
            tuple(space.name for space in board.spaces),
            tuple((column.name, column.type) for column in board.attributes),
            tuple(space.values for space in board.spaces),
            tuple(board.neighbours),
            tuple((name, tuple(ways)) for name, ways in board.ways.items()),
            board.picture,
            board.drawn,
            board.spread,
            board.hexagonal,
            board.named is not None,
        )

    def _add_cards(self) -> None:
        for number, card_type in enumerate(self.game.card_types):
            slots: list[int] = []
            for design in card_type.designs:
                self.design_numbers[design] = len(self.designs)
                self.designs.append(DesignInfo(design.name, number, design.values, design.texts))
                base = self.zone_families[design.zone].base
                for _ in range(design.copies):
                    slots.append(len(self.slots))
                    self.start[base].append(len(self.slots))
                    self.slots.append(self.design_numbers[design])
            attributes = tuple((column.name, column.type) for column in card_type.attributes)
            self.card_types.append(CardTypeInfo(card_type.name, card_type.id, attributes, tuple(slots)))
        for zone, cards in zip(self.zones, self.start, strict=True):
            if zone.shape == "pile":
                cards.reverse()  # the first row of a table lies on top
            if zone.by is not None:  # highest on top or first
                cards.sort(key=self.sort_key(zone))

    def sort_key(self, zone: ZoneInfo) -> Callable[[int], tuple[int, int]]:
        """Of a slot in a zone kept sorted; in a set, equal ones lie in card order, elsewhere as they came."""

        def key(slot: int) -> tuple[int, int]:
            design = self.slots[slot]
            assert zone.by is not None
            value = self.designs[design].values[zone.by]
            assert isinstance(value, int)
            return (value if zone.shape == "pile" else -value, design if zone.shape == "set" else 0)

        return key

    def _add_tables(self) -> None:
        for number, card_type in enumerate(self.game.card_types):
            for column in range(len(card_type.attributes)):
                self.card_tables[card_type.id, column] = len(self.tables)
                self.tables.append(tuple(d.values[column] if d.card_type == number else None for d in self.designs))
        for board in self.game.boards:
            for column in range(len(board.attributes)):
                self.space_tables[board.id, column] = len(self.tables)
                self.tables.append(tuple(space.values[column] for space in board.spaces))

    def space_table(self, board: str, name: str) -> int:
        """The number of the table that has, for each space of a board, what is built in: its row, its neighbours, …"""
        key = board, name
        if key not in self.space_tables:
            self.space_tables[key] = len(self.tables)
            self.tables.append(self._of_spaces(self.boards[self.board_numbers[board]], name))
        return self.space_tables[key]

    def _of_spaces(self, board: BoardInfo, name: str) -> tuple[object, ...]:
        match name:
            case "column":
                return tuple(column for column, _, _ in board.spaces)
            case "row":
                return tuple(row for _, row, _ in board.spaces)
            case "order":
                return tuple(range(1, len(board.spaces) + 1))
            case "name":
                return board.names
            case "neighbours":
                return board.neighbours
        return dict(board.ways)[name]
