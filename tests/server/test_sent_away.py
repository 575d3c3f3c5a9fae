"""A page that is sent away and has gone already: nobody is there to be told, and nothing is wrong."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocket
from tests.server.site import site
from tests.server.sitting import QuickThinkers
from websockets.exceptions import InvalidStatus

from dicetown.server.web.live import converse
from dicetown.server.web.protocols import LINE
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


def test_a_page_that_comes_while_the_service_ends_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It has its answer before anybody has looked whether it may come in."""

    async def end_first(socket: WebSocket, *rest: Any) -> None:
        socket.scope["extensions"][LINE].shutdown()
        await converse(socket, *rest)

    monkeypatch.setattr("dicetown.server.web.api.converse", end_first)
    with site(tmp_path) as here:
        guest = here.guest()
        for origin in ("https://elsewhere.example", here.address.rstrip("/")):  # sent away, and let in
            with pytest.raises(InvalidStatus) as refused, guest.live("AAAAAAAA", Origin=origin):
                pass
            assert refused.value.response.status_code == 500
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
