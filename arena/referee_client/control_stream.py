"""Client of a referee's `Control` stream: the bots that may connect, and those that are connected.

with ControlStream("unix:/run/referee.sock") as control:
    control.admit({"id": digest})
    for news in control.news(wait_s=1.0):
        ...

For a thread that may wait, unlike `Referee`: a process with such a stream also does other work, and a second event
loop of grpc.aio in a process is woken by all that happens in the first.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Self

import grpc

from arena.core.release import FIRST_GENERATION, Peer
from arena.declarations.declared_tables import GameOffer, read_offers
from arena.referee_client import peer_release
from arena.referee_client.control_channel import open_channel_for_threads
from arena.referee_client.control_client import check_distance, unreachable
from arena.referee_client.control_credentials import credentials
from arena.referee_client.control_outbox import Outbox, weights_parts
from arena.referee_client.orders import Endpoint
from arena.referee_client.reports import RefereeUnreachable
from arena.v1 import control_pb2, control_pb2_grpc

_log = logging.getLogger(__name__)

_UNNAMED = Peer("", FIRST_GENERATION)


@dataclass(frozen=True, slots=True)
class RefereeOnline:
    """Comes first: where bots from elsewhere reach the referee; empty if they cannot."""

    public_address: str
    protection: str = ""
    """Protection from hosted bots, in words; begins with `full`, `partial` or `none`."""
    peer: Peer = _UNNAMED
    """Its release, and the generation of the control protocol that it speaks."""


@dataclass(frozen=True, slots=True)
class BotConnected:
    """A bot has connected, with the name, the version and the games that it declares."""

    token_id: str
    name: str
    version: str
    matches_at_once: int
    games: tuple[GameOffer, ...] = ()


@dataclass(frozen=True, slots=True)
class EndpointIdentified:
    """An endpoint that was dialled has said Hello, with the version and the games that it declares."""

    endpoint: Endpoint
    version: str
    games: tuple[GameOffer, ...] = ()


@dataclass(frozen=True, slots=True)
class BotDisconnected:
    """A bot has gone."""

    token_id: str


@dataclass(frozen=True, slots=True)
class DrainChanged:
    """The referee drains, or no longer does; `matches` still run."""

    draining: bool
    matches: int


@dataclass(frozen=True, slots=True)
class SetupWarned:
    """Warnings about the referee's configuration; they replace earlier ones."""

    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BundleRequested:
    """The referee has to start a bundle that it does not have; `sha256` is in hex."""

    sha256: str


@dataclass(frozen=True, slots=True)
class WeightsRequested:
    """The referee has to start a bundle whose weights it does not have; `sha256` is theirs, in hex."""

    sha256: str


News = (
    RefereeOnline
    | BotConnected
    | BotDisconnected
    | EndpointIdentified
    | BundleRequested
    | WeightsRequested
    | DrainChanged
    | SetupWarned
)
_PART_BYTES = 1 << 20
"""Of a bundle in one message: well below what a stream takes."""


