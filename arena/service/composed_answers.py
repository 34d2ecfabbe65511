"""Answers that are put together for an operation; all others are the reports themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from arena.accounts.actors import SCOPES, Actor
from arena.accounts.users import UserRow
from arena.bot_registry.bot_version import BotVersion
from arena.bot_registry.bots import DIAL_IN, NewToken
from arena.core.answer_fields import NextCursor, Plays, SuspendedIn, VariantName
from arena.games.registry import AnyGame
from arena.messaging.queue_status import FailedJob, QueueRow, WorkerRow
from arena.operations.worker_status import Backlog, LeasedBlock
from arena.reports.fault_reports import FaultRow, FaultTally
from arena.reports.insights.playing_style import AverageBot, PlayingStyle

ROLE = "author, organiser or admin."
SCOPE_NAMES = "read, bots, tournaments, admin."


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot that was entered, or withdrawn."""

    tournament: Annotated[int, Field(description="The tournament's number.", examples=[7])]
    bot: Annotated[str, Field(description="The bot's name.", examples=["my-bot"])]
    version: Annotated[str, Field(description="Its version.", examples=["2"])]


@dataclass(frozen=True, slots=True)
class Bot:
    """A version of a bot."""

    game: Annotated[str, Field(description="The game's id.", examples=["lost_cities"])]
    bot: Annotated[str, Field(description="The bot's name.", examples=["my-bot"])]
    version: Annotated[str, Field(description="Its version.", examples=["1"])]
    source: Annotated[str, Field(description="hosted, dial_in or endpoint.", examples=["hosted"])]
    state: Annotated[
        str,
        Field(
            description="waiting (for its qualification), failed, active, superseded, withdrawn or suspended; only active ones can be entered.",
            examples=["active"],
        ),
    ]
    owner: Annotated[str | None, Field(description="Whose it is; null for the house.", examples=["ada"])]
    verified: Annotated[bool, Field(description="Whether the arena knows what plays: it starts it itself.")]
    declared: Annotated[
        str | None,
        Field(description="The version that a bot that runs elsewhere last said it is; unverified."),
    ]
    plays: Plays
    suspended_in: SuspendedIn

    @classmethod
    def of(cls, row: BotVersion) -> Bot:
        """Return a version as everybody may see it."""
        return cls(
            game=row.game,
            bot=row.bot,
            version=row.version,
            source=row.source,
            state=row.state,
            owner=row.owner,
            verified=row.hosted,
            declared=row.declared,
            plays=dict(row.tables.of_game(row.game)),
            suspended_in={variant: each.reason for variant, each in row.suspended_in.items()},
        )


@dataclass(frozen=True, slots=True)
class Added:
    """A bot that was just added."""

    game: Annotated[str, Field(description="The game's id.")]
    bot: Annotated[str, Field(description="The bot's name.")]
    source: Annotated[str, Field(description="dial_in or endpoint.")]
    token_id: Annotated[str | None, Field(description="The public id of a dial-in bot's token.")]
    token: Annotated[str | None, Field(description="The token that it connects with: it is shown this once.")]

    @classmethod
    def of(cls, made: NewToken) -> Added:
        """Return a dial-in bot with the token that was made for it."""
        return cls(made.game, made.bot, DIAL_IN, made.token_id, made.token)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights that an author has uploaded."""

    sha256: Annotated[str, Field(description="SHA-256 of the file, in hex.")]
    size: Annotated[int, Field(description="Its size in bytes.")]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that was begun."""

    tournament: Annotated[
        int, Field(description="The tournament that it is; it is in no list.", examples=[7])
    ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison that was begun."""

    tournament: Annotated[
        int, Field(description="The tournament that it is; it is in no list.", examples=[7])
    ]
    seconds: Annotated[
        float | None,
        Field(
            description="About how long it takes if all sets are played, at the pace of the newest tournaments like it; null if there are none.",
            examples=[250.5],
        ),
    ]


@dataclass(frozen=True, slots=True)
class NoteVisibility:
    """The readers of what a bot notes beside its answers."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    public: Annotated[
        bool,
        Field(
            description="Whether everybody may read it, once a match is open to all; else its owner alone."
        ),
    ]


@dataclass(frozen=True, slots=True)
class BotStyle:
    """The style of a bot's newest rated version, compared with the average bot of its pool."""

    variant: VariantName
    version: Annotated[str | None, Field(description="The version; null if none is rated.", examples=["1"])]
    style: Annotated[
        PlayingStyle | None,
        Field(description="Null until it is measured, some seconds after it was asked for."),
    ]
    average: Annotated[AverageBot | None, Field(description="The average bot; null until it is measured.")]


@dataclass(frozen=True, slots=True)
class Me:
    """The user who is signed in."""

    name: Annotated[str, Field(description="The name.", examples=["ada"])]
    role: Annotated[str, Field(description=ROLE, examples=["author"])]
    scopes: Annotated[
        tuple[str, ...],
        Field(description=f"What these credentials allow: {SCOPE_NAMES}", examples=[["read", "bots"]]),
    ]
    csrf: Annotated[
        str | None,
        Field(description="What a browser sends in X-CSRF-Token with each write; null for a token."),
    ]

    @classmethod
    def of(cls, actor: Actor, csrf: str | None = None) -> Me:
        """Return an actor as the API shows it."""
        return cls(actor.name, actor.role, tuple(each for each in SCOPES if each in actor.scopes), csrf)


