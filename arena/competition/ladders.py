"""Ladders: standing competitions of all active versions that play at a table: a variant, and a number of seats.

    epoch (a tournament with a secret of its own) ──▶ round ──▶ round ──▶ … ──▶ over, the secret is published ──▶ next epoch

Before each round new versions join, and those that are no longer active leave.  Only bots that are known to be connected are drawn
(`_away`).  A bot that disconnects after the draw delays no round: its matches wait, it is not drawn again before it is
back, and matches that it misses in the end count for no rating (`arena.competition.matches.results`).  A round is logged with what was known of each entry, and with
the hash of the table that this was taken from, so that the draw can be repeated.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field
from sqlalchemy import Select, delete, exists, false, func, select
from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots, entry_owners
from arena.bot_registry.bot_version import BotVersion
from arena.competition import (
    deleted_numbers,
    disclosure,
    drafts,
    plans,
    pools,
    stages,
    tournament_states,
    withdrawals,
)
from arena.competition.plans import StoredPlan
from arena.competition.qualification import arrivals
from arena.core.answer_fields import PoolKey
from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.translatable import say
from arena.games import registry
from arena.match.clock import STANDARD
from arena.ratings.model import MEAN_ELO
from arena.scheduling import controller, owner_separation, seeds
from arena.scheduling.decisions import End, RoundDrawn
from arena.scheduling.formats.ladder import LadderFormat
from arena.scheduling.planning_terms import PLAN_VERSION
from arena.storage import Store
from arena.storage.schema import Absence, Block, Bot, Entry, Ladder, Pool, Rating, Tournament, Version

RUNNING = "running"
STOPPED = "stopped"
DAY_S = 86_400.0
STANDARD_REST_S = 10.0
STANDARD_PRIORITY = 5
"""Less than a tournament's, since a user waits for it."""

_MIN_EPOCH_S = 60.0
_MAX_EPOCH_S = 31 * DAY_S
_LARGEST = 2**31 - 1
"""Numbers end where the store's integers do."""
_UNKNOWN_ERROR = 800.0
"""The half width, in Elo, of the error bar of a bot without results."""


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A ladder."""

    id: Annotated[int, Field(description="Its number.")]
    pool: PoolKey
    seats: Annotated[int, Field(description="Seats at a table.")]
    state: Annotated[str, Field(description="running or stopped.")]
    epoch_s: Annotated[float, Field(description="How long an epoch lasts, in seconds.")]
    rest_s: Annotated[float, Field(description="The rest between two rounds, in seconds.")]
    priority: Annotated[int, Field(description="Its share of the workers.")]
    delay_s: Annotated[
        int, Field(description="How many seconds after a set is over what was hidden in it is shown.")
    ]
    tournament: Annotated[
        int | None, Field(description="The tournament that is its last epoch; null before the first.")
    ]
    epochs: Annotated[int, Field(description="How many epochs have begun.")]


@dataclass(frozen=True, slots=True)
class LadderRequest:
    """A ladder to be started."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=64, description="The game's id.", examples=["lost_cities"])]
    variant: Annotated[
        str | None, Field(max_length=64, description="The variant; null: the standard one.")
    ] = None
    seats: Annotated[
        int | None, Field(ge=1, le=_LARGEST, description="Seats at a table; null: the fewest.")
    ] = None
    epoch_s: Annotated[
        float,
        Field(ge=0, le=1e9, description="Seconds until its secret is published and it gets a new one."),
    ] = DAY_S
    rest_s: Annotated[float, Field(ge=0, le=1e9, description="Seconds of rest between two rounds.")] = (
        STANDARD_REST_S
    )
    priority: Annotated[
        int,
        Field(ge=1, le=_LARGEST, description="Its share of the workers; the default for tournaments is 10."),
    ] = STANDARD_PRIORITY
    delay_s: Annotated[
        int,
        Field(
            ge=0,
            le=_LARGEST,
            description="How many seconds after a set is over what was hidden in it is shown, from the next epoch on.",
        ),
    ] = 0


