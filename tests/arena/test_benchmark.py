"""The benchmark measures what it says, and compiled play is far ahead."""

import json

import pytest

from dicetown.arena import Benchmark, benchmark, is_ready, ready
from dicetown.arena.benchmark import BOTS, GAMES
from dicetown.rules.layout import STATE


@pytest.fixture(scope="module")
def report() -> Benchmark:
    return benchmark(seconds=0.1)


def test_every_case_is_measured_both_ways(report: Benchmark) -> None:
    cases = {(one.game, one.bot, one.is_compiled) for one in report.measurements}
    assert cases == {(game, bot, mode) for game in GAMES for bot in BOTS for mode in (False, True)}
    for one in report.measurements:
        assert one.games > 0
        assert one.decisions_per_second > one.games_per_second > 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", BOTS)
def test_compiled_play_is_far_faster(report: Benchmark, game: str, bot: str) -> None:
    assert report.ratio(game, bot) > 20  # a few hundred on a quiet machine


def test_a_report_for_machines_holds_all_of_it(report: Benchmark) -> None:
    found = json.loads(json.dumps(report.as_dict()))
    assert len(found["measurements"]) == 8
    assert {one["mode"] for one in found["measurements"]} == {"interpreted", "compiled"}
    assert len(found["ratios"]) == 4
    assert found["state_bytes"] == STATE.itemsize <= 2048
    assert found["ready_seconds"] >= 0


def test_once_compiled_nothing_is_said(report: Benchmark) -> None:
    said: list[str] = []
    assert ready(said.append).cached
    assert is_ready()
    assert said == []
