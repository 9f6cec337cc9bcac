"""From a composition to checked rules.

Every name is resolved, every expression typed, every table read; what is wrong goes to the report, each thing once.
`check` reads as the order of the passes.
"""

from __future__ import annotations

from attrs import define

from dsl import ast, model, suggest
from dsl.check import (
    abilities,
    assignments,
    attachments,
    calls,
    choices,
    comparisons,
    constant,
    moves,
    names,
    operators,
    queries,
    statements,
    symbols,
    tables,
    tests,
    values,
)
from dsl.check.attachments import Place
from dsl.check.declarations import Declarations, players
from dsl.check.elaborate import Want, a
from dsl.check.queries import condition
from dsl.check.scope import Context, Frame, Names, Symbol, file_scope
from dsl.composition import Composition, Placed
from dsl.diagnostics import Label, Report
from dsl.types import FLAG, NUMBER, PLAYER, UNKNOWN, ListType

__all__ = ["check"]

FORMS = (calls, comparisons, names, operators, queries)
STATEMENTS = (assignments, choices, moves, statements)
"""The modules that know the forms of expressions and statements; importing them registers these."""


def check(composition: Composition, report: Report) -> model.Game | None:
    """The checked game, or None if anything is wrong with it; `report` has what."""
    game = model.Game(composition.name, composition.id, composition.span, composition.doc, (), composition.variants)
    cx = Context(composition, report, game)
    before, found = len(report.errors), len(report.found)
    shells = symbols.collect(cx)
    cx.evaluator.world.attached = _attached(cx)
    declared = Declarations(cx, shells)
    declared.signatures()
    declared.infer()
    declared.values()
    declared.boards()
    game.players = players(cx)
    game.presets = tuple(model.Preset(p.name, p.text, p.doc, tuple(p.values.items()), p.span) for p in composition.presets)
    declared.slots()
    read = [tables.read(placed, cx) for placed in composition.items if isinstance(placed.item, ast.Cards)]
    declared.bodies()
    _Others(cx).all([table for table in read if table is not None])
    _quoted(cx)
    _spaces(cx)
    if composition.players is not None:
        _fixed(cx)
    _sort(report, found, composition)
    return game if len(report.errors) == before else None


def _sort(report: Report, start: int, composition: Composition) -> None:
    """Put the findings of this run in the order of the text."""
    files = {file.source.path: number for number, file in enumerate(reversed(composition.files))}
    report.found[start:] = sorted(report.found[start:], key=lambda d: (files.get(d.span.source.path, len(files)), d.span.start))


def _attached(cx: Context) -> frozenset[str]:
    """The ids of the defines that an attachment somewhere is about: their values are not constant."""
    found: set[str] = set()

    def note(node: ast.Attachment, file: ast.File) -> None:
        symbol = cx.names_of(file).find(node.head.name.id, "define")
        if symbol is not None and isinstance(symbol.target, model.Define):
            found.add(symbol.target.id)

    for placed in cx.composition.items:
        if isinstance(placed.item, ast.Attachment):
            note(placed.item, placed.file)
        for row in placed.rows:
            for ability in row.row.abilities:
                if isinstance(ability, ast.StandingAbility):
                    for node in ability.attachments:
                        note(node, row.abilities_file)
    return frozenset(found)


