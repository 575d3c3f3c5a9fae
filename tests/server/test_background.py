"""Background are done for ever: what fails is told, and done again."""

import asyncio
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from tests.server.sitting import ANA, Seated, problems, seated, settle, until

from dicetown.server.web.service import Service


def measured(service: Service, name: str, task: str) -> float | None:
    """What a gauge says about a chore."""
    for family in text_string_to_metric_families(service.metrics.page().decode()):
        for sample in family.samples:
            if (sample.name, sample.labels.get("task")) == (f"dicetown_background_{name}", task):
                return sample.value
    return None


class Sweeping:
    """A chore that fails a few times."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.times = 0

    async def __call__(self) -> None:
        self.times += 1
        if self.times <= self.failures:
            raise ZeroDivisionError("no broom")


def test_a_chore_that_fails_is_done_again_after_pauses_that_grow(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            sweeping = Sweeping(failures=3)
            sitting.service.background.begin("sweeping", 60, sweeping)
            await settle()
            assert (sweeping.times, measured(sitting.service, "failures_total", "sweeping")) == (1, 1)
            assert measured(sitting.service, "last_run_seconds", "sweeping") is None
            await sitting.clock.turn(1 + 2 + 4)
            assert sweeping.times == 4
            assert measured(sitting.service, "failures_total", "sweeping") == 3
            await sitting.clock.turn(60)
            assert sweeping.times == 5
            done = measured(sitting.service, "last_run_seconds", "sweeping")
            assert done is not None
            assert sitting.clock.now() - 60 <= done <= sitting.clock.now()

    with capture_logs() as logged:
        asyncio.run(scene())
    told = [(one["event"], one["log_level"]) for one in logged]
    assert told == [
        ("chore failed", "error"),
        ("chore failed again", "warning"),
        ("chore failed again", "warning"),
        ("chore goes on", "info"),
    ]
    assert isinstance(logged[0]["exc_info"], ZeroDivisionError)


def test_closing_ends_the_chores(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            sweeping = Sweeping(failures=0)
            sitting.service.background.begin("sweeping", 60, sweeping)
            await settle()
            sitting.service.background.close()
            await sitting.clock.turn(1000)
            assert sweeping.times == 1

    asyncio.run(scene())


async def tidied(sitting: Seated) -> None:
    """Let the service tidy, once more."""
    before = measured(sitting.service, "last_run_seconds", "tidying")
    await sitting.clock.turn(121)
    await until(lambda: measured(sitting.service, "last_run_seconds", "tidying") != before)


def test_tidying_goes_on_after_the_database_was_away(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            await sitting.table("me", "here")
            store, asked = sitting.service.store, 0
            count = store.count_unfinished

            async def fail() -> int:
                nonlocal asked
                asked += 1
                if asked < 3:
                    raise OperationalError("", {}, Exception("the database is away"))
                return await count()

            store.count_unfinished = fail  # type: ignore[method-assign]
            sitting.service.open()
            await settle()
            for _ in range(5):
                await tidied(sitting)
            assert asked == 3
            assert not sitting.service.lobby.tables
            assert measured(sitting.service, "failures_total", "tidying") == 2

    asyncio.run(scene())


def test_one_bad_table_does_not_keep_the_others_from_being_tidied(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            good, bad, other = [await sitting.table("me", "here") for _ in range(3)]

            async def fail() -> None:
                raise ZeroDivisionError

            bad.put_away = fail  # type: ignore[method-assign]
            await sitting.clock.turn(400)
            await sitting.service.housekeeping.tidy()
            assert list(sitting.service.lobby.tables) == [bad.code]
            assert good.code != other.code

    with capture_logs() as logged:
        asyncio.run(scene())
    assert [one["event"] for one in problems(logged)] == ["table not tidied"]


def test_a_table_is_put_away_with_its_head_when_the_database_is_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await sitting.table("me", "here")
            await sitting.play_on(table, ANA, 6)
            write, store = sitting.service.store.write, sitting.service.store

            async def fail(addition: object) -> None:
                raise OperationalError("", {}, Exception("the database is away"))

            await sitting.clock.turn(400)
            store.write = fail  # type: ignore[method-assign]
            await sitting.service.housekeeping.tidy()
            assert sitting.service.lobby.tables
            store.write = write  # type: ignore[method-assign]
            await sitting.service.housekeeping.tidy()
            assert not sitting.service.lobby.tables
            me = await sitting.service.lobby.of_guest(ANA, "en")
            assert me.running[0].round == 2

    asyncio.run(scene())
