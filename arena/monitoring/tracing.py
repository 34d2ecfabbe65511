"""Traces by OpenTelemetry, where OTEL_EXPORTER_OTLP_ENDPOINT names a collector.  Elsewhere nothing of it is imported.

A request's trace has the request's id, and its span the first half of it.  So any part that knows the id can continue the trace.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arena.core.errors import UsageError

ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("grpc", "http/protobuf")
_SPAN_DIGITS = 16

_tracing: Any = None
"""`arena.monitoring.open_telemetry`, once tracing has started."""


def start(part: str) -> None:
    """Start tracing for this process if a collector is named.  Raises UsageError."""
    global _tracing  # noqa: PLW0603 - a process traces or does not
    if not any(map(os.environ.get, ENDPOINT_VARIABLES)):
        return
    protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL") or _PROTOCOLS[0]
    if protocol not in _PROTOCOLS:
        raise UsageError(f"OTEL_EXPORTER_OTLP_PROTOCOL {protocol!r}: must be {' or '.join(_PROTOCOLS)}")
    try:
        from arena.monitoring import open_telemetry  # noqa: PLC0415 - only where it is asked for
    except ImportError as error:
        raise UsageError(
            f"{ENDPOINT_VARIABLES[0]} is set, but {error.name} is not installed: `pip install bot-arena[tracing]`,"
            " or unset it"
        ) from error
    open_telemetry.start(part, protocol)
    _tracing = open_telemetry


def is_on() -> bool:
    """Return whether this process traces."""
    return _tracing is not None


def stop() -> None:
    """Send what has not been sent yet."""
    if _tracing is not None:
        _tracing.stop()


def parent_of(request_id: str) -> str:
    """Return the span of a request, as W3C's `traceparent`; empty where this process does not trace."""
    if _tracing is None:
        return ""
    flags = "01" if _tracing.is_sampled(int(request_id, 16)) else "00"
    return f"00-{request_id}-{request_id[:_SPAN_DIGITS]}-{flags}"


@contextmanager
def span(name: str, parent: str = "", request_id: str = "", **attributes: object) -> Iterator[str]:
    """Trace a block of code, as a child of `parent` or as the root span of a request; yield its `traceparent`."""
    if _tracing is None:
        yield ""
        return
    with _tracing.span(name, parent, request_id, attributes) as own:
        yield own


def record(name: str, parent: str, began_ns: int, ended_ns: int, **attributes: object) -> str:
    """Record a span that is over, by the system's clock; return its `traceparent`."""
    return "" if _tracing is None else str(_tracing.record(name, parent, began_ns, ended_ns, attributes))
