"""Places: how many of a thing may be open at once, in all and for each client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ClientPlaces:
    """The places that are taken.  Mutable, for one event loop.

    `refusal` makes what is raised where there is none: True if it is the client that has too many, False if all are taken.
    """

    def __init__(self, most: int, most_per_client: int, refusal: Callable[[bool], Exception]) -> None:
        self._most = most
        self._most_per_client = most_per_client
        self._refusal = refusal
        self._taken = 0
        self._taken_by: Counter[str] = Counter()

    def take(self, client: str | None) -> None:
        """Take a place for a client; None is one that is not counted.  Raises what `refusal` makes."""
        if client is not None and self._taken_by[client] >= self._most_per_client:
            raise self._refusal(True)  # noqa: FBT003 - its one argument
        if self._taken >= self._most:
            raise self._refusal(False)  # noqa: FBT003
        self._taken += 1
        if client is not None:
            self._taken_by[client] += 1

    def release(self, client: str | None) -> None:
        """Release a place."""
        self._taken -= 1
        if client is not None:
            self._taken_by[client] -= 1
            if not self._taken_by[client]:
                del self._taken_by[client]

    @contextmanager
    def taken(self, client: str | None) -> Iterator[None]:
        """Take a place for as long as the block lasts.  Raises what `refusal` makes."""
        self.take(client)
        try:
            yield
        finally:
            self.release(client)
