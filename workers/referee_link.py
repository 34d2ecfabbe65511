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

from arena.messaging import presence
from arena.net.address import means_this_machine
from arena.referee_client.control_stream import Control
from arena.referee_client.reports import RefereeUnreachable
from workers import leases
from workers.control_session import Post
from workers.outage_log import Outage

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store

_EVERY_S = 1.0
_LEASE_S = 3.0
"""A registrar that was killed is replaced after this time."""
_FIRST_PAUSE_S = 0.2
_MAX_PAUSE_S = 3.0
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
                was_good = time.monotonic() - began > _MAX_PAUSE_S
                pause_s = _FIRST_PAUSE_S if was_good else min(2 * pause_s, _MAX_PAUSE_S)
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
            post = Post(self._store, self._client, self._referee, control, outage=self._redis_outage)
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
