"""A report as Markdown: it reads well as it stands, and its charts lie beside it as SVG files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dicetown.lab.findings.figures import digits_in, style_of
from dicetown.lab.findings.section import Cell, Column, Estimate, Section, Table
from dicetown.lab.report.report import PLOTS, Report, in_short, plot_name

#: Rows that are shown at once; longer tables are folded.
SHOWN_ROWS = 12


def as_markdown(report: Report) -> str:
    """The whole report."""
    say = report.words.say
    parts = [f"# {report.title}", report.lead]
    if len(report.sections) > 1:
        parts += [f"## {say('report.in_short')}", _in_short(report)]
    for section in report.sections:
        parts += _section(report, section)
    parts += [
        f"## {say('report.made')}",
        *_table(report.played, report.language),
        _made(report),
        *report.notes,
    ]
    return "\n\n".join(parts) + "\n"


def _in_short(report: Report) -> str:
    """Every answer in a line, with the way to its section."""
    return "\n".join(
        f"- [{section.title}](#{anchor(section.title)}): {in_short(section)}" for section in report.sections
    )


def anchor(title: str) -> str:
    """Where a title is found on the page.

    >>> anchor("One die, or two?")
    'one-die-or-two'
    """
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", title.lower()))


def _section(report: Report, section: Section) -> Iterator[str]:
    yield f"## {section.title}"
    yield f"*{section.question}*"
    yield "  \n".join(section.answer.splitlines())
    for number, chart in enumerate(section.charts, start=1):
        yield f"![{chart.title.replace(']', '')}]({PLOTS}/{plot_name(section, number)})"
    for table in section.tables:
        if table.shown:
            yield from _table(table, report.language)
    if section.notes:
        yield f"**{report.words.say('report.counted')}.** " + " ".join(section.notes)


def _table(table: Table, language: str) -> Iterator[str]:
    rows = _rows(table, language)
    if len(table.rows) > SHOWN_ROWS:
        yield f"<details><summary>{table.title}</summary>\n\n{rows}\n\n</details>"
    else:
        yield f"**{table.title}**"
        yield rows


def _rows(table: Table, language: str) -> str:
    heads = [column.title for column in table.columns]
    rules = ["---" if column.kind == "name" else "---:" for column in table.columns]
    digits = {column.key: digits_in(table, column.key) for column in table.columns}
    lines = [heads, rules]
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        lines.append([_cell(column, cell, digits[column.key], language) for column, cell in cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(column: Column, cell: Cell, digits: int, language: str) -> str:
    """A figure with its interval in brackets; a bar would end the cell."""
    style = style_of(language)
    text = style.value(column, cell, digits)
    if isinstance(cell, Estimate):
        text += f" ({style.interval(column, cell, digits)})"
    return text.replace("|", "\\|")


def _made(report: Report) -> str:
    command = report.words.say("made.command")
    return "\n".join(
        f"- {what}: `{value}`" if what == command else f"- {what}: {value}" for what, value in report.made
    )
