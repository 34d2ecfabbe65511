"""What is sent on a control stream: a long file's parts are made one by one, and messages do not wait for its end."""

from __future__ import annotations

from collections.abc import Iterator

from arena.core.errors import UsageError
from arena.referee_client.control_outbox import Outbox, weights_parts
from arena.v1.control_pb2 import ControlRequest

SHA256 = "ab" * 32


def revoked(name: str) -> ControlRequest:
    return ControlRequest(revoke_token_id=name)


def test_message_does_not_wait_for_the_end_of_a_file() -> None:
    outbox, made = Outbox(), []

    def parts() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield bytes([number])

    outbox.put_long(weights_parts(SHA256, parts()))
    sent = outbox.messages()
    assert next(sent).weights.data == b"\0"
    assert made == [0]
    outbox.put(revoked("ann"))
    assert next(sent).revoke_token_id == "ann"
    rest = [next(sent).weights for _ in range(3)]
    assert [(part.data, part.first, part.last) for part in rest] == [
        (b"\1", False, False),
        (b"\2", False, False),
        (b"", False, True),
    ]
    outbox.put(None)
    assert list(sent) == []


def test_files_come_one_after_the_other() -> None:
    outbox = Outbox()
    for name in ("a" * 64, "b" * 64):
        outbox.put_long(weights_parts(name, [b"1", b"2"]))
    sent = outbox.messages()
    assert [next(sent).weights.sha256[0] for _ in range(6)] == [*"aaabbb"]


def test_file_that_cannot_be_read_further_is_reported() -> None:
    def parts() -> Iterator[bytes]:
        yield b"1"
        raise UsageError("the store is away")

    *_, last = weights_parts(SHA256, parts())
    assert last.weights.unavailable == "the store is away"
