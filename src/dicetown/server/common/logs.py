"""Logs: one JSON object a line for machines, coloured lines for a person at a terminal.

What happens is told at info: the service begins and ends, tables are made and closed, chores fail. Names of
guests, what they say and secrets are in no line at all, so tracebacks come without the values of variables,
and without what errors quote that are about something sent. At debug every entry has its line, too.
And no attack fills the disk: what is said again and again is said once a minute, with a count.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

import structlog
import structlog.tracebacks
from pydantic import ValidationError

EVERY = 60.0
_MOST_KINDS = 200
#: Those who speak about single connections, which strangers can make as many of as they like.
_TALKATIVE = (
    *("uvicorn.error", "asyncio", "websockets", "dicetown.gate"),
    # And about a collector of traces that is away, which is said for every batch.
    *("opentelemetry.exporter.otlp.proto.http.trace_exporter", "opentelemetry.sdk._shared_internal"),
)
LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("json", "text")
_UNTOLD = "(it would quote what was sent)"
_as_data = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)


def usual_level() -> str:
    """The level where none is asked for: who plays at a terminal hears of problems only."""
    return "warning" if sys.stderr.isatty() else "info"


def usual_format() -> str:
    """The form where none is asked for: lines for a person at a terminal, else JSON."""
    return "text" if sys.stderr.isatty() else "json"


def tells_everything() -> bool:
    """Whether every single entry is to be told; quick to ask."""
    return _ours.isEnabledFor(logging.DEBUG)


def set_up_logs(level: str, form: str | None = None) -> None:
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
    last: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_write_traceback)]
        if (form or usual_format()) == "text"
        else [
            structlog.processors.ExceptionRenderer(_traceback_as_data),
            structlog.processors.JSONRenderer(),
        ]
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
    # What libraries say about every connection is for those who ask for it; never what they say at debug,
    # which is every message and every head of a request, with the words and the cookies in it.
    for name in ("uvicorn.error", "websockets", "alembic"):
        logging.getLogger(name).setLevel("INFO" if level == "debug" else "WARNING")


# ------------------------------------------------------------------------- no quotations


def _all_of(problem: BaseException | None) -> Iterator[BaseException]:
    """A problem, and those that it came from."""
    seen: set[int] = set()
    waiting = [problem]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


def _unquoted(text: str, problem: BaseException | None) -> str:
    """A text about a problem, without what pydantic quotes: it shows the value that it did not like."""
    for one in _all_of(problem):
        if isinstance(one, ValidationError):
            text = text.replace(str(one), _UNTOLD)
    return text


def _write_traceback(stream: TextIO, problem: structlog.typing.ExcInfo) -> None:
    stream.write("\n" + _unquoted("".join(traceback.format_exception(*problem)).rstrip(), problem[1]))


def _traceback_as_data(exc_info: structlog.typing.ExcInfo) -> Any:
    stacks: list[dict[str, Any]] = _as_data(exc_info)
    for stack in stacks:
        stack["exc_value"] = _unquoted(stack["exc_value"], exc_info[1])
    return stacks


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


_ours = logging.getLogger("dicetown")
_throttle = LogThrottle()


def throttle_logs() -> None:
    """Let no attack fill the disk."""
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_throttle)
