"""What can go wrong while a game runs: faults of the rules, with a place, the rule stack, and what led there."""

from __future__ import annotations

from attrs import frozen

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@frozen
class Call:
    """One line of the rule stack: the rule or ability that was running, and where in its text."""

    name: str
    span: Span
    body: bool = True
    """the text of the rule itself, not what surrounds it"""


class Fault(Exception):
    """The rules cannot go on. `code` CG10xx; `stack` outermost first; `seed` and `choices` replay the game to this point."""

    def __init__(self, code: str, title: str, span: Span, *, hint: str | None = None, stack: tuple[Call, ...] = ()) -> None:
        super().__init__(title)
        self.code = code
        self.title = title
        self.span = span
        self.hint = hint
        self.stack = stack
        self.broken: tuple[int, tuple[object, ...]] | None = None
        """of a property judged after a rule: its number among the endings, and the arguments of the call"""
        self.seed: int | None = None
        self.choices: tuple[int, ...] = ()

    @property
    def diagnostic(self) -> Diagnostic:
        """In the form of every other finding; the calls that led here are its other places."""
        others = tuple(Label(call.span, f"in {call.name}") for call in self.stack)
        return Diagnostic(self.code, self.title, self.span, "", others, self.hint)


class Unwind(Exception):
    """Ends a running rule (or the game) from inside rules that cannot ask; caught by the step that ran them, never stored."""

    def __init__(self, rule: int, reason: int = -1) -> None:
        super().__init__(rule)
        self.rule = rule
        self.reason = reason


class RuleError(Exception):
    """Raised inside generated code where the place is known only to the caller's traceback; becomes a `Fault`."""

    def __init__(self, code: str, title: str, hint: str | None = None) -> None:
        super().__init__(title)
        self.code = code
        self.title = title
        self.hint = hint


class PropertyBroken(RuleError):
    """Something that was to be true after a call is not: `number` among the endings of the program, `arguments` of the call."""

    def __init__(self, number: int, text: str, arguments: tuple[object, ...]) -> None:
        super().__init__("CG1020", f"the property “{text}” does not hold")
        self.number = number
        self.arguments = arguments
