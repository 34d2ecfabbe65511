"""Trials: tournaments that an author asks for, which count for no table and stand in no list.

A qualification says whether a version may be entered: it plays `random` (and other quick house bots, where a table has
more seats), every seat once, and passes unless a match ends by its fault.  A challenge is a match to look at, a comparison a test of two
versions of one bot.  All are tournaments, so they are played exactly once and go on after whatever was killed; the verdict (`arena.competition.qualification.verdicts`) falls
when they are over.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.bot_registry import bots
from arena.bot_registry.bot_version import BotVersion
from arena.competition import drafts
from arena.competition.drafts import TournamentSpec
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games import registry
from arena.scheduling.stop_rules import Sprt
from arena.storage.schema import Bot, Tournament, Trial, Version

QUALIFICATION: Literal["qualification"] = "qualification"
CHALLENGE: Literal["challenge"] = "challenge"
COMPARISON: Literal["comparison"] = "comparison"
Kind = Literal["qualification", "challenge", "comparison"]
DAY_S = 86_400.0

_FIRST = ("random", "greedy")
_THINKS_LONG = "search"


def begin(
    session: Session,
    kind: Kind,
    author: str,
    entries: Sequence[BotVersion],
    *,
    stop: Sprt | None = None,
    cycles: int = 1,
) -> int:
    """Begin a trial of the first of these versions against the others; gives its tournament's id.  Raises UsageError.

    One with a `stop` is a test of two versions of one owner, which may share their deals.
    """
    first = entries[0]
    spec = TournamentSpec(
        first.game,
        tuple(f"{entry.bot}@{entry.version}" for entry in entries),
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
        )
    )
    session.flush()
    return tournament_id


def _names(entries: Sequence[BotVersion]) -> list[str]:
    """Name the bots; versions of one bot by their numbers."""
    alone = len({entry.bot for entry in entries}) == len(entries)
    return [entry.bot if alone else f"{entry.bot}@{entry.version}" for entry in entries]


def qualify(session: Session, author: str, version: BotVersion) -> int:
    """Begin a version's qualification.  Raises Refusal if there is no house bot to play it."""
    game = registry.find(version.game)
    seats = min(next(iter(game.variants.values())))
    query = bots.with_owners().where(Bot.game == game.id, Bot.house, Version.state == bots.ACTIVE)
    house = [BotVersion(*row) for row in session.execute(query.order_by(Bot.name)).all()]
    house.sort(key=_rank)
    if len(house) < seats - 1 or house[0].bot != _FIRST[0]:
        raise Refusal(
            "no_opponent",
            say(
                "game {id!r}: has no house bots to qualify against; the operator adds them with `arena db upgrade`",
                id=game.id,
            ),
            field="game",
            kind=RefusalKind.UNAVAILABLE,
        )
    return begin(session, QUALIFICATION, author, (version, *house[: seats - 1]))


def count(session: Session, kind: Kind, author: str) -> int:
    """Count the trials of a kind that somebody began in the last day."""
    since = time.time() - DAY_S
    query = select(func.count()).where(Trial.author == author, Trial.kind == kind, Trial.created_at > since)
    return session.scalar(query) or 0


def check_quota(session: Session, kind: Kind, author: str, wanted: int, most: int) -> None:
    """Check that somebody may begin so many more.  Raises Refusal."""
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
    """Return whether a version's qualification is being played."""
    query = (
        select(Trial.tournament_id)
        .join(Tournament, Tournament.id == Trial.tournament_id)
        .where(Trial.version_id == version_id, Trial.kind == QUALIFICATION, Tournament.state == "running")
    )
    return session.scalar(query.limit(1)) is not None


def _rank(bot: BotVersion) -> tuple[bool, int, str]:
    """Put `random` first, then `greedy`, and what thinks long last."""
    first = _FIRST.index(bot.bot) if bot.bot in _FIRST else len(_FIRST)
    return bot.bot == _THINKS_LONG, first, bot.bot
