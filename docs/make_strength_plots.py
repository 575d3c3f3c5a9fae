"""Draws what the tables of docs/strength.md and docs/thinking.md say: ``python docs/make_strength_plots.py``.

The tables are the source; the pictures are made of them, so that one cannot say what the other does not.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import altair as alt

DOCS = Path(__file__).parent
SIZE = {"width": 420, "height": 300}


def rows_below(text: str, head: str) -> list[list[str]]:
    """The cells of a table, found by how its first line begins."""
    lines = text[text.index(head) :].splitlines()[2:]
    table = lines[: next((k for k, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def number(text: str) -> float:
    """The number in a cell.

    >>> number("1,119 million")
    1119.0
    """
    return float(re.sub(r"[^0-9.]", "", text))


def stated_and_true(page: str) -> Any:
    """Chances as they were stated, and how often they came true among champions."""
    points = [
        {"stated": number(stated), "came true": number(true), "seats": number(seats)}
        for _, stated, true, seats in rows_below(page, "| stated | on average | came true |")
    ]
    ideal = alt.Chart(alt.InlineData([{"x": 0, "y": 0}, {"x": 100, "y": 100}])).mark_line(
        strokeDash=[4, 4], color="grey"
    )
    dots = alt.Chart(alt.InlineData(points)).mark_circle(color="#2f6f4f")
    return alt.layer(
        ideal.encode(x="x:Q", y="y:Q"),
        dots.encode(
            x=alt.X("stated:Q", title="stated chance to win, per cent"),
            y=alt.Y("came true:Q", title="came true, per cent"),
            size=alt.Size("seats:Q", title="seats", scale=alt.Scale(rangeMin=40)),
        ),
    ).properties(**SIZE)


def learning_curves(diary: str) -> Any:
    """Games won against planners while the networks learned, by choices made so far."""
    points, who = [], ""
    for what, choices, three, one in rows_below(diary, "| | choices | against three planners"):
        who = next((name for name in ("classic", "second") if what.startswith(name)), who)
        for against, won in (("three planners", three), ("one planner", one)):
            points.append({"net": f"{who}, {against}", "choices": number(choices), "wins": number(won)})
    return (
        alt.Chart(alt.InlineData(points))
        .mark_line(point=True)
        .encode(
            x=alt.X("choices:Q", title="choices, million", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("wins:Q", title="games won, per cent", scale=alt.Scale(zero=False)),
            color=alt.Color("net:N", title=None, scale=alt.Scale(scheme="dark2")),
        )
        .properties(**SIZE)
    )


def main() -> None:
    """Draw both."""
    page, diary = ((DOCS / name).read_text() for name in ("strength.md", "thinking.md"))
    stated_and_true(page).save(DOCS / "chances.svg")
    learning_curves(diary).save(DOCS / "curves.svg")


if __name__ == "__main__":
    main()