def start(store: Store, spec: LadderRequest, actor: Actor) -> LadderRow:
    """Begin a ladder, or go on with one that was stopped.  Raises UsageError (Refusal among it)."""
    actor.require("tournaments")
    game = registry.find(spec.game)
    variant = next(iter(game.variants)) if spec.variant is None else spec.variant
    seats = min(game.variants.get(variant, (0,))) if spec.seats is None else spec.seats
    game.setup(seats, variant=variant, options={})
    drafts.check_priority(spec.priority)
    disclosure.check_delay(spec.delay_s)
    if not _MIN_EPOCH_S <= spec.epoch_s <= _MAX_EPOCH_S:
        raise UsageError(
            say(
                "epoch {epoch_s:g}: must be {shortest_epoch_s:.0f} to {longest_epoch_s:.0f} seconds",
                epoch_s=spec.epoch_s,
                shortest_epoch_s=_MIN_EPOCH_S,
                longest_epoch_s=_MAX_EPOCH_S,
            )
        )
    if not 0 <= spec.rest_s <= DAY_S:
        raise UsageError(
            say("rest {rest_s:g}: must be 0 to {day_s:.0f} seconds", rest_s=spec.rest_s, day_s=DAY_S)
        )
    with store.write() as session:
        pool = pools.ensure(session, spec.game, variant)
        found = session.scalar(select(Ladder).where(Ladder.pool_id == pool.id, Ladder.seats == seats))
        if found is None:
            found = Ladder(pool_id=pool.id, seats=seats, created_at=time.time())
            session.add(found)
        elif found.state == RUNNING:
            raise Refusal(
                "already_running",
                say(
                    "ladder {id}: {game}/{variant} with {seats} seats runs already",
                    id=found.id,
                    game=spec.game,
                    variant=variant,
                    seats=seats,
                ),
                field="game",
                kind=RefusalKind.CONFLICT,
            )
        found.state, found.next_at = RUNNING, 0.0
        found.epoch_s, found.rest_s, found.priority = spec.epoch_s, spec.rest_s, spec.priority
        found.delay_s = spec.delay_s
        session.flush()
        audit_log.note(
            session, actor.name, "ladder.start", f"ladder/{found.id}", pool=pools.key(spec.game, variant)
        )
        return _row(session, found, pool)


def stop(store: Store, ladder_id: int, actor: Actor) -> LadderRow:
    """Stop a ladder after the round that is being played.  Raises Refusal."""
    actor.require("tournaments")
    with store.write() as session:
        found = session.get(Ladder, ladder_id, with_for_update=True)
        if found is None:
            raise Refusal(
                "ladder_unknown",
                say("ladder {ladder_id}: there is none; `arena ladder list` shows them", ladder_id=ladder_id),
                field="ladder",
                kind=RefusalKind.NOT_FOUND,
            )
        if found.state != RUNNING:
            raise Refusal(
                "wrong_state",
                say("ladder {ladder_id}: is {state} already", ladder_id=ladder_id, state=say(found.state)),
                field="ladder",
                kind=RefusalKind.CONFLICT,
            )
        found.state = STOPPED
        audit_log.note(session, actor.name, "ladder.stop", f"ladder/{ladder_id}")
        return _row(session, found, session.get_one(Pool, found.pool_id))


def listing(store: Store) -> tuple[LadderRow, ...]:
    """List the ladders by their pools and seats."""
    query = select(Ladder, Pool).join(Pool, Pool.id == Ladder.pool_id)
    with store.read() as session:
        rows = session.execute(query.order_by(Pool.game, Pool.variant, Ladder.seats)).all()
        return tuple(_row(session, ladder, pool) for ladder, pool in rows)


def advance(store: Store, now: float) -> int:
    """Advance each ladder that is due: begin or end its epoch, or draw a round; return their number."""
    return sum(advance_one(store, ladder_id, now) for ladder_id in due(store, now))


def due(store: Store, now: float) -> tuple[int, ...]:
    """List the ladders that may have something to do."""
    with store.read() as session:
        found = session.scalars(select(Ladder).where(Ladder.next_at <= now).order_by(Ladder.id))
        return tuple(ladder.id for ladder in found if _is_due(session, ladder, now))


def advance_one(store: Store, ladder_id: int, now: float) -> bool:
    """Begin or end a ladder's epoch, or draw a round; return whether one of these was due."""
    with store.write() as session:
        ladder = session.get_one(Ladder, ladder_id, with_for_update=True)
        return ladder.next_at <= now and _advance(store, session, ladder, now)


def _is_due(session: Session, ladder: Ladder, now: float) -> bool:
    """Look, without locking anything, whether there is something to do: most of the time there is not."""
    epoch = session.scalar(_epoch(ladder.id))
    if epoch is None:
        return ladder.state == RUNNING
    return epoch.state != tournament_states.PAUSED and not _is_playing(session, epoch.id, now)


