"""Flow: defines that need themselves, missing results, unset variables, `end` of what is not running; and the lints."""

from __future__ import annotations

from textwrap import dedent

import pytest
from shelf import Shelf

from dsl import pipeline

HEAD = """
game "G" for 2..3 players
card Thing(worth: number)
zone heap: hidden pile of Thing
zone hand[player]: private set of Thing
zone shown: open row of Thing
cards Thing in heap:
    name   worth
    "Cup"  1
"""
SETUP = "rule setup():\n    shuffle heap\n"
GAME = "rule game():\n    turn(players.first)\nrule turn(p: player):\n    shuffle heap\n"
WINNERS = "define winners() = players\n"


def check(text: str, *, setup: str = SETUP, game: str = GAME) -> None:
    shelf = Shelf(game=(HEAD + setup + game + WINNERS + dedent(text)).lstrip())
    shelf.expect_marked(pipeline.check(shelf["game"], shelf))


def test_a_sound_game_has_no_findings() -> None:
    check("")


# ── defines ──


def test_a_define_does_not_need_itself() -> None:
    check("define f(n: number) -> number = 0 when n is 0 otherwise f(n - 1) + 1  #! CG0550 #? CG0550")


def test_defines_do_not_need_each_other() -> None:
    check(
        """
        define f(n: number) -> number = g(n)  #? CG0550
        define g(n: number) -> number = [h(k) for k in 1..n].size  #? CG0550
        define h(n: number) -> number = f(n)  #! CG0550
        """
    )


def test_what_is_attached_to_a_define_counts_and_proceed_does_not() -> None:
    check("define f(n: number) = n\ninstead of f(_) = proceed + 1\n")
    check(
        """
        define f(n: number) = n  #? CG0550
        define g(n: number) = f(n)  #! CG0550
        instead of f(n) where g(n) > 1 = 2
        """.replace("where g(n) > 1 = 2", "where g(n) > 1 = 2  #? CG0550")
    )


def test_an_ability_of_a_card_can_close_the_circle() -> None:
    text = '    "Jug"  2\n        always "x":\n            instead of f(self) = g(self)  #? CG0550\n'
    more = "define f(c: Thing) -> number = c.worth  #? CG0550\ndefine g(c: Thing) -> number = f(c)  #! CG0550\n"
    shelf = Shelf(game=(HEAD + text + SETUP + GAME + WINNERS + more).lstrip())
    shelf.expect_marked(pipeline.check(shelf["game"], shelf))


def test_a_score_may_not_need_the_score() -> None:
    check('define best() = max(score(p) for p in players)  #? CG0550\nscoring(p):\n    "Best": best()  #! CG0550\n')


def test_defines_may_share_what_they_need() -> None:
    check("define a() = 1\ndefine b() = a()\ndefine c() = a() + b() + b()")


# ── results ──


@pytest.mark.parametrize(
    "body",
    [
        "return 1",
        "if n > 1: return 1\notherwise: return 2",
        "if n > 1: return 1\nreturn 2",
        "while yes:\n    n += 1\n    if n > 7: return n",
        'players.first chooses:\n    "A": return 1\n    "B": return 2',
        'players.first chooses:\n    "A" when n > 1: return 1\n    otherwise: return 2',
        'players.first may "A": return 1\notherwise: return 2',
        "players.first chooses k in 1..n: return k\notherwise: return 0",
        "for k in 1..n: shuffle heap\nreturn 3",
    ],
)
def test_paths_that_all_give_a_result(body: str) -> None:
    check(
        f"rule r(m: number) -> number:\n    var n = m\n{_indented(body)}\nafter turn(_):\n    let x = r(1)\n    repeat x: shuffle heap"
    )


@pytest.mark.parametrize(
    "body",
    [
        "shuffle heap  #! CG0551",
        "if n > 1: return 1  #! CG0551",
        "while n > 1:  #! CG0551\n    return 1",
        "for k in 1..n: return k  #! CG0551",
        'players.first chooses:  #! CG0551\n    "A" when n > 1: return 1',
        'players.first chooses:  #! CG0551\n    "A": return 1\n    "B"',
        'players.first may "A": return 1  #! CG0551',
        "players.first chooses k in 1..n: return k  #! CG0551",
        'players.first may choose:  #! CG0551\n    "A": return 1',
    ],
)
def test_paths_without_a_result(body: str) -> None:
    check(
        f"rule r(n: number) -> number:  #? CG0551\n{_indented(body)}\nafter turn(_):\n    let x = r(1)\n    repeat x: shuffle heap"
    )


