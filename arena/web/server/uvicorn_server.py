"""Serving the app: uvicorn on a socket that listens already."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from types import FrameType

import uvicorn
from fastapi import FastAPI

from arena.core import sd_notify
from arena.net.file_descriptors import raise_limit
from arena.web.http import sse
from arena.web.http.app_services import service_of
from arena.web.http.reverse_proxies import TrustedProxies
from arena.web.http.web_limits import Limits
from arena.web.server.open_connections import Connections, protocol
from arena.web.server.web_address import BACKLOG

_log = logging.getLogger(__name__)

_GRACE_S = 3
"""Time that open answers may take when the server stops; streams of live pages are ended at once and reconnect by themselves."""
_TICKS_PER_SIGN_OF_LIFE = 10
"""uvicorn ticks ten times a second."""
_TURN_S = 0.001
_FULL = 2
"""The generation of a full collection: with all of the app and what it keeps, one takes 0.2 s."""
_WHOLE_EVERY_S = 600.0


def serve(app: FastAPI, listener: socket.socket, log_level: str, limits: Limits) -> None:
    """Serve until SIGTERM or SIGINT."""
    config = configure(app, limits, log_level)
    _share_evenly()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    Server(config).run(sockets=[listener])


def configure(app: FastAPI, limits: Limits, log_level: str) -> uvicorn.Config:
    """Return how uvicorn serves the app within the limits; this process takes the descriptors that they need."""
    descriptors = raise_limit(limits.max_descriptors)
    max_connections = min(limits.max_connections, max(1, descriptors - limits.spare_descriptors))
    if max_connections < limits.max_connections:
        _log.warning(
            "%d file descriptors are possible: %d connections at a time, not %d; raise the hard limit (LimitNOFILE=)",
            descriptors,
            max_connections,
            limits.max_connections,
        )
    connections = Connections(limits, max_connections, service_of(app, TrustedProxies))
    return uvicorn.Config(
        connections.watching(app),
        loop="uvloop",
        backlog=BACKLOG,
        http=protocol(connections),
        ws="none",
        log_config=None,
        log_level=log_level.lower(),
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the app's own middleware reads them (arena/web/http/reverse_proxies.py)
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=limits.keep_alive_s,
    )


def _share_evenly() -> None:
    """Keep latencies even: a short switch interval of threads, and short full garbage collections."""
    sys.setswitchinterval(_TURN_S)
    gc.collect()
    gc.freeze()
    gc.callbacks.append(_freeze_what_stays())


def _freeze_what_stays() -> Callable[[str, Mapping[str, int]], None]:
    """Freeze long-lived objects, so that full collections look at new ones only; now and then at all, since frozen ones may become garbage."""
    whole_at = time.monotonic() + _WHOLE_EVERY_S

    def after(phase: str, info: Mapping[str, int]) -> None:
        nonlocal whole_at
        if phase != "stop" or info["generation"] != _FULL:
            return
        if time.monotonic() < whole_at:
            gc.freeze()
        else:
            gc.unfreeze()
            whole_at = time.monotonic() + _WHOLE_EVERY_S

    return after


class Server(uvicorn.Server):
    """A server that notifies its supervisor, and that ends the streams of live pages first when it stops, since it would wait for them."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start."""
        await super().startup(sockets)
        if self.started:
            sd_notify.tell(sd_notify.READY, "STATUS=serving")

    async def on_tick(self, counter: int) -> bool:
        """Do what is due ten times a second: whether to stop."""
        if counter % _TICKS_PER_SIGN_OF_LIFE == 0:
            sd_notify.tell(sd_notify.ALIVE)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        sd_notify.tell(sd_notify.STOPPING)
        with sse.stopping():
            await super().shutdown(sockets)


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End this process in good order: uvicorn raises the signal once more when it has stopped."""
    sys.exit(0)
