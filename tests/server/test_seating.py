"""What the host and those who come and go do with a table's seats: hosting, pausing, leaving, rematch."""

import asyncio
from pathlib import Path

import pytest
from tests.server.sitting import ANA, BEN, CARO, finish, refused, seated, until

from dicetown.server import wire
from dicetown.server.journal.entries import Chair, Closed
from dicetown.server.table import seating
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Refused

# --------------------------------------------------------------------------------- hosting


async def change(table: Table, guest: str, seat: int, **what: str) -> None:
    await seating.change_seat(table, guest, seat, wire.ChangeSeat(**what))  # type: ignore[arg-type]


def test_guests_take_free_seats_and_are_told_apart(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            await sitting.service.store.rename(ANA, "Ana", 0)
            table = await sitting.table("me", "friend", "friend", start=False)
            page = await sitting.page(table, ANA)
            await seating.join(table, BEN, wire.Join(name=" ana "))
            assert page.last["table"]["seats"][1]["name"] == "ana 2"
            await refused("sits_already", seating.join(table, BEN, wire.Join(name="Ben")))
            await refused("seat_taken", seating.join(table, CARO, wire.Join(name="Caro", seat=1)))
            await refused("no_such_seat", seating.join(table, CARO, wire.Join(name="Caro", seat=4)))
            await refused("bad_name", seating.join(table, CARO, wire.Join(name="\u200b")))
            await refused("bad_name", seating.join(table, CARO, wire.Join(name="a\nb")))
            await refused("seats_open", seating.start(table, ANA))
            await seating.join(table, CARO, wire.Join(name="Caro", seat=2))
            await refused("table_full", seating.join(table, "guest-dan", wire.Join(name="Dan")))
            await seating.start(table, ANA)
            await refused("has_begun", seating.join(table, "guest-dan", wire.Join(name="Dan")))

    asyncio.run(scene())


def test_the_host_sees_to_the_seats_before_the_game(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "friend", "normal", start=False)
            await seating.join(table, BEN, wire.Join(name="Ben"))
            await refused("not_host", change(table, BEN, 0, do="kick"))
            await refused("own_seat", change(table, ANA, 0, do="kick"))
            await refused("no_such_seat", change(table, ANA, 3, do="kick"))
            await refused("no_bot", change(table, ANA, 1, do="fill", bot="pipe:rm -rf /"))
            await change(table, ANA, 1, do="kick")
            assert table.info("en").seats[1].kind == "open"
            await change(table, ANA, 1, do="fill", bot="easy")
            assert table.info("en").seats[1].bot == "easy"
            await change(table, ANA, 2, do="open")
            assert table.info("en").seats[2].kind == "open"
            await change(table, ANA, 2, do="fill")
            await change(table, ANA, 2, do="rename", name="Robo")
            assert table.info("en").seats[2].name == "Robo"
            await seating.start(table, ANA)
            await refused("has_begun", seating.start(table, ANA))

    asyncio.run(scene())


def test_the_host_sees_to_the_seats_while_the_game_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            page = await sitting.page(table, ANA)
            await change(table, ANA, 1, do="kick")
            assert (table.info("en").seats[1].kind, table.info("en").seats[1].name) == ("bot", "Ben")
            await change(table, ANA, 1, do="open")
            assert (table.info("en").seats[1].kind, table.info("en").seats[1].stand_in) == ("open", "normal")
            await sitting.act(table, ANA, 0, "roll 1")
            await sitting.act(table, ANA, 0, "pass")
            await until(lambda: page.entries[-4:] == ["moved"] * 4)  # a bot keeps the seat warm
            await seating.join(table, CARO, wire.Join(name="Caro"))
            assert table.state.summary.seats_of(CARO) == [1]
            assert table.info("en").seats[1].stand_in is None
            await change(table, ANA, 1, do="rename", name="Carolina")
            await sitting.act(table, ANA, 0, "roll 1")
            assert table.playing().game.names[1] == "Carolina"
            assert "changed" in page.entries

    asyncio.run(scene())


def test_a_pause_stops_everything_until_the_host_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, timer="fast")
            page = await sitting.page(table, BEN)
            await sitting.page(table, ANA)
            await refused("not_host", seating.pause(table, BEN))
            await seating.pause(table, ANA)
            assert page.last["table"]["stage"] == "paused"
            assert [page.last["asked"], page.last["deadline"]] == [None, None]
            await sitting.clock.turn(600)
            await refused("is_paused", sitting.act(table, ANA, 0, "roll 1"))
            await refused("is_paused", seating.pause(table, ANA))
            await seating.resume(table, ANA)
            assert page.last["asked"]["seat"] == 0
            assert page.last["deadline"] == sitting.clock.now() + 20
            await seating.resume(table, ANA)  # it goes on already
            await sitting.act(table, ANA, 0, "roll 1")

    asyncio.run(scene())


