"""`dicetown doctor`: it finds a good installation well, and says of a broken one what is wrong."""

import http.server
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, text
from sqlalchemy.exc import OperationalError
from starlette.responses import Response
from tests.patience import PATIENCE
from tests.running import Run
from tests.server.site import Site, site

from dicetown import __version__
from dicetown.languages import LANGUAGES
from dicetown.material.catalogue import catalogue
from dicetown.server.doctor import inside
from dicetown.server.doctor.asking import Address, Answer, Certificate
from dicetown.server.doctor.findings import Finding
from dicetown.server.doctor.inside import look_inside
from dicetown.server.doctor.outside import (
    check_clock,
    check_cookie,
    check_measured,
    check_tls,
    look_from_outside,
)
from dicetown.server.store.backup import back_up
from dicetown.server.store.schema import workers
from dicetown.server.store.store import Store
from dicetown.server.web.host_names import KnownHosts

Answers = dict[str, tuple[int, dict[str, str], bytes]]


def found(findings: Iterator[Finding]) -> dict[str, Finding]:
    """The findings by their checks."""
    return {finding.check: finding for finding in findings}


def problems(findings: Iterator[Finding]) -> dict[str, str]:
    """What is wrong, by the check."""
    return {one.check: one.what for one in findings if one.state == "wrong"}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is built, whether or not ours is."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    page = '<title>Dicetown</title><script type="module" src="/assets/page-abc.js"></script>'
    (folder / "index.html").write_text(page)
    (folder / "assets" / "page-abc.js").write_text("1")
    monkeypatch.setattr("dicetown.server.web.site.client_folder", lambda: folder)


@pytest.fixture
def here(tmp_path: Path, built: None) -> Iterator[Site]:
    """A service that is well."""
    with site(tmp_path) as opened:
        yield opened


