"""What is kept of a record that can be played again, and its bytes (docs/record.md, *At rest*)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.games.chance import SEED_BYTES
from arena.games.kernel import Claim, Line
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import Participant

_END_OF_TEXTS = b"\n\n"


@dataclass(frozen=True, slots=True)
class Kept:
    """What of a record does not follow from the rules."""

    rules_version: int
    game: str
    match: str
    variant: str
    options: Mapping[str, int]
    seats: tuple[Participant, ...]
    fault: SeatFault | None
    lines: Mapping[tuple[int, int, int], Line]
    """What was said, under the number of actions before it, the seat and the round."""

    actions: tuple[str, ...]
    tenths: tuple[int, ...]
    """How long each action took, in tenths of a millisecond."""

    seed: bytes


def write(kept: Kept) -> bytes:
    """Write it: the seed; a line of JSON and one for each action, an empty one after them; the times."""
    fault = kept.fault
    head = (
        kept.rules_version,
        kept.game,
        kept.match,
        kept.variant,
        kept.options,
        [(seat.bot, seat.version, *([1] if seat.talks else [])) for seat in kept.seats],
        None if fault is None else (fault.seat, fault.kind, fault.message),
        [
            (*place, line.text, *((claim.kind, claim.seat, claim.vote, claim.when) for claim in line.claims))
            for place, line in kept.lines.items()
        ],
    )
    texts = (json.dumps(head, ensure_ascii=False, separators=(",", ":")), *kept.actions)
    return kept.seed + "\n".join(texts).encode() + _END_OF_TEXTS + _write_numbers(kept.tenths)


def read(data: bytes) -> Kept:
    """Read what `write` wrote."""
    texts, _, numbers = data[SEED_BYTES:].partition(_END_OF_TEXTS)
    head, *actions = texts.decode().split("\n")
    rules_version, game, match, variant, options, seats, fault, lines = json.loads(head)
    return Kept(
        rules_version=rules_version,
        game=game,
        match=match,
        variant=variant,
        options=options,
        seats=tuple([Participant(bot, version, bool(talks)) for bot, version, *talks in seats]),
        fault=None if fault is None else SeatFault(fault[0], FaultKind(fault[1]), fault[2]),
        lines={
            (at, seat, number): Line(text, tuple([Claim(*claim) for claim in claims]))
            for at, seat, number, text, *claims in lines
        },
        actions=tuple(actions),
        tenths=tuple(_read_numbers(numbers)),
        seed=data[:SEED_BYTES],
    )


def _write_numbers(numbers: Iterable[int]) -> bytes:
    """Write numbers of 0 and more: digits to base 128, the lowest first, with 128 added to all but a number's last."""
    data = bytearray()
    for number in numbers:
        rest = number
        while rest > 127:
            data.append(rest & 127 | 128)
            rest >>= 7
        data.append(rest)
    return bytes(data)


def _read_numbers(data: bytes) -> list[int]:
    numbers = []
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers
