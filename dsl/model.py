"""Checked rules: what the checker makes of a composed game, and what the interpreter lowers.

Names are resolved to the objects here, every expression has its type, and whatever the text leaves to the reader (a zone
read as its cards, a quoted text that means a card, a member of a kind used where the bigger kind stands) is explicit.
Declarations are compared by identity; expressions and statements are immutable.

**Values** at run time: `number` int · `flag` bool · `text` str · `player` int, the seat from 0 · a kind's member int, its
order from 0 (a bigger kind numbers its members anew: `Widen`) · a card its slot, an int · a zone its number, an int ·
a board's space its number, an int · a list a tuple · `none` None.
"""

from __future__ import annotations

from attrs import Factory, define, evolve, field, frozen

from dsl import ast, types
from dsl.source import Span
from dsl.types import Type

# ── declarations ──


@define(eq=False)
class Declared:
    """`name` as written; `id` unique in the game (`file.name`)."""

    name: str
    id: str
    span: Span
    doc: str | None = field(default=None, kw_only=True)


@define(eq=False)
class Local:
    """A parameter, a binder, a `let` or a `var` of a block, `self` or `owner`."""

    name: str
    type: Type
    span: Span
    mutable: bool = False


@define(eq=False)
class Kind(Declared):
    """`members` in order; `taken` maps the id of a kind taken in to the offset of its first member."""

    members: list[tuple[str, str]] = Factory(list)
    """name and text to show"""
    taken: dict[str, int] = Factory(dict)

    @property
    def type(self) -> types.KindType:
        return types.KindType(self.id, self.name)


@define(eq=False)
class Column:
    """An attribute of cards or spaces."""

    name: str
    type: Type
    span: Span


@define(eq=False)
class CardType(Declared):
    attributes: list[Column] = Factory(list)
    designs: list[Design] = Factory(list)

    @property
    def type(self) -> types.CardType:
        return types.CardType(self.id, self.name)


@define(eq=False)
class Design:
    """One design of a card: `copies` cards of it start in `zone`, in table order (top first in a pile)."""

    name: str
    values: tuple[object, ...]
    """of the attributes, in their order, as run-time values"""
    copies: int
    zone: Zone
    span: Span
    texts: tuple[str, ...] = ()
    """what its abilities say, with the word before them: `summon: Gain 1 life`"""


IndexType = types.Type
"""What indexes a family: PLAYER, a KindType or a SpaceType."""


@define(eq=False)
class Zone(Declared):
    """`indexes` are empty for a single zone. `visibility`: hidden, private, open, top open. `shape`: pile, row, set."""

    indexes: list[IndexType] = Factory(list)
    visibility: str = "open"
    shape: str = "pile"
    of: CardType | None = None
    by: Column | None = None


@define(eq=False)
class Variable(Declared):
    """A variable or a family of them. `visibility`: open, private, hidden. `value` None: `setup` sets it."""

    indexes: list[IndexType] = Factory(list)
    visibility: str = "open"
    type: Type = types.UNKNOWN
    value: Expr | None = None


@define(eq=False)
class Option(Declared):
    """`value` is the one in force, `default` what the file says; `allowed` the values in range, None if there is no range."""

    type: Type = types.UNKNOWN
    value: object = None
    default: object = None
    allowed: tuple[object, ...] | None = None
    text: str = ""


@define(eq=False)
class Dice(Declared):
    count: int = 1
    faces: tuple[int, ...] = ()


@define(eq=False)
class Board(Declared):
    """`spaces` in row order (left to right, top to bottom); `grid` finds the space of (column, row), both from 0. Named spaces lie
    in one row of the grid, in the order of their table."""

    attributes: list[Column] = Factory(list)
    spaces: list[Space] = Factory(list)
    grid: dict[tuple[int, int], int] = Factory(dict)
    neighbours: list[tuple[int, ...]] = Factory(list)
    """of each space the spaces one step away, each once, in board order"""
    ways: dict[str, list[int | None]] = Factory(dict)
    """by direction, of each space the space one step away"""
    size: tuple[int, int] = (0, 0)
    """columns and rows"""
    directions: tuple[str, ...] = ()
    """those that the steps have"""
    hexagonal: bool = False
    named: tuple[str, ...] | None = None
    """names of the spaces, where it is no map"""
    picture: tuple[str, ...] = ()
    """the rows of the map as drawn"""
    drawn: str = ""
    """the signs on it that draw lines"""
    spread: bool = False
    """only every second sign of a row, and every second row, is a space; between them there are walls"""

    @property
    def type(self) -> types.SpaceType:
        return types.SpaceType(self.id, self.name)


