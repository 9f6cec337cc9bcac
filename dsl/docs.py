"""Which rulebook text (`##`) belongs to what: by where it stands, between the lines of code.

It belongs to the declaration on the next line or, under the first line of the file and with an empty line after it, to the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, define

from dsl.diagnostics import Report
from dsl.layout import Outline, Remark, start_of
from dsl.source import Source, Span


@define
class Docs:
    """The rulebook text of the file and, by the offset at which they begin, of its declarations."""

    file: str | None = None
    declarations: dict[int, str] = Factory(dict)


def is_rulebook_text(text: str) -> bool:
    """Two `#`, not one and not more."""
    return text.startswith("##") and not text.startswith("###")


def attach(outline: Outline, source: Source, report: Report) -> Docs:
    """Give each piece of rulebook text its owner; what belongs to nothing is an error."""
    docs = Docs()
    code = sorted(outline.lines)
    header, second, *_ = *code, 0, 0
    for group in _groups(outline.remarks):
        texts = [r for r in group if is_rulebook_text(r.text)]
        if not texts:
            continue
        where = Span(source, texts[0].start, texts[-1].end)
        wording = "\n".join(r.text[2:].strip() for r in texts).strip("\n")
        if not texts[0].alone:
            report.error(
                "CG0113",
                "rulebook text (`##`) stands on lines of its own",
                where,
                hint="write `#` for a remark at the end of a line",
            )
            continue
        line = outline.lines.get(group[-1].line + 1)
        if line is not None and group[-1].line + 1 != header and (line.depth == 0 or (line.depth == 1 and line.opening == "when")):
            docs.declarations[start_of(line.token)] = wording
        elif line is None and header and texts[0].line > header and (not second or texts[0].line < second):
            docs.file = wording if docs.file is None else f"{docs.file}\n\n{wording}"
        elif line is None:
            report.error(
                "CG0113",
                "this rulebook text (`##`) belongs to nothing",
                where,
                "an empty line or the end of the file follows",
                hint="it stands on the line before its declaration; write `#` for a remark",
            )
        elif group[-1].line + 1 == header:
            report.error(
                "CG0113",
                "rulebook text (`##`) cannot stand before the first line",
                where,
                hint="the text of the whole file stands under the first line, with an empty line after it",
            )
        else:
            report.error(
                "CG0113",
                "rulebook text (`##`) cannot stand inside a declaration",
                where,
                hint="it stands on the line before its declaration; write `#` for a remark",
            )
    return docs


def _groups(remarks: list[Remark]) -> Iterator[list[Remark]]:
    """Remarks on successive lines, together; one at the end of a line of code is a group by itself."""
    group: list[Remark] = []
    for remark in remarks:
        if group and remark.alone and group[-1].alone and remark.line == group[-1].line + 1:
            group.append(remark)
            continue
        if group:
            yield group
        group = [remark]
    if group:
        yield group
