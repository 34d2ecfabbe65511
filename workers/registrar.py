"""The registrar: keeps the `Control` stream to the referee of this worker.

    store ── tokens ──▶ registrar ──▶ referee        who may connect
    store ── bundles ──▶ registrar ──▶ referee       uploads that it has to start and lacks
    Redis ◀── who is connected, where bots reach the referee ── registrar ◀── referee
    store ◀── which bots are there, the versions that they say they are ── registrar ◀── referee
    Redis ── where bots reach the other referees ──▶ registrar ──▶ referee ──▶ bots (`Welcome.referees`)

Every worker process has a registrar in a thread; a lease lets one of them work for each referee.  Whatever dies, it goes
on from what the others say: the referee is told all tokens on each new stream, and Redis is told all presence anew
every second.  While the store or Redis is away, the referee keeps what it knows.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.net.address import means_this_machine
from arena.play import DialIn, Endpoint
from arena.play.control import Absent, Answered, Control, Here, Present, Wanted
from arena.play.reports import RefereeUnreachable
from arena.queue import presence
from arena.queue.presence import Presence
from arena.services import absences, arrivals, bots, bundles, declared
from workers import leases
from workers.outages import Outage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redis import Redis

    from arena.play.control import News
    from arena.store import Store

_log = logging.getLogger(__name__)

_EVERY_S = 1.0
_LEASE_S = 3.0
"""A registrar that was killed is replaced after this time."""
_WAKE_EVERY_S = 5.0
_WAKE_FOR_S = 5.0
"""A bot that connects again and again has its blocks tried no more often than this."""
_FIRST_PAUSE_S = 0.2
_LONGEST_PAUSE_S = 3.0
"""The pauses between attempts to reach a referee that is away grow from the one to the other."""


def referee_name(control: str) -> str:
    """Name a referee among those of all machines, by the address of its control port."""
    return f"{control}@{socket.gethostname()}" if means_this_machine(control) else control


class Registrar:
    """Works in a thread of its own until it is closed."""

    def __init__(self, store: Store, client: Redis, name: str, control: str) -> None:
        self._store = store
        self._client = client
        self._name = name
        self._address = control
        self._referee = referee_name(control)
        # The name may be longer than the store's keys.
        self._purpose = f"registrar/{sha256(self._referee.encode()).hexdigest()[:32]}"
        self._outage = Outage(f"the control stream to referee {control}", logging.INFO)
        self._redis_outage = Outage("Redis, which is told who is connected,", logging.INFO)
        self._store_outage = Outage("the store, for the registrar", logging.INFO)
        self._closing = threading.Event()
        self._control: Control | None = None
        self._thread = threading.Thread(target=self._work, name="registrar", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End; another process goes on at once."""
        self._closing.set()
        control = self._control
        if control is not None:
            control.wake()
        self._thread.join()
        with suppress(SQLAlchemyError, OSError):  # it runs out by itself
            leases.leave(self._store, self._purpose, self._name)

    def _work(self) -> None:
        pause_s = _FIRST_PAUSE_S
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                if leases.take(self._store, self._purpose, self._name, _LEASE_S):
                    self._keep()
                pause_s = _EVERY_S
            except RefereeUnreachable as error:
                self._outage.begin(error)
                self._tell_missing()
                was_good = time.monotonic() - began > _LONGEST_PAUSE_S
                pause_s = _FIRST_PAUSE_S if was_good else min(2 * pause_s, _LONGEST_PAUSE_S)
            except (SQLAlchemyError, OSError) as error:
                self._store_outage.begin(error.orig if isinstance(error, DBAPIError) else error)
                pause_s = _EVERY_S
            else:
                self._store_outage.end()
            self._closing.wait(pause_s)

    def _tell_missing(self) -> None:
        with suppress(RedisError, OSError):
            presence.set_missing(self._client, self._referee)

    def _keep(self) -> None:
        """Keep one stream until it ends, the lease is lost, or we are to stop.  Raises RefereeUnreachable."""
        with Control(self._address) as control:
            self._control = control
            post = _Post(self._store, self._client, self._referee, control, outage=self._redis_outage)
            look_at = 0.0
            try:
                while not self._closing.is_set():
                    if time.monotonic() >= look_at:
                        if not self._still_ours():
                            return
                        post.look()
                        look_at = time.monotonic() + _EVERY_S
                    for news in control.news(look_at - time.monotonic()):
                        self._outage.end()
                        post.take(news)
            except RefereeUnreachable:
                if self._still_ours():
                    post.gone()
                raise
            finally:
                self._control = None

    def _still_ours(self) -> bool:
        try:
            return leases.take(self._store, self._purpose, self._name, _LEASE_S)
        except (SQLAlchemyError, OSError):
            return True  # nobody else can take it either; if somebody can, their stream ends this one


class _Post:
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
                self._to_wake.setdefault(news.token_id, (0.0, time.monotonic() + _WAKE_FOR_S))
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
                arrivals.note(self._store, self._arrived, time.time())
            except (SQLAlchemyError, OSError) as error:
                _log.warning("it could not be stored which bots are there, it is tried again: %s", error)
                return
            self._arrived.clear()
        if now >= self._note_at:
            self._note_at = now + arrivals.NOTED_EVERY_S

    def _store_declared(self) -> None:
        try:
            for source, version in list(self._declared.items()):
                declared.take(self._store, source, version)
                del self._declared[source]
        except (SQLAlchemyError, OSError) as error:
            _log.warning("what versions bots say they are could not be stored, it is tried again: %s", error)

    def _wake(self) -> None:
        """Have what waits for bots that have just connected tried at once, and once more a little later.

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
            data = bundles.read(self._store, sha256)
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
