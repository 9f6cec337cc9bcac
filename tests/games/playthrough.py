"""A game written down in full: every decision with its options, what came of it, where everything is, and who sees what of it.

    ── 12 ── P2: where to summon from  (menu in turn; others read: …)       the decision after 12 choices
       0  The draw deck
    >  1  Ash Sparrow                                                       the option taken
    all: P2: Ash Sparrow → row.                                             the log of those who only watch,
    P2: …                                                                   and of seats that are told something else
    P2's row = Ash Sparrow, Marrow Witch                                    a zone as it is now, piles from the top
    draw deck 64 -> 63: at 1 - Cracked Mirror                               or, of many cards, what is another one
        P1: all · P2, P3, public: 3 Moth King                               who sees which of its faces, if not everybody sees all
    coins[P1] = 7                                                           a variable
    scores: P1 3, P2 0                                                      as far as anybody can work them out

What is not written has not changed. A long game is cut in the middle, and begins again with everything as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from interpreter.program import UNSET
from interpreter.story import tell
from interpreter.texts import show_value, text, variable_name
from interpreter.views import View, ZoneView
from rulesrun.api import Game, Match
from rulesrun.bots import stream

FIRST = 60
LAST = 12
"""choices at the beginning and before the end that are written"""
FEW = 12
"""cards, of which all are named"""
MOST_OPTIONS = 40


def playthrough(game: Game, players: int, seed: int) -> str:
    """A random game as text: its first choices and its last, and everything at the end."""
    choices = random_choices(game, players, seed)
    match = game.start(players, seed)
    lines = [f"{game.name}, {players} players, seed {seed}, {len(choices)} choices", ""]
    before: Shown | None = None
    told = 0
    for number, index in enumerate(choices):
        cut = FIRST <= number < len(choices) - LAST
        if not cut:
            now = Shown.of(match)
            lines += [*logs(match, told), *changes(match, before, now), "", *decision(match, number, index)]
            before, told = now, len(match.events)
        elif before is not None:
            lines += [f"… choices {number} to {len(choices) - LAST - 1} …", ""]
            before = None
        match.choose(index)
        if cut:
            told = len(match.events)
    lines += [*logs(match, told), *changes(match, before, Shown.of(match)), "", f"── {len(choices)} ── the end", *end(match)]
    return "\n".join(lines) + "\n"


def random_choices(game: Game, players: int, seed: int) -> list[int]:
    match = game.start(players, seed)
    bots = [stream(seed, seat) for seat in range(players)]
    while match.player is not None:
        match.choose(int(bots[match.player].random() * match.option_count))
    return match.choices


# ── the decision ──


def decision(match: Match, number: int, taken: int) -> Iterator[str]:
    asked = match.decision
    assert asked is not None
    others = {view.pending.prompt for seat in viewers(match) if seat != asked.player and (view := match.view(seat)).pending}
    more = [f"others read: {prompt}" for prompt in sorted(others - {asked.prompt})]
    more += [f"picked: {', '.join(asked.picked)}"] * bool(asked.picked) + ["sealed"] * asked.sealed
    yield f"── {number} ── P{asked.player + 1}: {asked.prompt}  ({'; '.join([f'{asked.kind} in {asked.rule}', *more])})"
    for option in asked.options:
        if option.index < MOST_OPTIONS or option.index == taken:
            assert option.key == option.text
            yield f"{'>' if option.index == taken else ' '}{option.index:>4}  {option.text}"
    if len(asked.options) > MOST_OPTIONS:
        yield f"      … {len(asked.options)} options"


def logs(match: Match, told: int) -> Iterator[str]:
    """What has happened since so many events, to the public, and to seats that are told otherwise."""
    program, events = match.state.code.program, match.events[told:]
    public = [line.text for line in tell(program, events, None)]
    yield from (f"all: {line}" for line in public if line)
    for seat in range(match.players):
        mine = [line.text for line in tell(program, events, seat)]
        yield from (f"P{seat + 1}: {line}" for line in mine if line and line not in public)


# ── where everything is ──


@frozen
class Shown:
    """The state and all views of it at one moment. `zones`: the designs in each, as they are; `variables`: texts."""

    zones: tuple[tuple[str, ...], ...]
    variables: tuple[str, ...]
    views: tuple[View, ...]

    @staticmethod
    def of(match: Match) -> Shown:
        state = match.state
        program = state.code.program
        name: Callable[[int], str] = lambda slot: program.designs[state.faces[slot]].name  # noqa: E731
        zones = []
        for number, cards in enumerate(state.zones):
            shape = program.zones[number].shape
            ordered = cards[::-1] if shape == "pile" else cards
            names = [name(slot) for slot in ordered]
            zones.append(tuple(sorted(names) if shape == "set" else names))
        variables = tuple(
            "unset" if value is UNSET else text(show_value(program, info.type, value), lambda _: True, name)
            for info, value in zip(program.variables, state.vars, strict=True)
        )
        return Shown(tuple(zones), variables, tuple(match.view(seat) for seat in viewers(match)))


def viewers(match: Match) -> tuple[int | None, ...]:
    return (*range(match.players), None)


def called(viewer: int | None) -> str:
    return "public" if viewer is None else f"P{viewer + 1}"


def changes(match: Match, before: Shown | None, now: Shown) -> Iterator[str]:
    """What is other than before; without a before everything that is not empty."""
    program = match.state.code.program
    for number, cards in enumerate(now.zones):
        sights = [view.zones[number] for view in now.views]
        if before is None:
            if not cards:
                continue
            yield f"{sights[0].name} = {', '.join(cards)}"
        elif cards != before.zones[number]:
            yield f"{sights[0].name} {difference(before.zones[number], cards)}"
        elif sights == [view.zones[number] for view in before.views]:
            continue
        else:
            yield f"{sights[0].name}: the same cards"
        yield from seen(match, sights)
    for number, value in enumerate(now.variables):
        known = [(view.player, shown.text) for view in now.views for shown in view.variables if shown.variable == number]
        readers = [called(viewer) for viewer, shown in known if shown == value]
        if before is None or value != before.variables[number]:
            dice = any(dice.variable == number for dice in program.dice)
            who = "" if dice or len(readers) == len(now.views) else f"   (read by {', '.join(readers) or 'nobody'})"
            yield f"{variable_name(program, number)} = {value}{who}"
    scores = [scored(view) for view in now.views]
    if before is None or scores != [scored(view) for view in before.views]:
        for score in dict.fromkeys(scores):
            if score:
                yield f"scores: {score}"
    if before is None or now.views[0].live != before.views[0].live:
        yield f"in the game: {', '.join(called(seat) for seat in now.views[0].live)}"


def scored(view: View) -> str:
    return ", ".join(
        f"P{score.player + 1} {' + '.join(f'{value} ({label})' for label, value in score.lines)}"
        for score in view.scores
        if score.lines
    )


def difference(before: Sequence[str], now: Sequence[str]) -> str:
    """All cards if there are few, otherwise those that are others, by their place from 1."""
    if len(now) <= FEW:
        return f"= {', '.join(now) or 'nothing'}"
    first = next((i for i, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), min(len(before), len(now)))
    rest = min(len(before), len(now)) - first
    last = next((i for i in range(rest) if before[len(before) - 1 - i] != now[len(now) - 1 - i]), rest)
    gone, come = before[first : len(before) - last], now[first : len(now) - last]
    parts = [f"- {', '.join(gone)}"] * bool(gone) + [f"+ {', '.join(come)}"] * bool(come)
    return f"{len(before)} -> {len(now)}: at {first + 1} {' '.join(parts)}"


def seen(match: Match, sights: Sequence[ZoneView]) -> Iterator[str]:
    """Who sees what of the faces in a zone; nothing if everybody sees all."""
    by_sight: dict[str, list[str]] = {}
    for viewer, sight in zip(viewers(match), sights, strict=True):
        by_sight.setdefault(sight_text(match, sight), []).append(called(viewer))
    if list(by_sight) not in ([], ["all"]):
        groups = ((", ".join(who) if len(who) < len(sights) else "everybody", what) for what, who in by_sight.items())
        yield "    " + " · ".join(f"{who}: {what}" for who, what in groups)


def sight_text(match: Match, sight: ZoneView) -> str:
    designs = match.state.code.program.designs
    if None not in sight.cards:
        return "all"
    known = [f"{place} {designs[card].name}" for place, card in enumerate(sight.cards, 1) if card is not None]
    among = [designs[card].name for card in sight.also]
    return "; ".join([*known, *([f"somewhere {', '.join(among)}"] if among else [])]) or "nothing"


def end(match: Match) -> Iterator[str]:
    result = match.result
    assert result is not None
    yield f"reason: {result.reason}"
    yield f"winners: {', '.join(called(seat) for seat in result.winners) or 'nobody'}"
    if result.scores is not None:
        yield f"scores: {', '.join(f'{called(seat)} {score}' for seat, score in enumerate(result.scores))}"
    yield from changes(match, None, Shown.of(match))
