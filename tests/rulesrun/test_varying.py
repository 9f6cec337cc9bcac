"""`variants`, `diff`, `new`, and playing with presets and stacks of variants."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulesrun
from rulesrun.cli import run

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [("dread_draw", "brutal"), ("dead_mans_draw", "gentle"), ("draghjarter", "omnibus")]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command prints, run in the project's folder; it must end well."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")

    def output(*args: str) -> str:
        assert run(list(args)) == 0
        return capsys.readouterr().out

    return output


# ── what can be varied, and what a variant does ──


def test_how_variants_are_listed(printed: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    texts = [f"$ rulesrun variants {game}\n{printed('variants', game)}" for game, _ in SHOWN]
    golden("variants.txt", "\n".join("\n".join(line.rstrip() for line in text.split("\n")) for text in texts))


def test_how_a_difference_is_shown(printed: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    texts = [f"$ rulesrun diff {game} {variant}\n{printed('diff', game, variant)}" for game, variant in SHOWN]
    golden("diff.txt", "\n".join(texts))


def test_cards_made_by_one_row_are_told_by_their_names(printed: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "fruit.cardgame").write_text(FRUIT, encoding="utf-8")
    variant = tmp_path / "twice.cardgame"
    variant.write_text(
        'variant "Twice" of fruit\n\nchange cards Crop:\n    name         copies\n    "{f} {v}"    2\n', encoding="utf-8"
    )
    assert "card Apple 1 … Plum 8 (24 cards): changed\n" in printed("diff", str(variant))
    assert "- All 24 cards are different: 2 copies instead of 1.\n" in printed("rules", str(variant))


FRUIT = """game "Fruit" for 2 players

kind Fruit: Apple, Pear, Plum
card Crop(fruit: Fruit, value: number)
zone stock: open pile of Crop
cards Crop in stock:
    name         fruit  value
    "{f} {v}"    f      v      for f in Fruit, v in 1..8

