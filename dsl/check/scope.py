"""What names mean: the symbols a file sees, the blocks inside it, and what checking keeps while it runs.

All names of a file lie in one flat space: its own, those of the modules it uses, and the built-in ones. Parameters and
locals never shadow them. Attributes and properties live behind the dot and are not symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import Factory, define, frozen

from dsl import ast, model, suggest, types
from dsl.composition import Composition
from dsl.constants import Evaluator, World
from dsl.diagnostics import Label, Report
from dsl.source import NOWHERE, Span
from dsl.types import Type

BUILT_IN_VALUES = ("players", "seats", "active")
BUILT_IN_FUNCTIONS = ("turn_order", "others", "score", "same")
QUERIES = ("count", "any", "sum", "max", "min", "lowest", "highest")
BOARD_QUERIES = ("reach", "distance", "between", "lines", "groups")
TEST_VALUES = ("result", "finished", "decisions")
TEST_FUNCTIONS = ("sees",)
CARRIED = ("self", "owner")
TEST_PLAYERS = tuple(f"P{n}" for n in range(1, 21))

MOST_SLOTS = 100_000
MOST_DESIGNS = 10_000
MOST_CARDS = 20_000
MOST_PLAYERS = 20
MOST_STEPS = 3_000_000


@frozen
class Member:
    """The meaning of a kind's member: its kind and its order from 0; `taken` if the kind took it in from another."""

    kind: model.Kind
    order: int
    taken: bool


@frozen(eq=False)
class Symbol:
    """A declared name. `sort` is the word people use: kind, member, card type, zone, variable, option, dice, board, timing,
    define, rule, built-in word, type."""

    sort: str
    name: str
    span: Span
    target: object
    home: ast.File | None = None

    @property
    def a_sort(self) -> str:
        """The sort with its article."""
        if self.sort == "dice":
            return "dice"
        return f"{'an' if self.sort[0] in 'aeiou' else 'a'} {self.sort}"

    @property
    def place(self) -> tuple[Label, ...]:
        """A label at the declaration, for messages that mention it."""
        return () if self.span is NOWHERE else (Label(self.span, f"the {self.sort} `{self.name}`"),)


def _built_in() -> dict[str, tuple[Symbol, ...]]:
    words = dict.fromkeys((*BUILT_IN_VALUES, *BUILT_IN_FUNCTIONS, *QUERIES, *BOARD_QUERIES), "built-in word")
    symbols: dict[str, tuple[Symbol, ...]] = {name: (Symbol(sort, name, NOWHERE, None),) for name, sort in words.items()}
    for basic in types.BASIC_TYPES.values():
        symbols[basic.name] = (Symbol("type", basic.name, NOWHERE, basic),)
    return symbols


BUILT_IN = _built_in()
KEPT_WORDS = {
    **dict.fromkeys(CARRIED, "the word for what a card's ability is about"),
    **dict.fromkeys((*TEST_VALUES, *TEST_FUNCTIONS), "a word of tests"),
    **dict.fromkeys(TEST_PLAYERS, "a player in tests"),
}
"""Words no declaration may take, though they mean something in some places only."""


WORDS_FOR_VALUES = ["yes", "no", "none"]
ENDS_WITH_IS = re.compile(r"\bis(?: +not)? *\Z")


@define(eq=False)
class Names:
    """The names one file sees. Only members of kinds may share a name."""

    file: ast.File
    symbols: dict[str, tuple[Symbol, ...]]

    def find(self, name: str, *sorts: str) -> Symbol | None:
        """The symbol of that name, of one of the sorts if any are given; for members the first."""
        for symbol in self.symbols.get(name, ()):
            if not sorts or symbol.sort in sorts:
                return symbol
        return None

    def members(self, name: str) -> list[Symbol]:
        """What a member's name may mean; a taken-in copy only if the original is not in sight."""
        found = [s for s in self.symbols.get(name, ()) if s.sort == "member"]
        own = [s for s in found if isinstance(s.target, Member) and not s.target.taken]
        return own or found

    def of(self, *sorts: str) -> Iterator[str]:
        """All names of some sorts."""
        for name, symbols in self.symbols.items():
            if any(s.sort in sorts for s in symbols):
                yield name


Path = tuple[object, ...]
"""A local, a variable with its indexes, or a property of such: what a test for `none` can be about."""


