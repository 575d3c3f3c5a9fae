"""Traces, of single actions: OpenTelemetry, where it is asked for and its packages are there.

Spans are made when all is over, of moments that were noted anyway: an action waits for nothing, and where
no traces are wanted, nothing of this is even imported. A span tells what kind of thing was done, which entry
came of it and how it ended. It tells no name, no word, and no table's code, for whoever has that can come in.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from dicetown import __version__
from dicetown.extras import need
from dicetown.server.common.metrics import Journey, Metrics

#: Where spans are sent, as all programs with OpenTelemetry are told; this one wins.
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PATH = "/v1/traces"
_SECOND = 1_000_000_000
_FAREWELL = 2.0  # seconds that a collector is waited for when the service ends
_OURS = "dicetown."


def is_asked_for_here() -> bool:
    """Whether the surroundings of the process ask for traces."""
    return any(os.environ.get(name) for name in ENDPOINTS)


class Traces:
    """Makes spans of what a service has done."""

    def __init__(self, tracer: Any, close: Callable[[], object]) -> None:
        trace, status = need("traces", "opentelemetry.trace", "opentelemetry.trace.status", what="Tracing")
        self._tracer = tracer
        self._close = close
        self._inside = trace.set_span_in_context
        self._failed = status.Status(status.StatusCode.ERROR)
        self._whole: Any = need("traces", "opentelemetry.context", what="Tracing")[0].Context()

    def watch(self, metrics: Metrics) -> None:
        """Make spans of everything that is measured from now on."""
        metrics.trace = self.tell_journey
        metrics.trace_thinking = self.tell_thinking

    def tell_journey(self, journey: Journey) -> None:
        """A span for a message, or for what a table did by itself; in it one for each stage it came to."""
        moment = _moments()
        began = journey.received or journey.decided
        name = "message" if journey.received else "table"
        told = {_OURS + "kind": journey.kind}
        if journey.entry:
            told[_OURS + "entry"] = str(journey.entry)
        if journey.code:
            told[_OURS + "refused"] = journey.code
        whole = self._tracer.start_span(name, self._whole, attributes=told, start_time=moment(began))
        if journey.code:
            whole.set_status(self._failed)
        inside = self._inside(whole, self._whole)
        stages = (
            ("decide", journey.received, journey.decided or journey.ended),
            ("store", journey.decided, journey.stored or journey.ended),
            ("tell", journey.stored, journey.told or journey.ended),
        )
        for stage, start, end in stages:
            if start:
                self._tracer.start_span(stage, inside, start_time=moment(start)).end(moment(end))
        whole.end(moment(journey.ended))

    def tell_thinking(self, bot: str, began: float, is_done: bool) -> None:
        """A span for a bot that has thought."""
        moment = _moments()
        span = self._tracer.start_span(
            "think", self._whole, attributes={_OURS + "bot": bot}, start_time=moment(began)
        )
        if not is_done:
            span.set_status(self._failed)
        span.end(moment(time.perf_counter()))

    def close(self) -> None:
        """Send what waits, and no more; a collector that is away keeps nobody from ending."""
        closing = threading.Thread(target=self._close, name="traces", daemon=True)
        closing.start()
        closing.join(_FAREWELL)


def _moments() -> Callable[[float], int]:
    """What turns moments of the clock for intervals into times of day, in nanoseconds."""
    now, today = time.perf_counter(), time.time_ns()
    return lambda moment: today - round((now - moment) * _SECOND)


def send_traces(endpoint: str | None = None) -> Traces:
    """Traces that are sent to a collector over HTTP, in batches and from a thread of their own.

    Without an endpoint it is where the surroundings say; a sentence, if the packages are not there.
    """
    sdk, export, resources, otlp = need(
        "traces",
        "opentelemetry.sdk.trace",
        "opentelemetry.sdk.trace.export",
        "opentelemetry.sdk.resources",
        "opentelemetry.exporter.otlp.proto.http.trace_exporter",
        what="Tracing",
    )
    resource = resources.Resource.create({"service.name": "dicetown", "service.version": __version__})
    provider = sdk.TracerProvider(resource=resource, shutdown_on_exit=False)
    exporter = otlp.OTLPSpanExporter(endpoint=_whole(endpoint) if endpoint else None)
    provider.add_span_processor(export.BatchSpanProcessor(exporter))
    return Traces(provider.get_tracer("dicetown", __version__), provider.shutdown)


def _whole(endpoint: str) -> str:
    """Where spans are sent to, at a collector's address.

    >>> _whole("http://127.0.0.1:4318"), _whole("https://collector.example/tenant/v1/traces")
    ('http://127.0.0.1:4318/v1/traces', 'https://collector.example/tenant/v1/traces')
    """
    return endpoint if endpoint.endswith(_PATH) else endpoint.rstrip("/") + _PATH
