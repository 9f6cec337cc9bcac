"""The command line: what it prints where, and the exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.codes import CODES
from rulesrun import cli
from tests.rulesrun.table_games import DUEL, write

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-c", "from rulesrun.cli import main; main()"]
Run = Callable[..., tuple[int, str, str]]


def line_of(path: Path, text: str) -> int:
    return next(i for i, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if text in line)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **more}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str, str]:
        code = cli.run([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def piped() -> Run:
    def call(*args: object, text: str = "") -> tuple[int, str, str]:
        done = subprocess.run(
            [*COMMAND, *map(str, args)],
            input=text,
            capture_output=True,
            text=True,
            env=environment(),
            cwd=ROOT,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return call


# ── the command itself ──


def test_help_and_version(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert all(verb in out for verb in ("play", "check", "test", "simulate", "games", "explain"))
    assert run("--version")[:2] == (0, f"rulesrun, version {cli.VERSION}\n")
    assert run()[0] == 0
    for verb in ("play", "check", "test", "simulate", "games", "explain"):
        assert run(verb, "--help")[0] == 0


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == cli.VERSION


def test_every_code_is_explained(run: Run) -> None:
    for code in CODES:
        status, out, _ = run("explain", code.lower())
        assert status == 0 and out.startswith(f"{code}: ")
    assert run("explain", "CG9999")[0] == 2


def test_help_loads_nothing_heavy() -> None:
    heavy = ["rich", "lark", "prompt_toolkit", "hypothesis", "attrs", "dsl.parse", "interpreter"]
    script = (
        "import sys\nfrom rulesrun.cli import run\nrun(['--help'])\n"
        f"print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment(), cwd=ROOT, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["play", "dred_draw"], "did you mean `dread_draw`"),
        (["chekc", "games"], "rulesrun check"),
        (["play", "dread_draw", "--players", "9"], "is for 2–6 players, not 9"),
        (["play", "dread_draw", "--players", "3", "--humans", "4"], "4 people cannot sit at a table for 3"),
        (["play", "dread_draw", "--players", "3", "--seat", "4"], "there is no seat 4"),
        (["play", "dread_draw", "--bot", "randam"], "did you mean `random`"),
        (["play", "dread_draw", "--option", "life_cards"], "NAME=VALUE"),
        (["play", "dread_draw", "--variant", "brutel"], "did you mean `brutal`"),
        (["play", "dread_draw", "--option", "life_cards=99"], "rulesrun: `life_cards` cannot be 99 (it is a number: 1..15)\n"),
        (["simulate", "dread_draw", "--option", "live_cards=9"], "no option `live_cards` (did you mean `life_cards`?)\n"),
        (["rules", "dread_draw", "--preset", "quik game"], "did you mean `Quick game`?"),
        (["diff", "dread_draw", "brutal", "--option", "x=1"], "there is no option `x`"),
        (["play", "dread_draw", "--seed", "x"], "not a valid integer"),
        (["play", "/no/such.cardgame"], "cannot be opened"),
        (["check", "/no/such.cardgame"], "cannot be opened"),
        (["simulate", "dread_draw", "--bots", "random,random"], "--bots names 2 for 4 players"),
        (["simulate", "dread_draw", "--games", "0"], "--games"),
        (["check"], "PATH"),
    ],
)
def test_bad_usage_is_2_and_says_what_is_wrong(run: Run, args: list[str], said: str) -> None:
    code, out, err = run(*args)
    assert code == 2
    assert said in err
    assert out == ""


def test_a_fault_of_ours_is_70_without_a_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(cli, "load_game", fail)
    code, _, err = run("simulate", "dread_draw")
    assert code == 70
    assert "a fault of rulesrun, not of your rules (RuntimeError: boom" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "args",
    [
        ["games"],
        ["explain", "CG0203"],
        ["--help"],
        ["check", "games/pig.cardgame"],
        ["play", "pig", "--humans", "0", "--seed", "1"],
    ],
    ids=lambda args: args[0],
)
def test_who_stops_reading_ends_it_quietly(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, *args], stdout=writing, stderr=subprocess.PIPE, env=environment(), cwd=ROOT, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
@pytest.mark.parametrize("args", [["games"], ["simulate", "pig", "--games", "2", "--format", "json"]], ids=lambda args: args[0])
def test_a_full_disk_is_said_in_one_line(args: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *args], stdout=full, stderr=subprocess.PIPE, env=environment(), cwd=ROOT, timeout=60)
    assert done.returncode == 2
    assert done.stderr == b"rulesrun: the output cannot be written (no space left on device)\n"


def test_signs_that_a_terminal_does_not_have_are_no_reason_to_stop() -> None:
    done = subprocess.run(
        [*COMMAND, "games"], capture_output=True, env=environment(PYTHONIOENCODING="ascii"), cwd=ROOT, timeout=60, check=False
    )
    assert done.returncode == 0 and b"2?4 players" in done.stdout


def test_ctrl_c_while_it_is_loaded_is_130_without_a_traceback() -> None:
    script = """
