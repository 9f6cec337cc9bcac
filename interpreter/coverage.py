"""Rule coverage: which parts of the rules have run.

Marks are put into the checked rules before they are lowered, so a marked game is played and tested like any other, and its code
notes which marks it met (`Code.hits`). A mark is one call in compiled code; marked code is made without the short cuts that would run
past it.
"""

from __future__ import annotations

from collections.abc import Set
from functools import singledispatchmethod
from typing import Any

from attrs import Factory, define, evolve, frozen

from dsl import model, rewrite, walk
from dsl.source import Span
from interpreter.play import Rules
from interpreter.state import State

SORTS = {
    "rule": "rules", "define": "defines", "branch": "branches", "attachment": "attachments", "ability": "abilities",
    "score": "score lines", "ending": "endings", "invariant": "invariants", "property": "properties", "design": "card designs", "option": "options",
    "block": "`when` blocks",
}  # fmt: skip
"""sorts of items, in the order in which they are told, and what many of them are called"""

Key = tuple[str, str, int, int, str]


@frozen
class Item:
    """Something that should run. `what` it is in words, and `missed` what never happened if it did not; `extent` is the text that runs
    with it, None if there is none. The same text gives an equal `key` in every composition of a game."""

    sort: str
    span: Span
    what: str
    missed: str
    extent: Span | None = None
    judged: Span | None = None
    """the text of a condition that is noted whenever it is asked: under this mark if it was one way, under its sister if it was the other"""

    @property
    def key(self) -> Key:
        return (self.sort, self.span.source.path, self.span.start, self.span.end, self.missed)


@define
class Marked:
    """A game with marks in it, ready to be tested and played; `items[n]` is what mark `n` stands for."""

    game: model.Game
    rules: Rules
    items: list[Item]
    bare: list[tuple[rewrite.Place, Any]]
    """what the places held before"""
    designs: dict[int, Item] = Factory(dict)
    """by the place of the design among those of its game, of the card designs that have not been moved yet"""
    moved: set[Key] = Factory(set)

    def hits(self) -> set[Key]:
        """What has run since this was last asked."""
        found: set[Key] = set()
        for code in self.rules.codes():
            found |= {self.items[number].key for number in code.hits}
            code.hits.clear()
        found |= self.moved
        self.moved = set()
        return found

    def look(self, state: State) -> None:
        """Note which cards lie elsewhere than where their table puts them."""
        if not self.designs:
            return
        program = state.code.program
        homes = {program.slots[slot]: zone for zone, slots in enumerate(program.start) for slot in slots}
        for face, zone in zip(state.faces, state.where, strict=True):
            if face in self.designs and zone >= 0 and zone != homes[face]:
                self.moved.add(self.designs.pop(face).key)

    def restore(self) -> None:
        """Take all marks out."""
        for place, tree in self.bare:
            place.put(tree)

    def without(self, done: Set[Key]) -> Marked:
        """The same game without the marks of what has run already, so that it plays nearly as quickly as without any."""
        self.restore()
        return marked(self.game, done)


def marked(game: model.Game, done: Set[Key] = frozenset()) -> Marked:
    """Put marks into a game, but for what is done already. It is changed: it should be one that nobody else uses."""
    marker = Marker(done)
    places = list(rewrite.places(game))
    places += [
        rewrite.Place("rule", rule.name, rule.span, rule, "body") for rule in game.rules if rule.body is None and not rule.for_tests
    ]
    bare = [(place, place.tree) for place in places]
    asked = rewrite.asked_in_play(game)
    for place in places:
        if place.sort != "define" or place.owner in asked:
            place.put(marker.placed(place))
    designs = [design for card_type in game.card_types for design in card_type.designs]
    items = {
        number: Item("design", design.span, f'card "{design.name}"', "never moved")
        for number, design in enumerate(designs)
        if design.copies > 0
    }
    left = {number: item for number, item in items.items() if item.key not in done}
    return Marked(game, Rules(game), marker.items, bare, left)


