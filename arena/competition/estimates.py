"""Estimates: what a tournament would come to, before it is created: how many matches, and about how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.accounts.actors import Actor
from arena.bot_registry.bot_version import BotVersion
from arena.competition import creation, stages
from arena.competition.drafts import TournamentSpec
from arena.core.answer_fields import SeatCount
from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.scheduling.formats.format_registry import FORMATS
from arena.storage import Store
from arena.storage.schema import Entry, MatchResult, Tournament

_LIKE_IT = 3
"""Tournaments that the pace is taken from: of those like it, the ones that had most of its bots."""
_LOOKED_AT = 20
_RESULTS = 200
_MIN_RESULTS = 20


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated size and duration of a tournament."""

    name: Annotated[
        str, Field(description="What it would be called.", examples=["Lost Cities, 2 bots, 2 seats"])
    ]
    variant: Annotated[str, Field(description="Its variant.", examples=["standard"])]
    seats: SeatCount
    entries: Annotated[int, Field(description="Bots that are named so far.", examples=[2])]
    sets: Annotated[
        int | None, Field(description="Sets to be played; null while too few bots are named.", examples=[5])
    ]
    matches: Annotated[int | None, Field(description="Matches to be played, likewise.", examples=[10])]
    at_most: Annotated[
        bool, Field(description="Whether it may end earlier, so that these are the most there can be.")
    ]
    seconds: Annotated[
        float | None,
        Field(
            description="About how long it takes, at the pace of the newest tournaments like it; null if there are none.",
            examples=[12.5],
        ),
    ]
    rated: Annotated[bool, Field(description="Whether it counts for the public Elo.")]


def estimate(store: Store, spec: TournamentSpec, actor: Actor) -> Estimate:
    """Return what a tournament would come to, and change nothing.  Raises UsageError as creating it would."""
    actor.require("tournaments")
    made = creation.draft(store, spec)
    rules, entries = spec.rules, len(made.entries)
    enough = entries >= made.seats
    if spec.begin == "now":
        rules.check_entries(entries, made.seats, made.apart)
    sets = rules.most_sets(entries, made.seats, groups=made.apart) if enough else None
    matches = None if sets is None else sets * made.seats
    if matches is not None and matches > stages.MAX_MATCHES:
        raise Refusal(
            "cycles_invalid",
            say(
                "cycles {cycles}: {matches} matches; at most {most_matches} are possible",
                cycles=rules.cycles,
                matches=matches,
                most_matches=stages.MAX_MATCHES,
            ),
            field="cycles",
        )
    with store.read() as session:
        pace = _pace(
            session, _Kind(made.spec.game, made.variant, made.seats, dict(made.options)), made.entries
        )
    return Estimate(
        name=made.name,
        variant=made.variant,
        seats=made.seats,
        entries=entries,
        sets=sets,
        matches=matches,
        at_most=rules.stop is not None or not rules.has_known_length,
        seconds=None if matches is None or pace is None else round(matches / pace, 1),
        rated=made.rated,
    )


def seconds_of(store: Store, tournament_id: int) -> float | None:
    """Return about how long a tournament that has just begun takes at most, at the pace of the newest like it; None if there are none."""
    with store.read() as session:
        row = session.get_one(Tournament, tournament_id)
        entries = session.scalars(select(Entry).where(Entry.tournament_id == tournament_id)).all()
        pace = _pace(session, _Kind(row.game, row.variant, row.seats, row.options), entries)
        return None if pace is None else round(row.matches_total / pace, 1)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The properties by which tournaments are alike: the game, variant and tables."""

    game: str
    variant: str
    seats: int
    options: dict[str, int]


def _pace(session: Session, kind: _Kind, entries: Sequence[BotVersion | Entry]) -> float | None:
    """Return the matches a second of tournaments of a kind: of each its last results, so that pauses before them do not count."""
    versions = [entry.version_id for entry in entries]
    common = (
        select(func.count())
        .where(Entry.tournament_id == Tournament.id, Entry.version_id.in_(versions))
        .scalar_subquery()
    )
    query = (
        select(Tournament.id, Tournament.options, common)
        .where(
            Tournament.game == kind.game,
            Tournament.variant == kind.variant,
            Tournament.seats == kind.seats,
            Tournament.format.in_(FORMATS),
            Tournament.matches_done >= _MIN_RESULTS,
        )
        .order_by(Tournament.id.desc())
        .limit(_LOOKED_AT)
    )
    rows = [row for row in session.execute(query) if row.options == kind.options]
    matches = seconds = 0.0
    for tournament_id, _, _ in sorted(rows, key=lambda row: -row[2])[:_LIKE_IT]:
        last = (
            select(MatchResult.stored_at)
            .where(MatchResult.tournament_id == tournament_id)
            .order_by(MatchResult.id.desc())
            .limit(_RESULTS)
        )
        times = session.scalars(last).all()
        matches += len(times) - 1
        seconds += max(times) - min(times)
    return matches / seconds if seconds else None
