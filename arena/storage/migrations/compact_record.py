"""Records as stores had them before schema 0013: forms 0 and 1, read-only.

Form 1 has what does not follow from the rules, so that the match has to be played again to get its record:

    01 ‖ CRC-32 of the record ‖ seed ‖ JSON and actions, a line each ‖ an empty line ‖ times

The line of JSON is `[rules_version, game, match, variant, options, seats, fault, lines of talk]`; a seat is
`[bot, version]`, or `[bot, version, 1]` if it talks; a fault `[seat, kind, message]`; a line of talk
`[the number of actions before it, seat, round, text, claims…]`, each claim `[kind, seat, vote, when]`.  Times are in tenths of a
millisecond, as digits to base 128, the lowest first, with 128 added to all but a number's last.

Nothing but migration 0013 needs this.  tests/storage/test_migrated_records.py pins it to rows of Bot Arena 0.1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from zstandard import ZstdDecompressor, ZstdError

from arena.core.errors import ArenaError
from arena.games import registry
from arena.games.chance import SEED_BYTES, commitment
from arena.games.kernel import SILENCE, Answer, Claim, Line, Played, Step, Talk, advance
from arena.games.registry import AnyGame
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import FAULT_END, Ending, Participant, Record, RecordedStep, to_json

_WHOLE = 0
_PLAYED = 1
_FIRST_OF_JSON = ord("\t")
"""Texts that were stored before there were forms begin with `{` or white space; forms are less."""

_SUM_BYTES = 4
_END_OF_TEXTS = b"\n\n"


class RowUnreadable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the row of a record is damaged, or the match comes out differently when it is played again."""


@dataclass(frozen=True, slots=True)
class RulesOfRow:
    """The rules that a row of form 1 needs."""

    game: str
    version: int


@dataclass(frozen=True, slots=True)
class _Compact:
    """Parts of a record that do not follow from the rules."""

    rules: RulesOfRow
    match: str
    variant: str
    options: Mapping[str, int]
    seats: tuple[Participant, ...]
    fault: SeatFault | None
    lines: Mapping[tuple[int, int, int], Line]
    """Lines of talk, by the number of actions before it, the seat and the round."""

    actions: tuple[str, ...]
    tenths: tuple[int, ...]
    seed: bytes


def rules_of(row: bytes) -> RulesOfRow | None:
    """Return the rules that a row needs; None if it needs none.  Raises RowUnreadable."""
    data = _decompress(row)
    if _form(data) == _WHOLE:
        return None
    try:
        line = data[1 + _SUM_BYTES + SEED_BYTES :].partition(b"\n")[0]
        version, game, *_ = json.loads(line)
    except ValueError as error:
        raise RowUnreadable(f"it is damaged ({error})") from error
    return RulesOfRow(game, version)


def read(row: bytes) -> str:
    """Return a row's record, by playing the match again if need be.  Raises RowUnreadable."""
    data = _decompress(row)
    whole = _form(data) == _WHOLE
    try:
        if whole:
            return (data[1:] if data[0] == _WHOLE else data).decode()
        compact = _read_compact(data[1 + _SUM_BYTES :])
        text = to_json(_play(compact, registry.find(compact.rules.game)))
    except Exception as error:  # a damaged row may break the rules anywhere
        raise RowUnreadable(f"it is damaged ({type(error).__name__}: {error})") from error
    if crc32(text.encode()).to_bytes(_SUM_BYTES, "big") != data[1 : 1 + _SUM_BYTES]:
        raise RowUnreadable("its checksum differs from that of the match played again")
    return text


def _decompress(row: bytes) -> bytes:
    try:
        return ZstdDecompressor().decompress(row)
    except ZstdError as error:
        raise RowUnreadable(f"it is damaged ({error})") from error


def _form(data: bytes) -> int:
    form = data[0] if data else None
    if form in {_WHOLE, _PLAYED}:
        return form
    if form is not None and form >= _FIRST_OF_JSON:
        return _WHOLE
    raise RowUnreadable(f"its form is {form}, which Bot Arena 0.1 did not have")


def _read_compact(data: bytes) -> _Compact:
    texts, _, numbers = data[SEED_BYTES:].partition(_END_OF_TEXTS)
    head, *actions = texts.decode().split("\n")
    version, game, match, variant, options, seats, fault, lines = json.loads(head)
    return _Compact(
        rules=RulesOfRow(game, version),
        match=match,
        variant=variant,
        options=options,
        seats=tuple([Participant(bot, number, bool(talks)) for bot, number, *talks in seats]),
        fault=None if fault is None else SeatFault(fault[0], FaultKind(fault[1]), fault[2]),
        lines={
            (at, seat, number): Line(text, tuple([Claim(*claim) for claim in claims]))
            for at, seat, number, text, *claims in lines
        },
        actions=tuple(actions),
        tenths=tuple(_read_numbers(numbers)),
        seed=data[:SEED_BYTES],
    )


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


def _play(compact: _Compact, game: AnyGame) -> Record:
    seats = compact.seats
    talks = [seat.talks for seat in seats]
    setup = game.setup(len(seats), variant=compact.variant, options=compact.options, talks=talks)
    state, dealt = game.new(setup, compact.seed)
    steps: list[Step] = list(dealt)
    actions, lines = compact.actions, dict(compact.lines)
    at = together = 0
    while decisions := game.to_act(state):
        if compact.fault is not None and at == len(actions) and not lines:
            break
        answers: list[Answer] = []
        for decision in decisions:
            if isinstance(decision, Talk):
                answers.append(lines.pop((at, decision.seat, decision.round), SILENCE))
            else:
                answers.append(actions[at])
                at += 1
        state, followed, together = advance(game, state, answers, together)
        steps += followed
    times = iter(compact.tenths)
    return Record(
        match=compact.match,
        game=game.id,
        variant=compact.variant,
        options=compact.options,
        seed=compact.seed,
        commitment=commitment(compact.match, compact.seed),
        seats=seats,
        steps=tuple(
            [RecordedStep(step, next(times) / 10 if isinstance(step, Played) else None) for step in steps]
        ),
        result=_end(game, state, compact),
    )


def _end(game: AnyGame, state: Any, compact: _Compact) -> Ending:  # noqa: ANN401 - each game has its own state
    fault, seats = compact.fault, len(compact.seats)
    if fault is not None:
        places = tuple([seats if seat == fault.seat else 1 for seat in range(seats)])
        return Ending(places, FAULT_END, fault=fault)
    result = game.result(state)
    if result is None:
        raise RuntimeError(f"{game.id}: no decision is open and there is no result")
    return Ending(result.places, result.end, result.scores, result.detail)
