"""Lines that fit a width: pieces that stay whole are set one after another and go on in the next line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

Piece = Text | str
RED_SUIT = re.compile(r"\w{0,2}[♥♦]")


def styled(text: str, style: str) -> Text:
    """A piece with a style of its own, which what is added to it does not take on."""
    return Text.assemble((text, style))


def with_red_suits(line: Text) -> Text:
    """Hearts and diamonds are printed red, with the rank before them; without colours the signs say the same."""
    line.highlight_regex(RED_SUIT, "red")
    return line


def flow(pieces: Iterable[Piece], width: int, *, between: str = "  ", first: int = 0, rest: int = 0) -> list[Text]:
    """Set pieces in lines of at most `width` columns: the first begins at column `first`, the others at `rest`.

    The indents are not part of the lines. A sign in `between` stays at the end of a line. A piece that is too long by itself is
    cut at blanks, or anywhere if it has none."""
    sign = between.rstrip()
    lines: list[Text] = []
    line = Text()
    room = width - first
    for piece in pieces:
        text = piece.copy() if isinstance(piece, Text) else Text(piece)
        gap = between if line else ""
        if line.cell_len + cell_len(gap) + text.cell_len > room:
            if line:
                lines.append(line + Text(sign) if line.cell_len + cell_len(sign) <= room else line)
                line, gap, room = Text(), "", width - rest
                text = text[len(text.plain) - len(text.plain.lstrip()) :]
            parts = broken(text, room, width - rest)
            lines += parts[:-1]
            text = parts[-1]
            if len(parts) > 1:
                room = width - rest
        line = line + Text(gap) + text
    if line or not lines:
        lines.append(line)
    return lines


def broken(text: Text, first: int, rest: int) -> list[Text]:
    """A text as lines of at most `first`, then `rest` columns, cut at blanks where there are some."""
    lines: list[Text] = []
    room = max(first, 1)
    while text.cell_len > room:
        cut = _last_blank(text.plain, room)
        lines.append(text[:cut])
        text = text[cut:]
        if text.plain.startswith(" "):
            text = text[1:]
        room = max(rest, 1)
    return [*lines, text]


def _last_blank(text: str, room: int) -> int:
    columns = 0
    blank = 0
    for i, sign in enumerate(text):
        if sign == " ":
            blank = i
        columns += cell_len(sign)
        if columns > room:
            return blank or max(i, 1)
    return len(text)


def wrap(text: str, width: int, style: str = "") -> list[Text]:
    """A sentence in lines."""
    return flow((Text(word, style) for word in text.split()), width, between=" ")


def grid(pieces: Sequence[Text], width: int, *, gap: int = 3, most: int = 6) -> list[Text]:
    """Pieces in columns, read down each column like a list of names; one a line if they are long."""
    if not pieces:
        return []
    longest = max(piece.cell_len for piece in pieces)
    columns = max(1, min(most, (width + gap) // (longest + gap), len(pieces)))
    rows = -(-len(pieces) // columns)
    lines: list[Text] = []
    for row in range(rows):
        line = Text()
        for column in range(columns):
            i = column * rows + row
            if i < len(pieces):
                line.append(" " * max(0, column * (longest + gap) - line.cell_len))
                line.append_text(pieces[i])
        lines.append(line)
    return lines


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
