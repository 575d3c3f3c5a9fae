"""Worker processes that may fail, hang or be killed, and whose turn it is with them."""

import asyncio
import itertools
import multiprocessing
import os
import pickle
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop
from tests.patience import PATIENCE

from dicetown.errors import BotError
from dicetown.server.common.fair_line import Asker, Capacity
from dicetown.server.workers import processes
from dicetown.server.workers.pipes import Pipe, hear, tell
from dicetown.server.workers.processes import (
    Errand,
    HowFar,
    TooMuchToDo,
    Workers,
    WorkFailed,
    tell_progress,
)

ANA, BEN = Asker("near", "ana"), Asker("far", "ben")
SOON = Errand(ANA, 20)
Run = Callable[[Coroutine[Any, Any, None]], None]
LOOPS = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
PLENTY = Capacity(of_one=1000, of_address=1000, in_all=1000)


def double(number: int) -> int:
    return 2 * number


def turned(text: bytes) -> bytes:
    return text[::-1]


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


def hears_ctrl_c() -> bool:
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def with_workers(doing: Any) -> None:
    async def scene() -> None:
        workers = Workers(1, PLENTY)
        try:
            await doing(workers)
        finally:
            workers.close()

    asyncio.run(scene())


def test_a_task_is_done_in_another_process() -> None:
    async def doing(workers: Workers) -> None:
        assert await workers.do(SOON, double, 21) == 42
        assert await workers.do(SOON, count, 3) != os.getpid()
        assert workers.answered == 2

    with_workers(doing)


@LOOPS
def test_long_tasks_and_answers_arrive_whole(run: Run) -> None:
    """Longer than a pipe holds; the first is given while the process is still starting."""
    long = bytes(range(256)) * 20_000

    async def scene() -> None:
        workers = Workers(1, PLENTY)
        try:
            for part in (long, long[: 1 << 16], b"", long):
                assert await workers.do(SOON, turned, part) == part[::-1]
            assert workers.answered == 4
        finally:
            workers.close()

    run(scene())


@LOOPS
def test_who_sends_more_than_a_pipe_holds_does_not_wait_until_it_is_read(run: Run) -> None:
    long, short = bytes(range(256)) * 20_000, b"and another"

    async def scene() -> None:
        ours, theirs = socket.socketpair()
        pipe = Pipe(ours, heard=lambda message: None, lost=lambda: None)
        pipe.send(long)  # nobody reads yet
        pipe.send(short)
        assert await asyncio.to_thread(hear, theirs) == long
        assert await asyncio.to_thread(hear, theirs) == short
        pipe.close()
        assert hear(theirs) is None
        theirs.close()

    run(scene())


def test_a_process_never_hears_ctrl_c_not_even_while_it_starts() -> None:
    """It is blocked since before the process began; one that began to listen would say so in a traceback."""

    async def doing(workers: Workers) -> None:
        assert not await workers.do(SOON, hears_ctrl_c)

    with_workers(doing)
    assert hears_ctrl_c()  # here nothing has changed


def test_a_task_that_fails_hangs_or_kills_its_process_harms_nothing_but_itself() -> None:
    async def doing(workers: Workers) -> None:
        with pytest.raises(WorkFailed, match="over a stone"):
            await workers.do(SOON, stumble)
        assert await workers.do(SOON, double, 1) == 2
        with pytest.raises(WorkFailed, match="process that did it ended"):
            await workers.do(SOON, fall)
        with pytest.raises(WorkFailed, match=r"longer than 0.2 s"):
            await workers.do(Errand(ANA, 0.2), hang)
        assert await workers.do(SOON, double, 2) == 4
        with pytest.raises(WorkFailed, match="process that did it ended"):
            await workers.do(SOON, die)
        assert await workers.do(SOON, double, 3) == 6

    with_workers(doing)


def test_many_tasks_share_a_few_processes() -> None:
    async def scene() -> None:
        workers = Workers(2, PLENTY)
        try:
            answers = await asyncio.gather(*(workers.do(SOON, double, number) for number in range(200)))
            assert answers == [2 * number for number in range(200)]
            assert len(set(await asyncio.gather(*(workers.do(SOON, os.getpid) for _ in range(50))))) <= 2
        finally:
            workers.close()

    asyncio.run(scene())


def test_who_gives_up_waiting_leaves_no_trace() -> None:
    async def doing(workers: Workers) -> None:
        waiting = asyncio.create_task(workers.do(SOON, hang))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with_workers(doing)


def test_tasks_that_wait_are_done_in_turn_one_for_each_who_asks() -> None:
    async def doing(workers: Workers) -> None:
        order: list[str] = []

        async def ask(asker: Asker) -> None:
            await workers.do(Errand(asker, 20, begun=lambda how_far: order.append(asker.name)), double, 1)

        crowd = [Asker("far", f"guest {number}") for number in range(10)]
        await asyncio.gather(*(ask(one) for one in [*crowd, *crowd, ANA, ANA]))
        # The first was begun before anybody else had come.
        assert [place for place, name in enumerate(order) if name == "ana"] == [1, 3]
        assert order[2::2][:1] == ["guest 1"]
        assert sorted(order) == sorted([*(one.name for one in crowd)] * 2 + ["ana"] * 2)

    with_workers(doing)


def test_who_asks_too_much_is_refused_until_something_of_theirs_is_done() -> None:
    async def scene() -> None:
        workers = Workers(1, Capacity(of_one=2, of_address=2, in_all=3))
        try:
            assert await workers.do(SOON, double, 1) == 2
            tasks = [asyncio.create_task(workers.do(SOON, time.sleep, 0)) for _ in range(3)]
            await asyncio.sleep(0)  # one is under way, two wait
            assert workers.waiting == 2
            with pytest.raises(TooMuchToDo):
                await workers.do(SOON, double, 1)
            tasks.append(asyncio.create_task(workers.do(Errand(BEN, 20), time.sleep, 0)))
            await asyncio.sleep(0)
            with pytest.raises(TooMuchToDo):
                await workers.do(Errand(Asker("elsewhere", "caro"), 20), double, 1)
            await asyncio.gather(*tasks)
            assert workers.waiting == 0
            assert await workers.do(SOON, double, 2) == 4
        finally:
            workers.close()

    asyncio.run(scene())


def wait_for(sign: Path) -> None:
    while not sign.exists():
        time.sleep(0.01)


def test_what_nobody_waits_for_any_longer_is_not_begun(tmp_path: Path) -> None:
    sign = tmp_path / "go on"

    async def doing(workers: Workers) -> None:
        begun: list[str] = []
        first = asyncio.create_task(
            workers.do(Errand(ANA, 20, begun=lambda how_far: begun.append("first")), wait_for, sign)
        )
        gone = asyncio.create_task(
            workers.do(Errand(BEN, 20, begun=lambda how_far: begun.append("gone")), double, 1)
        )
        last = asyncio.create_task(
            workers.do(Errand(ANA, 20, begun=lambda how_far: begun.append("last")), double, 1)
        )
        while not begun:
            await asyncio.sleep(0.01)
        assert workers.waiting == 2
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert workers.waiting == 1
        sign.touch()
        await asyncio.gather(first, last)
        assert begun == ["first", "last"]

    with_workers(doing)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def count_for_ever(sign: Path) -> None:
    """As a review does: it tells how far it is."""
    sign.touch()
    for step in itertools.count():
        tell_progress(step, step + 1)
        time.sleep(0.01)


async def give_up(waiting: asyncio.Task[Any]) -> None:
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


