"""Arrivals: bots that run elsewhere are noted when they are there, and qualify before they can be entered.

    added ──▶ waiting ──▶ connects (or is dialled) ──▶ its qualification is played ──▶ active
                                                                                  └──▶ failed

Presence is recorded in the store, so that ladders draw from what lasts, and so that the process with the reconciler's
lease can begin the qualifications.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, Select, exists, or_, select, update
from sqlalchemy.orm import Session

from arena.bot_registry import bots
from arena.competition import trial_kinds
from arena.competition.qualification import trials
from arena.competition.qualification.declared_versions import bots_of
from arena.core import request_origin
from arena.core.errors import Refusal
from arena.referee_client import DialIn, Endpoint
from arena.storage import Store
from arena.storage.schema import Bot, BotToken, Trial, User, Version

NOTED_EVERY_S = 30.0
"""The interval at which a bot that stays connected is noted."""
SEEN_S = 120.0
"""For how long a bot counts as there after it was noted: some missed notes, and clocks that differ a little."""
_AT_ONCE = 500
_MAX_BEGUN = 20
"""Qualifications begun in one call, so that the reconciler has time for everything else."""


def note(store: Store, sources: Iterable[DialIn | Endpoint], now: float) -> None:
    """Note that these bots are connected, or have answered where they are dialled; `now` is the time by the database's clock."""
    tokens, endpoints = [], []
    for source in sources:
        if isinstance(source, DialIn):
            tokens.append(source.token_id)
        else:
            endpoints.append(source)
    if not tokens and not endpoints:
        return
    with store.write() as session:
        for first in range(0, len(tokens), _AT_ONCE):
            ids = sorted(tokens)[first : first + _AT_ONCE]
            _note(session, Bot.id.in_(select(BotToken.bot_id).where(BotToken.id.in_(ids))), now)
        for endpoint in endpoints:
            _note(session, Bot.id.in_(bots_of(endpoint)), now)


def is_there(now: float) -> ColumnElement[bool]:
    """Select, of `bot` joined with `version`, those that can play now as far as is known.

    Hosted bots always can; one that dials in if it was connected of late.  An endpoint shows only when it is dialled.
    """
    return or_(Version.source != bots.DIAL_IN, Bot.seen_at > now - SEEN_S)


def qualify(store: Store, now: float, most: int) -> int:
    """Begin the qualifications of the bots that are there and wait for them; return how many.

    `most` is how many one author may begin in 24 hours: beyond it a bot waits on, and its owner sees why.
    """
    return sum(begin(store, version_id, now, most) for version_id in due(store, now, most))


def due(store: Store, now: float, most: int) -> tuple[int, ...]:
    """List the versions whose qualification may begin now, at most some at once."""
    with store.read() as session:
        found = [
            version.id
            for version, author in session.execute(_waiting(now))
            if version.reason is None or _why_not(session, author, most) is None
        ]
    return tuple(found[:_MAX_BEGUN])


def _note(session: Session, which: ColumnElement[bool], now: float) -> None:
    session.execute(update(Bot).where(which).values(seen_at=now).execution_options(synchronize_session=False))


def _waiting(now: float) -> Select[Version, str]:
    """Select the versions whose qualification can begin now, with the names of their authors."""
    is_open = exists().where(Trial.version_id == Version.id, trials.undecided())
    return (
        select(Version, User.name)
        .join(Bot, Bot.id == Version.bot_id)
        .join(User, User.id == Bot.owner_id)
        .where(Version.state == bots.WAITING, Version.source != bots.HOSTED, is_there(now), ~is_open)
        .order_by(Version.id)
    )


def begin(store: Store, version_id: int, now: float, most: int) -> bool:
    """Begin a qualification unless something has changed; the bot's owner sees what prevents it."""
    with store.write() as session:
        bot_id = session.get_one(Version, version_id).bot_id
        bot = session.get_one(Bot, bot_id, with_for_update=True)
        found = session.execute(_waiting(now).where(Version.id == version_id)).first()
        if found is None:
            return False
        version, author = found
        version.reason = _why_not(session, author, most)
        if version.reason is not None:
            return False
        try:
            with request_origin.caused_by(version.request_id):
                trials.qualify(session, author, bots.bot_version(version, bot, author))
        except Refusal as refusal:
            version.reason = str(refusal)
            return False
        return True


def _why_not(session: Session, author: str, most: int) -> str | None:
    """Return what keeps an author's bots from qualifying now, None if nothing does."""
    try:
        trials.check_quota(session, trial_kinds.QUALIFICATION, author, 1, most)
    except Refusal as refusal:
        return str(refusal)
    return None
