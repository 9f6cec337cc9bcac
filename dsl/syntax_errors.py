"""What the parser could not read, in the words of the language.

`explain` asks the recognisers below, in their order, and the first that knows the mistake says what it is. They see the tokens of
the line and what the parser could have taken instead; the last one knows no more than that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from dsl.diagnostics import Diagnostic
from dsl.layout import Outline, end_of, start_of
from dsl.place import Place
from dsl.suggest import closest
from dsl.words import (
    BLOCKS,
    CONNECTIVES,
    DECLARERS,
    ELSE,
    FOREIGN_DECLARERS,
    FORMS,
    HEADERS,
    LAYOUT,
    NAMING,
    ONE_LINE,
    OPERATORS,
    SIGNS_FOR_WORDS,
    STATEMENTS,
    TABLES,
    VALUES,
)

MAX_ERRORS = 20
INDENTED = "is this line indented as it should be?"


def explain(place: Place) -> Diagnostic:
    """What is wrong."""
    return next(found for recognise in RECOGNISERS if (found := recognise(place)) is not None)


def sift(found: list[Diagnostic], outline: Outline) -> list[Diagnostic]:
    """The findings in order of place and not too many, without those that follow from a wrong indentation in the same declaration."""
    begins = sorted(number for number, line in outline.lines.items() if line.depth == 0 and line.token in DECLARERS)
    kept: list[Diagnostic] = []
    quiet = 0  # the line from which nothing more is said until the next declaration
    for finding in sorted(found, key=lambda d: (d.span.start, d.span.end)):
        line = finding.span.line
        helped = finding.label.startswith(("did you mean", "write")) and finding.span.column == 1
        lost = finding.code == "CG0127" and not helped
        unindented = finding.label == INDENTED and kept and kept[-1].code == "CG0104"
        if unindented and bisect_right(begins, kept[-1].span.line) == bisect_right(begins, line):
            continue
        if quiet and (lost or finding.code != "CG0127") and bisect_right(begins, quiet) == bisect_right(begins, line):
            continue
        quiet = line if lost or finding.code in ("CG0102", "CG0103") else 0
        kept.append(finding)
    return kept[:MAX_ERRORS]


# ── where lines and blocks begin ──


def missing_block(place: Place) -> Diagnostic | None:
    if place.accepts != {"_INDENT"}:
        return None
    ends = place.at - 1
    while ends > 0 and place.kinds[ends] != "_NL":
        ends -= 1
    start = place.span(place.items[ends])
    what = "a `:` or `=` at the end of a line promises indented lines under it"
    if place.kind == "WORD" and place.token not in DECLARERS:
        what = "the lines that belong to it are indented, by four blanks"
    return place.error(
        "CG0104", "indented lines are missing under this line", "nothing under this is indented", span=start, hint=what
    )


def unwanted_block(place: Place) -> Diagnostic | None:
    if place.kind != "_INDENT":
        return None
    following = place.items[min(place.at + 1, len(place.items) - 1)]
    opener = place.first if place.at > place.line_at and not _colon_outside_brackets(place.before) else ""
    if opener in ("rule", "before", "after", "instead", "if", "for", "while") or (
        opener and place.opener != "map" and (opener[0] == '"' or "may" in place.before)
    ):
        end = place.span(place.items[place.at - 1])
        return place.error("CG0119", "a `:` is missing at the end of this line", "write `:` here", span=end, hint=place.example())
    title = "this line is indented, but nothing above it opens a block"
    hint = "lines of one block begin in the same column; a block is opened by a `:` at the end of a line"
    return place.error("CG0103", title, span=place.span(following), hint=hint)


def first_line(place: Place) -> Diagnostic | None:
    if not place.whole_file or any(kind not in LAYOUT for kind in place.kinds[: place.line_at]):
        return None
    forms = [FORMS[word] for word in HEADERS]
    if place.accepts == {word.upper() for word in HEADERS}:
        hint = "a file begins with one of\n" + "\n".join(forms)
        title = "the file is empty" if place.kind == "$END" else "the first line does not say what the file is"
        return place.error("CG0112", title, "`game`, `module`, `variant` or `tests` is missing", hint=hint)
    if place.first in HEADERS:
        wanted = place.expected
        label = f"expected {wanted}" if wanted else ""
        following = place.items[min(place.at + 1, len(place.items) - 1)]
        if place.token in ("to", "or", "and") and following.type == "NUMBER":
            label = f"write `{place.last}..{following}`" if place.token == "to" else f"write `[{place.last}, {following}]`"
        title = "the first line ends too soon" if place.line_over else f"{place.shown} does not fit into the first line"
        return place.error("CG0112", title, label, hint=place.example())
    return None


def no_declaration(place: Place) -> Diagnostic | None:
    if place.at != place.line_at or not place.accepts >= {"DEFINE", "RULE"}:
        return None
    word = str(place.token)
    title = "this line declares nothing"
    if word in HEADERS:
        return place.error("CG0127", f"`{word}` can only begin the first line of a file")
    if word in ("if", "otherwise"):
        hint = "for declarations that hold under an option write `when OPTION:`; an `if` stands in a rule"
        return place.error("CG0127", f"`{word}` stands inside a rule", hint=hint)
    if word in STATEMENTS:
        hint = "what is done stands in a rule, indented under it: `rule setup():`"
        if word in FOREIGN_DECLARERS:
            hint = f"for something that the whole file knows write {FOREIGN_DECLARERS[word]}"
        return place.error("CG0127", f"`{word}` stands inside a rule", INDENTED, hint=hint)
    if word in FOREIGN_DECLARERS:
        return place.error("CG0127", title, f"write {FOREIGN_DECLARERS[word]}")
    near = closest(word, DECLARERS) if place.kind == "WORD" else None
    if near is not None:
        return place.error("CG0127", title, f"did you mean `{near}`?", hint=f"for example: `{FORMS[near]}`")
    hint = "a declaration begins with a word such as `zone`, `rule` or `define`; what is done stands in a rule, indented under it"
    return place.error("CG0127", title, hint=hint)


# ── signs and words from elsewhere ──


def foreign_sign(place: Place) -> Diagnostic | None:
    if place.kind != "wrong":
        return None
    found = SIGNS_FOR_WORDS.get(str(place.token))
    if found is None:
        return None
    code, title, label = found
    return place.error(code, title, label)


def foreign_else(place: Place) -> Diagnostic | None:
    candidates = [place.line_at, place.at, place.at - 1]
    for at in candidates:
        if place.line_at <= at <= place.at and place.items[at] in ELSE and place.kinds[at] == "WORD":
            token = place.items[at]
            following = place.items[at + 1] if at + 1 < len(place.items) else ""
            again = token != "else" or following == "if"
            wanted = "otherwise if" if again else "otherwise"
            title = f"`{token}` is not a word of the language"
            return place.error("CG0117", title, f"write `{wanted}`", span=place.span(token))
    return None


def foreign_word(place: Place) -> Diagnostic | None:
    word = str(place.token)
    if place.kind != "WORD":
        return None
    if word in ("then", "do", "begin") and "COLON" in place.accepts:
        return place.error("CG0119", f"`{word}` is not a word of the language", "write `:`")
    if word in ("equals", "eq") and "IS" in place.accepts:
        return place.error("CG0114", f"`{word}` is not a word of the language", "write `is`")
    if word == "contains" and "IS" in place.accepts:
        return place.error("CG0132", "`contains` is not a word of the language", "turn it round: `c is in hand[p]`")
    if word in ("returns", "gives") and "ARROW" in place.accepts:
        return place.error("CG0125", f"`{word}` is not a word of the language", "write `->`")
    return None


def equals_sign(place: Place) -> Diagnostic | None:
    token, accepts = str(place.token), place.accepts
    if place.kind != "sign" or token not in ("=", ":=", "+=", "-="):
        return None
    if "EQUAL" in accepts and token == ":=":
        hint = "`=` gives a value to what is declared; `:=` changes the value of a variable"
        return place.error("CG0124", "`:=` where something gets its first value", "write `=`", hint=hint)
    if token == "=" and "ASSIGN" in accepts:
        hint = "`=` gives a value to what is declared; `:=` changes the value of a variable"
        return place.error("CG0124", "`=` does not change a variable", "write `:=`", hint=hint)
    if token == "=" and place.first == "rule" and "COLON" in accepts:
        hint = "a value is said with `define`: `define total(p: player) = …`"
        return place.error("CG0124", "`=` after a rule", "write `:`; a rule is something that is done", hint=hint)
    if token == ":=" and place.last and "_NL" in accepts and "IS" not in accepts:
        return None
    if accepts & {"IS", "COMPARE"} or place.last in ("<", ">", "is", "not"):
        if place.last in ("<", ">"):
            return place.error("CG0114", f"`{place.last}` and `=` stand apart", f"write `{place.last}=`")
        hint = "`=` gives a value to what is declared; `is` asks whether two things are equal"
        return place.error("CG0114", f"`{token}` does not compare", "write `is`", hint=hint)
    return None


def question_mark(place: Place) -> Diagnostic | None:
    if place.token != "?" or place.kind != "sign":
        return None
    return place.error("CG0100", "`?` stands only after a type", "write `3 when x otherwise 4`")


def value_alone(place: Place) -> Diagnostic | None:
    if "ASSIGN" not in place.accepts or place.token.type not in OPERATORS or place.token.type in ("LPAR", "LSQB", "DOT"):
        return None
    sign = str(place.token)
    if sign in "+-" and (_next(place) == sign or place.kinds[place.at + 1] == "_NL"):
        return place.error("CG0124", f"`{sign}{sign}` is not a sign of the language", f"write `{place.written} {sign}= 1`")
    hint = "a line calls a rule, changes a variable or does something with cards: `total := total + 1`"
    return place.error("CG0133", "a value alone does nothing", "this only works something out", hint=hint)


def one_line_only(place: Place) -> Diagnostic | None:
    word = str(place.token)
    if ":" not in place.before or place.kind != "WORD":
        return None
    complex_ = (
        word in ("if", "while", "for", "repeat", "chance", "each") and "SHUFFLE" not in place.accepts and "VERB" in place.accepts
    )
    choice = word in ("chooses", "may") and "ASSIGN" in place.accepts
    if not complex_ and not choice:
        return None
    return place.error("CG0131", f"`{word}` needs a line of its own", "begin a new line before this, and indent it")


def indented_declaration(place: Place) -> Diagnostic | None:
    if place.first not in DECLARERS or place.opener in ("", "when", "test") or place.at > place.line_at + 1:
        return None
    token = place.items[place.line_at]
    if place.kinds[place.line_at] != "WORD" or (place.at > place.line_at and token.type != "NAME") or place.opener in TABLES:
        return None
    hint = "everything that is declared stands in the first column, or under `when OPTION:`"
    return place.error("CG0103", f"`{token}` cannot stand inside another declaration", span=place.span(token), hint=hint)


def chain(place: Place) -> Diagnostic | None:
    if place.token.type not in ("COMPARE", "IS") or "AND" not in place.accepts or place.accepts & {"COMPARE", "IS"}:
        return None
    if place.last in ("<", ">") and place.token in ("<", ">", "<=", ">="):
        return None
    at = next(n for n in range(place.at - 1, -1, -1) if place.items[n].type in ("COMPARE", "IS"))
    sign = place.items[at]
    middle = place.source.text[end_of(sign) : start_of(place.token)].strip()
    return place.error(
        "CG0120",
        "comparisons cannot be chained",
        "a second comparison",
        hint=f"write `… {sign} {middle} and {middle} {place.token} …`",
    )


def preposition(place: Place) -> Diagnostic | None:
    if place.kind != "WORD" or "IN" not in place.accepts or place.token not in ("from", "of", "among", "at", "on"):
        return None
    title = (
        "what is chosen from stands after `in`"
        if "chooses" in place.before or "choose" in place.before
        else "what is gone through stands after `in`"
    )
    return place.error("CG0118", title, "write `in`", hint=place.example())


def membership(place: Place) -> Diagnostic | None:
    if place.kind != "WORD" or "IS" not in place.accepts:
        return None
    if place.token == "in":
        return place.error("CG0132", "`in` alone does not ask whether something is in a place", "write `is in`")
    following = place.items[place.at + 1] if place.at + 1 < len(place.items) else ""
    if place.token == "not":
        wanted = "is not in" if following == "in" else "is not"
        return place.error("CG0132", "`not` stands after `is`", f"write `{wanted}`")
    if place.token == "empty":
        return place.error("CG0130", "`is` is missing before `empty`", "write `is empty`")
    return None


# ── numbers, texts, names ──


def number(place: Place) -> Diagnostic | None:
    if place.at <= place.line_at:
        return None
    before, token = place.items[place.at - 1], place.token
    if place.kind == "NUMBER" and before == "." and place.kinds[max(place.at - 2, 0)] == "NUMBER":
        span = place.span(place.items[place.at - 2]).to(place.span())
        hint = "count in smaller units, or divide at the end: `/` rounds down"
        return place.error("CG0129", "numbers are whole", "this has a fraction", span=span, hint=hint)
    if place.kind == "WORD" and place.kinds[place.at - 1] == "NUMBER" and end_of(before) == start_of(token):
        return place.error("CG0131", "a name begins with a letter", span=place.span(before).to(place.span()))
    return None


def no_columns(place: Place) -> Diagnostic | None:
    if place.at != place.line_at or place.accepts != {"NAME"} or place.opener not in (*TABLES, "change"):
        return None
    hint = 'for example:\nname    strength\n"Wolf"  3'
    return place.error("CG0100", "the first line of a table names its columns", "expected the name of a column", hint=hint)


def quotation(place: Place) -> Diagnostic | None:
    accepts = place.accepts
    if place.kind == "STRING" and accepts == {"NAME"}:
        plain = place.token.strip('"').strip().replace(" ", "_").replace("-", "_")
        label = f"write `{plain}`" if plain.isidentifier() else "a name is letters, digits and `_`"
        return place.error("CG0134", "a name stands without quotation marks", label)
    if place.kind == "WORD" and place.first == "kind" and "COMMA" in accepts:
        return place.error("CG0130", f"a `,` is missing before `{place.token}`", "write `,` before it", hint=place.example())
    if place.kind == "WORD" and accepts & {"STRING"} and not accepts & {"NAME"}:
        return place.error("CG0134", "a text stands in quotation marks", f"expected {place.expected}", hint=place.example())
    return None


def reserved(place: Place) -> Diagnostic | None:
    word = str(place.token)
    if place.kind != "WORD" or word not in place.grammar.reserved or "NAME" not in place.accepts:
        return None
    naming = place.accepts == {"NAME"} or place.last in NAMING or (place.last in ("(", ",") and _next(place) == ":")
    if naming and not (place.last in ("let", "var", "for") and word in ("in", "is")):
        if place.last == "for" and word == "each":
            return place.error("CG0100", "`each` does not follow `for`", "leave it out: `for p in players:`")
        if place.first == "end":
            hint = "a block ends where its indentation ends; `end turn` leaves the rule `turn`"
            return place.error("CG0121", f"`end {word}` ends nothing", "the name of a rule is expected", hint=hint)
        hint = f"choose another name, such as `{word}_`, `the_{word}` or `{word}s`"
        return place.error("CG0121", f"`{word}` is a word of the language and cannot be a name", hint=hint)
    if word in CONNECTIVES:
        what = "a name" if place.accepts.isdisjoint(VALUES - {"NAME"}) else "something"
        return place.error("CG0130", f"{what} is missing before `{word}`", f"expected {place.expected}", hint=place.example())
    if place.accepts >= {"NAME", "NUMBER"}:
        title = f"`{word}` is a word of the language and cannot stand for a value"
        done = word in STATEMENTS and word in FORMS
        where = f"`{word}` stands at the beginning of a line: `{FORMS[word]}`" if done else place.example()
        return place.error("CG0121", title, "expected a value", hint=where)
    return None


def two_words(place: Place) -> Diagnostic | None:
    if place.kind != "WORD" or place.at < place.line_at + 2 or place.kinds[place.at - 1] != "WORD":
        return None
    before, following = place.items[place.at - 1], _next(place)
    if following not in (("in",) if place.items[place.at - 2] == "for" else ("=", ":", "(", "[")):
        return None
    if before.type != "NAME" or str(place.items[place.at - 2]) not in NAMING or place.token in place.grammar.reserved:
        return None
    joined = f"{before}_{place.token}"
    return place.error("CG0135", "a name is one word", f"write `{joined}`", span=place.span(before).to(place.span()))


def types(place: Place) -> Diagnostic | None:
    accepts, last = place.accepts, place.last
    declares = place.first in ("rule", "define", "card", "board", "change", "before", "after", "instead")
    such = "number" if place.first in ("card", "board") else "player"
    if accepts == {"COLON"} and declares and place.at > place.line_at and place.items[place.at - 1].type == "NAME":
        if place.kind == "WORD":
            return place.error("CG0125", "a name comes before its type", f"write `{place.token}: {last}`")
        if place.token in (")", ",", "="):
            name = place.items[place.at - 1]
            return place.error("CG0125", f"the type of `{name}` is missing", f"such as `{name}: {such}`", span=place.span(name))
    if last == "->" and place.kind != "WORD":
        return place.error(
            "CG0125", "the type of the result is missing after `->`", f"expected {place.expected}", hint="such as `-> number`"
        )
    if "ARROW" in accepts and place.kind == "WORD":
        return place.error("CG0125", "the type of a result stands after `->`", f"write `-> {place.token}`")
    if last == ":" and accepts >= {"NAME", "LIST"}:
        return place.error("CG0125", "a type is missing after `:`", f"expected {place.expected}")
    return None


# ── what is missing ──


def nothing_returned(place: Place) -> Diagnostic | None:
    if not place.line_over or place.last != "return":
        return None
    hint = "`return` gives the result of a rule; to leave a rule early write `end` and its name: `end turn`"
    return place.error("CG0122", "`return` needs a value", "a value is missing", hint=hint)


def no_first_value(place: Place) -> Diagnostic | None:
    if place.first not in ("let", "var") or "EQUAL" not in place.accepts or not place.line_over:
        return None
    return place.error("CG0126", f"this `{place.first}` has no value", f"write `{place.written} = …`", hint=place.example())


def colon(place: Place) -> Diagnostic | None:
    if "COLON" not in place.accepts:
        return None
    if place.line_over:
        opens = _next(place) == "" and place.kinds[min(place.at + 1, len(place.kinds) - 1)] == "_INDENT"
        if not opens and (place.first in ONE_LINE or "NAME" in place.accepts):
            return None
        if "EQUAL" in place.accepts and place.first == "instead":
            return place.error("CG0119", "`:` or `=` is missing", "expected here", hint=place.example())
        return place.error("CG0119", "a `:` is missing at the end of this line", "write `:` here", hint=place.example())
    word = str(place.token)
    blocks = place.first in ("if", "otherwise", "while", "for", "repeat", "before", "after", "rule") or "chooses" in place.before
    starts = (
        word in STATEMENTS
        or word == "var"
        or _next(place) in ("(", ":=", "+=", "-=", "chooses", "may")
        or (place.kind == "WORD" and place.accepts <= {"COLON", "IF", "_NL", "ARROW"})
    )
    if blocks and starts and word not in ("for", "otherwise"):
        return place.error("CG0119", f"a `:` is missing before `{word}`", hint=place.example())
    return None


def other_case(place: Place) -> Diagnostic | None:
    if not place.line_over or "OTHERWISE" not in place.accepts or "when" not in place.before:
        return None
    hint = "`a when condition otherwise b`; several cases stand on lines of their own, the last with `otherwise`"
    return place.error("CG0130", "`otherwise` is missing", "what is the value if the condition does not hold?", hint=hint)


def lone_otherwise(place: Place) -> Diagnostic | None:
    if place.at != place.line_at or place.token != "otherwise":
        return None
    hint = "it stands directly under an `if`, a choice or a menu, in the same column"
    return place.error("CG0100", "this `otherwise` belongs to nothing", hint=hint)


def line_too_short(place: Place) -> Diagnostic | None:
    if not place.line_over:
        return None
    wanted = place.expected
    words = [w for w in (wanted,) if w]
    title = "the line ends too soon" if place.kind == "_NL" else "something is missing at the end"
    return place.error("CG0130", title, f"expected {words[0]}" if words else "", hint=place.example())


def block_too_short(place: Place) -> Diagnostic | None:
    if place.kind != "_DEDENT":
        return None
    wanted = BLOCKS.get(place.opener, "") or place.expected
    return place.error(
        "CG0130", "this block ends too soon", f"expected {wanted} under this" if wanted else "", hint=place.example()
    )


def cell(place: Place) -> Diagnostic | None:
    if not place.accepts >= {"NUMBER", "FOR", "_NL", "NAME", "LSQB"}:
        return None
    hint = "a cell is a name, a number, a text, `yes`, `no`, `none` or a list; what is worked out stands in a `define`"
    return place.error("CG0100", f"{place.shown} cannot stand in a table", hint=hint)


def case(place: Place) -> Diagnostic | None:
    if place.token == "if" and "WHEN" in place.accepts and place.at > place.line_at:
        return place.error("CG0100", "a condition stands here after `when`", "write `when`")
    if place.last == "otherwise" and place.accepts == {"_NL"}:
        return place.error(
            "CG0131", "nothing follows the `otherwise` of a case", "the value stands before it", hint="`value otherwise`"
        )
    return None


def misspelt(place: Place) -> Diagnostic | None:
    if place.kind != "WORD" or (place.token in place.grammar.reserved and "NAME" in place.accepts):
        return None
    words = [text for text, terminals in place.grammar.fixed.items() if text.isalpha() and place.accepts.intersection(terminals)]
    near = closest(str(place.token), words)
    if near is None:
        return None
    return place.error("CG0100", f"{place.shown} does not fit here", f"did you mean `{near}`?", hint=place.example())


def misspelt_statement(place: Place) -> Diagnostic | None:
    """`shufle stock`: two names at the beginning of a line in a rule, and the first is nearly a word that could stand there."""
    if place.at != place.line_at + 1 or place.kind not in ("WORD", "NUMBER") or "ASSIGN" not in place.accepts:
        return None
    first = place.items[place.line_at]
    near = closest(str(first), STATEMENTS)
    if first.type != "NAME" or near is None:
        return None
    span = place.span(first)
    return place.error(
        "CG0100", f"`{first}` does not fit here", f"did you mean `{near}`?", span=span, hint=f"for example: `{FORMS[near]}`"
    )


def line_too_long(place: Place) -> Diagnostic | None:
    if "_NL" not in place.accepts or place.at == place.line_at:
        return None
    wanted = place.expected
    title = f"{place.shown} does not belong to what stands before it"
    return place.error("CG0131", title, f"expected {wanted}" if wanted else "", hint=place.example())


def anything(place: Place) -> Diagnostic | None:
    wanted = place.expected
    return place.error("CG0100", f"{place.shown} does not fit here", f"expected {wanted}" if wanted else "", hint=place.example())


def _colon_outside_brackets(words: list[str]) -> bool:
    depth = 0
    for word in words:
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if word == ":" and depth == 0:
            return True
    return False


def _next(place: Place) -> str:
    return str(place.items[place.at + 1]) if place.at + 1 < len(place.items) else ""


RECOGNISERS: tuple[Callable[[Place], Diagnostic | None], ...] = (
    missing_block,
    unwanted_block,
    first_line,
    foreign_sign,
    foreign_else,
    no_declaration,
    lone_otherwise,
    equals_sign,
    question_mark,
    one_line_only,
    value_alone,
    indented_declaration,
    chain,
    foreign_word,
    preposition,
    membership,
    number,
    nothing_returned,
    no_first_value,
    types,
    two_words,
    reserved,
    no_columns,
    misspelt,
    misspelt_statement,
    quotation,
    case,
    other_case,
    colon,
    cell,
    line_too_short,
    block_too_short,
    line_too_long,
    anything,
)
