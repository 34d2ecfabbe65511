"""Answering requests while the app is imported: two seconds, and most of a minute on a busy machine.

    listen ──▶ StartingServer answers 503 in threads ──▶ stops ──▶ uvicorn accepts from the same socket

Clients learn that they should ask again, and a proxy asks another web process meanwhile.  A connection that arrives
between the two servers waits in the socket's backlog, so none is refused.
"""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

STARTING = "starting"
"""The status in `/health` until the app answers."""

_RETRY_S = 1
_MAX_THREADS = 256
_STATUS = json.dumps({"status": STARTING})
_PAGE = (
    f'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="{_RETRY_S}">'
    "<title>Bot Arena</title><h1>Bot Arena is starting</h1><p>This page reloads by itself.</p>"
    '<div lang="es"><h1>Bot Arena está arrancando</h1><p>Esta página se recarga sola.</p></div></html>'
)
_PROBLEM = json.dumps(
    {
        "status": 503,
        "code": STARTING,
        "field": "",
        "title": "Service Unavailable",
        "detail": "the web is still starting",
        "remedy": "Try again in a second.",
    }
)


def _content(path: str) -> tuple[int, str, str]:
    """Return the status, the media type and the text of an answer."""
    if path == "/health/live":  # a process that is starting need not be restarted
        return 200, "application/json", json.dumps({"status": "ok"})
    if path in {"/health", "/health/ready"}:
        return 503, "application/json", _STATUS
    if path.startswith("/api/"):
        return 503, "application/problem+json", _PROBLEM
    return 503, "text/html; charset=utf-8", _PAGE


class _Handler(BaseHTTPRequestHandler):
    """Answers one request and closes its connection."""

    timeout = 5.0

    def do_GET(self) -> None:
        status, media_type, text = _content(self.path.partition("?")[0])
        self.send_response_only(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(text.encode())))
        self.send_header("Retry-After", str(_RETRY_S))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", "default-src 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - as http.server names them

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class StartingServer(ThreadingHTTPServer):
    """A small HTTP server in threads, for as long as its `with` block lasts."""

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(("", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener.dup()  # so that closing it leaves uvicorn its own
        self.socket.settimeout(0)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), name=STARTING, daemon=True)

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Accept no more; answers that have begun are finished."""
        self.shutdown()
        self.server_close()

    def verify_request(self, *_: object) -> bool:
        """Return whether there is a thread for one more connection."""
        return threading.active_count() < _MAX_THREADS

    def handle_error(self, *_: object) -> None:
        """Ignore a client that hangs up."""
