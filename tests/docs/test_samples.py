"""Every sample of the language in the documentation, checked as its fence says.

```cardgame                a whole file without a finding
```cardgame base NAME      the same, and the fragments that follow on the page are added to it
```cardgame file NAME      the same, and what follows on the page may use it or vary it
```cardgame fragment       declarations, added to the page's base
```cardgame wrong CODE     a whole file, or declarations, with just this error
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from attrs import Factory, define, frozen

from dsl import ast, parse, pipeline
from dsl.codes import CODES
from dsl.diagnostics import Report
from dsl.source import Source
from interpreter import play, scenario

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(path for path in ROOT.glob("docs/**/*.md") if path.parent.name != "errors")])
FENCE = re.compile(r"^```cardgame(?P<says>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
UNUSED = "CG092"
WHOLE = re.compile(r'(game|module|variant|tests) ("|of)')


@define
class Page:
    """The files that a page has shown so far; the shipped games and the standard library are there too."""

    files: dict[str, Source] = Factory(dict)
    base: str = ""

    def game(self, name: str, asking: Source | None) -> Source | None:
        shipped = ROOT / "games" / f"{name}.cardgame"
        return self.files.get(name) or (Source(str(shipped), shipped.read_text("utf-8")) if shipped.is_file() else None)

    def module(self, name: str, asking: Source | None) -> Source | None:
        shipped = ROOT / "stdlib" / f"{name}.cardgame"
        return self.files.get(name) or (Source(str(shipped), shipped.read_text("utf-8")) if shipped.is_file() else None)

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return self.files.get(name)


@frozen
class Sample:
    place: str
    source: Source
    wrong: str | None
    page: Page
    complete: bool
    """a file that stands alone: what is declared in it is used in it"""


def samples_of(path: Path) -> list[Sample]:
    text = path.read_text("utf-8")
    page = Page()
    found = []
    for fence in FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        flavour, _, name = fence["says"].strip().partition(" ")
        assert flavour in ("", "base", "file", "fragment", "wrong"), f"{path}:{line}: {fence['says']}"
        whole = WHOLE.match(fence["text"]) is not None
        assert whole or flavour in ("fragment", "wrong"), f"{path}:{line}: not a whole file"
        own = name if flavour in ("base", "file") else "sample"
        source = Source(f"{own}.cardgame", fence["text"] if whole else page.base + "\n" + fence["text"])
        if flavour in ("base", "file"):
            page.files[name] = source
        if flavour == "base":
            page.base = fence["text"]
        found.append(Sample(f"{path.relative_to(ROOT)}:{line}", source, name if flavour == "wrong" else None, page, flavour == ""))
    return found


SAMPLES = [sample for path in PAGES for sample in samples_of(path)]
by_place = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.place)


@by_place
def test_a_sample_is_what_it_says(sample: Sample) -> None:
    findings = [f"{d.code} {d.span} {d.title}" for d in pipeline.check(sample.source, sample.page)]
    if not sample.complete:
        findings = [finding for finding in findings if not finding.startswith(UNUSED)]
    if sample.wrong is None:
        assert findings == []
    else:
        assert sample.wrong in CODES
        assert [finding.split()[0] for finding in findings] == [sample.wrong], findings


@by_place
def test_a_sample_can_be_played_and_its_tests_pass(sample: Sample) -> None:
    file = parse.read(sample.source, Report())
    if sample.wrong is not None or file is None or isinstance(file.header, ast.ModuleHeader):
        return
    base, variants = sample.source, []
    if isinstance(file.header, ast.VariantHeader | ast.TestsHeader):
        found = sample.page.game(file.header.base.id, sample.source)
        assert found is not None
        base, variants = found, [sample.source]
    rules = play.Rules(pipeline.load(base, sample.page, variants))
    tests = [test for test in rules.game.tests if test.span.source is sample.source]  # a variant may break those of its base
    failed = [outcome for outcome in (scenario.run(rules, test) for test in tests) if not outcome.passed]
    assert failed == []
    for players in rules.game.players:
        random = Random(players)
        state = play.start(rules.code(players), players)
        while state.options is not None:
            play.choose(state, random.randrange(len(state.options)))
        assert set(play.winners(state)) <= set(range(players))


def test_there_are_samples_and_each_page_is_read() -> None:
    assert {sample.place.split(":")[0] for sample in SAMPLES} >= {"README.md", "docs/language.md"}


def test_the_game_in_the_readme_is_the_first_example() -> None:
    shown = FENCE.search((ROOT / "README.md").read_text("utf-8"))
    assert shown is not None
    assert shown["text"] == (ROOT / "examples" / "01_sealed_bids.cardgame").read_text("utf-8")
