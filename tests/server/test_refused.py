"""What was refused stays refused, also if the same request comes once more."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy.exc import SQLAlchemyError
from tests.server.sitting import ANA, BEN, Page, Seated, refused, seated

from dicetown.server.store.additions import Addition
from dicetown.server.table.refused import KEPT, RefusedBefore
from dicetown.server.table.table import Table
from dicetown.server.web.live import Connection, Conversation
from dicetown.server.wire.refusals import Refused


def fail_once(sitting: Seated) -> None:
    """Let the next thing that is to be stored certainly not be."""
    write = sitting.service.store.write

    async def fail(addition: Addition) -> None:
        sitting.service.store.write = write  # type: ignore[method-assign]
        raise SQLAlchemyError("away")

    sitting.service.store.write = fail  # type: ignore[method-assign]


def conversation(sitting: Seated, table: Table, guest: str = ANA) -> tuple[Conversation, Page]:
    page = Page(guest)
    return Conversation(sitting.service, table, cast("Connection", page)), page


def act(key: str) -> str:
    return json.dumps({"type": "act", "key": key, "seat": 0, "actions": ["roll 1"]})


def answers(page: Page) -> list[Any]:
    return [message.get("code", "done") for message in page.heard if message["type"] in ("done", "refused")]


@pytest.mark.parametrize("pages", [1, 2])
def test_what_was_told_as_not_stored_does_not_happen_when_it_is_sent_once_more(
    tmp_path: Path, pages: int
) -> None:
    """A gateway and its page both send again what was not answered, over one connection or over two."""

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            before = table.state.last
            fail_once(sitting)
            twice = [conversation(sitting, table) for _ in range(pages)]
            async with asyncio.TaskGroup() as hearing:
                for talk, _ in [*twice, *twice][:2]:
                    hearing.create_task(talk.hear(act("one-request")))
            assert [code for _, page in twice for code in answers(page)] == ["not_stored", "not_stored"]
            assert table.state.last == before
            await twice[0][0].hear(act("another-request"))
            assert answers(twice[0][1])[-1] == "done"

    asyncio.run(scene())


def test_what_is_unclear_may_be_asked_again_and_keys_are_each_guests_own() -> None:
    before = RefusedBefore()
    before.check(ANA, "key")
    for code in ("unclear", "elsewhere", "too_quick"):
        before.note(ANA, "key", code)
        before.check(ANA, "key")
    before.note(ANA, "key", "late")
    before.check(BEN, "key")
    with pytest.raises(Refused, match="late"):
        before.check(ANA, "key")


def test_so_many_are_remembered_and_no_more() -> None:
    before = RefusedBefore()
    for number in range(KEPT + 1):
        before.note(ANA, str(number), "late")
    before.check(ANA, "0")
    with pytest.raises(Refused):
        before.check(ANA, "1")


def test_a_table_itself_refuses_what_was_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            table.refused.note(ANA, "one-request", "not_stored")
            await refused("not_stored", sitting.act(table, ANA, 0, "roll 1", key="one-request"))

    asyncio.run(scene())


def test_who_was_too_quick_may_come_again_with_the_same_request(tmp_path: Path) -> None:
    """It was refused before anybody looked at it, and asking again later is what was advised."""

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            talk, page = conversation(sitting, table)
            check = sitting.service.message_rate.check

            def refuse(client: str) -> None:
                sitting.service.message_rate.check = check  # type: ignore[method-assign]
                raise Refused("too_quick", wait=0.1)

            sitting.service.message_rate.check = refuse  # type: ignore[method-assign]
            await talk.hear(act("the-same"))
            await talk.hear(act("the-same"))
            assert answers(page) == ["too_quick", "done"]

    asyncio.run(scene())
