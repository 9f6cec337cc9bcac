"""Coverage as a page for a browser: one file, without scripts, that needs nothing else."""

from __future__ import annotations

from html import escape

from dsl.source import Source
from interpreter.coverage import SORTS
from rulesrun.coverage.measuring import Coverage
from rulesrun.coverage.report import MISSED, NOTHING, PARTLY, RAN, counts, margin, percent, total

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; } td, th { padding: .1rem .9rem .1rem 0; text-align: left; font-weight: normal; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } tr.all td { border-top: 1px solid #bbb; font-weight: 600; }
pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; border: 1px solid #ddd; padding: .5rem 0; }
pre a { color: #888; text-decoration: none; display: inline-block; width: 3.5em; text-align: right; margin-right: 1em; }
span.l { display: block; border-left: 5px solid transparent; min-height: 1.45em; padding-right: 1rem; }
span.ran { border-color: #2a8a4a; } span.partly { border-color: #d69a00; background: #fff6dd; }
span.missed { border-color: #c0392b; background: #fdeaea; }
ul.missed { padding-left: 1.2rem; } summary { cursor: pointer; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } pre { border-color: #444; }
span.partly { background: #3a3110; } span.missed { background: #411f1f; } a { color: #8ab4f8; } }
"""
CLASSES = {RAN: "ran", PARTLY: "partly", MISSED: "missed", NOTHING: ""}
"""of a line, by its mark"""


def page(coverages: list[Coverage]) -> str:
    """The whole page."""
    parts = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8"><title>Rule coverage</title>']
    parts += [f"<style>{STYLE}</style></head><body>", "<h1>Rule coverage</h1>"]
    parts.append(
        f"<p>{RAN} green: it ran. {PARTLY} yellow: in part. {MISSED} red: never. "
        "Lines without a colour hold nothing that runs by itself.</p>"
    )
    number = 0
    for coverage in coverages:
        played = f"{coverage.tests} tests, {coverage.games} random games, seed {coverage.seed}"
        parts.append(f"<p><b>{escape(coverage.source.path)}</b>: {played}</p>")
        for path in coverage.paths():
            number += 1
            source = coverage.source if path == coverage.source.path else coverage.sources[path]
            parts += file_part(coverage, source, f"f{number}")
    return "\n".join([*parts, "</body></html>", ""])


def file_part(coverage: Coverage, source: Source, anchor: str) -> list[str]:
    """One file: its table, what never ran, and its source."""
    items = coverage.of_file(source.path)
    parts = [f"<h2>{escape(source.path)}</h2>", "<table>"]
    rows = [("", SORTS[sort], count) for sort, count in counts(coverage, items).items()]
    for style, name, count in [*rows, ("all", "all", total(coverage, items))]:
        name = escape(name.replace("`", ""))
        cells = f'<td>{name}</td><td class="n">{count.done} of {count.all}</td><td class="n">{percent(count)}</td>'
        parts.append(f'<tr class="{style}">{cells}</tr>' if style else f"<tr>{cells}</tr>")
    parts.append("</table>")
    left = [item for item in items if item.key not in coverage.done]
    if left:
        parts.append('<ul class="missed">')
        for item in left:
            line = item.span.line
            parts.append(f'<li><a href="#{anchor}-{line}">line {line}</a>: {escape(item.what)}: {item.missed}</li>')
        parts.append("</ul>")
    lines: list[str] = []
    marks = margin(coverage, source)
    for number, mark in enumerate(marks[: len(marks) - (not source.line(len(marks)))], 1):
        style = f"l {CLASSES[mark]}".rstrip()
        name = f"{anchor}-{number}"
        text = escape(source.line(number))
        lines.append(f'<span class="{style}" id="{name}"><a href="#{name}">{number}</a>{text}</span>')
    parts.append(f"<details open><summary>the rules</summary><pre>{''.join(lines)}</pre></details>")
    return parts
