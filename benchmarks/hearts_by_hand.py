"""One deal of Hearts as an engineer writes it by hand in plain Python: what `hearts_bare.cardgame` is measured against.

Four players, no passing, thirteen tricks. The holder of the two of clubs leads it; one must follow suit; no points in the first
trick unless the hand has nothing else; hearts may not be led until broken (a heart discarded, or led for want of anything else);
a heart is one point and the queen of spades thirteen; who takes all twenty-six has none and the others twenty-six each.

Two random playouts: `Hearts`, an object with `legal()`, `apply()` and `clone()`, the shape that a bot, a REPL or a search needs,
optimised as one would; and `fast_playout()`, everything in one function, the ceiling of plain Python.
Cards are numbers 0..51: suit `c // 13` (clubs, diamonds, hearts, spades), rank `c % 13` (two … ace).
"""

from __future__ import annotations

import random
from collections.abc import Callable

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
QUEEN_OF_SPADES, TWO_OF_CLUBS = SPADES * 13 + 10, 0
SUIT = [c // 13 for c in range(52)]
POINTS = [1 if SUIT[c] == HEARTS else 13 if c == QUEEN_OF_SPADES else 0 for c in range(52)]
DECK = list(range(52))
NAMES = [rank + suit for suit in "♣♦♥♠" for rank in [*"23456789", "10", *"JQKA"]]


class Hearts:
    __slots__ = ("broken", "hands", "leader", "led", "played", "points", "trick", "turn")

    def __init__(self, deck: list[int] | None = None) -> None:
        if deck is None:
            deck = DECK[:]
            random.shuffle(deck)
        # hands[p][suit] -> list of cards: following suit is one index
        self.hands: list[list[list[int]]] = [[[], [], [], []] for _ in range(4)]
        for i, c in enumerate(deck):
            self.hands[i & 3][SUIT[c]].append(c)
            if c == TWO_OF_CLUBS:
                self.leader = self.turn = i & 3
        self.led = -1
        self.trick: list[int] = []
        self.broken = False
        self.points = [0, 0, 0, 0]
        self.played = 0

    def clone(self) -> Hearts:
        s = Hearts.__new__(Hearts)
        s.hands = [[c[:], d[:], h[:], p[:]] for c, d, h, p in self.hands]
        s.turn, s.led, s.trick, s.leader = self.turn, self.led, self.trick[:], self.leader
        s.broken, s.points, s.played = self.broken, self.points[:], self.played
        return s

    def is_over(self) -> bool:
        return self.played == 52

    def legal(self) -> list[int]:
        hand = self.hands[self.turn]
        led = self.led
        if led >= 0:
            if hand[led]:
                return hand[led]
            c, d, h, s = hand
            if self.played < 4:  # first trick: no points
                safe = c + d + [x for x in s if x != QUEEN_OF_SPADES]
                if safe:
                    return safe
            return c + d + h + s
        if self.played == 0:
            return [TWO_OF_CLUBS]
        c, d, h, s = hand
        if not self.broken:
            safe = c + d + s
            if safe:
                return safe
        return c + d + h + s

    def apply(self, card: int) -> None:
        suit = SUIT[card]
        self.hands[self.turn][suit].remove(card)
        trick = self.trick
        if not trick:
            self.led = suit
        if suit == HEARTS:
            self.broken = True
        trick.append(card)
        self.played += 1
        if len(trick) < 4:
            self.turn = (self.turn + 1) & 3
            return
        led = self.led
        best, best_at = -1, 0
        points = 0
        for i, c in enumerate(trick):
            points += POINTS[c]
            if SUIT[c] == led and c > best:
                best, best_at = c, i
        winner = (self.leader + best_at) & 3
        self.points[winner] += points
        self.leader = self.turn = winner
        self.trick = []
        self.led = -1

    def scores(self) -> list[int]:
        if 26 in self.points:  # shot the moon
            return [0 if p == 26 else 26 for p in self.points]
        return self.points


def playout(state: Hearts, rnd: Callable[[], float] = random.random) -> list[int]:
    while state.played < 52:
        legal = state.legal()
        state.apply(legal[int(rnd() * len(legal))])
    return state.scores()


def fast_playout(rnd: Callable[[], float] = random.random, shuffle: Callable[[list[int]], None] = random.shuffle) -> list[int]:
    deck = DECK[:]
    shuffle(deck)
    hands: list[list[list[int]]] = [[[], [], [], []] for _ in range(4)]
    turn = winner = 0
    for i, c in enumerate(deck):
        hands[i & 3][SUIT[c]].append(c)
        if c == TWO_OF_CLUBS:
            turn = i & 3
    points = [0, 0, 0, 0]
    broken = False
    for t in range(13):
        best = led = -1
        taken = 0
        for k in range(4):
            hand = hands[turn]
            if k:
                legal = hand[led]
                if not legal:
                    if t == 0:
                        legal = hand[0] + hand[1] + [x for x in hand[3] if x != QUEEN_OF_SPADES] or hand[2] + hand[3]
                    else:
                        legal = hand[0] + hand[1] + hand[2] + hand[3]
            elif t == 0:
                legal = [TWO_OF_CLUBS]
            elif broken:
                legal = hand[0] + hand[1] + hand[2] + hand[3]
            else:
                legal = hand[0] + hand[1] + hand[3] or hand[2]
            card = legal[int(rnd() * len(legal))]
            suit = SUIT[card]
            hand[suit].remove(card)
            if k == 0:
                led = suit
            if suit == HEARTS:
                broken = True
            if suit == led and card > best:
                best = card
                winner = turn
            taken += POINTS[card]
            turn = (turn + 1) & 3
        points[winner] += taken
        turn = winner
    return [0 if p == 26 else 26 for p in points] if 26 in points else points
