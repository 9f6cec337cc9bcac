"""Trying the mutants of a file, one after another or on several processors."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from random import Random
from time import perf_counter

import click
from attrs import frozen

from dsl.mutation import Mutant
from dsl.mutation.declarations import DECLARATIONS
from dsl.mutation.operators import OPERATORS
from rulesrun.api import new_seed
from rulesrun.locate import Library
from rulesrun.mutation.bench import Bench, NotGreen, Verdict
from rulesrun.mutation.listed import Listed, listed_beside
from rulesrun.mutation.report import Judged, as_json, lines, place, shown
from rulesrun.reporting import print_diagnostics
from rulesrun.simulate import progress
from rulesrun.testing.blocks import is_module


@frozen
class Wanted:
    """What to try: only in rules of this name, only these operators, so many at random; 0 games for tests alone."""

    only: str | None = None
    operators: tuple[str, ...] = ()
    sample: int | None = None
    games: int = 3
    recheck: bool = False
    """try those that are listed, too"""
    jobs: int = 1
    least: float | None = None
    """percent of those not listed that must be killed"""


def mutate_file(file: str, wanted: Wanted, seed: int | None, listing: bool, form: str) -> int:
    """Print what came of it (or, `listing`, what would be tried); 1 if too little is noticed, if a test or a random game goes
    wrong without any change, or if the list of those that change nothing is wrong, else 0. Raises `click.UsageError`."""
    for name in wanted.operators:
        if name not in {**OPERATORS, **DECLARATIONS}:
            raise click.UsageError(f"there is no kind of change `{name}`: `rulesrun mutate {file} --kinds` lists them.")
    library = Library()
    source = library.find_game(file)
    if is_module(source):
        raise click.UsageError(f"{source.path} is a module: it is tested in the games that use it.")
    used = new_seed() if seed is None else seed
    try:
        bench = Bench.of(source, library, 0 if listing else wanted.games, used)
    except NotGreen as problem:
        if problem.failure is not None:
            print_diagnostics([problem.failure], sys.stderr)
        click.echo(f"rulesrun: {problem} already without any change: mend that first.", err=True)
        return 1
    chosen = choose(bench.mutants, wanted, used)
    if listing:
        print_list(chosen, form)
        return 0
    judged = judge(bench, chosen, wanted, file, listed_beside(source))
    print(json.dumps(as_json(judged), indent=2, ensure_ascii=False) if form == "json" else "\n".join(lines(judged)))
    if judged.wrongly_listed or (judged.unknown and judged.tried == judged.all):
        return 1
    return 1 if wanted.least is not None and judged.score < wanted.least else 0


def described() -> list[str]:
    """Each operator with what it does."""
    both = {**OPERATORS, **DECLARATIONS}
    return [f"{name:<12}  {(function.__doc__ or '').strip()}" for name, function in both.items()]


def choose(mutants: list[Mutant], wanted: Wanted, seed: int) -> list[Mutant]:
    """Raises `click.UsageError` if nothing is left of what was asked for."""
    chosen = [
        mutant
        for mutant in mutants
        if (wanted.only is None or mutant.where.startswith(wanted.only))
        and (not wanted.operators or mutant.operator in wanted.operators)
    ]
    if wanted.only is not None and not chosen:
        raise click.UsageError(f"nothing whose name begins with `{wanted.only}` can be changed.")
    if wanted.sample is not None and wanted.sample < len(chosen):
        numbers = sorted(Random(seed).sample(range(len(chosen)), wanted.sample))
        chosen = [chosen[number] for number in numbers]
    return chosen


def print_list(mutants: list[Mutant], form: str) -> None:
    if form == "json":
        data = [{"id": mutant.id, "operator": mutant.operator, "line": mutant.span.line} for mutant in mutants]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return
    for mutant in mutants:
        print(f"{place(mutant)}  {mutant.operator}: {shown(mutant)}")
    print(f"{len(mutants)} mutants")


def judge(bench: Bench, chosen: list[Mutant], wanted: Wanted, file: str, listed: Listed) -> Judged:
    """Try the mutants."""
    judged = Judged(bench.source, len(bench.ran), bench.games, bench.seed, len(bench.mutants))
    known = {mutant.id for mutant in bench.mutants}
    judged.unknown = [id_ for id_ in listed.reasons if id_ not in known]
    tried = [mutant for mutant in chosen if wanted.recheck or mutant.id not in listed.reasons]
    judged.listed = [(mutant, listed.reasons[mutant.id]) for mutant in chosen if mutant.id in listed.reasons]
    began = perf_counter()
    with progress(len(tried)) as step:
        verdicts = [(mutant, verdict) for mutant, verdict in zip(tried, run(bench, tried, wanted.jobs, file, step), strict=True)]
    judged.seconds = perf_counter() - began
    judged.verdicts = [(mutant, verdict) for mutant, verdict in verdicts if mutant.id not in listed.reasons]
    judged.wrongly_listed = [
        (mutant, verdict) for mutant, verdict in verdicts if mutant.id in listed.reasons and verdict.killed_by is not None
    ]
    return judged


# ── on several processors ──


def run(bench: Bench, mutants: Sequence[Mutant], jobs: int, file: str, step: Callable[[], object]) -> Iterator[Verdict]:
    """The verdicts, in the order of the mutants; each process makes a bench of its own.

    What the bench holds stays to the end, so it is kept from the collector of garbage, which would take a seventh of the time."""
    if jobs == 1 or len(mutants) < 2:
        gc.freeze()
        try:
            for mutant in mutants:
                yield bench.judge(mutant)
                step()
        finally:
            gc.unfreeze()
        return
    numbers = {mutant.key: number for number, mutant in enumerate(bench.mutants)}
    tasks = [(file, bench.games, bench.seed, numbers[mutant.key]) for mutant in mutants]
    with ProcessPoolExecutor(min(jobs, len(mutants)), get_context("spawn")) as pool:
        for verdict in pool.map(judge_one, tasks, chunksize=4):
            yield verdict
            step()


@cache
def bench_of(file: str, games: int, seed: int) -> Bench:
    """The bench of a process, made once."""
    library = Library()
    bench = Bench.of(library.find_game(file), library, games, seed)
    gc.freeze()
    return bench


def judge_one(task: tuple[str, int, int, int]) -> Verdict:
    """In a process: the verdict on a mutant of a file, by its number."""
    file, games, seed, number = task
    bench = bench_of(file, games, seed)
    return bench.judge(bench.mutants[number])
