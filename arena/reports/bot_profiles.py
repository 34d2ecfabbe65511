"""Profiles: what the public may know of a bot: its versions, ratings, opponents, last sets and faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

from pydantic import Field
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from arena.bot_registry import variant_suspensions
from arena.bot_registry.bots import HOSTED
from arena.bot_registry.version_states import VersionSource, VersionState
from arena.competition import plans
from arena.competition.matches import incidents
from arena.competition.plans import StoredPlan
from arena.competition.trial_kinds import COMPARISON
from arena.core.answer_fields import (
    BotName,
    GameId,
    MatchNumber,
    Plays,
    SetNumber,
    SuspendedIn,
    TournamentId,
    TournamentName,
    VariantName,
    Verified,
    VersionName,
)
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.declarations import declared_tables
from arena.games import registry
from arena.rankings import leaderboards, rating_history
from arena.rankings.leaderboards import Leader, Leaderboard
from arena.rankings.rating_history import RatingHistory
from arena.rankings.standings import CrosstableCell
from arena.reports import match_views, participation
from arena.reports.by_format import version_comparisons
from arena.reports.by_format.version_comparisons import VersionComparison
from arena.reports.match_details import MatchRow
from arena.reports.match_lists import listed_matches
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.reports.participation import Participation
from arena.storage import Store
from arena.storage.record_compression import fault_of
from arena.storage.schema import Bot, MatchResult, Record, SetTotal, User, Version

HOURS = 8784
_LAST_SETS = 8
_LAST_FAULTS = 10
_GROUPED_FAULTS = 200
_MAX_FAULTS = 500
"""Faults of a tournament that are searched for those of a bot."""


@dataclass(frozen=True, slots=True)
class VersionOfBot:
    """Public data of a bot's version."""

    version: VersionName
    state: Annotated[
        VersionState,
        Field(description="Whether it can be entered: only an active one can."),
    ]
    source: Annotated[VersionSource, Field(description="Way in which the referee reaches it.")]
    verified: Verified
    plays: Plays
    suspended_in: SuspendedIn
    created_at: Annotated[float, Field(description="Since when it is there: seconds since the epoch, UTC.")]
    matches: Annotated[int, Field(description="Matches in tournaments.", examples=[400])]
    faults: Annotated[int, Field(description="Those of them that it ended by a fault.", examples=[0])]

    @property
    def tables(self) -> str:
        """Return what it plays, in words."""
        return declared_tables.words(self.plays)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A version that the bot met, and how the bot did against it."""

    bot: Annotated[str, Field(description="The opponent's name.", examples=["greedy"])]
    version: VersionName
    elo: Annotated[float | None, Field(description="Its Elo.", examples=[1500.0])]
    did: Annotated[CrosstableCell, Field(description="Results of the bot, one for each meeting.")]

    @property
    def met(self) -> int:
        """Count the times they met."""
        return self.did.wins + self.did.draws + self.did.losses

    @property
    def share(self) -> float:
        """Return the share of the points, 0 to 1."""
        return self.did.points / self.met if self.met else 0.5


@dataclass(frozen=True, slots=True)
class PoolOfBot:
    """Position of a bot in one pool."""

    variant: VariantName
    rows: Annotated[
        tuple[Leader, ...], Field(description="The rows of its versions in the Elo table, the newest last.")
    ]
    rated: Annotated[int, Field(description="All rows of the table.", examples=[32])]
    history: Annotated[
        tuple[RatingHistory, ...], Field(description="The ratings of its versions, of the last year.")
    ]
    opponents: Annotated[tuple[Opponent, ...], Field(description="Opponents, the strongest first.")]


@dataclass(frozen=True, slots=True)
class FaultOfBot:
    """A match that the bot ended by a fault."""

    tournament_id: TournamentId
    tournament: TournamentName
    set: SetNumber
    match: MatchNumber
    version: Annotated[str, Field(description="Version.", examples=["1"])]
    kind: Annotated[str, Field(description="The kind of fault.", examples=["timeout"])]
    reason: Annotated[
        str | None,
        Field(
            description="Description of the fault; null until its set is over, and when its record has been deleted."
        ),
    ]
    stored_at: Annotated[
        float, Field(description="Time at which its result was stored, in seconds since the epoch, UTC.")
    ]


@dataclass(frozen=True, slots=True)
class CauseOfFaults:
    """Matches that the bot ended by faults of one kind and cause."""

    kind: Annotated[str, Field(description="The kind of fault.", examples=["crash"])]
    cause: Annotated[
        str, Field(description="Its cause; empty where it is not public.", examples=["exit code 1"])
    ]
    matches: Annotated[int, Field(description="Number of such matches among those looked at.", examples=[66])]
    last: Annotated[FaultOfBot, Field(description="The last of them.")]


@dataclass(frozen=True, slots=True)
class Profile:
    """Public profile of a bot."""

    game: GameId
    bot: BotName
    owner: Annotated[
        str | None, Field(description="Owner of the bot; null for a house bot.", examples=["ada"])
    ]
    house: Annotated[bool, Field(description="Whether it is a house bot.")]
    created_at: Annotated[float, Field(description="Since when it is there: seconds since the epoch, UTC.")]
    versions: Annotated[tuple[VersionOfBot, ...], Field(description="The newest first.")]
    pools: Annotated[tuple[PoolOfBot, ...], Field(description="Pools in which it is rated.")]
    last: Annotated[
        tuple[ListedMatch, ...], Field(description="The matches of its last sets, the newest first.")
    ]
    faults: Annotated[tuple[FaultOfBot, ...], Field(description="Its last faults, the newest first.")]
    causes: Annotated[
        tuple[CauseOfFaults, ...],
        Field(description="Its last 200 faults by their causes, the cause of the newest first."),
    ]
    comparisons: Annotated[
        tuple[VersionComparison, ...],
        Field(description="Tournaments in which two of its versions met, the newest first."),
    ]
    faults_in_all: Annotated[int, Field(description="All its faults in tournaments.", examples=[0])]
    matches_in_all: Annotated[int, Field(description="All its matches in tournaments.", examples=[400])]


def read(store: Store, game: str, name: str) -> Profile:
    """Return the profile of a bot.  Raises UsageError for a game that does not exist, Refusal for a bot."""
    with store.read() as session:
        bot, owner = find(session, game, name)
        versions = session.scalars(
            select(Version).where(Version.bot_id == bot.id).order_by(Version.id.desc())
        ).all()
        numbers = {version.id: version.version for version in versions}
        everything = participation.of(session, numbers)
        entered = participation.without_trials(session, everything)
        compared = participation.without_trials(session, everything, besides=(COMPARISON,))
        last, faults, comparisons = store.cache.get(
            ("profile", bot.id),
            participation.cache_version(session, compared),
            lambda: (
                _last(store, session, entered),
                _faults(store, session, entered, numbers),
                version_comparisons.read(store, session, compared, numbers),
            ),
        )
        return Profile(
            game=game,
            bot=name,
            owner=owner,
            house=bot.house,
            created_at=bot.created_at,
            versions=tuple(_version(game, version, entered) for version in versions),
            pools=tuple(_pools(store, game, name)),
            last=listed_matches.read(store, last),
            faults=faults[:_LAST_FAULTS],
            causes=_causes(faults),
            comparisons=comparisons,
            faults_in_all=sum(each.faults for each in entered),
            matches_in_all=sum(each.matches for each in entered),
        )


def find(session: Session, game: str, name: str) -> tuple[Bot, str | None]:
    """Return a bot and its owner's name.  Raises UsageError for a game that does not exist, Refusal for a bot."""
    registry.find(game)
    query = select(Bot, User.name).outerjoin(User, User.id == Bot.owner_id)
    found = session.execute(query.where(Bot.game == game, Bot.name == name)).first()
    if found is None:
        raise Refusal(
            "bot_unknown",
            say(
                "bot {name!r}: {game} has none of that name; the game's page lists those that are rated",
                name=name[:80],
                game=game,
            ),
            field="name",
            kind=RefusalKind.NOT_FOUND,
        )
    bot, owner = found
    return bot, owner


