"""The proxies of `deploy/`, as they are shipped, in front of a service: people play through them with TLS."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.patience import PATIENCE
from tests.programs import program
from tests.running import Run
from tests.server.site import Guest, Site, site
from tests.server.test_cluster import Player

DEPLOY = Path(__file__).parents[2] / "deploy"
#: Debian has it where only root looks for programs.


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def replace(text: str, **places: str) -> str:
    """Put what is this machine's own in place of what a file names; each of it must be there."""
    for old, new in places.items():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine, which nobody but we trust; and its key."""
    folder = tmp_path_factory.mktemp("tls")
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    names = "subjectAltName=DNS:localhost,DNS:table.example"
    command = [
        program("openssl", "openssl"),
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "30",
        "-subj",
        "/CN=localhost",
    ]
    command += ["-addext", names, "-keyout", str(key), "-out", str(chain)]
    subprocess.run(command, check=True, capture_output=True)
    return chain, key


def nginx(folder: Path, port: int, behind: str, chain: Path, key: Path) -> list[str]:
    """The shipped file inside the smallest nginx.conf that there is; the command that runs it."""
    shipped = replace(
        (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
        **{"listen 443 ssl": f"listen 127.0.0.1:{port} ssl", "127.0.0.1:8000": behind},
        **{"/etc/ssl/table.example/fullchain.pem": str(chain)},
        **{"/etc/ssl/table.example/privkey.pem": str(key)},
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    around = f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
    written = folder / "nginx.conf"
    written.write_text(f"{around}http {{\naccess_log off;\n{folders}{shipped}}}\n", encoding="utf-8")
    return [program("nginx", "nginx-light"), "-e", "stderr", "-c", str(written)]


def caddy(folder: Path, port: int, behind: str, chain: Path, key: Path) -> list[str]:
    """The shipped file with a certificate of our own; the command that runs it."""
    site_of_ours = (
        f"https://localhost:{port}, https://table.example:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}"
    )
    shipped = replace(
        (DEPLOY / "Caddyfile").read_text(encoding="utf-8"),
        **{"\ntable.example {": f"\n{site_of_ours}", "127.0.0.1:8000": behind},
    )
    written = folder / "Caddyfile"
    written.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{shipped}", encoding="utf-8")
    return [program("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", str(written)]


@contextmanager
def proxied(command: list[str], port: int, folder: Path) -> Iterator[str]:
    """A proxy that runs; where people come."""
    with (folder / "log").open("w+") as log:
        proxy = subprocess.Popen(command, stdout=log, stderr=log, env={"HOME": str(folder)})
        try:
            ends = time.monotonic() + PATIENCE
            while proxy.poll() is None and not _listens(port):
                assert time.monotonic() < ends
                time.sleep(0.02)
            assert proxy.poll() is None, (folder / "log").read_text()
            yield f"https://localhost:{port}/"
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def outside(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[Site, str]]:
    """A service that knows its name, and where people come to it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))  # who comes trusts our certificate
    port = free_port()
    with site(tmp_path, names=("table.example",)) as here:
        behind = here.address.removeprefix("http://").strip("/")
        command = request.param(tmp_path, port, behind, *certificate)
        with proxied(command, port, tmp_path) as address:
            yield here, address


def test_people_play_through_a_proxy(outside: tuple[Site, str], dicetown: Run) -> None:
    here, address = outside
    guest = Guest(address)
    [cookie] = guest.client.cookies.jar
    assert cookie.secure
    code = guest.make("me", "here")
    with guest.live(code, Origin=address.rstrip("/")) as line:
        player = Player(line, "proxied")
        player.hear()
        player.play(3)
        assert list(player.done.values())[-1] == player.number
    guest.client.close()
    by_name = httpx.get(f"{address}api/editions", headers={"Host": "table.example"})
    assert by_name.status_code == 200
    for path in ("metrics", "metrics/targets", "readyz"):
        assert httpx.get(f"{address}{path}").status_code == 404
    assert httpx.get(f"{here.address}metrics").status_code == 200
    ran = dicetown("doctor", address)
    assert ran.status == 0, ran.out
    assert "All is well." in ran.out


def test_the_service_knows_who_comes_and_nobody_claims_another_address(
    outside: tuple[Site, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, address = outside
    seen: list[str] = []
    monkeypatch.setattr(here.service.request_rate, "check", seen.append)
    for source in ("127.0.0.1", "127.0.0.2"):
        with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
            answer = client.get(f"{address}api/me", headers={"X-Forwarded-For": "192.0.2.66"})
            assert answer.status_code == 200
    assert seen == ["127.0.0.1", "127.0.0.2"]
