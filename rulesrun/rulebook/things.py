"""The components: decks, cards, places, boards, dice, and what is kept track of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import model, types
from rulesrun.rulebook import markdown
from rulesrun.rulebook.naming import is_player, naming, sort_of, unwrapped, var_name, zone_name
from rulesrun.rulebook.values import Words
from rulesrun.rulebook.words import capital, counted, escaped, humanised, listed, sentence

FEW = 12
SIGHT = {"hidden": "Nobody may look at them", "open": "face up, everybody sees them", "top open": "everybody sees the top one only"}
SHAPE = {"pile": "a pile", "row": "a row, from left to right", "set": "cards in no order"}


def cell(game: model.Game, value: object, type: types.Type) -> str:
    if value is None:
        return "–"
    if value is False and unwrapped(type) == types.FLAG:
        return "no"
    if isinstance(value, tuple) and not value:
        return "–"
    return Words(game, naming([])).plain(value, type)


def deck(game: model.Game, card: model.CardType) -> list[str]:
    """A card type: how many, what is on them, and each design in a table, or in a sentence where they follow a pattern."""
    designs = [design for design in card.designs if design.copies > 0]
    total = sum(design.copies for design in designs)
    name = humanised(card.name)
    told = [f"### {capital(name)}: {counted(total, 'card')}", *markdown.prose(card.doc)]
    facts = [
        f"*{humanised(column.name)}*" + ("" if kind_of(column.type) == humanised(column.name) else f" ({kind_of(column.type)})")
        for column in card.attributes
    ]
    starts = {id(design.zone): design.zone for design in designs}
    where = listed([f"the {humanised(zone.name)}" for zone in starts.values()])
    if facts:
        told.append(f"On each: its name, {listed(facts)}. At the start they are in {where}.")
    elif designs:
        told.append(f"At the start they are in {where}.")
    pattern = product(game, card, designs)
    if pattern is not None:
        told.append(pattern)
    elif len(card.attributes) == 2 and len(designs) > FEW and even(designs) and not any(d.texts for d in designs):
        told.append(grouped(game, card, designs))
    elif designs:
        told.append(designs_table(game, card, designs))
    return told


def kind_of(type: types.Type) -> str:
    if isinstance(type, types.Optional):
        return f"{kind_of(type.of)}, or none"
    if type == types.FLAG:
        return "yes or no"
    return sort_of(type) if not isinstance(type, types.ListType) else f"one or more {sort_of(type)}"


def even(designs: Sequence[model.Design]) -> bool:
    return len({design.copies for design in designs}) == 1


def product(game: model.Game, card: model.CardType, designs: Sequence[model.Design]) -> str | None:
    """“one for each suit (…) and each rank (…)”, if the designs are just that."""
    if len(designs) <= FEW or not even(designs) or any(design.texts for design in designs):
        return None
    columns = []
    for place, column in enumerate(card.attributes):
        values = list(dict.fromkeys(design.values[place] for design in designs))
        columns.append((column, values))
    size = 1
    for _, values in columns:
        size *= len(values)
    if size != len(designs) or not columns:
        return None
    each = [
        f"each {humanised(column.name)} ({', '.join(cell(game, value, column.type) for value in values)})"
        for column, values in columns
    ]
    copies = designs[0].copies
    first, last = escaped(designs[0].name), escaped(designs[-1].name)
    return f"There {'is one card' if copies == 1 else f'are {copies} cards'} for {listed(each)}: from {first} to {last}."


def grouped(game: model.Game, card: model.CardType, designs: Sequence[model.Design]) -> str:
    first, second = card.attributes
    rows: dict[object, list[object]] = {}
    for design in designs:
        rows.setdefault(design.values[0], []).append(design.values[1])
    copies = "" if designs[0].copies == 1 else f" ({designs[0].copies} cards of each)"
    body = [(cell(game, a, first.type), ", ".join(cell(game, b, second.type) for b in values)) for a, values in rows.items()]
    return markdown.table([humanised(first.name), humanised(second.name) + copies], body)


def designs_table(game: model.Game, card: model.CardType, designs: Sequence[model.Design]) -> str:
    copies = not even(designs) or designs[0].copies > 1
    texts = any(design.texts for design in designs)
    heads = ["card", *(humanised(column.name) for column in card.attributes)]
    heads += ["how many"] * copies + ["what it does"] * texts
    rows = []
    for design in designs:
        row = [escaped(design.name)]
        row += [cell(game, v, column.type) for v, column in zip(design.values, card.attributes, strict=True)]
        row += [str(design.copies)] * copies + ["; ".join(ability_text(text) for text in design.texts)] * texts
        rows.append(row)
    return markdown.table(heads, rows)


def ability_text(text: str) -> str:
    """`summon: Gain 1 life` with the word set off."""
    word, sign, rest = text.partition(": ")
    if not sign:
        return escaped(text)
    return escaped(rest) if word == "always" else f"*{escaped(word.replace('_', ' '))}:* {escaped(rest)}"


def zones(game: model.Game, mark: Marker) -> list[str]:
    """The places for cards: how many, in what shape, and who may look."""
    rows = []
    for zone in game.zones:
        name = capital(zone_name(zone).replace("*", ""))
        rows.append(
            (f"**{name}**{mark(zone)}", of_each(zone.indexes), shape(zone), sight(zone), " ".join(markdown.prose(zone.doc)))
        )
    return [markdown.table(["place", "one for", "cards lie in", "who sees the faces", "remarks"], rows)] if rows else []


def shape(zone: model.Zone) -> str:
    if zone.by is not None:
        return f"{SHAPE[zone.shape].split(',')[0]}, sorted by {humanised(zone.by.name)}"
    return SHAPE[zone.shape]


def sight(zone: model.Zone) -> str:
    if zone.visibility == "private":
        return "only its player"
    if zone.visibility == "hidden":
        return "nobody, not even its player" if any(is_player(i) for i in zone.indexes) else "nobody"
    return "everybody" if zone.visibility == "open" else "everybody, but only that of the top card"


def of_each(indexes: Iterable[types.Type]) -> str:
    return listed([f"each {sort_of(index)}" for index in indexes]) or "all together"


def variables(game: model.Game, mark: Marker) -> list[str]:
    """What must be kept track of besides the cards: with pencil and paper, or with counters."""
    rows = []
    words = Words(game, naming([]))
    for variable in game.variables:
        start = "set in the set-up" if variable.value is None else words.text(variable.value)
        if variable.type == types.FLAG and isinstance(variable.value, model.Literal):
            start = "yes" if variable.value.value else "no"
        if start == "an empty list":
            start = "empty"
        known = {"open": "everybody", "private": "its player", "hidden": "nobody"}[variable.visibility]
        name = f"**{capital(var_name(variable).replace('*', ''))}**{mark(variable)}"
        rows.append((name, of_each(variable.indexes), kind_of(variable.type), start, known, " ".join(markdown.prose(variable.doc))))
    return [markdown.table(["what", "one for", "is a", "at the start", "known to", "remarks"], rows)] if rows else []


def kinds(game: model.Game) -> list[str]:
    rows = []
    for kind in game.kinds:
        members = [
            escaped(shown) if humanised(name).lower() in shown.lower() else f"{escaped(shown)} ({humanised(name)})"
            for name, shown in kind.members
        ]
        doc = " ".join(markdown.prose(kind.doc))
        rows.append(f"- **{capital(humanised(kind.name))}**, in this order: {', '.join(members)}.{f' {doc}' if doc else ''}")
    return ["\n".join(rows)] if rows else []


def dice(game: model.Game) -> list[str]:
    told = []
    for each in game.dice:
        faces = f"{each.faces[0]} to {each.faces[-1]}" if len(each.faces) > 2 else " and ".join(map(str, each.faces))
        told.append(f"{capital(counted(each.count, 'die').replace('dies', 'dice'))} with the numbers {faces}.")
    return told


def boards(game: model.Game) -> list[str]:
    told = []
    for board in game.boards:
        told.append(f"### The board: {humanised(board.name)}, {len(board.spaces)} spaces")
        told += markdown.prose(board.doc)
        if board.named is not None:
            words = Words(game, naming([]))
            rows = [
                [escaped(s.name), *(words.plain(v, c.type) for v, c in zip(s.values, board.attributes, strict=True)),
                 ", ".join(escaped(board.spaces[n].name) for n in board.neighbours[i])] for i, s in enumerate(board.spaces)
            ]  # fmt: skip
            told.append(markdown.table(["space", *(humanised(c.name) for c in board.attributes), "leads to"], rows))
            continue
        told.append("```text\n" + "\n".join(board.picture) + "\n```")
        told.append(sentence(signs(game, board)))
        reach = (
            "like the six around a hexagon"
            if board.hexagonal
            else f"in these directions: {listed([humanised(d) for d in board.directions])}"
        )
        told.append(
            f"A step leads from a space to its neighbour, {reach}." if board.directions else "Steps lead from space to space."
        )
    return told


def signs(game: model.Game, board: model.Board) -> str:
    if not board.attributes:
        return "every sign that is a space in this drawing is a space of the same sort"
    seen: dict[str, str] = {}
    for space in board.spaces:
        marks = []
        for value, column in zip(space.values, board.attributes, strict=True):
            if value is True:
                marks.append(humanised(column.name))
            elif value not in (False, None):
                marks.append(f"{humanised(column.name)} {cell(game, value, column.type)}")
        seen.setdefault(space.sign, ", ".join(marks) or "a plain space")
    return "the signs: " + "; ".join(f"`{sign}` {what}" for sign, what in seen.items()) + "; the others are no spaces"


class Marker:
    """Says behind a declaration which variant it comes from."""

    def __init__(self, variants: dict[str, tuple[str, str]]) -> None:
        self.variants = variants

    def __call__(self, declared: object) -> str:
        span = getattr(declared, "span", None)
        found = None if span is None else self.variants.get(span.source.path)
        return "" if found is None else f" *[{escaped(found[0])}]*"
