"""Trials: tournaments of one set that an author asks for, which count for no table and stand in no list.

A qualification says whether a version may be entered: it plays `random` (and other quick house bots, where a table has
more seats), every seat once, and passes unless a match ends by its fault.  A challenge is a match to look at.  Both are
tournaments, so they are played exactly once and go on after whatever was killed; the verdict falls in the transaction of
the last result.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Literal

from sqlalchemy import Connection, func, select, update
from sqlalchemy.orm import Session

from arena.errors import Refusal
from arena.games import registry
from arena.services import bots, drafts, plans
from arena.services.bots import BotVersion
from arena.services.drafts import TournamentSpec
from arena.services.outcomes import ANNULLED
from arena.services.plans import StoredPlan
from arena.store.compression import unpack
from arena.store.schema import Attempt, Bot, MatchOutput, MatchResult, Record, Tournament, Trial, Version

QUALIFICATION: Literal["qualification"] = "qualification"
CHALLENGE: Literal["challenge"] = "challenge"
Kind = Literal["qualification", "challenge"]
DAY_S = 86_400.0

_FIRST = ("random", "greedy")
_THINKS_LONG = "search"
_LONGEST_REASON = 4000
_LONGEST_WORDS = 1000


def begin(session: Session, kind: Kind, author: str, entries: Sequence[BotVersion]) -> int:
    """Begin a trial of the first of these versions against the others; gives its tournament's id.  Raises UsageError."""
    first = entries[0]
    spec = TournamentSpec(
        first.game,
        tuple(f"{entry.bot}@{entry.version}" for entry in entries),
        seats=len(entries),
        name=f"{kind.capitalize()}: {', '.join(entry.bot for entry in entries)}",
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


def qualify(session: Session, author: str, version: BotVersion) -> int:
    """Begin a version's qualification.  Raises Refusal if there is no house bot to play it."""
    game = registry.find(version.game)
    seats = min(next(iter(game.variants.values())))
    query = bots.with_owners().where(Bot.game == game.id, Bot.house, Version.state == bots.ACTIVE)
    house = [bots.bot_version(*row) for row in session.execute(query.order_by(Bot.name)).all()]
    house.sort(key=_rank)
    if len(house) < seats - 1 or house[0].bot != _FIRST[0]:
        raise Refusal(
            "no_opponent",
            f"game {game.id!r}: has no house bots to qualify against; the operator brings them with `arena db upgrade`",
            field="game",
            status=503,
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
            f"{kind}s: {author} has begun {had} in the last 24 hours, at most {most} are possible; try again later",
            status=429,
        )


def is_open(session: Session, version_id: int) -> bool:
    """Say whether a version's qualification is being played."""
    query = (
        select(Trial.tournament_id)
        .join(Tournament, Tournament.id == Trial.tournament_id)
        .where(Trial.version_id == version_id, Trial.kind == QUALIFICATION, Tournament.state == "running")
    )
    return session.scalar(query.limit(1)) is not None


def running(session: Session) -> frozenset[int]:
    """Name the tournaments that are trials, and not over: somebody waits for them."""
    query = select(Trial.tournament_id).join(Tournament, Tournament.id == Trial.tournament_id)
    return frozenset(session.scalars(query.where(Tournament.state == "running")))


def settle(connection: Connection, stored: StoredPlan) -> None:
    """Give the verdict on a tournament that has just ended, if it was a qualification."""
    trial = connection.execute(
        select(Trial.kind, Trial.version_id).where(Trial.tournament_id == stored.tournament_id)
    ).first()
    if trial is None or trial.kind != QUALIFICATION:
        return
    # Two versions of a bot may be judged at the same moment: only one can be the active one.
    mine = select(Version.bot_id).where(Version.id == trial.version_id).scalar_subquery()
    connection.execute(select(Bot.id).where(Bot.id == mine).with_for_update()).one()
    version = connection.execute(
        select(Version.bot_id, Version.state, Version.talks).where(Version.id == trial.version_id)
    ).one()
    reason = _reason(connection, stored, talks=version.talks)
    this = update(Version).where(Version.id == trial.version_id)
    if reason is not None:
        connection.execute(
            this.where(Version.state == bots.WAITING).values(
                state=bots.FAILED, reason=reason[:_LONGEST_REASON]
            )
        )
        return
    connection.execute(this.values(qualified=True, reason=None))
    if version.state == bots.WAITING:
        activate(connection, version.bot_id, trial.version_id, over_newer=False)


def activate(connection: Connection, bot_id: int, version_id: int, *, over_newer: bool) -> None:
    """Make a version the active one, in place of the one before.  The bot is locked by the caller.

    Unless it shall go `over_newer`, a newer one stays in its place.
    """
    active = connection.execute(
        select(Version.id).where(Version.bot_id == bot_id, Version.state == bots.ACTIVE)
    ).scalar()
    state = bots.ACTIVE
    if active is not None and active > version_id and not over_newer:
        state = bots.SUPERSEDED
    elif active is not None:
        connection.execute(
            update(Version)
            .where(Version.id == active)
            .values(state=bots.SUPERSEDED, declared=None, reason=None)
        )
    connection.execute(update(Version).where(Version.id == version_id).values(state=state, reason=None))


def _reason(connection: Connection, stored: StoredPlan, *, talks: bool) -> str | None:
    """Say why the first entry of a qualification has failed, in words for its author; None if it has not."""
    results = connection.execute(
        select(MatchResult, Record.data)
        .outerjoin(Record, Record.result_id == MatchResult.id)
        .where(MatchResult.tournament_id == stored.tournament_id)
        .order_by(MatchResult.set_number, MatchResult.match_number)
    ).all()
    for result in results:
        planned = plans.match(stored, result.set_number, result.match_number, result.attempt)
        seat = planned.seats.index(0)
        where = f"match {result.match_number + 1} of {len(results)}, seat {seat}"
        if result.end == ANNULLED:
            why = connection.execute(
                select(Attempt.reason).where(
                    Attempt.tournament_id == stored.tournament_id,
                    Attempt.set_number == result.set_number,
                    Attempt.match_number == result.match_number,
                )
            ).scalar()
            return f"{where}: the arena could not play it ({why}); `arena bot restore` has it tried again"
        record = json.loads(unpack(result.data))
        if result.fault_seat == seat:
            said = _printed(connection, result.id, seat)
            return f"{where}: {result.fault_kind}: {record['result']['fault']['message']}{said}"
        if registry.find(stored.game).has_talk and record["seats"][seat].get("talks", False) != talks:
            said, does = ("talks", "does not") if talks else ("does not talk", "does")
            return f"{where}: the manifest says that it {said}, and its Hello that it {does}; make them agree"
    return None


def _printed(connection: Connection, result_id: int, seat: int) -> str:
    """Give the end of what a bot printed in a match, as its author wants it."""
    stderr = connection.execute(
        select(MatchOutput.stderr).where(MatchOutput.result_id == result_id, MatchOutput.seat == seat)
    ).scalar()
    words = (stderr or b"").decode(errors="replace").strip()[-_LONGEST_WORDS:]
    return f"; its last words: {words}" if words else ""


def _rank(bot: BotVersion) -> tuple[bool, int, str]:
    """Put `random` first, then `greedy`, and what thinks long last."""
    first = _FIRST.index(bot.bot) if bot.bot in _FIRST else len(_FIRST)
    return bot.bot == _THINKS_LONG, first, bot.bot