rule setup()
rule game(): end game
define winners() = players
"""


def test_a_difference_as_data(printed: Callable[..., str]) -> None:
    data = json.loads(printed("diff", "dread_draw", "brutal", "long_life", "--format", "json"))
    assert (data["game"], data["variants"]) == ("dread_draw", ["brutal", "long_life"])
    by_name = {found["name"]: found for found in data["differences"] if found["sort"] != "test"}
    assert list(by_name) == [
        "life_cards", "instead of take_damage(p, amount)", "Scarecrow Saint", "The Crowned Void", "after setup()",
    ]  # fmt: skip
    assert by_name["life_cards"]["new"]["text"] == "change option life_cards = 6"
    assert by_name["life_cards"]["old"]["path"] == "games/dread_draw.cardgame"
    assert by_name["The Crowned Void"]["cells"] == [
        {"column": "damage", "old": "4", "new": "5"},
        {"column": "copies", "old": "1", "new": "2"},
    ]
    assert [over["card"] for over in by_name["instead of take_damage(p, amount)"]["over"]] == ["Hollow Squire"]


def test_a_variant_alone_is_compared_with_its_base(printed: Callable[..., str]) -> None:
    path = "games/variants/dread_draw/brutal.cardgame"
    assert printed("diff", path) == printed("diff", "dread_draw", "brutal")


def test_a_variant_says_under_which_options_and_for_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "many.cardgame"
    file.write_text(
        'variant "Many" of dread_draw for 2..8 players\n'
        'preset "Quick": "Short"\n    life_cards = 4\n'
        "when zero_damage_kills:\n    change rule fail(p: player): leave_round(p)\n"
        'remove ending one_left\nending none_left when players is empty: "Nobody"\n'
    )
    assert run(["diff", "dread_draw", str(file), "--option", "zero_damage_kills=yes"]) == 0
    out = capsys.readouterr().out
    for heading in (
        "how many can play: changed", 'preset "Quick": new', "rule fail: changed, when zero_damage_kills", "ending one_left: removed",
        "ending none_left: new",
    ):  # fmt: skip
        assert f"\n{heading}\n" in out
    assert run(["diff", "dread_draw", str(file)]) == 0
    assert "rule fail" not in capsys.readouterr().out


def test_options_and_presets_as_data(printed: Callable[..., str]) -> None:
    data: dict[str, Any] = json.loads(printed("variants", "dead_mans_draw", "--format", "json"))
    options = {option["name"]: option for option in data["options"]}
    assert options["misfire"]["values"] == ["Instead", "Also", "If_Targeted"] and options["misfire"]["default"] == "Instead"
    assert options["treasure_hunter_factor"]["values"] == ["2", "3"]
    assert {preset["name"]: preset["options"] for preset in data["presets"]}["Full crew"] == {"traits": "yes", "variant": "Random"}
    assert {variant["id"] for variant in data["variants"]} >= {"gentle", "no_kraken", "digital_edition", "tame_kraken"}
    assert all(variant["problem"] is None for variant in data["variants"])


def test_a_variant_that_cannot_be_read_is_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "variants" / "dread_draw"
    folder.mkdir(parents=True)
    (folder / "broken.cardgame").write_text("variant of nothing\n")
    (folder / "other.cardgame").write_text('variant "Other" of draghjarter\n')
    monkeypatch.chdir(tmp_path)
    assert run(["variants", "dread_draw", "--format", "json"]) == 0
    problems = {v["id"]: v["problem"] for v in json.loads(capsys.readouterr().out)["variants"] if v["problem"]}
    assert problems == {"broken": "it cannot be read", "other": "it varies draghjarter"}


def test_diff_without_a_variant_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "dread_draw"]) == 2
    assert "which variant of dread_draw?" in capsys.readouterr().err


# ── playing ──


def test_a_preset_is_played_and_options_count_more(printed: Callable[..., str]) -> None:
    args = ("simulate", "dead_mans_draw", "--games", "2", "--seed", "1", "--format", "json", "--preset", "full crew")
    assert json.loads(printed(*args))["options"]["traits"] is True
    options = json.loads(printed(*args, "--option", "traits=no"))["options"]
    assert options["traits"] is False and options["variant"] == "Random"


def test_a_preset_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "dead_mans_draw", "--preset", "digital edtion", "--humans", "0"]) == 2
    assert "did you mean `Digital edition`?" in capsys.readouterr().err


def test_variants_are_stacked_in_order(printed: Callable[..., str]) -> None:
    text = printed(
        "play", "dread_draw", "--variant", "brutal", "--variant", "long_life", "--humans", "0", "--seed", "1", "--players", "3"
    )
    assert text.startswith("Dread Draw with Brutal and Long life: 3 players, seed 1\n")
    game = rulesrun.load("dread_draw", variants=["brutal", "long_life"])
    assert game.title == "Dread Draw with Brutal and Long life"
    assert game.variants == ("brutal", "long_life") and game.options["life_cards"] == 6


# ── beginning one ──


def test_a_new_variant_passes_check_and_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for game in ("dread_draw", "dead_mans_draw", "tic_tac_toe"):
        assert run(["new", "--variant-of", game, "my_rules"]) == 0
        path = f"variants/{game}/my_rules.cardgame"
        assert run(["check", path]) == 0 and run(["test", path, "--games", "2"]) == 0 and run(["fmt", "--check", path]) == 0
        assert run(["simulate", game, "--variant", "my_rules", "--games", "2"]) == 0
    capsys.readouterr()


def test_a_new_game_passes_check_and_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "my_game"]) == 0
    assert run(["check", "my_game.cardgame"]) == 0
    assert run(["test", "my_game.cardgame", "--games", "5"]) == 0
    assert run(["fmt", "--check", "my_game.cardgame"]) == 0
    capsys.readouterr()


def test_what_is_there_is_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.cardgame").write_text("mine")
    assert run(["new", "mine"]) == 2
    assert (tmp_path / "mine.cardgame").read_text() == "mine"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../evil", "9lives", "a b", "", "a/b"])
def test_names_that_are_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", name]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "cannot be a name" in capsys.readouterr().err


def test_a_variant_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "--variant-of", "dred_draw", "mine"]) == 2
    assert "did you mean `dread_draw`?" in capsys.readouterr().err


def test_a_simulation_names_the_exact_rules(printed: Callable[..., str]) -> None:
    args = ("simulate", "dread_draw", "--games", "2", "--seed", "1", "--format", "json")
    found = json.loads(printed(*args, "--variant", "brutal"))
    assert (found["game"], found["variants"], found["options"]["life_cards"]) == ("dread_draw", ["brutal"], 6)
    assert found["rules"] == rulesrun.load("dread_draw", variants=["brutal"]).fingerprint != json.loads(printed(*args))["rules"]


def test_how_a_varied_rulebook_tells_what_is_changed(printed: Callable[..., str], golden: Callable[[str, str], None]) -> None:
    texts = []
    for game, variant in SHOWN:
        book = printed("rules", game, "--variant", variant)
        texts.append(f"$ rulesrun rules {game} --variant {variant}\n{book[: book.index('## What there is')]}…\n")
    golden("rules_of_variants.txt", "\n".join(texts))


def test_new_writes_into_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "my_game", "shelf"]) == 0
    assert run(["check", "shelf/my_game.cardgame"]) == 0
    assert "rulesrun check shelf/my_game.cardgame" in (tmp_path / "shelf" / "my_game.cardgame").read_text("utf-8")
    assert run(["new", "--variant-of", "dread_draw", "mine", "shelf"]) == 2
