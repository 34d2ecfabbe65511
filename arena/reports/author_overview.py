"""Overview of an author: bots with their newest versions, the tournaments they are entered in, and quotas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from sqlalchemy import func, select

from arena.bot_registry import bots
from arena.bot_registry.quotas import count_bots, count_bytes
from arena.bundle_format import bundle
from arena.competition import trial_kinds
from arena.competition.qualification import trials
from arena.competition.tournament_states import OPEN
from arena.core.answer_fields import GameId, OwnBotName, SeatCount, Source
from arena.storage.schema import Bot, BotToken, Entry, Tournament, Trial, Version

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.competition.qualification.submissions import Rules
    from arena.storage import Store

_MAX_ENTERED = 20
_MAX_OPPONENTS = 200


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of the author."""

    game: GameId
    bot: OwnBotName
    source: Source
    versions: Annotated[int, Field(description="Number of its versions.", examples=[3])]
    version: Annotated[str, Field(description="Its newest version.", examples=["3"])]
    state: Annotated[
        str,
        Field(
            description="Of the newest version: waiting (for its qualification), failed, active, superseded or withdrawn; only active ones can be entered.",
            examples=["failed"],
        ),
    ]
    active: Annotated[
        str | None, Field(description="The version that can be entered, if any.", examples=["2"])
    ]
    created_at: Annotated[
        float, Field(description="Time of the newest version, in seconds since the epoch, UTC.")
    ]


@dataclass(frozen=True, slots=True)
class Quota:
    """Amount used of a quota, now or in the last 24 hours."""

    used: Annotated[int, Field(description="Amount used.", examples=[3])]
    most: Annotated[int, Field(description="Limit.", examples=[50])]


@dataclass(frozen=True, slots=True)
class Quotas:
    """An author's quotas: what may be asked for in 24 hours, and what may be had."""

    qualification: Annotated[
        Quota, Field(description="Versions that are qualified in 24 hours, once for each game.")
    ]
    challenge: Annotated[Quota, Field(description="Challenges in 24 hours.")]
    comparison: Annotated[Quota, Field(description="Comparisons of versions in 24 hours.")]
    storage: Annotated[Quota, Field(description="Bytes of all uploads that are kept.")]
    bots: Annotated[
        Mapping[str, Quota],
        Field(
            description="Bots that are not withdrawn, of each game that one has any of.",
            examples=[{"lost_cities": {"used": 2, "most": 10}}],
        ),
    ]


@dataclass(frozen=True, slots=True)
class Reached:
    """Connection of a bot: whether the arena has its upload, its token's public id and date, its address."""

    uploaded: bool
    token_id: str | None
    token_created_at: float | None
    address: str | None


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """A tournament that is open for entries, or that a bot of the author is in."""

    id: Annotated[int, Field(description="The tournament's number.", examples=[7])]
    name: Annotated[str, Field(description="Title.", examples=["Spring Cup"])]
    variant: Annotated[str, Field(description="The variant.", examples=["standard"])]
    seats: SeatCount
    state: Annotated[str, Field(description="State.", examples=["open"])]
    version: Annotated[str | None, Field(description="The version that is entered; null: none is yet.")]
    entries: Annotated[int, Field(description="Number of bots entered.", examples=[4])]


def bots_of(store: Store, actor: Actor) -> tuple[OwnBot, ...]:
    """List the author's bots by game and name."""
    actor.require("read")
    query = (
        select(Bot, Version)
        .join(Version, Version.bot_id == Bot.id)
        .where(Bot.owner_id == actor.user_id)
        .order_by(Bot.game, Bot.name, Version.id)
    )
    found: dict[int, list[Version]] = {}
    named: dict[int, Bot] = {}
    with store.read() as session:
        for bot, version in session.execute(query):
            named[bot.id] = bot
            found.setdefault(bot.id, []).append(version)
        return tuple(_own(named[bot_id], versions) for bot_id, versions in found.items())


def quotas(store: Store, actor: Actor, rules: Rules) -> Quotas:
    """Return how much of the quotas one has used."""
    actor.require("read")
    with store.read() as session:
        return Quotas(
            Quota(trials.count(session, trial_kinds.QUALIFICATION, actor.name), rules.submissions_per_day),
            Quota(trials.count(session, trial_kinds.CHALLENGE, actor.name), rules.challenges_per_day),
            Quota(trials.count(session, trial_kinds.COMPARISON, actor.name), rules.comparisons_per_day),
            Quota(count_bytes(session, actor.user_id), rules.upload_mib_per_author << 20),
            {
                game: Quota(had, rules.bots_per_author)
                for game, had in count_bots(session, actor.user_id).items()
            },
        )


def reached(store: Store, actor: Actor, game: str, name: str) -> Reached:
    """Return how a bot of the author is reached.  Raises Refusal."""
    actor.require("read")
    with store.read() as session:
        bot = bots.own(session, actor, game, name)
        token = session.scalar(select(BotToken).where(BotToken.bot_id == bot.id))
        newest = select(Version).where(Version.bot_id == bot.id).order_by(Version.id.desc()).limit(1)
        version = session.scalars(newest).one()
        return Reached(
            uploaded=version.program.startswith(bundle.PREFIX),
            token_id=None if token is None else token.id,
            token_created_at=None if token is None else token.created_at,
            address=version.program if version.source == bots.ENDPOINT else None,
        )


def entered(store: Store, actor: Actor, game: str, name: str) -> tuple[OwnEntry, ...]:
    """List the tournaments that are open for entries, then those that a bot of the author is in, the newest first.

    Ladders take in bots by themselves, trials are no tournaments; both are left out.  Raises Refusal.
    """
    actor.require("read")
    with store.read() as session:
        bot = bots.own(session, actor, game, name)
        mine = (
            select(Entry.tournament_id, Version.version)
            .join(Version, Version.id == Entry.version_id)
            .where(Version.bot_id == bot.id)
            .subquery()
        )
        entries = (
            select(func.count()).where(Entry.tournament_id == Tournament.id).correlate(Tournament)
        ).scalar_subquery()
        query = (
            select(
                Tournament.id,
                Tournament.name,
                Tournament.variant,
                Tournament.seats,
                Tournament.state,
                mine.c.version,
                entries,
            )
            .outerjoin(mine, mine.c.tournament_id == Tournament.id)
            .outerjoin(Trial, Trial.tournament_id == Tournament.id)
            .where(
                Tournament.game == game,
                Tournament.ladder_id.is_(None),
                Trial.tournament_id.is_(None),
                (Tournament.state == OPEN) | mine.c.version.is_not(None),
            )
            .order_by((Tournament.state == OPEN).desc(), Tournament.id.desc())
            .limit(_MAX_ENTERED)
        )
        return tuple(OwnEntry(*row) for row in session.execute(query))


def opponents(store: Store, game: str) -> tuple[str, ...]:
    """Name bots that can be challenged: the house's first, then others, the newest first."""
    query = (
        select(Bot.name)
        .join(Version, Version.bot_id == Bot.id)
        .where(Bot.game == game, Version.state == bots.ACTIVE)
        .order_by(Bot.house.desc(), Bot.id.desc())
        .limit(_MAX_OPPONENTS)
    )
    with store.read() as session:
        return tuple(session.scalars(query))


def _own(bot: Bot, versions: list[Version]) -> OwnBot:
    newest = versions[-1]
    return OwnBot(
        game=bot.game,
        bot=bot.name,
        source=newest.source,
        versions=len(versions),
        version=newest.version,
        state=newest.state,
        active=next((each.version for each in versions if each.state == bots.ACTIVE), None),
        created_at=newest.created_at,
    )
