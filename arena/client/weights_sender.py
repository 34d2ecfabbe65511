"""Sending weights in parts, on through interruptions of the connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, TypeAlias

from arena.client.author_operations import Authoring
from arena.client.http_connection import ArenaUnreachable, Refused, Row
from arena.core.errors import ArenaError

MAX_FAILURES = 10
"""Failures in a row without a byte of progress after which sending gives up: some four minutes."""
_MAX_PAUSE_S = 30
_PASSING = frozenset({400, 404, 408, 409, 429})
"""Statuses of a part that may be taken when the upload is begun again: it broke off, expired, or is elsewhere by now."""

Pause: TypeAlias = Callable[[ArenaError, float], None]


def send_weights(
    client: Authoring,
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
    upload: Row | None = (begun := client.begin_weights(sha256, size))
    failures, most = 0, begun["received"]
    while upload is None or not upload["complete"]:
        try:
            upload = client.begin_weights(sha256, size) if upload is None else _advance(client, upload, file)
        except (Refused, ArenaUnreachable) as error:
            failures += 1
            if failures > MAX_FAILURES or not _may_pass(error):
                raise
            retry_s = error.retry_s if isinstance(error, Refused) else None
            pause(error, min(_MAX_PAUSE_S, 2**failures) if retry_s is None else retry_s)
            upload = None
            continue
        if upload["received"] > most:
            failures, most = 0, upload["received"]
        show(upload["received"])


def _advance(client: Authoring, upload: Row, file: IO[bytes]) -> Row:
    """Send the next part, or finish."""
    if upload["received"] == upload["size"]:
        return client.finish_weights(upload["sha256"])
    file.seek(upload["received"])
    return client.upload_weights_part(
        upload["sha256"], file.read(upload["part_bytes"]), offset=upload["received"]
    )


def _may_pass(error: ArenaError) -> bool:
    """Return whether the same may succeed later."""
    return not isinstance(error, Refused) or error.status in _PASSING or error.status >= 500
