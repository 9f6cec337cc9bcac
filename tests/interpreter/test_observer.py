"""What each viewer is told of choices, moves and changes, in small games written for it."""

from __future__ import annotations

import random

import pytest

from dsl import pipeline
from dsl.source import Source
from interpreter.decisions import Decision, decision, pending
from interpreter.faults import Fault
from interpreter.information import InformationState
from interpreter.observer import Witness
from interpreter.play import Rules, choose, start
from interpreter.state import State
from interpreter.story import tell
from interpreter.views import view
from tests.interpreter.games import Corpus

TABLE = """game "Table" for 3 players

card Card(n: number)

zone deck:         hidden pile of Card
zone hand[player]: private set of Card
zone mat:          open row of Card
zone heap:         hidden set of Card

var noticed[player] = no
var total[player] = 0
var next: player? = none
var notes: list of Card = []
private var guess[player] = 0

cards Card in deck:
    name    n
    "C{i}"  i    for i in 1..9

rule setup():
    deal 2 from deck to hand[p] for p in players

define winners() = players

rule game():
    for p in players: turn(p)
"""


class Game:
    """A game under way with its witness; answers are given by the text of the option."""

    def __init__(self, rules: str, seed: int = 1) -> None:
        game = pipeline.load(Source("table.cardgame", TABLE + rules), Corpus())
        code = Rules(game).code(3, observed=True)
        self.program = code.program
        self.witness = Witness.of(self.program)
        self.state: State = start(code, seed, observer=self.witness)

    @property
    def decision(self) -> Decision:
        found = decision(self.state)
        assert found is not None
        return found

    @property
    def options(self) -> list[str]:
        return [option.text for option in self.decision.options]

    def answer(self, *texts: str) -> None:
        for text in texts:
            choose(self.state, self.options.index(text))

    def lines(self, viewer: int | None) -> list[str]:
        """What follows the setup."""
        return [line.text for line in tell(self.program, self.witness.log, viewer)[1:]]

    def last(self, viewer: int | None) -> str:
        return self.lines(viewer)[-1]


def test_the_deal_is_named_for_who_holds_the_cards_and_counted_for_the_others() -> None:
    game = Game("rule turn(p: player):\n    p chooses c in hand[p]: move c to mat\n")
    lines = [tell(game.program, game.witness.log, viewer)[0].text for viewer in (0, None)]
    assert lines == [
        "Setting up. C1 and C4 go from deck to P1's hand. 2 cards each go from deck to the hand of P2 and P3.",
        "Setting up. 2 cards each go from deck to the hand of P1, P2 and P3.",
    ]
    assert game.options == ["C1", "C4"]


def test_a_card_played_openly_is_named_to_all() -> None:
    game = Game('rule turn(p: player):\n    p chooses "a card to play" c in hand[p]: move c to mat\n')
    game.answer("C4")
    assert game.last(None) == game.last(2) == "P1, a card to play: C4 → mat."


def test_a_card_put_away_is_named_to_its_owner_only_and_stays_masked() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    p chooses c in hand[p]: move c under deck\n"
        '    p chooses "what now":\n'
        '        "Show it": reveal deck.bottom\n'
        '        "Go on"\n'
    )
    game.answer("C4")
    assert game.lines(0) == ["P1: C4 → under deck."]
    assert game.lines(1) == game.lines(None) == ["P1: a card → under deck."]
    game.answer("Show it")
    assert game.lines(1)[:2] == ["P1: a card → under deck.", "P1: Show it. C4 is revealed."]


def test_a_choice_cut_short_is_not_named_later() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    think(p)\n"
        "    for c in hand[p]: reveal c\n"
        '    p chooses "what now":\n'
        '        "Go on"\n'
        "\n"
        "rule think(p: player):\n"
        "    p chooses c in hand[p]:\n"
        '        p chooses "really":\n'
        '            "Yes": end think\n'
        '            "No"\n'
    )
    game.answer("C4")
    assert game.last(1) == "P1: a card."
    game.answer("Yes")
    assert game.lines(1) == ["P1: a card.", "P1: Yes.", "C1 and C4 are revealed."]
    assert game.lines(0)[0] == "P1: C4."


