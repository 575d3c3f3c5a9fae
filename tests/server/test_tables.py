"""What happens at a table: deciding, taking back, time, going away and coming back, chat."""

import asyncio
import gc
import weakref
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.server.sitting import ANA, BEN, CARO, Page, finish, refused, seated, settle, until

from dicetown import fair
from dicetown.server import wire
from dicetown.server.journal.fold import TableState
from dicetown.server.table import seating
from dicetown.server.table.automation import Automation
from dicetown.server.table.odds import TableOdds
from dicetown.server.table.table import Table
from dicetown.server.wire.names import clean_line
from dicetown.server.wire.refusals import Refused

# ------------------------------------------------------------------------------- deciding


def test_an_action_is_stored_then_acknowledged_then_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            order: list[str] = []
            write = sitting.service.store.write
            send = page.send

            async def watched(written):
                await write(written)
                order.append("stored")

            def heard(message):
                order.append("told")
                send(message)

            sitting.service.store.write = watched  # type: ignore[method-assign]
            page.send = heard  # type: ignore[method-assign]
            request = wire.Act(key="k", seat=0, actions=["roll 1"])
            await table.act(ANA, request, "en", lambda number: order.append("acknowledged"))
            assert order[:3] == ["stored", "acknowledged", "told"]

    asyncio.run(scene())


def test_only_the_holder_of_a_seat_decides_for_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            for guest, seat, code in [
                (BEN, 0, "not_your_seat"),
                (CARO, 0, "not_your_seat"),
                (BEN, 1, "not_your_turn"),
                (ANA, 4, "no_such_seat"),
            ]:
                with pytest.raises(Refused, match=code):
                    await sitting.act(table, guest, seat, "roll 1")
            assert table.playing().moves == 0
            await sitting.act(table, ANA, 0, "roll 1")

    asyncio.run(scene())


