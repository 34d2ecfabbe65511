"""The functions of jobs, which RQ calls by the names in arena/messaging/job_calls.py."""

from __future__ import annotations

import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from arena.messaging.job_calls import shorten
from arena.messaging.progress_events import RATINGS_STREAM, Event, EventKind
from arena.rankings import public_ratings
from arena.reports.insights.insight_registry import INSIGHTS
from arena.storage.transient_errors import is_transient
from workers import context
from workers.blocks_job import play_for_a_while
from workers.figures import insight_job

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workers.context import Context

_log = logging.getLogger(__name__)


def play_next_block() -> None:
    """Play the blocks that are due first, by the turns in the database: for some seconds, and while Redis does not answer."""
    here = context.current()
    while claim_and_play(here) and here.courier.away and not here.stopping:
        pass


def claim_and_play(here: Context) -> bool:
    """Claim and play the blocks that are due first, for some seconds; return False if none is free."""
    with _until_database_outage(here):
        return here.loop.run(play_for_a_while(here))
    return False


def refresh_ratings(pool: str) -> None:
    """Compute a pool's Elo table, if its results have changed."""
    here = context.current()
    with _until_database_outage(here):
        if public_ratings.refresh(here.store, pool):
            _log.info("Elo of %s computed", pool)
            here.publish(RATINGS_STREAM, Event(EventKind.RATINGS, {"pool": pool}))


def derive_insight(name: str, key: str) -> None:
    """Derive and store an insight of open matches, unless that is done already."""
    here = context.current()
    insight = INSIGHTS.get(name)
    if insight is None:
        _log.info("insight %s was dropped: this release has none of that name", shorten(name.encode()))
        return
    with _until_database_outage(here), suppress(insight_job.Stopped):
        if insight.derive_named(here.store, key, insight_job.Tick(here)):
            _log.info("%s %s derived", name, key)


@contextmanager
def _until_database_outage(here: Context) -> Iterator[None]:
    """End a job early when the database stops answering: the reconciler queues it again once it is back."""
    try:
        yield
    except DBAPIError as error:
        if not is_transient(error):
            raise
        here.lose_database(error)