def test_cards_of_others_are_offered_by_place() -> None:
    game = Game('rule turn(p: player):\n    p chooses "a card to take" c in hand[p.left]: move c to hand[p]\n')
    assert game.options == ["card 1 of P2's hand", "card 2 of P2's hand"]
    assert len({option.key for option in game.decision.options}) == 2
    shown = view(game.state, 0)
    assert next(zone for zone in shown.zones if zone.name == "P2's hand").cards == (None, None)
    choose(game.state, 0)
    taken = game.last(0).removeprefix("P1, a card to take: ").removesuffix(" → hand.")
    assert taken in ("C2", "C5")
    assert game.last(1) == game.last(0)
    assert game.last(2) == "P1, a card to take: a card → hand."


def test_sealed_answers_are_told_when_all_are_in() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    if p is seats.first: bid()\n"
        "\n"
        "rule bid():\n"
        '    each q in players chooses "a gift" 1..2 gifts in hand[q]: move gifts to mat\n'
    )
    game.answer("C1", "enough", "C2", "C5")
    assert game.lines(0) == ["P1's turn.", "P1, a gift: C1 (sealed).", "P2 has chosen."]
    assert game.lines(1) == ["P1's turn.", "P1 has chosen.", "P2, a gift: C2 and C5 (sealed)."]
    asked = pending(game.state, 0)
    assert asked is not None and asked.player == 2 and asked.prompt == "a gift"
    assert view(game.state, 0) == view(game.state, 0) and len(game.state.zones[4]) == 0
    game.answer("C6", "C3")
    assert game.lines(None)[4:] == [
        "P1, a gift: C1 → mat.",
        "P2, a gift: C2 and C5 → mat.",
        "P3, a gift: C6 and C3 → mat.",
        "The game is over.",
    ]


def test_who_is_asked_twice_in_secret_is_told_of_twice() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    if p is seats.first:\n"
        "        bid()\n"
        "        wait()\n"
        "\n"
        "rule bid():\n"
        '    each q in [seats.first, seats.first] chooses "whom to greet" 1..2 friends in players: total[q] += friends.size\n'
        "\n"
        "rule wait():\n"
        '    seats.first chooses "a number" n in [1, 2]: total[seats.first] := n\n'
    )
    game.answer("P1", "enough", "P2", "P3")
    assert [line for line in game.lines(1) if "greet" in line] == [
        "P1, whom to greet: P1. P1's total: 1.",
        "P1, whom to greet: P2, P3. P1's total: 3 (+2).",
    ]


def test_declining_and_several_at_once() -> None:
    game = Game(
        "rule turn(p: player):\n"
        '    p chooses "cards to lay down" 0..2 laid in hand[p]: move laid to mat\n'
        '    p may "Draw": deal 1 from deck to hand[p]\n'
        "    p may choose q in others(p): next := q\n"
    )
    assert game.options == ["C1", "C4", "enough"]
    game.answer("C4", "C1", "no", "none")
    assert game.lines(1) == ["P1, cards to lay down: C4 and C1 → mat.", "P1 declines: Draw.", "P1: none."]
    game.answer("enough", "Draw", "P3")
    assert game.lines(0)[3:] == [
        "P2, cards to lay down: none.",
        "P2: Draw. A card goes from deck to P2's hand.",
        "P2: P3.",
    ]


def test_variables_are_told_by_what_they_have_become() -> None:
    game = Game(
        "rule turn(p: player):\n"
        '    p chooses "what":\n'
        '        "Score":\n'
        "            total[p] += 2\n"
        "            total[p] += 3\n"
        "            noticed[p] := yes\n"
        "            notes += [c for c in hand[p]]\n"
        "            guess[p] := 7\n"
        '        "All": \n'
        "            for q in players: noticed[q] := not noticed[q]\n"
    )
    game.answer("Score")
    assert game.last(1) == "P1: Score. P1's total: 5. P1 noticed."
    assert game.last(0) == "P1: Score. P1's total: 5. P1 noticed. P1's guess: 7."
    assert [v.text for v in view(game.state, 1).variables if v.family == "notes"] == ["2 cards"]
    assert [v.text for v in view(game.state, 0).variables if v.family == "notes"] == ["C1, C4"]
    assert [v.name for v in view(game.state, 1).variables if v.family == "guess"] == ["P2's guess"]
    game.answer("All")
    assert game.last(None) == "P2: All. Noticed: P1 no, P2 yes, P3 yes."


