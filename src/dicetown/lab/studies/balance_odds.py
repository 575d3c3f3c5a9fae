"""What an early copy of each card does to the odds of winning, against what else its price would have bought.

Exactly one player wins a game, so the model is a choice among its players: the odds of two of them are
``exp`` of the difference of their scores, and a score is a sum over what was bought early, and over where one
sits (conditional logit). Games are independent, so the curvature of the likelihood gives honest intervals.

Who was lucky has bought more, and has won more: by itself every purchase looks good. So each is compared with
an average early purchase of the same price: the line through all scores over the prices is taken out.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dicetown.lab.findings.section import Estimate
from dicetown.lab.findings.together import z_among
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import batches, database

if TYPE_CHECKING:
    import duckdb

#: Enough for intervals of a hundredth; more would only take longer.
MOST_GAMES = 100_000
#: Things bought early less often than this, by all together, say nothing.
_FEWEST = 100
#: With fewer things there is no line through their prices that leaves anything over.
_FEWEST_THINGS = 3
#: Where a bot always wins, purchases explain nothing, and scores have no bounds: what could as well multiply
#: the odds by more than a thousand is not told.
_FARTHEST = log(1_000)
_ROUNDS = 25
_CLOSE = 1e-9

Floats = NDArray[np.float64]


def odds_of(recorded: Recorded, early: int, prices: Mapping[int, float]) -> dict[int, Estimate]:
    """By which factor an early copy multiplies the odds, against an average early purchase of its price.

    The intervals of all things hold together, so that the best and the worst may be picked.
    """
    features, winners, things = _features(recorded, early)
    if not len(winners) or len(things) < _FEWEST_THINGS:
        return {}
    weights, covariance = fit(features, winners)
    own = slice(len(things))  # the seats come after the things
    often = features[..., own].sum(axis=(0, 1))
    beyond = beyond_price(np.array([prices[thing] for thing in things]), often)
    excess, errors = beyond @ weights[own], np.sqrt(np.diag(beyond @ covariance[own, own] @ beyond.T))
    z = z_among(len(things))
    return {
        thing: Estimate(exp(score), exp(score - z * error), exp(score + z * error))
        for thing, score, error in zip(things, excess.tolist(), errors.tolist(), strict=True)
        if abs(score) + z * error < _FARTHEST
    }


def beyond_price(prices: Floats, often: Floats) -> Floats:
    """The matrix that takes from scores what their prices explain, frequent purchases counting for more.

    >>> beyond = beyond_price(np.array([1.0, 2.0, 3.0]), np.ones(3))
    >>> bool(np.allclose(beyond @ [5.0, 7.0, 9.0], 0))
    True
    """
    line = np.stack([np.ones_like(prices), prices], axis=1)
    weighed = line * often[:, None]
    projection: Floats = np.eye(len(prices)) - line @ np.linalg.pinv(weighed.T @ line) @ weighed.T
    return projection


def fit(features: Floats, winners: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The weights under which the winners are likeliest, by Newton's method, and their covariance.

    `features` has a row for each seat of each game; `winners` are seats.
    """
    games, _, width = features.shape
    weights: Floats = np.zeros(width)
    won = features[np.arange(games), winners].sum(axis=0)
    curvature = np.eye(width)
    for _ in range(_ROUNDS):
        scores = features @ weights
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        means = np.einsum("gs,gsk->gk", chances, features)
        scaled = (features * np.sqrt(chances)[..., None]).reshape(-1, width)
        curvature = scaled.T @ scaled - means.T @ means
        step = np.linalg.pinv(curvature, hermitian=True) @ (won - means.sum(axis=0))
        weights = weights + step
        if float(np.abs(step).max(initial=0.0)) < _CLOSE:
            break
    return weights, np.linalg.pinv(curvature, hermitian=True).astype(np.float64)


def _features(recorded: Recorded, early: int) -> tuple[Floats, NDArray[np.int64], list[int]]:
    """What each player bought early, and at which seat; who won; and which things these are."""
    with database() as asked:
        counts, winners = _counts(asked, recorded, early)
    decided = winners >= 0
    counts, winners = counts[decided], winners[decided]
    things = np.flatnonzero(counts.sum(axis=(0, 1)) >= _FEWEST)
    seats = np.broadcast_to(np.eye(recorded.seats)[:, 1:], (len(winners), recorded.seats, recorded.seats - 1))
    features = np.concatenate([counts[:, :, things].astype(np.float64), seats], axis=2)
    return features, winners.astype(np.int64), [int(thing) for thing in things]


def _counts(
    asked: duckdb.DuckDBPyConnection, recorded: Recorded, early: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Early copies by game, seat and thing; and the winners."""
    parts = [part for batch in batches(recorded) for part in batch]
    parts = parts[: max(1, MOST_GAMES // recorded.manifest.games_per_part)]
    won = asked.execute(
        "SELECT game, winner FROM read_parquet($1) ORDER BY game",
        [[recorded.file("games", p) for p in parts]],
    ).fetchnumpy()
    bought = asked.execute(
        """SELECT game, seat, thing, count(*) AS copies FROM read_parquet($1) WHERE turn <= $2
           GROUP BY game, seat, thing""",
        [[recorded.file("purchases", p) for p in parts], early],
    ).fetchnumpy()
    counts = np.zeros((len(won["game"]), recorded.seats, max(recorded.things) + 1), np.int8)
    rows = np.searchsorted(won["game"], bought["game"])
    counts[rows, bought["seat"], bought["thing"]] = bought["copies"]
    return counts, won["winner"]
