"""The arena's side of one `Control` stream with a referee: tokens, presence, bundles, addresses of peers."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.bot_registry import bots, stored_bundles, stored_weights
from arena.competition.matches import absences
from arena.competition.qualification import arrivals, declared_versions
from arena.core.errors import UsageError
from arena.declarations.declared_tables import GameOffer
from arena.messaging import presence
from arena.messaging.presence import Presence, RefereeState
from arena.referee_client import DialIn, Endpoint
from arena.referee_client.control_stream import (
    BotConnected,
    BotDisconnected,
    BundleRequested,
    DrainChanged,
    EndpointIdentified,
    RefereeOnline,
    SetupWarned,
    WeightsRequested,
)
from arena.storage.database_clock import read_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from redis import Redis

    from arena.core.unforeseen_errors import UnforeseenErrors
    from arena.referee_client.control_stream import ControlStream, News
    from arena.storage import Store
    from workers.outage_log import Outage

_log = logging.getLogger(__name__)

_WAKE_EVERY_S = 5.0
"""The shortest interval at which the blocks of a bot that keeps connecting are tried."""
_WAKE_FOR_S = 30.0
"""By then a worker that found the bot absent just before it connected has put its block to rest."""


class ControlSession:
    """The state of one stream: the tokens and addresses that were sent, the bots that are connected."""

    def __init__(
        self,
        store: Store,
        client: Redis,
        referee: str,
        control: ControlStream,
        *,
        outage: Outage,
        errors: UnforeseenErrors,
    ) -> None:
        """`outage` is that of Redis; it outlives the stream, as `errors` do."""
        self._store = store
        self._client = client
        self._referee = referee
        self._control = control
        self._outage = outage
        self._errors = errors
        self._public: str | None = None
        self._protection = ""
        self._state: RefereeState | None = None
        self._warnings: tuple[str, ...] = ()
        self._bots: dict[str, Presence] = {}
        self._admitted: Mapping[str, bytes] | None = None
        self._others: tuple[str, ...] = ()
        self._seen: dict[str, tuple[str, float]] = {}
        self._to_wake: dict[str, tuple[float, float]] = {}
        """By token id, for bots that have connected: when to wake their blocks next, and until when to repeat that."""
        self._declared: dict[DialIn | Endpoint, tuple[str, tuple[GameOffer, ...]]] = {}
        """Versions and games that bots have declared, and that are not stored yet."""
        self._arrived: set[DialIn | Endpoint] = set()
        """Bots that have connected, which is not stored yet."""
        self._note_at = 0.0

    def handle(self, news: News) -> None:
        """Handle an event of the referee."""
        match news:
            case SetupWarned():
                self._warnings = news.warnings
            case BundleRequested():
                self._send_bundle(news.sha256)
            case WeightsRequested():
                self._control.send_weights(news.sha256, _read_weights(self._store, news.sha256))
            case EndpointIdentified():
                self._declare(news.endpoint, news.version, news.games)
            case BotConnected():
                self._publish_presence(news)
                self._declare(DialIn(news.token_id), news.version, news.games)
                at, _ = self._to_wake.get(news.token_id, (0.0, 0.0))
                self._to_wake[news.token_id] = (at, time.monotonic() + _WAKE_FOR_S)
                self._wake()
            case RefereeOnline() | BotDisconnected() | DrainChanged():
                self._publish_presence(news)

    def _publish_presence(self, news: RefereeOnline | BotConnected | BotDisconnected | DrainChanged) -> None:
        try:
            match news:
                case RefereeOnline():
                    self._public = news.public_address
                    self._protection = news.protection
                    self._state = RefereeState(news.peer.release, news.peer.generation)
                    self._publish_all()
                case DrainChanged():
                    state = self._state or RefereeState()
                    self._state = replace(state, draining=news.draining, matches=news.matches)
                    self._publish_all()
                case BotConnected():
                    self._bots[news.token_id] = Presence(news.name, news.version)
                    presence.set_present(self._client, news.token_id, self._referee, news.name, news.version)
                case BotDisconnected():
                    self._bots.pop(news.token_id, None)
                    presence.set_absent(self._client, news.token_id, self._referee)
        except (RedisError, OSError) as error:
            self._outage.begin(error)

    def refresh(self) -> None:
        """Send the referee all changes, and publish the whole state in Redis."""
        for step, work in (
            ("sending the bots' tokens", self._send_tokens),
            ("storing declared versions", self._store_declared),
            ("waking blocks", self._wake),
            ("storing who is connected", self._store_arrivals),
            ("publishing who is connected", self._publish_and_send_peers),
        ):
            with self._errors.survive(step):
                work()

    def _publish_and_send_peers(self) -> None:
        try:
            self._publish_all()
            self._send_peers()
        except (RedisError, OSError) as error:
            self._outage.begin(error)
        else:
            self._outage.end()

    def publish_offline(self) -> None:
        """Publish that the referee is offline, and with it all its bots."""
        self._bots = {}
        self._public = self._protection = ""
        self._state = None
        self._warnings = ()
        try:
            self._publish_all()
        except (RedisError, OSError) as error:
            self._outage.begin(error)  # the entries in Redis expire

    def _declare(self, source: DialIn | Endpoint, version: str, games: tuple[GameOffer, ...]) -> None:
        self._arrived.add(source)
        self._declared[source] = (version, games)
        self._store_declared()

    def _store_arrivals(self) -> None:
        """Store which bots have connected, and periodically which are connected; their declared versions are stored first."""
        now = time.monotonic()
        if now >= self._note_at:
            self._arrived |= {DialIn(token_id) for token_id in self._bots}
        if self._arrived and not self._declared:
            try:
                with self._store.read() as session:
                    at = read_time(session)
                arrivals.note(self._store, self._arrived, at)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("the presence of bots could not be stored, this is retried: %s", error)
                return
            self._arrived.clear()
        if now >= self._note_at:
            self._note_at = now + arrivals.NOTED_EVERY_S

    def _store_declared(self) -> None:
        try:
            for source, (version, games) in list(self._declared.items()):
                declared_versions.take(self._store, source, version, games)
                del self._declared[source]
        except (SQLAlchemyError, OSError) as error:
            _log.warning("the declared versions of bots could not be stored, this is retried: %s", error)

    def _wake(self) -> None:
        """Wake the blocks that wait for bots that have just connected, now and for some time after.

        A worker may have found a bot absent just before it connected, and puts its block to rest only afterwards.
        """
        now = time.monotonic()
        for token_id, (at, until) in list(self._to_wake.items()):
            if now < at:
                continue
            try:
                absences.wake(self._store, token_id)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("blocks that wait for a bot could not be woken, this is retried: %s", error)
                return
            if now < until:
                self._to_wake[token_id] = (now + _WAKE_EVERY_S, until)
            else:
                del self._to_wake[token_id]

    def _send_bundle(self, sha256: str) -> None:
        try:
            data = stored_bundles.read(self._store, sha256)
        except (SQLAlchemyError, OSError) as error:
            _log.warning("bundle %s could not be read: %s", sha256, error)
            self._control.report_missing_bundle(sha256, "the store is away")
            return
        if data is None:
            self._control.report_missing_bundle(sha256, "the arena has none of that name")
        else:
            self._control.send_bundle(sha256, data)

    def _send_tokens(self) -> None:
        try:
            now, before = bots.admitted(self._store), self._admitted
        except (SQLAlchemyError, OSError) as error:
            _log.warning("the bots' tokens could not be read, this is retried: %s", error)
            return
        if before is None:
            self._control.admit(now)
        else:
            for token_id, digest in before.items():
                if now.get(token_id) != digest:
                    self._control.revoke(token_id)
            for token_id, digest in now.items():
                if before.get(token_id) != digest:
                    self._control.add(token_id, digest)
        self._admitted = now

    def _publish_all(self) -> None:
        # Nothing is known of the referee before its first event; an older link's entries may still be valid.
        if self._public is not None:
            presence.show(
                self._client, self._referee, self._public, self._bots, self._protection, self._state
            )
            presence.set_warnings(self._client, self._referee, self._warnings)

    def _send_peers(self) -> None:
        """Send the addresses of the other referees; one that has left Redis is sent for some more time."""
        now = time.monotonic()
        found = presence.addresses(self._client)
        self._seen |= {name: (address, now) for name, address in found.items() if name != self._referee}
        self._seen = {name: seen for name, seen in self._seen.items() if now - seen[1] < presence.KEPT_S}
        others = tuple(sorted({address for address, _ in self._seen.values()} - {self._public or ""}))
        if others != self._others:
            self._control.send_peer_addresses(others)
            self._others = others


def _read_weights(store: Store, sha256: str) -> Iterator[bytes]:
    """Yield the parts of a file of weights.  Raises UsageError if it is not there, or cannot be read now."""
    try:
        number = stored_weights.find(store, sha256)
        if number is None:
            raise UsageError("the arena has none of that SHA-256")
        part = 0
        while (data := stored_weights.read_part(store, number, part)) is not None:
            yield data
            part += 1
    except (SQLAlchemyError, OSError) as error:
        _log.warning("weights %s could not be read: %s", sha256, error)
        raise UsageError("the store is away") from error