import sys
class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "rulesrun.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Impatient())
from rulesrun.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


# ── play ──


def test_a_file_alone_is_played(piped: Run) -> None:
    code, out, err = piped("games/dread_draw.cardgame", "--players", "2", "--seed", "4", text="1\n" * 200)
    assert (code, err) == (0, "")
    assert "wins." in out
    assert "\x1b" not in out


def test_bots_alone_print_the_game_and_the_winner(piped: Run) -> None:
    arguments = ("games/dread_draw.cardgame", "--humans", "0", "--players", "4", "--seed")
    code, first, err = piped(*arguments, "7")
    assert (code, err) == (0, "")
    assert "── round 1 ──" in first and first.rstrip().endswith("wins.")
    assert piped(*arguments, "7")[1] == first
    assert piped(*arguments, "8")[1] != first


def test_the_end_of_input_is_0(piped: Run) -> None:
    code, out, _ = piped("play", "dread_draw", "--seed", "1", text="1\n")
    assert code == 0
    assert "You have left the game." in out


def test_variants_and_options_are_played_with(piped: Run) -> None:
    code, out, _ = piped("play", "dread_draw", "--variant", "brutal", "--option", "life_cards=3", "--seed", "1", text=":rules\n")
    assert code == 0
    assert "with Brutal" in out or "with brutal" in out
    assert "Life Deck: 3" in out


def test_broken_rules_are_a_finding(run: Run, tmp_path: Path) -> None:
    code, _, err = run("play", write(tmp_path, "broken", DUEL.replace("move arena to deck", "move arena to dekc")))
    assert code == 1
    assert "dekc" in err and "did you mean `deck`" in err


def test_a_fault_in_play_is_a_finding_with_its_seed(piped: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "faulty", DUEL.replace("let best = max(c.force for c in arena)", "let best = 1 / (goal - 2)"))
    code, _, err = piped("play", path, "--humans", "0", "--players", "2", "--seed", "5")
    assert code == 1
    assert "CG10" in err and "seed 5" in err and "faulty.cardgame:" in err
    assert "Traceback" not in err


