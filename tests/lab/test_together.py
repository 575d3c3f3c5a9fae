"""Intervals hold for what was picked: simulated studies in which the truth is known."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from dicetown.intervals import Z
from dicetown.lab.findings.clusters import Clustered, share_of_sums
from dicetown.lab.findings.section import Estimate
from dicetown.lab.findings.together import together, z_among
from dicetown.lab.studies.balance_odds import fit
from dicetown.lab.studies.openings import Opening, _gather, best_of

Floats = NDArray[np.float64]
CARDS, GAMES, STUDIES = 20, 500, 400
PICKS: list[Callable[..., int]] = [max, min]


def holds(figure: Estimate, truth: float) -> bool:
    return figure.low <= truth <= figure.high


def summed(m: Floats, x: Floats) -> list[Clustered]:
    """The sums over games of each card."""
    sums = (m.sum(axis=0), x.sum(axis=0), (x * x).sum(axis=0), (x * m).sum(axis=0), (m * m).sum(axis=0))
    return [Clustered(*(float(one[card]) for one in sums)) for card in range(m.shape[1])]


def study_of_cards(rng: np.random.Generator, truth: Floats) -> dict[int, Estimate]:
    """What the owners of some cards win beyond expectation; what one game brings, it brings to all cards."""
    won = truth + 0.5 * rng.normal(size=(GAMES, 1)) + rng.normal(size=(GAMES, CARDS))
    owners = rng.integers(1, 4, size=(GAMES, CARDS)).astype(float)
    found = {card: one.estimate for card, one in enumerate(summed(owners, won * owners))}
    return {card: one for card, one in found.items() if one is not None}


@pytest.mark.parametrize("pick", PICKS)
def test_the_interval_of_the_card_that_was_picked_holds_the_truth(pick: Callable[..., int]) -> None:
    """Alike or nearly so, as cards of a good game are: the hardest case. By itself, half of them fail."""
    rng, alone, among = np.random.default_rng(1), 0, 0
    for _ in range(STUDIES):
        truth = rng.normal(scale=0.02, size=CARDS)
        found = study_of_cards(rng, truth)
        picked = pick(found, key=lambda card: found[card].value)
        alone += holds(found[picked], truth[picked])
        among += holds(together(found)[picked], truth[picked])
    assert among / STUDIES >= 0.95
    assert alone / STUDIES < 0.80


def test_the_best_opening_is_ahead_by_what_it_says() -> None:
    """Through the study's own counting: nobody is ahead of anybody, and hardly ever is somebody named."""
    rng, named = np.random.default_rng(2), 0
    for _ in range(STUDIES):
        won, everybody = (rng.random((GAMES, CARDS)) < 0.25).astype(float), np.ones((GAMES, CARDS))
        wins, lead = (dict(enumerate(summed(everybody, one))) for one in (won, won - 0.25))
        begun: list[Opening] = _gather(wins, lead, things=1)
        assert all(one.won.low <= one.won.value <= one.won.high for one in begun)
        named += best_of(begun) is not None
    assert named / STUDIES <= 0.05


def test_odds_of_winning_hold_for_the_best_and_the_worst_card() -> None:
    """The choice model itself, with four players and cards of known worth."""
    rng, studies, cards = np.random.default_rng(3), 120, 12
    z, held, held_alone, ratios = z_among(cards), 0, 0, []
    for _ in range(studies):
        worth = rng.normal(scale=0.05, size=cards)
        bought = rng.poisson(0.4, size=(400, 4, cards)).astype(float)
        chances = np.exp(bought @ worth)
        chances /= chances.sum(axis=1, keepdims=True)
        winners = (chances.cumsum(axis=1) < rng.random((400, 1))).sum(axis=1)
        weights, covariance = fit(bought, winners)
        errors = np.sqrt(np.diag(covariance))
        off = np.abs(weights - worth) / errors
        ends = [int(weights.argmax()), int(weights.argmin())]
        held += sum(off[end] <= z for end in ends)
        held_alone += sum(off[end] <= Z for end in ends)
        draws = rng.multivariate_normal(np.zeros(cards), covariance, size=2_000)
        ratios.append(float(np.quantile(np.abs(draws / errors).max(axis=1), 0.95)) / z)
    assert held / (2 * studies) >= 0.95
    assert held_alone < held
    # With all covariances the intervals would be narrower by less than a fiftieth.
    assert 0.98 < float(np.mean(ratios)) < 1.02


def test_one_figure_alone_keeps_its_interval() -> None:
    alone = {"a": Estimate(1.0, 0.5, 1.5)}
    assert together(alone) == alone
    assert z_among(1) == Z


def test_a_share_among_several_reaches_further_and_stays_a_share() -> None:
    sums = Clustered.of([(1.0, 1.0)] * 95 + [(1.0, 0.0)] * 5)
    alone, among = share_of_sums(sums), share_of_sums(sums, z_among(7))
    assert alone is not None
    assert among is not None
    assert among.low < alone.low < alone.high < among.high <= 1.0
