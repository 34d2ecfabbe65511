"""What a job may say: which of our two functions to call, with which arguments, and nothing else.

RQ finds the function of a job, and callbacks for its end, by importing dotted names that stand in Redis; it repeats, retries and
chains jobs, and sends webhooks, as Redis says.  So whoever may write to Redis could run anything, JSON or not.  Here a job
is read before RQ looks at it: one that the arena would not have queued is foreign.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.errors import ArenaError

PLAY_BLOCK = "workers.job_functions.play_block"
REFRESH_RATINGS = "workers.job_functions.refresh_ratings"
"""The functions, by the names under which they are queued: keys of a mapping, which are never imported."""

MAX_TEXT = 200
"""Characters of an argument, and of what is shown of a foreign job."""
_MAX_NUMBER = 2**63 - 1
_MAX_DATA_BYTES = 4096
_MAX_FIELD_BYTES = 1 << 16
_ARGUMENTS: Mapping[str, tuple[type, ...]] = {PLAY_BLOCK: (int, int), REFRESH_RATINGS: (str,)}
_FIELDS = frozenset(
    [
        "created_at",
        "data",
        "enqueued_at",
        "origin",
        "description",
        "timeout",
        "result_ttl",
        "failure_ttl",
        "status",
        "started_at",
        "ended_at",
        "last_heartbeat",
        "worker_name",
        "enqueue_at_front",
    ]
)
"""What RQ writes about a job of ours; it leaves the others out, or empty."""


class ForeignJob(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a job is not one that the arena queues; `work` shows, in few words, what it was to do."""

    def __init__(self, reason: str, work: str = "") -> None:
        super().__init__(reason)
        self.work = work


@dataclass(frozen=True, slots=True)
class Call:
    """One of our functions, by its name, and its arguments."""

    function: str
    arguments: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{self.function.rpartition('.')[2]}({', '.join(map(str, self.arguments))})"


def read_call(job: Mapping[str, bytes]) -> Call:
    """Read what a job says, from its hash in Redis.  Raises ForeignJob."""
    data = _unpack(job.get("data", b""))
    work = shorten(data)
    for field, value in job.items():
        if value and field not in _FIELDS:
            raise ForeignJob(f"its field {shorten(field.encode())} is none that the arena sets", work)
        if len(value) > _MAX_FIELD_BYTES:
            raise ForeignJob(
                f"its field {field} has {len(value)} bytes, {_MAX_FIELD_BYTES} at most are taken", work
            )
    try:
        function, instance, arguments, named = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        raise ForeignJob("it is not a call in JSON", work) from None
    if not isinstance(function, str) or function not in _ARGUMENTS:
        raise ForeignJob("its function is none of the arena's", work)
    if instance is not None or named != {} or not isinstance(arguments, list):
        raise ForeignJob("it has other arguments than the arena's jobs", work)
    if tuple(map(type, arguments)) != _ARGUMENTS[function] or not all(map(_is_bounded, arguments)):
        raise ForeignJob("its arguments are none that the arena's jobs have", work)
    return Call(function, tuple(arguments))


def shorten(data: bytes) -> str:
    """Write what strangers sent for people to read: as ASCII without control characters, and not much of it."""
    text = data[:MAX_TEXT].decode("ascii", "backslashreplace")
    shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)[:MAX_TEXT]
    return shown if len(data) <= MAX_TEXT and len(shown) < MAX_TEXT else f"{shown}…"


def _unpack(data: bytes) -> bytes:
    """Unpack what RQ has packed.  Raises ForeignJob where that gets large."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data[: _MAX_DATA_BYTES + 1], _MAX_DATA_BYTES + 1)
    except zlib.error:
        found = data
    else:
        found = found if unpacking.eof or unpacking.unconsumed_tail else data
    if len(data) > _MAX_DATA_BYTES or len(found) > _MAX_DATA_BYTES:
        raise ForeignJob(f"its data has more than {_MAX_DATA_BYTES} bytes", shorten(found))
    return found


def _is_bounded(argument: object) -> bool:
    return len(argument) <= MAX_TEXT if isinstance(argument, str) else 0 <= int(str(argument)) <= _MAX_NUMBER
