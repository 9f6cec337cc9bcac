"""The drawing of a table: what everybody shares on top, then a block for each player, in a frame.

A place with cards one can read gets a line; one that is empty, or only counted, a few words. So the drawing says the same at
60 columns as at 140, on more or fewer lines."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define, frozen
from rich.cells import cell_len
from rich.text import Text

from dsl import types
from interpreter.program import Program
from interpreter.texts import plain, player_name, words
from interpreter.views import VariableView, View, ZoneView
from rulesrun.repl.board import Chosen, board_lines, pieces_on
from rulesrun.repl.cards import Face, Faces
from rulesrun.repl.layout import flow, styled

NOTHING = "–"
ABILITY = "*"
"""behind the name of a card that can do something"""
MOST_CARDS = 20
"""of an open place are drawn; where there are more, they are counted and `:look` shows them"""
INDENT = 4
BETWEEN = 3
NARROWEST_BLOCK = 56
"""two blocks of players stand side by side if each has so many columns"""
LABEL = 12
"""columns for the name of a place, if the names need so many"""


@frozen
class Place:
    """Zones drawn together: one, or a family's zones of one player (his bank, by suit). `zones` have been looked into already."""

    name: str
    zones: tuple[ZoneView, ...]

    @property
    def size(self) -> int:
        return sum(zone.size for zone in self.zones)


