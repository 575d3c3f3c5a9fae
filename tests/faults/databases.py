"""The two databases, and what can be done to each of them."""

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from sqlalchemy import create_engine, text
from tests.faults.proxy import Proxy
from tests.faults.served import Served
from tests.postgres import Cluster


class Sqlite:
    """A file."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.place = str(folder / "tables.db")
        self.address = f"sqlite:///{self.place}"

    async def lock(self, seconds: float) -> None:
        """Let another program hold the file for itself."""
        with closing(sqlite3.connect(self.place, isolation_level=None, timeout=5.0)) as other:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(seconds)
            other.execute("ROLLBACK")

    async def fill_the_disk(self, served: Served, seconds: float) -> None:
        """Let the service's files grow no further."""
        process = served.process
        if process is None:
            return
        before = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, before[1]))
        await asyncio.sleep(seconds)
        if served.process == process:
            resource.prlimit(process, resource.RLIMIT_FSIZE, before)


class Postgres:
    """A server behind a network; several processes have one each."""

    name = "postgres"

    def __init__(self, cluster: Cluster, network: Proxy) -> None:
        self.cluster = cluster
        self.networks = [network]
        self.place = self.place_at(network)
        self.address = cluster.address.replace("postgresql://", "postgresql+psycopg://")

    @staticmethod
    def place_at(network: Proxy) -> str:
        """The server as it is reached over a network."""
        return f"postgresql://dicetown@127.0.0.1:{network.port}/postgres?sslmode=disable"

    def cut(self) -> None:
        """End all connections, in the middle of whatever they carry."""
        for network in self.networks:
            network.cut()

    def freeze(self) -> None:
        """Let nothing through, and tell nobody."""
        for network in self.networks:
            network.freeze()

    def thaw(self) -> None:
        """Let everything through again."""
        for network in self.networks:
            network.thaw()

    def lose_answers(self, commits: int) -> None:
        """Let the answers to so many commits get lost, of each process."""
        for network in self.networks:
            network.losing = commits

    def tell(self, *statements: str) -> None:
        """Say something to the server, as who looks after it would."""
        engine = create_engine(self.address, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(text(statement))
        engine.dispose()

    async def restart(self, mode: str, seconds: float) -> None:
        """Let the server be away for a while."""
        await asyncio.to_thread(self.cluster.stop, mode)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self.cluster.start)


@asynccontextmanager
async def open_database(name: str, folder: Path) -> AsyncIterator[Sqlite | Postgres]:
    """A database of a kind, for one run."""
    if name == Sqlite.name:
        yield Sqlite(folder)
        return
    with Cluster() as cluster:
        async with Proxy(cluster.socket) as proxy:
            yield Postgres(cluster, proxy)
