"""What is stored of a table makes no sense: the log says where, the page says so, and others are as ever."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, insert, update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from tests.patience import PATIENCE
from tests.server.site import Guest, Site, site
from tests.server.sitting import ANA, BEN, Seated, finish, problems, refused, seated, until
from websockets.exceptions import ConnectionClosed

from dicetown.server.common.fair_line import Asker
from dicetown.server.journal.summary import write_summary
from dicetown.server.store.schema import entries, reviews, tables
from dicetown.server.web.api import finished
from dicetown.server.web.service import Service

DAY = 24 * 3600.0


def change(service: Service, code: str, entry: int, **values: Any) -> None:
    """Spoil an entry."""
    this = (entries.c.code == code) & (entries.c.number == entry)
    with service.store.engine.begin() as connection:
        connection.execute(update(entries).where(this).values(**values))


def drop(service: Service, code: str, number: int) -> None:
    """Lose an entry."""
    with service.store.engine.begin() as connection:
        connection.execute(delete(entries).where((entries.c.code == code) & (entries.c.number == number)))


def garble(service: Service, code: str, number: int) -> None:
    """Let the disk flip a few bits of an entry: what lies there is no text any more."""
    with service.store.engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE entries SET body = CAST(CAST(substr(body, 1, 20) AS BLOB) || x'ff' AS TEXT) "
            "WHERE code = ? AND number = ?",
            (code, number),
        )


#: Ways to spoil a table whose journal is: made, started, moved, moved.
SPOILED: dict[str, Callable[[Service, str], None]] = {
    "no text": lambda service, code: garble(service, code, 3),
    "no text at the beginning": lambda service, code: garble(service, code, 1),
    "no JSON": lambda service, code: change(service, code, 3, body='{"v":1,'),
    "no entry": lambda service, code: change(service, code, 3, body='{"v":1,"body":{"kind":"flown"}}'),
    "a field that is missing": lambda service, code: change(
        service, code, 3, body='{"v":1,"body":{"kind":"moved"}}'
    ),
    "a version to come": lambda service, code: change(
        service, code, 3, body='{"v":99,"body":{"kind":"back","seat":0}}'
    ),
    "a kind of a version to come": lambda service, code: change(
        service, code, 3, body='{"v":99,"body":{"kind":"danced"}}'
    ),
    "a gap": lambda service, code: drop(service, code, 3),
    "no beginning": lambda service, code: drop(service, code, 1),
    "another beginning": lambda service, code: change(
        service, code, 1, body='{"v":1,"body":{"kind":"back","seat":0}}'
    ),
    "a move that is not allowed": lambda service, code: change(
        service, code, 3, body='{"v":1,"body":{"kind":"moved","seat":0,"moves":["build stadium"]}}'
    ),
    "a move that is none": lambda service, code: change(
        service, code, 3, body='{"v":1,"body":{"kind":"moved","seat":0,"moves":["fly"]}}'
    ),
    "a seat that is not there": lambda service, code: change(
        service, code, 3, body='{"v":1,"body":{"kind":"away","seat":7,"bot":"normal"}}'
    ),
    "something undone that was not done": lambda service, code: change(
        service, code, 3, body='{"v":1,"body":{"kind":"undone","seat":0,"number":2}}'
    ),
}


async def spoiled(sitting: Seated, spoil: Callable[[Service, str], None]) -> str:
    """The code of a table that cannot be read any more."""
    table = await sitting.table("me", "here", public=True)
    await sitting.play_on(table, ANA, 2)
    sitting.service.lobby.forget(table)
    spoil(sitting.service, table.code)
    return table.code


@pytest.mark.parametrize("how", SPOILED)
def test_a_table_that_cannot_be_read_is_refused_and_the_log_says_which_entry_it_is(
    tmp_path: Path, how: str
) -> None:
    code, secret = "", ""

    async def scene() -> None:
        nonlocal code, secret
        async with seated(tmp_path) as sitting:
            other = await sitting.table("me", "here")
            code = await spoiled(sitting, SPOILED[how])
            for _ in range(3):
                await refused("unreadable", sitting.service.lobby.find(code))
            assert await sitting.service.lobby.find(other.code) is other
            listed = await sitting.service.lobby.public("en")
            assert [table.code for table in listed] == [code]
            me = await sitting.service.lobby.of_guest(ANA, "en")
            assert {table.code for table in me.running} == {code, other.code}
            secret = other.state.summary.secret

    with capture_logs() as logged:
        asyncio.run(scene())
    (told,) = problems(logged)  # once, however often it is asked for
    number = 1 if "beginning" in how else 3
    assert (told["event"], told["table"], told["number"]) == ("unreadable table", code, number)
    assert "version 99" in told["problem"] or "to come" not in how
    assert secret not in str(told)


def test_a_table_that_can_be_read_again_is_opened_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            sitting.service.lobby.forget(table)
            spelled = (await sitting.service.store.journal(table.code))[1]
            change(sitting.service, table.code, 2, number=9)
            await refused("unreadable", sitting.service.lobby.find(table.code))
            change(sitting.service, table.code, 9, number=2)
            again = await sitting.service.lobby.find(table.code)
            assert again.state.entries[1].body == spelled.body

    asyncio.run(scene())


def test_tidying_skips_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            bad = [await spoiled(sitting, SPOILED["a gap"]) for _ in range(3)]
            good = await sitting.table("me", "here")
            sitting.service.lobby.forget(good)
            await sitting.clock.turn(61 * DAY)
            for _ in range(3):
                await sitting.service.housekeeping.tidy()
            assert (await sitting.service.lobby.find(good.code)).info("en").stage == "closed"
            stale = await sitting.service.store.left_alone(["playing"], sitting.clock.now())
            assert sorted(stale) == sorted(bad)

    with capture_logs() as logged:
        asyncio.run(scene())
    assert [one["event"] for one in logged].count("unreadable table") == 3
    assert len(problems(logged)) <= 6


def test_one_head_that_cannot_be_read_hides_no_other_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            good, bad, worse, old = [await sitting.table("me", "here", public=True) for _ in range(4)]
            for table in (good, bad, worse, old):
                sitting.service.lobby.forget(table)
            yesterday = write_summary(old.state.summary).replace('"ciudad"', '"an edition of yesterday"')
            for code, head in [(bad.code, '{"code":'), (worse.code, '{"code":"X"}'), (old.code, yesterday)]:
                with sitting.service.store.engine.begin() as connection:
                    connection.execute(update(tables).where(tables.c.code == code).values(head=head))
            with sitting.service.store.engine.begin() as connection:
                connection.exec_driver_sql(
                    "UPDATE tables SET head = CAST(x'ff' AS TEXT) WHERE code = ?", (bad.code,)
                )
            for _ in range(2):
                listed = await sitting.service.lobby.public("en")
                assert [table.code for table in listed] == [good.code]
            me = await sitting.service.lobby.of_guest(ANA, "de")
            assert [table.code for table in me.running] == [good.code]
            opened = await sitting.service.lobby.find(bad.code)  # the journal has all that is needed
            await sitting.page(opened, ANA)

    with capture_logs() as logged:
        asyncio.run(scene())
    assert [one["event"] for one in problems(logged)] == ["unreadable head"] * 3


@pytest.mark.parametrize("body", ["{", '{"moments": 3}', '{"players": [], "moments": [{}]}'])
def test_a_review_that_cannot_be_read_is_made_anew(tmp_path: Path, body: str) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal", house={"landmarks_to_win": 1})
            await finish(sitting, table)
            with sitting.service.store.engine.begin() as connection:
                connection.execute(insert(reviews).values(code=table.code, body=body))
            _, play = finished(table)
            told = await sitting.service.reviews.of(table, play, "en", Asker("here", ANA))
            assert not told.ready

    with capture_logs() as logged:
        asyncio.run(scene())
    assert "unreadable review" in [one["event"] for one in logged]


def test_a_review_is_kept_when_the_database_is_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal", house={"landmarks_to_win": 1})
            await finish(sitting, table)
            store, times = sitting.service.store, 0
            keep = store.keep_review

            async def review(*_: object) -> dict[str, Any]:
                found: dict[str, Any] = {
                    "players": [],
                    "moments": [],
                    "turning_points": [],
                    "ahead_without_luck": None,
                }
                return found | {"exact": True}

            async def fail(code: str, review: dict[str, Any]) -> None:
                nonlocal times
                times += 1
                if times < 4:
                    raise OperationalError("", {}, Exception("the database is away"))
                await keep(code, review)

            sitting.thinkers.review = review  # type: ignore[method-assign, assignment]
            store.keep_review = fail  # type: ignore[method-assign]
            _, play = finished(table)
            asker = Asker("here", ANA)
            assert not (await sitting.service.reviews.of(table, play, "en", asker)).ready
            for _ in range(20):
                await sitting.clock.turn(1)
            await until(lambda: times == 4)
            async with asyncio.timeout(PATIENCE):
                while not (await sitting.service.reviews.of(table, play, "en", asker)).ready:
                    await asyncio.sleep(0.01)

    asyncio.run(scene())


# ----------------------------------------------------------------------------- through the web


def bad_table(opened: Site, guest: Guest) -> str:
    code = guest.make("me", "here", public=True)
    opened.service.lobby.tables.pop(code)
    drop(opened.service, code, 1)
    return code


def test_the_page_is_told_in_its_language_and_does_not_try_for_ever(tmp_path: Path) -> None:
    with site(tmp_path) as opened:
        guest = opened.guest()
        code = bad_table(opened, guest)
        with guest.live(code, "?lang=de") as line:
            told = line.next()
            assert (told["type"], told["code"]) == ("refused", "unreadable")
            assert told["message"].startswith("Dieser Tisch lässt sich nicht öffnen")
            with pytest.raises(ConnectionClosed):
                line.next()
            assert line.socket.close_code == 4500
        answer: httpx.Response = guest.client.get(f"/api/tables/{code}?lang=es")
        assert (answer.status_code, answer.json()["code"]) == (500, "unreadable")
        assert answer.json()["message"].startswith("Esta mesa no se puede abrir")
        assert [table["code"] for table in guest.client.get("/api/tables").json()["tables"]] == [code]
        assert [table["code"] for table in guest.client.get("/api/me").json()["running"]] == [code]
        with guest.live(guest.make("me", "here")) as line:
            assert line.hear("welcome")


def test_who_asks_for_a_spoiled_rematch_is_refused_in_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, house={"landmarks_to_win": 1})
            await finish(sitting, table)
            following = await sitting.service.lobby.rematch(table, ANA)
            await sitting.say(following, ANA, "Ana", text="Again!")
            sitting.service.lobby.forget(following)
            drop(sitting.service, following.code, 1)
            await refused("unreadable", sitting.service.lobby.rematch(table, BEN))

    asyncio.run(scene())
