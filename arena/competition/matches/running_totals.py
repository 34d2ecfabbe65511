"""Sums: what results add to the totals of their set, their tournament and their pool.

They are integers and only added to, so no order of arrival can be seen in them; what is annulled is taken off again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.matches.outcomes import ABSENT, COUNTS, Outcome, pair_rows, unattended, version_rows
from arena.competition.plans import StoredPlan
from arena.competition.pools import pool_scope, tournament_scope
from arena.scheduling.formats.adaptive_rounds import PairUnits, SetPairs
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.schema import Entry, MatchResult, PairTotal, SetTotal, Tournament, VersionTotal
from arena.storage.upserts import add_up, insert

_PAIR_KEY = ("scope", "low", "high")
_PAIR_SUMS = ("low_units", "high_units", "wins", "draws", "losses")
_VERSION_KEY = ("scope", "version_id")
_VERSION_SUMS = ("matches", "faults", "absences")
_SET_KEY = ("tournament_id", "set_number", "low", "high")
_SET_SUMS = ("low_units", "high_units")
_Rows = list[dict[str, object]]
_Sums = Counter[tuple[object, ...]]
"""By the values of a key and the name of a sum."""


def add(connection: Connection, stored: StoredPlan, played: Iterable[tuple[PlannedMatch, Outcome]]) -> None:
    """Add matches to their sets' and their tournament's sums; to its pool's too, less the pairs of one owner.

    Results between bots of one owner do not count for the Elo.  Each row is touched once, in the order of the keys.
    """
    pairs: _Sums = Counter()
    each: _Sums = Counter()
    sets: _Sums = Counter()
    scope = tournament_scope(stored.tournament_id)
    for planned, outcome in played:
        versions = _versions(stored, planned)
        own = pair_rows(scope, versions, outcome)
        of_pool, met = _pool_rows(stored, planned, outcome)
        _count(pairs, of_pool + own, _PAIR_KEY, _PAIR_SUMS)
        _count(each, met + version_rows(scope, versions, outcome), _VERSION_KEY, _VERSION_SUMS)
        _count(sets, _set_rows(stored, planned, own), (*_SET_KEY, "rated"), _SET_SUMS)
    _add(connection, _rows(pairs, _PAIR_KEY), _rows(each, _VERSION_KEY))
    add_up(connection.dialect.name, SetTotal, _SET_KEY, _SET_SUMS, ("rated",)).run_all(
        connection, _rows(sets, (*_SET_KEY, "rated"))
    )


def annul(store: Store, tournament_id: int, entry: int) -> bool:
    """Take all pairs of an entry that has left off the sums; False if that was done before.

    They count neither in the tournament's table nor for the Elo.  What the others did against each other stays.
    """
    with store.write() as session:
        stored = plans.load(store, session, tournament_id)
        version, scope = stored.entries[entry].version_id, tournament_scope(tournament_id)
        # One at a time; the second process finds nothing.
        session.get_one(Entry, (tournament_id, entry), with_for_update=True)
        if session.get(VersionTotal, (scope, version)) is None:
            return False
        rating_inputs.touch(session)
        pairs: Counter[tuple[object, ...]] = Counter()
        each: Counter[tuple[object, ...]] = Counter()
        for planned, outcome in _results(session, stored):
            if entry in planned.seats:
                _take_off(stored, planned, outcome, entry, pairs, each)
        # All in the order of their keys, as results add them.
        _add(session.connection(), _rows(pairs, _PAIR_KEY), _rows(each, _VERSION_KEY))
        mine = or_(SetTotal.low == version, SetTotal.high == version)
        session.execute(delete(SetTotal).where(SetTotal.tournament_id == tournament_id, mine))
        nothing = (PairTotal.low_units == 0, PairTotal.high_units == 0)
        mine = or_(PairTotal.low == version, PairTotal.high == version)
        session.execute(delete(PairTotal).where(*nothing, mine))
        session.execute(delete(VersionTotal).where(VersionTotal.matches == 0))
    return True


def broken_sets(session: Session, stored: StoredPlan) -> frozenset[int]:
    """Return the sets that a withdrawal broke off: of those with results, the ones that lack some and are played no more."""
    if not stored.terms.drops_broken_sets or not stored.course.withdrawn:
        return frozenset()
    query = (
        select(MatchResult.set_number)
        .where(MatchResult.tournament_id == stored.tournament_id)
        .group_by(MatchResult.set_number)
        .having(func.count() < stored.plan.seats)
    )
    return frozenset(number for number in session.scalars(query) if not stored.plan.is_active(number))


def drop_broken_sets(store: Store, tournament_id: int) -> bool:
    """Take the results of sets that a withdrawal broke off out of the sums; False if there are none that were counted.

    The seats of a set balance each other only when all of its matches are played.
    """
    with store.write() as session:
        stored = plans.load(store, session, tournament_id)
        broken = broken_sets(session, stored)
        if not broken:
            return False
        session.get_one(Entry, (tournament_id, 0), with_for_update=True)  # one process at a time
        scope = tournament_scope(tournament_id)
        pairs: _Sums = Counter()
        each: _Sums = Counter()
        found = [match for match in _results(session, stored) if match[0].set in broken]
        if not found:
            return False
        rating_inputs.touch(session)
        for planned, outcome in found:
            versions = _versions(stored, planned)
            public, met = _pool_rows(stored, planned, outcome)
            _count(pairs, public + pair_rows(scope, versions, outcome), _PAIR_KEY, _PAIR_SUMS, -1)
            _count(each, met + version_rows(scope, versions, outcome), _VERSION_KEY, _VERSION_SUMS, -1)
        _add(session.connection(), _rows(pairs, _PAIR_KEY), _rows(each, _VERSION_KEY))
        for number in sorted({planned.set for planned, _ in found}):
            of_set = (SetTotal.tournament_id == tournament_id, SetTotal.set_number == number)
            session.execute(delete(SetTotal).where(*of_set))
            results = (MatchResult.tournament_id == tournament_id, MatchResult.set_number == number)
            session.execute(update(MatchResult).where(*results).values(counted=False))
        emptied = {at[0] for at in pairs}
        nothing = (PairTotal.low_units == 0, PairTotal.high_units == 0, PairTotal.scope.in_(emptied))
        session.execute(delete(PairTotal).where(*nothing))
        session.execute(delete(VersionTotal).where(VersionTotal.matches == 0))
    return True


def kept(pairs: _Rows, each: _Rows, annulled: AbstractSet[int]) -> tuple[_Rows, _Rows]:
    """Leave out of a match's rows what has to do with annulled versions: their pairs, and who then has no pair left."""
    if not annulled & {row["version_id"] for row in each}:
        return pairs, each
    rest = [row for row in pairs if row["low"] not in annulled and row["high"] not in annulled]
    met = {(row["scope"], row[side]) for row in rest for side in ("low", "high")}
    return rest, [row for row in each if (row["scope"], row["version_id"]) in met]


