"""Games that somebody has left behind: they can be left and deleted, make room, and close by themselves."""

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from tests.server.site import PLAIN, site
from tests.server.sitting import (
    ANA,
    BEN,
    CARO,
    Page,
    Seated,
    finish,
    problems,
    refused,
    seated,
    settle,
    until,
)

from dicetown.server import wire
from dicetown.server.common.settings import Limits
from dicetown.server.journal.entries import Chair
from dicetown.server.table import seating
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Refused

HOUR, DAY = 3600.0, 86_400.0
AGAINST_BOTS = ("me", "normal", "normal")


async def stage_of(sitting: Seated, code: str) -> str:
    return (await sitting.service.lobby.find(code)).state.summary.stage


async def begun(sitting: Seated, *seats: str) -> str:
    """A game that has begun some minutes after the one before; its player has gone."""
    table = await sitting.table(*(seats or AGAINST_BOTS))
    table.leave(await sitting.page(table, ANA))
    await sitting.clock.turn(120)
    return table.code


async def pass_days(sitting: Seated, days: float) -> None:
    """Let time go on evenly, and the service tidy all the while."""
    for _ in range(round(days * 8)):
        await sitting.clock.turn(3 * HOUR)
        await sitting.service.housekeeping.tidy()


async def running(sitting: Seated, guest: str = ANA) -> set[str]:
    return {table.code for table in (await sitting.service.lobby.of_guest(guest, "en")).running}


# ------------------------------------------------------------------------------------ room


def test_one_table_too_many_puts_the_oldest_abandoned_game_away(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=3)) as sitting:
            games = [await begun(sitting) for _ in range(5)]
            assert await running(sitting) == set(games[2:])
            assert [await stage_of(sitting, code) for code in games[:2]] == ["closed", "closed"]
            mine = await sitting.service.lobby.of_guest(ANA, "en")
            assert [(table.code, table.opens_again) for table in mine.finished] == [
                (games[1], True),
                (games[0], True),
            ]
            assert set(mine.alone) == set(games)

    asyncio.run(scene())


def test_twenty_one_games_by_one_click_are_twenty_one_games(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        asked = PLAIN | {"seats": [{"kind": "me"}, {"kind": "bot", "bot": "normal"}], "start": True}
        answers = [ana.client.post("/api/tables", json=asked) for _ in range(22)]
        assert [answer.status_code for answer in answers] == [201] * 22
        put_away = [answer.json()["put_away"] for answer in answers]
        assert put_away == [[]] * 20 + [[answers[0].json()["code"]], [answers[1].json()["code"]]]


def test_a_game_that_was_put_away_goes_on_when_its_player_opens_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=1)) as sitting:
            first = await begun(sitting)
            await begun(sitting)
            table = await sitting.service.lobby.find(first)
            stranger = await sitting.page(table, CARO)
            assert stranger.of("welcome")[0]["table"]["stage"] == "closed"
            said = stranger.of("welcome")[0]["log"]["lines"][-1]["text"]
            assert said == "The table is closed for now, to make room for a new one."
            page = await sitting.page(table, ANA)
            assert page.last["table"]["stage"] == "playing"
            await sitting.act(table, ANA, 0, "roll 1")

    asyncio.run(scene())


def test_no_game_makes_room_that_somebody_is_at_or_waits_for(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=4)) as sitting:
            looked_at = await sitting.table(*AGAINST_BOTS)
            await sitting.page(looked_at, CARO)
            await begun(sitting, "me", "here", "normal")  # two people at one device
            friends = await sitting.friends(BEN, bots=1)
            await sitting.table("me", "friend", start=False)
            await sitting.clock.turn(HOUR)
            await refused("too_many_tables", sitting.table(*AGAINST_BOTS))
            assert len(await running(sitting)) == 4
            await seating.leave(friends, ANA)
            await sitting.table(*AGAINST_BOTS)

    asyncio.run(scene())


def test_nobody_elses_game_makes_room(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=1)) as sitting:
            mine = await begun(sitting)
            wanted = wire.NewTable.model_validate(
                PLAIN | {"seats": [{"kind": "me"}, {"kind": "bot"}], "start": True}
            )
            for _ in range(3):
                await sitting.service.lobby.make(BEN, wanted, "en")
                await sitting.clock.turn(60)
            assert await running(sitting) == {mine}

    asyncio.run(scene())