def test_a_task_that_tells_how_far_it_is_is_broken_off_when_nobody_waits_for_it(tmp_path: Path) -> None:
    async def doing(workers: Workers) -> None:
        seen: list[HowFar] = []
        process = await workers.do(SOON, os.getpid)
        endless = Errand(ANA, 1000, begun=seen.append)
        waiting = asyncio.create_task(workers.do(endless, count_for_ever, tmp_path / "sign"))
        await until(lambda: seen and seen[0]()[1] > 3)
        await give_up(waiting)
        assert await workers.do(SOON, os.getpid) == process
        assert seen[0]() == (0, 0)  # what another task tells is not for who waited for this one

    with_workers(doing)


def hang_with(sign: Path) -> None:
    sign.touch()
    hang()


def test_a_long_task_that_nobody_waits_for_is_ended_with_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_LEFT_ALONE", 0.05)
    sign = tmp_path / "sign"

    async def doing(workers: Workers) -> None:
        process = await workers.do(SOON, os.getpid)
        waiting = asyncio.create_task(workers.do(Errand(ANA, 1000), hang_with, sign))
        await until(sign.exists)
        await give_up(waiting)
        assert await workers.do(SOON, os.getpid) != process

    with_workers(doing)


def be_born_until(sign: Path, go_on: Path) -> None:
    sign.touch()
    wait_for(go_on)


def test_a_process_that_may_be_compiling_is_left_alone_by_who_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_LEFT_ALONE", 0.0)
    sign, go_on = tmp_path / "sign", tmp_path / "go on"

    async def doing(workers: Workers) -> None:
        waiting = asyncio.create_task(workers.do(SOON, be_born_until, sign, go_on))
        await until(sign.exists)
        process = workers._workers[0].process.pid
        await give_up(waiting)
        await asyncio.sleep(0.1)
        go_on.touch()
        assert await workers.do(SOON, os.getpid) == process

    with_workers(doing)


def test_what_is_urgent_is_done_before_what_came_first(tmp_path: Path) -> None:
    async def scene() -> None:
        workers, order = Workers(1, PLENTY, PLENTY), []
        sign = tmp_path / "go on"

        def ask(rank: int, asker: Asker, task: Callable[..., Any], *arguments: Any) -> asyncio.Task[Any]:
            errand = Errand(asker, 20, rank=rank, begun=lambda how_far: order.append((rank, asker.name)))
            return asyncio.create_task(workers.do(errand, task, *arguments))

        try:
            tasks = [ask(1, ANA, wait_for, sign)]
            await until(lambda: order)
            tasks += [ask(1, ANA, double, 1), ask(1, BEN, double, 1), ask(0, ANA, double, 1)]
            tasks += [ask(0, ANA, double, 1), ask(0, BEN, double, 1)]
            await asyncio.sleep(0)
            assert (workers.waiting_at(0), workers.waiting_at(1)) == (3, 2)
            sign.touch()
            await asyncio.gather(*tasks)
            assert order[1:] == [(0, "ana"), (0, "ben"), (0, "ana"), (1, "ana"), (1, "ben")]
        finally:
            workers.close()

    asyncio.run(scene())


def test_the_first_task_of_a_process_may_take_longer() -> None:
    async def doing(workers: Workers) -> None:
        slow = Errand(ANA, 0.01, first=20)
        await workers.do(slow, time.sleep, 0.05)  # as one that has to be compiled
        with pytest.raises(WorkFailed, match=r"longer than 0.01 s"):
            await workers.do(slow, hang)
        await workers.do(slow, time.sleep, 0.05)  # in a new process

    with_workers(doing)


def test_a_process_whose_service_is_gone_ends_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = socket.socketpair()
    process = context.Process(target=processes._work, args=(theirs, 0, sys.path, context.RawArray("i", 3)))
    process.start()
    theirs.close()
    tell(ours, pickle.dumps((os.getpid, (), {})))
    assert select.select([ours], [], [], 60)[0]
    ours.close()  # with an answer that was not read: the other side hears of a reset, not of an end
    process.join(60)
    assert process.exitcode == 0
    assert "Traceback" not in capfd.readouterr().err
