"""Snapshots save time and change nothing: a table that one was read from stands where its journal says."""

import asyncio
import zlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from sqlalchemy import select, update
from structlog.testing import capture_logs
from tests.properties.effort import examples
from tests.server.sitting import ANA, BEN, Seated, problems, refused, seated, settle, until

from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.server.journal.entries import (
    Away,
    Back,
    Body,
    Chair,
    Changed,
    Entry,
    Left,
    Made,
    Moved,
    Over,
    Paced,
    Paused,
    Replaced,
    Resumed,
    Said,
    Started,
    TableSettings,
    Undone,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.played_game import PlayedGame, Step
from dicetown.server.journal.snapshots import Misfit, go_on_from, pack, version, write_snapshot
from dicetown.server.store import snapshots as kept_snapshots
from dicetown.server.store.schema import snapshots
from dicetown.server.table.table import Table
from dicetown.server.view.history import chat_page, log_page
from dicetown.testing import Setup, seeds, setups

CODE = "AAAAAAAA"


# --------------------------------------------------------------------------- what they say


class Life:
    """A table at which anything may happen, and its journal."""

    def __init__(self, setup: Setup, seed: int) -> None:
        rules = setup.ruleset.as_dict()
        settings = TableSettings(rules["edition"], rules["sets"], rules["house"], "off", "normal", False)
        chairs = [Chair("person", f"P{seat}", guest=f"g{seat}") for seat in range(setup.players)]
        self.luck = Random(seed)
        first = Entry(1, 1.0, Made(settings, chairs, "g0", "ab" * 32))
        self.journal = [first]
        self.state = TableState(CODE, first)
        self.state.summary.words = words = [""] * setup.players
        step = PlayedGame(self.state.summary).open()
        self.state.summary.words = None
        self.say_something()
        self.add(Started(words, step.moves, 2))

    def add(self, body: Body, step: Step | None = None) -> None:
        """Let something happen."""
        number = self.state.last + 1
        key = f"k{number}" if isinstance(body, Moved | Undone | Said) else None
        entry = Entry(number, float(number), body, "g0" if key else None, key)
        self.journal.append(entry)
        self.state.apply(entry, step)

    def say_something(self) -> None:
        self.add(Said("Eve", self.luck.choice([None, 0]), "hello"))

    def go_on(self) -> None:
        """Something happens: mostly a move."""
        doing = self.luck.random()
        if doing < 0.2 and (seat := self.state.undoable) is not None:
            assert self.state.play is not None
            self.add(Undone(seat, self.state.play.last_number))
        elif doing < 0.3:
            self.sit_differently()
        elif doing < 0.35:
            self.say_something()
        else:
            self.move()

    def sit_differently(self) -> None:
        """Somebody comes, goes, is called something else, or wants it otherwise."""
        chairs = self.state.summary.chairs
        seat = self.luck.randrange(len(chairs))
        name = f"Q{self.state.last}"
        renamed = Changed(seat, "rename", Chair("person", name, guest=f"g{seat}"), chairs[seat].name)
        there_and_back: list[list[Body]] = [
            [renamed],
            [Away(seat, "normal"), Back(seat)],
            [Replaced(seat, "normal", "hard")],
            [Paused(name), Resumed(name)],
            [Paced(name, "fast")],
            [Left([seat], chairs[seat].name, "normal")],
        ]
        for body in self.luck.choice(there_and_back):
            self.add(body)

    def move(self) -> None:
        play = self.state.play
        assert play is not None
        if (seat := play.asked_seat) is None:
            return self.say_something()
        step = play.act(seat, [self.luck.choice(play.game.legal_actions()).text])
        self.add(Moved(seat, step.moves, by_bot=self.luck.random() < 0.1), step)
        if play.game.over:
            self.add(Over(play.game.winner))
        return None


def check(life: Life, cut: int) -> None:
    """A table that is read from a snapshot after some entries is the one that is folded from all of them."""
    folded = TableState.fold(CODE, life.journal)
    before = TableState.fold(CODE, life.journal[:cut])
    resumed = go_on_from(pack(write_snapshot(before)), CODE, life.journal[cut - 1 :])
    assert write_snapshot(resumed) == write_snapshot(folded)
    for page in (log_page, chat_page):
        assert page(resumed, "de") == page(folded, "de")
        assert page(resumed, "en", cut) == page(folded, "en", cut)
    for entry in life.journal:
        if entry.key is not None:
            assert resumed.entries.number_of(entry.guest, entry.key) == entry.number
    assert resumed.entries.number_of("g0", "another") is None
    assert resumed.entries.number_of(None, "k2") is None
    assert resumed.play is not None
    assert folded.play is not None
    games = (resumed.play.game, folded.play.game)
    while games[0].can_undo:
        assert games[0].position() == games[1].position()
        assert games[0].events == games[1].events
        assert games[0].legal_actions() == games[1].legal_actions()
        for game in games:
            game.undo()
    assert not games[1].can_undo


@examples(15)
@given(setup=setups(), seed=seeds())
def test_a_snapshot_and_the_rest_are_the_whole_journal(setup: Setup, seed: int) -> None:
    life = Life(setup, seed)
    for _ in range(life.luck.randrange(120)):
        life.go_on()
    cut = life.luck.randrange(1, len(life.journal) + 1)
    check(life, cut)
    life.state.count_rounds()
    assert write_snapshot(life.state) == write_snapshot(TableState.fold(CODE, life.journal))


@pytest.mark.parametrize("edition", load().editions)
def test_every_edition_goes_on_from_a_snapshot_at_every_stage(edition: str) -> None:
    ruleset = Ruleset(edition)
    life = Life(Setup(ruleset, 3), 7)
    for _ in range(90):
        life.go_on()
    last = len(life.journal)
    for cut in {1, 2, 3, 31, 32, 33, 64, last - 1, last}:
        check(life, cut)


def test_what_does_not_fit_is_a_misfit() -> None:
    life = Life(Setup(Ruleset("deluxe"), 2), 1)
    for _ in range(20):
        life.go_on()
    written = write_snapshot(TableState.fold(CODE, life.journal[:10]))
    rest = life.journal[9:]
    go_on_from(pack(written), CODE, rest)
    other = Entry(10, 10.0, Said("Eve", None, "something else"))
    for packed, code, after in [
        (b"", CODE, rest),
        (b"nonsense", CODE, rest),
        (zlib.compress(b"nonsense"), CODE, rest),
        (pack(written)[:-9], CODE, rest),
        (pack(written[:-9]), CODE, rest),
        (pack(written), "BBBBBBBB", rest),
        (pack(written), CODE, []),
        (pack(written), CODE, rest[1:]),
        (pack(written), CODE, [other, *rest[1:]]),
    ]:
        with pytest.raises(Misfit):
            go_on_from(packed, code, after)


def test_the_version_is_the_same_until_something_changes() -> None:
    assert version() == version.__wrapped__()
    assert len(version()) == 32


# ------------------------------------------------------------------------ when they are made


async def a_long_game(sitting: Seated, moves: int = 80) -> Table:
    """A table at which some was said and much was played, and nobody is."""
    table = await sitting.table("me", "here")
    await sitting.act(table, ANA, 0, "roll 1", key="once")
    await sitting.say(table, ANA, "Ana", text="hello")
    await sitting.play_on(table, ANA, moves)
    await settle()
    return table


async def kept(sitting: Seated, code: str) -> int | None:
    """The last entry that the snapshot of a table knows of."""
    found = await sitting.service.store.snapshot(code)
    return found.number if found else None


async def put_away(sitting: Seated) -> None:
    await sitting.clock.turn(400)
    await sitting.service.housekeeping.tidy()
    assert not sitting.service.lobby.tables


def test_a_table_opens_from_its_snapshot_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await a_long_game(sitting)
            numbers: list[int | None] = []
            while not numbers or numbers[-1] is None:  # it is stored aside
                numbers.append(await kept(sitting, table.code))
            assert numbers[-1] == 64
            await put_away(sitting)
            assert await kept(sitting, table.code) == table.state.last
            monkeypatch.setattr(TableState, "fold", None)
            again = await sitting.service.lobby.find(table.code)
            assert again is not table
            assert write_snapshot(again.state) == write_snapshot(table.state)
            assert await sitting.act(again, ANA, 0, "roll 1", key="once") == again.number_of(ANA, "once")
            await sitting.play_on(again, ANA, 20)

    asyncio.run(scene())


def test_a_short_game_needs_none(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await a_long_game(sitting, 5)
            await put_away(sitting)
            assert await kept(sitting, table.code) is None
            assert (await sitting.service.lobby.find(table.code)).state.last == table.state.last

    asyncio.run(scene())


@pytest.mark.parametrize("spoiled", [{"body": b"nonsense"}, {"number": 3}, {"version": "another"}])
def test_a_spoiled_snapshot_is_left_aside_and_made_anew(tmp_path: Path, spoiled: dict[str, object]) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await a_long_game(sitting)
            await put_away(sitting)
            with sitting.service.store.engine.begin() as connection:
                connection.execute(update(snapshots).values(**spoiled))
            again = await sitting.service.lobby.find(table.code)
            assert write_snapshot(again.state) == write_snapshot(table.state)
            last = again.state.last
            while await kept(sitting, table.code) != last:
                await settle()

    with capture_logs() as logged:
        asyncio.run(scene())
    aside = [one["event"] for one in problems(logged)]
    assert aside == ([] if "version" in spoiled else ["snapshot left aside"])


def test_a_snapshot_that_cannot_be_kept_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_snapshots, "pack", lambda written: None)  # which the database refuses

    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await a_long_game(sitting, 150)
            last = table.state.last
            await put_away(sitting)
            assert (await sitting.service.lobby.find(table.code)).state.last == last

    with capture_logs() as logged:
        asyncio.run(scene())
    assert {one["event"] for one in logged} >= {"snapshot not kept"}


def test_nothing_is_opened_at_a_start_and_everything_when_somebody_comes(tmp_path: Path) -> None:
    async def begin() -> tuple[str, int]:
        async with seated(tmp_path) as sitting:
            table = await a_long_game(sitting)
            return table.code, table.state.last

    code, last = asyncio.run(begin())

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            with capture_logs() as told:
                sitting.service.open()
                await until(lambda: any(one["event"] == "tables found" for one in told))
                await settle()
            assert not sitting.service.lobby.tables
            table = await sitting.service.lobby.find(code)
            page = await sitting.page(table, ANA, since=last)
            assert page.heard[0]["number"] == last
            await sitting.play_on(table, ANA)
            await refused("not_your_seat", sitting.act(table, BEN, 0, "roll 1"))

    with capture_logs() as logged:
        asyncio.run(scene())
    assert not problems(logged)


def test_a_snapshot_is_one_row_however_often_it_is_made(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            await a_long_game(sitting, 200)
            await put_away(sitting)
            with sitting.service.store.engine.connect() as connection:
                assert len(connection.execute(select(snapshots)).all()) == 1

    asyncio.run(scene())
