"""Records are packed small, and what was packed once can be read for ever."""

from __future__ import annotations

import json
import random
import threading
from hashlib import sha256
from importlib.resources import files

import pytest
from zstandard import ZstdCompressionDict, ZstdCompressor, get_frame_parameters

from arena.games import registry
from arena.match.record import to_json
from arena.match.record_columns import RecordUnreadable, encode
from arena.storage.record_compression import NEWEST_DICTIONARY, dictionary, fault_of, pack, unpack
from tests.games.playing import TABLES, Configuration, play, record

SEED = bytes(range(32))
REGISTERED = [table for table in TABLES if table.game.id in registry.GAMES]
FAULTY = json.dumps(
    {"steps": [], "result": {"fault": {"seat": 0, "kind": "crash", "message": "gone"}}}, separators=(",", ":")
)

SHA256 = {1: "9885399b8d511a662af9d25fc8641b64d086133247b8b5f5d9029de4906f29f3"}
"""Of each dictionary there ever was: one that is changed or missing makes rows unreadable."""

PACKED = "28b52ffd2501581d010070676f6e5b5d2c22222c5b5d5d0a0006fcb5edc68c10277a7bd2b227cc48405b436806fdf24517"
"""FAULTY as a row of the store."""


def write(table: Configuration) -> str:
    return to_json(record(play(table, SEED, random.Random(1))))


@pytest.mark.parametrize("table", REGISTERED, ids=str)
def test_a_record_is_packed_smaller_than_its_text_and_comes_back(table: Configuration) -> None:
    text = write(table)
    data = pack(text)
    assert len(data) < len(ZstdCompressor(level=9).compress(text.encode()))
    assert unpack(data) == text


@pytest.mark.parametrize("text", ["", "é", "no JSON", '{"steps": []}'])
def test_a_text_that_is_no_record_comes_back(text: str) -> None:
    assert unpack(pack(text)) == text


def test_a_row_names_its_dictionary_and_has_a_checksum() -> None:
    frame = get_frame_parameters(pack(FAULTY))
    assert frame.dict_id == NEWEST_DICTIONARY
    assert frame.has_checksum


def test_a_row_without_a_dictionary_is_read() -> None:
    assert unpack(ZstdCompressor(level=6).compress(encode(FAULTY))) == FAULTY


def test_a_packed_row_is_read_for_ever() -> None:
    assert unpack(bytes.fromhex(PACKED)) == FAULTY


def test_no_dictionary_is_changed_or_missing() -> None:
    found = {
        int(each.name.removesuffix(".zdict")): each.read_bytes()
        for each in (files("arena.storage") / "dictionaries").iterdir()
    }
    assert {number: sha256(data).hexdigest() for number, data in found.items()} == SHA256
    assert sorted(found) == [*range(1, NEWEST_DICTIONARY + 1)]
    assert all(dictionary(number).dict_id() == number for number in found)


def test_a_dictionary_of_a_newer_version_is_named() -> None:
    newer = ZstdCompressionDict(
        dictionary(1).as_bytes()[:4] + (7).to_bytes(4, "little") + dictionary(1).as_bytes()[8:]
    )
    data = ZstdCompressor(dict_data=newer).compress(encode(FAULTY))
    with pytest.raises(RecordUnreadable, match="it needs dictionary 7, this version of Bot Arena has 1 to"):
        unpack(data)


def test_any_damage_is_found() -> None:
    data = pack(write(REGISTERED[0]))
    chooser = random.Random(1)
    for at in chooser.sample(range(len(data)), 100):
        damaged = bytearray(data)
        damaged[at] ^= 1 << chooser.randrange(8)
        with pytest.raises(RecordUnreadable, match="cannot be read"):
            unpack(bytes(damaged))
    for data_ in (b"", b"no zstd", data[:-1]):
        with pytest.raises(RecordUnreadable, match="cannot be read"):
            unpack(data_)


def test_the_fault_of_a_record_is_found_and_none_where_it_cannot_be_read() -> None:
    assert fault_of(pack(FAULTY)) == "gone"
    assert fault_of(pack(write(REGISTERED[0]))) is None
    assert fault_of(b"no zstd") is None


def test_threads_pack_and_unpack_at_the_same_time() -> None:
    texts = [write(table) for table in REGISTERED]
    wrong: list[str] = []

    def work() -> None:
        wrong.extend(text for text in texts if unpack(pack(text)) != text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
