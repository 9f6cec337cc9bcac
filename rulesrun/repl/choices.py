"""What can be answered, and what a typed answer means: a number, the first letters, a card's name, or words of the label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from attrs import field, frozen

from dsl.suggest import closest

NUMBER = re.compile(r"-?\d{1,6}")


@frozen
class Choice:
    """One thing to choose. `names` are other words for it, such as the cards it mentions. `sign` is what stands before it and
    can be typed: its number."""

    label: str
    names: tuple[str, ...] = ()
    sign: str = field(default="", kw_only=True)

    @property
    def numbered(self) -> str:
        return self.label if self.sign == self.label else f"{self.sign} {self.label}"


@frozen
class Misunderstood:
    """Nothing, or more than one thing, is meant; `text` says so to the person."""

    text: str


def signs(labels: Sequence[str]) -> list[str]:
    """What to number the options with: what is a number by itself has that one, the others those that are free, from 1. If a number is
    there twice, all are numbered from 1. So a number that is typed means one thing only."""
    numbers = [label for label in labels if NUMBER.fullmatch(label)]
    taken = set(numbers)
    if len(taken) < len(numbers):
        numbers, taken = [], set()
    free = (str(n) for n in count(1) if str(n) not in taken)
    return [label if label in taken else next(free) for label in labels]


def understand(typed: str, choices: Sequence[Choice]) -> int | Misunderstood:
    """The choice that is meant."""
    wanted = plain(typed)
    for i, choice in enumerate(choices):
        if wanted == choice.sign:
            return i
    if NUMBER.fullmatch(wanted):
        return Misunderstood(f"There is no {wanted} here: type {_numbers([choice.sign for choice in choices])}.")
    for test in (_is, _run_together, _begins, _words_begin, _contains):
        found = [i for i, choice in enumerate(choices) if any(test(plain(name), wanted) for name in (choice.label, *choice.names))]
        if len({choices[i].label for i in found}) == 1:
            return found[0]
        if found:
            which = ", ".join(choices[i].numbered for i in found[:4]) + (" …" if len(found) > 4 else "")
            return Misunderstood(f"`{typed}` could be {which}. Type more of it, or its number.")
    near = closest(wanted, [plain(name) for choice in choices for name in (choice.label, *choice.names)])
    if near is not None:
        return Misunderstood(f"`{typed}` is not among the choices. Did you mean `{near}`?")
    return Misunderstood(f"`{typed}` is not among the choices. Type its number or its first letters; `:help` shows what else.")


def understand_several(typed: str, choices: Sequence[Choice], least: int, most: int) -> list[int] | Misunderstood:
    """Several choices in one answer: numbers or first letters with blanks between them, or names with commas."""
    signs = {choice.sign for choice in choices}
    found: list[int] = []
    if plain(typed) not in NONE_WORDS or plain(typed) in signs:
        for piece in filter(None, (piece.strip() for piece in typed.split(","))):
            several = _pieces(piece, choices)
            if isinstance(several, Misunderstood):
                return several
            found += several
    if not least <= len(found) <= most:
        return Misunderstood(f"That is {len(found)}. Choose {how_many(least, most)}: their numbers with blanks between them.")
    return found


def _pieces(piece: str, choices: Sequence[Choice]) -> list[int] | Misunderstood:
    """What stands between two commas: one choice, or one a word."""
    words = piece.split()
    if len(words) == 1 or not all(NUMBER.fullmatch(word) for word in words):
        one = understand(piece, choices)
        if not isinstance(one, Misunderstood):
            return [one]
        if len(words) == 1:
            return one
    found = []
    for word in words:
        one = understand(word, choices)
        if isinstance(one, Misunderstood):
            return one
        found.append(one)
    return found


NONE_WORDS = ("none", "nothing", "no", "0", "-")


def how_many(least: int, most: int) -> str:
    if least == most:
        return str(least)
    if least == 0:
        return f"up to {most}"
    return f"{least} to {most}"


def plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _numbers(signs: Sequence[str]) -> str:
    signs = sorted(signs, key=int)
    if len(signs) > 2 and [int(sign) for sign in signs] == list(range(int(signs[0]), int(signs[0]) + len(signs))):
        return f"a number from {signs[0]} to {signs[-1]}"
    return f"{', '.join(signs[:-1])} or {signs[-1]}" if len(signs) > 1 else signs[0]


def _is(name: str, wanted: str) -> bool:
    return name == wanted


def _run_together(name: str, wanted: str) -> bool:
    """`e2e4` means "e2 e4"."""
    return len(wanted) > 2 and name.replace(" ", "") == wanted.replace(" ", "")


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted)


def _words_begin(name: str, wanted: str) -> bool:
    """`dr de` means "the draw deck": each word typed begins the next fitting word of the label."""
    words = iter(re.findall(r"\w+|[^\w\s]", name))
    return bool(wanted) and all(any(word.startswith(part) for word in words) for part in wanted.split())


def _contains(name: str, wanted: str) -> bool:
    return bool(wanted) and wanted in name
