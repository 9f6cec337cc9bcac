"""A game at the keyboard, from the first question to the end.

Whatever is shown to a person comes from his view, his log and his decision. The referee's powers are used for one thing only,
taking back a choice, and never past something another person has seen."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import Factory, define
from rich.text import Text

from dsl.render import visible
from dsl.source import Source
from interpreter.faults import Fault
from interpreter.texts import player_name
from interpreter.views import View
from rulesrun.api import Match, option_text
from rulesrun.bots import RandomBot, seated
from rulesrun.kept import LAST, Autosave
from rulesrun.repl.board import Chosen, choosable
from rulesrun.repl.cards import Faces, faces_of
from rulesrun.repl.choices import Misunderstood, understand, understand_several
from rulesrun.repl.commands import COMMANDS, Leave, is_command, run_command
from rulesrun.repl.console import Changed, Desk
from rulesrun.repl.layout import with_red_suits, wrap
from rulesrun.repl.past import Past, Turning, Undone
from rulesrun.repl.question import Question, part_of, question_lines, question_of
from rulesrun.repl.reasons import Trace
from rulesrun.repl.sheets import answers_so_far
from rulesrun.repl.table import Table
from rulesrun.repl.telling import news_lines, result_lines
from rulesrun.reporting import print_fault
from rulesrun.saves import named

if TYPE_CHECKING:
    from rulesrun.repl.watching import Watcher

SHORT_OUTPUT = 4
"""lines that a command may print before the question has to be asked again"""


class Switch(Exception):
    """Another game takes this one's place at the desk."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session


