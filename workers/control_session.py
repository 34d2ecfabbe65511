"""What passes over one `Control` stream between a referee and the arena; the registrar keeps the stream."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.bot_registry import bots, stored_bundles
from arena.competition.matches import absences
from arena.competition.qualification import arrivals, declared_versions
from arena.messaging import presence
from arena.messaging.presence import Presence
from arena.referee_client import DialIn, Endpoint
from arena.referee_client.control_stream import Absent, Answered, Here, Present, Wanted
from arena.storage.database_clock import read_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redis import Redis

    from arena.referee_client.control_stream import Control, News
    from arena.storage import Store
    from workers.outage_log import Outage

_log = logging.getLogger(__name__)

_WAKE_EVERY_S = 5.0
"""A bot that connects again and again has its blocks tried no more often than this."""
_WAKE_FOR_S = 30.0
"""A worker that was looking for a bot when it came has put its block to rest by then."""


class Post:
    """What passes over one stream: the tokens and other referees that were told, the bots that were heard of."""

    def __init__(
        self, store: Store, client: Redis, referee: str, control: Control, *, outage: Outage
    ) -> None:
        """`outage` is of Redis, and outlasts the stream."""
        self._store = store
        self._client = client
        self._referee = referee
        self._control = control
        self._outage = outage
        self._public: str | None = None
        self._protection = ""
        self._bots: dict[str, Presence] = {}
        self._admitted: Mapping[str, bytes] | None = None
        self._others: tuple[str, ...] = ()
        self._seen: dict[str, tuple[str, float]] = {}
        self._to_wake: dict[str, tuple[float, float]] = {}
        """Bots that have connected: when to wake their blocks, and until when to do so again."""
        self._declared: dict[DialIn | Endpoint, str] = {}  # and not stored yet
        self._arrived: set[DialIn | Endpoint] = set()  # and not noted in the store yet
        self._note_at = 0.0

    def take(self, news: News) -> None:
        """Take in what the referee says, and pass it on."""
        match news:
            case Wanted():
                self._bring(news.sha256)
            case Answered():
                self._declare(news.endpoint, news.version)
            case Present():
                self._show_news(news)
                self._declare(DialIn(news.token_id), news.version)
                at, _ = self._to_wake.get(news.token_id, (0.0, 0.0))
                self._to_wake[news.token_id] = (at, time.monotonic() + _WAKE_FOR_S)
                self._wake()
            case Here() | Absent():
                self._show_news(news)

    def _show_news(self, news: Here | Present | Absent) -> None:
        try:
            match news:
                case Here():
                    self._public = news.public_address
                    self._protection = news.protection
                    self._show()
                case Present():
                    self._bots[news.token_id] = Presence(news.name, news.version)
                    presence.set_present(self._client, news.token_id, self._referee, news.name, news.version)
                case Absent():
                    self._bots.pop(news.token_id, None)
                    presence.set_absent(self._client, news.token_id, self._referee)
        except (RedisError, OSError) as error:
            self._outage.begin(error)

    def look(self) -> None:
        """Tell the referee what has changed, and Redis all there is."""
        try:
            self._tell_tokens()
        except (SQLAlchemyError, OSError) as error:
            _log.warning("the bots' tokens could not be read, it is tried again: %s", error)
        self._store_declared()
        self._wake()
        self._note_arrivals()
        try:
            self._show()
            self._tell_others()
        except (RedisError, OSError) as error:
            self._outage.begin(error)
        else:
            self._outage.end()

    def gone(self) -> None:
        """Say that the referee is not there, and so none of its bots."""
        self._bots = {}
        self._public = self._protection = ""
        try:
            self._show()
        except (RedisError, OSError) as error:
            self._outage.begin(error)  # what it knew expires

    def _declare(self, source: DialIn | Endpoint, version: str) -> None:
        self._arrived.add(source)
        self._declared[source] = version
        self._store_declared()

    def _note_arrivals(self) -> None:
        """Note in the store who has come, and now and then who is still there; after the versions that they declare."""
        now = time.monotonic()
        if now >= self._note_at:
            self._arrived |= {DialIn(token_id) for token_id in self._bots}
        if self._arrived and not self._declared:
            try:
                with self._store.read() as session:
                    at = read_time(session)
                arrivals.note(self._store, self._arrived, at)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("it could not be stored which bots are there, it is tried again: %s", error)
                return
            self._arrived.clear()
        if now >= self._note_at:
            self._note_at = now + arrivals.NOTED_EVERY_S

    def _store_declared(self) -> None:
        try:
            for source, version in list(self._declared.items()):
                declared_versions.take(self._store, source, version)
                del self._declared[source]
        except (SQLAlchemyError, OSError) as error:
            _log.warning("what versions bots say they are could not be stored, it is tried again: %s", error)

    def _wake(self) -> None:
        """Have what waits for bots that have just connected tried at once, and some more times in the next moments.

        A worker may have been looking for a bot while it came, and puts its block to rest only afterwards.
        """
        now = time.monotonic()
        for token_id, (at, until) in list(self._to_wake.items()):
            if now < at:
                continue
            try:
                absences.wake(self._store, token_id)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("blocks that wait for a bot could not be woken, it is tried again: %s", error)
                return
            if now < until:
                self._to_wake[token_id] = (now + _WAKE_EVERY_S, until)
            else:
                del self._to_wake[token_id]

    def _bring(self, sha256: str) -> None:
        try:
            data = stored_bundles.read(self._store, sha256)
        except (SQLAlchemyError, OSError) as error:
            _log.warning("bundle %s could not be read: %s", sha256, error)
            self._control.lack(sha256, "the store is away")
            return
        if data is None:
            self._control.lack(sha256, "the arena has none of that name")
        else:
            self._control.bring(sha256, data)

    def _tell_tokens(self) -> None:
        now, before = bots.admitted(self._store), self._admitted
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

    def _show(self) -> None:
        # Before its first word nothing is known of the referee, and an older registrar's words may still stand.
        if self._public is not None:
            presence.show(self._client, self._referee, self._public, self._bots, self._protection)

    def _tell_others(self) -> None:
        """Name the other referees; one is left out only some time after Redis has not known it any more."""
        now = time.monotonic()
        found = presence.addresses(self._client)
        self._seen |= {name: (address, now) for name, address in found.items() if name != self._referee}
        self._seen = {name: seen for name, seen in self._seen.items() if now - seen[1] < presence.KEPT_S}
        others = tuple(sorted({address for address, _ in self._seen.values()} - {self._public or ""}))
        if others != self._others:
            self._control.tell_others(others)
            self._others = others
