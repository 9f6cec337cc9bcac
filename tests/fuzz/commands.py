"""The commands on rules files that nobody wrote: whatever they say, they end with an exit code, and never with a traceback."""

from __future__ import annotations

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from rulesrun import cli
from rulesrun.locate import SUFFIX
from rulesrun.strategies import Program
from rulesrun.strategies.programs_files import GAME, VARIANT
from tests.fuzz.properties import Tally

COMMANDS: dict[str, list[str]] = {
    "check": ["check", "."],
    "check as JSON": ["check", ".", "--format", "json"],
    "fmt": ["fmt", "--diff", "."],
    "test": ["test", ".", "--games", "2", "--seed", "1"],
    "rules": ["rules", GAME + SUFFIX],
    "variants": ["variants", GAME + SUFFIX],
    "play": ["play", GAME + SUFFIX, "--humans", "0", "--seed", "1"],
    "simulate": ["simulate", GAME + SUFFIX, "--games", "3", "--seed", "1"],
    "coverage": ["test", GAME + SUFFIX, "--coverage", "--games", "2", "--seed", "1"],
}
OF_VARIANTS: dict[str, list[str]] = {
    "diff": ["diff", GAME + SUFFIX, VARIANT + SUFFIX],
    "rules of the variant": ["rules", GAME + SUFFIX, "--variant", VARIANT + SUFFIX],
}


def commands_end_well(program: Program, folder: Path, tally: Tally) -> None:
    """All commands, run in a folder with the files of a program."""
    for name, text in program.texts.items():
        (folder / (name + SUFFIX)).write_text(text, encoding="utf-8")
    before = os.getcwd()
    os.chdir(folder)
    try:
        commands = {**COMMANDS, **OF_VARIANTS} if program.has_variant else COMMANDS
        for name, arguments in commands.items():
            out, err = StringIO(), StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                code = cli.run(arguments)
            assert code in (0, 1, 2), f"{name}: exit code {code}"
            assert "Traceback" not in out.getvalue() + err.getvalue(), name
            tally.add("commands")
    finally:
        os.chdir(before)
