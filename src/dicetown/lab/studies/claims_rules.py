"""When a claim holds: rules that turn figures with intervals into verdicts.

A verdict is only given where the whole interval is on one side of what was said. Where it is on both, nothing
can be said, and more games would help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import msgspec

from dicetown.lab.findings.section import Estimate

#: A figure, or one for each of several: bots, or things that were bought.
Figures: TypeAlias = Mapping[str, Estimate]
#: The name of a figure that stands alone.
ALONE = ""


class Verdict(StrEnum):
    """What came out."""

    HOLDS = "holds"
    PARTLY = "partly"
    REFUTED = "refuted"
    OPEN = "open"


class About(msgspec.Struct, frozen=True, tag_field="kind", tag="about", forbid_unknown_fields=True):
    """A figure is near a value: within the tolerance it holds, within twice the tolerance in part."""

    value: float
    tolerance: float

    def judge(self, figures: Figures) -> Verdict:
        """Whether the figure is near.

        >>> About(0.75, 0.05).judge({"": Estimate(0.74, 0.73, 0.75)}).value
        'holds'
        """
        found = figures[ALONE]
        off = [abs(end - self.value) for end in (found.low, found.high)]
        around = found.low <= self.value <= found.high
        nearest, furthest = (0.0 if around else min(off)), max(off)
        if furthest <= self.tolerance:
            return Verdict.HOLDS
        if nearest >= 2 * self.tolerance:
            return Verdict.REFUTED
        return Verdict.PARTLY if furthest <= 2 * self.tolerance else Verdict.OPEN


class MoreThan(msgspec.Struct, frozen=True, tag_field="kind", tag="more_than", forbid_unknown_fields=True):
    """A figure is larger than a value."""

    value: float

    def judge(self, figures: Figures) -> Verdict:
        """Whether the figure is surely larger, or surely not."""
        found = figures[ALONE]
        if found.low > self.value:
            return Verdict.HOLDS
        return Verdict.REFUTED if found.high < self.value else Verdict.OPEN


class IsBest(msgspec.Struct, frozen=True, tag_field="kind", tag="is_best", forbid_unknown_fields=True):
    """One of several has the largest figure."""

    name: str

    def judge(self, figures: Figures) -> Verdict:
        """Whether all others are surely smaller, or one surely larger."""
        if self.name not in figures:
            return Verdict.OPEN
        mine = figures[self.name]
        others = [figure for name, figure in figures.items() if name != self.name]
        if any(other.low > mine.high for other in others):
            return Verdict.REFUTED
        return Verdict.HOLDS if others and all(other.high < mine.low for other in others) else Verdict.OPEN


class AreBest(msgspec.Struct, frozen=True, tag_field="kind", tag="are_best", forbid_unknown_fields=True):
    """Those named have the largest figures of all."""

    names: list[str]

    def judge(self, figures: Figures) -> Verdict:
        """Whether all, some or none of those named are surely among the best, of which there are as many."""
        inside = [self._is_among_best(name, figures) for name in self.names]
        if all(inside):
            return Verdict.HOLDS
        if all(found is False for found in inside):
            return Verdict.REFUTED
        return Verdict.PARTLY if False in inside else Verdict.OPEN

    def _is_among_best(self, name: str, figures: Figures) -> bool | None:
        """Whether fewer are ahead of it than there is room for; None where intervals leave that open."""
        mine, others = figures[name], [one for other, one in figures.items() if other != name]
        if sum(other.low > mine.high for other in others) >= len(self.names):
            return False
        if sum(other.high >= mine.low for other in others) < len(self.names):
            return True
        return None


Rule: TypeAlias = About | MoreThan | IsBest | AreBest


#: A claim is refuted as a whole if at least so many of the tests that decide refute it.
_MOST = 3 / 4


def over_all(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict over several tests.

    Where half of the tests or more leave it open, so does the whole. Of those that decide, all must hold for
    the claim to hold as it was said; if at least three in four refute it, it is refuted; else it holds in
    part.

    >>> over_all([Verdict.HOLDS, Verdict.HOLDS, Verdict.OPEN]).value
    'holds'
    >>> over_all([Verdict.HOLDS, *[Verdict.REFUTED] * 5]).value
    'refuted'
    >>> over_all([Verdict.HOLDS, Verdict.OPEN]).value, over_all([Verdict.HOLDS, Verdict.REFUTED]).value
    ('open', 'partly')
    """
    decided = [verdict for verdict in verdicts if verdict != Verdict.OPEN]
    if 2 * len(decided) <= len(verdicts):
        return Verdict.OPEN
    if all(verdict == Verdict.HOLDS for verdict in decided):
        return Verdict.HOLDS
    refuted = sum(verdict == Verdict.REFUTED for verdict in decided)
    return Verdict.REFUTED if refuted >= _MOST * len(decided) else Verdict.PARTLY
