"""Bots: who can take part, and how a referee reaches them.

A bot is a name in one game.  House bots are started by the arena; those of others run elsewhere: they dial in with a
token, or listen at an address.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import quotas, stored_bundles, version_states
from arena.bot_registry.bot_version import BotVersion
from arena.bundle_format.manifest_fields import check_name
from arena.core import request_origin
from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.translatable import mark, say
from arena.games import registry
from arena.net.address import parse
from arena.net.address_policy import check_said
from arena.referee_client import DialIn, Endpoint, Source
from arena.storage import Store
from arena.storage.schema import Bot, BotToken, User, Version

FIRST_VERSION = "1"
HOSTED, DIAL_IN, ENDPOINT = version_states.HOSTED, version_states.DIAL_IN, version_states.ENDPOINT
ACTIVE, WAITING, FAILED = version_states.ACTIVE, version_states.WAITING, version_states.FAILED
SUPERSEDED, WITHDRAWN, SUSPENDED = (
    version_states.SUPERSEDED,
    version_states.WITHDRAWN,
    version_states.SUSPENDED,
)

_WHY = {
    WAITING: mark(
        "waits for its qualification, which for a bot that runs elsewhere begins when it is connected; enter it when it has passed"
    ),
    FAILED: mark("has failed its qualification; its author is told why, and can submit a better one"),
    WITHDRAWN: mark("was withdrawn; its owner can bring it back with `arena bot restore`"),
    SUSPENDED: mark(
        "is suspended after repeated faults; its author can submit a better one, an admin can bring it back with `arena bot restore`"
    ),
}

_MAX_SECRET_CHARS = 200
_ID_BYTES = 12
"""16 characters in base 64."""
_TOKEN_BYTES = 32
_NO_TOKEN = "none"  # noqa: S105 - an id that no token has
"""Where a bot has no token: it can never be there."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made: the one moment at which it can be read."""

    game: str
    bot: str
    token_id: str
    token: str


def register_house(store: Store, bots: Mapping[str, Sequence[str]]) -> None:
    """Make sure that the house bots are known: game → their names.  Those that are there stay as they are."""
    with store.write() as session:
        known = {
            (game, name)
            for game, name in session.execute(select(Bot.game, Bot.name).where(Bot.game.in_(bots)))
        }
        missing = [
            _bot(game, name, house=True)
            for game, names in bots.items()
            for name in names
            if (game, name) not in known
        ]
        session.add_all(missing)
        session.flush()
        session.add_all(_first_version(bot, HOSTED, f"house:{bot.game}/{bot.name}") for bot in missing)


def add_dial_in(
    store: Store,
    actor: Actor,
    game: str,
    name: str,
    *,
    owner: str | None = None,
    most: int = quotas.MAX_BOTS,
) -> NewToken:
    """Add a bot that connects by itself, and make its token; it qualifies when it is first there.

    It is the actor's, whose bots of a game are at most `most`, or that of the `owner` for whom an admin adds it.
    Raises UsageError.
    """
    actor.require("bots")
    registry.find(game)
    check_name(name)
    with _adding(store, game, name) as session:
        owner_id = _owner(session, actor, game, name, owner, most)
        bot = _add(session, game, name, DIAL_IN, "", owner_id=owner_id)
        audit_log.note(session, actor.name, "bot.add", _subject(bot), source=DIAL_IN)
        return _new_token(session, bot)


def add_endpoint(
    store: Store,
    actor: Actor,
    game: str,
    name: str,
    address: str,
    secret: str | None = None,
    *,
    private: bool = False,
    owner: str | None = None,
    most: int = quotas.MAX_BOTS,
) -> BotVersion:
    """Add a bot that listens at an address (`arena.net.address`); the secret is presented to it.

    Whose it is, and how many there may be, is as of `add_dial_in`.
    Only what the address says by itself is checked here, unless `private` ones are allowed: what its name leads to
    is checked whenever it is dialled.  Raises UsageError.
    """
    actor.require("bots")
    registry.find(game)
    check_name(name)
    try:
        where = parse(address)
    except UsageError as error:
        raise Refusal("address_invalid", str(error), field="address") from error
    if not private:
        check_said(where)
    secret = None if secret is None else secret.strip()
    if secret is not None and not (
        0 < len(secret) <= _MAX_SECRET_CHARS
        and secret.isascii()
        and secret.isprintable()
        and " " not in secret
    ):
        raise Refusal(
            "secret_invalid",
            say(
                "secret of {length} characters: must be 1 to {most} of ASCII, without blanks",
                length=len(secret),
                most=_MAX_SECRET_CHARS,
            ),
            field="secret",
        )
    with _adding(store, game, name) as session:
        owner_id = _owner(session, actor, game, name, owner, most)
        bot = _add(session, game, name, ENDPOINT, address, secret=secret, owner_id=owner_id)
        audit_log.note(session, actor.name, "bot.add", _subject(bot), source=ENDPOINT, address=address)
        session.flush()
        return find_in(session, game, name)


