"""Server-sent events, as bytes: one event is written once, however many pages it is sent to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable
from typing import Any

from sse_starlette import EventSourceResponse

PING_S = 15
RETRY_MS = 1500
"""How long a browser waits before it comes back to a stream that broke off."""

DOCUMENTED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of events",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


def event(name: str, data: object, event_id: str = "") -> bytes:
    """Write an event: its data is one line of JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    identified = f"id: {event_id}\r\n" if event_id else ""
    return f"{identified}event: {name}\r\nretry: {RETRY_MS}\r\ndata: {text}\r\n\r\n".encode()


def stream(events: AsyncIterable[bytes]) -> EventSourceResponse:
    """Send events as they come."""
    return EventSourceResponse(events, ping=PING_S, headers={"Cache-Control": "no-store"})
