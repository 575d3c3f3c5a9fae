"""The checker of histories sees what it is there for: one that is always content would prove nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.faults.history import History, check

MOVED = '{"v":1,"body":{"kind":"moved","seat":0,"moves":["roll 1","dice 3"]}}'
SAID = '{"v":1,"body":{"kind":"said","name":"Ana","text":"Hello"}}'
STORED = [("TABLE", 1, "moved", MOVED, "one", 4), ("TABLE", 2, "said", SAID, "two", 7)]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database with a journal of two entries."""
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE entries (code, number, kind, body, key, fence)")
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", STORED)
        yield connection


@pytest.fixture
def place(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def history() -> History:
    """What players were told who were told the truth."""
    told = History()
    told.acknowledge("TABLE", "one", 1)
    told.acknowledge("TABLE", "two", 2)
    told.see("TABLE", 1, "moved", ["roll 1", "dice 3"])
    told.see("TABLE", 2, "said", [])
    told.deny("TABLE", "three", "late")
    return told


def test_who_was_told_the_truth_has_nothing_to_complain_of(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    for tables in ((), ("TABLE",)):
        found = check(history, place, tables)
        assert (found.lost, found.doubled, found.entries, found.tables) == (set(), set(), 2, 1)


def test_what_was_acknowledged_and_is_not_there_is_lost(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    journal.execute("DELETE FROM entries WHERE number = 2")
    assert check(history, place).lost


def test_what_was_acknowledged_under_another_number_is_lost(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    history.acknowledged["TABLE", "one"] = 2
    assert check(history, place).lost


def test_a_gap_is_a_loss(journal: sqlite3.Connection, place: str) -> None:
    journal.execute("UPDATE entries SET number = 3 WHERE number = 2")
    assert check(History(), place).lost


def test_a_game_that_nobody_closed_is_lost_when_it_is_closed(journal: sqlite3.Connection, place: str) -> None:
    journal.execute("UPDATE entries SET kind = 'closed' WHERE number = 2")
    assert check(History(), place).lost


def test_a_page_that_saw_something_else_has_lost_it(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    journal.execute("UPDATE entries SET body = replace(body, 'dice 3', 'dice 4') WHERE number = 1")
    assert check(history, place).lost


def test_what_was_refused_and_has_happened_is_doubled(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    history.deny("TABLE", "two", "not_stored")
    assert check(history, place).doubled


def test_one_request_that_happened_twice_is_doubled(journal: sqlite3.Connection, place: str) -> None:
    journal.execute("INSERT INTO entries VALUES ('TABLE', 3, 'said', ?, 'two', 7)", [SAID])
    assert check(History(), place).doubled


def test_two_pages_that_saw_different_things_are_a_contradiction(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    history.see("TABLE", 2, "moved", ["roll 1"])
    assert check(history, place).doubled


def test_two_numbers_for_one_request_are_a_contradiction(
    journal: sqlite3.Connection, place: str, history: History
) -> None:
    history.acknowledge("TABLE", "one", 2)
    assert check(history, place).doubled


def test_an_owner_that_writes_after_the_next_one_is_noticed(journal: sqlite3.Connection, place: str) -> None:
    journal.execute("UPDATE entries SET fence = 3 WHERE number = 2")
    assert check(History(), place).doubled
