"""Random declarations of things: kinds, cards, zones, variables, options, dice, boards."""

from __future__ import annotations

from itertools import pairwise

from rulesrun.strategies.programs_draws import Ground, Holder, Place
from rulesrun.strategies.programs_rules import Lines, Statements, indented

DISPLAYS = ["one", "♣", "an {{ode", 'it \\"is\\"', "Ö"]
MAPS = {
    "square": (["...", "...", "..."], ["steps orthogonal"], 3),
    "crossed": (["....", ".#..", "...."], ["steps orthogonal", "steps diagonal"], 4),
    "track": (["......"], ["steps right"], 6),
    "hexagons": (["...", "...", "..."], ["steps hexagonal"], 3),
    "walled": ([". .|.", "  -  ", ". . ."], ["steps orthogonal"], 3),
    "drawn": ([".-.-.", "|\\\\|/|", ".-.-."], ['steps along "-|\\\\/"'], 3),
}


class Things(Statements):
    """Writes declarations, and notes in the world what they declare."""

    # ── things ──

    def kind(self) -> Lines:
        name = self.fresh("Kind")
        members = [self.fresh("Member") for _ in self.some(4, 2)]
        shown = [f'{member} "{self.of(DISPLAYS)} {member[6:]}"' if self.one_in(4) else member for member in members]
        inside: tuple[str, ...] = ()
        if self.world.kinds and self.one_in(3):
            inner = self.of([kind for kind in self.world.kinds if kind not in self.world.within] or [""])
            if inner:
                shown.insert(0, inner)
                inside = (inner,)
        self.world.kinds[name] = tuple(members)  # those that are its own: the others depend on what is expected
        if inside:
            self.world.within[name] = inside
        if self.one_in(4):
            return [f"kind {name}:", *indented(shown)]
        return [f"kind {name}: {', '.join(shown)}"]

    def card(self) -> Lines:
        name = self.fresh("Card")
        types = [
            "number",
            "flag",
            "text",
            *self.world.kinds,
            "number?",
            "list of number",
            *(f"list of {k}" for k in self.world.kinds),
        ]
        attributes = tuple((self.fresh("trait"), self.of(types)) for _ in self.some(3))
        self.world.cards[name] = attributes
        self.world.designs[name] = []
        self.world.rows[name] = []
        return [f"card {name}({', '.join(f'{n}: {t}' for n, t in attributes)})"]

    def zone_of(self, card: str, home: bool = False) -> Lines:
        indexes: tuple[str, ...] = ()
        if not home:
            boards = [board.name for board in self.world.boards]
            choices = [(), ("player",), ("player",), *((kind,) for kind in self.world.kinds), *((board,) for board in boards)]
            choices += [("player", kind) for kind in self.world.kinds]
            indexes = self.of(choices)
        visible = ["open", "hidden", "top open"] + (["private"] if "player" in indexes else [])
        visibility = self.of(visible)
        shape = self.of(["pile", "row", "pile"] if visibility == "top open" else ["pile", "row", "set"])
        if visibility == "top open":
            shape = "pile"
        name = self.fresh("zone")
        numbers = [n for n, type in self.world.cards[card] if type == "number"]
        by = f" by {self.of(numbers)}" if numbers and shape != "set" and self.one_in(6) else ""
        self.world.zones.append(Place(name, indexes, card, shape, visibility))
        return [f"zone {name}{''.join(f'[{index}]' for index in indexes)}: {visibility} {shape} of {card}{by}"]

    def variable(self) -> Lines:
        boards = [board.name for board in self.world.boards]
        plain = ["number", "number", "flag", "player", *self.world.kinds, *boards]
        types = [*plain, *(f"{t}?" for t in ["player", *self.world.kinds, *boards]), "list of number", "list of player", "text"]
        type = self.of(types)
        index = self.of([(), ("player",), *((kind,) for kind in self.world.kinds), *((board,) for board in boards)])
        visibility = self.of(["", "hidden "] + (["private "] if index == ("player",) else []))
        name = self.fresh("store")
        value = self.first_value(type)
        self.world.variables.append(Holder(name, index, type))
        return [f"{visibility}var {name}{''.join(f'[{i}]' for i in index)}: {type} = {value}"]

    def first_value(self, type: str) -> str:
        """Of a variable: known before the game starts."""
        if type.endswith("?"):
            return "none"
        if type.startswith("list of "):
            return self.of(["[]", "[1, 2]"]) if type == "list of number" else "[]"
        if type == "player":
            return "seats.first"
        if type in self.world.kinds:
            return self.of(self.world.kinds[type])
        if self.world.board(type) is not None:
            return f"{type}[1]"
        return {"number": self.of(["0", "5"]), "flag": self.of(["no", "yes"]), "text": '"nothing"'}[type]

    def option(self) -> Lines:
        name = self.fresh("option")
        type = self.of(["flag", "number", *self.world.kinds])
        said = f'"What {name} is for"'
        if type == "number":
            line = f"option {name} = 2 in {self.of(['1..4', '[1, 2, 5]'])}: {said}"
        elif type == "flag":
            line = f"option {name} = {self.of(['no', 'yes'])}: {said}"
        else:
            line = f"option {name}: {type} = {self.of(self.world.kinds[type])}: {said}"
        self.world.options[name] = type
        return [line]

    def dice(self) -> Lines:
        name = self.fresh("dice")
        self.world.dice.append(name)
        return [f"dice {name}: {self.of(['1', '2'])} of {self.of(['1..6', '0..1', '[1, 2, 2]'])}"]

    # ── boards ──

    def board(self) -> Lines:
        name = self.fresh("Board")
        if self.one_in(4):
            return self.named_board(name)
        look = self.of(list(MAPS))
        rows, steps, width = MAPS[look]
        attributes: tuple[tuple[str, str], ...] = ()
        lines = ["map:", *indented([f'"{row}"' for row in rows])]
        if look in ("square", "crossed") and self.one_in(3):
            attributes = (("marked", "flag"), ("weight", "number"))
            rows = ["~" + rows[0][1:], *rows[1:]]
            lines = ["map:", *indented([f'"{row}"' for row in rows]), "legend:"]
            lines += indented(["mark  marked  weight", '"."   no   1', '"~"   yes   2'])
        if look == "crossed":
            lines.append('blocked: "#"')
        if look == "walled":
            lines.append('walls: "|-"')
        lines += steps
        if attributes and self.below(2):
            lines.append("steps from x to y where x.marked and y.weight < 2")
        spaces: tuple[str, ...] = () if look == "track" else ("a1", "b1")
        self.world.boards.append(Ground(name, attributes, width, spaces))
        head = f"({', '.join(f'{n}: {t}' for n, t in attributes)})" if attributes else ""
        return [f"board {name}{head}:", *indented(lines)]

    def named_board(self, name: str) -> Lines:
        spaces = [self.fresh("Space") for _ in self.some(4, 2)]
        lines = ["spaces:", *indented(["name  shade", *(f"{space}  {self.of(['no', 'yes'])}" for space in spaces)])]
        lines += ["links:", *indented([f"{one}: {other}" for one, other in pairwise(spaces)])]
        self.world.boards.append(Ground(name, (("shade", "flag"),), None, tuple(spaces)))
        return [f"board {name}(shade: flag):", *indented(lines)]
