"""Logs: one JSON object a line for machines, coloured lines for a person at a terminal.

What happens is told at info: the service begins and ends, tables are made and closed, chores fail. Names of
guests, what they say and secrets are in no line at all, so tracebacks come without the values of variables.
And no attack fills the disk: what is said again and again is said once a minute, with a count.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
import structlog.tracebacks

EVERY = 60.0
_MOST_KINDS = 200
#: Those who speak about single connections, which strangers can make as many of as they like.
_TALKATIVE = ("uvicorn.error", "asyncio", "websockets", "dicetown.gate")
LEVELS = ("debug", "info", "warning", "error")
_tracebacks = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


def usual_level() -> str:
    """The level where none is asked for: who plays at a terminal hears of problems only."""
    return "warning" if sys.stderr.isatty() else "info"


def set_up_logs(level: str) -> None:
    """Send all that the service and its libraries log to stderr, in one form."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    at_terminal = sys.stderr.isatty()
    last: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if at_terminal
        else [_tracebacks, structlog.processors.JSONRenderer()]
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # What libraries say about every connection is for those who ask for it.
    for name in ("uvicorn.error", "websockets", "alembic"):
        logging.getLogger(name).setLevel("DEBUG" if level == "debug" else "WARNING")


# ---------------------------------------------------------------------------- not too much


@dataclass(slots=True)
class _Said:
    at: float
    since: int = 0  # times that it was not said


class LogThrottle(logging.Filter):
    """Lets each kind of line through once a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[tuple[object, ...], _Said] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it; if so, with how often it was not said since the last time."""
        now, kind = self._clock(), _kind_of(record)
        said = self._said.get(kind)
        if said is not None and now - said.at < EVERY:
            said.since += 1
            return False
        if said is not None and said.since:
            record.msg = f"{record.getMessage()} ({said.since} times more in the last {now - said.at:.0f} s)"
            record.args = ()
        elif len(self._said) >= _MOST_KINDS:
            del self._said[next(iter(self._said))]
        self._said[kind] = _Said(now)
        return True


def _kind_of(record: logging.LogRecord) -> tuple[object, ...]:
    """What makes lines alike: who says them, how they begin, and where the problem is that they are about."""
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace is not None else None
    return record.name, record.levelno, str(record.msg).partition("\n")[0], place


_throttle = LogThrottle()


def throttle_logs() -> None:
    """Let no attack fill the disk."""
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_throttle)
