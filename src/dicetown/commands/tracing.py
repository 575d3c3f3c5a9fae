"""Traces of a service, where somebody asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from dicetown.commands.inputs import UsageProblem
from dicetown.errors import MissingExtra

if TYPE_CHECKING:
    from dicetown.server.common.traces import Traces


def traces_to(collector: str | None) -> Traces | None:
    """Traces, if they are asked for; whom only the surroundings ask is told why there are none."""
    from dicetown.server.common.traces import is_asked_for_here, send_traces

    if collector is None and not is_asked_for_here():
        return None
    if collector is not None and not collector.startswith(("http://", "https://")):
        raise UsageProblem(
            f'"{collector}" is no address of a collector; one looks like http://127.0.0.1:4318.'
        )
    try:
        return send_traces(collector)
    except MissingExtra as problem:
        if collector is not None:
            raise
        structlog.get_logger("dicetown").warning("no traces", problem=str(problem))
        return None