@define
class Frame:
    """Where an expression or a statement stands, and what that allows.

    `returns`: the type of `return`, None where nothing is returned. `proceeds`: what `proceed` continues. `rule`: the rule
    whose body it is. `seats`: how many play at most. `last_result`: in tests, of the last rule that was started. `anywhere`: in no one test, but for
    all. `decisions`: in a property of whole games, how many have been made. `declared`: all locals so far, also those whose blocks are over."""

    rule: model.Rule | None = None
    returns: Type | None = None
    proceeds: model.Rule | model.Define | model.BuiltinEvent | None = None
    in_test: bool = False
    anywhere: bool = False
    last_result: Type | None = None
    decisions: model.Local | None = None
    seats: int = MOST_PLAYERS
    declared: list[model.Local] = Factory(list)


@define(eq=False)
class Context:
    """What one run of the checker shares: the composition, the report, the game as it grows, and work put off."""

    composition: Composition
    report: Report
    game: model.Game
    names: dict[str, Names] = Factory(dict)
    own: dict[str, dict[str, list[Symbol]]] = Factory(dict)
    kinds: dict[str, model.Kind] = Factory(dict)
    card_types: dict[str, model.CardType] = Factory(dict)
    boards: dict[str, model.Board] = Factory(dict)
    quoted: list[tuple[model.CardType, str, Span]] = Factory(list)
    """names of cards met in quotes: judged when all tables are read"""
    spaces: list[tuple[model.Board, tuple[object, object], Span]] = Factory(list)
    """spaces named by numbers: judged when all boards are read"""
    design_places: dict[str, dict[str, Span]] = Factory(dict)
    """by the id of a card type, the names of its designs and where each stands"""
    incomplete: set[str] = Factory(set)
    """likewise, those with an error in their tables: other names may belong to them"""
    possible_names: dict[str, set[str]] = Factory(dict)
    """likewise, names they would have under other values of the options"""
    evaluator: Evaluator = Factory(lambda self: Evaluator(World(self.kinds, self.boards), MOST_STEPS), takes_self=True)
    """works out constants, all within one budget"""
    cards: int = 0
    designs: int = 0
    slots: int = 0
    orders: int = 0
    _aside: Context | None = None

    def next_order(self) -> int:
        """Attachments are numbered as they are met, which is in text order."""
        self.orders += 1
        return self.orders

    def aside(self) -> Context:
        """For trying what would be under other options: the same game with a report and a budget of its own."""
        if self._aside is None:
            self._aside = Context(self.composition, Report(), self.game, kinds=self.kinds, boards=self.boards)
            self._aside.evaluator.world.attached = self.evaluator.world.attached
        return self._aside

    def names_of(self, file: ast.File) -> Names:
        return self.names[file.source.path]


