"""Matches between bots of this machine, as many as wanted, on all cores: their decisions as a data set.

Match i follows from the seed and from i, and so does who sits where.  Matches are played in chunks of fixed size, each with bots of
its own, and are written in order: so the file is the same on however many cores.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from multiprocessing import active_children, get_context
from threading import current_thread, main_thread
from typing import Any

import pyarrow as pa

from arena.core import child_process
from arena.core.notes import Notes
from arena.games import registry
from arena.games.chance import commitment
from arena.match.record import Ending, Participant, Record, RecordedStep
from arena.rl.decision_rows import DecisionFile, DecisionRow, to_table
from arena.rl.house_opponents import load_bot
from arena.rl.recorded_decisions import decisions_of
from arena.sdk.bot import Bot
from arena.sdk.practice import PracticeMatch, play_out

CHUNK = 50
"""Matches that are played by the same bots, and written as one group of rows."""

ITERATIONS = "ARENA_SEARCH_ITERATIONS"
STANDARD_ITERATIONS = "100"
"""Bots that search do so for a number of iterations, not for a time: then the same seed gives the same matches."""


@dataclass(frozen=True, slots=True)
class Selfplay:
    """Plan of self-play: everything that the matches follow from."""

    game: str
    bots: tuple[str, ...]
    """House bots by name, or Python files; as many as there are seats."""
    seed: bytes
    matches: int
    variant: str | None = None
    options: Mapping[str, int] | None = None

    def seats(self, number: int) -> tuple[int, ...]:
        """Return which bot sits in each seat of a match: all move on by one seat from match to match."""
        count = len(self.bots)
        return tuple([(seat + number) % count for seat in range(count)])

    def match_seed(self, number: int) -> bytes:
        """Return the 32 bytes that a match is dealt from."""
        return sha256(b"arena-selfplay/1" + self.seed + number.to_bytes(8, "big")).digest()


def check(plan: Selfplay) -> None:
    """Check that it can be played.  Raises UsageError."""
    registry.find(plan.game).setup(len(plan.bots), variant=plan.variant, options=plan.options)
    for name in set(plan.bots):
        load_bot(plan.game, name)


def write(plan: Selfplay, out: DecisionFile, jobs: int, progress: Callable[[int], None]) -> None:
    """Play all matches in `jobs` processes and write their decisions; `progress` hears how many matches are written.

    Raises IllegalAction where a bot's answer is not legal, and what a bot raises.
    """
    for table, matches in _tables(plan, jobs):
        out.write(table, matches)
        progress(out.matches)


def _tables(plan: Selfplay, jobs: int) -> Iterator[tuple[pa.Table, int]]:
    starts = range(0, plan.matches, CHUNK)
    if jobs == 1:
        for start in starts:
            yield play_chunk(plan, start)
        return
    with ProcessPoolExecutor(
        jobs, get_context("spawn"), initializer=child_process.die_with, initargs=(os.getpid(),)
    ) as pool:
        waiting = iter(starts)
        with _interrupts_ignored():
            running = [pool.submit(play_chunk, plan, start) for start in islice(waiting, 2 * jobs)]
        try:
            while running:
                yield running.pop(0).result()
                running += [pool.submit(play_chunk, plan, start) for start in islice(waiting, 1)]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():  # they would play their chunks to the end first
                process.terminate()
            raise


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C, and have the processes that are started meanwhile do so all along: it is for the one that writes."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play_chunk(plan: Selfplay, start: int) -> tuple[pa.Table, int]:
    """Play the matches of one chunk; return their decisions and how many matches they are of."""
    with _standard_iterations():
        bots = [load_bot(plan.game, name) for name in plan.bots]
    rows: list[DecisionRow] = []
    numbers = range(start, min(start + CHUNK, plan.matches))
    for number in numbers:
        rows += decisions_of(*play(plan, number, bots))
    return to_table(rows), len(numbers)


@contextmanager
def _standard_iterations() -> Iterator[None]:
    """Have bots that are made meanwhile search for a fixed number of iterations, unless a number is set already."""
    if ITERATIONS in os.environ:
        yield
        return
    os.environ[ITERATIONS] = STANDARD_ITERATIONS
    try:
        yield
    finally:
        del os.environ[ITERATIONS]


def play(plan: Selfplay, number: int, bots: Sequence[Bot[Any]]) -> tuple[Record, Mapping[int, Notes]]:
    """Play one match; return its record, which has no times, and what was noted.  `bots` are in the order of the plan."""
    order = plan.seats(number)
    seed = plan.match_seed(number)
    match = PracticeMatch(
        plan.game, [bots[bot] for bot in order], seed=seed, variant=plan.variant, options=plan.options
    )
    result = play_out(match)
    name = seed.hex()[:16]
    record = Record(
        match=name,
        game=plan.game,
        variant=match.setup.variant,
        options=match.setup.options,
        seed=seed,
        commitment=commitment(name, seed),
        seats=tuple([Participant(plan.bots[bot], bots[bot].version, bots[bot].talks) for bot in order]),
        steps=tuple([RecordedStep(step) for step in match.steps]),
        result=Ending.by_rules(result),
    )
    return record, match.notes
