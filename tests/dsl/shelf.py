"""Rules files kept in memory, and marks in them that say which finding is expected where.

`#! CG0611` on a line: a finding with this code begins there. `#? CG0611`: such a finding shows that line as another place."""

from __future__ import annotations

import re
from textwrap import dedent

from dsl.diagnostics import Report
from dsl.source import Source

UNUSED = "CG092"
MARK = re.compile(r"#([!?]) (CG\d{4})")


class Shelf:
    """A lookup over texts: `shelf = Shelf(game="…", tools="…")` holds `game.cardgame` and `tools.cardgame`."""

    def __init__(self, **texts: str) -> None:
        self.sources = {name: Source(f"{name}.cardgame", dedent(text).lstrip("\n")) for name, text in texts.items()}

    def __getitem__(self, name: str) -> Source:
        return self.sources[name]

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self.sources.get(name)

    def module(self, name: str, asking: Source | None) -> Source | None:
        return self.sources.get(name)

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return self.sources.get(name)

    def marks(self, sign: str) -> set[tuple[str, int, str]]:
        """The file, line and code of each mark."""
        found = set()
        for source in self.sources.values():
            for number, line in enumerate(source.text.splitlines(), 1):
                found |= {(source.path, number, code) for kind, code in MARK.findall(line) if kind == sign}
        return found

    def expect_marked(self, report: Report) -> None:
        """The findings are those marked, no more and no fewer, and they show the other places marked.

        Small texts leave much unused: findings about that count only where a mark speaks of one."""
        found = {(d.span.source.path, d.span.line, d.code) for d in report}
        marked = self.marks("!")
        if not any(code.startswith(UNUSED) for *_, code in marked):
            found = {finding for finding in found if not finding[2].startswith(UNUSED)}
        assert found == marked, list(report)
        shown = {(other.span.source.path, other.span.line, d.code) for d in report for other in d.others}
        assert self.marks("?") <= shown, list(report)
