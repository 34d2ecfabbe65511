"""Matches: what may be known of them.

What betrays a deal, record and seed, appears when `arena.competition.disclosure` says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from arena.competition import disclosure, plans
from arena.competition.matches import incidents
from arena.competition.matches.outcomes import ABSENT, ANNULLED, UNPLAYED, seat_values
from arena.competition.plans import StoredPlan
from arena.core.translatable import say
from arena.reports.match_details import MatchPage, MatchRow, MatchState, SeatRow, VoidAttempt
from arena.reports.match_lists import match_cursors
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.schema import Attempt, MatchResult, Record, Tournament, Trial

_TOURNAMENTS = 3
"""The tournaments of a game that its matches are looked for in, if it has none among the newest."""


def page(store: Store, tournament_id: int, set: int, match: int) -> MatchPage:  # noqa: A002
    """Show a match: its record and seed only when they are open.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        results = _results(session, tournament_id, set, set + 1)
        result = results.get((set, match))
        attempt = result.attempt if result is not None else _attempt(session, tournament_id, set, match)
        planned = plans.match(stored, set, match, attempt)
        opens_at = disclosure.opens_at(stored, planned, _times(results.values()))
        is_open = disclosure.is_open(stored, opens_at)
        record = absent = None
        together = incidents.sizes(session, [result.incident] if result is not None else [])
        if is_open and result is not None:
            record = session.scalar(select(Record.data).where(Record.result_id == result.id))
        if result is not None and result.end == ABSENT:
            absent = _why_absent(session, stored, planned, result)
    state = _state(stored, set, result, is_open=is_open)
    seats = _seats(stored, planned, result)
    return MatchPage(
        tournament_id=tournament_id,
        tournament=stored.name,
        set=set,
        match=match,
        id=planned.id,
        game=stored.game,
        variant=stored.variant,
        options=stored.options,
        time=str(stored.time),
        state=state,
        end=None if result is None else result.end,
        fault_seat=None if result is None else result.fault_seat,
        fault_kind=None if result is None else result.fault_kind,
        fault_incident=None if result is None else result.incident,
        incident_matches=max(together.values(), default=0),
        seats=seats,
        commitment=planned.commitment.hex(),
        seed=planned.seed.hex() if is_open else None,
        packed_record=record,
        opens_at=opens_at,
        delay_s=stored.delay_s,
        live=disclosure.goes_live(stored, planned),
        shared=planned.shared,
        voids=_voids(stored, planned) if is_open else (),
        stored_at=None if result is None else result.stored_at,
        margin=_margin(seats) if state == "finished" else None,
        absent=absent,
        record_kept=state != "finished" or record is not None,
    )


def recent(store: Store, limit: int = 20, after: tuple[int, int, int] | None = None) -> tuple[MatchRow, ...]:
    """List the matches that were stored last, the newest first, after one of them; those of trials are left out."""
    with store.read() as session:
        query = select(MatchResult).where(~exists().where(Trial.tournament_id == MatchResult.tournament_id))
        if after is not None:
            number = select(MatchResult.id).where(
                MatchResult.tournament_id == after[0],
                MatchResult.set_number == after[1],
                MatchResult.match_number == after[2],
            )
            if (stored_last := session.scalar(number)) is None:
                raise match_cursors.unknown(match_cursors.write(after))
            query = query.where(MatchResult.id < stored_last)
        found = session.scalars(query.order_by(MatchResult.id.desc()).limit(limit)).all()
        opened = open_matches(store, session, {key_of(each) for each in found})
        rows = []
        for result in found:
            stored = plans.load(store, session, result.tournament_id)
            planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
            rows.append(match_row(stored, planned, result, is_open=key_of(result) in opened))
        return tuple(rows)


