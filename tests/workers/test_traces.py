"""One trace leads from a request to the decisions of the bots, at a collector that understands OpenTelemetry's protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from arena.accounts import tokens
from arena.messaging.redis_connection import connect_async
from arena.monitoring import tracing
from arena.referee_client import local_referee
from arena.reports import tournaments
from arena.storage import Store
from arena.web.app import create_app
from tests.decided_matches import person
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.workers.conftest import Start

VARIABLES = {"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_BSP_SCHEDULE_DELAY": "200"}


class Collector:
    """Receives spans over HTTP, and keeps them by the part that sent them."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Span]] = []
        heard = self.spans

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                for each in ExportTraceServiceRequest.FromString(body).resource_spans:
                    names = {one.key: one.value.string_value for one in each.resource.attributes}
                    heard.extend(
                        (names["service.name"], span) for scope in each.scope_spans for span in scope.spans
                    )
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def named(self, name: str) -> list[tuple[str, Span]]:
        return [(part, span) for part, span in list(self.spans) if span.name == name]


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever)
    thread.start()
    yield collector
    collector.server.shutdown()
    thread.join()


@pytest.fixture(scope="module")
def control(collector: Collector) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**VARIABLES, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address}.items():
            patch.setenv(name, value)
        with local_referee(allow_files=False) as address:
            yield address


@pytest.fixture
def web(
    store: Store, server: RunningRedis, control: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    """The web in this process, with the variables of `control`."""
    monkeypatch.setattr(tracing, "_tracing", None)
    tracing.start("web")
    olga = person(store, "olga", "organiser")
    headers = {"Authorization": f"Bearer {tokens.create(store, olga, 'test').token}"}
    with TestClient(create_app(store, connect_async(server.url), ACCESS), headers=headers) as client:
        yield client
    tracing.stop()


def test_a_trace_leads_from_a_request_through_queue_and_referee_to_decisions(
    web: TestClient, start: Start, store: Store, collector: Collector, tmp_path: Path
) -> None:
    wish = {"game": "lost_cities", "bots": ["greedy", "random"], "options": {"hands": 1}}
    made = web.post("/api/v1/tournaments", json=wish)
    trace = bytes.fromhex(made.headers["x-request-id"])
    start(**VARIABLES, OTEL_EXPORTER_OTLP_ENDPOINT=collector.address)
    wait_until(lambda: tournaments.listing(store)[0].state == "finished", "it is over", within_s=60)
    tracing.stop()
    wait_until(lambda: collector.named("POST") and collector.named("block"), "spans came", within_s=30)
    wait_until(lambda: len(collector.named("match")) == 2, "the matches' came", within_s=30)
    ((web_part, request),) = collector.named("POST")
    ((worker_part, block),) = collector.named("block")
    matches = collector.named("match")
    decisions = collector.named("decision")
    assert (web_part, worker_part) == ("arena-web", "arena-worker")
    assert {part for part, _ in [*matches, *decisions]} == {"arena-referee"}
    assert {span.trace_id for _, span in collector.spans} == {trace}
    assert block.parent_span_id == request.span_id
    assert {span.parent_span_id for _, span in matches} == {block.span_id}
    assert {span.parent_span_id for _, span in decisions} == {span.span_id for _, span in matches}
    numbers = {
        one.value.int_value for _, span in decisions for one in span.attributes if one.key == "arena.number"
    }
    assert numbers == {2**n for n in range(max(numbers).bit_length())}
    assert len(decisions) <= 2 * max(numbers).bit_length()
