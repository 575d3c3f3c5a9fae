"""A guest is erased: nothing that names them or ties games to them is left, and the games are."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.running import Run
from tests.server.sitting import ANA, BEN, CARO, Seated, finish, seated

from dicetown.server import wire
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.snapshots import write_snapshot
from dicetown.server.store.additions import Addition
from dicetown.server.store.backup import back_up
from dicetown.server.store.database_url import StoreError, open_engine
from dicetown.server.store.erase import erase
from dicetown.server.store.schema import schema, snapshots, tables
from dicetown.server.store.snapshots import Snapshot
from dicetown.server.store.store import Store
from dicetown.server.table import seating


async def two_tables(sitting: Seated) -> tuple[str, str]:
    """A game that is over and one that goes on, with Ben at both."""
    done = await sitting.friends(BEN)
    await sitting.page(done, BEN)
    await sitting.say(done, BEN, "Ben", text="I am Benjamin of Sesame Street 1")
    await sitting.say(done, ANA, "Ana", text="Hello!")
    await finish(sitting, done)
    on = await sitting.friends(BEN, CARO)
    await seating.change_seat(on, ANA, 1, wire.ChangeSeat(do="rename", name="Benny"))
    await sitting.service.store.rename(BEN, "Ben", 1.0)
    for state in (done.state, on.state):
        snapshot = Snapshot(state.last, write_snapshot(state))
        await sitting.service.store.write(Addition(state.summary.code, [], None, 0.0, snapshot=snapshot))
    return done.code, on.code


def everything(place: str) -> str:
    """All that a database holds, as text."""
    engine = open_engine(place)
    with engine.connect() as connection:
        rows = [row for table in schema.sorted_tables for row in connection.execute(select(table))]
    engine.dispose()
    return "\n".join(str(tuple(row)) for row in rows)


def codes_of_snapshots(place: str) -> set[str]:
    engine = open_engine(place)
    with engine.connect() as connection:
        found = set(connection.execute(select(snapshots.c.code)).scalars())
    engine.dispose()
    return found


@pytest.fixture
def games(tmp_path: Path) -> tuple[str, str]:
    async def scene() -> tuple[str, str]:
        async with seated(tmp_path) as sitting:
            return await two_tables(sitting)

    return asyncio.run(scene())


def test_nothing_of_a_guest_is_left_but_their_moves(tmp_path: Path, games: tuple[str, str]) -> None:
    place = str(tmp_path / "tables.db")
    for known in ("Ben", "Benny", BEN, "Sesame Street"):
        assert known in everything(place)
    assert codes_of_snapshots(place) == {*games}
    erased = erase(place, games[1].lower(), "Benny")
    assert not codes_of_snapshots(place)  # packed as they are, they hold names as well
    assert (erased.tables, erased.remarks) == (2, 1)
    left = everything(place)
    for known in ("Ben", "Benny", BEN, "Sesame Street"):
        assert known not in left
    engine = open_engine(place)
    with engine.connect() as connection:  # and no worker that has the name in its memory writes it again
        assert connection.execute(select(tables.c.owner, tables.c.fence)).all() == [(None, 1), (None, 1)]
    engine.dispose()
    assert "Hello!" in left
    assert ANA in left


def test_the_games_of_a_guest_who_was_erased_can_still_be_played_and_checked(
    tmp_path: Path, games: tuple[str, str]
) -> None:
    erase(str(tmp_path / "tables.db"), games[0], "Ben")

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            for code in games:
                journal = await sitting.service.store.journal(code)
                state = TableState.fold(code, journal)
                assert state.play is not None
            table = await sitting.service.lobby.find(games[1])
            await sitting.page(table, ANA)
            await sitting.act(table, ANA, 0, "roll 1")
            assert (await sitting.service.lobby.of_guest(ANA, "en")).running
            assert not (await sitting.service.lobby.of_guest(BEN, "en")).running

    asyncio.run(scene())


def test_who_is_not_there_is_not_erased(dicetown: Run, tmp_path: Path, games: tuple[str, str]) -> None:
    place = tmp_path / "tables.db"
    ran = dicetown("erase", games[1], "Zoe", "--db", place)
    assert ran.status == 2
    assert "there sit Guest, Benny, Caro" in ran.err
    assert "There is no table NOWHERE2" in dicetown("erase", "NOWHERE2", "Ana", "--db", place).err
    assert dicetown("erase", games[1], "Caro", "--db", place).out == "Erased at 1 tables, with 0 remarks.\n"


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (None, "There is no database {place}."),
        (b"", "{place}: there are no tables of Dicetown in it."),
        (b"a letter, and no database" * 50, "{place}: file is not a database."),
    ],
    ids=["missing", "empty", "letter"],
)
def test_where_there_are_no_tables_nobody_is_erased_and_nothing_is_left_behind(
    tmp_path: Path, made: bytes | None, sentence: str
) -> None:
    place = tmp_path / "mistyped.db"
    if made is not None:
        place.write_bytes(made)
    with pytest.raises(StoreError) as refused:
        erase(str(place), "AAAAAAAA", "Ana")
    assert str(refused.value) == sentence.format(place=place)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([] if made is None else [made])


def test_a_database_of_another_version_is_left_alone(tmp_path: Path) -> None:
    Store(str(tmp_path / "tables.db")).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as opened:
        opened.execute("UPDATE alembic_version SET version_num = '0001'")
        opened.commit()
    with pytest.raises(StoreError, match="another version"):
        erase(str(tmp_path / "tables.db"), "AAAAAAAA", "Ana")


def test_a_file_keeps_its_log_as_it_did_before_somebody_was_erased(
    tmp_path: Path, games: tuple[str, str]
) -> None:
    back_up(str(tmp_path / "tables.db"), tmp_path / "copy.db")
    erase(str(tmp_path / "copy.db"), games[0], "Ben")
    assert {file.name for file in tmp_path.glob("copy.db*")} == {"copy.db", "copy.db.lock"}
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as opened:
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_nobody_is_erased_while_the_service_runs(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            code, _ = await two_tables(sitting)
            with pytest.raises(StoreError, match="in use"):
                erase(str(tmp_path / "tables.db"), code, "Ben")

    asyncio.run(scene())
