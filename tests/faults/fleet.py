"""A service of several processes: a gateway, workers, and networks between them that can be cut."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.faults.databases import Postgres, Sqlite
from tests.faults.proxy import Proxy
from tests.faults.served import Served, free_port

WORKERS = 3


@dataclass
class Worker:
    """A worker, and the networks by which the gateway reaches it and it reaches the database."""

    served: Served
    to_it: Proxy
    to_database: Proxy


class Fleet:
    """All processes together; what can be done to a service of one process can be done to them."""

    name = "fleet"

    def __init__(self, folder: Path, database: Postgres) -> None:
        self._folder = folder
        self._database = database
        self._networks = AsyncExitStack()
        self.gateway = Served(_folder(folder, "gateway"), database.place, "--role", "gateway")
        self.workers: list[Worker] = []
        self.address = self.gateway.address

    async def __aenter__(self) -> Self:
        for number in range(WORKERS):
            self.workers.append(await self._hire(f"worker {number}"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._networks.aclose()

    async def _hire(self, name: str) -> Worker:
        to_database = await self._networks.enter_async_context(Proxy(self._database.cluster.socket))
        self._database.networks.append(to_database)
        port = free_port()
        to_it = await self._networks.enter_async_context(Proxy(port))
        known_as = ("--known-as", f"127.0.0.1:{to_it.port}")
        place = self._database.place_at(to_database)
        served = Served(_folder(self._folder, name), place, "--role", "game", *known_as, port=port)
        return Worker(served, to_it, to_database)

    @property
    def parts(self) -> list[Served]:
        """Every process."""
        return [self.gateway, *(worker.served for worker in self.workers)]

    # ------------------------------------------------------------------------ their lives

    async def start(self) -> None:
        """Begin a life of each."""
        await self._each(*(part.start() for part in self.parts))

    async def kill(self) -> None:
        """End all of them as a power cut would."""
        await self._each(*(part.kill() for part in self.parts))

    async def stop(self) -> None:
        """End all of them as who runs them would, the gateway last."""
        await self._each(*(worker.served.stop() for worker in self.workers))
        await self.gateway.stop()

    async def revive(self) -> None:
        """Start those again that have died."""
        await self._each(*(part.revive() for part in self.parts))

    @staticmethod
    async def _each(*works: object) -> None:
        async with asyncio.TaskGroup() as doing:
            for work in works:
                doing.create_task(work)  # type: ignore[arg-type]

    def note_crash(self) -> bool:
        """Whether one of them has ended by itself; if so, that is counted."""
        crashed = [part.note_crash() for part in self.parts]  # of each, not only up to the first
        return any(crashed)

    def pause(self) -> None:
        """Let all stand still."""
        for part in self.parts:
            part.pause()

    def go_on(self) -> None:
        """Let all go on."""
        for part in self.parts:
            part.go_on()

    def suffer(self, **changes: object) -> None:
        """Let something go wrong within all of them, from now on."""
        for part in self.parts:
            part.suffer(**changes)

    async def try_second(self) -> int | None:
        """Start a service of one process on the same database; its exit status, or None if it was let in."""
        return await Served(_folder(self._folder, "second"), self._database.place).try_second()

    # --------------------------------------------------------------------- how they are doing

    @property
    def lives(self) -> int:
        """How often one of them was started."""
        return sum(part.lives for part in self.parts)

    @property
    def crashes(self) -> Counter[str]:
        """Ends that nobody brought about, by how they look."""
        return sum((part.crashes for part in self.parts), Counter())

    @property
    def process(self) -> tuple[int | None, ...] | None:
        """The numbers of the processes, if any lives."""
        numbers = tuple(part.process for part in self.parts)
        return numbers if any(numbers) else None

    @property
    def megabytes(self) -> float:
        """How much memory they take together."""
        return sum(part.megabytes for part in self.parts)

    def complaints(self) -> Counter[str]:
        """The tracebacks they have logged, by what the line says and the exception's name."""
        return sum((part.complaints() for part in self.parts), Counter())


def _folder(folder: Path, name: str) -> Path:
    (folder / name).mkdir(exist_ok=True)
    return folder / name


@asynccontextmanager
async def open_service(name: str, folder: Path, database: Sqlite | Postgres) -> AsyncIterator[Served | Fleet]:
    """The service for a run: one process, or several."""
    if name != Fleet.name:
        yield Served(folder, database.place)
        return
    assert isinstance(database, Postgres)
    async with Fleet(folder, database) as fleet:
        yield fleet
