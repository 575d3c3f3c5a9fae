"""Traces: a span for each thing that is done, with one for each stage, and nothing in them about anybody."""

import asyncio
import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs
from tests.server.sitting import ANA, seated, until

from dicetown.commands.tracing import traces_to
from dicetown.server import wire
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.traces import ENDPOINTS, Traces, send_traces
from dicetown.server.wire.refusals import Refused

_SDK = "opentelemetry.sdk.trace"


class Kept:
    """Traces that are kept in memory."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.traces = Traces(provider.get_tracer("test"), provider.shutdown)

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def inside(self, whole: ReadableSpan) -> list[ReadableSpan]:
        """The spans of a span's stages, in order."""
        assert whole.context is not None
        mine = [span for span in self.spans if span.parent and span.parent.span_id == whole.context.span_id]
        return sorted(mine, key=lambda span: span.start_time or 0)


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has installed the extra, and nobody asks for it."""
    monkeypatch.setitem(sys.modules, _SDK, None)
    for name in ENDPOINTS:
        monkeypatch.delenv(name, raising=False)


def test_an_action_is_a_span_with_its_stages(tmp_path: Path) -> None:
    kept = Kept()

    async def scene() -> int:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            kept.traces.watch(sitting.service.metrics)
            with sitting.service.metrics.acting("act"):
                return await sitting.act(table, ANA, 0, "roll 1")

    number = asyncio.run(scene())
    (whole,) = kept.named("message")
    assert whole.parent is None
    assert whole.attributes == {"dicetown.kind": "act", "dicetown.entry": str(number)}
    assert whole.status.is_ok
    stages = kept.inside(whole)
    assert [stage.name for stage in stages] == ["decide", "store", "tell"]
    moments = [whole.start_time, *(stage.end_time for stage in stages)]
    assert moments == sorted(moments, key=lambda moment: moment or 0)
    for before, after in pairwise(stages):
        assert abs((before.end_time or 0) - (after.start_time or 0)) <= 1  # a nanosecond of rounding
    assert (whole.end_time or 0) >= (stages[-1].end_time or 0) - 1


def test_what_is_refused_says_why_and_ends_where_it_was(tmp_path: Path) -> None:
    kept = Kept()

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            kept.traces.watch(sitting.service.metrics)
            with pytest.raises(Refused), sitting.service.metrics.acting("act"):
                await sitting.act(table, "somebody", 0, "roll 1")

    asyncio.run(scene())
    (whole,) = kept.named("message")
    assert whole.attributes == {"dicetown.kind": "act", "dicetown.refused": "not_your_seat"}
    assert not whole.status.is_ok
    assert [stage.name for stage in kept.inside(whole)] == ["decide"]


def test_a_bot_thinks_and_its_move_is_the_tables(tmp_path: Path) -> None:
    kept = Kept()

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "me")
            kept.traces.watch(sitting.service.metrics)
            await sitting.page(table, ANA)
            await sitting.clock.turn(5)
            await until(lambda: kept.named("table"))

    asyncio.run(scene())
    thought = kept.named("think")[0]
    assert thought.attributes == {"dicetown.bot": "normal"}
    assert thought.status.is_ok
    assert [stage.name for stage in kept.inside(kept.named("table")[0])] == ["store", "tell"]


def test_a_bot_that_fails_is_seen(tmp_path: Path) -> None:
    kept, metrics = Kept(), Metrics()
    kept.traces.watch(metrics)
    with pytest.raises(ZeroDivisionError), metrics.thinking("normal"):
        raise ZeroDivisionError
    assert not kept.named("think")[0].status.is_ok


def test_spans_tell_nothing_about_anybody(tmp_path: Path) -> None:
    kept = Kept()

    async def scene() -> list[str]:
        async with seated(tmp_path) as sitting:
            kept.traces.watch(sitting.service.metrics)
            table = await sitting.friends("guest-zebulon", bots=1)
            await sitting.say(table, "guest-zebulon", "Zebulon", text="open sesame")
            request = wire.Act(key="the-key", seat=0, actions=["build Zebulon"])
            with pytest.raises(Refused), sitting.service.metrics.acting("act"):
                await table.act(ANA, request, "en", lambda number: None)
            return [table.code, table.state.summary.secret, ANA, "ebulon", "sesame", "the-key"]

    private = asyncio.run(scene())
    told = "".join(span.to_json() for span in kept.spans)
    assert "dicetown.kind" in told
    assert not [word for word in private if word in told]


# -------------------------------------------------------------------------------- sending


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Somebody who takes spans over HTTP, and what was sent."""
    sent: list[tuple[str, bytes]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", sent
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("by", ["option", "surroundings"])
def test_spans_are_sent_to_a_collector(
    collector: tuple[str, list[tuple[str, bytes]]], monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    address, sent = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    if by == "surroundings":
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    traces, metrics = send_traces(address if by == "option" else None), Metrics()
    traces.watch(metrics)
    with metrics.acting("act"):
        pass
    traces._close()
    ((path, body),) = sent
    assert path == "/v1/traces"
    (told,) = ExportTraceServiceRequest.FromString(body).resource_spans
    named = {one.key: one.value.string_value for one in told.resource.attributes}
    assert named["service.name"] == "dicetown"
    assert [span.name for span in told.scope_spans[0].spans] == ["decide", "message"]


@pytest.mark.parametrize(
    ("collector_address", "sentence"),
    [
        ("http://127.0.0.1:4318", "Tracing needs the package opentelemetry: pip install 'dicetown[traces]'"),
        ("localhost", '"localhost" is no address of a collector; one looks like http://127.0.0.1:4318.'),
    ],
)
def test_who_asks_for_traces_that_cannot_be_is_told_in_a_sentence(
    tmp_path: Path, collector_address: str, sentence: str
) -> None:
    program = f"import sys; sys.modules[{_SDK!r}] = None; from dicetown.cli import main; main()"
    options = ["serve", "--port", "0", "--db", str(tmp_path / "t.db"), "--traces", collector_address]
    done = subprocess.run(
        [sys.executable, "-c", program, *options], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"dicetown: {sentence}\n")


@pytest.mark.usefixtures("no_packages")
def test_whom_only_the_surroundings_ask_serves_without_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    assert traces_to(None) is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    with capture_logs() as logged:
        assert traces_to(None) is None
    assert [(one["event"], "dicetown[traces]" in one["problem"]) for one in logged] == [("no traces", True)]


def test_where_no_traces_are_wanted_nothing_of_it_is_imported() -> None:
    program = "import sys, dicetown.server.web.app, dicetown.commands.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "dicetown.server.web.app" in done.stdout
    assert "opentelemetry.sdk" not in done.stdout
    assert "dicetown.server.common.traces" not in done.stdout
