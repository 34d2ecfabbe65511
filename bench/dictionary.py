"""`make dictionary`: train the zstd dictionary that records are packed with.

    make dictionary                         the next dictionary, in bench/out
    make dictionary ARGS="--id 1"           the first one again, to compare its SHA-256

House bots play every variant and seat count of every game with fixed seeds.  How long they took is replaced by times drawn from
a fixed seed, and some matches are cut short by a fault, so the same code and zstd give the same bytes on any machine.  Each
game contributes the same number of bytes, so that no game's long matches crowd out another's.

To put a dictionary into service: move it to arena/storage/dictionaries, raise NEWEST_DICTIONARY in
arena/storage/record_compression.py, and add its SHA-256 to tests/storage/test_record_compression.py.
"""

from __future__ import annotations

import argparse
import random
from base64 import b32encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import cycle, islice
from math import log
from pathlib import Path

import uvloop
from zstandard import train_dictionary

from arena.games.kernel import SILENCE, Answer, Played, Said, Talk, advance
from arena.games.registry import GAMES, AnyGame
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import FAULT_END, Ending, Record, RecordedStep, to_json
from arena.match.record_columns import encode
from arena.referee_client import Finished, Hosted, Order, Referee, SeatOrder, local_referee
from arena.storage.record_compression import LEVEL, NEWEST_DICTIONARY
from bots.catalogue import house_bots

OUT = Path(__file__).parent / "out"
MATCHES = 144
"""Of each game, spread over its variants, seat counts and bots."""
SIZE_BYTES = 32_768
SEGMENT, WINDOW = 200, 6
"""Parameters that zstd calls k and d.  Segments this long take 5 % less room than those that zstd finds by itself."""
SEARCHES = "search"
"""The house bot that is left out: it thinks for a time, so it does not play the same match again."""

MEDIANS_MS = (0.3, 1.0, 5.0, 25.0, 60.0)
"""Medians of bots' thinking times, each of them log-normal."""
SPREAD = 1.1
FAULT_EVERY = 9
"""One match in this many ends by a fault."""
MESSAGES = {
    FaultKind.ILLEGAL_ACTION: (
        "decision {number}: action 'pass': is not legal here",
        "decision {number}: action '': is not legal here",
    ),
    FaultKind.TIMEOUT: (
        (
            "decision {number}: no answer within 30000 ms, all that was left of its bank; it had thought for 30.0 s in {number} "
            "decisions, its time is 30 s and 0.1 s more for each"
        ),
        (
            "decision {number}: no answer within 10000 ms, the most for one decision, with 12.5 s left in its bank; it had thought "
            "for 17.5 s in {number} decisions, its time is 30 s and 0.1 s more for each"
        ),
    ),
    FaultKind.CRASH: ("its process ended with exit code 1", "its stream ended", "its connection was lost"),
    FaultKind.PROTOCOL: ("decision {number}: the answer is to another decision",),
}


def main() -> None:
    """Train a dictionary and write it into a folder."""
    parser = argparse.ArgumentParser(prog="make dictionary", description=__doc__.partition("\n")[0])
    parser.add_argument("--id", type=int, default=NEWEST_DICTIONARY + 1, help="the dictionary's id")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to write it into")
    chosen = parser.parse_args()
    records = uvloop.run(_play())
    samples = _choose(records)
    trained = train_dictionary(SIZE_BYTES, samples, k=SEGMENT, d=WINDOW, level=LEVEL, dict_id=chosen.id)
    data = trained.as_bytes()
    chosen.out.mkdir(parents=True, exist_ok=True)
    target = chosen.out / f"{chosen.id}.zdict"
    target.write_bytes(data)
    print(f"{target}: {len(data)} bytes, from {len(samples)} records of {sum(map(len, samples))} bytes")
    print(f"SHA-256 {sha256(data).hexdigest()}")


async def _play() -> dict[str, list[Record]]:
    """Return the records of each game, in the order in which they were asked for."""
    played: dict[str, list[Record]] = {}
    with local_referee(slots=2) as control:
        async with Referee(control) as referee:
            for game in GAMES.values():
                orders = [*islice(_orders(game), MATCHES)]
                found = {
                    report.record.match: report.record
                    async for report in referee.play(orders)
                    if isinstance(report, Finished)
                }
                played[game.id] = [_finish(found[order.match]) for order in orders]
                print(f"{game.id}: {len(orders)} matches", flush=True)
    return played