def renew_token(store: Store, actor: Actor, game: str, name: str) -> NewToken:
    """Renew the token of a dial-in bot; the one that it had counts no longer.  Raises UsageError."""
    actor.require("bots")
    with store.write() as session:
        bot = _dial_in_bot(session, actor, game, name)
        audit_log.note(session, actor.name, "bot.token", _subject(bot))
        session.execute(delete(BotToken).where(BotToken.bot_id == bot.id))
        return _new_token(session, bot)


def revoke_token(store: Store, actor: Actor, game: str, name: str) -> bool:
    """Take a dial-in bot's token away, so that it can no longer connect.  False if it had none.  Raises UsageError."""
    actor.require("bots")
    with store.write() as session:
        bot = _dial_in_bot(session, actor, game, name)
        audit_log.note(session, actor.name, "bot.revoke", _subject(bot))
        gone = delete(BotToken).where(BotToken.bot_id == bot.id).returning(BotToken.id)
        return session.execute(gone).first() is not None


def admitted(store: Store) -> dict[str, bytes]:
    """Return the tokens with which dial-in bots may connect: id → SHA-256."""
    with store.read() as session:
        return {row.id: row.sha256 for row in session.scalars(select(BotToken).order_by(BotToken.id))}


def sources_in(session: Session, version_ids: Sequence[int]) -> dict[int, Source]:
    """Return how a referee reaches each version that runs elsewhere, as of now; hosted ones are left out."""
    if not version_ids:
        return {}
    query = (
        select(Version, BotToken.id)
        .outerjoin(BotToken, BotToken.bot_id == Version.bot_id)
        .where(Version.id.in_(version_ids), Version.source != HOSTED)
    )
    return {
        version.id: Endpoint(version.program, version.secret or "")
        if version.source == ENDPOINT
        else DialIn(token_id or _NO_TOKEN)
        for version, token_id in session.execute(query)
    }


def find(store: Store, game: str, name: str) -> BotVersion:
    """Find a bot of a game by its name, `greedy` (its active version, or else its newest) or `greedy@1`.

    Raises UsageError naming the bots there are.
    """
    with store.read() as session:
        return find_in(session, game, name)


def listing(store: Store, game: str | None = None, *, house: bool = False) -> tuple[BotVersion, ...]:
    """List all versions of all bots, of one game if it is given, or the house's only, by game, bot and age."""
    with store.read() as session:
        query = with_owners().order_by(Bot.game, Bot.name, Version.id)
        if game is not None:
            query = query.where(Bot.game == game)
        if house:
            query = query.where(Bot.house.is_(True))
        return tuple(BotVersion(*row) for row in session.execute(query))


def count_active(store: Store) -> Mapping[str, int]:
    """Count the bots of each game that can be entered; games without any are left out."""
    query = select(Bot.game, func.count().label("active")).join(Version, Version.bot_id == Bot.id)
    with store.read() as session:
        rows = session.execute(query.where(Version.state == ACTIVE).group_by(Bot.game))
        return {row.game: row.active for row in rows}


def find_in(session: Session, game: str, name: str, field: str = "bots") -> BotVersion:
    """Find a bot as `find` does, inside a transaction; `field` is the part of the request that names it."""
    bot_name, _, number = name.partition("@")
    query = (
        with_owners()
        .where(Bot.game == game, Bot.name == bot_name)
        .order_by((Version.state == ACTIVE).desc(), Version.id.desc())
        .limit(1)
    )
    if number:
        query = query.where(Version.version == number)
    found = session.execute(query).first()
    if found is None:
        raise _unknown(session, game, name, field)
    return BotVersion(*found)


def _unknown(session: Session, game: str, name: str, field: str) -> Refusal:
    """Return what there is instead of a bot: other versions of it, other games of it, other bots."""
    bot_name, _, number = name[:80].partition("@")
    games = sorted(session.scalars(select(Bot.game).where(Bot.name == bot_name)))
    if game in games:
        its = select(Version.version).join(Bot, Bot.id == Version.bot_id).order_by(Version.id)
        has = ", ".join(session.scalars(its.where(Bot.game == game, Bot.name == bot_name)))
        said = say(
            "bot {name!r}: has no version {number!r}; {game} has {has}",
            name=bot_name,
            number=number,
            game=game,
            has=has,
        )
        return Refusal("bot_unknown", said, field=field, kind=RefusalKind.NOT_FOUND)
    if games:
        said = say(
            "bot {name!r}: does not play {game}; it plays {games}",
            name=bot_name,
            game=game,
            games=", ".join(games),
        )
        return Refusal("other_game", said, field=field)
    names = sorted(session.scalars(select(Bot.name).where(Bot.game == game)))
    has = ", ".join(names) or say("no bots yet; `arena up` adds the house bots")
    return Refusal(
        "bot_unknown",
        say("bot {name!r}: {game} has {has}", name=name[:80], game=game, has=has),
        field=field,
        kind=RefusalKind.NOT_FOUND,
    )


def check_enterable(session: Session, found: BotVersion, *, superseded: bool, field: str = "bots") -> None:
    """Check that a version can be entered: the active one, or one of ours to start that is superseded, if those may.

    Of a bot that runs elsewhere only the version that is connected can play, of an upload one whose files are kept.
    Raises Refusal.
    """
    if found.state == ACTIVE:
        return
    if found.state == SUPERSEDED and found.hosted and superseded:
        stored_bundles.check_kept(session, found, field)
        return
    why = _why_not_superseded(session, found) if found.state == SUPERSEDED else say(_WHY[found.state])
    raise Refusal(
        "not_active",
        say("bot {bot}@{version}: {why}", bot=found.bot, version=found.version, why=why),
        field=field,
        kind=RefusalKind.CONFLICT,
    )


def check_plays(found: BotVersion, variant: str, seats: int, field: str = "bots") -> None:
    """Check that a version plays a table: it declares the variant and the number of seats, and is not suspended there.  Raises Refusal."""
    if found.can_play(variant, seats):
        return
    if found.tables.include(variant, seats):
        why = say(
            "is suspended in {variant} after repeated faults; it plays the other variants", variant=variant
        )
    else:
        why = say(
            "plays {tables}, not {variant} at {seats} seats",
            tables=found.tables.words(found.game),
            variant=variant,
            seats=seats,
        )
    raise Refusal(
        "table_not_played",
        say("bot {bot}@{version}: {why}", bot=found.bot, version=found.version, why=why),
        field=field,
        kind=RefusalKind.CONFLICT,
    )


def _why_not_superseded(session: Session, found: BotVersion) -> str:
    query = select(Version.version).join(Bot, Bot.id == Version.bot_id)
    active = session.scalar(
        query.where(Bot.game == found.game, Bot.name == found.bot, Version.state == ACTIVE)
    )
    if not found.hosted:
        return say(
            "it runs elsewhere, where only the version that is connected can play; enter {bot}", bot=found.bot
        )
    if active is None:
        return say(
            "it is superseded, and enters unrated tournaments, gauntlets and SPRTs only; its owner can make it the"
            " active version with `arena bot restore`"
        )
    return say(
        "version {active} is active in its place; a superseded version enters unrated tournaments, gauntlets and SPRTs"
        " only, unless its owner makes it the active one with `arena bot restore`",
        active=active,
    )


@cache
def with_owners() -> Select[*tuple[Any, ...]]:
    """Select versions as a BotVersion has them: columns only, since lists have thousands."""
    return (
        select(
            Version.id,
            Bot.name,
            Version.version,
            Bot.game,
            Version.source,
            Version.program,
            Version.state,
            User.name,
            Version.declared,
            Bot.house,
            Version.plays,
            Version.suspensions,
        )
        .join(Bot, Version.bot_id == Bot.id)
        .outerjoin(User, User.id == Bot.owner_id)
    )


def own(session: Session, actor: Actor, game: str, name: str) -> Bot:
    """Find a bot that is the actor's; admins may do with any what its owner may.  Raises Refusal."""
    bot_name = name.partition("@")[0]
    bot = session.scalars(select(Bot).where(Bot.game == game, Bot.name == bot_name)).one_or_none()
    if bot is None:
        raise Refusal(
            "bot_unknown",
            say(
                "bot {bot_name!r}: {game} has none of that name; `arena bot list` shows them",
                bot_name=bot_name[:80],
                game=game[:80],
            ),
            field="bot",
            kind=RefusalKind.NOT_FOUND,
        )
    if not ("admin" in actor.scopes or (bot.owner_id is not None and bot.owner_id == actor.user_id)):
        raise Refusal(
            "not_yours",
            say("bot {bot_name!r}: is not yours; only its owner can do this", bot_name=bot_name),
            field="bot",
            kind=RefusalKind.FORBIDDEN,
        )
    return bot


