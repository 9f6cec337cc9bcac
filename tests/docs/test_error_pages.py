"""The pages of `docs/errors/`: one for each code, whose wrong sample has just this finding, and whose right sample has not.

```cardgame file NAME      a file that the samples after it may use, vary or start
```cardgame wrong          a whole file, or declarations added to the game of the index page
```cardgame right          the same put right
```python wrong, right     run beside these files
```sh wrong, right         a command: `rulesrun play NAME --option … --variant … --preset …`
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from random import Random

import pytest
from attrs import define, field, frozen

import interpreter.state
import rulesrun
from dsl import pipeline
from dsl.codes import CODES
from dsl.diagnostics import RulesError
from dsl.source import Source
from interpreter import play, scenario
from interpreter.faults import Fault

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "errors"
PAGES = sorted(FOLDER.glob("CG*.md"))
FENCE = re.compile(r"^```(?P<language>\w+) ?(?P<says>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
WHOLE = re.compile(r"(game|module|variant|tests)\b")
UNUSED = "CG092"
NO_SAMPLE = {"CG0140", "CG1008", "CG1010"}
"""what no text shows: bytes that are no text, and faults of programs that use the interpreter by themselves"""


@define
class Shelf:
    """The standard library, and the files of a page."""

    files: dict[str, Source] = field(factory=dict)

    def game(self, name: str, asking: Source | None) -> Source | None:
        return self.files.get(name)

    def module(self, name: str, asking: Source | None) -> Source | None:
        shipped = ROOT / "stdlib" / f"{name}.cardgame"
        return self.files.get(name) or (Source(str(shipped), shipped.read_text("utf-8")) if shipped.is_file() else None)

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None:
        return self.files.get(name)


@frozen
class Sample:
    code: str
    language: str
    wrong: bool
    text: str
    shelf: Shelf

    @property
    def source(self) -> Source:
        base = "" if WHOLE.match(self.text) or self.code == "CG0112" else self.shelf.files["orchard"].text + "\n"
        return Source("sample.cardgame", base + self.text)


def base_game() -> str:
    found = FENCE.search((FOLDER / "README.md").read_text("utf-8"))
    assert found is not None
    return found["text"]


def samples_of(path: Path) -> list[Sample]:
    shelf = Shelf({"orchard": Source("orchard.cardgame", base_game())})
    found = []
    for fence in FENCE.finditer(path.read_text("utf-8")):
        flavour, _, name = fence["says"].strip().partition(" ")
        assert flavour in ("wrong", "right", "file"), f"{path}: {fence['says']}"
        if flavour == "file":
            shelf.files[name] = Source(f"{name}.cardgame", fence["text"])
        else:
            found.append(Sample(path.stem, fence["language"], flavour == "wrong", fence["text"], shelf))
    return found


SAMPLES = [sample for path in PAGES for sample in samples_of(path)]


def codes_of(sample: Sample, folder: Path) -> set[str]:
    """The codes of everything wrong with a sample: what checking finds and, if that is nothing, tests and random play."""
    if sample.language != "cardgame":
        return codes_outside(sample, folder)
    own = len(sample.source.text) - len(sample.text)
    findings = list(pipeline.check(sample.source, sample.shelf))
    unused = {d.code for d in findings if d.code.startswith(UNUSED) and d.span.start >= own}
    found = {d.code for d in findings if not d.code.startswith(UNUSED)}
    if sample.code.startswith(UNUSED):
        return found | unused
    return found or (codes_in_play(sample) if sample.code.startswith(("CG0820", "CG10")) else set())


def codes_in_play(sample: Sample) -> set[str]:
    rules = play.Rules(pipeline.load(sample.source, sample.shelf))
    outcomes = [scenario.run(rules, test) for test in rules.game.tests]
    found = {outcome.failure.code for outcome in outcomes if outcome.failure is not None}
    if not rules.game.tests:
        try:
            play.play_out(play.start(rules.code(2), 1), [Random(seat).random for seat in range(2)], 1000)
        except Fault as fault:
            found.add(fault.code)
    return found


def codes_outside(sample: Sample, folder: Path) -> set[str]:
    for source in sample.shelf.files.values():
        (folder / source.path).parent.mkdir(exist_ok=True)
        (folder / source.path).write_text(source.text, "utf-8")
    try:
        if sample.language == "python":
            exec(compile(sample.text, sample.code, "exec"), {"__name__": "sample"})
        else:
            command(sample.text, folder)
    except RulesError as problem:
        return {d.code for d in problem.diagnostics}
    except Fault as fault:
        return {fault.code}
    return set()


def command(text: str, folder: Path) -> None:
    """Load what a command asks for."""
    program, verb, name, *rest = shlex.split(text)
    assert (program, verb) == ("rulesrun", "play")
    given: dict[str, list[str]] = {"--option": [], "--variant": [], "--preset": []}
    for option, value in zip(rest[::2], rest[1::2], strict=True):
        given[option].append(value)
    options = dict(pair.split("=", 1) for pair in given["--option"])
    variants = [str(folder / f"{variant}.cardgame") for variant in given["--variant"]]
    rulesrun.load(folder / f"{name}.cardgame", variants=variants, options=options, preset=next(iter(given["--preset"]), None))


def test_every_code_has_a_page_with_its_title() -> None:
    assert [path.stem for path in PAGES] == sorted(CODES)
    for path in PAGES:
        assert path.read_text("utf-8").split("\n", 1)[0] == f"# {path.stem}: {CODES[path.stem]}"


def test_every_page_shows_what_is_wrong_and_what_is_right() -> None:
    shown = {wrong: {sample.code for sample in SAMPLES if sample.wrong is wrong} for wrong in (True, False)}
    assert shown[True] == shown[False] == set(CODES) - NO_SAMPLE


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.code} {'wrong' if s.wrong else 'right'}")
def test_a_sample_is_what_its_page_says(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (interpreter.state, play, scenario):
        monkeypatch.setattr(module, "STEPS_BETWEEN_DECISIONS", 20_000)  # so that one need not wait for a loop without end
    assert codes_of(sample, tmp_path) == ({sample.code} if sample.wrong else set())


def test_the_game_is_that_of_the_reference() -> None:
    assert f"```cardgame base orchard\n{base_game()}```" in (ROOT / "docs" / "language.md").read_text("utf-8")


def test_the_index_lists_all_pages() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    assert re.findall(r"^- \[(CG\d{4})\]\((.*)\) (.*)$", index, re.MULTILINE) == [
        (code, f"{code}.md", title) for code, title in CODES.items()
    ]