def test_those_who_want_room_at_once_all_get_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=4)) as sitting:
            games = [await begun(sitting) for _ in range(4)]
            await asyncio.gather(*(sitting.table(*AGAINST_BOTS) for _ in range(3)))
            stages = [await stage_of(sitting, code) for code in games]
            assert stages == ["closed", "closed", "closed", "playing"]

    asyncio.run(scene())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["bots", "here", "friend", "open", "looked at"]), min_size=1, max_size=12))
def test_whatever_one_has_only_abandoned_games_make_room(
    tmp_path_factory: Any, tmp_path: Path, kinds: list[str]
) -> None:
    async def make(sitting: Seated, kind: str) -> Table:
        if kind == "here":
            return await sitting.table("me", "here")
        if kind == "friend":
            return await sitting.friends(BEN)
        if kind == "open":
            return await sitting.table("me", "friend", start=False)
        table = await sitting.table(*AGAINST_BOTS)
        if kind == "looked at":
            await sitting.page(table, ANA)
        return table

    async def scene() -> None:
        async with seated(tmp_path_factory.mktemp("tables"), limits=Limits(tables=4)) as sitting:
            model: list[tuple[str, str]] = []  # running tables by age: their code and kind
            for kind in kinds:
                abandoned = [one for one in model if one[1] == "bots"]
                if len(model) == 4 and not abandoned:
                    await refused("too_many_tables", make(sitting, kind))
                    continue
                table = await make(sitting, kind)
                if len(model) == 4:
                    model.remove(abandoned[0])
                model.append((table.code, kind))
                assert await running(sitting) == {code for code, _ in model}
                await sitting.clock.turn(120)

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ time


def test_abandoned_games_against_bots_close_after_a_week(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            alone, here = await begun(sitting), await begun(sitting, "me", "here")
            friends = (await sitting.friends(BEN)).code
            bots = (await sitting.table("normal", "normal")).code
            await pass_days(sitting, 6.9)
            everything = [alone, here, friends, bots]
            assert {await stage_of(sitting, code) for code in everything} == {"playing"}
            await pass_days(sitting, 0.3)
            stages = [await stage_of(sitting, code) for code in everything]
            assert stages == ["closed", "playing", "playing", "closed"]
            # Ana may come back to hers; to a game of bots alone nobody does, so that its secret may be told.
            secrets = [
                (await sitting.service.lobby.find(code)).info("en").fairness.secret for code in (alone, bots)
            ]
            assert secrets[0] is None
            assert secrets[1] is not None

    asyncio.run(scene())


def test_a_game_that_somebody_comes_to_now_and_then_stays_open(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, abandoned_days=2) as sitting:
            code = await begun(sitting)
            for _ in range(4):
                await pass_days(sitting, 1.5)
                table = await sitting.service.lobby.find(code)
                assert table.state.summary.stage == "playing"  # before it would open again by itself
                table.leave(await sitting.page(table, ANA))

    asyncio.run(scene())


def test_a_restart_makes_nobody_wait_longer_and_closes_nothing_early(tmp_path: Path) -> None:
    async def begin() -> str:
        async with seated(tmp_path, abandoned_days=2) as sitting:
            code = await begun(sitting)
            await pass_days(sitting, 1)
            return code

    async def go_on(code: str) -> None:
        async with seated(tmp_path, abandoned_days=2) as sitting:
            sitting.clock.time += DAY + HOUR
            await pass_days(sitting, 0.75)
            assert await stage_of(sitting, code) == "playing"
            await pass_days(sitting, 0.5)
            assert await stage_of(sitting, code) == "closed"

    asyncio.run(go_on(asyncio.run(begin())))


def test_a_clock_that_has_just_jumped_closes_no_abandoned_game(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            code = await begun(sitting)
            await pass_days(sitting, 1)
            sitting.clock.jump(30 * DAY)
            await sitting.service.housekeeping.tidy()
            await sitting.clock.turn(HOUR / 2)
            await sitting.service.housekeeping.tidy()
            sitting.clock.jump(-30 * DAY)
            await sitting.service.housekeeping.tidy()
            assert await stage_of(sitting, code) == "playing"

    asyncio.run(scene())


def test_more_abandoned_games_close_than_are_looked_at_in_one_go(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=200, tables_made=(100.0, 500))) as sitting:
            here = [await begun(sitting, "me", "here") for _ in range(60)]
            alone = [await begun(sitting) for _ in range(60)]
            await pass_days(sitting, 7.5)
            assert await running(sitting) <= set(here)
            assert not await running(sitting) & set(alone)
            assert await sitting.service.store.unfinished(alone) == set()
            assert await sitting.service.store.unfinished(here) == set(here)

    asyncio.run(scene())


# --------------------------------------------------------------------------------- leaving


def test_who_leaves_a_game_against_bots_ends_it_and_all_who_look_on_are_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here", "normal")
            own, other, stranger = [await sitting.page(table, guest) for guest in (ANA, ANA, CARO)]
            await sitting.play_on(table, ANA, 2)
            await refused("not_your_seat", seating.leave(table, CARO))
            await seating.leave(table, ANA)
            for page in (own, other, stranger):
                assert page.entries[-1] == "closed"
                assert page.last["table"]["stage"] == "closed"
                assert page.lines[-1] == "Guest ends the game and closes the table."
            await refused("is_closed", seating.leave(table, ANA))
            await refused("is_closed", sitting.act(table, ANA, 0, "roll 1"))
            await sitting.page(table, ANA)
            assert table.state.summary.stage == "closed"  # for good: its secret has been told
            assert table.info("en").fairness.secret is not None

    asyncio.run(scene())


def test_a_host_who_leaves_friends_closes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, bots=1)
            ben = await sitting.page(table, BEN)
            await seating.leave(table, ANA)
            assert (table.state.summary.stage, table.state.summary.host) == ("playing", BEN)
            await seating.leave(table, BEN)
            assert ben.entries[-1] == "closed"
            assert await running(sitting) == await running(sitting, BEN) == set()

    asyncio.run(scene())


