"""Presets: values of several options under one name, checked whether they are wanted or not."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define, frozen

from dsl import ast
from dsl.composition import PresetValues, Value
from dsl.conditions import NotConstant, Unsettled
from dsl.diagnostics import Label, Report
from dsl.options import Options, plain_value, show, show_range, type_of
from dsl.precedence import shown
from dsl.suggest import did_you_mean


@frozen(eq=False)
class PresetOf:
    """A preset and the file in which its names are resolved."""

    item: ast.Preset
    file: ast.File


def key(name: str) -> str:
    """Presets are asked for without regard to capitals, and with `_` for blanks if one likes."""
    return " ".join(name.replace("_", " ").casefold().split())


@define
class Presets:
    """The presets of the files in force."""

    report: Report
    all: list[PresetOf] = Factory(list)

    def place(self, item: ast.Preset, file: ast.File) -> None:
        """Enter a preset. Errors: it stands in a module, has no plain name, or the name of another."""
        if isinstance(file.header, ast.ModuleHeader):
            self.report.error("CG0650", "a module has no presets", item.name.span, hint="a preset belongs to a game or a variant")
            return
        name = item.name.plain
        if name is None or item.text.plain is None:
            text = item.name if name is None else item.text
            self.report.error("CG0650", "a preset is told by its text, which has no holes", text.span)
            return
        other = next((known for known in self.all if key(known.item.name.plain or "") == key(name)), None)
        if other is not None:
            self.report.error(
                "CG0654",
                f"two presets are called {shown(item.name)}",
                item.name.span,
                others=(Label(other.item.name.span, "the other one"),),
            )
            return
        self.all.append(PresetOf(item, file))

    def remove(self, removed: ast.Remove) -> ast.Preset | None:
        """Take one away; None if there is none of this name."""
        gone = next((preset for preset in self.all if preset.item.name == removed.name), None)
        if gone is None:
            return None
        self.all.remove(gone)
        return gone.item

    def choose(self, wanted: str, options: Options, anywhere: ast.File) -> None:
        """Make the settings of one preset count as wanted."""
        found = next((preset for preset in self.all if key(preset.item.name.plain or "") == key(wanted)), None)
        if found is not None:
            options.preset = {setting.name.id: (setting.value, found.file) for setting in found.item.settings}
            return
        names = [preset.item.name.plain or "" for preset in self.all]
        guess = did_you_mean(wanted, names)
        known = ", ".join(f'"{name}"' for name in names) or "there are none"
        span = self.all[0].item.name.span if self.all else anywhere.header.span
        self.report.error("CG0651", f'there is no preset "{wanted}"', span, hint=guess or f"the presets: {known}")

    def finish(self, options: Options) -> tuple[PresetValues, ...]:
        """Check all of them against the options as they are now."""
        return tuple(
            PresetValues(p.item.name.plain or "", p.item.text.plain or "", p.item.doc, self._values(p, options), p.item.name.span)
            for p in self.all
        )

    def _values(self, preset: PresetOf, options: Options) -> dict[str, Value]:
        values: dict[str, Value] = {}
        places: dict[str, ast.Setting] = {}
        for setting in preset.item.settings:
            name = setting.name.id
            if name in places:
                self.report.error(
                    "CG0654", f"`{name}` is set twice", setting.span, others=(Label(places[name].span, "set here already"),)
                )
                continue
            places[name] = setting
            value = self._value(setting, preset.file, options)
            if value is not None:
                values[name] = value
        return values

    def _value(self, setting: ast.Setting, file: ast.File, options: Options) -> Value | None:
        name = setting.name.id
        state = options.states.get(name)
        if state is None:
            if name not in options.constants.unsettled:
                self.report.error("CG0652", f"there is no option `{name}` to set", setting.name.span, *_guess(name, options.states))
            return None
        option = state.value
        try:
            value = options.constants.literal(setting.value, file, option.kind)
        except NotConstant as problem:
            if not isinstance(problem, Unsettled):
                self.report.error(
                    "CG0653",
                    problem.text,
                    problem.span,
                    others=(Label(option.decl.span, "the option"), *problem.others),
                    hint=problem.hint,
                )
            return None
        plain = plain_value(value)
        fits = type_of(value) == option.type_name
        if fits and (option.allowed is None or plain in option.allowed):
            return plain
        place = option.decl.range if fits and option.decl.range is not None else option.decl
        hint = f"it is a {option.type_name}" if not option.allowed else f"it may be {show_range(option.allowed)}"
        self.report.error(
            "CG0653",
            f"`{name}` cannot be {show(plain)}",
            setting.value.span,
            others=(Label(place.span, "the values it may have" if fits else "the option"),),
            hint=hint,
        )
        return None


def _guess(name: str, names: Iterable[str]) -> tuple[str, ...]:
    guess = did_you_mean(name, names)
    return (guess,) if guess else ()
