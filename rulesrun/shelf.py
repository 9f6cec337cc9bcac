"""`rulesrun games`: what is shipped, read from the first lines of the files."""

from __future__ import annotations

from attrs import frozen

from dsl import ast, parse
from dsl.diagnostics import Report, RulesError
from dsl.grammar import grammar
from dsl.render import visible
from rulesrun.locate import Library, cache_folder, shipped_games, variants_of


@frozen
class Shipped:
    """A game on the shelf: the name one types, what it is called, for how many (as the file says it), and what it is about."""

    id: str
    name: str
    players: str
    text: str
    variants: tuple[str, ...]


def shelf() -> list[Shipped]:
    """The shipped games, by name. A file that cannot be read is left out: `rulesrun check` says what is wrong with it."""
    grammar(cache_folder())
    library = Library()
    found = []
    for name in shipped_games():
        try:
            source = library.find_game(name)
        except RulesError:
            continue
        file = parse.read(source, Report())
        if file is None or not isinstance(file.header, ast.GameHeader):
            continue
        players = file.header.players.span.text.replace("..", "–").strip("[]")
        found.append(
            Shipped(name, file.header.name.plain or name, players, first_sentence(file.doc or ""), tuple(variants_of(source)))
        )
    return found


def first_sentence(text: str) -> str:
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence, stop, _ = paragraph.partition(". ")
    return sentence + stop.strip()


def print_games() -> int:
    from rich.table import Table
    from rich.text import Text

    from rulesrun.terminal import Console

    games = shelf()
    console = Console()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for game in games:
        about = Text(visible(game.text))
        if game.variants:
            about.append(f"\nvariants: {', '.join(game.variants)}", style="dim")
        table.add_row(Text(game.id, style="bold"), f"{game.players} players", about)
    console.print(table)
    if games:
        print(f"\nPlay one with `rulesrun {games[0].id}`.")
    return 0
