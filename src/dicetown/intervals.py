"""How far a figure that was counted or measured may be off: 95 % intervals."""

from __future__ import annotations

from math import sqrt

#: 95 % of a normal distribution lie so many deviations around its mean.
Z = 1.959963984540054


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share.

    >>> [round(end, 4) for end in wilson(50, 100)]
    [0.4038, 0.5962]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if tries == 0:
        return 0.0, 1.0
    share, square = hits / tries, Z * Z
    middle = share + square / (2 * tries)
    reach = Z * sqrt((share * (1 - share) + square / (4 * tries)) / tries)
    whole = 1 + square / tries
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
