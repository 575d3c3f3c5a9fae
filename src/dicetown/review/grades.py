"""How well somebody chose, in a word: by what a decision lost on average.

Among more players everybody's chance to win is smaller, and so is what a decision can lose; so a loss is
measured in even shares (a quarter of a win among four). Where one grade ends and the next begins follows from
what bots of all strengths lose: ``docs/thinking.md`` has the figures.
"""

from __future__ import annotations

#: Grades, the best first, and the average loss in even shares up to which each is given.
GRADES = {
    "masterly": 0.010,
    "strong": 0.020,
    "solid": 0.030,
    "fair": 0.042,
    "loose": 0.060,
    "wild": float("inf"),
}


def grade_of(average_loss: float, players: int) -> str:
    """The grade for what a decision lost on average of the chance to win.

    >>> grade_of(0.0, 2), grade_of(0.01, 2), grade_of(0.01, 4), grade_of(0.5, 4)
    ('masterly', 'strong', 'fair', 'wild')
    """
    return next(grade for grade, most in GRADES.items() if average_loss * players <= most)