@dataclass(frozen=True, slots=True)
class UserWithPassword(UserRow):
    """A user whose password was just set."""

    password: Annotated[
        str | None, Field(description="The password that was made up, shown once; null if it was given.")
    ]


@dataclass(frozen=True, slots=True)
class SignedOut:
    """A user who was signed out everywhere."""

    name: Annotated[str, Field(description="The user.", examples=["ada"])]
    sessions: Annotated[int, Field(description="In how many browsers they were signed in.", examples=[2])]


@dataclass(frozen=True, slots=True)
class Queues:
    """The queues, and the jobs that have failed."""

    queues: Annotated[tuple[QueueRow, ...], Field(description="Every queue.")]
    backlog: Annotated[
        Backlog, Field(description="What the store says is to be played: it alone is the truth.")
    ]
    failed: Annotated[
        tuple[FailedJob, ...], Field(description="The jobs that failed in the last hour, the newest first.")
    ]


@dataclass(frozen=True, slots=True)
class BusyWorker(WorkerRow):
    """A running worker."""

    blocks: Annotated[tuple[LeasedBlock, ...], Field(description="The blocks that it plays.")]


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers, and blocks without one."""

    workers: Annotated[
        tuple[BusyWorker, ...],
        Field(description="Those that have shown a sign of life in the last ten seconds."),
    ]
    lost: Annotated[
        tuple[LeasedBlock, ...],
        Field(description="Blocks whose worker shows none: they are free again when its lease is over."),
    ]


@dataclass(frozen=True, slots=True)
class Faults:
    """The newest faults, and whose they are."""

    faults: Annotated[tuple[FaultRow, ...], Field(description="The newest first.")]
    tally: Annotated[
        tuple[FaultTally, ...], Field(description="The bots that were at fault, the most frequent first.")
    ]
    next: NextCursor


@dataclass(frozen=True, slots=True)
class Option:
    """A number that a match may set."""

    name: Annotated[str, Field(description="Its name.", examples=["hands"])]
    low: Annotated[int, Field(description="The lowest value.", examples=[1])]
    high: Annotated[int, Field(description="The highest value.", examples=[9])]
    standard: Annotated[int, Field(description="The value if none is given.", examples=[3])]
    meaning: Annotated[str, Field(description="What it does.", examples=["hands of a match"])]


@dataclass(frozen=True, slots=True)
class Variant:
    """A named form of a game, with its default number of seats first."""

    name: Annotated[str, Field(description="Its name.", examples=["standard"])]
    seats: Annotated[tuple[int, ...], Field(description="The seat counts it is played with.", examples=[[2]])]
    options: Annotated[tuple[Option, ...], Field(description="The options it has with the fewest seats.")]


@dataclass(frozen=True, slots=True)
class Game:
    """A game of this arena."""

    id: Annotated[str, Field(description="Its id, as everywhere.", examples=["lost_cities"])]
    title: Annotated[str, Field(description="Its name for people.", examples=["Lost Cities"])]
    rules_version: Annotated[
        int, Field(description="Changes when the same seed and actions would give another match.")
    ]
    variants: Annotated[tuple[Variant, ...], Field(description="The standard one first.")]

    @classmethod
    def of(cls, game: AnyGame) -> Game:
        """Describe a game."""
        variants = tuple(
            Variant(
                name, tuple(seats), tuple(Option(**asdict(each)) for each in game.options(name, min(seats)))
            )
            for name, seats in game.variants.items()
        )
        return cls(game.id, game.title, game.rules_version, variants)


@dataclass(frozen=True, slots=True)
class DocsPage:
    """A page of the docs."""

    title: Annotated[str, Field(description="Its title.", examples=["Lost Cities"])]
    language: Annotated[str, Field(description="The language that it is written in.", examples=["en"])]
    markdown: Annotated[str, Field(description="All of it, as CommonMark with tables.")]


@dataclass(frozen=True, slots=True)
class DocsIndex:
    """The index of the docs."""

    names: Annotated[
        tuple[str, ...], Field(description="The pages' names.", examples=[["architecture", "bots", "start"]])
    ]


@dataclass(frozen=True, slots=True)
class File:
    """A file that can be downloaded."""

    name: Annotated[str, Field(description="Its name.", examples=["bot_arena_sdk-0.2.0-py3-none-any.whl"])]
    path: Annotated[
        str,
        Field(
            description="Where it is on this server.",
            examples=["/sdk/bot_arena_sdk-0.2.0-py3-none-any.whl"],
        ),
    ]
    bytes: Annotated[int, Field(description="Its size.", examples=[90_000])]
    sha256: Annotated[str, Field(description="The SHA-256 of its content, in hex.")]


@dataclass(frozen=True, slots=True)
class Sdk:
    """The downloads that an author of bots needs of this arena."""

    wheel: Annotated[File, Field(description="The Python SDK, for pip.")]
    needs: Annotated[
        tuple[str, ...],
        Field(description="All that the SDK needs.", examples=[["grpcio<2,>=1.80"]]),
    ]
    protos: Annotated[File, Field(description="The protos, for bots in every other language.")]
