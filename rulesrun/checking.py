"""`rulesrun check`: every mistake in the rules files one names."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from dsl import pipeline
from dsl.diagnostics import Diagnostic, RulesError, Severity
from dsl.grammar import grammar
from dsl.render import as_json, concise, github
from dsl.source import Source
from rulesrun.locate import Library, NotFound, cache_folder, files_in, is_path
from rulesrun.reporting import print_diagnostics

LINES = {"concise": concise, "github": github}


def check_paths(paths: tuple[str, ...], form: str) -> int:
    """Print the findings; 1 if there is an error among them, 2 if a file cannot be opened, else 0 (warnings alone are fine)."""
    findings: list[Diagnostic] = []
    count = 0
    unreadable = False
    for library, path, name in wanted_files(paths):
        try:
            found = check_file(library, library.open(path, name) if isinstance(path, Path) else path)
        except NotFound as problem:
            click.echo(f"rulesrun: {problem}", err=True)
            unreadable = True
            continue
        except RulesError as problem:
            found = problem.diagnostics
        count += 1
        findings += [finding for finding in found if finding not in findings]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    if form == "json":
        summary = {"files": count, "errors": errors, "warnings": len(findings) - errors}
        print(json.dumps({**summary, "findings": [as_json(finding) for finding in findings]}, indent=2, ensure_ascii=False))
    elif form in LINES:
        for finding in findings:
            print(LINES[form](finding))
    else:
        print_diagnostics(findings, sys.stdout)
        if count:
            print(summary_line(count, errors, len(findings) - errors))
    return 2 if unreadable else 1 if errors else 0


def check_file(library: Library, source: Source) -> list[Diagnostic]:
    """What is wrong with one file, in the order of the text. Raises `NotFound` and `RulesError` for a file it names that cannot be read."""
    grammar(cache_folder())
    return list(pipeline.check(source, library))


def wanted_files(paths: tuple[str, ...]) -> list[tuple[Library, Path | Source, str | None]]:
    """The files behind what a person typed: files, folders, names of shipped games. Raises `NotFound` for an unknown name."""
    wanted: list[tuple[Library, Path | Source, str | None]] = []
    for text in paths:
        path = Path(text)
        library = Library()
        if path.is_dir():
            found = files_in(path)
            if not found:
                raise NotFound(f"{text}: no rules file (*.cardgame) in this folder")
            wanted += [(Library(), file, str(file)) for file in found]
        elif is_path(text) or path.exists():
            wanted.append((library, path, text))
        else:
            wanted.append((library, library.find_game(text), None))
    return wanted


def summary_line(files: int, errors: int, warnings: int) -> str:
    where = "1 file" if files == 1 else f"{files} files"
    if not errors and not warnings:
        return f"No mistakes in {where}."
    parts = [_many(errors, "error")] * bool(errors) + [_many(warnings, "warning")] * bool(warnings)
    return f"{' and '.join(parts)} in {where}."


def _many(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
