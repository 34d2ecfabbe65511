"""A referee's metrics, read from its tally and its state at each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.metrics.time_buckets import BOUNDS_MS, TimeBuckets

if TYPE_CHECKING:
    from referee.metrics.tally import Tally

_LEVELS = {"none": 0, "partial": 1, "full": 2}


@dataclass(frozen=True, slots=True)
class RefereeState:
    """The state of a referee at the moment of a scrape."""

    orders: int
    bot_processes: int
    idle_processes: int
    slots: int
    slots_in_use: int
    worker_connected: bool
    draining: bool
    protection: str
    """`none`, `partial` or `full`."""


class RefereeCollector(Collector):
    """Reads counts and state; the event loop may be a count further on."""

    def __init__(self, tally: Tally, state: Callable[[], RefereeState]) -> None:
        self._tally = tally
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Read them."""
        matches = CounterMetricFamily(
            "arena_matches", "Matches with a record, by game and how they ended.", labels=("game", "end")
        )
        for (game, end), count in list(self._tally.matches.items()):
            matches.add_metric((game, end), count)
        yield matches
        yield _counter(
            "arena_forfeits",
            "Matches that ended by a fault of a bot, by its kind.",
            "kind",
            self._tally.forfeits,
        )
        yield _counter(
            "arena_matches_failed",
            "Matches that the platform failed, by game; they are played again.",
            "game",
            self._tally.failures,
        )
        yield _counter(
            "arena_matches_postponed",
            "Matches that did not begin since a bot was missing, by game.",
            "game",
            self._tally.postponed,
        )
        yield from self._times()
        state = self._state()
        for name, text, value in (
            ("arena_orders", "Matches that run or wait for their bots.", state.orders),
            (
                "arena_bot_processes",
                "Processes of hosted bots that are alive, or being started or ended.",
                state.bot_processes,
            ),
            (
                "arena_bot_processes_idle",
                "Processes of hosted bots that are kept without a match.",
                state.idle_processes,
            ),
            ("arena_slots", "Hosted bots that may think at the same time.", state.slots),
            ("arena_slots_in_use", "Hosted bots that think now.", state.slots_in_use),
            (
                "arena_worker_connected",
                "1 if a worker is connected to the control port, else 0.",
                state.worker_connected,
            ),
            ("arena_draining", "1 while the referee takes no new matches, else 0.", state.draining),
            (
                "arena_sandbox_level",
                "Protection from hosted bots: 2 full, 1 partial, 0 none.",
                _LEVELS.get(state.protection, 0),
            ),
        ):
            yield GaugeMetricFamily(name, text, value=float(value))

    def _times(self) -> Iterator[Metric]:
        tally = self._tally
        yield _histogram(
            "arena_decision_seconds",
            "Time from a question to its answer, by where the bot runs: `hosted`, `remote`, or a `person`.",
            "bot",
            {"hosted": tally.hosted_times, "remote": tally.remote_times, "person": tally.human_times},
        )
        yield _counter(
            "arena_bot_starts",
            "Processes of hosted bots that were started, by the fork server (`fork`) or as a `program`.",
            "by",
            tally.bot_starts,
        )
        yield _histogram(
            "arena_bot_start_seconds",
            "Time from the start of a hosted bot's process to its Hello.",
            "by",
            tally.start_times,
        )


def _histogram(name: str, text: str, label: str, times: dict[str, TimeBuckets]) -> Metric:
    family = HistogramMetricFamily(name, text, labels=(label,))
    for value, each in times.items():
        buckets = [
            ("+Inf" if bound_ms == inf else str(bound_ms / 1000), float(count))
            for bound_ms, count in zip((*BOUNDS_MS, inf), accumulate(list(each.counts)), strict=True)
        ]
        family.add_metric((value,), buckets, each.total_ms / 1000)
    return family


def _counter(name: str, text: str, label: str, counts: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=(label,))
    for value, count in list(counts.items()):
        family.add_metric((value,), count)
    return family
