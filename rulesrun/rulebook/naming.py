"""What parameters, binders and other names of a rule are called in its sentences.

A name that is a word is used as it is: `leader` is “the leader”. A letter says only what it stands for: “the card”, or, where the
rule has several of a sort, “card C” and “card D”. The player whom a rule is about is “you”.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from attrs import Factory, define

from dsl import model, types, walk
from rulesrun.rulebook.words import YOU, Noun, humanised, is_plural, plural

ORDERS = ("first", "last", "next", "best", "lowest", "highest", "other", "second")
SHORT = 2
"""Names this long say nothing by themselves."""


@define
class Naming:
    """The phrases of one rule's names. `met`: names that have been introduced in the text so far."""

    phrases: dict[int, Noun] = Factory(dict)
    met: set[int] = Factory(set)

    def of(self, local: model.Local) -> Noun:
        known = self.phrases.get(id(local))
        return called(local) if known is None else known


def unwrapped(type: types.Type) -> types.Type:
    return type.of if isinstance(type, types.Optional) else type


def sort_of(type: types.Type) -> str:
    """What a thing of this type is in one word: card, player, suit, number, space."""
    type = unwrapped(type)
    if isinstance(type, types.CardType):
        return "card"
    if isinstance(type, types.SpaceType):
        return humanised(type.name).lower()
    if isinstance(type, types.Named):
        return humanised(type.name).lower()
    if isinstance(type, types.ListType):
        return plural(sort_of(type.of))
    if isinstance(type, types.ZoneType):
        return "place"
    return {"flag": "answer", "unknown": "thing", "none": "nothing"}.get(str(type), str(type))


def is_player(type: types.Type) -> bool:
    return unwrapped(type) == types.PLAYER


def is_local(expr: object) -> TypeGuard[model.LocalRef]:
    return isinstance(expr, model.LocalRef)


def called(local: model.Local) -> Noun:
    """A name by itself, without a look at the others of its rule."""
    if len(local.name) <= SHORT:
        sort = sort_of(local.type)
        listing = isinstance(local.type, types.ListType)
        return Noun(f"the {sort}", True) if listing else lettered(sort, local)
    word = humanised(local.name)
    if local.name in ORDERS and not isinstance(local.type, types.ListType):
        return Noun(f"the {word} {sort_of(local.type)}")
    return Noun(f"the {word}", isinstance(local.type, types.ListType) or is_plural(word))


def lettered(sort: str, local: model.Local) -> Noun:
    """“card C”; a number is just “N”."""
    return Noun(local.name.upper() if sort == "number" else f"{sort} {local.name.upper()}")


def locals_in(*roots: object) -> Iterable[model.Local]:
    """The names that are bound in some trees, in the order of the text."""
    for node in walk.nodes(*roots):
        if isinstance(node, (model.Binding | model.EachPlayer | model.PickSeveral | model.LetIn | model.Bind, model.SetLocal)):
            yield node.local
        elif isinstance(node, model.Reach):
            yield from (local for local in (node.space, node.step) if local is not None)
        elif isinstance(node, model.Distance | model.SpaceSets) and node.space is not None:
            yield node.space


def naming(
    params: Iterable[model.Local], *roots: object, you: model.Local | None = None, fixed: Mapping[int, Noun] | None = None
) -> Naming:
    """The names of a rule, define or attachment. `you` is the one spoken to; `fixed` says what some are called whatever else there is."""
    made = Naming(dict(fixed or {}))
    if you is not None:
        made.phrases[id(you)] = YOU
    params = [local for local in params if id(local) not in made.phrases]
    by_sort: dict[str, dict[str, list[model.Local]]] = {}
    for local in [*params, *locals_in(*roots)]:
        if id(local) not in made.phrases and len(local.name) <= SHORT:
            by_sort.setdefault(sort_of(local.type), {}).setdefault(local.name, []).append(local)
    kept = {id(node.local) for node in walk.nodes(*roots) if isinstance(node, model.SetLocal)}
    for sort, names in by_sort.items():
        for same in names.values():
            for local in same:
                if isinstance(local.type, types.ListType):
                    made.phrases[id(local)] = Noun(f"the {sort}", True)
                elif len(names) > 1 or sort == "number" or (sort == "player" and id(local) in kept):
                    made.phrases[id(local)] = lettered(sort, local)
                else:
                    made.phrases[id(local)] = Noun(f"that {sort}" if sort == "player" and local not in params else f"the {sort}")
    for local in params:
        made.met.add(id(local))
    return made


def spoken_to(params: Iterable[model.Local]) -> model.Local | None:
    """The player a rule is about: its first player, if the name is a mere letter."""
    return next((local for local in params if local.type == types.PLAYER and len(local.name) <= SHORT), None)


ADJECTIVES = ("ed", "lost", "ing", "taken", "drawn", "won", "out", "aside", "hidden")
PLACES = {"pile": "pile", "row": "row", "set": "cards"}


def is_agent(name: str) -> bool:
    """Whether a name says what somebody is: `starter`, `dealer`."""
    return name.split("_")[-1].endswith(("er", "or", "ee", "ant", "boss", "king", "man"))


def zone_name(zone: model.Zone) -> str:
    """“draw deck”; what is no noun gets one: “taken pile”."""
    name = humanised(zone.name)
    return f"*{name}* {PLACES[zone.shape]}" if zone.name.endswith(ADJECTIVES) or zone.name.startswith("in_") else name


def var_name(variable: model.Variable) -> str:
    if variable.name == "at":
        return "place"
    name = humanised(variable.name)
    return f"*{name}* {sort_of(variable.type)}" if variable.name.startswith("in_") and variable.type != types.FLAG else name


def card_name(card: model.CardType) -> str:
    name = humanised(card.name)
    return name if name.lower().endswith("card") else f"{name} card"
