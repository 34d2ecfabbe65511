"""The supervisor: starts the parts in order, keeps them running, stops them in the opposite order.

                start ──▶  redis, referee, workers, web
    web, workers, referee, redis  ◀── stop

The web goes first, so that nobody asks for what no longer runs; then the workers, which store what has come and hand
their blocks back; then the referee with its bots; Redis last, since workers and web use it to their end.  All that is
killed harder loses nothing either: the database alone is the truth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.supervisor.part import Part, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Supervisor:
    """Groups of parts; those of one group start and stop together.  To be used from the main thread only."""

    def __init__(self, groups: Sequence[Sequence[Program]], logs: Path) -> None:
        self._groups = [[Part(program, logs) for program in group] for group in groups]

    @property
    def parts(self) -> list[Part]:
        """All parts, in the order in which they start."""
        return [part for group in self._groups for part in group]

    def start(self, stopping: Callable[[], bool]) -> None:
        """Start all, one group after the other, each when the one before serves.  Raises PartFailed."""
        for group in self._groups:
            if stopping():
                return
            for part in group:
                part.start()
            for part in group:
                part.await_ready(stopping)

    def watch(self) -> list[str]:
        """Start again what has died; call this often.  Gives the messages that a person should see."""
        return [message for part in self.parts if (message := part.watch()) is not None]

    def stop(self, *, at_once: Callable[[], bool] = lambda: False) -> None:
        """Stop all; `at_once` says whether somebody has lost patience."""
        for group in reversed(self._groups):
            for part in group:
                part.ask_to_stop()
            for part in group:
                part.stop(0.0 if at_once() else None)
