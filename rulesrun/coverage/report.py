"""What coverage came to: a table for each file and what never ran, the source with marks in its margin, and the same as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from dsl.render import visible
from dsl.source import Source
from interpreter.coverage import SORTS, Item
from rulesrun.coverage.measuring import Coverage

RAN, PARTLY, MISSED, NOTHING = "✓", "~", "✗", " "


@frozen
class Count:
    """Of one sort of things: how many ran, of how many."""

    done: int
    all: int

    @property
    def percent(self) -> float:
        return 100 * self.done / self.all if self.all else 100.0


def counts(coverage: Coverage, items: Iterable[Item]) -> dict[str, Count]:
    """By sort, in the order in which sorts are told; those that are there."""
    made: dict[str, Count] = {}
    for sort in SORTS:
        of_sort = [item for item in items if item.sort == sort]
        if of_sort:
            made[sort] = Count(sum(item.key in coverage.done for item in of_sort), len(of_sort))
    return made


def total(coverage: Coverage, items: list[Item]) -> Count:
    return Count(sum(item.key in coverage.done for item in items), len(items))


def percent(count: Count) -> str:
    """Whole percents, never 100 unless nothing is missing."""
    return f"{int(count.percent)} %"


def summary(coverage: Coverage) -> list[str]:
    """The table of each file, and what never ran, as lines."""
    played = f"{coverage.tests} tests and {coverage.games} random games" if coverage.games else f"{coverage.tests} tests"
    lines = [f"Rule coverage of {coverage.source.path} by {played}:"]
    for path in coverage.paths():
        items = coverage.of_file(path)
        every = total(coverage, items)
        lines += ["", f"  {path}"]
        rows = [(SORTS[sort], count) for sort, count in counts(coverage, items).items()]
        for name, count in [*rows, ("all", every)]:
            lines.append(f"    {name:<16}{count.done:>5} of {count.all:<5}{percent(count):>6}")
        lines += missed(coverage, items)
    return lines


def together(coverages: list[Coverage]) -> list[str]:
    """Of each file that several games have run, such as a module, how much they have run between them, and what none has; as lines."""
    lines: list[str] = []
    shared = Counter(path for coverage in coverages for path in coverage.paths())
    for path in sorted(path for path, times in shared.items() if times > 1):
        whole = Coverage(next(coverage.sources.get(path, coverage.source) for coverage in coverages if path in coverage.paths()))
        for coverage in coverages:
            whole.add(coverage.of_file(path))
            whole.done |= coverage.done
        items = whole.of_file(path)
        every = total(whole, items)
        lines += ["", f"  {path}", f"    by {shared[path]} files{every.done:>10} of {every.all:<5}{percent(every):>6}"]
        lines += missed(whole, items)
    return ["Together:", *lines] if lines else []


def missed(coverage: Coverage, items: list[Item]) -> list[str]:
    """What never ran, by line."""
    left = [item for item in items if item.key not in coverage.done]
    if not left:
        return []
    lines = ["", "    not exercised:"]
    for item in left:
        lines.append(f"    {item.span.line:>5}  {visible(item.what)}: {item.missed}")
    return lines


# ── the source with marks ──


def margin(coverage: Coverage, source: Source) -> list[str]:
    """Of each line of a file a mark: it ran, in part, never, or there is nothing in it that runs."""
    marks = [NOTHING] * len(source.line_starts)
    items = coverage.of_file(source.path)
    texts = [item for item in items if item.extent is not None]
    for item in sorted(texts, key=lambda item: _length(item), reverse=True):
        assert item.extent is not None
        mark = RAN if item.key in coverage.done else MISSED
        last = source.position(max(item.extent.start, item.extent.end - 1))[0]
        for line in range(item.extent.line, last + 1):
            if source.line(line).strip() and not source.line(line).lstrip().startswith("#"):
                marks[line - 1] = mark
    at: dict[int, list[bool]] = {}
    for item in items:
        at.setdefault(item.span.line, []).append(item.key in coverage.done)
    for line, ran in at.items():
        marks[line - 1] = RAN if all(ran) else PARTLY if any(ran) else MISSED
    return marks


def _length(item: Item) -> int:
    assert item.extent is not None
    return item.extent.end - item.extent.start


def source_with_marks(coverage: Coverage, source: Source) -> list[str]:
    """The text of a file with a mark and a number before each line."""
    marks = margin(coverage, source)
    count = len(marks) - (not source.line(len(marks)))
    return [f"  {marks[i]} {i + 1:>5}  {visible(source.line(i + 1))}".rstrip() for i in range(count)]


# ── data ──


def as_json(coverage: Coverage) -> dict[str, Any]:
    return {
        "tests": coverage.tests,
        "games": coverage.games,
        "seed": coverage.seed,
        "percent": round(coverage.percent(), 2),
        "files": [_file(coverage, path) for path in coverage.paths()],
    }


def _file(coverage: Coverage, path: str) -> dict[str, Any]:
    items = coverage.of_file(path)
    every = total(coverage, items)
    return {
        "path": path,
        "done": every.done,
        "all": every.all,
        "percent": round(every.percent, 2),
        "sorts": {sort: {"done": count.done, "all": count.all} for sort, count in counts(coverage, items).items()},
        "missed": [
            {"line": item.span.line, "column": item.span.column, "sort": item.sort, "what": item.what, "missed": item.missed}
            for item in items
            if item.key not in coverage.done
        ],
    }
