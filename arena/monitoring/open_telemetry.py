"""OpenTelemetry's SDK as the arena sets it up; imported by `arena.monitoring.tracing` alone, and only where traces are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_NAMESPACE, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_request: ContextVar[str] = ContextVar("request", default="")
_propagator = TraceContextTextMapPropagator()
_provider: TracerProvider


class _Ids(RandomIdGenerator):
    """Ids of spans: those of a request's root span follow from the request's id."""

    def generate_trace_id(self) -> int:
        return int(_request.get(), 16) if _request.get() else super().generate_trace_id()

    def generate_span_id(self) -> int:
        return int(_request.get()[:16], 16) if _request.get() else super().generate_span_id()


def start(part: str, protocol: str) -> None:
    """Send spans of this part from now on; the variables OTEL_… are the SDK's own."""
    global _provider  # noqa: PLW0603 - a process has one
    resource = Resource.create({SERVICE_NAME: f"arena-{part}", SERVICE_NAMESPACE: "bot-arena"})
    _provider = TracerProvider(resource=resource, id_generator=_Ids(), shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(_exporter(protocol)))


def _exporter(protocol: str) -> SpanExporter:
    if protocol == "grpc":
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter  # noqa: PLC0415

        return OTLPSpanExporter()
    from opentelemetry.exporter.otlp.proto.http import trace_exporter  # noqa: PLC0415

    return cast("SpanExporter", trace_exporter.OTLPSpanExporter())


def stop() -> None:
    """Send what has not been sent yet."""
    _provider.shutdown()


def is_sampled(trace_id: int) -> bool:
    """Return whether the root span of a trace is sampled, which follows from its id."""
    return _provider.sampler.should_sample(None, trace_id, "").decision is not Decision.DROP


@contextmanager
def span(name: str, parent: str, request_id: str, attributes: Mapping[str, Any]) -> Iterator[str]:
    """Trace a block of code; yield its `traceparent`."""
    own = _begin(name, parent, request_id, attributes)
    try:
        yield _traceparent(own)
    except Exception as error:
        own.record_exception(error)
        raise
    finally:
        own.end()


def record(name: str, parent: str, began_ns: int, ended_ns: int, attributes: Mapping[str, Any]) -> str:
    """Record a span that is over; return its `traceparent`."""
    own = _begin(name, parent, "", attributes, began_ns)
    own.end(ended_ns)
    return _traceparent(own)


def _begin(
    name: str, parent: str, request_id: str, attributes: Mapping[str, Any], at_ns: int | None = None
) -> trace.Span:
    token = _request.set(request_id)
    try:
        given = {f"arena.{key}": value for key, value in attributes.items()}
        context = _propagator.extract({"traceparent": parent} if parent else {}, Context())
        return _provider.get_tracer("arena").start_span(name, context, attributes=given, start_time=at_ns)
    finally:
        _request.reset(token)


def _traceparent(own: trace.Span) -> str:
    carrier: dict[str, str] = {}
    _propagator.inject(carrier, trace.set_span_in_context(own, Context()))
    return carrier.get("traceparent", "")
