"""Which files a game is made of: the modules it uses, in order, and whose names each file sees."""

from __future__ import annotations

from attrs import Factory, define

from dsl import ast, parse
from dsl.composition import Catalogue, Lookup
from dsl.diagnostics import Label, Report, RulesError
from dsl.source import Source
from dsl.suggest import did_you_mean


@define
class Reader:
    """Reads each source once a run. Syntax errors go to `report`."""

    lookup: Lookup
    report: Report
    _files: dict[Source, ast.File | None] = Factory(dict)

    def read(self, source: Source) -> ast.File | None:
        """The file, or None if it cannot be read at all; `report` has the errors."""
        if source not in self._files:
            before = len(self.report.errors)
            file = parse.read(source, self.report)
            self._files[source] = file if len(self.report.errors) == before else None
        return self._files[source]


@define
class Files:
    """The files of a composition: `modules` with a used one before its user, and whose names each file sees.

    `complete` is False if one is missing or broken: then names would only seem unknown."""

    modules: list[ast.File] = Factory(list)
    visible: dict[str, tuple[ast.File, ...]] = Factory(dict)
    complete: bool = True


def gather(game: ast.File, variants: list[ast.File], reader: Reader, report: Report) -> Files:
    """Follow the `use` lines of the game and the variants. Errors: unknown module, not a module, a cycle, two files of one name."""
    walk = _Walk(reader, report)
    walk.visit(game, ())
    for variant in variants:
        walk.visit(variant, ())
        own, base = walk.files.visible[variant.source.path], walk.files.visible[game.source.path]
        walk.files.visible[variant.source.path] = tuple({f.source.path: f for f in own + base}.values())
    return walk.files


def items_of(items: tuple[ast.Item, ...]) -> list[ast.Item]:
    """All declarations of a file, those in `when` blocks too."""
    found: list[ast.Item] = []
    for item in items:
        found.append(item)
        if isinstance(item, ast.WhenBlock):
            found += items_of(item.items)
    return found


@define
class _Walk:
    reader: Reader
    report: Report
    files: Files = Factory(Files)
    _ids: dict[str, ast.File] = Factory(dict)

    def visit(self, file: ast.File, users: tuple[ast.Use, ...]) -> None:
        """Enter a file and, first, what it uses; `users` are the `use` lines that led here."""
        self._claim_id(file, users)
        seen: dict[str, ast.Use] = {}
        own = [file]
        self.files.visible[file.source.path] = (file,)
        top = {id(item) for item in file.items}
        for use in items_of(file.items):
            if not isinstance(use, ast.Use):
                continue
            if id(use) not in top:
                self.report.error(
                    "CG0602",
                    "`use` stands at the top of a file, not in a `when` block",
                    use.span,
                    hint="use the module always; what it brings does nothing until a rule asks for it",
                )
                continue
            name = use.module.id
            if name in seen:
                self.report.error(
                    "CG0603",
                    f"`{name}` is used twice",
                    use.span,
                    "remove this line",
                    others=(Label(seen[name].span, "used here already"),),
                )
                continue
            seen[name] = use
            module = self._module(file, use, users)
            if module is not None:
                own.append(module)
        self.files.visible[file.source.path] = tuple(own)

    def _module(self, file: ast.File, use: ast.Use, users: tuple[ast.Use, ...]) -> ast.File | None:
        name = use.module.id
        try:
            source = self.reader.lookup.module(name, file.source)
        except RulesError as broken:  # the lookup cannot read it
            for finding in broken.diagnostics:
                self.report.add(finding)
            self.files.complete = False
            return None
        if source is None:
            lookup = self.reader.lookup
            near = did_you_mean(name, lookup.modules(file.source)) if isinstance(lookup, Catalogue) else None
            label = near or "not found beside this file or in the library"
            self.report.error("CG0601", f"there is no module `{name}`", use.module.span, label)
            self.files.complete = False
            return None
        around = [u for u in users if u.module.id == name or u.span.source.path == source.path]
        if source.path == file.source.path or around:
            self.report.error(
                "CG0604",
                f"`{name}` uses itself"
                if source.path == file.source.path
                else f"the modules `{name}` and `{file.source.id}` use each other",
                use.span,
                "this closes the circle",
                others=tuple(Label(u.span, f"`{u.module.id}` is used here") for u in users),
                hint="put what both need into a third module",
            )
            return None
        module = self.reader.read(source)
        if module is None:
            self.files.complete = False
            return None
        if not isinstance(module.header, ast.ModuleHeader):
            sorts = {ast.GameHeader: "a game", ast.VariantHeader: "a variant", ast.TestsHeader: "a file of tests"}
            what = sorts[type(module.header)]
            self.report.error(
                "CG0605",
                f"`{name}` is {what}, not a module",
                use.module.span,
                others=(Label(module.header.span, "its first line"),),
                hint='only a file that begins with `module "…"` can be used',
            )
            self.files.complete = False
            return None
        if all(m.source.path != module.source.path for m in self.files.modules):
            self.visit(module, (*users, use))
            self.files.modules.append(module)
        return module

    def _claim_id(self, file: ast.File, users: tuple[ast.Use, ...]) -> None:
        other = self._ids.setdefault(file.source.id, file)
        if other is not file and other.source.path != file.source.path:
            self.report.error(
                "CG0606",
                f"two files are called `{file.source.id}`",
                users[-1].span if users else file.header.span,
                file.source.path,
                others=(Label(other.header.span, "the other one"),),
                hint="names of a game are told apart by their file: give one of the two another name",
            )
            self.files.complete = False
