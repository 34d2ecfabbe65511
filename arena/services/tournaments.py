"""Tournaments: creating, listing and showing them."""

from __future__ import annotations

import secrets
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.games import registry
from arena.match.clock import STANDARD, TimeControl
from arena.ratings.model import ALGORITHM
from arena.schedule import seeds
from arena.schedule.sets import Plan
from arena.services import absences, audit, blocks, bots, plans, pools, standings
from arena.services.accounts import OPERATOR, Actor
from arena.services.exports import export
from arena.services.pages import EntryRow, TournamentPage, TournamentRow, TournamentState
from arena.services.plans import NotFound
from arena.store import Store
from arena.store.schema import Block, Entry, Pool, Tournament

__all__ = ["NotFound", "TournamentSpec", "create", "export", "listing", "page", "row"]

ROUND_ROBIN = "round-robin"
MOST_MATCHES = 1_000_000
MOST_CYCLES = 100_000
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """What an organiser asks for.

    `bots` are names of bots of the game, with `@version` where it is not to be the newest.  None means: the standard
    variant, its smallest table, standard time, a fresh secret, a name made from the rest.
    """

    game: str
    bots: tuple[str, ...]
    variant: str | None = None
    seats: int | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    time: TimeControl = STANDARD
    cycles: int = 1
    secret: bytes | None = None
    trusted: bool = False
    name: str | None = None


def create(store: Store, spec: TournamentSpec, actor: Actor = OPERATOR) -> TournamentPage:
    """Create a tournament and the blocks that it is played in; it runs as soon as a worker takes them.

    Raises UsageError (SetupError and Refusal among it) naming the field that cannot be.
    """
    actor.require("tournaments")
    game = registry.find(spec.game)
    variant = next(iter(game.variants)) if spec.variant is None else spec.variant
    seats = min(game.variants.get(variant, (0,))) if spec.seats is None else spec.seats
    setup = game.setup(seats, variant=variant, options=spec.options)
    _check(spec, seats)
    secret = secrets.token_bytes(seeds.SECRET_BYTES) if spec.secret is None else spec.secret
    commitment = seeds.secret_commitment(secret)
    with store.read() as session:
        entries = tuple(bots.find_in(session, spec.game, name) for name in spec.bots)
    _check_distinct(entries)
    inputs = seeds.inputs_digest(
        commitment=commitment,
        game=spec.game,
        variant=variant,
        options=setup.options,
        time=str(spec.time),
        seats=seats,
        bots=[(entry.bot, entry.version) for entry in entries],
        cycles=spec.cycles,
        trusted=spec.trusted,
    )
    plan = Plan(secret, inputs, seats, spec.cycles, tuple(entry.hosted for entry in entries), spec.trusted)
    if plan.matches_total > MOST_MATCHES:
        raise UsageError(
            f"cycles {spec.cycles}: {plan.matches_total} matches; at most {MOST_MATCHES} are possible"
        )
    with store.write() as session:
        is_rated = pools.rated(spec.game, variant, seats, setup.options, spec.time)
        tournament = Tournament(
            name=spec.name or f"{game.title}, {len(entries)} bots, {seats} seats",
            format=ROUND_ROBIN,
            game=spec.game,
            variant=variant,
            seats=seats,
            options=dict(setup.options),
            base_ms=spec.time.base_ms,
            increment_ms=spec.time.increment_ms,
            cap_ms=spec.time.cap_ms,
            talk_ms=spec.time.talk_ms,
            cycles=spec.cycles,
            trusted=spec.trusted,
            secret=secret,
            commitment=commitment,
            inputs=inputs,
            pool_id=pools.ensure(session, spec.game, variant).id if is_rated else None,
            state="running",
            matches_total=plan.matches_total,
            matches_done=0,
            created_at=clock.time(),
            finished_at=None,
        )
        session.add(tournament)
        session.flush()
        session.execute(
            insert(Entry),
            [
                {"tournament_id": tournament.id, "number": number, "version_id": entry.version_id}
                for number, entry in enumerate(entries)
            ],
        )
        session.execute(insert(Block), blocks.rows(tournament.id, plan.sets_total, seats))
        tournament_id = tournament.id
        audit.note(session, actor.name, "tournament.create", f"tournament/{tournament_id}", game=spec.game)
    return page(store, tournament_id)


