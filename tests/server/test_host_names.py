"""By which names the service is called, and who is believed for whom they speak."""

import json
import socket
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import httpx
import pytest
import typer
from tests.patience import PATIENCE
from tests.server.site import Site, site
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from dicetown.commands import serve
from dicetown.server.common.settings import Limits, Settings

NAMED = "table.example"


def asked(here: Site, host: str, path: str = "/api/editions", **headers: str) -> httpx.Response:
    """What comes of a request to a host of that name, which leads here."""
    return httpx.get(f"{here.address.rstrip('/')}{path}", headers={"host": host, **headers})


def test_addresses_and_own_names_need_no_setting(tmp_path: Path) -> None:
    machine = socket.gethostname()
    with site(tmp_path) as here:
        for host in (
            *("127.0.0.1", "127.0.0.1:8000", "192.168.1.20:9000", "[::1]", "[fe80::1]:8000", "10.0.0.1"),
            *("localhost", "LocalHost:8000", "localhost.", "games.localhost"),
            *(machine, f"{machine.partition('.')[0]}.local:8000", f"{machine.partition('.')[0]}.lan"),
        ):
            assert asked(here, host).status_code == 200, host


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", "a b", "1.2.3", NAMED, "é"],
)
def test_a_name_that_leads_here_without_being_ours_is_refused(tmp_path: Path, host: str) -> None:
    with site(tmp_path) as here:
        for path in ("/api/me", "/", "/healthz", "/metrics", "/api/nothing"):
            answer = httpx.get(f"{here.address.rstrip('/')}{path}", headers={b"host": host.encode()})
            assert answer.status_code in (400, 421), path  # 400: no name at all
            assert "set-cookie" not in answer.headers
            assert "x-content-type-options" in answer.headers or answer.status_code == 400


def test_live_connections_to_such_a_name_are_refused(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        code = here.guest().make("me", "here")
        with pytest.raises(InvalidStatus) as refused:
            live(here, code, "evil.example")
        assert refused.value.response.status_code == 403


def live(here: Site, code: str, host: str) -> str:
    """The first word over a live connection to a host of that name, which leads here."""
    port = urlsplit(here.address).port
    to_here = socket.create_connection(("127.0.0.1", port))
    address, origin = f"ws://{host}:{port}/api/tables/{code}/live", f"http://{host}:{port}"
    with to_here, connect(address, sock=to_here, additional_headers={"Origin": origin}) as line:
        kind: str = json.loads(line.recv(PATIENCE))["type"]
        return kind


def test_the_refusal_says_what_to_do_in_the_readers_language(tmp_path: Path) -> None:
    with site(tmp_path) as here:
        for language, word in (
            ("en", "answer to the name"),
            ("es", "no atiende"),
            ("de", "hört dieser Tisch"),
        ):
            headers = {"accept-language": language}
            page = asked(here, f"{NAMED}:8000", "/", **headers)
            assert page.headers["content-type"].startswith("text/plain")
            assert word in page.text
            assert f"--host-name {NAMED}" in page.text
            refused = asked(here, NAMED, **headers).json()
            assert (refused["code"], refused["message"]) == ("wrong_host", page.text)
        assert "script" not in asked(here, "<script>", "/").text


def test_a_name_that_was_given_is_answered_to(tmp_path: Path) -> None:
    with site(tmp_path, names=(NAMED,), origins=("https://other.example",)) as here:
        for host in (NAMED, "TABLE.example:443", "other.example"):
            assert asked(here, host).status_code == 200
        assert asked(here, f"www.{NAMED}").status_code == 421
        assert live(here, here.guest().make("me", "here"), NAMED) == "welcome"


# --------------------------------------------------------------------------------- proxies


def test_who_comes_through_a_trusted_proxy_is_known_by_the_own_address_and_gets_a_secure_cookie(
    tmp_path: Path,
) -> None:
    with site(tmp_path, limits=Limits(requests=(0.001, 2))) as here:
        for guest in ("198.51.100.1", "198.51.100.2", "2001:db8::1"):
            forwarded = {"x-forwarded-for": guest, "x-forwarded-proto": "https"}
            for status in (200, 200, 429):
                answer = asked(here, "127.0.0.1", **forwarded)
                assert answer.status_code == status, guest
                assert "; Secure" in answer.headers["set-cookie"]


def test_only_those_are_believed_who_are_trusted(tmp_path: Path) -> None:
    forwarded = {"x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https"}
    proxied = {"x-forwarded-for": "198.51.100.1, 10.0.0.7", "x-forwarded-proto": "https"}
    with site(tmp_path, limits=Limits(requests=(0.001, 1))) as here:
        assert asked(here, "127.0.0.1", **proxied).status_code == 200  # counted for 10.0.0.7
        assert asked(here, "127.0.0.1", **forwarded).status_code == 200
    with site(tmp_path, limits=Limits(requests=(0.001, 1)), proxies=("10.0.0.0/24",)) as here:
        assert asked(here, "127.0.0.1", **proxied).status_code == 200  # counted for who stands behind it
        assert asked(here, "127.0.0.1", **forwarded).status_code == 429


@pytest.mark.parametrize(
    ("given", "meant"),
    [("10.0.0.7", "10.0.0.7"), ("10.0.0.7/24", "10.0.0.0/24"), ("2001:DB8::1", "2001:db8::1")],
)
def test_the_command_hands_on_what_it_was_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str, meant: str
) -> None:
    told: list[Settings] = []

    class Told(Exception):
        """That is enough."""

    def service(place: str, settings: Settings, **more: object) -> None:
        told.append(settings)
        raise Told

    monkeypatch.setattr("dicetown.server.cluster.roles.Service", service)
    place = str(tmp_path / "tables.db")
    with pytest.raises(Told):
        serve.run(
            cast(typer.Context, None),  # only who starts other processes looks at it
            "localhost",
            port=0,
            db=place,
            host_name=[NAMED],
            trusted_proxy=[given],
            prepare=False,
            log_level="warning",
        )
    assert told[0].names == (NAMED, "localhost")
    assert told[0].proxies == (meant,)
