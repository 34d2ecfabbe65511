"""Parts of the jobs that derive insights: games loaded beforehand, and a heartbeat between parts of the work."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from arena.core.unforeseen_errors import UnforeseenErrors
from arena.games import registry
from arena.games.kept import MAX_KEPT_IN_REPLAYS, keep_at_most

if TYPE_CHECKING:
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
