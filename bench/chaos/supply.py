"""The tournaments that are played: always the same few, from the same secrets, so that their exports can be compared byte for byte.

While faults come there is always one that is not finished, so that there are results to wait for.
"""

from __future__ import annotations

import dataclasses
import hashlib
import threading
import time

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from arena.storage import Store
from arena.storage.schema import Tournament
from bench.chaos import stranger
from bench.chaos.machines import wait_for

OF_THE_HOUSE = (0, 1)
WITH_A_STRANGER = (2,)
"""Numbers of specs."""
STOCK = 150
STOCK_S = 10.0
"""Seconds of play that are kept in stock: another tournament begins when fewer matches are left."""
_EVERY_S = 0.5


def specs(seed: int) -> tuple[TournamentSpec, ...]:
    """Return the tournaments of a seed: games that cost little, with a few quick bots each, the last with one that was uploaded."""
    return (
        TournamentSpec(
            "land_unter",
            ("greedy", "hoarder", "low_profile", "random"),
            seats=3,
            cycles=15,
            secret=_secret(seed, "land_unter"),
            name="Chaos: Land Unter",
        ),
        TournamentSpec(
            "lost_cities",
            ("greedy", "random", "rusher"),
            options={"hands": 1},
            cycles=30,
            secret=_secret(seed, "lost_cities"),
            name="Chaos: Lost Cities",
        ),
        TournamentSpec(
            "land_unter",
            ("counter", "greedy", "hoarder", "random", stranger.NAME),
            seats=3,
            cycles=6,
            secret=_secret(seed, stranger.NAME),
            trusted=True,  # a stranger's matches have deals of their own otherwise, and new ones when they are played again
            name="Chaos: Land Unter with a stranger",
        ),
    )


class Supply:
    """Creates tournaments in turn, and knows which it has created."""

    def __init__(self, store: Store, seed: int, turns: tuple[int, ...] = OF_THE_HOUSE) -> None:
        """Take these specs, by their numbers, in turn."""
        self._store = store
        self._turns = turns
        self.specs = specs(seed)
        self.created: dict[int, int] = {}
        """Tournament → number of its spec."""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def create(self, spec: int) -> int:
        """Create one; its id."""
        number = creation.create(self._store, self.specs[spec])
        self.created[number] = spec
        return number

    def create_with(self, bot: str) -> int:
        """Create a tournament like that with an uploaded bot, but with another one in its place; its id."""
        (spec,) = (self.specs[number] for number in WITH_A_STRANGER)
        bots = tuple(bot if each == stranger.NAME else each for each in spec.bots)
        number = creation.create(self._store, dataclasses.replace(spec, bots=bots, name=f"Chaos: with {bot}"))
        self.created[number] = WITH_A_STRANGER[0]
        return number

    def begin(self, at_least: int) -> None:
        """Keep enough to play in stock until `end`, and continue until `at_least` matches are planned."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep, args=(at_least,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Create no more than what was promised."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def planned(self) -> int:
        """Count the matches of all that were created."""
        with self._store.read() as session:
            query = select(func.sum(Tournament.matches_total)).where(Tournament.id.in_(tuple(self.created)))
            return int(session.scalar(query) or 0)

    def unfinished(self) -> list[str]:
        """Return how far those are that are not finished."""
        query = select(Tournament).where(
            Tournament.id.in_(tuple(self.created)), Tournament.state != "finished"
        )
        with self._store.read() as session:
            return [
                f"tournament {row.id} is {row.state} with {row.matches_done} of {row.matches_total} results"
                for row in session.scalars(query.order_by(Tournament.id))
            ]

    def finish(self, within_s: float) -> float:
        """Wait until all are finished; the seconds it took.  Raises MachineError."""
        return wait_for(self._is_finished, "all tournaments are finished", within_s, 0.2)

    def _is_finished(self) -> bool:
        try:
            return not self.unfinished()
        except SQLAlchemyError:
            return False

    def _keep(self, at_least: int) -> None:
        promised = 0
        speed = _Speed()
        while not self._stop.is_set() or promised < at_least:
            try:
                if promised < at_least and self._stop.is_set():
                    promised += self._create_next()
                elif self._left() < max(STOCK, STOCK_S * speed.measure(self._done())):
                    promised += self._create_next()
                    continue
            except SQLAlchemyError:
                time.sleep(_EVERY_S)  # the database is away, so no one plays
            self._stop.wait(_EVERY_S)

    def _create_next(self) -> int:
        number = self.create(self._turns[len(self.created) % len(self._turns)])
        with self._store.read() as session:
            return session.get_one(Tournament, number).matches_total

    def _done(self) -> int:
        query = select(func.sum(Tournament.matches_done)).where(Tournament.id.in_(tuple(self.created)))
        with self._store.read() as session:
            return int(session.scalar(query) or 0)

    def _left(self) -> int:
        query = select(func.sum(Tournament.matches_total - Tournament.matches_done)).where(
            Tournament.state == "running"
        )
        with self._store.read() as session:
            return int(session.scalar(query) or 0)


class _Speed:
    """Largest number of matches a second, between two measurements: the machine may be as fast again."""

    def __init__(self) -> None:
        self._last = (time.monotonic(), 0)
        self._most = 0.0

    def measure(self, done: int) -> float:
        """Take a count of matches that are over; return the highest speed so far."""
        now, (at, before) = time.monotonic(), self._last
        if now - at >= 1.0:
            self._most = max(self._most, (done - before) / (now - at))
            self._last = now, done
        return self._most


def _secret(seed: int, game: str) -> bytes:
    return hashlib.sha256(f"chaos {seed} {game}".encode()).digest()
