"""What came of the mutants: who survived, by line, and how many the tests killed."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from dsl.mutation import Mutant, one_line
from dsl.render import visible
from dsl.source import Source
from rulesrun.mutation.bench import Verdict


@define
class Judged:
    """The mutants of a file and what became of them, in text order. `listed` are known to change nothing, and were not tried unless
    asked for; `unknown` are in the list, but there are no such mutants. `all`: how many there are, if only some were tried."""

    source: Source
    tests: int
    games: int
    seed: int
    all: int
    verdicts: list[tuple[Mutant, Verdict]] = Factory(list)
    listed: list[tuple[Mutant, str]] = Factory(list)
    unknown: list[str] = Factory(list)
    wrongly_listed: list[tuple[Mutant, Verdict]] = Factory(list)
    seconds: float = 0

    @property
    def killed(self) -> int:
        return sum(verdict.killed_by is not None for _, verdict in self.verdicts)

    @property
    def survivors(self) -> list[tuple[Mutant, Verdict]]:
        return [(mutant, verdict) for mutant, verdict in self.verdicts if verdict.killed_by is None]

    @property
    def tried(self) -> int:
        return len(self.verdicts) + len(self.listed)

    @property
    def score(self) -> float:
        """How many of those that are not listed were killed, in percent; 100 if there are none."""
        return 100 * self.killed / len(self.verdicts) if self.verdicts else 100.0

    @property
    def raw(self) -> float:
        """How many of all were killed, in percent."""
        return 100 * self.killed / self.tried if self.tried else 100.0


def place(mutant: Mutant) -> str:
    return f"{mutant.span.source.path}:{mutant.span.line}"


def shown(mutant: Mutant) -> str:
    """What is changed, as a person reads it."""
    return visible(f"{mutant.was}  →  {one_line(mutant.becomes)}")


def lines(judged: Judged) -> list[str]:
    made = [judged.source.path]
    if judged.survivors:
        made += ["", "  survived:"]
        for mutant, verdict in judged.survivors:
            note = "" if verdict.covered else "   (no test runs it)"
            made.append(f"  {place(mutant)}  {visible(mutant.id)}{note}")
    if judged.listed:
        made += ["", f"  listed as changing nothing: {len(judged.listed)}"]
        made += [f"  {place(mutant)}  {visible(mutant.id)}\n      {visible(reason)}" for mutant, reason in judged.listed]
    made += [""] * bool(judged.unknown or judged.wrongly_listed)
    made += [f"  listed, but there is no such mutant: {visible(one)}" for one in judged.unknown]
    for mutant, verdict in judged.wrongly_listed:
        made.append(f"  listed, but {visible(str(verdict.killed_by))} notices it: {visible(mutant.id)}")
    return [*made, "", *totals(judged)]


def totals(judged: Judged) -> list[str]:
    if not judged.tried:
        return ["  there is nothing in it to change"]
    of_all = f" (of {judged.all})" if judged.all > judged.tried else ""
    made = [
        f"  {judged.tried} mutants{of_all}: {judged.killed} killed ({judged.raw:.1f} %), "
        f"{len(judged.survivors)} survived, {len(judged.listed)} listed"
    ]
    if judged.listed:
        made.append(f"  of the {len(judged.verdicts)} that are not listed {judged.score:.1f} % were killed")
    made.append(f"  {judged.tests} tests, {judged.games} random games, seed {judged.seed}; {judged.seconds:.0f} seconds")
    return made


def as_json(judged: Judged) -> dict[str, Any]:
    def one(mutant: Mutant, **more: Any) -> dict[str, Any]:
        return {
            "id": mutant.id, "operator": mutant.operator, "in": mutant.where, "line": mutant.span.line, "column": mutant.span.column,
            "was": mutant.was, "becomes": one_line(mutant.becomes), **more,
        }  # fmt: skip

    return {
        "file": judged.source.path,
        "tests": judged.tests,
        "games": judged.games,
        "seed": judged.seed,
        "all": judged.all,
        "killed": judged.killed,
        "survived": len(judged.survivors),
        "raw": round(judged.raw, 2),
        "score": round(judged.score, 2),
        "seconds": round(judged.seconds, 1),
        "mutants": [
            one(mutant, killed_by=verdict.killed_by, tests=verdict.tests, covered=verdict.covered)
            for mutant, verdict in judged.verdicts
        ],
        "listed": [one(mutant, reason=reason) for mutant, reason in judged.listed],
        "listed_but_unknown": judged.unknown,
        "listed_but_killed": [one(mutant, killed_by=verdict.killed_by) for mutant, verdict in judged.wrongly_listed],
    }
