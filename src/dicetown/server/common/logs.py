"""Logs: one JSON object a line for machines, coloured lines for a person at a terminal.

What happens is told at info: the service begins and ends, tables are made and closed, chores fail. Names of
guests, what they say and secrets are in no line at all, so tracebacks come without the values of variables.
"""

from __future__ import annotations

import logging
import sys

import structlog
import structlog.tracebacks

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
