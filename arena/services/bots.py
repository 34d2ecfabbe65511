"""Bots: who can take part, and how a referee reaches them.

A bot is a name in one game.  House bots are started by the arena; those of others run elsewhere: they dial in with a
token, or listen at an address.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.games import registry
from arena.net.address import parse
from arena.net.reach import check_said
from arena.play import DialIn, Endpoint, Source
from arena.store import Store
from arena.store.schema import Bot, BotToken, Version

FIRST_VERSION = "1"
HOSTED = "hosted"
DIAL_IN = "dial_in"
ENDPOINT = "endpoint"

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
"""No `@`, `,` or blank, which part names from versions and from each other; no capitals, so that none looks alike."""
_LONGEST_SECRET = 200
_ID_BYTES = 12
"""16 characters in base 64."""
_TOKEN_BYTES = 32
_NO_TOKEN = "none"  # noqa: S105 - an id that no token has
"""Where a bot has no token: it can never be there."""


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One version of a bot: what plays.  `source` and `program` are as the table `version` has them."""

    version_id: int
    bot: str
    version: str
    game: str
    source: str
    program: str

    @property
    def hosted(self) -> bool:
        """Whether the referee starts its program."""
        return self.source == HOSTED


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
        for game, names in bots.items():
            known = set(session.scalars(select(Bot.name).where(Bot.game == game)))
            for name in names:
                if name not in known:
                    _add(session, game, name, HOSTED, f"house:{game}/{name}", house=True)


def add_dial_in(store: Store, game: str, name: str) -> NewToken:
    """Add a bot that connects by itself, and make its token.  Raises UsageError."""
    _check_name(game, name)
    with _adding(store, game, name) as session:
        return _new_token(session, _add(session, game, name, DIAL_IN, ""))


def add_endpoint(
    store: Store, game: str, name: str, address: str, secret: str | None = None, *, private: bool = False
) -> BotVersion:
    """Add a bot that listens at an address (`arena.net.address`); the secret is presented to it.

    Only what the address says by itself is checked here, unless `private` ones are allowed: what its name leads to
    is checked whenever it is dialled.  Raises UsageError.
    """
    _check_name(game, name)
    where = parse(address)
    if not private:
        check_said(where)
    if secret is not None and not (
        0 < len(secret) <= _LONGEST_SECRET and secret.isascii() and secret.isprintable() and " " not in secret
    ):
        raise UsageError(
            f"secret of {len(secret)} characters: must be 1 to {_LONGEST_SECRET} of ASCII, without blanks"
        )
    with _adding(store, game, name) as session:
        _add(session, game, name, ENDPOINT, address, secret=secret)
        session.flush()
        return find_in(session, game, name)


def renew_token(store: Store, game: str, name: str) -> NewToken:
    """Make a new token for a dial-in bot; the one that it had counts no longer.  Raises UsageError."""
    with store.write() as session:
        bot = _dial_in_bot(session, game, name)
        session.execute(delete(BotToken).where(BotToken.bot_id == bot.id))
        return _new_token(session, bot)


def revoke_token(store: Store, game: str, name: str) -> bool:
    """Take a dial-in bot's token away, so that it can no longer connect.  False if it had none.  Raises UsageError."""
    with store.write() as session:
        bot = _dial_in_bot(session, game, name)
        gone = delete(BotToken).where(BotToken.bot_id == bot.id).returning(BotToken.id)
        return session.execute(gone).first() is not None


def admitted(store: Store) -> dict[str, bytes]:
    """Give the tokens with which dial-in bots may connect: id → SHA-256."""
    with store.read() as session:
        return {row.id: row.sha256 for row in session.scalars(select(BotToken).order_by(BotToken.id))}


def sources_in(session: Session, version_ids: Iterable[int]) -> dict[int, Source]:
    """Say how a referee reaches the versions that run elsewhere, as of now; the hosted among them are left out."""
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
    """Find a bot of a game by its name, `greedy` (its newest version) or `greedy@1`.

    Raises UsageError naming the bots there are.
    """
    with store.read() as session:
        return find_in(session, game, name)


def listing(store: Store, game: str | None = None) -> tuple[BotVersion, ...]:
    """List all versions of all bots, of one game if it is given, by game, bot and age."""
    with store.read() as session:
        query = (
            select(Version, Bot).join(Bot, Version.bot_id == Bot.id).order_by(Bot.game, Bot.name, Version.id)
        )
        if game is not None:
            query = query.where(Bot.game == game)
        return tuple(bot_version(version, bot) for version, bot in session.execute(query))


def find_in(session: Session, game: str, name: str) -> BotVersion:
    """Find a bot as `find` does, inside a transaction."""
    bot_name, _, number = name.partition("@")
    query = (
        select(Version, Bot)
        .join(Bot, Version.bot_id == Bot.id)
        .where(Bot.game == game, Bot.name == bot_name)
        .order_by(Version.id.desc())
        .limit(1)
    )
    if number:
        query = query.where(Version.version == number)
    found = session.execute(query).first()
    if found is None:
        names = sorted(session.scalars(select(Bot.name).where(Bot.game == game)))
        has = ", ".join(names) or "no bots yet; `arena up` brings the house bots"
        raise UsageError(f"bot {name!r}: {game} has {has}")
    return bot_version(*found)


def bot_version(version: Version, bot: Bot) -> BotVersion:
    """Make the value of a row."""
    return BotVersion(version.id, bot.name, version.version, bot.game, version.source, version.program)


@contextmanager
def _adding(store: Store, game: str, name: str) -> Iterator[Session]:
    """Begin a transaction that adds a bot.  Raises UsageError if the name is taken, be it at this very moment."""
    taken = f"bot {name!r}: {game} has one of that name; choose another (`arena bot list {game}` shows them)"
    try:
        with store.write() as session:
            if session.scalar(select(Bot.id).where(Bot.game == game, Bot.name == name)) is not None:
                raise UsageError(taken)
            yield session
    except IntegrityError as error:
        raise UsageError(taken) from error


def _check_name(game: str, name: str) -> None:
    registry.find(game)
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"bot {name!r}: must be 1 to 40 lower-case letters, digits, - and _, the first a letter or digit"
        )


def _add(
    session: Session,
    game: str,
    name: str,
    source: str,
    program: str,
    *,
    secret: str | None = None,
    house: bool = False,
) -> Bot:
    now = time.time()
    bot = Bot(game=game, name=name, house=house, created_at=now)
    session.add(bot)
    session.flush()
    session.add(
        Version(
            bot_id=bot.id,
            version=FIRST_VERSION,
            source=source,
            program=program,
            secret=secret,
            talks=False,
            created_at=now,
        )
    )
    return bot


def _new_token(session: Session, bot: Bot) -> NewToken:
    token_id, token = secrets.token_urlsafe(_ID_BYTES), secrets.token_urlsafe(_TOKEN_BYTES)
    digest = sha256(token.encode()).digest()
    session.add(BotToken(id=token_id, bot_id=bot.id, sha256=digest, created_at=time.time()))
    return NewToken(bot.game, bot.name, token_id, token)


def _dial_in_bot(session: Session, game: str, name: str) -> Bot:
    """Find a bot that connects by itself; nobody else changes its token while the transaction lasts."""
    found = find_in(session, game, name)
    if found.source != DIAL_IN:
        raise UsageError(f"bot {name!r}: is {found.source}; only a bot that dials in has a token")
    return session.scalars(select(Bot).where(Bot.game == game, Bot.name == found.bot).with_for_update()).one()
