"""Constants before anything is typed: what options may be, and the conditions of `when` blocks."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, define, field, frozen

from dsl import ast
from dsl.composition import OptionValue
from dsl.diagnostics import Label
from dsl.source import Span
from dsl.suggest import did_you_mean

MOST_VALUES = 100_000
"""A range of an option may hold no more values: they are listed to people and tried by tools."""


@frozen
class Member:
    """A kind's member as a constant."""

    kind: ast.Kind = field(eq=False)
    name: str
    order: int


Constant = bool | int | str | Member | tuple["Constant", ...]


class NotConstant(Exception):
    """An expression that is not a constant where one is wanted."""

    def __init__(self, span: Span, text: str, hint: str | None = None, others: tuple[Label, ...] = ()) -> None:
        super().__init__(text)
        self.span, self.text, self.hint, self.others = span, text, hint, others


class Unsettled(NotConstant):
    """It needs an option in whose declaration an error was found; nobody complains about that again."""


@define
class Kinds:
    """Members of the kinds that are in force, as each file sees them."""

    visible: Mapping[str, tuple[ast.File, ...]]
    _declared: dict[str, dict[str, tuple[ast.Kind, ast.File]]] = Factory(dict)

    def declare(self, kind: ast.Kind, home: ast.File) -> None:
        self._declared.setdefault(home.source.path, {}).setdefault(kind.name.id, (kind, home))

    def replace(self, old: ast.Kind, new: ast.Kind, home: ast.File) -> None:
        """A kind has been changed."""
        assert self._declared[home.source.path][old.name.id][0] is old
        self._declared[home.source.path][old.name.id] = (new, home)

    def find(self, name: str, file: ast.File) -> tuple[ast.Kind, ast.File] | None:
        for seen in self.visible[file.source.path]:
            found = self._declared.get(seen.source.path, {}).get(name)
            if found is not None:
                return found
        return None

    def members(self, kind: ast.Kind, home: ast.File, inside: tuple[str, ...] = ()) -> list[str]:
        """The names of a kind's members in order, with those of the kinds it takes in."""
        names: list[str] = []
        for member in kind.members:
            taken = self.find(member.name.id, home)
            if taken is None:
                names.append(member.name.id)
            elif taken[0].name.id not in (*inside, kind.name.id):
                names += self.members(*taken, (*inside, kind.name.id))
        return names

    def member(self, name: str, file: ast.File, wanted: ast.Kind | None) -> list[Member]:
        """What a bare name may mean: the member of the kind wanted, or of the smallest kinds that have it."""
        found: list[tuple[int, Member]] = []
        for seen in self.visible[file.source.path]:
            for kind, home in self._declared.get(seen.source.path, {}).values():
                names = self.members(kind, home)
                if name in names and (wanted is None or kind is wanted):
                    own = any(m.name.id == name for m in kind.members)
                    found.append((0 if own else 1, Member(kind, name, names.index(name))))
        least = min((rank for rank, _ in found), default=0)
        return [member for rank, member in found if rank == least]


