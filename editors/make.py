"""Makes the files in `editors/vscode/` whose words come from the language: the highlighting, and the snippets.

python editors/make.py          writes them anew
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from dsl.words import FORMS  # noqa: E402
from rulesrun import highlight as words  # noqa: E402

NAME = r"[^\W\d]\w*"
START = r"^( *)((?:change|remove) +)?"


def either(*texts: str) -> str:
    return "|".join(sorted(texts))


def word(*texts: str) -> str:
    return rf"(?<![.\w])({either(*texts)})\b"


def rule(pattern: str, *scopes: str) -> dict[str, Any]:
    """A pattern and the scopes of its groups; a single scope is of the whole."""
    if len(scopes) == 1:
        return {"match": pattern, "name": f"{scopes[0]}.cardgame"}
    captures = {str(n): {"name": f"{scope}.cardgame"} for n, scope in enumerate(scopes, 1) if scope}
    return {"match": pattern, "captures": captures}


DECLARING = "storage.type"
KEYWORD = "keyword.control"


def declared(texts: tuple[str, ...], scope: str) -> dict[str, Any]:
    pattern = rf"{START}({either(*texts)})( +)({NAME})(?= *[\[(:=]| +\w| *(?:#|$))"
    return rule(pattern, "", DECLARING, DECLARING, "", scope)


def grammar() -> dict[str, Any]:
    """The TextMate grammar: line by line as the Pygments lexer."""
    lines = [
        rule(rf"{START}({either(*words.HEADERS)})(?= *\(| +\")", "", DECLARING, DECLARING),
        rule(rf"^(test)( +)(rule|define)( +)({NAME})", DECLARING, "", DECLARING, "", "entity.name.function"),
        rule(r"^(tests)(?= +of\b)", DECLARING),
        declared(words.RULES, "entity.name.function"),
        declared(words.SORTS, "entity.name.type"),
        declared(words.THINGS, "variable.other.declaration"),
        rule(rf"^( *)({either(*words.CHANGES)})(?= +(?:after|before|instead)\b)", "", DECLARING),
        rule(r"^( *)(remove)( +)(ability)(?= +\")", "", DECLARING, "", DECLARING),
        rule(r"^( *)(hidden|private)(?= +var\b)", "", DECLARING),
        rule(rf"^( +)({either(*words.BLOCKS)})(?= *: *(?:\"|#|$))", "", KEYWORD),
        rule(rf"^( +)(steps)( +)({either(*words.STEPS)})\b", "", KEYWORD, "", KEYWORD),
        rule(r"^( +)(steps)(?= +from\b)", "", KEYWORD),
        rule(rf"^( +)({either(*words.TESTS)})(?= +[\w\"(\[-])(?! +(?:chooses|may)\b)", "", KEYWORD),
        rule(rf"^( +)(?!(?:{either(*words.RESERVED)})\b)([a-z]\w*)(?= +\")", "", "entity.name.tag"),
    ]
    inside = [
        rule(r"##(?!#).*$", "comment.block.documentation"),
        rule(r"#.*$", "comment.line.number-sign"),
        {"include": "#text"},
        rule(
            rf":( *)(?:(top)( +))?({either(*words.SIGHT[:3])})( +)({either(*words.SHAPES)})(?= +of\b)",
            *("", "storage.modifier", "", "storage.modifier", "", "storage.modifier"),
        ),
        rule(r"(?<![.\w])(list|zone)(?= +of\b)", "support.type"),
        rule(r"(?<=[\w)\]] ) *(by|mod)(?= +[\w(\[\"-])", "keyword.operator.word"),
        rule(r"(?<=[\d)\]\"] ) *(players)(?= *(?:#|$))", KEYWORD),
        rule(r"(?<=[\w)\]] ) *(declines)(?= *(?:#|$))", KEYWORD),
        rule(r"(?<=[\w)\]] ) *(rolls|among|sees|as)(?= +[\w(\[\"-])", KEYWORD),
        rule(r"(?<=[\w)\]\"] ) *(because|hears?)(?= +\")", KEYWORD),
        rule(r"(?<=[\w)\]] ) *(does)(?= +not +hear\b)", KEYWORD),
        rule(r"(?<=[\w)\]] ) *(cannot)(?= +(?:choose|decline)\b)", KEYWORD),
        rule(r"(?<=cannot )(decline)(?= *(?:#|$))", KEYWORD),
        rule(r"(?<=from )(seed)(?= +\d)", KEYWORD),
        rule(rf":( +)({either(*words.WANTED)})(?= +[\w(\[\"-])", "", KEYWORD),
        rule(word(*words.CONDITIONS), "keyword.operator.word"),
        rule(word(*words.CONSTANTS), "constant.language"),
        rule(word(*words.RESERVED), KEYWORD),
        rule(word(*words.TYPES), "support.type"),
        rule(word(*words.CARRIED), "variable.language"),
        rule(word(*words.VALUES), "support.variable"),
        rule(word(*words.FUNCTIONS) + r"(?=\()", "support.function"),
        rule(rf"\.({NAME})", "variable.other.property"),
        rule(rf"{NAME}(?=\()", "entity.name.function"),
        rule(r"(?<!\w)[A-Z]\w*", "entity.name.type"),
        rule(NAME, "variable.other"),
        rule(r"\d+", "constant.numeric"),
        rule(r":=|\+=|-=|<=|>=|->|\.\.\.|\.\.|[=<>+*/-]", "keyword.operator"),
    ]
    text = {
        "begin": '"',
        "end": '"|(?=$)',
        "name": "string.quoted.double.cardgame",
        "patterns": [
            rule(r"\\.|\{\{", "constant.character.escape"),
            {
                "begin": r"\{",
                "end": r"\}|(?=[\"]|$)",
                "name": "meta.embedded.cardgame",
                "beginCaptures": {"0": {"name": "punctuation.section.embedded.begin.cardgame"}},
                "endCaptures": {"0": {"name": "punctuation.section.embedded.end.cardgame"}},
                "patterns": [{"include": "#inside"}],
            },
        ],
    }
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Cardgame",
        "scopeName": "source.cardgame",
        "fileTypes": ["cardgame"],
        "patterns": [*lines, {"include": "#inside"}],
        "repository": {"inside": {"patterns": inside}, "text": text},
    }


SNIPPETS: dict[str, tuple[str, str]] = {
    "game": ("A whole game to begin with", 'game "${1:My Game}" for ${2:2..4} players\n\n## ${3:What it is about, and how one wins.}\n\nrule setup():\n    $0\n\nrule game():\n    while yes:\n        for p in players: turn(p)\n\nrule turn(p: player):\n    end game\n\ndefine winners() = players'),
    "variant": ("House rules", 'variant "${1:Name}" of ${2:game}\n\n## ${3:What is different.}\n\n$0'),
    "module": ("What several games share", 'module "${1:Name}"\n\n$0'),
    "cards": ("A table of cards", 'cards ${1:Beast} in ${2:deck}:\n    name      ${3:strength}  copies\n    "${4:Wolf}"    ${5:3}         ${6:1}'),
    "zone": ("A place for cards", "zone ${1:hand}[player]: ${2|private,open,hidden,top open|} ${3|set,pile,row|} of ${4:Beast}"),
    "rule": ("Something that is done", "rule ${1:name}(${2:p: player}):\n    $0"),
    "define": ("A value that is worked out", "define ${1:name}(${2:p: player}) = $0"),
    "cases": ("A value by cases", "define ${1:name}(${2:p: player}) =\n    ${3:1}    when ${4:condition}\n    ${5:0}    otherwise"),
    "choice": ("A player chooses one of several things", '${1:p} chooses "${2:what to do}" ${3:c} in ${4:hand[p]}: $0'),
    "menu": ("A player chooses a line", '${1:p} chooses "${2:what to do}":\n    "${3:Draw a card}" when ${4:deck is not empty}:\n        $0\n    "${5:Pass}"'),
    "may": ("A player may do something", '${1:p} may "${2:Draw a card}": $0'),
    "if": ("On a condition", "if ${1:condition}:\n    $2\notherwise:\n    $0"),
    "for": ("For each", "for ${1:c} in ${2:hand[p]}: $0"),
    "after": ("After something has happened", "after ${1:rule}(${2:_}): $0"),
    "instead": ("Instead of something", "instead of ${1:rule}(${2:_}) where ${3:condition}: $0"),
    "scoring": ("The score", 'scoring(${1:p}):\n    "${2:Cards}": $0'),
    "ending": ("An end of the game", 'ending ${1:name} when ${2:condition}: "${3:why it is over}"'),
    "option": ("Something one can choose before the game", 'option ${1:name} = ${2:no}: "${3:what it does}"'),
    "board": ("A board", 'board ${1:Field}:\n    map:\n        "${2:....}"\n        "${3:....}"\n    steps ${4|orthogonal,diagonal,hexagonal|}'),
    "test": ("A test", 'test "${1:what is true}":\n    given ${2:2} players\n    when ${3:turn(P1)}\n    expect $0'),
    "invariant": ("What always holds", 'invariant "${1:what always holds}": $0'),
}  # fmt: skip


def snippets() -> dict[str, Any]:
    """The forms of the language to fill in; each says what it is and shows the form in full."""
    made = {}
    for prefix, (description, body) in SNIPPETS.items():
        example = FORMS.get({"choice": "chooses"}.get(prefix, prefix))
        told = f"{description}, as `{example}`" if example else description
        made[prefix] = {"prefix": prefix, "description": told, "body": body.split("\n")}
    return made


FILES = {
    "vscode/syntaxes/cardgame.tmLanguage.json": grammar,
    "vscode/snippets/cardgame.json": snippets,
}


def text(make: Any) -> str:
    return json.dumps(make(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, make in FILES.items():
        (HERE / name).write_text(text(make), encoding="utf-8", newline="\n")
        print(f"editors/{name}")
