"""The faults: each does something to a service with games on, and undoes it."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults import attacks
from tests.faults.databases import Postgres, Sqlite
from tests.faults.fleet import Fleet
from tests.faults.history import History
from tests.faults.players import Party, Person
from tests.faults.served import Served

_DAY = 86_400.0


@dataclass
class World:
    """Everything that something can be done to."""

    served: Served | Fleet
    database: Sqlite | Postgres
    parties: list[Party]
    history: History
    rng: random.Random
    frozen: float  # seconds after which a table that has not gone on stands still
    kept_in: Path | None = None  # where what explains a trouble is kept

    def seconds(self, most: float) -> float:
        """How long a fault lasts this time."""
        return self.rng.uniform(0.05, most)

    @property
    def table(self) -> str:
        """Any of the tables."""
        return self.rng.choice(self.parties).table


Fault = Callable[[World], Coroutine[Any, Any, None]]
FAULTS: dict[str, Fault] = {}
#: What a fault is about, a database or several processes; the others are about any service.
ONLY: dict[str, str] = {}
#: What each fault does something to, or relies on: two that have nothing in common can happen at once.
TOUCHES: dict[str, frozenset[str]] = {}
PROCESSES, DATABASE, BETWEEN, PAGES = "processes", "database", "between processes", "pages"
#: Who starts a process needs the database for it: without one, it says so and ends.
STARTING = (PROCESSES, DATABASE)
#: Several processes share a PostgreSQL, so what can happen to that can happen to them.
_ABOUT = {Fleet.name: (Fleet.name, Postgres.name)}


def fault(name: str, *touches: str, only: str | None = None) -> Callable[[Fault], Fault]:
    """Give a fault its name."""

    def add(does: Fault) -> Fault:
        FAULTS[name] = does
        TOUCHES[name] = frozenset(touches)
        if only is not None:
            ONLY[name] = only
        return does

    return add


def faults_of(database: str) -> list[str]:
    """The faults that can be done with a kind of database, or with several processes."""
    about = _ABOUT.get(database, (database,))
    return [name for name in FAULTS if ONLY.get(name) is None or ONLY[name] in about]


# ------------------------------------------------------------------------------ the service


@fault("service killed", *STARTING)
async def kill_service(world: World) -> None:
    """As by a power cut."""
    await world.served.kill()
    await world.served.start()


@fault("service stopped", *STARTING)
async def stop_service(world: World) -> None:
    """As who runs it does."""
    await world.served.stop()
    await world.served.start()


@fault("service killed while it starts", *STARTING)
async def kill_start(world: World) -> None:
    """Killed at any moment of its start, when all pages come back at once."""
    await world.served.kill()
    starting = asyncio.create_task(world.served.start())
    await asyncio.sleep(world.seconds(3.0))
    await world.served.kill()
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    await world.served.start()


@fault("service paused", PROCESSES)
async def pause_service(world: World) -> None:
    """Its machine stands still for a while."""
    world.served.pause()
    await asyncio.sleep(world.seconds(3.0))
    world.served.go_on()


@fault("second service", *STARTING, BETWEEN)
async def start_second(world: World) -> None:
    """Another one is started on the same database: it must not be let in."""
    if await world.served.try_second() in (None, 0):
        world.history.contradictions.append("a second service was let in")


@fault("clock jumps ahead", PROCESSES)
async def jump_ahead(world: World) -> None:
    """Seventy days pass in no time, and are taken back."""
    world.served.suffer(clock=70 * _DAY)
    await asyncio.sleep(world.seconds(3.0))
    world.served.suffer(clock=0.0)


@fault("clock jumps back", PROCESSES)
async def jump_back(world: World) -> None:
    """A year is taken back, and given again."""
    world.served.suffer(clock=-365 * _DAY)
    await asyncio.sleep(world.seconds(3.0))
    world.served.suffer(clock=0.0)


# ------------------------------------------------------------------------- connections


@fault("pages cut off", PAGES)
async def cut_pages(world: World) -> None:
    """Every page loses its connection."""
    for party in world.parties:
        for seat in party.seats:
            seat.cut_off()


@fault("one page cut off", PAGES)
async def cut_page(world: World) -> None:
    """A page loses its connection, again and again."""
    party = world.rng.choice(world.parties)
    for _ in range(5):
        if party.seats:
            world.rng.choice(party.seats).cut_off()
        await asyncio.sleep(world.seconds(0.4))


@fault("half-open requests", PAGES)
async def half_open(world: World) -> None:
    """A stranger begins requests and never ends them."""
    await attacks.open_halves(world.served.address, 400, world.seconds(4.0))


@fault("slow readers", PAGES)
async def slow_readers(world: World) -> None:
    """A stranger asks for everything and reads nothing."""
    async with Person(world.served.address, History()) as stranger:
        await attacks.never_read(stranger, world.table, 8, world.seconds(4.0))


@fault("flood of messages", PAGES)
async def flood_table(world: World) -> None:
    """A stranger floods a table."""
    async with Person(world.served.address, History()) as stranger:
        await attacks.flood(stranger, world.table, 400)


@fault("flood of tables", PAGES)
async def flood_tables(world: World) -> None:
    """A stranger makes table after table."""
    await attacks.take_all_tables(world.served.address, 60)


# ------------------------------------------------------------------------- the database


@fault("file locked", DATABASE, only="sqlite")
async def lock_file(world: World) -> None:
    """Another program holds the database, sometimes for longer than anybody waits."""
    assert isinstance(world.database, Sqlite)
    await world.database.lock(world.rng.choice([world.seconds(3.0), 12.0]))


@fault("file read-only", *STARTING, only="sqlite")
async def forbid_file(world: World) -> None:
    """The database must not be written for a while."""
    world.served.suffer(read_only=True)
    await asyncio.sleep(world.seconds(4.0))
    world.served.suffer(read_only=False)


@fault("disk full", *STARTING, only="sqlite")
async def fill_disk(world: World) -> None:
    """Nothing more fits onto the disk for a while."""
    assert isinstance(world.database, Sqlite)
    assert isinstance(world.served, Served)
    await world.database.fill_the_disk(world.served, world.seconds(4.0))


@fault("answers of commits lost", *STARTING, only="sqlite")
async def lose_answers(world: World) -> None:
    """Commits happen, and are reported as failed."""
    world.served.suffer(lose_answers=world.rng.randint(1, 8))
    await asyncio.sleep(1.0)
    world.served.suffer(lose_answers=0)


@fault("server restarted", DATABASE, only="postgres")
async def restart_server(world: World) -> None:
    """The database's server is restarted, in order or by a crash."""
    assert isinstance(world.database, Postgres)
    await world.database.restart(world.rng.choice(["fast", "immediate"]), world.seconds(3.0))


