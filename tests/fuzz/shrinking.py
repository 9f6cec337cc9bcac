"""Makes a program that fails shorter by its lines: what Hypothesis leaves of a long one, or any text that was not drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic

from rulesrun.strategies import Program
from rulesrun.strategies.programs_files import GAME


def shortened(program: Program, fails: Callable[[Program], bool], seconds: float) -> Program:
    """The program with as few lines as still fail, found in about so many seconds. `fails` must raise nothing."""
    end = monotonic() + seconds
    before = ""
    while str(program) != before and monotonic() < end:
        before = str(program)
        for name in list(program.texts):
            rest = {other: text for other, text in program.texts.items() if other != name}
            if len(program.texts) > 1 and name != GAME and fails(Program(rest)):
                program = Program(rest)
                continue
            program = _fewer_lines(program, name, fails, end)
    return program


def _fewer_lines(program: Program, name: str, fails: Callable[[Program], bool], end: float) -> Program:
    """Without the blocks it can do without, and with shorter lines, from the last to the first."""
    lines = program.texts[name].split("\n")
    at = len(lines) - 1
    while at > 0:
        at = min(at, len(lines) - 1)
        for other in _shorter(lines, at):
            if monotonic() > end:
                return program
            tried = program.changed(name, "\n".join(other))
            if fails(tried):
                program, lines = tried, other
                break
        at -= 1
    return program


def _shorter(lines: list[str], at: int) -> Iterator[list[str]]:
    """Without a line and what is indented under it, without the line alone, or with a part of the line."""
    size = _block(lines, at)
    yield lines[:at] + lines[at + size :]
    if size > 1:
        inside = [line[4:] for line in lines[at + 1 : at + size]]
        yield [*lines[:at], *inside, *lines[at + size :]]
    line = lines[at]
    for part in _parts(line):
        yield [*lines[:at], part, *lines[at + 1 :]]


def _block(lines: list[str], at: int) -> int:
    indent = len(lines[at]) - len(lines[at].lstrip(" "))
    size = 1
    while at + size < len(lines) and lines[at + size] and len(lines[at + size]) - len(lines[at + size].lstrip(" ")) > indent:
        size += 1
    return size


def _parts(line: str) -> Iterator[str]:
    """The line without its condition, or with something simple for what stands in brackets."""
    if " where " in line:
        head, _, rest = line.partition(" where ")
        yield head + (":" if rest.endswith(":") else "")
    for sign, simple in (("(", "1"), ("(", "yes"), ("[", "[1]")):
        start = line.rfind(sign)
        close = line.find(")" if sign == "(" else "]", start)
        if start >= 0 and close >= 0:
            yield line[:start] + simple + line[close + 1 :]
