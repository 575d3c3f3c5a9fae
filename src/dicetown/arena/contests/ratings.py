"""Strength as a number: Elo fitted to all games at once, and openskill as the games went by.

A game with several seats is won by one of them. The chance that a seat wins is taken to be proportional to
10 ** (Elo / 400) of its bot: with two players that is the familiar Elo formula, with more the first place
of a Plackett–Luce model.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.contests.scores import DRAWN, Sheet
from dicetown.intervals import Z

_SCALE = 400 / log(10)
#: A bot that never won has no most likely Elo but minus infinity; that nobody is thousands away from the
#: others is known beforehand. In Elo, one standard deviation.
_PRIOR = 1200.0
#: From so many rounds of equal dice on, intervals are taken from how much the rounds differ, which credits
#: the luck that cancels within a round; with fewer, from the model.
_ENOUGH_ROUNDS = 100
_STEPS = 100
#: What openskill is shown: it looks at game after game, and a bot's strength is known long before.
OPENSKILL_GAMES = 5_000


@dataclass(frozen=True)
class Elo:
    """A strength with its 95 % interval; the average of all contestants is 0."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Skill:
    """What openskill makes of a bot."""

    mu: float
    sigma: float

    @property
    def reach(self) -> float:
        """How far the 95 % interval of mu reaches to each side."""
        return Z * self.sigma


def chance(elo: float, players: int) -> float:
    """The chance of a seat to win against others of Elo 0.

    >>> chance(0, 4), round(chance(200, 2), 3)
    (0.25, 0.76)
    """
    strength = 10 ** (elo / 400)
    return float(strength / (strength + players - 1))


def fit_elo(sheet: Sheet) -> list[Elo]:
    """The Elo of each contestant that makes the games most likely."""
    seats, credit, lineup_of = sheet.seats, sheet.credit()[sheet.played], sheet.lineup_of[sheet.played]
    strength = np.zeros(sheet.schedule.contestants)
    worth = np.bincount(lineup_of, weights=credit.sum(1), minlength=len(seats))
    for _ in range(_STEPS):
        shares = _shares(seats, strength)
        slope = credit.sum(0) - worth @ shares - strength / (_PRIOR / _SCALE) ** 2
        step = np.linalg.solve(_bend(worth, shares), slope)
        strength += np.clip(step, -2, 2)  # a whole step may lead astray where somebody wins nearly all
        if np.abs(step).max() < 1e-9:
            break
    spread = _spread(sheet, seats, credit, lineup_of, worth, strength)
    middle = strength - strength.mean()
    return [
        Elo(_SCALE * at, _SCALE * (at - Z * by), _SCALE * (at + Z * by))
        for at, by in zip(middle.tolist(), spread.tolist(), strict=True)
    ]


def _shares(seats: NDArray[Any], strength: NDArray[Any]) -> NDArray[Any]:
    """The expected share of each contestant in each line-up."""
    weights = seats * np.exp(strength - strength.max())
    shares: NDArray[Any] = weights / weights.sum(1, keepdims=True)
    return shares


def _bend(worth: NDArray[Any], shares: NDArray[Any]) -> NDArray[Any]:
    """How sharply the likelihood bends: its second derivative, negative."""
    prior = np.eye(shares.shape[1]) / (_PRIOR / _SCALE) ** 2
    bend: NDArray[Any] = prior + np.diag(worth @ shares) - (shares.T * worth) @ shares
    return bend


def _spread(
    sheet: Sheet,
    seats: NDArray[Any],
    credit: NDArray[Any],
    lineup_of: NDArray[Any],
    worth: NDArray[Any],
    strength: NDArray[Any],
) -> NDArray[Any]:
    """The standard error of each strength, measured from their average."""
    shares = _shares(seats, strength)
    inverse = np.linalg.inv(_bend(worth, shares))
    rounds = np.flatnonzero(sheet.played) // sheet.schedule.round_length
    if len(rounds) and len(np.unique(rounds)) >= _ENOUGH_ROUNDS:
        surprise = credit - shares[lineup_of] * credit.sum(1, keepdims=True)
        by_round = np.zeros((int(rounds.max()) + 1, len(strength)))
        np.add.at(by_round, rounds, surprise)
        inverse = inverse @ (by_round.T @ by_round) @ inverse
    centre = np.eye(len(strength)) - 1 / len(strength)
    spread: NDArray[Any] = np.sqrt(np.maximum(0, np.diag(centre @ inverse @ centre)))
    return spread


def rate_openskill(sheet: Sheet) -> list[Skill]:
    """What openskill (Plackett–Luce) makes of the games, one after another.

    All that is known of a game is who won. So its winner is compared with each of the others, and these not
    with one another; in a drawn game all tie with all. A comparison counts for as much as a seat has of them
    in a game, so that what one gains another loses. Strengths do not change, so no uncertainty is added
    between games.
    """
    from openskill.models import PlackettLuce

    model, weight = PlackettLuce(tau=0.0), 1 / (sheet.schedule.players - 1)
    skills = np.tile([model.mu, model.sigma], (sheet.schedule.contestants, 1))
    for number in np.flatnonzero(sheet.winners >= DRAWN)[:OPENSKILL_GAMES].tolist():
        seats = sheet.schedule.seats(sheet.schedule.entry(number))
        winner = int(sheet.winners[number])
        ranks = [1.0, 1.0] if winner == DRAWN else [1.0, 2.0]
        pairs = combinations(seats, 2) if winner == DRAWN else ((winner, one) for one in seats)
        moves = np.zeros_like(skills)
        for pair in pairs:
            if pair[0] != pair[1]:
                after = model.rate([[model.create_rating(skills[one].tolist())] for one in pair], ranks=ranks)
                for one, (rating,) in zip(pair, after, strict=True):
                    moves[one] += weight * (np.array([rating.mu, rating.sigma]) - skills[one])
        skills += moves
    return [Skill(mu, sigma) for mu, sigma in skills.tolist()]
