"""What a name means, and what becomes of files that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rulesrun
from dsl.diagnostics import RulesError
from rulesrun import locate
from rulesrun.locate import Library, NotFound, files_in, is_path, read, shipped_games

BASE = 'game "Base" for 2 players\n'
VARIANT = 'variant "Other" of base\n'


@pytest.fixture
def library() -> Library:
    return Library()


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "expected"), [("dread_draw", False), ("a/b", True), ("b.cardgame", True), ("./b", True)])
def test_a_slash_or_the_suffix_makes_a_path(name: str, expected: bool) -> None:
    assert is_path(name) is expected


def test_a_name_is_looked_for_in_the_current_folder_before_the_shipped_games(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert library.find_game("dread_draw").text.startswith('game "Dread Draw"')
    put(tmp_path / "dread_draw.cardgame", BASE)
    assert Library().find_game("dread_draw").text == BASE


def test_a_file_names_what_lies_beside_it(library: Library, tmp_path: Path) -> None:
    put(tmp_path / "base.cardgame", BASE)
    asking = library.open(put(tmp_path / "mine.cardgame", VARIANT))
    found = library.game("base", asking)
    assert found is not None and found.text == BASE
    put(tmp_path / "cards52.cardgame", 'module "Mine"\n')
    own = library.module("cards52", asking)
    assert own is not None and own.text == 'module "Mine"\n'


def test_a_module_is_looked_for_in_the_standard_library(library: Library) -> None:
    found = library.module("cards52", None)
    assert found is not None and found.text.startswith("module")
    assert library.module("no_such_module", None) is None


def test_the_base_of_a_variant_lies_beside_the_folder_of_variants(library: Library, tmp_path: Path) -> None:
    put(tmp_path / "base.cardgame", BASE)
    variant = library.open(put(tmp_path / "variants" / "base" / "other.cardgame", VARIANT))
    base = library.game("base", variant)
    assert base is not None and base.text == BASE
    again = library.variant("base", "other", base)
    assert again is variant


def test_each_file_is_read_once(library: Library, tmp_path: Path) -> None:
    path = put(tmp_path / "base.cardgame", BASE)
    assert library.open(path) is library.open(tmp_path / "." / "base.cardgame")


def test_line_breaks_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "base.cardgame"
    path.write_bytes(b"\xef\xbb\xbfgame\r\nx\ry\n")
    assert read(path).text == "game\nx\ny\n"


def test_bytes_that_are_not_utf8_are_a_finding_with_a_place(tmp_path: Path) -> None:
    path = tmp_path / "base.cardgame"
    path.write_bytes("ä\r\nbö".encode() + b"\xff x\n")
    with pytest.raises(RulesError) as raised:
        read(path)
    finding = raised.value.diagnostics[0]
    assert (finding.code, finding.span.line, finding.span.column) == ("CG0140", 2, 3)


@pytest.mark.parametrize("name", ["nowhere.cardgame", "a/b/c.cardgame", "bad\0name.cardgame"])
def test_a_file_that_is_not_there_cannot_be_opened(library: Library, name: str) -> None:
    with pytest.raises(NotFound, match="cannot be opened"):
        library.find_game(name)


def test_a_folder_cannot_be_opened_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="cannot be opened"):
        read(tmp_path)


def test_a_mistyped_name_gets_a_suggestion(library: Library) -> None:
    with pytest.raises(NotFound, match="did you mean `dread_draw`"):
        library.find_game("dred_draw")
    with pytest.raises(NotFound, match="did you mean `brutal`"):
        library.find_variant(library.find_game("dread_draw"), "brutel")


def test_files_in_a_folder_are_found_at_any_depth_but_not_in_hidden_ones(tmp_path: Path) -> None:
    wanted = [put(tmp_path / "a.cardgame", BASE), put(tmp_path / "deep" / "er" / "b.cardgame", BASE)]
    put(tmp_path / ".git" / "c.cardgame", BASE)
    put(tmp_path / "note.txt", "no")
    assert files_in(tmp_path) == wanted


def test_what_is_shipped_can_be_loaded() -> None:
    assert "dread_draw" in shipped_games()
    assert rulesrun.load("dread_draw").id == "dread_draw"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    locate.cache_folder.cache_clear()
    try:
        assert locate.cache_folder() is None
    finally:
        tmp_path.chmod(0o700)
        locate.cache_folder.cache_clear()


def test_a_cache_that_is_no_folder_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(put(tmp_path / "file", "no folder")))
    locate.cache_folder.cache_clear()
    try:
        assert locate.cache_folder() is None
    finally:
        locate.cache_folder.cache_clear()
