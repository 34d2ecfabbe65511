"""Quotas: how many bots of a game an author may have, and how many bytes of uploads.

The operator and the house have none.  Checks lock the author's row, so of two requests at the same moment the second sees
what the first has added.
"""

from __future__ import annotations

import time

from sqlalchemy import ColumnElement, exists, func, literal, select
from sqlalchemy.orm import Session, aliased

from arena.accounts.actors import Actor
from arena.bot_registry import version_states
from arena.bundle_format import bundle
from arena.bundle_format.bundle import Bundle as Upload
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.storage.schema import Bot, Bundle, User, Version

MAX_BOTS = 10
"""Bots of one author in one game, if the operator has not set another number."""
MAX_MIB = 500
"""MiB of uploads of one author, if the operator has not set another number."""
_MIB = 1 << 20
_DAY_S = 86_400.0


def lock(session: Session, actor: Actor) -> None:
    """Keep other requests of the same author waiting until the end of the transaction."""
    if actor.user_id:
        session.execute(select(User.id).where(User.id == actor.user_id).with_for_update())


def check_bots(session: Session, actor: Actor, game: str, name: str, most: int, *, new: bool = True) -> None:
    """Check that an author may have one bot of a game more, a `new` one or one that was withdrawn.  Raises Refusal.

    New ones are also limited in a day: withdrawing a bot makes room for another, but its name stays taken.
    """
    if not actor.user_id:
        return
    lock(session, actor)
    mine = (Bot.owner_id == actor.user_id, Bot.game == game)
    had = session.scalar(select(func.count(Bot.id)).where(*mine, _plays())) or 0
    if had >= most:
        raise _too_many(
            say(
                "name {name!r}: {author} has {had} of at most {most} bots of {game} already; withdraw one first",
                name=name,
                author=actor.name,
                had=had,
                game=game,
                most=most,
            )
        )
    made = select(func.count(Bot.id)).where(*mine, Bot.created_at > time.time() - _DAY_S)
    if new and (session.scalar(made) or 0) >= most:
        raise _too_many(
            say(
                "name {name!r}: {author} has added {most} bots of {game} in the last 24 hours, the maximum; "
                "try again later, or submit this one as a new version of an existing bot",
                name=name,
                author=actor.name,
                most=most,
                game=game,
            )
        )


def is_counted(session: Session, bot_id: int) -> bool:
    """Return whether a bot counts as one that its author has: it was not withdrawn."""
    return bool(session.scalar(select(exists().where(Bot.id == bot_id, _plays()))))


def count_bots(session: Session, owner_id: int) -> dict[str, int]:
    """Return the number of an author's bots by game, of the games where it is not zero."""
    query = select(Bot.game, func.count(Bot.id)).where(Bot.owner_id == owner_id, _plays())
    return dict(session.execute(query.group_by(Bot.game).order_by(Bot.game)).all())


def count_bytes(session: Session, owner_id: int) -> int:
    """Return the size of all uploads that are kept for the versions of an author, each counted once."""
    programs = (
        select(Version.program)
        .join(Bot, Bot.id == Version.bot_id)
        .where(Bot.owner_id == owner_id, Version.source == version_states.HOSTED)
    )
    named = literal(bundle.PREFIX) + Bundle.sha256
    return session.scalar(select(func.sum(func.length(Bundle.data))).where(named.in_(programs))) or 0


def check_bytes(session: Session, actor: Actor, upload: Upload, most_mib: int) -> None:
    """Check that an author's uploads have room for one more; `upload` is not kept yet.  Raises Refusal."""
    if not actor.user_id:
        return
    lock(session, actor)
    _check_room(session, actor, len(upload.data), most_mib)


def check_any_room(session: Session, actor: Actor, most_mib: int) -> None:
    """Check that an author's uploads have room for a single byte more, before one is sent.  Raises Refusal."""
    if actor.user_id:
        _check_room(session, actor, 1, most_mib)


def _check_room(session: Session, actor: Actor, size: int, most_mib: int) -> None:
    used = count_bytes(session, actor.user_id)
    if used + size > most_mib * _MIB:
        raise Refusal(
            "storage_exhausted",
            say(
                "upload of {bytes} bytes: {author}'s uploads have {used} bytes already, at most {most} are possible; "
                "old ones are deleted in time; until then submit smaller files",
                bytes=size,
                author=actor.name,
                used=used,
                most=most_mib * _MIB,
            ),
            field="upload",
            kind=RefusalKind.TOO_LARGE,
        )


def _plays() -> ColumnElement[bool]:
    """Select the bots that were not withdrawn: a version can be entered or qualifies, or the newest failed or is suspended."""
    later = aliased(Version)
    newest = ~exists().where(later.bot_id == Bot.id, later.id > Version.id).correlate(Bot, Version)
    plays = Version.state.in_((version_states.ACTIVE, version_states.WAITING))
    stopped = Version.state.in_((version_states.FAILED, version_states.SUSPENDED)) & newest
    return exists().where(Version.bot_id == Bot.id, plays | stopped).correlate(Bot)


def _too_many(message: str) -> Refusal:
    return Refusal("too_many_bots", message, field="name", kind=RefusalKind.CONFLICT)