def stored_before(store: Store, moment: float, limit: int) -> tuple[MatchRow, ...]:
    """List open matches that were stored before a moment, the newest `limit`; of a game without any, some of its own.

    Those are from its last tournaments, or its first if nothing was stored before the moment, which is in seconds since the
    epoch.  Trials are left out.
    """
    others = select(MatchResult).where(
        ~exists().where(Trial.tournament_id == MatchResult.tournament_id), MatchResult.end.not_in(UNPLAYED)
    )
    newest = others.where(MatchResult.stored_at < moment).order_by(
        MatchResult.stored_at.desc(), MatchResult.id.desc()
    )
    with store.read() as session:
        found = list(session.scalars(newest.limit(limit)))
        games = set(session.scalars(select(Tournament.game).distinct()))
        for game in sorted(games - {plans.load(store, session, each.tournament_id).game for each in found}):
            found += _of_game(session, game, moment, limit)
        opened = open_matches(store, session, {key_of(each) for each in found})
        rows = []
        for result in found:
            if key_of(result) in opened:
                stored = plans.load(store, session, result.tournament_id)
                planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
                rows.append(match_row(stored, planned, result, is_open=True))
        return tuple(rows)


def _of_game(session: Session, game: str, moment: float, limit: int) -> list[MatchResult]:
    """Return results of the last tournaments of a game, or of its first ones if none was stored before a moment."""
    played = (
        select(Tournament.id)
        .where(
            Tournament.game == game,
            Tournament.matches_done > 0,
            ~exists().where(Trial.tournament_id == Tournament.id),
        )
        .limit(_TOURNAMENTS)
    )
    last = session.scalars(played.order_by(Tournament.id.desc())).all()
    of_some = select(MatchResult).where(MatchResult.end.not_in(UNPLAYED)).limit(limit)
    before = of_some.where(MatchResult.tournament_id.in_(last), MatchResult.stored_at < moment)
    if found := session.scalars(before.order_by(MatchResult.id.desc())).all():
        return list(found)
    first = session.scalars(played.order_by(Tournament.id)).all()
    earliest = of_some.where(MatchResult.tournament_id.in_(first)).order_by(MatchResult.id)
    return list(session.scalars(earliest))


