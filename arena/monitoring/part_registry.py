"""The registry of a part's metrics, with what every part has."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.core import compiled_modules
from arena.core.release import release


def new_registry(part: str) -> CollectorRegistry:
    """Return a registry for a part: `web`, `worker` or `referee`."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    build = Gauge(
        "arena_build_info",
        "Always 1: the release, the part, Python's version, and whether modules run as machine code.",
        ("version", "part", "python", "compiled"),
        registry=registry,
    )
    compiled = "yes" if compiled_modules.are_in_use() else "no"
    build.labels(release(), part, platform.python_version(), compiled).set(1)
    return registry


class Readiness(Collector):
    """`arena_ready`: whether the part can do its work, asked for at each scrape."""

    def __init__(self, problems: Callable[[], tuple[str, ...]]) -> None:
        self._problems = problems

    def describe(self) -> Iterator[Metric]:
        """Return its name without asking."""
        yield _ready()

    def collect(self) -> Iterator[Metric]:
        """Ask."""
        family = _ready()
        family.add_metric((), float(not self._problems()))
        yield family


def _ready() -> GaugeMetricFamily:
    return GaugeMetricFamily(
        "arena_ready", "1 if the part can do its work now, else 0; /health/ready says why not."
    )
