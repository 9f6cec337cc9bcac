"""Choices while rules run: what is offered to whom, picks by chance, and the abilities carried by cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import Factory, define

from dsl import types
from dsl.types import Type
from interpreter.faults import RuleError
from interpreter.program import AttachmentInfo, Site
from interpreter.runtime import active, turn_order
from interpreter.state import DECLINE, Frame, State

Candidate = tuple[int, int, int]
"""attachment number, card, the zone it was in when the call came"""


# ── what is offered ──


def menu(lines: tuple[Sequence[tuple[int, tuple[Any, ...]]], ...]) -> tuple[tuple[int, tuple[Any, ...]], ...]:
    """The options of a menu, line after line."""
    return tuple([option for line in lines for option in line])


def menu_line(number: int, values: Sequence[tuple[Any, ...]]) -> list[tuple[int, tuple[Any, ...]]]:
    return [(number, value) for value in values]


def with_decline(values: Sequence[Any]) -> tuple[Any, ...]:
    return (*values, DECLINE) if values else ()


def sees_by_place(state: State, player: int, card: int) -> bool:
    """Does where the card lies let the player see it? (What he has learnt otherwise is not asked.)"""
    number = state.where[card]
    if number < 0:
        return False
    zone = state.code.program.zones[number]
    if zone.visibility == "open":
        return True
    if zone.visibility == "private":
        return zone.owner == player
    return zone.visibility == "top open" and state.zones[number][-1] == card


def is_card(of: Type | None) -> bool:
    return isinstance(of.of if isinstance(of, types.Optional) else of, types.CardType)


def offered(state: State, site_number: int, player: int, values: Sequence[Any]) -> tuple[Any, ...]:
    """The options of one choice: equal cards of one set the chooser sees are one option, and cards he does not see come in an
    order that tells nothing of their faces."""
    site = state.code.program.sites[site_number]
    places = state.code.card_places[site_number]
    if not any(places):
        return tuple(dict.fromkeys(values))
    if site.kind == "menu":
        made: list[Any] = []
        for number, line in enumerate(site.lines):
            of_line = [value for value in values if value[0] == number]
            if line.binders and len(of_line) > 1:
                made += [(number, value) for value in distinct(state, player, [value[1] for value in of_line], places[number])]
            else:
                made += of_line
        return tuple(made)
    if len(site.lines) and len(site.lines[0].types) > 1:
        return tuple(distinct(state, player, values, places[0]))
    return tuple([value[0] for value in distinct(state, player, [(v,) for v in values], places[0])])


def card_places(site: Site) -> tuple[tuple[int, ...], ...]:
    """For each line of a site, which of the values it binds are cards."""
    if site.kind == "several":
        return ((0,) if is_card(site.element_type) else (),)
    return tuple(tuple(i for i, of in enumerate(line.types) if is_card(of)) for line in site.lines)


def distinct(state: State, player: int, values: Sequence[tuple[Any, ...]], cards: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """The values without those the chooser cannot tell from an earlier one; the unseen ones in order of slot. `cards`: which
    parts of a value are cards."""
    if not cards:
        return list(dict.fromkeys(values))
    zones = state.code.program.zones
    seen: set[tuple[Any, ...]] = set()
    kept: list[tuple[Any, ...]] = []
    unseen: list[int] = []
    for value in values:
        key = list(value)
        hidden = False
        for i in cards:
            card = value[i]
            if card is None:
                continue
            if not sees_by_place(state, player, card):
                hidden = True
            elif zones[state.where[card]].shape == "set":
                key[i] = ("same", state.where[card], state.faces[card])
        if tuple(key) in seen:
            continue
        seen.add(tuple(key))
        if hidden:
            unseen.append(len(kept))
        kept.append(value)
    if len(unseen) > 1:
        ordered = sorted((kept[i] for i in unseen), key=lambda value: tuple(v if v is not None else -1 for v in value))
        for i, value in zip(unseen, ordered, strict=True):
            kept[i] = value
    return kept


def ask(state: State, frame: Frame, site: int, player: int | None, resume: int, nothing: int) -> bool:
    """Ask a player, going on at `resume`; who is out is never asked, and where nothing can be chosen the choice fizzles.

    True if somebody is asked now."""
    options = state.code.options_of[site](state, frame, player) if player in state.live else ()
    if not options:
        frame[0] = nothing
        return False
    assert player is not None
    frame[0] = resume
    state.options, state.asked, state.site = options, player, site
    if state.observer is not None:
        state.observer.note(state, "ask")
    return True


# ── several picks ──


def limits(least: int, most: int, there: int, optional: bool) -> tuple[int, int]:
    """How few and how many may be picked, clamped to what is there."""
    most = max(0, min(most, there))
    return min(max(0, least), most), most


def several_options(
    state: State, site_number: int, player: int, candidates: tuple[Any, ...], picked: tuple[Any, ...], bounds: tuple[int, int]
) -> tuple[Any, ...]:
    """The options of the next pick."""
    least, most = bounds
    if len(picked) >= most:
        return ()
    rest = list(candidates)
    for value in picked:
        rest.remove(value)
    site = state.code.program.sites[site_number]
    options = tuple(rest) if site.plain else offered(state, site_number, player, rest)
    if len(picked) >= least or (site.optional and not picked):
        return (*options, DECLINE)
    return options


def take_pick(state: State, frame: Frame, picked: int) -> None:
    if state.answer is not DECLINE:
        frame[picked] = (*frame[picked], state.answer)


# ── sealed choices ──


def reveal_answers(state: State, frame: Frame, site: int, hidden: int) -> None:
    """All answers are in: from now on they count in seat order."""
    players, answers = frame[hidden + 1], frame[hidden + 3]
    order = sorted(range(len(players)), key=lambda i: players[i])
    frame[hidden + 1] = tuple([players[i] for i in order])
    frame[hidden + 3] = tuple([answers[i] for i in order])
    frame[hidden + 2] = 0


def no_answer(state: State, answer: Any, player: int) -> bool:
    """He declined, had nothing to choose, or is out by now."""
    return answer is None or answer is DECLINE or player not in state.live


# ── by chance ──


def pick_one(state: State, site: int, values: Sequence[Any]) -> Any:
    """One of the values at random, or as the script says."""
    index = None
    if state.script is not None:
        wanted = state.scripted("pick")
        if wanted is not None:
            index = state.code.match(state, site, values, wanted)
    value = values[state.below(len(values)) if index is None else index]
    if state.observer is not None:
        state.observer.note(state, "chance", site, value)
    return value


def pick_several(state: State, site: int, values: Sequence[Any], least: int, most: int) -> tuple[Any, ...]:
    """Different ones at random; how many is random too where a range is given."""
    low, high = limits(least, most, len(values), False)
    if state.script:
        taken: list[Any] = []
        rest = list(values)
        while len(taken) < high and (wanted := state.scripted("pick")) is not None:
            taken.append(rest.pop(state.code.match(state, site, rest, wanted)))
        if taken:
            if len(taken) < low:
                taken += state.sample(rest, low - len(taken))
            return _noted(state, site, tuple(taken))
    count = low if low == high else low + state.below(high - low + 1)
    return _noted(state, site, state.sample(values, count))


def _noted(state: State, site: int, value: tuple[Any, ...]) -> tuple[Any, ...]:
    if state.observer is not None:
        state.observer.note(state, "chance", site, value)
    return value


# ── abilities carried by cards ──


@define(eq=False)
class Group:
    """The attachments of one rule or define that cards carry, of one kind (`instead`, `before`, …)."""

    numbers: tuple[int, ...]
    when: str
    infos: list[AttachmentInfo]
    run: dict[int, Callable[..., Any]] = Factory(dict)
    condition: dict[int, Callable[..., bool] | None] = Factory(dict)
    rest: Callable[..., Any] | None = None
    """for `instead`: goes on after the group"""
    framed: bool = False
    by_design: dict[int, tuple[int, ...]] = Factory(dict)
    """those found by looking through zones"""
    zones: tuple[int, ...] = ()
    by_argument: tuple[tuple[int, dict[int, tuple[int, ...]]], ...] = ()
    """those whose head names the card: an argument, and by design the attachments"""
    owner_argument: int | None = None
    """the argument that is the owner, if all that are looked for in zones say the same"""

    def __attrs_post_init__(self) -> None:
        named: dict[int, dict[int, list[int]]] = {}
        looked: dict[int, list[int]] = {}
        zones: set[int] = set()
        owners: set[int | None] = set()
        for number in self.numbers:
            info = self.infos[number]
            if info.self_argument is not None:
                for design in sorted(info.carriers or ()):
                    named.setdefault(info.self_argument, {}).setdefault(design, []).append(number)
                continue
            for design in sorted(info.carriers or ()):
                looked.setdefault(design, []).append(number)
            zones |= info.zones or set()
            owners.add(info.owner_argument)
        self.by_argument = tuple(
            (argument, {design: tuple(numbers) for design, numbers in by_design.items()}) for argument, by_design in named.items()
        )
        self.by_design = {design: tuple(numbers) for design, numbers in looked.items()}
        self.zones = tuple(sorted(zones))
        self.owner_argument = owners.pop() if len(owners) == 1 else None


def found(state: State, group: Group, arguments: tuple[Any, ...]) -> tuple[Candidate, ...]:
    """The cards whose abilities may apply to this call, in their order of precedence; none is judged yet."""
    candidates: list[Candidate] = []
    where, faces = state.where, state.faces
    for argument, carried in group.by_argument:
        card = arguments[argument]
        if card is not None:
            for number in carried.get(faces[card], ()):
                zones = group.infos[number].zones
                if zones is None or where[card] in zones:
                    candidates.append((number, card, where[card]))
    if group.by_design:
        by_design = group.by_design
        owner_of = state.code.owner_of
        only = None if group.owner_argument is None else arguments[group.owner_argument]
        for zone in group.zones:
            cards = state.zones[zone]
            if cards and (only is None or owner_of[zone] == only):
                for card in cards:
                    for number in by_design.get(faces[card], ()):
                        zones = group.infos[number].zones
                        if zones is None or zone in zones:
                            candidates.append((number, card, zone))
    if len(candidates) > 1:
        candidates.sort(key=_precedence(state, group.when == "instead"))
    return tuple(candidates)


def _precedence(state: State, instead: bool) -> Callable[[Candidate], tuple[int, int, int, int]]:
    """`instead`: the opponents of the active player from his left, he last; else he first. Then zones without an owner; in a zone
    from the left or the top."""
    first = active(state) or 0  # where no turn runs, the first seat stands for the active player
    seats = state.code.program.players
    start = first + 1 if instead else first

    def key(candidate: Candidate) -> tuple[int, int, int, int]:
        number, card, zone = candidate
        owner = state.code.owner_of[zone]
        place = seats if owner is None else (owner - start) % seats
        cards = state.zones[zone] if zone >= 0 else []
        index = cards.index(card) if card in cards else 0
        if zone >= 0 and state.code.program.zones[zone].shape == "pile":
            index = len(cards) - index
        return place, zone, index, -number if instead else number  # of one card, the later line is outer

    return key


NOT_NOW = object()


def applies(state: State, group: Group, candidate: Candidate, arguments: tuple[Any, ...]) -> Any:
    """The card's owner (None if it has none) if its ability applies now, NOT_NOW otherwise."""
    number, card, zone = candidate
    if state.where[card] != zone:
        return NOT_NOW
    owner = state.code.owner_of[zone]
    info = group.infos[number]
    if owner is None and info.needs_owner:
        return NOT_NOW
    condition = group.condition[number]
    if condition is None or condition(state, *arguments, card, owner):
        return owner
    return NOT_NOW


