"""What the sandbox costs: the start of a bot, its memory, and its speed beside bots that run without one.

Both kinds are measured in turn, in the same run; the shares are taken within each round, and their median counts.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import uvloop

from arena.referee_client import Hosted, Order, Referee, SeatOrder, Started, local_referee
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
            idle_mb = _most_resident_mb()
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
            starts_ms = [await _start_ms(within, lane) for lane in range(10, 10 + STARTS)]
            plain_ms = [await _start_ms(without, lane) for lane in range(10, 10 + STARTS)]
    one, boxed, share, many_share = (median(values) for values in zip(*rates, strict=True))
    return [
        Figure("hosted bot without a sandbox: start to first answer, median", median(plain_ms), "ms"),
        Figure(
            "hosted bot: start to first answer, median",
            median(starts_ms),
            "ms",
            250,
            at_least=False,
            note=f"{min(starts_ms):.0f} to {max(starts_ms):.0f}",
        ),
        Figure("idle hosted bot: resident", idle_mb, "MB", 50, at_least=False),
        Figure("1 match without a sandbox", one, "decisions/s"),
        Figure("1 match in sandboxes", boxed, "decisions/s"),
        Figure("1 match: share of that without a sandbox", share, "×", 0.9),
        Figure("64 matches: share of that without a sandbox", many_share, "×", 0.9),
    ]


async def _start_ms(referee: Referee, lane: int) -> float:
    """Return the time from the order of a match to the first answer of a bot whose process must be started."""
    # The other seat's bot is there already: lane 0 has just played.
    seats = [SeatOrder("random", "1", Hosted(f"house:{GAME}/random", each)) for each in (lane, 0)]
    match = f"start {lane}"
    began = time.perf_counter()
    async for report in referee.play([Order(match, GAME, "standard", tuple(seats), bytes(32), {"hands": 1})]):
        if isinstance(report, Started):
            async for _ in referee.watch(match):
                took_s = time.perf_counter() - began
                break
    return took_s * 1000


def _most_resident_mb() -> float:
    """Return the resident memory of the largest sandboxed bot."""
    return max(_resident_mb(folder) for folder in Path("/proc").glob("[0-9]*"))


def _resident_mb(process: Path) -> float:
    """Return the resident memory of a sandboxed bot, 0 for any other process."""
    try:
        arguments = (process / "cmdline").read_bytes().split(b"\0")
        if b"/run/inside.py" not in arguments or b"--unshare-pid" in arguments:
            return 0.0
        (line,) = [each for each in (process / "status").read_text().splitlines() if each.startswith("VmRSS")]
    except (OSError, ValueError):
        return 0.0
    return int(line.split()[1]) * 1024 / 1e6
