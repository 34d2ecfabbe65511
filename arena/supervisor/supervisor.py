"""The supervisor: starts the parts in order, keeps them working, stops them in the opposite order.

                start ──▶  redis, web, referee, workers
    redis, referee, workers, web  ◀── stop

The web starts early, since people wait for its pages.  It stops first, so that it asks no part that has stopped already; then
the workers, which store what has come and release their blocks; then the referee with its bots; Redis last, since workers and
web use it to their end.  Killing them loses nothing either: the database alone is the truth.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from arena.supervisor.notifications import Notifications
from arena.supervisor.part import Part, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from arena.supervisor.part import Say

_STEP_S = 0.02


class Supervisor:
    """Groups of parts; those of one group start and stop together.  To be used from the main thread only."""

    def __init__(
        self, groups: Sequence[Sequence[Program]], logs: Path, notify_socket: Path, *, stops_first: str = ""
    ) -> None:
        """Supervise these programs: their logs go into a folder, and at the socket they report.

        They stop in the opposite order, but for the group of the part that stops first.
        """
        self._stops_first = stops_first
        self._notifications = Notifications(notify_socket)
        self._groups = [[Part(program, logs, notify_socket) for program in group] for group in groups]

    @property
    def parts(self) -> list[Part]:
        """All parts, in the order in which they start."""
        return [part for group in self._groups for part in group]

    def start(self, stopping: Callable[[], bool], say: Say) -> None:
        """Start all, one group after the other, each when the one before serves; `say` reports waiting.  Raises PartFailed."""
        for group in self._groups:
            if stopping():
                return
            for part in group:
                part.start()
            for part in group:
                while not stopping() and not part.serves(say):
                    time.sleep(_STEP_S)
                    self._listen()

    def watch(self) -> list[str]:
        """Start again what has died or hangs; call this often.  Returns messages for a person."""
        self._listen()
        return [message for part in self.parts for message in part.watch()]

    def stop(self, *, at_once: Callable[[], bool] = lambda: False) -> None:
        """Stop all parts; `at_once` returns whether a second signal asked not to wait."""
        first = [
            group for group in self._groups if self._stops_first in {part.program.name for part in group}
        ]
        for group in [*first, *(group for group in reversed(self._groups) if group not in first)]:
            for part in group:
                part.ask_to_stop()
            for part in group:
                part.stop(0.0 if at_once() else None)
        self._notifications.close()

    def _listen(self) -> None:
        """Pass the reports of the processes on to their parts."""
        parts = {part.pid: part for part in self.parts}
        for pid, report in self._notifications.read():
            if pid in parts:
                parts[pid].hear(report)