def test_a_closed_pipe_is_quiet() -> None:
    shell = f"{' '.join(map(repr, COMMAND))} play dread_draw --humans 0 --seed 3 | head -n 1"
    done = subprocess.run(
        ["sh", "-c", shell], capture_output=True, text=True, env=environment(), cwd=ROOT, timeout=120, check=False
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_an_interruption_is_130() -> None:
    process = subprocess.Popen(
        [*COMMAND, "simulate", "dread_draw", "--games", "1000000", "--seed", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=ROOT,
    )  # fmt: skip
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize(("keys", "code"), [(b"\x04", 0), (b"\x03", 130), (b":quit\r", 0)])
def test_at_a_terminal_one_can_leave(keys: bytes, code: int) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "play", "dread_draw", "--seed", "1"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT,
        env=environment(TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1"), start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    while b"where to summon from" not in seen or b"\x1b[?2004h" not in seen[seen.index(b"where to summon from") :]:
        seen += os.read(ours, 4096)
    time.sleep(0.3)
    os.write(ours, keys)
    try:
        while os.read(ours, 4096):
            pass
    except OSError:
        pass
    assert process.wait(timeout=30) == code
    os.close(ours)


# ── check ──


def test_right_rules_are_0(run: Run) -> None:
    assert run("check", "dread_draw") == (0, "No mistakes in 1 file.\n", "")


def test_mistakes_are_1_and_shown_with_their_place(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "broken", DUEL.replace("move arena to deck", "move arena to dekc").replace(">= goal", ">= gaol"))
    code, out, err = run("check", path)
    assert (code, err) == (1, "")
    assert f"{path}:{line_of(path, 'dekc')}:19" in out
    assert f"{path}:{line_of(path, 'gaol')}:50" in out
    assert out.rstrip().splitlines()[-1].endswith("in 1 file.")
    code, out, _ = run("check", path, "--format", "concise")
    assert code == 1
    assert all(line.startswith(f"{path}:") for line in out.splitlines())
    code, out, _ = run("check", path, "--format", "github")
    assert code == 1
    assert all(line.startswith(f"::error file={path},line=") for line in out.splitlines())


def test_a_folder_is_searched(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "good", DUEL)
    write(tmp_path, "bad", "game")
    code, out, _ = run("check", tmp_path, "--format", "json")
    found = json.loads(out)
    assert code == 1
    assert found["files"] == 2
    assert {finding["filename"] for finding in found["findings"]} == {str(tmp_path / "bad.cardgame")}
    assert {finding["url"] for finding in found["findings"]} == {"docs/errors/CG0112.md"}
    (tmp_path / "empty").mkdir()
    assert run("check", tmp_path / "empty")[0] == 2


def test_bytes_that_are_not_utf8_are_1_with_a_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bytes.cardgame"
    path.write_bytes(b'game "G" for 2 players\n\xff\n')
    code, out, _ = run("check", path, "--format", "json")
    assert code == 1
    (finding,) = json.loads(out)["findings"]
    assert (finding["code"], finding["location"]) == ("CG0140", {"row": 2, "column": 1})
    assert run("play", path)[0] == 1
    assert run("test", path)[0] == 1


# ── test ──


def test_tests_that_pass_are_0(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "duel", DUEL)
    code, out, _ = run("test", path, "--games", "5", "--seed", "3")
    assert code == 0
    assert out.splitlines()[1] == "  2 tests passed"
    assert "10 random games (5 each for 2 or 3 players)" in out
    assert "1 invariant held; seed 3" in out


def test_a_failing_test_is_1_and_shown_with_its_values(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "duel", DUEL.replace("expect total[P1] is 1", "expect total[P1] is 2"))
    code, out, _ = run("test", path, "--games", "0")
    assert code == 1
    assert 'test "the higher one takes a point" failed' in out
    assert f"{path}:{line_of(path, 'is 2 and')}:12" in out
    assert "`total[P1]` is 1" in out
    assert "1 of 2 tests failed" in out


def test_a_broken_invariant_is_found_and_told(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "duel", DUEL.replace("total[p] > 10", "total[p] > 1"))
    code, out, _ = run("test", path, "--seed", "1")
    assert code == 1
    assert "the invariant “nobody has more than ten points” does not hold (after" in out
    assert f"{path}:{line_of(path, 'p] > 1)')}: not any(p in players where total[p] > 1)" in out


def test_rules_that_cannot_be_used_are_not_tested(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("test", write(tmp_path, "bad", "game"))
    assert code == 1
    assert "cannot be tested before this is mended" in out


# ── simulate and games ──


def test_simulate_prints_one_json_object(run: Run) -> None:
    code, out, err = run("simulate", "dread_draw", "--games", "30", "--players", "3", "--seed", "1", "--format", "json")
    figures = json.loads(out)
    assert (code, err) == (0, "")
    assert (figures["game"], figures["players"], figures["games"], figures["finished"], figures["seed"]) == (
        "dread_draw",
        3,
        30,
        30,
        1,
    )
    assert len(figures["wins"]) == 3
    assert sum(figures["wins"]) == pytest.approx(figures["finished"] - figures["no_winner"])
    assert figures["decisions"]["min"] <= figures["decisions"]["mean"] <= figures["decisions"]["max"]
    assert figures["seconds"] >= 0 and figures["decisions_per_second"] > 0


def test_simulate_repeats_with_its_seed(run: Run) -> None:
    def figures(seed: int) -> dict[str, object]:
        found = json.loads(run("simulate", "dread_draw", "--games", "20", "--seed", seed, "--format", "json")[1])
        return {key: value for key, value in found.items() if key not in ("seconds", "decisions_per_second")}

    assert figures(1) == figures(1)
    assert figures(1)["wins"] != figures(2)["wins"] or figures(1)["decisions"] != figures(2)["decisions"]


def test_simulate_prints_a_table(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("simulate", write(tmp_path, "duel", DUEL), "--games", "10", "--seed", "1", "--players", "2")
    assert code == 0
    assert "Duel: 10 games, 2 players, seed 1" in out
    assert "decisions a game:" in out and "P2" in out


def test_games_lists_what_is_shipped(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "dread_draw" in out and "2–6 players" in out
    assert re.search(
        r"^Examples: tutorial   rulesrun examples/tutorial/NAME.cardgame\n  01_one_card +2–4 players", out, re.MULTILINE
    )
    assert "10_deep_water            varies pearls" in out
    assert all(line == line.rstrip() and len(line) <= 80 for line in out.splitlines())


def test_games_lists_those_of_the_current_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "my_duel", DUEL)
    write(tmp_path, "broken", "gaem")
    (tmp_path / "tools.cardgame").write_text('module "Tools"\n', encoding="utf-8")
    out = run("games")[1]
    assert "\nGames in this folder   rulesrun NAME\n  my_duel  2–3 players  Everybody shows a card.\n\n" in out


def test_an_explanation_is_the_page_as_wide_as_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = run("explain", "CG0116")
    page = (ROOT / "docs" / "errors" / "CG0116.md").read_text(encoding="utf-8")
    assert "    define ripe(c: Crop) = c.value > 3 and c.fruit is Plum" in out.splitlines()
    prose = [line for line in out.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) <= 60
    assert " ".join(" ".join(prose).split()) == " ".join(re.sub(r"```.*?```", "", page[2:], flags=re.DOTALL).split())
