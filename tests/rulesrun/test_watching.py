"""Rules that are written anew while somebody plays."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest

import rulesrun
from rulesrun import saves
from rulesrun.api import load_source
from rulesrun.repl.console import Changed, TerminalDesk
from rulesrun.repl.opening import new_session, sit
from rulesrun.terminal import Console
from tests.rulesrun.table_games import DUEL, ScriptedDesk, write


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESRUN_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


class Writing(ScriptedDesk):
    """An answer may be something to do to the rules first: it is done while the answer is waited for."""

    def __init__(self, answers: Sequence[str | tuple[Callable[[], object], str]], wakes: bool) -> None:
        super().__init__([answer if isinstance(answer, str) else answer[1] for answer in answers])
        self.doing = [None if isinstance(answer, str) else answer[0] for answer in answers]
        self.wakes = wakes
        self.clock = 1_000_000_000

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        do = self.doing.pop(0) if self.doing else None
        if do is not None:
            do()
            if self.wakes:
                self.doing.insert(0, None)
                raise Changed
        return super().ask(prompt, words)


def play(folder: Path, desk: ScriptedDesk) -> None:
    path = write(folder, "duel", DUEL)
    game = rulesrun.load(path)
    session = new_session(game, 2, (0,), (), 1, desk)
    sit(session, lambda library: load_source(library.find_game(str(path)), library, [], {}))


def writes(folder: Path, old: str, new: str) -> Callable[[], object]:
    """Writes the rules with something changed; the time is set, since files may be written faster than clocks tell."""
    text = DUEL.replace(old, new)

    def do() -> None:
        path = write(folder, "duel", text)
        os.utime(path, (len(text), len(text)))

    return do


@pytest.mark.parametrize("wakes", [False, True], ids=["pipe", "terminal"])
def test_the_game_goes_on_with_the_new_rules(wakes: bool, tmp_path: Path) -> None:
    change = writes(tmp_path, '"a knight to send"', '"a knight for the arena"')
    desk = Writing(["1", (change, "1"), "1", "1", "1"], wakes)
    play(tmp_path, desk)
    text = desk.text
    assert "The rules were written anew, and the game goes on with them." in text
    before, after = text.split("The rules were written anew", 1)
    assert "a knight to send?" in before and "a knight for the arena?" in after
    assert "a knight to send?" not in after
    assert "wins." in after


def test_an_answer_given_meanwhile_counts_if_the_question_is_the_same(tmp_path: Path) -> None:
    desk = Writing(["1", (writes(tmp_path, "3      2", "4      2"), "1"), ":quit"], False)
    play(tmp_path, desk)
    saved = saves.read(next(tmp_path.glob("data/left/*.json")))
    assert len(saved.choices) == 4


def test_an_answer_to_another_question_does_not_count(tmp_path: Path) -> None:
    desk = Writing([(writes(tmp_path, "in hand[p]: move", "in hand[p] where c.force > 1: move"), "page"), ":quit"], False)
    play(tmp_path, desk)
    assert "page" not in desk.text.split("The rules were written anew")[1].split("> ")[1]
    assert not list(tmp_path.glob("data/left/*.json"))


def test_where_the_choices_do_not_exist_any_more_is_said(tmp_path: Path) -> None:
    change = writes(tmp_path, '"Page"', '"Clerk"')
    desk = Writing(["page", (change, "1"), ":undo", ":quit"], False)
    play(tmp_path, desk)
    said = " ".join(desk.text.split())
    assert "The rules were written anew: choice 1 (P1: Page)" in said
    assert "The game goes on after 0 choices." in said
    assert "There is nothing to take back yet." in said
    kept = [saves.read(path) for path in tmp_path.glob("data/left/*.json")]
    assert max(len(save.choices) for save in kept) == 2, "what was played with the old rules is not lost"


def test_rules_that_cannot_be_read_change_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = writes(tmp_path, "chooses", "chuses")
    mended = writes(tmp_path, "total[p] += 1", "total[p] += 2")
    desk = Writing([(broken, "1"), (mended, "1"), "1", "1", "1"], False)
    play(tmp_path, desk)
    assert "cannot be read. The game goes on with the old ones." in " ".join(desk.text.split())
    assert "error CG" in capfd.readouterr().out
    assert "The rules were written anew, and the game goes on with them." in desk.text
    assert "P1's total: 2" in desk.text or "P2's total: 2" in desk.text


def test_a_remark_changes_nothing(tmp_path: Path) -> None:
    desk = Writing(["1", (writes(tmp_path, "rule setup", "# at first\nrule setup"), "1")], False)
    play(tmp_path, desk)
    assert "The rules were written anew; nothing in them has changed." in desk.text


def test_a_fault_can_be_mended_without_leaving(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    faulty = writes(
        tmp_path, "    move arena to deck\n", "    move arena to deck\n    total[leader] += 1 / (total[leader] - total[leader])\n"
    )
    whole = writes(tmp_path, "nothing", "")
    desk = Writing(["1", (faulty, "1"), (whole, ""), "1", "1", "1"], False)
    play(tmp_path, desk)
    assert "error CG1014" in capfd.readouterr().out
    assert "Mend the rules; Enter tries again>" in desk.text
    assert "wins." in desk.text


def test_a_terminal_looks_up_from_waiting() -> None:
    """The prompt ends by itself when the rules were written, and does not when they were not."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    looks = chain([False, False], repeat(True))
    with create_pipe_input() as keys:
        desk = TerminalDesk(Console(width=80), PromptSession(input=keys, output=DummyOutput()))
        desk.changed = lambda: next(looks)
        with pytest.raises(Changed):
            desk.ask("> ", list)
        desk.changed = lambda: False
        keys.send_text("page\n")
        assert desk.ask("> ", list) == "page"