def test_what_replaces_a_rule_gives_its_result_too() -> None:
    check(
        """
        rule r() -> number: return 1  #? CG0551
        instead of r() where heap is empty:
            let x = proceed
            if x > 1: return x  #! CG0551
        after turn(_):
            let x = r()
            repeat x: shuffle heap
        """
    )


def test_what_follows_a_return_is_never_reached() -> None:
    check("after turn(_):\n    while yes: shuffle heap\n    shuffle heap  #! CG0910 #? CG0910\n".replace(" #? CG0910", ""))


def _indented(body: str) -> str:
    return "\n".join("    " + line for line in body.splitlines())


# ── first values ──

UNSET = "var first: player  #! CG0552\nvar throw[player]: number\n"


@pytest.mark.parametrize(
    "body",
    [
        "first := players.first",
        "for p in players: first := p",
        "chance chooses p in players: first := p",
        "chance chooses p in players where hand[p] is empty: first := p\notherwise: first := players.last",
        "if heap is empty: first := players.first\notherwise: first := players.last",
        "choose_first(players)",
        "repeat 2: first := players.last",
        'players.first chooses:\n    "A": first := players.first\n    "B": first := players.last',
        'players.first may "A": first := players.first\notherwise: first := players.last',
        "first := players.first\nif heap is empty: end setup",
    ],
)
def test_setup_sets_the_variable(body: str) -> None:
    helper = "rule choose_first(from_: list of player):\n    if from_.size > 1: choose_first([from_.first])\n    otherwise: first := from_.first\n"
    check("var first: player\n" + helper, setup=f"rule setup():\n{_indented(body)}\n")


@pytest.mark.parametrize(
    "body",
    [
        "shuffle heap",
        "if heap is empty: first := players.first",
        "for p in players where hand[p] is empty: first := p",
        "while heap is empty: first := players.first",
        "chance chooses p in players where hand[p] is empty: first := p",
        'players.first may "A": first := players.first',
        "players.first may choose p in players: first := p",
        'players.first chooses:\n    "A": first := players.first\n    "B"',
        "if heap is empty: end setup\nfirst := players.first",
        "maybe(1)",
    ],
)
def test_setup_may_leave_the_variable_unset(body: str) -> None:
    helper = "rule maybe(n: number):\n    if n > 1: first := players.first\n"
    check("var first: player  #! CG0552\n" + helper, setup=f"rule setup():  #? CG0552\n{_indented(body)}\n")


def test_families_are_set_in_a_loop() -> None:
    check("var throw[player]: number", setup="rule setup():\n    for p in players: throw[p] := 1\n")
    check(
        "var throw[player]: number  #! CG0552",
        setup="rule setup():  #? CG0552\n    for p in players where hand[p] is empty: throw[p] := 1\n",
    )


def test_attachments_may_set_it_or_take_it_away() -> None:
    check("var first: player\nafter setup(): first := players.first\n")
    check("var first: player  #! CG0552\nafter setup() where heap is empty: first := players.first\n")
    setter = "rule setup():\n    begin()\nrule begin():\n    first := players.first\n"
    check("var first: player\ninstead of begin() where heap is empty:\n    proceed\n", setup=setter)
    check("var first: player  #! CG0552\ninstead of begin() where heap is empty:\n    shuffle heap\n", setup=setter)


# ── end ──


def test_a_rule_is_ended_from_inside() -> None:
    check("rule deep(): end turn\n", game="rule game():\n    turn(players.first)\nrule turn(p: player):\n    deep()\n")
    check("after shuffle(_): end turn\n")
    check("rule never(): end turn\n")
    check("after turn(_): end game\n")


def test_a_rule_that_is_not_running_cannot_be_ended() -> None:
    check("after turn(_): end turn  #! CG0553\n")
    check("after setup(): end turn  #! CG0553\n", game=GAME.replace("rule turn(p: player):", "rule turn(p: player):  #? CG0553"))
    check("after setup(): end game  #! CG0553\n")


def test_what_proceed_runs_is_inside() -> None:
    check("instead of turn(p) where heap is empty:\n    proceed\n    turn(p)\n")
    check("instead of turn(_) where heap is empty:\n    proceed\n    end turn  #! CG0553\n")