def of_tournament(
    store: Store, tournament_id: int, first_set: int = 0, sets: int = 50
) -> tuple[MatchRow, ...]:
    """List the matches of some sets of a tournament, in order; sets beyond its last are left out.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        if first_set:
            plans.check_set(stored, first_set)  # nothing may be planned yet, so there may be no set 0
        end = min(first_set + sets, stored.plan.sets_total)
        results = _results(session, tournament_id, first_set, end)
    rows = []
    for set_number in range(first_set, end):
        of_set = [results.get((set_number, number)) for number in range(stored.plan.seats)]
        times = _times(each for each in of_set if each is not None)
        for planned, result in zip(stored.plan.set(set_number), of_set, strict=True):
            attempted = (
                planned if result is None else plans.match(stored, set_number, planned.match, result.attempt)
            )
            opens_at = disclosure.opens_at(stored, planned, times)
            rows.append(match_row(stored, attempted, result, is_open=disclosure.is_open(stored, opens_at)))
    return tuple(rows)


def rows_of(store: Store, tournament_id: int, keys: Sequence[tuple[int, int]]) -> tuple[MatchRow, ...]:
    """List matches of a tournament by their set and number, in the order asked for.  Raises NotFound."""
    sets = {number for number, _ in keys}
    query = select(MatchResult).where(
        MatchResult.tournament_id == tournament_id, MatchResult.set_number.in_(sets)
    )
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        results = {(row.set_number, row.match_number): row for row in session.scalars(query)}
    stored_at: dict[int, dict[int, float]] = defaultdict(dict)
    for (number, match), result in results.items():
        stored_at[number][match] = result.stored_at
    rows = []
    for number, match in keys:
        found = results.get((number, match))
        planned = plans.match(stored, number, match, 0 if found is None else found.attempt)
        opens_at = disclosure.opens_at(stored, planned, stored_at[number])
        rows.append(match_row(stored, planned, found, is_open=disclosure.is_open(stored, opens_at)))
    return tuple(rows)


def open_matches(
    store: Store, session: Session, keys: Collection[tuple[int, int, int]]
) -> frozenset[tuple[int, int, int]]:
    """Name those of some matches that have a result, by tournament, set and number, that may be shown in full."""
    stored_at: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    numbers_of: dict[int, set[int]] = defaultdict(set)
    for tournament_id, number, _ in keys:
        numbers_of[tournament_id].add(number)
    for tournament_id, of_tournament in numbers_of.items():
        query = select(MatchResult.set_number, MatchResult.match_number, MatchResult.stored_at).where(
            MatchResult.tournament_id == tournament_id, MatchResult.set_number.in_(of_tournament)
        )
        for number, match, at in session.execute(query):
            stored_at[tournament_id, number][match] = at
    found = set()
    for each in keys:
        stored = plans.load(store, session, each[0])
        opens_at = disclosure.opens_at(stored, plans.match(stored, *each[1:], 0), stored_at[each[:2]])
        if disclosure.is_open(stored, opens_at):
            found.add(each)
    return frozenset(found)


def key_of(result: MatchResult) -> tuple[int, int, int]:
    """Name the match of a result: its tournament, set and number."""
    return result.tournament_id, result.set_number, result.match_number


def _results(
    session: Session, tournament_id: int, first: int, end: int
) -> dict[tuple[int, int], MatchResult]:
    query = select(MatchResult).where(
        MatchResult.tournament_id == tournament_id, MatchResult.set_number.between(first, end - 1)
    )
    return {(row.set_number, row.match_number): row for row in session.scalars(query)}


def _why_absent(session: Session, stored: StoredPlan, planned: PlannedMatch, result: MatchResult) -> str:
    """Return which bots a match never began for."""
    away = [stored.entries[planned.seats[seat]] for seat in seat_values(result.absent)]
    if away:
        return say("{bots} were not connected", bots=", ".join(f"{bot.bot}@{bot.version}" for bot in away))
    # Of a ladder, in which one bot was away.
    return session.get_one(Attempt, (stored.tournament_id, planned.set, planned.match)).reason or ""


def _attempt(session: Session, tournament_id: int, set_number: int, match_number: int) -> int:
    row = session.get(Attempt, (tournament_id, set_number, match_number))
    return 0 if row is None else row.attempt


def _times(of_set: Iterable[MatchResult]) -> dict[int, float]:
    return {result.match_number: result.stored_at for result in of_set}


def _state(stored: StoredPlan, set_number: int, result: MatchResult | None, *, is_open: bool) -> MatchState:
    if result is None:
        return "dropped" if stored.course.over or not stored.plan.is_active(set_number) else "open"
    if result.end == ANNULLED:
        return "annulled"
    if result.end == ABSENT:
        return "dropped"
    return "finished" if is_open else "hidden"


def match_row(
    stored: StoredPlan, planned: PlannedMatch, result: MatchResult | None, *, is_open: bool
) -> MatchRow:
    """Return the row of a planned match, with its result if it has one."""
    state = _state(stored, planned.set, result, is_open=is_open)
    seats = _seats(stored, planned, result)
    return MatchRow(
        tournament_id=stored.tournament_id,
        tournament=stored.name,
        game=stored.game,
        set=planned.set,
        match=planned.match,
        id=planned.id,
        state=state,
        end=None if result is None else result.end,
        seats=seats,
        stored_at=None if result is None else result.stored_at,
        margin=_margin(seats) if state == "finished" else None,
    )


def _seats(stored: StoredPlan, planned: PlannedMatch, result: MatchResult | None) -> tuple[SeatRow, ...]:
    places: Iterable[int | None] = seat_values(result.places if result else None)
    scores: Iterable[int | None] = seat_values(result.scores if result else None)
    nothing = (None,) * len(planned.seats)
    bots = ((stored.names[entry], stored.entries[entry]) for entry in planned.seats)
    return tuple(
        SeatRow(seat, name, bot.bot, bot.version, bot.hosted, place, score)
        for seat, ((name, bot), place, score) in enumerate(
            zip(bots, tuple(places) or nothing, tuple(scores) or nothing, strict=True)
        )
    )


def _margin(seats: Sequence[SeatRow]) -> int | None:
    """Return how far the second was behind the winner, 0 if the first place was shared; None without scores."""
    ranked = sorted(
        (seat.place, seat.score) for seat in seats if seat.place is not None and seat.score is not None
    )
    if len(ranked) < 2 or len(ranked) < len(seats):
        return None
    return abs(ranked[0][1] - ranked[1][1])


def _voids(stored: StoredPlan, planned: PlannedMatch) -> tuple[VoidAttempt, ...]:
    """List the attempts that were given up, where each had a deal of its own."""
    if planned.shared:
        return ()
    earlier = (plans.match(stored, planned.set, planned.match, attempt) for attempt in range(planned.attempt))
    return tuple(
        VoidAttempt(void.attempt, void.id, void.commitment.hex(), void.seed.hex()) for void in earlier
    )
