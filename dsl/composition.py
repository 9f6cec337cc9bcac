"""What composing makes of files, options and variants: every declaration in force, with whose names it sees.

`use`, `when` blocks, `change` and `remove` are resolved away here, so that checking meets plain declarations only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from attrs import Factory, define, field, frozen

from dsl import ast
from dsl.source import Source, Span


class Lookup(Protocol):
    """Finds sources by name; `asking` is the file that names it. None if there is none."""

    def game(self, name: str, asking: Source | None) -> Source | None: ...

    def module(self, name: str, asking: Source | None) -> Source | None: ...

    def variant(self, base_id: str, name: str, asking: Source | None) -> Source | None: ...


@runtime_checkable
class Catalogue(Protocol):
    """What a lookup may be besides: one that knows which modules there are, to guess which was meant."""

    def modules(self, asking: Source | None) -> Iterable[str]: ...


Value = bool | int | str
"""Of an option: a flag, a number, or a text: a member's name if its type is a kind."""

Rank = tuple[int, int]
"""Where a declaration stands, for precedence: (0, i) module i, (1, 0) the game, (2, i) `when` block i, (3, i) variant i."""


@frozen(eq=False)
class PlacedRow:
    """A row of a card table after all changes: its cells match the merged table's columns one to one.

    `files` are those the cells' names are resolved in, one a cell; `binders_file` and `abilities_file` likewise. A row
    removed by `copies` 0 is still here, so that its name stays known; it makes no card."""

    row: ast.Row
    files: tuple[ast.File, ...]
    binders_file: ast.File
    abilities_file: ast.File


@frozen(eq=False)
class Placed:
    """A declaration in force.

    `home` is the file whose name it declares; `file` the one whose names it sees (another one if a variant or a `when` block
    elsewhere changed it). It is never a `Use`, `WhenBlock`, `Change` or `Remove`. For `Cards`, `rows` are the rows (not
    `item.rows`) and `item.columns` all their columns. Changed scoring is split: each `Scoring` holds the lines of one file.
    `order` is the place in the composed text, over all ranks: modules, the game, variants. What is changed keeps the rank and
    order of what it replaces.

    `given`: for a test inside a `when` block, the values of options (other than their defaults) under which the block is in force;
    the test runs under these and what it gives itself. Such tests are here even if the block is not in force."""

    item: ast.Item
    home: ast.File
    file: ast.File
    rank: Rank
    order: int
    rows: tuple[PlacedRow, ...] = ()
    given: Mapping[str, Value] = Factory(dict)


@define(eq=False)
class OptionValue:
    """An option with its values in force. `type_name` is flag, number, text or the name of a kind that `home` sees (or `kind`).

    `decl` is merged: with the range and sentence of the file, the value of the last change. `allowed` None: no range."""

    decl: ast.Option
    home: ast.File
    value: Value
    default: Value
    allowed: tuple[Value, ...] | None
    type_name: str
    kind: ast.Kind | None = None


@frozen(eq=False)
class PresetValues:
    """A preset, with the values of the options that it sets, as far as they may be."""

    name: str
    text: str
    doc: str | None
    values: Mapping[str, Value]
    span: Span


@frozen(eq=False)
class Changed:
    """One thing that a variant or a `when` block in force does to what it varies.

    `what`: add, attach, change or remove; `sort` and `name`: of the thing (`rule`, `turn`); `item` the declaration that does it,
    `new` its text; `old` the text it changes or takes away, for what is attached the declaration of what it is attached to."""

    what: str
    sort: str
    name: str
    item: ast.Item
    new: Span
    old: Span | None
    file: ast.File
    blocks: tuple[ast.WhenBlock, ...] = ()


@define(eq=False)
class Composition:
    """`files`: modules first (a used one before its user), the game, the variants in the order named. `visible`: by a file's
    path, the files whose own names (the `Placed` of that `home`) it sees, itself first. `items` are in text order.

    `players` says how many can play, in the names of `players_file`. `changes` tell what variants and `when` blocks have done, in the
    order of their text.

    `blocks` are the `when` blocks in force. `game.header` is a `ModuleHeader` and `players` None when a module is checked alone: then no fixed names are wanted."""

    name: str
    id: str
    span: Span
    doc: str | None
    players: ast.Expr | None
    game: ast.File
    files: list[ast.File] = Factory(list)
    visible: dict[str, tuple[ast.File, ...]] = Factory(dict)
    items: list[Placed] = Factory(list)
    options: dict[str, OptionValue] = Factory(dict)
    variants: tuple[str, ...] = ()
    blocks: tuple[ast.WhenBlock, ...] = field(default=(), repr=False)
    players_file: ast.File | None = None
    presets: tuple[PresetValues, ...] = ()
    changes: tuple[Changed, ...] = field(default=(), repr=False)
