"""A page that is sent away and has gone already: nobody is there to be told, and nothing is wrong."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocket
from tests.server.sitting import QuickThinkers

from dicetown.server.web.live import converse
from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Elsewhere, Refused


class GonePage:
    """A page that hangs up as soon as it is let in."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def receive(self) -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(self, message: Any) -> None:
        self.heard.append(message["type"])
        if message["type"] != "websocket.accept":
            raise OSError("the page has gone")


@pytest.mark.parametrize("refused", [Elsewhere("127.0.0.1:1"), Refused("no_table"), Refused("not_ready")])
def test_a_page_that_left_while_its_table_was_looked_for_breaks_nothing(refused: Refused) -> None:
    page = GonePage()

    async def find(code: str) -> None:
        raise refused

    async def come() -> None:
        service = Service("sqlite://", thinkers=QuickThinkers())
        service.lobby = SimpleNamespace(find=find)  # type: ignore[assignment]
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": "/",
            "headers": [],
            "query_string": b"",
            "client": None,
        }
        try:
            await converse(WebSocket(scope, page.receive, page.send), service, None, "AAAAAAAA")
        finally:
            service.store.close()

    asyncio.run(come())
    assert page.heard[0] == "websocket.accept"
    assert len(page.heard) == 2  # nobody tried a second time
