"""Why the game asks this, why something cannot be chosen, which rules run: from Python and at the table."""

from __future__ import annotations

import random
from collections.abc import Iterator

import rulesrun
from rulesrun.api import Game, Match
from tests.rulesrun.table_games import sit_down


def cards(match: Match, zone: str, seat: int) -> list[str]:
    """Names of the cards in a player's place."""
    state = match.state
    program = state.code.program
    number = next(i for i, info in enumerate(program.zones) if info.name == zone and info.owner == seat)
    return [program.designs[state.faces[slot]].name for slot in state.zones[number]]


def turns(game: Game) -> Iterator[Match]:
    """Matches where somebody who has a row and reserves is asked where to summon from."""
    for seed in range(400):
        match = game.start(3, seed)
        numbers = random.Random(seed)
        while not match.finished:
            seat = match.player
            assert seat is not None
            if match.state.code.program.sites[match.state.site].kind == "menu" and cards(match, "row", seat) and cards(match, "reserves", seat):  # fmt: skip
                yield match.copy()
            match.choose(numbers.randrange(match.option_count))


def strength(match: Match, name: str) -> int:
    design = next(design for design in match.state.code.program.designs if design.name == name)
    value = design.values[0]
    assert isinstance(value, int)
    return value


def plain_card(match: Match, name: str) -> bool:
    """Nothing on this card says how it rises."""
    return name not in ("Cracked Mirror", "The Crowned Void")


def test_a_reserve_card_that_is_too_weak(dread: Game) -> None:
    """The answer names the condition, the two strengths and the line."""
    seen = 0
    for match in turns(dread):
        seat = match.player
        assert seat is not None
        last = cards(match, "row", seat)[-1]
        for name in cards(match, "reserves", seat):
            if not plain_card(match, name) or strength(match, name) > strength(match, last):
                continue
            answer = match.why_not(name)
            assert not answer.allowed
            assert f"{name} cannot be chosen now" in answer.text
            assert "`c.strength > row[p].last.strength`" in answer.text
            assert f"{strength(match, name)} is not more than {strength(match, last)} (" in answer.text
            assert answer.span is not None
            line = answer.span.source.line(answer.span.line)
            assert line.startswith("define rises(c: Omen, p: player) = ")
            assert answer.by is None
            seen += 1
        if seen > 20:
            return
    raise AssertionError("no such moment was found")


def test_a_card_that_a_card_makes_illegal(dread: Game) -> None:
    """The Crowned Void rises only as a third card: whoever asks is told that it is this card that says so."""
    for match in turns(dread):
        seat = match.player
        assert seat is not None
        row = cards(match, "row", seat)
        if "The Crowned Void" in cards(match, "reserves", seat) and len(row) == 1:
            answer = match.why_not("The Crowned Void")
            assert answer.by == "The Crowned Void: Rises only as your third or later card of the round"
            assert answer.by in answer.text
            assert "1 is not at least 2 (`row[p].size >= 2`)" in answer.text
            assert answer.span is not None and "instead of rises(self, p)" in answer.span.source.line(answer.span.line)
            return
    raise AssertionError("no such moment was found")


def test_what_can_be_chosen_is_said_to_be(dread: Game) -> None:
    match = next(turns(dread))
    assert match.why_not("the draw deck").allowed


def test_why_names_the_rules_that_run_in_the_words_of_the_author(dread: Game) -> None:
    match = next(turns(dread))
    steps = match.why()
    assert [step.name for step in steps] == ["game", "round", "turn"]
    assert steps[1].doc is not None and steps[1].doc.startswith("Everybody alive is in the round.")
    assert "p chooses" in steps[2].span.source.line(steps[2].span.line)


def test_why_names_the_card_that_asks(dread: Game) -> None:
    for seed in range(100):
        match = dread.start(3, seed)
        numbers = random.Random(seed)
        while not match.finished:
            decision = match.decision
            assert decision is not None
            if decision.prompt == "the card to put into your reserves":
                assert "Put a card" in match.why()[-1].name
                return
            match.choose(numbers.randrange(match.option_count))
    raise AssertionError("no such moment was found")


# ── at the table ──


def test_why_and_why_not_at_the_table(dread: Game) -> None:
    session, desk = sit_down(dread, [":why", ":why-not storm effigy", ":why-not", ":why-not the draw", ":quit"], players=3)
    session.play()
    assert "You are asked because these rules run, each in the one before:" in desk.text
    assert "  game  games/dread_draw.cardgame:" in desk.text
    assert "      turn  games/dread_draw.cardgame:" in desk.text
    assert 'p chooses "where to summon from":' in desk.text
    assert "Storm Effigy is not in your reserves, as far as you can see.\n  games/dread_draw.cardgame:" in desk.text
    assert "Say what: `:why-not grave digger`." in desk.text
    assert "The draw deck can be chosen now." in desk.text


def test_the_trace_shows_the_lines_that_run(dread: Game) -> None:
    session, desk = sit_down(dread, [":trace on", "1", ":trace", "1", ":quit"], players=3)
    session.play()
    first, second = desk.text.split("> 1\n")[1:3]
    rows = [line.split() for line in first.splitlines() if "games/dread_draw.cardgame:" in line]
    assert any(row[1:] == ["reveal", "c"] for row in rows)
    text = rulesrun.load("dread_draw").source
    for place, *words in rows:
        line = " ".join(text.line(int(place.rpartition(":")[2])).split())
        assert line.startswith(" ".join(words).removesuffix("…").rstrip())
    assert "dread_draw.cardgame:" not in second
    plain, _ = sit_down(dread, ["1", "1", ":quit"], players=3)
    plain.play()
    assert plain.match == session.match


def test_no_trace_where_several_people_sit(secret: Game) -> None:
    session, desk = sit_down(secret, [":trace on", "1", ":quit"], humans=(0, 1))
    session.play()
    assert "With several people at the table the rules are not shown" in desk.text
    assert "secret.cardgame:" not in desk.text.replace("secret.cardgame --load", "")
