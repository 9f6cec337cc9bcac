"""Changes of a rules file that may change nothing in play, and how to tell that they do not.

Each change takes the text of a file and gives another; in play everything is the same, but for the names that were changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from attrs import frozen

from dsl import ast
from dsl.check.scope import BUILT_IN
from dsl.diagnostics import Report, RulesError
from dsl.parse import read
from dsl.source import Source
from dsl.walk_ast import nodes
from interpreter.faults import Fault
from rulesrun.api import Game, Match
from tests.dsl.disorder import disordered

# ── what happened ──

Trace = list[object]


def trace(game: Game, players: int, seed: int, steps: int) -> Trace:
    """Everything that is asked and seen in some steps of a random game, by names and texts; sorted where order means nothing."""
    rng = Random(seed)
    told: Trace = []
    try:
        match = game.start(players, seed)
        for _ in range(steps):
            told.append(seen(match))
            if match.finished:
                break
            match.choose(rng.randrange(match.option_count))
        told.append([plain(line.text) for line in match.log(None)])
        told.append(match.result and (match.result.winners, match.result.scores, plain(match.result.reason or "")))
    except Fault as fault:
        told.append(f"fault {fault.code}")
    return told


def seen(match: Match) -> object:
    decision = match.decision
    asked = decision and (decision.player, plain(decision.prompt or ""), [plain(option.text) for option in decision.options])
    return asked, [looked(match, seat) for seat in (None, *range(match.players))]


def looked(match: Match, seat: int | None) -> object:
    """What one seat sees, without what was added only to be unused."""
    view, names = match.view(seat), [design.name for design in match.state.code.program.designs]

    def faces(cards: tuple[int | None, ...]) -> list[str | None]:
        return [None if card is None else plain(names[card]) for card in cards]

    zones = {plain(z.name): (z.visibility, z.size, faces(z.cards), sorted(map(str, faces(z.also)))) for z in view.zones}
    values = {plain(v.name): plain(v.text) for v in view.variables}
    shown = {name: zone for name, zone in zones.items() if UNUSED not in name}
    return (
        shown,
        {name: value for name, value in values.items() if UNUSED not in name},
        view.scores and [s.total for s in view.scores],
    )


MARK = re.compile(r"[a-z]zz\d+[_ ]")
UNUSED = "unusedzz"


def plain(text: str) -> str:
    """A text with the old names in it."""
    return MARK.sub("", text.casefold().replace("_", " "))


# ── other names ──

FIXED = {
    "setup", "game", "turn", "winners", "name", "copies", "mark", "self", "owner", "result", "finished", "sees", "_", *BUILT_IN,
    "top", "bottom", "first", "last", "size", "zone", "position", "left", "right", "order", "column", "row", "neighbours", "rays",
    "up", "down", "up_left", "up_right", "down_left", "down_right",
}  # fmt: skip
"""names that mean something by themselves, somewhere"""


def ids(text: str) -> set[str]:
    """All names in a file."""
    file = read(Source("x.cardgame", text), Report())
    return set() if file is None else {node.id for node in nodes(file) if isinstance(node, ast.Name)}


def declared(file: ast.File) -> set[str]:
    """The names that a file gives to things, to locals and to parameters."""
    found: set[str] = set()
    spaces: set[str] = set()
    for node in nodes(file):
        match node:
            case (
                ast.Kind()
                | ast.Card()
                | ast.Zone()
                | ast.Var()
                | ast.Option()
                | ast.Dice()
                | ast.Define()
                | ast.Rule()
                | ast.Timing()
            ):
                found.add(node.name.id)
            case ast.Ending() | ast.Let() | ast.LocalVar() | ast.Range() | ast.Param() | ast.PickSeveral() | ast.Member():
                found.add(node.name.id)
            case ast.Board():
                found.add(node.name.id)
                spaces |= {row.cells[0].id for row in node.spaces if isinstance(row.cells[0], ast.Name)}
            case ast.Scoring():
                found.add(node.param.id)
            case ast.StepsRule():
                found |= {node.start.id, node.end.id}
            case ast.Head():
                found |= {pattern.id for pattern in node.patterns if isinstance(pattern, ast.Name) and pattern.id[0].islower()}
    return found - spaces


def renamed(text: str, rng: Random, leave: set[str]) -> str | None:
    """The same file with another name for everything that it names; members are shown as before. `leave`: names of other files."""
    file = read(Source("x.cardgame", text), Report())
    if file is None:
        return None
    modules = {item.module.id for item in file.items if isinstance(item, ast.Use)}
    names = sorted(declared(file) - FIXED - leave - modules)
    numbers = rng.sample(range(len(names)), len(names))
    new = {
        name: f"{'bkmtxz'[number % 6].upper() if name[0].isupper() else 'bkmtxz'[number % 6]}Zz{number}_{name}"
        for name, number in zip(names, numbers, strict=True)
    }
    edits: dict[tuple[int, int], str] = {}
    for node in nodes(file):
        if isinstance(node, ast.Name) and node.id in new:
            edits[node.span.start, node.span.end] = new[node.id]
        if isinstance(node, ast.Kind):
            taken_in = {other.name.id for other in file.items if isinstance(other, ast.Kind)} | leave
            for member in node.members:
                if member.display is None and member.name.id in new and member.name.id not in taken_in:
                    edits[member.name.span.end, member.name.span.end] = f' "{member.name.id.replace("_", " ")}"'
    return edited(text, edits)


def edited(text: str, edits: dict[tuple[int, int], str]) -> str:
    """A text with stretches of it written anew."""
    made, at = [], 0
    for (start, end), new in sorted(edits.items()):
        made += [text[at:start], new]
        at = end
    return "".join([*made, text[at:]])


# ── another order ──

FREE = (ast.Kind, ast.Board, ast.Var, ast.Option, ast.Define, ast.Rule, ast.Timing, ast.Invariant, ast.Test, ast.Preset)
"""declarations whose order means nothing. That of the others does: attachments and endings (by the reference), zones (the order in
which cards in them have their say), tables (the order of cards), card types (each is mixed with the numbers that the one before has left), dice, `when` blocks"""


def reordered(text: str, rng: Random) -> str | None:
    """The same declarations in another order, each with the remarks before it."""
    source = Source("x.cardgame", text)
    file = read(source, Report())
    if file is None or len(file.items) < 2:
        return None
    start = beginning(file, text)
    pieces = []
    for number, item in enumerate(file.items):
        last = item.span.end if number + 1 < len(file.items) else len(text)
        line_end = text.find("\n", max(last - 1, start))
        end = len(text) if line_end < 0 or number + 1 == len(file.items) else line_end + 1
        pieces.append((item, text[start:end]))
        start = end
    free = [piece for piece in pieces if isinstance(piece[0], FREE)]
    bound = [piece for piece in pieces if not isinstance(piece[0], FREE)]
    rng.shuffle(free)
    order = [True] * len(free) + [False] * len(bound)
    rng.shuffle(order)
    made = [(free if is_free else bound).pop(0)[1] for is_free in order]
    return text[: beginning(file, text)] + "\n".join(piece if piece.endswith("\n") else piece + "\n" for piece in made)


def beginning(file: ast.File, text: str) -> int:
    """Where the declarations begin: after the first line, and the rulebook text of the file."""
    at = text.index("\n", file.header.span.end - 1) + 1 if "\n" in text[file.header.span.end - 1 :] else len(text)
    if file.doc is None:
        return at
    while text[at : at + 1] == "\n":
        at += 1
    end = text.find("\n\n", at)
    return len(text) if end < 0 else end + 1


# ── defines written out ──


@frozen
class Use:
    """A call of a define that can be written out."""

    call: ast.Call
    define: ast.Define


def inlined(text: str, rng: Random) -> str | None:
    """The same file with calls of one define written out; None if there is none that can be."""
    file = read(Source("x.cardgame", text), Report())
    if file is None:
        return None
    heads = {node.name.id for node in nodes(file) if isinstance(node, ast.Head)}
    changed = {c.item.name.id for c in nodes(file) if isinstance(c, ast.Change) and isinstance(c.item, ast.Define)}
    zones = {node.name.id for node in nodes(file) if isinstance(node, ast.Zone | ast.Card | ast.Kind)}
    defines = {
        item.name.id: item
        for item in file.items
        if isinstance(item, ast.Define) and item.name.id not in heads | changed and is_short(item, zones)
    }
    uses = [Use(call, defines[name]) for call, name in simple_calls(file) if name in defines]
    if not uses:
        return None
    chosen = rng.choice(uses).define
    edits: dict[tuple[int, int], str] = {}
    for number, use in enumerate(uses):
        span = use.call.span
        inside = any(start <= span.start and span.end <= end for start, end in edits)
        if use.define is chosen and not inside:
            edits[span.start, span.end] = written_out(use, text, number)
    return edited(text, edits)


def is_short(define: ast.Define, zones: set[str]) -> bool:
    """One expression, and not a zone: a define gives the list of its cards, which compares in another way than the place itself."""
    if not define.value.plain or define.value.lets or define.name.id == "winners":
        return False
    body = define.value.cases[0].value
    return not any(isinstance(node, ast.Name) and node.id in zones for node in results(body))


def results(value: ast.Expr) -> Iterator[ast.Expr]:
    """The parts of an expression that may be its whole value, or what that is taken from."""
    match value:
        case ast.Conditional():
            yield from results(value.value)
            yield from results(value.otherwise)
        case ast.Group():
            yield from results(value.value)
        case ast.Index():
            yield from results(value.of)
        case _:
            yield value


def simple_calls(file: ast.File) -> Iterator[tuple[ast.Call, str]]:
    """Calls with names, numbers and flags for arguments: these may be judged more often, or not at all."""
    quoted = [(node.span.start, node.span.end) for node in nodes(file) if isinstance(node, ast.Text)]
    for node in nodes(file):
        if isinstance(node, ast.Call) and isinstance(node.function, ast.Name) and not (node.where or node.by or node.each):
            in_text = any(start <= node.span.start < end for start, end in quoted)
            if not in_text and all(isinstance(argument, ast.Name | ast.Number | ast.Flag) for argument in node.arguments):
                yield node, node.function.id


def written_out(use: Use, text: str, number: int) -> str:
    """The value of a define with the arguments in it; its own binders get new names, since nothing may be shadowed."""
    body = use.define.value.cases[0].value
    new = {
        param.name.id: text[argument.span.start : argument.span.end]
        for param, argument in zip(use.define.params, use.call.arguments, strict=True)
    }
    new |= {node.name.id: f"{node.name.id}_in{number}" for node in nodes(body) if isinstance(node, ast.Range)}
    properties = {id(node.name) for node in nodes(body) if isinstance(node, ast.Property)}
    edits = {
        (node.span.start - body.span.start, node.span.end - body.span.start): new[node.id]
        for node in nodes(body)
        if isinstance(node, ast.Name) and node.id in new and id(node) not in properties
    }
    return f"({edited(text[body.span.start : body.span.end], edits)})"


# ── more than is needed ──


def with_unused(text: str, rng: Random) -> str | None:
    """The same file with declarations that nothing uses. (Another card type would not do: `after reveal(c)` is about the only one there is.)"""
    file = read(Source("x.cardgame", text), Report())
    if file is None:
        return None
    cards = [item.name.id for item in file.items if isinstance(item, ast.Card)]
    more = [
        "rule unusedZz1(nZz: number):\n    repeat nZz: unusedZz7()",
        "define unusedZz2(nZz: number) -> number = nZz + 1",
        "var unusedZz3 = 7",
        "kind UnusedZz4: UnusedZz5, UnusedZz6",
        *(f"zone unusedZz8[player]: open pile of {card}" for card in cards[:1]),
    ]
    chosen = [line for line in more if rng.random() < 0.7]
    if more[0] in chosen:
        chosen.append("rule unusedZz7()")
    return text.rstrip("\n") + "\n\n" + "\n\n".join(chosen) + "\n"


Change = Callable[[str, Random, set[str]], str | None]

CHANGES: dict[str, Change] = {
    "other names": renamed,
    "another order": lambda text, rng, leave: reordered(text, rng),
    "a define written out": lambda text, rng, leave: inlined(text, rng),
    "unused declarations": lambda text, rng, leave: with_unused(text, rng),
    "remarks and blank lines": lambda text, rng, leave: disordered(text, rng, remarks=True),
}


Load = Callable[[str], Game]


def changes_nothing(name: str, text: str, load: Load, leave: set[str], seed: int, steps: int) -> bool | None:
    """Whether a file, changed in this way, is still played the same, at one number of players. None: it cannot be changed so, or
    only to a file that has errors (a define written out may need the type of its parameter). Raises `RulesError` for others."""
    other = CHANGES[name](text, Random(seed), leave)
    if other is None:
        return None
    game = load(text)
    try:
        changed = load(other)
    except RulesError:
        if name == "a define written out":
            return None
        raise
    players = game.players[seed % len(game.players)]
    return trace(game, players, seed, steps) == trace(changed, players, seed, steps)


def without_tests(source: Source) -> str:
    """The text of a file without its `test` blocks, which name cards by the text they are shown by."""
    file = read(source, Report())
    if file is None:
        return source.text
    tests = [item for item in file.items if isinstance(item, ast.Test)]
    return edited(source.text, {(item.span.start, item.span.end): "" for item in tests})
