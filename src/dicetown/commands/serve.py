"""``dicetown serve``: the table in the browser."""

from __future__ import annotations

import time
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path

import structlog
from platformdirs import user_data_path

from dicetown import __version__
from dicetown.commands.inputs import UsageProblem
from dicetown.errors import DicetownError
from dicetown.server.common.logs import LEVELS, set_up_logs, usual_level
from dicetown.server.common.settings import Settings, read_limits
from dicetown.server.store.database_url import shown
from dicetown.server.web.app import make_app
from dicetown.server.web.guests import keep_secret
from dicetown.server.web.host_names import is_name
from dicetown.server.web.run import address_of, be_quick, make_server, open_socket, serve
from dicetown.server.web.service import Service
from dicetown.server.web.site import NOT_BUILT, is_built
from dicetown.server.workers.own_bots import read_bots

_APP = "dicetown"


def run(
    host: str,
    port: int,
    open_page: bool,
    db: str | None,
    secret: str | None,
    grace: float,
    origins: Sequence[str],
    names: Sequence[str],
    proxies: Sequence[str],
    bots: Sequence[str],
    limits: Sequence[str],
    abandoned_days: float,
    keep_days: int | None,
    prepare: bool,
    level: str | None,
) -> int:
    """Serve until somebody ends it."""
    level = level or usual_level()
    if level not in LEVELS:
        raise UsageProblem(f'There is no log level "{level}"; known: {", ".join(LEVELS)}.')
    set_up_logs(level)
    place = db or usual_place()
    pages = tuple(origin.rstrip("/") for origin in origins)
    house = Settings(
        grace=grace,
        limits=read_limits(limits),
        origins=pages,
        names=_names(host, names),
        proxies=tuple(_proxy(proxy) for proxy in proxies),
        bots=read_bots(bots),
        abandoned_days=abandoned_days,
        keep_days=keep_days,
        prepare=prepare,
    )
    found = open_socket(host, port)
    try:
        began, log = time.monotonic(), structlog.get_logger("dicetown")
        place = with_folder(place)
        key = secret or keep_secret(key_file(place))
        service = Service(place, house)
        server = make_server(make_app(service, key))
        service.end = server.end
        log.info("start", version=__version__, address=address_of(found), database=shown(place))
        print(f"Dicetown is at {address_of(found)} — Ctrl-C ends it.", flush=True)
        if not is_built():
            print(NOT_BUILT, flush=True)
        be_quick()
        serve(server, found, open_page)
        ended = time.monotonic()
        took = round(ended - (server.asked_at or ended), 2)
        log.info("end", why=server.why or "it did not begin", ran=round(ended - began, 1), took=took)
    finally:
        found.close()
    if service.store.is_surpassed:
        raise DicetownError("Another Dicetown has the database now, so this one has ended.")
    return 0


def _names(host: str, given: Sequence[str]) -> tuple[str, ...]:
    """What the service is called: as was said, and where it listens."""
    for name in given:
        if not is_name(name):
            raise UsageProblem(
                f'"{name}" is no name of a host; one looks like table.example, without a port.'
            )
    return (*given, host)


def _proxy(text: str) -> str:
    """The address or network of a proxy."""
    try:
        return str(ip_network(text, strict=False) if "/" in text else ip_address(text))
    except ValueError:
        raise UsageProblem(
            f'"{text}" is no address of a proxy; one looks like 10.0.0.7, a network of them like 10.0.0.0/24.'
        ) from None


def usual_place() -> str:
    """Where tables are kept if nobody says otherwise."""
    return str(_home() / "tables.db")


def _home() -> Path:
    return user_data_path(_APP, appauthor=False)


def with_folder(place: str) -> str:
    """The place of the database; the folder of a file is made if it is missing, for its owner alone."""
    if "://" not in place:
        folder = Path(place).expanduser().absolute().parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageProblem(f"{folder}: the folder cannot be made ({problem.strerror}).") from None
    return place


def key_file(place: str) -> Path:
    """Where the key of the cookies is kept: beside the database, if that is a file."""
    return _home() / "guests.key" if "://" in place else Path(f"{Path(place).expanduser()}.key")
