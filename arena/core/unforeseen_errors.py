"""Unforeseen errors, in threads and tasks that have to go on: survived, and logged with their tracebacks.

In such a thread:

    errors = UnforeseenErrors(_log)
    while not closing.is_set():
        with errors.survive("announcing this part"):
            announce()
        closing.wait(EVERY_S)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

EVERY_S = 60.0
"""The same error is logged once in this time."""
_MAX_KINDS = 1000

_Place: TypeAlias = tuple[str, type[BaseException], str, int]
"""The identity of an error: the step, the class, and the line that raised it.  Messages often name a number."""


@dataclass(slots=True)
class _Seen:
    """When an error was logged last, and how often it has come since."""

    logged_at: float
    unlogged: int = 0


class UnforeseenErrors:
    """The unforeseen errors of one thread or task."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._log = log
        self._clock = clock
        self._seen: dict[_Place, _Seen] = {}

    @contextmanager
    def survive(self, step: str) -> Iterator[None]:
        """Run a step, and log what it raises instead of raising it; cancellation and the end of the process pass."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is
            self.report(step, error)

    def report(self, step: str, error: BaseException) -> None:
        """Log an error that ended a step, unless the same one was logged in the last minute."""
        place, now = _place(step, error), self._clock()
        seen = self._seen.get(place)
        if seen is not None and now - seen.logged_at < EVERY_S:
            seen.unlogged += 1
            return
        again = f", {seen.unlogged + 1} times since it was last logged" if seen and seen.unlogged else ""
        self._log.error("%s failed%s", step, again, exc_info=error)
        if len(self._seen) >= _MAX_KINDS:
            self._seen.clear()
        self._seen[place] = _Seen(now)


def _place(step: str, error: BaseException) -> _Place:
    traceback = error.__traceback__
    file, line = "", 0
    while traceback is not None:
        file, line = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
    return step, type(error), file, line
