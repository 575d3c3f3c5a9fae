"""What strangers do to a service from outside: half requests, floods, and never listening."""

import asyncio
import json
import random
from contextlib import AsyncExitStack, suppress
from urllib.parse import urlsplit

import httpx
from tests.faults.players import Person, new_address
from websockets.exceptions import WebSocketException


async def open_halves(service: str, connections: int, seconds: float) -> None:
    """Begin many requests from one address, and finish none."""
    host, port = urlsplit(service).hostname, urlsplit(service).port
    address = new_address()
    opened: list[asyncio.StreamWriter] = []
    for _ in range(connections):
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(1.0):
                _, writer = await asyncio.open_connection(host, port, local_addr=(address, 0))
            writer.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
            opened.append(writer)
    await asyncio.sleep(seconds)
    for writer in opened:
        writer.transport.abort()


async def never_read(stranger: Person, table: str, pages: int, seconds: float) -> None:
    """Ask for everything again and again, and listen to nothing."""
    async with AsyncExitStack() as stack:
        sockets = []
        for _ in range(pages):
            with suppress(OSError, TimeoutError, WebSocketException):
                socket = await stack.enter_async_context(stranger.connect(table))
                socket.transport.pause_reading()
                sockets.append(socket)
        ends = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < ends:
            for socket in sockets:
                with suppress(OSError, TimeoutError, WebSocketException):
                    wish = json.dumps({"type": "language", "language": random.choice(["en", "es", "de"])})
                    async with asyncio.timeout(0.2):
                        await socket.send(wish)
            await asyncio.sleep(0.05)
        for socket in sockets:
            socket.transport.abort()


async def flood(stranger: Person, table: str, messages: int) -> None:
    """Say more at a table than anybody could read, and much that makes no sense."""
    said = [
        {"type": "say", "key": "{n}", "text": "buy now"},
        {"type": "hint", "key": "{n}", "seat": 0},
        {"type": "worth", "key": "{n}", "seat": 0, "thing": "cafe"},
        {"type": "language", "language": "es"},
        {"type": "act", "key": "{n}", "seat": 0, "actions": ["roll 1"]},
        {"type": "nonsense"},
    ]
    with suppress(OSError, TimeoutError, WebSocketException):
        async with stranger.connect(table) as socket:
            listening = asyncio.create_task(_listen(socket))
            for n in range(messages):
                await socket.send(json.dumps(random.choice(said)).replace("{n}", f"flood-{n}"))
            await asyncio.sleep(0.2)
            listening.cancel()


async def _listen(socket: object) -> None:
    with suppress(WebSocketException):
        async for _ in socket:  # type: ignore[attr-defined]
            pass


async def take_all_tables(service: str, tables: int) -> None:
    """Make public tables, each as somebody new, all from one address."""
    wanted = {
        "edition": "deluxe",
        "public": True,
        "seats": [{"kind": "me"}, {"kind": "friend"}],
    }
    transport = httpx.AsyncHTTPTransport(local_address=new_address())
    async with httpx.AsyncClient(base_url=service, transport=transport, timeout=5.0) as client:
        for _ in range(tables):
            client.cookies.clear()
            with suppress(httpx.TransportError):
                await client.post("/api/tables", json=wanted)
