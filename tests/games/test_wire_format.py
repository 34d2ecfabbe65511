from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.wire_format import tag, varint, with_length
from arena.v1.bot_pb2 import Ask

LARGEST = 2**32 - 1


@given(st.integers(0, LARGEST) | st.sampled_from([0, 127, 128, 2**14 - 1, 2**14, 2**21 - 1, 2**21, LARGEST]))
def test_any_number_is_written_as_protobuf_writes_it(number: int) -> None:
    assert Ask.FromString(tag(Ask, "bank_ms") + varint(number)) == Ask(bank_ms=number)
    if number:
        assert tag(Ask, "bank_ms") + varint(number) == Ask(bank_ms=number).SerializeToString()


@given(st.binary(min_size=1, max_size=20_000))
def test_any_bytes_are_written_as_protobuf_writes_them(data: bytes) -> None:
    assert tag(Ask, "view") + with_length(data) == Ask(view=data).SerializeToString()
