"""Colours for rules files, in Pygments and in editors: the words are those of the grammar, and in their places."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Error, Keyword, Name, Operator, String

from dsl import words
from dsl.grammar import grammar
from rulesrun import highlight
from rulesrun.highlight import CardgameLexer, ansi

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("games", "stdlib", "examples", "tests/interpreter", "tests/stdlib", "tests/lints", "tests/corpus")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cardgame"))
EDITORS = ROOT / "editors"

by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))


def lexed(text: str) -> dict[int, tuple[Any, str]]:
    return {at: (kind, value) for at, kind, value in CardgameLexer(stripnl=False, ensurenl=False).get_tokens_unprocessed(text)}


def read_by_the_parser(text: str) -> list[tuple[int, str, bool]]:
    """The words of a file, each with its place and whether it is a keyword there."""
    tokens = grammar().lark.parse_interactive(text, start="start").iter_parse()
    return [(token.start_pos, str(token), token.type != "NAME") for token in tokens if token[:1].isalpha()]


# ── the words ──


def test_the_words_are_those_of_the_grammar() -> None:
    fixed = {word for word in grammar().fixed if word[0].isalpha()}
    assert fixed == highlight.KEYWORDS
    assert {*highlight.RESERVED, *highlight.CONDITIONS, *highlight.CONSTANTS} == grammar().reserved


def test_built_in_names_are_those_of_the_checker() -> None:
    from dsl.check.scope import BUILT_IN

    assert set(BUILT_IN) == {*highlight.TYPES, *highlight.VALUES, *highlight.FUNCTIONS}


# ── Pygments ──


@by_file
def test_what_the_parser_takes_for_a_keyword_looks_like_one(path: Path) -> None:
    text = path.read_text("utf-8")
    found = lexed(text)
    wrong = []
    for at, word, keyword in read_by_the_parser(text):
        kind = found[at][0] if at in found else None
        shown = kind in Keyword or kind in Operator.Word if kind else None
        if shown is not keyword and not (kind is Keyword.Type and not keyword):
            wrong.append((text.count("\n", 0, at) + 1, word, kind))
    assert wrong == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.cardgame")), ids=lambda path: path.stem)
def test_nothing_is_lost_and_nothing_is_an_error(path: Path) -> None:
    text = path.read_text("utf-8")
    tokens = list(CardgameLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert Error not in {kind for kind, _ in tokens}


def test_names_holes_and_comments() -> None:
    found = {
        value: kind
        for kind, value in CardgameLexer().get_tokens('rule row(p: player):\n    p may "a {row[p]} \\" {{": end row  # no\n')
    }
    assert found["row"] is Name
    assert found["player"] is Keyword.Type
    assert found["{"] is String.Interpol and found["{{"] is String.Escape
    assert found["# no"] is not Keyword


def test_on_a_terminal_the_text_stays_the_same() -> None:
    text = (ROOT / "games" / "dread_draw.cardgame").read_text("utf-8")
    shown = ansi(text)
    assert "\x1b[" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == text


# ── editors ──


def test_the_files_for_editors_are_as_they_are_made() -> None:
    made = runpy.run_path(str(EDITORS / "make.py"), run_name="make")
    for name, make in made["FILES"].items():
        assert (EDITORS / name).read_text("utf-8") == made["text"](make), "python editors/make.py makes them anew"


def test_every_file_of_the_extension_is_there() -> None:
    folder = EDITORS / "vscode"
    manifest = json.loads((folder / "package.json").read_text("utf-8"))["contributes"]
    named = [manifest["languages"][0]["configuration"], manifest["grammars"][0]["path"], manifest["snippets"][0]["path"]]
    assert all(json.loads((folder / name).read_text("utf-8")) for name in named)


@by_file
def test_the_textmate_grammar_sees_the_same_keywords(path: Path) -> None:
    text = path.read_text("utf-8")
    scopes = TextMate().scopes(text)
    wrong = []
    for at, word, keyword in read_by_the_parser(text):
        scope = scopes.get(at, "")
        if scope.startswith(("keyword", "storage", "constant.language")) is not keyword and not (
            keyword and scope == "support.type.cardgame"
        ):
            wrong.append((text.count("\n", 0, at) + 1, word, scope))
    assert wrong == []


class TextMate:
    """As much of an editor as our grammar needs: the leftmost pattern wins, the first of several; captures name parts of a match."""

    def __init__(self) -> None:
        self.grammar = json.loads((EDITORS / "vscode" / "syntaxes" / "cardgame.tmLanguage.json").read_text("utf-8"))

    def patterns(self, listed: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for pattern in listed:
            if "include" not in pattern:
                yield pattern
                continue
            named = self.grammar["repository"][pattern["include"].removeprefix("#")]
            yield from self.patterns(named["patterns"]) if "begin" not in named else iter([named])

    def scopes(self, text: str) -> dict[int, str]:
        """The scope of each piece by where it begins."""
        found: dict[int, str] = {}
        start = 0
        for line in text.split("\n"):
            self.line(line, start, found)
            start += len(line) + 1
        return found

    def line(self, line: str, start: int, found: dict[int, str]) -> None:
        open_: list[dict[str, Any]] = [self.grammar]
        at = 0
        while at <= len(line):
            best = None
            candidates = [
                (re.compile(p.get("match") or p["begin"]).search(line, at), p) for p in self.patterns(open_[-1]["patterns"])
            ]
            if len(open_) > 1:
                candidates.insert(0, (re.compile(open_[-1]["end"]).search(line, at), {"end": True}))
            for match, pattern in candidates:
                if match is not None and (best is None or match.start() < best[0].start()):
                    best = (match, pattern)
            if best is None:
                return
            match, pattern = best
            at = match.end()
            if "end" in pattern and "begin" not in pattern:
                open_.pop()
                if match.end() == match.start() == len(line):
                    return
            elif "begin" in pattern:
                open_.append(pattern)
            else:
                if "name" in pattern:
                    found[start + match.start()] = pattern["name"]
                for group, scope in pattern.get("captures", {}).items():
                    if match[int(group)]:
                        found[start + match.start(int(group))] = scope["name"]
                if match.end() == match.start():
                    at += 1


def test_snippets_are_made_of_the_forms_of_the_language() -> None:
    snippets = json.loads((EDITORS / "vscode" / "snippets" / "cardgame.json").read_text("utf-8"))
    assert {"game", "cards", "rule", "define", "test"} <= set(snippets)
    assert all(words.FORMS[name] in snippet["description"] for name, snippet in snippets.items() if name in words.FORMS)
