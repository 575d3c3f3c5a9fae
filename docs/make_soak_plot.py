"""Draws what half an hour of play took and weighed: ``python docs/make_soak_plot.py``.

The figures are those that ``bench/soak.py --out docs/soak.csv`` has measured.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import altair as alt

DOCS = Path(__file__).parent
SIZE = {"width": 420, "height": 120}
MINUTES = alt.X("minutes:Q", title="minutes", axis=alt.Axis(values=[0, 5, 10, 15, 20, 25, 30]))


def figures(place: Path) -> list[dict[str, float]]:
    """The figures of all intervals."""
    with place.open() as file:
        return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]


def line(measured: list[dict[str, float]], names: dict[str, str], title: str) -> Any:
    """One panel: some figures over time, from nothing up."""
    points = [
        {"minutes": row["minutes"], "what": shown, "figure": row[name]}
        for row in measured
        for name, shown in names.items()
    ]
    return (
        alt.Chart(alt.InlineData(points))
        .mark_line(interpolate="step-before", strokeWidth=1.5)
        .encode(
            x=MINUTES,
            y=alt.Y("figure:Q", title=title, scale=alt.Scale(zero=True)),
            color=alt.Color("what:N", title=None, scale=alt.Scale(scheme="dark2")),
        )
        .properties(**SIZE)
    )


def main() -> None:
    """Draw it."""
    measured = figures(DOCS / "soak.csv")
    panels = (
        line(measured, {"actions_per_second": "actions/s"}, "actions a second"),
        line(measured, {"p50_ms": "p50", "p99_ms": "p99"}, "milliseconds"),
        line(measured, {"megabytes": "gateway and workers"}, "megabytes"),
    )
    alt.vconcat(*panels).resolve_scale(color="independent").save(DOCS / "soak.svg")


if __name__ == "__main__":
    main()
