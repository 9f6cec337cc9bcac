"""The syntax tree: one frozen class for each form of the language, as the author wrote it.

Every node carries its `span`, which does not count when two trees are compared; names are not resolved here and nothing
is typed. The docstring of a node is the concrete form it stands for.
"""

from __future__ import annotations

from attrs import field, frozen

from dsl.source import Source, Span


@frozen(kw_only=True)
class Node:
    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Name(Node):
    """A name, where it is declared, referred to, or used as a value."""

    id: str


@frozen(kw_only=True)
class Text(Node):
    """`"…{hole}…"`: `parts` are literal pieces and the expressions of the holes, in order; escapes and `{{` are undone."""

    parts: tuple[str | Expr, ...]

    @property
    def plain(self) -> str | None:
        """The text if it has no holes."""
        return None if any(not isinstance(p, str) for p in self.parts) else "".join(p for p in self.parts if isinstance(p, str))


# ── values ──


@frozen(kw_only=True)
class Number(Node):
    value: int


@frozen(kw_only=True)
class Flag(Node):
    """`yes`, `no`"""

    value: bool


@frozen(kw_only=True)
class NoneValue(Node):
    """`none`"""


@frozen(kw_only=True)
class Proceed(Node):
    """`proceed` (called: a `Call` of this)"""


@frozen(kw_only=True)
class Rest(Node):
    """`...` at the end of a list, in tests"""


@frozen(kw_only=True)
class ListValue(Node):
    """`[a, b, ...]`"""

    items: tuple[Expr | Rest, ...]


@frozen(kw_only=True)
class Range(Node):
    """`name in source`"""

    name: Name
    source: Expr


@frozen(kw_only=True)
class Binders(Node):
    """`name in source, … [where condition]`"""

    ranges: tuple[Range, ...]
    where: Expr | None = None


@frozen(kw_only=True)
class Comprehension(Node):
    """`[value for binders]`"""

    value: Expr
    binders: Binders


@frozen(kw_only=True)
class Property(Node):
    """`thing.name`"""

    of: Expr
    name: Name


@frozen(kw_only=True)
class Index(Node):
    """`family[index]`"""

    of: Expr
    index: Expr


@frozen(kw_only=True)
class Call(Node):
    """`f(a, x in s … [where c] [by k, …])` or, with `each`, `sum(e for binders)`.

    `arguments` are expressions and ranges in the order written; with `each`, there is one argument, the mapped value."""

    function: Expr
    arguments: tuple[Expr | Range, ...]
    where: Expr | None = None
    by: tuple[Expr, ...] = ()
    each: Binders | None = None


@frozen(kw_only=True)
class Binary(Node):
    """`a op b`, op one of `+ - * / mod and or < <= > >=` and `..`"""

    op: str
    left: Expr
    right: Expr
    op_span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Unary(Node):
    """`not a`, `-a`"""

    op: str
    operand: Expr


@frozen(kw_only=True)
class Is(Node):
    """`a is b`, `a is not b`"""

    left: Expr
    right: Expr
    negated: bool = False


@frozen(kw_only=True)
class IsIn(Node):
    """`a is in b`, `a is not in b`"""

    left: Expr
    right: Expr
    negated: bool = False


@frozen(kw_only=True)
class IsEmpty(Node):
    """`a is empty`, `a is not empty`"""

    operand: Expr
    negated: bool = False


@frozen(kw_only=True)
class Conditional(Node):
    """`a when c otherwise b`"""

    value: Expr
    condition: Expr
    otherwise: Expr


@frozen(kw_only=True)
class Group(Node):
    """`(a)`: kept, since in a head it matches instead of binding"""

    value: Expr


Expr = (
    Name | Text | Number | Flag | NoneValue | Proceed | ListValue | Comprehension | Property | Index | Call
    | Binary | Unary | Is | IsIn | IsEmpty | Conditional | Group
)  # fmt: skip


@frozen(kw_only=True)
class Case(Node):
    """`value when condition` or `value otherwise` (no condition)"""

    value: Expr
    condition: Expr | None


