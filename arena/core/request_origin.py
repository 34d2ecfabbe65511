"""The request that caused the current work: stored with the tournament that it creates, and shown in the logs of its matches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


def current() -> str | None:
    """Return the id of the request that the running task or thread works for, or None."""
    return _request_id.get()


def enter(request_id: str) -> None:
    """Set the request of the running task, to its end; tasks and threads that it starts have it as well."""
    _request_id.set(request_id)


@contextmanager
def caused_by(request_id: str | None) -> Iterator[None]:
    """Set the request that the block works for."""
    token = _request_id.set(request_id)
    try:
        yield
    finally:
        _request_id.reset(token)