def bot_version(version: Version, bot: Bot, owner: str | None) -> BotVersion:
    """Make the value of rows that are in hand."""
    return BotVersion(
        version_id=version.id,
        bot=bot.name,
        version=version.version,
        game=bot.game,
        source=version.source,
        program=version.program,
        state=version.state,
        owner=owner,
        declared=version.declared,
        house=bot.house,
        plays=version.plays,
        suspensions=version.suspensions,
    )


@contextmanager
def _adding(store: Store, game: str, name: str) -> Iterator[Session]:
    """Begin a transaction that adds a bot.  Raises UsageError if the name is taken, be it at this very moment."""
    taken = Refusal(
        "name_taken",
        say(
            "bot {name!r}: {game} has one of that name; choose another (`arena bot list {game}` shows them)",
            name=name,
            game=game,
        ),
        field="name",
        kind=RefusalKind.CONFLICT,
    )
    try:
        with store.write() as session:
            if session.scalar(select(Bot.id).where(Bot.game == game, Bot.name == name)) is not None:
                raise taken
            yield session
    except IntegrityError as error:
        raise taken from error


def _owner(session: Session, actor: Actor, game: str, name: str, owner: str | None, most: int) -> int | None:
    """Return the id of the user whose bot is added, None for the operator's own.  Raises Refusal."""
    if owner is None:
        quotas.check_bots(session, actor, game, name, most)
        return actor.user_id or None
    actor.require("admin")
    owner_id = session.scalar(select(User.id).where(User.name == owner))
    if owner_id is None:
        raise Refusal(
            "user_unknown",
            say(
                "owner {owner!r}: there is no user of that name; `arena user list` shows them",
                owner=owner[:80],
            ),
            field="owner",
            kind=RefusalKind.NOT_FOUND,
        )
    return owner_id


def _add(
    session: Session,
    game: str,
    name: str,
    source: str,
    program: str,
    *,
    secret: str | None = None,
    owner_id: int | None = None,
) -> Bot:
    bot = _bot(game, name, owner_id=owner_id)
    session.add(bot)
    session.flush()
    session.add(_first_version(bot, source, program, secret=secret))
    return bot


def _bot(game: str, name: str, *, house: bool = False, owner_id: int | None = None) -> Bot:
    return Bot(game=game, name=name, house=house, created_at=time.time(), owner_id=owner_id, seen_at=None)


def _first_version(bot: Bot, source: str, program: str, *, secret: str | None = None) -> Version:
    # The operator vouches for house bots and those that the operator added.
    qualified = bot.owner_id is None
    return Version(
        bot_id=bot.id,
        version=FIRST_VERSION,
        source=source,
        program=program,
        secret=secret,
        talks=False,
        state=ACTIVE if qualified else WAITING,
        qualified=qualified,
        reason=None,
        created_at=bot.created_at,
        request_id=request_origin.current(),
    )


def _new_token(session: Session, bot: Bot) -> NewToken:
    token_id, token = secrets.token_urlsafe(_ID_BYTES), secrets.token_urlsafe(_TOKEN_BYTES)
    digest = sha256(token.encode()).digest()
    session.add(BotToken(id=token_id, bot_id=bot.id, sha256=digest, created_at=time.time()))
    return NewToken(bot.game, bot.name, token_id, token)


def _dial_in_bot(session: Session, actor: Actor, game: str, name: str) -> Bot:
    """Return a user's own bot that connects by itself, locked while the transaction lasts."""
    bot = own(session, actor, game, name)
    found = find_in(session, game, name)
    if found.source != DIAL_IN:
        raise Refusal(
            "no_token",
            say(
                "bot {name!r}: is {source}; only a bot that dials in has a token",
                name=name,
                source=say(found.source),
            ),
            field="bot",
            kind=RefusalKind.CONFLICT,
        )
    session.refresh(bot, with_for_update=True)
    return bot


def _subject(bot: Bot) -> str:
    """Name a bot in the audit log."""
    return f"bot/{bot.game}/{bot.name}"