@frozen(kw_only=True)
class Value(Node):
    """What stands after `=`: `let` lines, then either one expression (one case without condition, `plain`) or cases"""

    lets: tuple[Let, ...]
    cases: tuple[Case, ...]
    plain: bool


# ── types ──


@frozen(kw_only=True)
class NamedType(Node):
    """`number`, `Suit`, …; `optional` for `T?`"""

    name: Name
    optional: bool = False


@frozen(kw_only=True)
class ListType(Node):
    """`list of T`"""

    of: Type


@frozen(kw_only=True)
class ZoneType(Node):
    """`zone of T`"""

    of: Name


Type = NamedType | ListType | ZoneType


@frozen(kw_only=True)
class Param(Node):
    name: Name
    type: Type


# ── statements ──


@frozen(kw_only=True)
class Let(Node):
    """`let x = e`"""

    name: Name
    value: Expr


@frozen(kw_only=True)
class LocalVar(Node):
    """`var x: T = e` in a block"""

    name: Name
    type: Type | None
    value: Expr


@frozen(kw_only=True)
class Assign(Node):
    """`x := e`, `+=`, `-=`"""

    target: Expr
    op: str
    value: Expr


@frozen(kw_only=True)
class CallStatement(Node):
    """A rule called as a statement; the expression is a `Call` or a bare `proceed`"""

    call: Expr


@frozen(kw_only=True)
class Move(Node):
    """`move CARDS to Z`, `move CARDS under Z`"""

    cards: Expr
    to: Expr
    under: bool = False


@frozen(kw_only=True)
class Deal(Node):
    """`deal N from Z to W [for binders]`; count `None` is `all`"""

    count: Expr | None
    source: Expr
    to: Expr
    binders: Binders | None = None


@frozen(kw_only=True)
class Verb(Node):
    """`shuffle z`, `reveal c`, `roll d`, `eliminate p`"""

    verb: str
    operand: Expr


@frozen(kw_only=True)
class Show(Node):
    """`show c to p`"""

    cards: Expr
    to: Expr


@frozen(kw_only=True)
class Return(Node):
    value: Expr


@frozen(kw_only=True)
class End(Node):
    """`end R`"""

    rule: Name


@frozen(kw_only=True)
class Block(Node):
    """What stands after `:`: one statement or an indented list of them"""

    statements: tuple[Statement, ...]


@frozen(kw_only=True)
class If(Node):
    """`if c: … otherwise if d: … otherwise: …`: `branches` are the conditions with their blocks"""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None = None


@frozen(kw_only=True)
class While(Node):
    condition: Expr
    body: Block


@frozen(kw_only=True)
class For(Node):
    binders: Binders
    body: Block


@frozen(kw_only=True)
class Repeat(Node):
    count: Expr
    body: Block


@frozen(kw_only=True)
class Chance(Node):
    """`chance` as the subject of a choice"""


@frozen(kw_only=True)
class Each(Node):
    """`each p in source` as the subject of a choice"""

    range: Range


@frozen(kw_only=True)
class Pick(Node):
    """`c in S, … [where …]`: one combination is chosen"""

    binders: Binders


@frozen(kw_only=True)
class PickSeveral(Node):
    """`3 gifts in S`, `0..3 xs in S`; `most` is None where one number is written"""

    least: Expr
    most: Expr | None
    name: Name
    source: Expr


@frozen(kw_only=True)
class MenuLine(Node):
    """`"label" [for binders | when condition] [: block]`"""

    label: Text
    binders: Binders | None = None
    condition: Expr | None = None
    body: Block | None = None


@frozen(kw_only=True)
class Menu(Node):
    lines: tuple[MenuLine, ...]


@frozen(kw_only=True)
class Choose(Node):
    """`SUBJECT chooses|may choose ["prompt"] pick: block [otherwise: block]`; for a menu `body` is None"""

    subject: Expr | Chance | Each
    optional: bool
    prompt: Text | None
    what: Pick | PickSeveral | Menu
    body: Block | None
    otherwise: Block | None = None


