"""Profiles: what the public may know of a bot: its versions, ratings, opponents, last sets and faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from arena.bot_registry.bots import HOSTED
from arena.competition import plans
from arena.competition.matches import incidents
from arena.competition.plans import StoredPlan
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games import registry
from arena.rankings import leaderboards, measures
from arena.rankings.leaderboards import Leader, Leaderboard
from arena.rankings.read_models import CrosstableCell, MatchRow, RatingHistory
from arena.reports import match_views, participation
from arena.reports.participation import Participation
from arena.storage import Store
from arena.storage.cache import cached
from arena.storage.record_compression import fault_of
from arena.storage.schema import Bot, MatchResult, Record, SetTotal, User, Version

HOURS = 8784
_LAST_SETS = 8
_LAST_FAULTS = 10
_MAX_FAULTS = 500
"""So many faults of a tournament are looked through for those of a bot."""


@dataclass(frozen=True, slots=True)
class VersionOfBot:
    """A version, as everybody may know it; `created_at` is in seconds since the epoch, UTC."""

    version: str
    state: str
    source: str
    verified: bool
    created_at: float
    matches: int
    faults: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """A version that a bot met in a pool, and how the bot did against it; its Elo is None where it has none."""

    bot: str
    version: str
    elo: float | None
    did: CrosstableCell

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
    """How a bot stands in one pool: its rated versions, the newest last, the size of the table, whom it met."""

    variant: str
    rows: tuple[Leader, ...]
    rated: int
    history: tuple[RatingHistory, ...]
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True, slots=True)
class FaultOfBot:
    """A match that a bot ended by a fault: its kind, and its reason where the record is public and kept."""

    tournament_id: int
    tournament: str
    set: int
    match: int
    version: str
    kind: str
    reason: str | None
    stored_at: float


@dataclass(frozen=True, slots=True)
class Profile:
    """All that the public may know of a bot; `owner` is None for the house."""

    game: str
    bot: str
    owner: str | None
    house: bool
    created_at: float
    versions: tuple[VersionOfBot, ...]
    pools: tuple[PoolOfBot, ...]
    last: tuple[MatchRow, ...]
    faults: tuple[FaultOfBot, ...]
    faults_in_all: int
    matches_in_all: int


def read(store: Store, game: str, name: str) -> Profile:
    """Return the profile of a bot.  Raises UsageError for a game that does not exist, Refusal for a bot."""
    registry.find(game)
    with store.read() as session:
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
        versions = session.scalars(
            select(Version).where(Version.bot_id == bot.id).order_by(Version.id.desc())
        ).all()
        numbers = {version.id: version.version for version in versions}
        entered = participation.without_trials(session, participation.of(session, numbers))
        last, faults = cached(
            store,
            ("profile", bot.id),
            participation.cache_version(session, entered),
            lambda: (_last(store, session, entered), _faults(store, session, entered, numbers)),
        )
        return Profile(
            game=game,
            bot=name,
            owner=owner,
            house=bot.house,
            created_at=bot.created_at,
            versions=tuple(_version(version, entered) for version in versions),
            pools=tuple(_pools(store, game, name)),
            last=last,
            faults=faults,
            faults_in_all=sum(each.faults for each in entered),
            matches_in_all=sum(each.matches for each in entered),
        )


def _version(version: Version, entered: Sequence[Participation]) -> VersionOfBot:
    mine = [each for each in entered if each.version_id == version.id]
    return VersionOfBot(
        version=version.version,
        state=version.state,
        source=version.source,
        verified=version.source == HOSTED,
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
                    measures.history_of_bot(store, game, variant, name, HOURS),
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


def _faults(
    store: Store, session: Session, entered: Sequence[Participation], versions: Mapping[int, str]
) -> tuple[FaultOfBot, ...]:
    """List the last matches that a bot ended by a fault, the newest tournament first."""
    found: list[tuple[StoredPlan, MatchResult, str]] = []
    for each in entered:
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
        ][: _LAST_FAULTS - len(found)]
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
