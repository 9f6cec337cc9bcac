"""`rulesrun variants`: by what a game can be varied: its options, its presets, and the variant files near it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from dsl import model
    from rulesrun.api import Game
    from rulesrun.locate import Library


@frozen
class OptionOffer:
    """An option as one sets it: the value by default and those it may have, as one writes them; None: any of its type."""

    name: str
    default: str
    values: tuple[str, ...] | None
    text: str


@frozen
class PresetOffer:
    name: str
    text: str
    settings: tuple[tuple[str, str], ...]


@frozen
class VariantOffer:
    """A variant file: the name one types, what it is called, what it says about itself; `problem`: why it cannot be used."""

    id: str
    name: str
    text: str
    path: str
    problem: str | None = None


# ── finding ──


def options_of_game(game: Game) -> list[OptionOffer]:
    return [OptionOffer(o.name, written(game.rules, o, o.default), values(game.rules, o), o.text) for o in game.rules.options]


def written(rules: model.Game, option: model.Option, value: object) -> str:
    """A value of an option as one writes it."""
    from dsl.types import KindType

    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(option.type, KindType) and isinstance(value, int):
        return next(kind for kind in rules.kinds if kind.id == option.type.id).members[value][0]
    return str(value)


def values(rules: model.Game, option: model.Option) -> tuple[str, ...] | None:
    from dsl.types import FLAG, KindType

    if option.allowed is not None:
        return tuple(written(rules, option, value) for value in option.allowed)
    if option.type == FLAG:
        return ("yes", "no")
    if isinstance(option.type, KindType):
        return tuple(name for name, _ in next(kind for kind in rules.kinds if kind.id == option.type.id).members)
    return None


def presets_of_game(game: Game) -> list[PresetOffer]:
    return [PresetOffer(p.name, p.text, tuple((name, _plain(value)) for name, value in p.values)) for p in game.rules.presets]


def _plain(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def variants_of_game(game: Game, library: Library) -> list[VariantOffer]:
    """The variant files of a game that can be named without a path."""
    from dsl import ast, parse
    from dsl.diagnostics import Report, RulesError
    from rulesrun.locate import variants_of
    from rulesrun.shelf import first_sentence

    found = []
    for name in variants_of(game.source):
        source = library.variant(game.id, name, game.source)
        if source is None:
            continue
        try:
            file = parse.read(source, Report())
        except RulesError:
            file = None
        if file is None or not isinstance(file.header, ast.VariantHeader):
            found.append(VariantOffer(name, name, "", source.path, "it cannot be read"))
        elif file.header.base.id != game.id:
            found.append(VariantOffer(name, name, "", source.path, f"it varies {file.header.base.id}"))
        else:
            found.append(VariantOffer(name, file.header.name.plain or name, first_sentence(file.doc or ""), source.path))
    return found


# ── showing ──


def shown_values(offer: OptionOffer) -> str:
    """The values of an option in few words; nothing for yes and no."""
    if offer.values is None or set(offer.values) == {"yes", "no"}:
        return ""
    numbers = [int(value) for value in offer.values if value.lstrip("-").isdigit()]
    if len(numbers) == len(offer.values) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} … {numbers[-1]}"
    return ", ".join(offer.values[:12]) + (", …" if len(offer.values) > 12 else "")


def print_variants(game: Game, library: Library) -> None:
    from rich.table import Table
    from rich.text import Text

    from dsl.render import visible
    from rulesrun.terminal import Console

    console = Console()

    def section(title: str, how: str, rows: list[tuple[str, str]], none: str) -> None:
        console.print()
        if not rows:
            console.print(Text(none, style="dim"))
            return
        console.print(Text(title, style="bold").append(f"   {how}", style="not bold dim"))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        for name, text in rows:
            first, *more = (visible(line) for line in text.split("\n"))
            table.add_row(Text(f"  {visible(name)}"), Text(first).append("".join(f"\n{line}" for line in more), style="dim"))
        console.print(table)

    options = [
        (f"{o.name} = {o.default}", o.text + (f" ({shown_values(o)})" if shown_values(o) else "")) for o in options_of_game(game)
    ]
    presets = [
        (p.name, p.text + "\n" + (", ".join(f"{name} = {value}" for name, value in p.settings) or "all options as they are"))
        for p in presets_of_game(game)
    ]
    files = [
        (v.id, f"{v.problem}: {v.path}" if v.problem else f"{v.name}. {v.text}".rstrip(". ") + f".\n{v.path}")
        for v in variants_of_game(game, library)
    ]
    with console.capture() as captured:
        console.print(Text(visible(game.name), style="bold"))
        section("Options", "--option NAME=VALUE", options, "It has no options.")
        section("Presets", "--preset NAME", presets, "It has no presets.")
        section("Variants", "--variant NAME, more than one if you like, the last on top", files, "There are no variants near it.")
        console.print()
        console.print(f"To write one: rulesrun new --variant-of {game.id} my_rules", style="dim")
    print("\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")))


def as_data(game: Game, library: Library) -> dict[str, Any]:
    """As it stands in the JSON."""
    return {
        "game": game.id,
        "name": game.name,
        "options": [
            {"name": o.name, "default": o.default, "values": None if o.values is None else list(o.values), "text": o.text}
            for o in options_of_game(game)
        ],
        "presets": [{"name": p.name, "text": p.text, "options": dict(p.settings)} for p in presets_of_game(game)],
        "variants": [
            {"id": v.id, "name": v.name, "text": v.text, "path": v.path, "problem": v.problem}
            for v in variants_of_game(game, library)
        ],
    }
