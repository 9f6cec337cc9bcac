"""Text to syntax tree: every form, the places of nodes, what the words of the language are, limits."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import lark
import pytest
from lark import Lark, TextSlice, Tree
from two_ways import agree, plainly

from dsl import ast, words
from dsl.diagnostics import Report
from dsl.grammar import CACHE_FILE, STARTS, Grammar, grammar, load
from dsl.layout import Layout
from dsl.lexer import scan
from dsl.parse import parse, read, read_expression
from dsl.source import Source

ROOT = Path(__file__).parents[2]
FILES = sorted(p for folder in ("tests/corpus", "stdlib", "games", "examples") for p in (ROOT / folder).rglob("*.cardgame"))

EVERY_FORM = r"""game "All \"forms\" {{" for [2, 4] players

## Of the file.
# a remark between
## Its second line.

use tricks

## Of the kind.
# a remark
kind Suit: Clubs "♣", Hearts
kind All_Suits:
    Suit, Stars "*"
    Moons

card Piece(value: number, who: Suit?, path: list of Suit)
zone deck: hidden pile of Piece
zone hand[player][Suit]: private set of Piece by value
zone up: top open row of Piece
hidden var secret = -3
private var bid[player]: list of number = [1, -2]
var at[Suit]: Suit?
option level: number = 2 in 1..3: "Level"
dice pair: 2 of 1..6

cards Piece in deck:
    name      value  who
    "{s} 1"   -1     s       for s in Suit where s is not Hearts
    "B"       2      none
        summon "Do": refill()
        always "Is": instead of power(self) = proceed + 1
        while in deck or up "Do both":
            before move(self, _, (deck)) where yes: proceed
            instead of power(self) =
                let x = 1
                x    when x > 1
                2    otherwise

board Field(wet: flag):
    map:
        "a.{{"
    legend:
        mark  wet
        "a."  no
        "{{"  yes
    blocked: "#"
    steps orthogonal
    steps from a to b where a.wet

board Village:
    spaces:
        name
        Mill
        Barn
    links:
        Mill: Barn

board Cellar:
    map:
        ". .|."
    walls: "|"
    steps along "-"

timing summon: while in up or deck, owner may, after move(self, _, up) where self.value > 1
timing fresh: before turn(_)

define one(z: zone of Piece, x: number) -> number = (x mod 2) * 3 / 4 - 1
define cases(x: number) =
    let y = x
    y    when y is in [1, 2]
    0    otherwise
define queries(p: player) = sum(c.value for c in hand[p]) + count(c in deck, n in 1..2 where n is 1)
define best(p: player) = lowest(c in deck where c is not in up by c.value, -c.value)

rule event(p: player) -> number
rule every(p: player):
    var n: number = 1
    let m = n when n is 1 otherwise 2
    n += 1
    n -= m
    if n is 1 or n >= 2 and not n < 3: refill()
    otherwise if deck is empty: refill()
    otherwise: end every
    while deck is not empty: move deck.top under deck
    for c in hand[p], d in deck where c is d: show c to p
    repeat 2: shuffle deck
    deal all from deck to hand[p] for p in players
    deal 2 + 1 from deck to up
    reveal deck.top
    roll pair
    eliminate p
    p chooses "a card" c in deck, d in up where c.value is 1: move c to up
    p chooses 2 cs in deck:
        refill()
    otherwise: refill()
    p chooses (n)..3 cs in deck: refill()
    p may choose c in deck: refill()
    p may choose "what":
        "{n} and {m}" for n in 1..2: refill()
        "Nothing" when yes
        otherwise: refill()
    p may "go": refill()
    otherwise: refill()
    chance chooses c in deck: refill()
    each q in players chooses:
        "Go"
    return [c for c in deck]

before turn(p): refill()
after turn(p) where p is p "text":
    refill()
instead of turn(p): proceed(p)
instead of one(_, x) = proceed(x)

scoring(p):
    "Points" when yes: 1
    "More":
        let x = 1
        x
ending a after turn(_) when yes: "Over"
ending b when yes: "Over"
invariant "fine":
    yes