def test_one_path_is_enough() -> None:
    check("after shuffle(_): leave()\nrule leave(): end turn\n")


# ── lints ──


def test_replacing_blindly_should_be_a_change() -> None:
    check("instead of turn(_):  #! CG0901\n    shuffle heap\n")
    check("define f(n: number) = n\ninstead of f(n) = n + 1  #! CG0901\n")
    check("instead of turn(p):\n    proceed\n    move hand[p] to heap\n")
    check("instead of turn(p) where heap is empty:\n    move hand[p] to heap\n")


def test_names_in_heads_are_used() -> None:
    check("after turn(p): shuffle heap  #! CG0902\n")
    check('ending over after turn(p) when heap is empty: "x"  #! CG0902\n')
    check('ending over after turn(p) when hand[p] is empty: "x"\n')


def test_invariants_that_count() -> None:
    check('invariant "one card": count(c in Thing) is 1  #! CG0903\n')
    check('invariant "no hand is too large": not any(p in players where hand[p].size > 5)\n')


@pytest.mark.parametrize(
    "value",
    [
        "heap.top.worth",
        "max(c.worth for c in heap)",
        "count(c in heap where c.worth > 1)",
        "lowest(c in heap by c.worth).first.worth",
        "secret",
    ],
)
def test_plain_variables_do_not_tell_secrets(value: str) -> None:
    secret = 'invariant "there is a heap": heap is not empty\nhidden var secret = 1\n'
    check(f"var known = 0\n{secret}after turn(_):\n    known := {value}  #! CG0906\n")
    check(f"hidden var known = 0\n{secret}after turn(_):\n    known := {value}\n")


def test_what_all_may_know_is_no_secret() -> None:
    check(
        "var known = 0\nafter turn(_):\n    known := heap.size\n    known := count(c in heap)\n    known := max(c.worth for c in shown)\n"
    )
    check("var known = 0\nafter turn(_) where heap is not empty:\n    reveal heap.top\n    known := heap.top.worth\n")


# ── places that may be empty ──


@pytest.mark.parametrize(
    "rule",
    [
        "rule act(p: player): move heap.top to hand[p]  #! CG0912",
        "rule act(p: player):\n    if hand[p] is empty: move heap.top to hand[p]  #! CG0912",
        "rule act(p: player): take(p)\nrule take(p: player): move heap.top to hand[p]  #! CG0912",
        "rule act(p: player): reveal best()\ndefine best() = shown.last  #! CG0912",
        "rule act(p: player): shuffle heap\nafter act(p): move heap.top to hand[p]  #! CG0912",
        "rule act(p: player):\n    for q in others(p): move shown.first to hand[q]  #! CG0912",
    ],
)
def test_what_may_be_empty_and_nobody_asks(rule: str) -> None:
    check(rule + "\n", game="rule game():\n    while yes: turn(players.first)\nrule turn(p: player):\n    act(p)\n")


@pytest.mark.parametrize(
    "rule",
    [
        "rule act(p: player):\n    if heap is not empty: move heap.top to hand[p]",
        "rule act(p: player):\n    if heap is empty: end game\n    move heap.top to hand[p]",
        "rule act(p: player):\n    while heap.size > 2: take(p)\nrule take(p: player): move heap.top to hand[p]",
        "rule act(p: player):\n    fill()\n    move heap.top to hand[p]\nrule fill(): move shown to heap",
        "rule act(p: player):\n    let n = heap.size\n    if n > 1: move heap.top to hand[p]",
        "rule act(p: player):\n    if full(): move heap.top to hand[p]\ndefine full() = heap.size > 3",
        "rule act(p: player):\n    for c in heap where c is heap.top: move c to hand[p]",
        'rule act(p: player):\n    p may "x": shuffle heap\nafter act(p) where heap is not empty: move heap.top to hand[p]',
        'rule act(p: player): move heap.top to hand[p]\ninvariant "the heap is never empty": heap is not empty',
        "rule act(p: player): shuffle heap\nafter setup(): reveal heap.top",
        "rule act(p: player): shuffle heap\nrule unused(): reveal heap.top",
    ],
)
def test_any_question_on_the_way_is_enough(rule: str) -> None:
    check(rule + "\n", game="rule game():\n    while yes: turn(players.first)\nrule turn(p: player):\n    act(p)\n")
