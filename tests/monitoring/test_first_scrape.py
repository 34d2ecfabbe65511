"""Counters with labels have all of their series from the first scrape: `rate` and `increase` see nothing of a series that begins above 0."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from prometheus_client.core import Metric

from arena.games import registry
from arena.match.faults import FaultKind
from arena.web.monitoring.web_metrics import WebMetrics
from referee.metrics.referee_collector import RefereeCollector, RefereeState
from referee.metrics.tally import Tally
from workers.worker_metrics import WorkerMetrics

IDLE = RefereeState(0, 0, 0, 2, 0, worker_connected=False, draining=False, protection="full")


def first_scrapes() -> dict[str, list[Metric]]:
    """Return what each part says before it has done anything."""
    return {
        "web": list(WebMetrics().registry.collect()),
        "worker": list(WorkerMetrics().registry.collect()),
        "referee": list(RefereeCollector(Tally(), lambda: IDLE).collect()),
    }


def labels(part: str, name: str, label: str) -> set[str]:
    (found,) = (metric for metric in first_scrapes()[part] if metric.name == name)
    return {sample.labels[label] for sample in found.samples if sample.name.endswith("_total")}


def counters(metrics: Iterable[Metric]) -> list[Metric]:
    return [metric for metric in metrics if metric.type == "counter"]


@pytest.mark.parametrize("part", ["web", "worker", "referee"])
def test_each_counter_is_there_at_0(part: str) -> None:
    found = counters(first_scrapes()[part])
    assert found
    for metric in found:
        values = [sample.value for sample in metric.samples if sample.name.endswith("_total")]
        assert values, f"{metric.name} has no series before something is counted"
        assert metric.name in {"process_cpu_seconds", "arena_redis_errors"} or set(values) == {0.0}


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("worker", "arena_results_stored"),
        ("referee", "arena_matches"),
        ("referee", "arena_matches_failed"),
        ("referee", "arena_matches_postponed"),
    ],
)
def test_each_game_has_its_series(part: str, name: str) -> None:
    assert labels(part, name, "game") == set(registry.GAMES)


def test_each_kind_of_fault_has_its_series() -> None:
    assert labels("referee", "arena_forfeits", "kind") == {kind.value for kind in FaultKind}


def test_each_class_of_responses_has_its_series() -> None:
    assert labels("web", "arena_web_responses", "status") == {"2xx", "3xx", "4xx", "5xx"}
