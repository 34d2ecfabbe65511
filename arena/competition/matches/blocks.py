"""Blocks: the sets of a tournament that one job plays, held by a worker under a lease.

A block that is taken again plays only what has no result, so losing one costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, select, update
from sqlalchemy.orm import Session

from arena.bot_registry import bots
from arena.competition import plans, pools
from arena.competition.matches import block_order
from arena.competition.matches.block_order import FREE, Turn
from arena.competition.plans import NotFound, StoredPlan
from arena.competition.tournament_states import PAUSED, RUNNING
from arena.match.clock import TimeControl
from arena.referee_client import Hosted, Source
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.database_clock import database_time, read_time
from arena.storage.schema import Attempt, MatchResult, Pool, Tournament
from arena.storage.schema import Block as BlockRow

_MAX_MATCHES = 64
_MIN_MATCHES = 16
"""Played at once, a few matches cost twice as much a decision as many do: their asks share no frames."""
_BLOCKS = 16
"""The number of blocks that a tournament is cut into, unless they would be too small or too large."""


@dataclass(frozen=True, slots=True, order=True)
class BlockKey:
    """The name of a block."""

    tournament_id: int
    number: int


@dataclass(frozen=True, slots=True)
class BlockSeat:
    """The bot of a seat: as the record names it, and how a referee reaches it."""

    version_id: int
    bot: str
    version: str
    source: Source

    @property
    def hosted(self) -> bool:
        """Whether the referee starts its program."""
        return isinstance(self.source, Hosted)


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """A match to play now."""

    set: int
    match: int
    attempt: int
    id: str
    seed: bytes
    seats: tuple[BlockSeat, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A block that a worker holds: `matches` are those of its matches that have no result yet."""

    tournament_id: int
    number: int
    game: str
    variant: str
    options: Mapping[str, int]
    time: TimeControl
    pool: str | None
    matches: tuple[BlockMatch, ...]
    request_id: str | None = None
    """The request that created its tournament."""


