"""Warnings about what a file declares and nothing needs: zones, variables, defines, options, columns, rules, timings, locals.

It goes by the text of one file, all its `when` blocks together, so nothing depends on options. That nothing is ever shadowed makes names
enough. The declarations of a module are for others: only its locals are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import Factory, define

from dsl import ast
from dsl.diagnostics import Report
from dsl.walk_ast import nodes

FIXED = frozenset(("setup", "game", "winners", "turn"))


def find_unused(file: ast.File, report: Report) -> None:
    """Warn about a file without errors."""
    _locals(file, report)
    if isinstance(file.header, ast.ModuleHeader):
        return
    items = list(_flat(file.items))
    used = _Uses.of(items)
    used.game |= used_names(*(node.condition for node in nodes(file) if isinstance(node, ast.WhenBlock)))
    for item in items:
        _declaration(item, used, report)
    _rules(items, report)


def _flat(items: Iterable[ast.Item]) -> Iterator[ast.Item]:
    for item in items:
        if isinstance(item, ast.WhenBlock):
            yield from _flat(item.items)
        else:
            yield item


# ── what is used ──


@define
class _Uses:
    """Names used as such in the game and in tests, and those behind a dot; a name where it is declared or set is no use of it."""

    game: set[str] = Factory(set)
    tests: set[str] = Factory(set)
    properties: set[str] = Factory(set)

    @classmethod
    def of(cls, items: list[ast.Item]) -> _Uses:
        uses = cls()
        for item in items:
            into = uses.tests if _is_for_tests(item) else uses.game
            into |= used_names(item)
            if not _is_for_tests(item):
                uses.properties |= {node.name.id for node in nodes(item) if isinstance(node, ast.Property)}
                uses.properties |= {node.by.id for node in nodes(item) if isinstance(node, ast.Zone) and node.by is not None}
        return uses


def _is_for_tests(item: ast.Item) -> bool:
    """Is it never played? What an invariant reads, the game has for a reason."""
    return isinstance(item, ast.Test | ast.GameProperty) or (isinstance(item, ast.Rule | ast.Define) and item.for_tests)


def used_names(*roots: ast.Node | tuple[ast.Node, ...]) -> set[str]:
    """The names in some trees, but for those being declared, set by a preset or a test, or standing behind a dot."""
    found: set[str] = set()
    declared: set[int] = set()
    for node in nodes(*roots):
        if isinstance(node, ast.Name):
            if node.span.start not in declared:
                found.add(node.id)
        elif isinstance(node, ast.Cards | ast.Board):
            declared |= {name.span.start for name in node.columns}
            declared |= {node.name.span.start} if isinstance(node, ast.Board) else set()
        elif not isinstance(node, ast.Head | ast.NamedType | ast.Member):
            name = getattr(node, "name", None)
            if isinstance(name, ast.Name):
                declared.add(name.span.start)
    return found


# ── declarations ──


def _declaration(item: ast.Item, used: _Uses, report: Report) -> None:
    match item:
        case ast.Zone(name=name) if name.id not in used.game:
            hint = "leave it out, or write the rule that moves cards there"
            report.warn("CG0920", f"the zone `{name.id}` is not used", name.span, _only(name, used), hint=hint)
        case ast.Var(name=name) | ast.Dice(name=name) if name.id not in used.game:
            what, hint = (
                ("dice", "roll them") if isinstance(item, ast.Dice) else ("variable", "write the rule that sets or reads it")
            )
            title = f"the {what} `{name.id}` {'are' if what == 'dice' else 'is'} not used"
            report.warn(
                "CG0921", title, name.span, _only(name, used), hint=f"leave {'them' if what == 'dice' else 'it'} out, or {hint}"
            )
        case ast.Define(name=name, for_tests=True) | ast.Rule(name=name, for_tests=True):
            if name.id not in used.game | used.tests:
                report.warn("CG0922", f"the helper `{name.id}` is not used", name.span, hint="leave it out, or use it in a test")
        case ast.Define(name=name) if name.id not in used.game | used.tests | FIXED:
            hint = "leave it out, or write its name where the value is needed"
            report.warn("CG0922", f"the define `{name.id}` is not used", name.span, hint=hint)
        case ast.Option(name=name) if name.id not in used.game:
            label = "whatever is chosen, the game is the same"
            hint = f"leave it out, or read it in a rule or in `when {name.id}:`"
            report.warn("CG0923", f"nothing reads the option `{name.id}`", name.span, label, hint=hint)
        case ast.Card():
            for attribute in item.attributes:
                if attribute.name.id not in used.properties:
                    title = f"nothing reads the {attribute.name.id} of a {item.name.id}"
                    hint = "players see it on the card, and it changes nothing; leave the column out if that is not meant"
                    report.warn("CG0924", title, attribute.name.span, hint=hint)
        case ast.Timing(name=name) if name.id not in used.game:
            hint = f'leave it out, or write an ability under a card: `{name.id} "…": …`'
            report.warn("CG0926", f"no card has the timing `{name.id}`", name.span, hint=hint)


def _only(name: ast.Name, used: _Uses) -> str:
    return "only tests use it" if name.id in used.tests else ""


# ── rules that are never run ──


def _rules(items: list[ast.Item], report: Report) -> None:
    """Rules that no way leads to from `setup`, `game`, an attachment, an ability or what a file changes in another."""
    rules = {item.name.id: item for item in items if isinstance(item, ast.Rule) and not item.for_tests}
    waiting = ["setup", "game"]
    for item in items:
        if not isinstance(item, ast.Rule) and not _is_for_tests(item):
            waiting += _called(item)
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in rules and name not in reached:
            reached.add(name)
            waiting += _called(rules[name])
    tested = {name for item in items if _is_for_tests(item) for name in _called(item)}
    for name, rule in rules.items():
        if name not in reached:
            label = "only tests call it" if name in tested else ""
            hint = f"leave it out, or call it where it belongs: `{name}({', '.join(p.name.id for p in rule.params)})`"
            report.warn("CG0925", f"the rule `{name}` is never run", rule.name.span, label, hint=hint)


def _called(item: ast.Node) -> list[str]:
    return [node.function.id for node in nodes(item) if isinstance(node, ast.Call) and isinstance(node.function, ast.Name)]


# ── locals ──


def _locals(file: ast.File, report: Report) -> None:
    for node in nodes(file):
        match node:
            case ast.Block(statements=statements):
                for at, statement in enumerate(statements):
                    if isinstance(statement, ast.Let | ast.LocalVar):
                        _local(statement, statements[at + 1 :], report)
            case ast.Value(lets=lets, cases=cases):
                for at, let in enumerate(lets):
                    _local(let, (*lets[at + 1 :], *cases), report)


def _local(declared: ast.Let | ast.LocalVar, rest: tuple[ast.Node, ...], report: Report) -> None:
    """A `let` or `var` that nothing after it reads."""
    name = declared.name.id
    reads = sum(isinstance(node, ast.Name) and node.id == name for node in nodes(*rest))
    writes = sum(
        isinstance(node, ast.Assign) and isinstance(node.target, ast.Name) and node.target.id == name for node in nodes(*rest)
    )
    if reads > writes:
        return
    title = f"`{name}` is set and never read" if writes else f"`{name}` is not used"
    hint = "leave the line out"
    if isinstance(declared.value, ast.Call) and not (declared.value.each or declared.value.where):
        hint += f", or keep what it does, if it is a rule: `{declared.value.span.text.splitlines()[0]}`"
    report.warn("CG0927", title, declared.name.span, hint=hint)
