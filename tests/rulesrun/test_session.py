"""A game at the keyboard, answered by a script."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import rulesrun
from rulesrun.api import Game
from tests.rulesrun.table_games import DUEL, sit_down, write

TABLE_TOP = "╭─"


def test_a_whole_game_is_played_to_its_end(dread: Game) -> None:
    session, desk = sit_down(dread, ["1"] * 200, players=3)
    assert session.play() == 0
    assert session.match.finished
    assert "wins." in desk.text
    assert f"The seed was {session.match.seed}." in desk.text
    assert "rulesrun play" in desk.text


def test_the_table_comes_first_and_the_question_last(duel: Game) -> None:
    _, desk = played(duel, ["1"])
    first, second = desk.text.split("> 1\n")
    for screen in (first, second):
        assert screen.index(TABLE_TOP) < screen.index("P1, a knight to send?")
        assert screen.rstrip().splitlines()[-1].startswith("  ") or "send" in screen


def played(game: Game, answers: list[str], **more: object):  # type: ignore[no-untyped-def]
    session, desk = sit_down(game, answers, **more)  # type: ignore[arg-type]
    assert session.play() == 0
    return session, desk


def test_enter_takes_the_only_option(duel: Game) -> None:
    session, desk = played(duel, ["1", "", "", "", ""])
    assert session.match.finished
    assert "Type the number" not in desk.text


def test_enter_takes_nothing_where_there_is_a_choice(duel: Game) -> None:
    session, desk = played(duel, ["", "1"])
    assert "Type the number of your choice" in desk.text
    assert len(session.match.choices) == 2


def test_an_answer_is_given_in_letters(duel: Game) -> None:
    session, _ = played(duel, ["squ"])
    assert session.match.choices[0] == 1


def test_the_end_of_input_leaves(duel: Game) -> None:
    session, desk = played(duel, [])
    assert not session.match.finished
    assert "You have left the game." in desk.text


def test_an_interruption_leaves_with_a_word(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session, desk = sit_down(duel, ["1"])

    def interrupt(prompt: str, words: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(desk, "ask", interrupt)
    with pytest.raises(KeyboardInterrupt):
        session.play()
    assert "You have left the game." in desk.text


def test_completion_offers_choices_and_commands(duel: Game) -> None:
    _, desk = played(duel, [])
    assert desk.asked[0][1][:2] == ["Page", "Squire"]
    assert ":undo" in desk.asked[0][1]


# ── several picks ──


@pytest.mark.parametrize(
    ("typed", "taken"),
    [("1 2", ["Flint", "Slate"]), ("1 1", ["Flint", "Flint"]), ("marble", ["Marble"]), ("none", []), ("2, 3", ["Slate", "Marble"])],
)
def test_several_are_taken_in_one_line(picks: Game, typed: str, taken: list[str]) -> None:
    session, desk = played(picks, [typed])
    assert "P1, stones to take (up to 2, in one line; `none` for none)?" in desk.text
    assert [prompt for prompt, _ in desk.asked][:2] == ["> ", "The game is over (`:log`, `:undo`, Enter leaves)> "]
    match = session.match
    match.undo(len(match.choices) - picks_made(taken))
    program = match.state.code.program
    mine = next(zone for zone in match.view(None).zones if zone.name == "P1's mine")
    assert [program.designs[design].name for design in mine.cards if design is not None] == taken


def picks_made(taken: list[str]) -> int:
    """Two picks are all one may take; else that it is enough is a choice of its own."""
    return min(2, len(taken) + 1)


@pytest.mark.parametrize("typed", ["1 2 3", "2 2", "9", "flint, nonsense"])
def test_picks_that_cannot_be_are_refused_together(picks: Game, typed: str) -> None:
    session, desk = sit_down(picks, [typed, ":quit"])
    session.play()
    assert session.match.choices == []
    assert len(desk.asked) == 2


# ── commands ──


def test_help_lists_the_commands(duel: Game) -> None:
    _, desk = played(duel, [":help"])
    for command in (":help", ":look", ":log", ":undo", ":score", ":rules", ":seed", ":quit"):
        assert f"  {command} " in desk.text
    assert desk.text.count("P1, a knight to send?") == 2


def test_look_draws_the_table_again(duel: Game) -> None:
    _, desk = played(duel, [":look"])
    assert desk.text.count(TABLE_TOP) == 2


def test_look_shows_every_card_of_a_place(duel: Game) -> None:
    _, desk = played(duel, [":look deck", ":look P2's hand", ":look baron", ":look nonsense"])
    assert "deck: 4 (from the top)\n  4 × face down" in desk.text
    assert "P2's hand: 3\n  3 × face down" in desk.text
    assert "Baron  Knight: force 3" in desk.text
    assert "There is no place or card called `nonsense`. Places: arena, deck, hand." in desk.text


def test_rules_tell_of_the_game_and_of_its_cards(dread: Game) -> None:
    _, desk = played(dread, [":rules", ":rules lamp", ":rules omen", ":rules xyzzy"])
    assert "Cards dealt to each Life Deck: 10" in desk.text
    assert "Lamplighter  Omen: strength 2, damage 0\n  summon: Put the top card of the Draw Deck into your reserves" in desk.text
    assert "Every Omen has a strength" in desk.text
    assert "Nothing is called `xyzzy`." in desk.text


def test_the_log_is_what_this_player_was_told(secret: Game) -> None:
    session, desk = sit_down(secret, [":log all", ":quit"])
    session.play()
    told = desk.text.split("> :log all\n")[1]
    names = [session.match.state.code.program.designs[d].name for d in session.match.state.faces]
    hidden = {names[slot] for slot in session.match.state.zones[2]}
    assert "go from deck to P1's hand" in told
    assert not any(name in told for name in hidden)


def test_the_score_is_told(duel: Game, dread: Game) -> None:
    _, desk = played(duel, [":score"])
    assert "  P1 (you)          0\n  P2 (random)       0\n" in desk.text
    _, desk = played(dread, [":score"])
    assert "This game keeps no score." in desk.text


def test_the_seed_is_told_only_when_the_game_is_over(duel: Game) -> None:
    _, desk = played(duel, [":seed", "1", "1", "1", ":seed"])
    before, after = desk.text.split("The game is over", 1)
    assert "it is told when the game is over" in before
    assert "seed was" not in before
    assert "The seed was 1." in after


@pytest.mark.parametrize(
    ("typed", "said"), [(":sorce", "Did you mean `:score`?"), (":xyz", "`:help` lists them"), (":", "no command")]
)
def test_a_command_that_is_none_is_said_so(duel: Game, typed: str, said: str) -> None:
    _, desk = played(duel, [typed])
    assert said in desk.text


@pytest.mark.parametrize("typed", [":quit", ":q", "quit", "exit", ":qui"])
def test_quit_leaves(duel: Game, typed: str) -> None:
    session, desk = played(duel, [typed, "1"])
    assert session.match.choices == []
    assert len(desk.asked) == 1


# ── taking back ──


def test_a_choice_is_taken_back_with_what_the_bots_did_since(dread: Game) -> None:
    session, desk = sit_down(dread, ["1", "1", ":undo", ":quit"], players=3)
    session.play()
    first, second = desk.text.split("> 1\n")[1:3]
    table = first[first.index(TABLE_TOP) :]
    assert "Taken back. You know now what you did not know then: " in second
    assert table in second


def test_after_taking_back_the_same_choice_brings_the_same_game(dread: Game) -> None:
    plain, _ = sit_down(dread, ["1"] * 300, players=3)
    plain.play()
    back, _ = sit_down(dread, ["1", "1", ":undo", "1", ":undo", ":undo", *["1"] * 300], players=3)
    back.play()
    assert back.match == plain.match


def test_nothing_is_taken_back_before_the_first_answer(duel: Game) -> None:
    _, desk = played(duel, [":undo"])
    assert "There is nothing to take back yet." in desk.text


# ── several people at one keyboard ──


def test_whoever_is_not_at_the_keyboard_sees_nothing_of_another_hand(secret: Game) -> None:
    session, desk = sit_down(secret, ["", "1", "", "1", "", "1", "", "1"], humans=(0, 1), live=True)
    session.play()
    assert session.match.finished
    prompts = [prompt for prompt, _ in desk.asked]
    assert prompts[0].startswith("P1 is asked. The others look away")
    assert prompts[2].startswith("P2 is asked.")
    fresh = secret.start(2, 1)
    names = [fresh.state.code.program.designs[d].name for d in fresh.state.faces]
    hands = [{names[slot] for slot in fresh.state.zones[zone]} for zone in (1, 2)]
    wiped = [0, *desk.wiped_at, len(desk.text)]
    screens = [desk.text[a:b] for a, b in pairwise(wiped)]
    assert len(screens) >= 4
    said = {name for name in hands[0] if name in screens[1]}
    assert not (hands[1] & set(screens[0].split()))
    assert len(said) == 1, "of P1's two notes P2 sees the one that was said"


def test_with_several_people_nothing_is_taken_back_that_another_has_answered(secret: Game) -> None:
    session, desk = sit_down(secret, ["1", ":undo", ":quit"], humans=(0, 1))
    session.play()
    assert "cannot be taken back: somebody else has answered since" in " ".join(desk.text.split())
    assert len(session.match.choices) == 1


def test_what_happened_stays_below_the_table_only_as_far_as_it_fits(dread: Game) -> None:
    session, desk = sit_down(dread, ["1"] * 30, players=6, live=True)
    session.play()
    screens = desk.text.split("> 1\n")
    for screen in screens[1:25]:
        if TABLE_TOP not in screen or "The game is over" in screen:
            continue
        kept = screen[screen.rindex(TABLE_TOP) :].count("\n")
        table = screen[screen.rindex(TABLE_TOP) : screen.rindex("╰─")].count("\n")
        assert kept <= max(24, table + 12)


def test_bots_alone_tell_the_whole_game(dread: Game) -> None:
    session, desk = sit_down(dread, [], players=4, humans=(), seed=7)
    assert session.watch() == 0
    assert desk.text.startswith("Dread Draw: 4 players, seed 7\n")
    assert "── round 1 ──" in desk.text
    assert desk.text.rstrip().endswith("(random) wins.")
    again, same = sit_down(dread, [], players=4, humans=(), seed=7)
    again.watch()
    assert same.text == desk.text
    _, other = sit_down(dread, [], players=4, humans=(), seed=8)
    assert other.text != desk.text


def test_nothing_a_terminal_would_obey_is_printed(tmp_path: Path) -> None:
    evil = DUEL.replace("a knight", "a \x1b[31mknight").replace('"Page"', '"Pa\x1b[2Jge"').replace('game "Duel"', 'game "Du\x07el"')
    game = rulesrun.load(write(tmp_path, "evil", evil))
    _, desk = played(game, ["1", ":rules", ":log all", ":look deck"])
    assert "\x1b" not in desk.text and "\x07" not in desk.text
    assert "Pa\ufffd[2Jge" in desk.text
    assert not any("\x1b" in word for _, words in desk.asked for word in words)
