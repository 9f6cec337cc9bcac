"""The fingerprint of checked rules: equal for equal rules, another after any change of them.

It is made from the model, so remarks, rulebook text, layout and `test` blocks do not count, nor which files the rules came
from; options do, with the values in force."""

from __future__ import annotations

import hashlib
from functools import cache

import attrs

from dsl import ast, model
from dsl.source import Source, Span

VERSION = "1"
"""goes into every fingerprint: to be raised when the same rules are to have another one"""
UNSAID = ("span", "doc", "properties", "tests", "helpers", "tested", "for_tests", "variants", "presets")
"""fields that are not the rules"""


def fingerprint(game: model.Game) -> str:
    """A text of 64 hexadecimal digits."""
    return _Writer(game).digest()


@cache
def _fields(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in attrs.fields(cls) if f.name not in UNSAID)


def _said(value: object) -> dict[str, object]:
    """The fields of an object that count."""
    cls: type = type(value)
    return {name: getattr(value, name) for name in _fields(cls)}


class _Writer:
    """Feeds a model to a hash, each declaration once. What is compared by identity (a local, a design) gets a number when it is
    first met; a declaration inside an expression is its id, and its own text comes in its turn. No recursion: rules may be deep."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.hash = hashlib.sha256(VERSION.encode())
        self.numbers: dict[int, int] = {}
        self.declared: list[model.Declared] = []
        self.known: set[int] = set()
        orders = sorted({(attachment.rank, attachment.order) for attachment in game.attachments})
        self.orders = {order: number for number, order in enumerate(orders)}
        ranks = sorted({rank for rank, _ in orders})
        self.ranks = {rank: (rank[0], number) for number, rank in enumerate(ranks)}

    def digest(self) -> str:
        self.write(list(_said(self.game).items()))
        for declaration in self.declared:  # grows on the way
            self.say(f"declare {type(declaration).__name__}")
            self.write(list(_said(declaration).values()))
        return self.hash.hexdigest()

    def say(self, word: str) -> None:
        data = word.encode("utf-8", "surrogatepass")
        self.hash.update(b"%d:" % len(data))
        self.hash.update(data)

    def write(self, root: object) -> None:
        waiting = [root]
        while waiting:
            parts = self.step(waiting.pop())
            waiting.extend(reversed(parts))

    def step(self, value: object) -> list[object]:
        """Say what this is; what is inside it comes next."""
        if isinstance(value, model.Declared):
            if id(value) not in self.known:
                self.known.add(id(value))
                self.declared.append(value)
            self.say(f"{type(value).__name__} {value.id}")
            return []
        if isinstance(value, Span | Source | ast.Node | model.Test):
            return []
        if isinstance(value, list | tuple):
            self.say(f"[{len(value)}")
            return list(value)
        if isinstance(value, dict):
            self.say(f"{{{len(value)}")
            return [item for key in sorted(value, key=repr) for item in (key, value[key])]
        if isinstance(value, set | frozenset):
            self.say(f"<{len(value)}")
            return sorted(value, key=repr)
        if isinstance(value, model.Attachment):
            self.say("Attachment")
            place = {"rank": self.ranks[value.rank], "order": self.orders[value.rank, value.order]}
            return list({**_said(value), **place}.values())
        cls: type = type(value)
        if not attrs.has(cls):
            self.say(f"{cls.__name__} {value!r}")
            return []
        if cls.__eq__ is not object.__eq__:
            self.say(cls.__name__)
            return list(_said(value).values())
        number = self.numbers.get(id(value))
        if number is not None:
            self.say(f"#{number}")
            return []
        self.numbers[id(value)] = len(self.numbers)
        self.say(cls.__name__)
        return list(_said(value).values())
