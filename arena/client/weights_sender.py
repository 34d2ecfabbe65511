"""Sending weights in parts, on through interruptions of the connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Protocol, TypeAlias

from arena.client.answers import ArenaUnreachable, Refused
from arena.core.errors import ArenaError

if TYPE_CHECKING:
    from arena.bot_registry.weights_uploads import WeightsUpload

MAX_FAILURES = 10
"""Failures in a row without a byte of progress after which sending gives up: some four minutes."""
_MAX_PAUSE_S = 30
_PASSING = frozenset({400, 404, 408, 409, 429})
"""Statuses of a part that may be taken when the upload is begun again: it broke off, expired, or is elsewhere by now."""

Pause: TypeAlias = Callable[[ArenaError, float], None]


class WeightsBots(Protocol):
    """The operations of an arena's bots by which weights are sent."""

    def begin_weights(self, sha256: str, *, size: int) -> WeightsUpload:
        """Begin an upload, or continue one."""

    def upload_weights_part(self, sha256: str, data: bytes, *, offset: int) -> WeightsUpload:
        """Send the bytes from an offset on."""

    def finish_weights(self, sha256: str) -> WeightsUpload:
        """Check the whole file."""


def send_weights(
    bots: WeightsBots,
    sha256: str,
    file: IO[bytes],
    size: int,
    *,
    show: Callable[[int], None] = lambda _received: None,
    pause: Pause = lambda _error, pause_s: time.sleep(pause_s),
) -> None:
    """Send a file of weights; what an earlier attempt has sent within the last hour is not sent again.

    `show` is called with the bytes that have arrived, `pause` with each failure and the seconds to wait after it.
    Raises Refused or ArenaUnreachable.
    """
    upload: WeightsUpload | None = (begun := bots.begin_weights(sha256, size=size))
    failures, most = 0, begun.received
    while upload is None or not upload.complete:
        try:
            upload = bots.begin_weights(sha256, size=size) if upload is None else _advance(bots, upload, file)
        except (Refused, ArenaUnreachable) as error:
            failures += 1
            if failures > MAX_FAILURES or not _may_pass(error):
                raise
            retry_s = error.retry_s if isinstance(error, Refused) else None
            pause(error, min(_MAX_PAUSE_S, 2**failures) if retry_s is None else retry_s)
            upload = None
            continue
        if upload.received > most:
            failures, most = 0, upload.received
        show(upload.received)


def _advance(bots: WeightsBots, upload: WeightsUpload, file: IO[bytes]) -> WeightsUpload:
    """Send the next part, or finish."""
    if upload.received == upload.size:
        return bots.finish_weights(upload.sha256)
    file.seek(upload.received)
    return bots.upload_weights_part(upload.sha256, file.read(upload.part_bytes), offset=upload.received)


def _may_pass(error: ArenaError) -> bool:
    """Return whether the same may succeed later."""
    return not isinstance(error, Refused) or error.status in _PASSING or error.status >= 500
