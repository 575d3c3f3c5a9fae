"""Stand-ins: all see when one takes over, and who returns is told what it did."""

import asyncio
from pathlib import Path
from typing import Any

from tests.server.sitting import ANA, BEN, CARO, Page, Seated, seated, until

from dicetown.server import wire
from dicetown.server.table import seating
from dicetown.server.table.table import Table

GRACE = 60.0


def stand_ins(page: Page) -> list[float | None]:
    """What a page was told last about who will be stood in for."""
    told: list[float | None] = page.of("presence")[-1]["stand_ins"]
    return told


async def round_of_two(sitting: Seated, table: Table, page: Page) -> None:
    """Ben, who is here, takes his turn and so does the stand-in for Ana: it is Ben's turn again."""
    turns = count_turns(page)
    while count_turns(page) < turns + 2:
        game = table.playing().game
        if game.to_move == 1:
            legal = [str(action) for action in game.legal_actions()]
            await sitting.act(table, BEN, 1, "pass" if "pass" in legal else legal[0])
        else:
            await sitting.clock.turn(1)
            await asyncio.sleep(0.002)


def count_turns(page: Page) -> int:
    events = [event for entry in page.of("entry") for event in entry["events"]]
    return sum(event["event"] == "turn_began" for event in events)


def test_who_waits_is_told_when_a_bot_will_take_over(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table = await sitting.friends(BEN, CARO)
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN)
            assert stand_ins(ben) == [None, None, GRACE]  # Caro has not come yet
            await sitting.clock.turn(10)
            table.leave(ana)
            assert stand_ins(ben) == [GRACE, None, GRACE - 10]
            late = await sitting.page(table, None)
            assert stand_ins(late) == [GRACE, None, GRACE - 10]
            await sitting.page(table, ANA)
            assert stand_ins(ben) == [None, None, GRACE - 10]
            await sitting.clock.turn(GRACE - 10)
            await until(lambda: "away" in ben.entries)
            late = await sitting.page(table, None)
            assert stand_ins(late) == [None, None, None]

    asyncio.run(scene())


def test_nobody_is_stood_in_for_while_nobody_waits_or_the_game_rests(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table = await sitting.friends(BEN)
            watching = await sitting.page(table, CARO)
            assert stand_ins(watching) == [None, None]
            ana = await sitting.page(table, ANA)
            assert stand_ins(watching) == [None, GRACE]
            await seating.pause(table, ANA)
            assert stand_ins(watching) == [None, None]
            await sitting.clock.turn(20)
            await seating.resume(table, ANA)
            assert stand_ins(watching) == [None, GRACE - 20]
            table.leave(ana)
            assert stand_ins(watching) == [None, None]

    asyncio.run(scene())


def test_a_bot_stands_in_for_nobody_before_the_game_begins(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table = await sitting.table("me", "friend", start=False)
            ana = await sitting.page(table, ANA)
            await seating.join(table, BEN, wire.Join(name="Ben"))
            assert stand_ins(ana) == [None, None]
            await sitting.clock.turn(25)
            await seating.start(table, ANA)
            assert stand_ins(ana) == [None, GRACE - 25]

    asyncio.run(scene())


async def ana_goes(sitting: Seated) -> tuple[Table, Page]:
    """A game of two; a bot has taken over from Ana and played her first turn."""
    table = await sitting.friends(BEN)
    table.leave(await sitting.page(table, ANA))
    ben = await sitting.page(table, BEN)
    await sitting.clock.turn(GRACE + 1)
    await until(lambda: count_turns(ben) == 1)
    return table, ben


async def meanwhile(sitting: Seated, table: Table, language: str = "en") -> dict[str, Any] | None:
    """What Ana is told when she is back."""
    ana = await sitting.page(table, ANA, language)
    await until(lambda: "back" in ana.entries)
    (back,) = [entry for entry in ana.of("entry") if entry["kind"] == "back"]
    told: dict[str, Any] | None = back["meanwhile"]
    return told


def test_who_returns_is_told_what_was_played_for_them(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table, ben = await ana_goes(sitting)
            await round_of_two(sitting, table, ben)
            told = await meanwhile(sitting, table)
            assert told is not None
            assert (told["turns"], told["left_out"]) == (2, 0)
            lines = [line["text"] for line in told["lines"]]
            assert all("Guest" in line for line in lines)
            assert sum("rolls" in line for line in lines) == 2
            logged = [line for line in ben.lines if line in lines]
            assert logged == lines  # as the log has it, in order
            assert not any("Ben" in line for line in lines)

    asyncio.run(scene())


def test_who_was_away_long_is_told_the_last_of_it_and_how_much_it_was(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table, ben = await ana_goes(sitting)
            for _ in range(9):
                await round_of_two(sitting, table, ben)
            told = await meanwhile(sitting, table, "de")
            assert told is not None
            assert told["turns"] >= 10
            assert len(told["lines"]) == 12
            assert told["left_out"] > 0
            assert "würfelt" in " ".join(line["text"] for line in told["lines"])

    asyncio.run(scene())


def test_who_returns_before_their_turn_is_told_nothing_and_only_the_last_absence_counts(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            table, ben = await ana_goes(sitting)
            ana = await sitting.page(table, ANA)
            assert ana.last["meanwhile"]["turns"] == 1
            table.leave(ana)
            await sitting.clock.turn(GRACE + 1)
            await until(lambda: ben.entries[-1] == "away")
            assert await meanwhile(sitting, table) is None  # it is Ben's turn all the while

    asyncio.run(scene())
