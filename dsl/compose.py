"""Files, options and variants become one set of declarations: uses are followed, options fixed, the `when` blocks in force and the
variants laid over the base, in the order of their precedence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import Factory, define, evolve

from dsl import ast, uses
from dsl.changed_kinds import KindChange, changed_kind, still_used
from dsl.clashes import Clashes
from dsl.composition import Composition, Lookup, OptionValue, Placed, PlacedRow, Rank, Value
from dsl.conditions import Constants, Kinds, NotConstant, Unsettled
from dsl.diagnostics import Label, Report
from dsl.options import Options
from dsl.precedence import Author, Entry
from dsl.presets import Presets
from dsl.source import Source
from dsl.suggest import did_you_mean
from dsl.switches import Switch
from dsl.uses import Files, Reader
from dsl.variation import Variation

__all__ = ["Composition", "Lookup", "OptionValue", "Placed", "PlacedRow", "compose"]


def compose(
    game: Source,
    variants: list[Source],
    options: Mapping[str, object],
    lookup: Lookup,
    report: Report,
    reader: Reader | None = None,
    preset: str | None = None,
) -> Composition | None:
    """The composition of a game (or of a module alone, for a check) with variants, the last named on top, a preset and options.

    Values of options are Python's or texts (`"yes"`, `"6"`, a member's name). Errors go to `report`; None if a file is missing or
    cannot be read, since then everything else would only follow from that. `reader` keeps files read before."""
    reader = reader or Reader(lookup, report)
    base = reader.read(game)
    others = _variants(base, variants, reader, report) if base is not None else None
    if base is None or others is None:
        return None
    if isinstance(base.header, ast.VariantHeader | ast.TestsHeader):
        name = base.header.base.id
        what, does = ("a variant", "varies") if isinstance(base.header, ast.VariantHeader) else ("a file of tests", "tests")
        report.error(
            "CG0641",
            f"this is {what}, not a game",
            base.header.span,
            f"it {does} `{name}`",
            hint=f"load `{name}` with this variant" if does == "varies" else f"`rulesrun test {name}` runs them",
        )
        return None
    files = uses.gather(base, others, reader, report)
    if not files.complete:
        return None
    return _Composer(base, others, files, options, report, preset).compose()


def _variants(base: ast.File | None, sources: list[Source], reader: Reader, report: Report) -> list[ast.File] | None:
    """The variants' files, None if one does not fit."""
    files: list[ast.File] = []
    fits = base is not None
    for source in sources:
        file = reader.read(source)
        if file is None or base is None:
            fits = False
        elif isinstance(file.header, ast.TestsHeader):
            if _is_tests_of(base, file, file.header, report):
                files.append(file)
            else:
                fits = False
        elif not isinstance(file.header, ast.VariantHeader):
            report.error(
                "CG0642", f"`{source.id}` is not a variant", file.header.span, 'a variant begins with `variant "…" of GAME`'
            )
            fits = False
        elif file.header.base.id != base.source.id:
            guess = did_you_mean(file.header.base.id, [base.source.id])
            report.error(
                "CG0643",
                f"`{source.id}` is a variant of `{file.header.base.id}`, not of `{base.source.id}`",
                file.header.base.span,
                guess or "",
                others=(Label(base.header.span, "the game"),),
            )
            fits = False
        elif any(other.source.path == source.path for other in files):
            report.error("CG0644", f"the variant `{source.id}` is named twice", file.header.span)
            fits = False
        else:
            files.append(file)
    return files if fits else None


def _is_tests_of(base: ast.File, file: ast.File, header: ast.TestsHeader, report: Report) -> bool:
    """Whether a file of tests is about this game, and holds nothing else."""
    if header.base.id != base.source.id:
        report.error(
            "CG0646",
            f"these are tests of `{header.base.id}`, not of `{base.source.id}`",
            header.base.span,
            did_you_mean(header.base.id, [base.source.id]) or "",
            others=(Label(base.header.span, "the game"),),
        )
        return False
    strange = [item for item in file.items if not _is_for_tests(item)]
    for item in strange:
        report.error(
            "CG0647",
            "this is no test",
            item.span,
            "a file of tests holds tests, helpers, invariants and properties",
            others=(Label(header.span, "the file of tests"),),
            hint="what changes the game is a variant" if isinstance(item, VARYING | ast.WhenBlock) else "it belongs in the game",
        )
    return not strange


