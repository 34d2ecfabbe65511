"""The jobs that compute the chances of a match, and of a choice in one: some seconds, after which they are stored for good."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from arena.competition.matches import stored_chances, stored_choices
from arena.core.errors import ArenaError
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.games import registry
from arena.games.kept import MAX_KEPT_IN_REPLAYS, keep_at_most
from arena.match.chances import estimate_chances
from arena.match.choice_chances import estimate_choices
from arena.match.record import from_json
from arena.reports import match_views
from arena.storage.record_compression import unpack

if TYPE_CHECKING:
    from arena.competition.matches.stored_choices import ChoiceKey
    from workers.context import Context

_log = logging.getLogger(__name__)

_PULSE_S = 1.0


class Stopped(Exception):  # noqa: N818 - it reads as a sentence
    """Raised when the worker is to stop: the job is queued again when its page is looked at again."""


def prepare_games() -> None:
    """Load all of the games that jobs need, and have them keep few positions.

    Else a worker would grow for hours: with each kind of job that comes for the first time, and with what it replays.
    What cannot be loaded is logged: only the jobs that need it fail.
    """
    keep_at_most(MAX_KEPT_IN_REPLAYS)
    errors = UnforeseenErrors(_log)
    with errors.survive("finding the games"):
        for package in registry.PACKAGES.values():
            with errors.survive(f"loading game {package.game.id}"):
                _ = package.search_plan, package.redeal, package.traits, package.drawing


def compute(here: Context, tournament_id: int, set_number: int, match_number: int) -> bool:
    """Compute and store the chances of a match; return whether that was done.

    Nothing is stored for a match that is not open, that has its chances already, or that cannot be played again.
    """
    if stored_chances.load(here.store, tournament_id, set_number, match_number) is not None:
        return False
    try:
        packed = match_views.page(here.store, tournament_id, set_number, match_number).packed_record
        if packed is None:
            return False
        record = from_json(unpack(packed))
        plan = registry.package(record.game).search_plan
        # None, stored as such, for a bot `search` that has no plan: else each reader would ask again.
        estimates = () if plan is None else estimate_chances(record, plan, tick=Tick(here))
    except (ArenaError, Stopped):
        return False
    stored_chances.save(here.store, tournament_id, set_number, match_number, estimates)
    return True


def compute_choices(here: Context, key: ChoiceKey) -> bool:
    """Compute and store the chances of the actions that a seat could have chosen; return whether that was done.

    Nothing is stored for a match that is not open, or where the seat has nothing to choose.
    """
    if stored_choices.load(here.store, key) is not None:
        return False
    try:
        packed = match_views.page(
            here.store, key.tournament_id, key.set_number, key.match_number
        ).packed_record
        if packed is None:
            return False
        record = from_json(unpack(packed))
        plan = registry.package(record.game).search_plan
        # None, stored as such, for a bot `search` that has no plan.
        estimates = (
            () if plan is None else estimate_choices(record, key.point, key.seat, plan, tick=Tick(here))
        )
    except (ArenaError, Stopped):
        return False
    stored_choices.save(here.store, key, estimates)
    return True


class Tick:
    """Called between parts of the work: a heartbeat each second, and an end when the worker is to stop."""

    def __init__(self, here: Context) -> None:
        self._here = here
        self._due = time.monotonic() + _PULSE_S

    def __call__(self) -> None:
        """Beat if it is due.  Raises Stopped."""
        if self._here.stopping:
            raise Stopped
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _PULSE_S
            self._here.pulse()
