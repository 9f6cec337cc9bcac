"""`rulesrun new`: a game or a variant to begin with, which passes `check` and `test` as it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulesrun.api import Game

GAME = """game "{title}" for 2..4 players

## Everybody plays a card a turn. The most valuable row wins.

# Lines like this one are notes to yourself. Lines with ## are for your players: `rulesrun rules` prints them.
# Change something, then ask:   rulesrun check {file}     Is there a mistake in it?
#                               rulesrun {file}           Play it.
#                               rulesrun test {file}      Do the tests below still pass?

# ── what there is ──

# Whoever starts the game may set this:  --option hand_size=5
option hand_size = 3 in 1..6: "Cards in a hand"

kind Colour: Red, Green, Blue

card Beast(colour: Colour, strength: number)

# Places for cards. `hidden`: nobody sees them; `private`: only their player does; `open`: everybody does.
# With [player] there is one for each player.
zone deck:         hidden pile of Beast
zone hand[player]: private set of Beast
zone row[player]:  open row of Beast

# All the cards, and where they lie at the start. The one row below makes 24 cards: one for each colour and number.
cards Beast in deck:
    name         colour  strength
    "{{c}} {{n}}"    c       n         for c in Colour, n in 1..8

# ── what happens ──

## Shuffle, and deal everybody a hand.
rule setup():
    shuffle deck
    deal hand_size from deck to hand[p] for p in players

## Turns go clockwise until all hands are empty.
rule game():
    while hand is not empty:
        for p in players: turn(p)

## Play a card into your row.
rule turn(p: player):
    p chooses "the card to play" c in hand[p]: play(c, p)
    # where he has conditions to keep:  c in hand[p] where c.strength > 3

rule play(c: Beast, p: player):
    move c to row[p]

# ── what it is worth ──

# A rule does something; a define is something.
## A card counts its strength, and double if the card on its left has its colour.
define worth(c: Beast, p: player) =
    let beside = any(d in row[p] where d.position is c.position - 1 and d.colour is c.colour)
    2 * c.strength    when beside
    c.strength        otherwise

scoring(p):
    "The row": sum(worth(c, p) for c in row[p])

define winners() = highest(p in players by score(p))

# ── tests: what must be true ──

# The computer plays at random and tries to make this false.
invariant "nobody has more cards than he was dealt": not any(p in players where hand[p].size + row[p].size > hand_size)

test "a card goes from the hand into the row":
    given 2 players
    given hand[P1] = ["Red 1", "Blue 8"]
    when turn(P1)
    expect P1 chooses among ["Red 1", "Blue 8"]
    when P1 chooses "Blue 8"
    expect row[P1] is ["Blue 8"] and hand[P1] is ["Red 1"]

test "a colour beside itself counts double":
    given 2 players
    given row[P1] = ["Red 2", "Red 3", "Blue 4"]
    expect score(P1) is 2 + 6 + 4
"""

VARIANT = """variant "{title}" of {base}

## What this house rule changes, and why you play it like this.
{option}
# What can stand here (rulesrun variants {base} lists the options; the rules are in {path}):
#
#   change option NAME = VALUE               another value by default
#   change rule NAME(…): …                   another text for a rule; likewise define, zone, ending, timing, kind
#   change cards TYPE: …                     other numbers for some cards; copies 0 takes a card out
#   change preset "NAME": …                  other values in a preset
#   before / after / instead of NAME(…): …   something besides, or instead (with `proceed` for what it replaces)
#   remove ending NAME                       likewise scoring, invariant, test, preset, one attachment, an ability
#
# Try it:   rulesrun {path_of_variant}
# See it:   rulesrun diff {path_of_variant}
# Test it:  rulesrun test {path_of_variant}
{test}"""


def start_game(name: str, folder: str = ".") -> None:
    """Raises `click.UsageError` for a name that cannot be or that is taken."""
    from rulesrun.locate import SUFFIX

    word, title = word_and_title(name)
    path = Path(folder) / (word + SUFFIX)
    write(path, GAME.format(title=title, file=path.as_posix()))


def word_and_title(name: str) -> tuple[str, str]:
    """The name of the file without suffix, and what people read. Raises `click.UsageError`."""
    from rulesrun.locate import SUFFIX

    word = name.removesuffix(SUFFIX)
    if not re.fullmatch(r"[^\W\d]\w*", word):
        raise click.UsageError(f"`{name}` cannot be a name: letters, digits and _, such as `my_rules`.")
    title = word.replace("_", " ").strip()
    return word, title[:1].upper() + title[1:] or word


def start_variant(name: str, base: str) -> None:
    """Raises `click.UsageError` as `start_game`, and what loading the base raises."""
    from rulesrun.api import load_source
    from rulesrun.locate import SUFFIX, Library

    word, title = word_and_title(name)
    library = Library()
    game = load_source(library.find_game(base), library, (), {})
    path = Path("variants") / game.id / (word + SUFFIX)
    option, test = changed_option(game)
    known = option_texts(option, test)
    write(
        path,
        VARIANT.format(
            title=title, base=game.id, path=game.source.path, path_of_variant=path.as_posix(), option=known[0], test=known[1]
        ),
    )


def changed_option(game: Game) -> tuple[str, str] | tuple[None, None]:
    """The first option of the game that has several values, and the one beside its default."""
    from rulesrun.varying import options_of_game

    for offer in options_of_game(game):
        values = list(offer.values or ())
        if len(values) > 1:
            place = values.index(offer.default)
            return offer.name, values[place + 1 if place + 1 < len(values) else place - 1]
    return None, None


def option_texts(option: str | None, value: str | None) -> tuple[str, str]:
    """The lines about the option, and a test of it; empty if the game has none."""
    if option is None or value is None:
        return "", ""
    return (
        f"\nchange option {option} = {value}\n",
        f'\ntest "{option} has the value of this house rule":\n    expect {option} is {value}\n',
    )


def write(path: Path, text: str) -> None:
    """A new file, and its folders. Raises `click.UsageError` if it is there already or cannot be written."""
    from rulesrun.writing import replace_file

    if path.exists():
        raise click.UsageError(f"{path} is there already; choose another name, or remove it first.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8"))
    except OSError as problem:
        raise click.UsageError(f"{path} cannot be written: {problem.strerror}.") from None
    print(f"{path} is there. Play it with `rulesrun {path}`, test it with `rulesrun test {path}`.")
