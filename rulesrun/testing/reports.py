"""What was tested, as data: JSON for programs, JUnit XML for build servers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from attrs import Factory, define

from dsl.render import as_json, render
from interpreter.scenario import Outcome
from rulesrun.testing.hunting import Hunt
from rulesrun.testing.telling import Told, lines
from rulesrun.writing import replace_file


@define
class Tested:
    """One file: how its tests went, and what random games came to. `broken`: why it cannot be tested."""

    path: str
    outcomes: list[Outcome] = Factory(list)
    hunt: Hunt | None = None
    told: Told | None = None
    never: list[str] = Factory(list)
    """`sometimes` properties that were never true"""
    overridden: list[str] = Factory(list)
    """tests of its base that do not hold with a variant"""
    broken: str | None = None
    passed: bool = True


def to_json(tested: Sequence[Tested], seed: int) -> str:
    return json.dumps(
        {"seed": seed, "passed": all(one.passed for one in tested), "files": list(map(_file, tested))}, indent=2, ensure_ascii=False
    )


def _file(one: Tested) -> dict[str, object]:
    tests = [
        {
            "name": o.test,
            "line": o.span.line,
            "passed": o.passed,
            **({"failure": as_json(o.failure)} if o.failure is not None else {}),
        }
        for o in one.outcomes
    ]
    made: dict[str, object] = {"path": one.path, "passed": one.passed, "tests": tests, "overridden": one.overridden}
    if one.broken is not None:
        made["error"] = one.broken
    if one.hunt is not None:
        play: dict[str, object] = {"games": one.hunt.games, "decisions": one.hunt.decisions, "never": one.never}
        if one.hunt.found is not None and one.told is not None:
            found = one.hunt.found
            play["found"] = {
                "what": found.trouble.title,
                "values": found.trouble.broken.values if found.trouble.broken is not None else None,
                "line": found.trouble.span.line if found.trouble.span is not None else None,
                "players": found.play.players,
                "seed": found.play.seed,
                "choices": list(found.play.choices),
                "test": "\n".join(one.told.test),
                "command": one.told.command,
            }
        made["random"] = play
    return made


def write_junit(tested: Sequence[Tested], path: Path) -> None:
    """Raises `OSError`."""
    root = ElementTree.Element("testsuites")
    for one in tested:
        suite = ElementTree.SubElement(root, "testsuite", name=one.path)
        failures = 0
        for outcome in one.outcomes:
            case = ElementTree.SubElement(
                suite, "testcase", classname=one.path, name=outcome.test, file=outcome.span.source.path, line=str(outcome.span.line)
            )
            if outcome.failure is not None:
                failures += 1
                ElementTree.SubElement(case, "failure", message=_plain(outcome.failure.title)).text = _plain(
                    render(outcome.failure)
                )
        if one.hunt is not None:
            case = ElementTree.SubElement(suite, "testcase", classname=one.path, name="random games")
            wrong = [*(lines(one.told) if one.told is not None else ()), *(f"never true: {text}" for text in one.never)]
            if wrong:
                failures += 1
                ElementTree.SubElement(case, "failure", message=_plain(wrong[0])).text = _plain("\n".join(wrong))
        if one.broken is not None:
            ElementTree.SubElement(
                ElementTree.SubElement(suite, "testcase", classname=one.path, name="rules"), "error"
            ).text = _plain(one.broken)
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(failures))
        suite.set("errors", str(int(one.broken is not None)))
    ElementTree.indent(root)
    replace_file(path, ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _plain(text: str) -> str:
    """Without signs that XML cannot hold."""
    return "".join(sign if sign in "\n\t" or sign >= " " else "\N{REPLACEMENT CHARACTER}" for sign in text)