@define(eq=False)
class _Others:
    """What is neither a type nor a named value: attachments and abilities, scoring, endings, invariants, tests."""

    cx: Context

    def all(self, read: list[tables.Table]) -> None:
        by_item = {id(table.placed): table for table in read}
        used: set[str] = set()
        for placed in self.cx.composition.items:
            item = placed.item
            match item:
                case ast.Cards() if id(placed) in by_item:
                    self.cx.game.attachments += abilities.attached(by_item[id(placed)], self.cx)
                    used |= {x.timing.id for row in placed.rows for x in row.row.abilities if isinstance(x, ast.TimedAbility)}
                case ast.Attachment():
                    place = Place(placed.rank, self.cx.next_order())
                    made = attachments.attach(item, file_scope(self.cx, placed.file), place, None)
                    self.cx.game.attachments += [made] if made is not None else []
                case ast.Scoring():
                    self._scoring(item, placed)
                case ast.Ending():
                    self._ending(item, placed)
                case ast.Invariant():
                    self._invariant(item, placed)
                case ast.GameProperty():
                    self._property(item, placed)
                case ast.Test() if placed.home.header is self.cx.composition.game.header or not isinstance(
                    placed.home.header, ast.ModuleHeader
                ):
                    self.cx.game.tests += tests.tests(placed, self.cx)
        for placed in self.cx.composition.items:
            if isinstance(placed.item, ast.Timing) and placed.item.name.id not in used:
                abilities.unused_timing(placed, self.cx)

    def _scoring(self, item: ast.Scoring, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file).inner()
        made = model.Scoring(scope.declare(item.param, PLAYER), [])
        for line in item.lines:
            label = line.label.plain
            if label is None:
                self.cx.report.error("CG0427", "the name of a score has no holes", line.label.span)
                continue
            inner = scope.inner()
            test = condition(line.condition, inner, "when")
            value = values.value(line.value, inner, Want(NUMBER, "a score is a number"), "this score")
            made.lines.append(model.ScoreLine(label, test, value, line.span))
        self.cx.game.scoring.append(made)

    def _ending(self, item: ast.Ending, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file).inner()
        made = model.Ending(item.name.id, f"{placed.home.source.id}.{item.name.id}", item.name.span, doc=item.doc)
        if item.after is not None:
            head = attachments.head(item.after, "after", scope)
            if head is None:
                return
            if not isinstance(head.target, model.Define):
                made.after, made.patterns = head.target, head.patterns
            made.condition = attachments.guard(head, item.condition, scope)
        else:
            made.condition = condition(item.condition, scope, "when")
        if item.text.plain is None:
            self.cx.report.error("CG0427", "the reason of an ending has no holes", item.text.span)
        made.text = item.text.plain or ""
        self.cx.game.endings.append(made)

    def _invariant(self, item: ast.Invariant, placed: Placed) -> None:
        scope = file_scope(self.cx, placed.file, self._judging())
        found = values.flag(item.value, scope, "an invariant is a condition", "an invariant")
        self.cx.game.invariants.append(model.Invariant(constant.plain_text(item.text), found, item.span))

    def _judging(self) -> Frame:
        """What invariants and properties may speak of: the words of tests."""
        return Frame(in_test=True, anywhere=True, seats=min(self.cx.game.players, default=1))

    def _property(self, item: ast.GameProperty, placed: Placed) -> None:
        frame = self._judging()
        scope = file_scope(self.cx, placed.file, frame).inner()
        text = constant.plain_text(item.text)
        made = None
        if item.after is not None:
            made = attachments.head(item.after, "after", scope)
            if made is None or isinstance(made.target, model.Define):
                return
        main = self.cx.names_of(self.cx.composition.game).find("game", "rule")
        whole = made is None or (main is not None and made.target is main.target)
        if whole:
            frame.decisions = model.Local("decisions", NUMBER, item.span)
        found = values.flag(item.value, scope, "a property is a condition", "a property")
        if made is None or whole:
            kind = item.how_often or "end"
            self.cx.game.properties.append(model.GameProperty(text, kind, found, item.span, decisions=frame.decisions))
            return
        assert not isinstance(made.target, model.Define)
        for also in reversed(made.also):
            no = model.Not(type=FLAG, span=also.span, value=also)
            found = model.Binary(type=FLAG, span=found.span, op="or", left=no, right=found)
        self.cx.game.properties.append(model.GameProperty(text, "after", found, item.span, made.target, made.patterns))


