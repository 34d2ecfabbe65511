"""The essence of a record: what does not follow from the rules, so that it takes little room (docs/record.md, *At rest*).

    text ──shrink──▶ form ‖ what is needed to play the match again ──expand──▶ the same text, byte for byte

Seed and actions give chance, the dummy's plays, who acted, the numbers of the points, the commitment and the result.  A
text that the rules do not give back like this, a wrong record above all, is kept whole.
"""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

from arena.core.errors import ArenaError
from arena.games import registry
from arena.games.chance import commitment
from arena.games.kernel import SILENCE, Answer, Claim, Line, Played, Step, Talk, advance
from arena.games.registry import AnyGame
from arena.match import record_storage
from arena.match.faults import FaultKind, SeatFault
from arena.match.record import FAULT_END, Ending, Participant, Record, RecordedStep, to_json
from arena.match.record_storage import CompactRecord

WHOLE = 0
"""The form of a text that is kept as it is."""

PLAYED = 1
"""The form of a text that is got back by playing the match again."""

_FIRST_OF_JSON = ord("\t")
"""JSON begins with `{` or white space; forms are less, which tells texts apart that were stored before there were forms."""

_SUM_BYTES = 4


class RulesChanged(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a record cannot be got back, since other rules than this program's are needed for it."""


def shrink(text: str, game: AnyGame | None = None) -> bytes:
    """Shrink a record if it comes back byte for byte, else keep it whole.  The game is found by its id if it is not given."""
    try:
        data = bytes((PLAYED,)) + _sum(text) + record_storage.write(_distil(text, game))
        if expand(data, game) == text:
            return data
    except Exception:  # noqa: BLE001, S110 - a text that is no right record may break anything on the way
        pass
    return keep(text)


def keep(text: str) -> bytes:
    """Keep a record whole, so that it can be read under any rules."""
    return bytes((WHOLE,)) + text.encode()


def is_whole(data: bytes) -> bool:
    """Return whether a record was kept whole."""
    return data[0] == WHOLE or data[0] >= _FIRST_OF_JSON


def fault_of(data: bytes) -> str | None:
    """Return the message of the fault that a record ended by, from what is kept of it; None if it did not end by one."""
    if not is_whole(data):
        fault = record_storage.read(data[1 + _SUM_BYTES :]).fault if data[0] == PLAYED else None
        return None if fault is None else fault.message
    found = json.loads(expand(data))["result"].get("fault")
    return None if found is None else str(found["message"])


def expand(data: bytes, game: AnyGame | None = None) -> str:
    """Give back the text that was shrunk or kept.  Raises RulesChanged, and UsageError if there is no such game."""
    if is_whole(data):
        return (data[1:] if data[0] == WHOLE else data).decode()
    if data[0] != PLAYED:
        raise RulesChanged(
            f"record at rest: its form is {data[0]}, this program reads {WHOLE} and {PLAYED}; update Bot Arena"
        )
    essence = record_storage.read(data[1 + _SUM_BYTES :])
    rules = game or registry.find(essence.game)
    if rules.rules_version != essence.rules_version:
        raise RulesChanged(
            f"record of match {essence.match}: stored under version {essence.rules_version} of the rules of {rules.id}, "
            f"this program has version {rules.rules_version}; {_REMEDY}"
        )
    try:
        text = to_json(_play(essence, rules))
    except Exception as error:  # other rules may break on it anywhere
        raise _astray(essence) from error
    if _sum(text) != data[1 : 1 + _SUM_BYTES]:
        raise _astray(essence)
    return text


_REMEDY = "a Bot Arena with the rules that it was stored under can read it (docs/record.md, At rest)"


def _astray(essence: CompactRecord) -> RulesChanged:
    return RulesChanged(
        f"record of match {essence.match}: the rules of {essence.game} give another match than when it was stored, though "
        f"they still are version {essence.rules_version}; {_REMEDY}"
    )


def _sum(text: str) -> bytes:
    return crc32(text.encode()).to_bytes(_SUM_BYTES, "big")


# --- a text, what is kept of it, and the record again ---------------------------------------------------------


def _distil(text: str, game: AnyGame | None) -> CompactRecord:
    """Take out of a text what is kept of it, trusting it to be a right record: `shrink` sees whether it was."""
    document: dict[str, Any] = json.loads(text)
    lines: dict[tuple[int, int, int], Line] = {}
    actions: list[str] = []
    tenths: list[int] = []
    for step in document["steps"]:
        if "action" in step:
            actions.append(step["action"])
            tenths.append(round(step["ms"] * 10))
        elif "say" in step:
            lines[len(actions), step["seat"], step["round"]] = _line(**step["say"])
    fault = document["result"].get("fault")
    return CompactRecord(
        rules_version=(game or registry.find(document["game"])).rules_version,
        game=document["game"],
        match=document["match"],
        variant=document["variant"],
        options=document["options"],
        seats=tuple([Participant(**seat) for seat in document["seats"]]),
        fault=None if fault is None else _fault(**fault),
        lines=lines,
        actions=tuple(actions),
        tenths=tuple(tenths),
        seed=bytes.fromhex(document["seed"]),
    )


def _line(text: str, claims: list[dict[str, Any]]) -> Line:
    return Line(text, tuple([Claim(**claim) for claim in claims]))


def _fault(seat: int, kind: str, message: str) -> SeatFault:
    return SeatFault(seat, FaultKind(kind), message)


def _play(essence: CompactRecord, game: AnyGame) -> Record:
    """Play the match again."""
    seats = essence.seats
    talks = [seat.talks for seat in seats]
    setup = game.setup(len(seats), variant=essence.variant, options=essence.options, talks=talks)
    state, dealt = game.new(setup, essence.seed)
    steps: list[Step] = list(dealt)
    actions, lines = essence.actions, dict(essence.lines)
    at = together = 0
    while decisions := game.to_act(state):
        if essence.fault is not None and at == len(actions) and not lines:
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
    times = iter(essence.tenths)
    return Record(
        match=essence.match,
        game=game.id,
        variant=essence.variant,
        options=essence.options,
        seed=essence.seed,
        commitment=commitment(essence.match, essence.seed),
        seats=seats,
        steps=tuple(
            [RecordedStep(step, next(times) / 10 if isinstance(step, Played) else None) for step in steps]
        ),
        result=_end(game, state, essence),
    )


def _end(game: AnyGame, state: Any, essence: CompactRecord) -> Ending:  # noqa: ANN401 - each game has its own state
    fault, seats = essence.fault, len(essence.seats)
    if fault is not None:
        places = tuple([seats if seat == fault.seat else 1 for seat in range(seats)])
        return Ending(places, FAULT_END, fault=fault)
    result = game.result(state)
    if result is None:
        raise RuntimeError(f"{game.id}: no decision is open and there is no result")
    return Ending(result.places, result.end, result.scores, result.detail)
