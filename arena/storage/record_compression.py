"""Records at rest: as columns (`arena.match.record_columns`), in one zstd frame that names its dictionary.

A dictionary is the file `dictionaries/<id>.zdict` in this module's folder; `bench/dictionary.py` trains one.  The id is in the file
and in every frame made with it.  Stores need each dictionary for ever: none is changed or deleted, a better one gets the
next id.

Level 9 is the knee: level 6 takes 1 % more room, level 12 takes twice the time for 0.5 % less.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files

from zstandard import (
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

from arena.match import record_columns
from arena.match.record_columns import RecordUnreadable

NEWEST_DICTIONARY = 1
"""The id of the dictionary that records are packed with."""

LEVEL = 9


class _Local(threading.local):
    """A compressor, and a decompressor for each dictionary, of each thread's own: they may not be shared."""

    def __init__(self) -> None:
        parameters = ZstdCompressionParameters.from_level(
            LEVEL, write_content_size=True, write_dict_id=True, write_checksum=True
        )
        self.compressor = ZstdCompressor(dict_data=_newest_dictionary(), compression_params=parameters)
        self.decompressors: dict[int, ZstdDecompressor] = {}


def pack(text: str) -> bytes:
    """Return a record's text as the store has it."""
    return _local().compressor.compress(record_columns.encode(text))


def unpack(data: bytes) -> str:
    """Return the text that was packed.  Raises RecordUnreadable."""
    return record_columns.decode(_decompress(data))


def fault_of(data: bytes) -> str | None:
    """Return the message of the fault that ended a packed record; None if none did, or if the record cannot be read."""
    try:
        return record_columns.fault_of(_decompress(data))
    except RecordUnreadable:
        return None


@cache
def dictionary(number: int) -> ZstdCompressionDict:
    """Return the dictionary with an id.  Raises RecordUnreadable if this version of Bot Arena has none."""
    try:
        data = (files("arena.storage") / "dictionaries" / f"{number}.zdict").read_bytes()
    except FileNotFoundError:
        raise RecordUnreadable(
            f"the stored record cannot be read: it needs dictionary {number}, this version of Bot Arena has "
            f"1 to {NEWEST_DICTIONARY}"
        ) from None
    return ZstdCompressionDict(data)


def _decompress(data: bytes) -> bytes:
    """Return what a frame contains.  Raises RecordUnreadable."""
    try:
        number = get_frame_parameters(data).dict_id
        decompressors = _local().decompressors
        if number not in decompressors:
            decompressors[number] = ZstdDecompressor(dict_data=dictionary(number) if number else None)
        return decompressors[number].decompress(data)
    except ZstdError as error:
        raise RecordUnreadable(f"the stored record cannot be read: it is damaged ({error})") from error


@cache
def _newest_dictionary() -> ZstdCompressionDict:
    """Return the newest dictionary, prepared for compressing once for all threads."""
    newest = dictionary(NEWEST_DICTIONARY)
    newest.precompute_compress(level=LEVEL)
    return newest


@cache
def _local() -> _Local:
    """Return what each thread has of its own; made on first use, since importing this module should not read a file."""
    return _Local()
