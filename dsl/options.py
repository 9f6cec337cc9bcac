"""Options: what they may be, what they are, and which `when` blocks are in force because of it.

Values are decided in this order: what the files say, what variants `change`, what the caller wants, and then, from the first
`when` block to the last, what a block in force changes. A block may not change an option that an earlier condition has read.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, define, evolve, field, frozen

from dsl import ast
from dsl.composition import OptionValue, Value
from dsl.diagnostics import Label, Report
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

    def __init__(self, span: Span, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.span, self.text, self.hint = span, text, hint


@define
class Kinds:
    """Members of the kinds that are in force, as each file sees them."""

    visible: Mapping[str, tuple[ast.File, ...]]
    _declared: dict[str, dict[str, tuple[ast.Kind, ast.File]]] = Factory(dict)

    def declare(self, kind: ast.Kind, home: ast.File) -> None:
        self._declared.setdefault(home.source.path, {}).setdefault(kind.name.id, (kind, home))

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
            raise NotConstant(node.span, f"`{wanted.name.id}` has no member `{name}`", guess)
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


# ── the options of a composition ──


@define
class State:
    """An option while files are composed: `range_file` is where the names of its range are resolved; `given` if the caller chose
    its value; `reader` is the block whose condition read it first."""

    value: OptionValue
    range_file: ast.File
    given: bool = False
    reader: ast.WhenBlock | None = None


@define
class Options:
    """All options of a composition; collects what is wrong with them in `report`."""

    constants: Constants
    wanted: Mapping[str, object]
    report: Report
    states: dict[str, State] = Factory(dict)

    def declare(self, decl: ast.Option, home: ast.File) -> None:
        """An option of a file. A second one of the same name is left to the check of clashes."""
        name = decl.name.id
        if name in self.states:
            other = self.states[name].value.decl
            if self.states[name].value.home is not home:
                self.report.error(
                    "CG0631",
                    f"there are two options `{name}`",
                    decl.name.span,
                    others=(Label(other.name.span, "the other one"),),
                    hint="who starts a game names its options: give one of them another name",
                )
            return
        value = self._settle(decl, home, home, home, None)
        if value is not None:
            self.states[name] = State(value, home)
            self.constants.options[name] = value
            self._apply_wanted(name)

    def change(self, decl: ast.Option, file: ast.File) -> ast.Option | None:
        """`change option`: gives the merged declaration, or None after an error."""
        state = self.states.get(decl.name.id)
        if state is None:
            return None
        old = state.value
        if state.reader is not None:
            self.report.error(
                "CG0632",
                f"`{decl.name.id}` cannot be changed here: it has already decided a `when` block",
                decl.name.span,
                others=(Label(state.reader.condition.span, "this condition reads it"),),
                hint="put the change before that block",
            )
            return None
        merged = evolve(
            old.decl,
            value=decl.value,
            type=decl.type or old.decl.type,
            range=decl.range or old.decl.range,
            text=decl.text or old.decl.text,
            doc=decl.doc or old.decl.doc,
        )
        if decl.range is not None:
            state.range_file = file
        value = self._settle(merged, old.home, file, state.range_file, old)
        if value is None:
            return None
        if state.given:
            value.value = old.value
            if value.allowed is not None and value.value not in value.allowed:
                self._refuse_wanted(merged, str(value.value), value)
        state.value = value
        self.constants.options[decl.name.id] = value
        return merged

    def finish(self) -> None:
        """Report the options wanted by the caller that do not exist."""
        for name in self.wanted:
            if name not in self.states:
                first = next(iter(self.states.values()), None)
                span = first.value.decl.span if first is not None else None
                guess = did_you_mean(name, self.states)
                all_names = ", ".join(f"`{n}`" for n in self.states) or "none"
                self.report.error(
                    "CG0633",
                    f"there is no option `{name}`",
                    span or self._anywhere(),
                    "the options are declared here" if first is not None else "",
                    hint=guess or f"its options: {all_names}",
                )

    def _anywhere(self) -> Span:
        files = next(iter(self.constants.kinds.visible.values()))
        return files[0].header.span

    def _settle(
        self, decl: ast.Option, home: ast.File, file: ast.File, range_file: ast.File, old: OptionValue | None
    ) -> OptionValue | None:
        """Type, value and range of a declaration whose value stands in `file`."""
        try:
            kind, type_name = self._type(decl, file if old is not None and decl.type is not old.decl.type else home, old)
            value = self.constants.literal(decl.value, file, kind)
            if isinstance(value, Member):
                kind, found = value.kind, value.kind.name.id
            else:
                found = _type_name(value)
            if type_name is not None and type_name != found:
                raise NotConstant(decl.value.span, f"`{decl.name.id}` is a {type_name}, not {describe(value)}")
            allowed = None
            if decl.range is not None:
                values = self.constants.allowed(decl.range, range_file, kind)
                wrong = next((v for v in values if _type_name(v) != found), None)
                if wrong is not None:
                    raise NotConstant(decl.range.span, f"{describe(wrong)} is in the range of a {found}")
                allowed = tuple(_plain(v) for v in values)
        except NotConstant as problem:
            self.report.error("CG0634", problem.args[0], problem.span, hint=problem.hint)
            return None
        plain = _plain(value)
        if allowed is not None and plain not in allowed:
            self.report.error(
                "CG0635",
                f"`{decl.name.id}` is {show(plain)}, which is outside its range",
                decl.value.span,
                others=(Label(decl.range.span, "the values it may have"),) if decl.range is not None else (),
            )
            return None
        return OptionValue(decl, home, plain, plain, allowed, found, kind)

    def _type(self, decl: ast.Option, file: ast.File, old: OptionValue | None) -> tuple[ast.Kind | None, str | None]:
        """The kind and the type wanted, as far as they are known before the value."""
        if decl.type is None:
            return (None, None) if old is None else (old.kind, old.type_name)
        kind, type_name = self._written_type(decl.type, file)
        if old is not None and type_name != old.type_name:
            raise NotConstant(decl.type.span, f"`{decl.name.id}` is a {old.type_name}, and stays one")
        return kind, type_name

    def _written_type(self, type_: ast.Type, file: ast.File) -> tuple[ast.Kind | None, str]:
        if isinstance(type_, ast.NamedType) and not type_.optional:
            name = type_.name.id
            if name in ("number", "flag", "text"):
                return None, name
            kind = self.constants.kinds.find(name, file)
            if kind is not None:
                return kind[0], name
        raise NotConstant(type_.span, "an option is a number, a flag, a text or the member of a kind")

    def _apply_wanted(self, name: str) -> None:
        if name not in self.wanted:
            return
        state = self.states[name]
        option = state.value
        wanted = self.wanted[name]
        value = self._read_wanted(option, wanted)
        if value is None or (option.allowed is not None and value not in option.allowed):
            self._refuse_wanted(option.decl, wanted, option)
            return
        option.value, state.given = value, True

    def _read_wanted(self, option: OptionValue, wanted: object) -> Value | None:
        """What the caller wrote as a value of the option's type, or None."""
        text = wanted.strip() if isinstance(wanted, str) else None
        if option.type_name == "flag" and option.kind is None:
            if isinstance(wanted, bool):
                return wanted
            return {"yes": True, "no": False}.get(text.casefold()) if text is not None else None
        if option.type_name == "number" and option.kind is None:
            if isinstance(wanted, int) and not isinstance(wanted, bool):
                return wanted if abs(wanted) < 2**63 else None
            digits = text.removeprefix("-") if text is not None else ""
            return int(text) if text is not None and digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        if option.kind is None:
            return wanted if isinstance(wanted, str) else None
        if text is None:
            return None
        found = self.constants.kinds.find(option.kind.name.id, option.home)
        names = self.constants.kinds.members(*found) if found is not None else []
        shown = {m.display.plain: m.name.id for m in option.kind.members if m.display is not None and m.display.plain is not None}
        if text in names:
            return text
        return shown.get(text) or next((n for n in names if n.casefold() == text.casefold()), None)

    def _refuse_wanted(self, decl: ast.Option, wanted: object, option: OptionValue) -> None:
        self.report.error(
            "CG0636",
            f"`{decl.name.id}` cannot be {wanted if isinstance(wanted, int | str) and not isinstance(wanted, bool) else show(wanted)}",
            decl.range.span if decl.range is not None else decl.span,
            "the values it may have" if decl.range is not None else "",
            hint=f"it is a {option.type_name}"
            + (f": {show_range(option.allowed)}" if option.allowed else ", such as " + show(option.value)),
        )


def _type_name(value: Constant) -> str:
    match value:
        case bool():
            return "flag"
        case int():
            return "number"
        case Member():
            return value.kind.name.id
    return "text"


def _plain(value: Constant) -> Value:
    if isinstance(value, Member):
        return value.name
    assert not isinstance(value, tuple)
    return value


def show(value: object) -> str:
    """A value as it is written in a rules file, for messages."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def show_range(allowed: tuple[Value, ...] | None) -> str:
    """The allowed values in few words: `1..10` or `1, 3, 5`."""
    if not allowed:
        return ""
    numbers = [v for v in allowed if type(v) is int]
    if len(numbers) == len(allowed) and len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}..{numbers[-1]}"
    return ", ".join(show(v) for v in allowed[:20]) + (", …" if len(allowed) > 20 else "")