@define
class Marker:
    """Puts marks into trees, and keeps what they stand for."""

    done: Set[Key]
    """what needs no mark any more"""
    items: list[Item] = Factory(list)

    def number(self, item: Item) -> int:
        self.items.append(item)
        return len(self.items) - 1

    def value(self, item: Item, expr: model.Expr) -> model.Expr:
        if item.key in self.done:
            return expr
        return model.Marked(number=self.number(item), value=expr, type=expr.type, span=expr.span)

    def judged(self, expr: model.Expr, yes: Item, no: Item) -> model.Expr:
        if yes.key in self.done and no.key in self.done:
            return expr
        yes, no = evolve(yes, judged=expr.span), evolve(no, judged=expr.span)
        return model.Judged(yes=self.number(yes), no=self.number(no), value=expr, type=expr.type, span=expr.span)

    def both(self, what: str, expr: model.Expr, yes: str, no: str) -> model.Expr:
        """A condition that should be true at one time and false at another; as it is if options alone decide it."""
        if decided(expr):
            return self.visit(expr)  # type: ignore[no-any-return]
        return self.judged(self.visit(expr), Item("branch", expr.span, what, yes), Item("branch", expr.span, what, no))

    def block(self, item: Item, block: model.Block | None) -> model.Block | None:
        if item.key in self.done:
            return block
        mark = model.Mark(number=self.number(item), span=item.span)
        return model.Block(statements=(mark, *(() if block is None else block.statements)))

    def branch(self, at: Span, what: str, missed: str, block: model.Block | None) -> model.Block | None:
        item = Item("branch", at, what, missed, extent(block))
        return self.block(item, None if block is None else self.visit(block))

    def body(self, at: Span, what: str, missed: str, block: model.Block) -> model.Block:
        return self.branch(at, what, missed, block) or block

    # ── what places hold ──

    def placed(self, place: rewrite.Place) -> Any:
        """What a place holds, with marks."""
        tree = place.tree
        what = place.name
        if place.sort == "rule":
            item = Item("rule", place.span, f"rule {what}", "never ran", extent(tree))
            return self.block(item, None if tree is None else self.visit(tree))
        if place.sort == "attachment":
            sort = "attachment" if place.owner.carriers is None else "ability"
            missed = "never used" if place.owner.optional else "never applied"
            if isinstance(tree, model.Block):
                return self.block(Item(sort, place.span, what, missed, extent(tree)), self.visit(tree))
            return self.value(Item(sort, place.span, what, missed, tree.span), self.visit(tree))
        if place.sort == "define":
            return self.value(Item("define", place.span, f"define {what}", "never asked", tree.span), self.visit(tree))
        if place.sort == "guard":
            return self.both(f"`where {short(tree.span)}`", tree, "never true", "never false")
        if place.sort == "score":
            item = Item("score", place.span, what, "never counted")
            condition = tree.condition
            if condition is not None:
                condition = self.both(f"`when {short(condition.span)}`", condition, "never true", "never false")
            return evolve(tree, condition=condition, value=self.value(item, self.visit(tree.value)))
        if place.sort == "ending":
            came = Item("ending", place.span, what, "never came")
            return self.judged(self.visit(tree), came, Item("branch", tree.span, f"`when {short(tree.span)}`", "never false"))
        if place.sort in ("invariant", "property"):
            item = Item(place.sort, place.span, what, "never judged")
            return evolve(tree, value=self.value(item, self.visit(tree.value)))
        return tree

    # ── trees ──

    @singledispatchmethod
    def visit(self, node: Any) -> Any:
        return rewrite.with_parts(node, self.visit)

    @visit.register
    def _(self, st: model.If) -> model.If:
        what = f"`if {short(st.condition.span)}`"
        missed = "never false" if st.otherwise is None else "its `otherwise` never ran"
        return evolve(
            st,
            condition=self.visit(st.condition),
            body=self.body(st.condition.span, what, "never true", st.body),
            otherwise=self.branch(st.condition.span, what, missed, st.otherwise),
        )

    @visit.register
    def _(self, st: model.While) -> model.While:
        what = f"`while {short(st.condition.span)}`"
        body = self.body(st.condition.span, what, "never entered", st.body)
        return evolve(st, condition=self.visit(st.condition), body=body)

    @visit.register
    def _(self, st: model.For) -> model.For:
        what = f"`{short(st.span)}`"
        return evolve(st, binders=self.visit(st.binders), body=self.body(st.span, what, "never entered", st.body))

    @visit.register
    def _(self, st: model.Repeat) -> model.Repeat:
        what = f"`repeat {short(st.count.span)}`"
        return evolve(st, count=self.visit(st.count), body=self.body(st.count.span, what, "never entered", st.body))

    @visit.register
    def _(self, st: model.MayDo) -> model.MayDo:
        what = f"`may {short(st.label.span)}`"
        return evolve(
            st,
            subject=self.visit(st.subject),
            body=self.body(st.label.span, what, "never taken", st.body),
            otherwise=self.branch(st.label.span, what, "never declined", st.otherwise),
        )

    @visit.register
    def _(self, st: model.Choose) -> model.Choose:
        what = f"`{short(st.span)}`"
        otherwise = st.otherwise
        if otherwise is not None or st.optional:
            missed = "never declined" if st.optional else "its `otherwise` never ran"
            otherwise = self.branch(st.span, what, missed, otherwise)
        made = evolve(st, subject=self.visit(st.subject), otherwise=otherwise)
        if isinstance(st.what, model.Menu):
            return evolve(made, what=model.Menu(lines=tuple(self.line(line) for line in st.what.lines)))
        return evolve(made, what=self.visit(st.what), body=self.branch(st.span, what, "nothing was ever chosen", st.body))

    def line(self, line: model.MenuLine) -> model.MenuLine:
        what = f"option {short(line.label.span)}"
        condition = line.condition
        if condition is not None:
            condition = self.both(f"{what} when `{short(condition.span)}`", condition, "never offered", "always offered")
        binders = None if line.binders is None else self.visit(line.binders)
        body = self.branch(line.label.span, what, "never chosen", line.body)
        return evolve(line, condition=condition, binders=binders, body=body)

    @visit.register
    def _(self, e: model.Choice) -> model.Choice:
        what = f"`when {short(e.condition.span)}`"
        value = self.value(Item("branch", e.condition.span, what, "never true", e.value.span), self.visit(e.value))
        otherwise = self.visit(e.otherwise)
        if not isinstance(e.otherwise, model.Choice):  # else the next case has a mark of its own
            item = Item("branch", e.otherwise.span, f"`otherwise` of {what}", "never asked", e.otherwise.span)
            otherwise = self.value(item, otherwise)
        return evolve(e, condition=self.visit(e.condition), value=value, otherwise=otherwise)


DECIDED = (
    model.Literal, model.OptionRef, model.Binary, model.Not, model.Negate, model.Is, model.IsIn, model.Items, model.Numbers, model.Widen,
)  # fmt: skip


def decided(expr: model.Expr) -> bool:
    """Is a condition the same for the whole game: do options alone decide it?"""
    return all(isinstance(node, DECIDED) for node in walk.nodes(expr))


def extent(block: model.Block | None) -> Span | None:
    """The text of a block."""
    if block is None or not block.statements:
        return None
    return block.statements[0].span.to(block.statements[-1].span)


MOST_SHOWN = 50


def short(span: Span) -> str:
    """The beginning of a text, on one line."""
    text = " ".join(span.text.split("\n", 1)[0].split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1].rstrip() + "…"
