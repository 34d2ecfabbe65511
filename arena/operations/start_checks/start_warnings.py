"""All warnings of one part, collected at each call."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.messaging import part_presence
from arena.messaging.redis_connection import why_exposed
from arena.operations.start_checks import clock_check, connections_check
from arena.operations.start_checks.part_files import control_files, warn_of_files
from arena.referee_client.control_credentials import find_missing_key

if TYPE_CHECKING:
    from redis import Redis

    from arena.core.settings import Settings
    from arena.storage import Store


class StartWarnings:
    """The warnings of a web or a worker: call it for those that hold now."""

    def __init__(
        self, settings: Settings, store: Store, client: Redis, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._settings = settings
        self._store = store
        self._client = client
        self._environment = environment

    def __call__(self) -> tuple[str, ...]:
        """Return the warnings; what cannot be looked at now, since a part is away, has none."""
        return tuple(self._find())

    def _find(self) -> Iterator[str]:
        yield from warn_of_files(self._environment, control_files(self._settings), time.time())
        if missing := find_missing_key(self._settings.controls, self._environment):
            yield missing
        if exposed := why_exposed(self._settings.redis_url):
            yield exposed
        try:
            if self._store.dialect == "postgresql":  # SQLite has this machine's clock
                yield from clock_check.check_offset(clock_check.measure(self._store))
            limits = connections_check.read_limits(self._store)
            yield from connections_check.check_limits(limits, part_presence.listing(self._client))
        except (SQLAlchemyError, RedisError, OSError):
            return
