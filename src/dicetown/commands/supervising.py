"""``dicetown serve --workers N``: starting all parts of a service on this machine."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from dicetown.server.cluster.roles import Part

#: Options that are not handed on to the processes that are started; the secret is, but not in words that
#: everybody on the machine can read.
_OF_ITS_OWN = ("host", "port", "open_page", "secret", "workers", "role", "known_as", "inherited")
#: And those of thinkers, which are started by themselves.
_OF_THINKERS = ("listen", "at_once")


def supervise(context: typer.Context, part: Part, workers: int, open_page: bool) -> None:
    """Start a gateway and some workers, and whichever dies again; end with their exit status."""
    from sqlalchemy.exc import SQLAlchemyError

    from dicetown.server.cluster.supervisor import Supervisor
    from dicetown.server.store.membership import Share
    from dicetown.server.store.registry import forget
    from dicetown.server.web.run import address_of, open_soon

    share = Share(part.place)  # what is wrong with it is said once, and not by every worker

    def mourn(pid: int) -> None:
        with suppress(SQLAlchemyError):  # then the others find out by themselves
            forget(share.engine, pid)

    def ready() -> None:
        print(f"Dicetown is at {address_of(part.found)} — Ctrl-C ends it.", flush=True)
        if open_page:
            open_soon(part.found)

    words = ["serve", *_same(context), "--host-name", context.params["host"]]
    supervisor = Supervisor(words, part.secret, workers, part.found.fileno(), mourn)
    share.end = supervisor.end
    try:
        status = supervisor.run(ready)
    finally:
        share.close()
    raise typer.Exit(status)


def _same(context: typer.Context) -> list[str]:
    """The options that were given, for a process of its own."""
    words: list[str] = []
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if option.name in (*_OF_ITS_OWN, *_OF_THINKERS) or value is None or not option.opts:
            continue
        if isinstance(value, bool):
            words += [option.opts[0]] if value else option.secondary_opts[:1]
        else:
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option.opts[0], str(one)]
    return words
