"""`rulesrun fmt`: what it writes where, what it leaves alone, and the exit codes."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.format import Altered
from rulesrun import cli

MESSY = 'game  "A"  for 2 players\n\n\n\nrule a( ):  # remark\n  b( )\n'
NEAT = 'game "A" for 2 players\n\nrule a():  # remark\n    b()\n'
BROKEN = 'game "A" for 2 players\nrule a(:\n'

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str, str]:
        code = cli.run(["fmt", *map(str, args)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.cardgame"
    path.write_text(MESSY, encoding="utf-8")
    return path


def test_files_are_written_only_if_they_differ(messy: Path, run: Run) -> None:
    assert run(messy) == (0, "1 file formatted.\n", "")
    assert messy.read_text(encoding="utf-8") == NEAT
    os.utime(messy, (1, 1))
    assert run(messy) == (0, "1 file formatted already.\n", "")
    assert messy.stat().st_mtime == 1
    assert list(messy.parent.iterdir()) == [messy]


def test_check_and_diff_write_nothing(messy: Path, run: Run) -> None:
    code, out, _ = run("--check", messy)
    assert (code, out) == (1, f"{messy} is not formatted.\n1 file would be formatted.\n")
    code, out, err = run("--diff", messy)
    assert code == 0
    assert "-rule a( ):  # remark" in out and "+rule a():  # remark" in out
    assert err == "1 file would be formatted.\n"
    assert run("--diff", "--check", messy)[0] == 1
    assert messy.read_text(encoding="utf-8") == MESSY


def test_folders_are_searched(messy: Path, run: Run) -> None:
    (messy.parent / "inner").mkdir()
    neat = messy.parent / "inner" / "neat.cardgame"
    neat.write_text(NEAT, encoding="utf-8")
    assert run(messy.parent) == (0, "1 file formatted; 1 file left as it is.\n", "")
    code, _, err = run(messy.parent / "inner" / "nothing_here")
    assert code == 2 and "cannot be opened" in err
    (messy.parent / "empty").mkdir()
    code, _, err = run(messy.parent / "empty")
    assert code == 2 and "no rules file" in err


def test_a_file_with_errors_is_left_alone_and_the_others_are_not(messy: Path, run: Run) -> None:
    broken = messy.parent / "broken.cardgame"
    broken.write_text(BROKEN, encoding="utf-8")
    code, out, err = run(broken, messy)
    assert code == 1
    assert "CG0106" in err and f"{broken} cannot be formatted before that is mended." in err
    assert out == "1 file formatted.\n"
    assert broken.read_text(encoding="utf-8") == BROKEN
    assert messy.read_text(encoding="utf-8") == NEAT


def test_bytes_that_are_no_text_are_a_finding(messy: Path, run: Run) -> None:
    messy.write_bytes(b'game "\xff" for 2 players\n')
    code, _, err = run(messy)
    assert code == 1 and "CG0140" in err


def test_standard_input_goes_to_standard_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(MESSY)
    assert run("-") == (0, NEAT, "")
    given(MESSY)
    assert run("--check", "-") == (1, "<stdin> is not formatted.\n", "")
    given(NEAT)
    assert run("--check", "-") == (0, "", "")
    given(BROKEN)
    code, out, err = run("-")
    assert (code, out) == (1, "") and "CG0106" in err


def test_line_breaks_permissions_and_links_stay(messy: Path, run: Run) -> None:
    messy.write_bytes(MESSY.replace("\n", "\r\n").encode())
    messy.chmod(0o640)
    link = messy.parent / "link.cardgame"
    link.symlink_to(messy)
    assert run(link)[0] == 0
    assert messy.read_bytes() == NEAT.replace("\n", "\r\n").encode()
    assert link.is_symlink() and stat.S_IMODE(messy.stat().st_mode) == 0o640
    assert run("--check", messy)[0] == 0


def test_what_cannot_be_written_stays_as_it_was(messy: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    code, out, err = run(messy)
    assert (code, out) == (2, "") and "cannot be written (No space left on device)" in err
    assert messy.read_text(encoding="utf-8") == MESSY
    assert list(messy.parent.iterdir()) == [messy]


def test_a_fault_of_the_formatter_changes_nothing(messy: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> str:
        raise Altered("messy")

    monkeypatch.setattr("dsl.format.formatted", wrong)
    code, _, err = run(messy)
    assert code == 70 and "is left as it is" in err
    assert messy.read_text(encoding="utf-8") == MESSY
