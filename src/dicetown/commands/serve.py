"""``dicetown serve``: the table in the browser."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from functools import partial
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Annotated

import typer

from dicetown.commands.databases import key_file, usual_place, with_folder
from dicetown.commands.inputs import UsageProblem
from dicetown.commands.options import Database, unset
from dicetown.commands.thinking import LISTEN, Thinker, think
from dicetown.commands.tracing import traces_to
from dicetown.server.common.logs import FORMATS, LEVELS, set_up_logs, usual_level
from dicetown.server.common.settings import Settings, read_limits

if TYPE_CHECKING:
    from dicetown.server.cluster.roles import Part
    from dicetown.server.workers.thinkers import Thinkers

#: Parts of a service of several processes.
ROLES = ("game", "gateway", "thinker")


def run(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    db: Database = None,
    secret: Annotated[
        str | None,
        unset(
            "The key that guests' cookies are signed with; else one is kept beside the database.",
            envvar="DICETOWN_SECRET",
        ),
    ] = None,
    grace: Annotated[
        float, typer.Option(help="Seconds until a bot plays for somebody who is gone.", min=0)
    ] = 60.0,
    origin: Annotated[
        list[str] | None,
        unset("Another address of the page, as behind a proxy that does not pass the host on.", "URL"),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        unset("A name that the table is opened by, besides this machine's own; addresses need none.", "NAME"),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        unset(
            "A proxy on another machine, which is believed whom it speaks for: an address or a network.",
            "ADDRESS",
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        unset(
            "A bot of yours that guests can give a seat, as often as needed: 'My agent=pipe:COMMAND'.",
            "NAME=BOT",
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        unset(
            "How much may be done, as often as needed: tables_of_address=500; docs/running.md has more.",
            "NAME=NUMBER",
        ),
    ] = None,
    abandoned_days: Annotated[
        float,
        typer.Option(
            help="Days without anybody after which a game of one person against bots is closed; "
            "it goes on when they come back.",
            min=0.01,
        ),
    ] = 7.0,
    keep_days: Annotated[
        int | None,
        typer.Option(
            help="Days after which tables that have ended are deleted for good.",
            min=1,
            show_default="for ever",
        ),
    ] = None,
    prepare: Annotated[
        bool,
        typer.Option(
            help="Compile what hints need in the background, before anybody asks for one.",
            envvar="DICETOWN_PREPARE",
        ),
    ] = True,
    thinkers: Annotated[
        str | None,
        unset("Thinkers elsewhere, who are asked for all that takes time: HOST:PORT, with commas.", "WHERE"),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            help="Processes that look after tables; more than one need PostgreSQL, and get a gateway.",
            min=1,
            max=64,
        ),
    ] = 1,
    role: Annotated[
        str | None,
        unset(
            "Be one part of a service of several processes, which all have the same --db and --secret: game "
            "looks after tables, gateway keeps the pages' connections; thinker serves no table, and only "
            "thinks: for workers of the same PostgreSQL, or for services that name it (--thinkers)."
        ),
    ] = None,
    known_as: Annotated[
        str | None,
        unset("Where the other parts reach this one, if not where it listens: HOST:PORT.", "ADDRESS"),
    ] = None,
    listen: Annotated[
        str, typer.Option(help="Where a thinker listens; only machines you trust should reach it.")
    ] = LISTEN,
    at_once: Annotated[
        int, typer.Option(help="How much of each kind a thinker thinks about at once.", min=1, max=256)
    ] = 1,
    log_level: Annotated[
        str | None, unset("debug, info, warning or error; usually warning at a terminal and info elsewhere.")
    ] = None,
    log_format: Annotated[
        str | None, unset("json or text; usually text at a terminal and json elsewhere.")
    ] = None,
    traces: Annotated[
        str | None,
        unset(
            "Where traces are sent: a collector of OpenTelemetry; needs the extra dicetown\\[traces].",
            "URL",
        ),
    ] = None,
    inherited: Annotated[int | None, typer.Option("--socket", hidden=True)] = None,
) -> None:
    """Serve the table in the browser: play with people here, with friends by link, with bots.

    Ctrl-C ends it; the games go on from where they were when it is started again.

    For example: dicetown serve --open

    Or, for everybody in the house: dicetown serve --host 0.0.0.0 --port 8080

    Or: dicetown serve --db postgresql://dicetown@localhost/dicetown

    Or, with a bot of your own: dicetown serve --bot 'My agent=pipe:python3 my_agent.py'

    Or, with another machine that thinks: dicetown serve --thinkers 10.0.0.7:8100, and there:
    dicetown serve --role thinker --listen 10.0.0.7:8100

    Or, for many: dicetown serve --workers 4 --db postgresql://dicetown@localhost/dicetown
    """
    # Who only asks for help does not wait for all of the service.
    from dicetown.server.workers.own_bots import read_bots

    level = log_level or usual_level()
    if level not in LEVELS:
        raise UsageProblem(f'There is no log level "{level}"; known: {", ".join(LEVELS)}.')
    if log_format is not None and log_format not in FORMATS:
        raise UsageProblem(f'There is no log format "{log_format}"; known: {", ".join(FORMATS)}.')
    set_up_logs(level, log_format)
    if role not in (None, *ROLES):
        raise UsageProblem(f'There is no role "{role}"; known: {", ".join(ROLES)}.')
    place = db or usual_place()
    if role == "thinker":
        key = secret or _keep_key(place)
        job = Thinker(key, read_bots(bot or ()), read_limits(limit or ()), at_once, prepare, db, known_as)
        return think(listen, job)
    settings = Settings(
        grace=grace,
        limits=read_limits(limit or ()),
        origins=tuple(page.rstrip("/") for page in origin or ()),
        names=_names(host, host_name or ()),
        proxies=tuple(_proxy(proxy) for proxy in trusted_proxy or ()),
        bots=read_bots(bot or ()),
        abandoned_days=abandoned_days,
        keep_days=keep_days,
        prepare=prepare,
    )
    from dicetown.server.cluster.roles import Part
    from dicetown.server.web.run import open_socket

    found = open_socket(host, port) if inherited is None else socket.socket(fileno=inherited)
    try:
        key = secret or _keep_key(place)
        elsewhere = partial(_thinkers, thinkers, key, settings, others_tell=role == "game")
        part = Part(place, settings, key, found, elsewhere, partial(traces_to, traces), known_as or "")
        _run(context, part, role, workers, open_page)
    finally:
        found.close()


def _keep_key(place: str) -> str:
    """The key that lies beside the database; beside what cannot be one, none is made."""
    from dicetown.server.store.opening import check_can_be_ours
    from dicetown.server.web.guests import keep_secret

    check_can_be_ours(place)
    return keep_secret(key_file(with_folder(place)))


def _run(context: typer.Context, part: Part, role: str | None, workers: int, open_page: bool) -> None:
    """Be all of the service, a part of it, or who starts all parts."""
    from dicetown.commands.supervising import supervise
    from dicetown.server.cluster.roles import run_alone, run_gateway, run_worker
    from dicetown.server.cluster.supervisor import SUPERVISED

    if role == "game":
        run_worker(part, SUPERVISED in os.environ)
    elif role == "gateway":
        run_gateway(part, SUPERVISED in os.environ)
    elif workers > 1:
        supervise(context, part, workers, open_page)
    else:
        run_alone(part, open_page)


def _thinkers(where: str | None, secret: str, settings: Settings, *, others_tell: bool) -> Thinkers | None:
    """Who thinks, if not only the processes of this service: who is named, or tells the workers of itself."""
    from dicetown.server.workers.remote_thinkers import RemoteThinkers
    from dicetown.server.workers.talk import key_of

    addresses = [address.strip() for address in (where or "").split(",") if address.strip()]
    if not addresses and not others_tell:
        return None
    return RemoteThinkers(addresses, key_of(secret), settings.bots, settings.limits)


def _names(host: str, given: Sequence[str]) -> tuple[str, ...]:
    """What the service is called: as was said, and where it listens."""
    from dicetown.server.web.host_names import is_name

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