def _orders(game: AnyGame) -> Iterator[Order]:
    """Return matches: the tables in turn, and at each of them the bots in turn."""
    bots = cycle([name for name in house_bots(game.id) if name != SEARCHES])
    tables = [(variant, seats) for variant, counts in game.variants.items() for seats in counts]
    for number, (variant, seats) in enumerate(cycle(tables)):
        seed = sha256(f"{game.id} {number}".encode()).digest()
        match = b32encode(seed)[:16].decode().lower()
        lanes = enumerate(islice(bots, seats))
        yield Order(
            match,
            game.id,
            variant,
            tuple(SeatOrder(name, "1", Hosted(f"house:{game.id}/{name}", lane)) for lane, name in lanes),
            seed,
        )


def _finish(record: Record) -> Record:
    """Return a record with times that follow from its seed, and some with a fault."""
    assert record.result.fault is None, record.result.fault
    chooser = random.Random(record.seed)
    medians = [chooser.choice(MEDIANS_MS) for _ in record.seats]
    asked = iter(_asked(record))
    steps = tuple([_time(step, medians, chooser, asked) for step in record.steps])
    if chooser.randrange(FAULT_EVERY):
        return replace(record, steps=steps)
    seats = len(record.seats)
    number = chooser.randrange(len(steps))
    kind = chooser.choice([*MESSAGES])
    fault = SeatFault(chooser.randrange(seats), kind, chooser.choice(MESSAGES[kind]).format(number=number))
    places = tuple([seats if seat == fault.seat else 1 for seat in range(seats)])
    return replace(record, steps=steps[:number], result=Ending(places, FAULT_END, fault=fault))


def _time(
    recorded: RecordedStep, medians: Sequence[float], chooser: random.Random, asked: Iterator[bool]
) -> RecordedStep:
    """Return a step with another time: 0 if the arena played it without asking its seat."""
    if not isinstance(recorded.step, Played):
        return recorded
    ms = chooser.lognormvariate(log(medians[recorded.step.seat]), SPREAD) if next(asked) else 0.0
    return RecordedStep(recorded.step, round(ms, 1))


def _asked(record: Record) -> Iterator[bool]:
    """Return of each action whether its seat had a choice."""
    game = GAMES[record.game]
    talks = [seat.talks for seat in record.seats]
    setup = game.setup(len(talks), variant=record.variant, options=record.options, talks=talks)
    state, _ = game.new(setup, record.seed)
    actions = iter([each.step.action for each in record.steps if isinstance(each.step, Played)])
    lines = {(each.seat, each.round, at): each.line for at, each in _said(record)}
    at = together = 0
    while decisions := game.to_act(state):
        answers: list[Answer] = []
        for decision in decisions:
            if isinstance(decision, Talk):
                answers.append(lines.get((decision.seat, decision.round, at), SILENCE))
            else:
                yield len(game.legal(state, decision.seat)) > 1
                answers.append(next(actions))
        at += sum(not isinstance(decision, Talk) for decision in decisions)
        state, _, together = advance(game, state, answers, together)


def _said(record: Record) -> Iterator[tuple[int, Said]]:
    """Return what was said, with the number of actions before it."""
    actions = 0
    for each in record.steps:
        actions += isinstance(each.step, Played)
        if isinstance(each.step, Said):
            yield actions, each.step


def _choose(records: dict[str, list[Record]]) -> list[bytes | bytearray | memoryview]:
    """Return the records to learn from, encoded: about as many bytes of each game as of every other."""
    encoded = {game: [encode(to_json(record)) for record in each] for game, each in records.items()}
    left = dict.fromkeys(encoded, min(sum(map(len, each)) for each in encoded.values()))
    chosen: list[bytes | bytearray | memoryview] = []
    for game, each in encoded.items():
        for data in each:
            if left[game] > 0:
                chosen.append(data)
                left[game] -= len(data)
    random.Random(0).shuffle(chosen)
    return chosen


if __name__ == "__main__":
    main()
