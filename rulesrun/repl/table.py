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
from interpreter.texts import plain, player_name
from interpreter.views import View, ZoneView
from rulesrun.repl.board import Chosen, board_lines, pieces_on
from rulesrun.repl.cards import Face, Faces
from rulesrun.repl.layout import flow, framed, styled
from rulesrun.repl.seats import Column, scored_variables, seat_rows, told_variables

NOTHING = "–"
ABILITY = "*"
"""behind the name of a card that can do something"""
MOST_CARDS = 20
"""of an open place are drawn; where there are more, they are counted and `:look` shows them"""
FEW_CARDS = 4
"""of a set are not worth gaps between them"""
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
    _begun: set[str] = Factory(set)
    """modules of which a variable has been something else than at first: before, they have no part in the game"""

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
        self._begun |= {
            self.program.variables[v.variable].module for v in view.variables if v.value != self.program.initial[v.variable]
        }
        shared, readable = self._shared(view, inner)
        head, lines = self._head(view, shared, inner)
        lines += self.boards(view, inner, chosen) + readable
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
        brief += [Text(f"{name} {value}".rstrip()) for _, name, value in told_variables(self.program, view, None, self._begun)]
        brief += [Text(f"{dice.name} {' '.join(map(str, dice.values))}") for dice in view.dice if dice.values is not None]
        return brief, lines

    def boards(self, view: View, inner: int, chosen: Chosen) -> list[Text]:
        """The boards alone."""
        lines: list[Text] = []
        for number in range(len(self.program.boards)):
            lines += board_lines(self.program, number, pieces_on(self.program, view, number, self._short), inner, chosen)
        return lines

    def _short(self, design: int) -> str:
        return self.faces.by_design[design].name

    # ── players ──

    def _players(self, view: View, inner: int, close: bool) -> list[Text]:
        """A row for each player if all they have fits into columns, otherwise a block for each."""
        beside = inner >= 2 * NARROWEST_BLOCK + BETWEEN and view.seats > 2
        in_lines = {seat: self._in_lines(view, seat) for seat in range(view.seats)}
        if not close and not (beside and any(places for seat, places in in_lines.items() if seat != view.player)):
            heads = [self._name(view, seat, told_out=True) for seat in range(view.seats)]
            for short in (False, True):
                rows = seat_rows(heads, self._columns(view, short), inner)
                if rows is not None:
                    return self._under_rows(view, rows, in_lines, inner)
        return self._blocks(view, inner, beside, close)

    def _under_rows(self, view: View, rows: list[Text], in_lines: dict[int, list[Place]], inner: int) -> list[Text]:
        """The rows, and what wants lines of its own: under its player, or under all rows if it is only what the viewer has."""
        label = min(LABEL, max((cell_len(place.name) for places in in_lines.values() for place in places), default=0))
        drawn = {
            seat: [line for place in places for line in self._place_lines(place, inner, INDENT, label)]
            for seat, places in in_lines.items()
        }
        if not any(lines for seat, lines in drawn.items() if seat != view.player):
            return rows + drawn.get(-1 if view.player is None else view.player, [])
        return [rows[0], *(line for seat in range(view.seats) for line in (rows[seat + 1], *drawn[seat]))]

    def _columns(self, view: View, short: bool) -> list[Column]:
        """What the players have, thing by thing; a short column only counts the cards of a pile."""
        columns = []
        by_seat = [{place.name: place for place in self._places(view, seat)} for seat in range(view.seats)]
        for name in by_seat[0]:
            places = [by_name[name] for by_name in by_seat]
            single = self._in_cells(places)
            if name in self._used and (single or any(place.size and not self._readable(place) for place in places)):
                columns.append(Column(name, tuple(self._cell(place, single, short) for place in places)))
        shown: dict[str, list[Text]] = {}
        for seat in range(view.seats):
            told = [*self._owned(view, seat), *((label, str(score)) for label, score in self._scores(view, seat))]
            for label, value in told:
                shown.setdefault(label, [Text()] * view.seats)[seat] = Text(value or "yes")
        return columns + [Column(label, tuple(cells)) for label, cells in shown.items() if any(cells)]

    def _in_cells(self, places: Sequence[Place]) -> bool:
        """Nobody has more than one card there, and it is one that a few letters tell: then it stands in the row."""
        zones = [zone for place in places for zone in place.zones]
        faces = [None if design is None else self._face(design) for zone in zones for design in zone.cards]
        return (
            len(zones) == len(places)
            and all(zone.size <= 1 and zone.shape != "pile" for zone in zones)
            and all(face is not None and not face.figures and not face.abilities for face in faces)
        )

    def _in_lines(self, view: View, seat: int) -> list[Place]:
        """What of a player's is drawn on lines of its own in any case."""
        names = [place.name for place in self._places(view, seat) if self._readable(place)]
        by_seat = [{place.name: place for place in self._places(view, other)} for other in range(view.seats)]
        return [by_seat[seat][name] for name in names if not self._in_cells([by_name[name] for by_name in by_seat])]

    def _cell(self, place: Place, single: bool, short: bool) -> Text:
        if not place.size:
            return styled(NOTHING, "dim")
        if single:
            return self._card(place.zones[0].cards[0])
        zone = place.zones[0]
        worth_telling = len(place.zones) == 1 and not self._readable(place) and (zone.in_sight or None in zone.cards)
        known = self._known_top(zone) if worth_telling and not short else ""
        return Text(f"{place.size} ({known})" if known else str(place.size))

    def _blocks(self, view: View, inner: int, beside: bool, close: bool) -> list[Text]:
        """A block for each player; two blocks side by side where there is room for it."""
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

    def _name(self, view: View, player: int, told_out: bool = False) -> Text:
        turn = view.active == player and not view.finished
        out = player not in view.live
        style = "dim" if out else "bold" if turn else ""
        name = f"{'▶' if turn else ' '} {player_name(player)} {self.names.get(player, '')}".rstrip()
        return styled(f"{name}, out" if out and told_out else name, style)

    def _player(self, view: View, player: int, head: Text, column: int, label: int, inner: int) -> list[Text]:
        """A player's block; with a negative `label` the places he has go on in the first line."""
        out = player not in view.live
        places = self._places(view, player)
        readable = [place for place in places if self._readable(place)]
        brief = [Text("out of the game", "dim")] if out else []
        brief += [self._brief(place) for place in places if not self._readable(place) and self._told_empty(place, out)]
        brief += [] if out else [Text(f"{label} {value}".rstrip()) for label, value in self._owned(view, player)]
        brief += [Text(f"{label} {value}") for label, value in self._scores(view, player)]
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

    def _scores(self, view: View, player: int) -> list[tuple[str, int]]:
        for score in view.scores:
            if score.player == player:
                if score.total is not None and len(score.lines) != 1:
                    return [("score", score.total)]
                return [(label.lower() if label.istitle() else label, value) for label, value in score.lines]
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
        """Equal cards together; where the set is kept sorted, and in a larger one that falls into groups, a gap between its parts."""
        counts: dict[int, int] = {}
        for design in zone.cards:
            if design is not None:
                counts[design] = counts.get(design, 0) + 1
        unseen = sum(design is None for design in zone.cards)
        column = self.program.zones[zone.zone].by
        if column is None and zone.size > FEW_CARDS:
            column = self.faces.groups[self.program.zones[zone.zone].card_type]
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

    def _owned(self, view: View, player: int) -> list[tuple[str, str]]:
        """The variables of a player, but for those that his score repeats."""
        repeated = scored_variables(self.program, view)
        return [
            (name, value)
            for number, name, value in told_variables(self.program, view, player, self._begun)
            if self.program.variables[number].family not in repeated
        ]

    def _legend(self, view: View) -> str:
        """What the figures on the cards mean, for the card types in sight."""
        seen = {self._face(design).card_type for zone in view.zones for design in zone.cards if design is not None}
        parts = [f"{name} {figures}" for name, figures in self.faces.legends.items() if name in seen]
        if any(face.abilities for face in self.faces.by_design):
            parts.append(f"{ABILITY} see :rules CARD")
        return " · ".join(parts)
