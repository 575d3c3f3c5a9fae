"""Claims: what is played for them, what is measured, and when they hold."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from tests.lab.by_hand import BASE, NUMBERS, write_sample

from dicetown import Ruleset
from dicetown.bots import make_bot
from dicetown.errors import LabError
from dicetown.lab.findings.section import Estimate
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.claims import judge_all, samples_for, study
from dicetown.lab.studies.claims_measures import MEASURES, measure
from dicetown.lab.studies.claims_plan import Claims, Measure, SamplePlan, load_claims, sample_name
from dicetown.lab.studies.claims_rules import ALONE, About, AreBest, IsBest, MoreThan, Verdict, over_all
from dicetown.lab.studies.study import Wish
from dicetown.languages import LANGUAGES
from dicetown.rules.codes import MAX_CARDS

HOLDS, PARTLY, REFUTED, OPEN = Verdict.HOLDS, Verdict.PARTLY, Verdict.REFUTED, Verdict.OPEN
RANCH, BAKERY, CAFE = (NUMBERS[card] for card in ("ranch", "bakery", "cafe"))


def between(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high)


# --------------------------------------------------------------------------------- rules


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (90, 110, HOLDS),  # just inside, on both sides
        (89.9, 110, PARTLY),  # a little outside, but near
        (80, 120, PARTLY),
        (79.9, 120, OPEN),  # from far below to within: more games, please
        (110, 111, PARTLY),
        (111, 121, OPEN),  # surely outside, perhaps far
        (120, 121, REFUTED),
        (70, 80, REFUTED),
        (60, 200, OPEN),
    ],
)
def test_about_judges_the_whole_interval(low: float, high: float, verdict: Verdict) -> None:
    assert About(100, 10).judge({ALONE: between(low, high)}) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.1, 0.2, HOLDS), (0.0, 0.2, OPEN), (-0.2, 0.0, OPEN), (-0.2, -0.1, REFUTED)],
)
def test_more_than_needs_the_interval_on_one_side(low: float, high: float, verdict: Verdict) -> None:
    assert MoreThan(0.0).judge({ALONE: between(low, high)}) == verdict


@pytest.mark.parametrize(
    ("others", "verdict"),
    [
        ([(0.0, 0.29)], HOLDS),
        ([(0.0, 0.30)], OPEN),  # they touch
        ([(0.0, 0.1), (0.41, 0.5)], REFUTED),
        ([(0.0, 0.1), (0.40, 0.5)], OPEN),
        ([], OPEN),
    ],
)
def test_the_best_is_surely_above_all_others(others: list[tuple[float, float]], verdict: Verdict) -> None:
    figures = {str(number): between(*ends) for number, ends in enumerate(others)}
    assert IsBest("ranch").judge({"ranch": between(0.3, 0.4), **figures}) == verdict
    assert IsBest("ranch").judge(figures) == OPEN


@pytest.mark.parametrize(
    ("a", "b", "c", "verdict"),
    [
        ((0.8, 0.9), (0.6, 0.7), (0.1, 0.5), HOLDS),
        ((0.8, 0.9), (0.1, 0.2), (0.6, 0.7), PARTLY),  # b is surely not among the two best
        ((0.8, 0.9), (0.4, 0.6), (0.5, 0.7), OPEN),
    ],
)
def test_the_best_of_a_field_are_as_many_as_are_named(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], verdict: Verdict
) -> None:
    figures = {"a": between(*a), "b": between(*b), "c": between(*c)}
    assert AreBest(["a", "b"]).judge(figures) == verdict


def test_a_field_whose_named_ones_are_all_beaten_refutes_the_claim() -> None:
    figures = {name: between(low, low + 0.01) for name, low in (("a", 0.1), ("b", 0.2), ("c", 0.3))}
    assert AreBest(["a"]).judge(figures) == REFUTED


@pytest.mark.parametrize(
    ("verdicts", "overall"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, REFUTED], PARTLY),
        ([HOLDS, REFUTED, OPEN, OPEN], OPEN),
        ([HOLDS, REFUTED, OPEN], PARTLY),
        ([HOLDS, REFUTED, REFUTED, REFUTED, REFUTED, REFUTED], REFUTED),
        ([HOLDS, REFUTED, REFUTED, REFUTED], REFUTED),  # three in four
        ([HOLDS, REFUTED, REFUTED], PARTLY),
        ([PARTLY, REFUTED, REFUTED], PARTLY),
        ([HOLDS, HOLDS, HOLDS, HOLDS, REFUTED], PARTLY),  # it does not hold everywhere, as was said
        ([HOLDS, HOLDS, PARTLY], PARTLY),
        ([REFUTED, REFUTED, OPEN], REFUTED),
        ([REFUTED, OPEN], OPEN),  # half of the tests leave it open
        ([OPEN], OPEN),
        ([PARTLY, PARTLY], PARTLY),
    ],
)
def test_one_verdict_over_several_tests(verdicts: list[Verdict], overall: Verdict) -> None:
    assert over_all(verdicts) == overall


# --------------------------------------------------------------------------------- plans


@pytest.mark.parametrize("name", [name for name, plan in load_claims().samples.items() if plan.tables])
def test_everybody_in_a_field_meets_everybody_and_sits_everywhere_equally_often(name: str) -> None:
    plan = load_claims().samples[name]
    places = SamplePlan(
        plan.edition,
        plan.sets,
        plan.players,
        [str(place) for place in range(len(plan.field))],
        {},
        plan.tables,
    )
    lineups = places.lineups()
    meetings = Counter(frozenset(pair) for lineup in lineups for pair in combinations(lineup, 2))
    seats = Counter((bot, seat) for lineup in lineups for seat, bot in enumerate(lineup))
    assert len(set(meetings.values())) == 1
    assert len(meetings) == len(plan.field) * (len(plan.field) - 1) // 2
    assert set(seats.values()) == {len(plan.tables)}
    assert len(seats) == len(plan.field) * plan.players


def test_all_samples_have_names_of_their_own_and_bots_that_exist() -> None:
    samples = samples_for(Wish(Ruleset("ciudad"), (2,), (("greedy",),), 1_000, seed=5))
    assert len({sample.name for sample in samples}) == len(samples)
    assert {sample.seed for sample in samples} == {5}
    for bot in {bot for sample in samples for bot in sample.bots}:
        make_bot(bot)


def test_claims_are_told_in_every_language_and_measured_somehow() -> None:
    claims = load_claims()
    assert len({claim.id for claim in claims.claims}) == len(claims.claims)
    told = [words for claim in claims.claims for words in (claim.statement, claim.said)]
    for words in [*told, *(plan.played for plan in claims.samples.values())]:
        assert set(words) == set(LANGUAGES)
        assert all(words.values())
    for claim in claims.claims:
        assert all(trial.measure.kind in MEASURES for trial in claim.trials)


def test_a_claim_about_games_that_nobody_plays_is_refused() -> None:
    claims = load_claims()
    with pytest.raises(LabError, match='there is no sample "four-2p"'):
        Claims({}, claims.sources, claims.claims).check()


def test_a_claim_has_a_source_that_is_named_or_is_only_said() -> None:
    claims = load_claims()
    with pytest.raises(LabError, match='cheese-2p: there is no source "archer"'):
        Claims(claims.samples, {}, claims.claims).check()
    assert {claim.source for claim in claims.claims} == {*claims.sources, "said"}
    assert all(source.address.startswith("https://") for source in claims.sources.values())


# ------------------------------------------------------------------------------ measures


def a_sample(tmp_path: Path, name: str, bots: tuple[str, ...], **columns: list[int]) -> Recorded:
    """A sample of the base game whose games have these columns."""
    length = len(next(iter(columns.values())))
    sample = Sample(name, BASE, len(bots), bots, 0, length)
    games = [{key: values[number] for key, values in columns.items()} for number in range(length)]
    return write_sample(tmp_path / "results", sample, games)


def test_the_share_of_a_bot_is_counted_over_all_its_seats(tmp_path: Path) -> None:
    first = a_sample(tmp_path, "a", ("cheese", "bakery"), winner=[0, 0, 1, 1] * 25)
    other = a_sample(tmp_path, "b", ("bakery", "cheese"), winner=[1, 1, 1, 0] * 25)
    without = a_sample(tmp_path, "c", ("bakery", "cafe"), winner=[1, 1, 1, 1] * 25)
    shares = measure(Measure("bot_shares"), [[first, other, without]]).figures
    assert shares["cheese"].value == pytest.approx(5 / 8)
    assert shares["bakery"].value == pytest.approx(3 / 12)
    assert shares["cafe"].value == 1.0
    assert shares["cafe"].low < 1.0
    alone = measure(Measure("bot_share", bot="cheese"), [[first, other]]).figures[ALONE]
    assert alone.value == shares["cheese"].value
    assert shares["cheese"].low < alone.low < alone.high < shares["cheese"].high  # as one of three


def test_games_with_the_same_dice_are_one_observation(tmp_path: Path) -> None:
    """Who wins a game from either seat adds no more certainty than one of them."""
    alike = a_sample(tmp_path, "a", ("cheese", "bakery"), winner=[0, 1] * 50)
    mirrored = a_sample(tmp_path, "b", ("bakery", "cheese"), winner=[1, 0] * 50)
    one, both = (
        measure(Measure("bot_share", bot="cheese"), [samples]).figures[ALONE]
        for samples in ([alike], [alike, mirrored])
    )
    assert both.high - both.low == pytest.approx(one.high - one.low)


def test_a_seat_is_worth_the_slope_of_the_winners(tmp_path: Path) -> None:
    sample = a_sample(tmp_path, "a", ("greedy",) * 3, winner=[0, 0, 0, 1, 1, 2, -1] * 20)
    # Seats win 1/2, 1/3 and 1/6 of the games that somebody won: a sixth less for each.
    assert measure(Measure("seat_worth"), [[sample]]).figures[ALONE].value == pytest.approx(1 / 6)


def test_more_turns_are_compared_game_by_game(tmp_path: Path) -> None:
    long = a_sample(tmp_path, "a", ("greedy",) * 2, turns=[30, 50, 70, 90], winner=[0] * 4)
    short = a_sample(tmp_path, "b", ("greedy",) * 2, turns=[22, 42, 62], winner=[0] * 3)
    found = measure(Measure("more_turns"), [[long], [short]])
    assert found.kind == "signed"
    assert found.figures[ALONE] == Estimate(8.0, 8.0, 8.0)
    assert measure(Measure("turns"), [[short]]).figures[ALONE].value == pytest.approx(42)


def test_restaurants_and_landmarks_are_found_among_what_was_bought_first(tmp_path: Path) -> None:
    sample = Sample("a", BASE, 2, ("greedy", "greedy"), 0, 100)
    mall = NUMBERS["shopping_mall"] - MAX_CARDS
    players = [
        {
            "game": game,
            "seat": seat,
            "won": seat == game % 2,
            "first": RANCH,
            "second": BAKERY,
            "third": CAFE if seat == game % 2 and game < 50 else RANCH,
            "first_landmark": mall if seat == 0 else -1,
        }
        for game in range(100)
        for seat in range(2)
    ]
    games = [{"winner": game % 2} for game in range(100)]
    recorded = write_sample(tmp_path / "results", sample, games, players)
    assert measure(Measure("early_red"), [[recorded]]).figures[ALONE].value == pytest.approx(0.5)
    landmark = Measure("first_landmark", landmark="shopping_mall")
    assert measure(landmark, [[recorded]]).figures[ALONE].value == 1.0
    purchases = measure(Measure("first_purchases"), [[recorded]]).figures
    assert list(purchases) == ["ranch"]
    assert purchases["ranch"].value == pytest.approx(0)
    gain = measure(Measure("early_red_gain"), [[recorded], [recorded]]).figures[ALONE]
    assert gain.value == pytest.approx(0)


def test_a_measure_without_games_says_so(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cannot be tested without its games"):
        measure(Measure("turns"), [[]])


# ------------------------------------------------------------------------------- section


def some_claims(tmp_path: Path) -> list[Recorded]:
    """The games that test how long random games are, and half of those about cheese."""
    plans = load_claims().samples
    recorded = []
    for name in ("random-4p", "cheese-greedy-2p"):
        for number, lineup in enumerate(plans[name].lineups(), start=1):
            games = {"winner": [0, 1] * 30, "turns": [100, 120] * 30}
            recorded.append(a_sample(tmp_path, sample_name(name, number), lineup, **games))
    return recorded


def test_claims_are_judged_by_the_games_that_are_there(tmp_path: Path) -> None:
    judged = {one.claim.id: one for one in judge_all(load_claims(), some_claims(tmp_path))}
    assert set(judged) == {"cheese-2p", "random-length", "seats"}
    assert judged["random-length"].verdict == HOLDS
    assert judged["cheese-2p"].tried[0].found.figures[ALONE].value == pytest.approx(0.5)
    assert judged["cheese-2p"].verdict == REFUTED


def test_other_games_test_no_claim(tmp_path: Path) -> None:
    sample = a_sample(tmp_path, "other", ("greedy", "greedy"), winner=[0, 1])
    with pytest.raises(LabError, match="None of these games test a claim"):
        study([sample], "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_section_tells_every_claim_with_figure_and_verdict(tmp_path: Path, language: str) -> None:
    section = study(some_claims(tmp_path), language)
    verdicts = section.table("verdicts")
    assert len(verdicts.rows) == 3
    assert all(str(cell)[0] in "✓✗◐?" for cell in verdicts.cells("verdict"))
    assert "Travis Archer" in str(verdicts.cells("source")[0])
    assert "boardgamegeek.com/thread/1301080" in section.notes[-1]
    assert "110" in str(section.table("tests").cells("found")[1])
    claims = section.as_dict()["claims"]
    assert claims[1]["tests"][0]["figures"]["figure"]["value"] == 110