@contextmanager
def answering(answers: Answers) -> Iterator[str]:
    """Something else that answers HTTP: by path, and with 404 for the rest."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            status, headers, body = answers.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815 - as Python's server calls them

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def health(version: str = __version__) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps({"status": "ok", "version": version}).encode()


# ------------------------------------------------------------------------------ all is well


@pytest.mark.parametrize(("language", "last"), [("en", "All is well."), ("de", "Alles ist in Ordnung.")])
def test_a_good_installation_is_well(
    here: Site, dicetown: Run, tmp_path: Path, language: str, last: str
) -> None:
    (tmp_path / "tables.db.key").touch(mode=0o600)
    ran = dicetown("doctor", here.address, "--db", tmp_path / "tables.db", "--lang", language)
    assert ran.status == 0, ran.out
    lines = ran.out.splitlines()
    assert lines[-1] == last
    assert all(line.startswith("✓ ") for line in lines[:-1])
    assert len(lines) > 15


def test_programs_get_the_same_as_data(here: Site, dicetown: Run) -> None:
    ran = dicetown("doctor", here.address, "--json")
    told = json.loads(ran.out)
    assert (ran.status, told["well"]) == (0, True)
    checks = [one["check"] for one in told["findings"]]
    assert checks[:3] == ["reach", "version", "ready"]
    assert {"page", "press", "live", "origin", "names", "cookie", "clock", "tls", "metrics"} <= set(checks)
    assert len(checks) == len(set(checks))
    assert all(one["state"] == "right" for one in told["findings"])


def test_looking_leaves_nothing_behind(here: Site) -> None:
    list(look_from_outside(Address(here.address), PATIENCE))
    assert not here.service.lobby.tables
    assert here.guest().client.get("/api/tables").json() == {"tables": []}


# --------------------------------------------------------------------------- something is wrong


def test_nobody_listens(dicetown: Run) -> None:
    with answering({}) as gone:
        pass
    ran = dicetown("doctor", gone)
    assert ran.status == 1
    assert "✗ Nobody listens at 127.0.0.1" in ran.out
    assert ran.out.endswith("One thing is wrong.\n")


@pytest.mark.parametrize(
    "url", ["ftp://table.example", "https://", "https://table.example/play", "http://[", "?"]
)
def test_no_address_is_refused_in_a_sentence(dicetown: Run, url: str) -> None:
    ran = dicetown("doctor", url)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ((200, {}, b"<h1>Welcome to nginx!</h1>"), "stranger"),
        ((200, {}, b'{"status": "ok"}'), "stranger"),
        ((404, {}, b""), "stranger"),
        ((502, {}, b"Bad gateway"), "behind"),
        ((308, {"Location": "https://table.example/healthz"}, b""), "elsewhere"),
        ((421, {}, b"wrong host"), "wrong_host"),
    ],
)
def test_what_answers_is_not_the_service(answer: tuple[int, dict[str, str], bytes], what: str) -> None:
    with answering({"/healthz": answer}) as address:
        findings = list(look_from_outside(Address(address), PATIENCE))
    assert [(one.check, one.state, one.what) for one in findings] == [("reach", "wrong", what)]
    assert all(finding.sentence(language) for finding in findings for language in LANGUAGES)


def test_another_version_answers() -> None:
    with answering({"/healthz": health("0.0.1")}) as address:
        wrong = problems(look_from_outside(Address(address), PATIENCE))
    assert wrong["version"] == "wrong"


def test_a_proxy_without_websockets_without_cookies_and_without_the_page() -> None:
    with answering({"/healthz": health(), "/readyz": (503, {}, b"")}) as address:
        findings = found(look_from_outside(Address(address), PATIENCE))
    wrong = {name: one.what for name, one in findings.items() if one.state == "wrong"}
    assert wrong == {
        "ready": "wrong",
        "page": "stranger",
        "press": "wrong",
        "live": "refused",
        "cookie": "none",
    }
    assert findings["origin"].state == "unknown"
    assert findings["live"].slots == {"status": 404}
    assert findings["metrics"].state == "right"


@pytest.mark.parametrize(("status", "what"), [(503, "not_built"), (200, "missing")])
def test_a_page_that_is_not_built_or_lacks_a_file(status: int, what: str) -> None:
    page = b'<script src="/assets/page-gone.js"></script>'
    with answering({"/healthz": health(), "/": (status, {}, page)}) as address:
        assert problems(look_from_outside(Address(address), PATIENCE))["page"] == what


def test_a_database_that_is_away_from_the_service(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(here.service.store, "prove", fail)
    assert problems(look_from_outside(Address(here.address), PATIENCE)) == {"ready": "wrong"}


def test_a_proxy_that_does_not_pass_the_host_on(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks in its own name, whatever people have asked for."""
    pass_on = KnownHosts.__call__

    async def replace_host(self: KnownHosts, scope: Any, *rest: Any) -> None:
        if scope["type"] in ("http", "websocket"):
            kept = [pair for pair in scope["headers"] if pair[0] != b"host"]
            scope = scope | {"headers": [*kept, (b"host", b"127.0.0.1:1")]}
        await pass_on(self, scope, *rest)

    monkeypatch.setattr(KnownHosts, "__call__", replace_host)
    findings = found(look_from_outside(Address(here.address), PATIENCE))
    wrong = {name: one.what for name, one in findings.items() if one.state == "wrong"}
    assert wrong == {"live": "origin", "origin": "refused", "names": "wrong"}
    assert f"--origin {here.address.rstrip('/')}" in findings["live"].sentence("es")