def _version(game: str, version: Version, entered: Sequence[Participation]) -> VersionOfBot:
    mine = [each for each in entered if each.version_id == version.id]
    return VersionOfBot(
        version=version.version,
        state=cast("VersionState", version.state),
        source=cast("VersionSource", version.source),
        verified=version.source == HOSTED,
        plays=dict(declared_tables.from_text(version.plays).of_game(game)),
        suspended_in={
            variant: each.reason for variant, each in variant_suspensions.read(version.suspensions).items()
        },
        created_at=version.created_at,
        matches=sum(each.matches for each in mine),
        faults=sum(each.faults for each in mine),
    )


def _pools(store: Store, game: str, name: str) -> list[PoolOfBot]:
    found = []
    for variant in registry.find(game).variants:
        board = leaderboards.read(store, game, variant)
        rows = [row for row in board.rows if row.bot == name]
        if rows:
            found.append(
                PoolOfBot(
                    variant,
                    tuple(sorted(rows, key=lambda row: row.version_id)),
                    len(board.rows),
                    rating_history.history_of_bot(store, game, variant, name, HOURS),
                    _opponents(board, rows),
                )
            )
    return found


def _opponents(board: Leaderboard, rows: Sequence[Leader]) -> tuple[Opponent, ...]:
    """Add up whom the versions of a bot met, the strongest first."""
    if board.meetings is None:
        return ()
    did: dict[int, CrosstableCell] = {}
    for row in rows:
        for other, cell in board.meetings.of(row.version_id).items():
            so_far = did.get(other, CrosstableCell(0, 0, 0))
            did[other] = CrosstableCell(
                so_far.wins + cell.wins, so_far.draws + cell.draws, so_far.losses + cell.losses
            )
    known = {row.version_id: row for row in board.rows}
    return tuple(
        Opponent(known[other].bot, known[other].version, known[other].elo, cell)
        for other, cell in sorted(
            did.items(), key=lambda item: -known[item[0]].elo if item[0] in known else 0.0
        )
        if other in known
    )


