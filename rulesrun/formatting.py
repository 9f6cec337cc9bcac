"""`rulesrun fmt`: rules files in the one layout there is."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dsl.source import Source

STDIN = "-"


@click.command(short_help="Format rules files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Write nothing; the exit code is 1 if a file is not formatted.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Format rules files, or all rules files of a folder: indentation, gaps, tables, columns.

    What a file says stays the same, and its remarks stay. `-` reads from standard input and writes to standard output."""
    return Formatting(check, diff).run(paths)


class Formatting:
    """One run over some files; `code` is the exit code so far, the gravest thing that happened."""

    def __init__(self, check: bool, diff: bool) -> None:
        self.check, self.diff = check, diff
        self.code = self.files = self.changed = 0

    def run(self, paths: tuple[str, ...]) -> int:
        from dsl.grammar import grammar
        from rulesrun.locate import cache_folder

        grammar(cache_folder())
        for path in self.wanted(paths):
            self.one(path)
        if self.files:
            click.echo(self.summary(), err=self.diff)
        return self.code

    def wanted(self, paths: tuple[str, ...]) -> Iterator[Path | None]:
        """The files that are meant; None for standard input. Raises `NotFound` for a folder without any."""
        from rulesrun.locate import NotFound, files_in

        for text in paths:
            found = [None] if text == STDIN else files_in(Path(text))
            if not found:
                raise NotFound(f"{text}: no rules file (*.cardgame) in this folder")
            yield from found

    def one(self, path: Path | None) -> None:
        """Format a file, or show what would change in it."""
        from dsl.diagnostics import Report, RulesError
        from dsl.format import Altered, formatted
        from rulesrun.locate import NotFound, decoded, read
        from rulesrun.reporting import print_diagnostics

        report = Report()
        try:
            source = decoded("<stdin>", sys.stdin.buffer.read()) if path is None else read(path, str(path))
            text = formatted(source, report)
        except NotFound as problem:
            self.failed(2, f"rulesrun: {problem}")
            return
        except RulesError as problem:
            text, report.found = None, problem.diagnostics
        except Altered:
            self.failed(70, f"rulesrun: {path or STDIN} is left as it is: formatting it would change what it says.")
            self.failed(70, "This is a fault of rulesrun. Please report it with the rules file.")
            return
        if text is None:
            print_diagnostics(report, sys.stderr)
            self.failed(1, f"rulesrun: {path or 'this'} cannot be formatted before that is mended.")
            return
        self.done(path, source, text)

    def done(self, path: Path | None, source: Source, text: str) -> None:
        differs = text != source.text
        self.files += path is not None
        self.changed += path is not None and differs
        if differs and self.check:
            self.code = max(self.code, 1)
        if self.diff:
            self.show(source, text)
        elif path is None and not self.check:
            sys.stdout.write(text)
        elif differs and self.check:
            print(f"{source.path} is not formatted.")
        elif differs and path is not None:
            self.write(path, text)

    def write(self, path: Path, text: str) -> None:
        from rulesrun.writing import replace_file

        try:
            with path.open("rb") as file:
                windows = file.readline().endswith(b"\r\n")
            replace_file(path, (text.replace("\n", "\r\n") if windows else text).encode("utf-8"))
        except OSError as problem:
            self.files -= 1
            self.changed -= 1
            self.failed(2, f"rulesrun: {path} cannot be written ({problem.strerror or problem})")

    def show(self, source: Source, text: str) -> None:
        from rulesrun.reporting import wants_colour

        colour = wants_colour(sys.stdout)
        before, after = source.text.splitlines(), text.splitlines()
        for line in difflib.unified_diff(before, after, source.path, source.path + " (formatted)", lineterm=""):
            kind = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            print(click.style(line, fg=kind) if colour and kind else line)

    def failed(self, code: int, text: str) -> None:
        self.code = max(self.code, code)
        click.echo(text, err=True)

    def summary(self) -> str:
        """What was done, or would be."""
        left = self.files - self.changed
        if not self.changed:
            return f"{_many(left)} formatted already."
        would = "would be " if self.check or self.diff else ""
        return f"{_many(self.changed)} {would}formatted" + (
            f"; {_many(left)} left as {'it is' if left == 1 else 'they are'}." if left else "."
        )


def _many(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"
