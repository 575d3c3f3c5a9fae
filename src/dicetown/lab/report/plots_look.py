"""What charts look like: colours by day and by night, the sheets they are drawn on, and their letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FONT = "Helvetica, Arial, sans-serif"

#: By day, by night. Everything drawn has one of these colours.
PAPER, INK, QUIET, LINE = "#fffdf8", "#2b231d", "#665a4f", "#e2d6c2"
#: Colours that people with any colour vision tell apart, after Okabe and Ito.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b0609a", "#8a6d00", "#3d9bd1", "#6b6b6b")
NIGHT: Mapping[str, str] = {
    PAPER: "#2a2621",
    INK: "#f3eadc",
    QUIET: "#b8ab9b",
    LINE: "#423b33",
    "#0072b2": "#5eb1ea",
    "#d55e00": "#f58b4c",
    "#009e73": "#3cc79b",
    "#b0609a": "#dc96c6",
    "#8a6d00": "#d9b43a",
    "#3d9bd1": "#8fd0f5",
    "#6b6b6b": "#a8a8a8",
}


@dataclass(frozen=True)
class Sheet:
    """What a chart is drawn on, in pixels and letters."""

    name: str
    width: int  # of the plot itself
    names: int  # of the names left of it
    ticks: int
    line: int  # letters in a line of a title
    columns: int  # small charts side by side


DESK = Sheet("desk", 440, 210, 6, 80, 2)
PHONE = Sheet("phone", 215, 110, 4, 40, 1)


def night_rules(scope: str = "") -> str:
    """The style rules that exchange the colours of day for those of night, below an element or anywhere."""
    return "".join(
        f'{scope}[{part}="{day}"]{{{part}:{night}}}'
        for day, night in NIGHT.items()
        for part in ("fill", "stroke")
    )


def dress(chart: Any) -> Any:
    """The look that all charts have in common."""
    text = {"labelColor": QUIET, "titleColor": QUIET, "labelFontSize": 12, "titleFontSize": 12}
    return (
        chart.configure(background=PAPER, font=FONT, padding=14, autosize="pad")
        .configure_view(stroke=None)
        .configure_axis(
            **text,
            titleFontWeight="normal",
            titlePadding=10,
            gridColor=LINE,
            domainColor=LINE,
            tickColor=LINE,
            labelOverlap=True,
            labelSeparation=6,
        )
        .configure_axisY(titlePadding=12)
        .configure_legend(
            labelColor=INK,
            labelFontSize=12,
            orient="top",
            direction="horizontal",
            symbolSize=90,
            symbolOpacity=1,
            offset=6,
        )
        .configure_title(
            color=INK,
            fontSize=15,
            fontWeight=700,
            anchor="start",
            frame="bounds",
            offset=12,
            subtitleColor=QUIET,
            subtitleFontSize=12,
            subtitlePadding=5,
        )
        .configure_header(labelColor=INK, labelFontSize=13, labelFontWeight=600, labelAnchor="start")
    )