def test_an_impossible_action_changes_nothing_and_says_why(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            await sitting.act(table, ANA, 0, "roll 1")
            before = table.playing().game.position()
            with pytest.raises(Refused) as refused:
                await sitting.act(table, ANA, 0, "build stadium")
            assert "Stadium" in refused.value.sentence("en")
            with pytest.raises(Refused) as refused:
                await sitting.act(table, ANA, 0, "fly to the moon")
            assert refused.value.sentence("de") == "Das ist jetzt nicht möglich."
            assert table.playing().game.position() == before

    asyncio.run(scene())


def test_actions_that_belong_together_happen_together_or_not_at_all(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            last = table.state.last
            with pytest.raises(Refused, match="not_together"):
                await sitting.act(table, ANA, 0, "roll 1", "pass")
            assert table.playing().moves == 0
            assert table.state.last == last
            await sitting.act(table, ANA, 0, "roll 1")
            with pytest.raises(Refused, match="not_together"):
                await sitting.act(table, ANA, 0, "pass", "roll 1")  # the second is another's
            assert table.playing().game.phase == "build"

    asyncio.run(scene())


def test_a_resend_is_answered_like_the_first_and_happens_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            first = await sitting.act(table, ANA, 0, "roll 1", key="same")
            moves = table.playing().moves
            assert await sitting.act(table, ANA, 0, "roll 1", key="same") == first
            assert table.playing().moves == moves
            sitting.service.lobby.forget(table)
            again = await sitting.service.lobby.find(table.code)
            assert await sitting.act(again, ANA, 0, "roll 1", key="same") == first

    asyncio.run(scene())


def test_what_was_decided_for_an_earlier_moment_is_late(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            await sitting.act(table, ANA, 0, "roll 1", moves=0)
            with pytest.raises(Refused, match="late"):
                await sitting.act(table, ANA, 0, "pass", moves=0)

    asyncio.run(scene())


def test_peeking_tells_what_would_be_asked_and_changes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            await sitting.act(table, ANA, 0, "roll 1")
            peek = wire.Peek(key="k", seat=0, actions=[])
            asked = await table.peek(ANA, peek, "es")
            assert asked is not None
            assert asked.control == "build"
            after = await table.peek(ANA, msgspec.structs.replace(peek, actions=["pass"]), "es")
            assert after is None
            with pytest.raises(Refused, match="illegal"):
                await table.peek(ANA, msgspec.structs.replace(peek, actions=["build stadium"]), "es")
            with pytest.raises(Refused, match="not_your_seat"):
                await table.peek(BEN, peek, "es")
            assert table.playing().game.phase == "build"

    asyncio.run(scene())


# ------------------------------------------------------------------------------ taking back


def test_the_own_last_choice_can_be_taken_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            page = await sitting.page(table, BEN)
            await sitting.act(table, ANA, 0, "roll 1")
            before = table.playing().game.position()
            await sitting.act(table, ANA, 0, "build wheat_field")
            assert page.last["undoable"] == 0
            with pytest.raises(Refused, match="nothing_to_undo"):
                await sitting.undo(table, BEN, 1)
            await sitting.undo(table, ANA, 0)
            assert table.playing().game.position() == before
            assert page.entries[-1] == "undone"
            assert page.last["change"]["phase"] == "build"
            assert page.last["asked"]["seat"] == 0
            await sitting.act(table, ANA, 0, "pass")
            assert table.playing().game.to_move == 1

    asyncio.run(scene())


def test_dice_and_the_choices_of_others_cannot_be_taken_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            await sitting.act(table, ANA, 0, "roll 1")
            with pytest.raises(Refused, match="nothing_to_undo"):
                await sitting.undo(table, ANA, 0)
            await sitting.act(table, ANA, 0, "pass")
            await sitting.act(table, BEN, 1, "roll 1")
            with pytest.raises(Refused, match="nothing_to_undo"):
                await sitting.undo(table, ANA, 0)

    asyncio.run(scene())


def test_a_table_that_was_folded_again_stands_where_it_stood(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here", "normal", edition="deluxe", sets=None)
            page = await sitting.page(table, ANA)
            for _ in range(30):
                await until(lambda: table.playing().asked_seat != 2)
                game = table.playing().game
                if table.state.undoable is not None and len(game.moves) % 3 == 0:
                    await sitting.undo(table, ANA, table.state.undoable)
                await sitting.play_on(table, ANA)
            await sitting.say(table, ANA, "Ana", text="hello")
            table.leave(page)
            await settle()
            entries = await sitting.service.store.journal(table.code)
            again = TableState.fold(table.code, entries)
            assert again.play is not None
            assert again.play.game.position() == table.playing().game.position()
            assert again.play.game.moves == table.playing().game.moves
            assert again.undoable == table.state.undoable
            assert again.entries.stored() == table.state.entries.stored()
            table.state.count_rounds()
            assert again.summary == table.state.summary

    asyncio.run(scene())


# -------------------------------------------------------------------------------- fairness


def test_a_finished_game_reveals_its_secret_and_every_die_can_be_checked(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal", start=False)
            await seating.start(table, ANA)
            promised = table.info("en").fairness
            assert promised.secret is None
            page = await sitting.page(table, BEN)
            await finish(sitting, table)
            await settle()
            assert page.entries[-1] == "over"
            told = page.last["table"]["fairness"]
            assert fair.commitment(bytes.fromhex(told["secret"])) == promised.commitment
            assert table.state.play is not None
            record = table.state.play.record(table.state.summary)
            assert fair.verify(record.to_json()).holds

    asyncio.run(scene())


# -------------------------------------------------------------------------- bots and timers


def test_bots_keep_their_pace_while_people_watch(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "normal", pace="slow")
            await sitting.clock.turn(100)
            assert table.playing().moves == 0  # nobody looks, so nothing happens
            page = await sitting.page(table, None)
            await settle()
            await until(lambda: page.entries == ["moved"])  # long enough since the start
            for count in (2, 3):
                await sitting.clock.turn(1.0)
                assert len(page.entries) == count - 1
                await sitting.clock.turn(0.3)
                await until(partial(_has, page, count))
            assert page.last["by_bot"]

    asyncio.run(scene())


def test_another_pace_holds_at_once_also_for_a_bot_that_waits(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal", "normal", pace="slow")
            page = await sitting.page(table, ANA)
            while table.playing().asked_seat == 0:
                await sitting.play_on(table, ANA)
            before = len(page.entries)
            await sitting.clock.turn(0.5)
            assert len(page.entries) == before  # the bot waits for the slow pace
            await seating.change_pace(table, ANA, "fast")
            assert (page.last["kind"], page.last["table"]["pace"]) == ("paced", "fast")
            assert page.last["lines"][0]["text"].endswith("lets the bots play fast.")
            await sitting.clock.turn(0.2)
            await until(lambda: page.entries[before + 1 :] == ["moved"])
            await seating.change_pace(table, ANA, "instant")
            await until(lambda: table.playing().asked_seat == 0)  # not a moment has passed
            await seating.change_pace(table, ANA, "instant")
            assert page.entries.count("paced") == 2

    asyncio.run(scene())


def _has(page: Page, count: int) -> bool:
    return len(page.entries) == count


def test_at_the_deadline_a_bot_decides_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, timer="fast")
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN)
            assert ana.of("welcome")[0]["deadline"] == sitting.clock.now() + 20
            await sitting.clock.turn(19)
            assert table.playing().moves == 0
            await sitting.clock.turn(1)
            await until(lambda: ben.entries == ["moved"])
            assert ben.last["by_bot"]
            assert table.playing().game.phase == "build"  # the next decision is Ana's again
            assert ben.last["deadline"] == sitting.clock.now() + 20
            await sitting.clock.turn(10)
            await sitting.say(table, BEN, "Ben", text="come on")
            await sitting.act(table, ANA, 0, "pass")
            assert table.automation.deadline == sitting.clock.now() + 20

    asyncio.run(scene())


def test_talk_does_not_give_more_time(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, timer="relaxed")
            await sitting.page(table, ANA)
            ends = table.automation.deadline
            await sitting.clock.turn(30)
            await sitting.say(table, ANA, "Ana", phrase="hello")
            await sitting.page(table, BEN)
            assert table.automation.deadline == ends == sitting.clock.now() + 60

    asyncio.run(scene())


def test_a_bot_that_fails_is_replaced_and_everybody_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            sitting.thinkers.broken.add("planner")
            table = await sitting.table("planner", "me")
            page = await sitting.page(table, ANA, "de")
            await until(lambda: page.entries[:2] == ["replaced", "moved"])
            assert table.info("en").seats[0].bot == "normal"
            assert "planner" not in page.lines[0]
            assert table.state.summary.chairs[0].name in page.lines[0]

    asyncio.run(scene())


def test_a_bot_that_thinks_is_called_off_when_the_game_is_paused(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            sitting.thinkers.mute.add("master")
            table = await sitting.table("master", "me")
            page = await sitting.page(table, ANA)
            assert page.of("thinking") == [{"type": "thinking", "seat": 0, "warming": True}]
            await seating.pause(table, ANA)
            sitting.thinkers.mute.clear()
            await settle()
            assert table.state.play is not None
            assert table.state.play.moves == 0
            await seating.resume(table, ANA)
            await until(lambda: table.playing().moves > 0)

    asyncio.run(scene())


# ----------------------------------------------------------------------- away and back again


def test_who_is_gone_for_too_long_is_played_by_a_bot_until_they_return(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.friends(BEN)
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN)
            table.leave(ana)
            assert ben.of("presence")[-1]["present"] == [False, True]
            await sitting.clock.turn(59)
            assert ben.entries == []
            await sitting.clock.turn(2)
            await until(lambda: ben.entries == ["away", "moved", "moved"])
            assert table.info("en").seats[0].stand_in == "normal"
            back = await sitting.page(table, ANA)
            assert ben.entries[-1] == "back"
            assert table.info("en").seats[0].stand_in is None
            assert back.of("welcome")[0]["you"] == {"seats": [0], "host": True}
            await sitting.act(table, BEN, 1, "roll 1")
            await sitting.act(table, BEN, 1, "pass")
            await sitting.clock.turn(1000)
            assert table.playing().asked_seat == 0

    asyncio.run(scene())


def test_a_game_that_everybody_has_left_waits_for_them(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.friends(BEN, bots=1, timer="fast")
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN)
            table.leave(ana)
            table.leave(ben)
            await sitting.clock.turn(3600)
            assert table.playing().moves == 0
            await sitting.page(table, BEN)
            await sitting.clock.turn(15)
            assert [chair.stand_in for chair in table.state.summary.chairs] == [None, None, None]

    asyncio.run(scene())


def test_closing_one_of_two_pages_is_not_going_away(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.friends(BEN)
            await sitting.page(table, BEN)
            phone, desk = await sitting.page(table, ANA), await sitting.page(table, ANA)
            table.leave(phone)
            await sitting.clock.turn(100)
            assert "away" not in desk.entries

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ chat


def test_what_is_said_reaches_everybody_in_one_clean_line(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN)
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN, "de")
            await sitting.say(table, ANA, "Ana", text=" <b>hi</b>\x00\n\u202e there ")
            assert ben.last["said"] == "<b>hi</b> there"
            assert (ben.last["name"], ben.last["seat"], ben.last["scene"], ben.last["change"]) == (
                "Ana",
                0,
                None,
                None,
            )
            await sitting.say(table, BEN, "Ben", phrase="good_luck")
            assert (ana.last["said"], ana.last["phrase"]) == ("Good luck!", "good_luck")
            assert ben.last["said"] == "Viel Glück!"
            await refused("nothing_said", sitting.say(table, ANA, "Ana", text=" \n "))
            await refused("nothing_said", sitting.say(table, ANA, "Ana"))
            await refused("no_phrase", sitting.say(table, ANA, "Ana", phrase="nonsense"))
            late = await sitting.page(table, CARO, "es")
            said = late.of("welcome")[0]["chat"]["said"]
            assert [remark["text"] for remark in said] == ["<b>hi</b> there", "¡Suerte!"]
            assert [remark["phrase"] for remark in said] == [None, "good_luck"]

    asyncio.run(scene())


@pytest.mark.parametrize(
    "whole", ["👩\u200d🚀 👨\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 ❤️\u200d🔥", "می\u200cخواهم"]
)
def test_what_joiners_hold_together_stays_whole(whole: str) -> None:
    assert clean_line(f" {whole}\u200d\n\u200b") == whole


# ----------------------------------------------------------------------------- putting away


def test_tables_that_nobody_is_at_are_put_away_and_come_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await sitting.table("me", "here", edition="deluxe", sets=None)
            page = await sitting.page(table, ANA)
            await sitting.play_on(table, ANA, 6)
            position = table.playing().game.position()
            await sitting.clock.turn(1000)
            await sitting.service.housekeeping.tidy()
            assert sitting.service.lobby.tables  # somebody is there
            table.leave(page)
            await sitting.clock.turn(200)
            await sitting.service.housekeeping.tidy()
            assert sitting.service.lobby.tables
            await sitting.clock.turn(200)
            await sitting.service.housekeeping.tidy()
            assert not sitting.service.lobby.tables
            me = await sitting.service.lobby.of_guest(ANA, "en")
            assert (me.running[0].round, me.your_turn) == (2, [table.code])
            again, same = await asyncio.gather(
                sitting.service.lobby.find(table.code), sitting.service.lobby.find(table.code.lower())
            )
            assert again is same
            assert again is not table
            assert again.playing().game.position() == position

    asyncio.run(scene())


def test_a_table_that_was_put_away_leaves_nothing_behind(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "normal", timer="fast")
            page = await sitting.page(table, ANA)
            await sitting.play_on(table, ANA, 2)
            await until(partial(_has, page, 4))  # the bot's turn, too
            table.leave(page)
            here = weakref.ref(table)
            sitting.service.lobby.forget(table)
            sitting.clock.rings.clear()
            del table, page
            await until(lambda: here() is None)  # whoever reckons its odds lets go of it then

    gc.collect()
    gc.disable()  # it must go without a search for garbage
    try:
        asyncio.run(scene())
    finally:
        gc.enable()


def test_a_table_that_nobody_came_to_is_closed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "friend", start=False)
            await sitting.clock.turn(5 * 3600)
            await sitting.service.housekeeping.tidy()
            assert table.info("en").stage == "lobby"
            await sitting.clock.turn(2 * 3600)
            await sitting.service.housekeeping.tidy()
            closed = await sitting.service.lobby.find(table.code)
            assert closed.info("en").stage == "closed"

    asyncio.run(scene())


def test_a_guest_may_have_only_so_many_unfinished_tables(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            tables = [await sitting.table("me", "here") for _ in range(20)]
            with pytest.raises(Refused, match="too_many_tables"):
                await sitting.table("me", "here")
            await finish(sitting, tables[0])
            await sitting.table("me", "here")

    asyncio.run(scene())


def test_what_could_not_be_stored_did_not_happen(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            with sitting.service.store.engine.begin() as connection:
                connection.exec_driver_sql("ALTER TABLE entries RENAME TO gone")
            await refused("not_stored", sitting.act(table, ANA, 0, "roll 1"))
            assert page.entries == []
            assert table.playing().moves == 0
            with sitting.service.store.engine.begin() as connection:
                connection.exec_driver_sql("ALTER TABLE gone RENAME TO entries")
            await sitting.act(table, ANA, 0, "roll 1")
            assert page.entries == ["moved"]

    asyncio.run(scene())


def test_a_journal_that_somebody_else_writes_is_read_anew(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            state = TableState.fold(table.code, await sitting.service.store.journal(table.code))
            copy = Table(state, sitting.service, sitting.service.lobby, Automation, TableOdds)
            await sitting.act(copy, ANA, 0, "roll 1")
            await refused("unclear", sitting.act(table, ANA, 0, "roll 1"))
            assert page.hung_up
            again = await sitting.service.lobby.find(table.code)
            assert again.playing().game.moves == copy.playing().game.moves

    asyncio.run(scene())