def listing(store: Store) -> tuple[TournamentRow, ...]:
    """List all tournaments, the newest first."""
    with store.read() as session:
        found = session.scalars(select(Tournament).order_by(Tournament.id.desc()))
        return tuple(_row(each) for each in found)


def row(store: Store, tournament_id: int) -> TournamentRow:
    """Show how far a tournament is, by one small query.  Raises NotFound."""
    with store.read() as session:
        return _row(_get(session, tournament_id))


def page(store: Store, tournament_id: int) -> TournamentPage:
    """Show a tournament; its secret only when it is over.  Raises NotFound."""
    with store.read() as session:
        return page_in(store, session, tournament_id)


def page_in(store: Store, session: Session, tournament_id: int) -> TournamentPage:
    """Show a tournament as `page` does, inside a transaction."""
    found = _get(session, tournament_id)
    stored = plans.load(store, session, tournament_id)
    table = standings.read(session, pools.tournament_scope(tournament_id), stored.entries)
    pool = None if found.pool_id is None else session.get_one(Pool, found.pool_id)
    state = state_of(found)
    return TournamentPage(
        id=found.id,
        name=found.name,
        game=found.game,
        variant=found.variant,
        seats=found.seats,
        options=found.options,
        time=str(stored.time),
        cycles=found.cycles,
        trusted=found.trusted,
        pool=None if pool is None else pools.key(pool.game, pool.variant),
        state=state,
        sets_total=found.matches_total // found.seats,
        matches_total=found.matches_total,
        matches_done=found.matches_done,
        commitment=found.commitment.hex(),
        secret=found.secret.hex() if state == "finished" else None,
        waiting_for=absences.waiting_for(session, tournament_id, stored.entries),
        entries=tuple(EntryRow(i, entry.bot, entry.version) for i, entry in enumerate(stored.entries)),
        standings=table.rows,
        crosstable=table.crosstable,
        algorithm=ALGORITHM,
        input_sha256=table.input_sha256,
        created_at=found.created_at,
        finished_at=found.finished_at,
    )


def state_of(tournament: Tournament) -> TournamentState:
    """Say how far a tournament is."""
    return "finished" if tournament.state == "finished" else "running"


def _get(session: Session, tournament_id: int) -> Tournament:
    tournament = session.get(Tournament, tournament_id)
    if tournament is None:
        raise NotFound(f"tournament {tournament_id}: there is none; `arena tournament list` shows them")
    return tournament


def _row(tournament: Tournament) -> TournamentRow:
    return TournamentRow(
        id=tournament.id,
        name=tournament.name,
        game=tournament.game,
        variant=tournament.variant,
        seats=tournament.seats,
        state=state_of(tournament),
        matches_total=tournament.matches_total,
        matches_done=tournament.matches_done,
        created_at=tournament.created_at,
        finished_at=tournament.finished_at,
    )


def _check(spec: TournamentSpec, seats: int) -> None:
    if len(spec.bots) < seats:
        named = ", ".join(spec.bots) or "none"
        raise UsageError(f"bots {named}: a table has {seats} seats, so name at least {seats} bots")
    if not 1 <= spec.cycles <= MOST_CYCLES:
        raise UsageError(f"cycles {spec.cycles}: must be 1 to {MOST_CYCLES}")
    if spec.secret is not None and len(spec.secret) != seeds.SECRET_BYTES:
        raise UsageError(f"secret of {len(spec.secret)} bytes: must be {seeds.SECRET_BYTES}")
    if spec.name is not None and not 1 <= len(spec.name.strip()) <= _LONGEST_NAME:
        raise UsageError(f"name {spec.name!r}: must be 1 to {_LONGEST_NAME} characters")


def _check_distinct(entries: tuple[bots.BotVersion, ...]) -> None:
    seen: set[int] = set()
    for entry in entries:
        if entry.version_id in seen:
            raise UsageError(f"bots: {entry.bot}@{entry.version} is named twice; name each once")
        seen.add(entry.version_id)