@define
class Constants:
    """Evaluates what an option may be, and conditions of `when` blocks: literals, members, options, arithmetic, comparisons."""

    kinds: Kinds
    options: dict[str, OptionValue]
    read: set[str] = Factory(set)
    """the options read so far"""
    unsettled: set[str] = Factory(set)
    """the options in whose declarations an error was found"""

    def literal(self, expr: ast.Expr, file: ast.File, wanted: ast.Kind | None = None) -> Constant:
        """A flag, number, text, or member; raises `NotConstant`."""
        match expr:
            case ast.Number(value=number):
                return number
            case ast.Flag(value=flag):
                return flag
            case ast.Text():
                if expr.plain is None:
                    raise NotConstant(expr.span, "this text has holes, so it is not the same in every game")
                return expr.plain
            case ast.Group(value=inner):
                return self.literal(inner, file, wanted)
            case ast.Unary(op="-", operand=inner):
                positive = self.literal(inner, file)
                if type(positive) is not int:
                    raise NotConstant(inner.span, "only a number can be negative")
                return -positive
            case ast.Name(id=name):
                return self._member(expr, name, file, wanted)
            case ast.Property(of=ast.Name(id=kind_name), name=name):
                kind = self.kinds.find(kind_name, file)
                if kind is None:
                    raise NotConstant(expr.of.span, f"there is no kind `{kind_name}`")
                return self._member(name, name.id, file, kind[0])
        raise NotConstant(expr.span, "this is not a number, a flag, a text or the member of a kind")

    def _member(self, node: ast.Node, name: str, file: ast.File, wanted: ast.Kind | None) -> Member:
        found = self.kinds.member(name, file, wanted)
        if len(found) == 1:
            return found[0]
        if found:
            choices = " or ".join(f"`{m.kind.name.id}.{name}`" for m in found)
            raise NotConstant(node.span, f"`{name}` belongs to several kinds", f"write {choices}")
        if wanted is not None:
            home = self.kinds.find(wanted.name.id, file)
            guess = did_you_mean(name, self.kinds.members(wanted, home[1])) if home is not None else None
            raise NotConstant(
                node.span, f"`{wanted.name.id}` has no member `{name}`", guess, (Label(wanted.name.span, "these are its members"),)
            )
        raise NotConstant(node.span, f"`{name}` is not a member of a kind")

    def allowed(self, expr: ast.Expr, file: ast.File, wanted: ast.Kind | None) -> tuple[Constant, ...]:
        """The values of a range: `a..b`, a list, or a kind."""
        match expr:
            case ast.Group(value=inner):
                return self.allowed(inner, file, wanted)
            case ast.Binary(op="..", left=left, right=right):
                low, high = self.literal(left, file, wanted), self.literal(right, file, wanted)
                if isinstance(low, Member) and isinstance(high, Member) and low.kind is high.kind:
                    names = self.kinds.members(low.kind, self._home(low.kind, file))
                    return tuple(Member(low.kind, names[i], i) for i in range(low.order, high.order + 1))
                if type(low) is not int or type(high) is not int:
                    raise NotConstant(expr.span, "a range goes from a number to a number")
                if high - low >= MOST_VALUES:
                    raise NotConstant(expr.span, f"a range holds at most {MOST_VALUES} values")
                return tuple(range(low, high + 1))
            case ast.ListValue(items=items):
                values: list[Constant] = []
                for item in items:
                    if isinstance(item, ast.Rest):
                        raise NotConstant(item.span, "write all values")
                    values.append(self.literal(item, file, wanted))
                return tuple(values)
            case ast.Name(id=name) if (kind := self.kinds.find(name, file)) is not None:
                return tuple(Member(kind[0], m, i) for i, m in enumerate(self.kinds.members(*kind)))
        raise NotConstant(expr.span, "this is not a range", "write `1..10` or `[1, 3, 5]`")

    def _home(self, kind: ast.Kind, file: ast.File) -> ast.File:
        found = self.kinds.find(kind.name.id, file)
        return found[1] if found is not None else file

    # ── conditions ──

    def holds(self, condition: ast.Expr, file: ast.File) -> bool:
        """Is the condition of a `when` block true? Raises `NotConstant`."""
        value = self.evaluate(condition, file)
        if not isinstance(value, bool):
            raise NotConstant(condition.span, "this is not a condition: it is neither true nor false")
        return value

    def evaluate(self, expr: ast.Expr, file: ast.File, wanted: ast.Kind | None = None) -> Constant:
        match expr:
            case ast.Name(id=name) if name in self.options and self._sees(file, self.options[name].home):
                self.read.add(name)
                return self.current(self.options[name])
            case ast.Name(id=name) if name in self.unsettled:
                raise Unsettled(expr.span, f"`{name}` has no value")
            case ast.Name(id=name) if wanted is None and not self.kinds.member(name, file, None):
                guess = did_you_mean(name, self.options)
                raise NotConstant(
                    expr.span,
                    f"`{name}` is not an option",
                    guess
                    or "only options stand in the condition of a `when` block; what happens in play is asked by `where` and `if`",
                )
            case ast.Group(value=inner):
                return self.evaluate(inner, file, wanted)
            case ast.Unary(op="not", operand=inner):
                return not self._flag(inner, file)
            case ast.Binary(op="and", left=left, right=right):
                a, b = self._flag(left, file), self._flag(right, file)
                return a and b
            case ast.Binary(op="or", left=left, right=right):
                a, b = self._flag(left, file), self._flag(right, file)
                return a or b
            case ast.Is(left=left, right=right, negated=negated):
                one, two = self._pair(left, right, file)
                return (one == two) is not negated
            case ast.IsIn(left=left, right=right, negated=negated):
                one = self.evaluate(left, file)
                values = self.allowed(right, file, one.kind if isinstance(one, Member) else None)
                for value in values:
                    self._same_type(one, value, right)
                return (one in values) is not negated
            case ast.Binary(op="<" | "<=" | ">" | ">=", left=left, right=right):
                return self._compare(expr, *self._pair(left, right, file))
            case ast.Binary(op="+" | "-" | "*" | "/" | "mod", left=left, right=right):
                return self._reckon(expr, self._number(left, file), self._number(right, file))
            case ast.Unary(op="-", operand=inner):
                return -self._number(inner, file)
            case ast.Conditional(value=value, condition=condition, otherwise=otherwise):
                return self.evaluate(value if self._flag(condition, file) else otherwise, file, wanted)
            case ast.Number() | ast.Flag() | ast.Text() | ast.Name() | ast.Property():
                return self.literal(expr, file, wanted)
        raise NotConstant(
            expr.span, "only options stand in the condition of a `when` block", "compare options with values: `when best_of > 1:`"
        )

    def _sees(self, file: ast.File, home: ast.File) -> bool:
        return any(seen.source.path == home.source.path for seen in self.kinds.visible[file.source.path])

    def current(self, option: OptionValue) -> Constant:
        """An option's value as a constant."""
        if option.kind is None:
            return option.value
        names = self.kinds.members(option.kind, self._home(option.kind, option.home))
        return Member(option.kind, str(option.value), names.index(str(option.value)))

    def _pair(self, left: ast.Expr, right: ast.Expr, file: ast.File) -> tuple[Constant, Constant]:
        try:
            one = self.evaluate(left, file)
        except NotConstant:
            two = self.evaluate(right, file)
            one = self.evaluate(left, file, two.kind if isinstance(two, Member) else None)
        else:
            two = self.evaluate(right, file, one.kind if isinstance(one, Member) else None)
        self._same_type(one, two, right)
        return one, two

    def _same_type(self, one: Constant, two: Constant, at: ast.Expr) -> None:
        if type(one) is not type(two) or (isinstance(one, Member) and isinstance(two, Member) and one.kind is not two.kind):
            raise NotConstant(at.span, f"{describe(one)} cannot be compared with {describe(two)}")

    def _flag(self, expr: ast.Expr, file: ast.File) -> bool:
        value = self.evaluate(expr, file)
        if not isinstance(value, bool):
            raise NotConstant(expr.span, f"this is {describe(value)}, not yes or no")
        return value

    def _number(self, expr: ast.Expr, file: ast.File) -> int:
        value = self.evaluate(expr, file)
        if type(value) is not int:
            raise NotConstant(expr.span, f"this is {describe(value)}, not a number")
        return value

    def _compare(self, expr: ast.Binary, one: Constant, two: Constant) -> bool:
        if isinstance(one, Member) and isinstance(two, Member):
            one, two = one.order, two.order
        if type(one) is not int or type(two) is not int:
            raise NotConstant(expr.span, f"{describe(one)} has no order")
        return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[expr.op]

    def _reckon(self, expr: ast.Binary, one: int, two: int) -> int:
        if expr.op in ("/", "mod") and two == 0:
            raise NotConstant(expr.right.span, "this divides by 0")
        match expr.op:
            case "+":
                result = one + two
            case "-":
                result = one - two
            case "*":
                result = one * two
            case "/":
                result = one // two
            case _:
                result = one % two
        if abs(result) >= 2**63:
            raise NotConstant(expr.span, "this number is too big")
        return result


def describe(value: Constant) -> str:
    """`the number 3`, `the flag yes`, … for messages."""
    match value:
        case bool():
            return f"the flag {'yes' if value else 'no'}"
        case int():
            return f"the number {value}"
        case str():
            return f'the text "{value}"'
        case Member():
            return f"the {value.kind.name.id} {value.name}"
    return "a list"
