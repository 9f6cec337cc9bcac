"""A game at the keyboard, from the first question to the end.

Whatever is shown to a person comes from his view, his log and his decision. The referee's powers are used for one thing only,
taking back a choice, and never past something another person has seen."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Sequence

import click
from attrs import Factory, define, frozen
from rich.text import Text

from dsl.render import visible
from interpreter.events import Event, Moved, Picked, Revealed, Rolled, Showed, Shuffled
from interpreter.knowledge import may_look
from interpreter.story import tell
from interpreter.texts import player_name
from interpreter.views import View
from rulesrun.api import Game, Match, new_seed, option_text
from rulesrun.bots import Bot, RandomBot, by_seat, make_bot
from rulesrun.repl.cards import Faces, faces_of
from rulesrun.repl.choices import Misunderstood, understand, understand_several
from rulesrun.repl.commands import COMMANDS, Leave, is_command, run_command
from rulesrun.repl.console import Desk, open_desk
from rulesrun.repl.layout import wrap
from rulesrun.repl.question import Question, question_lines, question_of
from rulesrun.repl.table import Table
from rulesrun.repl.telling import result_lines, story_lines

SHORT_OUTPUT = 4
"""lines that a command may print before the question has to be asked again"""


@frozen
class Seating:
    """What a person asked for: how many play, how many of them are people, where the first of them sits (from 1), which bots."""

    players: int | None = None
    humans: int | None = None
    seat: int | None = None
    bots: tuple[str, ...] = ()


def play_game(game: Game, seating: Seating, seed: int | None) -> int:
    """Play at this process's terminal or pipe; returns the exit code. Raises `click.UsageError`, `Fault`."""
    players, humans = seats(game, seating)
    used = new_seed() if seed is None else seed
    bots = by_seat(seating.bots, players)
    match = game.start(players, used)
    names = {seat: bots[seat] for seat in range(players)}
    for seat in humans:
        names[seat] = "you" if len(humans) == 1 else ""
    desk = open_desk()
    session = Session(match, desk, humans, {s: make_bot(bots[s], used, s) for s in range(players) if s not in humans}, names)
    if not humans:
        return session.watch()
    return session.play()


def seats(game: Game, seating: Seating) -> tuple[int, tuple[int, ...]]:
    """How many play, and the seats of people. Raises `click.UsageError`."""
    humans = 1 if seating.humans is None else seating.humans
    wanted = seating.players
    if wanted is None and humans > game.usual_players:
        wanted = humans
    try:
        players = game.check_players(wanted)
    except ValueError as problem:
        raise click.UsageError(f"{problem}.") from None
    if humans > players:
        raise click.UsageError(f"{humans} people cannot sit at a table for {players}.")
    if len(seating.bots) > max(1, players - humans):
        raise click.UsageError(f"there are {players - humans} seats for bots, but --bot names {len(seating.bots)}.")
    first = (seating.seat or 1) - 1
    if first >= players:
        raise click.UsageError(f"there is no seat {seating.seat}: {players} play.")
    if seating.seat is not None and not humans:
        raise click.UsageError("--seat is for a person, and nobody plays (--humans 0).")
    return players, tuple(sorted((first + i) % players for i in range(humans)))


@frozen
class Turning:
    """Where a person was asked: to go back to. `told` is how much of the log he had been told before, `bots` as they were."""

    seat: int
    choices: int
    events: int
    told: int
    bots: dict[int, Bot]


class Undone(Exception):
    """A choice was taken back: ask again from the top."""


