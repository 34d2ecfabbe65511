"""Trials: tournaments that an author asks for, which count for no table and appear in no list.

A qualification says whether a version may be entered: in each variant that it declares, at the fewest and at the most seats, it
plays `random` (and other quick house bots, where a table has more seats), every seat once, and passes unless a match ends by
its fault.  Each of these tables is a trial; together they are one batch.  A challenge is a match to look at, a comparison a test of two
versions of one bot.  All are tournaments, so they are played exactly once and go on after the death of any process; the verdict (`arena.competition.qualification.verdicts`) falls
when they are over.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from arena.bot_registry import bots
from arena.bot_registry.bot_version import BotVersion
from arena.competition import drafts, tournament_states
from arena.competition.drafts import TournamentSpec
from arena.competition.trial_kinds import QUALIFICATION, Kind
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games import registry
from arena.scheduling.stop_rules import Sprt
from arena.storage.schema import Bot, Tournament, Trial, Version

DAY_S = 86_400.0

_FIRST = ("random", "greedy")
_THINKS_LONG = "search"


def begin(
    session: Session,
    kind: Kind,
    author: str,
    entries: Sequence[BotVersion],
    *,
    variant: str,
    stop: Sprt | None = None,
    cycles: int = 1,
    batch: int | None = None,
) -> int:
    """Begin a trial of the first of these versions against the others; return its tournament's id.  Raises UsageError.

    One with a `stop` is a test of two versions of one owner, which may share their deals.  `batch` is the first trial of a
    qualification that this one belongs to.
    """
    first = entries[0]
    spec = TournamentSpec(
        first.game,
        tuple(f"{entry.bot}@{entry.version}" for entry in entries),
        variant=variant,
        seats=len(entries),
        stop=stop,
        cycles=cycles,
        trusted=stop is not None,
        name=f"{kind.capitalize()}: {', '.join(_names(entries))}",
    )
    tournament_id = drafts.begin(session, drafts.make(spec, entries, rated=False), kind)
    session.add(
        Trial(
            tournament_id=tournament_id,
            kind=kind,
            version_id=first.version_id,
            author=author,
            created_at=time.time(),
            batch=batch,
        )
    )
    session.flush()
    return tournament_id


def common_variant(entries: Sequence[BotVersion]) -> str:
    """Return the first variant that all these versions play together at one table.  Raises Refusal."""
    game, seats = registry.find(entries[0].game), len(entries)
    tables = [variant for variant, counts in game.variants.items() if seats in counts]
    for variant in tables:
        if all(entry.can_play(variant, seats) for entry in entries):
            return variant
    for entry in entries:  # name one that is in the way of the first variant
        if tables:
            bots.check_plays(entry, tables[0], seats)
    return next(iter(game.variants))


def _names(entries: Sequence[BotVersion]) -> list[str]:
    """Name the bots; versions of one bot by their numbers."""
    alone = len({entry.bot for entry in entries}) == len(entries)
    return [entry.bot if alone else f"{entry.bot}@{entry.version}" for entry in entries]


def qualify(session: Session, author: str, version: BotVersion) -> int:
    """Begin a version's qualification; return its first tournament's id.

    Raises Refusal if it declares nothing of its game, or if there is no house bot to play it.
    """
    game = registry.find(version.game)
    tables = version.tables.of_game(game.id)
    if not tables:
        raise Refusal(
            "table_not_played",
            say(
                "bot {bot}@{version}: its Hello does not offer {game}; name the game there, or leave the list of games empty",
                bot=version.bot,
                version=version.version,
                game=game.id,
            ),
            field="games",
        )
    query = bots.with_owners().where(Bot.game == game.id, Bot.house, Version.state == bots.ACTIVE)
    house = [BotVersion(*row) for row in session.execute(query.order_by(Bot.name)).all()]
    house.sort(key=_rank)
    fewest = min(min(counts) for counts in tables.values())
    if len(house) < fewest - 1 or house[0].bot != _FIRST[0]:
        raise Refusal(
            "no_opponent",
            say(
                "game {id!r}: has no house bots to qualify against; the operator adds them with `arena db upgrade`",
                id=game.id,
            ),
            field="game",
            kind=RefusalKind.UNAVAILABLE,
        )
    quick = sum(bot.bot != _THINKS_LONG for bot in house)
    first: int | None = None
    for variant, counts in tables.items():
        most = max((seats for seats in counts if seats <= quick + 1), default=min(counts))
        for seats in sorted({min(counts), most}):
            if seats <= len(house) + 1:
                entries = (version, *house[: seats - 1])
                began = begin(session, QUALIFICATION, author, entries, variant=variant, batch=first)
                first = first or began
    assert first is not None  # noqa: S101 - the fewest seats have been filled
    return first


def count(session: Session, kind: Kind, author: str) -> int:
    """Count the trials of a kind that an author began in the last day; a qualification at several tables is one."""
    since = time.time() - DAY_S
    mine = (Trial.author == author, Trial.kind == kind, Trial.created_at > since, Trial.batch.is_(None))
    return session.scalar(select(func.count()).where(*mine)) or 0


def check_quota(session: Session, kind: Kind, author: str, wanted: int, most: int) -> None:
    """Check that an author may begin `wanted` more.  Raises Refusal."""
    had = count(session, kind, author)
    if had + wanted > most:
        raise Refusal(
            "quota_exhausted",
            say(
                "{kind}s: {author} has begun {had} in the last 24 hours, at most {most} are possible; try again later",
                kind=say(kind),
                author=author,
                had=had,
                most=most,
            ),
            kind=RefusalKind.TOO_MANY,
        )


def is_open(session: Session, version_id: int) -> bool:
    """Return whether a version's qualification is being played, and has not failed at one of its tables."""
    query = select(Trial.tournament_id).where(Trial.version_id == version_id, undecided())
    return session.scalar(query.limit(1)) is not None


def undecided() -> ColumnElement[bool]:
    """Select trials of qualifications that are being played, and have not failed at one of their tables."""
    other = aliased(Trial)
    batch = func.coalesce(Trial.batch, Trial.tournament_id)
    failed = (
        exists()
        .where(func.coalesce(other.batch, other.tournament_id) == batch, other.passed.is_(False))
        .correlate(Trial)
    )
    running = (
        exists()
        .where(Tournament.id == Trial.tournament_id, Tournament.state.not_in(tournament_states.OVER))
        .correlate(Trial)
    )
    return (Trial.kind == QUALIFICATION) & running & ~failed


def last_of(session: Session, version_id: int) -> int | None:
    """Return the tournament that shows a version's last qualification: of several, the one that it failed, or else the first."""
    mine = (Trial.version_id == version_id, Trial.kind == QUALIFICATION)
    newest = session.scalar(select(func.max(func.coalesce(Trial.batch, Trial.tournament_id))).where(*mine))
    batch = or_(Trial.tournament_id == newest, Trial.batch == newest)
    query = select(Trial.tournament_id).where(*mine, batch)
    return session.scalar(query.order_by(Trial.passed.is_(False).desc(), Trial.tournament_id).limit(1))


def _rank(bot: BotVersion) -> tuple[bool, int, str]:
    """Put `random` first, then `greedy`, and what thinks long last."""
    first = _FIRST.index(bot.bot) if bot.bot in _FIRST else len(_FIRST)
    return bot.bot == _THINKS_LONG, first, bot.bot