@frozen
class Space:
    column: int
    row: int
    sign: str
    values: tuple[object, ...]
    name: str = ""


@define(eq=False)
class Define(Declared):
    """A named value. `attachments` (all `instead`, with a value) are in `Game.attachments`."""

    params: list[Local] = Factory(list)
    result: Type = types.UNKNOWN
    value: Expr | None = None
    for_tests: bool = False


@define(eq=False)
class Rule(Declared):
    """`body` None: an event. `result` None: no result."""

    params: list[Local] = Factory(list)
    result: Type | None = None
    body: Block | None = None
    for_tests: bool = False


@define(eq=False)
class BuiltinEvent:
    """move(card, from, to) · shuffle(zone) · reveal(card) · roll(dice) · eliminate(player): what the verbs do, one event a card.

    Heads of `move` take a zone, or a family with its indexes, where a zone stands."""

    name: str


BUILTIN_EVENTS = {name: BuiltinEvent(name) for name in ("move", "shuffle", "reveal", "roll", "eliminate")}


@frozen
class Bind:
    """The argument gets a name."""

    local: Local


@frozen
class Match:
    """The argument must equal the value (the fixed part may use `self`, `owner` and binders to its left)."""

    value: Expr


@frozen
class Ignore:
    """`_`"""


@frozen
class MatchZone:
    """For a zone argument of `move` or `shuffle`: the zone must be one of the family; `indexes` may be fewer than it has."""

    zone: Zone
    indexes: tuple[Expr, ...]


Pattern = Bind | Match | Ignore | MatchZone


@define(eq=False)
class Attachment:
    """Something to do before, after or instead of a rule, a define or a built-in event.

    `rank`: where the text stands, for precedence: (0, i) module i, (1, 0) the game, (2, i) `when` block i, (3, i) variant i
    in the order named; a card's abilities keep the rank of their table but are ordered among themselves (see `carriers`).
    `order` numbers attachments of one rank in text order.
    `carriers`: None for one outside a card; else the designs that carry it, `self_card` then being the card and `owner_player` its
    owner (None if neither head, guard nor body mentions it). `zones`: it works only while the card is in one of these families.
    `optional`: the owner may (from a timing)."""

    when: str
    target: Rule | Define | BuiltinEvent
    patterns: tuple[Pattern, ...]
    where: Expr | None
    text: str
    body: Block | None
    value: Expr | None
    span: Span
    rank: tuple[int, int]
    order: int
    carriers: tuple[Design, ...] | None = None
    zones: tuple[Zone, ...] | None = None
    self_card: Local | None = None
    owner_player: Local | None = None
    optional: bool = False


@frozen
class ScoreLine:
    label: str
    condition: Expr | None
    value: Expr
    span: Span


@define(eq=False)
class Scoring:
    param: Local
    lines: list[ScoreLine]


@define(eq=False)
class Ending(Declared):
    """`after`: judged when a call of that rule (or event) is over, with what its head binds; else at once, whenever it is true."""

    condition: Expr | None = None
    text: str = ""
    after: Rule | BuiltinEvent | None = None
    patterns: tuple[Pattern, ...] = ()


@frozen
class Invariant:
    text: str
    value: Expr
    span: Span


@frozen(eq=False)
class GameProperty:
    """What must be true of whole games. `kind`: `after` a call of a rule or event (`after`, whose arguments `patterns` bind), at the
    `end` of the game; `eventually`, `never` and `sometimes` speak of all moments at which somebody is asked, and of the end.

    `decisions`: in all but the first, the number of decisions made so far, as a parameter of `value`."""

    text: str
    kind: str
    value: Expr
    span: Span
    after: Rule | BuiltinEvent | None = None
    patterns: tuple[Pattern, ...] = ()
    decisions: Local | None = None


@frozen
class Preset:
    """Values of options under a name: as in an option's `value`, members by their names."""

    name: str
    text: str
    doc: str | None
    values: tuple[tuple[str, object], ...]
    span: Span


