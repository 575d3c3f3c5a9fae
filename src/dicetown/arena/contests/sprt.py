"""A sequential test: stop as soon as the games have decided.

The first bot named is compared with the rest. H0 says that it is elo0 stronger than they are, H1 that it is
elo1 stronger; after each round of games with equal dice the likelihood ratio of the two tells whether one of
them can be dropped with an error of at most 5 % (Wald's test). What is looked at is the bot's share of the
games of a round, whose variance is measured, so that luck that cancels within a round speeds the test up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.contests.ratings import chance
from dicetown.arena.contests.scores import Sheet
from dicetown.errors import ArenaError

ERROR = 0.05
BOUND = log((1 - ERROR) / ERROR)
#: Before so many rounds nothing is decided: their variance is not known yet.
LEAST_ROUNDS = 16


@dataclass(frozen=True)
class Hypotheses:
    """How much stronger the first bot is, in Elo: by H0, and by H1."""

    elo0: float
    elo1: float

    @classmethod
    def read(cls, text: str) -> Hypotheses:
        """The hypotheses of a text.

        >>> Hypotheses.read("0,20")
        Hypotheses(elo0=0.0, elo1=20.0)
        """
        words = text.split(",")
        try:
            elo0, elo1 = (float(word) for word in words)
        except ValueError:
            elo0, elo1 = 0.0, 0.0
        if not elo0 < elo1 or abs(elo0) > 2000 or abs(elo1) > 2000:
            raise ArenaError(f'"{text}" is no pair of Elo differences; --sprt 0,20 tests 0 against 20.')
        return cls(elo0, elo1)


@dataclass(frozen=True)
class Verdict:
    """Where a test stands: the log-likelihood ratio, and which hypothesis is accepted, if any."""

    hypotheses: Hypotheses
    llr: float
    accepted: str | None  # "H0" or "H1"
    games: int  # that were looked at

    def as_dict(self) -> dict[str, float | str | list[float] | None]:
        """The verdict, for JSON."""
        return {
            "elo0": self.hypotheses.elo0,
            "elo1": self.hypotheses.elo1,
            "alpha": ERROR,
            "beta": ERROR,
            "llr": self.llr,
            "bounds": [-BOUND, BOUND],
            "verdict": self.accepted,
        }


def judge(sheet: Sheet, hypotheses: Hypotheses) -> Verdict:
    """Where the test stands after the rounds that are complete, or where it was first decided."""
    length = sheet.schedule.round_length
    rounds = sheet.leading // length
    if not rounds:
        return Verdict(hypotheses, 0.0, None, 0)
    ratios = likelihood_ratios(_scores(sheet, rounds), hypotheses, sheet.schedule.players)
    decided = np.flatnonzero(np.abs(ratios) >= BOUND)
    decided = decided[decided >= LEAST_ROUNDS - 1]
    at = int(decided[0]) if len(decided) else rounds - 1
    ratio = float(ratios[at])
    accepted = ("H1" if ratio > 0 else "H0") if len(decided) else None
    return Verdict(hypotheses, ratio, accepted, (at + 1) * length)


def _scores(sheet: Sheet, rounds: int) -> NDArray[np.float64]:
    """The share of the first contestant in the games it took part in, round by round."""
    schedule = sheet.schedule
    games = rounds * schedule.round_length
    mine = sheet.cut(games).credit()[:, 0]
    taking_part = sum(0 in lineup for lineup in schedule.lineups) * schedule.players
    shares: NDArray[np.float64] = mine.reshape(rounds, -1).sum(1) / taking_part
    return shares


def likelihood_ratios(
    scores: NDArray[np.float64], hypotheses: Hypotheses, players: int
) -> NDArray[np.float64]:
    """The log-likelihood ratio of H1 to H0 after each round, by normal approximation."""
    share0, share1 = chance(hypotheses.elo0, players), chance(hypotheses.elo1, players)
    rounds = np.arange(1, len(scores) + 1)
    mean = scores.cumsum() / rounds
    # One round of pure chance is added, or a bot that has won everything so far would have no variance.
    prior = 1 / players * (1 - 1 / players) / players
    variance = ((scores**2).cumsum() - rounds * mean**2 + prior) / rounds
    ratios: NDArray[np.float64] = rounds * (share1 - share0) * (2 * mean - share0 - share1) / (2 * variance)
    return ratios
