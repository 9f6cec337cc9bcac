"""Where the time of a decision goes: instructions of Python in random play, by function of the engine and by line of the rules.

    python benchmarks/instructions.py benchmarks/hearts_library.cardgame 4

Instructions are counted, not seconds: a count is the same on every machine, however busy, so two versions of the engine can be
compared by it. An instruction takes a few nanoseconds, and much longer where it calls into C; a walk over a board, say, shows up
as less than it is. The code of the rules runs under the lines it was made from (`Code.place`)."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rulesrun
from interpreter import play
from interpreter.compile import FILE_NAME, Code

GAMES = 20
LINES = 20
"""shown of the rules"""
FUNCTIONS = 12
"""shown of the engine"""

WIDTH = 110
"""of a line of the rules that is shown"""

Place = tuple[str, str, int]
"""file, function and line of an instruction"""


def instructions(code: Code, games: int = GAMES) -> tuple[Counter[Place], int]:
    """Those of random games from the first decision to the end; and how many decisions that were."""
    counts: Counter[Place] = Counter()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            line = frame.f_lineno or frame.f_code.co_firstlineno  # some instructions stand in no line
            counts[frame.f_code.co_filename, frame.f_code.co_name, line] += 1
        return trace

    rng = random.Random(7)
    decisions = 0
    for seed in range(games):
        state = play.start(code, seed)
        sys.settrace(trace)
        try:
            decisions += play.play_out(state, [rng.random] * code.program.players)
        finally:
            sys.settrace(None)
    return counts, decisions


def rules_line(code: Code, line: int) -> str:
    """The line of a rules file that an instruction of compiled code comes from, with its text."""
    span = code.place(max(0, line - 1))
    return f"{span.source.id}:{span.line}  {' '.join(span.source.line(span.line).split())}"


def main(name: str, players: int | None) -> None:
    game = rulesrun.load(name)
    code = game.compiled.code(game.check_players(players))
    counts, decisions = instructions(code)
    engine: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for (file, function, line), count in counts.items():
        if file == FILE_NAME:
            lines[rules_line(code, line)] += count
        else:
            engine[f"{Path(file).stem}.{function}"] += count
    print(f"{game.name}, {code.program.players} players: {decisions / GAMES:,.0f} decisions a game")
    print(f"{counts.total() / decisions:8.1f} instructions a decision")
    print(f"{lines.total() / decisions:8.1f} in the rules, compiled:")
    for shown, count in lines.most_common(LINES):
        print(f"{count / decisions:16.1f}  {shown[:WIDTH]}")
    print(f"{engine.total() / decisions:8.1f} in the engine:")
    for shown, count in engine.most_common(FUNCTIONS):
        print(f"{count / decisions:16.1f}  {shown}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "dread_draw", int(sys.argv[2]) if len(sys.argv) > 2 else None)