when level is 2:
    ## Of the zone.
    change zone deck: open pile of Piece
    change option level = 3
    change cards Piece:
        name  value
        "B"   3
    change define one(z: zone of Piece, x: number) = 1
    change rule every(p: player): refill()
    change scoring(p):
        "More": 2
    change ending b when no: "Later"
    change timing fresh: before turn(_)
    change kind Suit: ..., Stars "★"
    change after every(p) where p is P1 "text": refill()
    change instead of one(_, x) = proceed + x
    change preset "Quick":
        level = 2
    change preset "Quick": "Shorter"
remove ending a
remove invariant "fine"
remove before every(_)
remove instead of one(_, x) where x > 1 "text"
remove ability "text" of "B"

preset "Quick": "Short and sweet"
    level = 3

test "all":
    given 2 players
    given option level = 3
    given hand[P1][Clubs] = ["B", ...]
    given pair rolls 4, 4
    given chance chooses "B", 1
    when turn(P1)
    when P1 chooses "B", 3
    when P1 declines
    expect yes
    expect P1 chooses among ["B"]

test "cases":
    cases:
        card  points
        "B"   1
        "C"   [2, 3]
    given chance from seed 42
    expect P1 cannot choose card
    expect P1 cannot choose points because "too weak"
    expect P1 cannot decline
    expect P2 sees hand[P1] as [hidden, ...]
    expect P2 hears "a card"
    expect P2 does not hear "B"

