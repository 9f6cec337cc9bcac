"""Every rule fact of a game has a test in its file; and mistakes that other programs have made with such games are noticed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import frozen

from dsl.source import Source
from interpreter import scenario
from rulesrun.api import load_source
from rulesrun.compositions import same_test
from rulesrun.locate import Library, shipped

FACTS = {"dread_draw": 29, "dead_end_drive": 29, "draghjarter": 18, "draw_bridge": 20, "dead_mans_draw": 32}
"""the numbered facts of its rules; the tests of a fact begin with its number"""

GAMES = shipped("games")
FILES = {
    "draghjarter": GAMES / "draghjarter.cardgame",
    "draw_bridge": GAMES / "draw_bridge.cardgame",
    "always_left": GAMES / "variants/draghjarter/always_left.cardgame",
    "omnibus": GAMES / "variants/draghjarter/omnibus.cardgame",
    "spades": Path(__file__).parents[1] / "stdlib/spades.cardgame",
    "team_bridge": Path(__file__).parents[1] / "stdlib/team_bridge.cardgame",
}
"""the games and variants in which these mistakes could be made"""


@pytest.mark.parametrize("name", FACTS)
def test_every_rule_fact_has_its_test(name: str) -> None:
    game = load_source(Library().find_game(name), Library(), [], {})
    numbers = {int(found[1]) for test in game.rules.tests if (found := re.match(r"(\d+)\. ", test.name))}
    assert numbers == set(range(1, FACTS[name] + 1))


@frozen
class Mistake:
    """A line of a game or a module as it should not be, and the tests that notice."""

    what: str
    file: str
    right: str
    wrong: str
    noticed: tuple[tuple[str, str], ...]


MISTAKES = (
    Mistake(
        "hearts are led before they are broken",
        "tricks",
        "    broken or not any(d in hand[p] where not is_guarded(d))    when is_guarded(c)",
        "    yes    when is_guarded(c)",
        (
            ("draghjarter", "6. hearts may not be led before they are broken"),
            ("draghjarter", "18. hearts stay closed though Q♠ was led and taken"),
            ("always_left", "Q♠ breaks hearts, but not in the first trick"),
            ("spades", "may_lead: guarded cards may not be led until they are broken, but by who has nothing else"),
        ),
    ),
    Mistake(
        "hearts are never led, though they are broken",
        "tricks",
        "broken or not any(d in hand[p] where not is_guarded(d))",
        "not any(d in hand[p] where not is_guarded(d))",
        (
            ("draghjarter", "hearts that are broken may be led"),
            ("draghjarter", "8. a heart thrown on another suit breaks hearts, from the next lead on"),
            ("spades", "may_lead: guarded cards may not be led until they are broken, but by who has nothing else"),
        ),
    ),
    Mistake(
        "points are thrown in the first trick",
        "draghjarter",
        "= points(c) is 0 or has_only_points(p)",
        "= yes",
        (
            ("draghjarter", "no_points_first_trick: no hearts and no Q♠ in the first trick"),
            ("always_left", "Q♠ breaks hearts, but not in the first trick"),
        ),
    ),
    Mistake(
        "the moon is shot with sixteen points",
        "draghjarter",
        "count(c in taken[p] where points(c) > 0) is 14",
        "taken_points(p) >= 16",
        (("draghjarter", "sixteen points are no moon"), ("omnibus", "sixteen points are still no moon")),
    ),
    Mistake(
        "in a round without passing the lowest club need not lead",
        "draghjarter",
        "play_tricks(opening_card().owner)",
        "play_tricks(dealer.left when passing and cards_go is To_The_Left otherwise opening_card().owner)",
        (("draghjarter", "passing: in the round without passing the lowest club leads all the same"),),
    ),
    Mistake(
        "a player must follow the suit of the contract",
        "tricks",
        "plays_as(c) is led    when any(d in hand[p] where plays_as(d) is led)",
        "plays_as(c) is trumps    when any(d in hand[p] where plays_as(d) is trumps)",
        (
            ("draghjarter", "4. follow suit"),
            ("draw_bridge", "12. in the second half one follows suit; a trump wins if one cannot"),
            ("draw_bridge", "following suit goes by the suit led, not by the contract"),
            ("spades", "playable: the leader is free, the others follow suit"),
            ("team_bridge", "the card led decides what must be followed, whatever the contract; the lowest trump beats an ace"),
        ),
    ),
    Mistake(
        "trumps stay those of the last contract",
        "draw_bridge",
        "    trumps := denomination\n",
        "    if trumps is No_Trumps: trumps := denomination\n",
        (("draw_bridge", "clubs are trumps when clubs are the contract, whatever was trumps before"),),
    ),
    Mistake(
        "a trump does not win",
        "tricks",
        "    plays_as(c) is trumps       otherwise",
        "    no       otherwise",
        (
            ("draw_bridge", "12. in the second half one follows suit; a trump wins if one cannot"),
            ("draw_bridge", "a low trump beats the ace of another suit, a higher trump beats it"),
            ("spades", "beats: higher in the suit, or a trump"),
            ("team_bridge", "the card led decides what must be followed, whatever the contract; the lowest trump beats an ace"),
        ),
    ),
    Mistake(
        "a trump is played by somebody who could follow suit",
        "tricks",
        "plays_as(c) is led    when any(",
        "plays_as(c) is led or plays_as(c) is trumps    when any(",
        (
            ("draw_bridge", "following suit goes by the suit led, not by the contract"),
            ("spades", "a trump may not be played on a suit one can follow"),
            ("team_bridge", "the card led decides what must be followed, whatever the contract; the lowest trump beats an ace"),
        ),
    ),
    Mistake(
        "no points with tricks are taken for something else than no points without",
        "draghjarter",
        "count(c in taken[p] where points(c) > 0) is 14",
        "taken[p] is not empty and count(c in taken[p] where points(c) > 0) mod 14 is 0",
        (("draghjarter", "tricks without points are no moon, and no tricks are no points"),),
    ),
    Mistake(
        "no tricks are taken for no points",
        "draw_bridge",
        "= tricks_won[d] - book()",
        "= 0 when tricks_won[d] is 0 otherwise tricks_won[d] - book()",
        (("draw_bridge", "a declarer without a trick scores nothing"),),
    ),
    Mistake(
        "when everybody passes the last one is not asked",
        "auction",
        "passes >= players.size        otherwise",
        "passes >= players.size - 1        otherwise",
        (
            ("draw_bridge", "11. an opening pass ends nothing; two void the deal, and the other player deals"),
            ("draw_bridge", "11. after an opening pass the other may bid, and then the first may bid again"),
            ("team_bridge", "four passes, and nobody is declarer"),
        ),
    ),
    Mistake(
        "when everybody passes the deal is played all the same",
        "draw_bridge",
        "    if declarer is none: pass_out()\n    otherwise:\n        play_second_half(declarer)",
        "    if declarer is none: play_second_half(dealer)\n    otherwise:\n        play_second_half(declarer)",
        (("draw_bridge", "a whole deal: the halves, the auction between them, the score, and the next dealer"),),
    ),
    Mistake(
        "the same bid again is higher",
        "auction",
        "n is level and d > denomination",
        "n is level and d >= denomination",
        (
            ("draw_bridge", "7. after 1 ♠ thirty-one higher bids, double and pass are left"),
            ("draw_bridge", "no bid is as high as itself, and none of a lower level is higher"),
            ("team_bridge", "the ladder: level before denomination"),
        ),
    ),
    Mistake(
        "a bid of the same level is higher in any denomination",
        "auction",
        "n > level or n is level and d > denomination",
        "n >= level and level > 0 or n > level",
        (
            ("draw_bridge", "7. after 1 ♠ thirty-one higher bids, double and pass are left"),
            ("draw_bridge", "no bid is as high as itself, and none of a lower level is higher"),
            ("team_bridge", "the ladder: level before denomination"),
        ),
    ),
)


class Altered(Library):
    """The library with one mistake in one of its files."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__()
        self.mistake = mistake

    def open(self, path: Path, show_as: str | None = None) -> Source:
        source = super().open(path, show_as)
        if source.id != self.mistake.file:
            return source
        assert source.text.count(self.mistake.right) == 1
        return Source(source.path, source.text.replace(self.mistake.right, self.mistake.wrong))


def failing(file: str, wanted: set[str], library: Library) -> set[str]:
    source = library.open(FILES[file])
    game = load_source(source, library, [], {})
    tests = [test for test in game.rules.tests if test.name in wanted]
    assert {test.name for test in tests} == wanted
    failed = set()
    for test in tests:
        rules = load_source(source, library, [], test.options) if test.options else game
        if not scenario.run(rules.compiled, same_test(rules.rules, test)).passed:
            failed.add(test.name)
    return failed


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_of_others_is_noticed_in_every_game_that_could_have_it(mistake: Mistake) -> None:
    for file in sorted({file for file, _ in mistake.noticed}):
        wanted = {name for where, name in mistake.noticed if where == file}
        assert failing(file, wanted, Altered(mistake)) == wanted
        assert failing(file, wanted, Library()) == set()
