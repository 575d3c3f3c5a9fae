"""A report as one HTML page: styles, script and charts are inside, and nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from dicetown.lab.findings.figures import digits_in, style_of
from dicetown.lab.findings.section import Cell, Column, Estimate, Section, Table
from dicetown.lab.report.plots import draw
from dicetown.lab.report.plots_look import DESK, PAPER, PHONE, Sheet, night_rules
from dicetown.lab.report.report import Report, in_short, plot_name

#: Rows that are shown at once; longer tables are folded.
SHOWN_ROWS = 14
#: A cell that begins with one of these is a verdict, and coloured like one.
_MARKS = {"✓": "good", "✗": "bad", "◐": "mixed", "?": "open"}


def as_page(report: Report, plots: Mapping[str, str]) -> str:
    """The whole page; `plots` are the charts as SVG, by the names of their files."""
    say = report.words.say
    return Template(_look("page.html")).substitute(
        language=report.language,
        title=escape(report.title),
        description=escape(" ".join([report.lead, *(in_short(section) for section in report.sections[:1])])),
        lead=escape(report.lead),
        style=_style(),
        script=_look("page.js").strip(),
        theme=escape(say("report.theme")),
        contents=escape(say("report.contents")),
        toc="\n".join(_contents(report)),
        in_short=_in_short(report),
        sections="\n".join(_section(report, section, plots) for section in report.sections),
        made_title=escape(say("report.made")),
        played=_table(report, report.played),
        made="\n".join(_made(report)),
        notes="\n".join(f'<p class="note">{escape(note)}</p>' for note in report.notes),
    )


@cache
def _look(name: str) -> str:
    return (files("dicetown.lab.report") / "looks" / name).read_text(encoding="utf-8")


def _style() -> str:
    """The style of the page, and by night that of its charts, which lie on the page's own paper."""
    by_system = night_rules(':root:not([data-theme="light"]) figure svg ')
    return "\n".join(
        [
            _look("page.css").strip(),
            f'figure svg [fill="{PAPER}"]{{fill:none}}',
            f"@media (prefers-color-scheme: dark) {{{by_system}}}",
            night_rules(':root[data-theme="dark"] figure svg '),
        ]
    )


def _contents(report: Report) -> Iterator[str]:
    for section in report.sections:
        yield f'<li><a href="#{section.key}">{escape(section.title)}</a></li>'
    yield f'<li><a href="#made">{escape(report.words.say("report.made"))}</a></li>'


def _in_short(report: Report) -> str:
    """Every answer at a glance; a page of one section needs no such list."""
    if len(report.sections) < 2:
        return ""
    answers = "\n".join(
        f'<li><a href="#{section.key}">{escape(section.title)}</a><br>{escape(in_short(section))}</li>'
        for section in report.sections
    )
    title = escape(report.words.say("report.in_short"))
    return f'<div class="short">\n<h2>{title}</h2>\n<ul>\n{answers}\n</ul>\n</div>'


def _section(report: Report, section: Section, plots: Mapping[str, str]) -> str:
    parts = [
        f'<section id="{section.key}">',
        f"<h2>{escape(section.title)}</h2>",
        f'<p class="question">{escape(section.question)}</p>',
        f'<p class="answer">{"<br>".join(map(escape, section.answer.splitlines()))}</p>',
    ]
    for number, chart in enumerate(section.charts, start=1):
        narrow = draw(section, chart, report.language, PHONE)
        parts.append(
            f"<figure>{_inside(plots[plot_name(section, number)], DESK)}{_inside(narrow, PHONE)}</figure>"
        )
    parts += [_table(report, table) for table in section.tables if table.shown]
    if section.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in section.notes)
        title = escape(report.words.say("report.counted"))
        parts.append(f'<div class="counted"><h3>{title}</h3><ul>{notes}</ul></div>')
    return "\n".join([*parts, "</section>"])


def _inside(svg: str, sheet: Sheet) -> str:
    """A chart within the page, whose style has the colours for the night already."""
    bare = re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)
    return bare.replace('class="marks"', f'class="marks {sheet.name}"', 1)


# -------------------------------------------------------------------------------- tables


def _table(report: Report, table: Table) -> str:
    heads = "".join(_head(column, report) for column in table.columns)
    digits = {column.key: digits_in(table, column.key) for column in table.columns}
    rows = "\n".join(_row(table, row, digits, report.language) for row in table.rows)
    body = (
        '<div class="scroll"><table class="sortable">'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )
    title = escape(table.title)
    if len(table.rows) > SHOWN_ROWS:
        summary = f"<summary>{title} <span>({len(table.rows)})</span></summary>"
        return f'<details class="table">{summary}{body}</details>'
    return f'<div class="table"><h3>{title}</h3>{body}</div>'


def _head(column: Column, report: Report) -> str:
    kind = ' class="name"' if column.kind == "name" else ""
    hint = escape(report.words.say("report.sort"))
    return f'<th scope="col"{kind}><button type="button" title="{hint}">{escape(column.title)}</button></th>'


def _row(table: Table, row: tuple[Cell, ...], digits: Mapping[str, int], language: str) -> str:
    cells = [
        _cell(column, cell, digits[column.key], language, is_first=place == 0)
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True))
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _cell(column: Column, cell: Cell, digits: int, language: str, *, is_first: bool) -> str:
    """A figure, below it its interval; the first cell names its row."""
    style = style_of(language)
    text = escape(style.value(column, cell, digits))
    if isinstance(cell, Estimate):
        text += f"<small>{escape(style.interval(column, cell, digits))}</small>"
    if column.kind == "name":
        if text[:1] in _MARKS:
            text = f'<span class="mark {_MARKS[text[:1]]}">{text}</span>'
        return f'<th scope="row" class="name">{text}</th>' if is_first else f'<td class="name">{text}</td>'
    value = cell.value if isinstance(cell, Estimate) else cell
    sorted_by = f' data-value="{value:.6g}"' if isinstance(value, int | float) else ""
    return f"<td{sorted_by}>{text}</td>"


def _made(report: Report) -> Iterator[str]:
    command = report.words.say("made.command")
    for what, value in report.made:
        shown = f"<code>{escape(value)}</code>" if what == command else escape(value)
        yield f"<dt>{escape(what)}</dt><dd>{shown}</dd>"