def recount(store: Store, tournament_id: int) -> None:
    """Add up the sets of a tournament that was played before their sums were kept; those that are there are replaced."""
    with store.write() as session:
        rating_inputs.touch(session)
        stored = plans.load(store, session, tournament_id)
        sums: dict[tuple[object, ...], list[int]] = {}
        for planned, outcome in _results(session, stored):
            own = pair_rows("", _versions(stored, planned), outcome)
            for row in _set_rows(stored, planned, own):
                units = sums.setdefault(tuple(row[name] for name in (*_SET_KEY, "rated")), [0, 0])
                units[0] += cast("int", row["low_units"])
                units[1] += cast("int", row["high_units"])
        session.execute(delete(SetTotal).where(SetTotal.tournament_id == tournament_id))
        annulled = {
            stored.entries[entry].version_id for entry, void in stored.course.withdrawn.items() if void
        }
        insert(store.dialect, SetTotal).run_all(
            session.connection(),
            [
                dict(zip((*_SET_KEY, "rated", *_SET_SUMS), (*key, *units), strict=True))
                for key, units in sums.items()
                if annulled.isdisjoint(key[2:4])
            ],
        )


def recount_old(store: Store) -> None:
    """Add up the sets of all tournaments whose results are of a version that kept no sums of them."""
    # By tournament, of which there are few; not all results are read to find that each has its sums.
    its_results = MatchResult.tournament_id == Tournament.id
    played = exists().where(its_results, COUNTS, MatchResult.counted.is_(True))
    added = exists().where(SetTotal.tournament_id == Tournament.id)
    with store.read() as session:
        found = session.scalars(select(Tournament.id).where(~added, played).order_by(Tournament.id)).all()
    for tournament_id in found:
        recount(store, tournament_id)


