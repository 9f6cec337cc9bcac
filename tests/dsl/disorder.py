"""Spoils the layout of a rules file without changing what it says."""

from __future__ import annotations

import re
from random import Random

PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*|[ ]+|\w+|:=|\+=|-=|<=|>=|->|\.\.\.|\.\.|.')
SIGN = re.compile(r":=|\+=|-=|<=|>=|->|[()\[\],=<>+*/]")
RULEBOOK = re.compile(r" *##(?!#)")


def disordered(text: str, random: Random, *, remarks: bool) -> str:
    """Other indentation and other gaps; with `remarks` also new remarks, blank lines, and line breaks inside brackets."""
    made: list[str] = []
    widths = [0]
    columns = [0]
    brackets = 0
    for line in text.split("\n"):
        code = line.strip(" ")
        inside = brackets > 0
        if not code or inside or code.startswith("#"):
            margin = random.choice(columns) if remarks else columns[-1]
            margin = len(line) - len(line.lstrip(" ")) if not remarks else margin
        else:
            indent = len(line) - len(code)
            if indent > widths[-1]:
                widths.append(indent)
                columns.append(columns[-1] + random.randint(1, 7))
            while indent < widths[-1]:
                widths.pop()
                columns.pop()
            margin = columns[-1]
        pieces = PIECE.findall(code)
        new, brackets = _gaps(pieces, brackets, random, remarks)
        if remarks and not inside and not RULEBOOK.match(line) and not _follows_rulebook(made):
            made += _between(random, margin)
        end = " " * random.randint(0, 2)
        if remarks and code and "#" not in pieces[-1] and random.random() < 0.15:
            end = " " * random.randint(0, 3) + f"# remark {random.randint(0, 99)}"
        made.append(" " * margin + new + end if code else "")
    return "\n".join(made)


def _follows_rulebook(lines: list[str]) -> bool:
    """Whether these lines end with rulebook text, or with remarks right under it: a declaration must be next."""
    for line in reversed(lines):
        if not line.lstrip(" ").startswith("#"):
            return False
        if RULEBOOK.match(line):
            return True
    return False


def _between(random: Random, margin: int) -> list[str]:
    """Blank lines and remarks to put between two lines."""
    kind = random.random()
    if kind < 0.8:
        return []
    if kind < 0.9:
        return [""] * random.randint(1, 3)
    return [" " * random.randint(0, margin + 3) + "# a remark between lines"]


def _gaps(pieces: list[str], brackets: int, random: Random, breaks: bool) -> tuple[str, int]:
    """The pieces of a line with other gaps between them; how many brackets are open after it."""
    made = ""
    for at, piece in enumerate(pieces):
        following = pieces[at + 1] if at + 1 < len(pieces) else ""
        before = pieces[at - 1] if at else ""
        if piece.isspace():
            if following == "=" or pieces[0] == "ending":
                made += piece
            elif SIGN.fullmatch(before) and not (before in ")]" and following in "([") and random.random() < 0.2:
                made += ""
            else:
                made += " " * random.choice((1, 1, 2, 5))
        else:
            made += piece
            brackets += (piece in "([") - (piece in ")]")
            if piece in ("(", ",", "[") and not following.startswith(("#", " ")) and random.random() < 0.1:
                made += " "
        if breaks and brackets and not piece.startswith("#") and following.isspace() and random.random() < 0.04:
            made += "\n" + " " * random.randint(0, 9)
    return made, brackets