def test_looking_is_told_to_all_and_the_face_to_one() -> None:
    game = Game(
        "rule turn(p: player):\n"
        "    show deck.top to p\n"
        '    p chooses "what":\n'
        '        "Draw {deck.top}": deal 1 from deck to hand[p]\n'
    )
    assert game.options == ["Draw C7"]
    assert game.lines(0) == ["P1's turn. P1 looks at C7 in deck."]
    assert game.lines(1) == ["P1's turn. P1 looks at a card in deck."]
    game.answer("Draw C7")
    assert game.lines(1)[1:2] == ["P1: Draw a card. A card goes from deck to P1's hand."]
    assert game.lines(0)[1:2] == ["P1: Draw C7. C7 goes from deck to P1's hand."]


def test_options_that_read_alike_are_told_apart() -> None:
    game = Game(
        "rule turn(p: player):\n"
        '    p chooses "what":\n'
        '        "Take" for c in hand[p]: move c to mat\n'
        '        "Take": deal 1 from deck to mat\n'
        '        "Take": deal 1 from deck to heap\n'
    )
    assert game.options == ["Take (P1's hand) [1]"] or len(set(game.options)) == 4
    assert [option.key for option in game.decision.options] == game.options


def test_a_copy_goes_its_own_way() -> None:
    game = Game("rule turn(p: player):\n    p chooses c in hand[p]: move c to mat\n")
    other = game.state.copy()
    other.observer = watching = game.witness.copy(other)
    assert other == game.state and hash(other) == hash(game.state)
    game.answer("C4")
    assert other != game.state and len(watching.log) < len(game.witness.log)
    choose(other, 1)
    assert other == game.state and watching.log == game.witness.log


def test_a_label_that_cannot_be_made_is_a_fault_with_a_place() -> None:
    game = Game('rule turn(p: player):\n    move deck to mat\n    p chooses "what":\n        "Take {deck.top}"\n')
    with pytest.raises(Fault) as caught:
        decision(game.state)
    assert caught.value.code == "CG1016" and "deck.top" in caught.value.span.text
    with pytest.raises(Fault):
        choose(game.state, 0)


def test_scores_are_shown_as_far_as_everybody_can_work_them_out() -> None:
    rules = "rule turn(p: player):\n    p chooses c in hand[p]: move c to mat\n\nscoring(p):\n"
    open_game = Game(rules + '    "Total": total[p]\n    "Mat": mat.size\n')
    assert [(score.lines, score.total) for score in view(open_game.state, 1).scores] == [((("Total", 0), ("Mat", 0)), 0)] * 3
    secret = Game(rules + '    "Total": total[p]\n    "Hand": sum(c.n for c in hand[p])\n')
    assert [(score.lines, score.total) for score in view(secret.state, 1).scores] == [((("Total", 0),), None)] * 3
    secret.answer("C1", "C2", "C3")
    assert [score.total for score in view(secret.state, 1).scores] == [4, 5, 6]
    failing = Game(rules + '    "Best": max(c.n for c in mat)\n')
    assert [(score.lines, score.total) for score in view(failing.state, None).scores] == [((), None)] * 3


def test_a_decision_that_tells_of_hidden_cards_keeps_them_in_samples() -> None:
    """Where hardly any deal fits the options he was offered, the sampler still finds one."""
    game = Game("rule turn(p: player):\n    p chooses n in [c.n for c in deck]: total[p] := n\n")
    assert game.options == ["7", "8", "9"]
    rng = random.Random(3)
    own = InformationState(game.state, 0)
    other = InformationState(game.state, 1)
    for _ in range(10):
        sample = own.sample(rng)
        assert tuple(sample.options or ()) == (7, 8, 9) and sample.observer is None
        assert [sample.faces[slot] for slot in sample.zones[0]] == [8, 7, 6]
    tops = {tuple(other.sample(rng).options or ()) for _ in range(30)}
    assert len(tops) > 5
    assert own.decision == game.decision and other.decision is None
    assert [line.text for line in own.log] == [line.text for line in tell(game.program, game.witness.log, 0)]
