"""Who thinks: worker processes that may fail, hang or be killed, and what they are asked for."""

import asyncio
import os
import signal
import sys
import time
from typing import Any

import pytest

from dicetown import Game, Ruleset
from dicetown.errors import BotError
from dicetown.server import thinking
from dicetown.server.snapshot import Snapshot
from dicetown.server.thinking import Thinkers
from dicetown.server.workers import Workers, WorkFailed, tell_progress


def double(number: int) -> int:
    return 2 * number


def hang() -> None:
    time.sleep(60)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stumble() -> None:
    raise BotError("It stumbled over a stone.")


def fall() -> None:
    sys.stderr.close()  # what it says when it falls is no part of the test
    raise ValueError("over a cliff")


def count(steps: int) -> int:
    for step in range(steps):
        tell_progress(step + 1, steps)
    return os.getpid()


def with_workers(doing: Any) -> None:
    async def scene() -> None:
        workers = Workers(1)
        try:
            await doing(workers)
        finally:
            workers.close()

    asyncio.run(scene())


def test_a_task_is_done_in_another_process() -> None:
    async def doing(workers: Workers) -> None:
        assert await workers.do(20, double, 21) == 42
        assert await workers.do(20, count, 3) != os.getpid()
        assert workers.progress == (3, 3)
        workers.forget_progress()
        assert workers.progress == (0, 0)
        assert workers.answered == 2

    with_workers(doing)


def test_a_task_that_fails_hangs_or_kills_its_process_harms_nothing_but_itself() -> None:
    async def doing(workers: Workers) -> None:
        with pytest.raises(WorkFailed, match="over a stone"):
            await workers.do(20, stumble)
        assert await workers.do(20, double, 1) == 2
        with pytest.raises(WorkFailed, match="process that did it ended"):
            await workers.do(20, fall)
        with pytest.raises(WorkFailed, match=r"longer than 0.2 s"):
            await workers.do(0.2, hang)
        assert await workers.do(20, double, 2) == 4
        with pytest.raises(WorkFailed, match="process that did it ended"):
            await workers.do(20, die)
        assert await workers.do(20, double, 3) == 6

    with_workers(doing)


def test_many_tasks_share_a_few_processes() -> None:
    async def scene() -> None:
        workers = Workers(2)
        try:
            answers = await asyncio.gather(*(workers.do(20, double, number) for number in range(200)))
            assert answers == [2 * number for number in range(200)]
            assert len(set(await asyncio.gather(*(workers.do(20, os.getpid) for _ in range(50))))) <= 2
        finally:
            workers.close()

    asyncio.run(scene())


def test_who_gives_up_waiting_leaves_no_trace() -> None:
    async def doing(workers: Workers) -> None:
        waiting = asyncio.create_task(workers.do(20, hang))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with_workers(doing)


def test_bots_choose_and_odds_are_found_in_processes() -> None:
    async def scene() -> None:
        game = Game(Ruleset("neue_stadt"), names=["Ana", "Ben", "Caro"], seed=3, chance="auto")
        position = Snapshot.of(game)
        thinkers = Thinkers()
        try:
            action = await thinkers.choose("planner", position)
            assert action in [str(one) for one in game.legal_actions()]
            odds = await thinkers.odds(position, 7)
            assert odds.startswith('{"type":"odds","moves":7,"odds":[')
            worth = await thinkers.worth(position, 0, game.ruleset.cards[0].id)
            assert worth.one_die > 0
        finally:
            thinkers.close()

    asyncio.run(scene())


def test_bots_that_search_are_told_apart_from_those_that_follow_rules() -> None:
    thinkers = Thinkers()
    assert thinkers.is_warming("master")
    assert not thinkers.is_warming("normal")
    assert thinkers.adviser_is_warming
    thinkers.close()


@pytest.mark.slow
def test_a_hint_is_the_best_action_first_in_words() -> None:
    game = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Ben"], seed=7)
    game.play("roll 1")
    hint = thinking.hint(Snapshot.of(game), "de")
    assert {option.action for option in hint.options} == {str(action) for action in game.legal_actions()}
    assert all(option.low <= option.chance <= option.high for option in hint.options)
    assert any("bauen" in option.text for option in hint.options)
    assert hint.line
