"""Declared versions: what bots that run elsewhere say they are in their `Hello`.  Nobody has verified that.

    Hello "8" ──▶ "8" becomes the active version, be it new or known; the one before is superseded
              └─▶ the active one stays, and its `reason` says why: "8" was withdrawn, or too many were new today

What is entered in a tournament stays the version that was entered.
"""

from __future__ import annotations

import time

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from arena.play import DialIn, Endpoint
from arena.services import bots, verdicts
from arena.store import Store
from arena.store.schema import Bot, BotToken, Version
from arena.submit.declared import may_be_version

MOST_PER_DAY = 20
"""New versions of one bot in 24 hours: each has a rating of its own, and rows that stay."""
_DAY_S = 24 * 3600


def take(store: Store, source: DialIn | Endpoint, said: str) -> None:
    """Make the version that a bot has said it is the active one.  At an endpoint that is several bots, it is all of them.

    What cannot be a version changes nothing, nor does an empty one; what is said again costs no transaction.
    """
    if not may_be_version(said):
        return
    with store.read() as session:
        bot_ids = [bot_id for bot_id in session.scalars(_bots(source)) if not _stands(session, bot_id, said)]
    if bot_ids:
        with store.write() as session:
            for bot_id in bot_ids:
                _take(session, bot_id, said)


def _bots(source: DialIn | Endpoint) -> Select[int]:
    """Select the bots that a source is, in the order in which they are locked."""
    if isinstance(source, DialIn):
        return select(BotToken.bot_id).where(BotToken.id == source.token_id)
    return (
        select(Version.bot_id)
        .where(
            Version.source == bots.ENDPOINT,
            Version.program == source.address,
            func.coalesce(Version.secret, "") == source.secret,
        )
        .distinct()
        .order_by(Version.bot_id)
    )


def _stands(session: Session, bot_id: int, said: str) -> bool:
    """Whether there is nothing to write."""
    active = (Version.bot_id == bot_id, Version.state == bots.ACTIVE)
    same = (Version.version == said, Version.declared == said, Version.reason.is_(None))
    return bool(session.scalar(select(exists().where(*active, *same))))


def _take(session: Session, bot_id: int, said: str) -> None:
    # Several referees may hear of the bot at the same moment.
    session.execute(select(Bot.id).where(Bot.id == bot_id).with_for_update())
    mine = select(Version).where(Version.bot_id == bot_id)
    newest = session.scalars(mine.order_by(Version.id.desc()).limit(1)).one_or_none()
    if newest is None:
        return
    active = session.scalars(mine.where(Version.state == bots.ACTIVE)).one_or_none()
    row = session.scalars(mine.where(Version.version == said)).one_or_none()
    reason = _why_not(session, bot_id, row, said)
    if reason is not None:
        row = active or newest
    elif row is None:
        row = _new(session, newest, said)
    if reason is None and row is not active:
        verdicts.activate(session.connection(), bot_id, row.id, over_newer=True)
    row.declared, row.reason = said, reason


def _why_not(session: Session, bot_id: int, known: Version | None, said: str) -> str | None:
    """Say why a version cannot become the active one, in words for the bot's owner; None if it can."""
    if known is not None:
        if known.state != bots.WITHDRAWN:
            return None
        return f"it says it is {said}, which was withdrawn; `arena bot restore` brings that back"
    since = time.time() - _DAY_S
    query = select(func.count()).where(Version.bot_id == bot_id, Version.created_at > since)
    if (session.scalar(query) or 0) < MOST_PER_DAY:
        return None
    return (
        f"it says it is {said}, but a bot has at most {MOST_PER_DAY} new versions in 24 hours; "
        "have it connect again later"
    )


def _new(session: Session, before: Version, said: str) -> Version:
    """Add a version that is reached as the one before."""
    row = Version(
        bot_id=before.bot_id,
        version=said,
        source=before.source,
        program=before.program,
        secret=before.secret,
        talks=before.talks,
        state=bots.SUPERSEDED,
        qualified=True,
        reason=None,
        created_at=time.time(),
    )
    session.add(row)
    session.flush()
    return row
