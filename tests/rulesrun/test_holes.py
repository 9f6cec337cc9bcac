"""Rules with a hole in them: `rulesrun test` finds each, and shows it with no more choices than the shortest play that is known.

The files of `tests/holes/` say in remarks what is wrong (`#! words that are printed`) and with how many choices (`#! choices 2: …`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.source import Source
from interpreter import play, scenario
from rulesrun.cli import run
from rulesrun.locate import Library
from rulesrun.testing.command import test_paths as run_files
from rulesrun.testing.hunting import game_of, hunt
from rulesrun.testing.shrinking import shrink
from rulesrun.testing.telling import test_block as block_of
from rulesrun.testing.telling import told
from rulesrun.testing.trials import Tester

HOLES = sorted((Path(__file__).parents[1] / "holes").glob("*.cardgame"))
SAYS = re.compile(r"^#! (?:choices (?P<choices>\d+): )?(?P<words>.*)$", re.MULTILINE)
by_hole = pytest.mark.parametrize("path", HOLES, ids=lambda path: path.stem)


def test_there_are_more_than_ten_holes() -> None:
    assert len(HOLES) > 10


@by_hole
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hole_is_found_and_shrunk(path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    code = run_files((str(path),), 20, seed)
    out = capsys.readouterr().out
    says = list(SAYS.finditer(path.read_text("utf-8")))
    assert says
    for line in says:
        assert line["words"] in out
        if line["choices"] is not None:
            assert f"(after {line['choices']} choice" in out
            assert code == 1


AFTER_CHOICES = [path for path in HOLES if "#! choices" in path.read_text("utf-8")]
AT_ONCE = [path for path in HOLES if "(before any choice" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", [*AFTER_CHOICES, *AT_ONCE], ids=lambda path: path.stem)
def test_the_test_that_is_printed_fails_in_the_same_way(path: Path, tmp_path: Path) -> None:
    """And the file with it has no other mistake."""
    library = Library()
    source = library.open(path)
    game = game_of(source, library)
    found = hunt(game, 20, 1).found
    assert found is not None
    shortest = shrink(Tester(game.compiled), found.play, found.trouble)
    one = told(game, source.path, type(found)(found.trouble, shortest))
    text = source.text + "\n" + "\n".join(one.test) + "\n"
    (tmp_path / path.name).write_text(text, "utf-8")
    again = game_of(Source(str(tmp_path / path.name), text), library)
    outcomes = [scenario.run(play.Rules(again.rules), test) for test in again.rules.tests]
    assert len(outcomes) == 1
    failure = outcomes[0].failure
    assert failure is not None
    if found.trouble.broken is not None and found.trouble.broken.kind == "end":
        assert failure.title.startswith("this does not hold")
    else:
        assert failure.title == found.trouble.title


@pytest.mark.parametrize("path", AFTER_CHOICES, ids=lambda path: path.stem)
def test_the_command_that_is_printed_replays_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_files((str(path),), 20, 1) == 1
    line = next(line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("rulesrun replay "))
    choices = line.split()[-1].split(",")
    code = run(line.split()[1:])
    out, err = capsys.readouterr()
    assert code == 1
    stopped = "rulesrun explain CG" in out + err
    assert f"{len(choices) - stopped} choices" in out
    assert stopped or "does not hold:" in out


@pytest.mark.parametrize("path", AT_ONCE, ids=lambda path: path.stem)
def test_the_command_tells_of_what_stops_at_once(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(path), "--players", "2", "--seed", "0", "--choices", "none"]) == 1
    _, err = capsys.readouterr()
    assert "before any choice" in err and "fault of rulesrun" not in err


def test_a_block_is_nothing_where_a_test_can_see_nothing() -> None:
    path = next(path for path in HOLES if path.stem == "no_end")
    library = Library()
    game = game_of(library.open(path), library)
    found = hunt(game, 1, 1).found
    assert found is not None and list(block_of(game, found, [], None)) == []
