"""A referee's metrics, read from its tally and its state at each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from referee.metrics.tally import Tally

_LEVELS = {"none": 0, "partial": 1, "full": 2}


@dataclass(frozen=True, slots=True)
class RefereeState:
    """What a referee has at the moment of a scrape."""

    orders: int
    bot_processes: int
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
        state = self._state()
        for name, text, value in (
            ("arena_orders", "Matches that run or wait for their bots.", state.orders),
            (
                "arena_bot_processes",
                "Processes of hosted bots that are alive, or being started or ended.",
                state.bot_processes,
            ),
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


def _counter(name: str, text: str, label: str, counts: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=(label,))
    for value, count in list(counts.items()):
        family.add_metric((value,), count)
    return family
