"""Tournaments of a soak: of every format and stop rule, one after the other, during a ladder.

The house's tournaments always have the same secrets, so all that are of one kind must have the same export, byte for byte.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from arena.accounts.actors import OPERATOR
from arena.competition import creation, ladders
from arena.competition.drafts import TournamentSpec
from arena.competition.ladders import LadderRequest
from arena.core.errors import UsageError
from arena.scheduling import stop_rules
from arena.storage import Store
from arena.storage.schema import Ladder, MatchResult, Tournament

STOCK = 4_000
"""Another tournament begins when fewer matches than this are left to play."""
GUEST = "guest"
"""The bot that dials in and goes away again."""
GUEST_KIND = "with a guest"
_EVERY_S = 0.5
_EPOCH_S = 600.0


def specs(seed: int) -> dict[str, TournamentSpec]:
    """Return a tournament of each kind: quick games in large numbers, the others in small ones."""

    def secret(kind: str) -> bytes:
        return hashlib.sha256(f"soak {seed} {kind}".encode()).digest()

    made = {
        "round-robin": TournamentSpec(
            "lost_cities", ("cautious", "greedy", "random", "rusher"), options={"hands": 1}, cycles=250
        ),
        "gauntlet": TournamentSpec(
            "land_unter", ("counter", "greedy", "hoarder", "random"), seats=3, cycles=20, format="gauntlet"
        ),
        "Swiss": TournamentSpec(
            "teotlatolli", ("builder", "greedy", "raider", "schemer", "random"), format="swiss"
        ),
        "knockout": TournamentSpec(
            "lost_cities", ("cautious", "greedy", "random", "rusher"), options={"hands": 1}, format="knockout"
        ),
        "SPRT": TournamentSpec(
            "lost_cities",
            ("cautious", "greedy"),
            options={"hands": 1},
            cycles=1_500,
            stop=stop_rules.parse("sprt:0,20"),
        ),
        "race": TournamentSpec(
            "lost_cities",
            ("cautious", "collector", "greedy", "random", "rusher"),
            options={"hands": 1},
            format="race",
            given={"rounds": 64},
        ),
        "four seats": TournamentSpec(
            "bottle_imp", ("cautious", "daring", "greedy", "keeper"), seats=4, cycles=5
        ),
        "talk": TournamentSpec("lifeboats", ("diplomat", "greedy", "liar", "random"), seats=3, cycles=2),
        GUEST_KIND: TournamentSpec(
            "lost_cities", (GUEST, "greedy", "random"), options={"hands": 1}, cycles=30, rated=False
        ),
    }
    return {
        kind: replace(spec, name=f"Soak: {kind}", secret=secret(kind) if kind != GUEST_KIND else None)
        for kind, spec in made.items()
    }


class Tournaments:
    """Begins tournaments in turn until it is closed, and knows which it has begun."""

    def __init__(self, store: Store, seed: int) -> None:
        self._store = store
        self._specs = specs(seed)
        self.begun: dict[int, str] = {}
        """Tournament → its kind."""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._keep_playing, daemon=True)

    def begin(self) -> None:
        """Start the ladder, and keep tournaments in stock from now on."""
        ladders.start(
            self._store, LadderRequest("land_unter", seats=3, epoch_s=_EPOCH_S, rest_s=1.0), OPERATOR
        )
        self._thread.start()

    def end(self) -> None:
        """Begin no more, and stop the ladder."""
        self._closing.set()
        self._thread.join()
        with self._store.read() as session:
            running = list(session.scalars(select(Ladder.id).where(Ladder.state == ladders.RUNNING)))
        for number in running:
            ladders.stop(self._store, number, OPERATOR)

    def results(self) -> int:
        """Count all results of the store: those of ladders and trials, too."""
        with self._store.read() as session:
            return int(session.scalar(select(func.count()).select_from(MatchResult)) or 0)

    def unfinished(self) -> list[str]:
        """Return which tournaments, epochs and trials are still being played, and how far each is."""
        query = select(Tournament).where(Tournament.state.in_(("created", "open", "running", "paused")))
        with self._store.read() as session:
            return [
                f"tournament {row.id} is {row.state} with {row.matches_done} of {row.matches_total} results"
                for row in session.scalars(query.order_by(Tournament.id))
            ]

    def of_the_house(self) -> Collection[int]:
        """Return the tournaments in which no bot may be charged with anything."""
        return [number for number, kind in self.begun.items() if kind != GUEST_KIND]

    def with_guests(self) -> Collection[int]:
        """Return the tournaments whose blocks may have to wait for a bot that has gone away."""
        begun = tuple(self.begun.items())  # at once, since another thread goes on adding
        return [number for number, kind in begun if kind == GUEST_KIND]

    def _keep_playing(self) -> None:
        kinds = tuple(self._specs)
        turn = 0
        while not self._closing.wait(_EVERY_S):
            try:
                while self._left() < STOCK and not self._closing.is_set():
                    kind = kinds[turn % len(kinds)]
                    turn += 1
                    self.begun[creation.create(self._store, self._specs[kind])] = kind
            except UsageError:
                continue  # the guest has not qualified yet: the next kind then
            except SQLAlchemyError:
                time.sleep(_EVERY_S)  # the database is away: nothing is played either

    def _left(self) -> int:
        query = select(func.sum(Tournament.matches_total - Tournament.matches_done)).where(
            Tournament.state == "running"
        )
        with self._store.read() as session:
            return int(session.scalar(query) or 0)
