"""The API's models of bots: what is sent, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from arena.core.answer_fields import Plays, SuspendedIn
from arena.service.requests import Body

_AT = "Seconds since the epoch, UTC."
_STATE = "waiting (for its qualification), failed, active, superseded or withdrawn; only active ones can be entered."
BotName = Annotated[str, Field(max_length=80, description="The bot's name.", examples=["my-bot"])]


class Addition(Body):
    """A bot that runs elsewhere."""

    name: BotName
    source: Literal["dial_in", "endpoint"] = Field(description="Whether it connects, or is connected to.")
    address: str | None = Field(
        None, max_length=300, description="Where an endpoint listens.", examples=["bots.example.org:7001"]
    )
    secret: str | None = Field(None, max_length=300, description="What is presented to an endpoint.")


class WeightsSize(Body):
    """A file of weights that is to be uploaded."""

    size: int = Field(ge=0, description="Its size in bytes.", examples=[52428800])


class ChallengeRequest(Body):
    """Whom a bot is to play."""

    others: list[BotName] = Field(
        min_length=1, max_length=10, description="The other bots, one for each seat."
    )


@dataclass(frozen=True, slots=True)
class Bot:
    """A version of a bot."""

    game: Annotated[str, Field(description="The game's id.", examples=["lost_cities"])]
    bot: Annotated[str, Field(description="The bot's name.", examples=["my-bot"])]
    version: Annotated[str, Field(description="Its version.", examples=["1"])]
    source: Annotated[str, Field(description="hosted, dial_in or endpoint.", examples=["hosted"])]
    state: Annotated[str, Field(description=_STATE, examples=["active"])]
    owner: Annotated[str | None, Field(description="Whose it is; null for the house.", examples=["ada"])]
    verified: Annotated[bool, Field(description="Whether the arena knows what plays: it starts it itself.")]
    declared: Annotated[
        str | None,
        Field(description="The version that a bot that runs elsewhere last said it is; unverified."),
    ]
    plays: Plays
    suspended_in: SuspendedIn


@dataclass(frozen=True, slots=True)
class Added:
    """A bot that was just added."""

    game: Annotated[str, Field(description="The game's id.")]
    bot: Annotated[str, Field(description="The bot's name.")]
    source: Annotated[str, Field(description="dial_in or endpoint.")]
    token_id: Annotated[str | None, Field(description="The public id of a dial-in bot's token.")]
    token: Annotated[str | None, Field(description="The token that it connects with: it is shown this once.")]


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights that an author has uploaded."""

    sha256: Annotated[str, Field(description="SHA-256 of the file, in hex.")]
    size: Annotated[int, Field(description="Its size in bytes.")]


@dataclass(frozen=True, slots=True)
class WeightsUpload:
    """How far an upload of weights is."""

    sha256: Annotated[str, Field(description="SHA-256 of the file, in hex.")]
    size: Annotated[int, Field(description="Its size in bytes.")]
    received: Annotated[int, Field(description="How many of them are there: the next part begins here.")]
    complete: Annotated[bool, Field(description="Whether the file is whole, checked, and can be named.")]
    part_bytes: Annotated[int, Field(description="The most bytes of a part.", examples=[4194304])]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that was begun."""

    tournament: Annotated[
        int, Field(description="The tournament that it is; it stands in no list.", examples=[7])
    ]


class NoteVisibility(Body):
    """Who may read what a bot notes beside its answers."""

    public: bool = Field(
        description="Whether everybody may, once a match is open to all; not its owner alone."
    )