@fault("server hangs", DATABASE, only="postgres")
async def freeze_server(world: World) -> None:
    """The database's server stands still, sometimes for longer than anybody waits."""
    assert isinstance(world.database, Postgres)
    world.database.cluster.freeze()
    await asyncio.sleep(world.rng.choice([world.seconds(3.0), 12.0]))
    world.database.cluster.thaw()


@fault("server read-only", DATABASE, only="postgres")
async def forbid_server(world: World) -> None:
    """The database's server lets nobody write for a while."""
    assert isinstance(world.database, Postgres)
    said = "ALTER SYSTEM SET default_transaction_read_only = {}"
    await asyncio.to_thread(world.database.tell, said.format("on"), "SELECT pg_reload_conf()")
    await asyncio.sleep(world.seconds(4.0))
    writing = "SET default_transaction_read_only = off"
    await asyncio.to_thread(world.database.tell, writing, said.format("off"), "SELECT pg_reload_conf()")


@fault("server's disk full", DATABASE, only="postgres")
async def fill_server(world: World) -> None:
    """The database's server cannot write, and crashes over it."""
    assert isinstance(world.database, Postgres)
    world.database.cluster.fill_the_disk()
    await asyncio.sleep(world.seconds(2.0))


@fault("connections to the server cut", DATABASE, only="postgres")
async def cut_server(world: World) -> None:
    """The network between service and database breaks, again and again."""
    assert isinstance(world.database, Postgres)
    for _ in range(world.rng.randint(1, 4)):
        world.database.cut()
        await asyncio.sleep(world.seconds(0.5))


@fault("network to the server frozen", DATABASE, only="postgres")
async def freeze_network(world: World) -> None:
    """The network between service and database swallows everything, sometimes for long."""
    assert isinstance(world.database, Postgres)
    world.database.freeze()
    await asyncio.sleep(world.rng.choice([world.seconds(3.0), 12.0]))
    if world.rng.random() < 0.5:
        world.database.cut()
    world.database.thaw()


@fault("answers of the server lost", DATABASE, only="postgres")
async def lose_server_answers(world: World) -> None:
    """Commits arrive, their answers do not."""
    assert isinstance(world.database, Postgres)
    world.database.lose_answers(world.rng.randint(1, 5))
    await asyncio.sleep(1.0)
    world.database.lose_answers(0)
