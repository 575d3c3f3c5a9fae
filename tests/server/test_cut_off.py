"""What is said to a connection that has been cut already: uvloop raises at that, asyncio does not."""

import asyncio
import socket
import struct
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import Any

import pytest
import uvloop
from tests.server.sitting import until

from dicetown.server.cluster.asking import Answer, NotAsked, Question
from dicetown.server.cluster.fleet import Known
from dicetown.server.workers.talk import Line, Ping

Run = Callable[[Coroutine[Any, Any, None]], None]
AT_ONCE = struct.pack("ii", 1, 0)  # an end without a farewell


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    found: Run = request.param
    return found


class Cutter:
    """Somebody who cuts every connection as soon as it is made."""

    def __init__(self) -> None:
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = self._door.getsockname()
        self._connect = asyncio.open_connection

    async def connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection that this side knows to be cut."""
        reader, writer = await self._connect(host, port)
        other, _ = self._door.accept()
        other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        other.close()
        await until(writer.transport.is_closing)
        return reader, writer

    def close(self) -> None:
        self._door.close()


def test_a_thinker_that_has_just_gone_is_told_nothing(run: Run) -> None:
    async def scene() -> None:
        with closing(Cutter()) as cutter:
            line = Line(*await cutter.connect(*cutter.address))
            line.send(Ping())
            line.hang_up()

    run(scene())


def test_a_worker_that_has_just_gone_was_not_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        with closing(Cutter()) as cutter:
            monkeypatch.setattr(asyncio, "open_connection", cutter.connect)
            worker = Known("a", "{}:{}".format(*cutter.address))
            with pytest.raises(NotAsked):
                async with Answer(Question("POST", b"/api/tables", [(b"host", b"table.example")]), worker):
                    pass
            assert not worker.watchers

    run(scene())
