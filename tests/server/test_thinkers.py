"""Who thinks in processes of their own: what they are asked for, and what is urgent."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import structlog

from dicetown import Game, Ruleset
from dicetown.bots.learning import champion
from dicetown.bots.learning.champion import Weights, weights_of
from dicetown.bots.learning.foresight import after_each
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.server.common.fair_line import Asker
from dicetown.server.workers import thinkers
from dicetown.server.workers.hints import first_hint, load_network, rule_of_thumb
from dicetown.server.workers.jobs import (
    AnyJob,
    Choose,
    FirstHint,
    FirstReview,
    Odds,
    ThoughtfulHint,
    ThoughtfulReview,
)
from dicetown.server.workers.processes import HowFar, TooMuchToDo
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.thinkers import Thinkers

ANA = Asker("near", "ana")


def hang_over_hint(position: Snapshot, language: str) -> None:
    time.sleep(60)


def move_at_once(bot: str, position: Snapshot, seed: int) -> str:
    return "roll 1"


def test_a_master_moves_while_hints_are_asked_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "hint", hang_over_hint)
    monkeypatch.setattr(thinkers, "choose", move_at_once)

    async def scene() -> None:
        thinkers, position = Thinkers(), Snapshot.of(Game(seed=1))
        crowd = [Asker("far", f"guest {number}") for number in range(10)]
        try:
            hints = [asyncio.create_task(thinkers.hint(position, "en", one)) for one in crowd * 2]
            await asyncio.sleep(0)
            for _ in range(5):
                assert await thinkers.choose("master", position, ANA) == "roll 1"
            assert not any(hint.done() for hint in hints)
            assert thinkers.waiting["hint"] >= 19
            with pytest.raises(TooMuchToDo):
                await thinkers.hint(position, "en", crowd[-1])
            for hint in hints:
                hint.cancel()
            await asyncio.gather(*hints, return_exceptions=True)
            assert thinkers.waiting["hint"] == 0
        finally:
            thinkers.close()

    asyncio.run(scene())


def niceness(*_: Any) -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def test_moves_get_more_of_the_machine_than_hints_and_hints_more_than_reviews(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for task in ("choose", "hint", "odds", "review"):
        monkeypatch.setattr(thinkers, task, niceness)

    async def scene() -> None:
        thinkers, position = Thinkers(), Snapshot.of(Game(seed=1))
        jobs: list[AnyJob] = [
            Choose("normal", position, 0),
            Choose("master", position, 0),
            ThoughtfulHint(position, "en"),
        ]
        jobs += [Odds(position, 0), ThoughtfulReview("")]
        try:
            found = [await thinkers.think(job, ANA) for job in jobs]
            assert found == sorted(set(found))
        finally:
            thinkers.close()

    asyncio.run(scene())


def do_nothing(*_: Any) -> None:
    """Whatever it is."""


def _note(begun: list[AnyJob], job: AnyJob, how_far: HowFar) -> None:
    begun.append(job)


def test_hints_are_next_before_first_pictures_of_games_and_before_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for task in ("hint", "first_review", "first_hint", "odds"):
        monkeypatch.setattr(thinkers, task, do_nothing)
    position = Snapshot.of(Game(seed=1))

    async def scene() -> None:
        thinkers = Thinkers()
        begun: list[AnyJob] = []
        jobs: list[AnyJob] = [FirstReview(""), FirstReview(""), ThoughtfulHint(position, "en")]
        jobs += [Odds(position, 0), Odds(position, 1), FirstHint(position, "en")]
        try:
            tasks = [thinkers.think(job, ANA, partial(_note, begun, job)) for job in jobs]
            await asyncio.gather(*tasks)  # all of them wait before there is a process
            assert begun.index(jobs[2]) < begun.index(jobs[0])
            assert begun.index(jobs[5]) < begun.index(jobs[3])
        finally:
            thinkers.close()

    asyncio.run(scene())


def test_bots_choose_and_odds_are_found_in_processes() -> None:
    async def scene() -> None:
        game = Game(Ruleset("neue_stadt"), names=["Ana", "Ben", "Caro"], seed=3, chance="auto")
        position = Snapshot.of(game)
        thinkers = Thinkers()
        try:
            action = await thinkers.choose("planner", position, ANA)
            assert action in [str(one) for one in game.legal_actions()]
            odds = await thinkers.odds(position, 7, ANA)
            assert odds.startswith(b'{"type":"odds","moves":7,"odds":[')
            worth = await thinkers.worth(position, 0, game.ruleset.cards[0].id, ANA)
            assert worth.one_die > 0
        finally:
            thinkers.close()

    asyncio.run(scene())


def test_bots_that_search_are_told_apart_from_those_that_follow_rules() -> None:
    thinkers = Thinkers()
    assert thinkers.is_warming("master")
    assert not thinkers.is_warming("normal")
    thinkers.close()


def sleep_until_ended() -> None:
    """As long as compiling takes."""
    time.sleep(60)


def seven() -> Game:
    """A game in which somebody may build."""
    game = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Ben"], seed=7)
    game.play("roll 1")
    return game


def test_while_the_adviser_is_getting_ready_a_glance_is_all_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "get_ready", sleep_until_ended)

    async def scene() -> None:
        game = seven()
        thinkers = Thinkers()
        try:
            thinkers.prepare()
            hint = await thinkers.first_hint(Snapshot.of(game), "de", ANA)
            assert {one.action for one in hint.options} == {str(action) for action in game.legal_actions()}
            assert not thinkers.thinks_on(hint)
            first = await thinkers.first_review(game.save(), ANA)
            assert (first["exact"], len(first["players"])) == (False, 2)
        finally:
            thinkers.close()

    asyncio.run(scene())


def test_a_first_hint_tells_the_chances_that_the_network_sees() -> None:
    game = seven()
    hint, problem = first_hint(Snapshot.of(game), "de")
    seen = after_each(View.of(game))
    told = {one.action: one.chance for one in hint.options}
    assert told == {game.notation.action(number).text: chances[0] for number, chances in seen.items()}
    assert list(told.values()) == sorted(told.values(), reverse=True)
    assert (problem, hint.thought, hint.meanwhile) == (None, False, None)
    assert all(option.low < option.chance < option.high for option in hint.options)


def no_weights(game: str) -> Weights:
    raise BotError(f'The champion has not learned the game "{game}": there is no file.')


def narrow_weights(game: str) -> Weights:
    weights = weights_of(game)
    does = tuple(name for name in weights.outlook.does if "cafe" not in name)
    return replace(weights, outlook=replace(weights.outlook, does=does))


@pytest.mark.parametrize("weights", [no_weights, narrow_weights])
def test_where_the_network_cannot_tell_the_planner_does_and_the_log_says_why_once(
    monkeypatch: pytest.MonkeyPatch, weights: Callable[[str], Weights]
) -> None:
    monkeypatch.setattr(champion, "weights_of", weights)
    champion.champion_at.cache_clear()
    hint, problem = first_hint(Snapshot.of(seven()), "de")
    assert problem is not None
    assert "The champion has not learned" in problem
    assert hint.meanwhile is not None
    assert hint.meanwhile.action in [str(action) for action in seven().legal_actions()]
    assert (hint.meanwhile.bot, hint.options) == ("Planer", [])
    assert isinstance(thinkers.first_review(seven().save()), str)

    service = Thinkers()
    with structlog.testing.capture_logs() as log:
        service._note(problem)
        service._note(problem)
    assert [entry["problem"] for entry in log] == [problem]
    assert not service.thinks_on(hint)
    service.close()


def test_a_broken_file_of_weights_is_one_sentence_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "nets" / "champion-classic.npz"
    broken.parent.mkdir()
    broken.write_bytes(b"no weights at all")
    monkeypatch.setattr("dicetown.bots.learning.champion.resources.files", lambda package: tmp_path)
    champion.weights_of.cache_clear()
    problems = load_network()
    champion.weights_of.cache_clear()
    assert len(problems) == 2  # one file is broken, the other is not there
    assert "champion-classic.npz: these are no weights of the champion" in problems[0]
    assert "there is no champion-second.npz" in problems[1]


def be_ready() -> None:
    """Nothing to compile."""


def test_once_it_is_ready_the_adviser_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "get_ready", be_ready)
    monkeypatch.setattr(thinkers, "hint", rule_of_thumb)

    async def scene() -> None:
        thinkers = Thinkers()
        try:
            thinkers.prepare()
            assert thinkers._preparing is not None
            await thinkers._preparing
            assert thinkers._adviser.answered == 1
            await thinkers.hint(Snapshot.of(Game(seed=1)), "en", ANA)
            assert thinkers._adviser.answered == 2
        finally:
            thinkers.close()

    asyncio.run(scene())


@pytest.mark.slow
def test_a_hint_is_the_best_action_first_in_words() -> None:
    game = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Ben"], seed=7)
    game.play("roll 1")
    hint = thinkers.hint(Snapshot.of(game), "de")
    assert {option.action for option in hint.options} == {str(action) for action in game.legal_actions()}
    assert all(option.low <= option.chance <= option.high for option in hint.options)
    assert any("bauen" in option.text for option in hint.options)
    assert hint.line
