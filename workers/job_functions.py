"""The functions of jobs, which RQ calls by the names in arena/messaging/job_calls.py."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from arena.competition.matches.stored_choices import ChoiceKey
from arena.messaging.progress_events import RATINGS_STREAM, Event, EventKind
from arena.rankings import public_ratings
from arena.reports.match_dramas import drama_measurement
from arena.reports.playing_styles import stored_styles
from arena.storage.transient_errors import is_transient
from workers import context
from workers.blocks_job import play_for_a_while
from workers.figures import chances_job

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


def compute_chances(tournament_id: int, set_number: int, match_number: int) -> None:
    """Compute the chances of the seats at the points of a match, if its deal is open."""
    here = context.current()
    with _until_database_outage(here):
        if chances_job.compute(here, tournament_id, set_number, match_number):
            _log.info("chances of match %d of set %d computed", match_number, set_number)


def compute_choices(tournament_id: int, set_number: int, match_number: int, point: int, seat: int) -> None:
    """Compute the chances of the actions that a seat could have chosen at a point of a match, if its deal is open."""
    here = context.current()
    with _until_database_outage(here):
        if chances_job.compute_choices(here, ChoiceKey(tournament_id, set_number, match_number, point, seat)):
            _log.info("chances of a choice in match %d of set %d computed", match_number, set_number)


def measure_style(version_id: int, variant: str) -> None:
    """Measure the playing style of a version from its newest open matches, if it has played more since it was measured last."""
    here = context.current()
    with _until_database_outage(here), suppress(chances_job.Stopped):
        if stored_styles.draw(here.store, version_id, variant, chances_job.Tick(here)):
            _log.info("style of version %d measured", version_id)


def measure_drama(tournament_id: int, sets: str) -> None:
    """Measure the drama of the open matches of some sets, whose numbers stand with spaces between."""
    here = context.current()
    numbers = [int(number) for number in sets.split() if number.isdecimal()]
    with _until_database_outage(here), suppress(chances_job.Stopped):
        measured = drama_measurement.measure_sets(here.store, tournament_id, numbers, chances_job.Tick(here))
        _log.debug("drama of %d matches of tournament %d measured", measured, tournament_id)


def measure_newest_drama() -> None:
    """Measure the drama of the newest open matches, which pages and Arena TV choose from."""
    here = context.current()
    with _until_database_outage(here), suppress(chances_job.Stopped):
        measured = drama_measurement.measure_newest(here.store, time.time(), chances_job.Tick(here))
        _log.debug("drama of %d of the newest matches measured", measured)


@contextmanager
def _until_database_outage(here: Context) -> Iterator[None]:
    """End a job early when the database stops answering: the reconciler queues it again once it is back."""
    try:
        yield
    except DBAPIError as error:
        if not is_transient(error):
            raise
        here.lose_database(error)
