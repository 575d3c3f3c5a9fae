"""What `bench/tables.py` is compared with: a bare WebSocket echo that keeps what it is told.

It knows no game. What a page says is appended to a file, with one fsync for all that came meanwhile, and then
sent to all pages of the same address, filled up to the size of a table's entry: what there is to do for any
service that keeps what it is told before it tells.

    python bench/echo.py 1200      says where it serves; each answer has 1,200 bytes
"""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from dicetown.server.web.run import address_of, open_socket

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Keeper:
    """A file to which one thread appends all that waits, and then says so."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def keep(self, text: bytes) -> asyncio.Future[None]:
        """Keep a text; the future is done once it is on the disk."""
        kept = asyncio.get_running_loop().create_future()
        self._waiting.put((text, kept))
        return kept

    def _run(self) -> None:
        while True:
            group = [self._waiting.get()]
            while not self._waiting.empty():
                group.append(self._waiting.get())
            self._file.write(b"\n".join(text for text, _ in group))
            self._file.flush()
            os.fsync(self._file.fileno())
            group[0][1].get_loop().call_soon_threadsafe(_wake, [kept for _, kept in group])


def _wake(all_kept: list[asyncio.Future[None]]) -> None:
    for kept in all_kept:
        if not kept.done():
            kept.set_result(None)


def make_app(size: int) -> Any:
    """The application: pages by address."""
    pages: dict[str, set[Send]] = defaultdict(set)
    keeper = Keeper()
    padding = "x" * size

    async def app(scope: Any, receive: Any, send: Send) -> None:
        if scope["type"] != "websocket":
            return
        here = pages[scope["path"]]
        await receive()
        await send({"type": "websocket.accept"})
        here.add(send)
        while (message := await receive())["type"] == "websocket.receive":
            text = message["text"]
            await keeper.keep(text.encode())
            answer = text + padding[len(text) :]
            for page in list(here):
                await page({"type": "websocket.send", "text": answer})
        here.discard(send)

    return app


def main() -> None:
    """Serve until somebody ends it."""
    found = open_socket("127.0.0.1", 0)
    print(address_of(found), flush=True)
    config = uvicorn.Config(
        make_app(int(sys.argv[1])),
        log_config=None,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
    uvicorn.Server(config).run(sockets=[found])


if __name__ == "__main__":
    main()