def test_of_two_who_leave_at_once_the_last_ends_the_game(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, bots=1)
            watching = await sitting.page(table, CARO)
            await asyncio.gather(seating.leave(table, ANA), seating.leave(table, BEN))
            assert [kind for kind in watching.entries if kind != "moved"] == ["left", "closed"]

    asyncio.run(scene())


def test_a_game_that_was_ended_can_be_looked_back_on(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            line.act(0, "roll 1", key="a")
            line.hear("done")
        assert ana.client.get(f"/api/tables/{code}/result").json()["code"] == "not_over"
        assert ana.client.post(f"/api/tables/{code}/leave").json()["stage"] == "closed"
        assert [table["code"] for table in ana.client.get("/api/me").json()["finished"]] == [code]
        result = ana.client.get(f"/api/tables/{code}/result").json()
        assert (result["winner"], len(result["players"])) == (None, 2)
        assert ana.client.get(f"/api/tables/{code}/record").json()["fair"]["closed"]
        assert ana.client.get(f"/api/tables/{code}/moments/2").json()["lines"]
        assert ana.client.get(f"/api/tables/{code}/review").json()["code"] == "not_over"


def test_a_game_that_was_ended_at_once_has_a_result_in_every_edition(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana = here.guest()
        for edition in ("ciudad", "deluxe", "grossstadt", "neue_stadt"):
            code = ana.make("me", "here", edition=edition, sets=None)
            assert ana.client.post(f"/api/tables/{code}/leave").status_code == 200
            result = ana.client.get(f"/api/tables/{code}/result")
            assert (result.status_code, result.json()["winner"]) == (200, None), edition


# -------------------------------------------------------------------------------- deleting


def test_who_sits_there_alone_deletes_a_table_for_good(tmp_path: Path) -> None:
    async def begin() -> tuple[str, str]:
        async with seated(tmp_path) as sitting:
            deleted = await sitting.table(*AGAINST_BOTS)
            over = await sitting.table("me", "here")
            await finish(sitting, over)
            watching = await sitting.page(deleted, CARO)
            for code in (deleted.code, over.code.lower()):
                await sitting.service.lobby.delete(code, ANA)
                await refused("no_table", sitting.service.lobby.find(code))
            assert watching.hung_up  # it comes back, and hears that there is no such table
            mine = await sitting.service.lobby.of_guest(ANA, "en")
            assert (mine.running, mine.finished) == ([], [])
            return deleted.code, over.code

    async def look_again(*codes: str) -> None:
        async with seated(tmp_path) as sitting:
            for code in codes:
                assert await sitting.service.store.journal(code) == []

    asyncio.run(look_again(*asyncio.run(begin())))


def test_nobody_deletes_what_is_anybody_elses_too(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            lobby = sitting.service.lobby
            alone = await sitting.table(*AGAINST_BOTS)
            await refused("not_your_seat", lobby.delete(alone.code, BEN))
            friends = await sitting.friends(BEN)
            for guest in (ANA, BEN):
                await refused("not_yours_alone", lobby.delete(friends.code, guest))
            await seating.leave(friends, BEN)  # but what Ben has played there is his
            await refused("not_yours_alone", lobby.delete(friends.code, ANA))
            await refused("no_table", lobby.delete("ABCDEFGH", ANA))
            await refused("no_table", lobby.delete("../etc", ANA))
            assert await running(sitting) == {alone.code, friends.code}

    asyncio.run(scene())


class SlowStore:
    """Lets writes wait until they may happen."""

    def __init__(self, sitting: Seated) -> None:
        self._write, self.may = sitting.service.store.write, asyncio.Event()
        self.waiting = 0
        sitting.service.store.write = self  # type: ignore[method-assign]

    async def __call__(self, addition: Any) -> None:
        self.waiting += 1
        await self.may.wait()
        self.waiting -= 1
        await self._write(addition)


def test_a_table_is_deleted_after_the_move_that_is_being_stored(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "me")
            slow = SlowStore(sitting)
            page = await sitting.page(table, ANA)
            await until(lambda: slow.waiting)  # the bot's move
            deleting = asyncio.create_task(sitting.service.lobby.delete(table.code, ANA))
            await settle()
            assert not deleting.done()
            slow.may.set()
            await deleting
            assert page.entries == ["moved"]
            await sitting.clock.turn(60)
            assert await sitting.service.store.journal(table.code) == []
            assert table.code not in sitting.service.lobby.tables

    with capture_logs() as logged:
        asyncio.run(scene())
    assert problems(logged) == []


def test_of_two_pages_that_delete_one_is_told_that_there_is_no_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            code = (await sitting.table(*AGAINST_BOTS)).code
            delete = sitting.service.lobby.delete
            ends = await asyncio.gather(delete(code, ANA), delete(code, ANA), return_exceptions=True)
            assert ends[0] is None
            assert isinstance(ends[1], Refused)
            assert ends[1].code == "no_table"

    asyncio.run(scene())


def test_what_is_done_while_a_table_is_deleted_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table(*AGAINST_BOTS)
            await sitting.page(table, ANA)
            async with table.lock:
                deleting = asyncio.create_task(sitting.service.lobby.delete(table.code, ANA))
                await settle()
                acting = asyncio.create_task(sitting.act(table, ANA, 0, "roll 1"))
                coming = asyncio.create_task(table.enter(late := Page(CARO), None))
                await settle()
            await deleting
            await refused("unclear", acting)
            await coming
            assert late.hung_up
            assert await sitting.service.store.journal(table.code) == []

    asyncio.run(scene())


def test_deleting_over_the_interface(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        ana, ben = here.guest(), here.guest()
        code = ana.make("me", "normal")
        answer = ben.client.delete(f"/api/tables/{code}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")
        assert ana.client.delete(f"/api/tables/{code}").status_code == 204
        assert ana.client.delete(f"/api/tables/{code}").status_code == 404
        assert ana.client.get("/api/me").json()["running"] == []


def test_a_seat_that_waits_for_somebody_is_no_bots(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "friend", start=False)
            seen = [table.state.summary.is_against_bots]
            await seating.change_seat(table, ANA, 1, wire.ChangeSeat(do="fill", bot="normal"))
            seen.append(table.state.summary.is_against_bots)
            table.state.summary.chairs[1] = Chair("open", "", stand_in="normal")
            seen.append(table.state.summary.is_against_bots)
            assert seen == [False, True, False]

    asyncio.run(scene())


def test_a_rematch_is_told_what_made_room_for_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, limits=Limits(tables=2)) as sitting:
            over = await sitting.table("me", "here")
            await finish(sitting, over)
            games = [await begun(sitting) for _ in range(2)]
            told: list[str] = []
            following = await sitting.service.lobby.rematch(over, ANA, told=told.append)
            assert told == games[:1]
            assert await running(sitting) == {games[1], following.code}

    asyncio.run(scene())
