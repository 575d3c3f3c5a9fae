"""Figures as people write them, in every language, with as many digits as their intervals deserve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, log10

from dicetown.lab.findings.section import Cell, Column, Estimate, Table
from dicetown.words.language import facts_of

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
NOTHING = "–"
_NARROW = "\N{NARROW NO-BREAK SPACE}"
_SIGNED = ("points", "signed")
_PERCENT = ("share", "points")
_MOST_DIGITS = 3
_USUAL_DIGITS = {"share": 1, "points": 1, "factor": 2}


@dataclass(frozen=True)
class Style:
    """How a language writes numbers."""

    point: str
    thousands: str
    percent: str
    ungrouped: int  # the first number that is written in groups

    def number(self, value: float, digits: int = 1) -> str:
        """A number with so many digits behind the point.

        >>> style_of("en").number(12345.678), style_of("de").number(12345.678), style_of("es").number(-1234.5)
        ('12,345.7', '12.345,7', '−1234,5')
        """
        rounded = abs(round(value, digits))
        whole, _, rest = f"{rounded:,.{digits}f}".partition(".")
        groups = self.thousands if rounded >= self.ungrouped else ""
        text = whole.replace(",", groups) + (self.point + rest if rest else "")
        return (MINUS if value < 0 and rounded else "") + text

    def signed(self, value: float, digits: int = 1) -> str:
        """A difference, which says whether it is more or less.

        >>> style_of("en").signed(1.25), style_of("en").signed(-0.01), style_of("en").signed(0)
        ('+1.2', '0.0', '0.0')
        """
        text = self.number(value, digits)
        return f"+{text}" if round(value, digits) > 0 else text

    def count(self, value: int) -> str:
        """How many."""
        return self.number(value, 0)

    def share(self, value: float, digits: int = 1) -> str:
        """A share in percent; languages differ in the space before the sign.

        >>> style_of("en").share(0.2763)
        '27.6%'
        """
        return self.number(100 * value, digits) + self.percent

    # ------------------------------------------------------------------- with intervals

    def share_of(self, estimate: Estimate) -> str:
        """A share with its interval, for a sentence.

        >>> style_of("en").share_of(Estimate(0.54, 0.501, 0.579))
        '54% (50–58)'
        """
        digits = digits_of([estimate], "share")
        ends = (self.number(100 * end, digits) for end in (estimate.low, estimate.high))
        return f"{self.share(estimate.value, digits)} ({DASH.join(ends)})"

    def points_of(self, estimate: Estimate) -> str:
        """A difference of shares in points, with its interval."""
        digits = digits_of([estimate], "points")
        ends = (self.signed(100 * end, digits) for end in (estimate.low, estimate.high))
        return f"{self.signed(100 * estimate.value, digits)} ({' … '.join(ends)})"

    def number_of(self, estimate: Estimate) -> str:
        """A number with its interval.

        >>> style_of("en").number_of(Estimate(61.234, 61.0, 61.468))
        '61.2 (61.0–61.5)'
        """
        digits = digits_of([estimate], "number")
        ends = (self.number(end, digits) for end in (estimate.low, estimate.high))
        return f"{self.number(estimate.value, digits)} ({DASH.join(ends)})"

    def signed_of(self, estimate: Estimate) -> str:
        """A difference of numbers, with its interval."""
        digits = digits_of([estimate], "signed")
        ends = (self.signed(end, digits) for end in (estimate.low, estimate.high))
        return f"{self.signed(estimate.value, digits)} ({' … '.join(ends)})"

    # ------------------------------------------------------------------------ in tables

    def value(self, column: Column, value: Cell, digits: int) -> str:
        """A cell of a table, its interval aside."""
        figure = value.value if isinstance(value, Estimate) else value
        if figure is None or isinstance(figure, str):
            return figure or NOTHING
        return {
            "name": lambda: str(figure),
            "count": lambda: self.number(figure, digits),
            "share": lambda: self.share(figure, digits),
            "points": lambda: self.signed(100 * figure, digits),
            "number": lambda: self.number(figure, digits),
            "signed": lambda: self.signed(figure, digits),
            "factor": lambda: f"×{_NARROW}{self.number(figure, digits)}",
        }[column.kind]()

    def interval(self, column: Column, estimate: Estimate, digits: int) -> str:
        """The ends of an interval.

        >>> style_of("en").interval(Column("won", "won", "share"), Estimate(0.5, 0.4, 0.6), 1)
        '40.0–60.0'
        """
        scale = 100 if column.kind in _PERCENT else 1
        write = self.signed if column.kind in _SIGNED else self.number
        joint = " … " if column.kind in _SIGNED else DASH
        return joint.join(write(scale * end, digits) for end in (estimate.low, estimate.high))


@cache
def style_of(language: str) -> Style:
    """How a language writes numbers."""
    numbers = facts_of(language).numbers
    return Style(numbers.point, numbers.thousands, numbers.percent, numbers.grouped_from)


def digits_in(table: Table, key: str) -> int:
    """How many digits behind the point a column of a table deserves: its narrower intervals say."""
    column = table.column(key)
    if column.digits is not None:
        return column.digits
    cells = table.cells(key)
    if not any(isinstance(cell, Estimate) for cell in cells):
        if all(isinstance(cell, int) for cell in cells if cell is not None):
            return 0
        return _USUAL_DIGITS.get(column.kind, 1)
    return digits_of([cell for cell in cells if isinstance(cell, Estimate)], column.kind)


def digits_of(estimates: Sequence[Estimate], kind: str) -> int:
    """How many digits behind the point say something, with intervals as wide as these.

    >>> digits_of([Estimate(0.25, 0.24, 0.26)], "share"), digits_of([Estimate(61, 55, 67)], "number")
    (1, 0)
    """
    scale = 100 if kind in _PERCENT else 1
    reaches = sorted(scale * (one.high - one.low) / 2 for one in estimates if one.high > one.low)
    if not reaches:
        return _USUAL_DIGITS.get(kind, 1)
    reach = reaches[len(reaches) // 3]
    return max(0, min(_MOST_DIGITS, ceil(-log10(reach / 2))))
