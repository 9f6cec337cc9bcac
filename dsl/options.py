"""Options: what they may be, and what they are.

Values are decided in this order: what the files say, what variants `change`, what the caller wants, and then, from the first
`when` block to the last, what a block in force changes. A block may not change an option that an earlier condition has read.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, define, evolve

from dsl import ast
from dsl.composition import OptionValue, Value
from dsl.conditions import Constant, Constants, Member, NotConstant, describe
from dsl.diagnostics import Label, Report
from dsl.source import Span
from dsl.suggest import did_you_mean


@define
class State:
    """An option while files are composed: `range_file` is where the names of its range are resolved; `given` if the caller chose
    its value, by itself or by a preset; `reader` is the block whose condition read it first."""

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
    preset: dict[str, tuple[ast.Expr, ast.File]] = Factory(dict)
    """what the preset that is wanted sets, and the file in which its names are resolved"""
    settled: bool = False
    """whether what is wanted counts from the declaration on: the files have been entered, only `when` blocks follow"""

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
        if value is None:
            self.constants.unsettled.add(name)
        else:
            self.states[name] = State(value, home)
            self.constants.options[name] = value
            if self.settled:
                self._apply(name)

    def settle(self) -> None:
        """All plain declarations and changes are known: now what is wanted counts."""
        self.settled = True
        for name in self.states:
            self._apply(name)

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
            if name not in self.states and name not in self.constants.unsettled:
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
                found = type_of(value)
            if type_name is not None and type_name != found:
                raise NotConstant(decl.value.span, f"`{decl.name.id}` is a {type_name}, not {describe(value)}")
            allowed = None
            if decl.range is not None:
                values = self.constants.allowed(decl.range, range_file, kind)
                wrong = next((v for v in values if type_of(v) != found), None)
                if wrong is not None:
                    raise NotConstant(decl.range.span, f"{describe(wrong)} is in the range of a {found}")
                allowed = tuple(plain_value(v) for v in values)
        except NotConstant as problem:
            self.report.error("CG0634", problem.args[0], problem.span, hint=problem.hint, others=problem.others)
            return None
        plain = plain_value(value)
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

    def _apply(self, name: str) -> None:
        self._apply_preset(name)
        self._apply_wanted(name)

    def _apply_preset(self, name: str) -> None:
        """Values that do not fit are reported when all presets are checked."""
        if name not in self.preset:
            return
        state = self.states[name]
        try:
            value = self.constants.literal(*self.preset[name], state.value.kind)
        except NotConstant:
            return
        plain = plain_value(value)
        if type_of(value) == state.value.type_name and (state.value.allowed is None or plain in state.value.allowed):
            state.value.value, state.given = plain, True

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


def type_of(value: Constant) -> str:
    match value:
        case bool():
            return "flag"
        case int():
            return "number"
        case Member():
            return value.kind.name.id
    return "text"


def plain_value(value: Constant) -> Value:
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
