"""Progress of play, as the database has it: results over time, and which blocks move on.

A thread of its own looks ten times a second, past the network; while the database is away it sees nothing, like all other parts.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from bench.chaos.backends import Postgres

_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Sample:
    """Number of results, and of forfeits among them, in the database at some time."""

    at: float
    results: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class HeldBlock:
    """A block that a worker held, and how many results it had."""

    tournament: int
    number: int
    first_set: int
    sets: int
    worker: str
    results: int

    @property
    def machine(self) -> str:
        """Name the worker's machine."""
        return self.worker.rpartition("-")[0]


class Progress:
    """Counts results until it is closed."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self.samples: list[Sample] = [Sample(time.monotonic(), 0, 0)]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()

    @property
    def now(self) -> Sample:
        """Return the last sample."""
        return self.samples[-1]

    def at(self, moment: float) -> Sample:
        """Return what was known at a moment."""
        return next((each for each in reversed(self.samples) if each.at <= moment), self.samples[0])

    def first_after(self, moment: float) -> float | None:
        """Return when the first result after a moment came; None if none has yet."""
        known = self.at(moment).results
        return next((each.at for each in self.samples if each.at > moment and each.results > known), None)

    def rate(self, begin: float, end: float) -> float:
        """Return the results per second in a span of time."""
        return (self.at(end).results - self.at(begin).results) / max(end - begin, 1e-9)

    def held_blocks(self) -> tuple[HeldBlock, ...]:
        """List the blocks that a worker holds.  Raises psycopg.Error."""
        query = (
            "SELECT tournament_id, number, first_set, sets, worker, (SELECT count(*) FROM match_result r"
            " WHERE r.tournament_id = b.tournament_id AND r.set_number >= first_set AND r.set_number < first_set + sets)"
            " FROM block b WHERE NOT done AND worker IS NOT NULL"
        )
        with self._postgres.connect() as connection:
            return tuple(HeldBlock(*row) for row in connection.execute(query).fetchall())  # type: ignore[arg-type]

    def standing_still(self, blocks: tuple[HeldBlock, ...]) -> tuple[HeldBlock, ...]:
        """List those that have no more results than before, and are not done.  Raises psycopg.Error."""
        query = (
            "SELECT (SELECT done FROM block WHERE tournament_id = %(t)s AND number = %(n)s) OR %(results)s < (SELECT count(*)"
            " FROM match_result WHERE tournament_id = %(t)s AND set_number >= %(first)s AND set_number < %(first)s + %(sets)s)"
        )
        with self._postgres.connect() as connection:
            return tuple(
                block
                for block in blocks
                if not connection.execute(
                    query,
                    {
                        "t": block.tournament,
                        "n": block.number,
                        "results": block.results,
                        "first": block.first_set,
                        "sets": block.sets,
                    },
                ).fetchone()[0]  # type: ignore[index]
            )

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _look_on(self) -> None:
        connection: psycopg.Connection[tuple[object, ...]] | None = None
        while not self._closing.wait(_EVERY_S):
            try:
                connection = connection or self._postgres.connect()
                row = connection.execute("SELECT count(*), count(fault_seat) FROM match_result").fetchone()
                assert row is not None
                self.samples.append(Sample(time.monotonic(), int(str(row[0])), int(str(row[1]))))
            except psycopg.Error:
                if connection is not None:
                    with suppress(psycopg.Error):
                        connection.close()
                connection = None
        if connection is not None:
            connection.close()
