"""What the sandbox costs: the start of a bot, its memory, and its speed beside bots that run without one.

Both kinds are measured in turn, in the same run; the shares are taken within each round, and their median counts.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

import uvloop

from arena.referee_client import Hosted, Order, Referee, SeatOrder, Started, local_referee
from bench import bot_processes
from bench.figures import Figure
from bench.referee import GAME, decisions

ROUNDS = 9
STARTS = 21


def measure() -> list[Figure]:
    """Measure starts, memory and decisions."""
    return uvloop.run(_measure())


async def _measure() -> list[Figure]:
    with local_referee(slots=2) as plain, local_referee(slots=2, sandbox="on") as sandboxed:
        async with Referee(plain) as without, Referee(sandboxed) as within:
            for referee in (without, within):
                await decisions(referee, "warm", matches=4, hands=1)
            rates = []
            for number in range(ROUNDS):
                rate = [
                    await decisions(referee, f"one {number}", matches=1, hands=9)
                    for referee in (without, within)
                ]
                many = [
                    await decisions(referee, f"many {number}", matches=64, hands=1)
                    for referee in (without, within)
                ]
                rates.append((*rate, rate[1] / rate[0], many[1] / many[0]))
            starts_ms, imports_ms = [], []
            for lane in range(10, 10 + STARTS):
                starts_ms.append(await _start_ms(within, lane))
                imports_ms.append(_import_ms())
            idle_mb = _most_own_mb()
            plain_ms = [await _start_ms(without, lane) for lane in range(10, 10 + STARTS)]
    one, boxed, share, many_share = (median(values) for values in zip(*rates, strict=True))
    return [
        Figure("hosted bot without a sandbox: start to first answer, median", median(plain_ms), "ms"),
        Figure(
            "hosted bot: start to first answer, median",
            median(starts_ms),
            "ms",
            note=f"{min(starts_ms):.0f} to {max(starts_ms):.0f}",
        ),
        Figure(
            "hosted bot: start to first answer / python -c 'import grpc'",
            median(starts_ms) / median(imports_ms),
            "×",
            0.5,
            at_least=False,
            note=f"importing took {median(imports_ms):.0f} ms",
        ),
        Figure(
            "idle hosted bot: memory of its own (Pss, three processes)", idle_mb, "MB", 15, at_least=False
        ),
        Figure("1 match without a sandbox", one, "decisions/s"),
        Figure("1 match in sandboxes", boxed, "decisions/s"),
        Figure("1 match: share of that without a sandbox", share, "×", 0.9),
        Figure("64 matches: share of that without a sandbox", many_share, "×", 0.9),
    ]


async def start_cpu_ms() -> float:
    """Return the CPU time of a bot's own processes from the order of a match to its first answer, in a sandbox; the median."""
    with local_referee(slots=2, sandbox="on") as control:
        async with Referee(control) as referee:
            await decisions(referee, "warm", matches=4, hands=1)
            return median([(await _start(referee, lane))[1] for lane in range(10, 10 + STARTS)])


async def _start_ms(referee: Referee, lane: int) -> float:
    return (await _start(referee, lane))[0]


async def _start(referee: Referee, lane: int) -> tuple[float, float]:
    """Start a bot's process for a match.

    Return the time from the match's order to the bot's first answer, and the CPU time of its processes until then, both in ms.
    """
    # The other seat's bot is there already: lane 0 has just played.
    seats = [SeatOrder("random", "1", Hosted(f"house:{GAME}/random", each)) for each in (lane, 0)]
    match = f"start {lane}"
    known = set(bot_processes.families())
    began = time.perf_counter()
    async for report in referee.play([Order(match, GAME, "standard", tuple(seats), bytes(32), {"hands": 1})]):
        if isinstance(report, Started):
            async for _ in referee.watch(match):
                took_s = time.perf_counter() - began
                (mine,) = [pids for bot, pids in bot_processes.families().items() if bot not in known]
                used_s = bot_processes.cpu_s(mine)
                break
    return took_s * 1000, used_s * 1000


def _import_ms() -> float:
    """Return how long Python takes to start and to import grpc: what a bot's start would take at least without the fork server."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import grpc"], check=True)
    return (time.perf_counter() - began) * 1000


def _most_own_mb() -> float:
    """Return the memory of the largest sandboxed bot."""
    # Without a sandbox there is one process.
    return max(bot_processes.own_mb(pids) for pids in bot_processes.families().values() if len(pids) > 1)
