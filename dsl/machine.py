"""The LALR(1) machine: takes tokens one by one and makes the tree."""

from __future__ import annotations

from attrs import define, field

from dsl.grammar import Grammar
from dsl.tokens import Branch, Part, Token

Stacks = tuple[list[int], list[Branch | Token]]


@define
class Machine:
    """A parser in the middle of a text. All it knows is in two stacks, which can be copied and put back."""

    grammar: Grammar
    start: str
    states: list[int] = field(init=False)
    values: list[Branch | Token] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.states = [self.grammar.starts[self.start]]

    @property
    def row(self) -> dict[str, int]:
        """What can be done now, for each symbol; for some of them only to find after reductions that they do not fit."""
        return self.grammar.states[self.states[-1]]

    @property
    def tree(self) -> Branch | Token:
        """What was read, at the end."""
        return self.values[-1]

    def take(self, token: Token) -> bool:
        """Take the next token; False, with the stacks as they were, if it does not fit."""
        table, productions, symbol = self.grammar.states, self.grammar.productions, token.type
        first = table[self.states[-1]].get(symbol)
        if first is None:
            return False
        if first >= 0:
            self.states.append(first)
            self.values.append(token)
            return True
        states, values = self.states.copy(), self.values.copy()
        end = self.grammar.ends[self.start] if symbol == "$END" else -1
        while states[-1] != end:
            action = table[states[-1]].get(symbol)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                values.append(token)
                break
            production = productions[-1 - action]
            size = production.size
            taken = values[-size:] if size else []
            if size:
                del states[-size:]
                del values[-size:]
            begins = taken[0].start if taken else token.start
            ends = taken[-1].end if taken else begins
            parts: list[Part] = []
            for index in production.parts:
                if index is None:
                    parts.append(None)
                elif index in production.spliced:
                    inner = taken[index]
                    assert isinstance(inner, Branch)
                    parts = parts + inner.parts if parts else inner.parts  # a list grows in place
                else:
                    parts.append(taken[index])
            only = parts[0] if production.single and len(parts) == 1 else None
            values.append(only if only is not None else Branch(production.name, parts, begins, ends))
            states.append(table[states[-1]][production.origin])
        self.states, self.values = states, values
        return True

    def accepts(self) -> frozenset[str]:
        """The terminals that could come next."""
        end = self.grammar.ends[self.start]
        row = self.row
        return frozenset(t for t in row if t.isupper() and self.grammar.accepts(self.states, t, end))

    def fits(self, terminal: str) -> bool:
        """Whether a terminal could come next."""
        return self.grammar.accepts(self.states, terminal, self.grammar.ends[self.start])

    def keep(self) -> Stacks:
        """The stacks, to be put back."""
        return self.states.copy(), self.values.copy()

    def put_back(self, stacks: Stacks) -> None:
        self.states, self.values = stacks[0].copy(), stacks[1].copy()