@frozen(kw_only=True)
class MayDo(Node):
    """`p may "label": block [otherwise: block]`"""

    subject: Expr
    label: Text
    body: Block
    otherwise: Block | None = None


Statement = (
    Let | LocalVar | Assign | CallStatement | Move | Deal | Verb | Show | Return | End | If | While | For | Repeat | Choose | MayDo
)  # fmt: skip


# ── declarations ──


@frozen(kw_only=True)
class Declaration(Node):
    """Something a file declares; `doc` is the rulebook text (`##`) on the lines before it, `doc_span` where that stands."""

    doc: str | None = None


@frozen(kw_only=True)
class Use(Declaration):
    module: Name


@frozen(kw_only=True)
class Member(Node):
    """`Clubs "♣"`; if the name is a kind's, its members are taken in"""

    name: Name
    display: Text | None = None


@frozen(kw_only=True)
class Kind(Declaration):
    name: Name
    members: tuple[Member, ...]


@frozen(kw_only=True)
class Card(Declaration):
    name: Name
    attributes: tuple[Param, ...]


@frozen(kw_only=True)
class TimedAbility(Node):
    """`summon "text": block`"""

    timing: Name
    text: Text
    body: Block


@frozen(kw_only=True)
class StandingAbility(Node):
    """`always "text": attachments`; with `zones`, `while in z or w "text": attachments`"""

    zones: tuple[Name, ...] | None
    text: Text
    attachments: tuple[Attachment, ...]


Ability = TimedAbility | StandingAbility


@frozen(kw_only=True)
class Row(Node):
    """A row of a card table or of a legend: cells are names, numbers, texts, flags, none or lists"""

    cells: tuple[Expr, ...]
    binders: Binders | None = None
    abilities: tuple[Ability, ...] = ()


@frozen(kw_only=True)
class Cards(Declaration):
    """`cards T in zone:` header row, rows; `zone` is None only in `change cards T:`"""

    card: Name
    zone: Name | None
    columns: tuple[Name, ...]
    rows: tuple[Row, ...]


@frozen(kw_only=True)
class Zone(Declaration):
    """`zone z[player]: private set of Card by attr`; visibility is `hidden`, `private`, `open` or `top open`"""

    name: Name
    indexes: tuple[Name, ...]
    visibility: str
    shape: str
    of: Name
    by: Name | None = None


@frozen(kw_only=True)
class Var(Declaration):
    """`[private|hidden] var v[T]: type = e`; visibility None is plain"""

    name: Name
    indexes: tuple[Name, ...]
    visibility: str | None
    type: Type | None
    value: Expr | None


@frozen(kw_only=True)
class Option(Declaration):
    """`option o: T = e in R: "what"`; inside `change`, `range` and `text` may be missing: they stay as they were"""

    name: Name
    type: Type | None
    value: Expr
    range: Expr | None
    text: Text | None


@frozen(kw_only=True)
class Dice(Declaration):
    """`dice d: count of faces`"""

    name: Name
    count: Expr
    faces: Expr


@frozen(kw_only=True)
class StepsPattern(Node):
    """`steps orthogonal`, `steps diagonal`, `steps hexagonal`; `steps right` and its like lead one way only"""

    pattern: str


@frozen(kw_only=True)
class StepsAlong(Node):
    """`steps along "-|"`: lines drawn on the map"""

    signs: Text


@frozen(kw_only=True)
class StepsRule(Node):
    """`steps from a to b where C`"""

    start: Name
    end: Name
    where: Expr


@frozen(kw_only=True)
class Link(Node):
    """`Well: Orchard, Mill`: the first space is joined with the others"""

    start: Name
    ends: tuple[Name, ...]


