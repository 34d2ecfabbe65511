"""The API's models of bots: what is sent, and what comes back."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena.web.http.response_model import Model
from arena.web.tournaments.tournament_requests import Body

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


class ChallengeWish(Body):
    """Whom a bot is to play."""

    others: list[BotName] = Field(
        min_length=1, max_length=10, description="The other bots, one for each seat."
    )


class Bot(Model):
    """A version of a bot."""

    game: str = Field(description="The game's id.", examples=["lost_cities"])
    bot: str = Field(description="The bot's name.", examples=["my-bot"])
    version: str = Field(description="Its version.", examples=["1"])
    source: str = Field(description="hosted, dial_in or endpoint.", examples=["hosted"])
    state: str = Field(description=_STATE, examples=["active"])
    owner: str | None = Field(description="Whose it is; null for the house.", examples=["ada"])
    verified: bool = Field(description="Whether the arena knows what plays: it starts it itself.")
    declared: str | None = Field(
        description="The version that a bot that runs elsewhere last said it is; unverified."
    )


class Added(Model):
    """A bot that was just added."""

    game: str = Field(description="The game's id.")
    bot: str = Field(description="The bot's name.")
    source: str = Field(description="dial_in or endpoint.")
    token_id: str | None = Field(description="The public id of a dial-in bot's token.")
    token: str | None = Field(description="The token that it connects with: it is shown this once.")


class Challenge(Model):
    """A challenge that was begun."""

    tournament: int = Field(description="The tournament that it is; it stands in no list.", examples=[7])
