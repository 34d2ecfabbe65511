"""The handshake on a bot's stream: its first message must be a valid Hello."""

from __future__ import annotations

import asyncio

import grpc
from google.protobuf.message import DecodeError

from arena.bundle_format.declared_text import may_be_version
from arena.core.errors import Refusal
from arena.declarations import declared_tables
from arena.v1.bot_pb2 import ConnectRequest, Hello
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import StallAwareClock
from referee.limits.referee_limits import RefereeLimits
from referee.wire.bot_connection import BotConnection
from referee.wire.frames import PROTOCOL
from referee.wire.peer_referees import PeerReferees
from referee.wire.write_coalescer import Stream, WriteCoalescer

_MAX_NAME_BYTES = 64


class HandshakeRejected(Exception):  # noqa: N818 - says what is the case
    """Raised when a stream does not begin with a valid Hello; `code` and `details` are the status that it ends with.

    `has_ended`: the bot has ended the stream without a word.
    """

    def __init__(
        self,
        details: str,
        code: grpc.StatusCode = grpc.StatusCode.INVALID_ARGUMENT,
        *,
        has_ended: bool = False,
    ) -> None:
        super().__init__(details)
        self.has_ended = has_ended
        self.code = code
        self.details = details


async def perform_handshake(
    stream: Stream,
    *,
    wait_s: float,
    clock: StallAwareClock,
    limits: RefereeLimits,
    coalescer: WriteCoalescer,
    slots: Slots | None = None,
    peers: PeerReferees | None = None,
) -> BotConnection:
    """Read a bot's Hello within `wait_s` seconds, answer with a Welcome and return the connection.

    Raises HandshakeRejected, and grpc's errors when the bot has disconnected.  `slots` are the CPU slots of a hosted bot;
    `peers` are named to bots that dial in.
    """
    try:
        async with asyncio.timeout(wait_s):
            frame = await stream.read()
    except TimeoutError:
        raise HandshakeRejected(f"no Hello within {wait_s:g} s") from None
    if frame is grpc.aio.EOF:
        raise HandshakeRejected("the stream ended before a Hello", has_ended=True)
    if len(frame) > limits.max_frame_bytes:
        raise HandshakeRejected(
            f"a first frame of {len(frame)} bytes: at most {limits.max_frame_bytes} are allowed"
        )
    try:
        messages = ConnectRequest.FromString(frame).messages
    except DecodeError:
        raise HandshakeRejected("the first frame is no arena.v1.ConnectRequest") from None
    if not messages or messages[0].WhichOneof("message") != "hello":
        raise HandshakeRejected("the first message must be a Hello")
    hello = messages[0].hello
    _check(hello, limits)
    connection = BotConnection(stream, hello, clock=clock, limits=limits, coalescer=coalescer, slots=slots)
    connection.send_welcome(peers)
    if len(messages) > 1:
        connection.handle(messages[1:], clock.now_ms())
    return connection


def _check(hello: Hello, limits: RefereeLimits) -> None:
    if hello.protocol != PROTOCOL:
        raise HandshakeRejected(
            f"Hello.protocol {hello.protocol}: this referee speaks {PROTOCOL}",
            grpc.StatusCode.FAILED_PRECONDITION,
        )
    for field in ("name", "version", "sdk"):
        _check_text(f"Hello.{field}", getattr(hello, field))
    if hello.version and not may_be_version(hello.version):
        raise HandshakeRejected(f"Hello.version {hello.version!a}: must be without blanks, `@`, `,` and `/`")
    _check_count("Hello.games", len(hello.games), limits)
    for offer in hello.games:
        _check_text("Hello.games.game", offer.game)
        _check_count("Hello.games.variants", len(offer.variants), limits)
        for variant in offer.variants:
            _check_text("Hello.games.variants", variant)
        _check_count("Hello.games.seat_counts", len(offer.seat_counts), limits)
        try:
            declared_tables.check([offer.game], offer.variants, offer.seat_counts)
        except Refusal as refusal:
            raise HandshakeRejected(f"Hello.games.{refusal}") from None


def _check_text(field: str, text: str) -> None:
    """Check that a text is short and printable."""
    size = len(text.encode())
    if size > _MAX_NAME_BYTES:
        raise HandshakeRejected(f"{field} of {size} bytes: at most {_MAX_NAME_BYTES} are allowed")
    if not text.isprintable():
        raise HandshakeRejected(f"{field} {text!a}: must have printable characters only")


def _check_count(field: str, number: int, limits: RefereeLimits) -> None:
    if number > limits.max_offers:
        raise HandshakeRejected(f"{field} has {number} entries: at most {limits.max_offers} are allowed")


def why_not_played(hello: Hello, game: str, variant: str, seats: int) -> str | None:
    """Return why a bot does not play a table, by the games of its Hello, in words; None if it does."""
    if not hello.games:
        return None
    offers = declared_tables.read_offers(hello.games)
    offered = declared_tables.offered(offers, game)
    if offered.include(variant, seats):
        return None
    asked = f"does not play {game} ({variant}) at {seats} seats: its Hello offers"
    if offered.counts:
        return f"{asked} {offered.words(game)}"
    return f"{asked} {', '.join(dict.fromkeys(offer.game for offer in offers))} only"
