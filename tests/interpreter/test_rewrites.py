"""Compiled expressions against a plain evaluation of the checked tree: what is made quicker must stay the same.

Defines are written out, filters moved in front of loops, values kept, constants folded. Random expressions of all types are
evaluated both ways on random tables, in defines, in loops, in choices, and with what is made quicker switched off."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl import model
from dsl.diagnostics import RulesError
from interpreter import lower
from interpreter.compile import expressions, spaces, statements
from interpreter.faults import Fault
from interpreter.lower import expressions as lowered
from interpreter.lower.expressions import Expressions
from interpreter.play import Rules, begin, choose, guard, new_state, run, start
from interpreter.state import PLAYING, State
from tests.interpreter.expressions import GAME, Writer
from tests.interpreter.games import NAMES, rules_of
from tests.interpreter.reference import Reference, Wrong
from tests.interpreter.written import written

TABLES = 4
FAULT = "a fault"
REFUSED = {23}
"""of these numbers the checker does not take the game"""


def random_game(draw: Any) -> str:
    """The game with defines that call one another, attachments on them, rules with loops and choices."""
    writer = Writer(draw)
    text = GAME
    for number, (gives, kinds) in enumerate([("N", "N"), ("N", "CP"), ("F", "CP"), ("N", ""), ("F", "N"), ("C", "P")]):
        name = f"f{number}"
        params = [writer.fresh(kind) for kind in kinds]
        typed = ", ".join(f"{p}: {TYPES[k]}" for p, k in zip(params, kinds, strict=True))
        text += f"define {name}({typed}) -> {TYPES[gives]} = {writer.write(gives, 3)}\n"
        writer.names.clear()
        for _ in range(draw(3)):
            heads = [writer.fresh(kind) if draw(3) else "_" if draw(2) else MATCHED[kind][draw(2)] for kind in kinds]
            writer.names = [(k, h) for k, h in zip(kinds, heads, strict=True) if h[0] == "v"]
            where = f" where {writer.write('F', 2)}" if draw(2) else ""
            writer.proceeds = gives + kinds
            text += f"instead of {name}({', '.join(heads)}){where} = {writer.write(gives, 2)}\n"
            writer.proceeds = ""
            writer.names.clear()
        writer.calls.append((gives, name, kinds))
    for number, kind in enumerate("NFLCZN"):
        text += f"define e{number}() -> {TYPES[kind]} = {writer.write(kind, 4)}\n"
    binders = writer.binders(3)
    value = writer.write("N", 2)
    text += f"rule loop():\n    for {binders}: xs := xs + [{value}]\n"
    writer.names.clear()
    p = writer.fresh("P")
    binders = writer.binders(3)
    text += f"rule ask({p}: player):\n    {p} chooses {binders}: xs := xs + [{writer.write('N', 2)}]\n    otherwise: xs := [77]\n"
    return text


TYPES = {"N": "number", "F": "flag", "L": "list of number", "C": "Card", "Z": "list of Card", "P": "player", "S": "Suit"}
MATCHED = {"N": ("2", "(n)"), "C": ('"Two"', '"Three"'), "P": ("players.first", "players.last")}


def table(rules: Rules, seed: int) -> State:
    """The cards anywhere, variables anyhow."""
    rng = random.Random(seed)
    state = new_state(rules.code(2 + seed % 2), seed)
    guard(state, begin)
    state.phase, state.called = PLAYING, True
    program = state.code.program
    zones = rng.sample(range(len(program.zones)), rng.randrange(1, len(program.zones)))
    for card in rng.sample(range(len(program.slots)), len(program.slots)):
        state.put(card, rng.choice(zones))
    for number, info in enumerate(program.variables):
        wild = {"number": rng.randrange(-2, 5), "list of number": tuple(rng.choices(range(-1, 4), k=rng.randrange(4)))}
        wild |= {"Suit?": rng.choice([None, 0, 1, 2]), "Card?": rng.choice([None, *range(len(program.slots))])}
        state.vars[number] = wild[str(info.type)]
    return state


def compiled(state: State, number: int) -> Any:
    try:
        return guard(state, state.code.names[f"d{number}"])
    except Fault:
        return FAULT


def plain(reference: Reference, value: model.Expr, names: dict[int, Any]) -> Any:
    try:
        return reference.value(value, names)
    except Wrong:
        return FAULT


@pytest.mark.parametrize("seed", range(24))
def test_random_expressions(seed: int) -> None:
    rng = random.Random(seed)
    assert check(rng.randrange) or seed in REFUSED


@settings(max_examples=6, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_expressions_drawn_by_hypothesis(data: st.DataObject) -> None:
    check(lambda k: data.draw(st.integers(0, k - 1)) if k > 1 else 0)


def check(draw: Any) -> bool:
    """Make a game, evaluate everything in it both ways. False if the checker refuses it."""
    try:
        rules = written(random_game(draw))
    except RulesError:
        return False
    for seed in range(TABLES):
        agree(rules, table(rules, seed))
    return True


def agree(rules: Rules, state: State) -> None:
    """Everything in the game has the value it should have. Where the plain evaluation faults, the compiled code may have asked a
    condition before it came to the fault; it never invents one."""
    layout = rules.lowering(state.code.program.players).layout
    plainly, sooner = Reference(layout, state), Reference(layout, state, sooner=True)

    def same(found: Any, wanted: Callable[[Reference], Any], what: str) -> None:
        assert found == wanted(plainly) or (wanted(plainly) is FAULT and found == wanted(sooner)), what

    for number, define in enumerate(rules.game.defines):
        if not define.params:
            call = model.CallDefine(type=define.result, span=define.span, define=define, arguments=())
            same(compiled(state, number), lambda r, call=call: plain(r, call, {}), define.name)  # type: ignore[misc]
    loop, ask = (next(rule for rule in rules.game.rules if rule.name == name) for name in ("loop", "ask"))
    assert loop.body is not None and ask.body is not None
    for_, choose = loop.body.statements[0], ask.body.statements[0]
    assert isinstance(for_, model.For) and isinstance(choose, model.Choose) and isinstance(choose.what, model.PickOne)
    set_xs, binders = for_.body.statements[0], choose.what.binders
    assert isinstance(set_xs, model.SetVar)
    same(looped(state.copy(), rules), lambda r: turned(r, for_, set_xs), "loop")
    same(offered(state.copy(), rules), lambda r: turns(r, binders, {id(ask.params[0]): 0}), "ask")


def looped(state: State, rules: Rules) -> Any:
    try:
        guard(state, state.code.names[f"r{[r.name for r in rules.game.rules].index('loop')}"])
    except Fault:
        return FAULT
    return state.vars


def turned(reference: Reference, for_: model.For, set_xs: model.SetVar) -> Any:
    before = reference.state
    state = reference.state = before.copy()
    number = reference.layout.variable_families[set_xs.variable].base
    try:
        for names in list(reference.turns(for_.binders, {})):
            state.vars[number] = reference.value(set_xs.value, names)
    except Wrong:
        return FAULT
    finally:
        reference.state = before
    return state.vars


def offered(state: State, rules: Rules) -> Any:
    def call(s: State) -> None:
        s.code.names[f"r{[r.name for r in rules.game.rules].index('ask')}"](s, 0)
        run(s)

    try:
        guard(state, call)
    except Fault:
        return FAULT
    if state.options is None:
        return []
    return [value if isinstance(value, tuple) else (value,) for value in state.options]


def turns(reference: Reference, binders: model.Binders, names: dict[int, Any]) -> Any:
    """What is offered: combinations that cannot be told apart are one."""
    state = reference.state
    found: dict[Any, tuple[Any, ...]] = {}
    try:
        for turn in reference.turns(binders, names):
            value = tuple(turn[id(binding.local)] for binding in binders.bindings)
            found.setdefault(value, value)
    except Wrong:
        return FAULT
    assert state.live
    return list(found.values())


# ── whole games, with all that is made quicker switched off ──


def slow_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> Rules:
    """The rules of a game compiled as they stand."""
    monkeypatch.setattr(lower, "Expressions", partial(Expressions, inline=False))
    monkeypatch.setattr(Expressions, "_hoist", lambda self, node, scope: node)
    monkeypatch.setattr(lowered, "fold", lambda node: node)
    monkeypatch.setattr(statements, "unswitched", lambda *_: None)
    monkeypatch.setattr(expressions, "unswitched", lambda *_: None)
    monkeypatch.setattr(spaces, "unswitched", lambda *_: None)
    monkeypatch.setattr(expressions, "by_loop", lambda _, condition, binders: ([None] * len(binders), condition))
    rules = Rules(rules_of(name).game)
    for players in rules.game.players:
        rules.code(players)
    monkeypatch.undo()
    return rules


@pytest.mark.parametrize("name", NAMES)
def test_games_play_the_same_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = slow_rules(name, monkeypatch)
    players = slow.game.players[-1]
    one, other = start(rules_of(name).code(players), 3), start(slow.code(players), 3)
    rng = random.Random(4)
    for _ in range(60):
        assert (one.zones, one.vars, one.live, one.rng, one.asked, tuple(one.options or ())) == (
            other.zones, other.vars, other.live, other.rng, other.asked, tuple(other.options or ()),
        )  # fmt: skip
        if one.options is None:
            break
        answer = rng.randrange(len(one.options))
        choose(one, answer)
        choose(other, answer)
