"""The application of `arena view`: pages of records that are files, on this machine alone."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import PlainTextResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from arena.web.http.security_headers import HeadAsGet, SecurityHeaders
from arena.web.local_records import local_record_page
from arena.web.ui import language_switch, static_assets

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.web.local_records.record_shelf import RecordShelf

_HERE = ("127.0.0.1", "localhost")
"""The names that this machine has for itself: a page of elsewhere whose name is made to lead here gets nothing."""
_GRACE_S = 1


def create_local_app(shelf: RecordShelf) -> FastAPI:
    """Make the application."""
    app = FastAPI(title="Bot Arena", docs_url=None, openapi_url=None, redoc_url=None)
    app.state.shelf = shelf
    app.router.routes += [
        route for each in (local_record_page, language_switch, static_assets) for route in each.router.routes
    ]
    app.add_exception_handler(HTTPException, _tell)
    app.add_middleware(GZipMiddleware)
    app.add_middleware(HeadAsGet)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=_HERE)
    return app


def serve_local(app: FastAPI, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is called when these end it in order."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_GRACE_S
    )
    server = uvicorn.Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)
    on_ready()
    server.run(sockets=[listener])


def _tell(_request: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is the handler of these
    return PlainTextResponse(str(error.detail), error.status_code)
