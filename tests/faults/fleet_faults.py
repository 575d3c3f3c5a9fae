"""Faults of a service of several processes: each does something to some of them, and undoes it."""

import asyncio

from tests.faults.faults import BETWEEN, DATABASE, PROCESSES, STARTING, World, fault
from tests.faults.fleet import Fleet, Worker

#: Seconds after which a worker that is not heard of has lost its tables, and some more.
_GIVEN_UP = 8.0


def _fleet(world: World) -> Fleet:
    assert isinstance(world.served, Fleet)
    return world.served


def _worker(world: World) -> Worker:
    return world.rng.choice(_fleet(world).workers)


def _long_or_short(world: World) -> float:
    """Sometimes so long that another takes over: then two believe that they own a table."""
    return world.rng.choice([world.seconds(3.0), _GIVEN_UP])


@fault("worker killed", *STARTING, only=Fleet.name)
async def kill_worker(world: World) -> None:
    """One of them ends as by a power cut, and is away for a while."""
    worker = _worker(world).served
    await worker.kill()
    await asyncio.sleep(world.seconds(3.0))
    await worker.start()


@fault("worker stopped", *STARTING, only=Fleet.name)
async def stop_worker(world: World) -> None:
    """One of them is ended as who runs it does: it hands its tables over."""
    worker = _worker(world).served
    await worker.stop()
    await asyncio.sleep(world.seconds(3.0))
    await worker.start()


@fault("workers restarted one by one", *STARTING, only=Fleet.name)
async def restart_workers(world: World) -> None:
    """A new version is brought in."""
    for worker in _fleet(world).workers:
        await worker.served.stop()
        await worker.served.start()


@fault("all workers but one killed", *STARTING, only=Fleet.name)
async def kill_most_workers(world: World) -> None:
    """The last one has all tables, until the others are back."""
    workers = world.rng.sample(_fleet(world).workers, len(_fleet(world).workers) - 1)
    for worker in workers:
        await worker.served.kill()
    await asyncio.sleep(world.seconds(6.0))
    for worker in workers:
        await worker.served.start()


@fault("all workers killed", *STARTING, only=Fleet.name)
async def kill_all_workers(world: World) -> None:
    """For a while only the gateway is there, and keeps the pages."""
    for worker in _fleet(world).workers:
        await worker.served.kill()
    await asyncio.sleep(world.seconds(2.0))
    for worker in _fleet(world).workers:
        await worker.served.start()


@fault("worker stands still", PROCESSES, only=Fleet.name)
async def pause_worker(world: World) -> None:
    """One of them stands still and goes on, perhaps when its tables are another's."""
    worker = _worker(world).served
    worker.pause()
    await asyncio.sleep(_long_or_short(world))
    worker.go_on()


@fault("gateway killed", *STARTING, only=Fleet.name)
async def kill_gateway(world: World) -> None:
    """All pages lose their connection, and the workers lose the pages."""
    await _fleet(world).gateway.kill()
    await _fleet(world).gateway.start()


@fault("gateway stands still", PROCESSES, only=Fleet.name)
async def pause_gateway(world: World) -> None:
    """Nothing gets through for a while."""
    _fleet(world).gateway.pause()
    await asyncio.sleep(_long_or_short(world))
    _fleet(world).gateway.go_on()


@fault("connections to a worker cut", BETWEEN, only=Fleet.name)
async def cut_worker(world: World) -> None:
    """The network between gateway and worker breaks, again and again."""
    worker = _worker(world)
    for _ in range(world.rng.randint(1, 4)):
        worker.to_it.cut()
        await asyncio.sleep(world.seconds(0.5))


@fault("network to a worker frozen", BETWEEN, only=Fleet.name)
async def freeze_worker(world: World) -> None:
    """The network between gateway and worker swallows everything."""
    worker = _worker(world)
    worker.to_it.freeze()
    await asyncio.sleep(_long_or_short(world))
    if world.rng.random() < 0.5:
        worker.to_it.cut()
    worker.to_it.thaw()


@fault("worker cut off from the database", DATABASE, only=Fleet.name)
async def cut_off_worker(world: World) -> None:
    """One of them cannot reach the database, and perhaps loses its tables meanwhile."""
    worker = _worker(world)
    worker.to_database.freeze()
    await asyncio.sleep(_long_or_short(world))
    if world.rng.random() < 0.5:
        worker.to_database.cut()
    worker.to_database.thaw()


@fault("answers to a worker lost", DATABASE, only=Fleet.name)
async def lose_answers_to_worker(world: World) -> None:
    """Commits of one of them arrive, their answers do not."""
    worker = _worker(world)
    worker.to_database.losing = world.rng.randint(1, 5)
    await asyncio.sleep(1.0)
    worker.to_database.losing = 0
