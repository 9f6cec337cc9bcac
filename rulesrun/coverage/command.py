"""`rulesrun test --coverage`: measure each file, and say what came of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from attrs import frozen

from dsl.diagnostics import RulesError
from rulesrun.checking import wanted_files
from rulesrun.coverage.measuring import Coverage, measure
from rulesrun.coverage.page import page
from rulesrun.coverage.report import as_json, source_with_marks, summary, together
from rulesrun.reporting import print_diagnostics
from rulesrun.testing.blocks import is_module
from rulesrun.writing import replace_file


@frozen
class Wanted:
    """How coverage is told, and how much of it is enough: `least` in percent, None for any. `html` and `data` are files to write."""

    marks: bool = False
    least: float | None = None
    html: str | None = None
    data: str | None = None


def cover_paths(paths: tuple[str, ...], games: int, seed: int, wanted: Wanted) -> int:
    """Print the coverage of each file that is no module; 1 if one is below what is wanted or cannot be used, else 0. Raises `NotFound`."""
    measured: list[Coverage] = []
    worst = 0
    for library, path, name in wanted_files(paths):
        source = library.open(path, name) if isinstance(path, Path) else path
        if is_module(source):
            continue
        try:
            coverage = measure(source, library, games, seed)
        except RulesError as problem:
            print_diagnostics(problem.diagnostics, sys.stdout)
            worst = 1
            continue
        measured.append(coverage)
        print("\n".join(summary(coverage)))
        if wanted.marks:
            for own in coverage.paths():
                print(f"\n  {own}\n")
                print("\n".join(source_with_marks(coverage, coverage.sources.get(own, coverage.source))))
        if wanted.least is not None and coverage.percent() < wanted.least:
            print(f"\n  {coverage.percent():.1f} % of {source.path} is covered: less than the {wanted.least:g} % that are wanted")
            worst = 1
    both = together(measured)
    if both:
        print("\n" + "\n".join(both))
    if wanted.html is not None:
        write(wanted.html, page(measured))
    if wanted.data is not None:
        write(wanted.data, json.dumps([as_json(coverage) for coverage in measured], indent=2, ensure_ascii=False) + "\n")
    return worst


def write(path: str, text: str) -> None:
    """Raises `click.UsageError` if the file cannot be written."""
    try:
        replace_file(Path(path), text.encode("utf-8"))
    except OSError as problem:
        raise click.UsageError(f"{path} cannot be written: {problem.strerror or problem}.") from None
    click.echo(f"written: {path}", err=True)
