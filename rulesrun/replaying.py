"""`rulesrun replay`: a recorded game run again, to its end or to any point, as somebody who only watches sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.text import Text

    from rulesrun.api import Game, Match
    from rulesrun.repl.console import Desk
    from rulesrun.repl.table import Table
    from rulesrun.saves import Save


@click.command(short_help="Run a recorded game again.")
@click.argument("log", metavar="LOG|GAME")
@click.option(
    "--choices", metavar="N,N,...", help="Play these options of GAME, by their numbers from 0, instead of a recorded game."
)
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many play (with --choices).")
@click.option("--seed", type=int, metavar="S", help="The seed of the game (with --choices).")
@click.option("--variant", "variants", multiple=True, metavar="V", help="With a variant (with --choices).")
@click.option("--option", "options", multiple=True, metavar="K=V", help="With an option set (with --choices).")
@click.option("--to", type=click.IntRange(0), metavar="N", help="Stop after N choices.")
@click.option("--step", is_flag=True, help="Wait for Enter after each choice.")
@click.option("--seat", type=click.IntRange(1), metavar="S", help="Tell it as the player on this seat saw it.")
@click.option("--game", metavar="GAME", help="The rules, if they are not where they were.")
def replay(
    log: str,
    choices: str | None,
    players: int | None,
    seed: int | None,
    variants: tuple[str, ...],
    options: tuple[str, ...],
    to: int | None,
    step: bool,
    seat: int | None,
    game: str | None,
) -> int:
    """Run a recorded game again.

    LOG is a saved game: its file, its name, or `last` for the one you left last. If its rules have been changed since, it runs as far
    as its choices exist, says which one does not, and the exit code is 1.

    With --choices, GAME is played with these choices: what `rulesrun test` prints of a game that went wrong."""
    from rulesrun import kept
    from rulesrun.saves import game_of, read

    if choices is not None:
        if game is not None:
            raise click.UsageError("--game belongs to a recorded game: with --choices the game stands in its place.")
        return replay_choices(log, choices, players, seed, variants, options, to, step, seat)
    if players is not None or seed is not None or variants or options:
        raise click.UsageError("--players, --seed, --variant and --option belong to --choices.")
    path = kept.find(log, over=True)
    save = read(path)
    if to is not None and to > len(save.choices):
        raise click.UsageError(f"only {len(save.choices)} choices were made in this game.")
    if seat is not None and seat > save.players:
        raise click.UsageError(f"there is no seat {seat}: {save.players} play.")
    return Projector(save, game_of(save, path, game), str(path), None if seat is None else seat - 1).run(to, step)


def replay_choices(
    name: str,
    choices: str,
    players: int | None,
    seed: int | None,
    variants: tuple[str, ...],
    options: tuple[str, ...],
    to: int | None,
    step: bool,
    seat: int | None,
) -> int:
    """Show a game that is given by its choices, and what is wrong with it then, if anything. Raises `RulesError`, `NotFound`, `click.UsageError`, and `Fault` where the rules stop."""
    from interpreter.faults import Fault
    from rulesrun.cli import options_of
    from rulesrun.saves import save_of
    from rulesrun.testing.hunting import named
    from rulesrun.testing.telling import reasons
    from rulesrun.testing.trials import Play, Tester

    try:
        numbers = [] if choices == "none" else [int(part) for part in choices.split(",")]
    except ValueError:
        raise click.UsageError("--choices are numbers with commas between them, or `none`.") from None
    game = named(name, variants, options_of(options)).for_tests
    if to is not None and to > len(numbers):
        raise click.UsageError(f"--choices are only {len(numbers)}.")
    stopped = None
    try:
        match = game.start(players, seed)
    except ValueError as problem:
        raise click.UsageError(f"{problem}.") from None
    try:
        for number in numbers:
            match.choose(number)
    except ValueError as problem:
        raise click.UsageError(f"{problem}.") from None
    except Fault as fault:
        stopped = fault
    if seat is not None and seat > match.players:
        raise click.UsageError(f"there is no seat {seat}: {match.players} play.")
    code = Projector(save_of(match), game, name, None if seat is None else seat - 1).run(to, step)
    if stopped is not None:
        raise stopped
    if to is None or to == len(numbers):
        trouble = Tester(game.compiled).again(Play(match.players, match.seed, tuple(numbers))).trouble
        if trouble is not None:
            print("", f"{trouble.title}:", *(f"  {line}" for line in reasons(trouble)), sep="\n")
            return 1
    return code


class Projector:
    """Shows one save. What has been told already is not told again."""

    match: Match

    def __init__(self, save: Save, game: Game, shown: str, viewer: int | None) -> None:
        from rulesrun.repl.console import open_desk

        self.save, self.game, self.shown, self.viewer = save, game, shown, viewer
        self.desk: Desk = open_desk()
        self.told = 0
        self.table: Table | None = None
        self.drawn = -1

    def run(self, to: int | None, step: bool) -> int:
        """Returns the exit code. Raises `SaveError`."""
        from rich.text import Text

        from rulesrun.saves import replay as play_again

        save = self.save
        replayed = play_again(save, self.game, shown=self.shown, to=to)
        self.say(Text(f"{self.game.title}: {save.players} players, seed {save.seed}, {len(save.choices)} choices", "bold"), Text())
        last = len(replayed.match.choices)
        if step:
            try:
                play_again(save, self.game, to=last, before=lambda match: self.stop(match, last))
            except EOFError:
                return 0
        self.match = replayed.match
        self.news()
        self.draw()
        self.close()
        if replayed.stopped is not None:
            self.say(Text(), *self.wrapped(f"{replayed.told}: {replayed.stopped}."))
            return 1
        if replayed.changed:
            self.say(Text(), *self.wrapped(f"{replayed.told}; all choices are still possible."))
        return 0

    def stop(self, match: Match, last: int) -> None:
        """Show where the game is and wait. Raises `EOFError` if that is enough."""
        self.match = match
        self.news()
        self.draw()
        answer = self.desk.ask(f"{len(match.choices)} of {last} (Enter goes on, `q` leaves)> ", list).strip().casefold()
        if answer in ("q", "quit", "exit", ":q", ":quit"):
            raise EOFError

    def news(self) -> None:
        """What has happened since it was last told."""
        from rich.text import Text

        from interpreter.story import tell
        from rulesrun.repl.telling import story_lines

        events = self.match.events
        lines = tell(self.match.state.code.program, events[self.told :], self.viewer)
        self.told = len(events)
        if lines:
            self.say(*story_lines(lines, self.desk.console.width), Text())

    def draw(self) -> None:
        from rulesrun.repl.cards import faces_of
        from rulesrun.repl.session import names_of
        from rulesrun.repl.table import Table

        if self.drawn == len(self.match.choices):
            return
        self.drawn = len(self.match.choices)
        if self.table is None:
            program = self.match.state.code.program
            seats = self.save.seats or ()
            bots = {seat: bot for seat, bot in enumerate(seats) if bot is not None}
            self.table = Table(program, faces_of(program), self.game.title, names_of(self.match.players, (), bots))
        self.say(*self.table.draw(self.match.view(self.viewer), self.desk.console.width))

    def close(self) -> None:
        """How it ended, or who is asked where it stops."""
        from rich.text import Text

        from interpreter.decisions import pending
        from interpreter.texts import player_name
        from rulesrun.repl.session import names_of
        from rulesrun.repl.telling import result_lines

        self.say(Text())
        if self.match.finished:
            self.say(*result_lines(self.match, names_of(self.match.players, (), {})))
            return
        asked = pending(self.match.state, self.match.players if self.viewer is None else self.viewer)
        assert asked is not None
        self.say(*self.wrapped(f"After {len(self.match.choices)} choices {player_name(asked.player)} is asked: {asked.prompt}?"))

    def wrapped(self, text: str) -> list[Text]:
        from rulesrun.repl.layout import wrap

        return wrap(text, self.desk.console.width)

    def say(self, *lines: Text) -> None:
        from dsl.render import visible

        for line in lines:
            if not line.plain.isprintable():
                line.plain = visible(line.plain)
            self.desk.console.print(line, no_wrap=True, overflow="ignore", crop=False)