@define(eq=False)
class Game:
    """A checked, composed game with its options fixed.

    The fixed names: `setup`, `game` are rules, `winners` a define without parameters; `turn` (if any) a rule whose first
    parameter is the active player."""

    name: str
    id: str
    span: Span
    doc: str | None
    players: tuple[int, ...]
    variants: tuple[str, ...] = ()
    kinds: list[Kind] = Factory(list)
    card_types: list[CardType] = Factory(list)
    zones: list[Zone] = Factory(list)
    variables: list[Variable] = Factory(list)
    options: list[Option] = Factory(list)
    dice: list[Dice] = Factory(list)
    boards: list[Board] = Factory(list)
    defines: list[Define] = Factory(list)
    rules: list[Rule] = Factory(list)
    attachments: list[Attachment] = Factory(list)
    scoring: list[Scoring] = Factory(list)
    endings: list[Ending] = Factory(list)
    invariants: list[Invariant] = Factory(list)
    properties: list[GameProperty] = Factory(list)
    tests: list[Test] = Factory(list)
    helpers: list[Define | Rule] = Factory(list)
    """what is declared for tests"""
    setup: Rule | None = None
    main: Rule | None = None
    turn: Rule | None = None
    winners: Define | None = None
    presets: tuple[Preset, ...] = ()
    tested: bool = False
    """with its helpers among the defines and rules, to be judged by its invariants and properties: see `for_tests`"""

    def for_tests(self) -> Game:
        """The same rules with what belongs to testing; it plays in the same way."""
        if self.tested:
            return self
        return evolve(
            self,
            defines=self.defines + [helper for helper in self.helpers if isinstance(helper, Define)],
            rules=self.rules + [helper for helper in self.helpers if isinstance(helper, Rule)],
            tested=True,
        )


# ── expressions: each has a type and a span ──


@frozen(kw_only=True)
class Expr:
    type: Type
    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Literal(Expr):
    """A number, flag, text, `none`, or a kind's member as its order."""

    value: object


@frozen(kw_only=True)
class LocalRef(Expr):
    local: Local


@frozen(kw_only=True)
class OptionRef(Expr):
    option: Option


@frozen(kw_only=True)
class VarRef(Expr):
    """A variable, all indexes given."""

    variable: Variable
    indexes: tuple[Expr, ...]


@frozen(kw_only=True)
class VarFamily(Expr):
    """A family with fewer indexes than it has, read as the list of its values in index order."""

    variable: Variable
    indexes: tuple[Expr, ...]


@frozen(kw_only=True)
class DiceRef(Expr):
    """The numbers since the last roll: a list; a fault before the first."""

    dice: Dice


@frozen(kw_only=True)
class ZoneRef(Expr):
    """A place, all indexes given; its type is a ZoneType."""

    zone: Zone
    indexes: tuple[Expr, ...]


@frozen(kw_only=True)
class ZoneFamily(Expr):
    """A family with fewer indexes, read as the list of all its cards, zone after zone; its type is a list."""

    zone: Zone
    indexes: tuple[Expr, ...]


@frozen(kw_only=True)
class CardsIn(Expr):
    """A place read as the list of its cards now: piles from the top, rows from the left, sets in card order."""

    zone: Expr


@frozen(kw_only=True)
class AllCards(Expr):
    """A card type read as the list of all its cards, wherever they are."""

    card_type: CardType


@frozen(kw_only=True)
class Members(Expr):
    """A kind read as the list of its members."""

    kind: Kind


@frozen(kw_only=True)
class Spaces(Expr):
    """A board read as the list of its spaces."""

    board: Board


@frozen(kw_only=True)
class SpaceAt(Expr):
    """`Board[column][row]`; a fault if there is no such space."""

    board: Board
    column: Expr
    row: Expr


@frozen(kw_only=True)
class Widen(Expr):
    """A member of a kind as a member of the bigger kind that took it in: add the offset (also inside `T?` and lists)."""

    value: Expr
    offset: int


@frozen(kw_only=True)
class CardNamed(Expr):
    """A quoted name where a card itself is wanted: any copy not yet used in this test or call."""

    design: str
    card_type: CardType


@frozen(kw_only=True)
class Attribute(Expr):
    """An attribute of a card or a space; `column` is its number."""

    of: Expr
    column: int


