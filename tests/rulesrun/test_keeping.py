"""Games that are kept: by themselves, under a name, offered again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulesrun
from rulesrun import kept, saves
from rulesrun.api import Game
from rulesrun.cli import run
from rulesrun.repl import opening
from rulesrun.repl.opening import offer, resumed, sit
from tests.rulesrun.table_games import DUEL, ScriptedDesk, sit_down, write

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESRUN_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def left(folder: Path) -> list[Path]:
    return sorted(folder.glob("left/*.json"))


def test_every_answer_is_kept_at_once(duel: Game, own_folder: Path) -> None:
    session, desk = sit_down(duel, ["1", "1"])
    seen: list[int] = []
    ask = desk.ask

    def look(prompt: str, words: object) -> str:
        files = left(own_folder)
        seen.append(len(saves.read(files[0]).choices) if files else 0)
        assert seen[-1] == len(session.match.choices)
        return ask(prompt, words)  # type: ignore[arg-type]

    desk.ask = look  # type: ignore[method-assign]
    session.play()
    assert seen == [0, 2, 4]
    assert len(left(own_folder)) == 1
    assert f"It is kept. To go on with it:\n  rulesrun play {duel.source.path} --load last\n" in desk.text


def test_a_game_without_an_answer_is_not_kept(duel: Game, own_folder: Path) -> None:
    session, desk = sit_down(duel, [])
    session.play()
    assert left(own_folder) == []
    assert "kept" not in desk.text


def test_a_game_that_was_left_goes_on_as_if_it_had_not_been(dread: Game, own_folder: Path) -> None:
    whole, _ = sit_down(dread, ["1"] * 300, players=3)
    whole.play()
    for path in left(own_folder):
        path.unlink()
    first, _ = sit_down(dread, ["1"] * 9, players=3)
    first.play()
    desk = ScriptedDesk(["1"] * 300)
    second = resumed(kept.find("last"), desk)
    assert [turning.choices for turning in second.past.behind] == [turning.choices for turning in first.past.behind]
    assert second.told == {0: first.past.behind[-1].events}
    second.play()
    assert second.match == whole.match
    assert len(left(own_folder)) == 1, "it is kept where it was"
    assert saves.read(left(own_folder)[0]).finished


def test_what_was_loaded_can_be_taken_back(dread: Game) -> None:
    first, _ = sit_down(dread, ["1"] * 5, players=3)
    first.play()
    desk = ScriptedDesk([":undo 5", ":redo 5", ":quit"])
    session = resumed(kept.find("last"), desk)
    session.play()
    assert session.match == first.match
    assert "Taken back." in desk.text


def test_a_folder_that_cannot_be_written_is_harmless(duel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("RULESRUN_DATA", str(tmp_path / "file" / "data"))
    session, desk = sit_down(duel, ["1", "1", "1", "1"])
    assert session.play() == 0
    assert session.match.finished
    assert desk.text.count("This game is not kept") == 1
    session, desk = sit_down(duel, ["1"])
    session.play()
    assert "It is kept" not in desk.text


def test_a_game_is_saved_and_loaded_by_its_name(duel: Game, own_folder: Path) -> None:
    session, desk = sit_down(duel, ["1", ":save tuesday", "1", ":load", ":load tuesday", ":undo", ":quit"])
    assert sit(session) == 0
    assert (own_folder / "saves" / "tuesday.json").is_file()
    assert "`:load tuesday` goes on from here." in desk.text
    assert "Saved games: tuesday." in desk.text
    assert "Duel: the saved game goes on after 2 choices." in desk.text
    assert desk.text.index("Taken back.") > desk.text.index("goes on after")
    assert len(saves.read(own_folder / "saves" / "tuesday.json").choices) == 2


def test_a_name_is_found_for_who_gives_none(duel: Game, own_folder: Path) -> None:
    for seed in (1, 2):
        session, _ = sit_down(duel, ["1", ":save", "1", ":save"], seed=seed)
        session.play()
    assert sorted(path.name for path in own_folder.glob("saves/*.json")) == ["duel-2.json", "duel.json"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (":save /nowhere/x.json", "cannot be written"),
        (":save last", "`last` cannot be the name"),
        (":save a*b", "`a*b` cannot be the name"),
        (":load nothing", "there is no saved game `nothing`"),
        (":load last", "there is no unfinished game"),
    ],
)
def test_what_cannot_be_saved_or_loaded_is_said(duel: Game, typed: str, said: str) -> None:
    session, desk = sit_down(duel, [typed, "1"])
    sit(session)
    assert said in " ".join(desk.text.split())
    assert len(session.match.choices) == 2


def test_a_file_that_is_something_else_is_not_overwritten(duel: Game, tmp_path: Path) -> None:
    (tmp_path / "letter.json").write_text("Dear all", "utf-8")
    session, desk = sit_down(duel, ["1", f":save {tmp_path}/letter.json"])
    session.play()
    assert "this is something else than a saved game, and stays as it is" in " ".join(desk.text.split())
    assert (tmp_path / "letter.json").read_text("utf-8") == "Dear all"


def test_another_game_of_the_same_name_is_not_overwritten_without_asking(duel: Game, own_folder: Path) -> None:
    sit_down(duel, ["1", ":save tuesday"], seed=1)[0].play()
    for answer, kept_seed in (("", 1), ("y", 2)):
        session, desk = sit_down(duel, ["1", ":save tuesday", answer], seed=2)
        session.play()
        assert "`tuesday` is another game: Duel, after 2 choices. Write over it" in " ".join(desk.text.split())
        assert saves.read(own_folder / "saves" / "tuesday.json").seed == kept_seed


def test_a_path_gets_the_suffix_and_is_found_without_it(duel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    session, desk = sit_down(duel, ["1", ":save ../up", "1", ":load ../up", ":quit"])
    sit(session)
    assert f"{tmp_path}/up.json" in "".join(desk.text.split())
    assert "goes on after 2 choices" in desk.text
    assert [path.name for path in tmp_path.glob("*.json")] == ["up.json"]


def test_the_seed_of_a_game_that_is_not_over_is_told_nowhere(duel: Game) -> None:
    session, desk = sit_down(duel, ["1", ":seed", ":quit"], seed=271828)
    session.play()
    assert "You have left the game." in desk.text and "271828" not in desk.text


def test_the_command_that_goes_on_works_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "duel", DUEL)
    for name, typed in (("./duel.cardgame", str(tmp_path / "duel.cardgame")), ("pig", "pig")):
        session, desk = sit_down(rulesrun.load(name), ["1"])
        session.play()
        assert f"rulesrun play {typed} --load last" in desk.text


# ── offered again ──


def test_a_game_that_was_left_is_offered(duel: Game) -> None:
    session, _ = sit_down(duel, ["1"])
    session.play()
    desk = ScriptedDesk(["", ":quit"], live=True)
    again = offer(desk, duel)
    assert again is not None and again.match == session.match
    assert desk.asked[0][0].startswith("You have left a game of Duel just now, after 2 choices. Go on with it")
    assert offer(ScriptedDesk(["n"], live=True), duel) is None


@pytest.mark.parametrize("options", [{"goal": 3}, {"coin": "Tails"}])
def test_a_game_with_other_options_is_not_offered(options: dict[str, object], duel: Game) -> None:
    session, _ = sit_down(duel, ["1"])
    session.play()
    other = rulesrun.load(duel.source.path, options=options)
    assert offer(ScriptedDesk([""], live=True), other) is None


def test_a_game_that_is_over_is_not_offered(duel: Game) -> None:
    session, _ = sit_down(duel, ["1"] * 9)
    session.play()
    assert session.match.finished
    assert offer(ScriptedDesk([""], live=True), duel) is None
    assert kept.left_last("duel", over=True) is not None


def test_only_the_newest_games_are_kept(duel: Game, own_folder: Path) -> None:
    for seed in range(kept.KEPT + 3):
        autosave = kept.Autosave()
        match = duel.start(2, seed)
        match.choose(0)
        autosave.keep(match, [None, "random"])
        assert autosave.path is not None
        autosave.path.rename(autosave.path.with_name(f"duel-{seed:03}.json"))
        os.utime(own_folder / "left" / f"duel-{seed:03}.json", (seed, seed))
    assert [path.name for path in left(own_folder)] == [f"duel-{n:03}.json" for n in range(3, kept.KEPT + 3)]


# ── the command line ──


def rulesrun_(*arguments: str, typed: str = "", data: Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()", *arguments]
    environment = {**os.environ, "RULESRUN_DATA": str(data), "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(program, input=typed, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_game_is_left_and_taken_up_again_from_the_command_line(duel: Game, own_folder: Path) -> None:
    begun = rulesrun_("play", duel.source.path, "--players", "2", "--seed", "1", typed="1\n", data=own_folder)
    assert begun.returncode == 0
    assert "It is kept. To go on with it:\n  rulesrun play" in begun.stdout
    again = rulesrun_("play", duel.source.path, "--load", "last", typed="1\n1\n1\n1\n", data=own_folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("Duel: the saved game goes on after 2 choices.")
    assert "wins." in again.stdout
    shown = rulesrun_("replay", "last", data=own_folder)
    assert shown.returncode == 0
    assert "wins." in shown.stdout
    part = rulesrun_("replay", "last", "--to", "3", data=own_folder)
    assert "After 3 choices P2 is asked: a knight to send?" in part.stdout
    steps = rulesrun_("replay", "last", "--step", "--to", "3", "--seat", "2", typed="\n\n\n", data=own_folder)
    assert [line for line in steps.stdout.splitlines() if "Enter goes on" in line] == [
        f"{n} of 3 (Enter goes on, `q` leaves)> " for n in range(3)
    ]
    assert rulesrun_("replay", "last", "--step", typed="q\n", data=own_folder).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "--load", "last", "--seed", "1"], "leave out --seed"),
        (["play", "--load", "last", "--players", "3"], "leave out --players"),
        (["play", "--load", "last", "--option", "goal=3"], "leave out --option"),
        (["play"], "which game?"),
        (["play", "--load", "last"], "there is no unfinished game that was left"),
        (["replay", "last"], "there is no game that was left"),
    ],
)
def test_bad_usage(arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capfd.readouterr().err


def test_a_choice_that_no_longer_exists_is_named_and_the_old_file_stays(tmp_path: Path, own_folder: Path) -> None:
    session, _ = sit_down(rulesrun.load(write(tmp_path, "duel", DUEL)), ["1", "1"])
    session.play()
    (file,) = left(own_folder)
    before = file.read_bytes()
    name = saves.read(file).choices[2].key
    write(tmp_path, "duel", DUEL.replace(f'"{name}"', '"Bishop"'))
    desk = ScriptedDesk(["1"])
    again = resumed(file, desk)
    again.play()
    (stopped,) = [(n, taken) for n, taken in enumerate(saves.read(file).choices, 1) if taken.key == name][:1]
    who = f"(P1: {name})" if stopped[1].player == 0 else "(of P2)"
    assert f"The rules have been changed since: choice {stopped[0]} {who} does not exist there." in " ".join(desk.text.split())
    assert file.read_bytes() == before
    assert len(left(own_folder)) == 2


def test_who_sat_where_is_kept(duel: Game, tmp_path: Path) -> None:
    session, _ = sit_down(duel, ["1", "1", f":save {tmp_path}/two.json"], players=3, humans=(0, 1))
    session.play()
    again = resumed(tmp_path / "two.json", ScriptedDesk([]))
    assert (again.humans, dict(again.bots)) == ((0, 1), {2: "random"})
    duel.start(3, 1).save(tmp_path / "bare.json")
    assert resumed(tmp_path / "bare.json", ScriptedDesk([])).humans == (0,)
    seated = resumed(tmp_path / "bare.json", ScriptedDesk([]), None, opening.Seating(None, 2, 2, ("random",)))
    assert (seated.humans, dict(seated.bots)) == ((1, 2), {0: "random"})
