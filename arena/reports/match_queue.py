"""The match queue: what a tournament plays now and next, from its blocks; and its matches, found by bot and by how they ended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches.outcomes import ANNULLED, UNPLAYED
from arena.competition.plans import StoredPlan
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.reports import match_views
from arena.reports.match_details import MatchRow
from arena.storage import Store
from arena.storage.database_clock import read_time
from arena.storage.schema import Block, MatchResult

Wanted = Literal["all", "open", "played", "fault", "annulled"]
"""Which matches: all that are planned, in their order; those to be played; those played, by faults, or annulled, the newest first."""

_Key = tuple[int, int]
"""A set and the match in it."""


@dataclass(frozen=True, slots=True)
class UpcomingSet:
    """A set that is not over: its entries, in the order of the first match's seats, and how many matches are played.

    `now`: a worker plays its block; `before` counts the matches that come before it in line.
    """

    number: int
    entries: tuple[int, ...]
    played: int
    now: bool
    before: int


@dataclass(frozen=True, slots=True)
class MatchQueue:
    """The sets that are to be played, in the order in which workers take them."""

    total: int
    playing: int
    """Number of tournaments, the first ones, that workers play now."""

    first_open: int
    """The lowest number of a set that may not be over; that after the last if all are."""

    take: Callable[[int, int], tuple[UpcomingSet, ...]]


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """Matches that were asked for: how many, and those from one number to another."""

    total: int
    take: Callable[[int, int], tuple[MatchRow, ...]]


def match_queue(store: Store, tournament_id: int) -> MatchQueue:
    """Return what a tournament plays now and next, as far as it is planned.  Raises NotFound."""
    columns = (Block.first_set, Block.sets, Block.worker, Block.lease_until)
    query = select(*columns).where(Block.tournament_id == tournament_id, Block.done.is_(False))
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        blocks = session.execute(query.order_by(Block.number)).all()
        now = read_time(session)
        held = [
            range(first, first + sets)
            for first, sets, worker, lease in blocks
            if worker is not None and (lease or 0.0) > now
        ]
        begun = _played(session, tournament_id, [number for block in held for number in block])
    seats = stored.plan.seats
    playing = [number for block in held for number in block if begun.get(number, 0) < seats]
    waiting = [
        range(first, first + sets) for first, sets, *_ in blocks if range(first, first + sets) not in held
    ]
    total = len(playing) + sum(map(len, waiting))

    def take(first: int, end: int) -> tuple[UpcomingSet, ...]:
        numbers = _slice([playing, *waiting], first, end)
        with store.read() as session:
            counted = _played(session, tournament_id, numbers)
        return tuple(
            UpcomingSet(
                number,
                stored.plan.match(number, 0).seats,
                counted.get(number, 0),
                first + i < len(playing),
                (first + i) * seats,
            )
            for i, number in enumerate(numbers)
        )

    lowest = [number for numbers in (playing, *waiting) for number in numbers[:1]]
    return MatchQueue(total, len(playing), min(lowest, default=stored.plan.sets_total), take)


def find_matches(store: Store, tournament_id: int, wanted: str, words: str) -> FoundMatches:
    """Find matches of a tournament; `words` is part of the name of a bot that plays in them, or empty.

    Raises NotFound, and Refusal for a wish that there is not.
    """
    if wanted not in get_args(Wanted):
        raise Refusal(
            "state_invalid",
            say(
                "matches.state {wanted!r}: must be one of {states}",
                wanted=wanted[:40],
                states=", ".join(get_args(Wanted)),
            ),
            field="matches.state",
        )
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        keys = _keys(session, stored, cast("Wanted", wanted), _sets_of(stored, words))
    return FoundMatches(
        len(keys), lambda first, end: match_views.rows_of(store, tournament_id, keys[first:end])
    )


def _sets_of(stored: StoredPlan, words: str) -> Sequence[int]:
    """List the numbers of the sets in which a bot plays whose name has these words; all without words."""
    every = range(stored.plan.sets_total)
    if not words:
        return every
    looked_for = words.casefold()
    named = {
        number
        for number, entry in enumerate(stored.entries)
        if looked_for in f"{entry.bot}@{entry.version}".casefold()
    }
    return [number for number in every if not named.isdisjoint(stored.plan.schedule[number])]


def _keys(session: Session, stored: StoredPlan, wanted: Wanted, sets: Sequence[int]) -> Sequence[_Key]:
    seats = stored.plan.seats
    if wanted == "all":
        return _All(sets, seats)
    if wanted == "open":
        done = set(_results(session, stored.tournament_id))
        here = [number for number in sets if stored.plan.is_active(number)]
        over = stored.course.over is not None
        return [] if over else [key for key in _All(here, seats) if key not in done]
    conditions = {
        "played": (MatchResult.end.not_in(UNPLAYED),),
        "fault": (MatchResult.fault_seat.is_not(None),),
        "annulled": (MatchResult.end == ANNULLED,),
    }[wanted]
    found = _results(session, stored.tournament_id, *conditions)
    if isinstance(sets, range):
        return found
    within = frozenset(sets)
    return [key for key in found if key[0] in within]


def _results(session: Session, tournament_id: int, *conditions: ColumnElement[bool]) -> list[_Key]:
    query = select(MatchResult.set_number, MatchResult.match_number).where(
        MatchResult.tournament_id == tournament_id, *conditions
    )
    return [(row[0], row[1]) for row in session.execute(query.order_by(MatchResult.id.desc()))]


def _played(session: Session, tournament_id: int, sets: Collection[int]) -> dict[int, int]:
    query = (
        select(MatchResult.set_number, func.count())
        .where(MatchResult.tournament_id == tournament_id, MatchResult.set_number.in_(sets))
        .group_by(MatchResult.set_number)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def _slice(parts: Sequence[Sequence[int]], first: int, end: int) -> list[int]:
    """Take numbers `first` to `end` of many sequences as if they were one."""
    found: list[int] = []
    for part in parts:
        found += part[max(0, first) : max(0, end)]
        first, end = first - len(part), end - len(part)
    return found


class _All(Sequence[_Key]):
    """All matches of some sets, in their order, without a list of them."""

    def __init__(self, sets: Sequence[int], seats: int) -> None:
        self._sets, self._seats = sets, seats

    def __len__(self) -> int:
        return len(self._sets) * self._seats

    def __getitem__(self, at: int | slice) -> _Key | list[_Key]:  # type: ignore[override]
        if isinstance(at, slice):
            return [self._key(number) for number in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._key(at % len(self))

    def _key(self, number: int) -> _Key:
        return self._sets[number // self._seats], number % self._seats
