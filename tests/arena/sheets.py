"""Score sheets of bots whose strength is known, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dicetown.arena.contests.schedule import Schedule
from dicetown.arena.contests.scores import DRAWN, Sheet


def sheet_of(
    elos: Sequence[float], players: int, games: int, seed: int, draws: float = 0.0, luck: float = 0.0
) -> Sheet:
    """Games won by chance in proportion to strength; `luck` is how much games of equal dice have in common:
    so often the best seat decides, which comes to everybody in turn.
    """
    schedule = Schedule(len(elos), players)
    sheet, rng = Sheet(schedule, games), np.random.default_rng(seed)
    lucky: dict[int, int] = {}
    for number in range(games):
        entry = schedule.entry(number)
        seats = schedule.seats(entry)
        if entry.game not in lucky:
            lucky[entry.game] = int(rng.integers(players)) if rng.random() < luck else -1
        weights = np.array([10 ** (elos[one] / 400) for one in seats])
        seat = int(rng.choice(players, p=weights / weights.sum()))
        seat = seat if lucky[entry.game] < 0 else lucky[entry.game]
        sheet.winners[number] = DRAWN if rng.random() < draws else seats[seat]
        sheet.turns[number] = 50
    return sheet