@frozen(kw_only=True)
class Property(Expr):
    """A built-in property, by the type of `of`:

    zones: top, bottom, first, last (of nothing: a fault), size · lists: first, last, size · cards: name (text), zone, owner,
    position · players: left, right, name · members of a kind: order (number from 1), name · spaces: column, row, order (from 1),
    name, neighbours, rays, and the directions (a space or none)."""

    of: Expr
    name: str


@frozen(kw_only=True)
class Binary(Expr):
    """`+ - * / mod` on numbers (`+` also joins lists), `and or` on flags, `< <= > >=` on numbers and members."""

    op: str
    left: Expr
    right: Expr


@frozen(kw_only=True)
class Not(Expr):
    value: Expr


@frozen(kw_only=True)
class Negate(Expr):
    value: Expr


@frozen(kw_only=True)
class Is(Expr):
    """Equality. `how`: `same` compares the values; `design` compares a card on the left (or none) with the design named on the
    right (a text Literal); `list` in order; `bag` in any order. In the last two, if `designs`, the right is a list of design
    names (text Literals) to compare with the cards on the left by name."""

    left: Expr
    right: Expr
    how: str
    designs: bool = False


@frozen(kw_only=True)
class IsIn(Expr):
    """Membership. `designs`: the right is a list of design names, the left a card. A zone on the right is a CardsIn."""

    left: Expr
    right: Expr
    designs: bool = False


@frozen(kw_only=True)
class IsEmpty(Expr):
    """Of a zone (a place: no CardsIn around it) or a list."""

    value: Expr


@frozen(kw_only=True)
class Choice(Expr):
    """`value when condition otherwise other`, and each case of a define."""

    value: Expr
    condition: Expr
    otherwise: Expr


@frozen(kw_only=True)
class LetIn(Expr):
    local: Local
    value: Expr
    body: Expr


@frozen(kw_only=True)
class Numbers(Expr):
    """`a..b`: the numbers from a to b as a list; empty if a > b."""

    low: Expr
    high: Expr


@frozen(kw_only=True)
class ItemOf(Expr):
    """`list[n]`: the element at this place, from 1; of a zone the card at this position. A fault if there is none."""

    of: Expr
    number: Expr


@frozen(kw_only=True)
class Items(Expr):
    """`[a, b]`; with `rest` (tests only) the rest of the pile stays below."""

    items: tuple[Expr, ...]
    rest: bool = False


@frozen(kw_only=True)
class Binding:
    """`local in source`; later sources may use earlier locals."""

    local: Local
    source: Expr


@frozen(kw_only=True)
class Binders:
    bindings: tuple[Binding, ...]
    where: Expr | None


@frozen(kw_only=True)
class Query(Expr):
    """A loop over binders. `how`:

    count · any · list, sum, max, min (of `value` for each; max and min of nothing are faults) · lowest, highest (the list of
    the elements of the one binder that tie by `keys`, in source order)."""

    how: str
    binders: Binders
    value: Expr | None = None
    keys: tuple[Expr, ...] = ()


@frozen(kw_only=True)
class Fold(Expr):
    """sum, max, min of a list as it is (`sum(pair)`); max and min of nothing are faults."""

    how: str
    list: Expr


@frozen(kw_only=True)
class Reach(Expr):
    """Ends of simple walks from `start` (a space, none or a list of spaces) in which every entered space (`space`) as step number
    `step` satisfies `where`; in board order. `steps`: a number, a list of numbers, or None for any number, 0 included.
    `step_source` is the list `step` runs over (`1..n`)."""

    board: Board
    start: Expr
    steps: Expr | None
    space: Local
    step: Local | None
    step_source: Expr | None
    where: Expr | None


@frozen(kw_only=True)
class Distance(Expr):
    """Steps of the shortest walk from `start` to `end` in which every entered space satisfies `where`; a fault if there is none."""

    board: Board
    start: Expr
    end: Expr
    space: Local | None
    where: Expr | None


@frozen(kw_only=True)
class Between(Expr):
    """The spaces between two in one straight line, from `start` on; none if they are not in one."""

    board: Board
    start: Expr
    end: Expr


