"""The question of a decision: what can be chosen, in lines that fit, with what is printed on the cards where it helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen
from rich.cells import cell_len
from rich.text import Text

from interpreter.decisions import Decision, knowledge_of
from interpreter.observer import cards_of
from interpreter.program import Site
from interpreter.state import DECLINE, State
from interpreter.texts import player_name, show_value, words
from rulesrun.repl.cards import Face, Faces
from rulesrun.repl.choices import Choice, how_many, signs
from rulesrun.repl.choices import plain as folded
from rulesrun.repl.layout import broken, flow, grid, styled, wrap

MOST_WITH_DETAILS = 9
"""choices that get a line each, with abilities; more are set in columns"""
FEW = 2
MANY = 20
SHORT_LABEL = 9
"""columns: so short labels, more than a few, are set side by side"""
YES = ("yes",)
ENTER = "   (Enter takes it)"


@frozen
class Item:
    """A choice as it is drawn: what it says, the figures on its card, where the card is, what it can do."""

    choice: Choice
    index: int
    figures: str
    place: str
    abilities: tuple[str, ...]
    group: str = ""
    """of a combination ("a pawn and where it goes"), its first part: what it begins with"""


@frozen
class Question:
    """`least` and `most` are how many are wanted in one answer: 1 and 1 unless several are picked."""

    prompt: str
    items: tuple[Item, ...]
    least: int
    most: int
    several: bool

    @property
    def choices(self) -> list[Choice]:
        return [item.choice for item in self.items]

    @property
    def only(self) -> int | None:
        """The index of the only option, if there is but one."""
        return self.items[0].index if len(self.items) == 1 and not self.several else None


def question_of(state: State, decision: Decision, faces: Faces) -> Question:
    """The question that a decision puts to the one who chooses."""
    site = state.code.program.sites[state.site]
    several = decision.kind == "several"
    knowledge = knowledge_of(state)
    values = list(state.options or ())
    wanted = [i for i, value in enumerate(values) if not (several and value is DECLINE)]
    slots = [() if values[i] is DECLINE else cards_of(site, values[i]) for i in wanted]
    places = {state.where[slot] for group in slots for slot in group}
    labels = [decision.options[i].text for i in wanted]
    items = []
    for i, label, sign, cards in zip(wanted, labels, signs(labels), slots, strict=True):
        known = [faces.by_design[state.faces[slot]] for slot in cards if knowledge.can_point_at(state, decision.player, slot)]
        names = tuple(face.name for face in known)
        if decision.kind in ("may", "abilities") and len(wanted) == 2 and values[i] is not DECLINE:
            names = (*names, *YES)
        place = _place(state, cards[0]) if len(places) > 1 and len(cards) == 1 else ""
        place = "" if f"({place}" in label else place
        told = known if decision.kind not in ("may", "abilities") and len(known) == 1 and len(cards) == 1 else []
        group = _first_part(state, site, values[i], label)
        items.append(
            Item(Choice(label, names, sign=sign), i, _figures(told, label), place, told[0].abilities if told else (), group)
        )
    least, most = bounds(state) if several else (1, 1)
    picked = f" (so far: {', '.join(decision.picked)})" if decision.picked else ""
    return Question(_asked(decision) + picked, tuple(items), least, most, several)


def part_of(question: Question, typed: str) -> Question | None:
    """The choices that begin with what was typed, if it is the first part of several of them: a pawn, of all that can be moved."""
    wanted = folded(typed)
    groups = dict.fromkeys(item.group for item in question.items if item.group)
    meant = [group for group in groups if folded(group) == wanted] or [
        group for group in groups if folded(group).startswith(wanted)
    ]
    items = tuple(item for item in question.items if item.group == meant[0]) if len(meant) == 1 and len(groups) > 1 else ()
    if not wanted or len(items) < 2 or any(wanted in (item.choice.sign, folded(item.choice.label)) for item in question.items):
        return None
    return evolve(question, items=items)


def _place(state: State, slot: int) -> str:
    """Where a card is, without its suit or the like, which the card tells itself."""
    if state.where[slot] < 0:
        return ""
    zone = state.code.program.zones[state.where[slot]]
    return words(zone.name) if zone.owner is None else f"{player_name(zone.owner)}'s {words(zone.name)}"


def _first_part(state: State, site: Site, value: Any, label: str) -> str:
    """Of a combination of values the first one, as the label has it."""
    if site.kind != "pick" or len(site.lines[0].types) < 2 or value is DECLINE:
        return ""
    parts = show_value(state.code.program, site.lines[0].types[0], value[0])
    first = "".join(part for part in parts if isinstance(part, str))
    return first if first and label.startswith(f"{first} ") else ""


def _figures(faces: Sequence[Face], label: str) -> str:
    return faces[0].figures if faces and faces[0].figures and faces[0].short not in label else ""


def _asked(decision: Decision) -> str:
    prompt = decision.prompt.rstrip("?:. ")
    sign = ":" if decision.kind == "may" else ","  # the label of a `may` is a sentence of its own
    return f"{player_name(decision.player)}{sign} {prompt}"


def bounds(state: State) -> tuple[int, int]:
    """How many more may be picked, at least and at most."""
    site = state.code.program.sites[state.site]
    frame = state.stack[-1]
    picked, (least, most) = frame[1 + site.hidden + 4], frame[1 + site.hidden + 5]
    return max(0, least - len(picked)), most - len(picked)


def question_lines(question: Question, width: int, height: int) -> list[Text]:
    """The question, then what can be chosen, in at most so many lines if that is possible at all."""
    head = question.prompt
    if question.several:
        head += f" ({how_many(question.least, question.most)}, in one line"
        head += "; `none` for none)" if question.least == 0 else ")"
    lines = broken(Text(f"{head}?", "bold"), width, width)
    full = _in_full(question.items, width)
    if question.only is not None and full[-1].cell_len + len(ENTER) <= width:
        full[-1].append(ENTER, "dim")
    longest = max((cell_len(item.choice.label) for item in question.items), default=0)
    plain = not any(item.abilities or item.place for item in question.items)
    in_a_row = plain and longest <= SHORT_LABEL and len(question.items) > FEW
    if len(question.items) <= MOST_WITH_DETAILS and not in_a_row and len(full) <= max(height, len(question.items)):
        return lines + full
    if all(item.group for item in question.items):
        hint = (
            [] if len(question.items) < MANY else wrap(f"  {question.items[0].group} alone shows those choices only.", width, "dim")
        )
        return lines + _grouped(question.items, width) + hint
    return lines + grid([_short(item, _sign_width(question.items)) for item in question.items], width - 2, gap=3, most=8)


def _grouped(items: Sequence[Item], width: int) -> list[Text]:
    """Combinations by their first part, each on as few lines as will do."""
    groups: dict[str, list[Text]] = {}
    for item in items:
        piece = styled(item.choice.sign, "bold") + Text(f" {item.choice.label[len(item.group) + 1 :]}")
        groups.setdefault(item.group, []).append(piece)
    column = min(max(map(cell_len, groups)) + 4, width // 2)
    lines: list[Text] = []
    for group, pieces in groups.items():
        rows = flow(pieces, width, between="   ", first=column, rest=column)
        lines.append(Text(f"  {group}".ljust(column)[:column]) + rows[0])
        lines += [Text(" " * column) + row for row in rows[1:]]
    return lines


def _sign_width(items: Sequence[Item]) -> int:
    return max((len(item.choice.sign) for item in items), default=1)


def _short(item: Item, sign: int) -> Text:
    text = styled("  " + item.choice.sign.rjust(sign), "bold")
    if item.choice.sign != item.choice.label:
        text.append_text(Text(f"  {item.choice.label}"))
    if item.figures:
        text.append(f" {item.figures}", "cyan")
    if item.place:
        text.append(f" ({item.place})", "dim")
    return text


def _in_full(items: Sequence[Item], width: int) -> list[Text]:
    sign = _sign_width(items)
    lines: list[Text] = []
    heads = [_short(item, sign) for item in items]
    column = min(max((head.cell_len for head in heads), default=0) + 2, width // 2)
    for item, head in zip(items, heads, strict=True):
        rows = broken(head, width, width - sign - 4)
        lines += [rows[0], *(Text(" " * (sign + 4)) + row for row in rows[1:])]
        told = "  ".join(item.abilities)
        if not told:
            continue
        if rows[-1].cell_len + 2 <= column and len(rows) == 1:
            parts = broken(Text(told, "dim"), width - column, width - column)
            lines[-1] = rows[0] + Text(" " * (column - rows[0].cell_len)) + parts[0]
            lines += [Text(" " * column) + part for part in parts[1:]]
        else:
            indent = sign + 6
            lines += [Text(" " * indent) + part for part in broken(Text(told, "dim"), width - indent, width - indent)]
    return lines
