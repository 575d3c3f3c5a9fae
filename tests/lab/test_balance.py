"""The balance of cards, against the same figures reckoned otherwise."""

import re
from collections import defaultdict
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from dicetown import Ruleset
from dicetown.intervals import Z
from dicetown.lab.findings.clusters import Clustered
from dicetown.lab.findings.section import Estimate
from dicetown.lab.findings.together import z_among
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.gather import gather, name_sample
from dicetown.lab.studies.balance import Weighed, _answer, study
from dicetown.lab.studies.balance_odds import fit, odds_of
from dicetown.lab.studies.balance_sums import Sums, sum_up
from dicetown.lab.studies.study import words_of

BASE = Ruleset("deluxe", sets=["base"])
NUMBERS = {card.id: number for number, card in enumerate(BASE.cards)}
Bought = list[dict[str, Any]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recorded, ...]:
    samples = [
        name_sample(BASE, 3, ["greedy:slips=300", "random", "greedy"], seed=1, games=1_500),
        name_sample(BASE, 2, ["greedy:slips=300"], seed=1, games=500),
    ]
    return gather(samples, tmp_path_factory.mktemp("lab") / "results").recorded


@pytest.fixture(scope="module")
def sums(recorded: tuple[Recorded, ...]) -> Sums:
    return sum_up(recorded[0])


@pytest.fixture(scope="module")
def bought(recorded: tuple[Recorded, ...]) -> Bought:
    return pl.read_parquet(recorded[0].purchases).to_dicts()


def clustered(games: dict[int, list[float]]) -> tuple[float, float]:
    """The mean of all figures and its standard error, with games as clusters."""
    figures = [one for some in games.values() for one in some]
    mean = sum(figures) / len(figures)
    residuals = [sum(some) - mean * len(some) for some in games.values()]
    return mean, sqrt(sum(one * one for one in residuals)) / len(figures)


def check(estimate: Estimate | None, mean: float, error: float) -> None:
    assert estimate is not None
    assert estimate.value == pytest.approx(mean)
    assert estimate.high - estimate.value == pytest.approx(Z * error)


def test_sums_over_games_give_the_interval_of_a_mean_with_bunches() -> None:
    games = {0: [1.0, 0.0, 0.0], 1: [1.0], 2: [0.0, 1.0], 3: []}
    summed = Clustered.of([(len(some), sum(some)) for some in games.values()])
    check(summed.estimate, *clustered(games))
    assert Clustered().estimate is None


def test_shares_of_seats_are_what_is_expected(recorded: tuple[Recorded, ...], sums: Sums) -> None:
    winners = pl.read_parquet(recorded[0].games)["winner"].to_list()
    assert sums.shares == pytest.approx([winners.count(seat) / 1_500 for seat in range(3)])
    assert sums.games == 1_500


def test_owners_are_judged_by_their_seats(sums: Sums, bought: Bought) -> None:
    for thing in sums.things:
        owners = {(row["game"], row["seat"]): row["won"] for row in bought if row["thing"] == thing}
        games = defaultdict(list)
        for (game, seat), won in owners.items():
            games[game].append(won - sums.shares[seat])
        check(sums.owners[(thing,)].estimate, *clustered(games))
        assert sums.owners[(thing,)].m == len(owners)
        early = {
            (row["game"], row["seat"])
            for row in bought
            if row["thing"] == thing and row["turn"] <= sums.early
        }
        assert sums.early_owners[(thing,)].m == len(early)


def test_numbers_of_copies_are_judged_with_those_who_have_none(
    recorded: tuple[Recorded, ...],
    sums: Sums,
    bought: Bought,
) -> None:
    ranch = NUMBERS["ranch"]
    copies: dict[tuple[int, int], int] = defaultdict(int)
    for row in bought:
        copies[row["game"], row["seat"]] += row["thing"] == ranch
    games: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in pl.read_parquet(recorded[0].players).to_dicts():
        number = min(6, copies[row["game"], row["seat"]])
        games[number][row["game"]].append(row["won"] - sums.shares[row["seat"]])
    assert 0 in games
    for number, by_game in games.items():
        check(sums.by_copies[(ranch, number)].estimate, *clustered(by_game))