@frozen(kw_only=True)
class Board(Declaration):
    """A map of `rows`, or a table of named `spaces`; `columns` are those of the legend or of that table"""

    name: Name
    attributes: tuple[Param, ...]
    rows: tuple[Text, ...]
    columns: tuple[Name, ...]
    legend: tuple[Row, ...]
    blocked: Text | None
    walls: Text | None
    spaces: tuple[Row, ...]
    links: tuple[Link, ...]
    steps: tuple[StepsPattern | StepsAlong | StepsRule, ...]


@frozen(kw_only=True)
class Define(Declaration):
    name: Name
    params: tuple[Param, ...]
    result: Type | None
    value: Value
    for_tests: bool = False


@frozen(kw_only=True)
class ScoreLine(Node):
    """`"Name" [when C]: value`"""

    label: Text
    condition: Expr | None
    value: Value


@frozen(kw_only=True)
class Scoring(Declaration):
    param: Name
    lines: tuple[ScoreLine, ...]


@frozen(kw_only=True)
class Rule(Declaration):
    """`rule r(x: T) [-> T]: block`; without a body it is an event"""

    name: Name
    params: tuple[Param, ...]
    result: Type | None
    body: Block | None
    for_tests: bool = False


@frozen(kw_only=True)
class Head(Node):
    """`R(pattern, …)` after before/after/instead of; the name may be a built-in event's: move, shuffle, reveal, roll, eliminate"""

    name: Name
    patterns: tuple[Expr, ...]


@frozen(kw_only=True)
class Attachment(Declaration):
    """`before|after|instead of HEAD [where C] ["text"] : block` or, for `instead`, `= value`; `when` is before, after or instead"""

    when: str
    head: Head
    where: Expr | None
    text: Text | None
    body: Block | None
    value: Value | None


@frozen(kw_only=True)
class Timing(Declaration):
    """`timing t: [while in z or w,] [owner may,] before|after HEAD [where C]`"""

    name: Name
    zones: tuple[Name, ...] | None
    owner: Expr | None
    when: str
    head: Head
    where: Expr | None


@frozen(kw_only=True)
class Ending(Declaration):
    name: Name
    after: Head | None
    condition: Expr
    text: Text


@frozen(kw_only=True)
class Invariant(Declaration):
    text: Text
    value: Value


@frozen(kw_only=True)
class GameProperty(Declaration):
    """`property "…" after HEAD: C`, or `property "…": eventually|never|sometimes C`"""

    text: Text
    after: Head | None
    how_often: str | None
    value: Value


@frozen(kw_only=True)
class WhenBlock(Declaration):
    condition: Expr
    items: tuple[Item, ...]


@frozen(kw_only=True)
class ChangedKind(Declaration):
    """`kind K: A, ..., B` in a change; `...` stands for the members it had that are not named"""

    name: Name
    members: tuple[Member | Rest, ...]


@frozen(kw_only=True)
class Change(Declaration):
    """`change DECLARATION`"""

    item: Option | ChangedKind | Zone | Cards | Define | Rule | Scoring | Ending | Timing | Attachment | Test | ChangedPreset


@frozen(kw_only=True)
class Remove(Declaration):
    """`remove ending|scoring|invariant|property|test|preset NAME-or-text`"""

    what: str
    name: Name | Text


@frozen(kw_only=True)
class RemoveAttachment(Declaration):
    """`remove before|after|instead of HEAD [where C] ["text"]`"""

    when: str
    head: Head
    where: Expr | None
    text: Text | None


@frozen(kw_only=True)
class RemoveAbility(Declaration):
    """`remove ability "text" of "Card"`"""

    text: Text
    card: Text


@frozen(kw_only=True)
class Setting(Node):
    """`option = value`"""

    name: Name
    value: Expr


@frozen(kw_only=True)
class Preset(Declaration):
    """`preset "Name": "sentence"`, and the options it sets"""

    name: Text
    text: Text
    settings: tuple[Setting, ...]


@frozen(kw_only=True)
class ChangedPreset(Declaration):
    """After `change`: `preset "Name": ["sentence"]`; what is not written stays"""

    name: Text
    text: Text | None
    settings: tuple[Setting, ...]