def played_by_all(session: Session, stored: StoredPlan) -> dict[int, SetPairs]:
    """Return what `played` does with the entries that were annulled since: what was known before they were."""
    if not any(stored.course.withdrawn.values()):
        return played(session, stored)
    # Their sums are gone: the results are added up again.
    found: dict[int, dict[tuple[int, int], list[int]]] = {}
    for planned, outcome in _results(session, stored):
        of_set = found.setdefault(planned.set, {})
        for row in pair_rows("", planned.seats, outcome):
            units = of_set.setdefault((cast("int", row["low"]), cast("int", row["high"])), [0, 0])
            units[0] += cast("int", row["low_units"])
            units[1] += cast("int", row["high_units"])
        for pair in unattended(planned.seats, outcome):
            of_set.setdefault(pair, [0, 0])
    return {
        number: tuple(sorted(PairUnits(*pair, *units) for pair, units in pairs.items()))
        for number, pairs in found.items()
        if pairs
    }


def played(session: Session, stored: StoredPlan) -> dict[int, SetPairs]:
    """Return what the entries took from each other, by the numbers of the sets; nothing and nothing if both were away."""
    broken = broken_sets(session, stored)
    entries = {entry.version_id: number for number, entry in enumerate(stored.entries)}
    columns = (SetTotal.set_number, SetTotal.low, SetTotal.high, SetTotal.low_units, SetTotal.high_units)
    found: dict[int, list[PairUnits]] = {}
    for number, low, high, low_units, high_units in session.execute(
        select(*columns).where(SetTotal.tournament_id == stored.tournament_id)
    ):
        a, b = entries[low], entries[high]
        if number in broken or stored.course.withdrawn.get(a) or stored.course.withdrawn.get(b):
            continue  # annulled or broken off, whether it is off the sums already or not
        pair = PairUnits(a, b, low_units, high_units) if a < b else PairUnits(b, a, high_units, low_units)
        found.setdefault(number, []).append(pair)
    for planned, outcome in _results(session, stored, MatchResult.end == ABSENT):
        if planned.set not in broken:
            add_unattended(found.setdefault(planned.set, []), planned, outcome, stored.course.withdrawn)
    return {number: tuple(sorted(pairs)) for number, pairs in found.items() if pairs}


def add_unattended(
    pairs: list[PairUnits], planned: PlannedMatch, outcome: Outcome, withdrawn: Mapping[int, bool]
) -> None:
    """Add to the pairs of a set those that were both away, and have taken nothing from each other in another match."""
    known = {(pair.low, pair.high) for pair in pairs}
    for low, high in unattended(planned.seats, outcome):
        if (low, high) not in known and not withdrawn.get(low) and not withdrawn.get(high):
            pairs.append(PairUnits(low, high, 0, 0))


def _results(
    session: Session, stored: StoredPlan, *which: ColumnElement[bool]
) -> Iterator[tuple[PlannedMatch, Outcome]]:
    """Yield the results that are part of the sums: all of them, or some."""
    mine = (MatchResult.tournament_id == stored.tournament_id, COUNTS, MatchResult.counted.is_(True))
    for row in session.scalars(select(MatchResult).where(*mine, *which)):
        planned = plans.match(stored, row.set_number, row.match_number, row.attempt)
        yield planned, Outcome.of_row(row)


