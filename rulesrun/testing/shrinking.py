"""From a game that went wrong to the shortest play that goes wrong in the same way.

Three things are tried in turn, with a budget of decisions: short random games from small seeds, leaving out stretches of the choices
(delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), and all plays of very few choices. What is
left gets the first options that will do.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve

from interpreter.play import Rules
from interpreter.state import State
from rulesrun.testing.trials import Play, Tester, Trial, Trouble

BUDGET = 60_000
"""decisions that may be played for it; one that loops for ever counts for many"""
SEEDS = 200
DEEPEST = 8
"""choices of the plays that are all tried"""
ENOUGH_STEPS = 20_000
"""between two decisions, where the trouble is that there is no end of them"""
ENDLESS = "CG1002"


def shrink(tester: Tester, found: Play, trouble: Trouble, budget: int = BUDGET) -> Play:
    """The shortest play met that leads to the same trouble; the one given if there is none."""
    if trouble.key[0] == ENDLESS:
        tester = Tester(Rules(tester.rules.game, ENOUGH_STEPS))
    shrinker = _Shrinker(tester, trouble, found, budget)
    shrinker.start_anew(budget // 3)
    shrinker.leave_out()
    shrinker.try_all()
    shrinker.leave_out()
    shrinker.simplify()
    shrinker.other_seeds()
    return shrinker.best


@define
class _Shrinker:
    tester: Tester
    trouble: Trouble
    best: Play
    left: int

    def fails(self, one: Play) -> Play | None:
        """The play as far as the trouble, if it leads there."""
        return self._accept(self.tester.again(one))

    def _accept(self, trial: Trial) -> Play | None:
        self.left -= 1 + len(trial.play.choices)
        same = trial.trouble is not None and trial.trouble.key == self.trouble.key
        return trial.play if same else None

    def better(self, one: Play | None) -> bool:
        """Take it if it is simpler than the best."""
        if one is None or measure(one) >= measure(self.best):
            return False
        self.best = one
        return True

    # ── what is tried ──

    def start_anew(self, budget: int) -> None:
        """Random games from small seeds that stop where they would be longer than the best."""
        least = self.left - budget
        for seed in range(SEEDS):
            for players in self.tester.rules.game.players:
                if self.left <= least or (not self.best.choices and seed > self.best.seed):
                    return
                self.better(self._accept(self.tester.at_random(players, seed, len(self.best.choices))))

    def leave_out(self) -> None:
        """Leave out stretches of the choices, first long ones, as long as it goes wrong."""
        size = len(self.best.choices) // 2
        while size:
            at = 0
            while at < len(self.best.choices) and self.left > 0:
                choices = self.best.choices
                if not self.better(self.fails(evolve(self.best, choices=choices[:at] + choices[at + size :]))):
                    at += size
            size //= 2

    def try_all(self) -> None:
        """Every play with fewer choices than the best, the shortest first."""
        for depth in range(min(DEEPEST, len(self.best.choices))):
            for players in self.tester.rules.game.players:
                for seed in (*range(3), self.best.seed):
                    for one in self.plays(Play(players, seed), depth):
                        if self.better(one):
                            return
                        if self.left <= 0:
                            return

    def plays(self, start: Play, depth: int) -> Iterator[Play | None]:
        """All plays of so many choices, as far as the trouble; None for those that do not lead there."""
        waiting = [start]
        while waiting:
            one = waiting.pop()
            if len(one.choices) == depth:
                yield self.fails(one)
                continue
            count = self.options(one)
            waiting += [evolve(one, choices=(*one.choices, index)) for index in reversed(range(count))]

    def options(self, one: Play) -> int:
        """How many options there are after this play."""
        counts: list[int] = []
        left = iter(one.choices)

        def choose(state: State) -> int | None:
            wanted = next(left, None)
            if wanted is None:
                counts.append(len(state.options or ()))
            return wanted

        self.left -= 1 + len(one.choices)
        self.tester.run(one.players, one.seed, choose)
        return counts[0] if counts else 0

    def simplify(self) -> None:
        """Take the first option where that goes wrong too."""
        for at, index in enumerate(self.best.choices):
            for lower in range(min(index, 3)):
                if self.left <= 0:
                    return
                choices = self.best.choices
                if at < len(choices) and self.better(
                    self.fails(evolve(self.best, choices=(*choices[:at], lower, *choices[at + 1 :])))
                ):
                    break

    def other_seeds(self) -> None:
        """The same choices with other luck."""
        for seed in range(min(SEEDS, self.best.seed)):
            if self.left <= 0 or self.better(self.fails(evolve(self.best, seed=seed))):
                return


def measure(one: Play) -> tuple[int, int, int, int]:
    """What is simpler counts less: fewer choices, fewer players, options nearer the first, a smaller seed."""
    return len(one.choices), one.players, sum(one.choices), one.seed
