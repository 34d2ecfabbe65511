"""The calls that a job may contain: one of the arena's functions with its arguments, and nothing else.

RQ imports the dotted names of a job's function and callbacks from Redis, and repeats, retries and chains jobs and sends
webhooks as its data in Redis says.  So a client with write access to Redis could have workers run any code, even with
JSON.  Therefore a job is validated before RQ reads it: one that the arena would not have queued is foreign.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.errors import ArenaError

JOB_FORMAT = 1
"""The number that the names of functions carry.  It is raised when the arguments of a job get another meaning."""
PLAY_NEXT_BLOCK = f"arena.jobs_{JOB_FORMAT}.play_next_block"
REFRESH_RATINGS = f"arena.jobs_{JOB_FORMAT}.refresh_ratings"
DERIVE_INSIGHT = f"arena.jobs_{JOB_FORMAT + 1}.derive_insight"
"""The names under which the functions are queued: keys of a mapping, which are never imported.

A function that the last release did not have carries the next number: workers of that release, which go on while webs are
upgraded, drop its jobs as those of a newer one, where they would refuse them as foreign.
"""

MAX_TEXT_CHARS = 200
"""The most characters of an argument, and of the text that is shown of a foreign job."""
_MAX_NUMBER = 2**63 - 1
_MAX_DATA_BYTES = 4096
_MAX_FIELD_BYTES = 1 << 16
_ARGUMENTS: Mapping[str, tuple[type, ...]] = {
    PLAY_NEXT_BLOCK: (),
    REFRESH_RATINGS: (str,),
    DERIVE_INSIGHT: (str, str),
}
_FORMAT = re.compile(r"arena\.jobs_([0-9]{1,4})\..*")
_OUTDATED = frozenset(
    [
        "workers.jobs.play_block",
        "workers.jobs.refresh_ratings",
        "workers.job_functions.play_block",
        "workers.job_functions.play_next_block",
        "workers.job_functions.refresh_ratings",
        "arena.jobs_1.compute_chances",
    ]
)
"""The names under which earlier releases queued the functions."""
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
"""The fields that RQ writes for a job of the arena; it leaves out the others, or writes them empty."""


class ForeignJob(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a job is not one that the arena queues; `work` is its call, shortened."""

    def __init__(self, reason: str, work: str = "") -> None:
        super().__init__(reason)
        self.work = work


class JobOfAnotherRelease(ForeignJob):
    """Raised when a job was queued by a release with another job format: it is dropped, and the reconciler queues what is due."""


@dataclass(frozen=True, slots=True)
class Call:
    """The name and the arguments of one of the arena's functions."""

    function: str
    arguments: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{self.function.rpartition('.')[2]}({', '.join(map(str, self.arguments))})"


def read_call(job: Mapping[str, bytes]) -> Call:
    """Return the call of a job, from its hash in Redis.  Raises ForeignJob, among it JobOfAnotherRelease."""
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
        if isinstance(function, str):
            _check_format(function, work)
        raise ForeignJob("its function is none of the arena's", work)
    if instance is not None or named != {} or not isinstance(arguments, list):
        raise ForeignJob("it has other arguments than the arena's jobs", work)
    if tuple(map(type, arguments)) != _ARGUMENTS[function] or not all(map(_is_bounded, arguments)):
        raise ForeignJob("its arguments are none that the arena's jobs have", work)
    return Call(function, tuple(arguments))


def _check_format(function: str, work: str) -> None:
    """Raise JobOfAnotherRelease for a name under which another release queues a function."""
    found = _FORMAT.fullmatch(function)
    if function in _OUTDATED or (found and int(found[1]) < JOB_FORMAT):
        raise JobOfAnotherRelease(f"an older release queued it, this one reads job format {JOB_FORMAT}", work)
    if found and int(found[1]) > JOB_FORMAT:
        raise JobOfAnotherRelease(
            f"its job format is {found[1]}, this release reads {JOB_FORMAT}; a newer one queued it", work
        )


def shorten(data: bytes) -> str:
    """Return untrusted bytes as text that is safe to show: ASCII without control characters, at most MAX_TEXT_CHARS."""
    text = data[:MAX_TEXT_CHARS].decode("ascii", "backslashreplace")
    shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)[
        :MAX_TEXT_CHARS
    ]
    return shown if len(data) <= MAX_TEXT_CHARS and len(shown) < MAX_TEXT_CHARS else f"{shown}…"


def _unpack(data: bytes) -> bytes:
    """Decompress the data of a job.  Raises ForeignJob if it is too large."""
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
    return (
        len(argument) <= MAX_TEXT_CHARS
        if isinstance(argument, str)
        else 0 <= int(str(argument)) <= _MAX_NUMBER
    )
