"""Faults of all tournaments, trials among them: for admins, who look whether a bot is broken or the platform is.

The message of a fault is in the record, so it is shown as soon as the match is public.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.accounts.actors import Actor
from arena.competition import plans
from arena.competition.matches import incidents
from arena.core.answer_fields import GameId, OwnBotName, UtcTime, VersionName
from arena.match.faults import FaultKind
from arena.reports import match_views
from arena.storage import Store
from arena.storage.record_compression import fault_of
from arena.storage.schema import Bot, Entry, MatchResult, Record, Version

KINDS = tuple(kind.value for kind in FaultKind)
MAX_ROWS = 50
_TALLIED = 500
_COUNTED_S = 2.0
_MAX_SCANNED = 50_000
"""Results that are looked through, the newest first: in a healthy arena faults are rare."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A match that ended by a fault."""

    id: Annotated[int, Field(description="Counts up with time.", examples=[4711])]
    at: UtcTime
    tournament_id: Annotated[int, Field(description="Its tournament.", examples=[7])]
    tournament: Annotated[str, Field(description="The tournament's name.", examples=["Spring Cup"])]
    game: GameId
    set: Annotated[int, Field(description="The set, from 0.", examples=[3])]
    match: Annotated[int, Field(description="The match of the set, from 0.", examples=[1])]
    seat: Annotated[int, Field(description="The seat at fault, from 0.", examples=[0])]
    bot: Annotated[str, Field(description="Bot in the seat.", examples=["my-bot"])]
    version: VersionName
    kind: Annotated[
        str, Field(description="illegal action, timeout, crash or protocol.", examples=["timeout"])
    ]
    message: Annotated[
        str | None, Field(description="Description of the fault; null while the match is not public.")
    ]
    incident: Annotated[
        str | None,
        Field(
            description="Names what the fault came of, if that may have ended other matches, too: one death of a process, one lost connection.",
            examples=["8c1f0a92d3b44e57"],
        ),
    ]
    incident_matches: Annotated[
        int, Field(description="Number of matches that the incident ended; 0 without one.", examples=[11])
    ]


@dataclass(frozen=True, slots=True)
class FaultTally:
    """Number of faults of a version among the last 500."""

    game: GameId
    bot: OwnBotName
    version: VersionName
    kinds: Annotated[Mapping[str, int], Field(description="By kind.", examples=[{"timeout": 3}])]

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
    with store.read() as session:
        found = [*islice(_newest(store, session, kind=kind, bot=bot, before=before), most)]
        opened = match_views.open_matches(
            store, session, {(row.tournament_id, row.set, row.match) for row in found}
        )
        packed = select(Record.result_id, Record.data).where(Record.result_id.in_([row.id for row in found]))
        records = {row.result_id: row.data for row in session.execute(packed)}
        together = incidents.sizes(session, [row.incident for row in found])
    return tuple(
        replace(
            row,
            incident_matches=together.get(row.incident, 0),
            message=incidents.in_words(fault_of(records[row.id]))
            if row.id in records and (row.tournament_id, row.set, row.match) in opened
            else None,
        )
        for row in found
    )


def tally(store: Store, actor: Actor) -> tuple[FaultTally, ...]:
    """Count the last faults by version and kind, the version with the most first; cached for some seconds.  Raises Refusal."""
    actor.require("admin")
    return store.cache.get("faults", int(time.monotonic() / _COUNTED_S), lambda: _tally(store))


def _tally(store: Store) -> tuple[FaultTally, ...]:
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    with store.read() as session:
        for row in islice(_newest(store, session), _TALLIED):
            counts.setdefault((row.game, row.bot, row.version), Counter())[row.kind] += 1
    rows = [FaultTally(*key, dict(kinds)) for key, kinds in counts.items()]
    return tuple(sorted(rows, key=lambda row: (-row.total, row.game, row.bot, row.version)))


def _newest(
    store: Store, session: Session, *, kind: str = "", bot: str = "", before: int | None = None
) -> Iterator[FaultRow]:
    """Yield matches that ended by a fault, the newest first, as yet without messages."""
    last = session.scalar(select(func.max(MatchResult.id))) or 0
    query = select(
        MatchResult.id,
        MatchResult.stored_at,
        MatchResult.tournament_id,
        MatchResult.set_number,
        MatchResult.match_number,
        MatchResult.fault_seat,
        MatchResult.fault_kind,
        MatchResult.incident,
    ).where(MatchResult.fault_seat.is_not(None), MatchResult.id > last - _MAX_SCANNED)
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
    for row in session.execute(query.order_by(MatchResult.id.desc()).execution_options(yield_per=100)):
        stored = plans.load(store, session, row.tournament_id)
        entry = stored.entries[
            plans.entry_at(stored, row.set_number, row.match_number, seat := row.fault_seat or 0)
        ]
        if bot and entry.bot != bot:
            continue
        yield FaultRow(
            id=row.id,
            at=row.stored_at,
            tournament_id=row.tournament_id,
            tournament=stored.name,
            game=stored.game,
            set=row.set_number,
            match=row.match_number,
            seat=seat,
            bot=entry.bot,
            version=entry.version,
            kind=row.fault_kind or "",
            message=None,
            incident=row.incident,
            incident_matches=0,
        )
