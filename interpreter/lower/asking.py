"""Which rules may ask: those run in frames, all others are one step each."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.program import Node, Program, RuleInfo


def mark_framed(program: Program) -> None:
    """Set `framed` on rules and attachments.

    A rule is framed if somebody may be asked in its body, in what attaches to it or in what these call; if it can be reached
    from itself; if somewhere else may `end` it; and always if it is the game or a turn."""
    rules = program.rules
    for rule in rules:
        rule.framed = any("optional" in key for key in rule.chain.cards)
    again = recursive(program)
    for number, rule in enumerate(rules):
        rule.recursive = number in again
    turn = set() if program.turn is None else {program.turn}
    for number in {program.main} | turn | ended_from_outside(program) | again:
        rules[number].framed = rules[number].body_framed = True
    for info in program.attachments:
        info.framed = asks_itself(program, info.code.body)
    changed = True
    while changed:
        changed = False
        for info in program.attachments:
            if not info.framed and not info.on_define and needs_frame(program, info.code.body):
                info.framed = changed = True
        for rule in rules:
            if not rule.body_framed and (asks_itself(program, rule.code.body) or needs_frame(program, rule.code.body)):
                rule.framed = rule.body_framed = changed = True
            if not rule.framed and any(program.attachments[a].framed for a in attached_to(program, rule)):
                rule.framed = changed = True
        # `proceed` runs what it stands in front of: an attachment that proceeds into a framed rule is framed.
        for rule in rules:
            if rule.framed:
                for a in attached_to(program, rule):
                    info = program.attachments[a]
                    if not info.framed and any(node[0] == "proceed_rule" for node in statements(info.code.body)):
                        info.framed = changed = True


def statements(body: tuple[Node, ...] | None) -> Iterator[Node]:
    """All statements of a body, nested ones too."""
    for node in body or ():
        yield node
        for part in blocks_of(node):
            yield from statements(part)


def blocks_of(node: Node) -> Iterator[tuple[Node, ...] | None]:
    op = node[0]
    if op == "if":
        yield node[3]
        yield node[4]
    elif op in ("while", "repeat"):
        yield node[3]
    elif op == "for":
        yield node[5]
    elif op == "choose":
        yield node[3]
        yield from node[4]
        yield node[5]


def asks_itself(program: Program, body: tuple[Node, ...]) -> bool:
    for node in statements(body):
        if node[0] == "choose":
            site = program.sites[node[2]]
            if site.subject is not None or site.each is not None:
                return True
    return False


def needs_frame(program: Program, body: tuple[Node, ...]) -> bool:
    return any(node[0] == "call_rule" and program.rules[node[2]].framed for node in statements(body))


def attached_to(program: Program, rule: RuleInfo) -> Iterator[int]:
    for number in rule.chain.instead:
        if number is not None:
            yield number
    for numbers in rule.chain.cards.values():
        yield from numbers
    if rule.around is not None:
        for node in rule.around.body:
            if node[0] == "attached":
                yield node[2]


def calls(program: Program, number: int) -> set[int]:
    """The rules a call of this one may run: from its body and from all that attaches to it."""
    rule = program.rules[number]
    bodies = [rule.code.body, *(program.attachments[a].code.body for a in attached_to(program, rule))]
    return {node[2] for body in bodies for node in statements(body) if node[0] == "call_rule"}


def recursive(program: Program) -> set[int]:
    """Rules that may be running twice at once."""
    edges = {number: calls(program, number) for number in range(len(program.rules))}
    found: set[int] = set()
    for start in edges:
        seen: set[int] = set()
        open_ = list(edges[start])
        while open_:
            number = open_.pop()
            if number == start:
                found.add(start)
                break
            if number not in seen:
                seen.add(number)
                open_ += edges[number]
    return found


def ended_from_outside(program: Program) -> set[int]:
    """Rules that an `end` outside their own text names."""
    found: set[int] = set()
    for number, rule in enumerate(program.rules):
        found |= {node[2] for node in statements(rule.code.body) if node[0] == "end" and node[2] != number}
    for info in program.attachments:
        found |= {node[2] for node in statements(info.code.body) if node[0] == "end"}
    return found