# ── tests ──


@frozen(kw_only=True)
class GivenPlayers(Node):
    count: Number


@frozen(kw_only=True)
class GivenSeed(Node):
    """`given chance from seed 42`"""

    seed: Number


@frozen(kw_only=True)
class GivenOption(Node):
    name: Name
    value: Expr


@frozen(kw_only=True)
class GivenValue(Node):
    """`given PLACE = value`"""

    target: Expr
    value: Expr


@frozen(kw_only=True)
class GivenRoll(Node):
    """`given DICE rolls 4, 4`"""

    dice: Expr
    values: tuple[Expr, ...]


@frozen(kw_only=True)
class GivenChance(Node):
    """`given chance chooses x, y`"""

    values: tuple[Expr, ...]


@frozen(kw_only=True)
class WhenRule(Node):
    call: Expr


@frozen(kw_only=True)
class WhenChooses(Node):
    player: Expr
    values: tuple[Expr, ...]


@frozen(kw_only=True)
class WhenDeclines(Node):
    player: Expr


@frozen(kw_only=True)
class Expect(Node):
    condition: Expr


@frozen(kw_only=True)
class ExpectAmong(Node):
    """`expect P chooses among [..]`"""

    player: Expr
    options: Expr


@frozen(kw_only=True)
class ExpectRefused(Node):
    """`expect P cannot choose v because "words"`"""

    player: Expr
    value: Expr
    because: Text | None


@frozen(kw_only=True)
class ExpectBound(Node):
    """`expect P cannot decline`"""

    player: Expr


@frozen(kw_only=True)
class ExpectSeen(Node):
    """`expect P sees PLACE as VALUE`; the name `hidden` stands for what he does not know"""

    player: Expr
    place: Expr
    value: Expr


@frozen(kw_only=True)
class ExpectHeard(Node):
    """`expect P hears "words"`, `expect P does not hear "words"`"""

    player: Expr
    words: Text
    heard: bool


TestLine = (
    GivenPlayers | GivenSeed | GivenOption | GivenValue | GivenRoll | GivenChance | WhenRule | WhenChooses | WhenDeclines
    | Expect | ExpectAmong | ExpectRefused | ExpectBound | ExpectSeen | ExpectHeard
)  # fmt: skip


@frozen(kw_only=True)
class CaseTable(Node):
    """`cases:` at the top of a test: a header row, and a row for each time it is run"""

    columns: tuple[Name, ...]
    rows: tuple[Row, ...]


@frozen(kw_only=True)
class Test(Declaration):
    name: Text
    lines: tuple[TestLine, ...]
    cases: CaseTable | None = None


Item = (
    Use | Kind | Card | Cards | Zone | Var | Option | Dice | Board | Timing | Define | Rule | Attachment | Scoring
    | Ending | Invariant | GameProperty | Test | WhenBlock | Change | Remove | RemoveAttachment | RemoveAbility | Preset
)  # fmt: skip


# ── files ──


@frozen(kw_only=True)
class GameHeader(Node):
    """`game "N" for 2..4 players`"""

    name: Text
    players: Expr


@frozen(kw_only=True)
class ModuleHeader(Node):
    name: Text


@frozen(kw_only=True)
class VariantHeader(Node):
    """`variant "N" of base`, `variant "N" of base for 2..8 players`"""

    name: Text
    base: Name
    players: Expr | None = None


@frozen(kw_only=True)
class TestsHeader(Node):
    """`tests of game`"""

    base: Name


@frozen(kw_only=True)
class Comment(Node):
    """`# remark` or `## rulebook text`, as written; `alone` when nothing precedes it on its line"""

    text: str
    alone: bool


@frozen(kw_only=True)
class File(Node):
    source: Source = field(eq=False, repr=False)
    header: GameHeader | ModuleHeader | VariantHeader | TestsHeader
    doc: str | None
    items: tuple[Item, ...]
    comments: tuple[Comment, ...] = field(eq=False, repr=False)
