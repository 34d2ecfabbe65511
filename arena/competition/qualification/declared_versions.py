"""Declared versions: what bots that run elsewhere say they are in their `Hello`.  Nobody has verified that.

    Hello "8" ──▶ "8" becomes the active version, if it has qualified or the operator vouches; the one before is superseded
              ├─▶ "8" waits for its qualification, and the active one stays until it has passed
              └─▶ the active one stays, and its `reason` says why: "8" was withdrawn, has failed or is suspended, or too many
                  were new today

What is entered in a tournament stays the version that was entered.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from arena.bot_registry import bots, quotas
from arena.bundle_format.declared_text import may_be_version
from arena.competition.qualification import verdicts
from arena.core import request_origin
from arena.declarations.declared_tables import GameOffer, offered
from arena.referee_client import DialIn, Endpoint
from arena.storage import Store
from arena.storage.schema import Bot, BotToken, Version

MAX_PER_DAY = 20
"""New versions of one bot in 24 hours: each has a rating of its own, and rows that stay."""
_DAY_S = 24 * 3600
_STAY = {
    bots.WITHDRAWN: "it says it is {said}, which was withdrawn; `arena bot restore` brings that back",
    bots.FAILED: "it says it is {said}, which has failed its qualification; `arena bot restore` has it tried again",
    bots.SUSPENDED: "it says it is {said}, which is suspended after repeated faults; mend it, and give it another version",
}
"""States that a version does not leave by being declared, and the message for its owner."""


def take(store: Store, source: DialIn | Endpoint, said: str, offers: Sequence[GameOffer] = ()) -> None:
    """Make the version that a bot has declared the active one, or have it qualify; store the tables that it offers to play.

    At an endpoint that is several bots, it is all of them.

    What cannot be a version does not change the version, nor does an empty one; a repeated declaration costs no transaction.
    """
    if not may_be_version(said):
        said = ""
    with store.read() as session:
        bot_ids = [
            bot_id
            for bot_id in session.scalars(bots_of(source))
            if not (_stands(session, bot_id, said) and _is_offered(session, bot_id, said, offers))
        ]
    if bot_ids:
        with store.write() as session:
            for bot_id in bot_ids:
                # Several referees may hear of the bot at the same moment.
                bot = session.get_one(Bot, bot_id, with_for_update=True)
                if said:
                    _take(session, bot, said)
                row = _playing(session, bot_id, said)
                if row is not None:
                    row.plays = offered(offers, bot.game).to_text()


def bots_of(source: DialIn | Endpoint) -> Select[int]:
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
    """Return whether the version needs no writing."""
    if not said:
        return True
    same = (Version.bot_id == bot_id, Version.version == said, Version.declared == said)
    active = (Version.state == bots.ACTIVE) & Version.reason.is_(None)
    others = exists().where(
        Version.bot_id == bot_id, Version.state.in_((bots.ACTIVE, bots.WAITING)), Version.version != said
    )
    waits = (Version.state == bots.WAITING) & ~others
    return bool(session.scalar(select(exists().where(*same, active | waits))))


def _is_offered(session: Session, bot_id: int, said: str, offers: Sequence[GameOffer]) -> bool:
    """Return whether the version that a bot plays as has these tables already."""
    row = _playing(session, bot_id, said)
    return row is None or row.plays == offered(offers, session.get_one(Bot, bot_id).game).to_text()


def _playing(session: Session, bot_id: int, said: str) -> Version | None:
    """Return the version that a bot plays as, which has declared this one: the active one, or the one that waits, or its newest."""
    is_said = (Version.version == said) & Version.state.in_((bots.ACTIVE, bots.WAITING))
    order = (is_said, Version.state == bots.ACTIVE, Version.state == bots.WAITING, Version.id)
    query = select(Version).where(Version.bot_id == bot_id).order_by(*[each.desc() for each in order])
    return session.scalars(query.limit(1)).one_or_none()


def _take(session: Session, bot: Bot, said: str) -> None:
    bot_id, owner_id = bot.id, bot.owner_id
    mine = select(Version).where(Version.bot_id == bot_id)
    newest = session.scalars(mine.order_by(Version.id.desc()).limit(1)).one_or_none()
    if newest is None:
        return
    active = session.scalars(mine.where(Version.state == bots.ACTIVE)).one_or_none()
    known = session.scalars(mine.where(Version.version == said)).one_or_none()
    reason = _why_not(session, bot_id, known, said, owned=owner_id is not None)
    if reason is not None:
        told = active or known or newest
        told.declared = said
        if told.state not in {bots.FAILED, bots.SUSPENDED}:  # they have a reason of their own
            told.reason = reason
        return
    row = known or _new(session, newest, said, qualified=owner_id is None)
    for other in session.scalars(mine.where(Version.state == bots.WAITING, Version.id != row.id)):
        other.state, other.declared, other.reason = bots.SUPERSEDED, None, None
    row.declared = said
    if row.qualified:
        row.reason = None
        if row is not active:
            session.flush()
            verdicts.activate(session.connection(), bot_id, row.id, over_newer=True)
    elif row.state != bots.WAITING:
        row.state, row.reason = bots.WAITING, None


def _why_not(session: Session, bot_id: int, known: Version | None, said: str, *, owned: bool) -> str | None:
    """Return why a version cannot become the active one, in words for the bot's owner; None if it can."""
    if known is not None and known.state in _STAY:
        return _STAY[known.state].format(said=said)
    if owned and not quotas.is_counted(session, bot_id):
        return f"it says it is {said}, but the bot was withdrawn; `arena bot restore` brings it back"
    if known is not None:
        return None
    since = time.time() - _DAY_S
    query = select(func.count()).where(Version.bot_id == bot_id, Version.created_at > since)
    if (session.scalar(query) or 0) < MAX_PER_DAY:
        return None
    return (
        f"it says it is {said}, but a bot has at most {MAX_PER_DAY} new versions in 24 hours; "
        "have it connect again later"
    )


def _new(session: Session, before: Version, said: str, *, qualified: bool) -> Version:
    """Add a version that is reached as the one before."""
    row = Version(
        bot_id=before.bot_id,
        version=said,
        source=before.source,
        program=before.program,
        secret=before.secret,
        talks=before.talks,
        state=bots.SUPERSEDED,
        qualified=qualified,
        reason=None,
        created_at=time.time(),
        request_id=request_origin.current(),
    )
    session.add(row)
    session.flush()
    return row
