"""The link to a referee: it serves the referee's `Control` stream.

    store ── tokens of the bots that may connect ──▶ link ──▶ referee
    store ── uploads that the referee has to start and lacks, and their weights ──▶ link ──▶ referee
    Redis ◀── connected bots, the address of the bots' port ── link ◀── referee
    store ◀── which bots are connected, their declared versions ── link ◀── referee
    Redis ── addresses of the other referees ──▶ link ──▶ referee ──▶ bots (`Welcome.referees`)

Every worker process has a link to each of its referees, in a thread; a lease makes one link per referee active.  After
any failure the state is sent again: the referee gets all tokens on each new stream, and Redis gets the whole presence
every second.  While the store or Redis is unavailable, the referee keeps its state.
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

from arena.core.unforeseen_errors import UnforeseenErrors
from arena.messaging import presence
from arena.net.address import means_this_machine
from arena.referee_client.control_stream import ControlStream
from arena.referee_client.reports import RefereeUnreachable
from arena.storage import leases
from workers.control_session import ControlSession
from workers.outage_log import Outage

if TYPE_CHECKING:
    from redis import Redis

    from arena.storage import Store

_log = logging.getLogger(__name__)

_EVERY_S = 1.0
_LEASE_S = 3.0
"""The link of a killed worker is replaced after this time."""
_FIRST_PAUSE_S = 0.2
_MAX_PAUSE_S = 3.0
"""The pauses between attempts to reach a referee double from the first to the longest."""


def referee_name(control: str) -> str:
    """Return a name of a referee that is unique among all machines, from the address of its control port."""
    return f"{control}@{socket.gethostname()}" if means_this_machine(control) else control


class RefereeLink:
    """A thread that serves a control stream until it is closed."""

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
        self._store_outage = Outage("the store, for the link to a referee,", logging.INFO)
        self._errors = UnforeseenErrors(_log)
        self._closing = threading.Event()
        self._control: ControlStream | None = None
        self._thread = threading.Thread(target=self._work, name="referee-link", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End, and release the lease for another process."""
        self._closing.set()
        control = self._control
        if control is not None:
            control.wake()
        self._thread.join()
        with suppress(SQLAlchemyError, OSError):  # the lease expires by itself
            leases.leave(self._store, self._purpose, self._name)

    def _work(self) -> None:
        pause_s = _FIRST_PAUSE_S
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                if leases.take(self._store, self._purpose, self._name, _LEASE_S):
                    self._serve_stream()
                pause_s = _EVERY_S
            except RefereeUnreachable as error:
                self._outage.begin(error)
                self._publish_missing()
                was_good = time.monotonic() - began > _MAX_PAUSE_S
                pause_s = _FIRST_PAUSE_S if was_good else min(2 * pause_s, _MAX_PAUSE_S)
            except (SQLAlchemyError, OSError) as error:
                self._store_outage.begin(error.orig if isinstance(error, DBAPIError) else error)
                pause_s = _EVERY_S
            except Exception as error:  # noqa: BLE001 - without a link no bot from elsewhere could play
                self._errors.report(f"the link to referee {self._address}", error)
                pause_s = _MAX_PAUSE_S
            else:
                self._store_outage.end()
            self._closing.wait(pause_s)

    def _publish_missing(self) -> None:
        with suppress(RedisError, OSError):
            presence.set_missing(self._client, self._referee)

    def _serve_stream(self) -> None:
        """Serve one stream until it ends, the lease is lost, or the link is closed.  Raises RefereeUnreachable."""
        with ControlStream(self._address) as control:
            self._control = control
            session = ControlSession(
                self._store,
                self._client,
                self._referee,
                control,
                outage=self._redis_outage,
                errors=self._errors,
            )
            refresh_at = 0.0
            try:
                while not self._closing.is_set():
                    if time.monotonic() >= refresh_at:
                        if not self._renew_lease():
                            return
                        session.refresh()
                        refresh_at = time.monotonic() + _EVERY_S
                    for news in control.news(refresh_at - time.monotonic()):
                        self._outage.end()
                        with self._errors.survive(f"handling {type(news).__name__}"):
                            session.handle(news)
            except RefereeUnreachable:
                if self._renew_lease():
                    session.publish_offline()
                raise
            finally:
                self._control = None

    def _renew_lease(self) -> bool:
        try:
            return leases.take(self._store, self._purpose, self._name, _LEASE_S)
        except (SQLAlchemyError, OSError):
            return True  # others cannot acquire it either; if one does, its stream ends this one