def _is_for_tests(item: ast.Item) -> bool:
    return isinstance(item, ast.Test | ast.Invariant | ast.GameProperty | ast.Use) or (
        isinstance(item, ast.Rule | ast.Define) and item.for_tests
    )


@define
class _Composer:
    base: ast.File
    variants: list[ast.File]
    files: Files
    wanted: Mapping[str, object]
    report: Report
    preset: str | None = None
    kinds: Kinds = Factory(lambda self: Kinds(self.files.visible), takes_self=True)
    options: Options = Factory(lambda self: Options(Constants(self.kinds, {}), self.wanted, self.report), takes_self=True)
    variation: Variation = Factory(lambda self: Variation(self.files.visible, self.options, self.report), takes_self=True)
    presets: Presets = Factory(lambda self: Presets(self.report, self.variation.precedence), takes_self=True)
    blocks: list[ast.WhenBlock] = Factory(list)
    kind_changes: list[KindChange] = Factory(list)
    _orders: dict[int, int] = Factory(dict)
    _ranks: dict[int, Rank] = Factory(dict)

    def compose(self) -> Composition:
        base_files = [*self.files.modules, self.base]
        self._number([*base_files, *self.variants], len(base_files))
        plain = {file.source.path: list(self._plain(file)) for file in (*base_files, *self.variants)}
        everything = [entry for entries in plain.values() for entry in entries]
        for entry in everything:
            if isinstance(entry.item, ast.Kind):
                self.kinds.declare(entry.item, entry.author.file)
        for entry in everything:
            self._change_kind(entry)
        self._enter_presets(everything)
        for file in (*base_files, *self.variants):
            self._refuse_presets(file.items)
        for file in base_files:
            self._enter(plain[file.source.path])
        for file in self.variants:
            self._enter([entry for entry in plain[file.source.path] if _is_option(entry.item)])
        self.options.settle()
        for file in base_files:
            self._enter_blocks(file, file.items, (), {})
        for file in self.variants:
            self._enter([entry for entry in plain[file.source.path] if not _is_option(entry.item)])
            self._enter_blocks(file, file.items, (), {})
        self.options.finish()
        files = [*base_files, *self.variants]
        self._check_lost_members()
        Clashes(self.files.visible, self.report).check(files, self.variation)
        return self._result(files)

    def _result(self, files: list[ast.File]) -> Composition:
        header = self.base.header
        assert isinstance(header, ast.GameHeader | ast.ModuleHeader)
        players, players_file = self._players()
        return Composition(
            name=header.name.plain or self.base.source.id,
            id=self.base.source.id,
            span=header.span,
            doc=self.base.doc,
            players=players,
            game=self.base,
            files=files,
            visible=self.files.visible,
            items=self.variation.placed(),
            options={name: state.value for name, state in self.options.states.items()},
            variants=tuple(file.source.id for file in self.variants if isinstance(file.header, ast.VariantHeader)),
            blocks=tuple(self.blocks),
            players_file=players_file,
            presets=self.presets.finish(self.options),
            changes=self.variation.all_changes(),
        )

    def _players(self) -> tuple[ast.Expr | None, ast.File]:
        """How many can play: what a variant says counts more than what the game says, and two must not say different things."""
        players = self.base.header.players if isinstance(self.base.header, ast.GameHeader) else None
        said: ast.File | None = None
        for file in self.variants:
            written = file.header.players if isinstance(file.header, ast.VariantHeader) else None
            if written is None:
                continue
            if said is not None and written != players:
                self.report.error(
                    "CG0612",
                    f"how many can play is changed by `{said.source.id}` and by `{file.source.id}`",
                    written.span,
                    "changed here",
                    others=(Label(players.span, "changed here"),) if players is not None else (),
                    hint="leave one of them out",
                )
            players, said = written, file
        return players, said or self.base

    # ── kinds and presets ──

    def _change_kind(self, entry: Entry) -> None:
        """Kinds are changed before options are read, since options may be of a kind. A kind that is not there, or not to be changed here,
        is reported when all changes are."""
        if not isinstance(entry.item, ast.Change) or not isinstance(entry.item.item, ast.ChangedKind):
            return
        change = entry.item.item
        found = self.kinds.find(change.name.id, entry.author.file)
        if found is None:
            return
        option = next((s.value for s in self.options.states.values() if s.value.kind is found[0]), None)
        if option is not None:
            self.report.error(
                "CG0628",
                f"`{change.name.id}` cannot be changed in a `when` block: an option is of this kind",
                change.name.span,
                others=(Label(option.decl.span, "this option"),),
                hint="change it in a variant, outside `when` blocks",
            )
            return
        made = changed_kind(*found, change, entry.item.doc, self.report)
        if made is not None:
            self.kinds.replace(found[0], made.new, found[1])
            self.variation.kinds[id(change)] = made.new
            self.kind_changes.append(made)

    def _check_lost_members(self) -> None:
        """A member that a change has left out must not be used any more."""
        for change in self.kind_changes:
            if not change.gone:
                continue
            used = still_used(change, self.variation.placed(), self.kinds, self.files.visible)
            known = {(error.span.source.path, error.span.start) for error in self.report.errors}
            used = {name: span for name, span in used.items() if (span.source.path, span.start) not in known}
            if used:
                names = " and ".join(f"`{name}`" for name in used)
                self.report.error(
                    "CG0627",
                    f"{names} {'is' if len(used) == 1 else 'are'} taken out of the kind `{change.new.name.id}`, but still used",
                    change.new.name.span,
                    others=tuple(Label(span, "used here") for span in list(used.values())[:3]),
                    hint="keep it (`...` stands for all that are not named), or change what uses it too",
                )
                self.variation.restore(change, tuple(used))

    def _enter_presets(self, entries: list[Entry]) -> None:
        for entry in entries:
            if isinstance(entry.item, ast.Preset):
                self.presets.place(entry, entry.item)
                self.variation.note_preset(entry, entry.item.name, None)
        for entry in entries:
            varied = entry.item.item if isinstance(entry.item, ast.Change) else entry.item
            if isinstance(varied, ast.ChangedPreset) or (isinstance(varied, ast.Remove) and varied.what == "preset"):
                old = self.presets.vary(entry, varied)
                if old is not None:
                    self.variation.note_preset(entry, varied.name, old)
        if self.preset is not None:
            self.presets.choose(self.preset, self.options, self.base)

    def _refuse_presets(self, items: tuple[ast.Item, ...]) -> None:
        """There are none in `when` blocks, whether these are in force or not."""
        for block in items:
            if not isinstance(block, ast.WhenBlock):
                continue
            for item in block.items:
                if _is_about_presets(item):
                    self.report.error(
                        "CG0650",
                        "presets stand outside `when` blocks",
                        item.span,
                        others=(Label(block.condition.span, "this block"),),
                        hint="a preset decides which blocks are in force, not the other way round",
                    )
            self._refuse_presets(block.items)

    # ── places ──

    def _number(self, files: list[ast.File], bases: int) -> None:
        """Give every declaration its place in the composed text, and every `when` block and file its rank."""
        blocks = 0
        for number, file in enumerate(files):
            if number < bases - 1:
                self._ranks[id(file)] = (0, number)
            else:
                self._ranks[id(file)] = (1, 0) if number < bases else (3, number - bases)
            for item in uses.items_of(file.items):
                self._orders[id(item)] = len(self._orders)
                if isinstance(item, ast.WhenBlock):
                    self._ranks[id(item)] = (2, blocks) if number < bases else self._ranks[id(file)]
                    blocks += number < bases

    def _plain(self, file: ast.File) -> Iterator[Entry]:
        return self._entries(file.items, Author(file, self._ranks[id(file)], ()))

    def _entries(self, items: tuple[ast.Item, ...], author: Author, given: Mapping[str, Value] | None = None) -> Iterator[Entry]:
        for item in items:
            if not isinstance(item, ast.Use | ast.WhenBlock):
                yield Entry(item, author, self._orders[id(item)], given or {})

    # ── entering ──

    def _enter(self, entries: list[Entry]) -> None:
        """Plain declarations first, then what varies them."""
        for entry in entries:
            if isinstance(entry.item, ast.Option):
                self.options.declare(entry.item, entry.author.file)
            if not isinstance(entry.item, VARYING | ast.Preset):
                self.variation.place(entry)
        for entry in entries:
            if _is_about_presets(entry.item):
                continue
            if isinstance(entry.item, ast.Change):
                self.variation.change(entry, entry.item)
            elif isinstance(entry.item, VARYING):
                self.variation.remove(entry, entry.item)

    def _enter_blocks(
        self, file: ast.File, items: tuple[ast.Item, ...], around: tuple[ast.WhenBlock, ...], given: dict[str, Value]
    ) -> None:
        """The `when` blocks whose conditions hold, each with what is inside it; of the others the tests. `given`: see `Placed`."""
        for block in items:
            if not isinstance(block, ast.WhenBlock):
                continue
            inside = (*around, block)
            holds, given_here = self._holds(block, file), self._given(block, file, given)
            author = Author(file, self._ranks[id(block)], inside)
            if not holds:
                self._enter_tests(block, author, given_here)
                continue
            self.blocks.append(block)
            entries = list(self._entries(block.items, author, given_here or {}))
            for entry in entries:
                if isinstance(entry.item, ast.Kind):
                    self.kinds.declare(entry.item, file)
            entries = [entry for entry in entries if not _is_about_presets(entry.item)]
            for entry in entries:
                self._change_kind(entry)
            self._enter(entries)
            self._enter_blocks(file, block.items, inside, given_here or {})

    def _enter_tests(self, block: ast.WhenBlock, author: Author, given: dict[str, Value] | None) -> None:
        """The tests of a block that is not in force, as far as it is known when it would be."""
        if given is None or any(isinstance(item, ast.Option) for item in block.items):
            return
        for item in block.items:
            if isinstance(item, ast.Test):
                self.variation.place(Entry(item, author, self._orders[id(item)], given))
            elif isinstance(item, ast.WhenBlock):
                inner = Author(author.file, self._ranks[id(item)], (*author.blocks, item))
                self._enter_tests(item, inner, self._given(item, author.file, given))

    def _given(self, block: ast.WhenBlock, file: ast.File, around: dict[str, Value]) -> dict[str, Value] | None:
        """Values other than the defaults that put the block in force, if it holds tests."""
        if not any(isinstance(item, ast.Test) for item in uses.items_of(block.items)):
            return {}
        defaults = {name: evolve(state.value, value=state.value.default) for name, state in self.options.states.items()}
        return Switch(self.kinds, defaults, block, file).find(True, around)[0]

    def _holds(self, block: ast.WhenBlock, file: ast.File) -> bool:
        constants = self.options.constants
        constants.read.clear()
        try:
            return constants.holds(block.condition, file)
        except NotConstant as problem:
            if not isinstance(problem, Unsettled):
                self.report.error("CG0640", problem.text, problem.span, hint=problem.hint)
            return False
        finally:
            for name in constants.read:
                self.options.states[name].reader = self.options.states[name].reader or block


VARYING = ast.Change | ast.Remove | ast.RemoveAttachment | ast.RemoveAbility


def _is_about_presets(item: ast.Item) -> bool:
    if isinstance(item, ast.Change):
        return isinstance(item.item, ast.ChangedPreset)
    return isinstance(item, ast.Preset) or (isinstance(item, ast.Remove) and item.what == "preset")


def _is_option(item: ast.Item) -> bool:
    return isinstance(item, ast.Option) or (isinstance(item, ast.Change) and isinstance(item.item, ast.Option))
