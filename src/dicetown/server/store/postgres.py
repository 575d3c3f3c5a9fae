"""Connections to PostgreSQL that do not wait for ever.

A server that stands still, or a network that is gone, sends neither an answer nor an error, and PostgreSQL's
own limits help only as long as it runs. So there is a limit on this side: who waits too long hangs up.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event

from dicetown.server.common.settings import Timeouts

#: For a network that vanishes without a word, in seconds: silence before it is asked, then how often.
_KEEPALIVE = {"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
#: The server does the same: the lock of a service whose machine has vanished must not be held for hours.
_KEEPALIVE_OF_SERVER = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}


class PatientConnection(psycopg.Connection[Any]):
    """A connection that hangs up when an answer takes too long."""

    timeouts = Timeouts()
    takes_time = False  # whether what is done now may take as long as it needs

    def wait(self, gen: Generator[Any, Any, Any], *more: Any, **named: Any) -> Any:
        """Wait for an answer; everything that is sent is waited for here."""
        return super().wait(self._patiently(gen), *more, **named)

    def _patiently(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass everything on; several times a second we are woken without anything being ready."""
        began = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and self._is_too_long(time.monotonic() - began):
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"no answer within {self.timeouts.answer:g} seconds")
                wanted = gen.send(ready)
        except StopIteration as answer:
            return answer.value

    def _is_too_long(self, seconds: float) -> bool:
        return self.timeouts.are_over or (seconds > self.timeouts.answer and not self.takes_time)


def open_postgres(url: URL, timeouts: Timeouts) -> Engine:
    """The engine of a database on PostgreSQL."""
    settings = {"statement_timeout": int(timeouts.answer * 1000)} | _KEEPALIVE_OF_SERVER
    in_words = " ".join(f"-c {name}={value}" for name, value in settings.items())
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        hide_parameters=True,
        pool_timeout=timeouts.answer,
        connect_args=_KEEPALIVE
        | {
            "options": f"{in_words} {url.query.get('options', '')}".strip(),
            "connect_timeout": timeouts.connect,
            "tcp_user_timeout": int(timeouts.answer * 1000),
        },
    )

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Any, record: Any, arguments: Any, named: Any) -> PatientConnection:
        connection = PatientConnection.connect(*arguments, **named)
        connection.timeouts = timeouts
        if timeouts.are_over:  # whoever wanted it has gone
            connection.close()
            raise psycopg.OperationalError("the service ends")
        return connection

    @event.listens_for(engine, "handle_error")
    def be_discreet(context: ExceptionContext) -> None:
        # After the first line PostgreSQL quotes what was to be stored, and that is nothing for a log.
        for problem in (context.original_exception, context.sqlalchemy_exception):
            if problem is not None and problem.args:
                problem.args = ((str(problem.args[0]).splitlines() or [""])[0], *problem.args[1:])

    return engine


def take_time(connection: Connection) -> None:
    """Let what is done with a connection take as long as it needs; it is not used for anything else."""
    connection.detach()
    kept: Any = connection.connection.dbapi_connection
    kept.takes_time = True
    connection.exec_driver_sql("SET statement_timeout = 0")