def _quoted(cx: Context) -> None:
    """The names of cards in quotes: all tables are read by now."""
    for card, name, span in cx.quoted:
        places = cx.design_places.get(card.id, {})
        if card.id in cx.incomplete or name in places or name in cx.possible_names.get(card.id, ()):
            continue
        guess = suggest.closest(name, places)
        elsewhere = next((c.name for c in cx.game.card_types if name in cx.design_places.get(c.id, ())), None)
        label = f"did you mean `{guess}`?" if guess else f"it is {_article(elsewhere)} {elsewhere} card" if elsewhere else ""
        others = (
            (Label(places[guess], "this card"),) if guess in places else (Label(card.span, f"{card.name} cards are meant here"),)
        )
        cx.report.error("CG0208", f'there is no {card.name} card "{name}"', span, label, others=others)


def _spaces(cx: Context) -> None:
    """Spaces named by numbers must be on the board."""
    for board, place, span in cx.spaces:
        if place in board.grid or not board.grid:
            continue
        columns, rows = board.size
        column, row = place
        inside = isinstance(column, int) and isinstance(row, int) and 0 <= column < columns and 0 <= row < rows
        label = "that place of the map is blocked" if inside else f"columns are 0 to {columns - 1}, rows 0 to {rows - 1}"
        title = f"there is no space {column}, {row} on {board.name}"
        cx.report.error("CG0311", title, span, label, others=(Label(board.span, "the board"),))


def _article(name: str) -> str:
    return "an" if name[:1].lower() in "aeiou" else "a"


MISSING = {
    "setup": "`rule setup():` deals and prepares",
    "game": "`rule game():` plays until the end",
    "winners": "`define winners() = highest(p in players by …)` says who wins",
}


def _fixed_rule(name: str, found: Names, cx: Context) -> model.Rule | None:
    symbol = found.find(name)
    if symbol is None:
        return None
    rule = symbol.target
    if not isinstance(rule, model.Rule):
        cx.report.error("CG0402", f"`{name}` must be a rule", symbol.span, f"it is {symbol.a_sort}")
        return None
    if rule.params or rule.result is not None or (rule.body is None and name != "setup"):
        cx.report.error("CG0402", f"`{name}` has another form", symbol.span, f"write `rule {name}():` with a body")
        return None
    return rule


def _winners(symbol: Symbol, cx: Context) -> model.Define | None:
    define_ = symbol.target
    if not isinstance(define_, model.Define):
        cx.report.error("CG0402", "`winners` must be a define", symbol.span, f"it is {symbol.a_sort}")
    elif define_.params:
        cx.report.error("CG0402", "`winners` has no parameters", symbol.span, "write `define winners() = …`")
    elif define_.result not in (ListType(PLAYER), UNKNOWN):
        hint = "ties are said alike: a single winner is `[p]`"
        cx.report.error("CG0402", f"`winners` is a list of players, not {a(define_.result)}", symbol.span, hint=hint)
    else:
        return define_
    return None


def _nearly(word: str, names: Names) -> Symbol | None:
    """A rule or define whose name is nearly this word."""
    near = suggest.closest(word, names.of("rule", "define"))
    return None if near is None else names.find(near)


def _fixed(cx: Context) -> None:
    """`setup`, `game` and `winners` must be there; `turn`, if it is there, says who is active."""
    found = cx.names_of(cx.composition.game)
    game = cx.game
    game.setup = _fixed_rule("setup", found, cx)
    game.main = _fixed_rule("game", found, cx)
    symbol = found.find("winners")
    if symbol is not None:
        game.winners = _winners(symbol, cx)
    missing = [word for word in MISSING if found.find(word) is None]
    if missing:
        near = [(word, symbol) for word in missing if (symbol := _nearly(word, found)) is not None]
        cx.report.error(
            "CG0401",
            "the game has no " + " and no ".join(f"`{word}`" for word in missing),
            cx.composition.span,
            others=tuple(Label(symbol.span, f"if this is meant, its name is `{word}`") for word, symbol in near),
            hint="; ".join(MISSING[word] for word in missing),
        )
    turn = found.find("turn", "rule")
    if turn is not None and isinstance(turn.target, model.Rule) and turn.target.params and turn.target.params[0].type == PLAYER:
        game.turn = turn.target
