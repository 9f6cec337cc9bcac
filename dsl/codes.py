"""Every code a finding can have, with its title for the index of errors. Codes are never reused.

CG01 syntax · CG02 names · CG03 types · CG04 declarations and tables · CG05 statements and flow · CG06 composition
CG07 boards · CG08 tests · CG09 lints (warnings) · CG10 faults in play
"""

from __future__ import annotations

CODES: dict[str, str] = {
    # ── syntax ──
    "CG0100": "something does not fit here",
    "CG0101": "a tab",
    "CG0102": "a line that lines up with nothing above it",
    "CG0103": "indentation where none belongs",
    "CG0104": "indented lines are missing",
    "CG0105": "a text that is not closed",
    "CG0106": "a bracket that is not closed",
    "CG0107": "a bracket that closes nothing",
    "CG0108": "a character that means nothing here",
    "CG0109": "a `\\` that means nothing in a text",
    "CG0110": "a `{` in a text without an expression and `}`",
    "CG0111": "a number too large",
    "CG0112": "a first line that does not say what the file is",
    "CG0113": "rulebook text that belongs to nothing",
    "CG0114": "`=` or `==` for `is`",
    "CG0115": "`!=` for `is not`",
    "CG0116": "`&&`, `||` or `!` for `and`, `or`, `not`",
    "CG0117": "`else` for `otherwise`",
    "CG0118": "`from` for `in`",
    "CG0119": "a missing `:`",
    "CG0120": "a chain of comparisons",
    "CG0121": "a word of the language used as a name",
    "CG0122": "`return` without a value",
    "CG0123": "`true` or `false` for `yes` or `no`",
    "CG0124": "`=` and `:=` mixed up",
    "CG0125": "a missing type",
    "CG0126": "`let` or `var` without a value",
    "CG0127": "a line that declares nothing",
    "CG0128": "a file too large or nested too deeply",
    "CG0129": "a number with a fraction",
    "CG0130": "something is missing",
    "CG0131": "a line that goes on after its end",
    "CG0140": "bytes that are not UTF-8 text",
    "CG0132": "`in` for `is in`",
    "CG0133": "a line that does nothing",
    "CG0134": "quotation marks too many or too few",
    "CG0135": "a name of two words",
    # ── names ──
    # ── types ──
    # ── declarations and tables ──
    # ── statements and flow ──
    # ── composition ──
    # ── boards ──
    # ── tests ──
    # ── lints ──
    # ── faults in play ──
}
