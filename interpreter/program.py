"""The lowered program: a checked game for one number of players as plain data.

Names have become numbers: a local is a place in a frame, a variable or a zone a number in the state, a card a slot. What
attaches to what has been worked out. `interpreter/compile.py` makes Python code of it; another backend may do the same.

**Nodes.** Expressions and statements are tuples `(op, place, …)`; `place` indexes `Program.places` (spans of the rules
text). The operations are listed in `OPERATIONS` and `STATEMENTS` below. Values are those of `dsl/model.py`.
"""

from __future__ import annotations

from typing import Any

from attrs import Factory, define, frozen

from dsl.source import Span
from dsl.types import Type

Node = tuple[Any, ...]

OPERATIONS = {
    # leaves
    "const": "value",
    "local": "number: a local of the running rule or a binder",
    "var": "base, ((index, stride, size), …): a variable",
    "vars": "base, ((index, stride, size), …), offsets: a family read as a tuple",
    "zone": "base, ((index, stride, size), …): the number of a zone",
    "cards": "zone expression, reversed: its cards (reversed for piles: top first)",
    "family": "base, ((index, stride, size), …), offsets, reversed: the cards of many zones",
    "all_cards": "card type: all cards of it in play",
    "space_at": "board, column, row",
    "players": "the live seats, in seat order",
    "seats": "all seats",
    "active": "the player whose turn runs, or None",
    # parts
    "attr": "card, table: an attribute of a card",
    "space_attr": "space, table",
    "top": "zone: its last card", "bottom": "zone: its first card",
    "size": "zone", "length": "list",
    "first": "list", "last": "list", "item": "list, number from 0", "nth": "list, number from 1",
    "card_name": "card", "card_zone": "card", "card_owner": "card", "card_position": "card",
    "left": "player", "right": "player", "player_name": "player",
    "order": "member", "member_name": "member, kind",
    # arithmetic and logic
    "add": "a, b", "sub": "a, b", "mul": "a, b", "div": "a, b: rounded down", "mod": "a, b", "neg": "a", "join": "lists a, b",
    "and": "a, b", "or": "a, b", "not": "a",
    "lt": "a, b", "le": "a, b", "gt": "a, b", "ge": "a, b", "eq": "a, b", "ne": "a, b",
    "widen": "value, offset, depth: 0 a member, 1 perhaps none, 2 a list",
    # comparing cards by design
    "is_design": "card, design number or None",
    "same_text": "texts a, b, which may mention cards", "same_list": "a, b", "same_bag": "a, b",
    "same_designs": "cards, names of designs (texts), bag",
    "in_list": "value, list", "in_zone": "card, zone", "in_family": "card, base, ((index, stride, size), …), offsets",
    "in_designs": "card, design numbers",
    "zone_is": "zone, base, ((index, stride, size), …), offsets: is the zone one of these",
    "empty_zone": "zone", "empty_list": "list", "empty_family": "base, ((index, stride, size), …), offsets",
    # control
    "choice": "condition, value, otherwise",
    "let": "local, value, body",
    "range": "low, high",
    "list": "items",
    "query": "how, binders, condition, value, keys, cells: binders are ((local, source), …); cells the locals of `once`",
    "once": "cell local, value: computed when first needed in a query, then kept for the rest of it",
    "fold": "how, list",
    "reach": "board, start, steps, space local, step local, step source, condition, cells",
    "reach_several": "board, list of starts, list of steps, space local, step local, step source, condition, cells",
    "reach_all": "board, list of starts, space local, condition, cells",
    "distance": "board, start, end, space local, condition, cells",
    "between": "board, start, end", "rays": "board, space",
    "lines": "board, length or None, space local, condition, cells", "any_line": "board, length, space local, condition, cells",
    "groups": "board, space local, condition, cells",
    "as_list": "value: a list of it, empty for none",
    "call": "define number, arguments",
    "proceed": "arguments: the rest of the chain of a define",
    "score": "player",
    "text": "parts: texts and (shown as, expression)",
    # coverage only
    "mark": "number, value", "judged": "number if yes, number if no, flag",
    # tests only
    "card_named": "design numbers: a copy not yet used, name",
    "turn_order": "player", "others": "player",
    "sees": "player, card", "result": "", "finished": "",
}  # fmt: skip

