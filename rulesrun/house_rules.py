"""The commands about house rules: what a game can be varied by, what a variant changes, how one begins. What they do is in other modules,
imported when it is wanted."""

from __future__ import annotations

import json

import click


@click.command(short_help="List what a game can be varied by.")
@click.argument("file", metavar="GAME")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How it is printed.")
def variants(file: str, form: str) -> int:
    """List the options and presets of a game, and the variant files near it, with what they say about themselves."""
    from rulesrun.api import load_source
    from rulesrun.locate import Library
    from rulesrun.varying import as_data, print_variants

    library = Library()
    game = load_source(library.find_game(file), library, (), {})
    if form == "json":
        print(json.dumps(as_data(game, library), indent=2, ensure_ascii=False))
    else:
        print_variants(game, library)
    return 0


@click.command(short_help="Show what a variant changes.")
@click.argument("base", metavar="GAME")
@click.argument("variants", nargs=-1, metavar="VARIANT...")
@click.option("--option", "options", multiple=True, metavar="K=V", help="Set an option of the game (may be given again).")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How it is printed.")
def diff(base: str, variants: tuple[str, ...], options: tuple[str, ...], form: str) -> int:
    """Show what variants of a game change, in the words of their files, and what they override.

    GAME may be the file of a variant: then it is compared with the game it varies."""
    from rulesrun.api import load_source
    from rulesrun.cli import options_of
    from rulesrun.differences import as_data, differences, print_differences
    from rulesrun.locate import Library

    library, wanted = Library(), options_of(options)
    game = load_source(library.find_game(base), library, variants, wanted)
    if not game.variant_sources:
        raise click.UsageError(f"which variant of {game.id}? `rulesrun variants {base}` lists them.")
    found = differences(game, library, wanted)
    if form == "json":
        print(
            json.dumps(
                {"game": game.id, "variants": list(game.variants), "differences": as_data(found)}, indent=2, ensure_ascii=False
            )
        )
        return 0
    print_differences(game, found)
    return 0


@click.command(short_help="Begin a game or a variant.")
@click.argument("name", metavar="NAME")
@click.argument("folder", metavar="[PATH]", default=".")
@click.option("--variant-of", "base", metavar="GAME", help="Begin a variant of this game, in variants/GAME/NAME.cardgame.")
def new(name: str, folder: str, base: str | None) -> int:
    """Write a rules file to begin with: a small game, in the folder PATH if one is named, or a variant of a game.

    What is there already is never overwritten."""
    from rulesrun.starting import start_game, start_variant

    if base is None:
        start_game(name, folder)
    elif folder != ".":
        raise click.UsageError("a variant lies where its game looks for it: leave out the folder.")
    else:
        start_variant(name, base)
    return 0
