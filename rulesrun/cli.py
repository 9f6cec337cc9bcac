"""The command line. Options and exit codes are here; what a verb does is in its own module, imported when it runs.

Exit codes: 0 fine · 1 the rules or the tests have a finding · 2 bad usage, or a file that cannot be opened · 70 a fault of
ours · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import TextIOWrapper
from typing import Any, TypeVar

import click

from rulesrun.formatting import fmt
from rulesrun.house_rules import diff, new
from rulesrun.house_rules import variants as variants_command
from rulesrun.mutation.command import mutate
from rulesrun.replaying import replay
from rulesrun.rulebook.command import rules

FINE, FINDING, USAGE, OURS, INTERRUPTED = 0, 1, 2, 70, 130
VERSION = "0.1.0"

F = TypeVar("F", bound=Callable[..., Any])


class NobodyReads(Exception):
    """Whoever read our output has gone."""


class Verbs(click.Group):
    """`rulesrun FILE` is `rulesrun play FILE`. Raises `NobodyReads` for a closed pipe, where click would end the process."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        try:
            return super().make_context(*args, **more)
        except BrokenPipeError:
            raise NobodyReads from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise NobodyReads from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h", "--version"):
            self.refuse_mistyped(ctx, args[0])
            args = ["play", *args]
        return super().parse_args(ctx, args)

    def refuse_mistyped(self, ctx: click.Context, word: str) -> None:
        """A word that is neither a command nor a game, but nearly a command. Raises `click.UsageError`."""
        from dsl.suggest import closest
        from rulesrun.locate import Library, is_path

        near = closest(word, self.commands)
        if near is None or word.startswith("-") or is_path(word) or Library().game(word) is not None:
            return
        raise click.UsageError(f"there is no command `{word}`: did you mean `rulesrun {near}`?", ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def file_argument(function: F) -> F:
    return click.argument("file", metavar="GAME")(function)


def which_game(function: F) -> F:
    """The options of every verb that plays: what makes the rules, for how many."""
    for option in reversed(
        [
            click.option("--players", type=click.IntRange(1), metavar="N", help="How many play."),
            click.option("--variant", "variants", multiple=True, metavar="V", help="Play with a variant (may be given again)."),
            click.option("--preset", metavar="NAME", help="Set the options as a preset of the game says."),
            click.option(
                "--option", "options", multiple=True, metavar="K=V", help="Set an option of the game (may be given again)."
            ),
        ]
    ):
        function = option(function)
    return function


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="GAME is the name of a game that is shipped (see `rulesrun games`) or a path. `rulesrun GAME` plays it.",
)
@click.version_option(VERSION, prog_name="rulesrun")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Card and board games as readable rules files: play them, check them, test them, simulate them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@app.command(short_help="Play: you, several people, or bots alone.")
@click.argument("file", metavar="GAME", required=False)
@which_game
@click.option(
    "--humans",
    type=click.IntRange(0),
    metavar="K",
    help="How many of them are people (default 1). 0: bots play, and the game is printed.",
)
@click.option("--seat", type=click.IntRange(1), metavar="S", help="Your seat, from 1 (default 1).")
@click.option(
    "--bot", "bots", multiple=True, metavar="NAME", help="Who plays the other seats (default random; may be given again)."
)
@click.option("--seed", type=int, metavar="S", help="Play the game with this number; the same number gives the same cards.")
@click.option("--load", metavar="SAVE", help="Go on with a saved game: its name, its file, or `last` for the one you left last.")
@click.option("--watch", is_flag=True, help="Read the rules anew whenever they are written, and go on with the game.")
def play(
    file: str | None,
    players: int | None,
    variants: tuple[str, ...],
    preset: str | None,
    options: tuple[str, ...],
    humans: int | None,
    seat: int | None,
    bots: tuple[str, ...],
    seed: int | None,
    load: str | None,
    watch: bool,
) -> int:
    """Play a game: you against bots, or several people at one keyboard."""
    from rulesrun.repl.opening import Seating, play_game, play_saved

    if load is not None:
        given = {"--players": players, "--variant": variants, "--preset": preset, "--option": options, "--seed": seed}
        for name in (name for name, value in given.items() if value not in (None, ())):
            raise click.UsageError(f"the saved game brings its own cards and rules: leave out {name}.")
        return play_saved(load, file, Seating(None, humans, seat, bots), watch)
    if file is None:
        raise click.UsageError("which game? `rulesrun games` lists them.")
    game = load_game(file, variants, options, preset)
    again = (lambda library: load_game(file, variants, options, preset, library)) if watch else None
    return play_game(game, Seating(players, humans, seat, bots), seed, again)