def test_a_proxy_that_answers_to_every_name_with_nothing(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Caddy does: whoever comes by another name sees an empty page, and nothing of the service."""
    pass_on = KnownHosts.__call__

    async def be_polite(self: KnownHosts, scope: Any, receive: Any, send: Any) -> None:
        if (b"host", b"elsewhere.invalid") in scope.get("headers", ()):
            return await Response()(scope, receive, send)
        return await pass_on(self, scope, receive, send)

    monkeypatch.setattr(KnownHosts, "__call__", be_polite)
    assert problems(look_from_outside(Address(here.address), PATIENCE)) == {}


def test_a_name_that_the_service_does_not_know(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    port = Address(here.address).port
    address = Address(f"http://table.example:{port}")
    address.host = "127.0.0.1"  # where the name would lead
    findings = list(look_from_outside(address, PATIENCE))
    assert [(one.check, one.what) for one in findings] == [("reach", "wrong_host")]


def test_a_chore_that_is_not_done_and_thoughts_that_wait(here: Site) -> None:
    background = here.service.background
    background._every["sweeping"], background._done_at["sweeping"] = 60.0, time.monotonic() - 301
    findings = found(look_from_outside(Address(here.address), PATIENCE))
    assert (findings["chores"].what, findings["chores"].slots) == ("wrong", {"names": "sweeping"})
    page = 'dicetown_thoughts_waiting{kind="hint"} 3\ndicetown_thoughts_waiting{kind="move"} 1\n'
    assert [one.slots for one in check_measured(page)] == [{"number": 4}]


@pytest.mark.parametrize(("seconds", "what"), [(0, "right"), (3600, "ahead"), (-60, "behind")])
def test_clocks_are_compared(seconds: float, what: str) -> None:
    headers = Message()
    headers["Date"] = formatdate(1_800_000_000 + seconds, usegmt=True)
    finding = check_clock(Answer(200, headers, b"", 0.1, 1_800_000_000.2))  # type: ignore[arg-type]
    assert finding.what == what
    silent = check_clock(Answer(200, Message(), b"", 0.1, 0.0))  # type: ignore[arg-type]
    assert silent.state == "unknown"


def test_how_well_a_connection_is_kept_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    day, here, world = 86_400.0, Address("http://10.1.2.3:8000"), Address("http://8.8.8.8")
    assert check_tls(here, None, 0.0).what == "home"
    assert check_tls(world, None, 0.0).what == "none"
    secure = Address("https://table.example")
    assert check_tls(secure, Certificate("TLSv1.3", 30.5 * day), 0.0).slots["days"] == 30
    assert check_tls(secure, Certificate("TLSv1.3", 13 * day), 0.0).what == "soon"
    assert check_tls(secure, Certificate("TLSv1.3", None), 0.0).what == "some"


def test_metrics_are_not_for_the_world(here: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    address = Address(here.address)
    assert found(look_from_outside(address, PATIENCE))["metrics"].what == "home"
    monkeypatch.setattr(address, "is_public", lambda: True)
    assert problems(look_from_outside(address, PATIENCE)) == {"metrics": "open", "tls": "none"}


@pytest.mark.parametrize(
    ("cookie", "is_secure", "what"),
    [
        ("dicetown_guest=1; HttpOnly; SameSite=Lax", False, "right"),
        ("dicetown_guest=1; HttpOnly; SameSite=Lax; Secure", True, "right"),
        ("dicetown_guest=1; HttpOnly; SameSite=Lax", True, "insecure"),
        ("dicetown_guest=1; HttpOnly", False, "open"),
        ("of_a_proxy=1", False, "none"),
    ],
)
def test_cookies_are_as_safe_as_the_connection(cookie: str, is_secure: bool, what: str) -> None:
    headers = Message()
    headers["Set-Cookie"] = "a/b=1"  # of a proxy, and no cookie as it should be
    headers["Set-Cookie"] = cookie
    answer = Answer(200, headers, b"", 0.1, 0.0)  # type: ignore[arg-type]
    assert check_cookie(answer, is_secure=is_secure).what == what


# ----------------------------------------------------------------------------- the database


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A database, and the key beside it."""
    Store(str(tmp_path / "tables.db")).close()
    (tmp_path / "tables.db.key").touch(mode=0o600)
    return tmp_path / "tables.db"


def inside_of(file: Path) -> dict[str, str]:
    return problems(look_inside(str(file), Path(f"{file}.key")))


def test_a_database_without_fault(kept: Path) -> None:
    findings = list(look_inside(str(kept), Path(f"{kept}.key")))
    assert [one.check for one in findings] == ["database", "room", "modes", "shape"]
    assert {one.state for one in findings} == {"right"}


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert inside_of(tmp_path / "none.db") == {"database": "missing"}
    assert not (tmp_path / "none.db").exists()


def test_a_database_is_left_as_it_was(kept: Path, tmp_path: Path) -> None:
    back_up(str(kept), tmp_path / "copy.db")  # which is not in SQLite's mode WAL, as that of a service is
    for file in (kept, tmp_path / "copy.db"):
        before = file.read_bytes()
        inside_of(file)
        assert file.read_bytes() == before


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("no database at all, but long enough to be looked at as one" * 30)
    assert inside_of(tmp_path / "tables.db") == {"database": "away"}


def test_a_server_that_is_away() -> None:
    findings = list(look_inside("postgresql://nobody:secret@127.0.0.1:9/none", Path("none.key")))
    assert [(one.check, one.what) for one in findings] == [("database", "away")]
    assert "secret" not in findings[0].sentence("en")


def test_files_that_others_can_read(kept: Path) -> None:
    os.chmod(f"{kept}.key", 0o644)
    findings = found(look_inside(str(kept), Path(f"{kept}.key")))
    assert (findings["modes"].state, findings["modes"].slots) == ("wrong", {"files": "tables.db.key"})


def test_a_disk_that_is_nearly_full(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 20 * 1024**2

    monkeypatch.setattr("shutil.disk_usage", lambda folder: Usage)
    assert inside_of(kept) == {"room": "wrong"}


@pytest.mark.parametrize(("shape", "what"), [("0001", "old"), ("9999", "new")])
def test_a_database_of_another_version(kept: Path, shape: str, what: str) -> None:
    engine = create_engine(f"sqlite:///{kept}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :shape"), {"shape": shape})
    engine.dispose()
    assert inside_of(kept) == {"shape": what}


def worker(number: int, role: str, seen: float, version: str = __version__) -> dict[str, Any]:
    return {
        "id": str(number), "role": role, "address": "127.0.0.1:1", "version": version, "protocol": 1,
        "host": "here", "pid": number, "since": seen, "seen": seen,
    }  # fmt: skip


def seen_workers(place: str, *rows: Callable[[float], dict[str, Any]]) -> list[Finding]:
    """What is found where these share the database; each is made with the time of day."""
    store = Store(place)
    with store.engine.begin() as connection:
        connection.execute(insert(workers), [row(inside._now(connection)) for row in rows])
    try:
        return [one for one in look_inside(place, Path("none.key")) if one.check in ("workers", "thinking")]
    finally:
        store.close()


def test_workers_that_were_heard_of(place: str) -> None:
    findings = seen_workers(
        place,
        lambda now: worker(1, "game", now),
        lambda now: worker(2, "game", now),
        lambda now: worker(3, "game", now - 900),  # replaced by the others
        lambda now: worker(4, "gateway", now),
        lambda now: worker(5, "thinker", now),
    )
    assert [(one.check, one.state) for one in findings] == [("workers", "right")]
    assert findings[0].slots == {"roles": "2 game, 1 gateway, 1 thinker"}


def test_workers_that_are_silent_or_of_several_versions(tmp_path: Path) -> None:
    findings = seen_workers(
        str(tmp_path / "tables.db"),
        lambda now: worker(1, "game", now),
        lambda now: worker(2, "game", now, "0.0.1"),
        lambda now: worker(3, "gateway", now - 60),
    )
    assert [(one.check, one.what) for one in findings] == [
        ("workers", "wrong"),
        ("workers", "mixed"),
        ("thinking", "none"),
    ]
    assert findings[0].slots == {"roles": "gateway"}


def test_every_sentence_can_be_said() -> None:
    folder = Path(inside.__file__).parent
    source = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    keys = [key.split(".") for key in catalogue("doctor", "en").templates if not key.startswith("diagnosis")]
    usual = {"right", "wrong", "unknown"}  # what a finding is if it is not told apart from others
    assert not [key for key in keys if f'"{key[0]}"' not in source]
    assert not [key for key in keys if key[1] not in usual and f'"{key[1]}"' not in source]
