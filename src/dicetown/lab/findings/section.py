"""What a study has found, said so that it can be shown anywhere: in a terminal, in Markdown, on a page.

A study answers a question with a :class:`Section`: a sentence, tables, and charts that say which columns
of which table to draw. What is shown is in the reader's language already; how it looks is for others to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Literal, TypeAlias

from dicetown.intervals import Z, wilson

#: What stands in a column: a name; how many; a share of 1, shown in percent; a difference of shares, shown in
#: points with its sign; any number; a difference of numbers, shown with its sign; a factor, shown as × 1.07.
Kind = Literal["name", "count", "share", "points", "number", "signed", "factor"]


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval.

    >>> round(Estimate.around(0.25, 0.01).high, 4)
    0.2696
    """

    value: float
    low: float
    high: float

    @classmethod
    def around(cls, value: float, error: float) -> Estimate:
        """A figure whose standard error is known."""
        return cls(value, value - Z * error, value + Z * error)

    @property
    def is_clear_of(self) -> float:
        """By how much the interval clears zero, with the figure's sign; 0 if zero lies within it."""
        return max(self.low, 0.0) + min(self.high, 0.0)

    def as_dict(self) -> dict[str, float]:
        """The figure and its ends, for JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}


def share_estimate(hits: int, tries: int) -> Estimate:
    """A share of independent tries, with its Wilson interval.

    >>> share_estimate(50, 100).value
    0.5
    """
    return Estimate(hits / tries if tries else 0.0, *wilson(hits, tries))


def mean_estimate(count: int, total: float, squares: float) -> Estimate | None:
    """A mean from the sums of independent numbers and of their squares; None without any.

    >>> mean_estimate(4, 8.0, 16.0)
    Estimate(value=2.0, low=2.0, high=2.0)
    """
    if not count:
        return None
    mean = total / count
    return Estimate.around(mean, sqrt(max(0.0, squares / count - mean * mean) / count))


Cell: TypeAlias = str | int | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """A column of a table: the key that charts and programs call it by, its title, and what stands in it."""

    key: str
    title: str
    kind: Kind = "number"
    digits: int | None = None  # behind the point; None leaves that to whoever shows it


@dataclass(frozen=True)
class Table:
    """Rows of figures. A table that is not `shown` is only there for charts to draw."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shown: bool = True

    def column(self, key: str) -> Column:
        """The column of a key."""
        return next(column for column in self.columns if column.key == key)

    def cells(self, key: str) -> list[Cell]:
        """What stands in a column, from top to bottom."""
        place = [column.key for column in self.columns].index(key)
        return [row[place] for row in self.rows]

    def as_dicts(self) -> list[dict[str, Any]]:
        """The rows by the keys of the columns, for JSON."""
        return [
            {column.key: _plain(cell) for column, cell in zip(self.columns, row, strict=True)}
            for row in self.rows
        ]


@dataclass(frozen=True)
class Chart:
    """What to draw of a table, by the keys of its columns.

    Where `x` or `y` names a column of estimates, their intervals are drawn, too. `kind` is how it is drawn:
    ``dots`` (a figure with its interval for each name), ``bars``, ``lines`` (over a number), ``histogram``
    (`x` is a number, `y` how often), ``cells`` (two names, and a figure as colour).
    """

    kind: Literal["dots", "bars", "lines", "histogram", "cells"]
    title: str
    table: str
    x: str
    y: str
    colour: str | None = None  # the column whose names tell lines, dots or bars apart
    facet: str | None = None  # the column whose names get a small chart each
    line_at: float | None = None  # where a straight line shows what is expected, across the figures


@dataclass(frozen=True)
class Section:
    """A question, its answer, and what it rests on."""

    key: str
    title: str
    question: str
    answer: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()  # how it was counted, and what the figures do not mean
    figures: Mapping[str, Any] = field(default_factory=dict)  # for JSON, beside the tables

    def table(self, key: str) -> Table:
        """The table of a key."""
        return next(table for table in self.tables if table.key == key)

    def as_dict(self) -> dict[str, Any]:
        """Everything that was found, for JSON."""
        return {
            "question": self.question,
            "answer": self.answer,
            "notes": list(self.notes),
            **self.figures,
            "tables": {table.key: table.as_dicts() for table in self.tables},
        }


def _plain(cell: Cell) -> object:
    return cell.as_dict() if isinstance(cell, Estimate) else cell
