"""Places: how many of a thing may be open at once, in all and for each client and the networks that it is in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.net.client_groups import client_networks


class Place:
    """A place that is taken; one with `give_way` may be given to another client."""

    __slots__ = ("give_way", "networks")

    def __init__(self, networks: tuple[str, ...], give_way: Callable[[], None] | None) -> None:
        self.networks = networks
        """The networks that it is counted for, the widest last; none for a client that is not counted."""
        self.give_way = give_way


class ClientPlaces:
    """The places that are taken.  Mutable, for one event loop.

    `refusal` makes what is raised where there is none: True if it is the client that has too many, False if all are taken.
    When all are taken, the network with the most gives one to a client whose network has fewer.
    """

    def __init__(self, most: int, most_per_client: int, refusal: Callable[[bool], Exception]) -> None:
        self._most = most
        self._most_per_client = most_per_client
        self._refusal = refusal
        self._taken: dict[Place, None] = {}
        self._taken_by: Counter[str] = Counter()

    def take(self, client: str | None, give_way: Callable[[], None] | None = None) -> Place:
        """Take a place for a client; None is one that is not counted.  Raises what `refusal` makes.

        `give_way` is called when the place is given to another client; without it, that never happens.
        """
        networks = () if client is None else client_networks(client)
        if any(self._taken_by[each.name] >= self._most_per_client * each.times for each in networks):
            raise self._refusal(True)  # noqa: FBT003 - its one argument
        place = Place(tuple(each.name for each in networks), give_way)
        if len(self._taken) >= self._most and not self._make_room(place):
            raise self._refusal(False)  # noqa: FBT003
        self._taken[place] = None
        self._taken_by.update(place.networks)
        return place

    def release(self, place: Place) -> None:
        """Release a place; it may have been given to another client already."""
        if place not in self._taken:
            return
        del self._taken[place]
        for name in place.networks:
            self._taken_by[name] -= 1
            if not self._taken_by[name]:
                del self._taken_by[name]

    @contextmanager
    def taken(self, client: str | None) -> Iterator[None]:
        """Take a place for as long as the block lasts.  Raises what `refusal` makes."""
        place = self.take(client)
        try:
            yield
        finally:
            self.release(place)

    def _make_room(self, new: Place) -> bool:
        """Have the oldest place of the network with the most give way; return whether one did.

        It must have at least two more than the network of the new one: otherwise the two would take turns.
        """
        movable = [place for place in self._taken if place.give_way is not None and place.networks]
        largest = max(movable, key=lambda place: self._taken_by[place.networks[-1]], default=None)
        fewest = self._taken_by[new.networks[-1]] if new.networks else 0
        if largest is None or self._taken_by[largest.networks[-1]] < fewest + 2:
            return False
        self.release(largest)
        if largest.give_way is not None:
            largest.give_way()
        return True