def run_carried(state: State, group: Group, candidate: Candidate, arguments: tuple[Any, ...]) -> None:
    """Run a `before` or `after` carried by a card, if it applies now."""
    owner = applies(state, group, candidate, arguments)
    if owner is not NOT_NOW:
        number, card, _ = candidate
        if state.observer is not None:
            state.observer.note(state, "ability", number, card, owner)
        group.run[number](state, *arguments, card, owner)


def instead_carried(state: State, group: Group, candidates: tuple[Candidate, ...], place: int, arguments: tuple[Any, ...]) -> Any:
    """Go on in the chain at this place among the cards: the first that applies takes over, or what comes after the group."""
    state.tick()
    while place < len(candidates):
        candidate = candidates[place]
        place += 1
        owner = applies(state, group, candidate, arguments)
        if owner is not NOT_NOW:
            number, card, _ = candidate
            info = group.infos[number]
            if state.observer is not None and not info.on_define:
                state.observer.note(state, "ability", number, card, owner)
            value = group.run[number](state, *arguments, card, owner, candidates, place)
            if group.framed and not info.framed:
                state.result = value
            return value
    assert group.rest is not None
    return group.rest(state, *arguments)


def proceed_carried(
    state: State, group: Group, candidates: tuple[Candidate, ...], place: int, before: tuple[Any, ...], arguments: tuple[Any, ...]
) -> Any:
    """`proceed` in an ability: go on behind it. Other arguments may concern other cards: those that come after it in order."""
    if arguments != before:
        after = _precedence(state, instead=True)
        here = after(candidates[place - 1])
        candidates = (*candidates[:place], *(one for one in found(state, group, arguments) if after(one) > here))
    return instead_carried(state, group, candidates, place, arguments)