@app.command(short_help="Look for mistakes in rules files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "concise", "github"]), default="text", help="How findings are printed."
)
def check(paths: tuple[str, ...], form: str) -> int:
    """Look for mistakes in rules files, or in all rules files of a folder."""
    from rulesrun.checking import check_paths

    return check_paths(paths, form)


@app.command(short_help="Run tests, then random games that look for what is wrong.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--games", type=click.IntRange(0), default=20, metavar="N", help="Random games for each number of players (default 20)."
)
@click.option("--seed", type=int, metavar="S", help="Where the random games start.")
@click.option("--jobs", type=click.IntRange(1), default=1, metavar="N", help="Play the random games in N processes.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How the result is printed.")
@click.option("--junit", metavar="FILE", help="Write the result as JUnit XML.")
@click.option("--coverage", is_flag=True, help="Say what of the rules tests and random games have run, and what not.")
@click.option("--marks", is_flag=True, help="Show the rules with marks of what has run (with --coverage).")
@click.option(
    "--min-coverage",
    "least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail if less of a file has run (implies --coverage).",
)
@click.option("--html", metavar="FILE", help="Write coverage as a page (implies --coverage).")
@click.option("--coverage-json", "data", metavar="FILE", help="Write coverage as JSON (implies --coverage).")
def test(
    paths: tuple[str, ...],
    games: int,
    seed: int | None,
    jobs: int,
    form: str,
    junit: str | None,
    coverage: bool,
    marks: bool,
    least: float | None,
    html: str | None,
    data: str | None,
) -> int:
    """Run the test blocks of rules files; then play random games, and judge them by invariants and properties.

    A game that goes wrong is made as short as can be, and shown: what is wrong, the choices that lead there, and a test that fails in the same
    way."""
    from rulesrun.api import new_seed
    from rulesrun.testing.command import test_paths

    used = new_seed() if seed is None else seed
    code = test_paths(paths, games, used, jobs, form, junit)
    if code != USAGE and (coverage or marks or least is not None or html or data):
        from rulesrun.coverage.command import Wanted, cover_paths

        with redirect_stdout(sys.stderr if form == "json" else sys.stdout):  # what is read by programs is JSON and nothing else
            print()
            return max(code, cover_paths(paths, games, used, Wanted(marks, least, html, data)))
    return code


