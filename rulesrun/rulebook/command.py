"""`rulesrun rules`: the rulebook as Markdown, or set for a terminal."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulesrun.api import Game

INNER_LINK = re.compile(r"\[([^\]]*)\]\(#[^)]*\)")


@click.command(short_help="Write the rulebook of a game.")
@click.argument("file", metavar="GAME")
@click.option("--variant", "variants", multiple=True, metavar="V", help="With a variant (may be given again).")
@click.option("--preset", metavar="NAME", help="With the options as a preset of the game says.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="Set an option of the game (may be given again).")
@click.option(
    "--format", "form", type=click.Choice(["markdown", "terminal"]), help="How (default: terminal on a terminal, else markdown)."
)
@click.option("--card", metavar="NAME", help="Only what this card does.")
def rules(
    file: str, variants: tuple[str, ...], preset: str | None, options: tuple[str, ...], form: str | None, card: str | None
) -> int:
    """Write the rulebook of a game in English, made from its rules file."""
    from rulesrun.cli import load_game
    from rulesrun.rulebook import rulebook

    game = load_game(file, variants, options, preset)
    text = rulebook(game) if card is None else one_card(game, card)
    if form == "markdown" or (form is None and not sys.stdout.isatty()):
        sys.stdout.write(text)
    else:
        from rich.markdown import Markdown

        from rulesrun.terminal import Console

        Console().print(Markdown(INNER_LINK.sub(r"**\1**", text), hyperlinks=False))
    return 0


def one_card(game: Game, name: str) -> str:
    """What one card is and does. Raises `NotFound` with the nearest name."""
    from dsl.suggest import closest
    from rulesrun.locate import NotFound
    from rulesrun.rulebook.book import Book, sources
    from rulesrun.rulebook.remarks import read
    from rulesrun.rulebook.things import designs_table

    found = [(card, design) for card in game.rules.card_types for design in card.designs]
    wanted = [(card, design) for card, design in found if design.name.lower() == name.lower()]
    if not wanted:
        near = closest(name, [design.name for _, design in found])
        raise NotFound(f"there is no card `{name}` in {game.name}" + (f": did you mean `{near}`?" if near else ""))
    book = Book(game.rules, read(sources(game)))
    told = []
    for card, design in wanted:
        told += [designs_table(game.rules, card, [design])]
        told += book.moments_of_cards(design) if design.texts else []
        told += ["\n".join(book.card(design))] if design.texts else []
    return "\n\n".join(told) + "\n"
