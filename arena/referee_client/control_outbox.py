"""Outbox of a `Control` stream: messages at once, long files a part at a time in between.

A file's next part is read when gRPC asks for the next message, so that no more than a few parts are in memory, and
a token that is revoked meanwhile does not wait for the end of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from queue import Empty, SimpleQueue

from arena.core.errors import UsageError
from arena.v1 import control_pb2

Messages = Iterator[control_pb2.ControlRequest]


class Outbox:
    """Messages waiting to be sent.  Any thread may add; `messages` is for one."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[control_pb2.ControlRequest | Messages | None] = SimpleQueue()

    def put(self, message: control_pb2.ControlRequest | None) -> None:
        """Add a message; None ends the stream."""
        self._waiting.put(message)

    def put_long(self, messages: Messages) -> None:
        """Add messages that are made one by one, in the thread that sends them, and sent after those that were added at once."""
        self._waiting.put(messages)

    def messages(self) -> Messages:
        """Yield what is to be sent, until the end."""
        long: deque[Messages] = deque()
        while True:
            try:
                added = self._waiting.get(block=not long)
            except Empty:
                message = next(long[0], None)
                if message is None:
                    long.popleft()
                else:
                    yield message
                continue
            if added is None:
                return
            if isinstance(added, control_pb2.ControlRequest):
                yield added
            else:
                long.append(added)


def weights_parts(sha256: str, parts: Iterable[bytes]) -> Messages:
    """Make the messages that bring a file of weights, or say why it cannot be brought."""
    first = True
    try:
        for data in parts:
            yield _message(control_pb2.WeightsPart(sha256=sha256, data=data, first=first))
            first = False
    except UsageError as error:
        yield _message(control_pb2.WeightsPart(sha256=sha256, unavailable=str(error)))
        return
    yield _message(control_pb2.WeightsPart(sha256=sha256, first=first, last=True))


def _message(part: control_pb2.WeightsPart) -> control_pb2.ControlRequest:
    return control_pb2.ControlRequest(weights=part)