@define(eq=False)
class Session:
    match: Match
    desk: Desk
    humans: tuple[int, ...]
    bots: dict[int, Bot]
    names: dict[int, str]
    """who sits where, for the table"""
    turnings: list[Turning] = Factory(list)
    told: dict[int, int] = Factory(dict)
    """by seat, how many events he has been told"""
    _at_keyboard: int | None = None
    _drawn: tuple[int, View] | None = None
    _table: Table | None = None
    _printed: int = 0
    """lines, so far"""

    # ── the game ──

    def play(self) -> int:
        """With people. Returns the exit code; Ctrl-C at a question raises KeyboardInterrupt after a word of farewell."""
        try:
            self._welcome()
            while True:
                try:
                    if self.match.finished:
                        self._end()
                        return 0
                    seat = self.match.player
                    assert seat is not None
                    if seat in self.bots:
                        self._bot_answers(seat)
                    else:
                        self._person_answers(seat)
                except Undone:
                    continue
        except (EOFError, Leave):
            self._farewell()
            return 0
        except KeyboardInterrupt:
            self._farewell()
            raise

    def _farewell(self) -> None:
        if not self.match.finished:
            self.say(f"You have left the game. Its seed was {self.match.seed}.")

    def watch(self) -> int:
        """Bots alone: the whole game is told, then the result."""
        self.print(Text(f"{self.match.game.name}: {self.match.players} players, seed {self.match.seed}", "bold"), Text())
        while not self.match.finished:
            assert self.match.player is not None
            self._bot_answers(self.match.player)
        program = self.match.state.code.program
        self.print(*story_lines(tell(program, self.match.events, None), self.width), Text())
        self.draw_table(None)
        self.print(Text(), *result_lines(self.match, self.names))
        return 0

    def _welcome(self) -> None:
        game = self.match.game
        with_ = f" with {', '.join(game.variants)}" if game.variants else ""
        self.print(Text(f"{game.name}{with_}", "bold"))
        if game.rules.doc:
            self.print(*wrap(game.rules.doc.split("\n\n")[0], self.width))
        self.say("`:help` says what can be typed.")
        self.print(Text())

    def _bot_answers(self, seat: int) -> None:
        bot = self.bots[seat]
        if isinstance(bot, RandomBot):  # need not read what it is asked
            self.match.choose(bot.pick(self.match.option_count))
            return
        decision = self.match.decision
        assert decision is not None
        self.match.choose(bot.choose(decision, lambda: self.match.information(seat)))

    def _end(self) -> None:
        seat = self._last_seat()
        self._hand_over(seat, asked=False)
        self.draw_table(seat)
        self._tell_news(seat)
        self.print(*result_lines(self.match, self.names))
        self.say(f"The seed was {self.match.seed}. The same cards again:\n  {self.how_again()}")
        while True:
            typed = self.desk.ask("The game is over (`:log`, `:undo`, Enter leaves)> ", lambda: list(COMMANDS)).strip()
            if is_command(typed):
                run_command(self, typed, seat)
            elif not typed or not self.desk.live:
                raise Leave
            else:
                self.say("The game is over. Enter leaves; `:log all` tells it from the beginning.")

    def _last_seat(self) -> int:
        return self.turnings[-1].seat if self.turnings else self.humans[0]

    # ── a question ──

    def _person_answers(self, seat: int) -> None:
        self._hand_over(seat)
        decision = self.match.decision
        assert decision is not None
        question = question_of(self.match.state, decision, self.faces)
        begun = Turning(seat, len(self.match.choices), len(self.match.events), self.told.get(seat, 0), copy.deepcopy(self.bots))
        self._show(seat, question)
        self.told[seat] = len(self.match.events)
        while True:
            typed = self.desk.ask("> ", lambda: self._words(question)).strip()
            if is_command(typed) and not (typed and self._is_label(typed, question)):
                printed = self._printed
                run_command(self, typed, seat)
                if self._printed - printed > SHORT_OUTPUT:
                    self.print(Text(), *question_lines(question, self.width, self.height))
                continue
            if self._answer(typed, question):
                self.turnings.append(begun)
                return

    def _is_label(self, typed: str, question: Question) -> bool:
        return any(choice.label.casefold() == typed.casefold() for choice in question.choices)

    def _answer(self, typed: str, question: Question) -> bool:
        """Take what was typed as the answer; False if it is none, after saying why."""
        if not typed:
            if question.only is None:
                self.say("Type the number of your choice, or its first letters; `:help` shows what else.")
                return False
            self.match.choose(question.only)
            return True
        if question.several:
            found = understand_several(typed, question.choices, question.least, question.most)
            if isinstance(found, Misunderstood):
                self.say(found.text)
                return False
            return self._pick([question.items[i].choice.label for i in found])
        one = understand(typed, question.choices)
        if isinstance(one, Misunderstood):
            self.say(one.text)
            return False
        self.match.choose(question.items[one].index)
        return True

    def _pick(self, labels: Sequence[str]) -> bool:
        """Several picks, one after another, then that it is enough. All or none."""
        before = len(self.match.choices)
        site = self.match.state.site
        for label in labels:
            decision = self.match.decision
            assert decision is not None
            option = next((option for option in decision.options if option.text == label), None)
            if option is None:
                self.match.undo(len(self.match.choices) - before)
                self.say(f"`{label}` cannot be chosen so many times.")
                return False
            self.match.choose(option.index)
        decision = self.match.decision
        enough = (
            decision is not None
            and self.match.state.site == site
            and decision.kind == "several"
            and len(decision.picked) == len(labels)
        )
        if enough and decision is not None and self._still_asked(labels):
            self.match.choose(len(decision.options) - 1)
        return True

    def _still_asked(self, labels: Sequence[str]) -> bool:
        """The same question is open and would take another pick."""
        from interpreter.state import DECLINE

        options = self.match.state.options
        return options is not None and options[-1] is DECLINE and bool(self.match.decision)

    def _words(self, question: Question) -> list[str]:
        names = [name for choice in question.choices for name in (choice.label, *choice.names)]
        return [*dict.fromkeys(map(visible, names)), *COMMANDS]

    # ── showing ──

    def _show(self, seat: int, question: Question) -> None:
        """The table, what has happened since, the question: in this order, and so that all one needs stays on the screen."""
        view = self.match.view(self.viewer(seat))
        changed = self._drawn is None or self._drawn[0] != seat or _picture(self._drawn[1]) != _picture(view)
        height = self.height
        shortest = len(question_lines(question, self.width, 0))
        table = self.table.draw(view, self.width, max(height - shortest - 3, 0)) if changed else []
        news = self._news(seat)
        asked = question_lines(question, self.width, max(6, height - len(table) - 3))
        room = max(0, height - len(table) - len(asked) - 3)
        if self.desk.live and len(news) > room:
            self.print(*news[: len(news) - room])
            news = news[len(news) - room :]
        self.print(*([Text()] if table and self.turnings else []), *table, *news, *([Text()] if news or table else []), *asked)
        self._drawn = (seat, view)

    def draw_table(self, seat: int | None) -> None:
        view = self.match.view(None if seat is None else self.viewer(seat))
        self.print(*self.table.draw(view, self.width))
        if seat is not None:
            self._drawn = (seat, view)

    def _news(self, seat: int) -> list[Text]:
        """What has happened since this person was last told."""
        since = self.match.events[self.told.get(seat, 0) :]
        lines = tell(self.match.state.code.program, since, self.viewer(seat))
        if lines and lines[-1].kind == "turn" and not lines[-1].effects and lines[-1].player == seat:
            lines.pop()  # the question says so
        return story_lines(lines, self.width)

    def _tell_news(self, seat: int) -> None:
        self.print(*self._news(seat), Text())
        self.told[seat] = len(self.match.events)

    def _hand_over(self, seat: int, *, asked: bool = True) -> None:
        """With several people: whoever sat here goes, and nothing of his is left on the screen."""
        if len(self.humans) == 1 or self._at_keyboard == seat:
            return
        if self.desk.live and asked:
            if self._at_keyboard is not None:
                self.desk.wipe()
            self.desk.ask(f"{player_name(seat)} is asked. The others look away; {player_name(seat)} presses Enter. ", list)
        elif asked:
            self.print(Text(f"── {player_name(seat)} is at the keyboard ──", "bold"))
        self._at_keyboard = seat
        self._drawn = None

    def viewer(self, seat: int) -> int:
        return seat

    # ── taking back ──

    def undo(self, seat: int) -> None:
        """Back to this person's last answer. Raises `Undone` if that was possible."""
        if not self.turnings:
            self.say("There is nothing to take back yet.")
            return
        last = self.turnings[-1]
        seen = learnt(self.match.events[last.events :], self.match, None if len(self.humans) > 1 else seat)
        if len(self.humans) > 1 and (last.seat != seat or seen):
            why = "somebody else has answered since" if last.seat != seat else "since then something was revealed"
            self.say(f"With several people at the table this cannot be taken back: {why}.")
            return
        self.turnings.pop()
        self.match.undo(len(self.match.choices) - last.choices)
        self.bots = last.bots
        self.told[seat] = last.told
        self._drawn = None
        self.say("Taken back." + (f" You know now what you did not know then: {seen}." if seen else ""))
        raise Undone

    # ── the desk ──

    @property
    def width(self) -> int:
        return self.desk.console.width

    @property
    def height(self) -> int:
        return self.desk.console.height if self.desk.live else 10_000

    @property
    def faces(self) -> Faces:
        return self.table.faces

    @property
    def table(self) -> Table:
        if self._table is None:
            program = self.match.state.code.program
            self._table = Table(program, faces_of(program), visible(self.match.game.name), self.names)
        return self._table

    def print(self, *lines: Text) -> None:
        self._printed += len(lines)
        for line in lines:
            if not line.plain.isprintable():
                line.plain = visible(line.plain)  # rules files are not trusted: nothing a terminal would obey
            self.desk.console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def say(self, text: str) -> None:
        if text:
            for line in text.split("\n"):
                self.print(*([Text(line)] if line.startswith("  ") else wrap(line, self.width)))

    def how_again(self) -> str:
        """The command that brings the same cards again."""
        match = self.match
        words = ["rulesrun", "play", match.game.source.path if "/" in match.game.source.path else match.game.id]
        for variant in match.game.variants:
            words += ["--variant", variant]
        for option in match.game.rules.options:
            if option.value != option.default:
                words += ["--option", f"{option.name}={option_text(match.game.rules, option)}"]
        words += ["--players", str(match.players), "--seed", str(match.seed)]
        return shlex.join(words)


def _picture(view: View) -> object:
    """What the table shows of a view."""
    return view.live, view.active, view.zones, view.variables, view.dice, view.scores


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
