"""The health of a part: whether it is live, so need not be restarted, and whether it is ready to do its work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

LIVE_PATH = "/health/live"
READY_PATH = "/health/ready"


class PartHealth:
    """The checks of one part.  They are called by threads of the monitoring port, so they must be safe for that and quick."""

    def __init__(self, is_live: Callable[[], bool], why_not_ready: Callable[[], Sequence[str]]) -> None:
        """`why_not_ready` returns a sentence for each reason, none if the part can do its work."""
        self._is_live = is_live
        self._why_not_ready = why_not_ready
        self._is_stopping = False

    def stop(self) -> None:
        """Report the part as not ready from now on: it is about to end."""
        self._is_stopping = True

    def is_live(self) -> bool:
        """Return whether its event loop or main thread makes progress."""
        return self._is_live()

    def problems(self) -> tuple[str, ...]:
        """Return why it cannot do its work now; empty if it can."""
        return ("it is stopping",) if self._is_stopping else tuple(self._why_not_ready())
