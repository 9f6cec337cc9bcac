"""Programs that nobody wrote: read, formatted, checked, played, saved; and real files that are broken."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from dsl import ast
from dsl.diagnostics import Report, RulesError
from dsl.parse import read
from dsl.source import Source
from dsl.walk_ast import nodes
from rulesrun.locate import Library
from rulesrun.strategies import Program, mutated, programs
from tests.fuzz.commands import commands_end_well
from tests.fuzz.jobs import REAL, program_of
from tests.fuzz.properties import Tally, holds_of_program, holds_of_text

RELAXED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 1000)
UNDRAWN = {"GivenChance", "Comment", "TestsHeader"}
"""forms that are not drawn"""


@settings(RELAXED, max_examples=12)
@given(programs(), SEEDS)
def test_generated_programs(program: Program, seed: int) -> None:
    holds_of_program(program, seed, Tally())


@settings(RELAXED, max_examples=4)
@given(programs())
def test_commands_on_generated_programs(tmp_path_factory: pytest.TempPathFactory, program: Program) -> None:
    commands_end_well(program, tmp_path_factory.mktemp("files"), Tally())


@settings(RELAXED, max_examples=25)
@given(st.sampled_from(REAL), SEEDS, st.data())
def test_real_files_that_are_broken(path: object, seed: int, data: st.DataObject) -> None:
    library = Library()
    source = library.open(path)  # type: ignore[arg-type]
    text = data.draw(mutated(source.text))
    holds_of_text(Source(source.path, text), library, seed, Tally())


def test_nearly_all_programs_have_no_errors() -> None:
    refused = 0
    for seed in range(60):
        try:
            program_of(seed).load()
        except RulesError:
            refused += 1
    assert refused <= 3


def test_programs_use_most_of_the_language() -> None:
    forms = {cls.__name__ for cls in vars(ast).values() if isinstance(cls, type) and attrs.has(cls)}
    forms -= {"Node", "Declaration", "Source", "Span", *UNDRAWN}
    met: set[str] = set()
    for seed in range(400):
        for source in program_of(seed).sources:
            file = read(source, Report())
            assert file is not None
            met |= {type(node).__name__ for node in nodes(file)}
        if forms <= met:
            break
    assert forms - met == set()


def test_a_program_that_fails_shrinks_to_a_few_lines() -> None:
    """The planted failure: an ending with `after`."""

    def fails(program: Program) -> bool:
        file = read(program.source, Report())
        return file is not None and any(isinstance(node, ast.Ending) and node.after for node in nodes(file))

    found = find(programs(), fails, settings=settings(RELAXED, max_examples=400, phases=[Phase.generate, Phase.shrink]))
    lines = [line for line in str(found).split("\n") if line]
    assert len(lines) <= 25, found
