"""Charts of a section, drawn by Vega-Lite as SVG that needs nothing else.

A chart is drawn once, on light paper. By night its colours are exchanged by a style sheet: each colour of the
drawing has a partner for the dark, so one drawing serves both, alone and inside a page.
"""

from __future__ import annotations

import re
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from dicetown.extras import need
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Cell, Chart, Estimate, Section, Table
from dicetown.lab.report.plots_look import DESK, INK, PAPER, QUIET, SERIES, Sheet, dress, night_rules
from dicetown.lab.studies.study import words_of

if TYPE_CHECKING:
    import altair as alt

ROW = 24  # pixels for a name and its figure
HEIGHT = 260  # of a chart without names
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
_DASHES: tuple[list[int], ...] = ([], [6, 3], [2, 2], [10, 3, 2, 3], [4, 2, 1, 2], [12, 4], [1, 3])
_FORMATS = {"share": "~%", "points": "+~f", "signed": "+~f", "factor": "~f", "count": ",~f", "number": ",~f"}
_IN_CELLS = {
    "share": ".0%",
    "points": "+.1f",
    "signed": "+.1f",
    "count": ",",
    "factor": ".2f",
    "number": ".1f",
}
_LONG = re.compile(r"(\d\.\d\d)\d+")  # a hundredth of a pixel is enough


def draw(section: Section, chart: Chart, language: str, sheet: Sheet = DESK) -> str:
    """The SVG of a chart, by itself: with paper behind it, and colours for day and night."""
    need("lab", "altair", "vl_convert", what="The lab's report")
    import vl_convert

    table = section.table(chart.table)
    style = style_of(language)
    spec = _Drawing(chart, table, language, sheet).chart().to_dict()
    svg = vl_convert.vegalite_to_svg(
        spec,
        allowed_base_urls=[],
        format_locale={
            "decimal": style.point,
            "thousands": style.thousands,
            "grouping": [3],
            "currency": ["", ""],
            "percent": style.percent,
            "minus": "\N{MINUS SIGN}",
        },
    )
    return _finish(svg, f"{section.key}-{section.charts.index(chart)}-{sheet.name}", chart)


def _finish(svg: str, key: str, chart: Chart) -> str:
    """Give a drawing its title for those who cannot see it, names of its own, and its colours by night."""
    own = re.sub(r"[^a-z0-9]+", "-", key.lower())
    svg = re.sub(r'(id="|url\(#)((?:clip|gradient_)\w*)', rf"\g<1>{own}-\2", svg)
    svg = re.sub(r"<[^>]+>", lambda tag: _LONG.sub(r"\1", tag[0]), svg)
    told = escape(chart.title)
    style = f"<style>@media (prefers-color-scheme:dark){{{night_rules()}}}</style>"
    head, _, body = svg.removeprefix("<svg ").partition(">")
    return f'<svg role="img" aria-label="{told}" {head}><title>{told}</title>{style}{body}'


