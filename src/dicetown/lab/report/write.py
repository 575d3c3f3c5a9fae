"""Writing a report: as one page, and as Markdown with its charts beside it."""

from __future__ import annotations

from pathlib import Path

from dicetown.lab.record.manifest import write_whole
from dicetown.lab.report.markdown import as_markdown
from dicetown.lab.report.page import as_page
from dicetown.lab.report.plots import draw
from dicetown.lab.report.report import PLOTS, Report, plot_name

PAGE = "report.html"
TEXT = "report.md"


def write_report(report: Report, folder: Path) -> Path:
    """Write the page, and the same as Markdown with its charts; returns the page."""
    plots = draw_plots(report)
    page = folder / PAGE
    write_whole(page, as_page(report, plots).encode())
    for file, svg in plots.items():
        write_whole(folder / PLOTS / file, svg.encode())
    for old in (folder / PLOTS).glob("*.svg"):
        if old.name not in plots:  # an older report has left it
            old.unlink()
    write_whole(folder / TEXT, as_markdown(report).encode())
    return page


def draw_plots(report: Report) -> dict[str, str]:
    """The charts of all sections as SVG, by the names of their files."""
    return {
        plot_name(section, number): draw(section, chart, report.language)
        for section in report.sections
        for number, chart in enumerate(section.charts, start=1)
    }