@frozen(kw_only=True)
class SpaceSets(Expr):
    """Lists of the spaces (`space`) that satisfy `where`. `how`: `lines` of `length` spaces, or the longest ones if it is None ·
    `groups` that hang together."""

    how: str
    board: Board
    length: Expr | None
    space: Local
    where: Expr | None


@frozen(kw_only=True)
class CallDefine(Expr):
    define: Define
    arguments: tuple[Expr, ...]


@frozen(kw_only=True)
class Proceed(Expr):
    """The rest of the chain; bare (None) with the same arguments. In a value, and as a statement's call."""

    arguments: tuple[Expr, ...] | None


@frozen(kw_only=True)
class Builtin(Expr):
    """players, seats, active (player?: none where no turn runs), turn_order(p), others(p), score(p), same(a, b) [flag: equal in any order;
    `Is` with how `bag`, so not here]; in tests: sees(p, c), result, finished."""

    name: str
    arguments: tuple[Expr, ...] = ()


@frozen(kw_only=True)
class Template(Expr):
    """A text with holes: `parts` are pieces of text and expressions, shown as a person reads them."""

    parts: tuple[str | Expr, ...]


# ── marks: put in by `interpreter/coverage.py`, never by the checker ──


@frozen(kw_only=True)
class Marked(Expr):
    """The value; that it was wanted is noted under the number."""

    value: Expr
    number: int


@frozen(kw_only=True)
class Judged(Expr):
    """The flag; that it was `yes`, or `no`, is noted under these numbers."""

    value: Expr
    yes: int
    no: int


# ── statements ──


@frozen(kw_only=True)
class Statement:
    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Block:
    statements: tuple[Statement, ...]


@frozen(kw_only=True)
class Mark(Statement):
    """Notes under the number that it was run. Put in by `interpreter/coverage.py`, never by the checker."""

    number: int


@frozen(kw_only=True)
class SetLocal(Statement):
    """`let x = e`, `var x = e`, `x := e` (`+=` and `-=` are spelt out)."""

    local: Local
    value: Expr


@frozen(kw_only=True)
class SetVar(Statement):
    """`v[i] := e`"""

    variable: Variable
    indexes: tuple[Expr, ...]
    value: Expr


@frozen(kw_only=True)
class CallRule(Statement):
    """A rule called; its result goes to `into` (a Local, or a VarRef assigned), None if it is not wanted."""

    rule: Rule
    arguments: tuple[Expr, ...]
    into: Local | VarRef | None = None


@frozen(kw_only=True)
class ProceedStatement(Statement):
    """`proceed` or `proceed(…)` as a statement; the result of a rule's chain may go to `into`."""

    arguments: tuple[Expr, ...] | None
    into: Local | VarRef | None = None


@frozen(kw_only=True)
class Move(Statement):
    """`cards` is a card or a list of cards; `to` a place."""

    cards: Expr
    to: Expr
    under: bool


@frozen(kw_only=True)
class Deal(Statement):
    """`count` None: all. Without binders all go to one place."""

    count: Expr | None
    source: Expr
    to: Expr
    binders: Binders | None


@frozen(kw_only=True)
class Shuffle(Statement):
    zone: Expr


@frozen(kw_only=True)
class Reveal(Statement):
    """A card or a list of cards shown to all."""

    cards: Expr


@frozen(kw_only=True)
class Show(Statement):
    """A card or a list of cards shown to a player or a list of players."""

    cards: Expr
    to: Expr


@frozen(kw_only=True)
class Roll(Statement):
    dice: Dice


@frozen(kw_only=True)
class Eliminate(Statement):
    player: Expr


@frozen(kw_only=True)
class If(Statement):
    condition: Expr
    body: Block
    otherwise: Block | None


@frozen(kw_only=True)
class While(Statement):
    condition: Expr
    body: Block


@frozen(kw_only=True)
class For(Statement):
    binders: Binders
    body: Block


@frozen(kw_only=True)
class Repeat(Statement):
    count: Expr
    body: Block


@frozen(kw_only=True)
class Return(Statement):
    value: Expr


@frozen(kw_only=True)
class End(Statement):
    rule: Rule


@frozen(kw_only=True)
class EachPlayer:
    """`each p in source`: everybody answers in secret, then the blocks run in seat order."""

    local: Local
    source: Expr


@frozen(kw_only=True)
class ByChance:
    pass


