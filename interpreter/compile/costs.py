"""What a piece of code costs at most, in operations, told from its text: so that loops and calls are counted against the budget by
their weight, and nothing can run for ever or nearly so.

Loops over lists of any length count their turns while they run (`State.charge`, `State.spend`). Everything else is bounded by the
text. A function that costs much counts that when it is entered; whoever calls it need not count it again.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define

from interpreter.compile.early import called_defines
from interpreter.lower.asking import calls
from interpreter.program import Chain, Node, Program, Site

STEP = 32
"""operations that count as one step of the budget"""
MUCH = 2048
"""operations from which on a function counts itself"""
MOST = 1 << 40
BOARD_QUERIES = {"lines", "any_line", "groups", "between", "rays", "distance", "reach", "reach_several", "reach_all"}
LISTS = {"in_list": 3, "same_list": 2, "same_bag": 2, "same_designs": 2, "fold": 3, "join": 2, "nth": 2}
"""operations that go through lists, and where in the node the first of them stands"""


@define
class Costs:
    """Of one program; what was worked out is kept. While something is being worked out it counts as little: it is a ring of rules,
    and those count themselves."""

    program: Program
    _defines: dict[tuple[int, int], int] = Factory(dict)
    _rules: dict[tuple[int, int], int] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        """Work out what is called before what calls it, so that long chains of calls need no deep recursion."""
        program = self.program
        for number in called_first(len(program.defines), lambda n: defines_called(program, n)):
            for place in reversed(range(len(program.defines[number].chain.instead) + 1)):
                self.define(number, place)
        for number in called_first(len(program.rules), lambda n: calls(program, n)):
            for place in reversed(range(len(program.rules[number].chain.instead) + 1)):
                self.rule(number, place)

    # ── values ──

    def most(self, node: Node) -> int | None:
        """How long this list can be at most, None if the text does not tell."""
        op = node[0]
        if op in ("cards", "family", "all_cards"):
            return len(self.program.slots)
        if op in ("players", "seats", "turn_order", "others"):
            return self.program.players
        if op == "const":
            return len(node[2]) if isinstance(node[2], tuple) else 1
        if op == "item" and node[2][0] == "const":
            return max((len(one) for one in node[2][2] if isinstance(one, tuple)), default=None)
        if op == "list":
            return len(node[2])
        if op == "vars":
            return len(node[4])
        if op == "as_list":
            return 1
        if op == "space_attr":
            return max((len(found) for found in self.program.tables[node[3]] if isinstance(found, tuple)), default=0)
        if op == "query" and len(node[3]) == 1 and node[2] in ("list", "lowest", "highest"):
            return self.most(node[3][0][1])
        return None

    def parts(self, node: object) -> int:
        """Of everything in a node or tuple of them."""
        if not isinstance(node, tuple):
            return 0
        if len(node) > 1 and isinstance(node[0], str) and isinstance(node[1], int):
            return self.value(node)
        return min(MOST, sum(self.parts(part) for part in node))

    def value(self, node: Node | None) -> int:
        if node is None:
            return 0
        before = 0
        while node[0] in ("choice", "let"):  # long chains of cases and names
            before += 2 + self.parts(node[2:-1])
            node = node[-1]
        return min(MOST, before + self.operation(node))

    def operation(self, node: Node) -> int:
        op = node[0]
        if op == "query":
            return self.query(node)
        if op == "once":  # computed once in the query: see `loop`
            return 3
        if op in ("call", "proceed", "score"):
            called = 8
            if op == "call":
                called = self.called(self.define(node[2]))
            elif op == "score":
                called = 4 + sum(self.value(line.code.value) for line in self.program.scoring)
            return min(MOST, 4 + self.parts(node[2:]) + called)
        if op in BOARD_QUERIES:
            inside = self.parts(node[2:])
            return self.spaces() * 2 + (0 if self.spaces() * inside > MUCH else self.spaces() * inside)
        if op in ("cards", "family"):
            return 2 + len(self.program.slots) // STEP + self.parts(node[2:])
        if op == "card_position":
            return 2 + len(self.program.slots) // 8 + self.parts(node[2:])
        extra = 0
        if op in LISTS:
            extra = sum(self.most(part) or 2 for part in node[LISTS[op] :] if isinstance(part, tuple)) // 4
        return min(MOST, 1 + extra + self.parts(node[2:]))

    def spaces(self) -> int:
        return max((len(board.spaces) for board in self.program.boards), default=0)

    def masks(self, condition: Node) -> bool:
        """Does a search over a whole board count its turns while it runs?"""
        return self.spaces() * self.value(condition) > MUCH

    def query(self, node: Node) -> int:
        _, _, _, binders, condition, value, keys, _ = node
        return self.loop(binders, (condition, value, keys))

    def loop(self, binders: tuple[tuple[int, Node], ...], inside: object, number: int = 0) -> int:
        """Of this binder's loop and those inside it."""
        source = binders[number][1]
        most = self.most(source)
        turn = self.turn(binders, inside, number)
        cost = 4 + self.value(source) + (0 if number else self.kept(inside))
        return min(MOST, cost + (0 if most is None or most * turn > MUCH else most * turn))

    def kept(self, inside: object) -> int:
        """What is computed once in a query and kept."""
        if not isinstance(inside, tuple) or (inside and inside[0] == "query"):
            return 0
        if inside and inside[0] == "once":
            return self.value(inside[3])
        return min(MOST, sum(self.kept(part) for part in inside))

    def turn(self, binders: tuple[tuple[int, Node], ...], inside: object, number: int) -> int:
        """Of one turn of this binder's loop."""
        if number + 1 < len(binders):
            return 2 + self.loop(binders, inside, number + 1)
        return min(MOST, 2 + self.parts(inside))

    def counted(self, binders: tuple[tuple[int, Node], ...], inside: object, number: int) -> bool:
        """Does this binder's loop count its turns while it runs? (Else they are few and cost little.)"""
        most = self.most(binders[number][1])
        return most is None or most * self.turn(binders, inside, number) > MUCH

    # ── calls ──

    def called(self, cost: int) -> int:
        """What a call costs the caller: a function that costs much counts itself."""
        return 4 if cost > MUCH else cost

    def define(self, number: int, place: int = 0) -> int:
        """Of the function that enters a define's chain at this place."""
        key = (number, place)
        if key not in self._defines:
            self._defines[key] = 0
            info = self.program.defines[number]
            if place == len(info.chain.instead):
                self._defines[key] = self.value(info.code.value)
            else:
                rest = self.called(self.define(number, place + 1))
                self._defines[key] = self.link(info.chain, place, rest)
        return self._defines[key]

    def link(self, chain: Chain, place: int, rest: int) -> int:
        """Of one attachment in a chain, or of the group of cards, which counts each that applies while it runs."""
        attachment = chain.instead[place]
        numbers = (attachment,) if attachment is not None else chain.cards["instead"]
        cost = 8 if attachment is not None else 8 + len(self.program.slots) // 2
        for number in numbers:
            info = self.program.attachments[number]
            again = proceeds(info.code.value) + proceeds(info.code.body)
            cost += self.value(info.condition) + self.value(info.code.value) + self.block(info.code.body) + again * rest
        return min(MOST, cost + rest)

    def rule(self, number: int, place: int = 0) -> int:
        """Of the function that enters a rule's chain at this place; after the chain comes what runs around the body."""
        key = (number, place)
        if key not in self._rules:
            self._rules[key] = 0
            rule = self.program.rules[number]
            chain = rule.chain
            if place < len(chain.instead):
                cost = self.link(chain, place, self.called(self.rule(number, place + 1)))
            else:
                cost = self.block(rule.code.body)
                if rule.around is not None:
                    cost += self.around(number)
            self._rules[key] = min(MOST, cost)
        return self._rules[key]

    def around(self, number: int) -> int:
        rule = self.program.rules[number]
        assert rule.around is not None
        cost = 0
        for node in rule.around.body:
            if node[0] == "attached":
                info = self.program.attachments[node[2]]
                cost += 8 + self.value(info.condition) + self.block(info.code.body)
        for when, numbers in rule.chain.cards.items():
            if when != "instead":
                cost += len(self.program.slots) // 2
                for attachment in numbers:
                    info = self.program.attachments[attachment]
                    cost += 8 + self.value(info.condition) + self.block(info.code.body)
        return min(MOST, cost)

    # ── statements ──

    def block(self, nodes: tuple[Node, ...] | None) -> int:
        return min(MOST, sum(self.statement(node) for node in nodes or ()))

    def statement(self, node: Node) -> int:
        op, cards = node[0], len(self.program.slots)
        if op == "if":
            return 1 + self.value(node[2]) + max(self.block(node[3]), self.block(node[4]))
        if op in ("while", "repeat"):
            return 4 + self.value(node[2])
        if op == "for":
            return 8 + self.line(node[2], node[3])
        if op == "choose":
            site = self.program.sites[node[2]]
            return self.options(site) + max(self.block(block) for block in (node[3], *node[4], node[5]))
        if op == "call_rule":
            return 4 + self.parts(node[3]) + self.called(self.rule(node[2]))
        if op == "judge":
            return 2 + sum(self.value(self.program.endings[number].code.value) for number in node[2])
        if op == "move":
            moved = cards if node[5] else 1
            return 4 + self.parts(node[2:4]) + moved * (2 + cards // STEP)
        if op in ("deal", "shuffle"):
            return 4 + self.parts(node[2:]) + cards * 4
        return 2 + self.parts(node[2:])

    def line(self, binders: tuple[tuple[int, Node], ...], condition: Node | None) -> int:
        """Of the elements of a loop, or the options of a line."""
        if not binders:
            return self.value(condition)
        return self.loop(binders, condition)

    def options(self, site: Site) -> int:
        cost = 16 + self.parts(site.several) if site.several is not None else 16
        return min(MOST, cost + sum(self.line(line.binders, line.condition) for line in site.lines))


def called_first(count: int, calls: Callable[[int], set[int]]) -> list[int]:
    """The numbers below `count`, each after those it calls (in a ring some come too soon)."""
    order: list[int] = []
    seen: set[int] = set()
    for start in range(count):
        waiting = [(start, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                waiting.append((number, True))
                waiting += [(called, False) for called in calls(number) if called not in seen]
    return order


def defines_called(program: Program, number: int) -> set[int]:
    """The defines that one calls, itself or in what attaches to it."""
    info = program.defines[number]
    found = called_defines(info.code.value)
    for attachment in (a for numbers in (info.chain.instead, *info.chain.cards.values()) for a in numbers):
        if attachment is not None:
            made = program.attachments[attachment]
            found |= called_defines(made.condition) | called_defines(made.code.value)
    return found


def proceeds(node: object) -> int:
    """How often it goes on in the chain."""
    if not isinstance(node, tuple):
        return 0
    own = 1 if len(node) > 1 and node[0] in ("proceed", "proceed_rule") and isinstance(node[1], int) else 0
    return own + sum(proceeds(part) for part in node)


def steps(cost: int) -> int:
    """What so many operations count against the budget; a turn of a loop counts one more."""
    return cost // STEP