@define(eq=False)
class Scope:
    """The names at one place: those of the file, and the locals of the blocks around it.

    `facts` are the paths known not to be `none` here. `values` are names that stand for a constant: the binders of a card
    row inside its abilities; `used` collects which of them were needed."""

    cx: Context
    names: Names
    frame: Frame
    locals: dict[str, model.Local] = Factory(dict)
    facts: frozenset[Path] = frozenset()
    parent: Scope | None = None
    values: dict[str, model.Expr] = Factory(dict)
    used: set[object] = Factory(set)

    def inner(self, facts: Iterable[Path] = ()) -> Scope:
        """A block or an expression inside this one, where more is known."""
        return Scope(self.cx, self.names, self.frame, {}, self.facts | frozenset(facts), self, self.values, self.used)

    def local(self, name: str) -> model.Local | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.locals:
                return scope.locals[name]
            scope = scope.parent
        return None

    def knows(self, name: str) -> bool:
        """Whether a name means anything here."""
        return self.local(name) is not None or name in self.values or self.names.find(name) is not None

    def all_locals(self) -> Iterator[model.Local]:
        scope: Scope | None = self
        while scope is not None:
            yield from scope.locals.values()
            scope = scope.parent

    def declare(self, name: ast.Name, type_: Type, *, mutable: bool = False, what: str = "name") -> model.Local:
        """A new local. Error if the name already means something here."""
        local = model.Local(name.id, type_, name.span, mutable)
        self.may_declare(name, what)
        self.locals[name.id] = local
        self.frame.declared.append(local)
        return local

    def may_declare(self, name: ast.Name, what: str = "name") -> bool:
        """Whether a name is free here; an error otherwise."""
        report = self.cx.report
        outer = self.local(name.id)
        if outer is not None:
            report.error(
                "CG0202",
                f"`{name.id}` already means something here",
                name.span,
                "used again",
                others=(Label(outer.span, "declared here"),),
                hint="an inner name never hides an outer one: take another name",
            )
            return False
        if name.id in CARRIED or name.id == "_":
            meaning = KEPT_WORDS.get(name.id, "the sign for what is ignored")
            report.error("CG0202", f"`{name.id}` already means something", name.span, f"it is {meaning}", hint="take another name")
            return False
        symbol = self.names.find(name.id)
        if symbol is None and self.frame.in_test and name.id in KEPT_WORDS:
            report.error("CG0202", f"`{name.id}` already means something", name.span, f"it is {KEPT_WORDS[name.id]}")
            return False
        if symbol is None:
            return True
        hint = "an inner name never hides an outer one: take another name"
        label = f"`{name.id}` is built in" if symbol.span is NOWHERE else f"also the name of {symbol.a_sort}"
        report.error("CG0202", f"`{name.id}` already means something", name.span, label, others=symbol.place, hint=hint)
        return False

    def may_use(self, symbol: Symbol, span: Span) -> bool:
        """Whether a define or rule may stand here: a helper of tests only in them; an error otherwise."""
        target = symbol.target
        if self.frame.in_test or not isinstance(target, model.Define | model.Rule) or not target.for_tests:
            return True
        title = f"`{symbol.name}` is for tests only"
        hint = "leave out the word `test` before it, if the rules need it too"
        self.cx.report.error("CG0809", title, span, "this is played", others=symbol.place, hint=hint)
        return False

    def note(self, local: model.Local) -> None:
        """Remember that a local was used."""
        self.used.add(local)

    # ── names that are not there ──

    def unknown(self, name: str, span: Span, what: str, sorts: tuple[str, ...], *, locals_too: bool = True) -> None:
        """Say that there is no such name, with the nearest of the sorts meant, or where it may be found."""
        candidates = list(self.names.of(*sorts))
        if locals_too:
            candidates += [local.name for local in self.all_locals()]
            candidates += list(self.values)
        if what == "name":
            candidates += WORDS_FOR_VALUES
            candidates += ["empty"] if ENDS_WITH_IS.search(span.source.text, max(0, span.start - 20), span.start) else []
        ended = next((local for local in reversed(self.frame.declared) if local.name == name), None) if locals_too else None
        guess = suggest.closest(name, candidates) if ended is None else None
        others: tuple[Label, ...] = ()
        hint = None
        label = ""
        if ended is not None:
            label = f"`{name}` is known only in the block it was made for"
            others = (Label(ended.span, "declared here"),)
        elif guess is not None:
            label = f"did you mean `{guess}`?"
            local = self.local(guess)
            symbol = self.names.find(guess, *sorts)
            if local is not None:
                others = (Label(local.span, f"`{guess}` is declared here"),)
            elif symbol is not None:
                others = symbol.place
        else:
            label, hint, others = self._elsewhere(name, sorts)
            if what == "variable" and not label:
                hint = f"what changes in a game is declared first, such as `var {name} = 0` or `var {name}[player] = 0`"
        title = (
            f"there is nothing called `{name}` here"
            if what == "name"
            else f"there {'are' if what == 'dice' else 'is'} no {what} `{name}`"
        )
        self.cx.report.error("CG0203", title, span, label, hint=hint, others=others)

    def _elsewhere(self, name: str, sorts: tuple[str, ...]) -> tuple[str, str | None, tuple[Label, ...]]:
        """Label, hint and places for a name nothing here is like: it may be of another sort, of a file not used, of tests."""
        symbol = self.names.find(name)
        if symbol is not None:
            return f"`{name}` is {symbol.a_sort}", None, symbol.place
        if name in CARRIED:
            return f"`{name}` is known only in a card's abilities and in timings", None, ()
        if name in KEPT_WORDS and not self.frame.in_test:
            return f"`{name}` is known only in tests", None, ()
        for path, own in self.cx.own.items():
            found = [s for s in own.get(name, ()) if s.sort in sorts]
            home = found[0].home if found else None
            if home is not None and path != self.names.file.source.path and isinstance(home.header, ast.ModuleHeader):
                return (
                    "not known in this file",
                    f"the module `{home.source.id}` has it: write `use {home.source.id}` at the top",
                    found[0].place,
                )
        return "", None, ()


def file_scope(cx: Context, file: ast.File, frame: Frame | None = None) -> Scope:
    """The scope of a file's declarations, with nothing local."""
    return Scope(cx, cx.names_of(file), frame or Frame())