class ControlStream:
    """One stream to one referee, a context manager.  A newer stream to the same referee ends it."""

    def __init__(self, address: str, key: str | None = None) -> None:
        self.address = address
        self._metadata = credentials(key)
        self._outbox = Outbox()
        self._inbox: SimpleQueue[News | RefereeUnreachable | None] = SimpleQueue()
        self._ended: RefereeUnreachable | None = None

    def __enter__(self) -> Self:
        self._channel = open_channel_for_threads(self.address)
        stub = control_pb2_grpc.RefereeServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._call: Any = stub.Control(self._outbox.messages(), metadata=self._metadata)
        threading.Thread(target=self._read, name="control", daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._outbox.put(None)
        self._call.cancel()
        self._channel.close()

    def admit(self, tokens: Mapping[str, bytes]) -> None:
        """Admit these tokens (id → SHA-256) and no others."""
        admit = control_pb2.AdmitTokens(tokens=[_token(*token) for token in tokens.items()])
        self._outbox.put(control_pb2.ControlRequest(admit=admit))

    def add(self, token_id: str, digest: bytes) -> None:
        """Admit one token more."""
        self._outbox.put(control_pb2.ControlRequest(add=_token(token_id, digest)))

    def revoke(self, token_id: str) -> None:
        """Admit a token no longer; the bot that is connected with it is sent away."""
        self._outbox.put(control_pb2.ControlRequest(revoke_token_id=token_id))

    def send_peer_addresses(self, addresses: Iterable[str]) -> None:
        """Send the addresses at which bots reach all the other referees."""
        others = control_pb2.OtherReferees(addresses=addresses)
        self._outbox.put(control_pb2.ControlRequest(others=others))

    def send_bundle(self, sha256: str, data: bytes) -> None:
        """Bring a bundle."""
        for start in range(0, max(1, len(data)), _PART_BYTES):
            part = control_pb2.BundlePart(
                sha256=sha256,
                data=data[start : start + _PART_BYTES],
                last=start + _PART_BYTES >= len(data),
            )
            self._outbox.put(control_pb2.ControlRequest(bundle=part))

    def send_weights(self, sha256: str, parts: Iterable[bytes]) -> None:
        """Bring weights; their parts are read one by one in another thread, each when the referee takes it.

        If they raise UsageError, the referee gets the error.
        """
        self._outbox.put_long(weights_parts(sha256, parts))

    def report_missing_bundle(self, sha256: str, reason: str) -> None:
        """Report that a bundle cannot be supplied, and why."""
        part = control_pb2.BundlePart(sha256=sha256, unavailable=reason)
        self._outbox.put(control_pb2.ControlRequest(bundle=part))

    def news(self, wait_s: float) -> Iterator[News]:
        """Yield the messages that have come, waiting up to `wait_s` for the first.

        Raises RefereeUnreachable once the stream has ended.
        """
        if self._ended is not None:
            raise self._ended
        try:
            word = self._inbox.get(timeout=max(0.0, wait_s))
            while word is not None:
                if isinstance(word, RefereeUnreachable):
                    self._ended = word
                    raise word
                yield word
                word = self._inbox.get_nowait()
        except Empty:
            return

    def wake(self) -> None:
        """End the wait for news in another thread."""
        self._inbox.put(None)

    def _read(self) -> None:
        code, details = grpc.StatusCode.OK, "it ended its control stream"
        try:
            peer = peer_release.read_peer(self._call.initial_metadata())
            for response in self._call:
                check_distance(self.address, self._call.initial_metadata())
                news = _news(response, peer)
                if news is not None:
                    self._inbox.put(news)
        except grpc.RpcError:
            code = self._call.code()
            details = self._call.details() or code.name
        except RefereeUnreachable as error:
            self._inbox.put(error)
            return
        except Exception:  # noqa: BLE001 - who reads the news would wait for ever
            _log.exception("a message of referee %s could not be read", self.address)
            code, details = grpc.StatusCode.INTERNAL, "its message could not be read"
        self._inbox.put(unreachable(self.address, code, details))


def _token(token_id: str, digest: bytes) -> control_pb2.AdmittedToken:
    return control_pb2.AdmittedToken(token_id=token_id, token_sha256=digest)


def _news(response: control_pb2.ControlResponse, peer: Peer) -> News | None:
    """Read a response; None for what a newer referee may say."""
    news: News | None = None
    match response.WhichOneof("response"):
        case "here":
            news = RefereeOnline(response.here.public_address, response.here.protection, peer)
        case "present":
            bot = response.present
            games = read_offers(bot.games)
            news = BotConnected(bot.token_id, bot.name, bot.version, bot.matches_at_once, games)
        case "absent_token_id":
            news = BotDisconnected(response.absent_token_id)
        case "endpoint":
            said = response.endpoint
            where = Endpoint(said.endpoint.address, said.endpoint.secret)
            news = EndpointIdentified(where, said.version, read_offers(said.games))
        case "wanted_bundle":
            news = BundleRequested(response.wanted_bundle)
        case "wanted_weights":
            news = WeightsRequested(response.wanted_weights)
        case "drain":
            news = DrainChanged(response.drain.draining, response.drain.matches)
        case "warnings":
            news = SetupWarned(tuple(response.warnings.messages))
    return news
