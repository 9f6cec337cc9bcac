"""Random expressions of any type, with no more brackets than they need (and now and then some more)."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.strategies.programs_draws import Callee, Draws, Ground, Holder, Place, listed, sure

CONDITIONAL, OR, AND, NOT, COMPARISON, SPAN, SUM, TERM, SIGN, POSTFIX = range(10)
"""how strongly the parts of an expression hang together"""

EVERYTHING = 10_000
"""above the level of all defines and rules"""

Written = tuple[str, int]
"""a text and how strongly it hangs together"""
Make = Callable[[], Written]


def as_is(text: str) -> Make:
    """Something that needs no brackets anywhere."""
    return lambda: (text, POSTFIX)


class Values(Draws):
    """Writes expressions. `scores`: `score(p)` may be used; `level`: only defines below it."""

    scores = False
    level = EVERYTHING
    proceeds: tuple[str, int] | None = None
    """the type of `proceed` where there is something to go on with, and how many arguments it can have"""

    def value(self, type: str, depth: int, least: int = CONDITIONAL) -> str:
        """An expression of a type that hangs together at least so strongly."""
        text, level = self.written(type, depth)
        if level < least or (depth > 0 and self.one_in(25)):
            return f"({text})"
        return text

    def written(self, type: str, depth: int) -> Written:
        makes = self.leaves(type)
        if depth > 0:
            makes += self.calls(type, depth - 1) + self.branches(type, depth - 1)
            if self.proceeds is not None and self.proceeds[0] == type:
                makes = [lambda: ("proceed", POSTFIX), *makes]
        return self.of(makes)()

    # ── simple values ──

    def leaves(self, type: str) -> list[Make]:
        plain: list[str] = self.known(type)
        plain += [holder.name for holder in self.world.variables if holder.type == type and not holder.indexes]
        plain += [name for name, of in self.world.options.items() if of == type]
        match type:
            case "number":
                plain = ["1", "2", "0", "3", *plain]
            case "flag":
                plain = ["yes", "no", *plain]
            case "text":
                plain += ['"text"', '"Ünicode {1 + 1} {{"', '"a \\"b\\" \\\\"']
            case "player":
                plain = plain or ["players.first", "seats.last"]
            case _ if type.endswith("?"):
                plain += ["none", *self.known(sure(type))]
            case _ if type in self.world.kinds:
                plain += self.world.kinds[type][:3]
            case _ if self.world.board(type) is not None:
                board = self.world.board(type)
                assert board is not None
                plain += [f"{type}[1]", *(f"{type}.{space}" for space in board.spaces[:1])]
            case _:
                return [lambda: (self.list_leaf(type), POSTFIX)]
        return [as_is(text) for text in plain]

    def list_leaf(self, type: str) -> str:
        """A simple list, or a card from a list that has one in it."""
        of = listed(type)
        known = self.known(type)
        if of is None:
            return known[0] if known else f"{type}[1]"  # the first of all cards of the type
        if known and self.often():
            return self.of(known)
        if of in self.world.cards:
            return self.cards_in(of)
        fixed = {"player": ["players", "seats"], "number": ["[1]", "[1, 2]"]}
        if of in fixed:
            return self.of(fixed[of])
        if of in self.world.kinds or self.world.board(of) is not None:
            return of
        return f"[{self.value(of, 0)}]"

    def cards_in(self, card: str) -> str:
        places = [place for place in self.world.zones if place.card == card]
        if not places or self.one_in(12):
            return card
        place = self.of(places)
        return place.name if place.indexes and self.one_in(3) else self.zone(place)

    def zone(self, place: Place) -> str:
        """One place of a family."""
        return place.name + "".join(f"[{self.value(index, 0)}]" for index in place.indexes)

    def holder(self, holder: Holder) -> str:
        return holder.name + "".join(f"[{self.value(index, 0)}]" for index in holder.indexes)

    # ── calls ──

    def calls(self, type: str, depth: int) -> list[Make]:
        callees = [callee for callee in self.world.defines if callee.result == type and callee.level < self.level]
        makes: list[Make] = [lambda callee=callee: (self.call(callee, depth), POSTFIX) for callee in callees]  # type: ignore[misc]
        families = [holder for holder in self.world.variables if holder.type == type and holder.indexes]
        makes += [lambda holder=holder: (self.holder(holder), POSTFIX) for holder in families]  # type: ignore[misc]
        return makes

    def call(self, callee: Callee, depth: int) -> str:
        return f"{callee.name}({', '.join(self.argument(type, depth) for _, type in callee.params)})"

    def argument(self, type: str, depth: int) -> str:
        if not type.startswith("zone of "):
            return self.value(type, depth)
        known = self.known(type)
        return self.of(known) if known and self.often() else self.zone(self.place_of(type.removeprefix("zone of ")))

    def place_of(self, card: str) -> Place:
        return self.of([place for place in self.world.zones if place.card == card])

    # ── what is made of other values ──

    def branches(self, type: str, depth: int) -> list[Make]:
        makes: list[Make] = [lambda: self.conditional(type, depth)]
        of = listed(type)
        if of is not None:
            makes += self.lists(of, depth)
        elif type == "number":
            makes += self.numbers_of(depth)
        elif type == "flag":
            makes += self.flags(depth)
        elif type == "text":
            makes += [lambda: (f"{self.value('player', depth, POSTFIX)}.name", POSTFIX)]
            makes += [lambda: (f'"{{{self.value("number", depth)}}} of {{{self.value("player", 0)}}}"', POSTFIX)]
        elif type == "player":
            makes += [
                lambda: (f"{self.value('player', depth, POSTFIX)}.{self.of(['left', 'right'])}", POSTFIX),
                lambda: (f"turn_order({self.value('player', depth)}).{self.of(['first', 'last'])}", POSTFIX),
                lambda: (f"{self.best_of_all('player', depth)}.first", POSTFIX),
            ]
        elif type in self.world.kinds:
            makes += [lambda: (f"{self.best_of_all(type, depth)}.first", POSTFIX)]
        elif (board := self.world.board(type)) is not None:
            makes += [lambda: (f"{self.best_of_all(board.name, depth)}.first", POSTFIX)]
        makes += self.attributes(type)
        return makes

    def conditional(self, type: str, depth: int) -> Written:
        value, other = self.value(type, depth, OR), self.value(type, depth)
        return f"{value} when {self.value('flag', depth, OR)} otherwise {other}", CONDITIONAL

    def attributes(self, type: str) -> list[Make]:
        found = []
        for local in self.locals:
            attributes = self.world.cards.get(local.type, ())
            if (board := self.world.board(local.type)) is not None:
                attributes = board.attributes
            found += [f"{local.name}.{name}" for name, of in attributes if of == type]
        return [as_is(text) for text in found]

    def operation(self, sign: str, level: int, left: tuple[str, int], right: tuple[str, int], depth: int) -> Written:
        return f"{self.value(left[0], depth, left[1])} {sign} {self.value(right[0], depth, right[1])}", level

    def numbers_of(self, depth: int) -> list[Make]:
        def of_list(name: str) -> Written:
            return f"{name}([{self.value('number', depth)}, {self.value('number', depth)}])", POSTFIX

        makes: list[Make] = [
            lambda: (f"{self.value(self.any_list(), depth, POSTFIX)}.size", POSTFIX),
            lambda: (self.query("count", depth), POSTFIX),
            lambda: (self.mapped(self.of(["sum", "sum", "max", "min"]), depth), POSTFIX),
            lambda: of_list(self.of(["max", "min", "sum"])),
            lambda: self.operation("+", SUM, ("number", SUM), ("number", TERM), depth),
            lambda: self.operation("-", SUM, ("number", SUM), ("number", TERM), depth),
            lambda: self.operation("*", TERM, ("number", TERM), ("number", SIGN), depth),
            lambda: (f"{self.value('number', depth, TERM)} {self.of(['/', 'mod'])} {self.of(['2', '3', '-2'])}", TERM),
            lambda: (f"-{self.value('number', depth, SIGN)}", SIGN),
            lambda: (f"{self.value(self.of(sorted(self.world.kinds) or ['Nothing']), depth, POSTFIX)}.order", POSTFIX),
        ]
        if not self.world.kinds:
            makes.pop()
        for local in self.locals:
            if local.type in self.world.cards and not self.static:
                makes.append(lambda name=local.name: (f"{name}.position", POSTFIX))  # type: ignore[misc]
            board = self.world.board(local.type)
            if board is not None:
                words = ["order", "column", "row"] if board.width else ["order"]
                makes.append(lambda name=local.name, words=words: (f"{name}.{self.of(words)}", POSTFIX))  # type: ignore[misc]
        if self.world.scored and self.scores:
            makes.append(lambda: (f"score({self.value('player', 0)})", POSTFIX))
        if self.world.dice and self.scores and self.one_in(3):
            makes.append(lambda: (f"sum({self.of(self.world.dice)})", POSTFIX))
        for board in self.world.boards:
            makes.append(lambda board=board: (self.distance(board), POSTFIX))  # type: ignore[misc]
            makes.append(lambda board=board: (self.spaces_count(board, depth), POSTFIX))  # type: ignore[misc]
        return makes

    static = False
    """cards that do not lie anywhere yet"""

    def distance(self, board: Ground) -> str:
        return f"distance({self.value(board.name, 0)}, {self.value(board.name, 0)})"

    def spaces_count(self, board: Ground, depth: int) -> str:
        mark = len(self.locals)
        name = self.bind("x", board.name)
        where = f" where {self.value('flag', depth)}" if self.often() else ""
        del self.locals[mark:]
        kinds = [f"groups({name} in {board.name}{where})"]
        if board.width:
            kinds += [f"lines({name} in {board.name}{where})", f"lines(2, {name} in {board.name}{where})"]
        return self.of(kinds) + ".size"

    def flags(self, depth: int) -> list[Make]:
        def same(type: str) -> Written:
            left, right = self.value(type, depth, SPAN), self.value(type, depth, SPAN)
            return f"{left} {self.of(['is', 'is not'])} {right}", COMPARISON

        def inside(type: str) -> Written:
            left, right = self.value(type, depth, SPAN), self.value(f"list of {type}", depth, SPAN)
            return f"{left} {self.of(['is in', 'is not in'])} {right}", COMPARISON

        def emptiness() -> Written:
            return f"{self.value(self.any_list(), depth, SPAN)} {self.of(['is empty', 'is not empty'])}", COMPARISON

        def order(type: str) -> Written:
            return self.operation(self.of(["<", ">", "<=", ">="]), COMPARISON, (type, SPAN), (type, SPAN), depth)

        def missing(holder: Holder) -> Written:
            return f"{self.holder(holder)} {self.of(['is none', 'is not none'])}", COMPARISON

        simple = ["number", "player", *self.world.kinds, *(board.name for board in self.world.boards)]
        makes: list[Make] = [
            lambda: order(self.of(["number", *self.world.kinds])),
            lambda: same(self.of(simple)),
            emptiness,
            lambda: (self.query("any", depth), POSTFIX),
            lambda: (f"not {self.value('flag', depth, NOT)}", NOT),
            lambda: self.operation("and", AND, ("flag", AND), ("flag", NOT), depth),
            lambda: self.operation("or", OR, ("flag", OR), ("flag", AND), depth),
            lambda: inside(self.of(simple)),
            lambda: same("list of " + self.of(simple)),
            lambda: (self.bag_equality(self.of(simple), depth), POSTFIX),
        ]
        for local in self.locals:
            names = self.world.designs.get(local.type)
            if names:
                makes.append(lambda local=local, names=names: (f'{local.name} is "{self.of(names)}"', COMPARISON))  # type: ignore[misc]
        settled = {local.name for local in self.locals}
        optional = [holder for holder in self.world.variables if holder.type.endswith("?") and holder.name not in settled]
        makes += [lambda holder=holder: missing(holder) for holder in optional]  # type: ignore[misc]
        return makes

    def bag_equality(self, type: str, depth: int) -> str:
        return f"same({self.value(f'list of {type}', depth)}, {self.value(f'list of {type}', depth)})"

    def any_list(self) -> str:
        return "list of " + self.element()

    def element(self) -> str:
        """The type of something one can go through."""
        return self.of(["player", "number", *self.world.cards, *self.world.kinds, *(board.name for board in self.world.boards)])

    def lists(self, of: str, depth: int) -> list[Make]:
        def literal() -> Written:
            return f"[{', '.join(self.value(of, depth) for _ in self.some(3, 1))}]", POSTFIX

        def comprehension() -> Written:
            mark = len(self.locals)
            binders = self.binders(depth)
            value = self.value(of, depth)
            del self.locals[mark:]
            return f"[{value} for {binders}]", POSTFIX

        def part() -> Written:
            mark = len(self.locals)
            source = self.source(of, depth)
            name = self.bind("x", of)
            text = f"[{name} for {name} in {source} where {self.value('flag', depth)}]"
            del self.locals[mark:]
            return text, POSTFIX

        makes: list[Make] = [part, lambda: (self.best(of, depth), POSTFIX)]
        if of not in self.world.cards:
            makes += [
                literal,
                comprehension,
                lambda: self.operation("+", SUM, (f"list of {of}", SUM), (f"list of {of}", TERM), depth),
            ]
        if of == "number":
            makes += [lambda: self.operation("..", SPAN, ("number", SUM), ("number", SUM), 0)]
        if of == "player":
            makes += [lambda: (f"{self.of(['turn_order', 'others'])}({self.value('player', depth)})", POSTFIX)]
        board = self.world.board(of)
        if board is not None:
            makes += [
                lambda: (f"{self.value(of, 0, POSTFIX)}.neighbours", POSTFIX),
                lambda: (self.reach(of, depth), POSTFIX),
            ]
            if board.width:
                makes += [lambda: (f"between({self.value(of, 0)}, {self.value(of, 0)})", POSTFIX)]
        return makes

    def reach(self, board: str, depth: int) -> str:
        start = self.value(board, 0) if self.often() else f"[{self.value(board, 0)}, {self.value(board, 0)}]"
        steps = self.of([None, "1", "2", "1..2"])
        mark = len(self.locals)
        name = self.bind("x", board)
        binders = f"{name} in {board}"
        if steps and ".." not in steps and self.one_in(3):
            binders += f", {self.bind('x', 'number')} in 1..{steps}"
        where = f" where {self.value('flag', depth)}" if self.often() else ""
        del self.locals[mark:]
        return f"reach({start}, {f'{steps}, ' if steps else ''}{binders}{where})"

    # ── queries ──

    def source(self, of: str, depth: int) -> str:
        return self.value(f"list of {of}", depth, OR)

    def binders(self, depth: int, most: int = 2, element: str | None = None) -> str:
        """`x in S, y in T where C`; the names stay visible: it is for the caller to drop them."""
        ranges = []
        for _ in self.some(most, 1):
            of = element or self.element()
            source = self.source(of, min(depth, 1))
            ranges.append(f"{self.bind('x', of)} in {source}")
        where = f" where {self.value('flag', depth)}" if self.below(2) else ""
        return ", ".join(ranges) + where

    def query(self, name: str, depth: int) -> str:
        mark = len(self.locals)
        text = f"{name}({self.binders(depth)})"
        del self.locals[mark:]
        return text

    def mapped(self, name: str, depth: int) -> str:
        mark = len(self.locals)
        binders = self.binders(depth)
        value = self.value("number", depth)
        del self.locals[mark:]
        return f"{name}({value} for {binders})"

    def best_of_all(self, of: str, depth: int) -> str:
        """Of a list that has something in it."""
        mark = len(self.locals)
        name = self.bind("x", of)
        text = f"{self.of(['highest', 'lowest'])}({name} in {'seats' if of == 'player' else of} by {self.value('number', depth)})"
        del self.locals[mark:]
        return text

    def best(self, of: str, depth: int) -> str:
        mark = len(self.locals)
        source = self.source(of, 0)
        name = self.bind("x", of)
        keys = ", ".join(self.value("number", depth) for _ in self.some(2, 1))
        where = f" where {self.value('flag', depth)}" if self.one_in(4) else ""
        del self.locals[mark:]
        return f"{self.of(['highest', 'lowest'])}({name} in {source}{where} by {keys})"
