"""Going back to an earlier question, and forward again.

With one person at the table that is always possible, and what he has learnt meanwhile is said. With several it is not, once
somebody else has answered or something was revealed, drawn or rolled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import Factory, define, frozen

from interpreter.events import Event, Moved, Picked, Revealed, Rolled, Showed, Shuffled
from interpreter.knowledge import may_look
from rulesrun.api import Match, Taken

if TYPE_CHECKING:
    from rulesrun.repl.session import Session


@frozen
class Turning:
    """Where a person was asked, or at the end of the game would be: after so many choices and events, of which he had been told
    `told` before. `asked` is the question in words."""

    seat: int
    choices: int
    events: int
    told: int
    asked: str = ""


@define
class Past:
    """The questions that people have answered, the one that is open, and those they have gone back from (the next one last)."""

    behind: list[Turning] = Factory(list)
    now: Turning | None = None
    ahead: list[Turning] = Factory(list)
    whole: tuple[Taken, ...] = ()
    """all choices, as they were when something was first taken back"""

    def answered(self) -> None:
        """The open question has got another answer than before, or its first."""
        assert self.now is not None
        self.behind.append(self.now)
        self.now = None
        self.ahead = []

    @property
    def line(self) -> list[Turning]:
        """All of them in order; the open one is at `len(self.behind)`."""
        return [*self.behind, *([] if self.now is None else [self.now]), *reversed(self.ahead)]


class Undone(Exception):
    """The game stands somewhere else now: ask again from the top."""


def go(session: Session, place: int) -> None:
    """To the question at this place of the line. Raises `Undone` if that is allowed; else says why not."""
    past, match = session.past, session.match
    line, here = past.line, len(past.behind)
    target = line[place]
    seen = ""
    if place < here:
        several = len(session.humans) > 1
        seen = learnt(match.events[target.events :], match, None if several else target.seat)
        others = any(turning.seat != target.seat for turning in line[place : here + 1])
        if several and (others or seen):
            why = "somebody else has answered since" if others else "since then something was revealed"
            session.say(f"With several people at the table this cannot be taken back: {why}.")
            return
        if not past.ahead:
            past.whole = match.history
        match.undo(len(match.choices) - target.choices)
    else:
        for taken in past.whole[len(match.choices) : target.choices]:
            match.choose(taken.index)
    past.behind, past.now, past.ahead = line[:place], None, line[:place:-1]
    session.told[target.seat] = target.told
    session.moved(target.seat)
    if place < here:
        session.say("Taken back." + (f" You know now what you did not know then: {seen}." if seen else ""))
    else:
        session.say("Done again.")
    raise Undone


def undo(session: Session, count: int) -> None:
    """Take back so many answers."""
    made = len(session.past.behind)
    if not made:
        session.say("There is nothing to take back yet.")
    elif count > made:
        session.say(f"You have given only {times(made)} so far.")
    else:
        go(session, made - count)


def redo(session: Session, count: int) -> None:
    """Give so many answers again that were taken back."""
    ahead = len(session.past.ahead)
    if not ahead:
        session.say("There is nothing to do again: nothing was taken back, or something else was chosen since.")
    elif count > ahead:
        session.say(f"You have taken back only {times(ahead)}.")
    else:
        go(session, len(session.past.behind) + count)


def times(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def learnt(events: Sequence[Event], match: Match, seat: int | None) -> str:
    """What was seen in these events that nobody could foresee (by this seat, or with None by anybody); "" if nothing."""
    zones = match.state.code.program.zones
    designs = match.state.code.program.designs
    cards: list[str] = []
    other: list[str] = []
    for event in events:
        match event:
            case Revealed() | Showed():
                if event.news and (seat is None or event.card.by(seat)):
                    cards.append(designs[event.card.design].name)
            case Moved():
                hidden = event.origin >= 0 and (seat is None or not may_look(zones[event.origin], seat))
                if hidden and (event.card.seen if seat is None else event.card.by(seat)):
                    cards.append(designs[event.card.design].name)
            case Rolled():
                other.append("the dice")
            case Picked() | Shuffled():
                other.append("chance")
    found = list(dict.fromkeys([*cards, *other]))
    return ", ".join(found[:4]) + (" …" if len(found) > 4 else "")


def listed(session: Session, seat: int) -> list[tuple[int, str, bool]]:
    """This person's questions with his answers: number, text, and whether it is the open one."""
    past = session.past
    history = past.whole if past.ahead else session.match.history
    line = past.line
    found = []
    for place, turning in enumerate(line):
        if turning.seat != seat:
            continue
        end = line[place + 1].choices if place + 1 < len(line) else len(history)
        answers = [taken.key for taken in history[turning.choices : end]]
        mine = [taken.player for taken in history[turning.choices : end]]
        answers = answers[: next((i for i, player in enumerate(mine) if player != seat), len(mine))]
        said = ", ".join(answer for answer in answers if answer != "enough" or len(answers) == 1)
        open_ = place == len(past.behind)
        found.append((place + 1, turning.asked + (f": {said}" if said and not (open_ and not past.ahead) else ""), open_))
    return found


# ── after a game was loaded ──


@define
class Recorder:
    """Notes, while a save is played again, where people were asked: so that they can go back there."""

    humans: Sequence[int]
    past: Past = Factory(Past)
    told: dict[int, int] = Factory(dict)

    def __call__(self, match: Match) -> None:
        """To be called before each choice."""
        seat = match.player
        if seat is None or seat not in self.humans or picks_on(match):
            return
        decision = match.decision
        assert decision is not None
        events = len(match.events)
        self.past.behind.append(Turning(seat, len(match.choices), events, self.told.get(seat, 0), decision.prompt))
        self.told[seat] = events


def picks_on(match: Match) -> bool:
    """The open decision belongs to a question of which a part is answered already."""
    state = match.state
    site = state.code.program.sites[state.site]
    return site.kind == "several" and bool(state.stack[-1][1 + site.hidden + 4])
