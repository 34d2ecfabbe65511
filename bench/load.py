"""`make bench-load`: no bot loses by the platform's load.

Every core is kept busy by a process that does nothing else, at the same priority.  Meanwhile four bots play each other
that the referee starts, with at most 8 matches at once each: bots that answer after 1 ms, where the cap is 100 ms.  Every
forfeit is one too many: at most 1 in 20,000 matches.  (Bots that run elsewhere have cores of their own.)

`ARGS="--matches 2000"` plays fewer, too few for a verdict.  With `--computing` the bots do not wait for that millisecond
but compute for it, and so compete with the busy processes for the cores: what they lose by that is their own machine's
load, and has no limit here.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import combinations, islice
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from arena.core import child_process
from arena.match.clock import TimeControl
from arena.match.record import Record
from arena.referee_client import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from bench import machine
from bench.__main__ import show
from bench.figures import Figure

MATCHES = 20_000
MAX_FORFEITS = 1
GAME = "lost_cities"
AT_ONCE = 8
TIME = TimeControl(base_ms=600_000, increment_ms=100, cap_ms=100)
"""Only the cap can be missed."""

_BUSY = "while True: pass"
_BOTS = 4
_PLAYED_AT_A_TIME = 1_000
_BOT = """
import time
from arena.sdk import Bot, run

class OneMillisecond(Bot):
    name = "one-millisecond"
    matches_at_once = {at_once}

    def choose(self, decision):
        until = time.perf_counter() + 0.001
        {think}
        return decision.legal[0]

run(OneMillisecond())
"""
_WAITS = "time.sleep(0.001)"
_COMPUTES = "while time.perf_counter() < until: pass"


class Tally(NamedTuple):
    """Results of the matches; the times are those of single decisions."""

    matches: int
    forfeits: Counter[str]
    """By the bot that forfeited."""
    decision_ms: list[float]
    seconds: float


def main() -> None:
    """Play, print a table; exit with 1 if too many were forfeits."""
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many to play")
    parser.add_argument("--computing", action="store_true", help="bots that compute for their millisecond")
    options = parser.parse_args()
    if options.matches < 1:
        parser.error(f"--matches {options.matches}: must be 1 or more")
    before = machine.look()
    figures = measure(options.matches, computing=options.computing)
    show({"load": figures}, before, machine.look())
    if any(figure.holds is False for figure in figures):
        sys.exit(1)


def measure(matches: int, *, computing: bool) -> list[Figure]:
    """Play matches while all cores are busy."""
    with (
        _programs(_COMPUTES if computing else _WAITS) as bots,
        local_referee() as address,
        _all_cores_busy(),
    ):
        tally = asyncio.run(_play(address, bots, matches))
    times = sorted(tally.decision_ms)
    forfeits = sum(tally.forfeits.values())
    who = ", ".join(f"{bot} {number}" for bot, number in sorted(tally.forfeits.items())) or "nobody"
    told = tally.matches >= MATCHES and not computing
    limit = float(MAX_FORFEITS * tally.matches // MATCHES) if told else None
    return [
        Figure(
            f"forfeits in {tally.matches:,} matches, all cores busy",
            forfeits,
            "matches",
            limit,
            at_least=False,
            note=f"{who}; {len(times):,} decisions, {len(times) / tally.seconds:,.0f} a second",
        ),
        Figure("time of a decision, p50", times[len(times) // 2], "ms"),
        Figure("time of a decision, p99.9", times[len(times) * 999 // 1000], "ms"),
        Figure("time of a decision, longest", times[-1], "ms", note=f"cap {TIME.cap_ms} ms"),
    ]


async def _play(address: str, bots: dict[str, Hosted], matches: int) -> Tally:
    forfeits: Counter[str] = Counter()
    decision_ms: list[float] = []
    orders = islice(_orders(bots), matches)
    began = time.monotonic()
    with _meter(matches) as advance:
        async with Referee(address) as referee:
            while some := list(islice(orders, _PLAYED_AT_A_TIME)):
                async for report in referee.play(some):
                    if isinstance(report, Finished):
                        record = report.record
                        decision_ms += [step.ms for step in record.steps if step.ms]
                        forfeits.update(_forfeited(record))
                        advance()
    return Tally(matches, forfeits, decision_ms, time.monotonic() - began)


def _orders(bots: dict[str, Hosted]) -> Iterator[Order]:
    """Order matches without end: each pair in turn, in either order of seats."""
    number = 0
    while True:
        for pair in combinations(bots, 2):
            for names in (pair, pair[::-1]):
                seats = tuple(SeatOrder(name, "1", bots[name]) for name in names)
                yield Order(
                    f"load {number}", GAME, "standard", seats, number.to_bytes(32, "big"), {"hands": 1}, TIME
                )
                number += 1


def _forfeited(record: Record) -> Iterator[str]:
    fault = record.result.fault
    if fault is not None:
        bot = record.seats[fault.seat].bot
        Console(stderr=True).print(f"{record.match}: {bot}: {fault.kind.value}: {fault.message}")
        yield bot


@contextmanager
def _programs(think: str) -> Iterator[dict[str, Hosted]]:
    """Return the bots by their names."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        file = Path(folder, "bot.py")
        file.write_text(_BOT.format(at_once=AT_ONCE, think=think))
        yield {f"bot {lane}": Hosted(f"file:{file}", lane) for lane in range(_BOTS)}


@contextmanager
def _all_cores_busy() -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            busy = child_process.start([sys.executable, "-c", _BUSY], environment={})
            stack.callback(child_process.stop, busy, grace_s=1)
        yield


@contextmanager
def _meter(matches: int) -> Iterator[Callable[[], None]]:
    with Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as progress:
        bar = progress.add_task("matches", total=matches)
        yield lambda: progress.advance(bar)


if __name__ == "__main__":
    main()
