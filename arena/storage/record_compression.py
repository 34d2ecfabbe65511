"""Records at rest: their essence (`arena.match.compact_record`), compressed by zstd.

Level 6 is the knee: 2.5 bytes a step of a long match of lost_cities in 0.1 ms; level 19 has 2.4 and takes 3 ms.
"""

from __future__ import annotations

import threading

from zstandard import ZstdCompressor, ZstdDecompressor

from arena.match import compact_record

_LEVEL = 6


class _Local(threading.local):
    """A compressor and decompressor of each thread's own: they may not be shared, and cost more than a record."""

    def __init__(self) -> None:
        self.compressor = ZstdCompressor(level=_LEVEL)
        self.decompressor = ZstdDecompressor()


_local = _Local()


def pack(text: str) -> bytes:
    """Pack a record: what does not follow from the rules, or all of it where the rules do not give it again."""
    return _local.compressor.compress(compact_record.shrink(text))


def pack_whole(data: bytes) -> bytes | None:
    """Pack all of a packed record's text; None if that is so already.  Raises RulesChanged."""
    shrunk = _local.decompressor.decompress(data)
    if compact_record.is_whole(shrunk):
        return None
    return _local.compressor.compress(compact_record.keep(compact_record.expand(shrunk)))


def unpack(data: bytes) -> str:
    """Give back the text that was packed; it may have to be played again for that, some milliseconds.  Raises RulesChanged."""
    return compact_record.expand(_local.decompressor.decompress(data))


def fault_of(data: bytes) -> str | None:
    """Return the message of the fault that a packed record ended by, without playing it; None if it did not."""
    return compact_record.fault_of(_local.decompressor.decompress(data))
