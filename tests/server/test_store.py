"""The store, on SQLite and on a real PostgreSQL."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError
from tests.server.sitting import ANA, BEN, settle, until

from dicetown.errors import DicetownError
from dicetown.server.journal.entries import (
    VERSION,
    Chair,
    Entry,
    Joined,
    Made,
    Moved,
    Said,
    Started,
    TableSettings,
    read_body,
    write_body,
)
from dicetown.server.journal.summary import Summary
from dicetown.server.store.additions import Addition
from dicetown.server.store.database_url import StoreError, open_engine
from dicetown.server.store.migrations import migrate
from dicetown.server.store.schema import schema
from dicetown.server.store.snapshots import Snapshot
from dicetown.server.store.store import Store, filled_up

SETTINGS = TableSettings("deluxe", ["base"], {"start_coins": 5}, "fast", "normal", public=True)
MADE = Made(SETTINGS, [Chair("person", "Ana", guest=ANA), Chair("open", "")], ANA, "00" * 32)


def summary(code: str, **changes: object) -> Summary:
    made = Summary.of(code, MADE, 1.0)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def first_addition(code: str, active: float = 1.0, **changes: object) -> Addition:
    return Addition(code, [Entry(1, 1.0, MADE)], summary(code, **changes), active, new=True)


def test_a_journal_is_read_as_it_was_written(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        entries = [
            Entry(1, 1.5, MADE),
            Entry(2, 2.5, Started(["a", "ü"], ["draw cafe"])),
            Entry(3, 3.25, Moved(0, ["roll 1", "dice 3"]), ANA, "key-1"),
            Entry(4, 4.0, Said("Añá 🎲", text="<b>¿qué?</b> \\ ' \" 🎲")),
        ]
        await store.write(Addition("AAAAAAAA", entries[:1], summary("AAAAAAAA"), 1.0, new=True))
        await store.write(Addition("AAAAAAAA", entries[1:], None, 0.0))
        assert await store.journal("AAAAAAAA") == entries
        assert await store.journal("BBBBBBBB") == []
        store.close()
        store = Store(place)
        assert await store.journal("AAAAAAAA") == entries
        store.close()

    asyncio.run(scene())


def test_a_number_or_a_key_is_taken_only_once(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition("AAAAAAAA"))
        moved = Moved(0, ["roll 1"])
        await store.write(Addition("AAAAAAAA", [Entry(2, 2.0, moved, ANA, "key")], None, 0.0))
        with pytest.raises(IntegrityError):
            await store.write(Addition("AAAAAAAA", [Entry(2, 2.0, moved, ANA, "other")], None, 0.0))
        with pytest.raises(IntegrityError):
            await store.write(Addition("AAAAAAAA", [Entry(3, 2.0, moved, ANA, "key")], None, 0.0))
        await store.write(Addition("AAAAAAAA", [Entry(3, 2.0, moved, BEN, "key")], None, 0.0))
        assert [entry.number for entry in await store.journal("AAAAAAAA")] == [1, 2, 3]
        store.close()

    asyncio.run(scene())


def test_many_writes_share_a_commit_and_a_bad_one_harms_no_other(place: str) -> None:
    async def scene() -> None:
        commits: list[int] = []
        store = Store(place, lambda works, seconds: commits.append(works))
        codes = [f"AAAAAA{k:02}" for k in range(50)]
        await asyncio.gather(*(store.write(first_addition(code)) for code in codes))
        additions = [Addition(code, [Entry(2, 2.0, Moved(0, ["pass"]))], None, 0.0) for code in codes]
        bad = Addition(codes[0], [Entry(1, 2.0, Moved(0, ["pass"]))], None, 0.0)
        results = await asyncio.gather(
            *(store.write(one) for one in [*additions[:20], bad, *additions[20:]]), return_exceptions=True
        )
        assert [type(result) for result in results if result is not None] == [IntegrityError]
        for code in codes:
            assert len(await store.journal(code)) == 2
        store.close()
        assert sum(commits) == 101
        assert len(commits) < 50

    asyncio.run(scene())


@pytest.mark.parametrize("many", [1, 2, 7, 64, 65, 200])
def test_however_many_entries_come_at_once_all_are_kept_in_order(place: str, many: int) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition("AAAAAAAA"))
        entries = [Entry(2 + k, 2.0 + k, Said("Ana", text=f"{k}"), ANA, f"key-{k}") for k in range(many)]
        await store.write(Addition("AAAAAAAA", entries, None, 0.0))
        assert (await store.journal("AAAAAAAA"))[1:] == entries
        store.close()

    asyncio.run(scene())


def test_an_entry_and_the_head_after_it_are_kept_together_or_not_at_all(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition("AAAAAAAA"))
        after = summary("AAAAAAAA", stage="playing")
        with pytest.raises(IntegrityError):
            await store.write(Addition("AAAAAAAA", [Entry(1, 2.0, Joined(1, BEN, "Ben"))], after, 2.0))
        assert [one.stage for one in await store.public_tables()] == ["lobby"]
        store.close()

    asyncio.run(scene())


def test_lists_show_public_tables_and_those_of_a_guest(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        quiet = TableSettings("deluxe", ["base"], {}, "off", "normal", public=False)
        await store.write(first_addition("LOBBY222", 10.0))
        await store.write(first_addition("PLAYING2", 30.0, stage="playing"))
        await store.write(first_addition("OVER2222", 40.0, stage="over"))
        await store.write(first_addition("PRIVATE2", 20.0, settings=quiet))
        await store.write(
            first_addition("BENS2222", 50.0, host=BEN, chairs=[Chair("bot", "Bot", bot="easy")])
        )
        assert [one.code for one in await store.public_tables()] == ["BENS2222", "LOBBY222", "PLAYING2"]
        mine = await store.tables_of(ANA, ["lobby", "playing"])
        assert [one.code for one in mine] == ["PLAYING2", "PRIVATE2", "LOBBY222"]
        assert mine[0] == summary("PLAYING2", stage="playing")
        assert [one.code for one in await store.tables_of(BEN, ["lobby"])] == ["BENS2222"]
        assert await store.count_tables(ANA) == (3, 2)
        assert await store.left_alone(["lobby"], 20.0) == ["LOBBY222"]
        assert await store.left_alone(["playing"], 31.0) == ["PLAYING2"]
        await store.write(Addition("PLAYING2", [], summary("PLAYING2", stage="over"), 31.0))
        assert await store.count_tables(ANA) == (2, 1)
        store.close()

    asyncio.run(scene())


@pytest.mark.parametrize("many", [0, 1, 16_385, 32_700])
def test_however_many_tables_are_in_use_the_others_are_found(place: str, many: int) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition("LOBBY222", 10.0))
        in_use = [f"{number:08}" for number in range(many)]
        assert await store.left_alone(["lobby"], 20.0, in_use) == ["LOBBY222"]
        assert await store.left_alone(["lobby"], 20.0, [*in_use, "LOBBY222"]) == []
        assert await store.unfinished([*in_use, "LOBBY222"]) == {"LOBBY222"}
        store.close()

    asyncio.run(scene())


def test_lists_of_any_length_have_few_lengths() -> None:
    lengths = {len(filled_up([""] * number)) for number in range(4_000)}
    assert lengths == {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096}


def test_guests_have_the_name_they_chose_last(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        assert await store.name_of(ANA) == ""
        await store.rename(ANA, "Ana", 1.0)
        await store.rename(ANA, "Ana María", 2.0)
        assert await store.name_of(ANA) == "Ana María"
        store.close()

    asyncio.run(scene())


def test_reviews_are_kept(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition("AAAAAAAA"))
        assert await store.review("AAAAAAAA") is None
        await store.keep_review("AAAAAAAA", {"moments": [0.5, None, "é"]})
        assert await store.review("AAAAAAAA") == {"moments": [0.5, None, "é"]}
        await store.prove()
        store.close()

    asyncio.run(scene())


def test_a_store_goes_on_after_its_database_was_away(postgres_place: str) -> None:
    async def scene() -> None:
        store = Store(postgres_place)
        await store.write(first_addition("AAAAAAAA"))
        with store.engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            connection.execute(text(others + "AND datname = current_database()"))
        results: list[object] = []
        for number in range(2, 5):
            addition = Addition("AAAAAAAA", [Entry(number, 2.0, Moved(0, ["pass"]))], None, 0.0)
            results += await asyncio.gather(store.write(addition), return_exceptions=True)
        assert results[-1] is None
        store.close()

    asyncio.run(scene())


# ------------------------------------------------------------------------------ migrations


def test_the_migrations_make_what_the_schema_says(place: str) -> None:
    engine = open_engine(place)
    migrate(engine)
    migrate(engine)  # nothing is left to do
    found = inspect(engine)
    for table in schema.sorted_tables:
        columns = {column["name"]: column for column in found.get_columns(table.name)}
        assert set(columns) == set(table.columns.keys())
        for column in table.columns:
            assert columns[column.name]["nullable"] == column.nullable
        assert set(found.get_pk_constraint(table.name)["constrained_columns"]) == set(
            table.primary_key.columns.keys()
        )
        assert {index["name"] for index in found.get_indexes(table.name)} >= {
            one.name for one in table.indexes
        }
    engine.dispose()


def test_a_database_of_a_newer_version_is_left_alone(place: str) -> None:
    Store(place).close()
    engine = open_engine(place)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(DicetownError, match="newer Dicetown"):
        Store(place)


# ------------------------------------------------------------------------- places and bodies


def test_sqlite_keeps_what_it_has_acknowledged(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "tables.db"))
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    store.close()


def test_a_place_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="cannot be opened: No such file or directory"):
        Store(str(tmp_path / "missing" / "tables.db"))
    with pytest.raises(StoreError, match="SQLite or PostgreSQL, not in mysql"):
        Store("mysql://host/name")
    with pytest.raises(StoreError, match="no address of a database"):
        Store("://")
    with pytest.raises(StoreError, match="The port in the address of the database is no number") as unread:
        Store("postgresql://ana:hidden@localhost:port/none")
    assert "hidden" not in str(unread.value)
    with pytest.raises(StoreError, match=r"postgresql://ana:\*\*\*@") as problem:
        Store("postgresql://ana:hidden@localhost:1/none")
    assert "\n" not in str(problem.value)
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'dicetown\[postgres\]'"):
        Store("postgresql://localhost/none")


def test_what_is_no_database_of_ours_is_not_touched(tmp_path: Path) -> None:
    letter, songs = tmp_path / "letter.txt", tmp_path / "songs.db"
    letter.write_text("Dear Ana, this is no database, however long it may be.")
    with closing(sqlite3.connect(songs)) as opened:
        opened.execute("CREATE TABLE songs (title)")
    before = {}
    for file in (letter, songs):
        file.chmod(0o644)
        before[file] = file.read_bytes()
    with pytest.raises(StoreError, match=r"letter\.txt: file is not a database\.$"):
        Store(str(letter))
    with pytest.raises(StoreError, match=r"songs\.db: there is something else than tables of Dicetown"):
        Store(str(songs))
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert {file.stat().st_mode & 0o777 for file in before} == {0o644}
    (tmp_path / "empty.db").touch()
    Store(str(tmp_path / "empty.db")).close()  # somebody has made it for us


@pytest.mark.parametrize("table", ["alembic_version", "leases"])
def test_a_broken_database_is_one_sentence(tmp_path: Path, table: str) -> None:
    place = tmp_path / "tables.db"
    Store(str(place)).close()
    with closing(sqlite3.connect(place)) as opened:
        [page] = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
        [size] = opened.execute("PRAGMA page_size").fetchone()
    whole = place.read_bytes()
    place.write_bytes(whole[: (page - 1) * size] + bytes(size) + whole[page * size :])
    with pytest.raises(StoreError, match=r"tables\.db.*: database disk image is malformed\.$"):
        Store(str(place))


def test_bodies_say_the_version_they_were_written_in() -> None:
    assert write_body(MADE).startswith(f'{{"v":{VERSION},"body":{{"kind":"made"')
    assert read_body(write_body(MADE)) == MADE


def test_the_event_loop_goes_on_while_the_database_is_busy(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store(str(tmp_path / "tables.db"))
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # nobody else can write now
        writing = asyncio.ensure_future(store.write(first_addition("AAAAAAAA")))
        await settle()
        assert await store.journal("AAAAAAAA") == []
        assert not writing.done()
        other.execute("COMMIT")
        await until(writing.done)
        other.close()
        store.close()

    asyncio.run(scene())


def test_who_sits_alone_is_found_by_age_and_in_parts(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        codes = [f"AAAAAA{k:02}" for k in range(60)]
        for k, code in enumerate(codes):
            await store.write(first_addition(code, active=100.0 - k, stage="playing"))
        both = [Chair("person", "Ana", guest=ANA), Chair("person", "Ben", guest=BEN)]
        await store.write(first_addition("BBBBBBBB", stage="playing", chairs=both))
        await store.write(first_addition("CCCCCCCC", stage="over"))
        assert [one.code for one in await store.oldest_of(ANA)] == ["BBBBBBBB", *reversed(codes)]
        found = await store.left_by_one(50.5, "")
        assert [one.code for one in found] == codes[50:]
        assert [one.code for one in await store.left_by_one(1000.0, codes[4])] == codes[5:55]
        store.close()

    asyncio.run(scene())


def test_a_deleted_table_leaves_nothing_behind(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        for code in ("AAAAAAAA", "BBBBBBBB"):
            await store.write(first_addition(code))
            await store.keep_review(code, {"moments": []})
            await store.write(Addition(code, [], None, 0.0, snapshot=Snapshot(1, b"a table")))
        for _ in range(2):  # once more does no harm
            await store.delete("AAAAAAAA")
        for table in schema.tables.values():
            if "code" in table.columns:
                with store.engine.connect() as connection:
                    assert {row.code for row in connection.execute(table.select())} == {"BBBBBBBB"}
        with pytest.raises(IntegrityError):  # what comes too late is not kept either
            await store.write(Addition("AAAAAAAA", [Entry(2, 2.0, Moved(0, ["pass"]))], None, 0.0))
        store.close()

    asyncio.run(scene())
