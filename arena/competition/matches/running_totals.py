"""Sums: what results add to the totals of their set, their tournament and their pool.

They are integers and only added to, so no order of arrival can be seen in them; what is annulled is taken off again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import cast

from sqlalchemy import Connection, delete, exists, or_, select
from sqlalchemy.orm import Session

from arena.competition import plans
from arena.competition.matches import rating_inputs
from arena.competition.matches.outcomes import UNPLAYED, Outcome, pair_rows, version_rows
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
_VERSION_SUMS = ("matches", "faults")
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
        # One at a time; whoever comes second finds nothing.
        session.get_one(Entry, (tournament_id, entry), with_for_update=True)
        has = (PairTotal.scope == scope, or_(PairTotal.low == version, PairTotal.high == version))
        if not session.scalar(select(exists().where(*has))):
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
    played = exists().where(its_results, MatchResult.end.not_in(UNPLAYED))
    added = exists().where(SetTotal.tournament_id == Tournament.id)
    with store.read() as session:
        found = session.scalars(select(Tournament.id).where(~added, played).order_by(Tournament.id)).all()
    for tournament_id in found:
        recount(store, tournament_id)


def played(session: Session, stored: StoredPlan) -> dict[int, SetPairs]:
    """Return what the entries took from each other, by the numbers of the sets."""
    entries = {entry.version_id: number for number, entry in enumerate(stored.entries)}
    columns = (SetTotal.set_number, SetTotal.low, SetTotal.high, SetTotal.low_units, SetTotal.high_units)
    found: dict[int, list[PairUnits]] = {}
    for number, low, high, low_units, high_units in session.execute(
        select(*columns).where(SetTotal.tournament_id == stored.tournament_id)
    ):
        a, b = entries[low], entries[high]
        if stored.course.withdrawn.get(a) or stored.course.withdrawn.get(b):
            continue  # annulled, whether it is off the sums already or not
        pair = PairUnits(a, b, low_units, high_units) if a < b else PairUnits(b, a, high_units, low_units)
        found.setdefault(number, []).append(pair)
    return {number: tuple(sorted(pairs)) for number, pairs in found.items()}


def _results(session: Session, stored: StoredPlan) -> Iterator[tuple[PlannedMatch, Outcome]]:
    rows = session.scalars(
        select(MatchResult).where(
            MatchResult.tournament_id == stored.tournament_id, MatchResult.end.not_in(UNPLAYED)
        )
    )
    for row in rows:
        places = tuple(map(int, row.places.split()))
        outcome = Outcome(places, None, row.end, row.fault_seat, row.fault_kind)
        yield plans.match(stored, row.set_number, row.match_number, row.attempt), outcome


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


def _count(sums: _Sums, rows: _Rows, key: Sequence[str], names: Sequence[str]) -> None:
    """Add rows to the sums of those with the same key."""
    for row in rows:
        at = tuple(row[name] for name in key)
        for name in names:
            sums[*at, name] += cast("int", row[name])


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
