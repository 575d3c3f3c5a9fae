"""What is measured: how actions end and how long each stage takes, what waits, and nothing about anybody."""

import asyncio
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError
from tests.server.sitting import ANA, Seated, seated, settle, until
from tests.server.test_outbox import Pipe

from dicetown.server.common.loop_lag import LoopLag
from dicetown.server.common.metrics import Metrics
from dicetown.server.table.table import Table
from dicetown.server.web.outbox import Outboxes
from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Refused

#: Labels that may be, each with only so many values.
BOUNDED = {"kind", "code", "result", "stage", "le", "bot", "task", "doing", "change", "age", "version"}
BOUNDED |= {"generation"}  # of the collector of garbage


def measured(metrics: Metrics, name: str, **labels: str) -> float:
    """What a sample says; nothing is 0."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(metrics.page().decode())
        for sample in family.samples
        if sample.name == f"dicetown_{name}" and labels.items() <= sample.labels.items()
    )


async def send(sitting: Seated, guest: str, table: Table, seat: int, action: str) -> None:
    """What a page's message does, with what is measured around it."""
    with sitting.service.metrics.acting("act"):
        await sitting.act(table, guest, seat, action)


def test_an_action_is_counted_by_how_it_ended(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            metrics, table = sitting.service.metrics, await sitting.table("me", "here")
            await send(sitting, ANA, table, 0, "roll 1")
            with pytest.raises(Refused):
                await send(sitting, "somebody", table, 0, "pass")
            assert measured(metrics, "actions_total", kind="act", result="done", code="") == 1
            assert measured(metrics, "actions_total", result="refused", code="not_your_seat") == 1
            assert measured(metrics, "actions_total") == 2
            assert measured(metrics, "action_seconds_count") == 2

    asyncio.run(scene())


def test_what_nobody_knows_the_end_of_is_counted_as_unclear() -> None:
    metrics = Metrics()
    with pytest.raises(Refused), metrics.acting("act"):
        raise Refused("unclear")
    assert measured(metrics, "actions_total", result="unclear", code="unclear") == 1


def test_each_stage_of_an_action_is_measured(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            metrics, table = sitting.service.metrics, await sitting.table("me", "here")
            before = measured(metrics, "stage_seconds_count", stage="stored")
            await send(sitting, ANA, table, 0, "roll 1")
            assert measured(metrics, "stage_seconds_count", stage="decided") == 1
            assert measured(metrics, "stage_seconds_count", stage="stored") == before + 1
            assert measured(metrics, "stage_seconds_count", stage="told") == before + 1
            stages = measured(metrics, "stage_seconds_sum", stage="decided")
            assert 0 < stages < measured(metrics, "action_seconds_sum")

    asyncio.run(scene())


def test_what_a_bot_does_afterwards_is_no_part_of_a_persons_action(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            metrics, table = sitting.service.metrics, await sitting.table("me", "normal")
            await sitting.page(table, ANA)
            while table.playing().game.to_move == 0 and table.is_played:
                action = str(table.playing().game.legal_actions()[0])
                await send(sitting, ANA, table, 0, action)
            acted = measured(metrics, "actions_total")
            moves = table.state.last
            await sitting.clock.turn(5)
            await until(lambda: table.state.last > moves)
            assert measured(metrics, "actions_total") == acted
            assert measured(metrics, "stage_seconds_count", stage="decided") == acted
            assert measured(metrics, "stage_seconds_count", stage="told") > acted

    asyncio.run(scene())


def test_a_loop_that_is_kept_from_its_work_is_late() -> None:
    async def scene() -> list[float]:
        late: list[float] = []
        lag = LoopLag(late.append, every=0.01)
        lag.begin()
        await asyncio.sleep(0)
        time.sleep(0.08)
        await until(lambda: late)
        lag.close()
        told = len(late)
        await asyncio.sleep(0.05)
        assert len(late) == told
        return late

    assert max(asyncio.run(scene())) >= 0.06


def test_pages_are_counted_by_how_long_they_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("dicetown.server.web.outbox.time.monotonic", lambda: now)
    outboxes = Outboxes(10_000)
    boxes = []
    for _ in range(2):
        boxes.append(outboxes.open(Pipe(), 100, lambda: None))
        now += 601.0
    assert outboxes.ages() == {"1m": 0, "10m": 0, "1h": 2, "6h": 0, "older": 0}
    now += 30_000
    outboxes.close(boxes[0])
    boxes.append(outboxes.open(Pipe(), 100, lambda: None))
    assert outboxes.ages() == {"1m": 1, "10m": 0, "1h": 0, "6h": 0, "older": 1}


def test_what_the_database_does_not_do_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            service, table = sitting.service, await sitting.table("me", "here")
            assert measured(service.metrics, "lease_changes_total", change="taken") == 1
            assert measured(service.metrics, "storage_errors_total") == 0
            assert measured(service.metrics, "owned_tables") == 1

            def fail(*_: object) -> None:
                raise OperationalError("", {}, Exception("disk full"))

            with monkeypatch.context() as broken:
                broken.setattr("dicetown.server.store.store.write_alone", fail)
                with pytest.raises(Refused):
                    await send(sitting, ANA, table, 0, "roll 1")
                assert measured(service.metrics, "storage_errors_total", doing="write") == 1
                assert measured(service.metrics, "database_lost") == 1
                assert measured(service.metrics, "actions_total", code="not_stored") == 1
            await send(sitting, ANA, table, 0, "roll 1")
            assert measured(service.metrics, "database_lost") == 0
            service.store._lease._end()
            assert measured(service.metrics, "lease_changes_total", change="lost") == 1
            assert measured(service.metrics, "owned_tables") == 0

    asyncio.run(scene())


def test_the_age_of_a_chore_grows_until_it_is_done(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            metrics, done = sitting.service.metrics, asyncio.Event()

            async def sweep() -> None:
                await done.wait()

            sitting.service.background.begin("sweeping", 60, sweep)
            await settle()
            await sitting.clock.turn(500)
            assert measured(metrics, "background_age_seconds", task="sweeping") == 500
            assert measured(metrics, "background_every_seconds", task="sweeping") == 60
            done.set()
            await settle()
            assert measured(metrics, "background_age_seconds", task="sweeping") == 0

    asyncio.run(scene())


def test_no_label_says_anything_about_anybody(tmp_path: Path) -> None:
    async def scene() -> Service:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends("guest-zebulon")
            await sitting.say(table, "guest-zebulon", "Zebulon", text="open sesame")
            await sitting.play_on(table, ANA, 1)
            page = sitting.service.metrics.page().decode()
            labels = {
                (name, value)
                for family in text_string_to_metric_families(page)
                for sample in family.samples
                for name, value in sample.labels.items()
            }
            assert {name for name, _ in labels} <= BOUNDED
            assert not [secret for secret in (table.code, "ebulon", "sesame", ANA) if secret in page]
            return sitting.service

    asyncio.run(scene())
