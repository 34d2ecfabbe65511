"""Drafts: a tournament as it was asked for, checked and planned, before it is in the store."""

from __future__ import annotations

import secrets
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.games import registry
from arena.match.clock import STANDARD, TimeControl
from arena.schedule import seeds
from arena.schedule.sets import Plan
from arena.services import blocks, pools
from arena.services.bots import BotVersion
from arena.store.schema import Block, Entry, Tournament

MOST_MATCHES = 1_000_000
MOST_CYCLES = 100_000
STANDARD_PRIORITY = 10
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


@dataclass(frozen=True, slots=True)
class Draft:
    """A tournament that can be begun: nothing of it was left open."""

    spec: TournamentSpec
    name: str
    variant: str
    options: Mapping[str, int]
    entries: tuple[BotVersion, ...]
    plan: Plan
    rated: bool


def make(spec: TournamentSpec, entries: Sequence[BotVersion], *, rated: bool = True) -> Draft:
    """Check and plan a tournament of these entries; it counts for a pool only if `rated`, and if its settings allow it.

    Raises UsageError (SetupError among it) naming the field that cannot be.
    """
    game = registry.find(spec.game)
    variant = next(iter(game.variants)) if spec.variant is None else spec.variant
    seats = min(game.variants.get(variant, (0,))) if spec.seats is None else spec.seats
    setup = game.setup(seats, variant=variant, options=spec.options)
    _check(spec, seats)
    secret = secrets.token_bytes(seeds.SECRET_BYTES) if spec.secret is None else spec.secret
    _check_distinct(entries)
    inputs = seeds.inputs_digest(
        commitment=seeds.secret_commitment(secret),
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
    return Draft(
        spec=spec,
        name=spec.name or f"{game.title}, {len(entries)} bots, {seats} seats",
        variant=variant,
        options=setup.options,
        entries=tuple(entries),
        plan=plan,
        rated=rated and pools.rated(spec.game, variant, seats, setup.options, spec.time),
    )


def begin(session: Session, draft: Draft, form: str) -> int:
    """Put a tournament and the blocks that it is played in into the store; gives its id."""
    spec, plan = draft.spec, draft.plan
    now = clock.time()
    tournament = Tournament(
        name=draft.name,
        format=form,
        rules={},
        game=spec.game,
        variant=draft.variant,
        seats=plan.seats,
        options=dict(draft.options),
        base_ms=spec.time.base_ms,
        increment_ms=spec.time.increment_ms,
        cap_ms=spec.time.cap_ms,
        talk_ms=spec.time.talk_ms,
        cycles=spec.cycles,
        trusted=spec.trusted,
        secret=plan.secret,
        commitment=seeds.secret_commitment(plan.secret),
        inputs=plan.inputs,
        pool_id=pools.ensure(session, spec.game, draft.variant).id if draft.rated else None,
        state="running",
        revision=0,
        priority=STANDARD_PRIORITY,
        served=0.0,
        matches_total=plan.matches_total,
        matches_done=0,
        created_at=now,
        started_at=now,
        finished_at=None,
    )
    session.add(tournament)
    session.flush()
    session.execute(
        insert(Entry),
        [
            {"tournament_id": tournament.id, "number": number, "version_id": entry.version_id}
            for number, entry in enumerate(draft.entries)
        ],
    )
    session.execute(insert(Block), blocks.rows(tournament.id, plan.sets_total, plan.seats))
    return tournament.id


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


def _check_distinct(entries: Sequence[BotVersion]) -> None:
    seen: set[int] = set()
    for entry in entries:
        if entry.version_id in seen:
            raise UsageError(f"bots: {entry.bot}@{entry.version} is named twice; name each once")
        seen.add(entry.version_id)
