"""The referee with two bots in processes of their own, compared with a bare echo over the same kind of stream.

The limits are shares of the bare echo.  The tuned one shows how much of a decision's time is the referee's and the bots'
own.  All are measured in turn, several times, each warmed for a few hundred messages first.  The shares are taken within
each round, and their median counts: on a shared machine the speed of everything drifts by 15 % from minute to minute.
"""

from __future__ import annotations

import asyncio
import time
from statistics import median
from typing import NamedTuple

import uvloop

from arena.games import registry
from arena.games.kernel import Played, advance
from arena.match.record import Record
from arena.referee_client import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from bench import echo
from bench.figures import Figure

ROUNDS = 9
AT_ONCE = 64

GAME = "lost_cities"
BOTS = ("random", "random")


def measure() -> list[Figure]:
    """Measure round trips of the echo and decisions of the referee."""
    rounds = uvloop.run(_measure())
    bare, in_turn, tuned, one, many = (median(values) for values in zip(*rounds, strict=True))
    shares = [(each.one / each.bare, each.one / each.in_turn, each.many / each.bare) for each in rounds]
    one_share, in_turn_share, many_share = (median(values) for values in zip(*shares, strict=True))
    return [
        Figure("bare echo, one in flight", bare, "round trips/s", note="grpc as it comes"),
        Figure(
            "bare echo, one in flight, with two in turn",
            in_turn,
            "round trips/s",
            note="as in a match of two",
        ),
        Figure(
            "tuned echo, one in flight", tuned, "round trips/s", note="grpc's settings as in our processes"
        ),
        Figure("referee, 1 match", one, "decisions/s"),
        Figure(f"referee, {AT_ONCE} matches at once", many, "decisions/s"),
        Figure("referee, 1 match: share of the bare echo", one_share, "×", 0.7),
        Figure("referee, 1 match: share of the bare echo with two in turn", in_turn_share, "×"),
        Figure(f"referee, {AT_ONCE} matches: share of the bare echo", many_share, "×", 3),
    ]


class _Round(NamedTuple):
    """Rates a second, measured within a few seconds."""

    bare: float
    in_turn: float
    tuned: float
    one: float
    many: float


async def _measure() -> list[_Round]:
    rounds = []
    with local_referee(slots=2) as control:
        async with Referee(control) as referee:
            await decisions(referee, "warm", matches=4, hands=1)
            for number in range(ROUNDS):
                many = await decisions(referee, f"many {number}", matches=2 * AT_ONCE, hands=1)
                tuned = await asyncio.to_thread(echo.trips_per_s, tuned=True)
                bare = await asyncio.to_thread(echo.trips_per_s, tuned=False)
                in_turn = await asyncio.to_thread(echo.trips_per_s, tuned=False, others=2)
                await decisions(referee, f"warm {number}", matches=1, hands=1)
                one = await decisions(referee, f"one {number}", matches=1, hands=9)
                rounds.append(_Round(bare, in_turn, tuned, one, many))
    return rounds


# --- the referee ----------------------------------------------------------------------------------------------


async def decisions(referee: Referee, name: str, *, matches: int, hands: int) -> float:
    """Play matches between two random bots and return the decisions a second that they were really asked for."""
    began = time.perf_counter()
    played = await play(referee, name, matches=matches, hands=hands)
    return sum(asked(record) for _, record in played) / (played[-1][0] - began)


async def play(
    referee: Referee,
    name: str,
    *,
    matches: int,
    hands: int,
    bots: tuple[str, str] = BOTS,
    processes: int = 1,
) -> list[tuple[float, Record]]:
    """Play matches between two bots, of several processes each; return the records, each with the moment it came."""
    tables = [
        tuple(
            SeatOrder(bot, "1", Hosted(f"house:{GAME}/{bot}", 2 * number + seat))
            for seat, bot in enumerate(bots)
        )
        for number in range(processes)
    ]
    orders = [
        Order(
            f"{name} {number}",
            GAME,
            "standard",
            tables[number % processes],
            number.to_bytes(32, "big"),
            {"hands": hands},
        )
        for number in range(matches)
    ]
    reports = [(time.perf_counter(), report) async for report in referee.play(orders)]
    records = [(moment, report.record) for moment, report in reports if isinstance(report, Finished)]
    assert len(records) == matches
    assert all(record.result.fault is None for _, record in records)
    return records


def asked(record: Record) -> int:
    """Count the decisions of a match that had more than one legal action."""
    game = registry.find(record.game)
    state, _ = game.new(game.setup(2, options=record.options), record.seed)
    asked = 0
    for recorded in record.steps:
        if isinstance(recorded.step, Played):
            asked += len(game.legal(state, recorded.step.seat)) > 1
            state, _, _ = advance(game, state, (recorded.step.action,), 0)
    return asked