class _Drawing:
    """One chart in the making."""

    def __init__(self, chart: Chart, table: Table, language: str, sheet: Sheet) -> None:
        self.plan, self.table, self.language, self.sheet = chart, table, language, sheet
        drawn = {chart.x, chart.y, chart.colour or chart.x}
        self.rows = [row for row in map(self._row, table.rows) if all(row[key] is not None for key in drawn)]

    def chart(self) -> Any:
        """The chart with its title, its small charts if there are several, and the common look."""
        import altair as alt

        draw = {
            "dots": self._dots,
            "bars": self._bars,
            "lines": self._lines,
            "histogram": self._histogram,
            "cells": self._cells,
        }[self.plan.kind]
        layers = alt.layer(*draw(), *self._expected(), data=alt.InlineData(self.rows))
        layers = layers.properties(width=self._width(), height=self._height())
        title = alt.TitleParams(
            wrap(self.plan.title, self.sheet.line),
            subtitle=wrap(self._legend_of_intervals(), self.sheet.line + 6) or alt.Undefined,
        )
        if self.plan.facet is None:
            return dress(layers.properties(title=title))
        small = alt.Facet(f"{self.plan.facet}:N", title=None, sort=self._names(self.plan.facet))
        facets = layers.facet(small, columns=1 if self._is_listed() else self.sheet.columns, title=title)
        return dress(facets.resolve_scale(y="independent") if self._is_listed() else facets)

    # ------------------------------------------------------------------------- figures

    def _row(self, row: tuple[Cell, ...]) -> dict[str, Any]:
        """The cells of a row by their columns; an estimate also by its ends; points in hundredths."""
        cells: dict[str, Any] = {}
        for column, cell in zip(self.table.columns, row, strict=True):
            scale = 100 if column.kind == "points" else 1
            if isinstance(cell, Estimate):
                cells[column.key] = scale * cell.value
                cells[f"{column.key}_low"], cells[f"{column.key}_high"] = scale * cell.low, scale * cell.high
            else:
                cells[column.key] = scale * cell if isinstance(cell, float) else cell
        return cells

    def _names(self, key: str) -> list[str]:
        """The names in a column, each once, in the order of the table."""
        return list(dict.fromkeys(str(cell) for cell in self.table.cells(key)))

    def _series_names(self) -> list[str]:
        """What colours stand for, in alphabetical order: the same in all charts of a report."""
        return sorted(self._names(self.plan.colour)) if self.plan.colour else []

    def _kind(self, key: str) -> str:
        return self.table.column(key).kind

    def _has_interval(self, key: str) -> bool:
        return any(f"{key}_low" in row for row in self.rows)

    def _is_listed(self) -> bool:
        """Whether names stand below each other, left of the figures."""
        return self._kind(self.plan.y) == "name"

    def _figure_key(self) -> str:
        """The column whose figures are drawn."""
        return self.plan.x if self._is_listed() else self.plan.y

    def _width(self) -> int:
        if self.plan.facet is None or self._is_listed():
            return self.sheet.width
        return self.sheet.width // self.sheet.columns - 10

    def _height(self) -> Any:
        """As high as the names need: each says how high it is, for small charts have names of their own."""
        import altair as alt

        if not self._is_listed():
            return HEIGHT if self.plan.facet is None else HEIGHT * 2 // 3
        series = len(self._series_names()) if self.plan.colour and self.plan.kind != "cells" else 1
        return alt.Step(max(ROW, 9 * series + 10), **{"for": "position"})

    # --------------------------------------------------------------------------- axes

    def _axis(self, key: str, side: str, *, from_zero: bool = False) -> Any:
        import altair as alt

        column = self.table.column(key)
        channel = {"x": alt.X, "y": alt.Y}[side]
        if column.kind == "name":
            axis = alt.Axis(
                title=None,
                labelLimit=self.sheet.names,
                labelAngle=0,
                ticks=False,
                domain=False,
                labelPadding=8,
            )
            return channel(f"{key}:N", sort=self._names(key), axis=axis)
        shown = f"format(datum.value, '{_FORMATS[column.kind]}')"
        if column.kind in ("points", "signed"):
            shown = f"datum.value === 0 ? '0' : {shown}"
        axis = alt.Axis(title=column.title, labelExpr=shown, tickCount=self.sheet.ticks)
        return channel(f"{key}:Q", axis=axis, scale=alt.Scale(zero=from_zero, nice=True))

    def _series(self) -> dict[str, Any]:
        """The colour of what belongs together; one colour where all does."""
        import altair as alt

        if self.plan.colour is None:
            return {"color": alt.value(SERIES[0])}
        names = self._series_names()
        scale = alt.Scale(domain=names, range=[SERIES[k % len(SERIES)] for k in range(len(names))])
        legend = alt.Legend(columns=max(1, self.sheet.line // (6 + max(map(len, names)))))
        if self.plan.kind in ("lines", "histogram"):
            legend.symbolType = "stroke"
        return {
            "color": alt.Color(f"{self.plan.colour}:N", sort=names, title=None, scale=scale, legend=legend)
        }

    def _apart(self) -> dict[str, Any]:
        """Where several series share a name, they stand a little apart."""
        import altair as alt

        if self.plan.colour is None:
            return {}
        order = self._series_names()
        channel = alt.YOffset if self._is_listed() else alt.XOffset
        return {"yOffset" if self._is_listed() else "xOffset": channel(f"{self.plan.colour}:N", sort=order)}

    def _by_look(self, channel: str, looks: tuple[Any, ...]) -> dict[str, Any]:
        """Shapes or dashes beside colours, for who does not see those."""
        import altair as alt

        if self.plan.colour is None:
            return {}
        names = self._series_names()
        scale = alt.Scale(domain=names, range=[looks[k % len(looks)] for k in range(len(names))])
        kind = {"shape": alt.Shape, "strokeDash": alt.StrokeDash}[channel]
        return {channel: kind(f"{self.plan.colour}:N", sort=names, title=None, scale=scale)}

    # -------------------------------------------------------------------------- marks

    def _axes(self, *, from_zero: bool = False) -> dict[str, Any]:
        return {
            "x": self._axis(self.plan.x, "x", from_zero=from_zero),
            "y": self._axis(self.plan.y, "y", from_zero=from_zero),
        }

    def _intervals(self, *, thick: float, colour: dict[str, Any], from_zero: bool = False) -> list[alt.Chart]:
        """A line from end to end of each interval."""
        import altair as alt

        key = self._figure_key()
        if not self._has_interval(key):
            return []
        side, end = ("x", alt.X2) if self._is_listed() else ("y", alt.Y2)
        ends = self._axes(from_zero=from_zero)
        ends[side] = ends[side].copy()
        ends[side].shorthand = f"{key}_low:Q"
        ends[f"{side}2"] = end(f"{key}_high:Q")
        return [
            alt.Chart().mark_rule(strokeWidth=thick, opacity=0.8).encode(**ends, **colour, **self._apart())
        ]

    def _dots(self) -> list[alt.Chart]:
        import altair as alt

        dots = alt.Chart().mark_point(filled=True, size=64, opacity=1)
        looks = self._by_look("shape", _SHAPES)
        return [
            *self._intervals(thick=2, colour=self._series()),
            dots.encode(**self._axes(), **self._series(), **looks, **self._apart()),
        ]

    def _bars(self) -> list[alt.Chart]:
        import altair as alt

        bars = (
            alt.Chart()
            .mark_bar(opacity=0.85)
            .encode(**self._axes(from_zero=True), **self._series(), **self._apart())
        )
        return [bars, *self._intervals(thick=1.5, colour={"color": alt.value(INK)}, from_zero=True)]

    def _lines(self) -> list[alt.Chart]:
        import altair as alt

        lines = alt.Chart().mark_line(strokeWidth=2.2)
        drawn = [lines.encode(**self._axes(), **self._series(), **self._by_look("strokeDash", _DASHES))]
        if self._has_interval(self.plan.y):
            band = self._axes()
            band["y"].shorthand = f"{self.plan.y}_low:Q"
            ends = alt.Y2(f"{self.plan.y}_high:Q")
            drawn.insert(0, alt.Chart().mark_area(opacity=0.2).encode(**band, y2=ends, **self._series()))
        return drawn

    def _histogram(self) -> list[alt.Chart]:
        import altair as alt

        axes = self._axes()
        axes["y"].scale = alt.Scale(zero=True)
        area = alt.Chart().mark_area(
            interpolate="step", opacity=0.12, line={"strokeWidth": 1.8} if self.plan.colour is None else False
        )
        drawn = [area.encode(x=axes["x"], y=axes["y"].stack(None), **self._series())]
        if self.plan.colour is not None:
            line = alt.Chart().mark_line(interpolate="step", strokeWidth=1.8)
            drawn.append(line.encode(**axes, **self._series(), **self._by_look("strokeDash", _DASHES)))
        return drawn

    def _cells(self) -> list[alt.Chart]:
        import altair as alt

        figure = self.plan.colour or self.plan.y
        column = self.table.column(figure)
        differs = column.kind in ("points", "signed")
        reach = max((abs(row[figure]) for row in self.rows if row[figure] is not None), default=1) or 1
        scale = (
            alt.Scale(scheme="blueorange", domain=[reach, -reach])
            if differs
            else alt.Scale(scheme="blues", domain=[0, reach])
        )
        axes = self._axes()
        axes["x"].axis = alt.Axis(
            title=None,
            orient="top" if self.plan.facet is None else "bottom",
            labelAngle=0,
            labelLimit=self.sheet.width // 5,
            ticks=False,
            domain=False,
        )
        ink = alt.condition(
            f"abs(datum.{figure}) > {0.6 * reach}" if not differs else "false",
            alt.value("#ffffff"),
            alt.value("#1b1612"),  # on a coloured cell by night, too
        )
        return [
            alt.Chart()
            .mark_rect(stroke=PAPER, strokeWidth=1.5)
            .encode(**axes, color=alt.Color(f"{figure}:Q", scale=scale, legend=None)),
            alt.Chart()
            .mark_text(fontSize=11)
            .encode(**axes, text=alt.Text(f"{figure}:Q", format=_IN_CELLS[column.kind]), color=ink),
        ]

    def _expected(self) -> list[alt.Chart]:
        """The line that figures are held against."""
        import altair as alt

        if self.plan.line_at is None:
            return []
        kind = self._kind(self._figure_key())
        place = self.plan.line_at * (100 if kind == "points" else 1)
        rule = alt.Chart().mark_rule(color=QUIET, strokeDash=[5, 4], strokeWidth=1.4)
        rule = rule.transform_aggregate(rows="count()")  # once, not for each row
        if self._is_listed():
            return [rule.encode(x=alt.datum(place))]
        return [rule.encode(y=alt.datum(place))]

    def _legend_of_intervals(self) -> str:
        """How to read what is drawn beside the figures."""
        words, told = words_of("report", self.language), []
        if self.plan.kind != "cells" and self._has_interval(self._figure_key()):
            told.append(words.say("plot.band" if self.plan.kind == "lines" else "plot.intervals"))
        if self.plan.line_at is not None:
            told.append(words.say("plot.expected"))
        return " ".join(told)