def rows(tournament_id: int, seats: int, sets: range, first_number: int) -> list[dict[str, object]]:
    """Cut sets of a tournament into blocks: a few seconds each, and enough of them for all workers."""
    matches = min(_MAX_MATCHES, max(_MIN_MATCHES, len(sets) * seats // _BLOCKS))
    size = max(1, matches // seats)
    return [
        {
            "tournament_id": tournament_id,
            "number": number,
            "first_set": first,
            "sets": min(size, sets.stop - first),
            "done": False,
            "worker": None,
            "lease_until": None,
        }
        for number, first in enumerate(sets[::size], first_number)
    ]


def claim(
    store: Store,
    worker: str,
    lease_s: float,
    key: BlockKey | None = None,
    *,
    turn: Turn | None = None,
    goes_on: bool = False,
) -> Block | None:
    """Take a block for `lease_s` seconds: the one named, else the one that is due first.

    Trials have a share of the workers' time (`arena.competition.matches.block_order`).  Of tournaments comes first the one whose turn it is: each is
    served in proportion to its priority, so none starves.  `turn` is what the worker plays already: it stays with that for a time slice.
    With `goes_on` it takes nothing else: None if a block of another tournament is due first.
    None if it is done, or held by another worker; a block whose matches all have results is marked done here.
    Matches whose deal is their own, and which an earlier holder may have begun, get their next attempt.
    Its matches count as service of the tournament once, however often the block is claimed: what is given back without
    having been played is taken off again.
    Raises NotFound.
    """
    with store.write() as session:
        while True:
            row = _first(session, turn, goes_on=goes_on) if key is None else _lock(session, key)
            now = read_time(session)  # after the wait for the lock
            if row is None or row.done or (_held(row, now) and row.worker != worker):
                return None
            stored = plans.load(store, session, row.tournament_id)
            matches = _open_matches(session, row, stored)
            if matches:
                if (
                    row.worker is None
                ):  # else its last holder did not give it back, and what is left was counted then
                    _count_served(session, row.tournament_id, len(matches))
                row.worker, row.lease_until = worker, now + lease_s
                return _block(session, row, stored, matches)
            _release(row, done=True)
            if key is not None:
                return None
            session.flush()


def renew(store: Store, key: BlockKey, worker: str, lease_s: float) -> bool:
    """Hold a block for another `lease_s` seconds from now.

    False if it is not this worker's any more, or its tournament was cancelled: stop playing.
    """
    with store.write() as session:
        held_by = {"of": key.tournament_id, "block": key.number, "holder": worker, "seconds": lease_s}
        renewed = session.execute(_RENEW, held_by).first()
        if renewed is not None:
            block_order.charge(session, key.tournament_id)
    return renewed is not None


def expire(store: Store, worker: str) -> int:
    """End the leases of a worker that is known to be dead, instead of waiting for them to expire; return how many."""
    with store.write() as session:
        ended = session.execute(
            update(BlockRow)
            .where(BlockRow.worker == worker, BlockRow.done.is_(False))
            .values(lease_until=0.0)
            .returning(BlockRow.number)
        ).all()
    return len(ended)


def finish(store: Store, key: BlockKey, worker: str) -> bool:
    """Give a block back: True if all its matches have results and it is done, False if it has to be taken again.

    What had begun is over, or was reported by `results.failed`.  Raises NotFound.
    """
    with store.write() as session:
        row = session.get(BlockRow, (key.tournament_id, key.number), with_for_update=True)
        if row is None:
            raise NotFound(f"block {key.number} of tournament {key.tournament_id}: there is none")
        if row.worker == worker:
            stored = plans.load(store, session, key.tournament_id)
            left = _count_left(session, row, stored)
            _count_served(session, key.tournament_id, -left)
            _release(row, done=not left)
        return row.done


def postpone(store: Store, key: BlockKey, worker: str, pause_s: float) -> bool:
    """Give a block back, to be taken again after `pause_s` seconds at the earliest: a bot of it is absent.

    Nothing of it has begun that is not over or was not reported, so no deal is lost.  False if it is not this worker's.
    """
    with store.write() as session:
        row = _lock(session, key)
        if row.worker != worker or row.done:
            return False
        stored = plans.load(store, session, key.tournament_id)
        _count_served(session, key.tournament_id, -_count_left(session, row, stored))
        row.worker, row.lease_until = None, read_time(session) + pause_s
        return True


def abandon(store: Store, key: BlockKey, worker: str) -> bool:
    """Give back a block whose referee was lost with all that it was playing: another worker may take it at once.

    As after a worker that was killed, matches with deals of their own get their next attempt: bots may have seen the
    deal.  False if it is not this worker's.
    """
    with store.write() as session:
        row = _lock(session, key)
        if row.worker != worker or row.done:
            return False
        row.lease_until = 0.0
        return True


def reconcile(store: Store, limit: int = 1000) -> tuple[BlockKey, ...]:
    """List the blocks that should be in the queue: neither done nor held, those of running tournaments.

    `claim` decides which of them a job then takes.
    """
    with store.read() as session:
        found = select(*_KEY).join(Tournament, Tournament.id == BlockRow.tournament_id)
        query = found.where(Tournament.state == RUNNING, *FREE).order_by(*reversed(_KEY))
        return tuple(BlockKey(*row) for row in session.execute(query.limit(limit)))


_KEY = (BlockRow.tournament_id, BlockRow.number)
_PLAYED = (RUNNING, PAUSED)

# Built once: to build a statement takes as long as to run it, and quick bots play several blocks a second.
_TOURNAMENT = bindparam("tournament_id", type_=Integer)
_SETS = bindparam("first_set", type_=Integer), bindparam("last_set", type_=Integer)
_FIRST_FREE = (
    select(BlockRow)
    .where(BlockRow.tournament_id == _TOURNAMENT, *FREE)
    .order_by(BlockRow.number)
    .limit(1)
    .with_for_update(of=BlockRow, skip_locked=True)
)
_RESULTS = select(MatchResult.set_number, MatchResult.match_number).where(
    MatchResult.tournament_id == _TOURNAMENT, MatchResult.set_number.between(*_SETS)
)
_ATTEMPTS = select(Attempt).where(Attempt.tournament_id == _TOURNAMENT, Attempt.set_number.between(*_SETS))
_SERVE = (
    update(Tournament)
    .where(Tournament.id == bindparam("of"))
    .values(served=Tournament.served + bindparam("matches") / Tournament.priority)
    .execution_options(synchronize_session=False)
)
_RENEW = (
    update(BlockRow)
    .where(
        BlockRow.tournament_id == bindparam("of"),
        BlockRow.number == bindparam("block"),
        BlockRow.worker == bindparam("holder"),
        BlockRow.done.is_(False),
        BlockRow.tournament_id.in_(select(Tournament.id).where(Tournament.state.in_(_PLAYED))),
    )
    .values(lease_until=database_time() + bindparam("seconds"))
    .returning(BlockRow.number)
    .execution_options(synchronize_session=False)
)


def _first(session: Session, turn: Turn | None, *, goes_on: bool) -> BlockRow | None:
    """Lock the block that is due first; with `goes_on` none of another tournament than that of the turn."""
    due = block_order.order(session, turn)
    for tournament_id in due.tournaments:
        if goes_on and (turn is None or tournament_id != turn.tournament_id):
            return None
        row = session.scalar(_FIRST_FREE, {"tournament_id": tournament_id})
        if row is not None:
            block_order.charge(session, tournament_id, due)
            return row
    return None


def _lock(session: Session, key: BlockKey) -> BlockRow:
    row = session.get(BlockRow, (key.tournament_id, key.number), with_for_update=True)
    if row is None:
        raise NotFound(f"block {key.number} of tournament {key.tournament_id}: there is none")
    return row


def _count_served(session: Session, tournament_id: int, matches: int) -> None:
    if matches:
        session.execute(_SERVE, {"of": tournament_id, "matches": matches})


def _count_left(session: Session, row: BlockRow, stored: StoredPlan) -> int:
    """Count the matches of a block that are to be played and have no result."""
    sets = range(row.first_set, row.first_set + row.sets)
    played = {number for number in sets if stored.plan.is_active(number)}
    done = {found for found in _results(session, row) if found[0] in played}
    return len(played) * stored.plan.seats - len(done)


def _held(row: BlockRow, now: float) -> bool:
    return row.lease_until is not None and row.lease_until >= now


def _release(row: BlockRow, *, done: bool) -> None:
    row.worker, row.lease_until, row.done = None, None, done


def _results(session: Session, row: BlockRow) -> frozenset[tuple[int, int]]:
    """Return the matches of a block, (set, match), that have a result."""
    return frozenset(session.execute(_RESULTS, _sets(row)))


def _sets(row: BlockRow) -> dict[str, int]:
    """Return the parameters of statements about the sets of a block."""
    return {
        "tournament_id": row.tournament_id,
        "first_set": row.first_set,
        "last_set": row.first_set + row.sets - 1,
    }


def _open_matches(session: Session, row: BlockRow, stored: StoredPlan) -> tuple[PlannedMatch, ...]:
    """Plan what is left to play; where a holder went away, matches with deals of their own go on to the next."""
    done = _results(session, row)
    attempts = {(a.set_number, a.match_number): a for a in session.scalars(_ATTEMPTS, _sets(row))}
    matches = []
    for set_number in range(row.first_set, row.first_set + row.sets):
        if not stored.plan.is_active(set_number):
            continue
        for number in range(stored.plan.seats):
            if (set_number, number) in done:
                continue
            known = attempts.get((set_number, number))
            planned = plans.match(stored, set_number, number, 0 if known is None else known.attempt)
            if row.worker is not None and not planned.shared:
                planned = _next_attempt(session, known, planned, stored)
            matches.append(planned)
    return tuple(matches)


def _next_attempt(
    session: Session, known: Attempt | None, planned: PlannedMatch, stored: StoredPlan
) -> PlannedMatch:
    """Give up an attempt that was perhaps begun: its bots may have seen the deal.  It is no failure that counts."""
    attempt = planned.attempt + 1
    if known is None:
        known = Attempt(
            tournament_id=stored.tournament_id,
            set_number=planned.set,
            match_number=planned.match,
            failures=0,
        )
        session.add(known)
    known.attempt, known.reason = attempt, "its worker went away"
    return plans.match(stored, planned.set, planned.match, attempt)


def _block(session: Session, row: BlockRow, stored: StoredPlan, matches: tuple[PlannedMatch, ...]) -> Block:
    pool = None if stored.pool_id is None else session.get_one(Pool, stored.pool_id)
    # Not kept with the plan: a bot may get a new token at any time.
    elsewhere = bots.sources_in(session, [entry.version_id for entry in stored.entries if not entry.hosted])
    return Block(
        tournament_id=row.tournament_id,
        number=row.number,
        game=stored.game,
        variant=stored.variant,
        options=stored.options,
        time=stored.time,
        pool=None if pool is None else pools.key(pool.game, pool.variant),
        matches=tuple(_block_match(stored, planned, elsewhere) for planned in matches),
        request_id=stored.request_id,
    )


def _block_match(stored: StoredPlan, planned: PlannedMatch, elsewhere: Mapping[int, Source]) -> BlockMatch:
    seats = (stored.entries[entry] for entry in planned.seats)
    return BlockMatch(
        set=planned.set,
        match=planned.match,
        attempt=planned.attempt,
        id=planned.id,
        seed=planned.seed,
        seats=tuple(
            BlockSeat(
                bot.version_id,
                bot.bot,
                bot.version,
                Hosted(bot.program, planned.lane) if bot.hosted else elsewhere[bot.version_id],
            )
            for bot in seats
        ),
    )
