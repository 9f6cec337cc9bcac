"""What begins with a colon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click
from rich.text import Text

from dsl import model
from dsl.diagnostics import RulesError
from dsl.render import concise
from dsl.suggest import closest
from interpreter.story import tell
from interpreter.texts import plain, player_name, words
from rulesrun import kept
from rulesrun.locate import NotFound
from rulesrun.repl import past, reasons
from rulesrun.repl.cards import Face
from rulesrun.repl.choices import plain as folded
from rulesrun.repl.layout import broken, flow, styled, wrap
from rulesrun.repl.sheets import sheet, sheet_lines
from rulesrun.repl.telling import score_lines, story_lines
from rulesrun.saves import SaveError

if TYPE_CHECKING:
    from rulesrun.repl.session import Session

COMMANDS = {
    ":help": "these lines",
    ":look": "the table again; `:look discard` shows every card there that you may see",
    ":log": "what has happened lately; `:log all` tells it from the beginning",
    ":undo": "take your last answer back; `:undo 3` the last three",
    ":redo": "give again an answer that was taken back; `:redo 3` three of them",
    ":goto": "list your answers; `:goto 3` goes back, or forward again, to your question number 3",
    ":save": "keep the game under a name: `:save tuesday`; it is kept without this too, as the game you left last",
    ":load": "list the games that are kept; `:load tuesday` goes on with one, `:load last` with the one you left last",
    ":why": "how it comes that you are asked this: the rules that run, and where they stand",
    ":why-not": "why something cannot be chosen now: `:why-not grave digger`",
    ":score": "the score so far",
    ":rules": "what the game is about; `:rules CARD` shows what a card does",
    ":seed": "the number that brings the same cards again (told when the game is over)",
    ":trace": "`:trace on` shows the lines of the rules as they run",
    ":quit": "leave the game; it is kept",
}
LATELY = 25
SHORT = {":q": ":quit", ":exit": ":quit", ":?": ":help", ":h": ":help", ":l": ":look"}


class Leave(Exception):
    """The person wants to go."""


def is_command(typed: str) -> bool:
    return typed.startswith(":") or typed in ("?", "help", "quit", "exit")


def run_command(session: Session, typed: str, seat: int) -> None:
    """Do what is asked. Raises `Leave`, `Undone` if the game stands somewhere else now, and `Switch` if another is loaded."""
    word, _, rest = (typed if typed.startswith(":") else ":help" if typed == "?" else f":{typed}").partition(" ")
    command = find_command(word)
    if command is None:
        near = closest(word, COMMANDS)
        session.say(f"There is no command `{word}`. " + (f"Did you mean `{near}`?" if near else "`:help` lists them."))
        return
    DOING[command](session, rest.strip(), seat)


def find_command(word: str) -> str | None:
    low = word.casefold()
    if low in SHORT:
        return SHORT[low]
    found = [command for command in COMMANDS if command.startswith(low) and len(low) > 1]
    return found[0] if len(found) == 1 or low in COMMANDS else None


def do_help(session: Session, rest: str, seat: int) -> None:
    session.say(
        "Answer with the number that stands before it, or with the first letters of what you choose; several with blanks between them. "
        "Enter takes the only option."
    )
    column = max(map(len, COMMANDS)) + 2
    for command, what in COMMANDS.items():
        rows = wrap(what, session.width - column - 2)
        session.print(Text("  ") + Text(command.ljust(column), "bold") + rows[0])
        session.print(*(Text(" " * (column + 2)) + row for row in rows[1:]))


def do_look(session: Session, rest: str, seat: int) -> None:
    if not rest:
        session.draw_table(seat)
        return
    view = session.match.view(session.viewer(seat))
    wanted = folded(rest)
    zones = [z for z in view.zones if wanted in (folded(z.name), folded(z.family))]
    zones = zones or [z for z in view.zones if folded(z.name).startswith(wanted) or folded(z.family).startswith(wanted)]
    shown = [zone for zone in zones if zone.size] or zones[:1]
    for zone in shown:
        order = " (from the top)" if zone.shape == "pile" else " (from the left)" if zone.shape == "row" else ""
        session.print(Text(f"{zone.name}: {zone.size}{order if zone.size > 1 else ''}", "bold"))
        names: list[str] = []
        for design in zone.cards:
            names.append("face down" if design is None else session.faces.by_design[design].short)
        session.print(*(Text("  ") + row for row in flow(_runs(names), session.width - 2, between=", ")))
        if zone.also:
            among = ", ".join(session.faces.by_design[design].short for design in zone.also)
            session.print(*(Text("  ") + row for row in wrap(f"among those face down: {among}", session.width - 2)))
    if shown:
        return
    faces = find_faces(session, rest)
    if not faces:
        names_ = sorted({zone.family for zone in view.zones})
        session.say(f"There is no place or card called `{rest}`. Places: {', '.join(names_)}.")
    for face in faces[:6]:
        show_face(session, face)


def _runs(names: list[str]) -> Iterator[str]:
    """Equal neighbours together: `3 × face down`."""
    i = 0
    while i < len(names):
        n = i
        while n < len(names) and names[n] == names[i]:
            n += 1
        yield names[i] if n - i == 1 else f"{n - i} × {names[i]}"
        i = n


def do_log(session: Session, rest: str, seat: int) -> None:
    program = session.match.state.code.program
    lines = story_lines(tell(program, session.match.events, session.viewer(seat)), session.width)
    count = len(lines) if rest == "all" else int(rest) if rest.isdigit() else LATELY
    if len(lines) > count:
        session.print(Text(f"… {len(lines) - count} earlier lines: `:log all`", "dim"))
    session.print(*lines[max(0, len(lines) - count) :])


def do_undo(session: Session, rest: str, seat: int) -> None:
    count = number_in(session, rest)
    if count is not None:
        past.undo(session, count)


def do_redo(session: Session, rest: str, seat: int) -> None:
    count = number_in(session, rest)
    if count is not None:
        past.redo(session, count)


def number_in(session: Session, rest: str) -> int | None:
    """How many are meant: one if nothing is said; None after saying what is wrong."""
    if not rest:
        return 1
    if rest.isascii() and rest.isdigit() and 0 < int(rest) < 1_000_000:
        return int(rest)
    session.say(f"`{rest}` is no number: `:undo 3` takes three answers back.")
    return None


def do_goto(session: Session, rest: str, seat: int) -> None:
    listed = past.listed(session, seat)
    if not rest:
        for number, text, is_open in listed[-LATELY:]:
            mark = "▶" if is_open else " "
            session.print(*broken(Text(f"{mark} {number:>3}  {text}"), session.width, session.width))
        return
    numbers = [number for number, _, _ in listed]
    if not (rest.isascii() and rest.isdigit() and int(rest) in numbers):
        session.say(f"You have no question number {rest}: `:goto` alone lists them.")
    elif int(rest) == len(session.past.behind) + 1:
        session.say("That is where you are.")
    else:
        past.go(session, int(rest) - 1)


def do_save(session: Session, rest: str, seat: int) -> None:
    try:
        name = rest or kept.free_name(session.match)
        there = kept.in_the_way(session.match, kept.place_of(name))
        if there is not None and not session.agrees(
            f"`{name}` is another game: {there.name}, after {len(there.choices)} choices. Write over it (`y`; Enter leaves it)? "
        ):
            session.say(f"It is not saved: `{name}` stays as it is.")
            return
        path = kept.keep_as(session.match, name, session.seats)
    except SaveError as problem:
        session.say(f"It is not saved: {problem}.")
        return
    session.say(f"Saved in {path.resolve()}. `:load {name}` goes on from here.")


def do_load(session: Session, rest: str, seat: int) -> None:
    from rulesrun.repl.opening import resumed
    from rulesrun.repl.session import Switch

    if not rest:
        names = kept.saved_names()
        session.say(f"Saved games: {', '.join(names)}." if names else "No game was saved yet: `:save NAME` does it.")
        return
    try:
        session.keep()
        wanted = kept.find(rest, session.match.game.id)
        other = resumed(wanted, session.desk)
    except (SaveError, NotFound, click.UsageError) as problem:
        session.say(f"It cannot be loaded: {problem}")
        return
    except RulesError as problem:
        session.say(f"Its rules cannot be read: {concise(problem.diagnostics[0])}")
        return
    raise Switch(other)


def do_why(session: Session, rest: str, seat: int) -> None:
    reasons.why(session)


def do_why_not(session: Session, rest: str, seat: int) -> None:
    reasons.why_not(session, rest)


def do_trace(session: Session, rest: str, seat: int) -> None:
    reasons.switch_trace(session, rest)


def do_score(session: Session, rest: str, seat: int) -> None:
    program = session.match.state.code.program
    if not program.scoring:
        session.say("This game keeps no score. `:rules` says who wins.")
        return
    rows = sheet(program, session.match.events)
    if rows:
        session.print(*sheet_lines(rows, session.names, session.width, most=len(rows)))
        return
    lines = score_lines(session.match, session.names)
    if len(lines) < 2:
        session.say("The score depends on what is still hidden.")
        return
    session.print(*lines)


def do_rules(session: Session, rest: str, seat: int) -> None:
    if not rest:
        about_game(session)
        return
    faces = find_faces(session, rest)
    for face in faces[:6]:
        show_face(session, face)
    if len(faces) > 6:
        session.say(f"… and {len(faces) - 6} more: " + ", ".join(face.name for face in faces[6:]))
    if faces:
        return
    found = find_texts(session.match.game.rules, rest)
    if not found:
        near = closest(rest, [face.name for face in session.faces.by_design])
        session.say(f"Nothing is called `{rest}`. " + (f"Did you mean `{near}`?" if near else "`:rules` alone is about the game."))
    for name, text in found[:6]:
        session.print(Text(words(name), "bold"), *(Text("  ") + row for row in wrap(text, session.width - 2)))


def about_game(session: Session) -> None:
    game = session.match.game
    session.print(Text(game.title, "bold"))
    for paragraph in (game.rules.doc or "The file says nothing about it.").split("\n\n"):
        session.print(*wrap(paragraph, session.width))
    for option in game.rules.options:
        value = plain(session.match.state.code.program, option.type, option.value)
        about = f"{option.text.rstrip('.')}: {value}" if option.text else f"{words(option.name)}: {value}"
        session.print(*(Text("  ") + row for row in flow(map(Text, about.split()), session.width - 2, between=" ", rest=2)))
    session.say(f"All rules are in {game.source.path}.")


def find_texts(game: model.Game, wanted: str) -> list[tuple[str, str]]:
    """Rulebook text of what is called so."""
    declared: list[model.Declared] = [
        *game.rules, *game.defines, *game.zones, *game.variables, *game.kinds, *game.card_types, *game.boards, *game.dice, *game.endings,
    ]  # fmt: skip
    name = folded(wanted)
    return [(d.name, d.doc) for d in declared if d.doc and folded(words(d.name)).startswith(name)]


def find_faces(session: Session, wanted: str) -> list[Face]:
    """Cards called so, or whose names begin so, or have it in them."""
    name = folded(wanted)
    faces = list({face.name: face for face in session.faces.by_design}.values())
    tests: list[Callable[[str], bool]] = [lambda n: n == name, lambda n: n.startswith(name), lambda n: name in n]
    for test in tests:
        found = [face for face in faces if test(folded(face.name))]
        if found:
            return found
    return []


def show_face(session: Session, face: Face) -> None:
    told = ", ".join(f"{name} {value}" for name, value in face.attributes)
    session.print(styled(face.name, "bold") + Text(f"  {face.card_type}" + (f": {told}" if told else "")))
    for ability in face.abilities:
        session.print(*(Text("  ") + row for row in wrap(ability, session.width - 2)))


def do_seed(session: Session, rest: str, seat: int) -> None:
    if not session.match.finished:
        session.say("The seed would tell you every card to come: it is told when the game is over.")
        return
    session.say(f"The seed was {session.match.seed}. The same cards again:\n  {session.how_again()}")


def do_quit(session: Session, rest: str, seat: int) -> None:
    raise Leave


DOING: dict[str, Callable[[Session, str, int], None]] = {
    ":help": do_help,
    ":look": do_look,
    ":log": do_log,
    ":undo": do_undo,
    ":redo": do_redo,
    ":goto": do_goto,
    ":save": do_save,
    ":load": do_load,
    ":why": do_why,
    ":why-not": do_why_not,
    ":trace": do_trace,
    ":score": do_score,
    ":rules": do_rules,
    ":seed": do_seed,
    ":quit": do_quit,
}

__all__ = ["COMMANDS", "Leave", "is_command", "player_name", "run_command"]
