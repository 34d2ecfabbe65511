"""The count of failed attempts to reach Redis, as a metric."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.messaging import redis_errors


class RedisErrors(Collector):
    """Counts attempts to reach Redis that failed in this process."""

    def collect(self) -> Iterator[Metric]:
        """Read the count."""
        yield CounterMetricFamily(
            "arena_redis_errors", "Attempts to reach Redis that failed.", value=redis_errors.count()
        )
