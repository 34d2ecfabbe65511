"""The monitoring port: `/metrics`, `/health/live` and `/health/ready` over HTTP, in a thread of its own.

So it answers while the part's event loop hangs, and can say that it does.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import make_wsgi_app

from arena.monitoring import monitoring_address
from arena.monitoring.part_health import LIVE_PATH, READY_PATH, PartHealth
from arena.monitoring.part_registry import Readiness

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

_log = logging.getLogger(__name__)

METRICS_PATH = "/metrics"
_REQUEST_S = 10.0
"""Seconds that a client may take to send its request, or to read the answer."""
_JSON = "application/json"


class MonitoringServer:
    """The monitoring port of one part."""

    def __init__(self, address: str, registry: CollectorRegistry, health: PartHealth) -> None:
        """Bind the address.  Raises UsageError."""
        registry.register(Readiness(health.problems))
        self._health = health
        self._metrics: Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]] = make_wsgi_app(registry)
        listener = monitoring_address.listen(address)
        self.port: int = listener.getsockname()[1]
        self._server = _Server(listener, self._answer)
        self._thread = threading.Thread(target=self._server.serve_forever, name="monitoring", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()
        host, port = self._server.server_address[:2]
        _log.info("metrics and health checks at %s:%s", host, port)

    def close(self) -> None:
        """End."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == METRICS_PATH:
            return self._metrics(environ, start_response)
        status, document = self._describe(path)
        body = json.dumps(document).encode()
        headers = [("Content-Type", _JSON), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        start_response(status, headers)
        return [body]

    def _describe(self, path: str) -> tuple[str, dict[str, Any]]:
        if path == LIVE_PATH:
            live = self._health.is_live()
            return (
                ("200 OK", {"status": "ok"}) if live else ("503 Service Unavailable", {"status": "hanging"})
            )
        if path == READY_PATH:
            problems = self._health.problems()
            if problems:
                return "503 Service Unavailable", {"status": "unready", "problems": problems}
            return "200 OK", {"status": "ready", "problems": []}
        paths = [METRICS_PATH, LIVE_PATH, READY_PATH]
        return "404 Not Found", {"status": "not found", "paths": paths}


class _Server(ThreadingMixIn, WSGIServer):
    """A server on a socket that listens already."""

    daemon_threads = True

    def __init__(
        self, listener: socket.socket, answer: Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]
    ) -> None:
        self.address_family = listener.family
        super().__init__(listener.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.server_address = listener.getsockname()[:2]
        self.server_name, self.server_port = "monitoring", self.server_address[1]
        self.setup_environ()
        self.set_app(answer)

    def handle_error(self, _request: object, _client: object) -> None:
        """Log what went wrong with a request: mostly clients that have gone."""
        _log.debug("a request to the monitoring port failed", exc_info=True)


class _Handler(WSGIRequestHandler):
    """Answers one request; nothing is logged of it."""

    timeout = _REQUEST_S

    def log_message(self, _format: str, *_arguments: object) -> None:
        """Log nothing: there is a request every few seconds."""