STATEMENTS = {
    "mark": "number: of coverage",
    "set": "local, value", "set_var": "base, ((index, stride, size), …), value",
    "call_rule": "rule number, arguments, into: None, ('local', number) or a set_var without its value",
    "proceed_rule": "arguments or None, into",
    "move": "cards, zone, under, many: whether cards is a list",
    "deal": "count or None, source zone, destination, binders, condition, cells",
    "shuffle": "zone", "reveal": "cards, many", "show": "cards, many, players, several",
    "roll": "dice number or None, expression for it", "eliminate": "player",
    "judge": "ending numbers: something they read has changed",
    "if": "condition, block, block or None", "while": "condition, block", "repeat": "count, block, hidden local",
    "for": "binders, condition, cells, block, hidden local for the list, hidden local for the place in it",
    "return": "value", "end": "rule number",
    "choose": "site number, block or None, line blocks, otherwise or None, hidden locals (first number)",
    # of an event: what attaches to a rule, around its body
    "attached": "attachment number: run it if it applies to this call",
    "attached_cards": "rule number, when, hidden local for the list, hidden local for the place in it",
    "abilities": "rule number, site number, when, hidden local for the players, hidden local for what was used",
    "body": "rule number: run the rule itself with this event's arguments",
}  # fmt: skip


@frozen
class ZoneInfo:
    """One concrete zone. `indexes` are values (players, members, spaces); `owner` the player index, None if it has none."""

    family: int
    name: str
    indexes: tuple[int, ...]
    index_types: tuple[Type, ...]
    owner: int | None
    visibility: str
    shape: str
    card_type: int
    by: int | None
    """column that keeps it sorted"""


@frozen
class FamilyInfo:
    """The zones of one declaration: numbers `base` … `base + size - 1`, the last index running fastest."""

    name: str
    base: int
    size: int
    sizes: tuple[int, ...]
    visibility: str
    shape: str
    index_types: tuple[Type, ...]
    doc: str | None
    span: Span


@frozen
class VarInfo:
    """One concrete variable; `owner` is the player index (of a private one: who may see it). `module`: the file of the module that
    declares it, nothing for what the game or a variant declares."""

    family: int
    name: str
    indexes: tuple[int, ...]
    index_types: tuple[Type, ...]
    owner: int | None
    visibility: str
    type: Type
    module: str = ""


@frozen
class DesignInfo:
    name: str
    card_type: int
    values: tuple[object, ...]
    texts: tuple[str, ...]
    """what its abilities say"""


@frozen
class CardTypeInfo:
    name: str
    id: str
    attributes: tuple[tuple[str, Type], ...]
    slots: tuple[int, ...]


@frozen
class KindInfo:
    name: str
    id: str
    members: tuple[tuple[str, str], ...]
    """name and text to show"""


