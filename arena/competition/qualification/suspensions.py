"""Suspensions: a bot whose matches end by its own faults again and again plays no more of that variant.

It plays the other variants of its game; one that has no other to play is suspended as a whole.

What counts are incidents, not matches: one death of a process ends all the matches that it was playing, and is one fault.
House bots come back by themselves: their programs are the arena's own, so what ended them was the machine, or is mended by the next version.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots, variant_suspensions
from arena.bot_registry.variant_suspensions import VariantSuspension
from arena.competition import plans, withdrawals
from arena.competition.matches import uptime
from arena.competition.plans import read_entries
from arena.competition.pools import tournament_scope
from arena.competition.qualification import verdicts
from arena.core.answer_fields import GameId, OwnBotName, VersionName
from arena.declarations import declared_tables
from arena.storage import Store
from arena.storage.schema import Bot, MatchResult, Tournament, Trial, User, Version, VersionTotal

MIN_FAULTS = 10
"""The number of separate faults in a tournament that suspend a bot, if they ended at least half of its matches."""
HOUSE_SUSPENSION_S = 3600.0
"""Seconds of the platform's uptime after which the suspension of a house bot ends by itself."""
_ACTOR = "platform"
"""The actor that ends it, in the audit log."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SuspendedVersion:
    """A version that is suspended."""

    game: GameId
    bot: OwnBotName
    version: VersionName
    owner: Annotated[str | None, Field(description="Whose it is; null for the house.", examples=["ada"])]
    variant: Annotated[
        str | None,
        Field(description="The variant in which it is suspended, while it plays others; null: in all."),
    ]
    reason: Annotated[str, Field(description="Why it is suspended.")]
    ends_in_s: Annotated[
        float | None,
        Field(
            description="For a house bot: after how many seconds of the arena's uptime it ends by itself; null: an admin ends it."
        ),
    ]


def listing(store: Store, actor: Actor) -> tuple[SuspendedVersion, ...]:
    """List the versions that are suspended, the newest first.  Raises Refusal."""
    actor.require("admin")
    query = (
        select(Version, Bot, User.name)
        .join(Bot, Bot.id == Version.bot_id)
        .outerjoin(User, User.id == Bot.owner_id)
        .where((Version.state == bots.SUSPENDED) | Version.suspensions.is_not(None))
        .order_by(Version.id.desc())
    )
    with store.read() as session:
        now_s = uptime.read(session)
        return tuple(
            SuspendedVersion(
                bot.game,
                bot.name,
                version.version,
                owner,
                variant,
                reason,
                max(0.0, since_s + HOUSE_SUSPENSION_S - now_s) if bot.house else None,
            )
            for version, bot, owner in session.execute(query)
            for variant, reason, since_s in _suspensions_of(version)
        )


def _suspensions_of(version: Version) -> Iterator[tuple[str | None, str, float]]:
    """Yield the variant of each suspension of a version, None for all variants, the reason, and the uptime when it began."""
    if version.state == bots.SUSPENDED:
        yield None, version.reason or "", version.suspended_uptime_s or 0.0
    for variant, each in variant_suspensions.read(version.suspensions).items():
        yield variant, each.reason, each.uptime_s


def consider(store: Store, tournament_id: int, entry: int) -> bool:
    """Suspend an entry that has just made a fault, if it has made too many: it leaves, and what it has played stays.

    Return whether it did; then `arena.competition.settlement.settle` is to follow.
    """
    with store.read() as session:
        incidents = _too_many(store, session, tournament_id, entry)
        if not incidents:
            return False
    with store.write() as session:
        tournament = session.get_one(Tournament, tournament_id, with_for_update=True)
        found = read_entries(session, tournament_id)[entry]
        total = session.get_one(VersionTotal, (tournament_scope(tournament_id), found.version_id))
        why = (
            f"suspended: {incidents} separate faults ended {total.faults} of its {total.matches} matches here"
        )
        if not withdrawals.leave(store, session, tournament, entry, annulled=False, why=why):
            return False
        _suspend(session, found.version_id, tournament.variant, f"tournament {tournament_id}: {why}")
    return True


def _suspend(session: Session, version_id: int, variant: str, reason: str) -> None:
    """Suspend an active version in a variant; as a whole if it plays no other."""
    version = session.get_one(Version, version_id, with_for_update=True)
    if version.state != bots.ACTIVE:
        return
    now_s = uptime.read(session)
    game = session.get_one(Bot, version.bot_id).game
    suspended = {**variant_suspensions.read(version.suspensions), variant: VariantSuspension(reason, now_s)}
    if set(declared_tables.from_text(version.plays).of_game(game)) <= set(suspended):
        version.state, version.reason, version.suspended_uptime_s = bots.SUSPENDED, reason, now_s
        version.suspensions = None
    else:
        version.suspensions = variant_suspensions.write(suspended)


def lift(store: Store) -> tuple[str, ...]:
    """End the suspensions of house bots that have lasted long enough; return the bots, `game/name@version`.

    A bot that has another active version by now keeps that: it is superseded.
    """
    house = select(Version.id).join(Bot, Bot.id == Version.bot_id).where(Bot.house.is_(True))
    found = house.where(Version.state == bots.SUSPENDED)
    with store.read() as session:
        last = uptime.read(session) - HOUSE_SUSPENSION_S
        due = session.scalars(found.where(func.coalesce(Version.suspended_uptime_s, 0.0) <= last)).all()
        in_variants = session.scalars(house.where(Version.suspensions.is_not(None))).all()
    lifted = [name for version_id in due if (name := _lift(store, version_id))]
    return (
        *lifted,
        *(name for version_id in in_variants if (name := _lift_variants(store, version_id, last))),
    )


def _lift(store: Store, version_id: int) -> str:
    with store.write() as session:
        version = session.get_one(Version, version_id)
        bot = session.get_one(Bot, version.bot_id, with_for_update=True)
        session.refresh(version)
        if version.state != bots.SUSPENDED:
            return ""
        verdicts.activate(session.connection(), bot.id, version.id, over_newer=False)
        audit_log.note(session, _ACTOR, "bot.restore", f"bot/{bot.game}/{bot.name}", version=version.version)
    name = f"{bot.game}/{bot.name}@{version.version}"
    _log.warning("house bot %s is no longer suspended", name)
    return name


def _lift_variants(store: Store, version_id: int, last: float) -> str:
    """End the suspensions of a version in single variants that began at an uptime of `last` or before."""
    with store.write() as session:
        version = session.get_one(Version, version_id, with_for_update=True)
        suspended = variant_suspensions.read(version.suspensions)
        kept = {variant: each for variant, each in suspended.items() if each.uptime_s > last}
        if len(kept) == len(suspended):
            return ""
        version.suspensions = variant_suspensions.write(kept)
        bot = session.get_one(Bot, version.bot_id)
        audit_log.note(session, _ACTOR, "bot.restore", f"bot/{bot.game}/{bot.name}", version=version.version)
    name = f"{bot.game}/{bot.name}@{version.version}"
    _log.warning("house bot %s is no longer suspended in %s", name, ", ".join(suspended.keys() - kept.keys()))
    return name


def _too_many(store: Store, session: Session, tournament_id: int, entry: int) -> int:
    """Count the incidents of an entry if they are too many; 0 if not."""
    if session.get(Trial, tournament_id) is not None:
        return 0
    version_id = read_entries(session, tournament_id)[entry].version_id
    total = session.get(VersionTotal, (tournament_scope(tournament_id), version_id))
    if total is None or total.faults < MIN_FAULTS or 2 * total.faults < total.matches:
        return 0
    incidents = _count_incidents(store, session, tournament_id, entry)
    return incidents if incidents >= MIN_FAULTS else 0


def _count_incidents(store: Store, session: Session, tournament_id: int, entry: int) -> int:
    """Count the causes of an entry's faults: each incident once, and each match that ended by a fault of its own."""
    stored = plans.load(store, session, tournament_id)
    rows = session.execute(
        select(
            MatchResult.id,
            MatchResult.set_number,
            MatchResult.match_number,
            MatchResult.fault_seat,
            MatchResult.incident,
        ).where(MatchResult.tournament_id == tournament_id, MatchResult.fault_seat.is_not(None))
    )
    return len(
        {
            row.incident or row.id
            for row in rows
            if plans.entry_at(stored, row.set_number, row.match_number, row.fault_seat or 0) == entry
        }
    )
