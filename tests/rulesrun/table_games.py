"""Small games and a scripted desk, for the tests of what people touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console

import rulesrun
from rulesrun.repl.session import Session

GAMES = Path(__file__).parent.parent / "corpus" / "games"

DUEL = """
game "Duel" for 2..3 players

## Everybody shows a card. The higher one takes a point.

option goal = 2 in 1..5: "Points to win"
option coin: Side = Heads: "Who begins"

kind Side: Heads, Tails "the tails"

card Knight(force: number)

zone deck:          hidden pile of Knight
zone hand[player]:  private set of Knight
zone arena[player]: open row of Knight

var total[player] = 0

cards Knight in deck:
    name       force  copies
    "Page"     1      4
    "Squire"   2      4
    "Baron"    3      2

rule setup():
    shuffle deck
    deal 3 from deck to hand[p] for p in players

rule game():
    while not any(p in players where total[p] >= goal) and hand is not empty:
        turn(seats.first when coin is Heads otherwise seats.last)

rule turn(leader: player):
    for p in turn_order(leader) where hand[p] is not empty:
        p chooses "a knight to send" c in hand[p]: move c to arena[p]
    let best = max(c.force for c in arena)
    for p in players where any(c in arena[p] where c.force is best): total[p] += 1
    move arena to deck

scoring(p):
    "Points": total[p]

define winners() = highest(p in players by total[p])

invariant "nobody has more than ten points": not any(p in players where total[p] > 10)

test "the higher one takes a point":
    given hand[P1] = ["Baron"]
    given hand[P2] = ["Page"]
    when turn(P1)
    when P1 chooses "Baron"
    when P2 chooses "Page"
    expect total[P1] is 1 and total[P2] is 0

test "with other options":
    given option goal = 5
    expect goal is 5
"""

PICKS = """
game "Picks" for 2 players

card Stone(weight: number)

zone bag:          open set of Stone
zone mine[player]: open set of Stone

cards Stone in bag:
    name      weight  copies
    "Flint"   1       2
    "Slate"   2       1
    "Marble"  3       1

rule setup():
    move bag to bag

rule game():
    for p in players:
        p chooses "stones to take" 0..2 stones in bag: move stones to mine[p]

define winners() = players
"""

SECRET = """
game "Secret" for 2 players

card Note(value: number)

zone deck:         hidden pile of Note
zone hand[player]: private set of Note
zone said:         open row of Note

cards Note in deck:
    name    value
    "N{n}"  n      for n in 101..110

rule setup():
    shuffle deck
    deal 2 from deck to hand[p] for p in players

rule game():
    repeat 2:
        for p in players:
            p chooses "a note to say" c in hand[p]: move c to said

define winners() = players
"""


LUCK = """
game "Luck" for 2 players

option sides = 6 in 2..6: "Of the dice"

dice pair: 2 of 1..6
card Coin(worth: number)
zone purse: open set of Coin
zone mine[player]: open set of Coin

cards Coin in purse:
    name     worth  copies
    "Penny"  1      3
    "Pound"  2      3

rule setup():
    roll pair
    chance chooses p in players: turn(p)

rule game():
    repeat 3:
        for p in players: turn(p)

rule turn(p: player):
    roll pair
    p may "take a coin":
        p chooses "a coin" c in purse: take(c, p)

rule take(c: Coin, p: player):
    move c to mine[p]

after take(c, p) where c.worth is 2:
    p chooses "what to do with it":
        "Keep it"
        "Give it to {q}" for q in others(p): move c to mine[q]

define winners() = players
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.cardgame"
    path.write_text(text.lstrip("\n"), encoding="utf-8")
    return path


class ScriptedDesk:
    """Answers are given beforehand; what was printed is kept. `asked` are the prompts, each with the words offered."""

    def __init__(self, answers: Sequence[str], width: int = 80, live: bool = False) -> None:
        self.output = StringIO()
        self.console = Console(file=self.output, width=width, height=24, highlight=False, markup=False, emoji=False)
        self.answers = deque(answers)
        self.live = live
        self.asked: list[tuple[str, list[str]]] = []
        self.wiped_at: list[int] = []

    def ask(self, prompt: str, words: Callable[[], Sequence[str]]) -> str:
        self.asked.append((prompt, list(words())))
        if not self.answers:
            raise EOFError
        answer = self.answers.popleft()
        self.output.write(f"{prompt}{answer}\n")
        return answer

    def wipe(self) -> None:
        self.wiped_at.append(len(self.text))

    @property
    def text(self) -> str:
        return self.output.getvalue()


def sit_down(
    game: rulesrun.Game,
    answers: Sequence[str],
    *,
    players: int = 2,
    humans: Sequence[int] = (0,),
    seed: int = 1,
    width: int = 80,
    live: bool = False,
) -> tuple[Session, ScriptedDesk]:
    """A session with people at these seats and random bots at the others."""
    desk = ScriptedDesk(answers, width, live)
    bots = {seat: "random" for seat in range(players) if seat not in humans}
    return Session(game.start(players, seed), desk, tuple(humans), bots), desk