def test_the_host_sets_the_pace_or_who_plays_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, bots=1, pace="slow")
            await refused("not_host", seating.change_pace(table, BEN, "fast"))
            await refused("not_host", seating.change_pace(table, CARO, "fast"))
            await seating.change_pace(table, ANA, "fast")
            assert table.state.summary.settings.pace == "fast"
            alone = await sitting.table("me", "friend", start=False)
            await seating.join(alone, BEN, wire.Join(name="Ben"))
            alone.state.summary.chairs[0] = Chair("bot", "Otto", bot="normal")
            await seating.change_pace(alone, BEN, "instant")
            assert (await sitting.service.lobby.find(alone.code)).state.summary.settings.pace == "instant"

    asyncio.run(scene())


def test_who_leaves_before_the_game_frees_the_seat_and_the_last_closes_the_table(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here", "friend", start=False)
            await seating.join(table, BEN, wire.Join(name="Ben"))
            await refused("not_your_seat", seating.leave(table, CARO))
            await seating.leave(table, ANA)
            assert [chair.kind for chair in table.state.summary.chairs] == ["open", "open", "person"]
            assert table.state.summary.host == BEN
            assert table.info("en").seats[2].host
            await seating.leave(table, BEN)
            assert table.info("en").stage == "closed"
            await refused("is_closed", seating.join(table, CARO, wire.Join(name="Caro")))
            assert await sitting.service.store.tables_of(BEN, ["lobby", "playing"]) == []

    asyncio.run(scene())


def test_who_leaves_a_game_is_followed_by_a_bot(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            page = await sitting.page(table, BEN)
            await seating.leave(table, ANA)
            await until(lambda: page.entries == ["left", "moved", "moved"])
            assert table.state.summary.host == BEN
            with pytest.raises(Refused, match="not_your_seat"):
                await sitting.act(table, ANA, 0, "roll 1")

    asyncio.run(scene())


def test_a_player_stands_in_for_a_host_who_is_gone(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.table("me", "friend", "friend", start=False)
            await seating.join(table, BEN, wire.Join(name="Ben"))
            await sitting.page(table, BEN)
            await refused("not_host", change(table, BEN, 2, do="fill"))
            await sitting.clock.turn(61)
            await refused("not_host", change(table, CARO, 2, do="fill"))
            await change(table, BEN, 2, do="fill")
            await seating.start(table, BEN)
            await sitting.page(table, ANA)
            await refused("not_host", seating.pause(table, BEN))
            await seating.pause(table, ANA)

    asyncio.run(scene())


def test_who_stands_in_for_the_host_cannot_touch_the_hosts_seats(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.table("me", "here", "friend", "friend", start=False)
            for guest in (BEN, CARO):
                await seating.join(table, guest, wire.Join(name=guest))
            await sitting.page(table, BEN)
            await sitting.clock.turn(61)
            for begun in (False, True):
                if begun:
                    await seating.start(table, BEN)
                for seat in (0, 1):
                    for what in (
                        {"do": "fill"},
                        {"do": "kick"},
                        {"do": "open"},
                        {"do": "rename", "name": "X"},
                    ):
                        await refused("hosts_seat", change(table, BEN, seat, **what))
                await change(table, BEN, 3, do="rename", name=f"Caro{begun}")  # the others' are looked after
            assert table.state.summary.seats_of(ANA) == [0, 1]

    asyncio.run(scene())


def test_the_host_cannot_swap_a_player_for_a_bot_of_choice_while_the_game_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, CARO, bots=1)
            for guest in (ANA, BEN, CARO):
                await sitting.page(table, guest)
            for seat in (0, 1, 2, 3):
                for bot in ({}, {"bot": "beginner"}, {"bot": "normal"}):
                    await refused("seat_taken", change(table, ANA, seat, do="fill", **bot))
            await change(table, ANA, 1, do="kick")
            assert table.info("en").seats[1].bot == "normal"
            await refused("seat_taken", change(table, ANA, 1, do="fill", bot="beginner"))  # nor in two steps
            await change(table, ANA, 1, do="open")
            await refused("usual_bot", change(table, ANA, 1, do="fill", bot="beginner"))
            await change(table, ANA, 1, do="fill")
            assert (table.info("en").seats[1].bot, table.info("en").seats[1].name) == ("normal", "Ben")

    asyncio.run(scene())


@pytest.mark.parametrize("paused", [False, True])
def test_the_seat_of_who_is_given_up_can_be_given_to_the_usual_bot(tmp_path: Path, paused: bool) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.friends(BEN)
            await sitting.page(table, ANA)
            table.leave(await sitting.page(table, BEN))
            if paused:
                await seating.pause(table, ANA)
            await sitting.clock.turn(59)
            await refused("seat_taken", change(table, ANA, 1, do="fill"))
            await sitting.clock.turn(2)
            await until(lambda: paused or table.info("en").seats[1].stand_in)
            await refused("usual_bot", change(table, ANA, 1, do="fill", bot="beginner"))
            await change(table, ANA, 1, do="fill")
            assert (table.info("en").seats[1].bot, table.info("en").seats[1].name) == ("normal", "Ben")

    asyncio.run(scene())


# --------------------------------------------------------------------------------- rematch


def test_a_rematch_keeps_everybodys_seat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, bots=1)
            await refused("not_over", sitting.service.lobby.rematch(table, ANA))
            await finish(sitting, table)
            page = await sitting.page(table, BEN)
            await refused("not_your_seat", sitting.service.lobby.rematch(table, CARO))
            following = await sitting.service.lobby.rematch(table, ANA)
            assert page.entries == ["rematch"]
            assert page.last["table"]["rematch"] == following.code
            assert await sitting.service.lobby.rematch(table, BEN) is following
            info = following.info("en")
            assert [(seat.kind, seat.name) for seat in info.seats][:2] == [
                ("person", "Guest"),
                ("open", "Ben"),
            ]
            assert info.seats[2].bot == "normal"
            assert info.fairness.commitment != table.info("en").fairness.commitment
            await refused("table_full", seating.join(following, CARO, wire.Join(name="Caro")))
            await sitting.page(following, BEN)  # who comes by the link has the seat that was kept
            assert following.state.summary.seats_of(BEN) == [1]
            await seating.start(following, ANA)

    asyncio.run(scene())


@pytest.mark.parametrize("how", ["deleted", "left", "forsaken"])
def test_where_a_rematch_came_to_nothing_there_can_be_another(tmp_path: Path, how: str) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            lobby = sitting.service.lobby
            table = await sitting.friends(BEN)
            await finish(sitting, table)
            first = await lobby.rematch(table, ANA)
            if how == "deleted":
                await lobby.delete(first.code, ANA)
            elif how == "left":
                await seating.leave(first, ANA)
            else:
                async with first.lock:
                    await first.write(Closed(forsaken=True))
            assert await lobby.rematch_of(table, "en") is None
            await refused("not_your_seat", lobby.rematch(table, CARO))
            second = await lobby.rematch(table, BEN)
            assert (second.code != first.code, second.state.summary.seats_of(BEN)) == (True, [1])
            assert await lobby.rematch(table, ANA) is second
            known = await lobby.rematch_of(table, "en")
            assert known is not None
            assert known.code == second.code == table.info("en").rematch

    asyncio.run(scene())


def test_a_closed_game_has_no_rematch(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal")
            await seating.leave(table, ANA)
            await refused("is_closed", sitting.service.lobby.rematch(table, ANA))

    asyncio.run(scene())


def test_a_rematch_with_nobody_to_wait_for_begins_at_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here", "normal")
            await finish(sitting, table)
            following = await sitting.service.lobby.rematch(table, ANA)
            assert following.state.summary.stage == "playing"
            assert following.state.summary.seats_of(ANA) == [0, 1]

    asyncio.run(scene())