@app.command(short_help="Let bots play many games, and count.")
@file_argument
@which_game
@click.option("--games", type=click.IntRange(1), default=1000, metavar="N", help="How many games (default 1000).")
@click.option("--bots", metavar="A,B,...", help="Who plays, by seat (default random; one name is for all).")
@click.option("--seed", type=int, metavar="S", help="The same number gives the same games.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help="How the figures are printed.")
def simulate(
    file: str,
    players: int | None,
    variants: tuple[str, ...],
    preset: str | None,
    options: tuple[str, ...],
    games: int,
    bots: str | None,
    seed: int | None,
    form: str,
) -> int:
    """Let bots play many games, and count."""
    from rulesrun.simulate import simulate_command

    names = tuple(name.strip() for name in bots.split(",")) if bots else ()
    return simulate_command(load_game(file, variants, options, preset), players, games, names, seed, form)


@app.command(short_help="List what can be played.")
def games() -> int:
    """List what can be played: the games that are shipped, those in this folder, and the examples."""
    from rulesrun.shelf import print_games

    return print_games()


@app.command(short_help="Say what the code of a finding means.")
@click.argument("code", metavar="CODE")
def explain(code: str) -> int:
    """Say what the code of a finding, such as CG0203, stands for."""
    from rulesrun.explain import print_code

    return print_code(code)


app.add_command(fmt)
app.add_command(mutate)
app.add_command(replay)
app.add_command(rules)
app.add_command(variants_command)
app.add_command(diff)
app.add_command(new)


def load_game(file: str, variants: Sequence[str], options: Sequence[str], preset: str | None = None, library: Any = None) -> Any:
    """The game a person asked for; raises what `rulesrun.load` raises, and `click.UsageError`."""
    from rulesrun.api import load_source
    from rulesrun.locate import Library

    library = library or Library()
    return load_source(library.find_game(file), library, variants, options_of(options), preset)


def options_of(options: Sequence[str]) -> dict[str, str]:
    """The values of `--option NAME=VALUE`, given any number of times. Raises `click.UsageError`."""
    wanted: dict[str, str] = {}
    for text in options:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"--option wants NAME=VALUE, not `{text}`.")
        wanted[name.strip()] = value.strip()
    return wanted


def main(args: Sequence[str] | None = None) -> None:
    """Run, and leave with the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may not have our signs
    code = run(list(sys.argv[1:] if args is None else args))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as problem:
        code = say_what_is_wrong(problem)
    sys.exit(code)


def run(args: list[str]) -> int:
    """The exit code of a command; whatever went wrong has been said on stderr."""
    try:
        code = app.main(args, prog_name="rulesrun", standalone_mode=False)
        return code if isinstance(code, int) else FINE
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as problem:
        problem.show()
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        click.echo("", err=True)
        return INTERRUPTED
    except NobodyReads:
        silence()
        return FINE
    except Exception as problem:
        return say_what_is_wrong(problem)


def say_what_is_wrong(problem: Exception) -> int:
    """Say what went wrong in the form it deserves."""
    from dsl.diagnostics import RulesError
    from interpreter.faults import Fault
    from rulesrun.locate import NotFound
    from rulesrun.reporting import print_diagnostics, print_fault, wishes_of
    from rulesrun.saves import SaveError

    if isinstance(problem, NotFound | SaveError):
        click.echo(f"rulesrun: {problem}", err=True)
        return USAGE
    if isinstance(problem, OSError) and problem.filename is None:  # no file of ours: those say themselves what is wrong with them
        silence()
        click.echo(f"rulesrun: the output cannot be written ({(problem.strerror or str(problem)).lower()})", err=True)
        return USAGE
    if isinstance(problem, RulesError) and (wishes := wishes_of(problem)):
        for wish in wishes:
            click.echo(f"rulesrun: {wish}", err=True)
        return USAGE
    if isinstance(problem, RulesError):
        print_diagnostics(problem.diagnostics, sys.stderr)
        return FINDING
    if isinstance(problem, Fault):
        print_fault(problem, sys.stderr)
        return FINDING
    if os.environ.get("RULESRUN_TRACEBACK"):
        import traceback

        traceback.print_exception(problem)
    return own_fault(problem)


def own_fault(problem: Exception) -> int:
    frames = problem.__traceback__
    place = ""
    while frames is not None:
        code = frames.tb_frame.f_code
        place = f"{os.path.basename(os.path.dirname(code.co_filename))}/{os.path.basename(code.co_filename)}:{frames.tb_lineno}"
        frames = frames.tb_next
    click.echo(
        f"rulesrun: this is a fault of rulesrun, not of your rules ({type(problem).__name__}: {problem}; at {place}).", err=True
    )
    click.echo("Please report it with the rules file. RULESRUN_TRACEBACK=1 shows more.", err=True)
    return OURS


def silence() -> None:
    """Whoever read our output has gone: nothing more can be said, and nothing must be said about that."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
