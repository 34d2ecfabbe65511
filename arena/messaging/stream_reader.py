"""Reading Redis streams: replies of XREAD in one shape, by either version of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import redis.asyncio

Entry = tuple[bytes, dict[bytes, bytes]]
"""An entry of a stream: its id and its fields."""


async def read_streams(
    client: redis.asyncio.Redis, positions: Mapping[str, str], block_ms: int
) -> dict[str, list[Entry]]:
    """Wait up to `block_ms` milliseconds for entries after the id given for each stream; streams without any are left out.

    Raises RedisError and OSError.
    """
    asked: Any = dict(positions)
    return entries_by_stream(await client.xread(asked, block=block_ms))


def entries_by_stream(reply: Any) -> dict[str, list[Entry]]:  # noqa: ANN401 - redis-py types replies loosely
    """Return the entries in a reply of XREAD, oldest first; RESP3 nests them once more than RESP2."""
    streams = reply.items() if isinstance(reply, dict) else reply or ()
    flat = {
        stream.decode(): entries[0] if entries and isinstance(entries[0], list) else entries
        for stream, entries in streams
    }
    return {stream: entries for stream, entries in flat.items() if entries}
