"""What a text is made of while it is read: tokens, and the branches of the tree the parser makes of them."""

from __future__ import annotations

from typing import Self

from attrs import define


class Token(str):
    """A word, sign, number or text where it stands; `type` is what it is to the parser, `line` counts from 1.

    Layout is tokens too: `_NL`, `_INDENT`, `_DEDENT` and `$END` are empty and stand where the token before them ends."""

    __slots__ = ("end", "line", "start", "type")

    type: str
    start: int
    end: int
    line: int

    def __new__(cls, kind: str, text: str, start: int, line: int) -> Self:
        token = super().__new__(cls, text)
        token.type = kind
        token.start = start
        token.end = start + len(text)
        token.line = line
        return token


@define(eq=False)
class Branch:
    """A production of the grammar that was read: its name and its parts; None stands for an optional part that is not there."""

    name: str
    parts: list[Part]
    start: int
    end: int


Part = Token | Branch | None
