"""Records are packed small, and what was packed by an earlier version is read."""

from __future__ import annotations

import random

import pytest
from zstandard import ZstdCompressor

from arena.games import registry
from arena.match.record import to_json
from arena.storage.record_compression import pack, pack_whole, unpack
from tests.games.playing import TABLES, Table, play, record

SEED = bytes(range(32))
REGISTERED = [table for table in TABLES if table.game.id in registry.GAMES]


def write(table: Table) -> str:
    return to_json(record(play(table, SEED, random.Random(1))))


@pytest.mark.parametrize("table", REGISTERED, ids=str)
def test_a_record_is_packed_smaller_than_its_text_and_comes_back(table: Table) -> None:
    text = write(table)
    data = pack(text)
    assert len(data) < len(ZstdCompressor(level=9).compress(text.encode()))
    assert unpack(data) == text


def test_a_record_that_was_packed_whole_is_read_and_stays_as_it_is() -> None:
    text = write(REGISTERED[0])
    whole = pack_whole(pack(text))
    assert whole is not None
    assert unpack(whole) == text
    assert pack_whole(whole) is None


def test_a_text_that_was_only_compressed_is_read_and_stays_as_it_is() -> None:
    text = write(REGISTERED[0])
    data = ZstdCompressor(level=9).compress(text.encode())
    assert unpack(data) == text
    assert pack_whole(data) is None
