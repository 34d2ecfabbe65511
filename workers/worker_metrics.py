"""The metrics of one worker process."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from arena.games import registry
from arena.messaging.redis_collector import RedisErrors
from arena.monitoring.loop_lag import LoopLag
from arena.monitoring.part_registry import new_registry

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class WorkerMetrics:
    """All of them, in a registry of their own.  Threads may share it."""

    def __init__(self) -> None:
        self.registry = new_registry("worker")
        self.results_stored = Counter(
            "arena_results_stored", "Results stored, by game.", ("game",), registry=self.registry
        )
        for game in registry.names():  # Prometheus sees no increase in a series that begins at 1
            self.results_stored.labels(game)
        self.store_seconds = Histogram(
            "arena_results_store_seconds",
            "Time to store a batch of results, retries included.",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.database_retries = Counter(
            "arena_database_retries", "Writes that were retried.", registry=self.registry
        )
        self.database_errors = Counter(
            "arena_database_errors",
            "Errors of the database, those that were retried too.",
            registry=self.registry,
        )
        self.lost_leases = Counter(
            "arena_leases_lost",
            "Blocks whose lease was lost: to another worker, or since the tournament was cancelled.",
            registry=self.registry,
        )
        self.held_leases = Gauge(
            "arena_leases_held", "Blocks that this worker plays now: one, or none.", registry=self.registry
        )
        self.lag = LoopLag(self.registry)
        """Measured while a block is played; a worker that waits for one has no event loop."""
        self.referee_missing = Gauge(
            "arena_worker_referee_missing",
            "1 while no referee answers this worker, else 0.",
            registry=self.registry,
        )
        self.registry.register(RedisErrors())
