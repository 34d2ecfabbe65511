"""The health of a worker, and its monitoring port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.monitoring.monitoring_server import MonitoringServer
from arena.monitoring.part_health import PartHealth
from arena.operations.readiness import Readiness
from arena.operations.write_probe import Probe

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from redis import Redis

    from workers.context import Context
    from workers.heartbeat import Heartbeat

_NO_REFEREE = "no referee answers: see ARENA_CONTROL, and whether one runs there"


def health_of(context: Context, client: Redis, heartbeat: Heartbeat) -> PartHealth:
    """Return the checks of a worker: it is ready if the store takes a write, Redis answers, and a referee does.

    `client` is one that gives up soon.
    """
    readiness = Readiness(Probe(context.store), client)

    def why_not_ready() -> tuple[str, ...]:
        return (*readiness.problems(), *(() if context.referees.answer else (_NO_REFEREE,)))

    return PartHealth(heartbeat.is_progressing, why_not_ready)


def monitor(address: str, registry: CollectorRegistry, health: PartHealth) -> MonitoringServer | None:
    """Start the monitoring port; None if the address is empty.  Raises UsageError."""
    if not address:
        return None
    server = MonitoringServer(address, registry, health)
    server.start()
    return server