def _epoch(ladder_id: int) -> Select[Tournament]:
    """Select a ladder's epoch that is not over."""
    states = (tournament_states.RUNNING, tournament_states.PAUSED)
    return select(Tournament).where(Tournament.ladder_id == ladder_id, Tournament.state.in_(states))


def _advance(store: Store, session: Session, ladder: Ladder, now: float) -> bool:
    epoch = session.scalar(_epoch(ladder.id).with_for_update())
    if epoch is None:
        if ladder.state != RUNNING:
            return False
        epoch = _begin(session, ladder, now)
    if epoch.state == tournament_states.PAUSED or _is_playing(session, epoch.id, now):
        return False
    if ladder.state != RUNNING:
        _end(session, epoch, "the ladder was stopped")
        return True
    if epoch.plan_version != PLAN_VERSION:
        _end(session, epoch, "the arena was updated")
        return True
    if now - (epoch.started_at or now) >= ladder.epoch_s:
        _end(session, epoch, "the epoch is over")
        return True
    ladder.next_at = now + ladder.rest_s
    return _draw(store, session, ladder, epoch, now)


def _begin(session: Session, ladder: Ladder, now: float) -> Tournament:
    """Begin an epoch: a tournament without entries, with a secret of its own."""
    pool = session.get_one(Pool, ladder.pool_id)
    game = registry.find(pool.game)
    secret = secrets.token_bytes(seeds.SECRET_BYTES)
    number = _epochs(session, ladder.id) + 1
    options = game.setup(ladder.seats, variant=pool.variant, options={}).options
    epoch = Tournament(
        id=deleted_numbers.next_number(session),
        name=f"{game.title} ladder, {pool.variant}, {ladder.seats} seats, epoch {number}",
        format=LadderFormat.name,
        rules={},
        game=pool.game,
        variant=pool.variant,
        seats=ladder.seats,
        options=dict(options),
        base_ms=STANDARD.base_ms,
        increment_ms=STANDARD.increment_ms,
        cap_ms=STANDARD.cap_ms,
        talk_ms=STANDARD.talk_ms,
        cycles=1,
        trusted=False,
        plan_version=PLAN_VERSION,
        delay_s=ladder.delay_s,
        secret=secret,
        commitment=seeds.secret_commitment(secret),
        inputs=b"",
        pool_id=pool.id,
        ladder_id=ladder.id,
        state=tournament_states.RUNNING,
        revision=0,
        priority=ladder.priority,
        served=stages.least_served(session),
        matches_total=0,
        matches_done=0,
        created_at=now,
        started_at=now,
        finished_at=None,
    )
    session.add(epoch)
    session.flush()
    epoch.inputs = plans.inputs_of(epoch, (), plans.terms_of(session, epoch, ()))
    return epoch


def _end(session: Session, epoch: Tournament, why: str) -> None:
    """End an epoch; matches that still wait for a bot are not played."""
    epoch.matches_total = epoch.matches_done
    stages.decide(session, epoch, End(why))


def _draw(store: Store, session: Session, ladder: Ladder, epoch: Tournament, now: float) -> bool:
    """Add new versions, remove those that are gone, and draw a round."""
    _move(store, session, epoch, now)
    stored = plans.load(store, session, epoch.id)
    away = _away(session, stored, now)
    resting = {number for number, entry in enumerate(stored.entries) if entry.version_id in away}
    out = resting | set(stored.course.withdrawn)
    # Two bots of one owner never sit together: their result would not count for the Elo.
    if (
        owner_separation.owners(
            [group for number, group in enumerate(stored.terms.groups) if number not in out]
        )
        < ladder.seats
    ):
        return False
    pool = session.get_one(Pool, ladder.pool_id)
    rows = session.execute(
        select(Rating.version_id, Rating.elo, Rating.error).where(Rating.pool_id == pool.id)
    )
    ratings = {version_id: (elo, error) for version_id, elo, error in rows if error is not None}
    known = tuple(ratings.get(entry.version_id, (MEAN_ELO, _UNKNOWN_ERROR)) for entry in stored.entries)
    gone = tuple(sorted(out))
    tables = controller.draw_ladder_round(
        epoch.secret, len(stored.course.rounds), known, gone, ladder.seats, stored.terms.apart
    )
    stages.decide(session, epoch, RoundDrawn(tables, (), gone, pool.input_sha256 or "", known))
    return True


