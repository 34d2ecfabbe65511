"""The record of a match: one JSON document, enough to replay and to check it without the bots (docs/record.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from arena.games.kernel import ENDS, Chance, Claim, DummyPlayed, Json, Line, Played, Result, Said, Step
from arena.games.values import Value, mypyc_attr
from arena.match.faults import FaultKind, SeatFault
from arena.match.json_fields import Fields, RecordError, parse, read_integer, read_text, refuse

__all__ = [
    "Ending",
    "Participant",
    "Record",
    "RecordError",
    "RecordedStep",
    "from_json",
    "read_step",
    "to_json",
    "write_step",
]

FORMAT = "arena-match/1"

FAULT_END = "fault"
"""The `end` of a match that a fault ended."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Bot in a seat; `talks` is whether it declared that it talks, and false in games without talk."""

    bot: str
    version: str
    talks: bool = False


@mypyc_attr(acyclic=True)
@final
class RecordedStep(Value):
    """A step, and for a seat's action how long it took (0 where the platform played it); None for all others."""

    __slots__ = ("ms", "step")

    def __init__(self, step: Step, ms: float | None = None) -> None:
        self.step: Final = step
        self.ms: Final = ms


@dataclass(frozen=True, slots=True)
class Ending:
    """End of a match: with scores and the detail that the game's page asks for, or with a fault."""

    places: tuple[int, ...]
    end: str
    scores: tuple[int, ...] | None = None
    detail: Mapping[str, Json] | None = None
    fault: SeatFault | None = None

    @classmethod
    def by_rules(cls, result: Result) -> Ending:
        """Return the ending of a match that was played to its end."""
        return cls(result.places, result.end, result.scores, result.detail)

    @classmethod
    def by_fault(cls, fault: SeatFault, seats: int) -> Ending:
        """Return the ending of a match that a fault ended: its seat is last, all others are first."""
        places = tuple([seats if seat == fault.seat else 1 for seat in range(seats)])
        return cls(places, FAULT_END, fault=fault)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match.  `options` names every option of the game; the seed has 32 bytes."""

    match: str
    game: str
    variant: str
    options: Mapping[str, int]
    seed: bytes
    commitment: bytes
    seats: tuple[Participant, ...]
    steps: tuple[RecordedStep, ...]
    result: Ending


def to_json(record: Record) -> str:
    """Write a record as JSON on one line, without spaces, its keys in the order of docs/record.md."""
    document: dict[str, Json] = {
        "format": FORMAT,
        "match": record.match,
        "game": record.game,
        "variant": record.variant,
        "options": dict(record.options),
        "seed": record.seed.hex(),
        "commitment": record.commitment.hex(),
        "seats": [_write_participant(seat) for seat in record.seats],
        "steps": [write_step(recorded) for recorded in record.steps],
        "result": _write_ending(record.result),
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_json(text: str) -> Record:
    """Read a record.  Raises RecordError naming the field; whether the match is right is for `verify` to say."""
    fields = Fields(parse(text), "")
    if (written := fields.take("format")) != FORMAT:
        raise refuse("format", written, repr(FORMAT))
    record = Record(
        match=fields.text("match"),
        game=fields.text("game"),
        variant=fields.text("variant"),
        options=fields.integers("options"),
        seed=fields.hex32("seed"),
        commitment=fields.hex32("commitment"),
        seats=fields.each("seats", _read_participant),
        steps=fields.each("steps", read_step),
        result=_read_ending(Fields(fields.take("result"), "result")),
    )
    fields.close()
    return record


# --- writing --------------------------------------------------------------------------------------------------


def _write_participant(seat: Participant) -> dict[str, Json]:
    written: dict[str, Json] = {"bot": seat.bot, "version": seat.version}
    return {**written, "talks": True} if seat.talks else written


def write_step(recorded: RecordedStep) -> dict[str, Json]:
    """Write a step as a record has it."""
    match recorded.step:
        case Played(seat, action, together):
            point: dict[str, Json] = {} if together is None else {"together": together}
            ms: dict[str, Json] = {} if recorded.ms is None else {"ms": _shorten(recorded.ms)}
            return {"seat": seat, "action": action, **point, **ms}
        case Chance(name, outcome):
            return {"chance": name, "outcome": outcome}
        case DummyPlayed(action):
            return {"dummy": action}
        case Said(seat, line, number):
            claims: list[Json] = [
                {"kind": claim.kind, "seat": claim.seat, "vote": claim.vote, "when": claim.when}
                for claim in line.claims
            ]
            return {"seat": seat, "say": {"text": line.text, "claims": claims}, "round": number}


def _shorten(ms: float) -> Json:
    """Write 0.0 as 0: most times are those of steps that the platform played."""
    return int(ms) if ms == int(ms) else ms


def _write_ending(ending: Ending) -> dict[str, Json]:
    written: dict[str, Json] = {}
    if ending.scores is not None:
        written["scores"] = ending.scores
    written["places"] = ending.places
    written["end"] = ending.end
    if ending.detail is not None:
        written["detail"] = ending.detail
    if ending.fault is not None:
        fault = ending.fault
        written["fault"] = {"seat": fault.seat, "kind": fault.kind.value, "message": fault.message}
    return written


# --- reading --------------------------------------------------------------------------------------------------


def _read_participant(value: object, path: str) -> Participant:
    fields = Fields(value, path)
    seat = Participant(fields.text("bot"), fields.text("version"), "talks" in fields)
    if seat.talks and (talks := fields.take("talks")) is not True:
        raise refuse(fields.path("talks"), talks, "true, or left out")
    fields.close()
    return seat


def read_step(value: object, path: str) -> RecordedStep:
    """Read a step as a record has it; `path` names it in an error.  Raises RecordError."""
    fields = Fields(value, path)
    ms: float | None = None
    step: Step
    if "chance" in fields:
        step = Chance(fields.text("chance"), fields.each("outcome", read_text))
    elif "dummy" in fields:
        step = DummyPlayed(fields.text("dummy"))
    elif "say" in fields:
        line = _read_line(Fields(fields.take("say"), fields.path("say")))
        step = Said(fields.integer("seat", low=0), line, fields.integer("round", low=0))
    else:
        seat, action = fields.integer("seat", low=0), fields.text("action")
        together = fields.integer("together", low=0) if "together" in fields else None
        step = Played(seat, action, together)
        ms = fields.duration("ms")
    fields.close()
    return RecordedStep(step, ms)


def _read_line(fields: Fields) -> Line:
    line = Line(fields.text("text"), fields.each("claims", _read_claim))
    fields.close()
    return line


def _read_claim(value: object, path: str) -> Claim:
    fields = Fields(value, path)
    claim = Claim(
        fields.text("kind"), fields.integer("seat", low=0), fields.text("vote"), fields.text("when")
    )
    fields.close()
    return claim


def _read_ending(fields: Fields) -> Ending:
    places = fields.each("places", read_integer)
    end = fields.text("end")
    if end != FAULT_END and end not in ENDS:
        raise refuse(fields.path("end"), end, f"one of {', '.join(ENDS)}, {FAULT_END}")
    if end == FAULT_END:
        ending = Ending(places, end, fault=_read_fault(Fields(fields.take("fault"), fields.path("fault"))))
    else:
        scores = fields.each("scores", read_integer)
        ending = Ending(places, end, scores, fields.json("detail"))
    fields.close()
    return ending


def _read_fault(fields: Fields) -> SeatFault:
    seat, kind, message = fields.integer("seat", low=0), fields.text("kind"), fields.text("message")
    if kind not in set(FaultKind):
        raise refuse(fields.path("kind"), kind, f"one of {', '.join(FaultKind)}")
    fields.close()
    return SeatFault(seat, FaultKind(kind), message)
