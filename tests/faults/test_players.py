"""The players of the fault program are guests like others: whatever gets lost, they know who they are."""

import asyncio
import json
import random
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.faults.history import History
from tests.faults.players import Party, Person
from tests.faults.proxy import Proxy
from tests.server.site import site


async def seats_of(person: Person, table: str) -> list[int]:
    """Which seats are a person's, as the service sees it."""
    async with person.connect(table) as socket:
        while (told := json.loads(await socket.recv()))["type"] != "welcome":
            pass
    found: list[int] = told["you"]["seats"]
    return found


@pytest.mark.parametrize("request_", ["/api/tables HTTP", "/join HTTP", "/start HTTP"])
def test_who_sits_down_and_hears_no_answer_sits_there_all_the_same(tmp_path: Path, request_: str) -> None:
    """A friend who was nobody yet when the answer got lost asked again as somebody else, to whom the table
    was full; and everybody waited for a guest that nobody was."""

    async def sit_down(port: int) -> None:
        history = History()
        async with Proxy(port, request_.encode()) as network:
            service, network.losing = f"http://127.0.0.1:{network.port}", 1
            async with AsyncExitStack() as stack:
                people = [await stack.enter_async_context(Person(service, history)) for _ in range(3)]
                table = await Party(service, history, 2, 0, random.Random(1)).sit_down(people)
                assert network.lost
                assert [await seats_of(person, table) for person in people] == [[0], [1], []]
        assert not history.contradictions

    with site(tmp_path) as opened:
        asyncio.run(sit_down(urlsplit(opened.address).port or 0))
