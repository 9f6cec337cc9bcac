"""Two states are the same by what is where, not by how it got there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from interpreter.canonical import canonical
from interpreter.knowledge import Knowledge
from tests.interpreter.tables import CARD, ListType, carry, state_of, table

ZONES = [("pile", "open", "pile", False), ("bag", "open", "set", False), ("hole", "hidden", "pile", False)]
VARIABLES = [("chosen", ListType(CARD), "open"), ("best", CARD, "open")]


def make(pile: list[int], bag: list[int], chosen: tuple[int, ...] = (), best: int | None = None, faces: str = "ABBC"):  # type: ignore[no-untyped-def]
    state = state_of(table(faces, ZONES, variables=VARIABLES), {0: pile, 1: bag})
    state.vars = [chosen, best]
    return state


def test_sets_count_by_content_and_piles_by_order() -> None:
    assert canonical(make([0], [1, 3])) == canonical(make([0], [3, 1]))
    assert canonical(make([0, 3], [1])) != canonical(make([3, 0], [1]))


def test_equal_cards_may_stand_for_one_another() -> None:
    assert canonical(make([0, 1], [2, 3])) == canonical(make([0, 2], [1, 3]))
    assert canonical(make([0], [1, 2, 3], best=1)) == canonical(make([0], [2, 1, 3], best=2))
    assert hash(canonical(make([0], [1, 2, 3], best=1))) == hash(canonical(make([0], [2, 1, 3], best=2)))
    assert canonical(make([0], [1, 2, 3], chosen=(1, 2), best=1)) == canonical(make([0], [1, 2, 3], chosen=(2, 1), best=2))
    assert canonical(make([0], [1, 2, 3], chosen=(1, 2), best=1)) != canonical(make([0], [1, 2, 3], chosen=(1, 2), best=2))
    assert canonical(make([1, 2], [0], best=1)) != canonical(make([1, 2], [0], best=2))


def test_cards_in_frames_are_named_and_the_rest_is_plain_data() -> None:
    first = make([0, 1], [2, 3])
    first.code.types = (CARD, None)  # type: ignore[attr-defined]
    other = make([0, 2], [1, 3])
    other.code.types = (CARD, None)  # type: ignore[attr-defined]
    first.stack, other.stack = [[7, 1, [1, (2,)], {3: True}]], [[7, 2, [1, (2,)], {3: True}]]
    assert canonical(first) == canonical(other)
    other.stack[0][2] = [1, (3,)]
    assert canonical(first) != canonical(other)
    other.stack = [[7, 2, [1, (2,)], {3: 1}]]
    assert canonical(first) != canonical(other)


def test_generator_roster_and_knowledge_count() -> None:
    state = make([0], [1, 3])
    other = make([0], [1, 3])
    other.rng = 2
    assert canonical(state) != canonical(other)
    other.rng, other.live = state.rng, (1,)
    assert canonical(state) != canonical(other)
    other.live = state.live
    watching: Any = SimpleNamespace(knowledge=Knowledge.of(state))
    seen: Any = SimpleNamespace(knowledge=Knowledge.of(other))
    state.observer, other.observer = watching, seen
    assert canonical(state) == canonical(other)
    carry(other, 0, 2)
    carry(state, 0, 2)
    assert canonical(state) == canonical(other)
    seen.knowledge.shown(other, 1, (0,))
    seen.knowledge.known[0] ^= 1
    assert canonical(state) != canonical(other)
