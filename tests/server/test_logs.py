"""What the log says: when the service and its tables begin and end, and nothing about anybody."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError, OperationalError
from structlog.testing import capture_logs
from tests.patience import PATIENCE
from tests.server.site import Guest
from tests.server.sitting import ANA, Seated, finish, seated, settle, until

from dicetown import __version__
from dicetown.server.common.logs import _traceback_as_data, usual_level
from dicetown.server.store.schema import entries, snapshots
from dicetown.server.wire.refusals import Refused

NAME, REMARK, KEY = "Zebulon", "open sesame", "the-key-of-the-cookies"
TRACEBACK = """
import sys, structlog
from dicetown.server.common.logs import set_up_logs
sys.stderr.isatty = lambda: {terminal}
set_up_logs("info")
import pydantic
class Remark(pydantic.BaseModel):
    length: int
def fail():
    secret = "-".join(["abra", "cadabra"])
    try:
        Remark(length="hocus-" + "pocus")
    except ValueError as problem:
        raise ValueError("no broom") from problem
try:
    fail()
except ValueError as problem:
    structlog.get_logger("dicetown").error("chore failed", exc_info=problem)
"""


def visit(address: str, folder: Path) -> list[str]:
    """Somebody plays a little; what must be in no log."""
    guest = Guest(address)
    guest.client.patch("/api/me", json={"name": NAME})
    code = guest.make("me", "here")
    with guest.live(code) as line:
        line.hear("welcome")
        line.send(type="say", key="k", text=REMARK)
        line.hear("done")
        line.act(0, "roll 1", key="l")
        line.hear("done")
        for nonsense in ({"type": "say", "key": "m", "text": [REMARK]}, {"type": "act", "actions": [NAME]}):
            line.send(**nonsense)  # which is refused, and quoted nowhere
            line.hear("refused")
        line.act(0, f"build {NAME}", key="n")
        line.hear("refused")
    guest.client.patch("/api/me", json={"name": [NAME]})
    guest.client.get(f"/api/tables/{NAME}/log")
    leaving = guest.make("me", "friend", start=False)
    assert guest.client.post(f"/api/tables/{leaving}/leave").status_code == 200
    cookies = list(guest.client.cookies.values())
    guest.client.close()
    with sqlite3.connect(folder / "tables.db") as database:
        heads = [json.loads(head) for (head,) in database.execute("SELECT head FROM tables")]
    assert len(heads) == 2
    return [
        NAME,
        REMARK,
        KEY,
        *cookies,
        *(head["secret"] for head in heads),
        *(head["host"] for head in heads),
    ]


def served(folder: Path, *options: str) -> tuple[list[dict[str, Any]], list[str]]:
    """What a service logs from its start to its end, and what it must not."""
    command = [sys.executable, "-m", "dicetown", "serve", "--port", "0", "--secret", KEY]
    command += ["--db", str(folder / "tables.db"), *options]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            private = visit(line[line.index("http://") : line.rindex("/") + 1], folder)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    return [json.loads(line) for line in (folder / "log").read_text().splitlines()], private


def test_the_log_tells_of_the_service_and_its_tables_and_of_nobody(tmp_path: Path) -> None:
    logged, private = served(tmp_path)
    events = [one["event"] for one in logged]
    told = ["start", "ready", "table made", "table started", "table made", "table closed", "closing", "end"]
    assert [event for event in events if event in told] == told
    assert {"tables found", "count"} <= set(events)
    start, end = logged[0], logged[-1]
    assert (start["event"], start["version"], start["level"]) == ("start", __version__, "info")
    assert start["database"].endswith("tables.db")
    assert start["address"].startswith("http://127.0.0.1:")
    assert (end["event"], end["why"]) == ("end", "SIGTERM")
    assert 0 <= end["took"] <= end["ran"]
    text = (tmp_path / "log").read_text()
    assert not [word for word in private if word in text]


def test_at_debug_every_entry_has_its_line_and_still_nobody_is_named(tmp_path: Path) -> None:
    logged, private = served(tmp_path, "--log-level", "debug", "--log-format", "json")
    code = next(one["table"] for one in logged if one["event"] == "table made")
    of_table = [one for one in logged if one.get("table") == code and "number" in one]
    assert [(one["number"], one["event"], one.get("kind")) for one in of_table[:3]] == [
        (2, "table started", None),
        (3, "entry", "said"),
        (4, "entry", "moved"),
    ]
    text = (tmp_path / "log").read_text()
    assert not [word for word in private if word in text]


def test_a_person_can_have_lines_of_text(tmp_path: Path) -> None:
    with pytest.raises(json.JSONDecodeError):
        served(tmp_path, "--log-format", "text")
    text = (tmp_path / "log").read_text()
    assert "table made" in text
    assert "\x1b[" not in text  # no colours where nobody sees them


def test_a_format_that_does_not_exist_is_refused_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dicetown", "serve", "--log-format", "xml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'dicetown: There is no log format "xml"; known: json, text.\n'


def test_who_wants_to_hear_of_problems_only_hears_of_nothing_else(tmp_path: Path) -> None:
    logged, _ = served(tmp_path, "--log-level", "warning")
    assert logged == []


@pytest.mark.parametrize(("terminal", "level"), [(True, "warning"), (False, "info")])
def test_at_a_terminal_the_service_is_quiet(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, level: str
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert usual_level() == level


@pytest.mark.parametrize("terminal", [True, False])
def test_tracebacks_say_where_it_happened_and_not_what_was_in_the_variables(terminal: bool) -> None:
    program = TRACEBACK.format(terminal=terminal)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "no broom" in done.stderr
    assert "ValueError" in done.stderr
    assert "ValidationError" in done.stderr
    assert "abra-cadabra" not in done.stderr
    assert "hocus-pocus" not in done.stderr


# ------------------------------------------------------------------------- whatever fails

GUEST = f"guest-{NAME.lower()}"


class Remark(BaseModel):
    """Something that says what it did not like."""

    length: int


async def a_game_with_trouble(sitting: Seated, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A whole game of people with names who talk, while all sorts of things fail; what nobody may read."""
    service = sitting.service
    table = await sitting.friends(GUEST)
    page = await sitting.page(table, ANA)
    await sitting.say(table, GUEST, NAME, text=REMARK)
    for failure in (OperationalError, IntegrityError):

        def fail(*_: object, failure: type[OperationalError | IntegrityError] = failure) -> None:
            raise failure("INSERT", {"body": REMARK}, Exception("no room"))

        with monkeypatch.context() as broken:
            broken.setattr("dicetown.server.store.store.write_alone", fail)
            with pytest.raises(Refused):
                await sitting.say(table, GUEST, NAME, text=f"{REMARK}!")
        table = await service.lobby.find(table.code)
    await finish(sitting, table)
    sitting.thinkers.broken.add("normal")
    asked = len(sitting.thinkers.asked)
    other = await sitting.table("normal", "me")  # the bot begins
    await sitting.page(other, ANA)
    await until(lambda: len(sitting.thinkers.asked) > asked)
    await settle()

    async def quote() -> None:
        Remark.model_validate({"length": REMARK})

    service.background.begin("quoting", 60, quote)
    other.mend(ValueError("it broke"))
    body = json.dumps({"v": 1, "body": {"kind": "said", "name": NAME, "seat": None, "text": [REMARK]}})
    await table.put_away()  # so that its snapshot is not written later than it is deleted
    with service.store.engine.begin() as connection:
        this = (entries.c.code == table.code) & (entries.c.number == 2)
        connection.execute(update(entries).where(this).values(body=body))
        connection.execute(delete(snapshots))  # after a long game, or nobody would read that entry again
    service.lobby.forget(table)
    with pytest.raises(Refused):
        await service.lobby.find(table.code)
    assert page.heard
    secrets = [table.state.summary.secret, other.state.summary.secret]
    return [NAME, NAME.lower(), REMARK, *(secret for secret in secrets if secret)]


def test_whatever_fails_nobody_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> list[str]:
        async with seated(tmp_path) as sitting:
            return await a_game_with_trouble(sitting, monkeypatch)

    with capture_logs() as logged:
        private = asyncio.run(scene())
    for one in logged:
        if problem := one.get("exc_info"):
            one["exc_info"] = _traceback_as_data((type(problem), problem, problem.__traceback__))
    events = {one["event"] for one in logged}
    assert {
        "not stored",
        "bot failed",
        "chore failed",
        "table broke",
        "unreadable table",
        "table over",
    } <= events
    text = json.dumps(logged)
    assert not [word for word in private if word in text]
    of_tables = [one for one in logged if one["event"] in ("not stored", "table over", "unreadable table")]
    assert all(one["table"] and one["number"] for one in of_tables)
