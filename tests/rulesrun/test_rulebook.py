"""The rulebook: whole books as golden files, and that no game is told with holes in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesrun
from rulesrun.cli import run
from rulesrun.locate import NotFound
from rulesrun.rulebook import rulebook
from rulesrun.rulebook.command import one_card
from rulesrun.rulebook.words import Noun, article, escaped, plural, said

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted([*ROOT.glob("games/*.cardgame"), *ROOT.glob("examples/**/*.cardgame"), *ROOT.glob("tests/stdlib/*.cardgame")])
VARIANTS = sorted(ROOT.glob("games/variants/*/*.cardgame"))
CODE = re.compile(r"\b[a-z]+_[a-z_]+\b|:=|\bNone\b|<[a-z]+ object")


def of(path: Path) -> str:
    return rulebook(rulesrun.load(str(path)))


@pytest.mark.parametrize("name", ["dread_draw", "draghjarter"])
def test_the_whole_book(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"rulebook_{name}.md", rulebook(rulesrun.load(name)))


@pytest.mark.parametrize("path", [*GAMES, *VARIANTS], ids=lambda path: path.stem)
def test_every_game_is_told_in_words(path: Path) -> None:
    if not path.read_text("utf-8").startswith(("game", "variant")):
        return
    book = of(path)
    for chapter in ("## What there is", "## Set-up", "## How it is played", "## The end of the game"):
        assert f"\n{chapter}\n" in book
    told = re.sub(r"```.*?```|`[^`]*`|\(#[^)]*\)", "…", book, flags=re.DOTALL)  # what the author himself quotes, links, maps
    assert CODE.findall(told) == []
    for line in told.splitlines():
        assert "  " not in line.strip() or line.startswith("|"), line
        assert ",," not in line and " the the " not in line, line


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_links_lead_to_headings(path: Path) -> None:
    book = of(path)
    headings = {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", book, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", book)) <= headings


def test_every_text_and_every_card_of_the_file_is_there() -> None:
    game = rulesrun.load("dread_draw")
    book = rulebook(game)
    for card in game.rules.card_types:
        for design in card.designs:
            assert f"| {escaped(design.name)} |" in book
            for text in design.texts:
                assert escaped(text.partition(": ")[2]) in book
    for declared in [*game.rules.rules, *game.rules.defines, *game.rules.zones, *game.rules.card_types]:
        if declared.doc:
            assert escaped(" ".join(declared.doc.split())) in book
    for ending in game.rules.endings:
        assert escaped(ending.text) in book


def test_what_a_variant_changes_is_told_first_and_marked() -> None:
    book = rulebook(rulesrun.load("dread_draw", variants=["brutal"]))
    changes = book[book.index("## What the variant changes") : book.index("## What there is")]
    assert "*life cards*" in changes and "is 6 instead of 10" in changes
    assert "Scarecrow Saint is taken out" in changes
    assert "*[Brutal]*" in book
    assert "[Brutal]" not in rulebook(rulesrun.load("dread_draw"))


def test_options_in_force_are_told() -> None:
    book = rulebook(rulesrun.load("dread_draw", options={"life_cards": 6}))
    assert "10" not in book[book.index("## Set-up") : book.index("## How it is played")]
    assert "| 6 (by itself 10) | 1 to 15 |" in book


def test_what_an_option_brings_is_told_under_it() -> None:
    book = rulebook(rulesrun.load("dead_mans_draw"))
    chapter = book[book.index("### With *hard stop* on") :]
    assert "Instead of [Ability](#ability) by you, if the draw pile is empty:" in chapter


def test_one_card() -> None:
    told = one_card(rulesrun.load("dread_draw"), "cracked mirror")
    assert "| Cracked Mirror | 3 | 1 | 2 |" in told and "This card *rises*" in told
    with pytest.raises(NotFound, match="did you mean `Grave Rat`"):
        one_card(rulesrun.load("dread_draw"), "Grave Rrat")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "pig"]) == 0
    assert capsys.readouterr().out == rulebook(rulesrun.load("pig"))
    assert run(["rules", "pig", "--format", "terminal"]) == 0
    shown = capsys.readouterr().out
    assert "Throw die" in shown and "#throw-die" not in shown
    assert run(["rules", "dread_draw", "--card", "Nobody at all"]) == 2


@pytest.mark.parametrize(
    "told, expected",
    [
        (said(Noun("you", you=True), "has", "lost"), "you have lost"),
        (said(Noun("the card"), "rises", "", True), "the card does not rise"),
        (said(Noun("the cards", True), "is", "open", True), "the cards are not open"),
        (said(Noun("the player"), "can", "go", True), "the player cannot go"),
        (Noun("the players", True).possessive, "the players’"),
        (article("ending"), "an ending"),
        (article("other player"), "another player"),
        (plural("colour"), "colours"),
        (plural("deck"), "decks"),
        (plural("box"), "boxes"),
        (plural("ally"), "allies"),
    ],
)
def test_english(told: str, expected: str) -> None:
    assert told == expected


def test_an_authors_text_is_no_markdown() -> None:
    assert escaped("a*b_c|d<e>\x1b[0m") == r"a\*b\_c\|d\<e\>�\[0m"


def test_how_to_read_speaks_of_leaving_only_where_somebody_leaves() -> None:
    note = "Whoever is out of the game is passed over"
    assert note in rulebook(rulesrun.load("dread_draw"))
    assert note not in rulebook(rulesrun.load("pig"))


def test_up_to_needs_no_limit_besides() -> None:
    book = rulebook(rulesrun.load("dread_draw"))
    assert "up to 3 cards in your hand (**rejects**). Put the rejects" in book
