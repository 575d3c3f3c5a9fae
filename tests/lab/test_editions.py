"""The editions side by side: who plays what, and what is made of it."""

from collections import Counter
from pathlib import Path

import pytest
from tests.lab.by_hand import NUMBERS, base_sample, write_sample

from dicetown import Ruleset
from dicetown.lab.record.sample import name_sample
from dicetown.lab.studies.editions import CARELESS, alternating, editions_in, rulesets, samples_for, study
from dicetown.lab.studies.study import Wish
from dicetown.material import load

CAFE, MALL = NUMBERS["cafe"], NUMBERS["shopping_mall"]
GAMES = 60


def test_every_edition_is_played_and_seats_are_shared_out() -> None:
    wish = Wish(Ruleset("deluxe"), (4,), (("greedy",),), 1_000)
    samples = samples_for(wish)
    assert {sample.ruleset.edition.id for sample in samples} == set(load().editions)
    assert len({sample.name for sample in samples}) == len(samples)
    for ruleset in rulesets():
        mixed = [one for one in samples if one.ruleset == ruleset and "random" in one.bots]
        for seat in range(4):
            assert Counter(one.bots[seat] for one in mixed) == {"greedy": 1, "random": 1}


def test_more_players_than_a_box_has_seats_are_fewer() -> None:
    wish = Wish(Ruleset("ciudad"), (5,), (("planner",),), 1_000)
    players = {(one.ruleset.edition.id, one.ruleset.set_ids): one.players for one in samples_for(wish)}
    assert players["deluxe", ("base",)] == 4
    assert players["ciudad", ("base", "harbor")] == 5


def test_figures_of_an_edition_come_from_its_own_samples(tmp_path: Path) -> None:
    """One sample with greedy on both seats, two with random beside it: greedy wins 3 of 4 of those."""
    games = [{"winner": 0, "turns": 30, "half_rank_of_winner": 0, "decisions": 60}] * GAMES
    players = [
        {"game": game, "seat": seat, "own_turns": 10, "earned": 20 + 10 * seat}
        for game in range(GAMES)
        for seat in range(2)
    ]
    bought = [
        {"game": game, "seat": seat, "thing": thing}
        for game in range(GAMES)
        for seat, thing in ((0, CAFE), (1, CAFE), (1, CAFE), (0, MALL))
    ]
    alike = write_sample(tmp_path / "results", base_sample(2, GAMES), games, players, bought)
    mixed = [
        write_sample(
            tmp_path / "results",
            base_sample(2, GAMES, *lineup),
            [{"winner": winners[game % 2]} for game in range(GAMES)],
        )
        for lineup, winners in zip(alternating("greedy", "random", 2), ((0, 0), (1, 0)), strict=True)
    ]
    (found,) = editions_in([alike, *mixed], "en")
    assert found.cards is not None
    assert found.cards.value == pytest.approx(1.5)
    assert found.income is not None
    assert found.income.value == pytest.approx(2.5)
    assert found.skill is not None
    assert found.skill.value == pytest.approx(0.75)
    assert found.care is None


def test_the_quickest_and_the_slowest_are_named(tmp_path: Path) -> None:
    recorded = []
    for ruleset, turns, won in ((Ruleset("neue_stadt"), 40, 0.6), (Ruleset("ciudad"), 80, 0.9)):
        games = [{"winner": 0, "turns": turns, "half_rank_of_winner": 0}] * GAMES
        players = [{"game": game, "seat": 0} for game in range(GAMES)]
        sample = name_sample(ruleset, 2, ["greedy"], 0, GAMES)
        bought = [{"game": game, "seat": 0, "thing": 1} for game in range(GAMES)]
        recorded.append(write_sample(tmp_path / "results", sample, games, players, bought))
        for shift, lineup in enumerate(alternating("greedy", f"greedy:{CARELESS}", 2)):
            winners = [{"winner": shift if game < won * GAMES else 1 - shift} for game in range(GAMES)]
            mixed = name_sample(ruleset, 2, lineup, 0, GAMES)
            recorded.append(write_sample(tmp_path / "results", mixed, winners))
    section = study(recorded, "en")
    assert "Machi Koro 2 is the quickest with 20.0" in section.answer
    assert "Care counts most in Ciudad Machi Koro" in section.answer
    assert [chart.x for chart in section.charts] == ["rounds", "care", "first", "comebacks"]


def test_one_edition_alone_has_nothing_beside_it(tmp_path: Path) -> None:
    games = [{"winner": 0, "turns": 30, "half_rank_of_winner": 0}] * GAMES
    players = [{"game": game, "seat": 0} for game in range(GAMES)]
    bought = [{"game": game, "seat": 0, "thing": CAFE} for game in range(GAMES)]
    recorded = write_sample(tmp_path / "results", base_sample(2, GAMES), games, players, bought)
    assert "only one edition" in study([recorded], "en").answer
