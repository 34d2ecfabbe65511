"""The jobs, as RQ calls them: by name, with JSON for arguments (arena/messaging/jobs.py)."""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from arena.messaging.progress_events import RATINGS_STREAM, Event, EventKind
from arena.rankings import public_ratings
from arena.storage.transient_errors import is_transient
from workers import context
from workers.block_runner import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workers.context import Context

_log = logging.getLogger(__name__)


def play_block(_tournament_id: int, _number: int) -> None:
    """Play a block: this one was free when the job was queued, but another may be due before it by now.

    While Redis does not answer, others after it: which are due the database knows.
    """
    here = context.current()
    while play_next(here) and here.courier.away and not here.stopping:
        pass


def play_next(here: Context) -> bool:
    """Play the block that is due first; False if there was none to be had."""
    with _while_the_database_answers(here):
        return asyncio.run(play(here))
    return False


def refresh_ratings(pool: str) -> None:
    """Compute a pool's Elo table, if anything has changed."""
    here = context.current()
    with _while_the_database_answers(here):
        if public_ratings.refresh(here.store, pool):
            _log.info("Elo of %s computed", pool)
            here.publish(RATINGS_STREAM, Event(EventKind.RATINGS, {"pool": pool}))


@contextmanager
def _while_the_database_answers(here: Context) -> Iterator[None]:
    """End a job early where the database went away: the reconciler queues again what is left when it is back."""
    try:
        yield
    except DBAPIError as error:
        if not is_transient(error):
            raise
        here.lose_database(error)
