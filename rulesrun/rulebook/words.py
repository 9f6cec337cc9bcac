"""English: names as words, noun phrases with their number and person, lists and verbs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from dsl.render import visible

_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
_AUXILIARIES = {"is": "are", "has": "have", "can": "can", "may": "may", "must": "must", "was": "were", "does": "do"}
_NOT_VERBS = ("this", "bonus", "plus", "minus", "always", "less", "towards", "as", "across", "yes", "us", "its")


@frozen
class Noun:
    """A phrase that names something. `you`: the person spoken to; `plural`: its verb is in the plural."""

    text: str
    plural: bool = False
    you: bool = False
    whose: str | None = None
    """the possessive, where it is not made by rule"""

    def __str__(self) -> str:
        return self.text

    @property
    def possessive(self) -> str:
        if self.you:
            return "your"
        if self.whose is not None:
            return self.whose
        return f"{self.text}’" if self.plural and self.text.endswith("s") else f"{self.text}’s"

    @property
    def be(self) -> str:
        return "are" if self.plural or self.you else "is"

    def verb(self, singular: str) -> str:
        """A verb given in the third person (`takes`), as this subject needs it."""
        return bare(singular) if self.plural or self.you else singular


YOU = Noun("you", you=True)


def escaped(text: str) -> str:
    """Somebody's text as Markdown shows it unchanged."""
    return _SPECIAL.sub(r"\\\1", visible(text))


def humanised(name: str) -> str:
    """`draw_deck` is “draw deck”; `PlayingCard` is “playing card”; capital words stay if they stand alone."""
    spaced = name.replace("_", " ").strip() or name
    if " " not in spaced and re.search(r"[a-z][A-Z]", spaced):
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", spaced).lower()
    return escaped(spaced)


def capital(text: str) -> str:
    """The first letter large, behind whatever signs of emphasis come before it."""
    for place, letter in enumerate(text):
        if letter.isalpha():
            return text[:place] + letter.upper() + text[place + 1 :]
        if letter not in "*[“(":
            break
    return text


def sentence(text: str) -> str:
    text = capital(text)
    return text if text.endswith((".", ":", "!", "?", ".”", ".)")) else text + "."


def listed(parts: Sequence[str], word: str = "and") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def is_plural(name: str) -> bool:
    """Whether a name's last word looks like a plural."""
    last = name.split()[-1] if name.split() else name
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "dies"))


def plural(name: str) -> str:
    if is_plural(name):
        return name
    if name.endswith("y") and name[-2:-1] not in ("a", "e", "o", "u"):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def article(name: str) -> str:
    if name.startswith("other "):
        return f"an{name}"
    return f"{'an' if name[:1].lower() in ('a', 'e', 'i', 'o', 'u') else 'a'} {name}"


def bare(verb: str) -> str:
    """`takes` → `take`."""
    if verb in _AUXILIARIES:
        return _AUXILIARIES[verb]
    if verb.endswith(("sses", "xes", "ches", "shes", "oes")):
        return verb[:-2]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-1] if verb.endswith("s") else verb


def is_verb(word: str) -> bool:
    """Whether the first word of a condition's name is a verb in the third person: `rises`, `has`, `may`."""
    if word in _AUXILIARIES:
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) and word not in _NOT_VERBS


def said(subject: Noun, verb: str, rest: str, negated: bool = False) -> str:
    """A clause: subject, a verb in the third person, the rest; negated with `not` or `does not`."""
    if verb in _AUXILIARIES and verb != "does":
        form = _AUXILIARIES[verb] if subject.you or subject.plural else verb
        if verb == "has" and negated:
            form = f"{'do' if subject.you or subject.plural else 'does'} not have"
        elif negated:
            form = f"{form} not" if verb != "can" else "cannot"
        return " ".join(part for part in (str(subject), form, rest) if part)
    form = f"{'do' if subject.you or subject.plural else 'does'} not {bare(verb)}" if negated else subject.verb(verb)
    return " ".join(part for part in (str(subject), form, rest) if part)


def counted(number: int, name: str) -> str:
    return f"{number} {name if number == 1 else plural(name)}"