@frozen
class BoardInfo:
    name: str
    id: str
    columns: int
    rows: int
    spaces: tuple[tuple[int, int, str], ...]
    """column, row, sign"""
    names: tuple[str, ...]
    attributes: tuple[tuple[str, Type], ...]
    values: tuple[tuple[object, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[str, tuple[int | None, ...]], ...]
    """of each direction where a step leads from each space"""
    picture: tuple[str, ...] = ()
    """the map as drawn"""
    drawn: str = ""
    """the signs on it that draw lines"""
    spread: bool = False
    """only every second sign of the picture is a space, in rows and columns; walls stand between"""
    hexagonal: bool = False
    named: bool = False


@frozen
class DiceInfo:
    name: str
    count: int
    faces: tuple[int, ...]
    variable: int
    """where the numbers of the last roll are: a variable number"""


@define
class Chain:
    """What attaches to a rule or a define.

    `instead`: attachment numbers, outermost first; None is the group of those carried by cards. `cards[when]` are the
    numbers in the groups, which are put in order when the call comes."""

    instead: tuple[int | None, ...] = ()
    cards: dict[str, tuple[int, ...]] = Factory(dict)


@define
class CodeInfo:
    """A body: of a rule, an event, an attachment, or a value. Locals are numbered from 0, the parameters first."""

    name: str
    place: int
    params: int
    locals: int = 0
    body: tuple[Node, ...] = ()
    value: Node | None = None
    local_names: tuple[str, ...] = ()
    local_types: tuple[Type | None, ...] = ()


@define
class RuleInfo:
    """A rule, or a built-in event as some statements need it (`verb`: its name, with the attachments that can match there).

    A call runs the `instead` chain, then `around` (befores, the body, afters; None if nothing of the kind attaches), then the
    body. `framed`: it may ask, itself or through what it calls or what attaches, so it runs in frames that can stop; else
    it is one step."""

    name: str
    code: CodeInfo
    chain: Chain = Factory(Chain)
    around: CodeInfo | None = None
    verb: str | None = None
    framed: bool = False
    body_framed: bool = False
    """its own body may stop (else only what attaches does)"""
    recursive: bool = False
    has_result: bool = False
    judged: tuple[int, ...] = ()
    """endings judged when a call is over, however it was over"""
    doc: str | None = None


@define
class DefineInfo:
    name: str
    code: CodeInfo
    chain: Chain = Factory(Chain)


@define
class AttachmentInfo:
    """Code attached to a rule or a define. Its first locals are the arguments of the target, then, for one carried by a card, the
    card (`self`) and its owner, and if it is an `instead`, the rest of its group: the candidates and the place among them. The names a head binds are the arguments themselves.

    `self_argument`: the argument the head says is `self`; `owner_argument`: the one it says is `owner`."""

    when: str
    target: int
    on_define: bool
    text: str
    code: CodeInfo
    condition: Node | None
    carriers: frozenset[int] | None = None
    """design numbers"""
    zones: frozenset[int] | None = None
    """the zones it works in; None: wherever the card is"""
    self_argument: int | None = None
    owner_argument: int | None = None
    needs_owner: bool = False
    optional: bool = False
    framed: bool = False
    arguments: int = 0
    condition_locals: int = 0
    place: int = 0


@frozen
class LineInfo:
    """A line of a menu (or the one line of a pick): its label, what it binds and when it is there."""

    label: Node | None
    binders: tuple[tuple[int, Node], ...]
    condition: Node | None
    cells: tuple[int, ...]
    place: int
    types: tuple[Type, ...] = ()


@define
class Site:
    """A place in the rules that asks. `kind`: pick, several, menu, may, abilities.

    `subject`: an expression for the player, None for chance; with `each` (a local and its source) everybody answers in secret.
    A pick or a menu binds the locals of its lines (one line for a pick). `several`: least, most, local, source.
    `plain`: every card offered is unlike the others and seen by the chooser, so the options are simply the values."""

    number: int
    kind: str
    place: int
    rule: str
    prompt: Node | None = None
    subject: Node | None = None
    each: tuple[int, Node] | None = None
    optional: bool = False
    lines: tuple[LineInfo, ...] = ()
    several: tuple[Node, Node, int, Node] | None = None
    element_type: Type | None = None
    plain: bool = False
    hidden: int = 0
    """first of the hidden locals of this choice"""


@frozen
class ScoreLineInfo:
    label: str
    code: CodeInfo
    condition: CodeInfo | None
    zones: frozenset[int]
    """the zones it reads, directly or through defines"""
    variables: frozenset[int]


@frozen
class EndingInfo:
    name: str
    text: str
    code: CodeInfo
    immediate: bool
    zones: frozenset[int]
    variables: frozenset[int]
    roster: bool
    """reads who is in the game"""
    is_property: bool = False
    """it ends nothing: that it is true is a fault of the rules that are being tested"""


@frozen
class PropertyInfo:
    """Something judged at decisions and at the end; its one parameter is the number of decisions made."""

    text: str
    kind: str
    code: CodeInfo


@define
class Program:
    """Everything play needs. Rule 0 … are the game's rules, then the built-in events; `setup`, `main`, `turn` are rule numbers."""

    name: str
    players: int
    places: list[Span]
    zones: list[ZoneInfo]
    families: list[FamilyInfo]
    variables: list[VarInfo]
    initial: list[object]
    """initial values of the variables; `Unset` where setup must set one"""
    initial_code: list[tuple[int, CodeInfo]]
    """variables whose first value is computed at the start"""
    card_types: list[CardTypeInfo]
    designs: list[DesignInfo]
    slots: list[int]
    """design of each slot before faces are dealt anew"""
    start: list[list[int]]
    """slots in each zone at the start"""
    kinds: list[KindInfo]
    boards: list[BoardInfo]
    dice: list[DiceInfo]
    tables: list[tuple[object, ...]]
    """attribute tables: of cards by design, of spaces by space"""
    rules: list[RuleInfo]
    defines: list[DefineInfo]
    attachments: list[AttachmentInfo]
    sites: list[Site]
    endings: list[EndingInfo]
    scoring: list[ScoreLineInfo]
    invariants: list[tuple[str, CodeInfo]]
    """none unless the rules are being tested"""
    setup: int
    main: int
    turn: int | None
    winners: int
    options: tuple[tuple[str, object], ...]
    cards_of: tuple[tuple[int, ...], ...] = ()
    """slots of each card type"""
    blind: bool = False
    """somebody may choose among cards he does not see"""
    table_types: dict[int, int] = Factory(dict)
    """of each table of cards the card type"""
    all_stay: bool = False
    """nobody is ever eliminated"""
    properties: dict[int, PropertyInfo] = Factory(dict)
    """of rules being tested, by their number in the game; those judged after a rule are among the endings, last"""

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(self.players))


class Unset:
    """The value of a variable that `setup` has not set yet."""

    def __repr__(self) -> str:
        return "unset"


UNSET = Unset()
