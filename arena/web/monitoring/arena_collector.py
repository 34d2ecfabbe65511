"""Metrics of the whole arena, which every web shows alike: the backlog, the queues, uploads, Elo tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.messaging.job_queue import BLOCKS, CHANCES
from arena.monitoring.patient_reading import PatientReading
from arena.operations import arena_reading

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store


class ArenaCollector(Collector):
    """Reads store and queue every few seconds at most; what cannot be read is left out, and `arena_store_up` or `arena_redis_up` is 0."""

    def __init__(self, store: Store, client: Redis) -> None:
        """`client` is one that gives up soon."""
        self._store = PatientReading(partial(arena_reading.read_store, store))
        self._redis = PatientReading(partial(arena_reading.read_redis, client))

    def describe(self) -> Iterator[Metric]:
        """Return no names, so that registering queries neither store nor Redis."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Read both."""
        yield from self._from_store()
        yield from self._from_redis()

    def _from_store(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("arena_store_up", "1 if the store could be read for this scrape, else 0.")
        blocks = GaugeMetricFamily(
            "arena_blocks", "Blocks still to be played of tournaments that run, by state.", labels=("state",)
        )
        running = GaugeMetricFamily("arena_tournaments_running", "Tournaments that run, trials too.")
        uploads = GaugeMetricFamily("arena_uploads_waiting", "Uploads that wait for their qualification.")
        oldest = GaugeMetricFamily(
            "arena_uploads_oldest_age_seconds",
            "How long the oldest upload has waited for its qualification; 0 if none waits.",
        )
        ratings = GaugeMetricFamily(
            "arena_ratings_age_seconds", "How old a pool's Elo table is.", labels=("game", "variant")
        )
        backup = GaugeMetricFamily(
            "arena_backup_age_seconds",
            "How old the last backup by `arena backup create` is; missing if there is none.",
        )
        matches = GaugeMetricFamily(
            "arena_tournament_matches",
            "Matches of a tournament that runs: `stored`, and `left` of those planned so far; the newest 50 have it.",
            labels=("tournament", "game", "state"),
        )
        try:
            found = self._store.get()
        except (SQLAlchemyError, TimeoutError):
            up.add_metric((), 0)
        else:
            up.add_metric((), 1)
            blocks.add_metric(("free",), found.free_blocks)
            blocks.add_metric(("held",), found.held_blocks)
            blocks.add_metric(("resting",), found.resting_blocks)
            running.add_metric((), found.running_tournaments)
            uploads.add_metric((), found.waiting_uploads)
            oldest.add_metric((), found.oldest_upload_age_s)
            for pool, age_s in found.ratings_age_s.items():
                ratings.add_metric(pool, age_s)
            if found.backup_age_s is not None:
                backup.add_metric((), found.backup_age_s)
            for each in found.progress:
                matches.add_metric((str(each.tournament), each.game, "stored"), each.stored)
                matches.add_metric((str(each.tournament), each.game, "left"), each.left)
        yield from (up, blocks, running, uploads, oldest, ratings, backup, matches)

    def _from_redis(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("arena_redis_up", "1 if Redis could be read for this scrape, else 0.")
        writable = GaugeMetricFamily(
            "arena_redis_writable", "1 if Redis takes writes, 0 if it answers and refuses them."
        )
        oldest = GaugeMetricFamily(
            "arena_queue_oldest_block_age_seconds",
            "How long the oldest block in the queue has waited for a worker; 0 if none waits.",
        )
        figures = GaugeMetricFamily(
            "arena_figures_oldest_age_seconds",
            "How long the oldest job for figures of past matches (chances, drama, styles) has waited; 0 if none waits.",
        )
        jobs = GaugeMetricFamily("arena_queue_jobs", "Jobs that wait, by queue.", labels=("queue",))
        failed = GaugeMetricFamily(
            "arena_queue_failed_jobs", "Jobs that failed in the last hour, by queue.", labels=("queue",)
        )
        try:
            found = self._redis.get()
        except (RedisError, OSError):
            up.add_metric((), 0)
        else:
            up.add_metric((), 1)
            writable.add_metric((), found.writable)
            for row in found.queues:
                jobs.add_metric((row.name,), row.waiting)
                failed.add_metric((row.name,), row.failed)
                age_s = 0.0 if row.oldest_at is None else max(0.0, time.time() - row.oldest_at)
                if row.name == BLOCKS:
                    oldest.add_metric((), age_s)
                if row.name == CHANCES:
                    figures.add_metric((), age_s)
        yield from (up, writable, oldest, figures, jobs, failed)
