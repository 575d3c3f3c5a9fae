"""Limits for each address and in all: what a stranger with many names cannot do, and a club still can."""

import asyncio
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.running import Run
from tests.server.site import Guest, site
from tests.server.sitting import Seated, finish, refused, seated
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker, Capacity
from dicetown.server.common.settings import Limits, read_limits
from dicetown.server.store.additions import Addition
from dicetown.server.store.store import LISTED
from dicetown.server.table.table import Table
from dicetown.server.web.welcomes import Welcomes
from dicetown.server.wire.rate_limits import ConcurrencyLimit, RateLimit
from dicetown.server.wire.refusals import STATUS, Refused

FAR = "192.0.2.7"

# ------------------------------------------------------------------------------ live connections


def test_all_guests_of_an_address_share_its_live_connections(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(pages_of_address=2)) as here:
        code = here.guest().make("me", "here")
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(here.guest().live(code)).hear("welcome")
            with pytest.raises(InvalidStatus) as turned_away, here.guest().live(code, "?lang=de"):
                pass
            answer = turned_away.value.response
            assert answer.status_code == 429
            assert int(answer.headers["Retry-After"]) >= 1
            assert b"too_many_pages" in answer.body
            assert b"so viele Tische" in answer.body
            with here.guest(FAR).live(code) as other:
                other.hear("welcome")
        with here.guest().live(code) as line:  # the others have gone
            line.hear("welcome")
        told = here.guest().client.get("/metrics").text
        assert 'dicetown_refused_total{code="too_many_pages"} 1.0' in told


def test_there_is_room_for_so_many_live_connections_in_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with site(tmp_path, limits=Limits(pages_in_all=1)) as here:
        code = here.guest().make("me", "here")
        with here.guest().live(code) as line:
            line.hear("welcome")
            with pytest.raises(InvalidStatus) as turned_away, here.guest(FAR).live(code):
                pass
            assert turned_away.value.response.status_code == 503
    assert not [
        record for record in caplog.records if record.name == "uvicorn.error"
    ]  # all went as it should


def test_what_is_had_can_be_had_again_once_it_is_given_back() -> None:
    shares = ConcurrencyLimit(of_one=1, in_all=1)
    shares.take("ana")
    with pytest.raises(Refused, match="too_many_pages"):
        shares.take("ana")
    with pytest.raises(Refused, match="no_room"):
        shares.take("ben")
    assert len(shares) == 1
    shares.give_back("ana")
    assert len(shares) == 0
    shares.take("ben")
    assert len(shares) == 1


def test_a_page_that_breaks_gives_its_place_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    with site(tmp_path, limits=Limits(pages_of_address=1)) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with monkeypatch.context() as patched:
            patched.setattr(Table, "enter", break_down)
            with pytest.raises(ConnectionClosed), ana.live(code) as line:
                line.next()
        with ana.live(code) as line:
            line.hear("welcome")


def test_all_guests_of_an_address_share_its_messages(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(messages_from=(0.001, 3))) as here:
        code = here.guest().make("me", "here")
        with (
            here.guest().live(code) as one,
            here.guest().live(code) as two,
            here.guest(FAR).live(code) as far,
        ):
            for line in (one, two, one, far):
                line.send(type="ping")
                line.hear("pong")
            two.send(type="ping")
            assert two.hear("refused")["code"] == "too_quick"


# ------------------------------------------------------------------------------------ welcomes


def test_everybody_has_a_turn_to_be_welcomed_however_many_wait() -> None:
    async def scene() -> None:
        welcomes, order = Welcomes(1000.0, Capacity(100, 100, 200)), []

        async def ask(asker: Asker) -> None:
            await welcomes.turn(asker)
            order.append(asker.name)

        crowd = [Asker("far", f"stranger {number}") for number in range(40)]
        await asyncio.gather(*(ask(one) for one in [*crowd, *crowd, Asker("near", "ana")]))
        assert order.index("ana") <= 2
        assert len(order) == 81
        assert welcomes.waiting == 0

    asyncio.run(scene())