def ability_order(state: State) -> tuple[int, ...]:
    """Who is asked for optional abilities first: the active player, then in turn order."""
    first = active(state)
    return turn_order(state, 0 if first is None else first)


def ask_abilities(
    state: State, frame: Frame, site: int, group: Group, arguments: tuple[Any, ...], players: int, used: int, taken: int, after: int
) -> bool:
    """Ask the next player who may use an ability now (True); go on at `after` when nobody is left."""
    candidates = found(state, group, arguments)
    while candidates and frame[players]:
        player = frame[players][0]
        options = usable(state, group, candidates, arguments, player, frame[used]) if player in state.live else ()
        if options:
            frame[0] = taken
            state.options, state.asked, state.site = options, player, site
            if state.observer is not None:
                state.observer.note(state, "ask")
            return True
        frame[players] = frame[players][1:]
    frame[players] = ()
    frame[0] = after
    return False


def usable(
    state: State,
    group: Group,
    candidates: tuple[Candidate, ...],
    arguments: tuple[Any, ...],
    player: int,
    used: tuple[tuple[int, int], ...],
) -> tuple[Any, ...]:
    """What this player may use now, and to have enough; empty if nothing."""
    zones = state.code.program.zones
    due: dict[object, tuple[int, int]] = {}
    for candidate in candidates:
        number, card, zone = candidate
        if candidate[:2] not in used and applies(state, group, candidate, arguments) == player:
            alike = zones[zone].shape == "set"  # equal cards of a set are one option
            due.setdefault((number, zone, state.faces[card]) if alike else candidate, (number, card))
    return (*due.values(), DECLINE) if due else ()


def use_ability(state: State, frame: Frame, group: Group, arguments: tuple[Any, ...], players: int, used: int) -> None:
    """Run the ability chosen, or be done with this player."""
    if state.answer is DECLINE:
        frame[players] = frame[players][1:]
        return
    number, card = state.answer
    frame[used] = (*frame[used], (number, card))
    owner = state.asked
    if state.observer is not None:
        state.observer.note(state, "ability", number, card, owner)
    group.run[number](state, *arguments, card, owner)


def recompute(state: State, site: Site) -> tuple[Any, ...]:
    """The options of the open decision, from the state as it is now."""
    frame = state.stack[-1]
    if site.kind == "abilities":
        group, count, players, used = state.code.ability_sites[site.number]
        if not frame[players] or frame[players][0] != state.asked:
            raise RuleError("CG1010", "the decision has changed")
        arguments = tuple(frame[1 : count + 1])
        return usable(state, group, found(state, group, arguments), arguments, state.asked, frame[used])
    options: tuple[Any, ...] = tuple(state.code.options_of[site.number](state, frame, state.asked))
    return options
