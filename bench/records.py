"""Records at rest: bytes a step, averaged over random matches of each game as a real referee plays and times them."""

from __future__ import annotations

import time

import uvloop

from arena.games import registry
from arena.games.registry import AnyGame
from arena.referee_client import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from arena.storage.record_compression import pack
from bench.figures import Figure

MATCHES = 40
"""Of each game, spread over its variants and seat counts."""
MAX_BYTES_A_STEP = 5.0


def measure() -> list[Figure]:
    """Measure each game."""
    return uvloop.run(_measure())


async def _measure() -> list[Figure]:
    with local_referee(slots=2) as control:
        async with Referee(control) as referee:
            return [await _measure_game(referee, game) for game in registry.GAMES.values()]


async def _measure_game(referee: Referee, game: AnyGame) -> Figure:
    tables = [(variant, seats) for variant, counts in game.variants.items() for seats in counts]
    orders = [
        Order(f"{game.id} {number}", game.id, variant, _seats(game, seats), number.to_bytes(32, "big"))
        for number in range(MATCHES)
        for variant, seats in [tables[number % len(tables)]]
    ]
    ended = [report async for report in referee.play(orders) if isinstance(report, Finished)]
    assert len(ended) == MATCHES
    began = time.process_time()
    sizes = sum(len(pack(report.text)) for report in ended)
    took_ms = (time.process_time() - began) / MATCHES * 1000
    steps = sum(len(report.record.steps) for report in ended)
    name = f"{game.id}: a record at rest"
    note = f"{steps / MATCHES:.0f} steps a match, packed in {took_ms:.1f} ms of CPU"
    return Figure(name, round(sizes / steps, 2), "bytes a step", MAX_BYTES_A_STEP, at_least=False, note=note)


def _seats(game: AnyGame, count: int) -> tuple[SeatOrder, ...]:
    return tuple(SeatOrder("random", "1", Hosted(f"house:{game.id}/random", lane)) for lane in range(count))
