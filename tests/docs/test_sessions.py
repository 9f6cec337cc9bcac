"""Every recorded session in the documentation, played again: what is shown must be what one gets.

A session is a block of the language `console` whose first line is `$ rulesrun …`; what was typed follows `> `. If its last line
is `…`, it is the beginning of a longer one. To record all sessions anew: `python tests/docs/test_sessions.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```console\n\$ rulesrun (?P<command>[^\n]*)\n(?P<shown>.*?)^```$", re.MULTILINE | re.DOTALL)
GOES_ON = "…\n"


def played(command: str, shown: str) -> str:
    """What this command prints, on a pipe 80 columns wide, given what was typed."""
    typed = "".join(line[2:] + "\n" for line in shown.splitlines() if line.startswith("> "))
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home, "COLUMNS": "80", "NO_COLOR": "1"}
        run = [sys.executable, "-c", "import sys; from rulesrun.cli import main; main(sys.argv[1:])", *shlex.split(command)]
        return subprocess.run(run, input=typed, env=environment, cwd=ROOT, capture_output=True, text=True, encoding="utf-8").stdout


def as_shown(output: str, shown: str) -> str:
    """The part of the output that the page shows: all, or as many lines as it has."""
    if not shown.endswith(GOES_ON):
        return output
    return "".join(output.splitlines(keepends=True)[: shown.count("\n") - 1]) + GOES_ON


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_sessions_are_what_one_gets(page: Path) -> None:
    for session in FENCE.finditer(page.read_text("utf-8")):
        assert as_shown(played(session["command"], session["shown"]), session["shown"]) == session["shown"]


def record(page: Path) -> None:
    def again(session: re.Match[str]) -> str:
        new = as_shown(played(session["command"], session["shown"]), session["shown"])
        return f"```console\n$ rulesrun {session['command']}\n{new}```"

    text = page.read_text("utf-8")
    page.write_text(FENCE.sub(again, text), "utf-8")


if __name__ == "__main__":
    for each in PAGES:
        record(each)