def _last(store: Store, session: Session, entered: Sequence[Participation]) -> tuple[MatchRow, ...]:
    """List the matches of the last sets, the newest first."""
    rows: list[MatchRow] = []
    left = _LAST_SETS
    for each in entered:
        mine = or_(SetTotal.low == each.version_id, SetTotal.high == each.version_id)
        query = select(SetTotal.set_number).where(SetTotal.tournament_id == each.tournament_id, mine)
        sets = session.scalars(query.distinct().order_by(SetTotal.set_number.desc()).limit(left)).all()
        for number in sets:
            of_set = match_views.of_tournament(store, each.tournament_id, number, 1)
            rows += reversed([row for row in of_set if row.stored_at is not None])
        left -= len(sets)
        if left <= 0:
            break
    return tuple(rows)


def _causes(faults: Sequence[FaultOfBot]) -> tuple[CauseOfFaults, ...]:
    """Group faults, given the newest first, by kind and cause."""
    groups: dict[tuple[str, str], list[FaultOfBot]] = {}
    for fault in faults:
        groups.setdefault((fault.kind, incidents.cause(fault.reason)), []).append(fault)
    return tuple(CauseOfFaults(kind, cause, len(group), group[0]) for (kind, cause), group in groups.items())


def _faults(
    store: Store, session: Session, entered: Sequence[Participation], versions: Mapping[int, str]
) -> tuple[FaultOfBot, ...]:
    """List the last matches that a bot ended by a fault, the newest tournament first."""
    found: list[tuple[StoredPlan, MatchResult, str]] = []
    for each in entered:
        if len(found) >= _GROUPED_FAULTS:  # else each of its tournaments would be read
            break
        if not each.faults:
            continue
        stored = plans.load(store, session, each.tournament_id)
        query = (
            select(MatchResult)
            .where(MatchResult.tournament_id == each.tournament_id, MatchResult.fault_seat.is_not(None))
            .order_by(MatchResult.id.desc())
            .limit(_MAX_FAULTS)
        )
        found += [
            (stored, result, versions[each.version_id])
            for result in session.scalars(query)
            if plans.entry_at(stored, result.set_number, result.match_number, result.fault_seat or 0)
            == each.number
        ][: _GROUPED_FAULTS - len(found)]
    opened = match_views.open_matches(store, session, {match_views.key_of(result) for _, result, _ in found})
    packed = select(Record.result_id, Record.data).where(
        Record.result_id.in_([result.id for _, result, _ in found])
    )
    records = {row.result_id: row.data for row in session.execute(packed)}
    return tuple(
        FaultOfBot(
            tournament_id=stored.tournament_id,
            tournament=stored.name,
            set=result.set_number,
            match=result.match_number,
            version=version,
            kind=result.fault_kind or "",
            reason=(
                incidents.in_words(fault_of(records[result.id]))
                if result.id in records and match_views.key_of(result) in opened
                else None
            ),
            stored_at=result.stored_at,
        )
        for stored, result, version in found
    )
