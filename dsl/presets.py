"""Presets: values of several options under one name, checked whether they are wanted or not."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define, evolve

from dsl import ast
from dsl.composition import PresetValues, Value
from dsl.conditions import NotConstant, Unsettled
from dsl.diagnostics import Label, Report
from dsl.options import Options, plain_value, show, show_range, type_of
from dsl.precedence import Entry, Precedence, Touch, shown
from dsl.source import Span
from dsl.suggest import did_you_mean


@define(eq=False)
class PresetOf:
    """A preset as it is now, and for each setting the file in which its names are resolved."""

    entry: Entry
    item: ast.Preset
    settings: list[tuple[ast.Setting, ast.File]]
    removed: bool = False
    touch: Touch | None = None


def key(name: str) -> str:
    """Presets are asked for without regard to capitals, and with `_` for blanks if one likes."""
    return " ".join(name.replace("_", " ").casefold().split())


@define
class Presets:
    """The presets of the files in force."""

    report: Report
    precedence: Precedence
    known: list[PresetOf] = Factory(list)

    @property
    def all(self) -> list[PresetOf]:
        return [preset for preset in self.known if not preset.removed]

    def place(self, entry: Entry, item: ast.Preset) -> None:
        """Enter a preset. Errors: it stands in a module, has no plain name, or the name of another."""
        file = entry.author.file
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
        self.known.append(PresetOf(entry, item, [(setting, file) for setting in item.settings]))

    def vary(self, entry: Entry, varied: ast.Remove | ast.ChangedPreset) -> Span | None:
        """Change one or take it away; returns where it stands. Errors: there is none of this name, or it is not to be varied here."""
        removing = isinstance(varied, ast.Remove)
        name, author = varied.name, entry.author
        preset = next((known for known in self.known if known.item.name == name), None)
        if preset is None:
            verb = "remove" if removing else "change"
            names = [shown(known.item.name) for known in self.all]
            self.report.error(
                "CG0611",
                f"there is no preset {shown(name)} to {verb}",
                name.span,
                did_you_mean(shown(name), names) or "",
                others=tuple(Label(known.item.name.span, "there is this one") for known in self.all[:3]),
            )
            return None
        what = f"the preset {shown(name)}"
        if preset.touch is None and author.same_place(preset.entry.author):
            self.precedence.refuse_own(name.span, what, preset.entry, preset.item.name.span)
            return None
        if not self.precedence.may(author, preset.touch, what, name.span, removing=removing):
            return None
        preset.touch = Touch(author, name.span, removed=removing)
        if isinstance(varied, ast.ChangedPreset):
            self._change(preset, varied, entry)
        else:
            preset.removed = True
        return preset.entry.item.span

    def _change(self, preset: PresetOf, change: ast.ChangedPreset, entry: Entry) -> None:
        if change.text is not None and change.text.plain is None:
            self.report.error("CG0650", "a preset is told by its text, which has no holes", change.text.span)
            return
        old = preset.item
        preset.item = evolve(old, text=change.text or old.text, doc=change.doc or getattr(entry.item, "doc", None) or old.doc)
        file = entry.author.file
        new = {setting.name.id: (setting, file) for setting in reversed(change.settings)}
        twice = [(setting, file) for setting in change.settings if new[setting.name.id][0] is not setting]
        preset.settings = [new.pop(setting.name.id, (setting, home)) for setting, home in preset.settings]
        preset.settings += [*reversed(new.values()), *twice]

    def choose(self, wanted: str, options: Options, anywhere: ast.File) -> None:
        """Make the settings of one preset count as wanted."""
        found = next((preset for preset in self.all if key(preset.item.name.plain or "") == key(wanted)), None)
        if found is not None:
            options.preset = {setting.name.id: (setting.value, file) for setting, file in found.settings}
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
        for setting, file in preset.settings:
            name = setting.name.id
            if name in places:
                self.report.error(
                    "CG0654", f"`{name}` is set twice", setting.span, others=(Label(places[name].span, "set here already"),)
                )
                continue
            places[name] = setting
            value = self._value(setting, file, options)
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
