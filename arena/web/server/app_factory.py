"""The app of a web process, made from its settings, with the store that it works on."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

from fastapi import FastAPI

from arena.competition.qualification.submissions import Rules
from arena.core import child_process, logging_setup
from arena.core.settings import settings
from arena.games.kept import MAX_KEPT_IN_REPLAYS, keep_at_most
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect_async, connect_quickly
from arena.monitoring import tracing
from arena.monitoring.monitoring_server import MonitoringServer
from arena.monitoring.part_health import PartHealth
from arena.operations.part_announcer import PartAnnouncer
from arena.operations.start_checks.start_warnings import StartWarnings
from arena.storage import Store
from arena.storage.engine import KEPT_CONNECTIONS
from arena.web.app import create_app
from arena.web.auth import session_secret
from arena.web.auth.api_auth import Access
from arena.web.http.web_limits import Limits
from arena.web.monitoring.arena_collector import ArenaCollector
from arena.web.monitoring.web_metrics import WebMetrics
from arena.web.play.human_games import PlayTerms
from arena.web.server import uvicorn_server
from arena.web.uploads import upload_stream
from arena.web.web_services import WebServices


@dataclass(frozen=True, slots=True)
class Made:
    """An app that is ready to be served."""

    app: FastAPI
    store: Store
    log_level: str
    limits: Limits
    announcer: PartAnnouncer
    monitoring: MonitoringServer | None

    def serve(self, listener: socket.socket) -> None:
        """Serve until SIGTERM or SIGINT."""
        self.announcer.start()
        if self.monitoring is not None:
            self.monitoring.start()
        try:
            uvicorn_server.serve(self.app, listener, self.log_level, self.limits)
        finally:
            self.announcer.close()
            tracing.stop()
            self.store.close()


def make(host: str) -> Made:
    """Make the app for serving on an address.  Raises ArenaError."""
    chosen = settings()
    logging_setup.configure(chosen.log_level, "web", chosen.log_format)
    tracing.start("web")
    access = Access(
        session_secret.find(chosen, host),
        chosen.registration,
        chosen.registrations_per_hour,
        chosen.failed_sign_ins,
    )
    upload_stream.choose_folder(chosen.data)
    keep_at_most(MAX_KEPT_IN_REPLAYS)
    limits = Limits()
    store = Store.open(chosen.database_url)
    try:
        client = connect_async(chosen.redis_url)
        metrics = WebMetrics()
        store.on_error(lambda _error: metrics.database_errors.inc())
        app = create_app(
            store,
            client,
            access,
            Rules.of(chosen),
            PlayTerms.of(chosen),
            limits=limits,
            metrics=metrics,
            hosts=chosen.hosts,
        )
        here = RunningPart("web", child_process.name(os.getpid()), KEPT_CONNECTIONS)
        quick = connect_quickly(chosen.redis_url)
        announcer = PartAnnouncer(quick, here, StartWarnings(chosen, store, quick))
        monitoring = _monitor(chosen.monitoring, app)
    except BaseException:
        store.close()
        raise
    return Made(app, store, chosen.log_level, limits, announcer, monitoring)


def _monitor(address: str, app: FastAPI) -> MonitoringServer | None:
    """Return the monitoring port; None if there is to be none.  Raises UsageError."""
    if not address:
        return None
    services: WebServices = app.state.services
    metrics = services.metrics
    metrics.registry.register(ArenaCollector(services.store, services.queue))
    health = PartHealth(metrics.lag.is_turning, services.readiness.problems)
    return MonitoringServer(address, metrics.registry, health)
