"""What checking makes of rules that are right: types, coercions, designs, attachments."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from shelf import Shelf

from dsl import model, types, walk
from dsl.check import check
from dsl.compose import compose
from dsl.diagnostics import Report

ROOT = Path(__file__).parents[2]
CORPUS = [path for folder in ("games", "tests/corpus/games") for path in sorted((ROOT / folder).glob("*.cardgame"))]
N = TypeVar("N")

BASE = """
    game "Small" for 2..4 players

    kind Suit: Clubs "♣", Hearts "♥"
    kind Trump: Suit, No_Trumps "NT"

    option quick = no: "Quick"
    option mood: Suit = Hearts: "Mood"

    card Card(suit: Suit, value: number)
    card Chip()

    zone deck:         hidden pile of Card
    zone hand[player]: private set of Card
    zone row[player]:  open row of Card
    zone bank:         open set of Chip

    dice pair: 2 of 1..6

    var total[player] = 0
    var leader: player? = none
    var trump: Trump = Hearts

    cards Card in deck:
        name      suit  value  copies
        "{s} {n}" s     n      2       for s in Suit, n in 1..3

    rule setup():
        shuffle deck

    rule game():
        for p in players: total[p] := 1

    define winners() = players
"""


def checked(rules: str = "", options: dict[str, object] | None = None, **modules: str) -> model.Game:
    """The base game with some more declarations."""
    shelf = Shelf(game=BASE + rules, **modules)
    report = Report()
    composition = compose(shelf["game"], [], options or {}, shelf, report)
    assert composition is not None
    game = check(composition, report)
    assert game is not None, [f"{d.span}: {d.title}" for d in report]
    return game


def codes(rules: str) -> list[str]:
    """The errors of the base game with some more declarations."""
    report = Report()
    composition = compose(Shelf(game=BASE + rules)["game"], [], {}, Shelf(), report)
    assert composition is not None
    check(composition, report)
    return [d.code for d in report.errors]


def define(game: model.Game, name: str) -> model.Define:
    return next(d for d in game.defines if d.name == name)


def rule(game: model.Game, name: str) -> model.Rule:
    return next(r for r in game.rules if r.name == name)


def value(rules: str) -> model.Expr:
    """The value of the define `f` in some rules."""
    found = define(checked(rules), "f").value
    assert found is not None
    return found


def first(root: object, kind: type[N]) -> N:
    """The first node of a kind in a tree."""
    return next(node for node in walk.nodes(root) if isinstance(node, kind))


# ── the corpus ──


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.stem)
def test_every_expression_of_the_corpus_has_a_type(path: Path) -> None:
    report = Report()
    modules = {p.stem: p.read_text(encoding="utf-8") for p in (ROOT / "stdlib").glob("*.cardgame")}
    shelf = Shelf(**modules, **{path.stem: path.read_text(encoding="utf-8")})
    composition = compose(shelf[path.stem], [], {}, shelf, report)
    assert composition is not None
    game = check(composition, report)
    assert game is not None, list(report)
    attached = [(a.patterns, a.where, a.body, a.value) for a in game.attachments]
    roots = [[d.value for d in game.defines], [r.body for r in game.rules], attached, [t.lines for t in game.tests]]
    found = [node for node in walk.nodes(roots) if isinstance(node, model.Expr)]
    assert len(found) > 50
    assert [node.span for node in found if "unknown" in str(node.type) or node.type == types.NONE] == []


# ── types and coercions ──


def test_a_zone_reads_as_its_cards_where_a_list_is_wanted() -> None:
    found = value("    define f(p: player) = [c for c in hand[p]]")
    assert isinstance(first(found, model.CardsIn).zone, model.ZoneRef)
    assert str(found.type) == "list of Card"


def test_a_family_with_fewer_indexes_reads_as_all_of_it() -> None:
    found = value("    define f() = hand.size")
    assert isinstance(found, model.Property)
    assert isinstance(found.of, model.ZoneFamily)
    assert isinstance(value("    define f() = sum(total)"), model.Fold)


def test_a_member_of_a_kind_taken_in_is_widened() -> None:
    assert isinstance(first(value("    define f(s: Suit) = s is trump"), model.Is).left, model.Widen)
    written = first(value("    define f() = trump is Hearts"), model.Literal)
    assert (written.value, str(written.type)) == (1, "Trump")
    assert first(value("    define f() = trump is No_Trumps"), model.Literal).value == 2


def test_the_type_wanted_decides_between_members_of_one_name() -> None:
    both = "    kind Colour: Red, Green\n    kind Light: Green, Amber\n"
    found = value(both + "    define f(l: Light) = l is Green")
    assert first(found, model.Literal).type == first(found, model.LocalRef).type
    assert codes(both + "    define f() = [Green]") == ["CG0204"]


@pytest.mark.parametrize(
    ("text", "how", "designs"),
    [
        ("deck.top is '♣ 1'", "design", False),
        ("'♣ 1' is deck.top", "design", False),
        ("deck is ['♣ 1']", "list", True),
        ("hand[P] is ['♣ 1']", "bag", True),
        ("hand is ['♣ 1']", "bag", True),
        ("row[P] is ['♣ 1']", "list", True),
        ("same(row[P], ['♣ 1'])", "bag", True),
        ("row[P] is deck", "list", False),
        ("row[P] is hand[P]", "bag", False),
        ("deck.top.zone is deck", "same", False),
        ("leader is P", "same", False),
        ("players is [P]", "list", False),
        ("same(players, [P])", "bag", False),
        ("leader is none", "same", False),
    ],
)
def test_how_things_are_compared(text: str, how: str, designs: bool) -> None:
    written = text.replace("'", '"').replace("P", "p")
    found = first(value(f"    define f(p: player) = {written}"), model.Is)
    assert (found.how, found.designs) == (how, designs)
    if how == "design":
        assert isinstance(found.left.type, types.CardType)


def test_a_quoted_name_where_a_card_is_wanted_is_a_card() -> None:
    game = checked('    define worth(c: Card) = c.value\n    define f() = worth("♥ 2")')
    named = first(define(game, "f").value, model.CardNamed)
    assert (named.design, named.card_type.name) == ("♥ 2", "Card")


def test_a_quoted_name_in_a_place_asks_whether_any_card_there_has_it() -> None:
    found = value('    define f(p: player) = "♥ 2" is in hand[p]')
    assert isinstance(found, model.Query)
    assert found.how == "any"


def test_names_are_known_that_exist_under_other_options() -> None:
    rules = """
    option most = 1 in 1..3: "Most"
    cards Card in deck:
        name         suit    value
        "Extra {n}"  Hearts  n      for n in 1..most
    """
    assert codes(rules + 'define f(c: Card) = c is "Extra 3"') == []
    assert codes(rules + 'define f(c: Card) = c is "Extra 4"') == ["CG0208"]
    assert [d.name for d in checked(rules).card_types[0].designs if "Extra" in d.name] == ["Extra 1"]


# ── what may be none ──


@pytest.mark.parametrize(
    "text",
    [
        "leader is not none and leader.left is p",
        "leader is none or leader.left is p",
        "not (leader is none) and leader.left is p",
        "leader.left is p when leader is not none otherwise no",
        "no when leader is none otherwise leader.left is p",
        "leader is p and leader.left is p",
        "any(q in players where leader is not none and leader.left is q)",
    ],
)
def test_a_condition_narrows(text: str) -> None:
    assert codes(f"    define f(p: player) = {text}") == []


@pytest.mark.parametrize(
    "text",
    [
        "leader is not none or leader.left is p",
        "leader is none and leader.left is p",
        "leader.left is p when leader is none otherwise no",
        "leader is not p and leader.left is p",
    ],
)
def test_the_wrong_condition_does_not(text: str) -> None:
    assert codes(f"    define f(p: player) = {text}") == ["CG0302"]


def test_cases_narrow_those_below() -> None:
    game = checked("    define f(p: player) =\n        p              when leader is none\n        leader.left    otherwise")
    assert define(game, "f").result == types.PLAYER
    asked = [n for n in walk.nodes(define(game, "f").value) if isinstance(n, model.VarRef)]
    assert [str(n.type) for n in asked] == ["player?", "player"]


STATEMENTS = {
    "if leader is none: end r\ntotal[leader] := 1": [],
    "if leader is none:\n    leader := p\ntotal[leader] := 1": [],
    "if leader is none: total[p] := 1\ntotal[leader] := 1": ["CG0302"],
    "leader := p\ntotal[leader] := 1\nleader := none\ntotal[leader] := 1": ["CG0302"],
    "while leader is none: leader := p\ntotal[leader] := 1": [],
    "leader := p\nfor q in players:\n    total[leader] := 1\n    leader := none": ["CG0302"],
    "leader := p\nfor q in players: r(q)\ntotal[leader] := 1": [],
    "p chooses q in players where leader is not none: total[leader] := 1": [],
    "p chooses:\n    \"A\" when leader is not none: total[leader] := 1": [],
    "p may \"A\": leader := p\ntotal[leader] := 1": ["CG0302"],
    "p may \"A\": leader := p\notherwise: leader := p\ntotal[leader] := 1": [],
    "let x = leader\nif x is not none: total[x] := 1": [],
    "var x: player? = p\ntotal[x] := 1": [],
}  # fmt: skip


@pytest.mark.parametrize("text", STATEMENTS, ids=range(len(STATEMENTS)))
def test_what_is_known_as_statements_go_on(text: str) -> None:
    body = "\n".join(f"        {line}" for line in text.split("\n"))
    assert codes(f"    rule r(p: player):\n{body}") == STATEMENTS[text]


# ── tables ──


def test_rows_are_generated_in_order_with_their_copies() -> None:
    card = checked().card_types[0]
    assert [(d.name, d.values, d.copies) for d in card.designs[:4]] == [
        ("♣ 1", (0, 1), 2),
        ("♣ 2", (0, 2), 2),
        ("♣ 3", (0, 3), 2),
        ("♥ 1", (1, 1), 2),
    ]


def test_an_ability_may_name_a_binder_of_its_row() -> None:
    rules = """
    rule play(c: Card)
    timing played: after play(self)
    cards Card in deck:
        name         suit    value
        "Gain {n}"   Hearts  n      for n in 1..2
            played "Gain {n}": total[players.first] += n
        "Same {n}"   Hearts  n      for n in 1..2
            played "Gain one": total[players.first] += 1
    """
    made = checked(rules).attachments
    assert [([d.name for d in a.carriers or ()], a.text) for a in made] == [
        (["Gain 1"], "Gain 1"),
        (["Gain 2"], "Gain 2"),
        (["Same 1", "Same 2"], "Gain one"),
    ]


def test_a_timing_makes_an_attachment_of_an_ability() -> None:
    rules = """
    rule play(c: Card, p: player)
    timing played: while in hand, owner may, after play(self, owner) where total[owner] > 0
    cards Card in deck:
        name      suit    value
        "Extra"   Hearts  1
            played "Gain": total[owner] += 1
    """
    (made,) = checked(rules).attachments
    assert (made.when, made.optional, made.text) == ("after", True, "Gain")
    assert made.zones is not None and [z.name for z in made.zones] == ["hand"]
    assert made.owner_player is not None and made.self_card is not None
    assert [type(p) for p in made.patterns] == [model.Match, model.Match]
    assert [d.texts for d in made.carriers or ()] == [("played: Gain",)]


def test_heads_bind_match_and_ignore() -> None:
    rules = """
    rule play(c: Card, p: player, n: number)
    after play(c, _, 3): move c to deck
    after play("♣ 1", (leader), n) where n > 1: total[players.first] := n
    after move(c, (deck), (hand)): reveal c
    """
    one, two, three = checked(rules).attachments
    assert [type(p).__name__ for p in one.patterns] == ["Bind", "Ignore", "Match"]
    assert [type(p).__name__ for p in two.patterns] == ["Bind", "Match", "Bind"]
    assert first(two.where, model.Is).how == "design"
    assert [type(p).__name__ for p in three.patterns] == ["Bind", "MatchZone", "MatchZone"]


# ── rules and names ──


def test_a_rule_may_be_called_for_its_result_and_proceed_too() -> None:
    rules = """
    rule score_of(p: player) -> number:
        return total[p]
    rule r(p: player):
        let a = score_of(p)
        var b = score_of(p)
        b := score_of(p)
        total[p] := score_of(p)
    instead of score_of(p):
        let usual = proceed
        let other = proceed(p.left)
        return usual + other
    """
    game = checked(rules)
    body = rule(game, "r").body
    calls = [n for n in walk.nodes(body) if isinstance(n, model.CallRule)]
    assert [type(c.into).__name__ for c in calls] == ["Local", "Local", "Local", "VarRef"]
    found = [n for n in walk.nodes(game.attachments[0].body) if isinstance(n, model.ProceedStatement)]
    assert [p.arguments is None for p in found] == [True, False]


def test_names_of_a_module_do_not_meet_those_of_the_game() -> None:
    module = 'module "Tools"\n\nzone pit: open pile of Thing\ncard Thing()\n\ndefine weight(hand: number) = hand * 2\n'
    game = checked("    use tools\n    define f(x: number) = weight(x)", tools=module)
    assert define(game, "weight").id == "tools.weight"


def test_defines_may_call_each_other_in_any_order() -> None:
    chain = "\n".join(f"    define f{i}() = f{i + 1}() + 1" for i in range(300))
    game = checked(f"{chain}\n    define f300() = 1")
    assert {str(define(game, f"f{i}").result) for i in range(301)} == {"number"}


def test_a_long_circle_of_defines_is_one_error() -> None:
    chain = "\n".join(f"    define f{i}() = f{(i + 1) % 300}() + 1" for i in range(300))
    assert codes(chain) == ["CG0550"]


def test_options_have_run_time_values() -> None:
    mood = next(o for o in checked(options={"mood": "Clubs"}).options if o.name == "mood")
    assert (mood.value, mood.default, str(mood.type)) == (0, 1, "Suit")


# ── tests of a game ──


def test_a_test_is_looked_at_under_its_options_only() -> None:
    rules = """
    test "quick":
        given option quick = yes
        given option mood = Hearts
        expect quick
    test "slow":
        expect not quick
    """
    slow, quick = checked(rules), checked(rules, {"quick": "yes"})
    assert [(t.name, t.options, len(t.lines)) for t in slow.tests] == [("quick", {"quick": True}, 0), ("slow", {}, 1)]
    assert [(t.name, len(t.lines)) for t in quick.tests] == [("quick", 1), ("slow", 0)]


def test_answers_are_texts_or_values() -> None:
    rules = """
    rule ask(p: player):
        p chooses s in Suit: total[p] := s.order
    test "ask":
        given 2 players
        given deck = ["♣ 1", ...]
        when ask(P2)
        expect P2 chooses among [Clubs, "♥"]
        when P2 chooses Hearts
        expect total[P2] is 2
    """
    given = checked(rules).tests[0].lines
    zone = given[1]
    assert isinstance(zone, model.GivenZone) and isinstance(zone.value, model.Items) and zone.value.rest
    asked = given[3]
    assert isinstance(asked, model.ExpectAmong) and asked.answers is not None
    assert [type(a.value).__name__ for a in asked.answers] == ["Literal", "str"]