@frozen(kw_only=True)
class PickOne:
    """One combination of the binders' values."""

    binders: Binders


@frozen(kw_only=True)
class PickSeveral:
    """A list of `least`..`most` different elements of `source`, clamped to what is there."""

    least: Expr
    most: Expr
    local: Local
    source: Expr


@frozen(kw_only=True)
class MenuLine:
    """One option, or with `binders` one for each combination; `body` None does nothing."""

    label: Template
    binders: Binders | None
    condition: Expr | None
    body: Block | None
    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class Menu:
    lines: tuple[MenuLine, ...]


@frozen(kw_only=True)
class Choose(Statement):
    """`subject` an Expr (a player), EachPlayer or ByChance. `optional`: may decline. `otherwise` runs when declined, when there is
    nothing to choose, or when the subject is out. `body` for a pick; a menu's lines have their own."""

    subject: Expr | EachPlayer | ByChance
    optional: bool
    prompt: Template | None
    what: PickOne | PickSeveral | Menu
    body: Block | None
    otherwise: Block | None


@frozen(kw_only=True)
class MayDo(Statement):
    """`p may "label": … otherwise: …`"""

    subject: Expr
    label: Template
    body: Block
    otherwise: Block | None


# ── tests ──


@frozen(kw_only=True)
class GivenPlayers(Statement):
    count: int


@frozen(kw_only=True)
class GivenSeed(Statement):
    seed: int


@frozen(kw_only=True)
class GivenZone(Statement):
    """`value` is the exact content (an Items of CardNamed, perhaps with `rest`, or any list of cards)."""

    zone: Expr
    value: Expr


@frozen(kw_only=True)
class GivenVar(Statement):
    variable: Variable
    indexes: tuple[Expr, ...]
    value: Expr


@frozen(kw_only=True)
class GivenRoll(Statement):
    dice: Dice
    values: tuple[Expr, ...]


@frozen(kw_only=True)
class GivenChance(Statement):
    """Each value as the chooser would answer: see `Answer`."""

    values: tuple[Answer, ...]


@frozen(kw_only=True)
class Answer:
    """How a test names an option: by label (text) or by value. A quoted text may be either a label or a card's name: it is the
    text here and the decision asked settles it."""

    value: Expr | str
    span: Span = field(eq=False, repr=False)


@frozen(kw_only=True)
class WhenRule(Statement):
    rule: Rule
    arguments: tuple[Expr, ...]


@frozen(kw_only=True)
class WhenChooses(Statement):
    player: Expr
    answers: tuple[Answer, ...]


@frozen(kw_only=True)
class WhenDeclines(Statement):
    player: Expr


@frozen(kw_only=True)
class Expect(Statement):
    condition: Expr


@frozen(kw_only=True)
class ExpectAmong(Statement):
    """`answers` None: the list is computed by `options`."""

    player: Expr
    answers: tuple[Answer, ...] | None
    options: Expr | None


@frozen(kw_only=True)
class ExpectRefused(Statement):
    """`because`: words of the reason."""

    player: Expr
    answer: Answer
    because: str | None


@frozen(kw_only=True)
class ExpectBound(Statement):
    """The player is asked, and must choose."""

    player: Expr


@frozen(kw_only=True)
class ExpectSeen(Statement):
    """`place` is a zone or a variable. Of a zone, `cards` are names of designs (texts) or cards, None for one not known, and `rest`
    allows others after them; `cards` None: every card is unknown. Of a variable, `value`, None if he does not know it."""

    player: Expr
    place: Expr
    cards: tuple[Expr | None, ...] | None = None
    rest: bool = False
    value: Expr | None = None


@frozen(kw_only=True)
class ExpectHeard(Statement):
    player: Expr
    words: str
    heard: bool


@define(eq=False)
class Test:
    """`options` are the values it runs under, where they differ from the game's: the game is composed anew for it; the `lines`
    are checked in that composition. `case`: the number of its row in the table of cases, from 1, and `row` where that stands."""

    name: str
    span: Span
    source: ast.Test
    options: dict[str, object]
    lines: tuple[Statement, ...] = ()
    case: int = 0
    row: Span | None = None

    @property
    def title(self) -> str:
        """Its name and, of one with cases, the number of the case."""
        return f"{self.name} ({self.case})" if self.case else self.name
