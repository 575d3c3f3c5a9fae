"""Logs that do not grow with an attack: what is said again and again is said once a minute, with a count."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

EVERY = 60.0
_MOST_KINDS = 200
#: Those who speak about single connections, which strangers can make as many of as they like.
_TALKATIVE = ("uvicorn.error", "asyncio", "websockets", "dicetown.gate")


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
