"""`rulesrun games`: everything that can be played from here, read from the first lines of the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from dsl import ast, parse
from dsl.diagnostics import Report, RulesError
from dsl.grammar import grammar
from dsl.render import visible
from rulesrun.locate import SUFFIX, Library, NotFound, cache_folder, files_in, shipped, shipped_games, shown, variants_of

if TYPE_CHECKING:
    from rich.text import Text

NARROWEST_TEXT = 30
"""columns for what a game is about, beside its name"""


@frozen
class Shelved:
    """A game, or a variant that can be played: the name of its file, what it is called, for how many (as the file says it; of a variant
    what it varies), what it is about, and the names of its variants."""

    id: str
    name: str
    players: str
    text: str
    variants: tuple[str, ...] = ()


@frozen
class Group:
    """Files that are typed alike: `typed` with the name of one for NAME."""

    heading: str
    typed: str
    games: tuple[Shelved, ...]


def shelf() -> list[Group]:
    """What can be played: the games that are shipped, those in the current folder, and the examples of a checkout. A file that cannot be
    read is left out: `rulesrun check` says what is wrong with it."""
    grammar(cache_folder())
    games, examples = shipped("games").resolve(), shipped("examples")
    here = [p for p in (*Path().glob("*" + SUFFIX), *Path("games").glob("*" + SUFFIX)) if p.resolve().parent != games]
    groups = [("Games", "rulesrun NAME", [games / (name + SUFFIX) for name in shipped_games()])]
    groups.append(("Games in this folder", "rulesrun NAME", sorted(here)))
    lessons = files_in(examples) if examples.is_dir() else []
    for folder in dict.fromkeys(path.parent for path in lessons):
        heading = "Examples" if folder == examples else f"Examples: {folder.name}"
        groups.append((heading, f"rulesrun {shown(folder)}/NAME{SUFFIX}", [path for path in lessons if path.parent == folder]))
    filled = [Group(heading, typed, tuple(_shelved(paths))) for heading, typed, paths in groups]
    return [group for group in filled if group.games]


def _shelved(paths: Iterable[Path]) -> Iterable[Shelved]:
    library = Library()
    for path in paths:
        try:
            source = library.open(path)
        except (NotFound, RulesError):
            continue
        file = parse.read(source, Report())
        if file is None or isinstance(file.header, ast.ModuleHeader | ast.TestsHeader):
            continue
        text = first_sentence(file.doc or "")
        name = file.header.name.plain or source.id
        if isinstance(file.header, ast.VariantHeader):
            yield Shelved(source.id, name, f"varies {file.header.base.id}", text)
        else:
            players = file.header.players.span.text.replace("..", "–").strip("[]")
            yield Shelved(source.id, name, f"{players} players", text, tuple(variants_of(source)))


def first_sentence(text: str) -> str:
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence, stop, _ = paragraph.partition(". ")
    return sentence + stop.strip()


def print_games() -> int:
    from rich.text import Text

    from rulesrun.repl.layout import wrap
    from rulesrun.terminal import Console

    console = Console()
    for group in shelf():
        console.print(Text.assemble((group.heading, "bold"), (f"   {group.typed}", "dim")))
        for line in _lines(group.games, console.width):
            line.rstrip()
            console.print(line, no_wrap=True, overflow="ignore", crop=False)
        console.print()
    for line in wrap(
        "`rulesrun rules NAME` tells the rules of a game, `rulesrun variants NAME` what it can be varied by.", console.width
    ):
        console.print(line)
    return 0


def _lines(games: Sequence[Shelved], width: int) -> Iterable[Text]:
    """A line or more for each; where there is no room beside the names, the texts stand under them."""
    from rich.cells import cell_len
    from rich.text import Text

    from rulesrun.repl.layout import wrap

    columns = [max(cell_len(getattr(game, field)) for game in games) + 2 for field in ("id", "players")]
    start = 2 + sum(columns)
    beside = width - start >= NARROWEST_TEXT
    start = start if beside else 6
    for game in games:
        head = Text.assemble("  ", (visible(game.id.ljust(columns[0])), "cyan"), game.players.ljust(columns[1]))
        about = wrap(visible(game.text), width - start) if game.text else []
        about += wrap(f"variants: {', '.join(game.variants)}", width - start, "dim") if game.variants else []
        if beside and about:
            head = head + about.pop(0)
        yield head
        yield from (Text(" " * start) + line for line in about)
