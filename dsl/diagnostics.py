"""What is wrong with a rules file, as values: a code, a place, what to do about it. How they look is `dsl/render.py`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from attrs import Factory, define, frozen

from dsl.source import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@frozen
class Label:
    """A place with what to say of it (may be empty)."""

    span: Span
    text: str = ""


@frozen
class Diagnostic:
    """One finding. `title` stands alone; `label` says what is at the caret; `hint` says what to do, with an example if it helps."""

    code: str
    title: str
    span: Span
    label: str = ""
    others: tuple[Label, ...] = ()
    hint: str | None = None
    severity: Severity = Severity.ERROR


class RulesError(Exception):
    """The rules cannot be used; `diagnostics` says why (at least one error)."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(f"{d.span}: {d.code} {d.title}" for d in diagnostics))
        self.diagnostics = diagnostics


@define
class Report:
    """Collects the findings of one run: at most one error a place, in order of place for each file."""

    found: list[Diagnostic] = Factory(list)
    _places: set[tuple[str, int, str]] = Factory(set)

    def error(
        self, code: str, title: str, span: Span, label: str = "", *, hint: str | None = None, others: tuple[Label, ...] = ()
    ) -> None:
        self.add(Diagnostic(code, title, span, label, others, hint))

    def warn(
        self, code: str, title: str, span: Span, label: str = "", *, hint: str | None = None, others: tuple[Label, ...] = ()
    ) -> None:
        self.add(Diagnostic(code, title, span, label, others, hint, Severity.WARNING))

    def add(self, finding: Diagnostic) -> None:
        place = (finding.span.source.path, finding.span.start, finding.severity)
        if place not in self._places:
            self._places.add(place)
            self.found.append(finding)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.found if d.severity is Severity.ERROR]

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)

    def raise_errors(self) -> None:
        """Raise `RulesError` with everything found so far if there is an error among it."""
        if self.errors:
            raise RulesError(list(self.found))