def test_income_is_reckoned_by_copy_and_by_coin(sums: Sums, bought: Bought) -> None:
    cafe = NUMBERS["cafe"]
    copies = [row for row in bought if row["thing"] == cafe]
    earned = defaultdict(list)
    for row in copies:
        earned[row["game"]].append(row["earned"])
    check(sums.earned[(cafe,)].estimate, *clustered(earned))
    returned = sum(row["earned"] for row in copies) / sum(row["price"] for row in copies)
    found = sums.returned[(cafe,)].estimate
    assert found is not None
    assert found.value == pytest.approx(returned)
    paid_back = sums.paid_back[(cafe,)]
    assert paid_back.x == sum(row["earned"] >= row["price"] for row in copies)
    assert sums.bought(cafe).estimate.value == pytest.approx(len(copies) / 1_500)  # type: ignore[union-attr]
    by_turn = [sums.by_turn[(cafe, group)] for group in range(7)]
    assert sum(group.x for group in by_turn) == pytest.approx(sum(row["earned"] for row in copies), rel=1e-5)
    late = [row for row in copies if row["turn"] >= 22]
    assert by_turn[-1].m == sum(row["price"] for row in late)
    coins = sorted(round(row["earned"] * 2) / 2 for row in copies)
    assert sums.quantile(cafe, 0.5) == pytest.approx(coins[len(coins) // 2], abs=0.5)
    assert sums.quantile(cafe, 1.0) == coins[-1]


def test_weights_that_made_the_winners_are_found_again() -> None:
    rng = np.random.default_rng(1)
    true = np.array([0.5, -0.3, 0.0])
    features = rng.poisson(1.0, (20_000, 4, 3)).astype(np.float64)
    scores = features @ true + rng.gumbel(size=(20_000, 4))
    weights, covariance = fit(features, scores.argmax(axis=1))
    errors = np.sqrt(np.diag(covariance))
    assert np.all(np.abs(weights - true) < 4 * errors)
    assert np.all(errors < 0.02)


def test_early_odds_are_relative_to_what_the_price_would_have_bought(
    recorded: tuple[Recorded, ...], sums: Sums
) -> None:
    weighed = Weighed(recorded[0], "", "en")
    odds = weighed.odds
    assert set(odds) <= set(sums.things)
    assert all(one.low <= one.value <= one.high for one in odds.values())
    early = pl.read_parquet(recorded[0].purchases).filter(pl.col("turn") <= sums.early)
    often = {thing: early["thing"].to_list().count(thing) for thing in odds}
    # Weighed by how often they were bought, the scores lie around zero, whatever luck was worth.
    assert sum(often[thing] * log(one.value) for thing, one in odds.items()) == pytest.approx(0, abs=1e-6)
    assert odds_of(recorded[0], 0, {}) == {}


def test_where_one_bot_always_wins_nothing_is_said_about_odds(tmp_path: Path) -> None:
    sample = name_sample(BASE, 2, ["greedy", "random"], seed=0, games=2_000)
    weighed = Weighed(gather([sample], tmp_path / "results").recorded[0], "", "en")
    assert weighed.things
    assert all(one.high < 1_000 for one in weighed.odds.values())
    assert "no card stands out" in study([weighed.recorded], "en").answer


def test_best_and_worst_numbers_of_copies_are_those_with_the_most_and_fewest_wins(
    recorded: tuple[Recorded, ...],
) -> None:
    weighed = Weighed(recorded[0], "", "en")
    ranch = NUMBERS["ranch"]
    found = weighed.extremes(ranch)
    assert found is not None
    (_, best), (_, worst) = found
    values = [one.estimate.value for one in weighed.by_copies(ranch).values() if one.estimate]
    assert (best.value, worst.value) == (max(values), min(values))


@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_the_section_tells_all_samples_in_every_language(
    recorded: tuple[Recorded, ...], language: str
) -> None:
    section = study(recorded, language)
    assert section.key == "balance"
    assert section.answer
    labels = set(section.table("owning").cells("sample"))
    assert len(labels) == 2
    for table in section.tables:
        assert table.rows, table.key
        assert all(len(row) == len(table.columns) for row in table.rows)
    for chart in section.charts:
        keys = {column.key for column in section.table(chart.table).columns}
        assert {chart.x, chart.y, chart.colour, chart.facet} - {None} <= keys
    names = {landmark.name[language] for landmark in BASE.landmarks}
    assert names <= set(section.table("owning").cells("thing"))
    assert not names & set(section.table("income").cells("thing"))


def between(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high)


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        ({"bakery": (1.1, 1.3), "cafe": (0.7, 0.9)}, "Bakery does most .* and Café least"),
        ({"bakery": (1.1, 1.3), "cafe": (1.2, 1.4)}, "Café does most .*; no card is surely worse"),
        ({"bakery": (0.7, 0.9), "cafe": (0.9, 1.1)}, "Bakery does least .*; no card is surely better"),
        ({"bakery": (1.1, 1.3)}, "Bakery does most .*; no card is surely worse"),
        ({"bakery": (0.9, 1.1)}, "no card stands out"),
        ({}, "no card stands out"),
    ],
)
def test_a_card_is_named_best_or_worst_only_where_it_surely_is(
    recorded: tuple[Recorded, ...], odds: dict[str, tuple[float, float]], said: str
) -> None:
    weighed = Weighed(recorded[0], "", "en")
    weighed.__dict__["odds"] = {NUMBERS[card]: between(*ends) for card, ends in odds.items()}
    weighed.__dict__["returns"] = {NUMBERS["bakery"]: between(1, 2)}  # one card has no rival
    answer = _answer(weighed, words_of("balance", "en"), "en")
    assert re.search(said, answer)
    assert "brings in most" not in answer


def test_intervals_of_named_figures_are_those_of_many_at_once(recorded: tuple[Recorded, ...]) -> None:
    weighed = Weighed(recorded[0], "", "en")
    for thing, one in weighed.returns.items():
        alone = weighed.sums.returned[(thing,)].estimate
        assert alone is not None
        assert one.high - one.value == pytest.approx(
            (alone.high - alone.value) * z_among(len(weighed.returns)) / Z
        )


def test_one_sample_needs_no_label(recorded: tuple[Recorded, ...]) -> None:
    section = study(recorded[:1], "en")
    assert section.table("owning").columns[0].key == "thing"
    rows = section.as_dict()["tables"]["owning"]
    assert {"value", "low", "high"} == set(rows[0]["beyond"])
    won = [row["won"] for row in rows if row["won"]]
    assert all(0 <= one["low"] <= one["value"] <= one["high"] <= 1 for one in won)