def _versions(stored: StoredPlan, planned: PlannedMatch) -> Sequence[int]:
    return [stored.entries[entry].version_id for entry in planned.seats]


def _owners(stored: StoredPlan, planned: PlannedMatch) -> Mapping[object, str | None]:
    return {stored.entries[entry].version_id: stored.entries[entry].owner for entry in planned.seats}


def _is_public(owners: Mapping[object, str | None], row: Mapping[str, object]) -> bool:
    owner = owners[row["low"]]
    return owner is None or owner != owners[row["high"]]


def _pool_rows(stored: StoredPlan, planned: PlannedMatch, outcome: Outcome) -> tuple[_Rows, _Rows]:
    """Return what a match adds to its pool's pairs and versions."""
    if stored.pool_id is None:
        return [], []
    scope, versions, owners = pool_scope(stored.pool_id), _versions(stored, planned), _owners(stored, planned)
    public = [row for row in pair_rows(scope, versions, outcome) if _is_public(owners, row)]
    met = {row[side] for row in public for side in ("low", "high")}
    return public, [row for row in version_rows(scope, versions, outcome) if row["version_id"] in met]


def _set_rows(stored: StoredPlan, planned: PlannedMatch, pairs: _Rows) -> _Rows:
    owners = _owners(stored, planned)
    return [
        {
            "tournament_id": stored.tournament_id,
            "set_number": planned.set,
            "low": row["low"],
            "high": row["high"],
            "low_units": row["low_units"],
            "high_units": row["high_units"],
            "rated": stored.pool_id is not None and _is_public(owners, row),
        }
        for row in pairs
    ]


def _take_off(
    stored: StoredPlan,
    planned: PlannedMatch,
    outcome: Outcome,
    entry: int,
    pairs: Counter[tuple[object, ...]],
    each: Counter[tuple[object, ...]],
) -> None:
    """Take off what an entry had part in, and what of others' matches is empty without it."""
    annulled = [number for number, void in stored.course.withdrawn.items() if void]
    before = {stored.entries[number].version_id for number in annulled[: annulled.index(entry)]}
    after = before | {stored.entries[entry].version_id}
    versions, scope = _versions(stored, planned), tournament_scope(stored.tournament_id)
    public, met = _pool_rows(stored, planned, outcome)
    had = kept(
        public + pair_rows(scope, versions, outcome), met + version_rows(scope, versions, outcome), before
    )
    left = kept(*had, after)
    for row in had[0]:
        if row not in left[0]:
            for name in _PAIR_SUMS:
                pairs[row["scope"], row["low"], row["high"], name] -= cast("int", row[name])
    for row in had[1]:
        if row not in left[1]:
            for name in _VERSION_SUMS:
                each[row["scope"], row["version_id"], name] -= cast("int", row[name])


def _count(sums: _Sums, rows: _Rows, key: Sequence[str], names: Sequence[str], sign: int = 1) -> None:
    """Add rows to the sums of those with the same key, or take them off."""
    for row in rows:
        at = tuple(row[name] for name in key)
        for name in names:
            sums[*at, name] += sign * cast("int", row[name])


def _rows(sums: _Sums, key: tuple[str, ...]) -> _Rows:
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for (*parts, name), value in sums.items():
        at = tuple(parts)
        rows.setdefault(at, dict(zip(key, at, strict=True)))[cast("str", name)] = value
    return [rows[at] for at in sorted(rows, key=lambda at: (str(at[0]), at[1:]))]


def _add(connection: Connection, pairs: _Rows, each: _Rows) -> None:
    dialect = connection.dialect.name
    add_up(dialect, PairTotal, _PAIR_KEY, _PAIR_SUMS).run_all(connection, pairs)
    add_up(dialect, VersionTotal, _VERSION_KEY, _VERSION_SUMS).run_all(connection, each)
