"""Live matches: those that are being played now, as the public may know them; and what comes next where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.competition import disclosure, plans, tournament_states
from arena.competition.plans import NotFound, StoredPlan
from arena.core.answer_fields import GameId, MatchNumber, SetNumber, TournamentId, TournamentName
from arena.games.kernel import Setup
from arena.games.registry import find as find_game
from arena.match.clock import TimeControl
from arena.messaging.live_steps import RunningMatch
from arena.reports.match_details import SeatRow
from arena.scheduling.match_sets import PlannedMatch
from arena.storage import Store
from arena.storage.schema import Attempt, Ladder, MatchResult, Tournament, Trial


@dataclass(frozen=True, slots=True)
class LiveMatchRow:
    """A table at which a match is being played."""

    tournament_id: TournamentId
    tournament: TournamentName
    game: GameId
    set: SetNumber
    match: MatchNumber
    id: Annotated[str, Field(description="The match's id, as its record will have it.")]
    seats: Annotated[tuple[SeatRow, ...], Field(description="In seat order.")]
    began_at: Annotated[float, Field(description="Seconds since the epoch, UTC.", examples=[1763726400.0])]
    live: Annotated[bool, Field(description="Whether its public steps are shown while it is played.")]


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """Data that the web needs to follow a match.  The seed stays inside: pages only get the public position."""

    id: str
    game: str
    variant: str
    options: Mapping[str, int]
    names: tuple[str, ...]
    time: TimeControl
    seed: bytes
    live: bool
    over: bool
    """Whether it has its result, or will not be played."""

    def setup(self, talks: tuple[bool, ...]) -> Setup:
        """Set the game up as the referee did."""
        game = find_game(self.game)
        return game.setup(len(self.names), variant=self.variant, options=self.options, talks=talks)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Candidates for the next live match: tournaments that are paused or open for entries, and the time of a ladder's next round."""

    open: tuple[tuple[int, str], ...]
    paused: tuple[tuple[int, str], ...]
    next_round_at: float | None


def describe(store: Store, played: Iterable[RunningMatch]) -> tuple[LiveMatchRow, ...]:
    """Describe tables; those of trials, and those of which nothing is known here, are left out."""
    by_tournament: dict[int, list[RunningMatch]] = defaultdict(list)
    for table in played:
        by_tournament[table.tournament_id].append(table)
    rows: list[LiveMatchRow] = []
    with store.read() as session:
        trials = set(
            session.scalars(select(Trial.tournament_id).where(Trial.tournament_id.in_(by_tournament)))
        )
        for tournament_id, tables in by_tournament.items():
            if tournament_id in trials:
                continue
            try:
                stored = plans.load(store, session, tournament_id)
                rows += [_row(stored, table) for table in tables]
            except NotFound:
                continue
    return tuple(sorted(rows, key=lambda row: (row.began_at, row.id)))


def find(store: Store, tournament_id: int, set_number: int, match_number: int) -> LiveMatch:
    """Find a match that may be played now.  Raises NotFound."""
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
        plans.check_set(stored, set_number)
        known = session.get(Attempt, (tournament_id, set_number, match_number))
        planned = plans.match(stored, set_number, match_number, 0 if known is None else known.attempt)
        over = stored.course.over is not None or not stored.plan.is_active(set_number)
        return _live_match(stored, planned, over=over or _has_result(session, stored, planned))


def waiting(store: Store) -> Waiting:
    """Return what may be on next."""
    query = select(Tournament.id, Tournament.name, Tournament.state).order_by(Tournament.id)
    with store.read() as session:
        rows = session.execute(
            query.where(Tournament.state.in_((tournament_states.OPEN, tournament_states.PAUSED)))
        ).all()
        next_at = session.scalar(
            select(func.min(Ladder.next_at)).where(Ladder.state == tournament_states.RUNNING)
        )
    return Waiting(
        tuple((row.id, row.name) for row in rows if row.state == tournament_states.OPEN),
        tuple((row.id, row.name) for row in rows if row.state == tournament_states.PAUSED),
        next_at,
    )


def _row(stored: StoredPlan, table: RunningMatch) -> LiveMatchRow:
    planned = plans.match(stored, table.set, table.number, table.attempt)
    bots = [(stored.names[entry], stored.entries[entry]) for entry in planned.seats]
    return LiveMatchRow(
        tournament_id=stored.tournament_id,
        tournament=stored.name,
        game=stored.game,
        set=table.set,
        match=table.number,
        id=table.match,
        seats=tuple(
            SeatRow(seat, name, bot.bot, bot.version, bot.hosted, None, None)
            for seat, (name, bot) in enumerate(bots)
        ),
        began_at=table.began_at,
        live=disclosure.goes_live(stored, planned),
    )


def _live_match(stored: StoredPlan, planned: PlannedMatch, *, over: bool) -> LiveMatch:
    return LiveMatch(
        id=planned.id,
        game=stored.game,
        variant=stored.variant,
        options=stored.options,
        names=tuple(stored.names[entry] for entry in planned.seats),
        time=stored.time,
        seed=planned.seed,
        live=disclosure.goes_live(stored, planned),
        over=over,
    )


def _has_result(session: Session, stored: StoredPlan, planned: PlannedMatch) -> bool:
    query = select(MatchResult.id).where(
        MatchResult.tournament_id == stored.tournament_id,
        MatchResult.set_number == planned.set,
        MatchResult.match_number == planned.match,
    )
    return session.scalar(query) is not None
