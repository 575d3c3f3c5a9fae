"""Backups: made while tables are played at, whole, and brought back into either kind of database."""

import asyncio
import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update
from tests.running import Run
from tests.server.sitting import ANA, BEN, CARO, Seated, seated
from tests.server.test_store import first_addition

from dicetown.server.journal.entries import Entry
from dicetown.server.journal.fold import TableState
from dicetown.server.store.backup import back_up, restore
from dicetown.server.store.database_url import StoreError, open_engine
from dicetown.server.store.schema import entries, guests, reviews, schema, sittings, tables
from dicetown.server.store.store import Store


async def play_a_little(sitting: Seated) -> str:
    """A table of three with some moves and remarks; its code."""
    table = await sitting.friends(BEN, CARO)
    await sitting.page(table, ANA)
    await sitting.say(table, BEN, "Ben", text="Añá 🎲")
    await sitting.act(table, ANA, 0, "roll 1")
    await sitting.service.store.rename(ANA, "Ana", 1.0)
    await sitting.service.store.keep_review(table.code, {"positions": [1, 2]})
    return table.code


def rows(place: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that a database holds."""
    engine = open_engine(place)
    with engine.connect() as connection:
        found = {
            table.name: sorted(tuple(row) for row in connection.execute(select(table)))
            for table in (guests, tables, sittings, reviews, entries)
        }
    engine.dispose()
    return found


def test_a_backup_of_a_service_that_runs_holds_everything_and_comes_back_whole(
    tmp_path: Path, place: str
) -> None:
    async def scene() -> list[Entry]:
        async with seated(tmp_path / "running") as sitting:
            code = await play_a_little(sitting)
            # The tables are still in the write-ahead log alone: a plain copy of the file would miss them.
            copied = back_up(str(tmp_path / "running" / "tables.db"), tmp_path / "backup.db")
            assert copied.tables == 1
            journal = await sitting.service.store.journal(code)
            assert copied.entries == len(journal)
            return journal

    (tmp_path / "running").mkdir()
    journal = asyncio.run(scene())
    copied = restore(tmp_path / "backup.db", place)
    assert copied.entries == len(journal)
    assert rows(place) == rows(str(tmp_path / "running" / "tables.db"))
    assert {table.name for table in schema.sorted_tables} == {
        *rows(place),
        "leases",
        "workers",
        "snapshots",
    }  # nothing forgotten

    async def look() -> None:
        store = Store(place)
        code = rows(place)["tables"][0][0]
        assert await store.journal(str(code)) == journal
        TableState.fold(str(code), journal)
        store.close()

    asyncio.run(look())


def test_a_backup_of_postgresql_goes_into_a_file_and_back(tmp_path: Path, postgres_place: str) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            await play_a_little(sitting)

    asyncio.run(scene())
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    back_up(str(tmp_path / "tables.db"), first)
    restore(first, postgres_place)
    back_up(postgres_place, second)
    assert rows(str(first)) == rows(str(second)) == rows(postgres_place)


def test_a_backup_knows_how_often_a_table_has_changed_hands_but_not_whose_it_is(
    tmp_path: Path, place: str
) -> None:
    store = Store(place)
    asyncio.run(store.write(first_addition("AAAAAAAA")))
    with store.engine.begin() as connection:
        connection.execute(update(tables).values(owner="a worker", fence=7))
    back_up(place, tmp_path / "backup.db")
    store.close()
    engine = open_engine(str(tmp_path / "backup.db"))
    with engine.connect() as connection:
        assert connection.execute(select(tables.c.owner, tables.c.fence)).one() == (None, 7)
    engine.dispose()


def test_a_backup_is_one_file_that_only_its_owner_reads_and_never_replaces_one(tmp_path: Path) -> None:
    Store(str(tmp_path / "tables.db")).close()
    kept = tmp_path / "kept"
    kept.mkdir()
    back_up(str(tmp_path / "tables.db"), kept / "backup.db")
    assert [file.name for file in kept.iterdir()] == ["backup.db"]
    assert stat.S_IMODE((kept / "backup.db").stat().st_mode) == 0o600
    before = (kept / "backup.db").read_bytes()
    with pytest.raises(StoreError, match="never replaces one"):
        back_up(str(tmp_path / "tables.db"), kept / "backup.db")
    assert (kept / "backup.db").read_bytes() == before


@pytest.mark.parametrize("name", ["old?mode=2026.db", "a%20b%2Fc.db", "the#1.db", "~", "file:Añá & co.db"])
def test_a_file_is_the_one_that_was_named_whatever_letters_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.chdir(folder)
    store = Store(str(folder / name))
    asyncio.run(store.write(first_addition("AAAAAAAA")))
    store.close()
    back_up(str(folder / name), Path(f"{name}.copy"))
    restore(Path(f"{name}.copy"), str(folder / f"{name}.back"))
    made = {file.name for file in folder.iterdir() if not file.name.endswith(".lock")}
    assert made == {name, f"{name}.copy", f"{name}.back"}
    assert [file.name for file in tmp_path.iterdir()] == [name]
    for file in made:
        with contextlib.closing(sqlite3.connect(folder / file)) as opened:
            assert opened.execute("SELECT code FROM tables").fetchall() == [("AAAAAAAA",)]


def test_what_holds_no_tables_makes_no_backup(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There is no database .*mistyped\.db\.$"):
        back_up(str(tmp_path / "mistyped.db"), tmp_path / "backup.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match=r"no tables of Dicetown"):
        back_up(str(tmp_path / "empty.db"), tmp_path / "backup.db")
    assert [file.name for file in tmp_path.iterdir()] == ["empty.db"]
    assert not (tmp_path / "empty.db").read_bytes()
    (tmp_path / "letter").write_text("Dear Ana, this is no database, however long it may be.")
    for doing in (
        lambda: back_up(str(tmp_path / "letter"), tmp_path / "backup.db"),
        lambda: restored(tmp_path),
    ):
        with pytest.raises(StoreError, match="letter: file is not a database"):
            doing()
    with pytest.raises(StoreError, match="nowhere: cannot be read"):
        restore(tmp_path / "nowhere", str(tmp_path / "new.db"))


def restored(folder: Path) -> None:
    restore(folder / "letter", str(folder / "new.db"))


def test_a_backup_never_comes_into_a_database_that_is_in_use_or_holds_tables(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            await play_a_little(sitting)
            back_up(str(tmp_path / "tables.db"), tmp_path / "backup.db")
            with pytest.raises(StoreError, match="is in use by another Dicetown"):
                restore(tmp_path / "backup.db", str(tmp_path / "tables.db"))

    asyncio.run(scene())
    before = rows(str(tmp_path / "tables.db"))
    with pytest.raises(StoreError, match="holds tables already"):
        restore(tmp_path / "backup.db", str(tmp_path / "tables.db"))
    assert rows(str(tmp_path / "tables.db")) == before


@pytest.mark.parametrize("name", ["songs", "tables"])
def test_a_database_of_another_program_is_neither_brought_back_nor_restored_into(
    tmp_path: Path, name: str
) -> None:
    foreign = tmp_path / "foreign.db"
    with contextlib.closing(sqlite3.connect(foreign)) as opened:
        opened.execute(f"CREATE TABLE {name} (title)")
    before = foreign.read_bytes()
    with pytest.raises(StoreError, match=r"foreign\.db: there are no tables of Dicetown in it"):
        restore(foreign, str(tmp_path / "new.db"))
    assert [file.name for file in tmp_path.iterdir()] == ["foreign.db"]
    Store(str(tmp_path / "tables.db")).close()
    back_up(str(tmp_path / "tables.db"), tmp_path / "backup.db")
    with pytest.raises(StoreError, match=r"something else than tables of Dicetown"):
        restore(tmp_path / "backup.db", str(foreign))
    assert foreign.read_bytes() == before
    assert not (tmp_path / "foreign.db.lock").exists()


def test_who_only_reads_a_database_does_not_change_how_it_keeps_its_log(tmp_path: Path) -> None:
    Store(str(tmp_path / "tables.db")).close()
    back_up(str(tmp_path / "tables.db"), tmp_path / "first.db")  # which is not in SQLite's mode WAL
    before = (tmp_path / "first.db").read_bytes()
    back_up(str(tmp_path / "first.db"), tmp_path / "second.db")
    assert (tmp_path / "first.db").read_bytes() == before


def test_what_is_brought_back_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    Store(str(tmp_path / "tables.db")).close()
    back_up(str(tmp_path / "tables.db"), tmp_path / "backup.db")
    before = os.umask(0o000)
    try:
        restore(tmp_path / "backup.db", str(tmp_path / "new.db"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o600


@contextlib.contextmanager
def of_the_first_version(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup as the first version would have made it."""
    from alembic import command
    from alembic.config import Config

    import dicetown.server.store.migrations as history

    engine = open_engine(str(file))
    config = Config()
    config.set_main_option("script_location", os.path.dirname(str(history.__file__)))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    with contextlib.closing(sqlite3.connect(file)) as opened:
        yield opened


def test_a_backup_of_an_older_version_is_brought_up_to_date_on_the_way(tmp_path: Path) -> None:
    with of_the_first_version(tmp_path / "old.db") as old:
        old.execute("INSERT INTO guests VALUES ('guest-ana', 'Ana', 1.0)")
        old.commit()
    before = (tmp_path / "old.db").read_bytes()
    with pytest.raises(StoreError, match="another version"):
        back_up(str(tmp_path / "old.db"), tmp_path / "backup.db")
    restore(tmp_path / "old.db", str(tmp_path / "new.db"))
    assert rows(str(tmp_path / "new.db"))["guests"] == [("guest-ana", "Ana", 1.0)]
    assert (tmp_path / "old.db").read_bytes() == before


def test_the_commands_bring_the_key_of_the_cookies_along(dicetown: Run, tmp_path: Path) -> None:
    Store(str(tmp_path / "tables.db")).close()
    (tmp_path / "tables.db.key").write_text("the key")
    made = dicetown("backup", tmp_path / "backup.db", "--db", tmp_path / "tables.db")
    assert (made.status, made.out) == (0, f"{tmp_path / 'backup.db'}: 0 tables with 0 entries.\n")
    assert stat.S_IMODE((tmp_path / "backup.db.key").stat().st_mode) == 0o600
    back = dicetown("restore", tmp_path / "backup.db", "--db", tmp_path / "other" / "new.db")
    assert (back.status, back.out) == (0, "0 tables with 0 entries are back.\n")
    assert (tmp_path / "other" / "new.db.key").read_text() == "the key"
    again = dicetown("backup", tmp_path / "backup.db", "--db", tmp_path / "tables.db")
    assert again.status == 2
    assert again.err.count("\n") == 1
