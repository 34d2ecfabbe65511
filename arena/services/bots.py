"""Bots: who can take part."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.errors import UsageError
from arena.store import Store
from arena.store.schema import Bot, Meta, Version

HOUSE_VERSION = "1"
HOSTED = "hosted"


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One version of a bot: what plays.  `hosted` says that the referee starts its `program`."""

    version_id: int
    bot: str
    version: str
    game: str
    program: str
    hosted: bool = True


def register_house(store: Store, bots: Mapping[str, Sequence[str]]) -> None:
    """Make sure that the house bots are known: game → their names.  Those that are there stay as they are."""
    now = time.time()
    with store.write() as session:
        for game, names in bots.items():
            known = set(session.scalars(select(Bot.name).where(Bot.game == game)))
            for name in names:
                if name in known:
                    continue
                bot = Bot(game=game, name=name, house=True, created_at=now)
                session.add(bot)
                session.flush()
                session.add(
                    Version(
                        bot_id=bot.id,
                        version=HOUSE_VERSION,
                        source=HOSTED,
                        program=f"house:{game}/{name}",
                        talks=False,
                        created_at=now,
                    )
                )


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
        return tuple(_bot_version(version, bot) for version, bot in session.execute(query))


def admitted(store: Store) -> dict[str, bytes]:
    """Give the tokens with which dial-in bots may connect: id → SHA-256."""
    with store.read() as session:
        rows = session.scalars(select(Meta).where(Meta.key.startswith("token/")))
        return {row.key.removeprefix("token/"): bytes.fromhex(row.value) for row in rows}


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
    return _bot_version(*found)


def _bot_version(version: Version, bot: Bot) -> BotVersion:
    return BotVersion(
        version.id, bot.name, version.version, bot.game, version.program, version.source == HOSTED
    )