@define
class Table:
    """Draws views of one game."""

    program: Program
    faces: Faces
    title: str
    names: dict[int, str]
    """who sits where: "you", "random" …"""
    _used: set[str] = Factory(set)
    """families that had cards in them at some time: only then it means something that one is empty"""

    def draw(self, view: View, width: int, height: int | None = None, chosen: Chosen = ()) -> list[Text]:
        """The table in a frame of that width; closer together if it would be higher than `height`. `chosen`: the spaces that can be
        chosen now."""
        lines = self._drawn(view, width, chosen, close=False)
        if height is not None and len(lines) > height:
            closer = self._drawn(view, width, chosen, close=True)
            lines = closer if len(closer) < len(lines) else lines
        return lines

    def _drawn(self, view: View, width: int, chosen: Chosen, *, close: bool) -> list[Text]:
        inner = width - 4
        self._used |= {zone.family for zone in view.zones if zone.size}
        shared, readable = self._shared(view, inner)
        head, lines = self._head(view, shared, inner)
        lines += self._boards(view, inner, chosen) + readable
        return framed(head, lines + self._players(view, inner, close), self._legend(view), width)

    # ── what everybody shares ──

    def _head(self, view: View, shared: list[Text], inner: int) -> tuple[Text, list[Text]]:
        """The title; what is shared stands beside it if there is room, else on lines of its own."""
        title = styled(self.title, "bold")
        line = Text(" · ").join(shared)
        if shared and title.cell_len + line.cell_len + 8 <= inner:
            return title + Text("\0") + line, []
        return title, flow(shared, inner, between=" · ") if shared else []

    def _shared(self, view: View, inner: int) -> tuple[list[Text], list[Text]]:
        """Places and variables that are nobody's: in a few words, and those that want lines of their own."""
        brief: list[Text] = []
        lines: list[Text] = []
        for place in self._places(view, None):
            if self._readable(place):
                lines += self._place_lines(place, inner, 0, 0)
            elif self._told_empty(place):
                brief.append(self._brief(place))
        brief += self._variables(view, None)
        brief += [Text(f"{dice.name} {' '.join(map(str, dice.values))}") for dice in view.dice if dice.values is not None]
        return brief, lines

    def _boards(self, view: View, inner: int, chosen: Chosen) -> list[Text]:
        lines: list[Text] = []
        for number in range(len(self.program.boards)):
            lines += board_lines(self.program, number, pieces_on(self.program, view, number, self._short), inner, chosen)
        return lines

    def _short(self, design: int) -> str:
        return self.faces.by_design[design].name

    # ── players ──

    def _players(self, view: View, inner: int, close: bool) -> list[Text]:
        """A block for each player; two blocks side by side where there is room for it."""
        beside = inner >= 2 * NARROWEST_BLOCK + BETWEEN and view.seats > 2
        width = (inner - BETWEEN) // 2 if beside else inner
        heads = [self._name(view, player) for player in range(view.seats)]
        column = max(head.cell_len for head in heads) + 2
        readable = {place.name for seat in range(view.seats) for place in self._places(view, seat) if self._readable(place)}
        label = min(LABEL, max(map(cell_len, readable), default=0))
        blocks = [self._player(view, seat, heads[seat], column, -1 if close else label, width) for seat in range(view.seats)]
        if not beside:
            return [line for block in blocks for line in block]
        lines: list[Text] = []
        for seat in range(0, view.seats, 2):
            left = blocks[seat]
            right = blocks[seat + 1] if seat + 1 < view.seats else []
            for i in range(max(len(left), len(right))):
                line = left[i] if i < len(left) else Text()
                if i < len(right):
                    line = line + Text(" " * (width + BETWEEN - line.cell_len)) + right[i]
                lines.append(line)
        return lines

    def _name(self, view: View, player: int) -> Text:
        turn = view.active == player and not view.finished
        style = "dim" if player not in view.live else "bold" if turn else ""
        return styled(f"{'▶' if turn else ' '} {player_name(player)} {self.names.get(player, '')}".rstrip(), style)

    def _player(self, view: View, player: int, head: Text, column: int, label: int, inner: int) -> list[Text]:
        """A player's block; with a negative `label` the places he has go on in the first line."""
        out = player not in view.live
        places = self._places(view, player)
        readable = [place for place in places if self._readable(place)]
        brief = [Text("out of the game", "dim")] if out else []
        brief += [self._brief(place) for place in places if not self._readable(place) and self._told_empty(place, out)]
        brief += [] if out else self._variables(view, player)
        brief += self._scores(view, player)
        if label < 0:
            brief += [self._on_one_line(place) for place in readable]
            readable = []
        if column > inner // 2:
            column = INDENT
        rows = flow(brief, inner, between=" · ", first=column, rest=column)
        if head.cell_len < column:
            lines = [head + Text(" " * (column - head.cell_len)) + rows[0]]
        else:
            lines = [*flow([head], inner), Text(" " * column) + rows[0]]
        lines += [Text(" " * column) + row for row in rows[1:]]
        for place in readable:
            lines += self._place_lines(place, inner, INDENT, label)
        return lines

    def _told_empty(self, place: Place, out: bool = False) -> bool:
        """An empty place is worth a word if it is a pile that has been used: a deck that has run out."""
        zone = place.zones[0]
        return place.size > 0 or (not out and zone.shape == "pile" and (zone.owner is not None or place.name in self._used))

    def _scores(self, view: View, player: int) -> list[Text]:
        for score in view.scores:
            if score.player == player:
                if score.total is not None and len(score.lines) != 1:
                    return [Text(f"score {score.total}")]
                return [Text(f"{label.lower() if label.istitle() else label} {value}") for label, value in score.lines]
        return []

    # ── places ──

    def _places(self, view: View, owner: int | None) -> list[Place]:
        """The places of a player or, with None, the shared ones; zones by a board's space are on the board."""
        grouped: dict[str, list[ZoneView]] = {}
        for zone in view.zones:
            info = self.program.zones[zone.zone]
            if zone.owner == owner and not any(isinstance(of, types.SpaceType) for of in info.index_types):
                grouped.setdefault(zone.family, []).append(zone)
        return [Place(name, tuple(zones)) for name, zones in grouped.items()]

    def _readable(self, place: Place) -> bool:
        """Is there anything to read beyond how many and what is on top?"""
        if len(place.zones) > 1:
            return any(zone.size for zone in place.zones)
        zone = place.zones[0]
        if zone.size > MOST_CARDS and zone.visibility != "private":
            return False
        return zone.shape != "pile" and any(design is not None for design in zone.cards)

    def _brief(self, place: Place) -> Text:
        zone = place.zones[0]
        text = Text(f"{place.name} ")
        if not place.size:
            return text.append(NOTHING, "dim")
        text.append(str(place.size))
        known = self._known_top(zone) if len(place.zones) == 1 else ""
        if known:
            text.append(f" ({known})")
        return text

    def _known_top(self, zone: ZoneView) -> str:
        """What is known of a pile: the cards on top, or some that are in it."""
        top: list[str] = []
        for design in zone.cards:
            if design is None or len(top) == (1 if zone.in_sight else 3):
                break
            top.append(self._face(design).short)
        if top:
            return ("top " if zone.shape == "pile" else "") + ", ".join(top)
        return ""

    def _place_lines(self, place: Place, inner: int, indent: int, label: int) -> list[Text]:
        """A place with its cards, on as many lines as they need."""
        name = place.name.ljust(label)
        start = indent + cell_len(name) + 2
        pieces, between = self._pieces(place)
        if start > inner // 2:
            start = indent + 2
            rows = flow(pieces, inner, between=between, first=start, rest=start)
            named = flow([Text(place.name, "dim")], inner - indent)
            return [Text(" " * indent) + row for row in named] + [Text(" " * start) + row for row in rows]
        rows = flow(pieces, inner, between=between, first=start, rest=start)
        lines = [Text(" " * indent) + Text(name, "dim") + Text("  ") + rows[0]]
        return lines + [Text(" " * start) + row for row in rows[1:]]

    def _on_one_line(self, place: Place) -> Text:
        pieces, between = self._pieces(place)
        return styled(f"{place.name} ", "dim") + Text(between).join(pieces)

    def _pieces(self, place: Place) -> tuple[list[Text], str]:
        if len(place.zones) > 1:
            return [self._indexed(zone) for zone in place.zones if zone.size], "  "
        zone = place.zones[0]
        if zone.shape == "row":
            return [self._card(design) for design in zone.cards], " › "
        return self._set(zone), "  "

    def _indexed(self, zone: ZoneView) -> Text:
        """One of a family's zones of a player: its index, how many, what is on top."""
        info = self.program.zones[zone.zone]
        index = ", ".join(
            plain(self.program, of, value) for of, value in zip(info.index_types, info.indexes, strict=True) if of != types.PLAYER
        )
        if zone.shape != "pile":
            cards = [self._card(design) for design in zone.cards] if zone.shape == "row" else self._set(zone)
            return Text(f"{index}: ") + Text(", ").join(cards)
        top = self._known_top(zone).removeprefix("top ")
        more = f" +{zone.size - 1}" if zone.size > 1 else ""
        if not top:
            return Text(f"{index} {zone.size}")
        return Text((top if index.casefold() in top.casefold() else f"{index}: {top}") + more)

    def _set(self, zone: ZoneView) -> list[Text]:
        """Equal cards together; where the set is kept sorted, a gap between its parts."""
        counts: dict[int, int] = {}
        for design in zone.cards:
            if design is not None:
                counts[design] = counts.get(design, 0) + 1
        unseen = sum(design is None for design in zone.cards)
        column = self.program.zones[zone.zone].by
        pieces: list[Text] = []
        before: object = None
        for design, n in counts.items():
            face = self._card(design)
            piece = face if n == 1 else Text(f"{n} × ") + face
            value = None if column is None else self.program.designs[design].values[column]
            if pieces and column is not None and value != before:
                piece = Text(" ") + piece
            before = value
            pieces.append(piece)
        if unseen:
            pieces.append(Text(f"{'and ' if pieces else ''}{unseen} face down", "dim"))
        return pieces

    def _face(self, design: int) -> Face:
        return self.faces.by_design[design]

    def _card(self, design: int | None) -> Text:
        if design is None:
            return Text("face down", "dim")
        face = self._face(design)
        text = Text(face.name)
        if face.figures:
            text.append(f" {face.figures}", "cyan")
        if face.abilities:
            text.append(ABILITY, "cyan")
        return text

    # ── variables ──

    def _variables(self, view: View, owner: int | None) -> list[Text]:
        """What variables say, in words: a flag by its name, nothing for what is not set."""
        shown: list[Text] = []
        for variable in view.variables:
            if variable.owner != owner:
                continue
            words_ = self._variable(variable)
            if words_:
                shown.append(Text(words_))
        return shown

    def _variable(self, variable: VariableView) -> str:
        info = self.program.variables[variable.variable]
        of = info.type
        while isinstance(of, types.Optional):
            of = of.of
        if variable.value is None or isinstance(of, types.ListType | types.SpaceType):
            return ""
        rest = [
            plain(self.program, kind, index)
            for kind, index in zip(info.index_types, info.indexes, strict=True)
            if kind != types.PLAYER
        ]
        if any(isinstance(kind, types.SpaceType) for kind in info.index_types):
            return ""
        name = " ".join([words(info.name), *rest])
        if of == types.FLAG:
            return name if variable.value else ""
        return f"{name} {variable.text}"

    def _legend(self, view: View) -> str:
        """What the figures on the cards mean, for the card types in sight."""
        seen = {self._face(design).card_type for zone in view.zones for design in zone.cards if design is not None}
        parts = [f"{name} {figures}" for name, figures in self.faces.legends.items() if name in seen]
        if any(face.abilities for face in self.faces.by_design):
            parts.append(f"{ABILITY} see :rules CARD")
        return " · ".join(parts)


def framed(head: Text, lines: Sequence[Text], foot: str, width: int) -> list[Text]:
    """Lines in a frame; `head` is set into its upper edge (what follows a NUL on the right), `foot` into the lower one. Where something
    is too wide for it, such as a board on a narrow screen, there is no frame."""
    if head.cell_len + 6 > width or any(line.cell_len > width - 4 for line in lines):
        title = Text(" · ").join(head.split("\0"))
        return [*flow([title], width), *lines]
    left, right = head, Text()
    if "\0" in head.plain:
        at = head.plain.index("\0")
        left, right = head[:at], head[at + 1 :]
    top = Text("╭─ ") + left + Text(" ")
    end = (Text(" ") + right + Text(" ─╮")) if right else Text("─╮")
    top.append("─" * max(0, width - top.cell_len - end.cell_len))
    drawn = [top + end]
    for line in lines:
        drawn.append(Text("│ ") + line + Text(" " * max(0, width - 4 - line.cell_len)) + Text(" │"))
    ending = f" {foot} ─╯" if foot and cell_len(foot) + 6 <= width else "─╯"
    drawn.append(Text("╰" + "─" * (width - 1 - cell_len(ending))) + Text(ending))
    return drawn
