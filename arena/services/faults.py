"""Faults of all tournaments, trials among them: for admins, who look whether a bot is broken or the platform is.

What was wrong, in words, stands in the record, so it is told when the match's page may show that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.match.essence import RulesChanged
from arena.match.fault import FaultKind
from arena.services import matches, plans
from arena.services.accounts import Actor
from arena.services.bots import BotVersion
from arena.store import Store
from arena.store.compression import unpack
from arena.store.schema import Bot, Entry, MatchResult, Version

KINDS = tuple(kind.value for kind in FaultKind)
MOST_ROWS = 50
_TALLIED = 500
_MOST_SCANNED = 50_000
"""Results that are looked through, the newest first: in a healthy arena faults are rare."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A match that ended by a fault: whose it was, and of which kind.

    `id` counts up with time, `at` is in seconds since the epoch, UTC; `message` is None while the match is not public, or if its record
    is not kept any more.
    """

    id: int
    at: float
    tournament_id: int
    tournament: str
    game: str
    set: int
    match: int
    seat: int
    bot: str
    version: str
    kind: str
    message: str | None


@dataclass(frozen=True, slots=True)
class FaultTally:
    """How often a version was at fault among the last faults, by kind."""

    game: str
    bot: str
    version: str
    kinds: Mapping[str, int]

    @property
    def total(self) -> int:
        """Count all of them."""
        return sum(self.kinds.values())


def listing(
    store: Store,
    actor: Actor,
    *,
    kind: str = "",
    bot: str = "",
    before: int | None = None,
    most: int = 25,
) -> tuple[FaultRow, ...]:
    """List the newest faults, from before the one with this id; of one kind, or of one bot, if it is given.  Raises Refusal."""
    actor.require("admin")
    found = []
    with store.read() as session:
        for result, tournament, game, seat, entry in _newest(
            store, session, kind=kind, bot=bot, before=before
        ):
            found.append((result, tournament, game, seat, entry))
            if len(found) >= min(most, MOST_ROWS):
                break
    return tuple(
        FaultRow(
            id=result.id,
            at=result.stored_at,
            tournament_id=result.tournament_id,
            tournament=tournament,
            game=game,
            set=result.set_number,
            match=result.match_number,
            seat=seat,
            bot=entry.bot,
            version=entry.version,
            kind=result.fault_kind or "",
            message=_message(store, result),
        )
        for result, tournament, game, seat, entry in found
    )


def tally(store: Store, actor: Actor) -> tuple[FaultTally, ...]:
    """Count the last faults by version and kind, the version with the most first.  Raises Refusal."""
    actor.require("admin")
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    with store.read() as session:
        for number, (result, _, game, _, entry) in enumerate(_newest(store, session)):
            if number >= _TALLIED:
                break
            counts.setdefault((game, entry.bot, entry.version), Counter())[result.fault_kind or ""] += 1
    rows = [FaultTally(*key, dict(kinds)) for key, kinds in counts.items()]
    return tuple(sorted(rows, key=lambda row: (-row.total, row.game, row.bot, row.version)))


def _newest(
    store: Store, session: Session, *, kind: str = "", bot: str = "", before: int | None = None
) -> Iterator[tuple[MatchResult, str, str, int, BotVersion]]:
    """Yield results that ended by a fault, the newest first, with their tournament's name and game, the seat and who sat there."""
    last = session.scalar(select(func.max(MatchResult.id))) or 0
    query = select(MatchResult).where(
        MatchResult.fault_seat.is_not(None), MatchResult.id > last - _MOST_SCANNED
    )
    if kind:
        query = query.where(MatchResult.fault_kind == kind)
    if before is not None:
        query = query.where(MatchResult.id < before)
    if bot:
        entered = (
            select(Entry.tournament_id)
            .join(Version, Version.id == Entry.version_id)
            .join(Bot, Bot.id == Version.bot_id)
            .where(Bot.name == bot)
        )
        query = query.where(MatchResult.tournament_id.in_(entered))
    for result in session.scalars(query.order_by(MatchResult.id.desc()).execution_options(yield_per=100)):
        stored = plans.load(store, session, result.tournament_id)
        planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
        seat = result.fault_seat or 0
        entry = stored.entries[planned.seats[seat]]
        if not bot or entry.bot == bot:
            yield result, stored.name, stored.game, seat, entry


def _message(store: Store, result: MatchResult) -> str | None:
    packed = matches.page(store, result.tournament_id, result.set_number, result.match_number).packed_record
    if packed is None:
        return None
    try:
        record: dict[str, Any] = json.loads(unpack(packed))
    except RulesChanged:
        return None
    return str(record["result"]["fault"]["message"])