test define rich(p: player) = yes
test rule help(p: player): end turn
property "after" after turn(p): yes
property "often": sometimes yes
"""


def errors(text: str) -> list[tuple[str, int, int]]:
    report = Report()
    read(Source("t.cardgame", text), report)
    return [(d.code, d.span.line, d.span.column) for d in report]


def file_of(text: str) -> ast.File:
    report = Report()
    file = read(Source("t.cardgame", text), report)
    assert [(str(d.span), d.code, d.title) for d in report] == []
    assert file is not None
    return file


def expression(text: str) -> ast.Expr:
    report = Report()
    found = read_expression(Source("t", text), report)
    assert [(str(d.span), d.code, d.title) for d in report] == []
    assert found is not None
    return found


def walk(node: Any) -> Iterator[ast.Node]:
    if isinstance(node, ast.Node):
        yield node
        for attribute in attrs.fields(type(node)):
            if attribute.name != "span":
                yield from walk(getattr(node, attribute.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)


def test_there_are_files_to_read() -> None:
    assert len(FILES) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_real_files_are_read_and_every_node_has_its_place(path: Path) -> None:
    for node in walk(file_of(path.read_text(encoding="utf-8"))):
        check_place(node)


def check_place(node: ast.Node) -> None:
    text = node.span.text
    if isinstance(node, ast.File):
        return
    assert text == text.strip()
    assert text != ""
    match node:
        case ast.Name():
            assert text == node.id
        case ast.Number():
            assert int(text) == node.value
        case ast.Binary():
            assert node.op_span.text == node.op
            assert node.left.span.end <= node.op_span.start < node.op_span.end <= node.right.span.start
        case ast.Text():
            assert text[0] == text[-1] == '"'


def test_every_form_is_read() -> None:
    seen = {type(node) for node in walk(file_of(EVERY_FORM))} | {ast.ModuleHeader, ast.VariantHeader, ast.TestsHeader}
    forms = {c for c in vars(ast).values() if isinstance(c, type) and issubclass(c, ast.Node)}
    assert forms - seen == {ast.Node, ast.Declaration}


def test_every_node_of_every_form_has_its_place() -> None:
    for node in walk(file_of(EVERY_FORM)):
        check_place(node)


def test_every_field_is_of_the_type_it_says() -> None:
    """The trees a builder makes are what `dsl.ast` declares: no token or list slips through."""
    allowed = (ast.Node, str, int, bool, type(None), tuple)
    for node in walk(file_of(EVERY_FORM)):
        for attribute in attrs.fields(type(node)):
            value = getattr(node, attribute.name)
            if attribute.name not in ("span", "op_span", "source"):
                assert isinstance(value, allowed), (type(node), attribute.name, value)
                assert type(value) is not tuple or all(isinstance(part, allowed) for part in value)
                assert not isinstance(value, str) or type(value) is str, (type(node), attribute.name)


def test_trees_are_equal_whatever_their_layout() -> None:
    tight = 'module "M"\nrule r(p: player):\n  if a(1,[2]): b()\n  otherwise: c()\n'
    loose = 'module "M"  # remark\n\n\nrule r( p : player ) :\n        if a( 1,\n  [2\n] ) :\n             b()\n\n        otherwise: c()'
    assert file_of(tight).items == file_of(loose).items


def test_rulebook_text_goes_to_its_declaration() -> None:
    file = file_of(EVERY_FORM)
    assert file.doc == "Of the file.\nIts second line."
    docs = {type(item).__name__: item.doc for item in walk(file) if isinstance(item, ast.Declaration) and item.doc}
    assert docs == {"Kind": "Of the kind.", "Change": "Of the zone."}


def test_rulebook_text_under_the_first_line_without_an_empty_line_is_the_declarations() -> None:
    file = file_of('module "M"\n## text\nuse tricks\n')
    assert (file.doc, file.items[0].doc) == (None, "text")


def test_comments_are_kept() -> None:
    file = file_of(
        'module "M" # one\n# two  \n\n## three\nuse a\nrule r():\n    foo(1, # four\n        # five\n        2)\n#### six'
    )
    kept = [(c.text, c.alone, c.span.text) for c in file.comments]
    assert kept == [
        ("# one", False, "# one"),
        ("# two", True, "# two  "),
        ("## three", True, "## three"),
        ("# four", False, "# four"),
        ("# five", True, "# five"),
        ("#### six", True, "#### six"),
    ]


def test_texts_have_parts() -> None:
    text = expression(r'"a\"\\{{}{x.y}{1 + 2}z"')
    assert isinstance(text, ast.Text)
    assert [p if isinstance(p, str) else p.span.text for p in text.parts] == ['a"\\{}', "x.y", "1 + 2", "z"]
    assert text.plain is None


def test_texts_without_holes_are_plain() -> None:
    for written, plain in (('""', ""), ('"a {{b}"', "a {b}"), (r'"\\n"', r"\n")):
        text = expression(written)
        assert isinstance(text, ast.Text)
        assert text.plain == plain


def test_operators_bind_as_they_should() -> None:
    def shape(e: ast.Expr) -> Any:
        match e:
            case ast.Binary():
                return (shape(e.left), e.op, shape(e.right))
            case ast.Unary():
                return (e.op, shape(e.operand))
            case ast.Is() | ast.IsIn():
                return (shape(e.left), f"{type(e).__name__}{' not' if e.negated else ''}", shape(e.right))
            case ast.Conditional():
                return (shape(e.value), shape(e.condition), shape(e.otherwise))
            case _:
                return e.span.text

    assert shape(expression("1 + 2 * -3 - 4 mod 5")) == (("1", "+", ("2", "*", ("-", "3"))), "-", ("4", "mod", "5"))
    assert shape(expression("a or not b is c and d")) == ("a", "or", (("not", ("b", "Is", "c")), "and", "d"))
    assert shape(expression("a is not in b or c is not d")) == (("a", "IsIn not", "b"), "or", ("c", "Is not", "d"))
    assert shape(expression("1..n - 1")) == ("1", "..", ("n", "-", "1"))
    assert shape(expression("a when b otherwise c when d otherwise e")) == ("a", "b", ("c", "d", "e"))


def test_soft_words_are_names_where_a_name_is_wanted() -> None:
    names = (
        "row",
        "top",
        "map",
        "variant",
        "game",
        "card",
        "set",
        "players",
        "list",
        "zone",
        "test",
        "by",
        "kind",
        "rule",
        "mod",
        "steps",
    )
    for name in names:
        text = f'module "M"\nrule r({name}: player):\n    {name} := {name}.{name} + {name}[{name}]\n    {name}({name})\n'
        assert errors(text) == [], name


def test_list_and_zone_are_types_only_before_of() -> None:
    card = file_of('module "M"\ncard C(a: list of list, b: zone?, c: zone of zone)\n').items[0]
    assert isinstance(card, ast.Card)
    assert [type(p.type).__name__ for p in card.attributes] == ["ListType", "NamedType", "ZoneType"]


def test_a_byte_order_mark_is_skipped() -> None:
    assert errors('\ufeffmodule "M"\n') == []


def test_line_breaks_of_windows() -> None:
    file = file_of('module "M"\r\n\r\n## doc\r\nrule r():\r\n    a()  # x\r\n    b()\r\n')
    assert (file.items[0].doc, file.comments[1].text) == ("doc", "# x")


# ── the grammar ──

NOTATION = (ROOT / "dsl" / "grammar.lark").read_text(encoding="utf-8")


def test_every_terminal_has_a_name_for_people() -> None:
    for terminal in grammar().lark.terminals:
        assert not terminal.name.startswith("__ANON"), f"{terminal} has no name in the grammar"
        if terminal.name != "__IGNORE_0":
            assert words.name(terminal.name, grammar().fixed)
    for layout in ("_NL", "_INDENT", "_DEDENT", "$END"):
        assert words.name(layout, grammar().fixed)


def test_every_sign_of_the_grammar_is_cut_as_one() -> None:
    for text in grammar().fixed.keys() - {")", "]"}:
        assert str(scan(Source("t", text + "\n"), Report()).items[0]) == text


def test_no_place_takes_one_word_in_two_ways() -> None:
    """So a word can be told from a name by what the parser can take; `list` and `zone` are names of types, too."""
    made = grammar()
    soft = [text for text in made.fixed if text.isalpha() and text not in made.reserved]
    both = set()
    for text in (EVERY_FORM, *(path.read_text(encoding="utf-8") for path in FILES)):
        parser = made.parser("start")
        for token in scan(Source("t", text), Report()).items:
            choices = parser.choices()
            for word, terminals in made.fixed.items():
                assert sum(terminal in choices for terminal in terminals) <= 1, word
            if "NAME" in choices:
                both |= {word for word in soft if any(terminal in choices for terminal in made.fixed[word])}
            token.type = made.terminal(token.type, token, choices)
            parser.feed_token(token)
    assert both == {"list", "zone"}


def test_the_grammar_has_no_conflicts_and_no_colliding_terminals() -> None:
    pytest.importorskip("interegular")
    Lark(NOTATION, parser="lalr", lexer="contextual", postlex=Layout(), start=STARTS, strict=True)


def test_reserved_words_are_those_of_the_language() -> None:
    reserved = (
        "after all always and before chance choose chooses deal each eliminate empty end for from if in instead is let may move no"
        " none not of option or otherwise proceed repeat return reveal roll show shuffle to under var when where while yes"
    )
    assert " ".join(sorted(grammar().reserved)) == reserved


@pytest.mark.parametrize("word", ["toward", "to_", "pileof", "rowof", "hiddenpile", "inn", "isle", "notx", "endinga"])
def test_a_longer_word_is_not_the_word_it_begins_with(word: str) -> None:
    for text in (
        "rule r():\n    move x {} y\n",
        "zone z: hidden {} C\n",
        "zone z: {} of C\n",
        "define f() = x {} y\n",
        "remove {}\n",
    ):
        assert errors('module "M"\n' + text.format(word)) != []
    assert isinstance(expression(word), ast.Name)


def test_texts_with_and_without_mistakes_are_read_alike() -> None:
    for text in (EVERY_FORM, EVERY_FORM.rstrip("\n"), *(path.read_text(encoding="utf-8") for path in FILES)):
        assert plainly(text) is not None
        assert agree(text)


# ── the cache ──


def reads(made: Grammar) -> bool:
    text = TextSlice(EVERY_FORM, 0, len(EVERY_FORM))
    one, other = made.parse(text, "start"), grammar().parse(text, "start")
    return one is not None and one == other and made.fixed == grammar().fixed and made.reserved == grammar().reserved


def test_the_parser_is_kept_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert reads(load(str(folder)))
    assert [path.name for path in folder.iterdir()] == [CACHE_FILE]
    stamp = (folder / CACHE_FILE).stat().st_mtime_ns
    assert reads(load(str(folder)))
    assert (folder / CACHE_FILE).stat().st_mtime_ns == stamp


def test_the_first_folder_counts(tmp_path: Path) -> None:
    assert grammar(str(tmp_path)) is grammar()
    assert list(tmp_path.iterdir()) == []


def test_a_broken_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.grammar.make", lambda text: grammar().lark)
    kept = tmp_path / CACHE_FILE
    load(str(tmp_path))
    whole = kept.read_bytes()
    stamp, content = whole.split(b"\n", 1)
    nothing = pickle.dumps({})
    foreign = sha256(f"{lark.__version__} {sys.version}\n{NOTATION}".encode() + nothing).hexdigest().encode() + b"\n" + nothing
    damaged = (
        b"",
        b"\xff\xfe",
        stamp,
        stamp + b"\n",
        stamp + b"\n" + nothing,
        foreign,
        whole[:-5],
        whole.replace(b"NAME", b"NOME", 1),
        content,
        b"\n" + content,
    )
    for broken in damaged:
        kept.write_bytes(broken)
        assert reads(load(str(tmp_path)))
        assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_used_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.grammar.make", lambda text: grammar().lark)
    file = tmp_path / "file"
    file.write_text("not a folder")
    (tmp_path / CACHE_FILE).mkdir()
    for folder in (str(file), str(file / "below"), str(tmp_path), "\0"):
        assert reads(load(folder))


# ── limits ──


def test_parse_gives_the_tree_of_the_grammar() -> None:
    report = Report()
    tree = parse(Source("t", 'module "M"\nuse a\n'), report)
    assert tree is not None
    assert [part.data for part in tree.children if isinstance(part, Tree)] == ["module_header", "use"]
    assert parse(Source("t", 'module "M"\nuse\n'), report) is None


@pytest.mark.parametrize(
    "value",
    ["(" * 5000 + "1" + ")" * 5000, "not " * 5000 + "x", "- " * 5000 + "1", " + ".join("x" * 5000), "x" + ".y" * 5000, "[" * 5000,
     "a when b otherwise " * 5000 + "c", "f(" * 5000, "x" + "[1]" * 5000],
    ids=["brackets", "not", "minus", "sum", "properties", "open", "cases", "calls", "indexes"],
)  # fmt: skip
def test_deep_nesting_is_an_error_and_no_crash(value: str) -> None:
    found = errors(f'module "M"\ndefine f() = {value}\n')
    assert found[0][:2] == ("CG0128", 2)


def test_deep_blocks_are_an_error_and_no_crash() -> None:
    lines = [" " * (n + 1) + "if x:" for n in range(500)]
    found = errors('module "M"\nrule r():\n' + "\n".join(lines) + "\n" + " " * 501 + "y()\n")
    assert found[0][0] == "CG0128"


def test_deep_types_are_an_error_and_no_crash() -> None:
    assert errors(f'module "M"\ncard C(a: {"list of " * 3000}number)\n')[0][0] == "CG0128"


def test_long_flat_files_are_fine() -> None:
    ifs = "".join(f"    otherwise if x is {n}: y()\n" for n in range(3000))
    assert errors(f'module "M"\nrule r():\n    if x: y()\n{ifs}') == []
    members = ", ".join(f"m{n}" for n in range(3000))
    assert errors(f'module "M"\nkind K: {members}\n') == []


@pytest.mark.parametrize(
    "line",
    ["(", "f(x", "x := \x00", "  x(", "[" * 40, '"{(}"', "x = 1", "rule r():", " x", "## x", "\t", "if x:", "otherwise: y()", "(]"],
)
def test_many_bad_lines_are_soon_given_up(line: str) -> None:
    """No text makes the work grow faster than its length; this would take minutes if one did."""
    found = errors('module "M"\nrule r():\n    x()\n' + (line + "\n") * (100_000 // (len(line) + 1)))
    assert 1 <= len(found) <= 20


def test_too_large_a_file_is_an_error() -> None:
    assert errors('module "M"\n' + "# x\n" * 200_000) == [("CG0128", 1, 1)]


def test_no_more_than_twenty_errors() -> None:
    assert len(errors('module "M"\n' + "rule r():\n    x = 1\n" * 100)) == 20


def test_errors_of_other_files_do_not_matter() -> None:
    report = Report()
    read(Source("a", "nonsense"), report)
    assert report.errors
    assert read(Source("b", 'module "M"\n'), report) is not None
