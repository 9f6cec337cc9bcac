"""Games in files: resumed anywhere, refused when damaged, followed as far as they go when the rules have been changed."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulesrun
from rulesrun import saves
from rulesrun.api import Game, Match
from rulesrun.cli import run
from rulesrun.repl.past import picks_on
from tests.rulesrun.table_games import DUEL, LUCK, PICKS, write


@pytest.fixture(scope="session")
def luck(folder: Path) -> Game:
    return rulesrun.load(write(folder, "luck", LUCK))


def at_random(match: Match, seed: int, most: int = 10_000) -> Match:
    numbers = random.Random(seed)
    while not match.finished and len(match.choices) < most:
        match.choose(numbers.randrange(match.option_count))
    return match


# ── there and back ──


@pytest.mark.parametrize(("name", "players"), [("dread_draw", 4), ("draghjarter", 4), ("dead_mans_draw", 3)])
def test_a_game_can_be_resumed_at_every_decision(name: str, players: int, tmp_path: Path) -> None:
    """What is resumed is the same position, goes on in the same way, and knows what was chosen."""
    game = rulesrun.load(name)
    match = at_random(game.start(players, 5), 5, 40)
    end = at_random(match.copy(), 6)
    path = tmp_path / "game.json"
    for made in range(len(match.choices), 0, -3):
        match.undo(len(match.choices) - made)
        match.save(path)
        resumed = rulesrun.resume(path, game)
        assert resumed == match
        assert resumed.decision == match.decision
        assert resumed.history == match.history
        for index in end.choices[made:]:
            resumed.choose(index)
        assert resumed == end
        assert resumed.result == end.result


def test_a_game_can_be_resumed_in_the_middle_of_nested_choices(luck: Game, tmp_path: Path) -> None:
    """Somebody is asked inside what hangs on a rule that was called inside two other choices."""
    match = luck.start(2, 3)
    for key in ("take a coin", "Pound"):
        match.choose(key)
    assert match.decision is not None and match.decision.prompt == "what to do with it"
    assert len(match.why()) >= 3
    match.save(tmp_path / "luck.json")
    resumed = rulesrun.resume(tmp_path / "luck.json")
    assert resumed == match
    assert resumed.decision == match.decision
    gift = next(option.key for option in match.decision.options if option.key.startswith("Give"))
    for each in (match, resumed):
        each.choose(gift)
        at_random(each, 4)
    assert resumed == match


def test_a_game_can_be_resumed_between_picks_of_one_question(picks: Game, tmp_path: Path) -> None:
    match = picks.start(2, 1)
    match.choose("Flint")
    assert picks_on(match)
    match.save(tmp_path / "picks.json")
    resumed = rulesrun.resume(tmp_path / "picks.json")
    assert resumed == match
    assert resumed.decision is not None and resumed.decision.picked == ("Flint",)
    resumed.choose("enough")


def test_variants_and_options_come_with_the_game(tmp_path: Path) -> None:
    game = rulesrun.load("dread_draw", variants=["brutal"], options={"zero_damage_kills": True})
    match = at_random(game.start(3, 1), 1, 9)
    match.save(tmp_path / "a.json")
    resumed = rulesrun.resume(tmp_path / "a.json")
    assert resumed == match
    assert resumed.game.variants == ("brutal",)
    assert resumed.game.options == game.options


def test_scripted_chance_comes_with_the_game(luck: Game, tmp_path: Path) -> None:
    match = luck.start(2, 1, chance=[("roll", "pair", [4, 4]), ("pick", "P2"), ("roll", "pair", [1, 2])])
    match.save(tmp_path / "a.json")
    resumed = rulesrun.resume(tmp_path / "a.json")
    assert resumed == match
    assert resumed.player == 1
    assert resumed.state.canonical() != luck.start(2, 1).state.canonical()


def test_rules_that_were_moved_are_found_beside_the_save(duel: Game, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    game = rulesrun.load(write(old, "duel", DUEL))
    at_random(game.start(2, 1), 1, 2).save(old / "a.json")
    old.rename(new)
    assert rulesrun.resume(new / "a.json").choices == at_random(game.start(2, 1), 1, 2).choices
    (new / "duel.cardgame").unlink()
    with pytest.raises(rulesrun.NotFound, match=r"are not at .*duel\.cardgame any more"):
        rulesrun.resume(new / "a.json")
    assert rulesrun.resume(new / "a.json", duel).choices


def test_what_was_taken_back_can_be_done_again(dread: Game) -> None:
    match = at_random(dread.start(4, 2), 2)
    end = match.copy()
    match.undo(30)
    middle = match.copy()
    match.undo(len(match.choices))
    assert match == dread.start(4, 2)
    match.redo(len(middle.choices))
    assert match == middle
    match.redo(30)
    assert match == end
    assert match.history == end.history
    with pytest.raises(ValueError, match="only 0 choices have been taken back"):
        match.redo()
    match.undo(3)
    match.choose(0)
    with pytest.raises(ValueError, match="only 0"):
        match.redo()


# ── writing ──


def test_a_save_that_cannot_be_written_leaves_the_old_one(duel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    match = duel.start(2, 1)
    match.save(path)
    before = path.read_bytes()
    match.choose(0)

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(rulesrun.SaveError, match="cannot be written \\(no space left on device\\)"):
        match.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(rulesrun.SaveError, match="cannot be written"):
        match.save(tmp_path / "nowhere" / "a.json")


def test_a_save_is_json_with_a_line_for_each_choice(duel: Game, tmp_path: Path) -> None:
    match = at_random(duel.start(2, 1), 1, 3)
    match.save(tmp_path / "a.json", seats=[None, "random"])
    text = (tmp_path / "a.json").read_text("utf-8")
    fields = json.loads(text)
    assert fields["format"] == "rulesrun save"
    assert fields["game"]["id"] == "duel"
    assert (fields["players"], fields["seed"], fields["seats"]) == (2, 1, [None, "random"])
    assert fields["options"] == {"goal": 2, "coin": "Heads"}
    assert fields["choices"] == [[taken.player, taken.index, taken.key] for taken in match.history]
    assert text.count("\n    [") == 3


# ── damaged files ──


@pytest.fixture(scope="session")
def wholes(duel: Game, folder: Path) -> list[bytes]:
    """Saves that are as they should be."""
    made = []
    for seed in range(10):
        at_random(duel.start(2, seed), seed, 2 + seed).save(folder / "whole.json", seats=[None, "random"])
        made.append((folder / "whole.json").read_bytes())
    return made


def signed(fields: dict[str, Any]) -> bytes:
    """An edited save whose check sum was made anew."""
    fields.pop("check", None)
    return json.dumps({**fields, "check": saves.check_sum(fields)}, ensure_ascii=False).encode()


def cut(data: bytes, numbers: random.Random) -> bytes:
    return data[: numbers.randrange(len(data) - 2)]


def flip(data: bytes, numbers: random.Random) -> bytes:
    place = numbers.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << numbers.randrange(8)]) + data[place + 1 :]


def edit(data: bytes, numbers: random.Random) -> bytes:
    """Change a field by hand, without the check sum."""
    fields = json.loads(data)
    name = numbers.choice(sorted(fields))
    fields[name] = numbers.choice([value for value in (None, 7, "x", [], {}, [[0, 0, "Page"]], True) if value != fields[name]])
    return json.dumps(fields, ensure_ascii=False).encode()


def forge(data: bytes, numbers: random.Random) -> bytes:
    """Change it by hand so that it makes no sense, with a new check sum."""
    fields = json.loads(data)
    place = numbers.randrange(len(fields["choices"]))
    choice = fields["choices"][place]
    edits: list[Callable[[], None]] = [
        lambda: choice.__setitem__(0, 1 - choice[0]),
        lambda: choice.__setitem__(0, 9),
        lambda: choice.__setitem__(1, choice[1] + 1),
        lambda: choice.__setitem__(1, -1),
        lambda: choice.__setitem__(2, "Bishop"),
        lambda: choice.__setitem__(2, None),
        lambda: choice.append(1),
        lambda: fields.update(finished=not fields["finished"]),
        lambda: fields.update(players=7),
        lambda: fields.update(players=-1),
        lambda: fields.update(seed=1.5),
        lambda: fields.update(seats=["random"]),
        lambda: fields.update(chance=[["shuffle"]]),
        lambda: fields.update(chance=[["roll", "die", [1]]]),
        lambda: fields.update(game="duel"),
        lambda: fields.update(game={"id": "hearts", "path": None}),
        lambda: fields.update(variants=[1]),
        lambda: fields.update(options={"goal": None}),
        lambda: fields.update(choices={}),
        lambda: fields.update(version=99),
        lambda: fields.update(version="1"),
        lambda: fields.update(more=1),
        lambda: fields.update({"more\nlines\x1b[2J": 1}),
        lambda: fields.update(version=10**4000),
        lambda: fields.pop("seed") and None,
    ]
    numbers.choice(edits)()
    return signed(fields)


def foreign(data: bytes, numbers: random.Random) -> bytes:
    """Something else altogether."""
    return numbers.choice(
        [
            b"",
            b"\n",
            b"{}",
            b"[]",
            b"null",
            b'"rulesrun save"',
            b'{"format": "rulesrun save"}',
            b'{"format": "rulesrun save", "version": 2}',
            b'{"format": "rulesrun save", "version": NaN}',
            b'{"format": "rulesrun save", "format": "rulesrun save"}',
            b'{"format": "rulesrun save", "seed": ' + b"9" * 5000 + b"}",
            b"[" * 100_000,
            b'{"format": "\\ud800"}',
            b"\xff\xfe{",
            b"\x00" * 500,
            DUEL.encode(),
            bytes(numbers.randrange(256) for _ in range(400)),
        ]
    )


@pytest.mark.parametrize(("damage", "count"), [(cut, 140), (flip, 140), (edit, 100), (forge, 70), (foreign, 60)])
def test_a_damaged_save_is_refused_in_one_line(
    damage: Callable[[bytes, random.Random], bytes],
    count: int,
    wholes: list[bytes],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    numbers = random.Random(damage.__name__)
    path = tmp_path / "a.json"
    for seed in range(count):
        data = damage(wholes[seed % len(wholes)], numbers)
        path.write_bytes(data)
        command = ["play", "--load"] if seed % 2 else ["replay"]
        assert run([*command, str(path)]) == 2, data
        printed = capfd.readouterr()
        assert printed.out == ""
        lines = printed.err.splitlines()
        assert len(lines) == 1, (data, printed.err)
        assert lines[0].startswith("rulesrun: "), lines
        assert str(path) in lines[0] or "hearts" in lines[0], lines
        assert path.read_bytes() == data


def test_the_save_of_another_game_is_refused(duel: Game, picks: Game, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    for seed in range(10):
        picks.start(2, seed).save(path)
        assert run(["play", duel.source.path, "--load", str(path)]) == 2
        assert capfd.readouterr().err == f"rulesrun: {path}: this is a saved game of Picks (picks), not of duel\n"


@pytest.mark.parametrize("name", ["missing.json", "folder"])
def test_what_cannot_be_opened_is_refused(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    path = f"{tmp_path}/{name}"
    assert run(["play", "--load", path]) == 2
    assert capfd.readouterr().err.startswith(f"rulesrun: {path}: cannot be opened (")


# ── rules that have been changed ──


def test_remarks_may_be_changed(tmp_path: Path) -> None:
    match = at_random(rulesrun.load(write(tmp_path, "duel", DUEL)).start(2, 1), 1, 3)
    match.save(tmp_path / "a.json")
    write(tmp_path, "duel", DUEL.replace("rule setup():", "# deal\nrule setup():"))
    assert rulesrun.resume(tmp_path / "a.json").choices == match.choices


def test_a_game_goes_as_far_as_its_choices_exist(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    match = rulesrun.load(write(tmp_path, "duel", DUEL)).start(2, 4)
    while not match.finished:
        match.choose(0)
    match.save(tmp_path / "a.json")
    gone = next(number for number, taken in enumerate(match.history) if taken.key == match.history[-1].key)
    name = match.history[gone].key
    write(tmp_path, "duel", DUEL.replace(f'"{name}"', '"Bishop"').replace(f'["{name}"]', '["Bishop"]').replace(f'chooses "{name}"', 'chooses "Bishop"'))  # fmt: skip
    with pytest.raises(rulesrun.RulesChanged) as caught:
        rulesrun.resume(tmp_path / "a.json")
    seat = match.history[gone].player + 1
    assert f"the rules have been changed since: choice {gone + 1} (P{seat}: {name}) does not exist there" in str(caught.value)
    assert caught.value.match.choices == match.choices[:gone]
    assert not caught.value.match.finished
    assert run(["replay", str(tmp_path / "a.json")]) == 1
    printed = capfd.readouterr()
    assert f"choice {gone + 1} (P{seat}: {name}) does not exist" in " ".join(printed.out.split())
    assert printed.err == ""


def test_an_option_that_is_gone_is_left_out(tmp_path: Path) -> None:
    match = at_random(rulesrun.load(write(tmp_path, "duel", DUEL)).start(2, 1), 1, 3)
    match.save(tmp_path / "a.json")
    changed = DUEL.replace('option coin: Side = Heads: "Who begins"\n', "").replace("when coin is Heads otherwise seats.last", "")
    write(tmp_path, "duel", changed)
    resumed = rulesrun.resume(tmp_path / "a.json")
    assert resumed.choices == match.choices
    assert list(resumed.game.options) == ["goal"]
    save = saves.read(tmp_path / "a.json")
    replayed = saves.replay(save, saves.game_of(save, tmp_path / "a.json"))
    assert replayed.told == "The rules have been changed since (there is no option `coin` any more)"


def test_a_value_that_an_option_cannot_have_any_more_is_refused(tmp_path: Path) -> None:
    rulesrun.load(write(tmp_path, "duel", DUEL), options={"goal": 4}).start(2, 1).save(tmp_path / "a.json")
    write(tmp_path, "duel", DUEL.replace("in 1..5", "in [2, 3, 5]"))
    with pytest.raises(rulesrun.SaveError, match=r"have been changed since: `goal` cannot be 4 \(it is a number: 2, 3, 5\)"):
        rulesrun.resume(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("options", {"goal": 2, "coin": "Heads", "nope": 1}, "its options are not those of its rules"),
        ("rules", "f00d", "`rules` is not what it must be"),
    ],
)
def test_a_save_made_by_hand_with_a_right_check_sum_is_refused(tmp_path: Path, name: str, value: object, said: str) -> None:
    rulesrun.load(write(tmp_path, "duel", DUEL), options={"goal": 2}).start(2, 1).save(tmp_path / "a.json")
    fields = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    del fields["check"]
    fields[name] = value
    (tmp_path / "a.json").write_text(json.dumps({**fields, "check": saves.check_sum(fields)}), encoding="utf-8")
    with pytest.raises(rulesrun.SaveError, match=said):
        rulesrun.resume(tmp_path / "a.json")


def test_rules_for_other_numbers_of_players_are_refused(tmp_path: Path) -> None:
    rulesrun.load(write(tmp_path, "duel", DUEL)).start(3, 1).save(tmp_path / "a.json")
    write(tmp_path, "duel", DUEL.replace("2..3 players", "2 players"))
    with pytest.raises(rulesrun.SaveError, match="Duel is for 2 players now, and 3 played"):
        rulesrun.resume(tmp_path / "a.json")


def test_choices_are_followed_by_what_they_say_not_by_their_number(tmp_path: Path) -> None:
    match = rulesrun.load(write(tmp_path, "picks", PICKS)).start(2, 1)
    for key in ("Marble", "enough"):
        match.choose(key)
    match.save(tmp_path / "a.json")
    write(tmp_path, "picks", PICKS.replace('"Slate"   2       1', '"Slate"   2       1\n    "Chalk"   2       1'))
    resumed = rulesrun.resume(tmp_path / "a.json")
    assert [taken.key for taken in resumed.history] == ["Marble", "enough"]
    assert resumed.choices != match.choices