def _away(session: Session, stored: StoredPlan, now: float) -> frozenset[int]:
    """Return the versions that are not to be drawn, since they would not come.

    A bot that dials in must have been connected of late; whether an endpoint is there shows only when it is dialled.  Neither
    is drawn again while matches of this epoch wait for it.
    """
    mine = (Entry.tournament_id == stored.tournament_id, ~func.coalesce(arrivals.is_there(now), false()))
    entered = select(Version.id).join(Entry, Entry.version_id == Version.id)
    not_there = frozenset(session.scalars(entered.join(Bot, Bot.id == Version.bot_id).where(*mine)))
    noted = (Absence.tournament_id == stored.tournament_id,)
    absent = frozenset(session.scalars(select(Absence.version_id).where(*noted)))
    waited_for = absent & _to_play(session, stored) if absent else absent
    if absent != waited_for:
        session.execute(delete(Absence).where(*noted, Absence.version_id.in_(absent - waited_for)))
    return not_there | waited_for


def _to_play(session: Session, stored: StoredPlan) -> frozenset[int]:
    """Return the versions that have a match to play in the blocks that are not done."""
    mine = (Block.tournament_id == stored.tournament_id, Block.done.is_(False))
    sets = (
        number
        for first, count in session.execute(select(Block.first_set, Block.sets).where(*mine))
        for number in range(first, first + count)
    )
    return frozenset(
        stored.entries[entry].version_id
        for number in sets
        if stored.plan.is_active(number)
        for entry in stored.plan.schedule[number]
    )


def _move(store: Store, session: Session, epoch: Tournament, now: float) -> None:
    """Enter the active versions that are there and not entered, and let those leave that are no longer active."""
    stored = plans.load(store, session, epoch.id)
    active = _active(session, epoch)
    for number, entry in enumerate(stored.entries):
        if entry.version_id not in active and number not in stored.course.withdrawn:
            state = session.get_one(Version, entry.version_id).state
            why = f"is {state}" if state != bots.ACTIVE else "does not play at this table"
            withdrawals.leave(store, session, epoch, number, annulled=False, why=why)
    entered = {entry.version_id for entry in stored.entries}
    there = set(session.scalars(_active_versions(epoch.game).where(arrivals.is_there(now))))
    new = [
        version for version_id, version in active.items() if version_id not in entered and version_id in there
    ]
    groups = entry_owners.group((*stored.entries, *new), stored.terms.groups)
    for number, version in enumerate(new, len(stored.entries)):
        session.add(
            Entry(
                tournament_id=epoch.id,
                number=number,
                version_id=version.version_id,
                owner_group=groups[number],
            )
        )
    session.flush()
    plans.forget(store, epoch.id)


def _active(session: Session, epoch: Tournament) -> dict[int, BotVersion]:
    """Return the active versions that play at the epoch's table."""
    query = (
        bots.with_owners().where(Bot.game == epoch.game, Version.state == bots.ACTIVE).order_by(Version.id)
    )
    return {
        found.version_id: found
        for found in (BotVersion(*row) for row in session.execute(query))
        if found.can_play(epoch.variant, epoch.seats)
    }


def _active_versions(game: str) -> Select[int]:
    return (
        select(Version.id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Bot.game == game, Version.state == bots.ACTIVE)
    )


def _is_playing(session: Session, tournament_id: int, now: float) -> bool:
    """Return whether blocks are being played, or are free to be; those that rest wait for a bot."""
    rests = Block.worker.is_(None) & Block.lease_until.is_not(None) & (Block.lease_until > now)
    mine = exists().where(Block.tournament_id == tournament_id, Block.done.is_(False), ~rests)
    return bool(session.scalar(select(mine)))


def _epochs(session: Session, ladder_id: int) -> int:
    return session.scalar(select(func.count(Tournament.id)).where(Tournament.ladder_id == ladder_id)) or 0


def _row(session: Session, ladder: Ladder, pool: Pool) -> LadderRow:
    last = session.scalar(select(func.max(Tournament.id)).where(Tournament.ladder_id == ladder.id))
    return LadderRow(
        id=ladder.id,
        pool=pools.key(pool.game, pool.variant),
        seats=ladder.seats,
        state=ladder.state,
        epoch_s=ladder.epoch_s,
        rest_s=ladder.rest_s,
        priority=ladder.priority,
        delay_s=ladder.delay_s,
        tournament=last,
        epochs=_epochs(session, ladder.id),
    )