def test_who_waits_for_too_many_welcomes_is_refused_and_who_goes_makes_room() -> None:
    async def scene() -> None:
        welcomes, ana = Welcomes(0.001, Capacity(2, 3, 4)), Asker("near", "ana")
        await welcomes.turn(ana)
        waiting = [asyncio.create_task(welcomes.turn(ana)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too_quick") as problem:
            await welcomes.turn(ana)
        assert int(problem.value.headers["Retry-After"]) > 1000
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert welcomes.waiting == 0

    asyncio.run(scene())


def test_a_page_waits_for_its_welcome_and_comes_back_later_where_too_many_do(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(welcomes_in_all=0.001, welcomes_waiting=(1, 1, 1))) as here:
        code = here.guest().make("me", "here")
        with here.guest().live(code) as first:
            first.hear("welcome")
            first.hear("presence")
            first.send(type="language", language="de")  # who asks for everything again waits, too
            while not here.service.welcomes.waiting:
                pass
            with here.guest().live(code) as second, pytest.raises(ConnectionClosed) as closed:
                second.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            first.send(type="ping")
            first.hear("pong")


# -------------------------------------------------------------------------------------- tables


def post(guest: Guest, **settings: Any) -> Any:
    seats = [{"kind": "me"}, {"kind": "friend"}]
    return guest.client.post("/api/tables", json={"seats": seats, "edition": "ciudad"} | settings)


def test_all_guests_of_an_address_share_its_unfinished_tables(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(tables_of_address=2)) as here:
        ana = here.guest()
        codes = [post(guest).json()["code"] for guest in (ana, here.guest())]
        answer = post(here.guest())
        assert answer.status_code == 429
        assert answer.json()["code"] == "too_many_tables_here"
        assert int(answer.headers["retry-after"]) >= 1
        assert post(here.guest(FAR)).status_code == 201
        here.service.lobby.quotas.forget(codes[0])
        assert post(here.guest()).status_code == 201


def test_tables_whose_games_are_over_count_no_more_nor_those_of_yesterday(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables_of_address=1)) as sitting:
            table = await sitting.table("normal", "normal")
            await refused("too_many_tables_here", sitting.table("me", "here"))
            await finish(sitting, table)
            await sitting.table("me", "here")
            await refused("too_many_tables_here", sitting.table("me", "here"))
            await sitting.clock.turn(25 * 3600)
            await sitting.table("me", "here")

    asyncio.run(scene())


def test_tables_are_not_made_too_quickly_at_one_address_nor_in_all(tmp_path: Path) -> None:
    limits = Limits(tables_made=(0.01, 2), tables_made_in_all=(0.01, 3))
    with site(tmp_path, limits=limits) as here:
        assert [post(here.guest()).status_code for _ in range(2)] == [201, 201]
        answer = post(here.guest())
        assert (answer.status_code, answer.json()["code"]) == (429, "too_quick")
        assert 90 <= int(answer.headers["retry-after"]) <= 100
        assert [post(here.guest(f"192.0.2.{number}")).status_code for number in (1, 2)] == [201, 429]


def request(public: bool) -> wire.NewTable:
    seats = [wire.NewSeat(kind="me"), wire.NewSeat(kind="friend")]
    return wire.NewTable(edition="ciudad", seats=seats, public=public)


async def make(sitting: Seated, guest: str, address: str, public: bool = True) -> str:
    table = await sitting.service.lobby.make(guest, request(public), "en", address)
    return table.code


def test_nobody_fills_the_list_of_public_tables(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(public_of_guest=2, public_of_address=3)) as sitting:
            for _ in range(2):
                await make(sitting, "ana", "near")
            await refused("too_many_public", make(sitting, "ana", "near"))
            await make(sitting, "ana", "near", public=False)
            await make(sitting, "ben", "near")
            await refused("too_many_public_here", make(sitting, "caro", "near"))
            await make(sitting, "caro", "near", public=False)
            await make(sitting, "dora", "far")

    asyncio.run(scene())


def test_those_who_ask_all_at_once_get_no_more_than_one_after_the_other(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(public_of_address=3)) as sitting:
            asked = (make(sitting, f"stranger {number}", "far") for number in range(20))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            assert Counter(type(answer) for answer in answers) == {str: 3, Refused: 17}

    asyncio.run(scene())


def test_a_table_counts_while_it_is_being_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(public_of_address=1)) as sitting:
            store = sitting.service.store
            write, is_being_stored, may_be_stored = store.write, asyncio.Event(), asyncio.Event()

            async def write_later(addition: Addition) -> None:
                if not is_being_stored.is_set():  # the first one, which the others need not wait for
                    is_being_stored.set()
                    await may_be_stored.wait()
                await write(addition)

            monkeypatch.setattr(store, "write", write_later)
            first = asyncio.create_task(make(sitting, "ana", "near"))
            await is_being_stored.wait()
            await refused("too_many_public_here", make(sitting, "ben", "near"))
            may_be_stored.set()
            await first

    asyncio.run(scene())


