"""Outcomes: what of a record enters the sums, once it is certain that it is the record of the planned match.

The check is a cheap one, of what the match was given; `arena verify` plays a record again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import or_

from arena.competition.plans import StoredPlan
from arena.core.errors import ArenaError
from arena.ratings.totals import half_units, pair_results
from arena.scheduling.match_sets import PlannedMatch
from arena.storage.schema import MatchResult

FAULT_END = "fault"
ANNULLED = "annulled"
ABSENT = "absent"
"""The end of a match that never began and has no record: several bots were away, and all of them lose; in a ladder one was, and the match does not count."""
UNPLAYED = (ANNULLED, ABSENT)
"""Ends of matches that have no record."""
COUNTS = or_(MatchResult.end.not_in(UNPLAYED), MatchResult.absent.is_not(None))
"""Whether a result has places, and is part of the sums unless a withdrawal took it off."""


class RecordMismatch(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a record is not that of the match that was planned."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a match; scores are None after a fault.  `absent` are the seats that were away when it should have begun."""

    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    end: str
    fault_seat: int | None = None
    fault_kind: str | None = None
    absent: tuple[int, ...] = ()

    @property
    def forfeits(self) -> tuple[int, ...]:
        """The seats that lost it without playing it to its end."""
        return self.absent if self.fault_seat is None else (self.fault_seat,)

    @classmethod
    def without(cls, absent: Sequence[int], seats: int) -> Outcome:
        """Return the outcome of a match that several seats were away from: they are last, all others are first."""
        places = tuple(seats if seat in absent else 1 for seat in range(seats))
        return cls(places, None, ABSENT, absent=tuple(sorted(absent)))

    @classmethod
    def of_row(cls, row: MatchResult) -> Outcome:
        """Return what a stored result adds to the sums; scores do not."""
        places, absent = seat_values(row.places), seat_values(row.absent)
        return cls(places, None, row.end, row.fault_seat, row.fault_kind, absent)


def read_outcome(record_json: str, stored: StoredPlan, planned: PlannedMatch) -> Outcome:
    """Read the outcome from a record.  Raises RecordMismatch naming the field that is not as it was planned."""
    try:
        record = json.loads(_without_steps(record_json))
        found = {
            "match": record["match"],
            "game": record["game"],
            "variant": record["variant"],
            "options": record["options"],
            "seed": record["seed"],
            "commitment": record["commitment"],
            "seats": [(seat["bot"], seat["version"]) for seat in record["seats"]],
        }
        outcome = _outcome(record["result"])
    except (ValueError, KeyError, TypeError) as error:
        raise RecordMismatch(
            f"record of match {planned.id}: {error!r}; must be an arena-match/1 document"
        ) from error
    expected = {
        "match": planned.id,
        "game": stored.game,
        "variant": stored.variant,
        "options": dict(stored.options),
        "seed": planned.seed.hex(),
        "commitment": planned.commitment.hex(),
        "seats": [(stored.entries[entry].bot, stored.entries[entry].version) for entry in planned.seats],
    }
    for field, value in expected.items():
        if found[field] != value:
            raise RecordMismatch(
                f"record of match {planned.id}: {field} is {found[field]!r}, planned was {value!r}"
            )
    if len(outcome.places) != len(planned.seats):
        raise RecordMismatch(
            f"record of match {planned.id}: places {outcome.places} are not one for each seat"
        )
    if outcome.fault_seat is not None and outcome.fault_seat not in range(len(planned.seats)):
        raise RecordMismatch(
            f"record of match {planned.id}: fault seat {outcome.fault_seat}: must be 0 to {len(planned.seats) - 1}"
        )
    return outcome


def pair_rows(scope: str, versions: Sequence[int], outcome: Outcome) -> list[dict[str, object]]:
    """Return what a match adds to the pair totals of a scope, in the order of their keys."""
    half = half_units(len(versions))
    rows: list[dict[str, object]] = []
    for result in pair_results(outcome.places, outcome.forfeits):
        low, high, doubled = versions[result.seat], versions[result.other], result.doubled
        if low == high:
            continue
        if low > high:
            low, high, doubled = high, low, 2 - doubled
        rows.append(
            {
                "scope": scope,
                "low": low,
                "high": high,
                "low_units": doubled * half,
                "high_units": (2 - doubled) * half,
                "wins": int(doubled == 2),
                "draws": int(doubled == 1),
                "losses": int(doubled == 0),
            }
        )
    return sorted(rows, key=lambda row: (row["low"], row["high"]))


def version_rows(scope: str, versions: Sequence[int], outcome: Outcome) -> list[dict[str, object]]:
    """Return what a match adds to the versions' own totals of a scope, in the order of their keys."""
    at_fault = {versions[seat] for seat in outcome.forfeits}
    away = {versions[seat] for seat in outcome.absent}
    return [
        {
            "scope": scope,
            "version_id": version,
            "matches": 1,
            "faults": int(version in at_fault),
            "absences": int(version in away),
        }
        for version in sorted(set(versions))
    ]


def unattended(versions: Sequence[int], outcome: Outcome) -> Iterator[tuple[int, int]]:
    """Yield each two versions, the lower first, that met in a match which both were away from."""
    away = sorted({versions[seat] for seat in outcome.absent})
    yield from combinations(away, 2)


def _without_steps(record_json: str) -> str:
    """Cut the steps out of a record as `arena.match.record` writes it: they are most of it and not looked at here.

    Quotes inside of JSON's texts are escaped, so the first of these is the key; a text without both is left whole.
    """
    start, end = record_json.find('"steps":['), record_json.rfind('],"result":{')
    return record_json if not 0 <= start < end else f'{record_json[:start]}"steps":[{record_json[end:]}'


def _outcome(result: dict[str, object]) -> Outcome:
    """Read a record's result; what has a wrong type raises one of the errors that the caller handles."""
    places, end, scores, fault = result["places"], result["end"], result.get("scores"), result.get("fault")
    if not isinstance(end, str):
        raise TypeError("end must be a text")
    if not isinstance(fault, dict):
        return Outcome(_integers(places), _integers(scores), end)
    seat, kind = fault["seat"], fault["kind"]
    if not isinstance(seat, int) or not isinstance(kind, str):
        raise TypeError("fault must name a seat and a kind")
    return Outcome(_integers(places), None, FAULT_END, seat, kind)


def _integers(values: object) -> tuple[int, ...]:
    if not isinstance(values, list) or not all(isinstance(value, int) for value in values):
        raise TypeError("places and scores must be lists of integers")
    return tuple(values)


def seat_values(text: str | None) -> tuple[int, ...]:
    """Return the numbers in a result's column, one per seat; none for None."""
    return tuple(map(int, (text or "").split()))
