"""`rulesrun rules`: the rulebook of a game in English, made from its checked rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulesrun.api import Game
    from rulesrun.rulebook.remarks import Remarks


def rulebook(game: Game) -> str:
    """The rulebook of a loaded game, in Markdown."""
    from rulesrun.rulebook.book import Book, sources
    from rulesrun.rulebook.remarks import read

    base = without_variants(game)
    notes = read(sources(game))
    return Book(game.rules, notes, None if base is None else base.rules, with_other_options(game, notes)).text()


def without_variants(game: Game) -> Game | None:
    from rulesrun.api import load_source
    from rulesrun.locate import Library

    return load_source(game.source, Library(), [], {}) if game.variant_sources else None


def with_other_options(game: Game, notes: Remarks) -> list[tuple[Any, str, Any]]:
    """The rules once more for each other value of each option that a `when` block asks about."""
    from dsl import types
    from dsl.diagnostics import RulesError
    from dsl.pipeline import load
    from rulesrun.locate import Library
    from rulesrun.rulebook.book import MOST_VALUES

    asked = {name for names, _ in notes.blocks for name in names}
    set_now = {o.name: game.options[o.name] for o in game.rules.options if o.value != o.default}
    found = []
    for option in game.rules.options:
        if option.name not in asked:
            continue
        values: list[Any] = []
        if option.type == types.FLAG:
            values = [not option.value]
        elif isinstance(option.type, types.KindType):
            kind = next(k for k in game.rules.kinds if k.type == option.type)
            values = [name for place, (name, _) in enumerate(kind.members) if place != option.value]
        elif option.allowed is not None:
            values = [value for value in (option.allowed[0], option.allowed[-1]) if value != option.value]
        for value in values[:MOST_VALUES]:
            try:
                rules = load(game.source, Library(), game.variant_sources, {**set_now, option.name: value})
            except RulesError:
                continue  # a value that does not go together with the others
            shown = ("on" if value else "off") if isinstance(value, bool) else f"set to {value}"
            found.append((option, shown, rules))
    return found