def test_the_list_shows_tables_of_every_maker_before_anybodys_second(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(public_of_address=1000)) as sitting:
            sitting.clock.time -= 100
            calm = [await make(sitting, guest, "near") for guest in ("ana", "ben")]
            sitting.clock.time += 100
            for number in range(60):
                await make(sitting, f"stranger {number}", "far")
            listed = [table.code for table in await sitting.service.lobby.public("en")]
            assert len(listed) == len(set(listed)) == LISTED
            assert sorted(listed.index(code) for code in calm)[1] <= 3
            attended = await sitting.service.lobby.find(calm[0])
            await sitting.page(attended, "ana")
            assert (await sitting.service.lobby.public("en"))[0].code == calm[0]

    asyncio.run(scene())


def test_a_rematch_is_a_table_like_any_other(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables_made=(0.001, 1))) as sitting:
            table = await sitting.table("me", "here")
            table.state.summary.stage = "over"
            await refused("too_quick", sitting.service.lobby.rematch(table, "guest-ana"))

    asyncio.run(scene())


def test_sixty_people_behind_one_address_meet_no_limit_of_tables(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            for number in range(60):
                await make(sitting, f"member {number}", "club", public=number % 2 == 0)

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ settings


def test_whatever_is_refused_for_now_says_when_to_ask_again() -> None:
    for code, status in STATUS.items():
        assert ("Retry-After" in Refused(code).headers) == (status in (429, 503))
    now = 0.0
    limit = RateLimit((0.1, 1), lambda: now)
    limit.check("ana")
    now = 4.0
    with pytest.raises(Refused) as problem:
        limit.check("ana")
    assert problem.value.headers == {"Retry-After": "6"}


def test_who_runs_the_service_sets_its_limits() -> None:
    limits = read_limits(["tables_of_address=7", "messages=2,30", "header_seconds=1.5"])
    assert (limits.tables_of_address, limits.messages, limits.header_seconds) == (7, (2.0, 30), 1.5)
    assert read_limits([]) == Limits()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("beer=3", 'There is no limit "beer"; known: body, '),
        ("tables", '"tables": this limit reads like "tables=20".'),
        ("tables=many", '"tables=many": this limit reads like "tables=20".'),
        ("tables=0", '"tables=0": this limit reads like "tables=20".'),
        ("tables=2.5", '"tables=2.5": this limit reads like "tables=20".'),
        ("messages=1,2,3", '"messages=1,2,3": this limit reads like "messages=10.0,60".'),
        ("header_seconds=nan", '"header_seconds=nan": this limit reads like "header_seconds=5.0".'),
        ("welcomes_in_all=inf", '"welcomes_in_all=inf": this limit reads like "welcomes_in_all=60.0".'),
    ],
)
def test_a_limit_that_makes_no_sense_is_said_in_one_sentence(dicetown: Run, text: str, sentence: str) -> None:
    ran = dicetown("serve", "--port", "0", "--limit", text)
    assert ran.status == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