@define(eq=False)
class Session:
    match: Match
    desk: Desk
    humans: tuple[int, ...]
    bots: Mapping[int, str]
    """who plays the seats nobody sits in"""
    past: Past = Factory(Past)
    told: dict[int, int] = Factory(dict)
    """by seat, how many events he has been told"""
    autosave: Autosave = Factory(Autosave)
    trace: Trace = Factory(Trace)
    watcher: Watcher | None = None
    pending: tuple[str, list[str]] | None = None
    """what was typed when the rules changed, and what could be chosen then"""
    welcome: Sequence[str] = ()
    """what is said at the beginning, if it is not a new game"""
    names: dict[int, str] = Factory(lambda self: names_of(self.match.players, self.humans, self.bots), takes_self=True)
    """who sits where, for the table"""
    _at_keyboard: int | None = None
    _drawn: tuple[int, View] | None = None
    _marked: Chosen = ()
    """the spaces with a mark, when the table was drawn"""
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
                except Fault as fault:
                    if self.watcher is None:
                        raise
                    print_fault(fault, sys.stdout)
                    self._ask("Mend the rules; Enter tries again> ", list, [])
        except (EOFError, Leave):
            self._farewell()
            return 0
        except KeyboardInterrupt:
            self._farewell()
            raise

    def _farewell(self) -> None:
        if not self.match.finished:
            self.say("You have left the game.")
            if self.autosave.path is not None and self.autosave.trouble is None:
                self.say(f"It is kept. To go on with it:\n  {shlex.join(['rulesrun', 'play', self._file, '--load', LAST])}")

    def watch(self) -> int:
        """Bots alone: the whole game is told, then the result."""
        self.print(Text(f"{self.match.game.title}: {self.match.players} players, seed {self.match.seed}", "bold"), Text())
        while not self.match.finished:
            assert self.match.player is not None
            self._bot_answers(self.match.player)
        self.print(*news_lines(self.match, 0, len(self.match.events), None, self.names, self.width), Text())
        self.draw_table(None)
        self.print(Text(), *result_lines(self.match, self.names))
        return 0

    def _welcome(self) -> None:
        game = self.match.game
        if self.welcome:
            for text in self.welcome:
                self.say(text)
            return
        self.print(Text(game.title, "bold"))
        if game.rules.doc:
            self.print(*wrap(game.rules.doc.split("\n\n")[0], self.width))
        self.say("`:help` says what can be typed.")
        self.print(Text())

    @property
    def seats(self) -> list[str | None]:
        """Who sits where, as a save has it."""
        return [self.bots.get(seat) for seat in range(self.match.players)]

    def choose(self, index: int) -> None:
        """Every choice at the table is made here."""
        with self.trace.around(self) as tracer:
            self.match.choose(index)
        self.trace.show(self, tracer)

    def keep(self) -> None:
        """Whatever happens now, the choices made so far are safe; a game begins with the first answer of a person."""
        if not self.past.behind:
            return
        before = self.autosave.trouble
        self.autosave.keep(self.match, self.seats)
        if self.autosave.trouble is not None and before is None:
            self.say(f"This game is not kept: {self.autosave.trouble}.")

    def _bot_answers(self, seat: int) -> None:
        bot = seated(self.bots[seat], self.match.seed, seat, len(self.match.choices))
        if isinstance(bot, RandomBot):  # need not read what it is asked
            self.choose(bot.pick(self.match.option_count))
            return
        decision = self.match.decision
        assert decision is not None
        self.choose(bot.choose(decision, lambda: self.match.information(seat)))

    def _end(self) -> None:
        seat = self._last_seat()
        self.keep()
        self.past.now = self._turning(seat, "the end")
        self._hand_over(seat, asked=False)
        self.draw_table(seat)
        self._tell_news(seat)
        self.print(*result_lines(self.match, self.names))
        self.say(f"The seed was {self.match.seed}. The same cards again:\n  {self.how_again()}")
        while True:
            typed = self._ask("The game is over (`:log`, `:undo`, Enter leaves)> ", lambda: list(COMMANDS), [])
            if is_command(typed):
                run_command(self, typed, seat)
            elif not typed or not self.desk.live:
                raise Leave
            else:
                self.say("The game is over. Enter leaves; `:log all` tells it from the beginning.")

    def _last_seat(self) -> int:
        return self.past.behind[-1].seat if self.past.behind else self.humans[0]

    # ── a question ──

    def _person_answers(self, seat: int) -> None:
        self._hand_over(seat)
        decision = self.match.decision
        assert decision is not None
        question = question_of(self.match.state, decision, self.faces)
        labels = [choice.label for choice in question.choices]
        self.keep()
        self.past.now = self._turning(seat, decision.prompt)
        self._show(seat, question)
        self.told[seat] = len(self.match.events)
        while True:
            typed = self._ask("> ", lambda: self._words(question), labels)
            if is_command(typed) and not (typed and self._is_label(typed, question)):
                printed = self._printed
                run_command(self, typed, seat)
                if self._printed - printed > SHORT_OUTPUT:
                    self.print(Text(), *question_lines(question, self.width, self.height))
                continue
            if self._answer(typed, question):
                self.past.answered()
                self.keep()
                return

    def _ask(self, prompt: str, words: Callable[[], Sequence[str]], labels: list[str]) -> str:
        """What somebody types. Raises `Switch` if the rules were written anew meanwhile; his answer then goes with the game."""
        if self.pending is not None:
            (typed, before), self.pending = self.pending, None
            if is_command(typed) or before == labels:
                return typed
        while True:
            answer: str | None
            try:
                answer = self.desk.ask(prompt, words).strip()
            except Changed:
                answer = None
            if self.watcher is not None and self.watcher.changed():
                new = self.watcher.reread(self)
                if new is not None:
                    new.pending = None if answer is None else (answer, labels)
                    raise Switch(new)
            if answer is not None:
                return answer

    def _turning(self, seat: int, asked: str) -> Turning:
        return Turning(seat, len(self.match.choices), len(self.match.events), self.told.get(seat, 0), asked)

    def moved(self, seat: int) -> None:
        """The game stands somewhere else: nothing of what is on the screen holds any more."""
        self._drawn = self._table = None

    def _is_label(self, typed: str, question: Question) -> bool:
        return any(choice.label.casefold() == typed.casefold() for choice in question.choices)

    def _answer(self, typed: str, question: Question) -> bool:
        """Take what was typed as the answer; False if it is none, after saying why."""
        if not typed:
            if question.only is None:
                self.say("Type the number of your choice, or its first letters; `:help` shows what else.")
                return False
            self.choose(question.only)
            return True
        if question.several:
            found = understand_several(typed, question.choices, question.least, question.most)
            if isinstance(found, Misunderstood):
                self.say(found.text)
                return False
            return self._pick([question.items[i].choice.label for i in found])
        part = part_of(question, typed)
        if part is not None:
            self._show_part(part)
            return False
        one = understand(typed, question.choices)
        if isinstance(one, Misunderstood):
            self.say(one.text)
            return False
        self.choose(question.items[one].index)
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
            self.choose(option.index)
        decision = self.match.decision
        enough = (
            decision is not None
            and self.match.state.site == site
            and decision.kind == "several"
            and len(decision.picked) == len(labels)
        )
        if enough and decision is not None and self._still_asked(labels):
            self.choose(len(decision.options) - 1)
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
        state = self.match.state
        height = self.height
        shortest = len(question_lines(question, self.width, 0))
        chosen = choosable(state.code.program, state.code.program.sites[state.site], state.options or ())
        same = self._drawn is not None and self._drawn[0] == seat and _picture(self._drawn[1]) == _picture(view)
        changed = not same or (chosen and chosen != self._marked)
        table = self.table.draw(view, self.width, max(height - shortest - 3, 0), chosen) if changed else []
        start, answers = answers_so_far(self.match, self.viewer(seat), seat, view.live, self.width)
        news = self._news(seat, start)
        asked = answers + question_lines(question, self.width, max(6, height - len(table) - len(answers) - 3))
        room = max(0, height - len(table) - len(asked) - 3)
        if self.desk.live and len(news) > room:
            self.print(*news[: len(news) - room])
            news = news[len(news) - room :]
        self.print(*([Text()] if table and self.past.behind else []), *table, *news, *([Text()] if news or table else []), *asked)
        self._drawn = (seat, view)
        self._marked = chosen

    def _show_part(self, part: Question) -> None:
        """Some of the choices, marked on the board."""
        state = self.match.state
        values = [state.options[item.index] for item in part.items] if state.options else []
        chosen = choosable(state.code.program, state.code.program.sites[state.site], values)
        seat = self.match.player
        if chosen and seat is not None:
            self.print(*self.table.boards(self.match.view(self.viewer(seat)), self.width, chosen), Text())
            self._marked = chosen
        self.print(*question_lines(part, self.width, self.height))

    def draw_table(self, seat: int | None) -> None:
        view = self.match.view(None if seat is None else self.viewer(seat))
        self.print(*self.table.draw(view, self.width))
        if seat is not None:
            self._drawn = (seat, view)

    def _news(self, seat: int, until: int | None = None) -> list[Text]:
        """What has happened since this person was last told."""
        until = len(self.match.events) if until is None else until
        return news_lines(self.match, self.told.get(seat, 0), until, self.viewer(seat), self.names, self.width)

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
            self._table = Table(program, faces_of(program), visible(self.match.game.title), self.names)
        return self._table

    def print(self, *lines: Text) -> None:
        self._printed += len(lines)
        for line in lines:
            if not line.plain.isprintable():
                line.plain = visible(line.plain)  # rules files are not trusted: nothing a terminal would obey
            self.desk.console.print(with_red_suits(line), no_wrap=True, overflow="ignore", crop=False)

    def agrees(self, asked: str) -> bool:
        """Ask for a yes or no; anything else is no."""
        return self.desk.ask(asked, list).strip().casefold() in ("y", "yes")

    def say(self, text: str) -> None:
        if text:
            for line in text.split("\n"):
                self.print(*([Text(line)] if line.startswith("  ") else wrap(line, self.width)))

    @property
    def _file(self) -> str:
        return typed_name(self.match.game.source)

    def how_again(self) -> str:
        """The command that brings the same cards again."""
        match = self.match
        words = ["rulesrun", "play", self._file]
        for variant in match.game.variant_sources:
            words += ["--variant", typed_name(variant)]
        for option in match.game.rules.options:
            if option.value != option.default:
                words += ["--option", f"{option.name}={option_text(match.game.rules, option)}"]
        words += ["--players", str(match.players), "--seed", str(match.seed)]
        return shlex.join(words)


def typed_name(source: Source) -> str:
    """What one types for a rules file, from whatever folder."""
    file = named(source)
    return file.path or file.id


def _picture(view: View) -> object:
    """What the table shows of a view."""
    return view.live, view.active, view.zones, view.variables, view.dice, view.scores


def names_of(players: int, humans: Sequence[int], bots: Mapping[int, str]) -> dict[int, str]:
    """How the table calls who sits where."""
    person = "you" if len(humans) == 1 else ""
    return {seat: person if seat in humans else bots.get(seat, "") for seat in range(players)}
