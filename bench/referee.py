"""The referee with two bots in processes of their own, beside a bare echo over the same kind of stream.

The limits are shares of the bare echo.  The tuned one shows how much of a decision's time is the referee's and the bots'
own.  All are measured in turn, several times, and the best of each compared, since other programs share the machine.
"""

from __future__ import annotations

import asyncio
import time

import uvloop

from arena.games import registry
from arena.games.kernel import Played, advance
from arena.match.record import Record
from arena.play import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from bench import echo
from bench.figures import Figure

ROUNDS = 4
AT_ONCE = 64

GAME = "lost_cities"
BOTS = ("random", "random")


def measure() -> list[Figure]:
    """Measure round trips of the echo and decisions of the referee."""
    bare, tuned, one, many = uvloop.run(_measure())
    return [
        Figure("bare echo, one in flight", bare, "round trips/s", note="grpc as it comes"),
        Figure(
            "tuned echo, one in flight",
            tuned,
            "round trips/s",
            note="grpc's settings as in our processes",
        ),
        Figure(
            "referee, 1 match",
            one,
            "decisions/s",
            0.6 * bare,
            note=f"{one / bare:.2f} × the bare echo, {one / tuned:.2f} × the tuned one",
        ),
        Figure(
            f"referee, {AT_ONCE} matches at once",
            many,
            "decisions/s",
            2.5 * bare,
            note=f"{many / bare:.2f} × the bare echo, {many / tuned:.2f} × the tuned one",
        ),
    ]


async def _measure() -> tuple[float, float, float, float]:
    with local_referee(slots=2) as control:
        async with Referee(control) as referee:
            await _decisions(referee, "warm", matches=4, hands=1)
            rounds = [
                (
                    await asyncio.to_thread(echo.trips_per_s, tuned=False),
                    await asyncio.to_thread(echo.trips_per_s, tuned=True),
                    await _decisions(referee, f"one {number}", matches=1, hands=5),
                    await _decisions(referee, f"many {number}", matches=2 * AT_ONCE, hands=1),
                )
                for number in range(ROUNDS)
            ]
    bare, tuned, one, many = zip(*rounds, strict=True)
    return max(bare), max(tuned), max(one), max(many)


# --- the referee ----------------------------------------------------------------------------------------------


async def _decisions(referee: Referee, name: str, *, matches: int, hands: int) -> float:
    """Have matches played; gives the decisions a second that a bot was really asked for."""
    seats = tuple(SeatOrder(bot, "1", Hosted(f"house:{GAME}/{bot}", lane)) for lane, bot in enumerate(BOTS))
    orders = [
        Order(f"{name} {number}", GAME, "standard", seats, number.to_bytes(32, "big"), {"hands": hands})
        for number in range(matches)
    ]
    began = time.perf_counter()
    reports = [report async for report in referee.play(orders)]
    took_s = time.perf_counter() - began
    records = [report.record for report in reports if isinstance(report, Finished)]
    assert len(records) == matches
    assert all(record.result.fault is None for record in records)
    return sum(map(_asked, records)) / took_s


def _asked(record: Record) -> int:
    """Count the decisions of a match that had more than one legal action."""
    game = registry.find(record.game)
    state, _ = game.new(game.setup(2, options=record.options), record.seed)
    asked = 0
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            asked += len(game.legal(state, recorded.step.seat)) > 1
            state, _, _ = advance(game, state, (recorded.step.action,), 0)
    return asked
